//! Stories of shipped labs: each event stands where it happened, and the moments are those of the list.

use super::*;
use crate::{Play, Sources};
use fourgaps_lab::{Moments, Scenario, Work};
use std::path::Path;
use std::rc::Rc;

pub(crate) fn play(slug: &str) -> (Scenario, Sources, Play) {
    let home = Path::new("../../static/scenarios").join(slug);
    let text = std::fs::read_to_string(home.join("scenario.toml")).unwrap();
    let scenario = Scenario::parse("scenario.toml", &text).unwrap();
    let files = scenario
        .sources()
        .into_iter()
        .map(|source| (source.clone(), std::fs::read(home.join(source)).unwrap()));
    let files: Sources = files.collect();
    (scenario.clone(), files.clone(), Play::new(scenario, files))
}

pub(crate) fn wait<T>(what: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(what)
}

pub(crate) fn run(play: &mut Play, tab: &str, lines: &[&str]) -> Vec<Action> {
    let ran = |line: &&str| wait(play.run(tab, line, Box::new(|_, _| {}))).action.unwrap();
    lines.iter().map(ran).filter_map(|json| Action::from_text(&json)).collect()
}

pub(crate) fn told(events: &[Event]) -> Vec<String> {
    events.iter().map(|event| format!("{} {} {}", event.node, event.kind, event.args.join(" "))).collect()
}

/// Time and moments never go back, and the last moment is that of the list.
#[track_caller]
fn check_order(events: &[Event]) {
    for pair in events.windows(2) {
        assert!(pair[0].at_ms <= pair[1].at_ms, "{pair:?}");
        assert!(pair[0].point <= pair[1].point, "{pair:?}");
        assert!(pair[0].action <= pair[1].action, "{pair:?}");
    }
}

#[test]
fn the_quiet_week_shows_its_days() {
    let (.., play) = play("the-quiet-week");
    let events = play.story();
    check_order(events);
    let text = told(events);
    assert_eq!(
        text,
        [
            "omen sandbox.made gputest nvidia",
            "omen sandbox.made web runc",
            "omen file.wrote /root/gputest.json",
            "omen file.wrote /etc/containerd/conf.d/zz-labhub-registry.toml",
            "omen node.down ",
            "omen node.up ",
            "omen process.loaded 884 runc",
            "omen unit.running ",
        ]
    );
    let day = |at: usize| events[at].at_ms / 86_400_000;
    assert_eq!((day(0), day(3), day(4)), (0, 3, 9));
    assert!(matches!(events[3].point, Point::Past(_)) && events[3].action.is_none());
}

#[test]
fn a_line_is_told_with_what_it_made_happen() {
    let (scenario, sources, mut play) = play("delete-the-pod-first");
    let lines = ["kill $(cat /run/nvidia/toolkit/toolkit.pid)", "systemctl restart containerd", "true"];
    let list = run(&mut play, "omen", &lines);
    let events = play.story();
    check_order(events);
    let of =
        |nth| told(&events.iter().filter(|event| event.action == Some(nth)).cloned().collect::<Vec<_>>());
    assert_eq!(of(0)[0], format!("omen did.line {}", lines[0]));
    assert!(of(0).iter().any(|text| text.ends_with("/etc/containerd/conf.d/99-nvidia.toml")), "{:?}", of(0));
    assert!(of(0).iter().any(|text| text.contains("toolkit.exited")), "{:?}", of(0));
    let pid = of(1).iter().find_map(|text| text.strip_prefix("omen process.exited ").map(String::from));
    assert!(pid.is_some_and(|pid| pid.ends_with(" 0")), "{:?}", of(1));
    assert_eq!(of(2), ["omen did.line true"]);
    // Each moment is one of the run, and shows what the event says.
    let before = Rc::new(scenario.before(|source| sources.get(source).cloned()));
    let mut work = Work::new(&scenario, &before.arrival());
    list.into_iter().for_each(|action| work.act(action).unwrap());
    let moments = Moments::of(&Rc::new(work), &before);
    let mut seen = 0;
    for event in events {
        let state = moments.state(event.point, None);
        assert_eq!(state.world.now_ms(), event.at_ms, "{event:?}");
        let node = state.world.node(&event.node);
        match (event.kind, node) {
            ("file.wrote", Some(node)) => {
                // Files of which a later change came in the same step were never seen so by a page.
                seen += u32::from(node.files().text(&event.args[0]).is_some());
            }
            ("process.loaded", Some(node)) => {
                assert_eq!(node.containerd().unwrap().pid.to_string(), event.args[0]);
                seen += 1;
            }
            ("process.exited", Some(node)) => assert!(node.containerd().is_none()),
            _ => {}
        }
    }
    assert!(seen > 3 && events.last().unwrap().point == moments.now(), "{seen}");
}

#[test]
fn the_story_follows_undo_and_a_new_start() {
    let (scenario, sources, mut play) = play("delete-the-pod-first");
    let list =
        run(&mut play, "omen", &["echo a > /tmp/a", "echo b > /tmp/b", "systemctl restart containerd"]);
    let first = play.story().to_vec();
    let start = scenario.machines(|source| sources.get(source).cloned());
    let mut work = Work::new(&scenario, &start);
    list.into_iter().for_each(|action| work.act(action).unwrap());
    let mut take = |work: &Work| {
        wait(play.take(&work.save())).unwrap();
        play.story().to_vec()
    };
    assert_eq!(take(&work), first);
    work.undo();
    let shorter: Vec<Event> = first.iter().filter(|event| event.action < Some(2)).cloned().collect();
    assert_eq!(take(&work), shorter);
    work.redo();
    assert_eq!(take(&work), first);
    // Whoever goes on from an earlier moment has the story of that moment.
    work.go_on_from(1, None).unwrap();
    let shortest: Vec<Event> = first.iter().filter(|event| event.action < Some(1)).cloned().collect();
    assert_eq!(take(&work), shortest);
    work.reset();
    let events = take(&work);
    assert_eq!(events.last().map(|event| event.kind), Some("did.reset"));
}

#[test]
fn pods_and_what_the_api_told_are_in_it() {
    let (.., mut play) = play("class-without-runtime");
    run(&mut play, "control", &["kubectl get pods -A", "sleep 300"]);
    let events = play.story().to_vec();
    check_order(&events);
    let failed =
        events.iter().find(|event| event.kind == "pod.warning" && event.args[0] == "FailedCreatePodSandBox");
    let failed = failed.unwrap_or_else(|| panic!("{:?}", told(&events)));
    assert!(failed.args[1].contains("no runtime for"), "{failed:?}");
    // What happens again and again during one action is told once and counted.
    assert!(events.iter().any(|event| event.action == Some(1) && event.count > 3), "{events:?}");
}

#[test]
fn a_saved_run_of_a_toolkit_tells_the_same_story() {
    let (scenario, sources, mut play) = play("class-without-runtime");
    let toolkit = "nvidia-ctk-installer --runtime=containerd --host-root=/ --restart-mode=none \
        --drop-in-config=/etc/containerd/conf.d/50-gpu.toml";
    let list = run(&mut play, "omen", &[toolkit, "sleep 300"]);
    let first = play.story().to_vec();
    assert!(first.iter().any(|event| event.kind == "pod.warning"), "{:?}", told(&first));
    let start = scenario.machines(|source| sources.get(source).cloned());
    let mut work = Work::new(&scenario, &start);
    list.into_iter().for_each(|action| work.act(action).unwrap());
    let node = work.state().node(Some("omen"));
    let file = node.toolkits().first().map(|toolkit| toolkit.options.written_file());
    assert_eq!(file.as_deref(), Some("/etc/containerd/conf.d/50-gpu.toml"));
    let mut again = play.anew();
    wait(again.take(&work.save())).unwrap();
    assert_eq!(again.story(), first);
    // The shell that ran the lines has nothing to run again, and nothing that is gone.
    let retold = play.retold();
    let taken = wait(play.take(&work.save())).unwrap();
    assert_eq!((taken.gone.len(), taken.back.len(), play.retold()), (0, 0, retold));
}
