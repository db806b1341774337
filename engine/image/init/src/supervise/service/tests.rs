//! Tests init's interface with valid and hostile holders.

use super::*;
use crate::frame::{Frames, with_body};
use crate::sys;
use crate::wire_capnp::supervisor;

struct Scene {
    service: Service,
    log: Log,
    notices: Log,
    theirs: OwnedFd,
    frames: Frames,
}

fn scene(role: &str) -> Scene {
    let (ours, theirs) = sys::socket_pair().unwrap();
    sys::never_block(&theirs).unwrap();
    let mut service = Service::default();
    service.add(4, role, ours).unwrap();
    Scene { service, log: Log::default(), notices: Log::default(), theirs, frames: Frames::default() }
}

impl Scene {
    fn call(&mut self, call_id: u64, method: u16, body: &[u8]) -> Vec<Request> {
        self.writes(&frame::call(call_id, SUPERVISOR, method, body))
    }

    fn writes(&mut self, bytes: &[u8]) -> Vec<Request> {
        sys::write(&self.theirs, bytes).unwrap();
        let wishes = self.service.take(0);
        self.service.send(&self.log, &self.notices);
        wishes.into_iter().map(|wish| wish.request).collect()
    }

    fn read_log(&mut self, call_id: u64, after: u64) {
        let body = crate::frame::body_of(|root| root.init_as::<supervisor::read_log_params::Builder>().set_after(after));
        assert!(self.call(call_id, 3, &body).is_empty());
    }

    fn answer(&mut self) -> Option<Frame> {
        let mut buffer = [0; 64 * 1024];
        while let Ok(size @ 1..) = sys::read(&self.theirs, &mut buffer) {
            self.frames.feed(&buffer[..size]);
        }
        self.frames.take_frame().unwrap()
    }

    fn lines(&mut self) -> Vec<(u64, String)> {
        let Some(Frame { kind: Kind::Answer { body }, .. }) = self.answer() else { panic!("no answer") };
        let read = with_body(&body, |root| {
            let lines = root.get_as::<supervisor::read_log_results::Reader>()?.get_lines()?;
            lines.iter().map(|line| Ok((line.get_sequence(), line.get_text()?.to_string()?))).collect()
        });
        read.unwrap()
    }

    fn fails(&mut self) -> bool {
        matches!(self.answer(), Some(Frame { kind: Kind::Failure { .. }, .. }))
    }

    fn is_cut_off(&mut self) -> bool {
        self.service.watched().next().is_none()
    }
}

fn name_body(name: &str) -> Vec<u8> {
    request::stop(name)
}

#[test]
fn each_role_may_make_only_its_listed_requests() {
    for (role, method, request) in [
        ("gate", 0, Some(Request::Revoke("notes".into()))),
        ("console", 1, Some(Request::Stop("notes".into()))),
        ("console", 5, Some(Request::Restart("notes".into()))),
        ("status", 2, Some(Request::Facts)),
        ("console", 2, Some(Request::Facts)),
        ("services", 2, Some(Request::Facts)),
        ("services", 5, Some(Request::Restart("notes".into()))),
        // The supervisor decides which processes a gate may restart: its own loop, and providers that no longer serve it.
        ("gate", 5, Some(Request::Restart("notes".into()))),
        ("services", 1, None),
        ("services", 3, None),
        ("services", 4, None),
        ("own", 5, None),
        ("own-native", 5, None),
        ("status", 5, None),
        ("logs", 5, None),
        ("gate", 1, None),
        ("gate", 2, None),
        ("gate", 3, None),
        ("console", 3, None),
        ("logs", 4, None),
        ("gate", 4, None),
        ("status", 1, None),
        ("status", 3, None),
        ("logs", 1, None),
        ("logs", 2, None),
    ] {
        let mut scene = scene(role);
        let wishes = scene.call(7, method, &name_body("notes"));
        assert_eq!(wishes, request.clone().into_iter().collect::<Vec<_>>(), "{role} {method}");
        assert_eq!(scene.fails(), request.is_none(), "{role} {method}");
    }
}

#[test]
fn a_service_can_restart_only_services() {
    for role in ["files", "logs", "own", "own-native", "status"] {
        assert!(request::may_restart("services", role), "{role}");
    }
    for role in ["audit", "broker", "console", "gate", "loop", "model", "services"] {
        assert!(!request::may_restart("services", role), "{role}");
        assert!(request::may_restart("console", role), "{role}");
    }
}

#[test]
fn a_gate_can_restart_only_providers_of_tools() {
    for role in ["files", "logs", "own", "own-native", "services", "status"] {
        assert!(request::may_be_cut_off(role), "{role}");
    }
    for role in ["audit", "broker", "console", "conversations", "egress", "gate", "loop", "model"] {
        assert!(!request::may_be_cut_off(role), "{role}");
    }
}

#[test]
fn answers_reach_the_call_that_they_are_for() {
    let mut scene = scene("gate");
    sys::write(&scene.theirs, &[frame::call(1, SUPERVISOR, 0, &name_body("a")), frame::call(2, SUPERVISOR, 0, &name_body("b"))].concat()).unwrap();
    let wishes = scene.service.take(0);
    assert_eq!(wishes.iter().map(|wish| wish.holder).collect::<Vec<_>>(), [4, 4]);
    scene.service.answer(&wishes[1], Err("not held".into()));
    scene.service.answer(&wishes[0], Ok(request::nothing()));
    scene.service.send(&scene.log, &scene.notices);
    assert_eq!(scene.answer(), Some(Frame { call_id: 2, kind: Kind::Failure { reason: "not held".into() } }));
    assert!(matches!(scene.answer(), Some(Frame { call_id: 1, kind: Kind::Answer { .. } })));
}

#[test]
fn a_reader_waits_for_the_log_and_gets_it_in_pieces() {
    let mut scene = scene("logs");
    scene.read_log(1, 0);
    assert_eq!(scene.answer(), None);
    scene.log.write(5, "notes started");
    scene.service.send(&scene.log, &scene.notices);
    assert_eq!(scene.lines(), [(1, "notes started".into())]);
    for number in 2..=70 {
        scene.log.write(5, &number.to_string());
    }
    scene.read_log(2, 1);
    assert_eq!(scene.lines().len(), MOST_LINES);
    scene.read_log(3, 65);
    assert_eq!(scene.lines().last(), Some(&(70, "70".into())));
}

#[test]
fn the_console_waits_for_notices_and_confirms_the_drawn_ones() {
    let mut scene = scene("console");
    assert!(scene.service.listens(4) && !scene.service.listens(5));
    assert!(scene.call(1, request::READ_NOTICES, &request::read_notices(0)).is_empty());
    scene.log.write(5, "for others");
    scene.service.send(&scene.log, &scene.notices);
    assert_eq!(scene.answer(), None);
    scene.notices.write(6, "notes stopped (exit 1)");
    scene.service.send(&scene.log, &scene.notices);
    let Some(Frame { kind: Kind::Answer { body }, .. }) = scene.answer() else { panic!("no answer") };
    assert_eq!(request::notices(&body).unwrap(), [(1, "notes stopped (exit 1)".into())]);
    assert_eq!(scene.service.drawn(), 0);
    sys::write(&scene.theirs, &frame::call(2, SUPERVISOR, request::READ_NOTICES, &request::read_notices(1))).unwrap();
    scene.service.close(0);
    assert_eq!(scene.service.drawn(), 1);
    assert!(!scene.service.listens(4));
}

#[test]
fn a_console_gets_a_result_after_all_earlier_notices() {
    let mut scene = scene("console");
    sys::write(&scene.theirs, &frame::call(1, SUPERVISOR, request::STOP, &request::stop("notes"))).unwrap();
    let wishes = scene.service.take(0);
    scene.notices.write(6, "notes stopped (signal 9)");
    scene.service.answer(&wishes[0], Ok(request::nothing()));
    scene.service.send(&scene.log, &scene.notices);
    scene.notices.write(7, "later");
    assert_eq!(scene.answer(), None, "the console has not asked for the notice yet");
    assert!(scene.call(2, request::READ_NOTICES, &request::read_notices(0)).is_empty());
    assert_eq!([scene.answer(), scene.answer()].map(|frame| frame.unwrap().call_id), [2, 1]);
    // The console has read all notices, so the answer is sent at once.
    sys::write(&scene.theirs, &frame::call(3, SUPERVISOR, request::STOP, &request::stop("notes"))).unwrap();
    let wishes = scene.service.take(0);
    scene.service.answer(&wishes[0], Err("no process named notes runs".into()));
    scene.service.send(&scene.log, &scene.notices);
    assert_eq!(scene.answer().unwrap().call_id, 3);
}

#[test]
fn a_console_that_reads_no_notices_has_a_bounded_number_of_waiting_results() {
    let mut scene = scene("console");
    scene.notices.write(6, "notes stopped (signal 9)");
    for call_id in 0..=MOST_HELD as u64 {
        assert!(!scene.is_cut_off());
        sys::write(&scene.theirs, &frame::call(call_id, SUPERVISOR, request::STOP, &request::stop("notes"))).unwrap();
        let wishes = scene.service.take(0);
        scene.service.answer(&wishes[0], Ok(request::nothing()));
        scene.service.send(&scene.log, &scene.notices);
    }
    assert!(scene.is_cut_off());
}

#[test]
fn a_holder_with_an_unfinished_frame_is_cut_off_in_time_although_init_has_a_copy_of_its_descriptor() {
    let mut scene = scene("gate");
    let (ours, theirs) = sys::socket_pair().unwrap();
    let _kept = ours.try_clone().unwrap();
    scene.service.add(5, "gate", ours).unwrap();
    sys::write(&theirs, &[0]).unwrap();
    scene.service.take(100);
    let deadline = scene.service.deadline().unwrap();
    scene.service.take(deadline - 1);
    assert_eq!(scene.service.watched().count(), 2);
    scene.service.take(deadline);
    assert_eq!((scene.service.watched().count(), scene.service.deadline()), (1, None));
    assert_eq!(sys::read(&theirs, &mut [0; 8]).unwrap(), 0);
}

#[test]
fn waiting_calls_are_bounded_and_can_be_cancelled() {
    let mut scene = scene("logs");
    for call_id in 0..MOST_WAITING as u64 {
        scene.read_log(call_id, 0);
    }
    assert_eq!(scene.answer(), None);
    scene.read_log(99, 0);
    assert!(matches!(scene.answer(), Some(Frame { call_id: 99, kind: Kind::Failure { .. } })));
    assert!(scene.writes(&frame::cancel(3)).is_empty());
    assert!(matches!(scene.answer(), Some(Frame { call_id: 3, kind: Kind::Failure { .. } })));
    scene.read_log(100, 0);
    assert_eq!(scene.answer(), None);
    assert!(scene.writes(&frame::cancel(12345)).is_empty() && scene.answer().is_none());
}

#[test]
fn unknown_methods_and_malformed_parameters_fail() {
    let mut scene = scene("gate");
    assert!(scene.call(1, 6, &[]).is_empty() && scene.fails());
    assert!(scene.call(2, 0, &[0xff; 16]).is_empty() && scene.fails());
    assert!(!scene.is_cut_off());
}

#[test]
fn a_holder_that_breaks_a_rule_is_cut_off_and_gets_no_further_request() {
    let honest = frame::call(2, SUPERVISOR, 0, &name_body("notes"));
    for hostile in [
        frame::call(1, SUPERVISOR + 1, 0, &name_body("notes")),
        frame::answer(1, &[]),
        frame::failure(1, FailureCode::Failed, ""),
        vec![0xff; 16],
        frame::call(1, SUPERVISOR, 0, &name_body(&"x".repeat(MOST_FRAME_BYTES))),
    ] {
        let mut scene = scene("gate");
        assert!(scene.writes(&[hostile, honest.clone()].concat()).is_empty());
        assert!(scene.is_cut_off());
    }
}

#[test]
fn no_changed_byte_makes_init_panic() {
    let honest = frame::call(2, SUPERVISOR, 0, &name_body("notes"));
    for at in 0..honest.len() {
        for flipped in 1..=255 {
            let mut spoiled = honest.clone();
            spoiled[at] ^= flipped;
            let mut scene = scene("gate");
            assert!(scene.writes(&spoiled).len() <= 1);
        }
    }
}

#[test]
fn a_holder_that_does_not_read_is_cut_off() {
    let mut scene = scene("status");
    let flood = frame::call(1, SUPERVISOR, 2, &[]);
    for _ in 0..MOST_UNSENT {
        let wishes = {
            let _ = sys::write(&scene.theirs, &flood);
            scene.service.take(0)
        };
        for wish in &wishes {
            scene.service.answer(wish, Ok(vec![0; 4096]));
        }
        scene.service.send(&scene.log, &scene.notices);
        if scene.is_cut_off() {
            return;
        }
    }
    panic!("a holder that does not read is kept");
}

#[test]
fn an_ended_holder_is_removed() {
    let mut scene = scene("logs");
    scene.read_log(1, 0);
    let (gone, _) = sys::socket_pair().unwrap();
    scene.theirs = gone;
    assert!(scene.service.take(0).is_empty() && scene.is_cut_off());
}

#[test]
fn a_late_answer_reaches_its_caller_even_if_holders_connected_and_left_before_it() {
    let (ours, gone) = sys::socket_pair().unwrap();
    let mut service = Service::default();
    service.add(3, "status", ours).unwrap();
    let (ours, theirs) = sys::socket_pair().unwrap();
    sys::never_block(&theirs).unwrap();
    service.add(4, "console", ours).unwrap();
    sys::write(&theirs, &frame::call(9, SUPERVISOR, request::RESTART, &request::restart("status"))).unwrap();
    let [wish] = &service.take(0)[..] else { panic!("not one wish") };
    drop(gone);
    assert!(service.take(0).is_empty());
    let (ours, again) = sys::socket_pair().unwrap();
    sys::never_block(&again).unwrap();
    service.add(3, "status", ours).unwrap();
    service.answer(wish, Ok(request::nothing()));
    service.send(&Log::default(), &Log::default());
    let mut buffer = [0; 64];
    assert!(sys::read(&theirs, &mut buffer).unwrap() > 0 && sys::read(&again, &mut buffer).is_err());
    assert_eq!(service.watched().count(), 2);
}
