//! State of init while it supervises. Each module beside this one changes a part of it.

use super::address::Address;
use super::grants::Grants;
use super::log::Log;
use super::recorder::Recorder;
use super::restarts::Restarts;
use super::service::{Service, Wish};
use super::watchdog::Watchdog;
use super::worker::Worker;
use crate::boot::Machine;
use crate::boot::verity::Watch;

/// How the machine came to its end.
#[derive(Debug, PartialEq, Eq)]
pub enum End {
    /// The person left and everything stopped in order.
    Clean,
    /// Something that the machine cannot go on without is gone; its line was said.
    Broken,
}

pub struct Supervisor<'m> {
    pub(super) machine: &'m Machine,
    /// Over what is read from the medium.
    pub(super) watch: Watch,
    /// 32 hex digits, new at each start of the machine.
    pub(super) boot_id: String,
    /// By their places in the manifest, as are waves and holders.
    pub(super) workers: Vec<Worker>,
    /// How often each may still be started again.
    pub(super) restarts: Vec<Restarts>,
    /// Processes that a person waits for, until they serve again or have ended.
    pub(super) awaited: Vec<(usize, Wish)>,
    /// Waves of processes that are not started yet, the next wave last.
    pub(super) waves: Vec<Vec<usize>>,
    /// The wave that was started last, and how long the next one waits for it.
    pub(super) starting: (Vec<usize>, u64),
    pub(super) grants: Grants,
    pub(super) service: Service,
    pub(super) recorder: Recorder,
    pub(super) watchdogs: Vec<Watchdog>,
    pub(super) address: Address,
    pub(super) log: Log,
    /// Notices for the person at the machine. The console draws them, so that they never stand within another line.
    pub(super) notices: Log,
    /// The notice up to which all were printed here, because there was no console to draw them.
    pub(super) printed: u64,
    /// The loop of the machine's own session has ended in order: the console is to end as well by this time.
    pub(super) ending: Option<u64>,
    /// The system came up, and what is older is refused from now on.
    pub(super) is_accepted: bool,
}
