//! After the start init only supervises: one loop, one thread. It hands out the grants, keeps what processes say until
//! they die, cuts what has expired, and stops everything when the console or a gate is gone. It restarts nothing.

mod grants;
mod jail;
mod plan;
mod worker;

use crate::boot::Machine;
use crate::refusal::{About as _, Checked, Refusal};
use crate::sys;
use grants::Grants;
use std::io::Write as _;
use worker::{Fate, Worker};

/// Without one of these nobody could ask or be asked.
const VITAL_ROLES: [&str; 2] = ["console", "gate"];

/// How long processes may take to end by themselves once their connections are gone.
const GRACE_MS: u64 = 3_000;

/// One line of init's own.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "capos: {line}");
}

/// How the machine came to its end.
#[derive(Debug, PartialEq, Eq)]
pub enum End {
    /// The person left and everything stopped in order.
    Clean,
    /// Something that the machine cannot go on without is gone; its line was said.
    Broken,
}

pub struct Supervisor {
    workers: Vec<Worker>,
    grants: Grants,
}

impl Supervisor {
    /// Starts every process of the manifest. All connections exist before the first of them runs, so none waits for
    /// another: a call to a process that is still starting lies in its socket.
    pub fn start(machine: &Machine) -> Checked<Self> {
        let processes = &machine.manifest.processes;
        worker::prepare_groups().about("the control groups")?;
        let mut grants = Grants::connect(processes).about("the connections")?;
        let mut workers = Vec::new();
        for (index, process) in processes.iter().enumerate() {
            if process.directory().is_some() && !machine.has_disk {
                say(&format!("{} not started — there is no data disk", process.name));
                grants.process_ended(index);
                workers.push(Worker::absent(process));
                continue;
            }
            let held = grants.held_by(index);
            let served = grants.served_by(index);
            workers.push(Worker::start(process, &machine.artefacts, held, served).about(&process.name)?);
        }
        grants.all_handed_out();
        Ok(Self { workers, grants })
    }

    /// Runs until the machine is to stop.
    pub fn run(&mut self) -> Checked<End> {
        loop {
            self.wait(self.grants.next_expiry())?;
            for name in self.grants.expire(sys::now()) {
                say(&format!("{name} expired"));
            }
            for index in 0..self.workers.len() {
                let Some(fate) = self.workers[index].turn() else { continue };
                self.grants.process_ended(index);
                if let Some(end) = self.judge(index, fate) {
                    return Ok(end);
                }
            }
        }
    }

    fn wait(&self, deadline: Option<u64>) -> Checked<()> {
        let mut watched: Vec<libc::pollfd> = self.workers.iter().flat_map(Worker::watched).collect();
        let time = deadline.map(|deadline| deadline.saturating_sub(sys::now()));
        sys::poll(&mut watched, time).map_err(|error| Refusal { what: "supervision".into(), why: error.to_string() })
    }

    /// What the end of a process means for the machine.
    fn judge(&self, index: usize, fate: Fate) -> Option<End> {
        let worker = &self.workers[index];
        if worker.role == "console" && fate == Fate::Exited(0) {
            return Some(End::Clean);
        }
        say(&format!("{} stopped ({fate})", worker.name));
        for line in worker.last_words() {
            say(&format!("{} said: {line}", worker.name));
        }
        VITAL_ROLES.contains(&worker.role.as_str()).then_some(End::Broken)
    }

    /// Takes every connection away, gives processes time to end, and kills what is left.
    pub fn stop(&mut self) -> Checked<()> {
        self.grants.shut_all();
        self.workers.iter_mut().for_each(Worker::let_go);
        let deadline = sys::now() + GRACE_MS;
        while self.workers.iter().any(Worker::is_alive) {
            let now = sys::now();
            if now >= deadline {
                self.workers.iter().for_each(Worker::kill);
            }
            self.wait(if now >= deadline { None } else { Some(deadline) })?;
            for worker in &mut self.workers {
                worker.turn();
            }
        }
        Ok(())
    }
}
