//! Reads ISO 9660 images as untrusted input. The kernel's own driver never reads the medium, because its parser would run
//! before the signature is checked.
//!
//! The reader refuses all forms that capc never writes: a file in several extents, an extent outside the medium, and a directory above
//! 64 KiB. The reader also refuses a path deeper than 4 folders, and numbers whose little-endian and big-endian forms differ. Names come
//! from the Joliet tree, because plain ISO 9660 cannot express `manifest.bin.sig`. The reader never allocates by an unchecked length.

use std::io;

pub const SECTOR: u64 = 2048;
const FIRST_DESCRIPTOR: u64 = 16;
const MOST_DESCRIPTORS: u64 = 16;
const MOST_DIRECTORY_BYTES: u64 = 64 * 1024;
const MOST_DEPTH: usize = 4;
const JOLIET_LEVELS: [&[u8]; 3] = [b"%/@", b"%/C", b"%/E"];

/// A medium with a known size in bytes, which can be read at any offset.
pub trait Medium {
    fn size(&self) -> u64;
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()>;
}

/// Place of a file: one contiguous range of bytes inside the medium.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    pub offset: u64,
    pub size: u64,
}

type Read<T> = Result<T, String>;

pub struct Iso<'m, M: Medium> {
    medium: &'m M,
    root: Extent,
}

/// Returns whether the medium begins like an ISO 9660 image with this volume name.
pub fn has_volume_name<M: Medium>(medium: &M, name: &str) -> bool {
    let mut sector = [0u8; SECTOR as usize];
    medium.read_at(FIRST_DESCRIPTOR * SECTOR, &mut sector).is_ok()
        && sector[0] == 1
        && &sector[1..6] == b"CD001"
        && trim_spaces(&sector[40..72]) == name.as_bytes()
}

impl<'m, M: Medium> Iso<'m, M> {
    pub fn open(medium: &'m M) -> Read<Self> {
        let mut sector = [0u8; SECTOR as usize];
        for index in FIRST_DESCRIPTOR..FIRST_DESCRIPTOR + MOST_DESCRIPTORS {
            medium.read_at(index * SECTOR, &mut sector).map_err(|error| format!("cannot be read: {error}"))?;
            if &sector[1..6] != b"CD001" || sector[0] == 255 {
                break;
            }
            if sector[0] == 2 && JOLIET_LEVELS.contains(&&sector[88..91]) {
                if both_u16(&sector[128..132])? as u64 != SECTOR {
                    return Err("its blocks are not 2048 bytes".into());
                }
                let record = Record::read(&sector[156..190], medium.size())?;
                return match record.is_directory {
                    true => Ok(Self { medium, root: record.extent }),
                    false => Err("its root is not a directory".into()),
                };
            }
        }
        Err("no Joliet tree".into())
    }

    /// Finds a file by its absolute, case-sensitive path.
    pub fn find(&self, path: &str) -> Read<Extent> {
        let names: Vec<&str> = path.strip_prefix('/').ok_or("not an absolute path")?.split('/').collect();
        let (file, folders) = names.split_last().ok_or("not a path")?;
        if folders.len() > MOST_DEPTH {
            return Err("too deep".into());
        }
        let mut directory = self.root;
        for folder in folders {
            directory = self.entry(directory, folder, true)?;
        }
        self.entry(directory, file, false)
    }

    /// Reads a whole file of at most `most` bytes.
    pub fn read(&self, path: &str, most: u64) -> Read<Vec<u8>> {
        let extent = self.find(path)?;
        if extent.size > most {
            return Err(format!("{} bytes, above the limit of {most}", extent.size));
        }
        self.bytes(extent)
    }

    fn bytes(&self, extent: Extent) -> Read<Vec<u8>> {
        let mut bytes = vec![0u8; extent.size as usize];
        self.medium.read_at(extent.offset, &mut bytes).map_err(|error| format!("cannot be read: {error}"))?;
        Ok(bytes)
    }

    fn entry(&self, directory: Extent, name: &str, is_directory: bool) -> Read<Extent> {
        if directory.size > MOST_DIRECTORY_BYTES {
            return Err("a directory above 64 KiB".into());
        }
        let wanted: Vec<u8> = name.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let bytes = self.bytes(directory)?;
        let mut at = 0;
        while at < bytes.len() {
            let length = bytes[at] as usize;
            if length == 0 {
                at = (at / SECTOR as usize + 1) * SECTOR as usize; // records do not cross sectors
                continue;
            }
            let record = bytes.get(at..at + length).ok_or("a directory record crosses its end")?;
            let found = record.get(32).and_then(|&size| record.get(33..33 + size as usize));
            if found.ok_or("a directory record is cut short")? == wanted {
                let record = Record::read(record, self.medium.size())?;
                return match record.is_directory == is_directory {
                    true => Ok(record.extent),
                    false => Err(format!("{name} is of the wrong kind")),
                };
            }
            at += length;
        }
        Err(format!("no {name}"))
    }
}

struct Record {
    extent: Extent,
    is_directory: bool,
}

impl Record {
    fn read(bytes: &[u8], medium_size: u64) -> Read<Self> {
        if bytes.len() < 34 {
            return Err("a directory record is cut short".into());
        }
        let flags = bytes[25];
        if flags & !0b10 != 0 || bytes[26] != 0 || bytes[27] != 0 || bytes[1] != 0 {
            return Err("a file in several extents or of a kind that is not read".into());
        }
        let offset = both_u32(&bytes[2..10])? as u64 * SECTOR;
        let size = both_u32(&bytes[10..18])? as u64;
        if offset.checked_add(size).is_none_or(|end| end > medium_size) {
            return Err("an extent outside the medium".into());
        }
        Ok(Self { extent: Extent { offset, size }, is_directory: flags & 0b10 != 0 })
    }
}

fn both_u32(bytes: &[u8]) -> Read<u32> {
    let little = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    let big = u32::from_be_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]);
    if little == big { Ok(little) } else { Err("a number whose two spellings differ".into()) }
}

fn both_u16(bytes: &[u8]) -> Read<u16> {
    let little = u16::from_le_bytes([bytes[0], bytes[1]]);
    let big = u16::from_be_bytes([bytes[2], bytes[3]]);
    if little == big { Ok(little) } else { Err("a number whose two spellings differ".into()) }
}

fn trim_spaces(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|&b| b != b' ').map_or(0, |last| last + 1);
    &bytes[..end]
}

#[cfg(test)]
pub mod tests;
