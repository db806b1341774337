//! The connections between processes. For each grant there is one socket pair; init keeps a duplicate of the provider's
//! end, by which it can end the connection for every copy of either end.

use crate::channel::GrantLine;
use crate::manifest::{INIT, Process};
use crate::sys;
use std::io;
use std::os::fd::OwnedFd;

struct Grant {
    name: String,
    holder: usize,
    /// None: init itself.
    provider: Option<usize>,
    line: GrantLine,
    /// The end that the holder inherits, until it is handed out.
    holder_end: Option<OwnedFd>,
    /// The provider's end: what is sent to it is a duplicate of this.
    kept: OwnedFd,
    /// Milliseconds since the machine started; none: never.
    expires: Option<u64>,
    is_open: bool,
}

pub struct Grants(Vec<Grant>);

/// A grant as its holder finds it.
pub struct Held {
    pub name: String,
    pub interface_id: u64,
    pub end: OwnedFd,
}

/// A grant as its provider is told of it.
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
                    // The manifest was judged: every provider is there.
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
                    is_open: true,
                });
            }
        }
        Ok(Self(grants))
    }

    /// Gives the ends that a process inherits; each is given once.
    pub fn held_by(&mut self, holder: usize) -> Vec<Held> {
        let own = self.0.iter_mut().filter(|grant| grant.holder == holder);
        own.filter_map(|grant| {
            let (name, interface_id) = (grant.line.name.clone(), grant.line.interface_id);
            grant.holder_end.take().map(|end| Held { name, interface_id, end })
        })
        .collect()
    }

    /// The connections that a process is to serve.
    pub fn served_by(&self, provider: usize) -> Vec<Served> {
        self.served(Some(provider)).filter_map(|grant| Some(Served { line: grant.line.clone(), end: grant.kept.try_clone().ok()? })).collect()
    }

    /// The connections that init serves, each with its holder.
    pub fn served_by_init(&self) -> io::Result<Vec<(usize, OwnedFd)>> {
        self.served(None).map(|grant| Ok((grant.holder, grant.kept.try_clone()?))).collect()
    }

    fn served(&self, provider: Option<usize>) -> impl Iterator<Item = &Grant> {
        self.0.iter().filter(move |grant| grant.provider == provider && grant.is_open)
    }

    /// Ends a grant that this process holds. `None`: it holds none of that name, or no longer.
    pub fn revoke(&mut self, holder: usize, name: &str) -> Option<String> {
        let is_meant = |grant: &&mut Grant| grant.holder == holder && grant.line.name == name && grant.is_open;
        let grant = self.0.iter_mut().find(is_meant)?;
        close(grant);
        Some(grant.name.clone())
    }

    /// The process is gone, or never comes.
    pub fn process_ended(&mut self, index: usize) {
        self.0.iter_mut().filter(|grant| grant.provider == Some(index) || grant.holder == index).for_each(close);
    }

    pub fn shut_all(&mut self) {
        self.0.iter_mut().for_each(close);
    }

    pub fn next_expiry(&self) -> Option<u64> {
        self.0.iter().filter(|grant| grant.is_open).filter_map(|grant| grant.expires).min()
    }

    /// Ends what has expired; returns the names, for the person at the machine.
    pub fn expire(&mut self, now: u64) -> Vec<String> {
        let due = |grant: &&mut Grant| grant.is_open && grant.expires.is_some_and(|expires| expires <= now);
        self.0.iter_mut().filter(due).map(|grant| { close(grant); grant.name.clone() }).collect()
    }
}

fn close(grant: &mut Grant) {
    grant.is_open = false;
    sys::shut_down(&grant.kept);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::tests::honest;
    use std::os::fd::AsRawFd as _;

    /// In the honest manifest the gate (2) holds the console (0) and the notes (1).
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
    fn holder_and_provider_get_the_two_ends() {
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
    fn a_grant_expires_for_every_copy_of_its_ends() {
        let (mut grants, held) = connected();
        let served = grants.served_by(1);
        let due = grants.next_expiry().unwrap();
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
    fn init_serves_what_is_granted_on_it() {
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
    fn holders_see_that_their_provider_is_gone() {
        let (mut grants, held) = connected();
        grants.process_ended(1);
        assert!(is_ended(&held[1].end) && !is_ended(&held[0].end));
    }
}
