//! Whether a process is still there: init asks, and a process that works answers by itself. Who leaves two questions in a
//! row without an answer, each for its whole time, hangs. One is not enough: a machine that was halted as a whole finds
//! every question overdue when it goes on. Times are milliseconds since the machine started, and given.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beat {
    /// There is nothing to do before `Pulse::due`.
    Quiet,
    Ask,
    Hangs,
}

const MOST_MISSED: u32 = 2;

/// One process, from when it says that it serves: before that a start may take as long as it must.
pub struct Pulse {
    /// How long an answer may take, and how long after one the next question comes.
    within: u64,
    due: u64,
    is_asked: bool,
    missed: u32,
}

impl Pulse {
    /// None: it is never asked.
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

    /// An answer that nobody asked for changes nothing: it cannot be given in advance.
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
    fn who_answers_is_asked_again_and_never_hangs() {
        let mut pulse = Pulse::begin(30, 0).unwrap();
        for round in 0..100 {
            let asked = 30 + round * 40;
            assert_eq!((pulse.beat(asked - 1), pulse.beat(asked), pulse.beat(asked + 1)), (Beat::Quiet, Beat::Ask, Beat::Quiet));
            pulse.answered(asked + 10);
            assert_eq!(pulse.due(), asked + 40);
        }
    }

    #[test]
    fn who_says_nothing_hangs_after_two_questions() {
        let mut pulse = Pulse::begin(30, 0).unwrap();
        assert_eq!([30, 59, 60, 89, 90].map(|now| pulse.beat(now)), [Beat::Ask, Beat::Quiet, Beat::Ask, Beat::Quiet, Beat::Hangs]);
    }

    #[test]
    fn a_machine_that_was_halted_gives_everybody_another_chance() {
        let mut pulse = Pulse::begin(30, 0).unwrap();
        assert_eq!([pulse.beat(30), pulse.beat(1_000_000)], [Beat::Ask, Beat::Ask]);
        pulse.answered(1_000_001);
        assert_eq!([pulse.beat(2_000_000), pulse.beat(3_000_000)], [Beat::Ask, Beat::Ask]);
    }

    #[test]
    fn answers_in_advance_count_for_nothing() {
        let mut pulse = Pulse::begin(30, 0).unwrap();
        (0..1000).for_each(|now| pulse.answered(now % 30));
        assert_eq!([pulse.beat(30), pulse.beat(60), pulse.beat(90)], [Beat::Ask, Beat::Ask, Beat::Hangs]);
    }

    #[test]
    fn who_has_no_time_is_not_asked() {
        assert!(Pulse::begin(0, 5).is_none());
    }
}
