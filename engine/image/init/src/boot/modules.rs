//! Loads the initrd's kernel modules. `/modules/first` and `/modules/second` list the modules in order, one file per line.

use crate::refusal::{About as _, Checked, refuse};
use crate::sys;
use std::fs::{self, File};
use std::os::fd::AsRawFd as _;

/// Loads the modules of a list. Skips a module for missing hardware, such as an instruction set.
pub fn load(list: &str) -> Checked<()> {
    for name in fs::read_to_string(format!("/modules/{list}")).about("the list of modules")?.lines() {
        let file = File::open(format!("/modules/{name}")).about(name)?;
        // SAFETY: the arguments are an open descriptor, an empty C string and no flags.
        let loaded = unsafe {
            sys::call(libc::SYS_finit_module, [file.as_raw_fd().into(), c"".as_ptr() as libc::c_long, 0, 0, 0])
        };
        match loaded {
            Err(error) if ![Some(libc::EEXIST), Some(libc::ENODEV)].contains(&error.raw_os_error()) => {
                return refuse(name, format!("the kernel did not take it: {error}"));
            }
            _ => {}
        }
    }
    Ok(())
}
