//! Mount options of the data disk, and the names of its parts.

use libc::{MS_NOATIME, MS_NODEV, MS_NOEXEC, MS_NOSUID, MS_NOSYMFOLLOW};

/// No link on the disk is followed, whichever process opens a file: every process sees its directory through this mount.
pub const FLAGS: libc::c_ulong = MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_NOATIME | MS_NOSYMFOLLOW;
pub const FILE_SYSTEM_OPTIONS: &str = "errors=remount-ro";

/// Name of the audit partition. The manifest contains the name of the other partition, with the files.
pub const AUDIT: &str = "capos-audit";
pub const THE_DISK: &str = "the data disk";
