//! Handles a connected stream of frames with limits in both directions. The caller cuts off a peer that sends too much,
//! reads too little, or leaves a frame unfinished.

use crate::frame::{Frame, Frames};
use crate::sys;
use std::io;
use std::os::fd::OwnedFd;

/// Time limit for the rest of a frame, after its first bytes. A peer writes a whole frame at once, so only a busy machine can delay the
/// rest.
const MOST_UNFINISHED_MS: u64 = 30_000;

pub struct Peer {
    stream: OwnedFd,
    frames: Frames,
    /// Time at which the incomplete frame began.
    begun: Option<u64>,
    unsent: Vec<u8>,
    most_unsent: usize,
}

impl Peer {
    /// `most_frame` is the maximum size of a received frame, `most_unsent` that of the output that waits for the peer; both in bytes.
    pub fn new(stream: OwnedFd, most_frame: usize, most_unsent: usize) -> io::Result<Self> {
        sys::never_block(&stream)?;
        Ok(Self { stream, frames: Frames::up_to(most_frame), begun: None, unsent: Vec::new(), most_unsent })
    }

    pub fn watched(&self) -> libc::pollfd {
        let writing = if self.unsent.is_empty() { 0 } else { libc::POLLOUT };
        sys::watch(&self.stream, libc::POLLIN | writing)
    }

    /// Receives one piece of the available bytes. Returns `false` if the peer has closed the connection.
    pub fn receive(&mut self) -> bool {
        let mut buffer = [0; 16 * 1024];
        match sys::read(&self.stream, &mut buffer) {
            Ok(0) => false,
            Ok(size) => {
                self.frames.feed(&buffer[..size]);
                true
            }
            Err(error) => matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted),
        }
    }

    /// Returns the next whole received frame. Fails if the peer sent a malformed frame or exceeded a limit.
    pub fn next(&mut self, now: u64) -> Result<Option<Frame>, String> {
        let frame = self.frames.take_frame()?;
        let is_waiting = frame.is_none() && self.frames.is_partial();
        self.begun = if is_waiting { self.begun.or(Some(now)) } else { None };
        Ok(frame)
    }

    /// Returns the deadline of the incomplete frame, or `None` if no frame is incomplete.
    pub fn deadline(&self) -> Option<u64> {
        self.begun.map(|begun| begun + MOST_UNFINISHED_MS)
    }

    pub fn is_overdue(&self, now: u64) -> bool {
        self.deadline().is_some_and(|deadline| deadline <= now)
    }

    /// Shuts the connection down. To close one descriptor would not suffice, because init has copies of it.
    pub fn cut_off(self) {
        sys::shut_down(&self.stream);
    }

    pub fn queue(&mut self, bytes: &[u8]) {
        self.unsent.extend_from_slice(bytes);
    }

    /// Sends as much as fits. Returns `false` if the peer has closed the connection or does not read.
    pub fn send(&mut self) -> bool {
        while !self.unsent.is_empty() {
            match sys::write(&self.stream, &self.unsent) {
                Ok(size) => drop(self.unsent.drain(..size)),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return self.unsent.len() <= self.most_unsent,
                Err(_) => return false,
            }
        }
        true
    }

    pub fn has_sent_all(&self) -> bool {
        self.unsent.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::answer;

    #[test]
    fn a_peer_that_does_not_read_is_detected() {
        let (ours, _theirs) = sys::socket_pair().unwrap();
        let mut peer = Peer::new(ours, 1024, 100_000).unwrap();
        while peer.has_sent_all() {
            peer.queue(&[0; 10_000]);
            assert!(peer.send());
        }
        peer.queue(&[0; 200_000]);
        assert!(!peer.send());
    }

    #[test]
    fn frames_arrive_complete_and_bounded_and_the_end_is_detected() {
        let (ours, theirs) = sys::socket_pair().unwrap();
        let mut peer = Peer::new(ours, 64, 0).unwrap();
        assert!(peer.receive() && peer.next(0) == Ok(None));
        sys::write(&theirs, &answer(7, &[])).unwrap();
        assert!(peer.receive());
        assert_eq!(peer.next(0).unwrap().map(|frame| frame.call_id), Some(7));
        sys::write(&theirs, &answer(8, &[1; 64])).unwrap();
        assert!(peer.receive() && peer.next(0).is_err());
        drop(theirs);
        assert!(!peer.receive());
    }

    #[test]
    fn more_bytes_do_not_extend_the_deadline_of_an_unfinished_frame() {
        let (ours, theirs) = sys::socket_pair().unwrap();
        let mut peer = Peer::new(ours, 1024, 0).unwrap();
        let frame = answer(7, &[]);
        for (now, byte) in [(5, 0), (90, 1), (29_000, 2)] {
            sys::write(&theirs, &frame[byte..=byte]).unwrap();
            assert!(peer.receive() && peer.next(now) == Ok(None));
            assert_eq!(peer.deadline(), Some(5 + MOST_UNFINISHED_MS));
        }
        assert!(peer.is_overdue(5 + MOST_UNFINISHED_MS) && !peer.is_overdue(4 + MOST_UNFINISHED_MS));
        sys::write(&theirs, &[&frame[3..], &frame[..1]].concat()).unwrap();
        assert!(peer.receive() && peer.next(29_001).unwrap().is_some() && peer.deadline().is_none());
        assert!(peer.next(29_002) == Ok(None) && peer.deadline() == Some(29_002 + MOST_UNFINISHED_MS));
    }

    #[test]
    fn a_peer_that_is_cut_off_sees_the_end_although_another_copy_of_the_connection_is_open() {
        let (ours, theirs) = sys::socket_pair().unwrap();
        let _kept = ours.try_clone().unwrap();
        Peer::new(ours, 64, 0).unwrap().cut_off();
        assert_eq!(sys::read(&theirs, &mut [0; 8]).unwrap(), 0);
    }
}
