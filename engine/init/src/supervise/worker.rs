//! One running process as init sees it: its channel, what it printed, and its end.

use super::grants::{Held, Served};
use super::plan::{Plan, Stores, Streams};
use super::pulse::{Beat, Pulse};
use super::{closed, groups, jail};
use crate::channel::{GrantLine, Line, Lines, PING, STOP};
use crate::manifest::Process;
use crate::sys;
use std::collections::VecDeque;
use std::fmt;
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsRawFd as _, FromRawFd as _, OwnedFd};

/// What is kept of a process's output, to be shown if it dies.
const LAST_WORDS: usize = 4096;
/// Lines of it that are shown: more would push out what else the person is to know.
const MOST_LAST_LINES: usize = 32;
/// Bytes that are taken in at a time, from its output and from its channel: one that writes without end must not keep init from
/// the others. As much as a pipe holds, so that what a dead one printed last is read whole.
const MOST_AT_ONCE: usize = 64 * 1024;

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
    /// Connections that the process does not know of yet. One at a time: the next is sent when the last is acknowledged.
    unsent: VecDeque<Passed>,
    is_acknowledging: bool,
    output: Option<OwnedFd>,
    printed: VecDeque<u8>,
    /// It said for the first time that it serves, and nobody took note yet.
    says_ready: bool,
    was_ready: bool,
    /// How long it may leave a question without an answer; 0: it is not asked.
    answer_within: u64,
    /// From when it serves.
    pulse: Option<Pulse>,
}

/// A connection on its way to the process, with the line beside which it travels.
struct Passed {
    line: Vec<u8>,
    end: OwnedFd,
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
        let group = groups::make(process, &plan)?;
        let (report, reporting) = sys::pipe()?;
        let Some((pid, pidfd)) = jail::fork()? else { child(&plan, &group, &reporting) };
        drop((plan, reporting));
        // SAFETY: the kernel gave this descriptor to us alone.
        let pidfd = unsafe { OwnedFd::from_raw_fd(pidfd) };
        let is_as_planned = started(&report).and_then(|()| in_its_jail(process, pid));
        if let Err(why) = is_as_planned.and_then(|()| sys::never_block(&channel)).and_then(|()| sys::never_block(&output)) {
            // The machine goes on where this was a new start: so nothing of it may.
            kill_and_reap(&pidfd);
            return Err(why);
        }
        let mut worker = Self {
            pidfd: Some(pidfd),
            channel: Some(channel),
            output: Some(output),
            ..Self::absent(process)
        };
        served.into_iter().for_each(|served| worker.serve(served));
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
            is_acknowledging: false,
            output: None,
            printed: VecDeque::new(),
            says_ready: false,
            was_ready: false,
            answer_within: process.answer_within,
            pulse: None,
        }
    }

    /// Hands over a connection on which somebody holds this process.
    pub fn serve(&mut self, Served { line, end }: Served) {
        self.pass(line.to_bytes(), end);
    }

    /// Hands over a new connection to somebody whom this process holds, and who was started again.
    pub fn hold_again(&mut self, line: &GrantLine, end: OwnedFd) {
        self.pass(line.to_holder(), end);
    }

    /// A connection under the same words takes the place of one that was not fetched, whose other side is dead: who fetches
    /// none does not make init keep one for each new start of somebody else.
    fn pass(&mut self, line: Vec<u8>, end: OwnedFd) {
        self.unsent.retain(|passed| passed.line != line);
        self.unsent.push_back(Passed { line, end });
        if !self.is_acknowledging {
            self.send_next();
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
    pub fn turn(&mut self, now: u64) -> Option<Fate> {
        self.take_output();
        self.take_lines(now);
        let fate = self.pidfd.as_ref().and_then(fate_of)?;
        self.take_output(); // what it printed last
        (self.pidfd, self.channel, self.output, self.pulse) = (None, None, None, None);
        self.unsent.clear();
        Some(fate)
    }

    /// When it is to be asked whether it is there, or an answer is overdue.
    pub fn next_beat(&self) -> Option<u64> {
        self.pulse.as_ref().map(Pulse::due)
    }

    /// Asks, if it is time to. Whether the process hangs.
    pub fn hangs(&mut self, now: u64) -> bool {
        let beat = self.pulse.as_mut().map_or(Beat::Quiet, |pulse| pulse.beat(now));
        match beat {
            Beat::Quiet => {}
            Beat::Ask => self.tell(PING),
            Beat::Hangs => self.pulse = None, // said once, however long its end takes
        }
        beat == Beat::Hangs
    }

    /// Says that it is to end by itself.
    pub fn ask_to_stop(&mut self) {
        self.pulse = None;
        self.tell(STOP);
    }

    /// A line that does not fit goes nowhere, and then nothing does: half of one would be read together with the next.
    fn tell(&mut self, line: &[u8]) {
        let Some(channel) = &self.channel else { return };
        if !matches!(sys::write(channel, line), Ok(size) if size == line.len()) {
            self.channel = None;
        }
    }

    /// Whether nothing is to be waited for: it serves, or never will.
    pub fn is_settled(&self) -> bool {
        self.was_ready || !self.is_alive()
    }

    /// Whether it has said that it serves.
    pub fn serves(&self) -> bool {
        self.was_ready
    }

    /// Whether it has just said for the first time that it serves.
    pub fn became_ready(&mut self) -> bool {
        std::mem::take(&mut self.says_ready)
    }

    fn take_output(&mut self) {
        let mut buffer = [0; 1024];
        let mut left = MOST_AT_ONCE;
        while let (1.., Some(output)) = (left, &self.output) {
            match sys::read(output, &mut buffer) {
                Ok(0) => self.output = None,
                Ok(size) => {
                    left = left.saturating_sub(size);
                    self.printed.extend(&buffer[..size]);
                    let excess = self.printed.len().saturating_sub(LAST_WORDS);
                    self.printed.drain(..excess);
                }
                Err(_) => return,
            }
        }
    }

    fn take_lines(&mut self, now: u64) {
        let mut buffer = [0; 4096];
        let mut left = MOST_AT_ONCE;
        while let (1.., Some(channel)) = (left, &self.channel) {
            match sys::read(channel, &mut buffer) {
                Ok(0) => self.channel = None,
                Ok(size) => {
                    left = left.saturating_sub(size);
                    self.lines.feed(&buffer[..size]);
                    self.obey(now);
                }
                Err(_) => return,
            }
        }
    }

    fn obey(&mut self, now: u64) {
        loop {
            match self.lines.next() {
                Ok(None) => return,
                Ok(Some(Line::Acknowledged)) => self.send_next(),
                Ok(Some(Line::Ready)) if !self.was_ready => {
                    (self.was_ready, self.says_ready) = (true, true);
                    self.pulse = Pulse::begin(self.answer_within, now);
                }
                Ok(Some(Line::Pong)) => self.pulse.iter_mut().for_each(|pulse| pulse.answered(now)),
                Ok(Some(Line::Ready | Line::Ping | Line::Stop | Line::Grant(_) | Line::Other)) => {}
                Err(_) => {
                    self.channel = None; // nothing more is heard from it, and nothing more is given to it
                    return;
                }
            }
        }
    }

    fn send_next(&mut self) {
        self.is_acknowledging = false;
        if let (Some(passed), Some(channel)) = (self.unsent.pop_front(), &self.channel) {
            // A process that is gone cannot be told; its end is seen elsewhere.
            let _ = sys::send_with_descriptor(channel, &passed.line, &passed.end);
            self.is_acknowledging = true;
        }
    }

    pub fn kill(&self) {
        self.pidfd.iter().for_each(send_kill);
    }

    /// What the process printed last, in lines that cannot do anything to a screen.
    pub fn last_words(&self) -> Vec<String> {
        let bytes: Vec<u8> = self.printed.iter().copied().collect();
        let lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).collect();
        let last = &lines[lines.len().saturating_sub(MOST_LAST_LINES)..];
        last.iter().map(|line| crate::console::filter::filtered_line(&String::from_utf8_lossy(line))).collect()
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

fn in_its_jail(process: &Process, pid: libc::pid_t) -> io::Result<()> {
    closed::is_closed(&fs::read_to_string(format!("/proc/{pid}/status"))?, process.uid).map_err(io::Error::other)?;
    closed::is_apart(pid).map_err(io::Error::other)
}

fn send_kill(pidfd: &OwnedFd) {
    // SAFETY: a process that is ours and not yet reaped.
    let _ = unsafe { sys::call(libc::SYS_pidfd_send_signal, [pidfd.as_raw_fd().into(), libc::SIGKILL.into(), 0, 0, 0]) };
}

/// Returns when nothing of the process is left, its control group included.
fn kill_and_reap(pidfd: &OwnedFd) {
    send_kill(pidfd);
    let _ = fate_told(pidfd, libc::WEXITED);
}

/// None: it still runs.
fn fate_of(pidfd: &OwnedFd) -> Option<Fate> {
    fate_told(pidfd, libc::WEXITED | libc::WNOHANG)
}

fn fate_told(pidfd: &OwnedFd, flags: libc::c_int) -> Option<Fate> {
    // SAFETY: an all-zero struct, to be filled; si_pid stays 0 if there is nothing to tell.
    unsafe {
        let mut told: libc::siginfo_t = std::mem::zeroed();
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
        worker.printed = b"x\n".repeat(LAST_WORDS / 2).into();
        assert_eq!(worker.last_words().len(), MOST_LAST_LINES);
    }

    #[test]
    fn who_writes_without_end_is_heard_a_piece_at_a_time() {
        let mut worker = Worker::absent(&honest().processes[0]);
        let (reading, printing) = sys::pipe().unwrap();
        // SAFETY: the size of a pipe of ours.
        sys::check(unsafe { libc::fcntl(printing.as_raw_fd(), libc::F_SETPIPE_SZ, 4 * MOST_AT_ONCE) }).unwrap();
        sys::write(&printing, &vec![b'x'; 3 * MOST_AT_ONCE]).unwrap();
        let (ours, theirs) = sys::socket_pair().unwrap();
        for end in [&reading, &ours, &theirs] {
            sys::never_block(end).unwrap();
        }
        let said = sys::write(&theirs, &crate::channel::PONG.repeat(8192)).unwrap();
        assert!(said > MOST_AT_ONCE + 4096, "{said}");
        (worker.output, worker.channel) = (Some(reading), Some(ours));
        worker.take_output();
        worker.take_lines(0);
        let rest = |end: &Option<OwnedFd>| sys::read(end.as_ref().unwrap(), &mut [0; 8]).unwrap();
        assert_eq!((rest(&worker.output), rest(&worker.channel)), (8, 8));
    }

    #[test]
    fn who_fetches_no_connection_makes_init_keep_one_of_each() {
        let mut worker = Worker::absent(&honest().processes[0]);
        let (ours, _theirs) = sys::socket_pair().unwrap();
        sys::never_block(&ours).unwrap();
        worker.channel = Some(ours);
        for start in 0..50 {
            let name = if start % 2 == 0 { "model" } else { "notes" };
            let line = crate::channel::GrantLine { badge: 3, interface_id: 5, holder: "gate".into(), name: name.into() };
            worker.hold_again(&line, sys::socket_pair().unwrap().0);
        }
        assert_eq!(worker.unsent.len(), 2);
    }

    #[test]
    fn who_is_not_in_its_jail_is_gone_before_it_is_said() {
        let mut child = std::process::Command::new("sleep").arg("1000").spawn().unwrap();
        // SAFETY: plain numbers; the new descriptor is ours alone.
        let pidfd = unsafe {
            let opened = sys::call(libc::SYS_pidfd_open, [child.id().into(), 0, 0, 0, 0]).unwrap();
            OwnedFd::from_raw_fd(opened as i32)
        };
        assert_eq!(fate_of(&pidfd), None);
        kill_and_reap(&pidfd);
        assert!(child.try_wait().is_err(), "somebody has to reap it yet");
    }

    #[test]
    fn grants_are_given_one_at_a_time() {
        let mut worker = Worker::absent(&honest().processes[0]);
        let (ours, theirs) = sys::socket_pair().unwrap();
        sys::never_block(&ours).unwrap();
        worker.channel = Some(ours);
        for badge in [1, 2] {
            let line = crate::channel::GrantLine { badge, interface_id: 5, holder: "gate".into(), name: "x".into() };
            worker.serve(Served { line, end: sys::socket_pair().unwrap().0 });
        }
        let mut buffer = [0; 4096];
        let (_, first) = sys::receive_with_descriptors(&theirs, &mut buffer).unwrap();
        assert_eq!((first.len(), worker.unsent.len()), (1, 1));
        sys::write(&theirs, crate::channel::ACKNOWLEDGEMENT).unwrap();
        worker.take_lines(0);
        let (_, second) = sys::receive_with_descriptors(&theirs, &mut buffer).unwrap();
        assert_eq!((second.len(), worker.unsent.len()), (1, 0));
        sys::write(&theirs, crate::channel::ACKNOWLEDGEMENT).unwrap();
        worker.take_lines(0);
        let line = crate::channel::GrantLine { badge: 3, interface_id: 0xf00d, holder: "gate".into(), name: "x".into() };
        worker.hold_again(&line, sys::socket_pair().unwrap().0);
        let (size, third) = sys::receive_with_descriptors(&theirs, &mut buffer).unwrap();
        assert_eq!(third.len(), 1);
        let told: serde_json::Value = serde_json::from_slice(&buffer[..size]).unwrap();
        assert_eq!(told["msg"], serde_json::json!({ "capos": "grant-again", "interfaceId": "f00d", "name": "x" }));
    }

    fn serving(answer_within: u64) -> (Worker, OwnedFd) {
        let mut worker = Worker { answer_within, ..Worker::absent(&honest().processes[0]) };
        let (ours, theirs) = sys::socket_pair().unwrap();
        sys::never_block(&ours).unwrap();
        sys::never_block(&theirs).unwrap();
        worker.channel = Some(ours);
        sys::write(&theirs, crate::channel::READY).unwrap();
        worker.take_lines(0);
        (worker, theirs)
    }

    #[test]
    fn who_serves_is_asked_and_who_says_nothing_hangs() {
        let (mut worker, theirs) = serving(30);
        let mut buffer = [0; 64];
        assert!(!worker.hangs(29) && sys::read(&theirs, &mut buffer).is_err());
        assert!(!worker.hangs(30));
        let size = sys::read(&theirs, &mut buffer).unwrap();
        assert_eq!(&buffer[..size], PING);
        sys::write(&theirs, crate::channel::PONG).unwrap();
        worker.take_lines(31);
        assert_eq!([60, 61, 91, 121].map(|now| worker.hangs(now)), [false, false, false, true]);
        assert_eq!(worker.next_beat(), None, "it is killed once");
        let (silent, _) = serving(0);
        assert_eq!(silent.next_beat(), None);
    }

    #[test]
    fn who_does_not_read_its_channel_is_told_nothing_more() {
        let (mut worker, _theirs) = serving(1);
        while worker.channel.is_some() {
            worker.tell(PING);
        }
        assert_eq!([1, 2, 3].map(|now| worker.hangs(now)), [false, false, true]);
    }

    #[test]
    fn readiness_is_told_once() {
        let mut worker = Worker::absent(&honest().processes[0]);
        let (ours, theirs) = sys::socket_pair().unwrap();
        sys::never_block(&ours).unwrap();
        worker.channel = Some(ours);
        for expected in [true, false] {
            sys::write(&theirs, crate::channel::READY).unwrap();
            worker.take_lines(0);
            assert_eq!(worker.became_ready(), expected);
        }
    }

    #[test]
    fn noise_on_the_channel_closes_it() {
        let mut worker = Worker::absent(&honest().processes[0]);
        let (ours, theirs) = sys::socket_pair().unwrap();
        worker.channel = Some(ours);
        sys::write(&theirs, b"noise\n").unwrap();
        worker.take_lines(0);
        assert!(worker.channel.is_none());
    }
}
