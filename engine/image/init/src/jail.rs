//! Defines the jails of the roles, with their permissions from `engine/image/jails/*.json`, which also state the reasons.

pub mod landlock;
pub mod rights;
pub mod seccomp;

use landlock::Place;
use seccomp::Step;

include!(concat!(env!("OUT_DIR"), "/jails.rs"));

#[derive(Debug)]
pub struct Jail {
    pub role: &'static str,
    pub open_files: u64,
    pub tasks: u64,
    /// Weight by which the kernel shares processor time between processes; the kernel's default is 100.
    pub cpu_weight: u64,
    /// Protected memory in bytes, which the kernel does not reclaim.
    pub memory_kept: u64,
    /// Order in which the kernel kills processes when memory is exhausted: the lower, the later.
    pub oom_score: i64,
    pub terminal: bool,
    pub directory: bool,
    /// Whether the role gets the audit partition of the data disk.
    pub partition: bool,
    /// Whether the role gets the machine's network card.
    pub network: bool,
    /// Whether the role gets a model's weights, at `/weights`, and its prefilled states, at `/states`.
    pub weights: bool,
    /// Whether the role gets a key that is made on the data disk.
    pub key: bool,
    /// Paths that may be opened, besides the program in the manifest.
    pub places: &'static [Place],
    /// Filter that the kernel runs at each system call.
    pub filter: &'static [Step],
}

/// File to which a process writes its own OOM score.
pub const OOM_SCORE: &str = "/proc/self/oom_score_adj";
/// Score of a process that the kernel never kills.
pub const NEVER_CHOSEN: i64 = -1000;

pub fn of_role(role: &str) -> Option<&'static Jail> {
    JAILS.iter().find(|jail| jail.role == role)
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod facts {
    use super::*;

    #[test]
    fn the_kernel_ends_gate_and_broker_and_audit_and_console_last() {
        let score = |role: &str| of_role(role).map(|jail| jail.oom_score);
        let last = ["console", "audit", "broker", "gate"].map(score);
        assert!(last.is_sorted() && last.iter().all(Option::is_some), "{last:?}");
        for jail in JAILS.iter().filter(|jail| !["console", "audit", "broker", "gate"].contains(&jail.role)) {
            assert!(Some(jail.oom_score) > score("gate"), "{}", jail.role);
        }
        // If memory runs out, the kernel kills a program of the page before any program of the image.
        assert!(JAILS.iter().all(|jail| jail.role.starts_with("own") || jail.oom_score < of_role("own").unwrap().oom_score));
    }

    #[test]
    fn only_the_console_may_hold_the_terminal() {
        let holders: Vec<&str> = JAILS.iter().filter(|jail| jail.terminal).map(|jail| jail.role).collect();
        assert_eq!(holders, ["console"]);
    }

    #[test]
    fn only_the_audit_may_hold_its_partition() {
        let holders: Vec<&str> = JAILS.iter().filter(|jail| jail.partition).map(|jail| jail.role).collect();
        assert_eq!(holders, ["audit"]);
    }

    #[test]
    fn only_egress_may_have_the_network() {
        let holders: Vec<&str> = JAILS.iter().filter(|jail| jail.network).map(|jail| jail.role).collect();
        assert_eq!(holders, ["egress"]);
    }

    #[test]
    fn only_egress_may_hold_a_key() {
        let holders: Vec<&str> = JAILS.iter().filter(|jail| jail.key).map(|jail| jail.role).collect();
        assert_eq!(holders, ["egress"]);
    }

    #[test]
    fn only_the_local_model_may_hold_weights() {
        let holders: Vec<&str> = JAILS.iter().filter(|jail| jail.weights).map(|jail| jail.role).collect();
        assert_eq!(holders, ["model-local"]);
    }

    #[test]
    fn roles_that_read_text_of_models_have_no_directory() {
        for role in ["loop", "model", "model-local", "model-remote", "gate", "console", "logs", "services", "status", "audit"] {
            assert!(of_role(role).is_some_and(|jail| !jail.directory), "{role}");
        }
    }

    #[test]
    fn only_roles_with_a_directory_may_write_files() {
        for jail in JAILS {
            let writes = jail.places.iter().any(|place| place.rights & landlock::WRITE != 0);
            assert_eq!(writes, jail.directory, "{}", jail.role);
        }
    }
}
