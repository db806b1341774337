//! Defines paths in init's own root, which no other process sees.

pub const ROOT: &str = "/root";
pub const JAIL: &str = "/jail";
pub const DEVICES: &str = "/devices";
pub const DISK: &str = "/disk";
pub const CGROUPS: &str = "/sys/fs/cgroup";
