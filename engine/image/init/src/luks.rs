//! LUKS2 for a data disk: this module parses the header of an encrypted partition as untrusted input, opens the partition with a passphrase,
//! and writes headers of new partitions. The kernel's dm-crypt encrypts and decrypts the data. cryptsetup opens the
//! headers written here. This module opens headers that have cryptsetup's defaults (argon2id, AES-256 in XTS, SHA-256).
//!
//! The reader refuses every other cipher, key size, hash and derivation. Otherwise, a person who can write the disk could choose
//! a cipher that does not encrypt, and the machine would write plain data. The reader repairs nothing, and never writes to a
//! partition that it opens. A disk that was exchanged as a whole is not detected: encryption provides secrecy, not freshness.

mod binary;
mod choices;
mod create;
mod json;
mod judge;
mod metadata;
mod opened;
mod stripes;
#[cfg(test)]
mod tests;
mod unlock;

pub use choices::{KEY_BYTES, MOST_PASSPHRASE, Secret};
pub use create::{DATA_AT, Header, create};
pub use metadata::Cost;
pub use opened::Opened;
pub use unlock::derive;

use crate::iso::Medium;
use choices::Read;
use metadata::Metadata;
use unlock::unlock;

/// Returns whether a partition begins like a LUKS partition, of any version and even if damaged.
pub fn claims<M: Medium>(partition: &M) -> bool {
    let mut magic = [0; 6];
    partition.read_at(0, &mut magic).is_ok() && magic == binary::FIRST_MAGIC
}

/// A parsed and validated header, on which several passphrases can be tried.
pub struct Locked(Metadata);

impl Locked {
    /// Reads and validates the header of a partition. Fails if no copy is valid, or if the reader refuses the header.
    pub fn read<M: Medium>(partition: &M) -> Read<Self> {
        let copy = binary::read(partition)?;
        judge::judge(&copy.json, copy.size as u64, partition.size()).map(Self)
    }

    /// Opens the partition with a passphrase; returns `Ok(None)` if no keyslot has this passphrase.
    pub fn open<M: Medium>(&self, partition: &M, passphrase: &[u8]) -> Read<Option<Opened>> {
        let key = unlock(partition, &self.0, passphrase)?;
        Ok(key.map(|key| Opened { extent: self.0.segment, sector: self.0.sector, key }))
    }
}
