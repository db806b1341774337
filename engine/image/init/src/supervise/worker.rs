//! Manages one running process for init: its channel, its output, and its end.

mod channel;
mod output;
mod piece;
mod running;
mod start;

pub use running::Fate;

use super::grants::{Held, Served};
use super::plan::{Plan, Stores};
use super::pulse::{Beat, Pulse};
use crate::channel::{GrantLine, Line, PING, STOP};
use crate::manifest::Process;
use crate::sys;
use channel::Channel;
use output::Output;
use running::Running;
use start::{Started, start};
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;

pub struct Worker {
    /// `None` if the process never started, or its end was noticed.
    running: Option<Running>,
    channel: Channel,
    output: Output,
    /// Whether the process has reported for the first time that it serves, and the supervisor has not read this yet.
    says_ready: bool,
    was_ready: bool,
    /// Time limit for an answer to a ping; 0 if the process gets no pings.
    answer_within: u64,
    /// Pings to the process, after it has reported that it serves.
    pulse: Option<Pulse>,
}

impl Worker {
    /// Returns the worker of a process that was not started: connections that are passed to it are closed at once.
    pub fn absent(process: &Process) -> Self {
        Self {
            running: None,
            channel: Channel::default(),
            output: Output::default(),
            says_ready: false,
            was_ready: false,
            answer_within: process.answer_within,
            pulse: None,
        }
    }

    /// Starts the process. `group` makes its control group and returns an open file, to which the process writes to join the group.
    pub fn start(
        group: impl FnOnce(&Process, &Plan) -> io::Result<File>,
        process: &Process,
        stores: &Stores<'_>,
        held: Vec<Held>,
        served: Vec<Served>,
    ) -> io::Result<Self> {
        let Started { running, channel, output } = start(group, process, stores, held)?;
        let mut worker = Self { running: Some(running), channel, output, ..Self::absent(process) };
        served.into_iter().for_each(|served| worker.serve(served));
        Ok(worker)
    }

    /// Passes a connection that this process must serve for another process.
    pub fn serve(&mut self, served: Served) {
        self.channel.serve(served);
    }

    /// Gives this process a new connection to a process that it uses, which was restarted.
    pub fn hold_again(&mut self, line: &GrantLine, end: OwnedFd) {
        self.channel.hold_again(line, end);
    }

    pub fn is_alive(&self) -> bool {
        self.running.is_some()
    }

    /// Returns the pidfd of the process, or `None` if the process does not run.
    pub fn descriptor(&self) -> Option<&OwnedFd> {
        self.running.as_ref().map(Running::descriptor)
    }

    pub fn watched(&self) -> Vec<libc::pollfd> {
        let open = [self.descriptor(), self.channel.descriptor(), self.output.descriptor()];
        open.into_iter().flatten().map(|descriptor| sys::watch(descriptor, libc::POLLIN)).collect()
    }

    /// Receives the output and the messages that the process has sent so far. Returns how it ended, if it has just ended.
    pub fn turn(&mut self, now: u64) -> Option<Fate> {
        self.output.take();
        self.hear(now);
        let fate = self.running.as_ref().and_then(Running::fate)?;
        self.output.take(); // its last output
        self.output.close();
        (self.running, self.channel, self.pulse) = (None, Channel::default(), None);
        Some(fate)
    }

    fn hear(&mut self, now: u64) {
        self.channel.hear(|line| match line {
            Line::Ready if !self.was_ready => {
                (self.was_ready, self.says_ready) = (true, true);
                self.pulse = Pulse::begin(self.answer_within, now);
            }
            Line::Pong => self.pulse.iter_mut().for_each(|pulse| pulse.answered(now)),
            Line::Ready | Line::Ping | Line::Stop | Line::Acknowledged | Line::Grant(_) | Line::Other => {}
        });
    }

    /// Returns when the next ping is due, or when a missing answer is overdue; `None` if no pings are sent.
    pub fn next_beat(&self) -> Option<u64> {
        self.pulse.as_ref().map(Pulse::due)
    }

    /// Sends a ping if it is due. Returns whether the process hangs.
    pub fn hangs(&mut self, now: u64) -> bool {
        let beat = self.pulse.as_mut().map_or(Beat::Quiet, |pulse| pulse.beat(now));
        match beat {
            Beat::Quiet => {}
            Beat::Ask => self.channel.tell(PING),
            Beat::Hangs => self.pulse = None, // reported once, however long its end takes
        }
        beat == Beat::Hangs
    }

    /// Requests that the process ends by itself. Kills a process that is still starting: it has nothing to finish, and would react too late.
    pub fn ask_to_stop(&mut self) {
        self.pulse = None;
        if self.was_ready {
            self.channel.tell(STOP);
        } else {
            self.kill();
        }
    }

    /// Returns whether no other start needs to wait for this process: it serves, or it never will.
    pub fn is_settled(&self) -> bool {
        self.was_ready || !self.is_alive()
    }

    /// Returns whether the process has reported that it serves.
    pub fn serves(&self) -> bool {
        self.was_ready
    }

    /// Returns whether the process has just reported for the first time that it serves.
    pub fn became_ready(&mut self) -> bool {
        std::mem::take(&mut self.says_ready)
    }

    pub fn kill(&self) {
        self.running.iter().for_each(Running::kill);
    }

    /// Returns the last lines that the process printed, made safe for a screen.
    pub fn last_words(&self) -> Vec<String> {
        self.output.last_words()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channel::{PONG, READY};
    use crate::manifest::tests::honest;
    use channel::tests::channel;
    use piece::MOST_AT_ONCE;
    use std::os::fd::{AsRawFd as _, FromRawFd as _};

    /// Returns a worker that is not started and has a channel, and the process's end of it.
    fn connected(answer_within: u64) -> (Worker, OwnedFd) {
        let (channel, theirs) = channel();
        (Worker { channel, answer_within, ..Worker::absent(&honest().processes[0]) }, theirs)
    }

    fn serving(answer_within: u64) -> (Worker, OwnedFd) {
        let (mut worker, theirs) = connected(answer_within);
        sys::never_block(&theirs).unwrap();
        sys::write(&theirs, READY).unwrap();
        worker.turn(0);
        (worker, theirs)
    }

    #[test]
    fn output_of_an_endless_writer_is_read_one_piece_at_a_time() {
        let (mut worker, theirs) = connected(0);
        let (reading, printing) = sys::pipe().unwrap();
        // SAFETY: the descriptor is our own pipe, and the call only sets its size.
        sys::check(unsafe { libc::fcntl(printing.as_raw_fd(), libc::F_SETPIPE_SZ, 4 * MOST_AT_ONCE) }).unwrap();
        sys::write(&printing, &vec![b'x'; 3 * MOST_AT_ONCE]).unwrap();
        worker.output = Output::of(reading).unwrap();
        sys::never_block(&theirs).unwrap();
        let said = sys::write(&theirs, &PONG.repeat(8192)).unwrap();
        assert!(said > MOST_AT_ONCE + 4096, "{said}");
        worker.turn(0);
        let rest = |end: Option<&OwnedFd>| sys::read(end.unwrap(), &mut [0; 8]).unwrap();
        assert_eq!((rest(worker.output.descriptor()), rest(worker.channel.descriptor())), (8, 8));
    }

    #[test]
    fn a_serving_process_gets_pings_and_hangs_if_it_does_not_answer_them() {
        let (mut worker, theirs) = serving(30);
        let mut buffer = [0; 64];
        assert!(!worker.hangs(29) && sys::read(&theirs, &mut buffer).is_err());
        assert!(!worker.hangs(30));
        let size = sys::read(&theirs, &mut buffer).unwrap();
        assert_eq!(&buffer[..size], PING);
        sys::write(&theirs, PONG).unwrap();
        worker.turn(31);
        assert_eq!([60, 61, 91, 121].map(|now| worker.hangs(now)), [false, false, false, true]);
        assert_eq!(worker.next_beat(), None, "it is killed once");
        let (silent, _) = serving(0);
        assert_eq!(silent.next_beat(), None);
    }

    #[test]
    fn a_process_that_must_end_gets_a_request_to_end_and_no_more_pings() {
        let (mut worker, theirs) = serving(30);
        worker.ask_to_stop();
        let mut buffer = [0; 64];
        let size = sys::read(&theirs, &mut buffer).unwrap();
        assert_eq!((&buffer[..size], worker.next_beat()), (STOP, None));
    }

    /// Starts a program that ends when its input ends.
    fn runs(worker: &mut Worker) -> std::process::Child {
        let child = std::process::Command::new("cat").stdin(std::process::Stdio::piped()).spawn().unwrap();
        // SAFETY: all arguments are numbers; nothing else owns the new descriptor.
        worker.running = Some(Running::of(unsafe {
            let opened = sys::call(libc::SYS_pidfd_open, [child.id().into(), 0, 0, 0, 0]).unwrap();
            OwnedFd::from_raw_fd(opened as i32)
        }));
        child
    }

    #[test]
    fn a_process_that_is_still_starting_at_the_end_is_killed_without_a_request() {
        let (mut worker, theirs) = connected(0);
        sys::never_block(&theirs).unwrap();
        let mut child = runs(&mut worker);
        worker.ask_to_stop();
        // For a process that a signal ended, the kernel reports no exit status.
        assert_eq!(child.wait().unwrap().code(), None);
        assert!(sys::read(&theirs, &mut [0; 64]).is_err(), "nothing was said");
    }

    #[test]
    fn connections_that_a_dead_process_did_not_fetch_are_closed() {
        let (mut worker, theirs) = serving(0);
        let mut child = runs(&mut worker);
        let (kept, others): (Vec<_>, Vec<_>) = (1..=2).map(|_| sys::socket_pair().unwrap()).unzip();
        for (badge, end) in (1..).zip(kept) {
            let line = GrantLine { badge, interface_id: 5, holder: "gate".into(), name: "x".into() };
            worker.serve(Served { line, end });
        }
        assert_eq!(worker.turn(0), None);
        sys::never_block(&others[1]).unwrap();
        drop((child.stdin.take(), theirs));
        let mut ended = sys::watch(worker.running.as_ref().unwrap().descriptor(), libc::POLLIN);
        // SAFETY: one pollfd, and a wait without a timeout.
        assert_eq!(unsafe { libc::poll(&raw mut ended, 1, -1) }, 1);
        assert_eq!(worker.turn(0), Some(Fate::Exited(0)));
        assert_eq!(sys::read(&others[1], &mut [0; 1]).unwrap(), 0, "nobody keeps the other end");
        assert!(child.wait().is_err(), "its end was taken from the kernel");
    }

    #[test]
    fn a_process_that_does_not_read_its_channel_gets_no_more_messages() {
        let (mut worker, _theirs) = serving(1);
        while worker.channel.descriptor().is_some() {
            worker.channel.tell(PING);
        }
        assert_eq!([1, 2, 3].map(|now| worker.hangs(now)), [false, false, true]);
    }

    #[test]
    fn a_worker_reports_once_that_its_process_serves() {
        let (mut worker, theirs) = connected(0);
        for expected in [true, false] {
            sys::write(&theirs, READY).unwrap();
            worker.turn(0);
            assert_eq!(worker.became_ready(), expected);
        }
    }
}
