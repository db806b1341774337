//! One running process as init sees it: its channel, what it printed, and its end.

use super::grants::{Held, Served};
use super::plan::{Plan, Stores, Streams};
use super::{closed, jail};
use crate::boot::CGROUPS;
use crate::channel::{Line, Lines};
use crate::manifest::{INIT, Process};
use crate::sys;
use std::collections::VecDeque;
use std::fmt;
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsRawFd as _, FromRawFd as _, OwnedFd};

/// What is kept of a process's output, to be shown if it dies.
const LAST_WORDS: usize = 4096;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    Exited(i32),
    Killed(i32),
}

impl fmt::Display for Fate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fate::Exited(status) => write!(formatter, "exit {status}"),
            Fate::Killed(signal) => write!(formatter, "signal {signal}"),
        }
    }
}

pub struct Worker {
    pub name: String,
    pub role: String,
    /// None: it never started, or its end was seen.
    pidfd: Option<OwnedFd>,
    channel: Option<OwnedFd>,
    lines: Lines,
    /// Grants that the process does not know of yet. One at a time: the next is sent when the last is acknowledged.
    unsent: VecDeque<Served>,
    output: Option<OwnedFd>,
    printed: VecDeque<u8>,
    /// It said for the first time that it serves, and nobody took note yet.
    says_ready: bool,
    was_ready: bool,
}

/// What init keeps when memory is short: its own code, the grants, and the log.
const KEPT_FOR_INIT: u64 = 8 << 20;

/// Memory, tasks and time are counted for each process, init among them.
pub fn prepare_groups() -> io::Result<()> {
    fs::write(format!("{CGROUPS}/cgroup.subtree_control"), "+memory +pids +cpu")?;
    let own = format!("{CGROUPS}/{INIT}");
    fs::create_dir(&own)?;
    fs::write(format!("{own}/memory.min"), KEPT_FOR_INIT.to_string())?;
    fs::write(format!("{own}/cgroup.procs"), "0")
}

fn make_group(process: &Process, plan: &Plan) -> io::Result<File> {
    let group = format!("{CGROUPS}/{}", process.name);
    fs::create_dir(&group)?;
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

impl Worker {
    pub fn start(process: &Process, stores: &Stores<'_>, held: Vec<Held>, served: Vec<Served>) -> io::Result<Self> {
        let (channel, theirs) = sys::socket_pair()?;
        let (output, printing) = sys::pipe()?;
        let streams = match process.has_terminal() {
            true => Streams { input: console()?, output: console()?, channel: theirs },
            false => Streams { input: File::open("/dev/null")?.into(), output: printing, channel: theirs },
        };
        let plan = Plan::make(process, stores, held, streams)?;
        let group = make_group(process, &plan)?;
        let (report, reporting) = sys::pipe()?;
        let Some((pid, pidfd)) = jail::fork()? else { child(&plan, &group, &reporting) };
        drop((plan, reporting));
        // SAFETY: the kernel gave this descriptor to us alone.
        let pidfd = unsafe { OwnedFd::from_raw_fd(pidfd) };
        started(&report)?;
        closed::is_closed(&fs::read_to_string(format!("/proc/{pid}/status"))?, process.uid).map_err(io::Error::other)?;
        closed::is_apart(pid).map_err(io::Error::other)?;
        sys::never_block(&channel)?;
        sys::never_block(&output)?;
        let mut worker = Self {
            pidfd: Some(pidfd),
            channel: Some(channel),
            unsent: served.into(),
            output: Some(output),
            ..Self::absent(process)
        };
        worker.send_next();
        Ok(worker)
    }

    /// A process that is not started: everyone who holds it sees a closed connection.
    pub fn absent(process: &Process) -> Self {
        Self {
            name: process.name.clone(),
            role: process.role.clone(),
            pidfd: None,
            channel: None,
            lines: Lines::default(),
            unsent: VecDeque::new(),
            output: None,
            printed: VecDeque::new(),
            says_ready: false,
            was_ready: false,
        }
    }

    pub fn is_alive(&self) -> bool {
        self.pidfd.is_some()
    }

    pub fn watched(&self) -> Vec<libc::pollfd> {
        let open = [&self.pidfd, &self.channel, &self.output];
        open.into_iter().flatten().map(|descriptor| sys::watch(descriptor, libc::POLLIN)).collect()
    }

    /// Takes in whatever there is. `Some`: the process has just ended.
    pub fn turn(&mut self) -> Option<Fate> {
        self.take_output();
        self.take_lines();
        let fate = self.pidfd.as_ref().and_then(fate_of)?;
        self.take_output(); // what it printed last
        (self.pidfd, self.channel, self.output) = (None, None, None);
        Some(fate)
    }

    /// Whether nothing is to be waited for: it serves, or never will.
    pub fn is_settled(&self) -> bool {
        self.was_ready || !self.is_alive()
    }

    /// Whether it has just said for the first time that it serves.
    pub fn became_ready(&mut self) -> bool {
        std::mem::take(&mut self.says_ready)
    }

    fn take_output(&mut self) {
        let mut buffer = [0; 1024];
        while let Some(output) = &self.output {
            match sys::read(output, &mut buffer) {
                Ok(0) => self.output = None,
                Ok(size) => {
                    self.printed.extend(&buffer[..size]);
                    let excess = self.printed.len().saturating_sub(LAST_WORDS);
                    self.printed.drain(..excess);
                }
                Err(_) => return,
            }
        }
    }

    fn take_lines(&mut self) {
        let mut buffer = [0; 4096];
        while let Some(channel) = &self.channel {
            match sys::read(channel, &mut buffer) {
                Ok(0) => self.channel = None,
                Ok(size) => {
                    self.lines.feed(&buffer[..size]);
                    self.obey();
                }
                Err(_) => return,
            }
        }
    }

    fn obey(&mut self) {
        loop {
            match self.lines.next() {
                Ok(None) => return,
                Ok(Some(Line::Acknowledged)) => self.send_next(),
                Ok(Some(Line::Ready)) => self.says_ready |= !std::mem::replace(&mut self.was_ready, true),
                Ok(Some(Line::Grant(_) | Line::Other)) => {}
                Err(_) => {
                    self.channel = None; // nothing more is heard from it, and nothing more is given to it
                    return;
                }
            }
        }
    }

    fn send_next(&mut self) {
        if let (Some(served), Some(channel)) = (self.unsent.pop_front(), &self.channel) {
            // A process that is gone cannot be told; its end is seen elsewhere.
            let _ = sys::send_with_descriptor(channel, &served.line.to_bytes(), &served.end);
        }
    }

    /// Closes the channel: Node takes it as the word to end.
    pub fn let_go(&mut self) {
        self.channel = None;
        self.unsent.clear();
    }

    pub fn kill(&self) {
        if let Some(pidfd) = &self.pidfd {
            // SAFETY: a process that is ours and not yet reaped.
            let _ = unsafe {
                sys::call(libc::SYS_pidfd_send_signal, [pidfd.as_raw_fd().into(), libc::SIGKILL.into(), 0, 0, 0])
            };
        }
    }

    /// What the process printed last, in lines that cannot do anything to a screen.
    pub fn last_words(&self) -> Vec<String> {
        let bytes: Vec<u8> = self.printed.iter().copied().collect();
        let lines = bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        lines.map(|line| crate::console::filter::filtered_line(&String::from_utf8_lossy(line))).collect()
    }
}

fn console() -> io::Result<OwnedFd> {
    Ok(File::options().read(true).write(true).open("/dev/console")?.into())
}

fn child(plan: &Plan, group: &File, report: &OwnedFd) -> ! {
    let (step, error) = jail::enter(plan, group.as_raw_fd(), report.as_raw_fd());
    // Before the descriptors are placed the report is where it was, and after that behind the last of them.
    for target in [report.as_raw_fd(), plan.descriptors.len() as i32] {
        let _ = sys::write(&target, format!("{step}: {error}").as_bytes());
    }
    // SAFETY: ends the child at once, without running what belongs to init.
    unsafe { libc::_exit(127) }
}

/// Waits until the child has become its program: then its report is closed without a word.
fn started(report: &OwnedFd) -> io::Result<()> {
    let mut words = [0; 256];
    match sys::read(report, &mut words)? {
        0 => Ok(()),
        size => Err(io::Error::other(String::from_utf8_lossy(&words[..size]).into_owned())),
    }
}

/// None: it still runs.
fn fate_of(pidfd: &OwnedFd) -> Option<Fate> {
    // SAFETY: an all-zero struct, to be filled; si_pid stays 0 if there is nothing to tell.
    unsafe {
        let mut told: libc::siginfo_t = std::mem::zeroed();
        let flags = libc::WEXITED | libc::WNOHANG;
        sys::check(libc::waitid(libc::P_PIDFD, pidfd.as_raw_fd() as libc::id_t, &mut told, flags)).ok()?;
        match (told.si_pid(), told.si_code) {
            (0, _) => None,
            (_, libc::CLD_EXITED) => Some(Fate::Exited(told.si_status())),
            _ => Some(Fate::Killed(told.si_status())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::tests::honest;

    #[test]
    fn last_words_are_bounded_and_harmless() {
        let mut worker = Worker::absent(&honest().processes[0]);
        worker.printed.extend(b"\x1b[2Jred\nblue\n");
        assert_eq!(worker.last_words(), ["‹U+001B›[2Jred", "blue"]);
        let (reading, writing) = sys::pipe().unwrap();
        sys::never_block(&reading).unwrap();
        worker.output = Some(reading);
        sys::write(&writing, &[b'x'; 3 * LAST_WORDS]).unwrap();
        worker.take_output();
        assert_eq!(worker.printed.len(), LAST_WORDS);
    }

    #[test]
    fn grants_are_given_one_at_a_time() {
        let mut worker = Worker::absent(&honest().processes[0]);
        let (ours, theirs) = sys::socket_pair().unwrap();
        sys::never_block(&ours).unwrap();
        worker.channel = Some(ours);
        for badge in [1, 2] {
            let line = crate::channel::GrantLine { badge, interface_id: 5, holder: "gate".into(), name: "x".into() };
            worker.unsent.push_back(Served { line, end: sys::socket_pair().unwrap().0 });
        }
        worker.send_next();
        let mut buffer = [0; 4096];
        let (_, first) = sys::receive_with_descriptors(&theirs, &mut buffer).unwrap();
        assert_eq!((first.len(), worker.unsent.len()), (1, 1));
        sys::write(&theirs, crate::channel::ACKNOWLEDGEMENT).unwrap();
        worker.take_lines();
        let (_, second) = sys::receive_with_descriptors(&theirs, &mut buffer).unwrap();
        assert_eq!((second.len(), worker.unsent.len()), (1, 0));
    }

    #[test]
    fn readiness_is_told_once() {
        let mut worker = Worker::absent(&honest().processes[0]);
        let (ours, theirs) = sys::socket_pair().unwrap();
        sys::never_block(&ours).unwrap();
        worker.channel = Some(ours);
        for expected in [true, false] {
            sys::write(&theirs, crate::channel::READY).unwrap();
            worker.take_lines();
            assert_eq!(worker.became_ready(), expected);
        }
    }

    #[test]
    fn noise_on_the_channel_closes_it() {
        let mut worker = Worker::absent(&honest().processes[0]);
        let (ours, theirs) = sys::socket_pair().unwrap();
        worker.channel = Some(ours);
        sys::write(&theirs, b"noise\n").unwrap();
        worker.take_lines();
        assert!(worker.channel.is_none());
    }
}
