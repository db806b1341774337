//! Who is started when. Starting a process costs the machine seconds under emulation, so the person gets the prompt
//! before what the prompt does not need is started. It is no dependency: whoever calls a process that has not started
//! waits for its answer, as with one that is still starting.

use crate::manifest::{INIT, Process};
use std::collections::BTreeSet;

/// Places in the manifest, wave by wave: the prompt and whom it speaks to; what those hold; everything else.
pub fn waves(processes: &[Process], session: &str) -> Vec<Vec<usize>> {
    let speakers = ["gate", "loop"].map(|role| format!("{role}.{session}"));
    let all = || 0..processes.len();
    let speaking: BTreeSet<usize> = all().filter(|&index| speakers.contains(&processes[index].name)).collect();
    let prompt: BTreeSet<usize> = all().filter(|&index| processes[index].role == "console").chain(speaking.iter().copied()).collect();
    let mut behind = BTreeSet::new();
    let mut open: Vec<usize> = speaking.into_iter().collect();
    while let Some(holder) = open.pop() {
        for provider in providers(processes, holder) {
            // The console holds every session, and each of those more than the first line needs.
            if !prompt.contains(&provider) && behind.insert(provider) {
                open.push(provider);
            }
        }
    }
    let rest = all().filter(|index| !prompt.contains(index) && !behind.contains(index)).collect();
    let waves = [prompt.iter().copied().collect(), behind.iter().copied().collect(), rest];
    waves.into_iter().filter(|wave: &Vec<usize>| !wave.is_empty()).collect()
}

fn providers(processes: &[Process], holder: usize) -> impl Iterator<Item = usize> {
    let grants = processes[holder].grants.iter().filter(|grant| grant.provider != INIT);
    grants.filter_map(|grant| processes.iter().position(|process| process.name == grant.provider))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::tests::{honest, process};

    #[test]
    fn the_prompt_comes_first_then_what_its_session_holds_then_the_rest() {
        let mut processes = honest().processes; // console, notes, gate.operator; the gate holds the first two
        processes.push(process("gate.visitor", "gate", 1004));
        processes.push(process("loop.operator", "loop", 1005));
        processes.push(process("model.canned", "model", 1006));
        processes.push(process("audit", "audit", 1007));
        let mut held = |holder: usize, provider: &str| {
            let mut grant = processes[2].grants[0].clone();
            grant.provider = provider.into();
            processes[holder].grants.push(grant);
        };
        held(0, "gate.operator");
        held(0, "gate.visitor");
        held(2, INIT);
        held(4, "model.canned");
        held(1, "audit");
        assert_eq!(waves(&processes, "operator"), [vec![0, 2, 4], vec![1, 5, 6], vec![3]]);
        assert_eq!(waves(&processes, "nobody"), [vec![0], vec![1, 2, 3, 4, 5, 6]]);
    }

    #[test]
    fn each_process_is_in_one_wave() {
        let processes = honest().processes;
        for session in ["operator", "visitor"] {
            let mut all: Vec<usize> = waves(&processes, session).concat();
            all.sort();
            assert_eq!(all, [0, 1, 2]);
        }
    }
}
