//! Calls on `Supervisor` as plain values, the bodies of their answers, and the permissions of callers.

use super::log::LogLine;
use crate::frame::{body_of, with_body};
use crate::wire_capnp::{FailureCode, supervisor};

pub const SUPERVISOR: u64 = supervisor::_private::TYPE_ID;
/// Ordinal of `Supervisor.stop`, for callers.
pub const STOP: u16 = 1;
/// Ordinal of `Supervisor.facts`, for callers.
pub const FACTS: u16 = 2;
/// Ordinal of `Supervisor.readNotices`, for callers.
pub const READ_NOTICES: u16 = 4;
/// Ordinal of `Supervisor.restart`, for callers.
pub const RESTART: u16 = 5;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    Revoke(String),
    Stop(String),
    Restart(String),
    Facts,
    ReadLog { after: u64 },
    ReadNotices { after: u64 },
}

/// A process, as the answer to `Supervisor.facts` lists it.
pub struct ProcessFacts<'a> {
    pub name: &'a str,
    pub role: &'a str,
    pub is_alive: bool,
    pub serves: bool,
}

pub fn read(method: u16, body: &[u8]) -> Result<Request, (FailureCode, String)> {
    let read = match method {
        0 => with_body(body, |root| {
            Ok(Request::Revoke(root.get_as::<supervisor::revoke_params::Reader>()?.get_name()?.to_string()?))
        }),
        STOP => with_body(body, |root| {
            Ok(Request::Stop(root.get_as::<supervisor::stop_params::Reader>()?.get_name()?.to_string()?))
        }),
        RESTART => with_body(body, |root| {
            Ok(Request::Restart(root.get_as::<supervisor::restart_params::Reader>()?.get_name()?.to_string()?))
        }),
        FACTS => Ok(Request::Facts),
        3 => with_body(body, |root| {
            Ok(Request::ReadLog { after: root.get_as::<supervisor::read_log_params::Reader>()?.get_after() })
        }),
        READ_NOTICES => with_body(body, |root| {
            Ok(Request::ReadNotices { after: root.get_as::<supervisor::read_notices_params::Reader>()?.get_after() })
        }),
        _ => return Err((FailureCode::UnknownMethod, format!("no method {method}"))),
    };
    read.map_err(|why| (FailureCode::Malformed, why))
}

/// Returns whether a process of this role may make this request; whether the named grants or process exist is checked later.
pub fn may(role: &str, request: &Request) -> bool {
    match request {
        Request::Revoke(_) => true,
        Request::Stop(_) | Request::ReadNotices { .. } => role == "console",
        Request::Restart(_) => matches!(role, "console" | "services" | "gate"),
        Request::Facts => matches!(role, "status" | "services" | "console"),
        Request::ReadLog { .. } => role == "logs",
    }
}

/// Roles that only serve tools. The role `services` may restart these roles. `services` is not in this list, because it would not receive the result
/// of its own restart.
const TOOLS: [&str; 5] = ["files", "logs", "own", "own-native", "status"];

/// Returns whether a process of the first role may restart a process of the second role.
pub fn may_restart(role: &str, other: &str) -> bool {
    role == "console" || TOOLS.contains(&other)
}

/// Returns whether init restarts a provider of this role when a gate reports that the provider no longer serves it.
pub fn may_be_cut_off(role: &str) -> bool {
    role == "services" || TOOLS.contains(&role)
}

/// Returns the body of the answer to a method without results.
pub fn nothing() -> Vec<u8> {
    body_of(|root| {
        root.init_as::<supervisor::revoke_results::Builder>();
    })
}

pub fn facts(uptime_seconds: u64, memory_free_bytes: u64, processes: &[ProcessFacts<'_>]) -> Vec<u8> {
    body_of(|root| {
        let mut results: supervisor::facts_results::Builder = root.init_as();
        results.set_uptime_seconds(uptime_seconds);
        results.set_memory_free_bytes(memory_free_bytes);
        let mut list = results.init_processes(processes.len() as u32);
        for (index, process) in (0..).zip(processes) {
            let mut told = list.reborrow().get(index);
            told.set_name(process.name);
            told.set_role(process.role);
            told.set_alive(process.is_alive);
            told.set_serves(process.serves);
        }
    })
}

/// Encodes lines as the results of `readLog` or of `readNotices`, which have the same form.
pub fn log_lines<'a>(lines: impl ExactSizeIterator<Item = &'a LogLine>) -> Vec<u8> {
    body_of(|root| {
        let results: supervisor::read_log_results::Builder = root.init_as();
        let mut list = results.init_lines(lines.len() as u32);
        for (index, line) in (0..).zip(lines) {
            let mut told = list.reborrow().get(index);
            told.set_sequence(line.sequence);
            told.set_uptime_ms(line.uptime_ms);
            told.set_text(&line.text);
        }
    })
}

/// Encodes the parameters of a call of `Supervisor.stop`, which stops the process `name`.
pub fn stop(name: &str) -> Vec<u8> {
    body_of(|root| root.init_as::<supervisor::stop_params::Builder>().set_name(name))
}

/// Encodes the parameters of a call of `Supervisor.restart`, which restarts the process `name`.
pub fn restart(name: &str) -> Vec<u8> {
    body_of(|root| root.init_as::<supervisor::restart_params::Builder>().set_name(name))
}

/// Encodes the parameters of a call of `Supervisor.readNotices`, which returns the notices with numbers above `after`.
pub fn read_notices(after: u64) -> Vec<u8> {
    body_of(|root| root.init_as::<supervisor::read_notices_params::Builder>().set_after(after))
}

/// Encodes the parameters of a call of `Supervisor.facts`: it has none.
pub fn ask_facts() -> Vec<u8> {
    body_of(|root| {
        root.init_as::<supervisor::facts_params::Builder>();
    })
}

/// Progress of the machine's start: the first process that does not serve yet, and the number of processes that serve.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    pub name: String,
    pub serving: usize,
    pub all: usize,
}

/// Returns the state of the start from the answer to `Supervisor.facts`, or `None` if all processes serve. Fails if the answer is
/// malformed.
pub fn progress(body: &[u8]) -> Result<Option<Progress>, String> {
    with_body(body, |root| {
        let processes = root.get_as::<supervisor::facts_results::Reader>()?.get_processes()?;
        let serving = processes.iter().filter(|process| process.get_serves()).count();
        let waiting = processes.iter().filter(|process| !process.get_serves());
        // A process that already runs is named first: it will serve sooner than a process that is not started.
        let Some(first) = waiting.min_by_key(|process| !process.get_alive()) else { return Ok(None) };
        Ok(Some(Progress { name: first.get_name()?.to_string()?, serving, all: processes.len() as usize }))
    })
}

/// Returns each line of the answer to `Supervisor.readNotices`, with its sequence. Fails if the answer is malformed.
pub fn notices(body: &[u8]) -> Result<Vec<(u64, String)>, String> {
    with_body(body, |root| {
        let results: supervisor::read_notices_results::Reader = root.get_as()?;
        results.get_lines()?.iter().map(|line| Ok((line.get_sequence(), line.get_text()?.to_string()?))).collect()
    })
}
