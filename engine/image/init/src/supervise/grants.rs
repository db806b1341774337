//! Manages the connections between processes. For each grant there is one socket pair. Init keeps a duplicate of the provider's end: by shutting this
//! duplicate down, it ends the connection for every copy of either end.

use crate::channel::GrantLine;
use crate::manifest::{INIT, Process};
use crate::sys;
use std::io;
use std::os::fd::OwnedFd;

struct Grant {
    name: String,
    holder: usize,
    /// Index of the provider; `None` means init itself.
    provider: Option<usize>,
    line: GrantLine,
    /// The holder's end, until it is inherited, or passed to a running holder.
    holder_end: Option<OwnedFd>,
    /// The provider's end; the provider receives a duplicate of it.
    kept: OwnedFd,
    /// Time at which the grant expires, in milliseconds since the machine started; `None` means never.
    expires: Option<u64>,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    /// Holder or provider is dead, or never started. A restart makes a new connection.
    Down,
    /// Revoked or expired, permanently for this run of the machine.
    Over,
}

pub struct Grants(Vec<Grant>);

/// A grant as init passes it to its holder: with the holder's end of the connection.
pub struct Held {
    pub name: String,
    pub interface_id: u64,
    pub end: OwnedFd,
}

/// A grant as init announces it to its provider: with the provider's end of the connection.
pub struct Served {
    pub line: GrantLine,
    pub end: OwnedFd,
}

impl Grants {
    pub fn connect(processes: &[Process]) -> io::Result<Self> {
        let now = sys::now();
        let mut grants = Vec::new();
        for (holder, process) in processes.iter().enumerate() {
            for grant in &process.grants {
                let provider = match grant.provider.as_str() {
                    INIT => None,
                    // The manifest was validated, so every provider exists.
                    name => Some(processes.iter().position(|other| other.name == name).ok_or(io::ErrorKind::NotFound)?),
                };
                let (holder_end, kept) = sys::socket_pair()?;
                grants.push(Grant {
                    name: format!("{}.{}", process.name, grant.name),
                    holder,
                    provider,
                    line: GrantLine {
                        badge: grant.badge,
                        interface_id: grant.interface_id,
                        holder: process.name.clone(),
                        name: grant.name.clone(),
                    },
                    holder_end: Some(holder_end),
                    kept,
                    expires: (grant.expires_after > 0).then(|| now + u64::from(grant.expires_after) * 1000),
                    state: State::Open,
                });
            }
        }
        Ok(Self(grants))
    }

    /// Returns the ends of connections that a process inherits as a holder; each is returned once.
    pub fn held_by(&mut self, holder: usize) -> Vec<Held> {
        let own = self.0.iter_mut().filter(|grant| grant.holder == holder);
        own.filter_map(|grant| {
            let (name, interface_id) = (grant.line.name.clone(), grant.line.interface_id);
            grant.holder_end.take().map(|end| Held { name, interface_id, end })
        })
        .collect()
    }

    /// Returns the connections that a process must serve.
    pub fn served_by(&self, provider: usize) -> Vec<Served> {
        self.served(Some(provider)).filter_map(|grant| Some(Served { line: grant.line.clone(), end: grant.kept.try_clone().ok()? })).collect()
    }

    /// Returns the connections that init serves, each with its holder.
    pub fn served_by_init(&self) -> io::Result<Vec<(usize, OwnedFd)>> {
        self.served(None).map(|grant| Ok((grant.holder, grant.kept.try_clone()?))).collect()
    }

    fn served(&self, provider: Option<usize>) -> impl Iterator<Item = &Grant> {
        self.0.iter().filter(move |grant| grant.provider == provider && grant.state == State::Open)
    }

    /// Replaces the connections of a restarted process. A connection opens only if its grant has not ended, and the process at
    /// the other end runs or will be started; otherwise it is closed.
    pub fn renew(&mut self, index: usize, is_alive: impl Fn(usize) -> bool) -> io::Result<()> {
        for grant in self.0.iter_mut().filter(|grant| grant.state != State::Over || grant.holder == index) {
            let is_whole = match grant.provider {
                provider if grant.holder == index => provider.is_none_or(&is_alive),
                Some(provider) if provider == index => is_alive(grant.holder),
                _ => continue,
            };
            let (holder_end, kept) = sys::socket_pair()?;
            (grant.holder_end, grant.kept) = (Some(holder_end), kept);
            match grant.state {
                State::Open | State::Down if is_whole => grant.state = State::Open,
                state => close(grant, state),
            }
        }
        Ok(())
    }

    /// Returns the connections of a restarted holder that its providers must serve. Fails if a descriptor cannot be copied.
    pub fn for_providers(&self, holder: usize) -> io::Result<Vec<(Option<usize>, Served)>> {
        let own = self.0.iter().filter(|grant| grant.holder == holder && grant.state == State::Open);
        own.map(|grant| Ok((grant.provider, Served { line: grant.line.clone(), end: grant.kept.try_clone()? }))).collect()
    }

    /// Returns the new connections for the holders of a restarted provider. The provider must already serve: otherwise, a call would use up
    /// its time limit while it waits in the socket.
    pub fn for_holders(&mut self, provider: usize, is_alive: impl Fn(usize) -> bool) -> Vec<(usize, GrantLine, OwnedFd)> {
        let is_meant = |grant: &&mut Grant| grant.provider == Some(provider) && grant.state == State::Open && is_alive(grant.holder);
        let meant = self.0.iter_mut().filter(is_meant);
        meant.filter_map(|grant| Some((grant.holder, grant.line.clone(), grant.holder_end.take()?))).collect()
    }

    /// Ends a grant of this process. Returns `None` if the process has no grant of this name, or has it no longer.
    pub fn revoke(&mut self, holder: usize, name: &str) -> Option<String> {
        let is_meant = |grant: &&mut Grant| grant.holder == holder && grant.line.name == name && grant.state != State::Over;
        let grant = self.0.iter_mut().find(is_meant)?;
        close(grant, State::Over);
        Some(grant.name.clone())
    }

    /// Returns the provider of this holder's grant if the connection is closed although init did not end
    /// it. Returns `None` if the connection works, if the grant has ended or was already renewed, or if init serves it.
    pub fn broken(&self, holder: usize, name: &str) -> Option<usize> {
        let is_meant = |grant: &&Grant| grant.holder == holder && grant.line.name == name && grant.state == State::Open;
        let grant = self.0.iter().find(is_meant)?;
        grant.provider.filter(|_| sys::is_hung_up(&grant.kept))
    }

    /// Closes all connections of a process that has ended, or will never start.
    pub fn process_ended(&mut self, index: usize) {
        let touched = self.0.iter_mut().filter(|grant| grant.provider == Some(index) || grant.holder == index);
        touched.filter(|grant| grant.state != State::Over).for_each(|grant| close(grant, State::Down));
    }

    pub fn shut_all(&mut self) {
        self.0.iter_mut().for_each(|grant| close(grant, State::Over));
    }

    pub fn next_expiry(&self) -> Option<u64> {
        self.0.iter().filter(|grant| grant.state != State::Over).filter_map(|grant| grant.expires).min()
    }

    /// Ends expired grants; returns their names, for the person at the machine.
    pub fn expire(&mut self, now: u64) -> Vec<String> {
        let due = |grant: &&mut Grant| grant.state != State::Over && grant.expires.is_some_and(|expires| expires <= now);
        self.0.iter_mut().filter(due).map(|grant| { close(grant, State::Over); grant.name.clone() }).collect()
    }
}

fn close(grant: &mut Grant, state: State) {
    grant.state = state;
    sys::shut_down(&grant.kept);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::tests::honest;
    use std::os::fd::AsRawFd as _;

    /// Returns the grants of the valid manifest, and the ends of process 2, a gate. Its grants are on processes 0 (console) and 1 (notes).
    fn connected() -> (Grants, Vec<Held>) {
        let mut processes = honest().processes;
        processes[2].grants[1].expires_after = 5;
        let mut grants = Grants::connect(&processes).unwrap();
        let held = grants.held_by(2);
        (grants, held)
    }

    fn is_ended(end: &OwnedFd) -> bool {
        sys::never_block(end).unwrap();
        matches!(sys::read(end, &mut [0; 8]), Ok(0))
    }

    #[test]
    fn holder_and_provider_of_a_grant_get_one_end_of_the_connection_each() {
        let (grants, held) = connected();
        let names: Vec<&str> = held.iter().map(|held| held.name.as_str()).collect();
        assert_eq!(names, ["console", "notes"]);
        let served = grants.served_by(1);
        assert_eq!((served.len(), served[0].line.badge, served[0].line.holder.as_str()), (1, 2, "gate.operator"));
        sys::write(&held[1].end, b"hello").unwrap();
        let mut buffer = [0; 8];
        assert_eq!(sys::read(&served[0].end, &mut buffer).unwrap(), 5);
        assert!(served[0].end.as_raw_fd() >= 0);
    }

    #[test]
    fn a_process_that_starts_after_the_death_of_its_provider_gets_the_new_connection() {
        let mut grants = Grants::connect(&honest().processes).unwrap();
        let dead = grants.served_by(1);
        grants.process_ended(1);
        assert!(is_ended(&dead[0].end));
        grants.renew(1, |other| other == 2).unwrap();
        let served = grants.served_by(1);
        assert!(grants.for_holders(1, |_| false).is_empty(), "nobody is there to be given it");
        let held = grants.held_by(2);
        sys::write(&held[1].end, b"hello").unwrap();
        assert_eq!(sys::read(&served[0].end, &mut [0; 8]).unwrap(), 5);
    }

    #[test]
    fn a_grant_expires_for_every_copy_of_its_ends() {
        let (mut grants, held) = connected();
        let served = grants.served_by(1);
        let due = grants.next_expiry().unwrap();
        assert!((4_000..=5_000).contains(&(due - sys::now())), "five seconds");
        assert!(grants.expire(due - 1).is_empty() && !is_ended(&held[1].end));
        assert_eq!(grants.expire(due), ["gate.operator.notes"]);
        assert!(is_ended(&held[1].end) && is_ended(&served[0].end) && !is_ended(&held[0].end));
        assert_eq!(grants.next_expiry(), None);
    }

    #[test]
    fn a_holder_revokes_its_own_grants_and_no_others() {
        let (mut grants, held) = connected();
        let served = grants.served_by(1);
        assert_eq!(grants.revoke(1, "notes"), None);
        assert_eq!(grants.revoke(2, "disk"), None);
        assert!(!is_ended(&held[1].end));
        assert_eq!(grants.revoke(2, "notes").as_deref(), Some("gate.operator.notes"));
        assert!(is_ended(&held[1].end) && is_ended(&served[0].end) && !is_ended(&held[0].end));
        assert_eq!(grants.revoke(2, "notes"), None);
    }

    #[test]
    fn a_connection_closed_by_either_side_counts_as_broken_until_its_provider_restarts() {
        for is_holders in [true, false] {
            let (mut grants, mut held) = connected();
            let served = grants.served_by(1);
            assert_eq!(grants.broken(2, "notes"), None);
            match is_holders {
                true => drop(held.remove(1)),
                // If a provider shuts a connection down, the holder notices this and closes the connection.
                false => {
                    sys::shut_down(&served[0].end);
                    assert!(is_ended(&held[1].end));
                }
            }
            assert_eq!(grants.broken(2, "notes"), Some(1));
            assert_eq!((grants.broken(1, "notes"), grants.broken(2, "console")), (None, None));
            grants.process_ended(1);
            assert_eq!(grants.broken(2, "notes"), None, "init has seen that it died");
            grants.renew(1, |_| true).unwrap();
            assert_eq!(grants.broken(2, "notes"), None, "its holder is given a new connection");
        }
    }

    #[test]
    fn a_revoked_connection_does_not_count_as_broken() {
        let (mut grants, _held) = connected();
        grants.revoke(2, "notes");
        assert_eq!(grants.broken(2, "notes"), None);
    }

    /// Ends the process of the notes, restarts it, and lets it serve.
    fn restarted(grants: &mut Grants) -> (Vec<Served>, Vec<(usize, GrantLine, OwnedFd)>) {
        grants.process_ended(1);
        assert!(grants.served_by(1).is_empty() && grants.for_holders(1, |_| true).is_empty());
        grants.renew(1, |_| true).unwrap();
        (grants.served_by(1), grants.for_holders(1, |_| true))
    }

    #[test]
    fn a_restarted_provider_and_its_holders_get_new_connections() {
        let (mut grants, held) = connected();
        let (served, again) = restarted(&mut grants);
        assert!(is_ended(&held[1].end) && !is_ended(&held[0].end));
        let [(holder, line, end)] = &again[..] else { panic!("not one holder") };
        assert_eq!((*holder, line.name.as_str(), served[0].line.badge), (2, "notes", 2));
        sys::write(end, b"hello").unwrap();
        assert_eq!(sys::read(&served[0].end, &mut [0; 8]).unwrap(), 5);
        assert!(grants.for_holders(1, |_| true).is_empty());
    }

    #[test]
    fn a_restarted_holder_finds_the_names_of_all_its_grants_and_living_providers_serve_it() {
        let (mut grants, _) = connected();
        grants.process_ended(2);
        grants.renew(2, |other| other == 0).unwrap();
        let held = grants.held_by(2);
        assert_eq!(held.iter().map(|held| held.name.as_str()).collect::<Vec<_>>(), ["console", "notes"]);
        assert_eq!(held.iter().map(|held| is_ended(&held.end)).collect::<Vec<_>>(), [false, true]);
        let providers = grants.for_providers(2).unwrap();
        assert_eq!(providers.iter().map(|(provider, served)| (*provider, served.line.badge)).collect::<Vec<_>>(), [(Some(0), 1)]);
        let (_, again) = restarted(&mut grants);
        assert_eq!(again.len(), 1);
    }

    #[test]
    fn revoked_and_expired_grants_are_not_renewed_by_a_restart() {
        for end in [|grants: &mut Grants| drop(grants.revoke(2, "notes")), |grants: &mut Grants| drop(grants.expire(u64::MAX))] {
            for is_dead_first in [false, true] {
                let (mut grants, _) = connected();
                if is_dead_first {
                    grants.process_ended(1);
                }
                end(&mut grants);
                let (served, again) = restarted(&mut grants);
                assert!(served.is_empty() && again.is_empty());
                grants.process_ended(2);
                grants.renew(2, |_| true).unwrap();
                assert!(is_ended(&grants.held_by(2)[1].end));
                assert!(grants.for_providers(2).unwrap().iter().all(|(provider, _)| *provider == Some(0)));
                assert_eq!((grants.revoke(2, "notes"), grants.next_expiry()), (None, None));
            }
        }
    }

    #[test]
    fn an_end_that_its_holder_never_received_is_closed_when_the_holder_dies() {
        let (mut grants, _) = connected();
        grants.process_ended(1);
        grants.renew(1, |_| true).unwrap();
        let served = grants.served_by(1);
        grants.process_ended(2);
        assert!(is_ended(&served[0].end) && grants.for_holders(1, |_| true).is_empty());
        grants.renew(1, |other| other != 2).unwrap();
        assert!(grants.served_by(1).is_empty() && grants.for_holders(1, |_| true).is_empty());
    }

    #[test]
    fn init_serves_the_grants_that_name_init_as_provider() {
        let mut processes = honest().processes;
        processes[2].grants[1].provider = INIT.into();
        let mut grants = Grants::connect(&processes).unwrap();
        let held = grants.held_by(2);
        assert!(grants.served_by(1).is_empty());
        let served = grants.served_by_init().unwrap();
        assert_eq!((served.len(), served[0].0), (1, 2));
        sys::write(&held[1].end, b"hello").unwrap();
        assert_eq!(sys::read(&served[0].1, &mut [0; 8]).unwrap(), 5);
    }

    #[test]
    fn a_dead_holder_gets_no_connection() {
        let (mut grants, _) = connected();
        grants.process_ended(1);
        grants.renew(1, |_| true).unwrap();
        assert!(grants.for_holders(1, |other| other != 2).is_empty());
        assert_eq!(grants.for_holders(1, |_| true).len(), 1);
    }

    #[test]
    fn every_connection_ends_permanently_when_the_machine_stops() {
        let (mut grants, held) = connected();
        let served = grants.served_by(1);
        grants.shut_all();
        assert!(held.iter().all(|held| is_ended(&held.end)) && is_ended(&served[0].end));
        let (served, again) = restarted(&mut grants);
        assert!(served.is_empty() && again.is_empty());
    }

    #[test]
    fn holders_detect_that_their_provider_is_gone() {
        let (mut grants, held) = connected();
        grants.process_ended(1);
        assert!(is_ended(&held[1].end) && !is_ended(&held[0].end));
    }
}
