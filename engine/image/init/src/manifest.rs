//! Reads the signed graph of processes, grants and digests into plain values. The caller has verified the signature; the graph
//! is validated nevertheless, because init must not depend on a faultless compiler.

mod graph;
mod judge;

use crate::manifest_capnp::{blob, file_grant, grant, manifest, network, process, restart, verity};
use crate::network::Configuration;
use crate::trust::{Judged, check_schema, message, text, words_of};
use std::net::Ipv4Addr;

pub use crate::manifest_capnp::TrustLevel;
pub use graph::{BLOCK, Blob, FIRST_GRANT, FileGrant, FileKind, Grant, INIT, INIT_BADGE, MOST_CARD_BYTES, Manifest, Network, Process, Restart, Verity};

/// The schema version that the compiler writes. A manifest of an older version has no rules for restarts, and init must not guess them.
const SCHEMA_VERSION: u32 = 2;

/// 2.75 MiB: neither compiler nor init accepts a larger manifest.
pub const MOST_BYTES: u64 = 2_883_584;

impl Manifest {
    /// Reads and validates a manifest whose signature was verified.
    pub fn read(bytes: &[u8]) -> Judged<Self> {
        let message = message(bytes)?;
        let root: manifest::Reader = message.get_root().map_err(words_of)?;
        check_schema(root.get_schema_version(), SCHEMA_VERSION)?;
        let storage = root.get_storage().map_err(words_of)?;
        let read = Self {
            system_id: text(root.get_system_id())?,
            version: text(root.get_version())?,
            kernel_parameters: texts(root.get_kernel_parameters().map_err(words_of)?)?,
            root: Blob::read(root.get_root().map_err(words_of)?)?,
            artefacts: each(root.get_artefacts().map_err(words_of)?.iter(), Blob::read)?,
            processes: each(root.get_processes().map_err(words_of)?.iter(), Process::read)?,
            disk: text(storage.get_disk())?,
            encrypted: storage.get_encrypted(),
            create: storage.get_create(),
            session: text(root.get_session())?,
            network: Network::read(root.get_network().map_err(words_of)?)?,
            memory: root.get_memory_bytes(),
            trust: root.get_trust().map_err(|_| "an unknown level of trust")?,
        };
        judge::judge(&read)?;
        Ok(read)
    }
}

/// Maximum length of each list of a manifest. The compiler has the same limit as `MOST_ENTRIES` in `targets/contract/memory.ts`.
const MOST_ITEMS: usize = 1024;

fn each<R, T>(items: impl ExactSizeIterator<Item = R>, read: impl Fn(R) -> Judged<T>) -> Judged<Vec<T>> {
    match items.len() <= MOST_ITEMS {
        true => items.map(read).collect(),
        false => Err(format!("a list of {} items, above the limit of {MOST_ITEMS}", items.len())),
    }
}

fn texts(list: capnp::text_list::Reader<'_>) -> Judged<Vec<String>> {
    each(list.iter(), text)
}

impl Blob {
    fn read(reader: blob::Reader<'_>) -> Judged<Self> {
        let sha256 = reader.get_sha256().map_err(words_of)?;
        Ok(Self {
            name: text(reader.get_name())?,
            path: text(reader.get_path())?,
            size: reader.get_size(),
            sha256: sha256.try_into().map_err(|_| "a digest that is not 32 bytes")?,
            verity: Verity::read(reader.get_verity().map_err(words_of)?)?,
            card: text(reader.get_card())?,
        })
    }
}

impl Verity {
    pub fn read(reader: verity::Reader<'_>) -> Judged<Option<Self>> {
        let root_hash = reader.get_root_hash().map_err(words_of)?;
        if root_hash.is_empty() {
            return Ok(None);
        }
        Ok(Some(Self {
            content_bytes: reader.get_content_bytes(),
            salt: reader.get_salt().map_err(words_of)?.to_vec(),
            root_hash: root_hash.try_into().map_err(|_| "a root hash that is not 32 bytes")?,
        }))
    }
}

impl Process {
    fn read(reader: process::Reader<'_>) -> Judged<Self> {
        Ok(Self {
            name: text(reader.get_name())?,
            role: text(reader.get_role())?,
            uid: reader.get_uid(),
            exec: text(reader.get_exec())?,
            arguments: texts(reader.get_arguments().map_err(words_of)?)?,
            grants: each(reader.get_grants().map_err(words_of)?.iter(), Grant::read)?,
            files: each(reader.get_files().map_err(words_of)?.iter(), FileGrant::read)?,
            memory_max: reader.get_memory_max_bytes(),
            restart: Restart::read(reader.get_restart().map_err(words_of)?),
            answer_within: u64::from(reader.get_answer_within_seconds()) * 1000,
            state_max: Some(reader.get_state_max_bytes()).filter(|&bytes| bytes > 0),
        })
    }
}

impl Network {
    fn read(reader: network::Reader<'_>) -> Judged<Self> {
        let fixed = match reader.which().map_err(|_| "a network of an unknown kind")? {
            network::None(()) => return Ok(Self::None),
            network::Dhcp(()) => return Ok(Self::Dhcp),
            network::Fixed(fixed) => fixed,
        };
        let router = text(fixed.get_router())?;
        let configuration = Configuration {
            address: address(&text(fixed.get_address())?)?,
            prefix: fixed.get_prefix(),
            router: if router.is_empty() { None } else { Some(address(&router)?) },
            resolvers: texts(fixed.get_resolvers().map_err(words_of)?)?
                .iter()
                .map(|resolver| address(resolver))
                .collect::<Judged<_>>()?,
        };
        Ok(Self::Fixed(configuration.judged()?))
    }
}

fn address(text: &str) -> Judged<Ipv4Addr> {
    text.parse().map_err(|_| format!("'{}' is no address", text.escape_default()))
}

impl Restart {
    fn read(reader: restart::Reader<'_>) -> Self {
        Self {
            most: reader.get_most().into(),
            within: u64::from(reader.get_within_seconds()) * 1000,
            pause: reader.get_pause_ms().into(),
        }
    }
}

impl Grant {
    fn read(reader: grant::Reader<'_>) -> Judged<Self> {
        Ok(Self {
            name: text(reader.get_name())?,
            interface_id: reader.get_interface_id(),
            provider: text(reader.get_provider())?,
            badge: reader.get_badge(),
            expires_after: reader.get_expires_after_seconds(),
        })
    }
}

impl FileGrant {
    fn read(reader: file_grant::Reader<'_>) -> Judged<Self> {
        let what = match reader.which().map_err(|_| "a file grant of an unknown kind")? {
            file_grant::Blob(name) => FileKind::Blob(text(name)?),
            file_grant::Directory(name) => FileKind::Directory(text(name)?),
            file_grant::Terminal(()) => FileKind::Terminal,
            file_grant::Partition(()) => FileKind::Partition,
            file_grant::Weights(name) => FileKind::Weights(text(name)?),
            file_grant::Key(name) => FileKind::Key(text(name)?),
            file_grant::States(name) => FileKind::States(text(name)?),
        };
        Ok(Self { name: text(reader.get_name())?, what })
    }
}

#[cfg(test)]
pub mod tests;
