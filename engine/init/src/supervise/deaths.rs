//! What the end of a process means, and how it comes back. Calls to whoever is gone fail; a session lives as long as its
//! gate, and the machine as long as its console and its own session.

use super::recorder::Event;
use super::restarts::Next;
use super::worker::Fate;
use super::{End, LEAVING_MS, Supervisor, request};
use crate::manifest::Process;
use crate::sys;

/// Names on record, with why, who ended the machine.
const ENDED: &str = "ended the machine";

impl Supervisor<'_> {
    pub(super) fn judge(&mut self, index: usize, fate: Fate) -> Option<End> {
        let process = self.process(index);
        let name = &process.name;
        if process.has_terminal() && fate == Fate::Exited(0) {
            self.record(name, ENDED, "the person left");
            return Some(End::Clean);
        }
        if process.role == "loop" && fate == Fate::Exited(0) {
            // A loop ends so when its person has left: the console, which told it, is about to end as well.
            self.ending = self.ending.or(self.is_own_session(name).then(|| sys::now() + LEAVING_MS));
            self.note(&format!("{name} stopped ({fate})"));
            // Whether a person has told it to is the console's to show, by ending as well.
            self.record(name, "stopped", &fate.to_string());
            return None;
        }
        let next = self.restarts[index].died(sys::now());
        let what_follows = if next == Next::Again { ", and is started again" } else { "" };
        let words = format!("{name} stopped ({fate}){what_follows}");
        // A gate takes up another conversation: nobody died whom a person has to be told of, and the console says what it means.
        let is_asked_for = process.role == "loop" && next == Next::Again && self.awaited.iter().any(|(awaited, _)| *awaited == index);
        match is_asked_for {
            true => self.note(&words),
            false => self.tell(&words),
        }
        self.record(name, "stopped", &fate.to_string());
        for line in self.workers[index].last_words() {
            self.show(&format!("{name} said: {line}"));
        }
        self.stays(index, next)
    }

    /// What follows from that it is started again or not.
    fn stays(&mut self, index: usize, next: Next) -> Option<End> {
        if next == Next::Again {
            return None;
        }
        let process = self.process(index);
        let name = &process.name;
        if next == Next::GivenUp {
            self.tell(&format!("given up: {name}"));
            self.record(name, "given up", "");
        }
        self.answer_awaited(index, &Err(format!("{name} does not run")));
        let is_vital = process.has_terminal() || self.is_own_session(name);
        if is_vital {
            self.record(name, ENDED, "it stopped, and the machine does not go on without it");
        }
        is_vital.then_some(End::Broken)
    }

    /// The loop of the machine's own session has ended, and its console did not follow: nobody told it to.
    pub(super) fn left_alone(&mut self) -> End {
        let session = &self.machine.manifest.session;
        self.record(&format!("loop.{session}"), ENDED, "it ended by itself, and no person left");
        self.tell(&format!("nobody listens in session {session}: its agent ended by itself"));
        End::Broken
    }

    /// Its gate or its loop.
    fn is_own_session(&self, name: &str) -> bool {
        let session = &self.machine.manifest.session;
        name.strip_prefix("gate.").or_else(|| name.strip_prefix("loop.")).is_some_and(|of| of == session)
    }

    /// Starts whoever died and is due.
    pub(super) fn start_due(&mut self, now: u64) -> Option<End> {
        for index in 0..self.workers.len() {
            if self.restarts[index].due().is_none_or(|due| due > now) {
                continue;
            }
            if let Some(later) = self.card_awaited(index, now) {
                self.restarts[index].postpone(later);
                continue;
            }
            self.restarts[index].take_due(now);
            let Err(error) = self.start_again(index) else { continue };
            self.tell(&format!("{} could not be started: {error}", self.process(index).name));
            // It may run already, without the connections that could not be made: it would be in the next one's way.
            self.workers[index].kill();
            self.grants.process_ended(index);
            let next = self.restarts[index].died(now);
            if let Some(end) = self.stays(index, next) {
                return Some(end);
            }
        }
        None
    }

    fn start_again(&mut self, index: usize) -> std::io::Result<()> {
        let (workers, waves) = (&self.workers, &self.waves);
        // Who is not started yet finds the new connection when it is.
        let is_to_come = |other: usize| waves.iter().flatten().any(|&waiting| waiting == other);
        self.grants.renew(index, |other| workers[other].is_alive() || is_to_come(other))?;
        self.spawn(index)?;
        let Process { name, role, .. } = self.process(index);
        for (provider, served) in self.grants.for_providers(index)? {
            match provider {
                Some(provider) => self.workers[provider].serve(served),
                None => self.service.add(index, role, served.end)?,
            }
        }
        self.note(&format!("{name} started"));
        self.record(name, "started again", "");
        Ok(())
    }

    /// Who held it when it died gets a connection to it.
    pub(super) fn became_ready(&mut self, index: usize) {
        let workers = &self.workers;
        for (holder, line, end) in self.grants.for_holders(index, |other| workers[other].is_alive()) {
            self.workers[holder].hold_again(&line, end);
        }
        self.note(&format!("{} ready", self.process(index).name));
        self.answer_awaited(index, &Ok(request::nothing()));
    }

    /// A person wants it to end, and to stay so.
    pub(super) fn stop_one(&mut self, name: &str) -> Result<Vec<u8>, String> {
        let meant = self.place(name).filter(|&index| self.workers[index].is_alive() || self.restarts[index].due().is_some());
        let index = meant.ok_or_else(|| format!("no process named {} runs", name.escape_default()))?;
        self.restarts[index].stop();
        self.workers[index].kill();
        Ok(request::nothing())
    }

    /// A person wants it to begin anew. That it dies is judged like any other death: a start too many is none.
    pub(super) fn restart_one(&mut self, name: &str) -> Result<(), String> {
        let index = self.place(name).ok_or_else(|| format!("there is no process named {}", name.escape_default()))?;
        if self.waves.iter().flatten().any(|&waiting| waiting == index) || self.is_without_disk(index) {
            return Err(format!("{name} has not been started"));
        }
        if !self.restarts[index].want() {
            return Err(format!("{name} is never started again"));
        }
        match self.workers[index].is_alive() {
            true => self.workers[index].kill(),
            false if self.restarts[index].due().is_some() => {}
            false => self.restarts[index].start_now(sys::now()),
        }
        Ok(())
    }

    fn answer_awaited(&mut self, index: usize, result: &Result<Vec<u8>, String>) {
        let (answered, others) = std::mem::take(&mut self.awaited).into_iter().partition(|(awaited, _)| *awaited == index);
        self.awaited = others;
        let answered: Vec<_> = answered;
        for (_, wish) in answered {
            self.service.answer(&wish, result.clone());
        }
    }

    pub(super) fn record(&mut self, process: &str, event: &'static str, detail: &str) {
        self.recorder.write(Event { process: process.into(), event, detail: detail.into() });
    }
}
