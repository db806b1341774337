//! Computes the order in which processes are started. Under emulation a start takes seconds, so the person gets the prompt
//! first. A gate starts after the services that it uses, because the time limit of a call must not include the start of a
//! service. Lines that the person types before the gate has started wait for it.

use crate::manifest::Process;

/// Time for all processes of a batch to report that they serve. After this time, the next batch starts anyway.
const PATIENCE_MS: u64 = 120_000;
/// Milliseconds for each process, added to `PATIENCE_MS`: processes start one after the other, and an emulated processor needs seconds.
const EACH_MS: u64 = 4_000;

/// Returns how long init waits until a batch of `count` processes serves.
pub fn patience(count: usize) -> u64 {
    PATIENCE_MS + EACH_MS * count as u64
}

/// Returns the batches of processes, as indexes in the manifest. The first three batches are the console and the loop of `session`, all services that gates
/// use, and the gate of `session`. Then come the other sessions, one after the other, because dozens of simultaneous starts would slow the person's typing.
pub fn waves(processes: &[Process], session: &str) -> Vec<Vec<usize>> {
    let mut waves = vec![Vec::new(), Vec::new(), Vec::new()];
    let mut others: Vec<(&str, Vec<usize>)> = Vec::new();
    for (index, process) in processes.iter().enumerate() {
        match (process.role.as_str(), session_of(process)) {
            ("console", _) => waves[0].push(index),
            ("loop", own) if own == session => waves[0].push(index),
            ("gate", own) if own == session => waves[2].push(index),
            ("loop" | "gate", other) => match others.iter_mut().find(|(known, _)| *known == other) {
                Some((_, wave)) => wave.push(index),
                None => others.push((other, vec![index])),
            },
            _ => waves[1].push(index),
        }
    }
    waves.extend(others.into_iter().map(|(_, wave)| wave));
    waves.retain(|wave| !wave.is_empty());
    waves
}

/// Returns the session of a gate or a loop, which is the end of the process's name.
fn session_of(process: &Process) -> &str {
    process.name.split_once('.').map_or("", |(_, session)| session)
}

/// Returns whether `name` is the loop of the session that `gate` serves. A gate restarts this loop to make it forget a conversation.
pub fn is_own_loop(gate: &Process, name: &str) -> bool {
    gate.name.strip_prefix("gate.").is_some_and(|session| name.strip_prefix("loop.") == Some(session))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::tests::{honest, process};

    #[test]
    fn the_console_starts_first_then_the_services_then_the_gate_of_the_session_then_each_other_session() {
        let mut processes = honest().processes; // console, notes, gate.operator
        processes.push(process("gate.visitor", "gate", 1004));
        processes.push(process("loop.operator", "loop", 1005));
        processes.push(process("loop.visitor", "loop", 1006));
        processes.push(process("audit", "audit", 1007));
        processes.push(process("gate.guest", "gate", 1008));
        processes.push(process("loop.guest", "loop", 1009));
        assert_eq!(waves(&processes, "operator"), [vec![0, 4], vec![1, 6], vec![2], vec![3, 5], vec![7, 8]]);
        assert_eq!(waves(&processes, "visitor"), [vec![0, 5], vec![1, 6], vec![3], vec![2, 4], vec![7, 8]]);
        assert_eq!(waves(&processes[1..2], "operator"), [vec![0]]);
    }

    #[test]
    fn the_time_to_start_grows_with_the_starting_processes() {
        assert_eq!([0, 8, 125].map(patience), [120_000, 152_000, 620_000]);
    }

    #[test]
    fn a_gate_can_restart_only_its_own_loop() {
        let gate = process("gate.operator", "gate", 1004);
        assert!(is_own_loop(&gate, "loop.operator"));
        for name in ["loop.visitor", "loop.", "gate.operator", "loop.operator2", "operator", "audit"] {
            assert!(!is_own_loop(&gate, name), "{name}");
        }
    }
}
