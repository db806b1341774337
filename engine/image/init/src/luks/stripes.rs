//! Spreads a key over many stripes, so that a removed key cannot be restored from a few old sectors
//! that a disk retains. LUKS has had this "anti-forensic splitting" since its first version.

use super::choices::{KEY_BYTES, STRIPES, Secret};
use crate::digest::Digest;
use sha2::{Digest as _, Sha256};

/// Sets the last stripe so that the stripes merge to the key. `stripes` has `STRIPES * KEY_BYTES` bytes, and the caller fills all other stripes with random bytes.
pub fn split(key: &[u8], stripes: &mut [u8]) {
    let (random, last) = stripes.split_at_mut((STRIPES - 1) * KEY_BYTES);
    let folded = fold(random);
    for ((byte, folded), key) in last.iter_mut().zip(folded.iter()).zip(key) {
        *byte = folded ^ key;
    }
}

/// Returns the key that `split` has spread over these stripes.
pub fn merge(stripes: &[u8]) -> Secret {
    let (random, last) = stripes.split_at((STRIPES - 1) * KEY_BYTES);
    let mut key = fold(random);
    mix(&mut key, last);
    key
}

fn fold(stripes: &[u8]) -> Secret {
    let mut folded = Secret::new(vec![0; KEY_BYTES]);
    for stripe in stripes.chunks_exact(KEY_BYTES) {
        mix(&mut folded, stripe);
        diffuse(&mut folded);
    }
    folded
}

fn mix(into: &mut [u8], other: &[u8]) {
    for (byte, other) in into.iter_mut().zip(other) {
        *byte ^= other;
    }
}

/// Splits the block into pieces of a digest's length, and replaces each piece by the digest of its number and content.
fn diffuse(block: &mut [u8]) {
    for (number, piece) in block.chunks_exact_mut(size_of::<Digest>()).enumerate() {
        let digest = Sha256::new().chain_update((number as u32).to_be_bytes()).chain_update(&*piece).finalize();
        piece.copy_from_slice(&digest);
    }
}
