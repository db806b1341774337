//! Decides how often and when one process is restarted, but not what a death means for the machine. Times are milliseconds since the
//! machine started, and come from the caller.

use crate::manifest::Restart;
use std::collections::VecDeque;

/// Maximum pause between a death and the restart.
const LONGEST_PAUSE_MS: u64 = 60_000;

/// The fate of a process after it has died.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// The process stays dead, because its rule says so or a person stopped it.
    StaysDead,
    /// The process is restarted, at `Restarts::due`.
    Again,
    /// The process has died too often, and stays dead.
    GivenUp,
}

pub struct Restarts {
    rule: Restart,
    /// Times of the restarts in the last `rule.within` milliseconds, oldest first.
    starts: VecDeque<u64>,
    due: Option<u64>,
    /// Whether a person stopped the process.
    is_unwanted: bool,
}

impl Restarts {
    pub fn of(rule: Restart) -> Self {
        Self { rule, starts: VecDeque::new(), due: None, is_unwanted: false }
    }

    pub fn died(&mut self, now: u64) -> Next {
        if self.rule.most == 0 || self.is_unwanted {
            return Next::StaysDead;
        }
        self.starts.retain(|start| start + self.rule.within > now);
        if self.starts.len() >= self.rule.most {
            return Next::GivenUp;
        }
        let doublings = u32::try_from(self.starts.len()).unwrap_or(u32::MAX);
        let factor = 2u64.checked_pow(doublings).unwrap_or(u64::MAX);
        self.due = Some(now + self.rule.pause.saturating_mul(factor).min(LONGEST_PAUSE_MS));
        Next::Again
    }

    /// Returns the time of the next restart, if the process will be restarted.
    pub fn due(&self) -> Option<u64> {
        self.due
    }

    /// Returns whether the time of a restart has come; if so, counts the restart.
    pub fn take_due(&mut self, now: u64) -> bool {
        let is_due = self.due.is_some_and(|due| due <= now);
        if is_due {
            self.due = None;
            self.starts.push_back(now);
        }
        is_due
    }

    /// Postpones a start, such as until the network card is back. The postponed start does not count as a restart.
    pub fn postpone(&mut self, until: u64) {
        self.due = Some(until);
    }

    /// Forbids restarts, because a person stopped the process.
    pub fn stop(&mut self) {
        self.is_unwanted = true;
        self.due = None;
    }

    /// Forbids every further start, even one that a person requests.
    pub fn forbid(&mut self) {
        self.rule = Restart::default();
        self.due = None;
    }

    /// Notes that a person wants the process to run, even if it was stopped or given up. Returns `false` if the process's rule forbids restarts.
    pub fn want(&mut self) -> bool {
        self.is_unwanted = false;
        self.rule.most > 0
    }

    /// Returns whether the process's rule allows restarts, and no person stopped the process.
    pub fn may_start_again(&self) -> bool {
        self.rule.most > 0 && !self.is_unwanted
    }

    /// Forgets earlier deaths, so that they do not count any more.
    pub fn pardon(&mut self) {
        self.starts.clear();
    }

    /// Starts a dead process at once, as a person requested.
    pub fn start_now(&mut self, now: u64) {
        self.starts.clear();
        self.due = Some(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: Restart = Restart { most: 3, within: 60_000, pause: 200 };

    /// Makes the process die at `now`, and starts it as soon as its restart is due.
    fn dies(restarts: &mut Restarts, now: u64) -> Option<u64> {
        assert_eq!(restarts.died(now), Next::Again);
        let due = restarts.due().unwrap();
        assert!(!restarts.take_due(due - 1) && restarts.take_due(due) && !restarts.take_due(due));
        Some(due - now)
    }

    #[test]
    fn a_process_without_a_restart_rule_stays_dead() {
        assert_eq!(Restarts::of(Restart::default()).died(5), Next::StaysDead);
    }

    #[test]
    fn a_postponed_start_does_not_count_as_a_start() {
        let mut restarts = Restarts::of(RULE);
        assert_eq!(restarts.died(0), Next::Again);
        for now in (200..10_000).step_by(100) {
            restarts.postpone(now + 100);
            assert_eq!(restarts.due(), Some(now + 100));
        }
        assert!(restarts.take_due(20_000));
        assert_eq!([dies(&mut restarts, 20_000), dies(&mut restarts, 21_000)], [Some(400), Some(800)]);
        assert_eq!(restarts.died(22_000), Next::GivenUp);
    }

    #[test]
    fn each_restart_waits_twice_as_long_as_the_last_and_a_process_that_dies_too_often_is_given_up() {
        let mut restarts = Restarts::of(RULE);
        assert_eq!([dies(&mut restarts, 0), dies(&mut restarts, 1_000), dies(&mut restarts, 2_000)], [Some(200), Some(400), Some(800)]);
        assert_eq!(restarts.died(3_000), Next::GivenUp);
        assert_eq!(restarts.due(), None);
    }

    #[test]
    fn if_a_person_starts_a_given_up_process_this_counts_as_the_first_of_its_restarts() {
        let mut restarts = Restarts::of(RULE);
        let _ = [0, 1_000, 2_000].map(|now| dies(&mut restarts, now));
        assert_eq!(restarts.died(3_000), Next::GivenUp);
        restarts.start_now(3_000);
        assert!(restarts.take_due(3_000));
        assert_eq!([dies(&mut restarts, 3_001), dies(&mut restarts, 3_002)], [Some(400), Some(800)]);
        assert_eq!(restarts.died(3_003), Next::GivenUp);
    }

    #[test]
    fn old_deaths_no_longer_count() {
        let mut restarts = Restarts::of(RULE);
        for minute in 0..50 {
            assert_eq!(dies(&mut restarts, minute * 60_200), Some(200));
        }
    }

    #[test]
    fn a_process_that_a_person_starts_each_time_is_never_given_up() {
        let mut restarts = Restarts::of(RULE);
        for second in 0..50 {
            restarts.pardon();
            assert_eq!(dies(&mut restarts, second * 1000), Some(200));
        }
    }

    #[test]
    fn every_pause_is_limited() {
        let mut restarts = Restarts::of(Restart { most: 100, within: u64::MAX / 2, pause: 50_000 });
        for _ in 0..100 {
            assert!(dies(&mut restarts, 7).is_some_and(|pause| pause <= LONGEST_PAUSE_MS));
        }
        assert_eq!(restarts.died(7), Next::GivenUp);
    }

    #[test]
    fn a_process_that_a_person_stopped_starts_again_only_if_a_person_starts_it() {
        let mut restarts = Restarts::of(RULE);
        assert_eq!(restarts.died(0), Next::Again);
        restarts.stop();
        assert_eq!((restarts.due(), restarts.died(1)), (None, Next::StaysDead));
        assert!(restarts.want());
        restarts.start_now(2);
        assert!(restarts.take_due(2));
        assert_eq!(restarts.died(3), Next::Again);
        assert!(!Restarts::of(Restart::default()).want());
        restarts.forbid();
        assert_eq!((restarts.due(), restarts.want(), restarts.died(4)), (None, false, Next::StaysDead));
    }
}
