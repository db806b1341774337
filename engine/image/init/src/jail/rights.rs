//! Removes rights of a root process permanently.

use crate::sys::check;
use std::io;
use std::ptr;

/// Removes every capability from every set; none can be regained, not even by executing a program.
pub fn drop_all(uid: u32) -> io::Result<()> {
    const LAST_CAPABILITY_THAT_MAY_EXIST: libc::c_ulong = 63;
    const LOCKED_WITHOUT_ROOT: libc::c_ulong = 0xe3; // NOROOT, KEEP_CAPS locked, NO_CAP_AMBIENT_RAISE, and their locks
    // SAFETY: all arguments are numbers, except one pointer to structs of the size that version 3 of the call expects.
    unsafe {
        for capability in 0..=LAST_CAPABILITY_THAT_MAY_EXIST {
            if libc::prctl(libc::PR_CAPBSET_READ, capability, 0, 0, 0) == 1 {
                check(libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0))?;
            }
        }
        check(libc::prctl(libc::PR_SET_SECUREBITS, LOCKED_WITHOUT_ROOT, 0, 0, 0))?;
        check(libc::setgroups(0, ptr::null()))?;
        check(libc::setresgid(uid, uid, uid))?;
        check(libc::setresuid(uid, uid, uid))?;
        let header: [u32; 2] = [0x2008_0522, 0];
        let none = [0u32; 6];
        check(libc::syscall(libc::SYS_capset, header.as_ptr(), none.as_ptr()))?;
        check(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)).map(drop)
    }
}
