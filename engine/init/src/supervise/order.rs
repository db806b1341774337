//! Who is started when. Starting a process costs the machine seconds under emulation, so the person gets the prompt
//! first; and a gate comes last, because the time limits of calls run from the moment that it sends them, and must not
//! be spent on a service's start. What the person types meanwhile waits for the gate.

use crate::manifest::Process;

/// Gates that are started at a time. Each asks the broker before it serves, and has an answer within 20 s or none: of sixty
/// gates that start at once on one processor some would not.
const MOST_GATES: usize = 8;

/// How long a wave may take to serve before the next is started all the same.
const PATIENCE_MS: u64 = 120_000;
/// Each of its processes beside: they start one after the other where there is one processor, and an emulated one needs seconds.
const EACH_MS: u64 = 4_000;

/// How long a wave of `count` processes may take to serve.
pub fn patience(count: usize) -> u64 {
    PATIENCE_MS + EACH_MS * count as u64
}

/// Places in the manifest, wave by wave: the prompt of this session; everything that gates hold; the gates, a few at a time.
pub fn waves(processes: &[Process], session: &str) -> Vec<Vec<usize>> {
    let first_loop = format!("loop.{session}");
    let wave_of = |process: &Process| match process.role.as_str() {
        "console" => 0,
        "loop" if process.name == first_loop => 0,
        "gate" => 2,
        _ => 1,
    };
    let wave = |number| (0..processes.len()).filter(|&index| wave_of(&processes[index]) == number).collect();
    let gates: Vec<usize> = wave(2);
    let all = [wave(0), wave(1)].into_iter().chain(gates.chunks(MOST_GATES).map(<[usize]>::to_vec));
    all.filter(|wave| !wave.is_empty()).collect()
}

/// Whether this is the loop of the gate's own session: it must have forgotten one conversation before it reads another.
pub fn is_own_loop(gate: &Process, name: &str) -> bool {
    gate.name.strip_prefix("gate.").is_some_and(|session| name.strip_prefix("loop.") == Some(session))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::tests::{honest, process};

    #[test]
    fn the_prompt_comes_first_and_the_gates_last() {
        let mut processes = honest().processes; // console, notes, gate.operator
        processes.push(process("gate.visitor", "gate", 1004));
        processes.push(process("loop.operator", "loop", 1005));
        processes.push(process("loop.visitor", "loop", 1006));
        processes.push(process("audit", "audit", 1007));
        assert_eq!(waves(&processes, "operator"), [vec![0, 4], vec![1, 5, 6], vec![2, 3]]);
        assert_eq!(waves(&processes, "visitor"), [vec![0, 5], vec![1, 4, 6], vec![2, 3]]);
        assert_eq!(waves(&processes[1..2], "operator"), [vec![0]]);
    }

    #[test]
    fn gates_are_started_a_few_at_a_time_and_each_once() {
        let mut processes = honest().processes;
        processes.retain(|process| process.role != "gate");
        let others = processes.len();
        processes.extend((0..60).map(|number| process(&format!("gate.{number}"), "gate", 2000 + number)));
        let waves = waves(&processes, "0");
        assert!(waves.iter().skip(waves.len() - 8).all(|wave| wave.len() <= MOST_GATES));
        let started: Vec<usize> = waves.concat();
        assert_eq!(started[others..], (others..others + 60).collect::<Vec<_>>());
    }

    #[test]
    fn the_time_for_a_start_grows_with_those_who_start() {
        assert_eq!([0, 8, 125].map(patience), [120_000, 152_000, 620_000]);
    }

    #[test]
    fn a_gate_has_its_own_loop_started_again_and_nobody_else() {
        let gate = process("gate.operator", "gate", 1004);
        assert!(is_own_loop(&gate, "loop.operator"));
        for name in ["loop.visitor", "loop.", "gate.operator", "loop.operator2", "operator", "audit"] {
            assert!(!is_own_loop(&gate, name), "{name}");
        }
    }
}
