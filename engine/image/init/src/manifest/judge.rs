//! Validates a manifest whose signature is valid. Its names must be plain and unique, its references must have a target, and
//! no process may have more than the jail of its role allows.

use super::graph::{Blob, FIRST_GRANT, FileKind, INIT, INIT_BADGE, MOST_CARD_BYTES, Manifest, Network, Process};
use crate::jail;
use crate::names::{is_plain, is_plain_path, is_word};
use crate::trust::Judged;
use crate::wire_capnp::supervisor;
use std::collections::HashSet;
use std::hash::Hash;

const MOST_ROOT_BYTES: u64 = 1 << 30;
/// Limit for artefacts that are verified as a whole, and stored in memory.
const MOST_ARTEFACT_BYTES: u64 = 64 << 20;
/// Limit for artefacts that are verified block by block on the medium: enough for the weights of any model that fits into a machine.
const MOST_TREED_BYTES: u64 = 1 << 38;
/// Maximum bytes of a hash tree's salt. The kernel accepts more; the project's salts have 32 bytes.
const MOST_SALT_BYTES: usize = 64;
/// Maximum arguments of one process. A gate has four arguments for each backend of its session. The store of conversations has six for each
/// session with an embedder. The compiler refuses pages that need more (`compiler/phases/fit`).
const MOST_ARGUMENTS: usize = 512;

const MOST_RESTARTS: usize = 100;
/// Roles that init never restarts, because only their memory contains the decisions of people.
const STAYS_DEAD: [&str; 3] = ["broker", "console", "gate"];

/// Roles that limit the size of their directory themselves: they are programs of the runtime, and only they write to it.
const BOUNDS_ITSELF: [&str; 2] = ["broker", "conversations"];

pub fn judge(manifest: &Manifest) -> Judged<()> {
    demand(is_plain(&manifest.system_id), || "the system's name is not plain".into())?;
    demand(manifest.kernel_parameters.iter().all(|word| is_word(word)), || "a kernel parameter is not one word".into())?;
    demand(manifest.disk.is_empty() || (is_plain(&manifest.disk) && manifest.disk.len() <= 16), || {
        "the data disk's name is not plain, or longer than 16".into()
    })?;
    demand(!manifest.encrypted || !manifest.disk.is_empty(), || "an encrypted data disk without a name".into())?;
    judge_blob(&manifest.root, MOST_ROOT_BYTES)?;
    demand(manifest.root.verity.is_some(), || "the root has no hash tree".into())?;
    for blob in &manifest.artefacts {
        judge_blob(blob, if blob.verity.is_some() { MOST_TREED_BYTES } else { MOST_ARTEFACT_BYTES })?;
        demand(blob.name != manifest.root.name, || "an artefact has the name of the root".into())?;
        judge_card(manifest, blob)?;
    }
    once("artefact", manifest.artefacts.iter().map(|blob| &blob.name))?;
    once("process", manifest.processes.iter().map(|process| &process.name))?;
    once("uid", manifest.processes.iter().map(|process| process.uid))?;
    once("badge", manifest.processes.iter().flat_map(|process| process.grants.iter().map(|grant| grant.badge)))?;
    demand(manifest.processes.iter().flat_map(|process| &process.grants).all(|grant| grant.badge != INIT_BADGE), || {
        "a grant has the badge of init's own".into()
    })?;
    once("directory", manifest.processes.iter().filter_map(Process::directory))?;
    let terminals = manifest.processes.iter().filter(|process| process.has_terminal()).count();
    demand(terminals <= 1, || "two processes hold the terminal".into())?;
    demand(manifest.networked().is_none() || manifest.network != Network::None, || {
        "a process has the network, and there is none".into()
    })?;
    let files = manifest.processes.iter().flat_map(|process| &process.files);
    let keys = files.clone().filter_map(|file| match &file.what {
        FileKind::Key(key) => Some(key),
        _ => None,
    });
    once("key", keys)?;
    demand(files.filter(|file| file.what == FileKind::Partition).count() <= 1, || "two processes hold the partition".into())?;
    manifest.processes.iter().try_for_each(|process| judge_process(manifest, process))
}

fn judge_blob(blob: &Blob, most: u64) -> Judged<()> {
    demand(is_plain(&blob.name) && is_plain_path(&blob.path), || "an artefact's name or path is not plain".into())?;
    demand(blob.size > 0 && blob.size <= most, || format!("{}: {} bytes, the limit is {most}", blob.name, blob.size))?;
    let Some(verity) = &blob.verity else { return Ok(()) };
    demand(verity.salt.len() <= MOST_SALT_BYTES, || format!("{}: a salt of {} bytes", blob.name, verity.salt.len()))?;
    demand((1..=most).contains(&verity.content_bytes) && verity.file_bytes() == blob.size, || {
        format!("{}: {} bytes are not content and hash tree", blob.name, blob.size)
    })
}

/// Validates an artefact's card. Artefacts that are read block by block are the root, weights, and states computed with weights. Weights
/// need a card, which init verifies as a whole. States need no card: the image's signature covers them.
fn judge_card(manifest: &Manifest, blob: &Blob) -> Judged<()> {
    let Blob { name, card, verity, .. } = blob;
    demand(verity.is_some() || card.is_empty(), || format!("{name}: it has a card and no hash tree"))?;
    let is_whole = |named: &Blob| named.verity.is_none() && named.size <= MOST_CARD_BYTES;
    demand(card.is_empty() || manifest.artefact(card).is_some_and(is_whole), || {
        format!("{name}: its card '{}' is no small artefact", card.escape_default())
    })
}

fn judge_process(manifest: &Manifest, process: &Process) -> Judged<()> {
    let name = &process.name;
    demand(is_plain(name) && name != INIT, || "a process's name is not plain, or that of init".into())?;
    demand((1001..=65_000).contains(&process.uid), || format!("{name}: uid {} is not above 1000", process.uid))?;
    demand(is_plain_path(&process.exec), || format!("{name}: its program is not a plain path"))?;
    let arguments = &process.arguments;
    demand(arguments.len() <= MOST_ARGUMENTS && arguments.iter().all(|word| is_word(word)), || {
        format!("{name}: its arguments are not plain words")
    })?;
    judge_restart(process)?;
    let jail = jail::of_role(&process.role).ok_or_else(|| format!("{name}: there is no jail for its role"))?;
    once("grant", process.grants.iter().map(|grant| &grant.name))?;
    once("file", process.files.iter().map(|file| &file.name))?;
    for grant in &process.grants {
        let known = match grant.provider.as_str() {
            INIT => grant.interface_id == supervisor::_private::TYPE_ID,
            provider => manifest.processes.iter().any(|other| other.name == provider),
        };
        demand(is_plain(&grant.name) && known && grant.provider != *name, || {
            format!("{name}: no other process provides '{}'", grant.name.escape_default())
        })?;
    }
    for file in &process.files {
        demand(is_plain(&file.name), || format!("{name}: a file's name is not plain"))?;
        match &file.what {
            FileKind::Blob(blob) => demand(manifest.artefact(blob).is_some_and(|blob| blob.verity.is_none()), || {
                format!("{name}: there is no artefact '{}'", blob.escape_default())
            })?,
            FileKind::Weights(blob) => {
                demand(jail.weights, || format!("{name}: its role may not hold weights"))?;
                demand(manifest.artefact(blob).is_some_and(|blob| blob.verity.is_some() && !blob.card.is_empty()), || {
                    format!("{name}: there are no weights '{}'", blob.escape_default())
                })?;
            }
            FileKind::States(blob) => {
                demand(process.weights().is_some(), || format!("{name}: states without the weights that they are of"))?;
                demand(manifest.artefact(blob).is_some_and(|blob| blob.verity.is_some() && blob.card.is_empty()), || {
                    format!("{name}: there are no states '{}'", blob.escape_default())
                })?;
            }
            FileKind::Directory(directory) => {
                let is_name = is_plain(directory.strip_prefix('/').unwrap_or(directory));
                demand(jail.directory && is_name, || format!("{name}: may not hold a directory, or its name is not plain"))?;
                demand(process.role != "files" || !manifest.disk.is_empty(), || format!("{name}: a directory without a data disk"))?;
            }
            FileKind::Partition => demand(jail.partition && !manifest.disk.is_empty(), || {
                format!("{name}: its role may not hold a partition, or there is no data disk")
            })?,
            FileKind::Terminal => demand(jail.terminal, || format!("{name}: its role may not hold the terminal"))?,
            FileKind::Key(key) => {
                demand(jail.key && is_plain(key), || format!("{name}: its role may not hold a key, or its name is not plain"))?;
            }
        }
    }
    let is_bounded = process.state_max.is_some() || BOUNDS_ITSELF.contains(&process.role.as_str());
    demand(process.directory().is_none() || is_bounded, || format!("{name}: a directory without a limit"))?;
    // The count includes the streams and the channel. A process that would get too many descriptors could not start.
    let given = FIRST_GRANT + process.grants.len() + process.files.len();
    demand(given as u64 <= jail.open_files, || format!("{name}: {given} descriptors, and its role may have {}", jail.open_files))?;
    let directories = process.files.iter().filter(|file| matches!(file.what, FileKind::Directory(_))).count();
    demand(directories <= 1, || format!("{name}: more than one directory"))?;
    let weights = process.files.iter().filter(|file| matches!(file.what, FileKind::Weights(_))).count();
    demand(weights <= 1, || format!("{name}: more than one model's weights"))?;
    let states = process.files.iter().filter(|file| matches!(file.what, FileKind::States(_))).count();
    demand(states <= 1, || format!("{name}: more than one model's states"))
}

/// Checks a process's rule for restarts. Their number is limited, because init remembers each restart within the time of the rule. Roles in
/// `STAYS_DEAD` have no restarts, which would reset the labels of a conversation, the ledgers of quotas, or the state of the console.
fn judge_restart(process: &Process) -> Judged<()> {
    let Process { name, restart, .. } = process;
    demand(restart.most <= MOST_RESTARTS && (restart.most == 0) == (restart.within == 0), || {
        format!("{name}: {} new starts within {} ms", restart.most, restart.within)
    })?;
    demand(restart.most == 0 || !STAYS_DEAD.contains(&process.role.as_str()), || {
        format!("{name}: a process of its role must not be started again")
    })
}

fn demand(holds: bool, why: impl FnOnce() -> String) -> Judged<()> {
    if holds { Ok(()) } else { Err(why()) }
}

fn once<T: Hash + Eq>(what: &str, items: impl Iterator<Item = T>) -> Judged<()> {
    let mut seen = HashSet::new();
    demand(items.into_iter().all(|item| seen.insert(item)), || format!("one {what} stands twice"))
}
