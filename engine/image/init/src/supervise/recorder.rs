//! Records events of init (deaths, restarts and given-up processes) in the audit, which also has the actions of people and models. No other
//! part of init depends on these records, and only the end of the machine waits for them.

use super::grants::Served;
use crate::channel::GrantLine;
use crate::frame::{self, Kind, body_of};
use crate::manifest::{INIT, INIT_BADGE};
use crate::peer::Peer;
use crate::sys;
use crate::wire_capnp::audit_log;
use std::collections::VecDeque;
use std::io;

pub const AUDIT_LOG: u64 = audit_log::_private::TYPE_ID;
const APPEND: u16 = 0;
/// Maximum bytes of an answer of the audit, which contains the record's sequence number and two digests.
const MOST_FRAME_BYTES: usize = 4096;
const MOST_UNSENT: usize = 64 * 1024;
/// Maximum number of events that wait for a starting audit; the oldest is dropped first, and counted.
const MOST_WAITING: usize = 64;

/// An event of a process that is recorded, such as its death or its restart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    pub process: String,
    pub event: &'static str,
    pub detail: String,
}

#[derive(Default)]
pub struct Recorder {
    /// Connection to the audit; `None` if the page has no audit, or the audit is dead.
    peer: Option<Peer>,
    waiting: VecDeque<Event>,
    /// Number of dropped events, which were older than all waiting events; this number is recorded instead of them.
    forgotten: u64,
    /// Whether the last `append` call has no answer yet. If the audit dies, it is not repeated: its record may be on the disk.
    under_way: bool,
    last_call: u64,
}

impl Recorder {
    /// Makes a new connection; returns the end that the audit must serve.
    pub fn connect(&mut self) -> io::Result<Served> {
        let (ours, end) = sys::socket_pair()?;
        self.peer = Some(Peer::new(ours, MOST_FRAME_BYTES, MOST_UNSENT)?);
        self.under_way = false;
        let line = GrantLine { badge: INIT_BADGE, interface_id: AUDIT_LOG, holder: INIT.into(), name: "audit".into() };
        Ok(Served { line, end })
    }

    pub fn watched(&self) -> Option<libc::pollfd> {
        self.peer.as_ref().map(Peer::watched)
    }

    /// Returns whether the audit is connected, but has not answered for all events yet.
    pub fn is_busy(&self) -> bool {
        self.peer.is_some() && (self.under_way || !self.waiting.is_empty() || self.forgotten > 0)
    }

    pub fn write(&mut self, event: Event) {
        self.waiting.push_back(event);
        if self.waiting.len() > MOST_WAITING {
            self.waiting.pop_front();
            self.forgotten += 1;
        }
    }

    fn next(&mut self) -> Option<Event> {
        match std::mem::take(&mut self.forgotten) {
            0 => self.waiting.pop_front(),
            count => {
                let detail = format!("{count} of what happened to processes before this is not on record");
                Some(Event { process: INIT.into(), event: "forgot", detail })
            }
        }
    }

    /// Receives answers, and sends the next event if no answer is pending.
    pub fn turn(&mut self, now: u64) {
        let Some(peer) = &mut self.peer else { return };
        let mut is_there = peer.receive();
        while is_there {
            match peer.next(now) {
                Ok(Some(frame)) => {
                    self.under_way = false;
                    is_there = matches!(frame.kind, Kind::Answer { .. } | Kind::Failure { .. });
                }
                Ok(None) => break,
                Err(_) => is_there = false,
            }
        }
        if is_there && !self.under_way {
            if let Some(event) = self.next() {
                self.last_call += 1;
                let call = frame::call(self.last_call, AUDIT_LOG, APPEND, &body(&event));
                self.peer.iter_mut().for_each(|peer| peer.queue(&call));
                self.under_way = true;
            }
        }
        if !(is_there && self.peer.as_mut().is_some_and(Peer::send)) {
            self.peer = None;
            self.under_way = false;
        }
    }
}

fn body(event: &Event) -> Vec<u8> {
    body_of(|root| {
        let entry = root.init_as::<audit_log::append_params::Builder>().init_entry();
        let mut session = entry.init_session();
        session.set_name(&event.process);
        session.set_event(event.event);
        session.set_detail(&event.detail);
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::{Frames, with_body};
    use crate::wire_capnp::FailureCode;
    use std::os::fd::OwnedFd;

    struct Audit {
        end: OwnedFd,
        frames: Frames,
    }

    fn connected(recorder: &mut Recorder) -> Audit {
        let Served { line, end } = recorder.connect().unwrap();
        assert_eq!((line.holder.as_str(), line.interface_id), (INIT, AUDIT_LOG));
        sys::never_block(&end).unwrap();
        Audit { end, frames: Frames::default() }
    }

    impl Audit {
        /// Returns the id of the next `append` call from the recorder, and the event in it as text: process, event and detail.
        fn heard(&mut self) -> Option<(u64, String)> {
            let mut buffer = [0; 4096];
            while let Ok(size @ 1..) = sys::read(&self.end, &mut buffer) {
                self.frames.feed(&buffer[..size]);
            }
            let frame = self.frames.take_frame().unwrap()?;
            let Kind::Call { interface_id: AUDIT_LOG, method: APPEND, body } = frame.kind else { panic!("another call") };
            let words = with_body(&body, |root| {
                let params: audit_log::append_params::Reader = root.get_as()?;
                let crate::audit_capnp::audit_entry::Session(session) = params.get_entry()?.which()? else { panic!("another entry") };
                let text = [session.get_name()?, session.get_event()?, session.get_detail()?];
                Ok(text.map(|part| part.to_string().unwrap()).join(" "))
            });
            Some((frame.call_id, words.unwrap()))
        }
    }

    fn event(number: usize) -> Event {
        Event { process: "notes".into(), event: "stopped", detail: number.to_string() }
    }

    #[test]
    fn events_are_recorded_one_by_one_whatever_the_audit_answers() {
        let mut recorder = Recorder::default();
        let mut audit = connected(&mut recorder);
        assert!(!recorder.is_busy());
        (1..=2).for_each(|number| recorder.write(event(number)));
        recorder.turn(0);
        let (call, words) = audit.heard().unwrap();
        recorder.turn(0);
        assert_eq!((words.as_str(), audit.heard()), ("notes stopped 1", None));
        sys::write(&audit.end, &frame::failure(call, FailureCode::Failed, "there is no data disk")).unwrap();
        recorder.turn(0);
        let (call, words) = audit.heard().unwrap();
        assert_eq!(words, "notes stopped 2");
        assert!(recorder.is_busy());
        sys::write(&audit.end, &frame::answer(call, &[])).unwrap();
        recorder.turn(0);
        assert_eq!((audit.heard(), recorder.is_busy()), (None, false));
        recorder.write(event(3));
        assert!(recorder.is_busy());
        drop(audit);
        recorder.turn(0);
        assert!(!recorder.is_busy(), "nobody is waited for who is gone");
    }

    #[test]
    fn events_that_happen_while_the_audit_is_dead_are_recorded_once_by_the_restarted_audit() {
        let mut recorder = Recorder::default();
        let mut audit = connected(&mut recorder);
        recorder.write(event(1));
        recorder.turn(0);
        assert!(audit.heard().is_some());
        drop(audit);
        recorder.turn(0);
        assert!(recorder.watched().is_none());
        (2..100).for_each(|number| recorder.write(event(number)));
        recorder.turn(0);
        let mut audit = connected(&mut recorder);
        let mut next = || {
            recorder.turn(0);
            let (call, words) = audit.heard().unwrap();
            sys::write(&audit.end, &frame::answer(call, &[])).unwrap();
            words
        };
        let forgotten = 98 - MOST_WAITING;
        assert_eq!(next(), format!("init forgot {forgotten} of what happened to processes before this is not on record"));
        assert_eq!(next(), format!("notes stopped {}", 100 - MOST_WAITING));
        assert_eq!(next(), format!("notes stopped {}", 101 - MOST_WAITING), "what was forgotten is told once");
    }

    #[test]
    fn an_audit_that_sends_malformed_frames_is_disconnected() {
        let mut recorder = Recorder::default();
        let audit = connected(&mut recorder);
        sys::write(&audit.end, &[0xff; 16]).unwrap();
        recorder.turn(0);
        assert!(recorder.watched().is_none());
    }

    #[test]
    fn an_audit_that_sends_a_call_is_disconnected() {
        let mut recorder = Recorder::default();
        let audit = connected(&mut recorder);
        sys::write(&audit.end, &frame::call(1, AUDIT_LOG, APPEND, &body(&event(1)))).unwrap();
        recorder.turn(0);
        assert!(recorder.watched().is_none());
    }

    #[test]
    fn a_new_connection_does_not_wait_for_an_answer_on_the_previous_one() {
        let mut recorder = Recorder::default();
        let _before = connected(&mut recorder);
        (1..=2).for_each(|number| recorder.write(event(number)));
        recorder.turn(0);
        let mut audit = connected(&mut recorder);
        recorder.turn(0);
        assert_eq!(audit.heard().unwrap().1, "notes stopped 2");
    }
}
