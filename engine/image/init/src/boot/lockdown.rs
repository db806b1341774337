//! Locks the kernel down for everyone, including init, after everything is mounted. This module also checks that the kernel
//! has the features on which the jails depend. A kernel that lacks such a feature is not the intended kernel.

use super::places::CGROUPS;
use crate::jail::landlock;
use crate::refusal::{About as _, Checked, refuse};
use crate::sys::{mount, unmount};
use libc::{MS_NODEV, MS_NOEXEC, MS_NOSUID};
use std::fs;

const SETTINGS: &[(&str, &str)] = &[
    ("kernel/modules_disabled", "1"),       // no code enters the kernel after this
    ("kernel/kexec_load_disabled", "1"),    // no other kernel can replace it
    ("kernel/sysrq", "0"),                  // a break on the serial line is not a command
    ("kernel/dmesg_restrict", "1"),         // the kernel's log contains addresses
    ("kernel/kptr_restrict", "2"),
    ("kernel/perf_event_paranoid", "3"),
    ("kernel/unprivileged_bpf_disabled", "1"),
    ("kernel/yama/ptrace_scope", "3"),      // no process traces another, permanently
    ("user/max_user_namespaces", "0"),      // no process makes its own user namespace
    ("vm/mmap_min_addr", "65536"),          // no process maps memory at the address from which exec reads its path
    ("vm/unprivileged_userfaultfd", "0"),
];

const SECURITY: &str = "/sys/kernel/security";
const CONTROLLERS: [&str; 2] = ["memory", "pids"];
/// Actions that the jails' filters of system calls need; all kernels with such filters support them.
const ANSWERS: [&str; 2] = ["errno", "kill_process"];

pub fn lock_down() -> Checked<()> {
    for (name, value) in SETTINGS {
        fs::write(format!("/proc/sys/{name}"), value).about(name)?;
    }
    keep_integrity()?;
    require_jails()
}

/// Prevents even root from changing the running kernel. The lockdown is irreversible; under Secure Boot the kernel has
/// already locked itself down.
fn keep_integrity() -> Checked<()> {
    const WHAT: &str = "the kernel's lockdown";
    mount("security", SECURITY, "securityfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "").about(WHAT)?;
    let path = format!("{SECURITY}/lockdown");
    let before = fs::read_to_string(&path).about(WHAT)?;
    if !keeps_integrity(&before) {
        fs::write(&path, "integrity").about(WHAT)?;
    }
    let after = fs::read_to_string(&path).about(WHAT)?;
    unmount(SECURITY, 0).about(WHAT)?;
    if keeps_integrity(&after) { Ok(()) } else { refuse(WHAT, "it did not take effect") }
}

/// Returns whether the active level is at least `integrity`; in `none [integrity] confidentiality`, the active level is in brackets.
fn keeps_integrity(levels: &str) -> bool {
    levels.contains("[integrity]") || levels.contains("[confidentiality]")
}

fn require_jails() -> Checked<()> {
    let answers = fs::read_to_string("/proc/sys/kernel/seccomp/actions_avail").unwrap_or_default();
    require("seccomp", &ANSWERS, &answers)?;
    let controllers = fs::read_to_string(format!("{CGROUPS}/cgroup.controllers")).unwrap_or_default();
    require("control groups", &CONTROLLERS, &controllers)?;
    match landlock::version() {
        Ok(found) if found >= landlock::LEAST_VERSION => Ok(()),
        Ok(found) => refuse("Landlock", format!("this kernel has version {found}, and the jails need {}", landlock::LEAST_VERSION)),
        Err(error) => refuse("Landlock", format!("this kernel has none: {error}")),
    }
}

fn require(what: &str, needed: &[&str], found: &str) -> Checked<()> {
    let found: Vec<&str> = found.split_ascii_whitespace().collect();
    match needed.iter().find(|word| !found.contains(word)) {
        None => Ok(()),
        Some(missing) => refuse(what, format!("this kernel has no '{missing}', and the jails need it")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_kernel_feature_is_refused_by_its_name() {
        assert_eq!(require("control groups", &CONTROLLERS, "cpuset cpu io memory pids\n"), Ok(()));
        let refused = require("control groups", &CONTROLLERS, "cpu memoryless pids\n").unwrap_err().to_string();
        assert_eq!(refused, "refused: control groups — this kernel has no 'memory', and the jails need it");
        assert!(require("seccomp", &ANSWERS, "").is_err());
    }

    #[test]
    fn the_lockdown_level_in_brackets_counts_as_the_active_one() {
        assert!(keeps_integrity("none [integrity] confidentiality\n") && keeps_integrity("none integrity [confidentiality]\n"));
        assert!(!keeps_integrity("[none] integrity confidentiality\n") && !keeps_integrity(""));
    }
}
