//! Carries bytes between the terminal, the connections and `Desk`, which decides.

use capos::channel::{ACKNOWLEDGEMENT, GrantLine, Line as ChannelLine, Lines};
use capos::console::desk::{Desk, Effect, Line, SESSION_LINE};
use capos::frame::Frames;
use capos::sys;
use std::collections::BTreeMap;
use std::env;
use std::io;
use std::os::fd::{FromRawFd as _, OwnedFd, RawFd};

const TERMINAL: RawFd = 0;
/// More than this unread by a peer, and it is cut off.
const MOST_UNREAD: usize = 4 << 20;

/// A connected stream and what is under way on it.
struct Peer {
    stream: OwnedFd,
    interface_id: u64,
    frames: Frames,
    unsent: Vec<u8>,
}

struct Console {
    desk: Desk,
    channel: OwnedFd,
    lines: Lines,
    /// Descriptors that came before the line that tells of them.
    arrived: Vec<OwnedFd>,
    peers: BTreeMap<Line, Peer>,
    next_line: Line,
    leaving: bool,
}

fn main() -> io::Result<()> {
    raw_mode()?;
    let mut console = Console::open()?;
    while !console.is_done() {
        console.turn()?;
    }
    Ok(())
}

impl Console {
    fn open() -> io::Result<Self> {
        let session = session_descriptor();
        let mut peers = BTreeMap::new();
        if let Some(stream) = session {
            peers.insert(SESSION_LINE, Peer::new(stream, 0)?);
        }
        let number = env::var("NODE_CHANNEL_FD").ok().and_then(|number| number.parse().ok());
        // SAFETY: init put the channel at this number, and nothing else of this process owns it.
        let channel = unsafe { OwnedFd::from_raw_fd(number.ok_or(io::ErrorKind::NotFound)?) };
        sys::never_block(&channel)?;
        Ok(Self {
            desk: Desk::new(peers.contains_key(&SESSION_LINE), random_letters),
            channel,
            lines: Lines::default(),
            arrived: Vec::new(),
            peers,
            next_line: SESSION_LINE + 1,
            leaving: false,
        })
    }

    fn is_done(&self) -> bool {
        self.leaving && self.peers.values().all(|peer| peer.unsent.is_empty())
    }

    fn turn(&mut self) -> io::Result<()> {
        let mut watched = vec![sys::watch(&TERMINAL, libc::POLLIN), sys::watch(&self.channel, libc::POLLIN)];
        let lines: Vec<Line> = self.peers.keys().copied().collect();
        for peer in self.peers.values() {
            let writing = if peer.unsent.is_empty() { 0 } else { libc::POLLOUT };
            watched.push(sys::watch(&peer.stream, libc::POLLIN | writing));
        }
        let time = self.desk.deadline().map(|deadline| deadline.saturating_sub(sys::now()));
        sys::poll(&mut watched, time)?;
        let ready = |index: usize| watched[index].revents != 0;
        if ready(0) {
            self.read_terminal();
        }
        if ready(1) {
            self.read_channel()?;
        }
        for (index, line) in lines.into_iter().enumerate() {
            if ready(index + 2) {
                self.read_peer(line);
            }
        }
        self.desk.tick(sys::now());
        self.carry_out()
    }

    fn read_terminal(&mut self) {
        let mut buffer = [0; 512];
        match sys::read(&TERMINAL, &mut buffer) {
            Ok(0) => self.desk.hung_up(),
            Ok(size) => self.desk.typed(&buffer[..size], sys::now()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => self.desk.hung_up(),
        }
    }

    /// A channel that closes means that the machine stops.
    fn read_channel(&mut self) -> io::Result<()> {
        let mut buffer = [0; 4096];
        let (size, mut arrived) = sys::receive_with_descriptors(&self.channel, &mut buffer)?;
        self.arrived.append(&mut arrived);
        if size == 0 {
            self.desk.hung_up();
        }
        self.lines.feed(&buffer[..size]);
        while let Some(line) = self.lines.next().map_err(io::Error::other)? {
            if let ChannelLine::Grant(grant) = line {
                self.add(&grant)?;
                sys::write(&self.channel, ACKNOWLEDGEMENT)?;
            }
        }
        Ok(())
    }

    fn add(&mut self, grant: &GrantLine) -> io::Result<()> {
        if !self.arrived.is_empty() {
            let peer = Peer::new(self.arrived.remove(0), grant.interface_id)?;
            self.peers.insert(self.next_line, peer);
            self.next_line += 1;
        }
        Ok(())
    }

    fn read_peer(&mut self, line: Line) {
        let mut buffer = [0; 16 * 1024];
        let Some(peer) = self.peers.get_mut(&line) else { return };
        match sys::read(&peer.stream, &mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Ok(size) if size > 0 => {
                peer.frames.feed(&buffer[..size]);
                self.take_frames(line);
            }
            _ => self.cut_off(line),
        }
    }

    fn take_frames(&mut self, line: Line) {
        while let Some(peer) = self.peers.get_mut(&line) {
            match peer.frames.next() {
                Ok(Some(frame)) => self.desk.frame(line, peer.interface_id, frame, sys::now()),
                Ok(None) => return,
                Err(_) => self.cut_off(line),
            }
        }
    }

    fn cut_off(&mut self, line: Line) {
        self.peers.remove(&line);
        self.desk.closed(line, sys::now());
    }

    fn carry_out(&mut self) -> io::Result<()> {
        for effect in self.desk.effects() {
            match effect {
                Effect::Send(line, bytes) => {
                    if let Some(peer) = self.peers.get_mut(&line) {
                        peer.unsent.extend_from_slice(&bytes);
                    }
                }
                Effect::CutOff(line, _) => self.cut_off(line),
                // SAFETY: throws away what the terminal holds unread; no memory is touched.
                Effect::DropTyped => drop(unsafe { libc::tcflush(TERMINAL, libc::TCIFLUSH) }),
                Effect::Leave => self.leaving = true,
            }
        }
        draw(&self.desk.drawn())?;
        let broken: Vec<Line> = self.peers.iter_mut().filter_map(|(line, peer)| (!peer.send()).then_some(*line)).collect();
        broken.into_iter().for_each(|line| self.cut_off(line));
        Ok(())
    }
}

impl Peer {
    fn new(stream: OwnedFd, interface_id: u64) -> io::Result<Self> {
        sys::never_block(&stream)?;
        Ok(Self { stream, interface_id, frames: Frames::default(), unsent: Vec::new() })
    }

    /// Sends what fits; false: the peer is gone or does not read.
    fn send(&mut self) -> bool {
        while !self.unsent.is_empty() {
            match sys::write(&self.stream, &self.unsent) {
                Ok(size) => drop(self.unsent.drain(..size)),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return self.unsent.len() <= MOST_UNREAD,
                Err(_) => return false,
            }
        }
        true
    }
}

/// `CAPOS_GRANTS` names what this process holds: `session=5:f00d`.
fn session_descriptor() -> Option<OwnedFd> {
    let grants = env::var("CAPOS_GRANTS").ok()?;
    let words = grants.split(',').find_map(|grant| grant.strip_prefix("session="))?;
    let number = words.split(':').next()?.parse().ok()?;
    // SAFETY: init put the connection at this number, and nothing else of this process owns it.
    Some(unsafe { OwnedFd::from_raw_fd(number) })
}

/// Bytes come as they are typed, none is a signal; what is drawn still has its line ends completed by the terminal.
fn raw_mode() -> io::Result<()> {
    // SAFETY: an all-zero struct that the first call fills and the second reads.
    unsafe {
        let mut mode: libc::termios = std::mem::zeroed();
        sys::check(libc::tcgetattr(TERMINAL, &mut mode))?;
        mode.c_lflag &= !(libc::ICANON | libc::ECHO | libc::ISIG | libc::IEXTEN);
        mode.c_iflag &= !(libc::ICRNL | libc::INLCR | libc::IGNCR | libc::IXON | libc::IXOFF | libc::BRKINT);
        mode.c_oflag |= libc::OPOST | libc::ONLCR;
        mode.c_cc[libc::VMIN] = 1;
        mode.c_cc[libc::VTIME] = 0;
        sys::check(libc::tcsetattr(TERMINAL, libc::TCSANOW, &mode)).map(drop)
    }
}

fn draw(bytes: &[u8]) -> io::Result<()> {
    let mut left = bytes;
    while !left.is_empty() {
        left = &left[sys::write(&TERMINAL, left)?..];
    }
    Ok(())
}

/// Three letters, each of the 26 equally likely: 234 is the largest multiple of 26 that a byte can hold.
fn random_letters() -> String {
    let mut letters = String::new();
    while letters.len() < 3 {
        let mut byte = 0u8;
        // SAFETY: room for one byte.
        let read = unsafe { libc::getrandom((&raw mut byte).cast(), 1, 0) };
        if read == 1 && byte < 234 {
            letters.push(char::from(b'a' + byte % 26));
        }
    }
    letters
}
