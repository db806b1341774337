//! Takes the descriptors that init passed, and transfers bytes until the person has left.

use capos::console::carrier::{Carrier, Inherited};
use capos::console::screen::Font;
use capos::supervise::plan::SCREEN_VARIABLE;
use capos::sys;
use std::env;
use std::io;
use std::os::fd::{FromRawFd as _, OwnedFd, RawFd};

const TERMINAL: RawFd = 0;

fn main() -> io::Result<()> {
    sys::raw_mode(&TERMINAL)?;
    let channel = env::var("NODE_CHANNEL_FD").ok().and_then(|number| number.parse().ok()).ok_or(io::ErrorKind::NotFound)?;
    let own = |number: RawFd| {
        // SAFETY: init put the terminal, the channel and each grant at separate descriptors, and only this code owns
        // them.
        unsafe { OwnedFd::from_raw_fd(number) }
    };
    let grants = grants().into_iter().map(|(name, number)| (name, own(number))).collect();
    let font = if env::var_os(SCREEN_VARIABLE).is_some() { Font::Kernel } else { Font::Terminal };
    Carrier::open(Inherited { terminal: own(TERMINAL), channel: own(channel), grants, font })?.run()
}

/// Returns names and descriptors of the grants in `CAPOS_GRANTS`, such as `session.a=5:f00d,supervisor=6:beef`, in the manifest's order.
fn grants() -> Vec<(String, RawFd)> {
    let all = env::var("CAPOS_GRANTS").unwrap_or_default();
    let grant = |words: &str| {
        let (name, place) = words.split_once('=')?;
        Some((name.to_owned(), place.split(':').next()?.parse().ok()?))
    };
    all.split(',').filter_map(grant).collect()
}
