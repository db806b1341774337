//! Creates the data disk of a system at its first start, if its page says so and a disk is blank.
//!
//! Blank means that the first MiB and the last are zero. init never makes a data disk on any other disk. A
//! mark is written first, and removed last. A disk with this mark has no data, so after a power cut init
//! creates it again from the beginning. The file system is a small empty one from mke2fs
//! (`engine/image/init/file-system.ts`), which the kernel grows. So the machine does not need mke2fs.

use super::locked;
use super::settings::{AUDIT, FILE_SYSTEM_OPTIONS, FLAGS};
use crate::boot::devices::Device;
use crate::boot::places::DISK;
use crate::gpt::{self, Guid, Kind, Table};
use crate::iso::{Extent, Medium};
use crate::luks::{self, Header};
use crate::sys::{self, check, mount, unmount};
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::FileExt as _;

const MIB: usize = 1 << 20;
const BLOCK: u64 = 4096;
/// Bytes of the small file system; `BYTES` in file-system.ts is the same number.
const TEMPLATE_BYTES: u64 = 16 << 20;
static TEMPLATE: &[u8] = include_bytes!("empty.ext4");

/// A sector of the first MiB that no partition table uses.
const MARK_AT: u64 = 64 * gpt::SECTOR;
const MARK: &[u8] = b"capos: this disk is being made, and holds nothing yet\n";

/// `_IO(0x12, 127)` makes a range of a device zero; the kernel writes zeros if a disk cannot do it by itself.
const BLKZEROOUT: libc::c_ulong = 0x127f;
/// `_IOW('f', 16, __u64)` sets the number of blocks of the mounted file system.
const EXT4_IOC_RESIZE_FS: libc::c_ulong = 0x4008_6610;

/// Returns whether a data disk may be made from a disk: it is blank, or an earlier creation on it was interrupted.
pub fn is_free<M: Medium>(disk: &M, smallest: u64) -> bool {
    disk.size() >= smallest && (is_marked(disk) || is_blank(disk))
}

pub fn is_marked<M: Medium>(disk: &M) -> bool {
    let mut sector = [0; gpt::SECTOR as usize];
    disk.read_at(MARK_AT, &mut sector).is_ok() && sector == mark()
}

/// Returns whether the device is blank but too small.
pub fn is_too_small<M: Medium>(disk: &M, smallest: u64) -> bool {
    disk.size() < smallest && is_blank(disk)
}

/// Returns whether the first and the last MiB can be read and are zero; `false` if the device is smaller than 1 MiB.
fn is_blank<M: Medium>(disk: &M) -> bool {
    let mut bytes = vec![0; MIB];
    let Some(end) = disk.size().checked_sub(MIB as u64) else { return false };
    [0, end].into_iter().all(|at| disk.read_at(at, &mut bytes).is_ok() && bytes.iter().all(|&byte| byte == 0))
}

fn mark() -> [u8; gpt::SECTOR as usize] {
    let mut sector = [0; gpt::SECTOR as usize];
    sector[..MARK.len()].copy_from_slice(MARK);
    sector
}

/// Creates the data disk on the device, and returns only after all of its data has been written durably.
pub fn create(device: &Device, name: &str) -> io::Result<()> {
    let disk = writable(device)?;
    let table = gpt::layout(device.size(), name, AUDIT, Kind::Files, [guid()?, guid()?, guid()?]);
    disk.write_all_at(&mark(), MARK_AT)?;
    disk.sync_data()?;
    for partition in &table.partitions {
        match partition.kind {
            Some(Kind::Audit) => zero(&disk, partition.extent)?,
            _ => {
                zero(&disk, Extent { size: TEMPLATE_BYTES, ..partition.extent })?;
                for (at, bytes) in pieces(TEMPLATE) {
                    disk.write_all_at(bytes, partition.extent.offset + at)?;
                }
                disk.sync_data()?;
                grow(device, partition.extent)?;
            }
        }
    }
    write_table(&disk, &table, device.size())?;
    disk.write_all_at(&[0; gpt::SECTOR as usize], MARK_AT)?;
    disk.sync_data()
}

/// Makes a disk with one encrypted partition, and in it a disk like one that `create` makes. Returns the inner disk.
pub fn create_locked(device: &Device, name: &str, passphrase: &[u8]) -> io::Result<Device> {
    let disk = writable(device)?;
    let table = gpt::locked_layout(device.size(), name, [guid()?, guid()?]);
    disk.write_all_at(&mark(), MARK_AT)?;
    disk.sync_data()?;
    let extent = table.partitions[0].extent;
    let random = |bytes: &mut [u8]| sys::fill_random(bytes).map_err(|error| format!("no random bytes: {error}"));
    let Header { bytes, opened } = luks::create(extent.size, passphrase, random).map_err(io::Error::other)?;
    zero(&disk, Extent { size: luks::DATA_AT, ..extent })?;
    disk.write_all_at(&bytes, extent.offset)?;
    disk.sync_data()?;
    let inner = locked::map(&locked::partition(device, extent)?, &opened)?;
    create(&inner, name)?;
    write_table(&disk, &table, device.size())?;
    disk.write_all_at(&[0; gpt::SECTOR as usize], MARK_AT)?;
    disk.sync_data()?;
    Ok(inner)
}

fn writable(device: &Device) -> io::Result<File> {
    File::options().read(true).write(true).open(format!("/dev/{}", device.name))
}

fn write_table(disk: &File, table: &Table, size: u64) -> io::Result<()> {
    let (first, second) = table.encode(size);
    disk.write_all_at(&first, 0)?;
    disk.write_all_at(&second, size / gpt::SECTOR * gpt::SECTOR - second.len() as u64)?;
    disk.sync_data()
}

/// Mounts the small file system, lets the kernel grow it to the size of its partition, and unmounts it.
fn grow(device: &Device, extent: Extent) -> io::Result<()> {
    let mapped = device.part("new", extent)?;
    mount(&mapped.path, DISK, "ext4", FLAGS, FILE_SYSTEM_OPTIONS)?;
    let blocks = extent.size / BLOCK;
    let root = File::open(DISK)?;
    // SAFETY: the request reads one 64-bit number.
    check(unsafe { libc::ioctl(root.as_raw_fd(), EXT4_IOC_RESIZE_FS, &blocks) })?;
    root.sync_all()?;
    drop(root);
    unmount(DISK, 0)?;
    mapped.remove("new")
}

fn zero(disk: &File, extent: Extent) -> io::Result<()> {
    let range = [extent.offset, extent.size];
    // SAFETY: the request reads two 64-bit numbers.
    check(unsafe { libc::ioctl(disk.as_raw_fd(), BLKZEROOUT, &range) }).map(drop)
}

/// Returns offset and bytes of each piece of the packed file system, which is trusted. A piece begins with offset and length, 32 bits each.
fn pieces(mut packed: &[u8]) -> impl Iterator<Item = (u64, &[u8])> {
    std::iter::from_fn(move || {
        let (head, rest) = packed.split_first_chunk::<8>()?;
        let number = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let (bytes, behind) = rest.split_at_checked(number(4) as usize)?;
        packed = behind;
        Some((u64::from(number(0)), bytes))
    })
}

/// Returns a random GUID, marked according to RFC 9562; the first three numbers are little-endian.
fn guid() -> io::Result<Guid> {
    let mut bytes = sys::random()?;
    bytes[7] = bytes[7] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpt::SMALLEST_DISK;

    struct Disk(Vec<u8>);

    impl Medium for Disk {
        fn size(&self) -> u64 {
            self.0.len() as u64
        }

        fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
            let from = offset as usize;
            buffer.copy_from_slice(self.0.get(from..from + buffer.len()).ok_or(io::ErrorKind::UnexpectedEof)?);
            Ok(())
        }
    }

    #[test]
    fn a_disk_is_free_only_if_both_of_its_ends_are_zero() {
        let blank = || Disk(vec![0; SMALLEST_DISK as usize]);
        assert!(is_free(&blank(), SMALLEST_DISK));
        let end = SMALLEST_DISK as usize;
        for at in [0, 511, MARK_AT as usize, MIB - 1, end - MIB, end - 1] {
            let mut disk = blank();
            disk.0[at] = 1;
            assert!(!is_free(&disk, SMALLEST_DISK), "{at}");
        }
        assert!(!is_free(&Disk(vec![0; end - 1]), SMALLEST_DISK), "too small");
    }

    #[test]
    fn a_blank_disk_that_is_too_small_is_not_mistaken_for_a_foreign_one() {
        let small = |byte: u8, size: usize| is_too_small(&Disk(vec![byte; size]), SMALLEST_DISK);
        assert!(small(0, MIB) && small(0, SMALLEST_DISK as usize - 512));
        assert!(!small(0, SMALLEST_DISK as usize) && !small(0, MIB - 1) && !small(0, 0));
        assert!(!small(7, MIB));
    }

    #[test]
    fn an_interrupted_creation_is_repeated_if_the_mark_is_complete_and_otherwise_the_disk_is_not_used() {
        let mut disk = Disk(vec![7; SMALLEST_DISK as usize]);
        let at = MARK_AT as usize;
        disk.0[at..at + 512].copy_from_slice(&mark());
        assert!(is_free(&disk, SMALLEST_DISK) && is_marked(&disk));
        disk.0[at + 511] = 7;
        assert!(!is_free(&disk, SMALLEST_DISK));
    }

    #[test]
    fn the_partition_table_of_a_new_disk_does_not_overwrite_the_mark() {
        let table = gpt::layout(SMALLEST_DISK, "capos-data", AUDIT, Kind::Files, [[1; 16], [2; 16], [3; 16]]);
        assert!(table.encode(SMALLEST_DISK).0.len() as u64 <= MARK_AT);
        assert!(table.partitions.iter().all(|partition| partition.extent.offset > MARK_AT));
    }

    #[test]
    fn the_pieces_of_the_file_system_are_in_order_and_use_every_byte() {
        let mut end = 0;
        let mut read = 0;
        for (at, bytes) in pieces(TEMPLATE) {
            assert!(at >= end && !bytes.is_empty());
            end = at + bytes.len() as u64;
            read += 8 + bytes.len();
        }
        assert!(end <= TEMPLATE_BYTES && read == TEMPLATE.len());
    }

    #[test]
    fn each_identifier_is_a_new_random_uuid() {
        let (one, other) = (guid().unwrap(), guid().unwrap());
        assert!(one != other && one[7] >> 4 == 4 && one[8] >> 6 == 2);
    }
}
