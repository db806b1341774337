//! Activates a role's filter of system calls. The build makes the filters (`build/calls.rs`); nothing is parsed or compiled
//! here.

use crate::sys::check;
use std::io;

/// One instruction: code, jumps if true and if false, operand.
pub type Step = (u16, u8, u8, u32);

/// Applies the filter to every system call of this thread, and of all threads and processes that it starts. The thread must have set
/// `no_new_privs` before.
pub fn filter(steps: &[Step]) -> io::Result<()> {
    let mut program: Vec<libc::sock_filter> =
        steps.iter().map(|&(code, jt, jf, k)| libc::sock_filter { code, jt, jf, k }).collect();
    let program = libc::sock_fprog { len: program.len() as u16, filter: program.as_mut_ptr() };
    // SAFETY: the program has the stated length; the kernel copies it.
    check(unsafe { libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program) }).map(drop)
}
