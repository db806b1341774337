//! Requests an address, or an extension of a lease. Answers are untrusted, so a separate process without any rights parses them and returns
//! a few bytes: a fault in the parser does not affect init.

use super::card;
use super::configuration::Configuration;
use super::dhcp::{Answer, Asker, Given, MOST_BYTES, Offer};
use super::lease::Terms;
use crate::jail::{landlock, rights};
use crate::sys::{self, check};
use std::io;
use std::net::Ipv4Addr;
use std::os::fd::{AsRawFd as _, OwnedFd};

/// Maximum number of requests for a first address. For each answer, init waits for at most `ANSWER_WITHIN_MS`.
const TRIES: u32 = 5;
const ANSWER_WITHIN_MS: u64 = 2_000;
/// Time after which init stops waiting for the parsing process: each attempt waits for two answers.
const MOST_MS: u64 = TRIES as u64 * 2 * ANSWER_WITHIN_MS + 1_000;

#[derive(Debug, Clone, Copy)]
pub enum Question {
    /// Requests a first address.
    Anew,
    /// Requests an extension of this address, from any server if none is named.
    More { address: Ipv4Addr, server: Option<Ipv4Addr> },
}

#[derive(Debug, PartialEq, Eq)]
pub enum Told {
    Given(Given),
    /// A server refused the request, so the machine must not use the address any more.
    Refused,
}

/// A request in progress. If this value is dropped, init no longer waits for the answer.
pub struct Asked {
    child: libc::pid_t,
    reading: OwnedFd,
    deadline: u64,
}

impl Asked {
    /// Starts the process that asks; `socket` must belong to the namespace of the card.
    pub fn begin(socket: OwnedFd, name: &str, question: Question, now: u64) -> io::Result<Self> {
        let (reading, writing) = sys::pipe()?;
        sys::never_block(&reading)?;
        // SAFETY: this process has one thread, so the child continues in a copy of it, and ends with `_exit`.
        let child = check(unsafe { libc::fork() })?;
        if child == 0 {
            let told = converse(&socket, name, question, &writing).map(|told| bytes_of(&told));
            let _ = sys::write(&writing, &told.unwrap_or_default());
            // SAFETY: ends the child at once, without running exit handlers of init.
            unsafe { libc::_exit(0) }
        }
        Ok(Self { child, reading, deadline: now + MOST_MS })
    }

    pub fn watched(&self) -> libc::pollfd {
        sys::watch(&self.reading, libc::POLLIN)
    }

    pub fn deadline(&self) -> u64 {
        self.deadline
    }

    pub fn is_open(&self, now: u64) -> bool {
        now < self.deadline
    }

    /// Returns `Ok(None)` until there is an answer. Fails if the parsing process ended without an answer.
    pub fn told(&self) -> io::Result<Option<Told>> {
        told_on(&self.reading)
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        // SAFETY: the child has not been waited for, so no other process has its number.
        unsafe {
            libc::kill(self.child, libc::SIGKILL);
            libc::waitpid(self.child, std::ptr::null_mut(), 0);
        }
    }
}

fn told_on(reading: &OwnedFd) -> io::Result<Option<Told>> {
    let mut bytes = [0; 64];
    match sys::read(reading, &mut bytes) {
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
        Err(error) => Err(error),
        Ok(size) => told_in(&bytes[..size]).map(Some).ok_or_else(|| io::Error::other("no answer")),
    }
}

const REFUSED: u8 = 0;
const GIVEN: u8 = 1;
/// First byte of an answer with a lease; the lease's server and its three durations follow.
const LEASED: u8 = 2;

/// Returns an answer as bytes: kind; for a lease, its server and durations; then address, prefix length, router (or zeros), name servers.
fn bytes_of(told: &Told) -> Vec<u8> {
    let Told::Given(Given { configuration, terms }) = told else { return vec![REFUSED] };
    let mut bytes = vec![if terms.is_some() { LEASED } else { GIVEN }];
    if let Some(Terms { server, seconds, renewal, rebinding }) = terms {
        bytes.extend(server.octets());
        bytes.extend([seconds, renewal, rebinding].into_iter().flat_map(|time| time.to_be_bytes()));
    }
    bytes.extend(configuration.address.octets());
    bytes.push(configuration.prefix);
    bytes.extend(configuration.router.unwrap_or(Ipv4Addr::UNSPECIFIED).octets());
    bytes.extend(configuration.resolvers.iter().flat_map(Ipv4Addr::octets));
    bytes
}

/// Returns the answer in these bytes, or `None` if they are malformed: their writer has parsed untrusted data.
fn told_in(bytes: &[u8]) -> Option<Told> {
    let (&kind, rest) = bytes.split_first()?;
    match kind {
        REFUSED => rest.is_empty().then_some(Told::Refused),
        GIVEN => Some(Told::Given(Given { configuration: configuration_in(rest)?, terms: None })),
        LEASED => {
            let number = |at: usize| Some(u32::from_be_bytes(rest.get(at..at + 4)?.try_into().ok()?));
            let terms = Terms::judged(number(0)?.into(), number(4)?, number(8), number(12))?;
            Some(Told::Given(Given { configuration: configuration_in(rest.get(16..)?)?, terms: Some(terms) }))
        }
        _ => None,
    }
}

fn configuration_in(bytes: &[u8]) -> Option<Configuration> {
    let address = |at: usize| Some(Ipv4Addr::from(<[u8; 4]>::try_from(bytes.get(at..at + 4)?).ok()?));
    let configuration = Configuration {
        address: address(0)?,
        prefix: *bytes.get(4)?,
        router: Some(address(5)?).filter(|router| !router.is_unspecified()),
        resolvers: (9..bytes.len()).step_by(4).map(address).collect::<Option<_>>()?,
    };
    configuration.judged().ok()
}

fn converse(socket: &OwnedFd, name: &str, question: Question, report: &OwnedFd) -> io::Result<Told> {
    card::up(socket, name)?;
    listen(socket, name)?;
    let random = sys::random()?;
    let transaction = u32::from_ne_bytes([random[0], random[1], random[2], random[3]]);
    let asker = Asker { transaction, card: card::hardware_address(socket, name)? };
    shut_in([socket, report])?;
    match question {
        Question::Anew => first(socket, asker),
        Question::More { address, server } => more(socket, asker, address, server.unwrap_or(Ipv4Addr::BROADCAST)),
    }
}

/// Returns the first address that is acknowledged, and asks again if an offer is withdrawn. Fails with `TimedOut` after `TRIES`.
fn first(socket: &OwnedFd, asker: Asker) -> io::Result<Told> {
    for _ in 0..TRIES {
        say(socket, Ipv4Addr::BROADCAST, &asker.discover())?;
        let Some(offer) = hear(socket, asker, sys::now() + ANSWER_WITHIN_MS, offered) else { continue };
        say(socket, Ipv4Addr::BROADCAST, &asker.request(offer))?;
        if let Some(given @ Told::Given(_)) = hear(socket, asker, sys::now() + ANSWER_WITHIN_MS, decided) {
            return Ok(given);
        }
    }
    Err(io::ErrorKind::TimedOut.into())
}

fn more(socket: &OwnedFd, asker: Asker, address: Ipv4Addr, to: Ipv4Addr) -> io::Result<Told> {
    say(socket, to, &asker.renew(address))?;
    hear(socket, asker, sys::now() + ANSWER_WITHIN_MS, decided).ok_or_else(|| io::ErrorKind::TimedOut.into())
}

/// A user id that no process has: those of a page's processes are below 65,001.
const NOBODY: u32 = 65_534;

/// Confines this process before it reads untrusted data: afterwards it has only the descriptors in `kept`, has no right, and can open no file.
fn shut_in(kept: [&OwnedFd; 2]) -> io::Result<()> {
    let [one, other] = kept.map(|kept| i64::from(kept.as_raw_fd()));
    let (low, high) = (one.min(other), one.max(other));
    for (from, to) in [(0, low - 1), (low + 1, high - 1), (high + 1, i64::from(u32::MAX))] {
        if from <= to {
            // SAFETY: all arguments are numbers; the process owns only copies of init's other descriptors, which end with it.
            unsafe { sys::call(libc::SYS_close_range, [from, to, 0, 0, 0]) }?;
        }
    }
    rights::drop_all(NOBODY)?;
    landlock::confine(std::iter::empty())
}

const CLIENT_PORT: u16 = 68;
const SERVER_PORT: u16 = 67;

/// Binds the socket to this card and to the port of clients, and allows messages to everyone on the link.
fn listen(socket: &OwnedFd, name: &str) -> io::Result<()> {
    let yes: libc::c_int = 1;
    set(socket, libc::SO_BINDTODEVICE, name.as_ptr().cast(), name.len())?;
    set(socket, libc::SO_BROADCAST, (&raw const yes).cast(), size_of_val(&yes))?;
    sys::never_block(socket)?;
    let own = place(Ipv4Addr::UNSPECIFIED, CLIENT_PORT);
    // SAFETY: the pointer is to a complete struct of the stated size.
    check(unsafe { libc::bind(socket.as_raw_fd(), (&raw const own).cast(), size_of_val(&own) as u32) }).map(drop)
}

fn set(socket: &OwnedFd, option: libc::c_int, value: *const libc::c_void, size: usize) -> io::Result<()> {
    // SAFETY: the callers pass the address of a value and its size.
    check(unsafe { libc::setsockopt(socket.as_raw_fd(), libc::SOL_SOCKET, option, value, size as u32) }).map(drop)
}

fn place(address: Ipv4Addr, port: u16) -> libc::sockaddr_in {
    libc::sockaddr_in {
        sin_family: libc::AF_INET as libc::sa_family_t,
        sin_port: port.to_be(),
        sin_addr: libc::in_addr { s_addr: u32::from(address).to_be() },
        sin_zero: [0; 8],
    }
}

fn say(socket: &OwnedFd, to: Ipv4Addr, bytes: &[u8]) -> io::Result<()> {
    let server = place(to, SERVER_PORT);
    // SAFETY: the buffer and the struct have the stated lengths.
    check(unsafe {
        libc::sendto(
            socket.as_raw_fd(),
            bytes.as_ptr().cast(),
            bytes.len(),
            0,
            (&raw const server).cast(),
            size_of_val(&server) as u32,
        )
    })
    .map(drop)
}

/// Calls `wanted` with each answer that is meant for this asker, and returns its first result. Returns `None` if
/// `wanted` accepts no answer in time. All other messages on the link are skipped, and do not extend the time.
fn hear<T>(socket: &OwnedFd, asker: Asker, deadline: u64, wanted: impl Fn(Answer) -> Option<T>) -> Option<T> {
    let mut bytes = [0; MOST_BYTES];
    loop {
        let size = sys::read_before(socket, &mut bytes, deadline).ok()??;
        let found = asker.read(&bytes[..size]).and_then(&wanted);
        if found.is_some() || sys::now() >= deadline {
            return found;
        }
    }
}

fn offered(answer: Answer) -> Option<Offer> {
    match answer {
        Answer::Offer(offer) => Some(offer),
        Answer::Acknowledged(_) | Answer::Refused => None,
    }
}

fn decided(answer: Answer) -> Option<Told> {
    match answer {
        Answer::Acknowledged(given) => Some(Told::Given(given)),
        Answer::Refused => Some(Told::Refused),
        Answer::Offer(_) => None,
    }
}

#[cfg(test)]
mod tests;
