//! Supervises the processes after the machine's start, in one loop and one thread. The supervisor passes grants, stores the output of
//! processes until they die, and restarts those that may be restarted. It ends expired and revoked grants, and stops the machine when no
//! interaction with a person is possible any more.

mod address;
mod closed;
mod deaths;
mod ending;
pub mod grants;
mod groups;
mod integrity;
mod jail;
mod log;
mod order;
pub mod plan;
mod pulse;
mod recorder;
pub mod request;
mod restarts;
mod service;
mod state;
mod upkeep;
mod watchdog;
pub mod worker;

pub use state::{End, Supervisor};

use crate::boot::Machine;
use crate::boot::verity::Watch;
use crate::digest::hex;
use crate::manifest::{INIT, Process};
use crate::refusal::{About as _, Checked, Refusal};
use crate::say::say;
use crate::sys;
use address::Address;
use grants::Grants;
use log::Log;
use plan::Stores;
use recorder::{Event, Recorder};
use request::{ProcessFacts, Request};
use restarts::Restarts;
use service::{Service, Wish};
use watchdog::Watchdog;
use worker::Worker;

impl<'m> Supervisor<'m> {
    /// Returns a process by its index. The reference outlives the borrow of `self`, so that messages need no copy of the process's name.
    fn process(&self, index: usize) -> &'m Process {
        &self.machine.manifest.processes[index]
    }

    /// Starts the first processes of the manifest. All connections exist before the first process runs, so no process waits for another: a
    /// call to a process that has not started stays in its socket.
    pub fn start(machine: &'m Machine, watch: Watch) -> Checked<Self> {
        let processes = &machine.manifest.processes;
        groups::keep_init(machine.least_score).about("init's order of ends")?;
        if machine.is_counted {
            groups::prepare().about("the control groups")?;
        }
        let mut waves = order::waves(processes, &machine.manifest.session);
        waves.reverse();
        let mut started = Self {
            machine,
            watch,
            boot_id: hex(&sys::random().about("random numbers")?),
            workers: processes.iter().map(Worker::absent).collect(),
            restarts: processes.iter().map(|process| Restarts::of(process.restart)).collect(),
            awaited: Vec::new(),
            waves,
            starting: (Vec::new(), 0),
            grants: Grants::connect(processes).about("the connections")?,
            service: Service::default(),
            recorder: Recorder::default(),
            watchdogs: Watchdog::all(),
            address: Address::of(machine.card.clone()),
            log: Log::default(),
            notices: Log::default(),
            printed: 0,
            ending: None,
            is_accepted: false,
        };
        for (holder, end) in started.grants.served_by_init().about("the connections")? {
            started.service.add(holder, &processes[holder].role, end).about("the connections")?;
        }
        started.record_host();
        started.go_on()?;
        Ok(started)
    }

    /// Records that this is a run on a host, and which properties of a machine it does not have.
    fn record_host(&mut self) {
        if !self.machine.without.is_empty() {
            let detail = format!("without {}", self.machine.without.join(", "));
            self.recorder.write(Event { process: INIT.into(), event: "started on a host", detail });
        }
    }

    /// Continues the start of the machine. If the start fails because the root is corrupt, the refusal names the root instead of the program.
    fn go_on(&mut self) -> Checked<()> {
        self.accept_once();
        self.start_next_wave().map_err(|refusal| self.watch.spoiled_root(&self.machine.manifest).unwrap_or(refusal))
    }

    /// Starts the next batch of processes if the last batch serves, or takes too long.
    fn start_next_wave(&mut self) -> Checked<()> {
        let (wave, patience) = &self.starting;
        let is_due = *patience <= sys::now() || wave.iter().all(|&index| self.workers[index].is_settled());
        let Some(wave) = (if is_due { self.waves.pop() } else { None }) else { return Ok(()) };
        for &index in &wave {
            self.start_one(index)?;
        }
        let patience = order::patience(wave.len());
        self.starting = (wave, sys::now() + patience);
        Ok(())
    }

    fn start_one(&mut self, index: usize) -> Checked<()> {
        let process = self.process(index);
        if self.is_without_disk(index) {
            self.tell(&format!("{} not started — there is no data disk", process.name));
            drop(self.grants.held_by(index));
            self.grants.process_ended(index);
            return Ok(());
        }
        self.spawn(index).about(&process.name)?;
        self.note(&format!("{} started", process.name));
        Ok(())
    }

    /// Returns whether the process is a file service without a disk; every other process is useful without a disk.
    fn is_without_disk(&self, index: usize) -> bool {
        let process = self.process(index);
        process.role == "files" && process.directory().is_some() && !self.machine.has_disk
    }

    /// Starts a process in its own jail and control group, with all of its present connections.
    fn spawn(&mut self, index: usize) -> std::io::Result<()> {
        let Machine { artefacts, keys, has_disk, partition, weights, is_counted, is_confined, least_score, .. } = self.machine;
        let process = self.process(index);
        let (held, mut served) = (self.grants.held_by(index), self.grants.served_by(index));
        if process.role == "audit" {
            served.push(self.recorder.connect()?);
        }
        let card = self.address.card.as_ref().filter(|_| self.machine.manifest.networked() == Some(index));
        let partition = partition.as_deref();
        let stores = Stores { artefacts, keys, boot_id: &self.boot_id, has_disk: *has_disk, partition, weights, card, least_score: *least_score, is_confined: *is_confined };
        let group = if *is_counted { groups::make } else { groups::none };
        self.workers[index] = Worker::start(group, process, &stores, held, served)?;
        Ok(())
    }

    /// Runs until the machine must stop.
    pub fn run(&mut self) -> Checked<End> {
        loop {
            self.wait(self.due())?;
            self.judge_medium()?;
            let now = sys::now();
            self.watchdogs.iter_mut().for_each(|watchdog| watchdog.turn(now));
            for name in self.grants.expire(now) {
                self.tell(&format!("{name} expired"));
            }
            if let Some(end) = self.attend(now) {
                return Ok(end);
            }
            if self.ending.is_some_and(|ending| ending <= now) {
                return Ok(self.left_alone());
            }
            if let Some(end) = self.start_due(now) {
                return Ok(end);
            }
            self.keep_address(now);
            self.serve();
            self.recorder.turn(now);
            self.go_on()?;
        }
    }

    /// Returns the time at which the supervisor must act even if no event arrives before.
    fn due(&self) -> Option<u64> {
        let patience = self.waves.last().map(|_| self.starting.1);
        let own = [self.grants.next_expiry(), self.service.deadline(), self.ending, patience, self.address.due()];
        let watched = self.watchdogs.iter().map(Watchdog::due);
        let beats = self.workers.iter().filter_map(Worker::next_beat);
        let starts = self.restarts.iter().filter_map(Restarts::due);
        own.into_iter().flatten().chain(watched).chain(beats).chain(starts).min()
    }

    /// Reads the messages of all processes, kills processes that hang, and handles the end of a process.
    fn attend(&mut self, now: u64) -> Option<End> {
        for index in 0..self.workers.len() {
            let fate = self.workers[index].turn(now);
            if self.workers[index].became_ready() {
                self.became_ready(index);
            }
            if self.workers[index].hangs(now) {
                self.tell(&format!("{} does not answer", self.process(index).name));
                self.workers[index].kill();
            }
            let Some(fate) = fate else { continue };
            self.grants.process_ended(index);
            if let Some(end) = self.judge(index, fate) {
                return Some(end);
            }
        }
        None
    }

    fn wait(&self, deadline: Option<u64>) -> Checked<()> {
        let workers = self.workers.iter().flat_map(Worker::watched);
        let medium = [sys::watch(self.watch.descriptor(), libc::POLLIN)];
        let others = self.service.watched().chain(self.recorder.watched()).chain(self.address.watched()).chain(medium);
        let mut watched: Vec<libc::pollfd> = workers.chain(others).collect();
        let time = deadline.map(|deadline| deadline.saturating_sub(sys::now()));
        sys::poll(&mut watched, time).map_err(|error| Refusal { what: "supervision".into(), why: error.to_string() })
    }

    /// Writes a line for readers of the log.
    fn note(&mut self, line: &str) {
        self.log.write(sys::now(), line);
    }

    /// Writes a line for readers of the log and for the person at the machine.
    fn tell(&mut self, line: &str) {
        self.note(line);
        self.show(line);
    }

    /// Writes a line only for the person at the machine.
    fn show(&mut self, line: &str) {
        self.notices.write(sys::now(), line);
        if !self.workers.iter().enumerate().any(|(index, worker)| worker.is_alive() && self.service.listens(index)) {
            self.print_notices();
        }
    }

    /// Prints the notices that the console has not drawn.
    fn print_notices(&mut self) {
        for line in self.notices.after(self.printed.max(self.service.drawn()), usize::MAX) {
            say(&line.text);
            self.printed = line.sequence;
        }
    }

    fn serve(&mut self) {
        for wish in self.service.take(sys::now()) {
            match self.carry_out(&wish) {
                Some(result) => self.service.answer(&wish, result),
                None => self.awaited.extend(self.place_of(&wish).map(|index| (index, wish))),
            }
        }
        self.service.send(&self.log, &self.notices);
    }

    /// Handles a request. Returns `None` for a restart or stop that takes time: the answer follows when the process serves or has ended.
    fn carry_out(&mut self, wish: &Wish) -> Option<Result<Vec<u8>, String>> {
        match &wish.request {
            Request::Revoke(name) => {
                let revoked = self.grants.revoke(wish.holder, name);
                Some(match revoked {
                    None => Err(format!("no grant named {} is held", name.escape_default())),
                    Some(grant) => {
                        self.note(&format!("{grant} revoked"));
                        Ok(request::nothing())
                    }
                })
            }
            Request::Stop(name) => self.stop_one(name),
            Request::Restart(name) if self.is_of_provider(wish, name) => {
                Some(self.restart_provider(wish.holder, name).map(|()| request::nothing()))
            }
            Request::Restart(name) => match self.may_restart(wish, name).and_then(|()| self.restart_for(wish, name)) {
                Ok(()) => None,
                Err(reason) => Some(Err(reason)),
            },
            Request::Facts => {
                let processes = self.machine.manifest.processes.iter().zip(&self.workers);
                let processes: Vec<ProcessFacts<'_>> = processes
                    .map(|(Process { name, role, .. }, worker)| ProcessFacts { name, role, is_alive: worker.is_alive(), serves: worker.serves() })
                    .collect();
                Some(Ok(request::facts(sys::now() / 1000, sys::free_memory(), &processes)))
            }
            // `service.rs` answers these requests, because they may wait for new lines.
            Request::ReadLog { .. } | Request::ReadNotices { .. } => Some(Err("the log is read elsewhere".into())),
        }
    }

    /// Restarts a process. A gate restarts its own loop on purpose, so such a restart does not count as a death.
    fn restart_for(&mut self, wish: &Wish, name: &str) -> Result<(), String> {
        let is_gates = self.machine.manifest.processes[wish.holder].role == "gate";
        if let Some(index) = self.place(name).filter(|_| is_gates) {
            self.restarts[index].pardon();
        }
        self.restart_one(name)
    }

    /// Returns whether the caller is a gate that names a grant. A gate names either its own loop or one of its grants.
    fn is_of_provider(&self, wish: &Wish, name: &str) -> bool {
        let holder = self.process(wish.holder);
        holder.role == "gate" && !order::is_own_loop(holder, name)
    }

    /// Kills the running provider of a gate's grant if the connection between them has ended. Then the provider is restarted
    /// within its limits, like after any other death.
    fn restart_provider(&mut self, holder: usize, grant: &str) -> Result<(), String> {
        let is_meant = |&index: &usize| {
            request::may_be_cut_off(&self.process(index).role)
                && self.workers[index].is_alive()
                && self.restarts[index].may_start_again()
        };
        let meant = self.grants.broken(holder, grant).filter(is_meant);
        let index = meant.ok_or_else(|| format!("no provider of {} is to be started again", grant.escape_default()))?;
        self.tell(&format!("{} no longer serves {}", self.process(index).name, self.process(holder).name));
        self.workers[index].kill();
        Ok(())
    }

    /// Fails if the caller may not restart the process. An earlier check has ensured that a gate names only its own loop.
    fn may_restart(&self, wish: &Wish, name: &str) -> Result<(), String> {
        let Process { role, .. } = self.process(wish.holder);
        match self.place(name) {
            Some(index) if role != "gate" && !request::may_restart(role, &self.process(index).role) => {
                Err(format!("{name} is no service"))
            }
            _ => Ok(()),
        }
    }

    fn place_of(&self, wish: &Wish) -> Option<usize> {
        let (Request::Restart(name) | Request::Stop(name)) = &wish.request else { return None };
        self.place(name)
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.machine.manifest.processes.iter().position(|process| process.name == name)
    }
}
