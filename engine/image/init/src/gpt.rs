//! The partition table of the data disk (GPT), read with distrust and written in one form. Init judges it and maps what it
//! names by itself: what the kernel makes of the same bytes is never asked.
//!
//! It refuses what our writer never makes: sectors other than 512 bytes, entries of another number or size, a copy at the
//! disk's end that is missing or says something else, partitions that overlap, leave the usable room or share a name.
//! A length that the disk gives never decides how much is allocated.

mod layout;
mod table;

pub use layout::{SMALLEST_DISK, SMALLEST_LOCKED, layout, locked_layout};
pub use table::{Guid, Kind, Partition, SECTOR, Table, claims};
