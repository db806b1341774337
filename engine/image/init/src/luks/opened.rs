//! A partition that a passphrase has opened.

use super::choices::{CIPHER, KEY_BYTES, SECTOR, Secret};
use crate::iso::Extent;
use zeroize::Zeroizing;

/// Extent of an opened partition's data, and the key to it.
pub struct Opened {
    /// Extent of the data, from the header's end to the end of the partition.
    pub extent: Extent,
    /// Size in bytes of one encryption sector: 512 or 4096.
    pub sector: u64,
    pub(super) key: Secret,
}

impl Opened {
    /// Returns the parameters with which dm-crypt opens the partition; `device` is the partition's `major:minor`. The parameters contain the key.
    pub fn parameters(&self, device: &str) -> Zeroizing<String> {
        let place = self.extent.offset / SECTOR;
        let sector = if self.sector == SECTOR { String::new() } else { format!(" 1 sector_size:{}", self.sector) };
        let rest = format!(" 0 {device} {place}{sector}");
        // The whole capacity is allocated at once, because a growing string leaves copies behind.
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
