//! Checks each process after its program has started: the kernel must report the restrictions
//! that the jail should ensure. Otherwise, an ineffective step of the jail would not be noticed.

use std::fs;
use std::io;

/// Checks user id, capabilities and filter of system calls in `status`, the content of `/proc/PID/status`. The error names the first
/// unexpected value. A process that has already ended passes the check, because it cannot act any more.
pub fn is_closed(status: &str, uid: u32) -> Result<(), String> {
    if field(status, "State").is_some_and(|state| state.starts_with(['Z', 'X'])) {
        return Ok(());
    }
    let user = [uid.to_string(), uid.to_string(), uid.to_string(), uid.to_string()].join(" ");
    let none = "0000000000000000";
    let demands = [
        ("Uid", user.as_str()),
        ("Gid", user.as_str()),
        ("Groups", ""),
        ("CapInh", none),
        ("CapPrm", none),
        ("CapEff", none),
        ("CapBnd", none),
        ("CapAmb", none),
        ("NoNewPrivs", "1"),
        ("Seccomp", "2"), // a filter is active
        ("Seccomp_filters", "1"),
    ];
    for (name, demanded) in demands {
        let found = field(status, name).ok_or_else(|| format!("the kernel does not tell its {name}"))?;
        if found != demanded {
            return Err(format!("its {name} is '{found}', not '{demanded}'"));
        }
    }
    Ok(())
}

/// Fails if the process's `oom_score_adj` is not the one of its role, or cannot be read.
pub fn is_ranked(pid: libc::pid_t, score: i64) -> Result<(), String> {
    match fs::read_to_string(format!("/proc/{pid}/oom_score_adj")) {
        Ok(found) if found.trim() == score.to_string() => Ok(()),
        Ok(found) => Err(format!("its oom_score_adj is '{}', not '{score}'", found.trim())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()), // it has ended
        Err(error) => Err(format!("oom_score_adj: {error}")),
    }
}

/// Namespaces that a process must not share with init.
const NAMESPACES: [&str; 6] = ["cgroup", "ipc", "mnt", "net", "pid", "uts"];

/// Fails if a process shares a namespace with init, or if this cannot be determined; the error names the namespace.
pub fn is_apart(pid: libc::pid_t) -> Result<(), String> {
    for name in NAMESPACES {
        let of = |who: &str| fs::read_link(format!("/proc/{who}/ns/{name}"));
        let own = of("self").map_err(|error| format!("{name}: {error}"))?;
        match of(&pid.to_string()) {
            Ok(other) if other == own => return Err(format!("its {name} namespace is init's")),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()), // it has ended, and has none any more
            Err(error) => return Err(format!("{name}: {error}")),
        }
    }
    Ok(())
}

/// Returns the words of the line with this name, with one space between them.
fn field(status: &str, name: &str) -> Option<String> {
    let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    Some(line.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATUS: &str = "Name:\tnode\nUid:\t1003\t1003\t1003\t1003\nGid:\t1003\t1003\t1003\t1003\nFDSize:\t64\nGroups:\t \n\
        NSpid:\t90\t1\nCapInh:\t0000000000000000\nCapPrm:\t0000000000000000\nCapEff:\t0000000000000000\n\
        CapBnd:\t0000000000000000\nCapAmb:\t0000000000000000\nNoNewPrivs:\t1\nSeccomp:\t2\nSeccomp_filters:\t1\n";

    #[test]
    fn a_complete_jail_is_recognized() {
        assert_eq!(is_closed(STATUS, 1003), Ok(()));
    }

    #[test]
    fn an_ended_process_passes_the_check() {
        for (state, ended) in [("R (running)", false), ("Z (zombie)", true), ("X (dead)", true)] {
            let status = format!("Name:\tnode\nState:\t{state}\nUid:\t0\t0\t0\t0\n");
            assert_eq!(is_closed(&status, 1003).is_ok(), ended, "{state}");
        }
    }

    #[test]
    fn the_error_names_each_missing_restriction() {
        for (from, to, what) in [
            ("Uid:\t1003\t1003\t1003", "Uid:\t1003\t0\t1003", "Uid"),
            ("Gid:\t1003", "Gid:\t0", "Gid"),
            ("Groups:\t ", "Groups:\t0 ", "Groups"),
            ("CapInh:\t0000000000000000", "CapInh:\t0000000000000001", "CapInh"),
            ("CapPrm:\t0", "CapPrm:\t1", "CapPrm"),
            ("CapEff:\t0", "CapEff:\t1", "CapEff"),
            ("CapBnd:\t0000000000000000", "CapBnd:\t000001ffffffffff", "CapBnd"),
            ("CapAmb:\t0", "CapAmb:\t2", "CapAmb"),
            ("NoNewPrivs:\t1", "NoNewPrivs:\t0", "NoNewPrivs"),
            ("NoNewPrivs:\t1\n", "", "NoNewPrivs"),
            ("Seccomp:\t2", "Seccomp:\t0", "Seccomp"),
            ("Seccomp_filters:\t1", "Seccomp_filters:\t2", "Seccomp_filters"),
        ] {
            let open = STATUS.replace(from, to);
            assert_ne!(open, STATUS);
            assert!(is_closed(&open, 1003).unwrap_err().contains(what), "{what}");
        }
        assert!(is_closed(STATUS, 1004).is_err() && is_closed("", 1003).is_err());
    }

    #[test]
    fn a_namespace_shared_with_init_is_detected() {
        let pid = std::process::id() as libc::pid_t;
        assert_eq!(is_apart(pid), Err("its cgroup namespace is init's".into()));
        assert_eq!(is_apart(-1), Ok(()));
    }

    #[test]
    fn an_oom_score_other_than_the_planned_one_is_detected() {
        let pid = std::process::id() as libc::pid_t;
        let own: i64 = fs::read_to_string("/proc/self/oom_score_adj").unwrap().trim().parse().unwrap();
        assert_eq!((is_ranked(pid, own), is_ranked(-1, own)), (Ok(()), Ok(())));
        assert_eq!(is_ranked(pid, own + 1), Err(format!("its oom_score_adj is '{own}', not '{}'", own + 1)));
    }

    #[test]
    fn the_status_of_this_process_contains_every_field() {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let names = ["State", "Uid", "Gid", "Groups", "CapBnd", "NoNewPrivs", "Seccomp", "Seccomp_filters"];
        assert!(names.iter().all(|name| field(&status, name).is_some()));
    }
}
