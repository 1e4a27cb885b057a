//! What real containerd 2.0 to 2.3 said about each file of the public TOML tests and of the recorded nodes.

use fourgaps_base::FileId;
use fourgaps_config::schema::{Schema, Type};
use fourgaps_config::toml::v2::{self, Decoded, Rules};
use fourgaps_config::toml::{Table, TomlError};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const VERSIONS: [(&str, Rules); 4] =
    [("2.0.5", Rules::V2_2_3), ("2.1.4", Rules::V2_2_4), ("2.2.5", Rules::V2_2_4), ("2.3.4", Rules::V2_3_0)];

/// The struct that the daemon's file is decoded into; `ONLY` names the versions that have a line.
const CONFIG: &str = "
config.Config
  Version version int
  Root root string
  State state string
  TempDir temp string
  PluginDir plugin_dir string ONLY 2.0.5
  GRPC grpc config.GRPCConfig
  TTRPC ttrpc config.TTRPCConfig
  Debug debug config.Debug
  Metrics metrics config.MetricsConfig
  DisabledPlugins disabled_plugins []string
  RequiredPlugins required_plugins []string
  Plugins plugins map[string]any
  OOMScore oom_score int
  Cgroup cgroup config.CgroupConfig
  ProxyPlugins proxy_plugins map[string]config.ProxyPlugin
  Timeouts timeouts map[string]string
  Imports imports []string
  StreamProcessors stream_processors map[string]config.StreamProcessor
config.StreamProcessor
  Accepts accepts []string
  Returns returns string
  Path path string
  Args args []string
  Env env []string
config.GRPCConfig
  Address address string
  TCPAddress tcp_address string
  TCPTLSCA tcp_tls_ca string
  TCPTLSCert tcp_tls_cert string
  TCPTLSKey tcp_tls_key string
  UID uid int
  GID gid int
  MaxRecvMsgSize max_recv_message_size int
  MaxSendMsgSize max_send_message_size int
  TCPTLSCName tcp_tls_common_name string ONLY 2.2.5 2.3.4
config.TTRPCConfig
  Address address string
  UID uid int
  GID gid int
config.Debug
  Address address string
  UID uid int
  GID gid int
  Level level string
  Format format string
  LogTraceID log_trace_id bool ONLY 2.3.4
config.MetricsConfig
  Address address string
  GRPCHistogram grpc_histogram bool
config.CgroupConfig
  Path path string
config.ProxyPlugin
  Type type string
  Address address string
  Platform platform string
  Exports exports map[string]string
  Capabilities capabilities []string
";

/// Verdicts whose wording holds addresses in the memory of one run; the crash itself is checked.
const ADDRESSES: [&str; 3] = ["valid/key/escapes", "valid/key/quoted-unicode", "valid/key/space"];

fn schema(text: &str, version: &str) -> Schema {
    let mut structs: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut name = "";
    for line in text.lines().filter(|line| !line.is_empty()) {
        let Some(field) = line.strip_prefix("  ") else {
            name = line;
            structs.insert(line.into(), Vec::new());
            continue;
        };
        let (field, only) = field.split_once(" ONLY ").unwrap_or((field, version));
        if only.split(' ').any(|v| v == version) {
            structs.get_mut(name).expect("fields follow a name").push(field.into());
        }
    }
    Schema::from_lines(&structs).expect("the lines are right")
}

/// The folder with the recordings; they lie beside the workspace and are not part of it.
fn shared(name: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    println!("NOTICE: nothing was compared, the folder {} does not exist", folder.display());
    None
}

fn read_toml(path: &Path) -> toml::Table {
    fs::read_to_string(path).expect("a recording is UTF-8").parse().expect("a recording is TOML")
}

fn decode(version: &str, rules: Rules, bytes: &[u8]) -> Result<Decoded, TomlError> {
    let ty = Type::Struct("config.Config".into());
    v2::decode(rules, &schema(CONFIG, version), &ty, FileId(1), bytes, Table::default())
}

/// An error in the words of containerd's process.
fn verdict(error: &TomlError) -> String {
    match error.reported {
        _ if v2::is_crash(error) => error.message.clone(),
        Some(pos) => format!(
            "containerd: failed to unmarshal TOML at row {} column {}: {}",
            pos.line, pos.column, error.message
        ),
        None => format!("containerd: failed to unmarshal TOML: {}", error.message),
    }
}

/// The first line of a text. The recorder cut lines where Python's `splitlines` does.
fn first_line(text: &str) -> &str {
    let ends = ['\n', '\r', '\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}', '\u{2029}'];
    text.split(ends).next().unwrap_or_default()
}

#[test]
fn public_tests_get_the_recorded_verdicts() {
    let Some(folder) = shared("toml-test") else { return };
    for (version, rules) in VERSIONS {
        let verdicts = read_toml(&folder.join(format!("verdicts-{version}.toml")));
        let (mut wrong, mut addresses) = (Vec::new(), 0);
        for (name, said) in &verdicts {
            let said = said.as_str().expect("a verdict is a text");
            let bytes = fs::read(folder.join(format!("{name}.toml"))).expect("each verdict has its file");
            let ours = decode(version, rules, &bytes).map_or_else(|error| verdict(&error), |_| String::new());
            let both_crash = said.starts_with("panic: ") && ours.starts_with("panic: ");
            if both_crash && ADDRESSES.contains(&name.as_str()) {
                addresses += 1;
            } else if first_line(&ours) != first_line(said) {
                wrong.push(format!("{name}\n  real {said:?}\n  ours {ours:?}"));
            }
        }
        let all = verdicts.len();
        println!(
            "{version}: {} of {all} equal, {addresses} crash in other words",
            all - addresses - wrong.len()
        );
        assert!(wrong.is_empty(), "{version}: {} of {all} differ\n{}", wrong.len(), wrong.join("\n"));
    }
}
