//! The binary part of a header: 4096 bytes with the length of the header and a digest over all of it, followed by the text. A header has
//! two copies; the newer valid copy counts, as in cryptsetup.

use super::choices::{HASH, Read};
use crate::digest::of_bytes;
use crate::iso::Medium;

pub const FIRST_MAGIC: [u8; 6] = *b"LUKS\xba\xbe";
const SECOND_MAGIC: [u8; 6] = *b"SKUL\xba\xbe";
const VERSION: u16 = 2;
/// Bytes of the binary part.
pub const BINARY: usize = 4096;
/// Valid sizes of one copy in bytes; cryptsetup's default is the first. Larger copies, which cryptsetup can make too, are refused.
const SIZES: [usize; 3] = [16 << 10, 32 << 10, 64 << 10];
/// Size of one copy of a new header, and so the offset of the second copy. The reader looks for the second copy there if the first is corrupt.
pub const SIZE: usize = SIZES[0];

const LABEL: usize = 24;
const ALGORITHM: usize = 72;
const SALT: usize = 104;
const UUID: usize = 168;
const SUBSYSTEM: usize = 208;
const OFFSET: usize = 256;
const CHECKSUM: usize = 448;
const CHECKSUM_END: usize = 512;

/// A copy whose digest is correct.
pub struct Copy {
    pub sequence: u64,
    pub size: usize,
    /// Text of the copy, without the zeros that fill the space after it.
    pub json: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    First,
    /// The second copy. The number is its offset, at which the first copy ends.
    Second(usize),
}

/// Returns the newer of the valid copies; of two equally new ones, the first.
pub fn read<M: Medium>(medium: &M) -> Read<Copy> {
    match copy(medium, Place::First) {
        Ok(first) => match copy(medium, Place::Second(first.size)) {
            Ok(second) if second.sequence > first.sequence => Ok(second),
            _ => Ok(first),
        },
        Err(why) => {
            let second = SIZES.into_iter().find_map(|size| copy(medium, Place::Second(size)).ok());
            second.ok_or(format!("its encryption header: {why}, and there is no sound copy of it"))
        }
    }
}

fn copy<M: Medium>(medium: &M, place: Place) -> Read<Copy> {
    let (magic, at) = match place {
        Place::First => (FIRST_MAGIC, 0),
        Place::Second(at) => (SECOND_MAGIC, at),
    };
    let mut bytes = vec![0; BINARY];
    read_at(medium, at, &mut bytes)?;
    if bytes[..6] != magic {
        return Err("there is none".into());
    }
    if u16::from_be_bytes([bytes[6], bytes[7]]) != VERSION {
        return Err("it is not of version 2".into());
    }
    let size = SIZES.into_iter().find(|&size| size as u64 == u64_at(&bytes, 8));
    let size = size.ok_or_else(|| format!("it is not of {} KiB", SIZES.map(|size| (size >> 10).to_string()).join(", ")))?;
    if u64_at(&bytes, OFFSET) != at as u64 || matches!(place, Place::Second(at) if at != size) {
        return Err("it says that it lies elsewhere".into());
    }
    if !is_text(&bytes[ALGORITHM..SALT], HASH) {
        return Err(format!("its checksum is not {HASH}"));
    }
    bytes.resize(size, 0);
    read_at(medium, at + BINARY, &mut bytes[BINARY..])?;
    if bytes[CHECKSUM..CHECKSUM_END] != checksum(&bytes) {
        return Err("its checksum is another".into());
    }
    let json = text(&bytes[BINARY..])?;
    Ok(Copy { sequence: u64_at(&bytes, 16), size, json })
}

/// Returns the two copies of a new header, one after the other. The text is short and comes from capc, so it always fits.
pub fn encode(json: &[u8], uuid: &str, salts: [[u8; 64]; 2]) -> Vec<u8> {
    let [first, second] = salts;
    [one(json, uuid, &first, &FIRST_MAGIC, 0), one(json, uuid, &second, &SECOND_MAGIC, SIZE)].concat()
}

fn one(json: &[u8], uuid: &str, salt: &[u8; 64], magic: &[u8; 6], at: usize) -> Vec<u8> {
    let mut bytes = vec![0; SIZE];
    bytes[..6].copy_from_slice(magic);
    bytes[6..8].copy_from_slice(&VERSION.to_be_bytes());
    bytes[8..16].copy_from_slice(&(SIZE as u64).to_be_bytes());
    bytes[16..LABEL].copy_from_slice(&1u64.to_be_bytes());
    bytes[ALGORITHM..ALGORITHM + HASH.len()].copy_from_slice(HASH.as_bytes());
    bytes[SALT..UUID].copy_from_slice(salt);
    bytes[UUID..SUBSYSTEM][..uuid.len()].copy_from_slice(uuid.as_bytes());
    bytes[OFFSET..OFFSET + 8].copy_from_slice(&(at as u64).to_be_bytes());
    bytes[BINARY..BINARY + json.len()].copy_from_slice(json);
    let checksum = checksum(&bytes);
    bytes[CHECKSUM..CHECKSUM_END].copy_from_slice(&checksum);
    bytes
}

/// Increments the sequence number of a copy. Tests use this to check that the reader takes the newer copy.
#[cfg(test)]
pub fn make_newer(copy: &mut [u8]) {
    let next = u64_at(copy, 16) + 1;
    copy[16..LABEL].copy_from_slice(&next.to_be_bytes());
    let checksum = checksum(copy);
    copy[CHECKSUM..CHECKSUM_END].copy_from_slice(&checksum);
}

/// Returns the content of the checksum field: the digest of the copy with zeros in this field, and then zeros.
fn checksum(copy: &[u8]) -> [u8; CHECKSUM_END - CHECKSUM] {
    let mut summed = copy.to_vec();
    summed[CHECKSUM..CHECKSUM_END].fill(0);
    let mut field = [0; CHECKSUM_END - CHECKSUM];
    field[..32].copy_from_slice(&of_bytes(&summed));
    field
}

fn text(area: &[u8]) -> Read<Vec<u8>> {
    let end = area.iter().position(|&byte| byte == 0).ok_or("its text has no end")?;
    match area[end..].iter().all(|&byte| byte == 0) {
        true => Ok(area[..end].to_vec()),
        false => Err("bytes stand behind its text".into()),
    }
}

fn is_text(field: &[u8], wanted: &str) -> bool {
    field.starts_with(wanted.as_bytes()) && field[wanted.len()] == 0
}

fn read_at<M: Medium>(medium: &M, at: usize, buffer: &mut [u8]) -> Read<()> {
    medium.read_at(at as u64, buffer).map_err(|error| format!("it cannot be read: {error}"))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes[at..at + 8].iter().fold(0, |number, &byte| (number << 8) | u64::from(byte))
}
