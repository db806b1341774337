//! Turns the forked copy of init into a process of the manifest, with its own root and descriptors, and no other access.
//! This code makes only system calls; if one fails, the child ends and reports the name of the step.

use super::plan::Plan;
use crate::boot::network::Card;
use crate::boot::places::{DEVICES, DISK, JAIL, ROOT};
use crate::jail::{OOM_SCORE, PROGRAM_PAGE, landlock, rights, seccomp};
use crate::network::card;
use crate::sys::{check, mount, unmount};
use libc::{MNT_DETACH, MS_BIND, MS_NODEV, MS_NOEXEC, MS_NOSUID, MS_RDONLY};
use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::{AsRawFd as _, RawFd};
use std::ptr;

const NAMESPACES: libc::c_int =
    libc::CLONE_NEWNS | libc::CLONE_NEWNET | libc::CLONE_NEWIPC | libc::CLONE_NEWUTS | libc::CLONE_NEWPID;

/// A number above all descriptors of a plan. All descriptors first move to this number or higher, so that none is overwritten too early.
const PARKED: RawFd = 1024;

/// Forks into new namespaces. Returns `Some((pid, pidfd))` in init, and `None` in the child. A process that takes the card
/// makes its network namespace itself, because it must first be in the namespace that has the card.
pub fn fork(takes_card: bool) -> io::Result<Option<(libc::pid_t, RawFd)>> {
    let mut pidfd: RawFd = -1;
    let namespaces = if takes_card { NAMESPACES & !libc::CLONE_NEWNET } else { NAMESPACES };
    let flags = namespaces | libc::CLONE_PIDFD | libc::SIGCHLD;
    // SAFETY: without CLONE_VM and without a separate stack the child continues in a copy, as after fork. init has
    // one thread, so no lock is held by another.
    let pid = check(unsafe { libc::syscall(libc::SYS_clone, flags, 0, &raw mut pidfd, 0, 0) })?;
    Ok((pid != 0).then_some((pid as libc::pid_t, pidfd)))
}

/// Executes the planned program in this process. Returns only if a step fails, with the name of this step.
pub fn enter(plan: &Plan, group: RawFd, report: RawFd) -> (&'static str, io::Error) {
    let steps: [(&'static str, &dyn Fn() -> io::Result<()>); 12] = [
        ("network", &|| plan.card.as_ref().map_or(Ok(()), bring)),
        ("control group", &|| join(group)),
        ("order of ends", &|| choose(plan.oom_score)),
        ("session", &|| session(plan)),
        ("root", &|| change_root(plan)),
        ("descriptors", &|| place_descriptors(plan, report)),
        ("limits", &|| limit(plan)),
        ("program's name", &|| lay_down(&plan.exec)),
        ("rights", &|| rights::drop_all(plan.uid)),
        ("places", &|| confine(plan)),
        ("calls", &|| seccomp::filter(plan.jail.filter)),
        ("program", &|| execute(plan)),
    ];
    for (name, step) in steps {
        if let Err(error) = step() {
            return (name, error);
        }
    }
    ("program", io::Error::other("it returned"))
}

/// Moves the card into the new namespace, disables IPv6, and configures the card if an address is known.
fn bring(card: &Card) -> io::Result<()> {
    let Card { name, configuration, .. } = card;
    card::take_along(name)?;
    std::fs::write("/proc/sys/net/ipv6/conf/all/disable_ipv6", "1")?;
    let socket = card::datagrams()?;
    card::up(&socket, name)?;
    configuration.as_ref().map_or(Ok(()), |configuration| card::give(&socket, name, configuration))
}

/// Joins the control group of the process, and a cgroup namespace in which the process sees no other group.
fn join(group: RawFd) -> io::Result<()> {
    crate::sys::write(&group, b"0")?;
    // SAFETY: the call has no pointers.
    check(unsafe { libc::unshare(libc::CLONE_NEWCGROUP) }).map(drop)
}

/// Sets the process's `oom_score_adj`. Before this step, the child has the score of init, which the kernel never kills.
fn choose(score: i64) -> io::Result<()> {
    std::fs::write(OOM_SCORE, score.to_string())
}

fn session(plan: &Plan) -> io::Result<()> {
    // SAFETY: the name has the stated length.
    unsafe {
        check(libc::setsid())?;
        check(libc::sethostname(plan.name.as_ptr(), plan.name.as_bytes().len())).map(drop)
    }
}

/// Mounts only the verified root, three devices, and the process's directory, weights and states; the old root is detached.
fn change_root(plan: &Plan) -> io::Result<()> {
    mount(ROOT, JAIL, "", MS_BIND, "")?;
    mount(DEVICES, &format!("{JAIL}/dev"), "", MS_BIND, "")?;
    if let Some(directory) = &plan.directory {
        mount(&format!("{DISK}/{directory}"), &format!("{JAIL}/data"), "", MS_BIND, "")?;
    }
    if let Some(device) = &plan.weights {
        // This mount needs no flag against execution: the device is in `DEVICES`, which is mounted with such a flag.
        mount(device, &format!("{JAIL}/weights"), "", MS_BIND, "")?;
    }
    if let Some(device) = &plan.states {
        mount(device, &format!("{JAIL}/states"), "erofs", MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, "")?;
    }
    std::env::set_current_dir(JAIL)?;
    // SAFETY: the pointers are to two C strings. The old root is stacked over the new one and then detached.
    check(unsafe { libc::syscall(libc::SYS_pivot_root, c".".as_ptr(), c".".as_ptr()) })?;
    unmount(".", MNT_DETACH)?;
    std::env::set_current_dir("/")
}

fn place_descriptors(plan: &Plan, report: RawFd) -> io::Result<()> {
    let park = |fd: RawFd| -> io::Result<RawFd> {
        // SAFETY: duplicates an open descriptor.
        check(unsafe { libc::fcntl(fd, libc::F_DUPFD_CLOEXEC, PARKED) })
    };
    let parked: Vec<Option<RawFd>> = plan
        .descriptors
        .iter()
        .map(|fd| fd.as_ref().map(|fd| park(fd.as_raw_fd())).transpose())
        .collect::<io::Result<_>>()?;
    let report = park(report)?;
    let last = parked.len() as RawFd;
    // A validated manifest gives no process that many descriptors.
    if last >= PARKED {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    // SAFETY: the plan owns the numbers up to `last`; the child's copies of init's descriptors with these numbers are closed.
    unsafe {
        for (target, source) in (0..).zip(&parked) {
            match source {
                Some(source) => check(libc::dup2(*source, target))?,
                None => libc::close(target),
            };
        }
        check(libc::dup3(report, last, libc::O_CLOEXEC))?;
        crate::sys::call(libc::SYS_close_range, [i64::from(last) + 1, i64::from(u32::MAX), 0, 0, 0]).map(drop)
    }
}

fn limit(plan: &Plan) -> io::Result<()> {
    let limits = [
        (libc::RLIMIT_CORE, 0),
        (libc::RLIMIT_MEMLOCK, 0),
        (libc::RLIMIT_MSGQUEUE, 0),
        (libc::RLIMIT_NOFILE, plan.jail.open_files),
        (libc::RLIMIT_NPROC, plan.jail.tasks),
    ];
    for (resource, most) in limits {
        let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
        // SAFETY: the pointer is to a whole struct.
        check(unsafe { libc::setrlimit(resource, &limit) })?;
    }
    Ok(())
}

/// Confines the process to the paths that its role may open, and to the program in the manifest. A host may lack Landlock if
/// `--without` names it; even then, the process has only the image's root.
fn confine(plan: &Plan) -> io::Result<()> {
    if !plan.is_confined {
        return Ok(());
    }
    let listed = plan.jail.places.iter().map(|place| (place.path, place.rights));
    landlock::confine(listed.chain([(plan.exec.as_c_str(), landlock::RUN)]))
}

/// Puts the program's path at the only address from which the filters of all roles let `execve` read it. The program cannot put another
/// path there: `execve` unmaps this memory, and without root's capabilities no memory can be mapped so low (`vm.mmap_min_addr`).
fn lay_down(exec: &CStr) -> io::Result<()> {
    const PAGE_BYTES: usize = 4096;
    let path = exec.to_bytes_with_nul();
    if path.len() > PAGE_BYTES {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let (protection, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED);
    // SAFETY: no other memory of this program is at such low addresses; the page is at least as long as the path.
    unsafe {
        if libc::mmap(PROGRAM_PAGE as *mut _, PAGE_BYTES, protection, flags, -1, 0) == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        ptr::copy_nonoverlapping(path.as_ptr(), PROGRAM_PAGE as *mut u8, path.len());
    }
    Ok(())
}

fn execute(plan: &Plan) -> io::Result<()> {
    let pointers = |words: &[CString]| -> Vec<*const libc::c_char> {
        words.iter().map(|word| word.as_ptr()).chain([ptr::null()]).collect()
    };
    let (arguments, environment) = (pointers(&plan.arguments), pointers(&plan.environment));
    // SAFETY: the pointers are to a C string that `lay_down` put there, and to lists of C strings that end with null.
    check(unsafe { libc::execve(PROGRAM_PAGE as *const _, arguments.as_ptr(), environment.as_ptr()) }).map(drop)
}
