//! A connected stream that frames travel on. Both directions are bounded: a peer that sends more than it may, or reads
//! less than it is sent, is cut off by whoever holds this.

use crate::frame::{Frame, Frames};
use crate::sys;
use std::io;
use std::os::fd::OwnedFd;

pub struct Peer {
    stream: OwnedFd,
    frames: Frames,
    unsent: Vec<u8>,
    most_unsent: usize,
}

impl Peer {
    /// `most_frame` and `most_unsent` are bytes.
    pub fn new(stream: OwnedFd, most_frame: usize, most_unsent: usize) -> io::Result<Self> {
        sys::never_block(&stream)?;
        Ok(Self { stream, frames: Frames::up_to(most_frame), unsent: Vec::new(), most_unsent })
    }

    pub fn watched(&self) -> libc::pollfd {
        let writing = if self.unsent.is_empty() { 0 } else { libc::POLLOUT };
        sys::watch(&self.stream, libc::POLLIN | writing)
    }

    /// Takes in one piece of what is there. `false`: the other side is gone.
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

    /// The next whole frame of what was taken in. `Err`: the peer breaks the form or a bound.
    pub fn next(&mut self) -> Result<Option<Frame>, String> {
        self.frames.next()
    }

    pub fn queue(&mut self, bytes: &[u8]) {
        self.unsent.extend_from_slice(bytes);
    }

    /// Sends what fits. `false`: the other side is gone or does not read.
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
    fn a_peer_that_does_not_read_is_found_out() {
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
    fn frames_arrive_whole_and_bounded_and_an_end_is_seen() {
        let (ours, theirs) = sys::socket_pair().unwrap();
        let mut peer = Peer::new(ours, 64, 0).unwrap();
        assert!(peer.receive() && peer.next() == Ok(None));
        sys::write(&theirs, &answer(7, &[])).unwrap();
        assert!(peer.receive());
        assert_eq!(peer.next().unwrap().map(|frame| frame.call_id), Some(7));
        sys::write(&theirs, &answer(8, &[1; 64])).unwrap();
        assert!(peer.receive() && peer.next().is_err());
        drop(theirs);
        assert!(!peer.receive());
    }
}
