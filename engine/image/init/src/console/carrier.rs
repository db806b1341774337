//! Transfers bytes between the terminal, the connections and `Desk`, which decides. The carrier never
//! waits for only one of them: a terminal or a peer that does not read must not delay the others.

use super::desk::{Desk, Effect, HeldLines, Line};
use super::screen::Font;
use crate::channel::{ACKNOWLEDGEMENT, GrantLine, Line as ChannelLine, Lines, PONG, READY};
use crate::frame::MOST_FRAME_BYTES;
use crate::peer::Peer;
use crate::sys;
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::os::fd::OwnedFd;
use zeroize::Zeroizing;

/// Maximum bytes that a peer has not read yet; a peer with more is cut off.
const MOST_UNSENT: usize = 4 << 20;
/// Maximum bytes of unread input that are older than a question; a terminal's queue has 4 KiB.
const MOST_UNREAD: usize = 64 << 10;
/// Time for peers to read the last messages; after it, the console ends even if they have not.
const LEAVING_MS: u64 = 1_000;

/// Descriptors that the console inherits, and the font of its screen.
pub struct Inherited {
    pub terminal: OwnedFd,
    pub channel: OwnedFd,
    /// Grants by name, in the order of the manifest: `session.NAME` and `supervisor`.
    pub grants: Vec<(String, OwnedFd)>,
    pub font: Font,
}

pub struct Carrier {
    desk: Desk,
    terminal: OwnedFd,
    channel: OwnedFd,
    lines: Lines,
    /// Descriptors that arrived on the channel before the lines that announce them.
    arrived: Vec<OwnedFd>,
    peers: BTreeMap<Line, Peer>,
    next_line: Line,
    /// Time at which the console ends at the latest, after the person has left.
    leaving: Option<u64>,
}

impl Carrier {
    /// Opens the console, and reports to init that it serves.
    pub fn open(Inherited { terminal, channel, grants, font }: Inherited) -> io::Result<Self> {
        let mut peers = BTreeMap::new();
        let mut held = HeldLines::default();
        for (line, (name, stream)) in grants.into_iter().enumerate() {
            match name.split_once('.') {
                Some(("session", session)) => held.sessions.push((session.into(), line)),
                None if name == "supervisor" => held.supervisor = Some(line),
                _ => continue,
            }
            peers.insert(line, Peer::new(stream, MOST_FRAME_BYTES, MOST_UNSENT)?);
        }
        sys::never_block(&channel)?;
        sys::never_block(&terminal)?;
        sys::write(&channel, READY)?;
        let mut desk = Desk::new(held, font, random_letters);
        desk.probe();
        Ok(Self {
            desk,
            terminal,
            channel,
            lines: Lines::default(),
            arrived: Vec::new(),
            next_line: peers.keys().next_back().map_or(0, |last| last + 1),
            peers,
            leaving: None,
        })
    }

    /// Runs until the person has left.
    pub fn run(mut self) -> io::Result<()> {
        while !self.is_done() {
            self.turn()?;
        }
        Ok(())
    }

    fn is_done(&self) -> bool {
        let Some(latest) = self.leaving else { return false };
        latest <= sys::now() || (self.desk.drawn().is_empty() && self.peers.values().all(Peer::has_sent_all))
    }

    fn turn(&mut self) -> io::Result<()> {
        let drawing = if self.desk.drawn().is_empty() { 0 } else { libc::POLLOUT };
        let mut watched = vec![sys::watch(&self.terminal, libc::POLLIN | drawing), sys::watch(&self.channel, libc::POLLIN)];
        let lines: Vec<Line> = self.peers.keys().copied().collect();
        watched.extend(self.peers.values().map(Peer::watched));
        sys::poll(&mut watched, self.next_deadline().map(|due| due.saturating_sub(sys::now())))?;
        self.desk.at(sys::now());
        let ready = |index: usize| watched[index].revents != 0;
        if ready(0) {
            self.read_terminal();
        }
        // Init closes the channel before all connections, so the console reads the channel first and recognizes a stop of the machine.
        self.read_channel()?;
        for (index, line) in lines.into_iter().enumerate() {
            if ready(index + 2) {
                self.read_peer(line);
            }
        }
        self.cut_off_overdue();
        self.desk.tick(sys::now());
        self.carry_out()
    }

    fn next_deadline(&self) -> Option<u64> {
        let own = [self.desk.deadline(), self.leaving].into_iter().flatten();
        own.chain(self.peers.values().filter_map(Peer::deadline)).min()
    }

    /// Reads typed bytes. The typed bytes may be a passphrase, so the buffer is wiped afterwards.
    fn read_terminal(&mut self) {
        let mut buffer = Zeroizing::new([0; 512]);
        match sys::read(&self.terminal, &mut *buffer) {
            Ok(0) => self.desk.hung_up(),
            Ok(size) => self.desk.typed(&buffer[..size]),
            Err(error) if is_passing(&error) => {}
            Err(_) => self.desk.hung_up(),
        }
    }

    /// Reads the unread input, which was typed before a question: at most `MOST_UNREAD` bytes, more than the kernel's queue holds.
    fn take_typed(&mut self) {
        let mut buffer = Zeroizing::new([0; 512]);
        for _ in 0..MOST_UNREAD / buffer.len() {
            match sys::read(&self.terminal, &mut *buffer) {
                Ok(size @ 1..) => self.desk.typed_before(&buffer[..size]),
                Ok(_) | Err(_) => return, // the next turn handles the loss of the terminal
            }
        }
        sys::drop_unread(&self.terminal);
    }

    /// Reads the channel; its end means that the machine stops.
    fn read_channel(&mut self) -> io::Result<()> {
        let mut buffer = [0; 4096];
        let (size, mut arrived) = match sys::receive_with_descriptors(&self.channel, &mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
            received => received?,
        };
        self.arrived.append(&mut arrived);
        if size == 0 {
            self.desk.hung_up();
        }
        self.lines.feed(&buffer[..size]);
        while let Some(line) = self.lines.take_line().map_err(io::Error::other)? {
            match line {
                ChannelLine::Grant(grant) => {
                    self.add(&grant)?;
                    sys::write(&self.channel, ACKNOWLEDGEMENT)?;
                }
                ChannelLine::Ping => drop(sys::write(&self.channel, PONG)?),
                ChannelLine::Stop => self.desk.hung_up(),
                ChannelLine::Acknowledged | ChannelLine::Ready | ChannelLine::Pong | ChannelLine::Other => {}
            }
        }
        Ok(())
    }

    fn add(&mut self, grant: &GrantLine) -> io::Result<()> {
        if !self.arrived.is_empty() {
            let peer = Peer::new(self.arrived.remove(0), MOST_FRAME_BYTES, MOST_UNSENT)?;
            self.peers.insert(self.next_line, peer);
            self.desk.granted(self.next_line, grant.interface_id, &grant.holder);
            self.next_line += 1;
        }
        Ok(())
    }

    fn read_peer(&mut self, line: Line) {
        match self.peers.get_mut(&line).map(Peer::receive) {
            Some(true) => self.take_frames(line),
            Some(false) => self.end(line),
            None => {}
        }
    }

    fn take_frames(&mut self, line: Line) {
        while let Some(peer) = self.peers.get_mut(&line) {
            match peer.next(sys::now()) {
                Ok(Some(frame)) => self.desk.frame(line, frame),
                Ok(None) => return,
                Err(_) => self.end(line),
            }
        }
    }

    fn cut_off_overdue(&mut self) {
        let now = sys::now();
        self.end_where(|peer| peer.is_overdue(now));
    }

    fn end_where(&mut self, is_over: impl Fn(&mut Peer) -> bool) {
        let over: Vec<Line> = self.peers.iter_mut().filter_map(|(line, peer)| is_over(peer).then_some(*line)).collect();
        over.into_iter().for_each(|line| self.end(line));
    }

    /// Shuts a connection down, so that it also ends for other processes with a copy of the descriptor.
    fn end(&mut self, line: Line) {
        self.peers.remove(&line).into_iter().for_each(Peer::cut_off);
        self.desk.closed(line);
    }

    /// Executes effects, then draws. Effects come before output, because input that was typed before a question must be dropped before the question is drawn.
    fn carry_out(&mut self) -> io::Result<()> {
        loop {
            self.take_effects();
            if !self.draw()? {
                break;
            }
        }
        self.end_where(|peer| !peer.send());
        Ok(())
    }

    fn take_effects(&mut self) {
        let mut effects = VecDeque::from(self.desk.effects());
        while let Some(effect) = effects.pop_front() {
            match effect {
                Effect::Send(line, bytes) => {
                    if let Some(peer) = self.peers.get_mut(&line) {
                        peer.queue(&bytes);
                    }
                }
                Effect::CutOff(line, _) => self.end(line),
                Effect::DropTyped => sys::drop_unread(&self.terminal),
                Effect::TakeTyped => {
                    self.take_typed();
                    effects.extend(self.desk.effects());
                }
                Effect::Leave => self.leaving = Some(sys::now() + LEAVING_MS),
            }
        }
    }

    /// Writes as much as the terminal accepts now. Returns `false` if no output is left, or the terminal accepts none.
    fn draw(&mut self) -> io::Result<bool> {
        if self.desk.drawn().is_empty() {
            return Ok(false);
        }
        match sys::write(&self.terminal, self.desk.drawn()) {
            Ok(size) => {
                self.desk.wrote(size, sys::now());
                Ok(true)
            }
            Err(error) if is_passing(&error) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

/// Returns whether an error is temporary: nothing to read, no space to write, or an interrupting signal.
fn is_passing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}

/// Returns three letters, with equal probability for each of the 26. Bytes from 234 on are dropped, because 234 is the highest multiple of 26 below 256.
fn random_letters() -> String {
    let mut letters = String::new();
    while letters.len() < 3 {
        let bytes = sys::random().into_iter().flatten();
        letters.extend(bytes.filter(|byte| *byte < 234).map(|byte| char::from(b'a' + byte % 26)));
    }
    letters.truncate(3);
    letters
}

#[cfg(test)]
mod tests;
