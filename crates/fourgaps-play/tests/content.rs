//! The content that is shipped passes the gate.

#[path = "../../fourgaps-lab/tests/shared/mod.rs"]
mod shared;

use shared::content;

#[test]
fn the_content_passes_the_gate() {
    let report = fourgaps_play::check(&content());
    let faults: Vec<String> = report.faults.iter().map(ToString::to_string).collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
    assert!(!report.scenarios.is_empty());
    for scenario in &report.scenarios {
        println!("{scenario:?}");
    }
}

#[test]
fn two_checks_say_the_same() {
    let files = content();
    assert_eq!(fourgaps_play::check(&files), fourgaps_play::check(&files));
}
