//! A version is data: one that nobody has released loads from its three texts alone.

use fourgaps_base::FileTree;
use fourgaps_config::{Request, Version, dump};

/// Small as it is, it mixes rules that no released version has together: the first generation's TOML, deep merge.
const RULES: &str = r#"
dialect = "first"
merge = "deep"
imports_in_dump = "as-written"
missing_file = "refused"
plugin_migrations = "never"
config_version = { when_missing = 7, newest = 7, printed = 7 }
checks = { too_new = "no version above {newest}, and you said {says}", listed_names = { parts = 2 } }
proxy_types = {}
cri = { section = "io.example.cri", runtimes = ["runtimes"], default_runtime = ["default"] }
"#;

const SCHEMA: &str = r#"
root = "x.Config"
types."x.Config" = ["Version version int", "Imports imports []string", "Plugins plugins map[string]toml.Tree", "Timeouts timeouts map[string]string"]
types."x.CRI" = ["Default default string", "Runtimes runtimes map[string]x.Runtime"]
types."x.Runtime" = ["Type runtime_type string"]
plugins = [{ uri = "io.example.cri", type = "x.CRI" }]
"#;

const DEFAULTS: &str = r#"
[plugins."io.example.cri"]
default = "runc"
"#;

#[test]
fn an_invented_version_loads_from_data_alone() {
    let version = Version::from_texts("2.9.0", RULES, SCHEMA, DEFAULTS).unwrap();
    let mut files = FileTree::new();
    files.write(
        "/c.toml",
        "imports = ['/d/*.toml']\n[plugins.'io.example.cri'.runtimes.runc]\nruntime_type = 'a'\n",
    );
    files.write("/d/1.toml", "[plugins.'io.example.cri'.runtimes.nvidia]\nruntime_type = 'b'\n");
    let run = dump(&Request::new(&version, &files, "/c.toml"));
    let names: Vec<&str> = run.handlers.iter().map(|h| h.name.as_str()).collect();
    assert_eq!(names, ["nvidia", "runc"], "{:?}", run.stderr);
    assert!(run.handlers[1].is_default);
    assert!(run.lines.iter().any(|line| line.text == "version = 7"));
    files.write("/c.toml", "version = 8\n");
    let run = dump(&Request::new(&version, &files, "/c.toml"));
    assert_eq!(
        run.stderr.last().unwrap(),
        "containerd: failed to load TOML from /c.toml: no version above 7, and you said 8"
    );
}

#[test]
fn a_fault_in_the_data_is_named() {
    let fault = |rules: &str, schema: &str, defaults: &str| {
        Version::from_texts("2.9.0", rules, schema, defaults).unwrap_err()
    };
    assert!(fault("dialect = 'third'", SCHEMA, DEFAULTS).starts_with("2.9.0/version.toml: "));
    let defaults = "[plugins.'io.example.cri']\ncolour = 'red'\n";
    assert_eq!(fault(RULES, SCHEMA, defaults), "2.9.0/defaults.toml: io.example.cri: x.CRI has no colour");
}
