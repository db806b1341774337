//! The messages of DHCP (RFC 2131) that a machine with one address needs: to discover, to
//! request, to extend, and the answers. Bytes of an answer are untrusted, and every access is
//! checked.

use super::configuration::{Configuration, MOST_RESOLVERS};
use super::lease::Terms;
use std::net::Ipv4Addr;

/// Maximum size of a frame on a link.
pub const MOST_BYTES: usize = 1500;

/// Bytes before the options: op, addresses, 16 bytes of hardware address, unused names, and four magic bytes.
const FIXED: usize = 240;
const COOKIE: [u8; 4] = [99, 130, 83, 99];

const MASK: u8 = 1;
const ROUTER: u8 = 3;
const RESOLVERS: u8 = 6;
const WANTED_ADDRESS: u8 = 50;
const LEASE: u8 = 51;
const KIND: u8 = 53;
const SERVER: u8 = 54;
const WANTED_OPTIONS: u8 = 55;
const RENEWAL: u8 = 58;
const REBINDING: u8 = 59;
const PADDING: u8 = 0;
const END: u8 = 255;

const DISCOVER: u8 = 1;
const OFFER: u8 = 2;
const REQUEST: u8 = 3;
const ACKNOWLEDGED: u8 = 5;
const REFUSED: u8 = 6;

/// Identifies the exchange to which a message belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asker {
    pub transaction: u32,
    pub card: [u8; 6],
}

#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    Offer(Offer),
    Acknowledged(Given),
    Refused,
}

/// An address and its terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    pub configuration: Configuration,
    /// `None` if the address does not expire, or the server stated no time.
    pub terms: Option<Terms>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offer {
    pub address: Ipv4Addr,
    pub server: Ipv4Addr,
}

impl Asker {
    pub fn discover(self) -> Vec<u8> {
        self.message(None, &[(KIND, &[DISCOVER])])
    }

    pub fn request(self, offer: Offer) -> Vec<u8> {
        let (address, server) = (offer.address.octets(), offer.server.octets());
        self.message(None, &[(KIND, &[REQUEST]), (WANTED_ADDRESS, &address), (SERVER, &server)])
    }

    /// Requests an extension of an address, from the server that gave it or from any server.
    pub fn renew(self, address: Ipv4Addr) -> Vec<u8> {
        self.message(Some(address), &[(KIND, &[REQUEST])])
    }

    /// Returns a message with these options. A card without an address (`own`) cannot receive a direct answer, so a flag then requests a broadcast on the link.
    fn message(self, own: Option<Ipv4Addr>, options: &[(u8, &[u8])]) -> Vec<u8> {
        let mut bytes = vec![0; FIXED];
        bytes[..4].copy_from_slice(&[1, 1, 6, 0]);
        bytes[4..8].copy_from_slice(&self.transaction.to_be_bytes());
        match own {
            None => bytes[10] = 0x80,
            Some(address) => bytes[12..16].copy_from_slice(&address.octets()),
        }
        bytes[28..34].copy_from_slice(&self.card);
        bytes[FIXED - 4..].copy_from_slice(&COOKIE);
        for (code, value) in options.iter().chain([&(WANTED_OPTIONS, &[MASK, ROUTER, RESOLVERS][..])]) {
            bytes.extend([*code, value.len() as u8]);
            bytes.extend(*value);
        }
        bytes.push(END);
        bytes
    }

    /// Returns the answer to this asker, or `None` if the bytes are not an answer or are for another asker.
    pub fn read(self, bytes: &[u8]) -> Option<Answer> {
        let is_ours = bytes.get(..4)? == [2, 1, 6, 0]
            && bytes.get(4..8)? == self.transaction.to_be_bytes()
            && bytes.get(28..34)? == self.card
            && bytes.get(FIXED - 4..FIXED)? == COOKIE;
        if !is_ours {
            return None;
        }
        let address = address(bytes.get(16..20)?)?;
        let options = Options(bytes.get(FIXED..MOST_BYTES.min(bytes.len()))?);
        match options.find(KIND)? {
            [OFFER] => Some(Answer::Offer(Offer { address, server: self::address(options.find(SERVER)?)? })),
            [ACKNOWLEDGED] => {
                Some(Answer::Acknowledged(Given { configuration: options.configuration(address)?, terms: options.terms() }))
            }
            [REFUSED] => Some(Answer::Refused),
            _ => None,
        }
    }
}

#[derive(Clone, Copy)]
struct Options<'a>(&'a [u8]);

impl<'a> Options<'a> {
    /// Returns the first option with this code, or `None` if there is none. An incomplete option ends the search.
    fn find(self, code: u8) -> Option<&'a [u8]> {
        let mut rest = self.0;
        loop {
            let (&found, after) = rest.split_first()?;
            match found {
                PADDING => rest = after,
                END => return None,
                _ => {
                    let (&size, after) = after.split_first()?;
                    let value = after.get(..size.into())?;
                    if found == code {
                        return Some(value);
                    }
                    rest = &after[size.into()..];
                }
            }
        }
    }

    fn terms(self) -> Option<Terms> {
        let seconds = |code: u8| Some(u32::from_be_bytes(self.find(code)?.try_into().ok()?));
        Terms::judged(self::address(self.find(SERVER)?)?, seconds(LEASE)?, seconds(RENEWAL), seconds(REBINDING))
    }

    fn configuration(self, address: Ipv4Addr) -> Option<Configuration> {
        let mask = u32::from(self::address(self.find(MASK)?)?);
        let router = self.find(ROUTER).and_then(|routers| self::address(routers.get(..4)?));
        let resolvers = self.find(RESOLVERS).unwrap_or_default().chunks_exact(4).take(MOST_RESOLVERS);
        let configuration = Configuration {
            address,
            prefix: u8::try_from(mask.leading_ones()).ok().filter(|_| mask.leading_ones() + mask.trailing_zeros() >= 32)?,
            router,
            resolvers: resolvers.filter_map(self::address).collect(),
        };
        configuration.judged().ok()
    }
}

fn address(bytes: &[u8]) -> Option<Ipv4Addr> {
    <[u8; 4]>::try_from(bytes).ok().map(Ipv4Addr::from)
}

#[cfg(test)]
pub mod tests;
