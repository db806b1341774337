//! Ends the machine in order and within a time limit. Every process is told to end by itself, and the gates first record the results of
//! their calls. Then the audit closes its log, and the remaining processes are killed.

use super::state::Supervisor;
use crate::refusal::Checked;
use crate::sys;

/// Milliseconds for all processes except the audit: a gate needs a few calls for its last records.
const OTHERS_MS: u64 = 1_200;
/// Additional milliseconds for each process: on one processor they end one after the other, and an emulated processor needs this time for each.
const EACH_MS: u64 = 150;
/// Milliseconds for init's own last records before the audit is told to end. One of these records states why the machine ends.
const RECORDS_MS: u64 = 300;
/// Milliseconds for the audit's last record and its sync: if memory is full, they take more than a second. No other process runs then.
const AUDIT_MS: u64 = 4_000;

/// Minimum milliseconds for the other processes after one process has ended by itself: a full or slow machine needs this time.
const NEXT_MS: u64 = 2_000;

/// Returns the time at which the remaining processes are killed, after one process has ended by itself. Slow processes get
/// more time, but at most twice the first limit.
fn after_one(deadline: u64, now: u64, began: u64, time: u64) -> u64 {
    deadline.max(now + NEXT_MS).min(began + 2 * time)
}

/// Returns the time for `count` processes to end by themselves, in milliseconds. `is_audit` states that the process is the audit.
fn time_for(count: usize, is_audit: bool) -> u64 {
    if is_audit { AUDIT_MS } else { OTHERS_MS + EACH_MS * count as u64 }
}

impl Supervisor<'_> {
    /// Ends all processes. A process that does not end by itself in time is killed.
    pub fn stop(&mut self) -> Checked<()> {
        self.service.close(sys::now());
        for is_audit in [false, true] {
            if is_audit {
                self.finish_records()?;
            }
            let meant: Vec<usize> = (0..self.workers.len()).filter(|&index| (self.process(index).role == "audit") == is_audit).collect();
            let running = meant.iter().filter(|&&index| self.workers[index].is_alive()).count();
            self.end(&meant, time_for(running, is_audit))?;
        }
        self.grants.shut_all();
        self.print_notices();
        Ok(())
    }

    /// Waits until the audit has recorded all events, or takes too long.
    fn finish_records(&mut self) -> Checked<()> {
        let deadline = sys::now() + RECORDS_MS;
        self.recorder.turn(sys::now());
        while self.recorder.is_busy() && sys::now() < deadline {
            self.wait(Some(deadline))?;
            self.recorder.turn(sys::now());
        }
        Ok(())
    }

    /// Waits until none of these processes runs: they end in time by themselves, or are killed.
    fn end(&mut self, meant: &[usize], time: u64) -> Checked<()> {
        meant.iter().for_each(|&index| self.workers[index].ask_to_stop());
        let began = sys::now();
        let mut deadline = Some(began + time);
        while meant.iter().any(|&index| self.workers[index].is_alive()) {
            if deadline.take_if(|deadline| *deadline <= sys::now()).is_some() {
                self.kill_late(meant);
            }
            self.wait(deadline)?;
            self.recorder.turn(sys::now());
            for index in 0..self.workers.len() {
                if self.workers[index].turn(sys::now()).is_some() {
                    self.grants.process_ended(index);
                    deadline = deadline.map(|deadline| after_one(deadline, sys::now(), began, time));
                }
            }
        }
        Ok(())
    }

    fn kill_late(&mut self, meant: &[usize]) {
        let late: Vec<usize> = meant.iter().copied().filter(|&index| self.workers[index].is_alive()).collect();
        if late.is_empty() {
            return;
        }
        let names: Vec<&str> = late.iter().map(|&index| self.process(index).name.as_str()).collect();
        let words = late_words(&names);
        self.tell(&words);
        late.into_iter().for_each(|index| self.workers[index].kill());
    }
}

/// Maximum names in the line about late processes. The line only counts the other processes, because on a slow machine all processes may be late.
const MOST_NAMED: usize = 4;

fn late_words(names: &[&str]) -> String {
    let (named, others) = names.split_at(names.len().min(MOST_NAMED));
    let others = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
    format!("{}{others} did not end in time", named.join(", "))
}

#[cfg(test)]
mod tests {
    use super::{after_one, late_words, time_for};

    #[test]
    fn the_time_to_end_grows_with_the_running_processes() {
        assert_eq!([0, 8, 26, 120].map(|count| time_for(count, false)), [1_200, 2_400, 5_100, 19_200]);
        assert_eq!(time_for(1, true), 4_000);
    }

    #[test]
    fn processes_that_end_slowly_get_more_time_within_a_limit() {
        let time = time_for(26, false);
        assert_eq!(after_one(1_000 + time, 2_000, 1_000, time), 1_000 + time, "there is time left");
        assert_eq!(after_one(1_000 + time, 6_000, 1_000, time), 8_000);
        assert_eq!(after_one(11_000, 11_150, 1_000, time), 1_000 + 2 * time);
    }

    #[test]
    fn late_processes_are_named_in_one_line() {
        assert_eq!(late_words(&["audit"]), "audit did not end in time");
        assert_eq!(late_words(&["a", "b", "c", "d"]), "a, b, c, d did not end in time");
        assert_eq!(late_words(&["a", "b", "c", "d", "e", "f"]), "a, b, c, d and 2 more did not end in time");
    }
}
