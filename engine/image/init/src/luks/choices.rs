//! The one choice of cipher, hash and sizes that is taken and made here.

use zeroize::Zeroizing;

/// AES-256 in XTS mode: two keys.
pub const KEY_BYTES: usize = 64;
/// Maximum bytes of a passphrase; cryptsetup takes as many from a person.
pub const MOST_PASSPHRASE: usize = 512;
pub const CIPHER: &str = "aes-xts-plain64";
pub const HASH: &str = "sha256";
/// A derived key is spread over so many stripes, each as long as the key; all are needed to get it back.
pub const STRIPES: usize = 4000;
pub const AREA_BYTES: usize = STRIPES * KEY_BYTES;
/// The kernel counts in these, whatever the sectors of a segment are.
pub const SECTOR: u64 = 512;

/// Bytes that are zeros again when nobody needs them. On the heap, so that moving them leaves no copy.
pub type Secret = Zeroizing<Vec<u8>>;

pub type Read<T> = Result<T, String>;
