//! Handles the end of a process, and its restart. If a process has ended, calls to it fail. A session
//! ends with its gate. The machine ends with its console, or with the session that it starts first.

use super::recorder::Event;
use super::request::{self, Request};
use super::restarts::Next;
use super::service::Wish;
use super::state::{End, Supervisor};
use super::worker::Fate;
use crate::manifest::Process;
use crate::sys;

/// New state of a process, for the answer to a waiting caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Became {
    Ready,
    /// The process has ended and may be restarted.
    Ended,
    /// The process has ended permanently.
    Dead,
}

type Answer = Result<Vec<u8>, String>;

/// Returns the answer to a waiting caller, or `None` if the caller must wait longer.
fn answer_to(request: &Request, became: Became) -> Option<Answer> {
    match (request, became) {
        // The process became ready just before it was killed, so the caller must wait for its end.
        (Request::Stop(_), Became::Ready) => None,
        (Request::Stop(_), Became::Ended | Became::Dead) | (_, Became::Ready) => Some(Ok(request::nothing())),
        (_, Became::Ended) => None,
        (Request::Restart(name), Became::Dead) => Some(Err(format!("{name} does not run"))),
        (_, Became::Dead) => Some(Err("it does not run".into())),
    }
}

/// Time for the console to end after its session.
const LEAVING_MS: u64 = 3_000;

/// Name of the audit event that states why the machine ends.
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
            // A loop exits with status 0 after the console has told it that the person left. Then the console ends too.
            self.ending = self.ending.or(self.is_own_session(name).then(|| sys::now() + LEAVING_MS));
            self.note(&format!("{name} stopped ({fate})"));
            // This record does not state that the person left: the record about the end of the console will state it.
            self.record(name, "stopped", &fate.to_string());
            self.answer_awaited(index, Became::Dead);
            return None;
        }
        let next = self.restarts[index].died(sys::now());
        let what_follows = if next == Next::Again { ", and is started again" } else { "" };
        let words = format!("{name} stopped ({fate}){what_follows}");
        // A loop that its gate restarts for another conversation has not failed, so only the log gets a line: the console reports the conversation.
        let is_wished = |(awaited, wish): &(usize, Wish)| *awaited == index && matches!(wish.request, Request::Restart(_));
        let is_asked_for = process.role == "loop" && next == Next::Again && self.awaited.iter().any(is_wished);
        match is_asked_for {
            true => self.note(&words),
            false => self.tell(&words),
        }
        self.record(name, "stopped", &fate.to_string());
        for line in self.workers[index].last_words() {
            self.show(&format!("{name} said: {line}"));
        }
        self.answer_awaited(index, Became::Ended);
        self.stays(index, next)
    }

    /// Acts on the decision whether a process is restarted. Returns how the machine ends if it cannot continue without the process.
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
        self.answer_awaited(index, Became::Dead);
        let is_vital = process.has_terminal() || self.is_own_session(name);
        if is_vital {
            self.record(name, ENDED, "it stopped, and the machine does not go on without it");
        }
        is_vital.then_some(End::Broken)
    }

    /// Records why the machine ends: the loop of its first session has ended by itself, while the console still runs.
    pub(super) fn left_alone(&mut self) -> End {
        let session = &self.machine.manifest.session;
        self.record(&format!("loop.{session}"), ENDED, "it ended by itself, and no person left");
        self.tell(&format!("nobody listens in session {session}: its agent ended by itself"));
        End::Broken
    }

    /// Returns whether this process is the gate or the loop of the machine's first session.
    fn is_own_session(&self, name: &str) -> bool {
        let session = &self.machine.manifest.session;
        name.strip_prefix("gate.").or_else(|| name.strip_prefix("loop.")).is_some_and(|of| of == session)
    }

    /// Starts the dead processes whose pause is over.
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
            // The process may already run, but without all of its connections; it must end before it is started again.
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
        // A process that is not started yet finds the new connection when it starts.
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

    /// Gives a new connection to each process that had a connection to this restarted process.
    pub(super) fn became_ready(&mut self, index: usize) {
        let workers = &self.workers;
        for (holder, line, end) in self.grants.for_holders(index, |other| workers[other].is_alive()) {
            self.workers[holder].hold_again(&line, end);
        }
        self.note(&format!("{} ready", self.process(index).name));
        self.answer_awaited(index, Became::Ready);
    }

    /// Ends a process permanently, as a person requested. Returns `None` if the request is answered later, after the notice that the process has ended.
    pub(super) fn stop_one(&mut self, name: &str) -> Option<Answer> {
        let meant = self.place(name).filter(|&index| self.workers[index].is_alive() || self.restarts[index].due().is_some());
        let Some(index) = meant else { return Some(Err(format!("no process named {} runs", name.escape_default()))) };
        self.restarts[index].stop();
        let is_running = self.workers[index].is_alive();
        self.workers[index].kill();
        (!is_running).then(|| Ok(request::nothing()))
    }

    /// Restarts a process, as a person requested. A running process is killed, which counts like any death: beyond the limit, it stays dead.
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

    fn answer_awaited(&mut self, index: usize, became: Became) {
        for (awaited, wish) in std::mem::take(&mut self.awaited) {
            match answer_to(&wish.request, became).filter(|_| awaited == index) {
                Some(answer) => self.service.answer(&wish, answer),
                None => self.awaited.push((awaited, wish)),
            }
        }
    }

    pub(super) fn record(&mut self, process: &str, event: &'static str, detail: &str) {
        self.recorder.write(Event { process: process.into(), event, detail: detail.into() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_is_answered_when_the_process_has_ended_and_a_restart_is_answered_when_it_serves_or_is_given_up() {
        let (stop, restart) = (Request::Stop("notes".into()), Request::Restart("notes".into()));
        let done = || Some(Ok(request::nothing()));
        let became = [Became::Ready, Became::Ended, Became::Dead];
        assert_eq!(became.map(|became| answer_to(&stop, became)), [None, done(), done()]);
        let dead = Some(Err("notes does not run".to_owned()));
        assert_eq!(became.map(|became| answer_to(&restart, became)), [done(), None, dead]);
    }
}
