//! Finds the network card, enables it, gives it an address, and moves it into the namespace of its process. The old ioctl calls on a socket
//! suffice for one address and one route; only the move of the card needs a netlink message.

use super::configuration::Configuration;
use crate::sys::{self, check};
use std::fs;
use std::io;
use std::net::Ipv4Addr;
use std::os::fd::{AsRawFd, FromRawFd as _, OwnedFd};

const CARDS: &str = "/sys/class/net";

/// Returns the machine's only card. Fails if the machine has no card, or several cards.
pub fn find() -> Result<String, &'static str> {
    let entries = fs::read_dir(CARDS).map_err(|_| "the kernel does not tell of cards")?;
    let mut names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).filter(|name| name != "lo");
    match (names.next(), names.next()) {
        (Some(name), None) if name.len() < libc::IFNAMSIZ => Ok(name),
        (None, _) => Err("it has no network card"),
        _ => Err("it has several network cards"),
    }
}

/// Returns whether the card is in the caller's namespace. After the process that had the card
/// has ended, the kernel returns the card with a delay, which is longer on a busy machine.
pub fn is_here(name: &str) -> bool {
    datagrams().is_ok_and(|socket| set(&socket, libc::SIOCGIFINDEX, &mut request(name)).is_ok())
}

/// Returns the hardware address of a card in the socket's namespace. Fails if the namespace has no such card.
pub fn hardware_address(socket: &OwnedFd, name: &str) -> io::Result<[u8; 6]> {
    let mut request = request(name);
    set(socket, libc::SIOCGIFHWADDR, &mut request)?;
    // SAFETY: `set` has filled `ifru_hwaddr`, this member of the union.
    let data = unsafe { request.ifr_ifru.ifru_hwaddr.sa_data };
    let mut bytes = [0; 6];
    bytes.iter_mut().zip(data).for_each(|(byte, sign)| *byte = sign as u8);
    Ok(bytes)
}

/// Returns a socket of the caller's own namespace, with which its cards are configured.
pub fn datagrams() -> io::Result<OwnedFd> {
    socket(libc::AF_INET, libc::SOCK_DGRAM, 0)
}

/// Returns a socket with which the cards in the namespace of a process are configured. The function enters that namespace and then returns to its own, so the caller must have only one thread.
pub fn datagrams_of(process: &OwnedFd) -> io::Result<OwnedFd> {
    let own = fs::File::open("/proc/self/ns/net")?;
    enter(process)?;
    let socket = datagrams();
    enter(&own)?;
    socket
}

fn enter(namespace: &impl AsRawFd) -> io::Result<()> {
    // SAFETY: all arguments are numbers.
    check(unsafe { libc::setns(namespace.as_raw_fd(), libc::CLONE_NEWNET) }).map(drop)
}

fn socket(family: i32, kind: i32, protocol: i32) -> io::Result<OwnedFd> {
    // SAFETY: all arguments are numbers; nothing else owns the new descriptor.
    unsafe { Ok(OwnedFd::from_raw_fd(check(libc::socket(family, kind | libc::SOCK_CLOEXEC, protocol))?)) }
}

pub fn up(socket: &OwnedFd, name: &str) -> io::Result<()> {
    let mut request = request(name);
    set(socket, libc::SIOCGIFFLAGS, &mut request)?;
    // SAFETY: `set` has filled `ifru_flags`, this member of the union.
    let flags = unsafe { request.ifr_ifru.ifru_flags };
    request.ifr_ifru.ifru_flags = flags | libc::IFF_UP as libc::c_short;
    set(socket, libc::SIOCSIFFLAGS, &mut request)
}

/// Removes the card's address, and so every route over it.
pub fn take_away(socket: &OwnedFd, name: &str) -> io::Result<()> {
    let mut request = request(name);
    request.ifr_ifru.ifru_addr = place(Ipv4Addr::UNSPECIFIED);
    set(socket, libc::SIOCSIFADDR, &mut request)
}

/// Gives an address to an enabled card without one, and sets the default route.
pub fn give(socket: &OwnedFd, name: &str, configuration: &Configuration) -> io::Result<()> {
    for (number, value) in [(libc::SIOCSIFADDR, configuration.address), (libc::SIOCSIFNETMASK, configuration.mask())] {
        let mut request = request(name);
        request.ifr_ifru.ifru_addr = place(value);
        set(socket, number, &mut request)?;
    }
    let Some(router) = configuration.router else { return Ok(()) };
    // SAFETY: a zeroed struct is a route to every address, without a source.
    let mut route: libc::rtentry = unsafe { std::mem::zeroed() };
    (route.rt_dst, route.rt_genmask, route.rt_gateway) =
        (place(Ipv4Addr::UNSPECIFIED), place(Ipv4Addr::UNSPECIFIED), place(router));
    route.rt_flags = libc::RTF_UP | libc::RTF_GATEWAY;
    // SAFETY: the pointer is to a whole struct that outlives the call.
    check(unsafe { libc::ioctl(socket.as_raw_fd(), libc::SIOCADDRT, &raw const route) }).map(drop)
}

fn request(name: &str) -> libc::ifreq {
    // SAFETY: a zeroed struct is a request about a card without a name.
    let mut request: libc::ifreq = unsafe { std::mem::zeroed() };
    for (to, from) in request.ifr_name.iter_mut().zip(name.bytes().take(libc::IFNAMSIZ - 1)) {
        *to = from as libc::c_char;
    }
    request
}

fn set(socket: &OwnedFd, number: libc::c_ulong, request: &mut libc::ifreq) -> io::Result<()> {
    // SAFETY: the pointer is to a whole struct that outlives the call.
    check(unsafe { libc::ioctl(socket.as_raw_fd(), number, &raw mut *request) }).map(drop)
}

fn place(address: Ipv4Addr) -> libc::sockaddr {
    let mut bytes = [0; 14];
    bytes[2..6].copy_from_slice(&address.octets().map(|byte| byte as libc::c_char));
    libc::sockaddr { sa_family: libc::AF_INET as libc::sa_family_t, sa_data: bytes }
}

/// Moves the caller, and the card with it, into a new network namespace without other processes.
pub fn take_along(name: &str) -> io::Result<()> {
    let cards = datagrams()?;
    let messages = socket(libc::AF_NETLINK, libc::SOCK_RAW, libc::NETLINK_ROUTE)?;
    let mut asked = request(name);
    set(&cards, libc::SIOCGIFINDEX, &mut asked)?;
    // SAFETY: `set` has filled `ifru_ifindex`, this member of the union; `unshare` has no pointers.
    let index = unsafe {
        check(libc::unshare(libc::CLONE_NEWNET))?;
        asked.ifr_ifru.ifru_ifindex
    };
    // `messages` still acts in the old namespace, where the card is. The process id in the message selects the new namespace.
    let own = std::process::id();
    sys::write(&messages, &move_message(index, own))?;
    let mut answer = [0; 256];
    let size = sys::read(&messages, &mut answer)?;
    match error_in(&answer[..size]) {
        Some(0) => Ok(()),
        Some(error) => Err(io::Error::from_raw_os_error(-error)),
        None => Err(io::Error::other("the kernel did not answer")),
    }
}

const HEADER_BYTES: usize = 16;

/// Returns the message that moves the card with this index to the namespace of this process.
fn move_message(index: i32, process: u32) -> Vec<u8> {
    const LINK_BYTES: usize = 16; // size of struct ifinfomsg
    let mut message = vec![0; HEADER_BYTES + LINK_BYTES];
    message[4..6].copy_from_slice(&libc::RTM_NEWLINK.to_ne_bytes());
    message[6..8].copy_from_slice(&((libc::NLM_F_REQUEST | libc::NLM_F_ACK) as u16).to_ne_bytes());
    message[HEADER_BYTES + 4..HEADER_BYTES + 8].copy_from_slice(&index.to_ne_bytes());
    message.extend(8u16.to_ne_bytes());
    message.extend(libc::IFLA_NET_NS_PID.to_ne_bytes());
    message.extend(process.to_ne_bytes());
    let size = message.len() as u32;
    message[..4].copy_from_slice(&size.to_ne_bytes());
    message
}

/// Returns the kernel's error number, which is negative, or 0 for success; `None` if the answer has another form.
fn error_in(answer: &[u8]) -> Option<i32> {
    let kind = u16::from_ne_bytes(answer.get(4..6)?.try_into().ok()?);
    let error = answer.get(HEADER_BYTES..HEADER_BYTES + 4)?.try_into().ok()?;
    (i32::from(kind) == libc::NLMSG_ERROR).then(|| i32::from_ne_bytes(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_that_moves_the_card_names_the_card_and_the_target_namespace() {
        let message = move_message(2, 77);
        assert_eq!(message.len(), 40);
        assert_eq!(message[..4], 40u32.to_ne_bytes());
        assert_eq!(message[20..24], 2i32.to_ne_bytes());
        assert_eq!(message[36..], 77u32.to_ne_bytes());
    }

    #[test]
    fn a_missing_card_is_reported_as_absent() {
        assert!(is_here("lo") && !is_here("gone0") && !is_here(""));
    }

    #[test]
    fn an_answer_of_the_kernel_is_read_as_an_error_number_or_refused_as_malformed() {
        let answer = |kind: i32, error: i32| {
            let mut bytes = vec![0; HEADER_BYTES];
            bytes[4..6].copy_from_slice(&(kind as u16).to_ne_bytes());
            bytes.extend(error.to_ne_bytes());
            bytes
        };
        assert_eq!(error_in(&answer(libc::NLMSG_ERROR, 0)), Some(0));
        assert_eq!(error_in(&answer(libc::NLMSG_ERROR, -libc::EPERM)), Some(-libc::EPERM));
        assert_eq!(error_in(&answer(libc::NLMSG_DONE, 0)), None);
        assert_eq!(error_in(&[]), None);
    }

    #[test]
    fn an_ipv4_address_is_at_the_offset_that_the_kernel_expects() {
        let place = place([10, 0, 2, 15].into());
        assert_eq!(i32::from(place.sa_family), libc::AF_INET);
        assert_eq!(place.sa_data[..7], [0, 0, 10, 0, 2, 15, 0]);
    }
}
