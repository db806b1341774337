//! After the start init only supervises: one loop, one thread. It hands out the grants, keeps what processes say until
//! they die, cuts what has expired or is revoked, and stops everything when nobody could ask or be asked any more. It
//! restarts nothing.

mod closed;
mod grants;
mod integrity;
mod jail;
mod log;
mod order;
mod plan;
pub mod request;
mod service;
mod worker;

use crate::boot::Machine;
use crate::boot::verity::Watch;
use crate::digest::hex;
use crate::refusal::{About as _, Checked, Refusal};
use crate::sys;
use grants::Grants;
use log::Log;
use plan::Stores;
use request::{ProcessFacts, Request};
use service::{Service, Wish};
use std::io::Write as _;
use worker::{Fate, Worker};

/// How long processes may take to end by themselves once their connections are gone.
const GRACE_MS: u64 = 3_000;

/// How long a wave of processes may take to serve before the next is started all the same.
const PATIENCE_MS: u64 = 120_000;

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

pub struct Supervisor<'m> {
    machine: &'m Machine,
    /// Over what is read from the medium.
    watch: Watch,
    /// 32 hex digits, new at each start of the machine.
    boot_id: String,
    /// By their places in the manifest, as are waves and holders.
    workers: Vec<Worker>,
    /// Who is not started yet, the next last.
    waves: Vec<Vec<usize>>,
    /// The wave that was started last, and how long the next one waits for it.
    starting: (Vec<usize>, u64),
    grants: Grants,
    service: Service,
    log: Log,
    /// What the person at the machine is to know. The console draws it, so that it never stands within another line.
    notices: Log,
    /// The notice up to which all were printed here, because there was no console to draw them.
    printed: u64,
    /// The loop of the machine's own session has ended in order: the console is to end as well by this time.
    ending: Option<u64>,
}

impl<'m> Supervisor<'m> {
    /// Starts the first processes of the manifest. All connections exist before the first of them runs, so none waits
    /// for another: a call to a process that has not started lies in its socket.
    pub fn start(machine: &'m Machine, watch: Watch) -> Checked<Self> {
        let processes = &machine.manifest.processes;
        worker::prepare_groups().about("the control groups")?;
        let mut waves = order::waves(processes, &machine.manifest.session);
        waves.reverse();
        let mut started = Self {
            machine,
            watch,
            boot_id: hex(&sys::random().about("random numbers")?),
            workers: processes.iter().map(Worker::absent).collect(),
            waves,
            starting: (Vec::new(), 0),
            grants: Grants::connect(processes).about("the connections")?,
            service: Service::default(),
            log: Log::default(),
            notices: Log::default(),
            printed: 0,
            ending: None,
        };
        for (holder, end) in started.grants.served_by_init().about("the connections")? {
            started.service.add(holder, &processes[holder].role, end).about("the connections")?;
        }
        started.go_on()?;
        Ok(started)
    }

    /// What cannot be started because its program is spoiled is not to blame.
    fn go_on(&mut self) -> Checked<()> {
        self.start_next_wave().map_err(|refusal| self.watch.spoiled_root(&self.machine.manifest).unwrap_or(refusal))
    }

    /// Starts the next wave if the last one serves, or takes too long.
    fn start_next_wave(&mut self) -> Checked<()> {
        let (wave, patience) = &self.starting;
        let is_due = *patience <= sys::now() || wave.iter().all(|&index| self.workers[index].is_settled());
        let Some(wave) = (if is_due { self.waves.pop() } else { None }) else { return Ok(()) };
        for &index in &wave {
            self.start_one(index)?;
        }
        self.starting = (wave, sys::now() + PATIENCE_MS);
        Ok(())
    }

    fn start_one(&mut self, index: usize) -> Checked<()> {
        let Machine { manifest, artefacts, has_disk } = self.machine;
        let process = &manifest.processes[index];
        // Files that go nowhere are no files; every other process has something to say without a disk.
        if process.role == "files" && process.directory().is_some() && !has_disk {
            self.tell(&format!("{} not started — there is no data disk", process.name));
            drop(self.grants.held_by(index));
            self.grants.process_ended(index);
            return Ok(());
        }
        let (held, served) = (self.grants.held_by(index), self.grants.served_by(index));
        let stores = Stores { artefacts, boot_id: &self.boot_id, has_disk: *has_disk };
        self.workers[index] = Worker::start(process, &stores, held, served).about(&process.name)?;
        self.note(&format!("{} started", process.name));
        Ok(())
    }

    /// Runs until the machine is to stop.
    pub fn run(&mut self) -> Checked<End> {
        loop {
            let patience = self.waves.last().map(|_| self.starting.1);
            let due = [self.grants.next_expiry(), self.service.deadline(), self.ending, patience].into_iter().flatten().min();
            self.wait(due)?;
            self.judge_medium()?;
            for name in self.grants.expire(sys::now()) {
                self.tell(&format!("{name} expired"));
            }
            for index in 0..self.workers.len() {
                let fate = self.workers[index].turn();
                if self.workers[index].became_ready() {
                    self.note(&format!("{} ready", self.workers[index].name));
                }
                let Some(fate) = fate else { continue };
                self.grants.process_ended(index);
                if let Some(end) = self.judge(index, fate) {
                    return Ok(end);
                }
            }
            if self.ending.is_some_and(|ending| ending <= sys::now()) {
                self.tell(&format!("nobody listens in session {}", self.machine.manifest.session));
                return Ok(End::Broken);
            }
            self.serve();
            self.go_on()?;
        }
    }

    fn wait(&self, deadline: Option<u64>) -> Checked<()> {
        let workers = self.workers.iter().flat_map(Worker::watched);
        let medium = [sys::watch(self.watch.descriptor(), libc::POLLIN)];
        let mut watched: Vec<libc::pollfd> = workers.chain(self.service.watched()).chain(medium).collect();
        let time = deadline.map(|deadline| deadline.saturating_sub(sys::now()));
        sys::poll(&mut watched, time).map_err(|error| Refusal { what: "supervision".into(), why: error.to_string() })
    }

    /// For those who may read the log.
    fn note(&mut self, line: &str) {
        self.log.write(sys::now(), line);
    }

    /// For them and for the person at the machine.
    fn tell(&mut self, line: &str) {
        self.note(line);
        self.show(line);
    }

    /// For the person alone.
    fn show(&mut self, line: &str) {
        self.notices.write(sys::now(), line);
        if !self.workers.iter().enumerate().any(|(index, worker)| worker.is_alive() && self.service.listens(index)) {
            self.print_notices();
        }
    }

    /// Prints what no console has drawn.
    fn print_notices(&mut self) {
        for line in self.notices.after(self.printed.max(self.service.drawn()), usize::MAX) {
            say(&line.text);
            self.printed = line.sequence;
        }
    }

    fn serve(&mut self) {
        for wish in self.service.take(sys::now()) {
            let result = self.carry_out(&wish);
            self.service.answer(&wish, result);
        }
        self.service.send(&self.log, &self.notices);
    }

    fn carry_out(&mut self, wish: &Wish) -> Result<Vec<u8>, String> {
        match &wish.request {
            Request::Revoke(name) => {
                let revoked = self.grants.revoke(wish.holder, name);
                let grant = revoked.ok_or_else(|| format!("no grant named {} is held", name.escape_default()))?;
                self.note(&format!("{grant} revoked"));
                Ok(request::nothing())
            }
            Request::Stop(name) => {
                let meant = self.workers.iter().find(|worker| worker.name == *name && worker.is_alive());
                meant.ok_or_else(|| format!("no process named {} runs", name.escape_default()))?.kill();
                Ok(request::nothing())
            }
            Request::Facts => {
                let workers = self.workers.iter();
                let processes: Vec<ProcessFacts<'_>> = workers
                    .map(|worker| ProcessFacts { name: &worker.name, role: &worker.role, is_alive: worker.is_alive() })
                    .collect();
                Ok(request::facts(sys::now() / 1000, sys::free_memory(), &processes))
            }
            // The service waits for lines by itself.
            Request::ReadLog { .. } | Request::ReadNotices { .. } => Err("the log is read elsewhere".into()),
        }
    }

    /// What the end of a process means for the machine. Calls to whoever is gone fail; a session lives as long as its
    /// gate and its loop, and the machine as long as its console and its own session.
    fn judge(&mut self, index: usize, fate: Fate) -> Option<End> {
        let Worker { name, role, .. } = &self.workers[index];
        let is_session = ["gate", "loop"].map(|role| format!("{role}.{}", self.machine.manifest.session)).contains(name);
        let stopped = format!("{name} stopped ({fate})");
        if role == "console" && fate == Fate::Exited(0) {
            return Some(End::Clean);
        }
        if role == "loop" && fate == Fate::Exited(0) {
            // A loop ends so when its person has left: the console, which told it, is about to end as well.
            self.ending = self.ending.or(is_session.then(|| sys::now() + GRACE_MS));
            self.note(&stopped);
            return None;
        }
        let is_vital = role == "console" || is_session;
        self.tell(&stopped);
        let Worker { name, .. } = &self.workers[index];
        let words: Vec<String> = self.workers[index].last_words().iter().map(|line| format!("{name} said: {line}")).collect();
        words.iter().for_each(|line| self.show(line));
        is_vital.then_some(End::Broken)
    }

    /// Takes every connection away, gives processes time to end, and kills what is left. Channels go first: who sees
    /// its connections end can know by then that the machine stops.
    pub fn stop(&mut self) -> Checked<()> {
        self.workers.iter_mut().for_each(Worker::let_go);
        self.service.close(sys::now());
        self.grants.shut_all();
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
        self.print_notices();
        Ok(())
    }
}
