//! Determines how the machine was started. The start is *sealed* if the firmware starts only signed programs, and one
//! program contains kernel, initrd and command line. Every other start is *media-trusted*.
//!
//! If another program started first, that program can forge the firmware's variables. The variables are reliable for
//! an owner whose firmware trusts only the owner's key, because such firmware starts no other program.

use crate::sys::{mount, unmount};
use libc::{MS_NODEV, MS_NOEXEC, MS_NOSUID, MS_RDONLY};
use std::fs;
use std::io;
use std::path::Path;

const VARIABLES: &str = "/sys/firmware/efi/efivars";

/// GUID of UEFI's own variables; `OF_LOADERS` is that of the variables that the boot loader specification defines.
const OF_UEFI: &str = "8be4df61-93ca-11d2-aa0d-00e098032b8c";
const OF_LOADERS: &str = "4a67b082-0a4c-41cf-b6c7-440b29bb8c4f";
/// Bytes of attributes that precede the value of a variable.
const ATTRIBUTES: usize = 4;

/// How this machine was started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    Sealed,
    Media { because: &'static str },
}

/// Returns how the machine was started, from the firmware's variables. Without UEFI there are none.
pub fn start() -> io::Result<Start> {
    if !Path::new("/sys/firmware/efi").exists() {
        return Ok(Start::Media { because: "it was started by BIOS" });
    }
    mount("efivarfs", VARIABLES, "efivarfs", MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, "")?;
    let start = judge(&|name| fs::read(format!("{VARIABLES}/{name}")).ok());
    unmount(VARIABLES, 0)?;
    Ok(start)
}

fn judge(variable: &dyn Fn(&str) -> Option<Vec<u8>>) -> Start {
    let flag = |name: &str| variable(&format!("{name}-{OF_UEFI}")).and_then(|bytes| bytes.get(ATTRIBUTES).copied());
    // The EFI stub sets `StubInfo`: it is one program with kernel, initrd and command line, and is signed together with them.
    let by_stub = variable(&format!("StubInfo-{OF_LOADERS}")).is_some();
    match (flag("SecureBoot"), flag("SetupMode"), by_stub) {
        (Some(1), Some(0), true) => Start::Sealed,
        (Some(1), Some(0), false) => Start::Media { because: "kernel and initrd were not started as one signed program" },
        (Some(1), _, _) => Start::Media { because: "its firmware is in setup mode: any key can be put into it" },
        _ => Start::Media { because: "Secure Boot is off" },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn judged(variables: &[(&str, &[u8])]) -> Start {
        let variables: HashMap<String, Vec<u8>> = variables
            .iter()
            .map(|(name, value)| {
                let owner = if *name == "StubInfo" { OF_LOADERS } else { OF_UEFI };
                (format!("{name}-{owner}"), [&[6, 0, 0, 0], *value].concat())
            })
            .collect();
        judge(&|name| variables.get(name).cloned())
    }

    #[test]
    fn a_sealed_start_needs_secure_boot_outside_of_setup_mode_and_the_variable_of_the_stub() {
        let all: [(&str, &[u8]); 3] = [("SecureBoot", &[1]), ("SetupMode", &[0]), ("StubInfo", b"stub")];
        assert_eq!(judged(&all), Start::Sealed);
        for left_out in 0..3 {
            let others: Vec<_> = (0..3).filter(|&index| index != left_out).map(|index| all[index]).collect();
            assert_ne!(judged(&others), Start::Sealed, "{left_out}");
        }
        for (place, value) in [(0, &[0u8]), (0, &[2]), (1, &[1]), (1, &[255])] {
            let mut spoiled = all;
            spoiled[place].1 = value;
            assert_ne!(judged(&spoiled), Start::Sealed, "{place} {value:?}");
        }
        assert_eq!(judged(&[]), Start::Media { because: "Secure Boot is off" });
    }

    #[test]
    fn a_truncated_variable_counts_as_absent() {
        let judged = judge(&|name| name.starts_with("SecureBoot").then(|| vec![6, 0, 0, 0]));
        assert_eq!(judged, Start::Media { because: "Secure Boot is off" });
    }
}
