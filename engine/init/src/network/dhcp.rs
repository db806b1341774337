//! The messages of DHCP (RFC 2131), as little of them as a machine needs that asks for one address: to discover, to
//! request, and what is answered. Bytes of an answer come from anybody on the link, and are looked at in bounds.

use super::{Configuration, MOST_RESOLVERS};
use std::net::Ipv4Addr;

/// A link's frame has room for no more.
pub const MOST_BYTES: usize = 1500;

/// Up to the options: op, addresses, 16 bytes of hardware address, names that nobody uses, and four bytes that begin them.
const FIXED: usize = 240;
const COOKIE: [u8; 4] = [99, 130, 83, 99];

const MASK: u8 = 1;
const ROUTER: u8 = 3;
const RESOLVERS: u8 = 6;
const WANTED_ADDRESS: u8 = 50;
const KIND: u8 = 53;
const SERVER: u8 = 54;
const WANTED_OPTIONS: u8 = 55;
const PADDING: u8 = 0;
const END: u8 = 255;

const DISCOVER: u8 = 1;
const OFFER: u8 = 2;
const REQUEST: u8 = 3;
const ACKNOWLEDGED: u8 = 5;
const REFUSED: u8 = 6;

/// Which conversation a message belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asker {
    pub transaction: u32,
    pub card: [u8; 6],
}

#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    Offer(Offer),
    Acknowledged(Configuration),
    Refused,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offer {
    pub address: Ipv4Addr,
    pub server: Ipv4Addr,
}

impl Asker {
    pub fn discover(self) -> Vec<u8> {
        self.message(&[(KIND, &[DISCOVER])])
    }

    pub fn request(self, offer: Offer) -> Vec<u8> {
        let (address, server) = (offer.address.octets(), offer.server.octets());
        self.message(&[(KIND, &[REQUEST]), (WANTED_ADDRESS, &address), (SERVER, &server)])
    }

    /// The flag asks that everybody on the link be answered: the card has no address to be answered at.
    fn message(self, options: &[(u8, &[u8])]) -> Vec<u8> {
        let mut bytes = vec![0; FIXED];
        bytes[..4].copy_from_slice(&[1, 1, 6, 0]);
        bytes[4..8].copy_from_slice(&self.transaction.to_be_bytes());
        bytes[10] = 0x80;
        bytes[28..34].copy_from_slice(&self.card);
        bytes[FIXED - 4..].copy_from_slice(&COOKIE);
        for (code, value) in options.iter().chain([&(WANTED_OPTIONS, &[MASK, ROUTER, RESOLVERS][..])]) {
            bytes.extend([*code, value.len() as u8]);
            bytes.extend(*value);
        }
        bytes.push(END);
        bytes
    }

    /// What is answered to this asker; none where it is no answer, or one to somebody else.
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
            [ACKNOWLEDGED] => Some(Answer::Acknowledged(options.configuration(address)?)),
            [REFUSED] => Some(Answer::Refused),
            _ => None,
        }
    }
}

#[derive(Clone, Copy)]
struct Options<'a>(&'a [u8]);

impl<'a> Options<'a> {
    /// The first one of a code. One that is not whole ends the search.
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
pub mod tests {
    use super::*;
    use crate::chance::Chance;

    pub const ASKER: Asker = Asker { transaction: 0x0102_0304, card: [0x52, 0x54, 0, 0x12, 0x34, 0x56] };

    /// What a server says to the asker, with these options.
    fn answer(kind: u8, options: &[(u8, &[u8])]) -> Vec<u8> {
        let mut bytes = ASKER.message(&[]);
        bytes.truncate(FIXED);
        bytes[0] = 2;
        bytes[16..20].copy_from_slice(&[10, 0, 2, 15]);
        for (code, value) in [(KIND, &[kind][..])].iter().chain(options) {
            bytes.extend([*code, value.len() as u8]);
            bytes.extend(*value);
        }
        bytes.push(END);
        bytes
    }

    pub fn offer() -> Vec<u8> {
        answer(OFFER, &[(SERVER, &[10, 0, 2, 2])])
    }

    pub fn refused() -> Vec<u8> {
        answer(REFUSED, &[])
    }

    pub fn acknowledged() -> Vec<u8> {
        answer(ACKNOWLEDGED, &[(MASK, &[255, 255, 255, 0]), (ROUTER, &[10, 0, 2, 2]), (RESOLVERS, &[10, 0, 2, 3, 9, 9, 9, 9])])
    }

    #[test]
    fn an_offer_is_requested_from_who_made_it() {
        let made = Offer { address: [10, 0, 2, 15].into(), server: [10, 0, 2, 2].into() };
        assert_eq!(ASKER.read(&offer()), Some(Answer::Offer(made)));
        let request = ASKER.request(made);
        let options = Options(&request[FIXED..]);
        assert_eq!(options.find(KIND), Some(&[REQUEST][..]));
        assert_eq!(options.find(WANTED_ADDRESS), Some(&[10, 0, 2, 15][..]));
        assert_eq!(options.find(SERVER), Some(&[10, 0, 2, 2][..]));
        assert_eq!(Options(&ASKER.discover()[FIXED..]).find(KIND), Some(&[DISCOVER][..]));
    }

    #[test]
    fn what_is_acknowledged_is_address_router_and_name_servers() {
        let Some(Answer::Acknowledged(given)) = ASKER.read(&acknowledged()) else { panic!("no answer") };
        assert_eq!((given.address.to_string().as_str(), given.prefix), ("10.0.2.15", 24));
        assert_eq!(given.router, Some([10, 0, 2, 2].into()));
        assert_eq!(given.resolvers, [Ipv4Addr::from([10, 0, 2, 3]), Ipv4Addr::from([9, 9, 9, 9])]);
        assert_eq!(ASKER.read(&refused()), Some(Answer::Refused));
    }

    #[test]
    fn what_is_said_to_somebody_else_is_not_heard() {
        for at in [0, 1, 2, 4, 7, 28, 33, FIXED - 1] {
            let mut bytes = acknowledged();
            bytes[at] ^= 1;
            assert_eq!(ASKER.read(&bytes), None, "{at}");
        }
    }

    #[test]
    fn what_no_machine_can_have_is_no_answer() {
        for options in [
            &[][..],
            &[(MASK, &[255, 0, 255, 0][..])],
            &[(MASK, &[255, 255, 255, 255])],
            &[(MASK, &[255, 255, 255])],
            &[(MASK, &[255, 255, 255, 0]), (ROUTER, &[127, 0, 0, 1])],
            &[(MASK, &[255, 255, 255, 0]), (ROUTER, &[10, 9, 9, 9])],
            &[(MASK, &[255, 255, 255, 0]), (RESOLVERS, &[127, 0, 0, 53])],
        ] {
            assert_eq!(ASKER.read(&answer(ACKNOWLEDGED, options)), None, "{options:?}");
        }
    }

    #[test]
    fn half_an_answer_is_none() {
        let whole = acknowledged();
        for size in 0..FIXED + 6 {
            assert_eq!(ASKER.read(&whole[..size]), None, "{size}");
        }
    }

    #[test]
    fn no_bytes_are_too_odd_to_be_read() {
        let mut chance = Chance::new(7);
        for _ in 0..20_000 {
            let bytes = chance.spoil(&acknowledged());
            if let Some(Answer::Acknowledged(given)) = ASKER.read(&bytes) {
                assert!(given.judged().is_ok());
            }
        }
    }
}
