//! LUKS2, as far as a data disk needs it: the header of an encrypted partition is read with distrust, opened with a
//! passphrase, and written for a new one. The kernel's dm-crypt does the rest. What is written here cryptsetup opens, and
//! what cryptsetup writes by its own choice (argon2id, AES-256 in XTS, SHA-256) is opened here.
//!
//! It refuses every other cipher, key size, hash and derivation: whoever can write the disk could otherwise put in a cipher
//! that encrypts nothing, and the machine would write its data in plain sight. It repairs nothing, and never writes to a
//! partition that it opens. A disk that was exchanged as a whole is not noticed: encryption keeps secrets, not freshness.

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

/// Whether a partition begins like one of LUKS, of whatever version and however damaged.
pub fn claims<M: Medium>(partition: &M) -> bool {
    let mut magic = [0; 6];
    partition.read_at(0, &mut magic).is_ok() && magic == binary::FIRST_MAGIC
}

/// A header that was read and judged; it can be tried with one passphrase after the other.
pub struct Locked(Metadata);

impl Locked {
    /// Reads and judges the header of a partition. The error is a sentence.
    pub fn read<M: Medium>(partition: &M) -> Read<Self> {
        let copy = binary::read(partition)?;
        judge::judge(&copy.json, copy.size as u64, partition.size()).map(Self)
    }

    /// `Ok(None)`: no keyslot has this passphrase.
    pub fn open<M: Medium>(&self, partition: &M, passphrase: &[u8]) -> Read<Option<Opened>> {
        let key = unlock(partition, &self.0, passphrase)?;
        Ok(key.map(|key| Opened { extent: self.0.segment, sector: self.0.sector, key }))
    }
}
