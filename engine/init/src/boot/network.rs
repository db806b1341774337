//! How the machine comes to an address before anything is started: as the page says, or as whoever answers on the link says.
//! The answers are read in a process of their own, which has lost all rights by then and hands back a few bytes: a fault in
//! reading them is not init's.

use super::modules;
use crate::jail::{landlock, rights};
use crate::manifest::Network;
use crate::network::dhcp::{Answer, Asker, MOST_BYTES, Offer};
use crate::network::{Configuration, card};
use crate::refusal::Checked;
use crate::sys::{self, check};
use std::io;
use std::net::Ipv4Addr;
use std::os::fd::{AsRawFd as _, OwnedFd};

/// The card of the machine, and what it is given.
#[derive(Debug, Clone)]
pub struct Card {
    pub name: String,
    pub configuration: Configuration,
}

/// How often a server is asked, and how long each time is waited for an answer.
const TRIES: u32 = 5;
const ANSWER_WITHIN_MS: u64 = 2_000;
/// Each try waits for two answers. Whoever reads them and takes longer is waited for no more, whatever keeps it.
const MOST_MS: u64 = TRIES as u64 * 2 * ANSWER_WITHIN_MS + 1_000;

/// Loads the driver. Must come before the first root is left, where it lies.
pub fn load(network: &Network) -> Checked<()> {
    if *network == Network::None { Ok(()) } else { modules::load("net") }
}

/// `Ok(None)`: the page has no network. A sentence: it has one, and the machine has not; it starts all the same.
pub fn prepare(network: &Network) -> Result<Option<Card>, String> {
    if *network == Network::None {
        return Ok(None);
    }
    let name = card::find().map_err(String::from)?;
    let configuration = match network {
        Network::None => return Ok(None),
        Network::Fixed(configuration) => configuration.clone(),
        Network::Dhcp => by_dhcp(&name).map_err(|error| format!("no address by DHCP: {error}"))?,
    };
    Ok(Some(Card { name, configuration }))
}

fn by_dhcp(name: &str) -> io::Result<Configuration> {
    let (reading, writing) = sys::pipe()?;
    // SAFETY: one thread, so the child goes on in a copy of what this one has; it ends in `_exit`.
    let child = check(unsafe { libc::fork() })?;
    if child == 0 {
        let found = converse(name, &writing).map(|configuration| bytes_of(&configuration));
        let _ = sys::write(&writing, &found.unwrap_or_default());
        // SAFETY: ends the child at once, without running what belongs to init.
        unsafe { libc::_exit(0) }
    }
    drop(writing);
    let found = handed_back(&reading, sys::now() + MOST_MS);
    // SAFETY: a child of ours that was not waited for: nobody else has its number.
    unsafe {
        check(libc::kill(child, libc::SIGKILL))?;
        check(libc::waitpid(child, std::ptr::null_mut(), 0))?;
    }
    found
}

fn handed_back(reading: &OwnedFd, deadline: u64) -> io::Result<Configuration> {
    let mut bytes = [0; 64];
    let size = sys::read_before(reading, &mut bytes, deadline)?.unwrap_or(0);
    configuration_in(&bytes[..size]).ok_or_else(|| io::Error::other("nobody answers"))
}

/// Address, length of the prefix, router (or zeros), name servers.
fn bytes_of(configuration: &Configuration) -> Vec<u8> {
    let mut bytes = configuration.address.octets().to_vec();
    bytes.push(configuration.prefix);
    bytes.extend(configuration.router.unwrap_or(Ipv4Addr::UNSPECIFIED).octets());
    bytes.extend(configuration.resolvers.iter().flat_map(Ipv4Addr::octets));
    bytes
}

/// Judged once more: who wrote it has read what strangers say.
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

fn converse(name: &str, report: &OwnedFd) -> io::Result<Configuration> {
    let socket = card::datagrams()?;
    card::up(&socket, name)?;
    listen(&socket, name)?;
    let random = sys::random()?;
    let transaction = u32::from_ne_bytes([random[0], random[1], random[2], random[3]]);
    let card = card::hardware_address(name).ok_or(io::ErrorKind::NotFound)?;
    let asker = Asker { transaction, card };
    shut_in([&socket, report])?;
    for _ in 0..TRIES {
        say(&socket, &asker.discover())?;
        let Some(offer) = hear(&socket, asker, sys::now() + ANSWER_WITHIN_MS, offered) else { continue };
        say(&socket, &asker.request(offer))?;
        if let Some(Some(configuration)) = hear(&socket, asker, sys::now() + ANSWER_WITHIN_MS, decided) {
            return Ok(configuration);
        }
    }
    Err(io::ErrorKind::TimedOut.into())
}

/// No user of a page's processes: those are below 65,001.
const NOBODY: u32 = 65_534;

/// Before anything of a stranger's is read: no other descriptor, no right, and no file that could be opened.
fn shut_in(kept: [&OwnedFd; 2]) -> io::Result<()> {
    let [one, other] = kept.map(|kept| i64::from(kept.as_raw_fd()));
    let (low, high) = (one.min(other), one.max(other));
    for (from, to) in [(0, low - 1), (low + 1, high - 1), (high + 1, i64::from(u32::MAX))] {
        if from <= to {
            // SAFETY: numbers; whatever else stands there is the copy of init's, which this process ends without.
            unsafe { sys::call(libc::SYS_close_range, [from, to, 0, 0, 0]) }?;
        }
    }
    rights::drop_all(NOBODY)?;
    landlock::confine(std::iter::empty())
}

const CLIENT_PORT: u16 = 68;
const SERVER_PORT: u16 = 67;

/// On this card alone, to everybody on its link.
fn listen(socket: &OwnedFd, name: &str) -> io::Result<()> {
    let yes: libc::c_int = 1;
    set(socket, libc::SO_BINDTODEVICE, name.as_ptr().cast(), name.len())?;
    set(socket, libc::SO_BROADCAST, (&raw const yes).cast(), size_of_val(&yes))?;
    sys::never_block(socket)?;
    let own = place(Ipv4Addr::UNSPECIFIED, CLIENT_PORT);
    // SAFETY: a whole struct of the size that is said.
    check(unsafe { libc::bind(socket.as_raw_fd(), (&raw const own).cast(), size_of_val(&own) as u32) }).map(drop)
}

fn set(socket: &OwnedFd, option: libc::c_int, value: *const libc::c_void, size: usize) -> io::Result<()> {
    // SAFETY: the callers give the address of a value and its size.
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

fn say(socket: &OwnedFd, bytes: &[u8]) -> io::Result<()> {
    let everybody = place(Ipv4Addr::BROADCAST, SERVER_PORT);
    // SAFETY: the buffer and the struct are as long as is said.
    check(unsafe {
        libc::sendto(
            socket.as_raw_fd(),
            bytes.as_ptr().cast(),
            bytes.len(),
            0,
            (&raw const everybody).cast(),
            size_of_val(&everybody) as u32,
        )
    })
    .map(drop)
}

/// The first answer to this asker that is `wanted`. What a second server says meanwhile, and whoever fills the link with
/// anything else, is passed over and wins no time by it.
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

/// `Some(None)`: the server takes its offer back.
fn decided(answer: Answer) -> Option<Option<Configuration>> {
    match answer {
        Answer::Acknowledged(configuration) => Some(Some(configuration)),
        Answer::Refused => Some(None),
        Answer::Offer(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::dhcp::tests::{ASKER, acknowledged, offer, refused};
    use std::net::UdpSocket;

    /// A socket as the asker has it, at which these datagrams lie.
    fn told(datagrams: &[&[u8]]) -> OwnedFd {
        let [own, other] = [(); 2].map(|()| UdpSocket::bind("127.0.0.1:0").unwrap());
        for datagram in datagrams {
            other.send_to(datagram, own.local_addr().unwrap()).unwrap();
        }
        own.set_nonblocking(true).unwrap();
        own.into()
    }

    const FAR: u64 = u64::MAX;

    #[test]
    fn what_is_not_awaited_costs_no_answer() {
        let (offer, acknowledged) = (offer(), acknowledged());
        let socket = told(&[b"", b"noise", &acknowledged, &offer, &offer, &acknowledged]);
        assert!(hear(&socket, ASKER, FAR, offered).is_some());
        assert!(matches!(hear(&socket, ASKER, FAR, decided), Some(Some(_))), "a second server's offer came between");
        assert_eq!(hear(&told(&[&offer, &refused()]), ASKER, FAR, decided), Some(None));
    }

    #[test]
    fn who_talks_without_end_wins_no_time() {
        let socket = told(&[b"noise", b"noise", &offer()]);
        assert_eq!(hear(&socket, ASKER, 0, offered), None);
        assert_eq!(hear(&told(&[]), ASKER, 0, offered), None);
    }

    #[test]
    fn who_hands_nothing_back_is_not_waited_for() {
        let (reading, writing) = sys::pipe().unwrap();
        assert!(handed_back(&reading, 0).is_err());
        let found = Configuration { address: [10, 0, 2, 15].into(), prefix: 24, router: None, resolvers: Vec::new() };
        sys::write(&writing, &bytes_of(&found)).unwrap();
        assert_eq!(handed_back(&reading, FAR).unwrap(), found);
        drop(writing);
        assert!(handed_back(&reading, FAR).is_err());
    }

    #[test]
    fn what_is_handed_back_is_what_was_found_and_nothing_odd() {
        let [address, router, one, two] = [[10, 0, 2, 15], [10, 0, 2, 2], [10, 0, 2, 3], [9, 9, 9, 9]].map(Ipv4Addr::from);
        let found = Configuration { address, prefix: 24, router: Some(router), resolvers: vec![one, two] };
        assert_eq!(configuration_in(&bytes_of(&found)), Some(found.clone()));
        let alone = Configuration { router: None, resolvers: Vec::new(), ..found.clone() };
        assert_eq!(configuration_in(&bytes_of(&alone)), Some(alone));
        let bytes = bytes_of(&found);
        for size in [0, 4, 8, 10, 16] {
            assert_eq!(configuration_in(&bytes[..size]), None, "{size}");
        }
        assert_eq!(configuration_in(&[0; 17]), None);
    }
}
