//! Counts memory, tasks and time of each process, including init, with a separate control group for each.

use super::plan::Plan;
use crate::boot::places::{CGROUPS, DEVICES};
use crate::jail::{NEVER_CHOSEN, OOM_SCORE};
use crate::manifest::{INIT, Process};
use std::fs::{self, File};
use std::io;

/// Bytes that init retains when memory is short: for its own code, the grants, and the log.
const KEPT_FOR_INIT: u64 = 8 << 20;

/// Gives init the lowest permitted `oom_score_adj`, so that the kernel does not kill it when memory is exhausted.
pub fn keep_init(least_score: i64) -> io::Result<()> {
    fs::write(OOM_SCORE, NEVER_CHOSEN.max(least_score).to_string())
}

/// Enables counting before the first process starts, and makes init's own group.
pub fn prepare() -> io::Result<()> {
    fs::write(format!("{CGROUPS}/cgroup.subtree_control"), "+memory +pids +cpu")?;
    let own = format!("{CGROUPS}/{INIT}");
    fs::create_dir(&own)?;
    fs::write(format!("{own}/memory.min"), KEPT_FOR_INIT.to_string())?;
    fs::write(format!("{own}/cgroup.procs"), "0")
}

/// Replaces `make` on a host without control groups: returns a file to which a write has no effect.
pub fn none(_: &Process, _: &Plan) -> io::Result<File> {
    File::options().write(true).open(format!("{DEVICES}/null"))
}

/// Returns the file with which the process joins its group.
pub fn make(process: &Process, plan: &Plan) -> io::Result<File> {
    let group = format!("{CGROUPS}/{}", process.name);
    // A control group of an earlier start is empty. It is made anew, because its counts do not apply to the new process.
    match fs::remove_dir(&group) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => fs::create_dir(&group)?,
    }
    let set = |name: &str, value: String| fs::write(format!("{group}/{name}"), value);
    set("pids.max", plan.jail.tasks.to_string())?;
    set("memory.oom.group", "1".into())?;
    set("memory.swap.max", "0".into())?;
    set("memory.min", plan.jail.memory_kept.to_string())?;
    set("cpu.weight", plan.jail.cpu_weight.to_string())?;
    if process.memory_max > 0 {
        set("memory.max", process.memory_max.to_string())?;
    }
    File::options().write(true).open(format!("{group}/cgroup.procs"))
}
