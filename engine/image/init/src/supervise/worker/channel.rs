//! Init's end of the channel to a process: init's messages, the passed connections, and the process's messages.

use super::piece::Piece;
use crate::channel::{GrantLine, Line, Lines};
use crate::supervise::grants::Served;
use crate::sys;
use std::collections::VecDeque;
use std::io;
use std::os::fd::OwnedFd;

#[derive(Default)]
pub struct Channel {
    /// Init's end of the channel. If it is closed (`None`), no message is received or sent any more.
    end: Option<OwnedFd>,
    lines: Lines,
    /// Connections that the process has not received yet. The next connection is sent when the last one is acknowledged.
    unsent: VecDeque<Passed>,
    is_acknowledging: bool,
}

/// A connection for the process, and the line that tells the process which grant the connection belongs to.
struct Passed {
    line: Vec<u8>,
    end: OwnedFd,
}

impl Channel {
    pub fn of(end: OwnedFd) -> io::Result<Self> {
        sys::never_block(&end)?;
        Ok(Self { end: Some(end), ..Self::default() })
    }

    /// Returns the channel's descriptor, or `None` if the channel is closed.
    pub fn descriptor(&self) -> Option<&OwnedFd> {
        self.end.as_ref()
    }

    /// Passes a connection that this process must serve for another process.
    pub fn serve(&mut self, Served { line, end }: Served) {
        self.pass(line.to_bytes(), end);
    }

    /// Gives this process a new connection to a process that it uses, which was restarted.
    pub fn hold_again(&mut self, line: &GrantLine, end: OwnedFd) {
        self.pass(line.to_holder(), end);
    }

    /// Queues a connection. It replaces a queued connection of the same grant, because the process at the other end of that connection
    /// has ended. So if a process fetches no connections, init does not store another one at each restart of a provider.
    fn pass(&mut self, line: Vec<u8>, end: OwnedFd) {
        self.unsent.retain(|passed| passed.line != line);
        self.unsent.push_back(Passed { line, end });
        if !self.is_acknowledging {
            self.send_next();
        }
    }

    /// Sends a line. If it does not fit, this line and all later lines are not sent: half a line would be read together with the next one.
    pub fn tell(&mut self, line: &[u8]) {
        let Some(end) = &self.end else { return };
        if !matches!(sys::write(end, line), Ok(size) if size == line.len()) {
            self.end = None;
        }
    }

    /// Receives messages of the process. Acknowledged connections are handled here; `heed` receives all other messages.
    pub fn hear(&mut self, mut heed: impl FnMut(Line)) {
        let mut piece = Piece::begin();
        while let Some(bytes) = piece.next(&mut self.end) {
            self.lines.feed(bytes);
            self.obey(&mut heed);
        }
    }

    fn obey(&mut self, heed: &mut impl FnMut(Line)) {
        loop {
            match self.lines.take_line() {
                Ok(None) => return,
                Ok(Some(Line::Acknowledged)) => self.send_next(),
                Ok(Some(line)) => heed(line),
                Err(_) => {
                    self.end = None;
                    return;
                }
            }
        }
    }

    fn send_next(&mut self) {
        self.is_acknowledging = false;
        if let (Some(passed), Some(end)) = (self.unsent.pop_front(), &self.end) {
            // A process that is gone cannot receive the message; its end is handled elsewhere.
            let _ = sys::send_with_descriptor(end, &passed.line, &passed.end);
            self.is_acknowledging = true;
        }
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::channel::ACKNOWLEDGEMENT;

    /// Returns a channel, and the process's end of it.
    pub fn channel() -> (Channel, OwnedFd) {
        let (ours, theirs) = sys::socket_pair().unwrap();
        (Channel::of(ours).unwrap(), theirs)
    }

    fn other_end() -> OwnedFd {
        sys::socket_pair().unwrap().0
    }

    #[test]
    fn init_stores_one_connection_of_each_name_for_a_process_that_fetches_no_connections() {
        let (mut channel, _theirs) = channel();
        for start in 0..50 {
            let name = if start % 2 == 0 { "model" } else { "notes" };
            let line = GrantLine { badge: 3, interface_id: 5, holder: "gate".into(), name: name.into() };
            channel.hold_again(&line, other_end());
        }
        assert_eq!(channel.unsent.len(), 2);
    }

    #[test]
    fn connections_are_passed_one_at_a_time() {
        let (mut channel, theirs) = channel();
        for badge in [1, 2] {
            let line = GrantLine { badge, interface_id: 5, holder: "gate".into(), name: "x".into() };
            channel.serve(Served { line, end: other_end() });
        }
        let mut buffer = [0; 4096];
        let (_, first) = sys::receive_with_descriptors(&theirs, &mut buffer).unwrap();
        assert_eq!((first.len(), channel.unsent.len()), (1, 1));
        sys::write(&theirs, ACKNOWLEDGEMENT).unwrap();
        channel.hear(|_| {});
        let (_, second) = sys::receive_with_descriptors(&theirs, &mut buffer).unwrap();
        assert_eq!((second.len(), channel.unsent.len()), (1, 0));
        sys::write(&theirs, ACKNOWLEDGEMENT).unwrap();
        channel.hear(|_| {});
        let line = GrantLine { badge: 3, interface_id: 0xf00d, holder: "gate".into(), name: "x".into() };
        channel.hold_again(&line, other_end());
        let (size, third) = sys::receive_with_descriptors(&theirs, &mut buffer).unwrap();
        assert_eq!(third.len(), 1);
        let told: serde_json::Value = serde_json::from_slice(&buffer[..size]).unwrap();
        assert_eq!(told["msg"], serde_json::json!({ "capos": "grant-again", "interfaceId": "f00d", "name": "x" }));
    }

    #[test]
    fn noise_on_the_channel_closes_the_channel() {
        let (mut channel, theirs) = channel();
        sys::write(&theirs, b"noise\n").unwrap();
        channel.hear(|_| {});
        assert!(channel.end.is_none());
    }
}
