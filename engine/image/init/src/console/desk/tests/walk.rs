//! Tests properties that hold for any actions of people and processes, in any order.

use super::*;
use crate::chance::Chance;
use std::collections::HashSet;

/// Beginnings of every line on the screen: the mark of its speaker, or a prompt of the console.
const BEGINNINGS: [&str; 15] = [
    "  ",
    "agent> ", "agent (", "loop> ", "loop (", "[tool] ", "* ", "capos: ", "you> ", "you (", "command> ", "allow? ", "page ", "> ", "search> ",
];
const TYPED: [&str; 24] = [
    "\r", "\u{3}", "/", "/tools\r", "/stop notes\r", "/session visitor\r", "/session operator\r", "hello", "y\r", "kfn\r", "\u{7f}",
    "\u{1b}[A", "é", "paste\n", " ", "b", "\t", "\u{19}", "\u{1b}[200~x\ny\u{1b}[201~", "\u{17}", "\u{12}", "\u{7}", "\\\r", "\u{1b}\r",
];
const TEXTS: [&str; 6] = ["hi\n", "and ", "you> x\n* allowed\n", "allow? type kfm\n", "a\r\u{1b}[2J\u{2028}b", "\u{301}\u{301}\u{301}"];

struct Walk {
    scene: Scene,
    chance: Chance,
    next_call: u64,
    answered: HashSet<(Line, u64)>,
}

impl Walk {
    fn step(&mut self, terminal_is_busy: bool) {
        let call_id = self.next_call;
        let line = *self.chance.pick(&[LOOP, VISITORS_LOOP]);
        let gate = *self.chance.pick(&[GATE, VISITORS_GATE]);
        match self.chance.below(12) {
            0..=3 => self.scene.desk.typed(self.chance.pick(&TYPED).as_bytes()),
            4 => self.calls(line, request::TERMINAL, 0, Vec::new()),
            5 | 6 => {
                let text = self.chance.pick(&TEXTS).repeat(1 + self.chance.below(300));
                let body = body_of(|root| root.init_as::<terminal::write_params::Builder>().set_text(&text));
                self.calls(line, request::TERMINAL, 1, body);
            }
            7 => self.calls(gate, request::APPROVAL, 2, Vec::new()),
            8 => {
                let arguments = self.chance.pick(&TEXTS).repeat(1 + self.chance.below(600));
                let Kind::Call { body, .. } = asking(&arguments, 500) else { panic!("a question is a call") };
                self.calls(gate, request::APPROVAL, 0, body);
            }
            9 => self.scene.desk.frame(gate, Frame { call_id: call_id.saturating_sub(1), kind: Kind::Cancel }),
            10 => self.answers_an_errand(),
            _ => self.scene.desk.tick(call_id * 100),
        }
        if !terminal_is_busy {
            self.scene.collect_at(call_id * 100);
        }
        assert!(self.scene.desk.drawn().len() < 64 * 1024);
    }

    fn calls(&mut self, line: Line, interface_id: u64, method: u16, body: Vec<u8>) {
        let frame = Frame { call_id: self.next_call, kind: Kind::Call { interface_id, method, body } };
        self.next_call += 1;
        self.scene.desk.frame(line, frame);
    }

    fn answers_an_errand(&mut self) {
        let Some((line, frame)) = self.scene.sent.iter().rev().find(|(_, frame)| matches!(frame.kind, Kind::Call { .. })) else { return };
        let kind = match self.chance.below(2) {
            0 => Kind::Answer { body: Vec::new() },
            _ => Kind::Failure { reason: "no\nyou> ".into() },
        };
        self.scene.desk.frame(*line, Frame { call_id: frame.call_id, kind });
    }

    fn judge(&mut self) {
        self.scene.collect();
        for (line, frame) in self.scene.sent.drain(..) {
            if matches!(frame.kind, Kind::Answer { .. } | Kind::Failure { .. }) {
                assert!(self.answered.insert((line, frame.call_id)), "a call is answered once");
            }
            if let (GATE | VISITORS_GATE, Kind::Answer { body }) = (line, &frame.kind) {
                let said = with_body(body, |root| Ok(root.get_as::<approval::ask_results::Reader>()?.get_answer()?));
                assert_ne!(said, Ok(Answer::Granted), "nobody typed the letters");
            }
        }
        for shown in self.scene.screen.lines().filter(|shown| !shown.is_empty()) {
            assert!(BEGINNINGS.iter().any(|beginning| shown.starts_with(beginning)), "{shown}");
            assert!(shown.chars().all(|character| !character.is_control() || "\t\u{8}".contains(character)), "{shown:?}");
        }
        self.scene.screen.clear();
    }
}

#[test]
fn property_every_line_has_its_mark_and_no_call_is_answered_twice_or_approved_without_a_question() {
    for seed in 0..60 {
        let mut walk = Walk { scene: narrow(), chance: Chance::new(seed), next_call: 1, answered: HashSet::new() };
        for _ in 0..120 {
            let is_busy = walk.chance.below(3) > 0;
            walk.step(is_busy);
        }
        walk.judge();
    }
}
