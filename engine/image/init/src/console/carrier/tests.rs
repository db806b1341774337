//! Tests the console on very slow connections.

use super::*;
use crate::console::request::{APPROVAL, TERMINAL};
use crate::frame::{self, Frame, Frames, Kind, body_of};
use crate::wire_capnp::{Speaker, terminal};

struct Scene {
    carrier: Carrier,
    keyboard_and_screen: OwnedFd,
    talker: OwnedFd,
    gate: OwnedFd,
    init: OwnedFd,
    _session: OwnedFd,
}

/// Returns a scene of the operator's session, in which the test acts as every process except the console.
fn scene() -> Scene {
    let (terminal, keyboard_and_screen) = sys::socket_pair().unwrap();
    let (channel, init) = sys::socket_pair().unwrap();
    let (session, _session) = sys::socket_pair().unwrap();
    let grants = vec![("session.operator".to_owned(), session)];
    let mut carrier = Carrier::open(Inherited { terminal, channel, grants, font: Font::Terminal }).unwrap();
    let mut grant = |interface_id, holder: &str| {
        let (ours, theirs) = sys::socket_pair().unwrap();
        let line = GrantLine { badge: 1, interface_id, holder: holder.into(), name: "console".into() };
        sys::send_with_descriptor(&init, &line.to_bytes(), &ours).unwrap();
        carrier.turn().unwrap();
        sys::never_block(&theirs).unwrap();
        theirs
    };
    let (talker, gate) = (grant(TERMINAL, "loop.operator"), grant(APPROVAL, "gate.operator"));
    sys::never_block(&keyboard_and_screen).unwrap();
    Scene { carrier, keyboard_and_screen, talker, gate, init, _session }
}

fn write(call_id: u64) -> Vec<u8> {
    let body = body_of(|root| {
        let mut params: terminal::write_params::Builder = root.init_as();
        params.set_text("\u{1}".repeat(16 * 1024));
        params.set_speaker(Speaker::Model);
    });
    frame::call(call_id, TERMINAL, 1, &body)
}

/// Returns the frames that the console has sent on this connection so far.
fn frames(end: &OwnedFd) -> Vec<Frame> {
    let mut frames = Frames::default();
    let mut buffer = [0; 4096];
    while let Ok(size @ 1..) = sys::read(end, &mut buffer) {
        frames.feed(&buffer[..size]);
    }
    std::iter::from_fn(|| frames.take_frame().unwrap()).collect()
}

impl Scene {
    /// Lets the console handle events this many times.
    fn turns(&mut self, count: usize) {
        for _ in 0..count {
            self.carrier.turn().unwrap();
        }
    }

    fn drawn(&self) -> String {
        let mut text = Vec::new();
        let mut buffer = [0; 4096];
        while let Ok(size @ 1..) = sys::read(&self.keyboard_and_screen, &mut buffer) {
            text.extend_from_slice(&buffer[..size]);
        }
        String::from_utf8_lossy(&text).into_owned()
    }
}

#[test]
fn a_blocked_terminal_delays_neither_control_c_nor_the_exit() {
    let mut scene = scene();
    sys::write(&scene.gate, &frame::call(1, APPROVAL, 2, &[])).unwrap();
    scene.turns(1);
    for call_id in 1..=8 {
        sys::write(&scene.talker, &write(call_id)).unwrap();
        scene.turns(2); // each read takes 16 KiB
    }
    assert!(!scene.carrier.desk.drawn().is_empty(), "the terminal has taken all of it");
    assert!(frames(&scene.talker).len() < 8 && frames(&scene.gate).is_empty());
    sys::write(&scene.keyboard_and_screen, b"\x03").unwrap();
    scene.turns(1);
    assert!(matches!(&frames(&scene.gate)[..], [Frame { call_id: 1, kind: Kind::Answer { .. } }]));
    sys::write(&scene.keyboard_and_screen, b"/exit\r").unwrap();
    scene.turns(1);
    assert!(scene.carrier.leaving.is_some() && !scene.carrier.is_done());
    let mut screen = String::new();
    while !scene.carrier.is_done() {
        screen += &scene.drawn();
        scene.turns(1);
    }
    screen += &scene.drawn();
    assert!(screen.contains("\n* the rest of the text is not shown\n"));
}

#[test]
fn a_peer_with_an_unfinished_frame_is_cut_off_after_a_time() {
    let mut scene = scene();
    sys::write(&scene.talker, &[0; 5]).unwrap();
    scene.turns(1);
    let due = scene.carrier.next_deadline().expect("a deadline");
    assert!(due > sys::now() && due <= sys::now() + 60_000);
    let line = scene.carrier.next_line - 2;
    scene.carrier.end_where(|peer| peer.is_overdue(due));
    assert!(!scene.carrier.peers.contains_key(&line) && scene.carrier.peers.len() == 2);
    assert_eq!(sys::read(&scene.talker, &mut [0; 8]).unwrap(), 0);
}

#[test]
fn the_console_acknowledges_each_grant_and_ends_when_the_person_leaves() {
    let mut scene = scene();
    let mut buffer = [0; 4096];
    let size = sys::read(&scene.init, &mut buffer).unwrap();
    let mut told = Lines::default();
    told.feed(&buffer[..size]);
    let told: Vec<ChannelLine> = std::iter::from_fn(|| told.take_line().unwrap()).collect();
    assert_eq!(told, [ChannelLine::Ready, ChannelLine::Acknowledged, ChannelLine::Acknowledged]);
    drop(scene.init);
    scene.carrier.turn().unwrap();
    assert!(scene.carrier.is_done());
}

#[test]
fn a_question_has_three_letters_and_other_questions_have_other_letters() {
    let letters: Vec<String> = (0..20).map(|_| random_letters()).collect();
    assert!(letters.iter().all(|word| word.len() == 3 && word.bytes().all(|byte| byte.is_ascii_lowercase())));
    assert!(letters.iter().any(|word| *word != letters[0]));
}
