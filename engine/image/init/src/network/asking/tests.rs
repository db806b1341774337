use super::*;
use crate::network::dhcp::tests::{ASKER, acknowledged, offer, refused};
use std::net::UdpSocket;

/// Returns the asker's socket, at which these datagrams have arrived.
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
fn unexpected_datagrams_are_skipped_until_the_expected_answer_arrives() {
    let (offer, acknowledged) = (offer(), acknowledged());
    let socket = told(&[b"", b"noise", &acknowledged, &offer, &offer, &acknowledged]);
    assert!(hear(&socket, ASKER, FAR, offered).is_some());
    assert!(matches!(hear(&socket, ASKER, FAR, decided), Some(Told::Given(_))), "a second server's offer came between");
    assert_eq!(hear(&told(&[&offer, &refused()]), ASKER, FAR, decided), Some(Told::Refused));
}

#[test]
fn endless_datagrams_do_not_extend_the_wait_for_an_answer() {
    let socket = told(&[b"noise", b"noise", &offer()]);
    assert_eq!(hear(&socket, ASKER, 0, offered), None);
    assert_eq!(hear(&told(&[]), ASKER, 0, offered), None);
}

fn given(terms: Option<Terms>) -> Told {
    let [address, router, one, two] = [[10, 0, 2, 15], [10, 0, 2, 2], [10, 0, 2, 3], [9, 9, 9, 9]].map(Ipv4Addr::from);
    let configuration = Configuration { address, prefix: 24, router: Some(router), resolvers: vec![one, two] };
    Told::Given(Given { configuration, terms })
}

fn hour() -> Option<Terms> {
    Terms::judged([10, 0, 2, 2].into(), 3600, Some(100), Some(200))
}

#[test]
fn a_running_request_is_awaited_and_a_request_that_ends_without_a_result_fails() {
    let (reading, writing) = sys::pipe().unwrap();
    sys::never_block(&reading).unwrap();
    assert_eq!(told_on(&reading).unwrap(), None);
    sys::write(&writing, &bytes_of(&given(hour()))).unwrap();
    assert_eq!(told_on(&reading).unwrap(), Some(given(hour())));
    drop(writing);
    assert!(told_on(&reading).is_err());
}

#[test]
fn a_result_that_is_written_and_read_again_is_unchanged_and_malformed_bytes_are_refused() {
    for found in [Told::Refused, given(None), given(hour())] {
        assert_eq!(told_in(&bytes_of(&found)), Some(found));
    }
    let alone = Configuration { address: [10, 0, 2, 15].into(), prefix: 24, router: None, resolvers: Vec::new() };
    let alone = Told::Given(Given { configuration: alone, terms: None });
    assert_eq!(told_in(&bytes_of(&alone)), Some(alone));
    let (bytes, leased) = (bytes_of(&given(None)), bytes_of(&given(hour())));
    for size in [0, 1, 5, 9, 11, 17] {
        assert_eq!(told_in(&bytes[..size]), None, "{size}");
        assert_eq!(told_in(&leased[..size]), None, "{size}");
    }
    assert_eq!([told_in(&[0; 18]), told_in(&[REFUSED, 0]), told_in(&[3; 40])], [None, None, None]);
}
