//! Starts a process with its streams, its control group and its jail. The process runs in that jail, or does not run at all.

use super::channel::Channel;
use super::output::Output;
use super::running::Running;
use crate::manifest::Process;
use crate::supervise::grants::Held;
use crate::supervise::plan::{Plan, Stores, Streams};
use crate::supervise::{closed, jail};
use crate::sys;
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsRawFd as _, FromRawFd as _, OwnedFd};

/// A process that was just started, and its connections with init.
pub struct Started {
    pub running: Running,
    pub channel: Channel,
    pub output: Output,
}

/// Starts a process. `group` makes its control group; the process joins by a write to the returned file. After a failure, nothing runs.
pub fn start(
    group: impl FnOnce(&Process, &Plan) -> io::Result<File>,
    process: &Process,
    stores: &Stores<'_>,
    held: Vec<Held>,
) -> io::Result<Started> {
    let (channel, theirs) = sys::socket_pair()?;
    let (output, printing) = sys::pipe()?;
    let (channel, output) = (Channel::of(channel)?, Output::of(output)?);
    let streams = match process.has_terminal() {
        true => {
            let (input, output) = (console()?, console()?);
            Streams { is_screen: sys::is_screen(&input), input, output, channel: theirs }
        }
        false => Streams { input: File::open("/dev/null")?.into(), output: printing, is_screen: false, channel: theirs },
    };
    let plan = Plan::make(process, stores, held, streams)?;
    let group = group(process, &plan)?;
    let (report, reporting) = sys::pipe()?;
    let Some((pid, pidfd)) = jail::fork(plan.card.is_some())? else { child(&plan, &group, &reporting) };
    let oom_score = plan.oom_score;
    drop((plan, reporting));
    // SAFETY: the kernel gave this descriptor to this process only.
    let running = Running::of(unsafe { OwnedFd::from_raw_fd(pidfd) });
    if let Err(why) = await_program(&report).and_then(|()| in_its_jail(process, oom_score, pid)) {
        // After a failed restart the machine continues, so no part of the process may remain.
        running.kill_and_reap();
        return Err(why);
    }
    Ok(Started { running, channel, output })
}

fn console() -> io::Result<OwnedFd> {
    Ok(File::options().read(true).write(true).open("/dev/console")?.into())
}

fn child(plan: &Plan, group: &File, report: &OwnedFd) -> ! {
    let (step, error) = jail::enter(plan, group.as_raw_fd(), report.as_raw_fd());
    // Before the descriptors are moved, `report` has its old number. Afterwards, it has the number after the last moved descriptor.
    for target in [report.as_raw_fd(), plan.descriptors.len() as i32] {
        let _ = sys::write(&target, format!("{step}: {error}").as_bytes());
    }
    // SAFETY: ends the child at once, without running exit handlers of init.
    unsafe { libc::_exit(127) }
}

/// Waits until the child runs its program: then the kernel closes `report`, to which the child has written nothing.
fn await_program(report: &OwnedFd) -> io::Result<()> {
    let mut words = [0; 256];
    match sys::read(report, &mut words)? {
        0 => Ok(()),
        size => Err(io::Error::other(String::from_utf8_lossy(&words[..size]).into_owned())),
    }
}

fn in_its_jail(process: &Process, oom_score: i64, pid: libc::pid_t) -> io::Result<()> {
    closed::is_closed(&fs::read_to_string(format!("/proc/{pid}/status"))?, process.uid).map_err(io::Error::other)?;
    closed::is_ranked(pid, oom_score).map_err(io::Error::other)?;
    closed::is_apart(pid).map_err(io::Error::other)
}
