//! The real console program on a pseudo-terminal of 80 × 25: the test plays its terminal, its init, its loop and its gate.

use capos::channel::GrantLine;
use capos::console::request::{APPROVAL, SESSION, STANDING, TERMINAL};
use capos::frame::{self, Frame, Frames, Kind, body_of, with_body};
use capos::sys;
use capos::wire_capnp::session;
use std::os::fd::{AsRawFd as _, FromRawFd as _, OwnedFd, RawFd};
use std::process::{Child, Command, Stdio};

pub const ROWS: u16 = 25;
pub const COLUMNS: u16 = 80;
/// Maximum milliseconds of a step. A step usually takes less than a second, but may take many seconds on a busy machine.
const MOST_MS: u64 = 120_000;

/// The test's end of one of the console's connections.
pub struct Line {
    stream: OwnedFd,
    frames: Frames,
    waiting: Vec<Frame>,
    /// Received calls that ask for the status of the session, and that the test has not answered yet.
    standings: Vec<u64>,
}

pub struct Machine {
    program: Child,
    terminal: OwnedFd,
    screen: vt100::Parser,
    /// Output of the program that is not drawn yet, because it may end in the middle of a request to the terminal.
    raw: Vec<u8>,
    _init: OwnedFd,
    /// Whether the terminal reports its cursor's position.
    answers: bool,
    /// Whether the program has asked for the position since the last output.
    was_asked: bool,
    pub session: Line,
    pub talker: Line,
    pub gate: Line,
}

impl Machine {
    pub fn start(answers: bool) -> Self {
        let (terminal, slave) = pseudo_terminal();
        let (init, channel) = sys::socket_pair().unwrap();
        let (ours, held) = sys::socket_pair().unwrap();
        let (channel, held) = (inherited(&channel), inherited(&held));
        let program = Command::new(env!("CARGO_BIN_EXE_capos-console"))
            .env_clear()
            .env("NODE_CHANNEL_FD", channel.as_raw_fd().to_string())
            .env("CAPOS_GRANTS", format!("session.operator={}:{SESSION:x}", held.as_raw_fd()))
            .stdin(Stdio::from(slave))
            .spawn()
            .expect("the console is built beside this test");
        let grant = |interface_id, holder: &str| {
            let (theirs, ours) = sys::socket_pair().unwrap();
            let line = GrantLine { badge: 1, interface_id, holder: holder.into(), name: "console".into() };
            sys::send_with_descriptor(&init, &line.to_bytes(), &theirs).unwrap();
            Line::new(ours)
        };
        let (talker, gate) = (grant(TERMINAL, "loop.operator"), grant(APPROVAL, "gate.operator"));
        sys::never_block(&terminal).unwrap();
        let screen = vt100::Parser::new(ROWS, COLUMNS, 0);
        Self { program, terminal, screen, raw: Vec::new(), _init: init, answers, was_asked: false, session: Line::new(ours), talker, gate }
    }

    pub fn types(&self, text: &str) {
        assert_eq!(sys::write(&self.terminal, text.as_bytes()).unwrap(), text.len());
    }

    /// Waits until the screen contains this text.
    pub fn shows(&mut self, text: &str) {
        let due = sys::now() + MOST_MS;
        while !self.contents().contains(text) {
            assert!(sys::now() < due, "the screen never shows {text:?}:\n{}", self.contents());
            sys::poll(&mut [sys::watch(&self.terminal, libc::POLLIN)], Some(1000)).unwrap();
            self.draw();
        }
    }

    /// Waits until the console shows this question and has asked for the terminal's size: the console drops all input before that.
    pub fn asks(&mut self, text: &str) {
        self.shows(text);
        let due = sys::now() + MOST_MS;
        while self.answers && !self.was_asked {
            assert!(sys::now() < due, "the console never asks for the size:\n{}", self.contents());
            sys::poll(&mut [sys::watch(&self.terminal, libc::POLLIN)], Some(1000)).unwrap();
            self.draw();
        }
    }

    pub fn contents(&self) -> String {
        let rows: Vec<String> = self.screen.screen().rows(0, COLUMNS).map(|row| row.trim_end().to_owned()).collect();
        rows.join("\n").trim_end().to_owned() + "\n"
    }

    /// Returns the letters on the screen that a person must type to allow the call.
    pub fn letters(&self) -> String {
        let screen = self.contents();
        let (_, behind) = screen.rsplit_once("allow? type ").expect("a question stands there");
        behind[..3].to_owned()
    }

    /// Asks the console for a typed line, as the loop does.
    pub fn reads(&mut self, call_id: u64) {
        self.talker.calls(TERMINAL, call_id, 0, &[]);
    }

    /// Answers the console's call of `beginTurn`, as a gate does.
    pub fn begins_turn(&mut self) {
        let Frame { call_id, .. } = self.session.next();
        self.session.answers(call_id, &body_of(|root| {
            root.init_as::<session::begin_turn_results::Builder>();
        }));
    }

    /// Sends the lines of the gate's answer to a command.
    pub fn tells(&mut self, lines: &[&str]) {
        let Frame { call_id, .. } = self.session.next();
        self.session.answers(call_id, &body_of(|root| {
            let mut list = root.init_as::<session::command_results::Builder>().init_lines(lines.len() as u32);
            for (index, line) in (0..).zip(lines) {
                list.set(index, line);
            }
        }));
    }

    /// Reports the status of the session, as soon as the console asks for it.
    pub fn stands(&mut self, label: &str, left: &str) {
        let call_id = self.session.standing();
        self.session.answers(call_id, &body_of(|root| {
            let mut standing = root.init_as::<session::standing_results::Builder>().init_standing();
            standing.set_label(label);
            standing.set_model("canned");
            standing.init_left(1).set(0, left);
        }));
    }

    /// Sends the gate's vocabulary: commands by their usage, and one tool.
    pub fn knows(&mut self, usages: &[&str]) {
        let Frame { call_id, .. } = self.session.next();
        self.session.answers(call_id, &body_of(|root| {
            let mut results: session::vocabulary_results::Builder = root.init_as();
            let mut tools = results.reborrow().init_tools(1);
            tools.reborrow().get(0).set_name("notes.read");
            let mut list = results.init_commands(usages.len() as u32);
            for (index, usage) in (0..).zip(usages) {
                let name = usage.trim_start_matches('/').split([' ', ':']).next().unwrap_or_default();
                list.reborrow().get(index).set_name(name);
                list.reborrow().get(index).set_usage(usage);
            }
        }));
    }

    fn draw(&mut self) {
        let mut buffer = [0; 4096];
        while let Ok(size @ 1..) = sys::read(&self.terminal, &mut buffer) {
            self.raw.extend_from_slice(&buffer[..size]);
        }
        const ASKED: &[u8] = b"\x1b[6n";
        while let Some(at) = self.raw.windows(ASKED.len()).position(|bytes| bytes == ASKED) {
            let before: Vec<u8> = self.raw.drain(..at + ASKED.len()).collect();
            self.screen.process(&before[..at]);
            let (row, column) = self.screen.screen().cursor_position();
            self.was_asked = true;
            if self.answers {
                self.types(&format!("\x1b[{};{}R", row + 1, column + 1));
            }
        }
        let begun = (1..ASKED.len()).rev().find(|&size| self.raw.ends_with(&ASKED[..size])).unwrap_or(0);
        let drawn: Vec<u8> = self.raw.drain(..self.raw.len() - begun).collect();
        self.screen.process(&drawn);
        if !drawn.iter().all(|byte| b"\x1b78[9;H".contains(byte)) {
            self.was_asked = false; // more than the orders around the request for the cursor
        }
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

impl Line {
    fn new(stream: OwnedFd) -> Self {
        Self { stream, frames: Frames::default(), waiting: Vec::new(), standings: Vec::new() }
    }

    pub fn calls(&mut self, interface_id: u64, call_id: u64, method: u16, body: &[u8]) {
        sys::write(&self.stream, &frame::call(call_id, interface_id, method, body)).unwrap();
    }

    pub fn answers(&mut self, call_id: u64, body: &[u8]) {
        sys::write(&self.stream, &frame::answer(call_id, body)).unwrap();
    }

    /// Waits for the next frame of the console, and returns it.
    pub fn next(&mut self) -> Frame {
        self.until(|_| true)
    }

    /// Returns the answer to this call; earlier frames stay for other callers.
    pub fn answered(&mut self, call_id: u64) -> Vec<u8> {
        match self.until(|frame| frame.call_id == call_id).kind {
            Kind::Answer { body } => body,
            other => panic!("no answer: {other:?}"),
        }
    }

    /// Returns the number of a call that asks for the status of the session.
    fn standing(&mut self) -> u64 {
        while self.standings.is_empty() {
            self.read();
        }
        self.standings.remove(0)
    }

    fn until(&mut self, is_meant: impl Fn(&Frame) -> bool) -> Frame {
        loop {
            if let Some(at) = self.waiting.iter().position(&is_meant) {
                return self.waiting.remove(at);
            }
            self.read();
        }
    }

    /// Waits for bytes of the console, and reads the frames in them.
    fn read(&mut self) {
        let mut buffer = [0; 4096];
        let mut watched = [sys::watch(&self.stream, libc::POLLIN)];
        sys::poll(&mut watched, Some(MOST_MS)).unwrap();
        assert_ne!(watched[0].revents, 0, "the console does not answer");
        let size = sys::read(&self.stream, &mut buffer).expect("the console answers");
        assert!(size > 0, "the console has ended");
        self.frames.feed(&buffer[..size]);
        while let Some(frame) = self.frames.take_frame().unwrap() {
            match frame.kind {
                Kind::Call { interface_id: SESSION, method: STANDING, .. } => self.standings.push(frame.call_id),
                _ => self.waiting.push(frame),
            }
        }
    }
}

/// Returns the typed line in an answer to `readLine`, which the loop calls.
pub fn line_of(body: &[u8]) -> String {
    with_body(body, |root| {
        let results: capos::wire_capnp::terminal::read_line_results::Reader = root.get_as()?;
        Ok(results.get_line()?.to_string()?)
    })
    .unwrap()
}

/// Returns the test's end of a pseudo-terminal, and the program's end.
fn pseudo_terminal() -> (OwnedFd, OwnedFd) {
    let size = libc::winsize { ws_row: ROWS, ws_col: COLUMNS, ws_xpixel: 0, ws_ypixel: 0 };
    let (mut ours, mut theirs): (RawFd, RawFd) = (-1, -1);
    // SAFETY: openpty writes two descriptors and reads a size, which outlive the call; a null pointer means no name and no modes.
    let opened = unsafe { libc::openpty(&mut ours, &mut theirs, std::ptr::null_mut(), std::ptr::null_mut(), &size) };
    assert_eq!(opened, 0, "a pseudo-terminal");
    // SAFETY: the kernel gave both descriptors to this process only.
    unsafe { (OwnedFd::from_raw_fd(ours), OwnedFd::from_raw_fd(theirs)) }
}

/// Returns a copy of the descriptor; a program that is started inherits this copy.
fn inherited(descriptor: &OwnedFd) -> OwnedFd {
    // SAFETY: only the returned value owns the copy. The copy lacks the close-on-exec flag, so a program inherits it.
    unsafe { OwnedFd::from_raw_fd(sys::check(libc::dup(descriptor.as_raw_fd())).unwrap()) }
}
