//! Tests system-call filters and Landlock rules in the kernel: a child of the test confines itself and reports the results of its calls.

use super::*;
use crate::sys;
use libc::{c_long, *};
use std::ffi::CString;
use std::fs;
use std::io;
use std::path::PathBuf;

const DONE: i32 = 0;

/// Returns the errors of `calls` in a child that has confined itself; 0 for a successful call.
fn answers(confine: impl FnOnce() -> io::Result<()>, calls: &[(c_long, [c_long; 5])]) -> Vec<i32> {
    let (reading, writing) = sys::pipe().unwrap();
    // SAFETY: the child makes system calls only; it may allocate, because the C library's allocator works after a fork.
    match unsafe { fork() } {
        0 => {
            // SAFETY: each pointer among the arguments outlives the call.
            let confined = unsafe { sys::check(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) }.and_then(|_| confine());
            for &(number, arguments) in calls.iter().filter(|_| confined.is_ok()) {
                // SAFETY: each pointer among these arguments outlives the call, too.
                let answer = unsafe { sys::call(number, arguments) }.err().and_then(|error| error.raw_os_error());
                let _ = sys::write(&writing, &answer.unwrap_or(DONE).to_le_bytes());
            }
            // SAFETY: ends the child without running exit handlers of the test.
            unsafe { _exit(0) }
        }
        child => {
            drop(writing);
            let mut bytes = vec![0; 4 * calls.len()];
            let mut filled = 0;
            while let Ok(size @ 1..) = sys::read(&reading, &mut bytes[filled..]) {
                filled += size;
            }
            // SAFETY: reaps the child.
            unsafe { waitpid(child, std::ptr::null_mut(), 0) };
            assert_eq!(filled, bytes.len(), "the child could not confine itself, or was killed");
            bytes.chunks(4).map(|word| i32::from_le_bytes(word.try_into().unwrap())).collect()
        }
    }
}

fn filtered(role: &str, calls: &[(c_long, [c_long; 5])]) -> Vec<i32> {
    let jail = of_role(role).unwrap();
    answers(|| seccomp::filter(jail.filter), calls)
}

fn by_role(calls: &[(c_long, [c_long; 5])]) -> Vec<(&'static str, Vec<i32>)> {
    JAILS.iter().map(|jail| (jail.role, filtered(jail.role, calls))).collect()
}

fn for_all(answer: &[i32]) -> Vec<(&'static str, Vec<i32>)> {
    JAILS.iter().map(|jail| (jail.role, answer.to_vec())).collect()
}

#[test]
fn no_jail_allows_any_of_these_calls() {
    #[rustfmt::skip]
    let calls = [
        // no new connection, and no descriptor is passed on
        SYS_sendmsg, SYS_sendmmsg, SYS_sendto, SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen,
        SYS_accept4,
        // no new process
        SYS_fork, SYS_vfork, SYS_clone3, SYS_execveat,
        // no change of namespaces or mounts
        SYS_unshare, SYS_setns, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_move_mount,
        SYS_open_tree, SYS_fsopen,
        // no access to other processes
        SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_pidfd_open, SYS_pidfd_getfd, SYS_kcmp,
        // no signals
        SYS_kill, SYS_tkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_pidfd_send_signal,
        // no part of the kernel that runs programs or requests of a process, such as eBPF or io_uring
        SYS_bpf, SYS_userfaultfd, SYS_io_uring_setup, SYS_io_uring_enter, SYS_perf_event_open, SYS_seccomp,
        SYS_landlock_create_ruleset,
        // no keys
        SYS_keyctl, SYS_add_key, SYS_request_key,
        // no modules, and no restart or change of the kernel
        SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_kexec_file_load, SYS_reboot,
        // no file except by openat
        SYS_open, SYS_openat2, SYS_open_by_handle_at, SYS_name_to_handle_at, SYS_creat, SYS_truncate,
        SYS_memfd_create, SYS_memfd_secret,
        // no change of links, devices, permissions or owners
        SYS_link, SYS_linkat, SYS_symlink, SYS_symlinkat, SYS_mknod, SYS_mknodat, SYS_chmod, SYS_fchmod,
        SYS_chown, SYS_fchown, SYS_setxattr,
        // no change of user, priority or limits
        SYS_setuid, SYS_setresuid, SYS_setgroups, SYS_capset, SYS_setpriority, SYS_sched_setscheduler,
        SYS_setrlimit,
        // no shared or special memory
        SYS_personality, SYS_shmget, SYS_shmat, SYS_msgget, SYS_semget, SYS_mq_open, SYS_pkey_mprotect,
        SYS_remap_file_pages, SYS_modify_ldt,
        // no file watches, quotas, swap or kernel log
        SYS_inotify_init1, SYS_fanotify_init, SYS_swapon, SYS_quotactl, SYS_acct, SYS_syslog,
        // no change of ports, host name or clock
        SYS_iopl, SYS_ioperm, SYS_sethostname, SYS_settimeofday, SYS_clock_settime, SYS_clock_adjtime,
        // no copy of a descriptor
        SYS_vmsplice, SYS_splice, SYS_tee, SYS_dup, SYS_dup2, SYS_dup3,
    ];
    let absent: Vec<_> = calls.iter().map(|&number| (number, [0; 5])).collect();
    // Only the role with the network may call `connect`, which fails here because descriptor 0 is not a socket.
    let of = |role: &str| {
        let answer = |&number: &c_long| if role == "egress" && number == SYS_connect { ENOTSOCK } else { ENOSYS };
        calls.iter().map(answer).collect()
    };
    let expected: Vec<_> = JAILS.iter().map(|jail| (jail.role, of(jail.role))).collect();
    assert_eq!(by_role(&absent), expected);
}

#[test]
fn memory_that_is_or_was_writable_is_never_executable() {
    let anonymous = c_long::from(MAP_PRIVATE | MAP_ANONYMOUS);
    let mapped = |protection: i32| (SYS_mmap, [0, 4096, protection.into(), anonymous, -1]);
    let calls = [
        (SYS_mprotect, [0, 0, c_long::from(PROT_READ | PROT_WRITE), 0, 0]),
        mapped(PROT_READ | PROT_WRITE | PROT_EXEC),
        mapped(PROT_READ | PROT_EXEC),
        (SYS_mprotect, [0, 0, PROT_EXEC.into(), 0, 0]),
    ];
    assert_eq!(by_role(&calls), for_all(&[DONE, ENOSYS, ENOSYS, ENOSYS]));
}

#[test]
fn a_system_call_with_many_uses_is_allowed_only_with_listed_arguments() {
    let forked = (SYS_clone, [SIGCHLD.into(), 0, 0, 0, 0]);
    let in_user_namespace = (SYS_clone, [c_long::from(CLONE_NEWUSER | SIGCHLD), 0, 0, 0, 0]);
    let limit = rlimit { rlim_cur: 9, rlim_max: 9 };
    let calls = [
        forked,
        in_user_namespace,
        (SYS_prlimit64, [0, RLIMIT_CORE.into(), &raw const limit as c_long, 0, 0]),
        (SYS_prlimit64, [0, RLIMIT_CORE.into(), 0, 0, 0]),
        (SYS_prctl, [PR_SET_DUMPABLE.into(), 1, 0, 0, 0]),
        (SYS_prctl, [PR_SET_SECCOMP.into(), 1, 0, 0, 0]),
        (SYS_ioctl, [0, TIOCSTI as c_long, 0, 0, 0]),
        (SYS_ioctl, [0, TIOCLINUX as c_long, 0, 0, 0]),
        (SYS_fcntl, [0, F_SETOWN.into(), 1, 0, 0]),
        (SYS_fcntl, [0, F_ADD_SEALS.into(), 0, 0, 0]),
        (SYS_tgkill, [2, 2, SIGKILL.into(), 0, 0]),
        (SYS_execve, [c"/bin/true".as_ptr() as c_long, 0, 0, 0, 0]),
        (SYS_execve, [PROGRAM_PAGE as c_long, 0, 0, 0, 0]), // this address is not mapped
        (0x4000_0000 | SYS_getpid, [0; 5]),                 // the same call by its x32 number
    ];
    #[rustfmt::skip]
    let expected =
        [ENOSYS, ENOSYS, ENOSYS, DONE, ENOSYS, ENOSYS, ENOSYS, ENOSYS, ENOSYS, ENOSYS, ENOSYS, ENOSYS, EFAULT, ENOSYS];
    assert_eq!(by_role(&calls), for_all(&expected));
}

#[test]
fn pipes_with_special_flags_are_refused() {
    let mut ends = [0; 2];
    let place = ends.as_mut_ptr() as c_long;
    let pipe = |flags: i32| (SYS_pipe2, [place, flags.into(), 0, 0, 0]);
    let calls = [pipe(O_CLOEXEC | O_NONBLOCK), pipe(O_DIRECT), pipe(O_EXCL)];
    assert_eq!(filtered("own", &calls), [DONE, ENOSYS, ENOSYS]);
}

#[test]
fn only_roles_with_a_directory_open_files_to_write_and_the_console_opens_none() {
    let opened = |flags: i32| (SYS_openat, [AT_FDCWD.into(), c"/dev/null".as_ptr() as c_long, flags.into(), 0, 0]);
    let calls = [opened(O_RDONLY), opened(O_WRONLY), opened(O_RDWR), opened(O_RDONLY | O_TRUNC), (SYS_ftruncate, [-1; 5])];
    for jail in JAILS {
        let expected = match (jail.role, jail.directory) {
            ("console", _) => [ENOSYS; 5],
            (_, false) => [DONE, ENOSYS, ENOSYS, ENOSYS, ENOSYS],
            (_, true) => [DONE, DONE, DONE, DONE, EINVAL],
        };
        assert_eq!(filtered(jail.role, &calls), expected, "{}", jail.role);
    }
}

/// Creates a folder with two files, `own/a` and `b`.
fn places(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("capos-{name}-{}", std::process::id()));
    fs::create_dir_all(folder.join("own/below")).unwrap();
    fs::write(folder.join("own/a"), "").unwrap();
    fs::write(folder.join("b"), "").unwrap();
    folder
}

fn path(folder: &std::path::Path, name: &str) -> CString {
    CString::new(folder.join(name).into_os_string().into_encoded_bytes()).unwrap()
}

#[test]
fn unlisted_paths_cannot_be_opened_or_run_or_made_or_moved() {
    let version = landlock::version().expect("this machine's kernel has Landlock, as Debian 12's has");
    assert!(version >= landlock::LEAST_VERSION);
    let folder = places("places");
    let [own, below, a, b, made, moved] = ["own", "own/below", "own/a", "b", "own/made", "moved"].map(|name| path(&folder, name));
    let pointer = |path: &CString| path.as_ptr() as c_long;
    let opened = |path: &CString, flags: i32| (SYS_openat, [AT_FDCWD.into(), pointer(path), flags.into(), 0o600, 0]);
    let below_made = path(&folder, "own/below/made");
    let calls = [
        opened(&a, O_RDWR),
        opened(&made, O_WRONLY | O_CREAT),
        (SYS_rename, [pointer(&made), pointer(&below_made), 0, 0, 0]),
        (SYS_unlink, [pointer(&below_made), 0, 0, 0, 0]),
        (SYS_symlink, [pointer(&b), pointer(&made), 0, 0, 0]),
        (SYS_mknod, [pointer(&made), (S_IFIFO | 0o600).into(), 0, 0, 0]),
        (SYS_link, [pointer(&b), pointer(&made), 0, 0, 0]),
        opened(&b, O_RDONLY),
        opened(&b, O_WRONLY),
        opened(&moved, O_WRONLY | O_CREAT),
        (SYS_rename, [pointer(&a), pointer(&moved), 0, 0, 0]),
        (SYS_execve, [pointer(&a), 0, 0, 0, 0]),
        opened(&below, O_RDONLY | O_DIRECTORY),
    ];
    let rights = landlock::READ | landlock::WRITE | landlock::MAKE | landlock::LIST;
    let found = answers(|| landlock::confine([(own.as_c_str(), rights)].into_iter()), &calls);
    fs::remove_dir_all(&folder).unwrap();
    assert_eq!(found[..4], [DONE; 4]);
    assert_eq!(found[4..6], [EACCES, EACCES]);
    assert_eq!(found[6], EXDEV, "a link would take b out of its place");
    assert_eq!(found[7..10], [EACCES; 3]);
    assert!([EACCES, EXDEV].contains(&found[10]));
    assert_eq!(found[11..], [EACCES, DONE]);
}
