//! Maintains the address that a DHCP server leases to the machine. Init sends requests, and configures the card, in the namespace that has
//! the card: usually that of the process with the network. The end of a lease removes the address from the card.

use super::state::Supervisor;
use crate::boot::network::Card;
use crate::network::asking::{Asked, Question, Told};
use crate::network::card;
use crate::network::dhcp::Given;
use crate::network::lease::{Duty, Lease};
use crate::network::Configuration;
use std::os::fd::OwnedFd;

/// Milliseconds after which a machine without an address tries again.
const PAUSE_MS: u64 = 10_000;

/// Interval of checks whether the card has returned from an ended process.
const LOOK_MS: u64 = 100;

impl Supervisor<'_> {
    /// Returns the time of the next check for the card, or `None` if this process need not wait for the card.
    pub(super) fn card_awaited(&mut self, index: usize, now: u64) -> Option<u64> {
        if self.machine.manifest.networked() != Some(index) {
            return None;
        }
        let name = &self.address.card.as_ref()?.name;
        let is_here = card::is_here(name);
        self.address.absence.is_waited_for(is_here, now).then_some(now + LOOK_MS)
    }

    pub(super) fn keep_address(&mut self, now: u64) {
        if let Some((told, since)) = self.address.answer(now) {
            self.heed(told, since, now);
        }
        if self.address.asked.is_none() && self.address.due().is_some_and(|due| due <= now) {
            self.do_due(now);
        }
    }

    fn heed(&mut self, told: Option<Told>, since: u64, now: u64) {
        match told {
            Some(Told::Given(given)) => self.take_address(given, since),
            Some(Told::Refused) => self.lose_address("whoever gave it refuses it now", now),
            None => self.ask_later(now),
        }
    }

    fn ask_later(&mut self, now: u64) {
        match self.address.card.as_mut().and_then(|card| card.lease.as_mut()) {
            Some(lease) => lease.wait(now),
            None => self.address.again = Some(now + PAUSE_MS),
        }
    }

    fn do_due(&mut self, now: u64) {
        let Some(Card { name, configuration, lease }) = self.address.card.clone() else { return };
        let question = match (lease.map(|lease| lease.duty(now)), configuration) {
            (Some(Duty::End), _) => return self.lose_address("nobody gave it more time", now),
            (Some(Duty::Ask(server)), Some(Configuration { address, .. })) => Question::More { address, server },
            (_, _) => Question::Anew,
        };
        // If no process has the card, the card is in init's namespace without an address, so a new address is requested.
        let asked = match self.holder() {
            Some(holder) => card::datagrams_of(holder).and_then(|socket| Asked::begin(socket, &name, question, now)),
            None => card::datagrams().and_then(|socket| Asked::begin(socket, &name, Question::Anew, now)),
        };
        match asked {
            Ok(asked) => self.address.asked = Some((asked, now)),
            Err(_) => self.ask_later(now),
        }
    }

    /// Returns the pidfd of the process that has the network card; `None` if this process does not run.
    fn holder(&self) -> Option<&OwnedFd> {
        self.machine.manifest.networked().and_then(|index| self.workers[index].descriptor())
    }

    /// Applies the extension of a lease, or a new address, to the card.
    fn take_address(&mut self, Given { configuration, terms }: Given, since: u64) {
        let Some(card) = &mut self.address.card else { return };
        let before = card.configuration.replace(configuration.clone());
        card.lease = terms.map(|terms| Lease::begun(terms, since));
        self.address.again = None;
        let time = terms.map_or("for ever".into(), |terms| format!("for {} s", terms.seconds));
        let words = format!("{}/{} {time}", configuration.address, configuration.prefix);
        if before.as_ref() == Some(&configuration) {
            self.on_record("address kept", &words);
            return;
        }
        self.set_card(Some(&configuration));
        self.tell(&format!("this machine has the address {}/{} now", configuration.address, configuration.prefix));
        self.on_record("address changed", &words);
        // The process learned its name servers when it started, so a restart is needed if they change.
        if before.map(|before| before.resolvers) != Some(configuration.resolvers) {
            self.begin_anew();
        }
    }

    fn begin_anew(&mut self) {
        let Some(index) = self.machine.manifest.networked() else { return };
        self.restarts[index].pardon();
        let name = &self.process(index).name;
        // Only a running process is restarted here: `restart_one` would also start one that does not run.
        if self.workers[index].is_alive() {
            let _ = self.restart_one(name);
        }
    }

    fn lose_address(&mut self, why: &str, now: u64) {
        let Some(card) = &mut self.address.card else { return };
        (card.configuration, card.lease) = (None, None);
        self.address.again = Some(now);
        self.set_card(None);
        self.tell(&format!("this machine has no address any more: {why}"));
        self.on_record("address lost", why);
    }

    /// Configures the card in the namespace of its process. If no such process runs, the next one configures the card when it starts.
    fn set_card(&mut self, configuration: Option<&Configuration>) {
        let Some(Card { name, .. }) = &self.address.card else { return };
        let Some(holder) = self.holder() else { return };
        let done = card::datagrams_of(holder).and_then(|socket| {
            card::take_away(&socket, name)?;
            configuration.map_or(Ok(()), |configuration| card::give(&socket, name, configuration))
        });
        if let Err(error) = done {
            self.note(&format!("the card was not set: {error}"));
        }
    }

    fn on_record(&mut self, event: &'static str, detail: &str) {
        let Some(index) = self.machine.manifest.networked() else { return };
        let name = &self.process(index).name;
        self.note(&format!("{event}: {detail}"));
        self.record(name, event, detail);
    }
}
