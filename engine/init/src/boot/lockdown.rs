//! What the kernel must no longer do for anyone, init included, once everything is mounted.

use crate::refusal::{About as _, Checked};
use std::fs;

const SETTINGS: &[(&str, &str)] = &[
    ("kernel/modules_disabled", "1"),       // no code enters the kernel after this
    ("kernel/kexec_load_disabled", "1"),    // no other kernel is started in its place
    ("kernel/sysrq", "0"),                  // a serial line's break is no command
    ("kernel/dmesg_restrict", "1"),         // the kernel's log names addresses
    ("kernel/kptr_restrict", "2"),
    ("kernel/perf_event_paranoid", "3"),
    ("kernel/unprivileged_bpf_disabled", "1"),
    ("kernel/yama/ptrace_scope", "3"),      // nobody traces anybody, for good
    ("user/max_user_namespaces", "0"),      // no process makes itself a root of its own
    ("vm/unprivileged_userfaultfd", "0"),
];

/// Every setting must take: a kernel without one of them is not the kernel that this was written for.
pub fn lock_down() -> Checked<()> {
    for (name, value) in SETTINGS {
        fs::write(format!("/proc/sys/{name}"), value).about(name)?;
    }
    Ok(())
}
