//! LUKS2, as far as a data disk needs it: the header of an encrypted partition is read with distrust, opened with a
//! passphrase, and written for a new one. The kernel's dm-crypt does the rest. What is written here cryptsetup opens, and
//! what cryptsetup writes by its own choice (argon2id, AES-256 in XTS, SHA-256) is opened here.
//!
//! It refuses every other cipher, key size, hash and derivation: whoever can write the disk could otherwise put in a cipher
//! that encrypts nothing, and the machine would write its data in plain sight. It repairs nothing, and never writes to a
//! partition that it opens. A disk that was exchanged as a whole is not noticed: encryption keeps secrets, not freshness.

mod binary;
mod create;
mod json;
mod metadata;
mod stripes;
#[cfg(test)]
mod tests;
mod unlock;

pub use create::{DATA_AT, Header, create};
pub use metadata::Cost;
pub use unlock::derive;

use crate::iso::{Extent, Medium};
use metadata::Metadata;
use unlock::unlock;
use zeroize::Zeroizing;

/// AES-256 in XTS mode: two keys.
pub const KEY_BYTES: usize = 64;
/// What cryptsetup takes from a person, too.
pub const MOST_PASSPHRASE: usize = 512;
const CIPHER: &str = "aes-xts-plain64";
const HASH: &str = "sha256";
/// A derived key is spread over so many stripes, each as long as the key; all are needed to get it back.
const STRIPES: usize = 4000;
const AREA_BYTES: usize = STRIPES * KEY_BYTES;
/// The kernel counts in these, whatever the sectors of a segment are.
const SECTOR: u64 = 512;

/// Bytes that are zeros again when nobody needs them. On the heap, so that moving them leaves no copy.
pub type Secret = Zeroizing<Vec<u8>>;

type Read<T> = Result<T, String>;

/// What an opened partition holds, and the key to it.
pub struct Opened {
    /// Behind the header, to the end of the partition.
    pub extent: Extent,
    /// 512 or 4096 bytes are encrypted as one.
    pub sector: u64,
    key: Secret,
}

impl Opened {
    /// dm-crypt's parameters over the partition's device, `major:minor`. The key stands in them.
    pub fn parameters(&self, device: &str) -> Zeroizing<String> {
        let place = self.extent.offset / SECTOR;
        let sector = if self.sector == SECTOR { String::new() } else { format!(" 1 sector_size:{}", self.sector) };
        let rest = format!(" 0 {device} {place}{sector}");
        // All of its room at once: what grows leaves copies behind.
        let mut spelled = Zeroizing::new(String::with_capacity(CIPHER.len() + 1 + 2 * KEY_BYTES + rest.len()));
        spelled.push_str(CIPHER);
        spelled.push(' ');
        for digit in self.key.iter().flat_map(|byte| [byte >> 4, byte & 15]) {
            spelled.push(char::from(b"0123456789abcdef"[usize::from(digit)]));
        }
        spelled.push_str(&rest);
        spelled
    }
}

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
        Metadata::judge(&copy.json, copy.size as u64, partition.size()).map(Self)
    }

    /// `Ok(None)`: no keyslot has this passphrase.
    pub fn open<M: Medium>(&self, partition: &M, passphrase: &[u8]) -> Read<Option<Opened>> {
        let key = unlock(partition, &self.0, passphrase)?;
        Ok(key.map(|key| Opened { extent: self.0.segment, sector: self.0.sector, key }))
    }
}
