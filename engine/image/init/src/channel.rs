//! Parses the lines of JSON on the channel between init and a process. The lines are Node's own protocol, which needs no
//! module in a Node.js process. This module validates bytes from processes for init, and bytes from init for the console.

use serde_json::{Value, json};

/// Maximum bytes of a line; every line of the protocol is shorter.
const MOST_LINE_BYTES: usize = 64 * 1024;

/// A line on the channel.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    Grant(GrantLine),
    Acknowledged,
    Ready,
    /// init asks whether the process still answers; the process answers with `Pong`.
    Ping,
    Pong,
    /// init requests that the process ends.
    Stop,
    /// Node's own messages, such as a change of its channel's state; they are ignored.
    Other,
}

/// A line with which init tells a process that another process holds a grant on it; init sends the connection with the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrantLine {
    pub badge: u64,
    pub interface_id: u64,
    pub holder: String,
    pub name: String,
}

impl GrantLine {
    /// Returns the line that announces the capability to its provider.
    pub fn to_bytes(&self) -> Vec<u8> {
        with_socket(&json!({
            "capos": "grant",
            "badge": self.badge.to_string(),
            "interfaceId": format!("{:x}", self.interface_id),
            "holder": self.holder,
            "name": self.name,
        }))
    }

    /// Returns the line for the holder of a grant, after the provider was restarted. It announces a new connection for the same grant.
    pub fn to_holder(&self) -> Vec<u8> {
        with_socket(&json!({
            "capos": "grant-again",
            "interfaceId": format!("{:x}", self.interface_id),
            "name": self.name,
        }))
    }

    fn read(message: &Value) -> Option<Self> {
        let field = |name: &str| message.get(name)?.as_str();
        Some(Self {
            badge: field("badge")?.parse().ok()?,
            interface_id: u64::from_str_radix(field("interfaceId")?, 16).ok()?,
            holder: field("holder")?.into(),
            name: field("name")?.into(),
        })
    }
}

/// Returns a line in Node's form for a message that a socket accompanies.
fn with_socket(message: &Value) -> Vec<u8> {
    let line = json!({ "cmd": "NODE_HANDLE", "type": "net.Socket", "msg": message });
    format!("{line}\n").into_bytes()
}

pub const ACKNOWLEDGEMENT: &[u8] = b"{\"cmd\":\"NODE_HANDLE_ACK\"}\n";
/// Message with which a process reports that it serves.
pub const READY: &[u8] = b"{\"capos\":\"ready\"}\n";
/// Message with which init asks whether a process still answers; the process answers with `PONG`.
pub const PING: &[u8] = b"{\"capos\":\"ping\"}\n";
pub const PONG: &[u8] = b"{\"capos\":\"pong\"}\n";
/// Message with which init ends a process: SIGTERM does not reach the first process of a pid namespace.
pub const STOP: &[u8] = b"{\"capos\":\"stop\"}\n";

/// Collects bytes and returns whole lines. Fails if the sender violates the protocol.
#[derive(Default)]
pub struct Lines {
    pending: Vec<u8>,
}

impl Lines {
    pub fn feed(&mut self, bytes: &[u8]) {
        self.pending.extend_from_slice(bytes);
    }

    /// Returns the next whole line. Fails if the process must be cut off.
    pub fn take_line(&mut self) -> Result<Option<Line>, &'static str> {
        let Some(end) = self.pending.iter().position(|&byte| byte == b'\n') else {
            return if self.pending.len() > MOST_LINE_BYTES { Err("a line above 64 KiB") } else { Ok(None) };
        };
        let line: Vec<u8> = self.pending.drain(..=end).collect();
        if line.len() > MOST_LINE_BYTES {
            return Err("a line above 64 KiB");
        }
        let value: Value = serde_json::from_slice(&line).map_err(|_| "a line that is not JSON")?;
        Ok(Some(meaning(&value)))
    }
}

fn meaning(value: &Value) -> Line {
    let word = |name: &str| value.get(name).and_then(Value::as_str);
    match (word("cmd"), word("capos")) {
        (Some("NODE_HANDLE_ACK"), _) => Line::Acknowledged,
        (Some("NODE_HANDLE"), _) => value.get("msg").and_then(GrantLine::read).map_or(Line::Other, Line::Grant),
        (None, Some("ready")) => Line::Ready,
        (None, Some("ping")) => Line::Ping,
        (None, Some("pong")) => Line::Pong,
        (None, Some("stop")) => Line::Stop,
        _ => Line::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grant_line_that_is_written_and_parsed_again_is_unchanged() {
        let grant = GrantLine { badge: u64::MAX, interface_id: 0xd380_7a61, holder: "gate.a".into(), name: "notes".into() };
        let mut lines = Lines::default();
        for byte in grant.to_bytes() {
            assert_eq!(lines.take_line(), Ok(None));
            lines.feed(&[byte]);
        }
        assert_eq!(lines.take_line(), Ok(Some(Line::Grant(grant))));
    }

    #[test]
    fn messages_of_node_and_of_init_are_parsed_and_unknown_ones_are_ignored() {
        let mut lines = Lines::default();
        lines.feed(ACKNOWLEDGEMENT);
        for line in [READY, PING, PONG, STOP] {
            lines.feed(line);
        }
        lines.feed(b"[1]\n{\"cmd\":\"NODE_HANDLE\",\"msg\":{\"badge\":\"x\"}}\n");
        let read: Vec<Line> = std::iter::from_fn(|| lines.take_line().unwrap()).collect();
        assert_eq!(read, [Line::Acknowledged, Line::Ready, Line::Ping, Line::Pong, Line::Stop, Line::Other, Line::Other]);
    }

    #[test]
    fn lines_that_are_not_json_too_long_or_too_deep_are_refused() {
        let mut lines = Lines::default();
        lines.feed(b"no json\n");
        assert!(lines.take_line().is_err());
        let mut lines = Lines::default();
        lines.feed(&vec![b' '; MOST_LINE_BYTES + 1]);
        assert!(lines.take_line().is_err());
        let mut lines = Lines::default();
        lines.feed(&[vec![b'['; 60_000], vec![b'\n']].concat());
        assert!(lines.take_line().is_err());
    }

    #[test]
    fn a_changed_line_is_read_or_refused_and_never_crashes_the_parser() {
        let grant = GrantLine { badge: 7, interface_id: 0xbeef, holder: "gate.a".into(), name: "notes".into() };
        let stream = [grant.to_bytes(), ACKNOWLEDGEMENT.to_vec(), READY.to_vec()].concat();
        let mut chance = crate::chance::Chance::new(2);
        for _ in 0..20_000 {
            let mut lines = Lines::default();
            lines.feed(&chance.spoil(&stream));
            while let Ok(Some(line)) = lines.take_line() {
                if let Line::Grant(read) = line {
                    assert!(read.holder.len() <= stream.len() && read.name.len() <= stream.len());
                }
            }
        }
    }
}
