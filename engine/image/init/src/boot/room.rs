//! How memory and descriptors are dealt out, before there is anybody to have them.

use crate::refusal::{About as _, Checked};
use crate::sys::check;
use std::fs;
use std::io;

/// Pages of 2 MiB: a small process takes one of them for a few KiB, and the kernel keeps some tens of MiB free to make them.
const LARGE_PAGES: &str = "/sys/kernel/mm/transparent_hugepage/enabled";

/// init's own: an end of each connection, what each process says, and what is on its way to somebody. The kernel begins with
/// 1024, which a page of sixty sessions went beyond. `targets/contract/memory.ts` adds up what a page takes of it.
pub const DESCRIPTORS: u64 = 65_536;

pub fn prepare() -> Checked<()> {
    never_large(LARGE_PAGES).about("large pages")?;
    let limit = libc::rlimit { rlim_cur: DESCRIPTORS, rlim_max: DESCRIPTORS };
    // SAFETY: a whole struct.
    check(unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &limit) }).map(drop).about("init's descriptors")
}

/// A kernel without them has no such file.
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
    fn a_kernel_without_large_pages_is_well() {
        assert!(never_large("/sys/kernel/mm/no_such_thing/enabled").is_ok());
        assert!(never_large("/sys").is_err());
    }
}
