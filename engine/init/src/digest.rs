//! SHA-256 over a bounded run of a medium, in pieces.

use crate::iso::{Extent, Medium};
use sha2::{Digest as _, Sha256};
use std::io;

pub type Digest = [u8; 32];

/// Large enough that the block layer does few requests, small enough for a machine of 512 MiB.
pub const PIECE: usize = 1024 * 1024;

pub fn of_bytes(bytes: &[u8]) -> Digest {
    Sha256::digest(bytes).into()
}

/// Reads the extent through `buffer` and digests it. The buffer's length is the size of a piece.
pub fn of_extent<M: Medium>(medium: &M, extent: Extent, buffer: &mut [u8]) -> io::Result<Digest> {
    let mut digest = Sha256::new();
    let mut done = 0;
    while done < extent.size {
        let size = (extent.size - done).min(buffer.len() as u64) as usize;
        medium.read_at(extent.offset + done, &mut buffer[..size])?;
        digest.update(&buffer[..size]);
        done += size as u64;
    }
    Ok(digest.finalize().into())
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_extent_has_the_digest_of_its_bytes() {
        let medium: Vec<u8> = (0..5000u32).map(|n| n as u8).collect();
        let extent = Extent { offset: 100, size: 4321 };
        let whole = of_bytes(&medium[100..4421]);
        assert_eq!(of_extent(&medium, extent, &mut [0u8; 7]).unwrap(), whole);
        assert_eq!(of_extent(&medium, extent, &mut [0u8; 8192]).unwrap(), whole);
        assert!(of_extent(&medium, Extent { offset: 4000, size: 2000 }, &mut [0u8; 512]).is_err());
    }

    #[test]
    fn a_digest_is_spelled_in_hex() {
        assert_eq!(hex(&of_bytes(b""))[..16], *"e3b0c44298fc1c14");
    }
}
