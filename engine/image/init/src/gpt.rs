//! The partition table of the data disk (GPT), parsed as untrusted input and always written in the same form. Init validates the table
//! and maps its partitions itself, and never uses the kernel's parser for the same bytes.
//!
//! Init refuses all forms that capc never writes: sectors other than 512 bytes, entries of another number or size, and a
//! missing or different copy at the disk's end. Init also refuses partitions that overlap, leave the usable range or share a
//! name. No length on the disk decides how much memory is allocated.

mod layout;
mod table;

pub use layout::{SMALLEST_DISK, SMALLEST_LOCKED, layout, locked_layout};
pub use table::{Guid, Kind, Partition, SECTOR, Table, claims};
