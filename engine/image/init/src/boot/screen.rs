//! Prepares a machine's own screen and keyboard as the terminal, which is the first of the kernel's virtual terminals. Afterwards only the
//! console reacts to keys. The kernel's command line selects the terminal, and is later compared with the signed one.

use super::modules;
use crate::refusal::{About as _, Checked};
use crate::signs;
use crate::say::say;
use crate::sys;
use std::fs;
use std::io;
use std::os::fd::{AsRawFd, RawFd};

// Requests from linux/kd.h and linux/vt.h.
const CLEAR_SIGNS: libc::c_ulong = 0x4B68;
const SET_SIGNS: libc::c_ulong = 0x4B67;
const SET_KEY: libc::c_ulong = 0x4B47;
const LOCK_SWITCH: libc::c_ulong = 0x560B;

/// Time for which a text stays on the screen if no key is pressed. The watchdog's timeout must be longer.
const MOST_READING_MS: u64 = 60_000;

/// C struct `kbentry`.
#[repr(C)]
struct Key {
    table: u8,
    index: u8,
    value: u16,
}

/// Key that init disables: Scroll Lock stops a terminal, and with other keys makes the kernel print its registers.
const SCROLL_LOCK: u8 = 70;
/// The kernel's `K_HOLE`: a key with this value does nothing.
const NOTHING: u16 = 0x0200;
/// Keymaps of the kernel's default layout: plain, Shift, AltGr, Control, Shift and Control, Alt, Control and Alt.
const TABLES: [u8; 7] = [0, 1, 2, 4, 5, 8, 12];

/// C struct `unimapdesc`.
#[repr(C)]
struct Signs {
    count: u16,
    entries: *const Place,
}

/// C struct `unipair`.
#[repr(C)]
struct Place {
    character: u16,
    place: u16,
}

/// C struct `unimapinit`; zeros let the kernel choose the sizes.
const ANY_TABLE: [u16; 3] = [0; 3];

/// init's own end of the console.
struct Terminal;

impl AsRawFd for Terminal {
    fn as_raw_fd(&self) -> RawFd {
        libc::STDIN_FILENO
    }
}

/// Disables the kernel's own reactions to keys on every machine, because a virtual machine has a keyboard too. Then prepares the screen, if the console is a screen.
pub fn prepare() -> Checked<()> {
    // SAFETY: the call accesses no memory; afterwards, Control-Alt-Delete no longer restarts the machine.
    sys::check(unsafe { libc::reboot(libc::RB_DISABLE_CAD) }).about("Control-Alt-Delete")?;
    fs::write("/proc/sys/kernel/sysrq", "0").about("the kernel's own keys")?;
    if !sys::is_screen(&Terminal) {
        return Ok(());
    }
    keep_to_one().about("the screen")?;
    modules::load("keys")
}

fn keep_to_one() -> io::Result<()> {
    ask(LOCK_SWITCH, std::ptr::null::<u8>())?;
    for table in TABLES {
        ask(SET_KEY, &Key { table, index: SCROLL_LOCK, value: NOTHING })?;
    }
    let entries: Vec<Place> = signs::places().into_iter().map(|(character, place)| Place { character, place }).collect();
    ask(CLEAR_SIGNS, &ANY_TABLE)?;
    ask(SET_SIGNS, &Signs { count: entries.len() as u16, entries: entries.as_ptr() })
}

/// Sends a request whose argument the kernel only reads.
fn ask<T>(request: libc::c_ulong, argument: *const T) -> io::Result<()> {
    // SAFETY: each request above gets the argument that linux/kd.h and linux/vt.h define for it.
    sys::check(unsafe { libc::ioctl(libc::STDIN_FILENO, request, argument) }).map(drop)
}

/// Waits until a key is pressed, or for `MOST_READING_MS`. Returns at once if the console is not a screen, because other terminals store the output.
pub fn await_reader() {
    if !sys::is_screen(&Terminal) {
        return;
    }
    say("a key powers off");
    let _ = sys::raw_mode(&Terminal);
    sys::drop_unread(&Terminal);
    let _ = sys::read_before(&Terminal, &mut [0], sys::now() + MOST_READING_MS);
}
