//! Reads and writes framed calls on a connected stream: the console's side of `stdlib/schema/wire.capnp`. An error means that the
//! peer sent a malformed frame or exceeded a limit. The caller must then end the connection.

use crate::trust::{message, words_of};
use crate::wire_capnp::{FailureCode, frame, payload};
use capnp::any_pointer;
use capnp::message::Builder;

pub const MOST_FRAME_BYTES: usize = 1 << 20;

/// A frame from a peer. The payload is the body of a message; the code that reads it must know the message's type.
#[derive(Debug, PartialEq, Eq)]
pub struct Frame {
    pub call_id: u64,
    pub kind: Kind,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Kind {
    Call { interface_id: u64, method: u16, body: Vec<u8> },
    Answer { body: Vec<u8> },
    Failure { reason: String },
    Cancel,
}

/// Collects bytes from a stream and returns whole frames.
pub struct Frames {
    pending: Vec<u8>,
    most: usize,
}

impl Default for Frames {
    fn default() -> Self {
        Self::up_to(MOST_FRAME_BYTES)
    }
}

impl Frames {
    /// Refuses frames of more than `most` bytes, by their header alone. `most` is at most 1 MiB.
    pub fn up_to(most: usize) -> Self {
        Self { pending: Vec::new(), most: most.min(MOST_FRAME_BYTES) }
    }

    pub fn feed(&mut self, bytes: &[u8]) {
        self.pending.extend_from_slice(bytes);
    }

    /// Returns whether a frame is incomplete.
    pub fn is_partial(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Returns the next whole frame. Fails if the peer sent a malformed frame or exceeded a limit; the caller must then end the connection.
    pub fn take_frame(&mut self) -> Result<Option<Frame>, String> {
        let Some(header) = self.pending.first_chunk::<8>() else { return Ok(None) };
        if header[..4] != [0; 4] {
            return Err("a frame of several segments".into());
        }
        let size = 8 + 8 * u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize;
        if size > self.most {
            return Err(format!("a frame above {} bytes", self.most));
        }
        if self.pending.len() < size {
            return Ok(None);
        }
        let bytes: Vec<u8> = self.pending.drain(..size).collect();
        read(&bytes).map(Some)
    }
}

fn read(bytes: &[u8]) -> Result<Frame, String> {
    let message = message(bytes)?;
    let root: frame::Reader = message.get_root().map_err(words_of)?;
    let kind = match root.which().map_err(|_| "a frame of an unknown kind")? {
        frame::Call(call) => Kind::Call {
            interface_id: call.get_interface_id(),
            method: call.get_method(),
            body: body(call.get_payload().map_err(words_of)?)?,
        },
        frame::Answer(answer) => Kind::Answer { body: body(answer.get_payload().map_err(words_of)?)? },
        frame::Failure(failure) => Kind::Failure { reason: crate::trust::text(failure.get_reason())? },
        frame::Cancel(()) => Kind::Cancel,
    };
    Ok(Frame { call_id: root.get_call_id(), kind })
}

fn body(payload: payload::Reader<'_>) -> Result<Vec<u8>, String> {
    match payload.which().map_err(|_| "a payload of an unknown kind")? {
        payload::Empty(()) => Ok(Vec::new()),
        payload::Message(bytes) => Ok(bytes.map_err(words_of)?.to_vec()),
        payload::Json(_) => Err("JSON where a message belongs".into()),
    }
}

/// Reads the body of a message: one segment without header. An empty body is read as a struct in which every field has its default value.
pub fn with_body<T>(bytes: &[u8], read: impl FnOnce(any_pointer::Reader<'_>) -> capnp::Result<T>) -> Result<T, String> {
    let segment = if bytes.is_empty() { &[0; 8] } else { bytes };
    let header = [[0; 4], ((segment.len() / 8) as u32).to_le_bytes()].concat();
    message(&[&header, segment].concat())?.get_root().and_then(read).map_err(words_of)
}

/// Builds the canonical body of a message: one segment without header.
pub fn body_of(build: impl FnOnce(any_pointer::Builder<'_>)) -> Vec<u8> {
    let mut draft = Builder::new_default();
    build(draft.init_root());
    let words = draft.into_reader().canonicalize().expect("a message of our own making is canonical");
    capnp::Word::words_to_bytes(&words).to_vec()
}

fn framed(build: impl FnOnce(frame::Builder<'_>)) -> Vec<u8> {
    let body = body_of(|root| build(root.init_as()));
    [&[0; 4], &((body.len() / 8) as u32).to_le_bytes()[..], &body].concat()
}

pub fn call(call_id: u64, interface_id: u64, method: u16, body: &[u8]) -> Vec<u8> {
    framed(|mut frame| {
        frame.set_call_id(call_id);
        let mut call = frame.init_call();
        call.set_interface_id(interface_id);
        call.set_method(method);
        call.init_payload().set_message(body);
    })
}

pub fn answer(call_id: u64, body: &[u8]) -> Vec<u8> {
    framed(|mut frame| {
        frame.set_call_id(call_id);
        frame.init_answer().init_payload().set_message(body);
    })
}

/// Returns the frame that cancels a call, whose response is no longer wanted.
pub fn cancel(call_id: u64) -> Vec<u8> {
    framed(|mut frame| {
        frame.set_call_id(call_id);
        frame.set_cancel(());
    })
}

pub fn failure(call_id: u64, code: FailureCode, reason: &str) -> Vec<u8> {
    framed(|mut frame| {
        frame.set_call_id(call_id);
        let mut failure = frame.init_failure();
        failure.set_code(code);
        failure.set_reason(reason);
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Chance;

    fn all(bytes: &[u8], piece: usize) -> Vec<Frame> {
        let mut frames = Frames::default();
        let mut read = Vec::new();
        for part in bytes.chunks(piece) {
            frames.feed(part);
            while let Some(frame) = frames.take_frame().unwrap() {
                read.push(frame);
            }
        }
        read
    }

    #[test]
    fn frames_are_found_however_the_stream_is_split() {
        let bytes = [call(1, 77, 3, &[0; 8]), answer(2, &[]), failure(3, FailureCode::Failed, "no disk"), cancel(4)].concat();
        for piece in [1, 3, 8, 1000] {
            let read = all(&bytes, piece);
            assert_eq!(read[0].kind, Kind::Call { interface_id: 77, method: 3, body: vec![0; 8] });
            assert_eq!(read[1], Frame { call_id: 2, kind: Kind::Answer { body: vec![] } });
            assert_eq!(read[2].kind, Kind::Failure { reason: "no disk".into() });
            assert_eq!(read[3], Frame { call_id: 4, kind: Kind::Cancel });
        }
    }

    #[test]
    fn a_frame_above_the_limit_is_refused_by_its_header_alone() {
        let mut frames = Frames::default();
        frames.feed(&[0, 0, 0, 0, 0, 0, 2, 0]);
        assert_eq!(frames.take_frame(), Err("a frame above 1048576 bytes".into()));
    }

    #[test]
    fn a_message_of_several_segments_is_refused() {
        let mut frames = Frames::default();
        frames.feed(&[1, 0, 0, 0, 1, 0, 0, 0]);
        assert!(frames.take_frame().is_err());
    }

    #[test]
    fn no_changed_byte_makes_the_reader_panic() {
        let honest = call(1, 77, 3, &[1, 2, 3, 4, 5, 6, 7, 8]);
        for at in 8..honest.len() {
            for value in 0..=255 {
                let mut spoiled = honest.clone();
                spoiled[at] = value;
                let mut frames = Frames::default();
                frames.feed(&spoiled);
                if let Ok(Some(Frame { kind: Kind::Call { body, .. }, .. })) = frames.take_frame() {
                    assert!(body.len() <= honest.len());
                }
            }
        }
    }

    /// Returns the frames before the stream ended or was refused, and whether it was refused. Asserts that no buffer is larger than the input.
    fn taken(bytes: &[u8], chance: &mut Chance) -> (Vec<Frame>, bool) {
        let mut frames = Frames::up_to(4096);
        let (mut read, mut left) = (Vec::new(), bytes);
        while !left.is_empty() {
            let (piece, rest) = left.split_at(1 + chance.below(left.len()));
            frames.feed(piece);
            left = rest;
            loop {
                match frames.take_frame() {
                    Ok(Some(frame)) => read.push(frame),
                    Ok(None) => break,
                    Err(_) => return (read, true),
                }
            }
            assert!(frames.pending.len() <= 4096 + piece.len());
        }
        (read, false)
    }

    #[test]
    fn changed_streams_give_the_same_frames_however_they_are_split_and_no_buffer_exceeds_the_input() {
        let mut chance = Chance::new(1);
        let honest = [call(1, 77, 3, &[7; 40]), answer(2, &[1; 16]), failure(3, FailureCode::Failed, "no disk"), cancel(4)];
        for _ in 0..20_000 {
            let stream: Vec<u8> = (0..4).flat_map(|_| chance.pick(&honest).clone()).collect();
            let spoiled = chance.spoil(&stream);
            let whole = taken(&spoiled, &mut Chance::new(0));
            assert_eq!(taken(&spoiled, &mut chance), whole);
            for frame in whole.0 {
                if let Kind::Call { body, .. } | Kind::Answer { body } = frame.kind {
                    assert!(body.len() <= spoiled.len());
                }
            }
        }
    }
}
