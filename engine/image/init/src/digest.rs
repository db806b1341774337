//! Computes SHA-256, and formats digests.

use sha2::{Digest as _, Sha256};

pub type Digest = [u8; 32];

pub fn of_bytes(bytes: &[u8]) -> Digest {
    Sha256::digest(bytes).into()
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).map(|digit| char::from(b"0123456789abcdef"[usize::from(digit)])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_formatted_in_hex() {
        assert_eq!(hex(&of_bytes(b""))[..16], *"e3b0c44298fc1c14");
    }
}
