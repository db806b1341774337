//! The only combination of cipher, hash and sizes that the reader accepts and that capc writes.

use zeroize::Zeroizing;

/// Bytes of the two keys of AES-256 in XTS mode.
pub const KEY_BYTES: usize = 64;
/// Maximum bytes of a passphrase; cryptsetup has the same limit for typed passphrases.
pub const MOST_PASSPHRASE: usize = 512;
pub const CIPHER: &str = "aes-xts-plain64";
pub const HASH: &str = "sha256";
/// Number of stripes over which a key is spread. Each stripe is as long as the key, and the key can be restored only from all stripes.
pub const STRIPES: usize = 4000;
pub const AREA_BYTES: usize = STRIPES * KEY_BYTES;
/// Bytes of the unit in which the kernel states sector numbers, even if the encryption sectors of a partition are larger.
pub const SECTOR: u64 = 512;

/// Bytes that are zeroed when they are dropped. The bytes are on the heap, so that a move leaves no copy.
pub type Secret = Zeroizing<Vec<u8>>;

pub type Read<T> = Result<T, String>;
