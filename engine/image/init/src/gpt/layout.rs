//! Returns the layout of a new data disk. `compiler/artefacts/disk/layout.ts` defines the same layout.

use super::table::{Guid, Kind, Partition, Table};
use crate::iso::Extent;

const MIB: u64 = 1 << 20;

/// Minimum bytes of a data disk, with room for 8 MiB of audit, 22 MiB of files, and 1 MiB at each end.
pub const SMALLEST_DISK: u64 = 32 * MIB;

/// Minimum bytes of an encrypted data disk, which needs 1 MiB more at each end, and `luks::DATA_AT` for its header.
pub const SMALLEST_LOCKED: u64 = SMALLEST_DISK + 4 * MIB;

/// The audit partition gets the disk's size divided by this number. The whole audit is verified at each start, so its size is limited to `MOST_AUDIT`.
const AUDIT_SHARE: u64 = 4;
const LEAST_AUDIT: u64 = 8 * MIB;
const MOST_AUDIT: u64 = 64 * MIB;

/// Positions in the table: 1 and 2 are reserved for two systems between which updates will alternate. Readers find partitions by name.
const AUDIT_NUMBER: usize = 3;
const FILES_NUMBER: usize = 4;

/// Returns the layout of a disk. The first and the last MiB contain only the table, so a disk counts as blank if both are zero.
pub fn layout(size: u64, name: &str, audit_name: &str, files: Kind, ids: [Guid; 3]) -> Table {
    let [disk, audit_id, files_id] = ids;
    let audit = (size / AUDIT_SHARE / MIB * MIB).clamp(LEAST_AUDIT, MOST_AUDIT);
    let end = size / MIB * MIB - MIB;
    let partition = |number, kind, id, name: &str, offset, size| Partition {
        number,
        kind: Some(kind),
        id,
        name: name.into(),
        extent: Extent { offset, size },
    };
    let partitions = vec![
        partition(AUDIT_NUMBER, Kind::Audit, audit_id, audit_name, MIB, audit),
        partition(FILES_NUMBER, files, files_id, name, MIB + audit, end - MIB - audit),
    ];
    Table { disk, partitions }
}

/// Returns the table of a disk with one encrypted partition. This partition contains a disk with the table from `layout`.
pub fn locked_layout(size: u64, name: &str, ids: [Guid; 2]) -> Table {
    let [disk, id] = ids;
    let extent = Extent { offset: MIB, size: size / MIB * MIB - 2 * MIB };
    let kind = Some(Kind::Encrypted);
    Table { disk, partitions: vec![Partition { number: FILES_NUMBER, kind, id, name: name.into(), extent }] }
}
