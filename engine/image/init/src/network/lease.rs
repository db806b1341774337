//! Decides when a lease ends and when an extension is requested (RFC 2131, 4.4.5), but sends nothing. Times are milliseconds since the
//! machine started, and come from the caller.

use std::net::Ipv4Addr;

/// Minimum length of a lease: otherwise any server could make init send requests without end.
const LEAST_SECONDS: u32 = 20;
/// Length in seconds that means a lease without an end.
const FOR_EVER: u32 = u32::MAX;
/// Minimum pause in milliseconds between two requests. The pause after a request without an answer is half of the remaining time.
const LEAST_PAUSE_MS: u64 = 5_000;

/// Terms that the server of a lease states, in seconds from the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    pub server: Ipv4Addr,
    pub seconds: u32,
    /// From this time on, init asks the lease's server for an extension; from `rebinding` on, it asks any server.
    pub renewal: u32,
    pub rebinding: u32,
}

impl Terms {
    /// Returns the terms, or `None` if the lease has no end. Times in a wrong order are replaced by the defaults of the RFC.
    pub fn judged(server: Ipv4Addr, seconds: u32, renewal: Option<u32>, rebinding: Option<u32>) -> Option<Self> {
        if seconds == FOR_EVER {
            return None;
        }
        let seconds = seconds.max(LEAST_SECONDS);
        let eighths = |count: u64| (u64::from(seconds) * count / 8) as u32;
        match (renewal, rebinding) {
            (Some(renewal), Some(rebinding)) if LEAST_SECONDS / 2 <= renewal && renewal < rebinding && rebinding < seconds => {
                Some(Self { server, seconds, renewal, rebinding })
            }
            _ => Some(Self { server, seconds, renewal: eighths(4), rebinding: eighths(7) }),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Duty {
    /// An extension must be requested, from this server or from any on the link.
    Ask(Option<Ipv4Addr>),
    /// The machine loses the address.
    End,
}

/// A lease: its terms, and the time `since` at which they began.
#[derive(Debug, Clone, Copy)]
pub struct Lease {
    terms: Terms,
    since: u64,
    /// Time of the next action.
    due: u64,
}

impl Lease {
    pub fn begun(terms: Terms, since: u64) -> Self {
        Self { terms, since, due: since + u64::from(terms.renewal) * 1000 }
    }

    pub fn due(&self) -> u64 {
        self.due
    }

    /// Returns the action that is required now. The caller must not ask before `due`.
    pub fn duty(&self, now: u64) -> Duty {
        match now {
            _ if now >= self.at(self.terms.seconds) => Duty::End,
            _ if now >= self.at(self.terms.rebinding) => Duty::Ask(None),
            _ => Duty::Ask(Some(self.terms.server)),
        }
    }

    /// Notes that no server answered by this time, or that no request could be sent.
    pub fn wait(&mut self, now: u64) {
        let stages = [self.terms.rebinding, self.terms.seconds].map(|seconds| self.at(seconds));
        let end = stages.into_iter().find(|&end| end > now).unwrap_or(now);
        self.due = (now + ((end - now) / 2).max(LEAST_PAUSE_MS)).min(end);
    }

    fn at(&self, seconds: u32) -> u64 {
        self.since + u64::from(seconds) * 1000
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Chance;

    const SERVER: Ipv4Addr = Ipv4Addr::new(10, 0, 2, 2);

    fn lease(seconds: u32) -> Lease {
        Lease::begun(Terms::judged(SERVER, seconds, None, None).unwrap(), 1_000)
    }

    #[test]
    fn the_server_is_asked_after_half_of_a_lease_and_any_server_after_seven_eighths() {
        let lease = lease(80);
        assert_eq!(lease.due(), 41_000);
        let times = [41_000, 70_999, 71_000, 80_999, 81_000];
        let duties = times.map(|now| lease.duty(now));
        assert_eq!(duties, [Duty::Ask(Some(SERVER)), Duty::Ask(Some(SERVER)), Duty::Ask(None), Duty::Ask(None), Duty::End]);
    }

    #[test]
    fn requests_without_an_answer_are_repeated_until_the_lease_ends() {
        let mut lease = lease(80);
        let mut dues = Vec::new();
        while lease.duty(lease.due()) != Duty::End {
            lease.wait(lease.due());
            dues.push((lease.due() - 1_000) / 1000);
        }
        assert_eq!(dues, [55, 62, 67, 70, 75, 80]);
    }

    #[test]
    fn times_of_a_server_are_used_if_they_are_in_order() {
        let times = |seconds, renewal, rebinding| Terms::judged(SERVER, seconds, renewal, rebinding).map(|t| (t.seconds, t.renewal, t.rebinding));
        assert_eq!(times(3600, Some(100), Some(200)), Some((3600, 100, 200)));
        for (renewal, rebinding) in [(None, None), (Some(100), None), (Some(200), Some(100)), (Some(0), Some(9)), (Some(100), Some(3600))] {
            assert_eq!(times(3600, renewal, rebinding), Some((3600, 1800, 3150)), "{renewal:?} {rebinding:?}");
        }
        assert_eq!(times(u32::MAX, None, None), None, "for ever");
        assert_eq!(times(0, None, None), Some((20, 10, 17)), "nobody keeps init busy");
    }

    #[test]
    fn no_terms_of_a_lease_cause_a_busy_loop_or_extend_an_address_beyond_its_end() {
        let mut chance = Chance::new(11);
        for _ in 0..2_000 {
            let [seconds, renewal, rebinding] = [(); 3].map(|()| chance.below(200_000) as u32);
            let terms = Terms::judged(SERVER, seconds, Some(renewal), Some(rebinding)).unwrap();
            let mut lease = Lease::begun(terms, 0);
            let mut asked = 0;
            while let Duty::Ask(_) = lease.duty(lease.due()) {
                lease.wait(lease.due());
                asked += 1;
            }
            assert_eq!(lease.due(), u64::from(seconds.max(20)) * 1000);
            assert!(asked <= 40, "{terms:?}: {asked}");
        }
    }
}
