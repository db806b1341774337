//! The project's own writer makes the valid disk, which `compiler/artefacts/disk/gpt.test.ts` checks with another program. The tests of
//! refusals corrupt one thing in this disk.

use super::*;
use crate::gpt::{SMALLEST_DISK, SMALLEST_LOCKED, layout, locked_layout};
use crate::chance::Chance;

const SIZE: u64 = SMALLEST_DISK;
const NAME: &str = "capos-data";
const AUDIT: &str = "capos-audit";

/// A simulated disk with a table. Only the disk's two ends are stored; the rest is zero.
struct Disk {
    size: u64,
    first: Vec<u8>,
    second: Vec<u8>,
}

impl Medium for Disk {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()> {
        buffer.fill(0);
        let second = self.size.saturating_sub(self.second.len() as u64);
        for (start, part) in [(0, &self.first), (second, &self.second)] {
            let from = offset.max(start);
            let to = (offset + buffer.len() as u64).min(start + part.len() as u64);
            if from < to {
                let bytes = &part[(from - start) as usize..(to - start) as usize];
                buffer[(from - offset) as usize..][..bytes.len()].copy_from_slice(bytes);
            }
        }
        if offset + buffer.len() as u64 <= self.size { Ok(()) } else { Err(std::io::ErrorKind::UnexpectedEof.into()) }
    }
}

fn table() -> Table {
    layout(SIZE, NAME, AUDIT, Kind::Files, [[1; 16], [2; 16], [3; 16]])
}

fn disk_of(table: &Table) -> Disk {
    let (first, second) = table.encode(SIZE);
    Disk { size: SIZE, first, second }
}

/// Returns the error for a disk whose table was changed before its checksums were computed.
fn why(spoil: impl Fn(&mut Table)) -> String {
    let mut table = table();
    spoil(&mut table);
    Table::read(&disk_of(&table)).expect_err("a spoiled table")
}

#[test]
fn a_written_table_is_read_back() {
    assert_eq!(Table::read(&disk_of(&table())), Ok(table()));
    assert!(claims(&disk_of(&table()), NAME) && claims(&disk_of(&table()), AUDIT));
    assert!(!claims(&disk_of(&table()), "capos-dat"));
}

#[test]
fn the_layout_fills_disks_of_any_size_and_keeps_both_ends_free() {
    for size in [SIZE, SIZE + 512, 64 << 20, (100 << 20) + 4096, 3 << 40] {
        let table = layout(size, NAME, AUDIT, Kind::Files, [[1; 16], [2; 16], [3; 16]]);
        let (first, second) = table.encode(size);
        assert_eq!(Table::read(&Disk { size, first, second }), Ok(table.clone()), "{size}");
        let [audit, files] = [&table.partitions[0].extent, &table.partitions[1].extent];
        assert_eq!((audit.offset, files.offset), (1 << 20, audit.offset + audit.size));
        let end = files.offset + files.size;
        assert!(files.size >= 16 << 20 && size - end >= 1 << 20 && size - end < 2 << 20, "{size}");
    }
}

#[test]
fn a_table_in_a_form_that_capc_never_writes_is_refused() {
    type Spoil<'a> = &'a dyn Fn(&mut Table);
    let facts: [(&str, Spoil<'_>); 8] = [
        ("partitions 3 and 4 overlap", &|table| table.partitions[1].extent.offset -= 4096),
        ("partition 4: it leaves the room that the disk has", &|table| table.partitions[1].extent.size = SIZE),
        ("partition 3: it leaves the room that the disk has", &|table| table.partitions[0].extent.offset = 4096),
        ("partition 4: it does not begin and end at multiples of 4096 bytes", &|table| table.partitions[1].extent.size -= 512),
        ("partitions 3 and 4 have one name", &|table| table.partitions[1].name = AUDIT.into()),
        ("partition 3: its name is not plain", &|table| table.partitions[0].name = "a b".into()),
        ("partitions 3 and 4 have one name", &|table| table.partitions[1].id = table.partitions[0].id),
        ("partition 3: it leaves the room that the disk has", &|table| table.partitions[0].extent.size = 0),
    ];
    for (said, spoil) in facts {
        assert_eq!(why(spoil), said);
    }
}

/// Returns a disk on which header and entries are changed in the same way in both copies of the table.
fn spoiled(spoil: impl Fn(&mut [u8], &mut [u8])) -> Disk {
    let mut disk = disk_of(&table());
    let (header, entries) = disk.first[512..].split_at_mut(512);
    spoil(header, entries);
    let (entries, header) = disk.second.split_at_mut(TABLE_BYTES);
    spoil(header, entries);
    disk
}

/// Writes matching checksums into the header.
fn seal(header: &mut [u8], entries: &[u8]) {
    header[88..92].copy_from_slice(&crc32(entries).to_le_bytes());
    header[16..20].fill(0);
    let sum = crc32(&header[..HEADER_BYTES]);
    header[16..20].copy_from_slice(&sum.to_le_bytes());
}

#[test]
fn two_equal_copies_with_valid_checksums_are_refused_if_any_fixed_field_has_another_value() {
    assert_eq!(Table::read(&spoiled(|header, entries| seal(header, entries))), Ok(table()), "nothing was spoiled");
    for field in [8, 12, 20, 80, 84] {
        let other = spoiled(|header, entries| {
            header[field] ^= 1;
            seal(header, entries);
        });
        assert_eq!(Table::read(&other).unwrap_err(), "the table at its start: it has another form than ours", "{field}");
    }
    let behind = spoiled(|header, entries| {
        entries[2 * ENTRY + 126] = 1;
        seal(header, entries);
    });
    assert_eq!(Table::read(&behind).unwrap_err(), "partition 3: bytes stand behind its name");
    let unsealed = Table::read(&spoiled(|_, entries| entries[2 * ENTRY + 16] ^= 1));
    assert_eq!(unsealed.unwrap_err(), "the table at its start: the checksum of its entries is another");
}

#[test]
fn a_table_is_refused_if_the_first_sector_does_not_protect_it() {
    for at in [450, 454, 462, 509, 510] {
        let mut disk = disk_of(&table());
        disk.first[at] ^= 1;
        assert_eq!(Table::read(&disk).unwrap_err(), "its first sector does not protect a partition table", "{at}");
    }
}

#[test]
fn a_disk_belongs_to_capc_if_either_copy_of_its_table_contains_the_name() {
    let blank = |at: usize, mut disk: Disk| {
        let entries = if at == 0 { &mut disk.first[1024..] } else { &mut disk.second[..TABLE_BYTES] };
        entries.fill(0);
        disk
    };
    assert!(claims(&blank(0, disk_of(&table())), NAME) && claims(&blank(1, disk_of(&table())), NAME));
    assert!(!claims(&blank(0, blank(1, disk_of(&table()))), NAME));
}

#[test]
fn a_partition_of_an_unknown_type_is_skipped() {
    let mut other = table();
    other.partitions[0].kind = None;
    assert_eq!(Table::read(&disk_of(&other)).unwrap().named(AUDIT), None);
}

#[test]
fn both_copies_of_the_table_must_exist_and_agree() {
    let mut disk = disk_of(&table());
    disk.second = table().encode(SIZE).1.iter().map(|_| 0).collect();
    assert_eq!(Table::read(&disk).unwrap_err(), "the table at its end: there is none");
    let mut disk = disk_of(&table());
    disk.first[512..1024].fill(0);
    assert_eq!(Table::read(&disk).unwrap_err(), "the table at its start: there is none");
    assert!(claims(&disk, NAME), "it is ours all the same");
    let mut other = table();
    other.partitions[1].id = [4; 16];
    let disk = Disk { second: other.encode(SIZE).1, ..disk_of(&table()) };
    assert_eq!(Table::read(&disk).unwrap_err(), "the tables at its start and its end differ");
    let other = Table { disk: [9; 16], ..table() };
    let disk = Disk { second: other.encode(SIZE).1, ..disk_of(&table()) };
    assert_eq!(Table::read(&disk).unwrap_err(), "the tables at its start and its end differ");
}

#[test]
fn a_disk_is_refused_if_its_size_differs_from_the_size_in_its_table() {
    let whole = disk_of(&table());
    let larger = Disk { size: SIZE + 512, first: whole.first.clone(), second: [vec![0; 512], whole.second.clone()].concat() };
    assert!(Table::read(&larger).unwrap_err().contains("not the table of a disk of this size"));
    assert!(Table::read(&Disk { size: 1024, first: vec![0; 1024], second: Vec::new() }).is_err());
}

#[test]
fn an_encrypted_disk_has_one_partition_with_room_for_the_smallest_disk() {
    let made = locked_layout(SMALLEST_LOCKED, NAME, [[1; 16], [2; 16]]);
    let (first, second) = made.encode(SMALLEST_LOCKED);
    let read = Table::read(&Disk { size: SMALLEST_LOCKED, first, second }).unwrap();
    assert_eq!(read, made);
    let [partition] = &read.partitions[..] else { panic!("{read:?}") };
    assert_eq!((partition.kind, partition.extent.size), (Some(Kind::Encrypted), SMALLEST_DISK + crate::luks::DATA_AT));
}

#[test]
fn any_changed_bit_of_header_or_entries_is_detected() {
    let whole = disk_of(&table());
    let used = |table: &[u8]| (0..table.len()).filter(|&at| table[at] != 0).collect::<Vec<_>>();
    for at in used(&whole.first).into_iter().filter(|&at| at >= 512) {
        let mut first = whole.first.clone();
        first[at] ^= 1;
        assert!(Table::read(&Disk { first, ..disk_of(&table()) }).is_err(), "{at}");
    }
    for at in used(&whole.second) {
        let mut second = whole.second.clone();
        second[at] ^= 0x80;
        assert!(Table::read(&Disk { second, ..disk_of(&table()) }).is_err(), "{at}");
    }
}

#[test]
fn a_changed_disk_never_crashes_the_reader_and_is_never_read_as_another_table() {
    for seed in 0..1000 {
        let mut chance = Chance::new(seed);
        let whole = disk_of(&table());
        let disk = Disk { first: chance.spoil(&whole.first), second: chance.spoil(&whole.second), ..whole };
        if let Ok(read) = Table::read(&disk) {
            assert_eq!(read, table(), "seed {seed}");
        }
    }
}
