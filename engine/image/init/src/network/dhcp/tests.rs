use super::*;
use crate::chance::Chance;

pub const ASKER: Asker = Asker { transaction: 0x0102_0304, card: [0x52, 0x54, 0, 0x12, 0x34, 0x56] };

/// Returns a server's message to the asker, with these options.
fn answer(kind: u8, options: &[(u8, &[u8])]) -> Vec<u8> {
    let mut bytes = ASKER.message(None, &[]);
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
fn an_offered_address_is_requested_from_the_server_that_offered_it() {
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
fn an_acknowledgement_has_address_and_router_and_name_servers() {
    let Some(Answer::Acknowledged(Given { configuration: given, terms: None })) = ASKER.read(&acknowledged()) else {
        panic!("no answer")
    };
    assert_eq!((given.address.to_string().as_str(), given.prefix), ("10.0.2.15", 24));
    assert_eq!(given.router, Some([10, 0, 2, 2].into()));
    assert_eq!(given.resolvers, [Ipv4Addr::from([10, 0, 2, 3]), Ipv4Addr::from([9, 9, 9, 9])]);
    assert_eq!(ASKER.read(&refused()), Some(Answer::Refused));
}

#[test]
fn an_extension_is_requested_with_the_present_address() {
    let bytes = ASKER.renew([10, 0, 2, 15].into());
    assert_eq!((bytes[10], &bytes[12..16]), (0, &[10, 0, 2, 15][..]), "it can be answered there");
    let options = Options(&bytes[FIXED..]);
    assert_eq!(options.find(KIND), Some(&[REQUEST][..]));
    // RFC 2131, table 5: a request for an extension states neither the wanted address nor the server as an option.
    assert_eq!((options.find(WANTED_ADDRESS), options.find(SERVER)), (None, None));
}

#[test]
fn a_lease_has_an_end_if_its_server_states_one() {
    let terms = |options: &[(u8, &[u8])]| {
        let whole: Vec<(u8, &[u8])> = [(MASK, &[255, 255, 255, 0][..])].iter().chain(options).copied().collect();
        match ASKER.read(&answer(ACKNOWLEDGED, &whole)) {
            Some(Answer::Acknowledged(Given { terms, .. })) => terms,
            other => panic!("{other:?}"),
        }
    };
    let server = (SERVER, &[10, 0, 2, 2][..]);
    let lease = |seconds: &'static [u8]| (LEASE, seconds);
    let hour = Terms::judged([10, 0, 2, 2].into(), 3600, None, None);
    assert_eq!(terms(&[server, lease(&[0, 0, 14, 16])]), hour);
    let earlier = terms(&[server, lease(&[0, 0, 14, 16]), (RENEWAL, &[0, 0, 0, 100]), (REBINDING, &[0, 0, 0, 200])]);
    assert_eq!(earlier, Terms::judged([10, 0, 2, 2].into(), 3600, Some(100), Some(200)));
    assert!(hour.is_some() && earlier != hour);
    for odd in [&[server][..], &[lease(&[0, 0, 14, 16])], &[server, lease(&[14, 16])], &[server, lease(&[255; 4])]] {
        assert_eq!(terms(odd), None, "{odd:?}");
    }
}

#[test]
fn an_answer_to_another_machine_is_ignored() {
    for at in [0, 1, 2, 4, 7, 28, 33, FIXED - 1] {
        let mut bytes = acknowledged();
        bytes[at] ^= 1;
        assert_eq!(ASKER.read(&bytes), None, "{at}");
    }
}

#[test]
fn an_answer_with_an_impossible_configuration_is_ignored() {
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
fn an_incomplete_answer_is_ignored() {
    let whole = acknowledged();
    for size in 0..FIXED + 6 {
        assert_eq!(ASKER.read(&whole[..size]), None, "{size}");
    }
}

#[test]
fn no_bytes_crash_the_reader_of_answers() {
    let mut chance = Chance::new(7);
    for _ in 0..20_000 {
        let bytes = chance.spoil(&acknowledged());
        if let Some(Answer::Acknowledged(given)) = ASKER.read(&bytes) {
            assert!(given.configuration.judged().is_ok());
        }
    }
}
