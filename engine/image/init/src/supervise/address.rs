//! Stores the state of the machine's address: the card, its configuration, and the present request. `upkeep.rs` updates this state.

use crate::boot::network::Card;
use crate::network::asking::{Asked, Told};
use crate::network::lease::Lease;

/// Time to wait for a missing card, which may have been removed from the machine.
const PATIENCE_MS: u64 = 30_000;

/// Present card and address of the only process with a network.
#[derive(Default)]
pub struct Address {
    /// `None` if the page has no network, or the machine has no card.
    pub card: Option<Card>,
    pub(super) asked: Option<(Asked, u64)>,
    /// Time of the next request, if there is no address.
    pub(super) again: Option<u64>,
    pub(super) absence: Absence,
}

/// Time at which init began to wait for the missing card.
#[derive(Default)]
pub struct Absence(Option<u64>);

impl Absence {
    /// Returns whether to wait for the missing card. After too long a wait, returns `false` until the card has been present again.
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

    /// Returns the time of the next action, if no answer arrives before it.
    pub fn due(&self) -> Option<u64> {
        match &self.asked {
            Some((asked, _)) => Some(asked.deadline()),
            None => self.again.or_else(|| self.card.as_ref()?.lease.as_ref().map(Lease::due)),
        }
    }

    /// Returns the answer to an ended request and the request's start time, else `None`. An inner `None` means that no answer came.
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
    fn init_waits_a_limited_time_for_a_missing_card_and_again_only_after_the_card_has_returned() {
        let mut absence = Absence::default();
        assert!(!absence.is_waited_for(true, 0));
        assert!(absence.is_waited_for(false, 1_000) && absence.is_waited_for(false, 30_999));
        assert!(!absence.is_waited_for(false, 31_000) && !absence.is_waited_for(false, 90_000));
        assert!(!absence.is_waited_for(true, 91_000));
        assert!(absence.is_waited_for(false, 92_000));
    }
}
