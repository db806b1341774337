//! Reads, validates and encodes a table.

use crate::iso::{Extent, Medium};
use crate::names::is_plain;

pub const SECTOR: u64 = 512;
const ENTRIES: usize = 128;
const ENTRY: usize = 128;
const TABLE_BYTES: usize = ENTRIES * ENTRY;
const TABLE_SECTORS: u64 = TABLE_BYTES as u64 / SECTOR;
const HEADER_BYTES: usize = 92;
const REVISION: u32 = 0x0001_0000;
/// Number of sectors before the first usable one: protective MBR, header, entries.
const FIRST_USABLE: u64 = 2 + TABLE_SECTORS;
/// Every partition begins at a multiple of this number, which is the block size of a file system. Another offset would be slow, and capc never uses one.
const ALIGNMENT: u64 = 4096;
/// Maximum length of a partition's name, in 16-bit units.
const MOST_NAME: usize = 36;

pub type Guid = [u8; 16];

/// Content of a partition, by its type. `KINDS` contains the types' bytes as on the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Linux file system, 0FC63DAF-8483-4772-8E79-3D69D8477DE4.
    Files,
    /// LUKS, CA7D7CCB-63ED-4C53-861C-1742536059CC.
    Encrypted,
    /// capc's own type, for blocks of the audit: 9DAAB195-25A0-491C-8347-84DBC2222882.
    Audit,
}

const KINDS: [(Kind, Guid); 3] = [
    (Kind::Files, [0xaf, 0x3d, 0xc6, 0x0f, 0x83, 0x84, 0x72, 0x47, 0x8e, 0x79, 0x3d, 0x69, 0xd8, 0x47, 0x7d, 0xe4]),
    (Kind::Encrypted, [0xcb, 0x7c, 0x7d, 0xca, 0xed, 0x63, 0x53, 0x4c, 0x86, 0x1c, 0x17, 0x42, 0x53, 0x60, 0x59, 0xcc]),
    (Kind::Audit, [0x95, 0xb1, 0xaa, 0x9d, 0xa0, 0x25, 0x1c, 0x49, 0x83, 0x47, 0x84, 0xdb, 0xc2, 0x22, 0x28, 0x82]),
];

impl Kind {
    fn guid(self) -> Guid {
        KINDS.iter().find(|(kind, _)| *kind == self).map_or([0; 16], |(_, guid)| *guid)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partition {
    /// Position in the table, counted from 1.
    pub number: usize,
    /// Kind of the partition; `None` for any other type.
    pub kind: Option<Kind>,
    pub id: Guid,
    pub name: String,
    pub extent: Extent,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    pub disk: Guid,
    pub partitions: Vec<Partition>,
}

type Read<T> = Result<T, String>;

impl Table {
    /// Reads and validates both copies, which must agree.
    pub fn read<M: Medium>(medium: &M) -> Read<Self> {
        let sectors = medium.size() / SECTOR;
        if sectors < FIRST_USABLE + TABLE_SECTORS + 1 {
            return Err("the disk is too small for a partition table".into());
        }
        judge_protection(&sector(medium, 0)?)?;
        let first = Header::read(medium, 1, sectors).map_err(|why| format!("the table at its start: {why}"))?;
        let second = Header::read(medium, sectors - 1, sectors).map_err(|why| format!("the table at its end: {why}"))?;
        if first.disk != second.disk || first.entries != second.entries {
            return Err("the tables at its start and its end differ".into());
        }
        let partitions = partitions(&first.entries, sectors)?;
        Ok(Self { disk: first.disk, partitions })
    }

    pub fn named(&self, name: &str) -> Option<&Partition> {
        self.partitions.iter().find(|partition| partition.name == name)
    }

    /// Returns the first 34 sectors of a disk of this size, and its last 33.
    pub fn encode(&self, size: u64) -> (Vec<u8>, Vec<u8>) {
        let last = size / SECTOR - 1;
        let mut entries = vec![0; TABLE_BYTES];
        for partition in &self.partitions {
            let at = (partition.number - 1) * ENTRY;
            entries[at..at + ENTRY].copy_from_slice(&entry_of(partition));
        }
        let first = [protection(last), header(self.disk, 1, last, &entries), entries.clone()].concat();
        let second = [entries.clone(), header(self.disk, last, last, &entries)].concat();
        (first, second)
    }
}

/// Returns whether either copy of a table, even a malformed one, has an entry of this name. So a damaged disk of capc does not count as a
/// foreign disk.
pub fn claims<M: Medium>(medium: &M, name: &str) -> bool {
    let sectors = medium.size() / SECTOR;
    if sectors < FIRST_USABLE + TABLE_SECTORS + 1 {
        return false;
    }
    let wanted = name_bytes(name);
    [2, sectors - 1 - TABLE_SECTORS].into_iter().any(|at| {
        let mut entries = vec![0; TABLE_BYTES];
        medium.read_at(at * SECTOR, &mut entries).is_ok() && entries.chunks(ENTRY).any(|entry| entry[56..] == wanted)
    })
}

struct Header {
    disk: Guid,
    entries: Vec<u8>,
}

impl Header {
    fn read<M: Medium>(medium: &M, own: u64, sectors: u64) -> Read<Self> {
        let bytes = sector(medium, own)?;
        if &bytes[..8] != b"EFI PART" {
            return Err("there is none".into());
        }
        let mut summed = bytes[..HEADER_BYTES].to_vec();
        summed[16..20].fill(0);
        if crc32(&summed) != u32_at(&bytes, 16) {
            return Err("the checksum of its header is another".into());
        }
        let form = [u32_at(&bytes, 8), u32_at(&bytes, 12), u32_at(&bytes, 80), u32_at(&bytes, 84)];
        if form != [REVISION, HEADER_BYTES as u32, ENTRIES as u32, ENTRY as u32] || bytes[20..24] != [0; 4] {
            return Err("it has another form than ours".into());
        }
        let places = places(own, sectors - 1);
        if places.iter().any(|&(place, number)| u64_at(&bytes, place) != number) {
            return Err("it is not the table of a disk of this size".into());
        }
        let [.., (_, at)] = places;
        let mut entries = vec![0; TABLE_BYTES];
        medium.read_at(at * SECTOR, &mut entries).map_err(|error| format!("cannot be read: {error}"))?;
        match crc32(&entries) == u32_at(&bytes, 88) {
            true => Ok(Self { disk: guid_at(&bytes, 56), entries }),
            false => Err("the checksum of its entries is another".into()),
        }
    }
}

/// Returns pairs of an offset in a header, and the number of the sector that a valid header has there. `own` is the header's sector, `last`
/// the disk's last one. The header names itself, the other header, the first and last usable sector, and the first sector of its entries.
fn places(own: u64, last: u64) -> [(usize, u64); 5] {
    let (other, at) = if own == 1 { (last, 2) } else { (1, last - TABLE_SECTORS) };
    [(24, own), (32, other), (40, FIRST_USABLE), (48, last - TABLE_SECTORS - 1), (72, at)]
}

fn partitions(entries: &[u8], sectors: u64) -> Read<Vec<Partition>> {
    let mut found: Vec<Partition> = Vec::new();
    for (index, entry) in entries.chunks(ENTRY).enumerate() {
        if entry[..16] == [0; 16] {
            continue;
        }
        let number = index + 1;
        let partition = partition(number, entry, sectors).map_err(|why| format!("partition {number}: {why}"))?;
        if let Some(other) = found.iter().find(|other| overlap(other.extent, partition.extent)) {
            return Err(format!("partitions {} and {number} overlap", other.number));
        }
        if let Some(other) = found.iter().find(|other| other.name == partition.name || other.id == partition.id) {
            return Err(format!("partitions {} and {number} have one name", other.number));
        }
        found.push(partition);
    }
    Ok(found)
}

fn partition(number: usize, entry: &[u8], sectors: u64) -> Read<Partition> {
    let (first, last) = (u64_at(entry, 32), u64_at(entry, 40));
    if first < FIRST_USABLE || last < first || last > sectors - 2 - TABLE_SECTORS {
        return Err("it leaves the room that the disk has".into());
    }
    let extent = Extent { offset: first * SECTOR, size: (last - first + 1) * SECTOR };
    if extent.offset % ALIGNMENT != 0 || extent.size % ALIGNMENT != 0 {
        return Err(format!("it does not begin and end at multiples of {ALIGNMENT} bytes"));
    }
    let units: Vec<u16> = entry[56..].chunks(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]])).collect();
    let length = units.iter().position(|&unit| unit == 0).unwrap_or(MOST_NAME);
    let name = String::from_utf16(&units[..length]).ok().filter(|name| is_plain(name)).ok_or("its name is not plain")?;
    if units[length..].iter().any(|&unit| unit != 0) {
        return Err("bytes stand behind its name".into());
    }
    let kind = KINDS.iter().find(|(_, guid)| *guid == entry[..16]).map(|(kind, _)| *kind);
    Ok(Partition { number, kind, id: guid_at(entry, 16), name, extent })
}

fn overlap(one: Extent, other: Extent) -> bool {
    one.offset < other.offset + other.size && other.offset < one.offset + one.size
}

fn entry_of(partition: &Partition) -> Vec<u8> {
    let Extent { offset, size } = partition.extent;
    let mut entry = vec![0; ENTRY];
    entry[..16].copy_from_slice(&partition.kind.map_or([0; 16], Kind::guid));
    entry[16..32].copy_from_slice(&partition.id);
    entry[32..40].copy_from_slice(&(offset / SECTOR).to_le_bytes());
    entry[40..48].copy_from_slice(&((offset + size) / SECTOR - 1).to_le_bytes());
    entry[56..].copy_from_slice(&name_bytes(&partition.name));
    entry
}

fn name_bytes(name: &str) -> [u8; MOST_NAME * 2] {
    let mut bytes = [0; MOST_NAME * 2];
    for (place, unit) in bytes.chunks_mut(2).zip(name.encode_utf16()) {
        place.copy_from_slice(&unit.to_le_bytes());
    }
    bytes
}

fn header(disk: Guid, own: u64, last: u64, entries: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0; SECTOR as usize];
    bytes[..8].copy_from_slice(b"EFI PART");
    bytes[8..12].copy_from_slice(&REVISION.to_le_bytes());
    bytes[12..16].copy_from_slice(&(HEADER_BYTES as u32).to_le_bytes());
    for (place, number) in places(own, last) {
        bytes[place..place + 8].copy_from_slice(&number.to_le_bytes());
    }
    bytes[56..72].copy_from_slice(&disk);
    for (place, number) in [(80, ENTRIES as u32), (84, ENTRY as u32), (88, crc32(entries))] {
        bytes[place..place + 4].copy_from_slice(&number.to_le_bytes());
    }
    let sum = crc32(&bytes[..HEADER_BYTES]);
    bytes[16..20].copy_from_slice(&sum.to_le_bytes());
    bytes
}

/// Returns the first sector (protective MBR), which shows programs without support for GPT that the disk is in use.
fn protection(last: u64) -> Vec<u8> {
    let mut bytes = vec![0; SECTOR as usize];
    bytes[446..454].copy_from_slice(&[0, 0, 2, 0, 0xee, 0xff, 0xff, 0xff]);
    bytes[454..458].copy_from_slice(&1u32.to_le_bytes());
    bytes[458..462].copy_from_slice(&u32::try_from(last).unwrap_or(u32::MAX).to_le_bytes());
    bytes[510..].copy_from_slice(&[0x55, 0xaa]);
    bytes
}

fn judge_protection(bytes: &[u8]) -> Read<()> {
    match bytes[450] == 0xee && u32_at(bytes, 454) == 1 && bytes[462..510] == [0; 48] && bytes[510..] == [0x55, 0xaa] {
        true => Ok(()),
        false => Err("its first sector does not protect a partition table".into()),
    }
}

fn sector<M: Medium>(medium: &M, number: u64) -> Read<Vec<u8>> {
    let mut bytes = vec![0; SECTOR as usize];
    medium.read_at(number * SECTOR, &mut bytes).map_err(|error| format!("cannot be read: {error}"))?;
    Ok(bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | (u64::from(u32_at(bytes, at + 4)) << 32)
}

fn guid_at(bytes: &[u8], at: usize) -> Guid {
    let mut guid = [0; 16];
    guid.copy_from_slice(&bytes[at..at + 16]);
    guid
}

/// Returns the CRC-32 of IEEE 802.3.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, &byte| (sum >> 8) ^ REMAINDERS[((sum ^ u32::from(byte)) & 0xff) as usize])
}

/// Remainder of the CRC for each value of a byte.
const REMAINDERS: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut sum = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            sum = (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg());
            bit += 1;
        }
        table[byte] = sum;
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests;
