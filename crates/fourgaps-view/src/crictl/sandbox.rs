//! Making, stopping and removing sandboxes, and asking for their metrics.

use crate::{Asked, Printed, Stamp};
use fourgaps_config::daemon::SandboxAnswer;
use fourgaps_config::toml::go_quoted;

/// `crictl runp`: `id` is that of the new sandbox, `handler` the one of `-r`.
///
/// The configuration of a sandbox may leave `linux.cgroup_parent` out, which draws a warning.
/// Nothing where the answer depends on something outside of the node.
pub fn runp(asked: &Asked<'_>, handler: Option<&str>, id: &str, cgroup_parent: bool) -> Option<Printed> {
    let run = match asked.cri() {
        Ok(run) => run,
        Err(silent) => return Some(silent),
    };
    match run.sandbox(handler.filter(|name| !name.is_empty())) {
        SandboxAnswer::Created { .. } => Some(ran(&asked.stamp, Ok(id), cgroup_parent)),
        SandboxAnswer::Refused(why) => Some(ran(&asked.stamp, Err(&why.replace("<id>", id)), cgroup_parent)),
        SandboxAnswer::NotSimulated(_) => None,
    }
}

/// The same, given the answer: the id of the sandbox, or why there is none.
pub fn ran(stamp: &Stamp, answer: Result<&str, &str>, cgroup_parent: bool) -> Printed {
    let warning = "level=warning msg=\"cgroup_parent is not set. Use `runtime-config` to get the runtime cgroup driver\"";
    let warning = if cgroup_parent { String::new() } else { stamp.log(warning) };
    match answer {
        Ok(id) => Printed { stdout: format!("{id}\n"), stderr: warning, exit: 0 },
        Err(why) => {
            let inner = why.strip_prefix("run pod sandbox: ").unwrap_or(why);
            let words = "RunPodSandbox from runtime service failed";
            let failed = Printed::failed_call(stamp, words, inner, "", why);
            Printed { stderr: warning + &failed.stderr, ..failed }
        }
    }
}

/// `crictl stopp` of a sandbox that is there.
pub fn stopp(asked: &Asked<'_>, id: &str) -> Printed {
    asked.cri().map_or_else(|silent| silent, |_| Printed::ok(format!("Stopped sandbox {id}\n")))
}

/// `crictl rmp` of a sandbox that was stopped.
pub fn rmp(asked: &Asked<'_>, id: &str) -> Printed {
    asked.cri().map_or_else(|silent| silent, |_| Printed::ok(format!("Removed sandbox {id}\n")))
}

/// `crictl rmp` of a sandbox that runs.
pub fn rmp_running(asked: &Asked<'_>, id: &str) -> Printed {
    let why = format!("pod sandbox {} is running, please stop it first", go_quoted(id));
    asked.cri().map_or_else(|silent| silent, |_| Printed::fail(1, &why))
}

/// `crictl rmp` of a sandbox that is not there.
pub fn rmp_unknown(asked: &Asked<'_>, id: &str) -> Printed {
    let why = format!(
        "getting sandbox status of pod {}: rpc error: code = NotFound desc = \
         an error occurred when try to find sandbox: not found",
        go_quoted(id)
    );
    asked.cri().map_or_else(|silent| silent, |_| Printed::fail(1, &why))
}

/// `crictl statsp`, given the running sandboxes that were made without a parent for their control groups.
///
/// Nothing where there is no such sandbox: no recording shows metrics.
pub fn statsp(asked: &Asked<'_>, ids: &[&str]) -> Option<Printed> {
    if let Err(silent) = asked.cri() {
        return Some(silent);
    }
    let texts = &asked.tools.sandbox;
    let told = if texts.one_failure { 1 } else { ids.len() };
    let failures: Vec<String> =
        ids.iter().take(told).map(|id| texts.no_metrics.replace("{id}", id)).collect();
    if failures.is_empty() {
        return None;
    }
    let why = format!("rpc error: code = Unknown desc = {}", failures.join("\n"));
    let words = "ListPodSandboxStats with filter from runtime service failed";
    let last = format!("get pod stats: list pod sandbox stats: {why}");
    Some(Printed::failed_call(&asked.stamp, words, &why, " filter=\"\"", &last))
}
