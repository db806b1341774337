//! Makes the header of a new partition. The layout of the header is fixed; the caller provides all random bytes.

use super::binary;
use super::choices::{AREA_BYTES, KEY_BYTES, MOST_PASSPHRASE, Read, Secret};
use super::metadata::{Cost, Metadata, Slot, area_size};
use super::opened::Opened;
use super::unlock::{derive, prove, seal};
use crate::digest::hex;
use crate::iso::Extent;

/// RFC 9106 recommends these costs for machines with little memory. On the emulated machine of the tests, an attempt with a passphrase takes seconds.
const COST: Cost = Cost { kibibytes: 64 << 10, passes: 3, lanes: 4 };
/// cryptsetup's minimum of rounds, which suffices because a random key cannot be guessed.
const ROUNDS: u32 = 1000;
const SALT: usize = 32;
/// Space for seven keyslots, so that cryptsetup can change passphrases. cryptsetup's default of 16 MiB is half of a small disk.
pub const DATA_AT: u64 = 2 << 20;
/// Bytes of an encryption sector: as many as in a block of the file system, and in a sector of present disks.
const SECTOR: u64 = 4096;

/// Header of a new partition, and the key to its data.
pub struct Header {
    /// Both copies of the header, and the first keyslot; the space between the keyslot and the data must be zero.
    pub bytes: Vec<u8>,
    pub opened: Opened,
}

/// Makes a header for a partition of `size` bytes. `random` must fill its buffer with unpredictable bytes.
pub fn create(size: u64, passphrase: &[u8], mut random: impl FnMut(&mut [u8]) -> Read<()>) -> Read<Header> {
    if passphrase.is_empty() || passphrase.len() > MOST_PASSPHRASE {
        return Err(format!("a passphrase has 1 to {MOST_PASSPHRASE} bytes"));
    }
    let room = size.checked_sub(DATA_AT).filter(|&room| room > 0 && room % SECTOR == 0);
    let extent = Extent { offset: DATA_AT, size: room.ok_or("the partition is too small to be encrypted")? };
    let mut bytes = |count: usize| -> Read<Secret> {
        let mut bytes = Secret::new(vec![0; count]);
        random(&mut bytes).map(|()| bytes)
    };
    let key = bytes(KEY_BYTES)?;
    let slot = Slot { number: 0, cost: COST, salt: bytes(SALT)?.to_vec(), area: 2 * binary::SIZE as u64 };
    let mut area = bytes(AREA_BYTES)?;
    seal(&key, &derive(passphrase, &slot.salt, slot.cost)?, &mut area);
    let proof = prove(&key, bytes(SALT)?.to_vec(), ROUNDS);
    let metadata = Metadata { slots: vec![slot], segment: extent, sector: SECTOR, proof };
    let salts = bytes(128)?;
    let salts = std::array::from_fn(|copy| std::array::from_fn(|at| salts[copy * 64 + at]));
    let mut header = binary::encode(&metadata.text(binary::SIZE as u64), &uuid(&bytes(16)?), salts);
    header.extend_from_slice(&area);
    header.resize(2 * binary::SIZE + area_size() as usize, 0);
    Ok(Header { bytes: header, opened: Opened { extent, sector: SECTOR, key } })
}

/// Returns a random UUID in text form, marked according to RFC 9562.
fn uuid(random: &[u8]) -> String {
    let mut bytes = random.to_vec();
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    [&bytes[..4], &bytes[4..6], &bytes[6..8], &bytes[8..10], &bytes[10..]].map(hex).join("-")
}
