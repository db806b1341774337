//! Sets limits of memory and descriptors before any process starts.

use crate::refusal::{About as _, Checked};
use crate::sys::check;
use std::fs;
use std::io;

/// Setting for pages of 2 MiB: a small process would take a whole page for a few KiB, and the kernel would reserve tens of MiB for such pages.
const LARGE_PAGES: &str = "/sys/kernel/mm/transparent_hugepage/enabled";

/// Limit of init's own descriptors, such as an end of each connection, the output of each process, and those in transfer. The kernel's
/// default is 1024, which a page of sixty sessions exceeded. `targets/contract/memory.ts` adds up the descriptors that a page needs.
pub const DESCRIPTORS: u64 = 65_536;

pub fn prepare() -> Checked<()> {
    never_large(LARGE_PAGES).about("large pages")?;
    limit_descriptors(DESCRIPTORS).about("init's descriptors")
}

/// Sets only the limit of init's descriptors. The setting for large pages stays unchanged, because it applies to the whole kernel.
fn limit_descriptors(most: u64) -> io::Result<()> {
    let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
    // SAFETY: the pointer is to a whole struct.
    check(unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &limit) }).map(drop)
}

/// Sets init's limit of descriptors on a host, where root in a container may be unable to raise it. Fails if the limit stays below `needed`.
pub fn limit_descriptors_on_host(needed: u64) -> io::Result<()> {
    let mut found = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the call fills the struct.
    check(unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &mut found) })?;
    match limit_descriptors(DESCRIPTORS) {
        Err(_) if found.rlim_max >= needed => limit_descriptors(found.rlim_max.min(DESCRIPTORS)),
        Err(error) => Err(io::Error::other(format!("{} are allowed, and the page needs {needed}: {error}", found.rlim_max))),
        Ok(()) => Ok(()),
    }
}

/// Disables large pages; a kernel without large pages has no such file.
fn never_large(path: &str) -> io::Result<()> {
    match fs::write(path, "never") {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_without_large_pages_is_accepted() {
        assert!(never_large("/sys/kernel/mm/no_such_thing/enabled").is_ok());
        assert!(never_large("/sys").is_err());
    }
}
