//! Tests that attempts with a passphrase give back their memory: each takes 19 MiB. This is a single test in its own
//! program, because it measures the memory of the whole program.

use capos::luks::{Cost, derive};

const COST: Cost = Cost { kibibytes: 19 << 10, passes: 1, lanes: 1 };
/// Maximum KiB by which all attempts may increase the program's memory: far less than the 19 MiB of one attempt.
const MOST_KIB: u64 = 2048;

/// Returns the KiB of memory that does not belong to a file.
fn held_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[test]
fn memory_of_a_passphrase_attempt_is_freed() {
    let before = held_kib();
    for passphrase in ["one", "two", "three", "four"] {
        derive(passphrase.as_bytes(), b"sixteen bytes of", COST).unwrap();
        let after = held_kib();
        assert!(after < before + MOST_KIB, "{before} KiB before, {after} after {passphrase}");
    }
}
