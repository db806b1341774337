//! How the data disk is mounted, and what its parts are called.

use libc::{MS_NOATIME, MS_NODEV, MS_NOEXEC, MS_NOSUID, MS_NOSYMFOLLOW};

/// No link on it leads anywhere, for whoever opens a file in a directory of it: each process sees its own through this mount.
pub const FLAGS: libc::c_ulong = MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_NOATIME | MS_NOSYMFOLLOW;
pub const FILE_SYSTEM_OPTIONS: &str = "errors=remount-ro";

/// Name of the audit's partition, which lies beside the partition of the files, whose name the manifest gives.
pub const AUDIT: &str = "capos-audit";
pub const THE_DISK: &str = "the data disk";
