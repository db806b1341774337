//! State of the machine's address: the card, its configuration, and the request under way about it. `upkeep.rs` keeps it current.

use crate::boot::network::Card;
use crate::network::asking::{Asked, Told};
use crate::network::lease::Lease;

/// So long a card that is away is waited for; it may have been taken out of the machine.
const PATIENCE_MS: u64 = 30_000;

/// Card and address of the one process with a network, as they are now.
#[derive(Default)]
pub struct Address {
    /// None: the page has no network, or the machine no card.
    pub card: Option<Card>,
    pub(super) asked: Option<(Asked, u64)>,
    /// Without an address: when somebody is asked for one.
    pub(super) again: Option<u64>,
    pub(super) absence: Absence,
}

/// Since when the card has been away from who could give it to the next process.
#[derive(Default)]
pub struct Absence(Option<u64>);

impl Absence {
    /// Whether it is to be waited for. Once that took too long it is not any more, until it was there again.
    pub fn is_waited_for(&mut self, is_here: bool, now: u64) -> bool {
        if is_here {
            self.0 = None;
            return false;
        }
        now < *self.0.get_or_insert(now) + PATIENCE_MS
    }
}

impl Address {
    pub fn of(card: Option<Card>) -> Self {
        Self { card, ..Self::default() }
    }

    pub fn watched(&self) -> Option<libc::pollfd> {
        self.asked.as_ref().map(|(asked, _)| asked.watched())
    }

    /// When something is to be done although nobody answers.
    pub fn due(&self) -> Option<u64> {
        match &self.asked {
            Some((asked, _)) => Some(asked.deadline()),
            None => self.again.or_else(|| self.card.as_ref()?.lease.as_ref().map(Lease::due)),
        }
    }

    /// Returns the answer of an ended request and its start time, else `None`. The inner `None`: no answer came, and none is awaited.
    pub fn answer(&mut self, now: u64) -> Option<(Option<Told>, u64)> {
        let (asked, since) = self.asked.as_ref()?;
        let (told, since) = match asked.told() {
            Ok(None) if asked.is_open(now) => return None,
            Ok(told) => (told, *since),
            Err(_) => (None, *since),
        };
        self.asked = None;
        Some((told, since))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_that_is_away_is_waited_for_in_bounds_and_anew_once_it_was_there() {
        let mut absence = Absence::default();
        assert!(!absence.is_waited_for(true, 0));
        assert!(absence.is_waited_for(false, 1_000) && absence.is_waited_for(false, 30_999));
        assert!(!absence.is_waited_for(false, 31_000) && !absence.is_waited_for(false, 90_000));
        assert!(!absence.is_waited_for(true, 91_000));
        assert!(absence.is_waited_for(false, 92_000));
    }
}
