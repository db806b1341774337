//! A partition that a passphrase has opened.

use super::choices::{CIPHER, KEY_BYTES, SECTOR, Secret};
use crate::iso::Extent;
use zeroize::Zeroizing;

/// Extent of an opened partition's data, and the key to it.
pub struct Opened {
    /// Behind the header, to the end of the partition.
    pub extent: Extent,
    /// 512 or 4096 bytes are encrypted as one.
    pub sector: u64,
    pub(super) key: Secret,
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
