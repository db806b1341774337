//! State of init while it supervises. Each module in this folder changes a part of the state.

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

/// How the machine ended.
#[derive(Debug, PartialEq, Eq)]
pub enum End {
    /// The person left and everything stopped in order.
    Clean,
    /// A process that the machine needs has ended, or the data disk could not be flushed and unmounted; a message states which.
    Broken,
}

pub struct Supervisor<'m> {
    pub(super) machine: &'m Machine,
    /// Detects corrupt data that is read from the medium.
    pub(super) watch: Watch,
    /// Identifier of this start of the machine: 32 hex digits.
    pub(super) boot_id: String,
    /// One worker for each process, running or not, in the order of the manifest. `waves` and `holders` contain indexes of workers.
    pub(super) workers: Vec<Worker>,
    /// Restart rule and recent restarts of each process.
    pub(super) restarts: Vec<Restarts>,
    /// Processes to restart or stop, each with the request for this, which is answered when the process serves again or has ended.
    pub(super) awaited: Vec<(usize, Wish)>,
    /// Batches of processes that are not started yet, the next batch last.
    pub(super) waves: Vec<Vec<usize>>,
    /// The last started batch, and the time at which the next batch starts even if this one does not serve.
    pub(super) starting: (Vec<usize>, u64),
    pub(super) grants: Grants,
    pub(super) service: Service,
    pub(super) recorder: Recorder,
    pub(super) watchdogs: Vec<Watchdog>,
    pub(super) address: Address,
    pub(super) log: Log,
    /// Notices for the person at the machine. The console draws the notices, so that they never interrupt another line.
    pub(super) notices: Log,
    /// Number of the last notice that init printed itself, because no console could draw it.
    pub(super) printed: u64,
    /// Deadline for the console to end, after the loop of the machine's first session has ended in order.
    pub(super) ending: Option<u64>,
    /// Whether the system has started completely, so that older versions are refused from now on.
    pub(super) is_accepted: bool,
}
