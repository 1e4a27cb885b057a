//! A shell that lines are typed into, and what they give.

use fourgaps_shell::{Command, Shell, StopHandle, Stream, World};
use std::sync::{Arc, Mutex};

const STACK_BYTES: usize = 64 << 20;

/// What a line gave: everything shown in its order, the two streams apart, and the status.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Answer {
    pub shown: String,
    pub out: String,
    pub err: String,
    pub status: i32,
}

/// A piece of output as it was heard.
type Piece = (Stream, Vec<u8>);

/// A shell with one tab.
pub struct Term<W: World> {
    pub world: Arc<Mutex<W>>,
    pub shell: Shell<W>,
    runtime: tokio::runtime::Runtime,
    /// Presses Ctrl+C at the first output of the next line.
    pub stop: Option<StopHandle>,
}

impl<W: World> Term<W> {
    /// A shell over a world, with a tab on one of its machines.
    pub fn over(world: W, commands: Vec<Box<dyn Command<W>>>, host: &str) -> Self {
        let world = Arc::new(Mutex::new(world));
        let mut shell = Shell::new(world.clone(), commands);
        assert!(shell.open("tab", host));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        Self { world, shell, runtime, stop: None }
    }

    /// Runs a line in the first tab.
    pub fn run(&mut self, line: &str) -> Answer {
        self.run_in("tab", line)
    }

    pub fn run_in(&mut self, tab: &str, line: &str) -> Answer {
        let heard: Arc<Mutex<Vec<Piece>>> = Arc::default();
        let sink = heard.clone();
        let stop = self.stop.take();
        let out = Box::new(move |stream, data: &[u8]| {
            sink.lock().unwrap().push((stream, data.to_vec()));
            stop.iter().for_each(StopHandle::stop);
        });
        // Without optimisation a level of the interpreter takes several times its stack.
        let (runtime, shell) = (&self.runtime, &mut self.shell);
        let status = std::thread::scope(|scope| {
            let run = || runtime.block_on(shell.run(tab, line, out));
            let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, run);
            thread.unwrap().join().unwrap()
        });
        let mut answer = Answer { status, ..Answer::default() };
        for (stream, data) in heard.lock().unwrap().iter() {
            let text = String::from_utf8_lossy(data);
            answer.shown.push_str(&text);
            match stream {
                Stream::Out => answer.out.push_str(&text),
                Stream::Err => answer.err.push_str(&text),
            }
        }
        answer
    }
}
