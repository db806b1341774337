//! Detects a process that hangs: init sends pings, and a working process answers. A process counts as hanging if it leaves
//! two consecutive pings unanswered, each for the whole time limit. One unanswered ping does not suffice: after a halt of the
//! whole machine, every ping is overdue. Times are milliseconds since the machine started, and come from the caller.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beat {
    /// No action is needed before `Pulse::due`.
    Quiet,
    Ask,
    Hangs,
}

const MOST_MISSED: u32 = 2;

/// Pings of one process. They begin when the process reports that it serves, so this module does not limit the time for a start.
pub struct Pulse {
    /// Time limit for an answer, and pause between an answer and the next ping.
    within: u64,
    due: u64,
    is_asked: bool,
    missed: u32,
}

impl Pulse {
    /// Begins to send pings; returns `None` if `within` is 0, because the process then gets no pings.
    pub fn begin(within: u64, now: u64) -> Option<Self> {
        (within > 0).then_some(Self { within, due: now + within, is_asked: false, missed: 0 })
    }

    pub fn due(&self) -> u64 {
        self.due
    }

    pub fn beat(&mut self, now: u64) -> Beat {
        if now < self.due {
            return Beat::Quiet;
        }
        self.missed += u32::from(self.is_asked);
        if self.missed >= MOST_MISSED {
            return Beat::Hangs;
        }
        (self.is_asked, self.due) = (true, now + self.within);
        Beat::Ask
    }

    /// Notes an answer. An answer without a ping has no effect, so a process cannot answer in advance.
    pub fn answered(&mut self, now: u64) {
        if std::mem::take(&mut self.is_asked) {
            (self.missed, self.due) = (0, now + self.within);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_answers_gets_another_ping_and_never_counts_as_hanging() {
        let mut pulse = Pulse::begin(30, 0).unwrap();
        for round in 0..100 {
            let asked = 30 + round * 40;
            assert_eq!((pulse.beat(asked - 1), pulse.beat(asked), pulse.beat(asked + 1)), (Beat::Quiet, Beat::Ask, Beat::Quiet));
            pulse.answered(asked + 10);
            assert_eq!(pulse.due(), asked + 40);
        }
    }

    #[test]
    fn a_silent_process_hangs_after_two_pings() {
        let mut pulse = Pulse::begin(30, 0).unwrap();
        assert_eq!([30, 59, 60, 89, 90].map(|now| pulse.beat(now)), [Beat::Ask, Beat::Quiet, Beat::Ask, Beat::Quiet, Beat::Hangs]);
    }

    #[test]
    fn after_a_halt_of_the_machine_every_process_gets_another_ping() {
        let mut pulse = Pulse::begin(30, 0).unwrap();
        assert_eq!([pulse.beat(30), pulse.beat(1_000_000)], [Beat::Ask, Beat::Ask]);
        pulse.answered(1_000_001);
        assert_eq!([pulse.beat(2_000_000), pulse.beat(3_000_000)], [Beat::Ask, Beat::Ask]);
    }

    #[test]
    fn answers_that_arrive_before_a_ping_do_not_count_as_answers_to_it() {
        let mut pulse = Pulse::begin(30, 0).unwrap();
        (0..1000).for_each(|now| pulse.answered(now % 30));
        assert_eq!([pulse.beat(30), pulse.beat(60), pulse.beat(90)], [Beat::Ask, Beat::Ask, Beat::Hangs]);
    }

    #[test]
    fn a_process_without_a_time_limit_for_answers_gets_no_pings() {
        assert!(Pulse::begin(0, 5).is_none());
    }
}
