//! Decides how the machine reacts if data from the medium differs from what was signed. This module also records that an
//! image started, so that no older image may start after it.

use super::state::Supervisor;
use crate::boot::floor::Floor;
use crate::manifest::{FileKind, Process};
use crate::refusal::Checked;

impl Supervisor<'_> {
    /// If the root is corrupt, the machine stops at once. If another artefact is corrupt, the processes that use it end, and the others continue.
    pub(super) fn judge_medium(&mut self) -> Checked<()> {
        for spoiled in self.watch.spoiled() {
            let machine = self.machine;
            if spoiled.name == machine.manifest.root.name {
                return Err(spoiled.refusal());
            }
            self.tell(&format!("{} is spoiled: {}", spoiled.path, spoiled.why));
            for (index, process) in machine.manifest.processes.iter().enumerate() {
                if holds(process, &spoiled.name) {
                    self.restarts[index].forbid();
                    self.workers[index].kill();
                }
            }
        }
        Ok(())
    }

    /// Raises the rollback floor when the gates of all sessions and all processes of the last batch
    /// serve. An image that does not start completely must not prevent the previous image from starting.
    pub(super) fn accept_once(&mut self) {
        let gates = (0..self.workers.len()).filter(|&index| self.process(index).role == "gate");
        let came_up = self.waves.is_empty() && gates.chain(self.starting.0.iter().copied()).all(|index| self.workers[index].serves());
        if self.is_accepted || !came_up || self.starting.0.is_empty() {
            return;
        }
        self.is_accepted = true;
        if let Some(Err(error)) = self.machine.floor.as_ref().map(Floor::raise) {
            self.tell(&format!("the rollback floor was not written: {error}"));
        }
    }
}

fn holds(process: &Process, artefact: &str) -> bool {
    process.files.iter().any(|file| matches!(&file.what, FileKind::Blob(name) | FileKind::Weights(name) | FileKind::States(name) if name == artefact))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::tests::honest;

    #[test]
    fn only_processes_that_use_an_artefact_count_as_its_holders() {
        let [console, _, gate] = &honest().processes[..] else { panic!("the sample has three processes") };
        assert!(holds(gate, "tables") && !holds(console, "tables") && !holds(gate, "notes"));
    }
}
