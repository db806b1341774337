//! How the machine comes to an address before anything is started: as the page says, or as whoever answers on the link says.
//! The answers are read in a process of their own that hands back a few bytes: a fault in reading them is not init's.

use super::modules;
use crate::manifest::Network;
use crate::network::dhcp::{Answer, Asker, MOST_BYTES};
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
const ANSWER_WITHIN_SECONDS: i64 = 2;

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
        let found = converse(name).map(|configuration| bytes_of(&configuration));
        let _ = sys::write(&writing, &found.unwrap_or_default());
        // SAFETY: ends the child at once, without running what belongs to init.
        unsafe { libc::_exit(0) }
    }
    drop(writing);
    let mut bytes = [0; 64];
    let size = sys::read(&reading, &mut bytes)?;
    // SAFETY: a child of ours that was not waited for.
    check(unsafe { libc::waitpid(child, std::ptr::null_mut(), 0) })?;
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

fn converse(name: &str) -> io::Result<Configuration> {
    let socket = card::datagrams()?;
    card::up(&socket, name)?;
    listen(&socket, name)?;
    let random = sys::random()?;
    let transaction = u32::from_ne_bytes([random[0], random[1], random[2], random[3]]);
    let card = card::hardware_address(name).ok_or(io::ErrorKind::NotFound)?;
    let asker = Asker { transaction, card };
    for _ in 0..TRIES {
        say(&socket, &asker.discover())?;
        let Some(Answer::Offer(offer)) = hear(&socket, asker) else { continue };
        say(&socket, &asker.request(offer))?;
        if let Some(Answer::Acknowledged(configuration)) = hear(&socket, asker) {
            return Ok(configuration);
        }
    }
    Err(io::ErrorKind::TimedOut.into())
}

const CLIENT_PORT: u16 = 68;
const SERVER_PORT: u16 = 67;

/// On this card alone, to everybody on its link.
fn listen(socket: &OwnedFd, name: &str) -> io::Result<()> {
    let yes: libc::c_int = 1;
    let wait = libc::timeval { tv_sec: ANSWER_WITHIN_SECONDS, tv_usec: 0 };
    set(socket, libc::SO_BINDTODEVICE, name.as_ptr().cast(), name.len())?;
    set(socket, libc::SO_BROADCAST, (&raw const yes).cast(), size_of_val(&yes))?;
    set(socket, libc::SO_RCVTIMEO, (&raw const wait).cast(), size_of_val(&wait))?;
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

/// The first answer to this asker; whoever fills the link with others has a few tries.
fn hear(socket: &OwnedFd, asker: Asker) -> Option<Answer> {
    const MOST_STRANGERS: usize = 64;
    let mut bytes = [0; MOST_BYTES];
    (0..MOST_STRANGERS).map_while(|_| sys::read(socket, &mut bytes).ok().map(|size| asker.read(&bytes[..size]))).flatten().next()
}

#[cfg(test)]
mod tests {
    use super::*;

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
