//! Serves init's own interface, `Supervisor`, to the processes that have a grant for it. These processes are not trusted: frames
//! are small, few calls wait at a time, and a violation of a rule ends the connection. The supervisor executes the requests.

use super::log::Log;
use super::request::{self, Request, SUPERVISOR};
use crate::frame::{self, Frame, Kind};
use crate::peer::Peer;
use crate::wire_capnp::FailureCode;
use std::collections::VecDeque;
use std::io;
use std::os::fd::OwnedFd;

/// Maximum bytes of a call: the largest valid one contains one name.
const MOST_FRAME_BYTES: usize = 4096;
/// Maximum bytes of answers that one holder has not read yet; a holder with more is cut off.
const MOST_UNSENT: usize = 1 << 20;
/// Maximum calls of one holder that wait for a line of the log.
const MOST_WAITING: usize = 8;
/// Maximum number of answers to one holder that are held back until earlier notices are sent.
const MOST_HELD: usize = 64;
/// Maximum lines in one answer.
const MOST_LINES: usize = 64;

/// A permitted request of a process.
#[derive(Debug, PartialEq, Eq)]
pub struct Wish {
    /// Index in the manifest of the process that makes the request.
    pub holder: usize,
    pub request: Request,
    client: u64,
    call_id: u64,
}

struct Client {
    /// Number of the client. Numbers are never reused, because an answer may be ready after its client has gone.
    number: u64,
    holder: usize,
    role: String,
    /// `None` after the client was cut off.
    peer: Option<Peer>,
    /// Calls that wait for a new line of the log or of the notices: the call's id, and the number of the last line that its caller has.
    waiting: Vec<(u64, u64)>,
    /// Number of the last drawn notice.
    drawn: u64,
    /// Number of the last sent notice.
    told: u64,
    /// Frames with results. Each has the number of the last notice before the result, or `None` until `queue_answers` sets the number.
    answers: VecDeque<(Option<u64>, Vec<u8>)>,
}

#[derive(Default)]
pub struct Service {
    clients: Vec<Client>,
    last_number: u64,
}

impl Service {
    /// Adds a connection of a holder. Forgets ended connections, except that of the console: its entry has the number of the last drawn notice.
    pub fn add(&mut self, holder: usize, role: &str, stream: OwnedFd) -> io::Result<()> {
        self.clients.retain(|client| client.peer.is_some() || client.is_console());
        let peer = Some(Peer::new(stream, MOST_FRAME_BYTES, MOST_UNSENT)?);
        self.last_number += 1;
        let (number, role, waiting, answers) = (self.last_number, role.into(), Vec::new(), VecDeque::new());
        self.clients.push(Client { number, holder, role, peer, waiting, drawn: 0, told: 0, answers });
        Ok(())
    }

    pub fn watched(&self) -> impl Iterator<Item = libc::pollfd> {
        self.clients.iter().filter_map(|client| client.peer.as_ref().map(Peer::watched))
    }

    /// Returns the earliest deadline of an incomplete frame, or `None` if no frame is incomplete.
    pub fn deadline(&self) -> Option<u64> {
        self.clients.iter().filter_map(|client| client.peer.as_ref()?.deadline()).min()
    }

    /// Returns whether this process is connected and will request notices.
    pub fn listens(&self, holder: usize) -> bool {
        self.clients.iter().any(|client| client.holder == holder && client.is_console() && client.peer.is_some())
    }

    /// Returns the number of the last notice that the console has drawn.
    pub fn drawn(&self) -> u64 {
        self.clients.iter().map(|client| client.drawn).max().unwrap_or(0)
    }

    /// Receives one piece of input from each holder. Returns the requests that the supervisor must execute, and answers all other calls.
    pub fn take(&mut self, now: u64) -> Vec<Wish> {
        let mut wishes = Vec::new();
        for client in &mut self.clients {
            if client.peer.as_mut().is_some_and(|peer| !peer.receive()) {
                client.cut_off();
            }
            while let Some(frame) = client.next(now) {
                let call_id = frame.call_id;
                if let Some(request) = client.heed(frame) {
                    wishes.push(Wish { holder: client.holder, request, client: client.number, call_id });
                }
            }
        }
        wishes
    }

    /// Queues the answer for `send`. A console gets all earlier notices first, because it draws a prompt after the answer.
    pub fn answer(&mut self, wish: &Wish, result: Result<Vec<u8>, String>) {
        let is_meant = |client: &&mut Client| client.number == wish.client && client.peer.is_some();
        if let Some(client) = self.clients.iter_mut().find(is_meant) {
            let frame = match result {
                Ok(body) => frame::answer(wish.call_id, &body),
                Err(reason) => frame::failure(wish.call_id, FailureCode::Failed, &reason),
            };
            client.answers.push_back((None, frame));
            if client.answers.len() > MOST_HELD {
                client.cut_off();
            }
        }
    }

    /// Answers each call whose awaited line now exists, and sends as many bytes as fit.
    pub fn send(&mut self, log: &Log, notices: &Log) {
        for client in &mut self.clients {
            let log = if client.is_console() { notices } else { log };
            let (waiting, due): (Vec<_>, Vec<_>) =
                std::mem::take(&mut client.waiting).into_iter().partition(|&(_, after)| log.after(after, 1).len() == 0);
            client.waiting = waiting;
            for (call_id, after) in due {
                client.queue(&frame::answer(call_id, &request::log_lines(log.after(after, MOST_LINES))));
                client.told = log.after(after, MOST_LINES).last().map_or(client.told, |line| line.sequence);
            }
            client.queue_answers(notices.last());
            if client.peer.as_mut().is_some_and(|peer| !peer.send()) {
                client.cut_off();
            }
        }
    }

    /// Reads from the console which notice it drew last, and ends all connections.
    pub fn close(&mut self, now: u64) {
        self.take(now);
        self.clients.iter_mut().for_each(Client::cut_off);
    }
}

impl Client {
    fn is_console(&self) -> bool {
        self.role == "console"
    }

    fn cut_off(&mut self) {
        self.peer.take().into_iter().for_each(Peer::cut_off);
        self.waiting.clear();
        self.answers.clear();
    }

    /// Queues the results for the client. A console gets a result only after the notices that init wrote before it.
    fn queue_answers(&mut self, written: u64) {
        for (behind, _) in &mut self.answers {
            behind.get_or_insert(written);
        }
        let told = if self.is_console() { self.told } else { u64::MAX };
        while self.answers.front().is_some_and(|(behind, _)| behind.is_some_and(|behind| behind <= told)) {
            let Some((_, frame)) = self.answers.pop_front() else { return };
            self.queue(&frame);
        }
    }

    fn next(&mut self, now: u64) -> Option<Frame> {
        let peer = self.peer.as_mut()?;
        match peer.next(now) {
            Ok(frame) if frame.is_some() || !peer.is_overdue(now) => frame,
            Ok(_) | Err(_) => {
                self.cut_off();
                None
            }
        }
    }

    /// Returns a request that the supervisor must execute, if the frame is a call with such a request.
    fn heed(&mut self, frame: Frame) -> Option<Request> {
        let call_id = frame.call_id;
        let (method, body) = match frame.kind {
            Kind::Call { interface_id: SUPERVISOR, method, body } => (method, body),
            Kind::Cancel => {
                self.take_back(call_id);
                return None;
            }
            Kind::Call { .. } | Kind::Answer { .. } | Kind::Failure { .. } => {
                self.cut_off();
                return None;
            }
        };
        match request::read(method, &body) {
            Err((code, reason)) => self.queue(&frame::failure(call_id, code, &reason)),
            Ok(request) if !request::may(&self.role, &request) => {
                self.queue(&frame::failure(call_id, FailureCode::Failed, "this process may not ask for that"));
            }
            Ok(Request::ReadLog { .. } | Request::ReadNotices { .. }) if self.waiting.len() >= MOST_WAITING => {
                self.queue(&frame::failure(call_id, FailureCode::Overloaded, "too many calls at a time"));
            }
            Ok(Request::ReadLog { after }) => self.waiting.push((call_id, after)),
            Ok(Request::ReadNotices { after }) => {
                self.drawn = self.drawn.max(after);
                self.told = self.told.max(after);
                self.waiting.push((call_id, after));
            }
            Ok(request) => return Some(request),
        }
        None
    }

    fn take_back(&mut self, call_id: u64) {
        let before = self.waiting.len();
        self.waiting.retain(|&(waiting, _)| waiting != call_id);
        if self.waiting.len() < before {
            self.queue(&frame::failure(call_id, FailureCode::Cancelled, "taken back"));
        }
    }

    fn queue(&mut self, bytes: &[u8]) {
        if let Some(peer) = &mut self.peer {
            peer.queue(bytes);
        }
    }
}

#[cfg(test)]
mod tests;
