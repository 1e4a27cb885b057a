//! What saves and links keep of facts comes back from them, in the form that earlier programs wrote.

use fourgaps_base::{FileEdit, Json, Kept};
use fourgaps_cluster::{Fact, Verdict};
use fourgaps_node::{
    Astray, End, Fact as NodeFact, JobEnd, Options, Phase, Release, Sandbox, Signal, ToolkitFact, UnitEvent,
    UnitState,
};
use proptest::prelude::*;

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z/.]{0,8}", any::<String>()]
}

fn edit() -> impl Strategy<Value = FileEdit> {
    let bytes = || prop_oneof![any::<Vec<u8>>(), text().prop_map(String::into_bytes)];
    prop_oneof![
        (text(), bytes()).prop_map(|(path, bytes)| FileEdit::Write(path, bytes)),
        (text(), bytes()).prop_map(|(path, bytes)| FileEdit::Append(path, bytes)),
        text().prop_map(FileEdit::Remove),
        text().prop_map(FileEdit::MakeFolder),
        (text(), text()).prop_map(|(from, to)| FileEdit::Rename(from, to)),
        (text(), any::<u32>()).prop_map(|(path, mode)| FileEdit::Chmod(path, mode)),
        (text(), text()).prop_map(|(path, target)| FileEdit::Link(path, target)),
        (text(), any::<i64>()).prop_map(|(path, ms)| FileEdit::Touch(path, ms)),
    ]
}

fn end() -> impl Strategy<Value = End> {
    use Signal::{Hup, Int, Kill, Pipe, Quit, Term, Usr1};
    let signal = prop::sample::select(vec![Hup, Int, Quit, Kill, Usr1, Pipe, Term]);
    prop_oneof![any::<i32>().prop_map(End::Exited), signal.prop_map(End::Killed)]
}

fn job_end() -> impl Strategy<Value = JobEnd> {
    use JobEnd::{ExitCode, Signal, StartLimitHit, Success};
    prop::sample::select(vec![Success, ExitCode, Signal, StartLimitHit])
}

fn event() -> impl Strategy<Value = UnitEvent> {
    use UnitEvent::{Deactivated, StartFailed, Started, Starting, Stopped, Stopping, TooQuick};
    let plain = vec![Starting, Started, Stopping, Stopped, StartFailed, Deactivated, TooQuick];
    prop_oneof![
        prop::sample::select(plain),
        end().prop_map(UnitEvent::MainExited),
        job_end().prop_map(UnitEvent::Failed),
        any::<u32>().prop_map(UnitEvent::RestartScheduled),
        any::<u32>().prop_map(UnitEvent::LeftOver),
        any::<u32>().prop_map(UnitEvent::Remains),
    ]
}

fn state() -> impl Strategy<Value = UnitState> {
    prop_oneof![
        Just(UnitState::Dead),
        Just(UnitState::Running),
        (any::<u64>(), job_end()).prop_map(|(due_ms, result)| UnitState::AutoRestart { due_ms, result }),
        job_end().prop_map(UnitState::Failed),
    ]
}

fn sandbox() -> impl Strategy<Value = Sandbox> {
    let names = (text(), text(), text(), text(), text(), text());
    let numbers = (any::<u32>(), any::<u64>(), any::<Option<u32>>());
    (names, numbers, prop::option::of(text())).prop_map(|(names, (attempt, created_ms, pid), asked)| {
        let (id, name, namespace, uid, handler, log_directory) = names;
        Sandbox { id, name, namespace, uid, attempt, asked, handler, log_directory, created_ms, pid }
    })
}

fn phase() -> impl Strategy<Value = Phase> {
    prop_oneof![
        any::<u64>().prop_map(|next_ms| Phase::WaitingForDriver { next_ms }),
        any::<u64>().prop_map(|until_ms| Phase::Settling { until_ms }),
        any::<u64>().prop_map(|until_ms| Phase::Installing { until_ms }),
        (any::<u32>(), any::<u64>(), any::<bool>())
            .prop_map(|(tries, next_ms, cleaning)| Phase::Signalling { tries, next_ms, cleaning }),
        Just(Phase::Waiting),
        (end(), any::<u64>()).prop_map(|(end, at_ms)| Phase::Ended { end, at_ms }),
    ]
}

/// Every fact of a node that saves keep. Most of what a toolkit was started with is not kept, so it is as by default.
fn node_fact() -> impl Strategy<Value = NodeFact> {
    let started = ToolkitFact::Started { options: Box::default(), astray: Astray::default() };
    let toolkit = prop_oneof![Just(started), phase().prop_map(ToolkitFact::Is)];
    prop_oneof![
        any::<u64>().prop_map(|ms| NodeFact::Clock { ms }),
        edit().prop_map(NodeFact::Edited),
        (any::<u32>(), any::<bool>())
            .prop_map(|(pid, sighup_ignored)| NodeFact::Started { pid, sighup_ignored }),
        end().prop_map(|end| NodeFact::Ended { end }),
        end().prop_map(NodeFact::K3sLost),
        event().prop_map(NodeFact::Unit),
        state().prop_map(NodeFact::UnitIs),
        any::<u32>().prop_map(NodeFact::UnitCounts),
        sandbox().prop_map(|made| NodeFact::SandboxMade(Box::new(made))),
        text().prop_map(|id| NodeFact::SandboxStopped { id }),
        text().prop_map(|id| NodeFact::SandboxRemoved { id }),
        any::<bool>().prop_map(NodeFact::Socket),
        (any::<u32>(), toolkit).prop_map(|(pid, fact)| NodeFact::Toolkit(pid, fact)),
        (text(), any::<i64>()).prop_map(|(key, value)| NodeFact::Sysctl { key, value }),
        any::<u64>().prop_map(|up_ms| NodeFact::WentDown { up_ms }),
        Just(NodeFact::CameUp),
        (any::<u64>(), any::<u32>()).prop_map(|(ids, pid)| NodeFact::Drawn { ids, pid }),
    ]
}

fn fact() -> impl Strategy<Value = Fact> {
    let verdict = (text(), any::<bool>(), any::<bool>());
    let verdict = verdict.prop_map(|(id, said_fine, right)| Verdict { id, said_fine, right });
    prop_oneof![
        any::<u64>().prop_map(Fact::Clock),
        (text(), node_fact()).prop_map(|(name, fact)| Fact::Node(name, fact)),
        edit().prop_map(Fact::Control),
        prop::collection::vec(verdict, 0..3).prop_map(Fact::Graded),
        prop::collection::vec(any::<bool>(), 0..4).prop_map(Fact::Held),
    ]
}

proptest! {
    #[test]
    fn every_fact_comes_back(fact in fact()) {
        let text = fact.to_json().write();
        prop_assert_eq!(Fact::from_json(&Json::read(&text).unwrap()), Ok(fact));
        // Others read it as JSON too, and what they write again is the same to us.
        let other: serde_json::Value = serde_json::from_str(&text).unwrap();
        let again = Json::read(&other.to_string()).unwrap();
        prop_assert_eq!(Fact::from_json(&again).unwrap().to_json().write(), text);
    }
}

#[test]
fn facts_have_the_form_that_saves_have_had_from_the_start() {
    let on = |fact| Fact::Node("n".into(), fact);
    for (fact, text) in [
        (Fact::Clock(5), r#"{"t":5}"#),
        (Fact::Control(FileEdit::write("/a", "ä\n")), r#"{"control":{"write":["/a","ä\n"]}}"#),
        (Fact::Control(FileEdit::Append("/a".into(), vec![0xff])), r#"{"control":{"append":["/a",[255]]}}"#),
        (Fact::Control(FileEdit::MakeFolder("/a".into())), r#"{"control":{"make_folder":"/a"}}"#),
        (
            Fact::Graded(vec![Verdict { id: "x".into(), said_fine: true, right: false }]),
            r#"{"graded":[{"id":"x","said_fine":true,"right":false}]}"#,
        ),
        (Fact::Held(vec![true, false]), r#"{"held":[true,false]}"#),
        (on(NodeFact::CameUp), r#"{"on":["n","CameUp"]}"#),
        (on(NodeFact::Clock { ms: 1 }), r#"{"on":["n",{"Clock":{"ms":1}}]}"#),
        (
            on(NodeFact::Ended { end: End::Killed(Signal::Hup) }),
            r#"{"on":["n",{"Ended":{"end":{"Killed":"Hup"}}}]}"#,
        ),
        (on(NodeFact::K3sLost(End::Exited(-1))), r#"{"on":["n",{"K3sLost":{"Exited":-1}}]}"#),
        (
            on(NodeFact::UnitIs(UnitState::AutoRestart { due_ms: 7, result: JobEnd::ExitCode })),
            r#"{"on":["n",{"UnitIs":{"AutoRestart":{"due_ms":7,"result":"ExitCode"}}}]}"#,
        ),
        (
            on(NodeFact::Toolkit(9, ToolkitFact::Is(Phase::Waiting))),
            r#"{"on":["n",{"Toolkit":[9,{"Is":"Waiting"}]}]}"#,
        ),
    ] {
        assert_eq!(fact.to_json().write(), text);
        assert_eq!(Fact::from_json(&Json::read(text).unwrap()), Ok(fact));
    }
}

#[test]
fn of_what_a_toolkit_was_told_only_the_file_and_the_handler_are_kept() {
    let usual = Options::new(Release(1, 18, 1));
    let (no_daemon, mounted) = (Options { no_daemon: true, ..usual.clone() }, |options: Options| {
        let inside = |path: &str| path.replace("/etc/containerd", "/runtime/config-dir");
        let (config, drop_in) = (inside(&options.config), inside(&options.drop_in));
        Options { config, drop_in, ..options }.mounted([("/runtime/config-dir", "/etc/containerd")])
    });
    let other = Options { drop_in: "/etc/x.toml".into(), runtime_name: "gpu".into(), ..no_daemon.clone() };
    for (told, kept) in [
        (no_daemon.clone(), "{}"),
        (mounted(no_daemon), "{}"),
        (other, r#"{"file":"/etc/x.toml","handler":"gpu"}"#),
        (Options::new(Release(1, 17, 0)), r#"{"file":"/etc/containerd/config.toml"}"#),
        (mounted(Options::new(Release(1, 16, 0))), r#"{"file":"/etc/containerd/config.toml"}"#),
    ] {
        let astray = Astray { setup: None, cleanup: true };
        let file = told.written_file();
        let fact = NodeFact::Toolkit(1, ToolkitFact::Started { options: Box::new(told), astray });
        let text = fact.to_json().write();
        assert_eq!(text, format!(r#"{{"Toolkit":[1,{{"Started":{kept}}}]}}"#));
        let back = NodeFact::from_json(&Json::read(&text).unwrap()).unwrap();
        assert!(fact.is_kept_like(&back) && back.is_kept_like(&fact), "{kept}");
        let NodeFact::Toolkit(_, ToolkitFact::Started { options, .. }) = back else { panic!("{kept}") };
        assert_eq!(options.written_file(), file);
    }
}
