//! Runs as PID 1: verifies, starts, supervises, and then powers off. init never returns, because
//! the kernel panics if the first process ends, and a panic explains less than init's last line.

use capos::boot::{self, Machine};
use capos::refusal::Checked;
use capos::say::say;
use capos::supervise::{End, Supervisor};
use capos::sys;

fn main() -> ! {
    std::panic::set_hook(Box::new(|defect| {
        say(&format!("defect: {defect}"));
        power_off("stopped");
    }));
    if boot::open_console().is_err() {
        power_off("stopped");
    }
    match start_and_supervise() {
        Ok(End::Clean) => power_off(CLEAN),
        Ok(End::Broken) => {}
        Err(refusal) => say(&refusal.to_string()),
    }
    power_off("stopped")
}

fn start_and_supervise() -> Checked<End> {
    let (machine, watch) = boot::boot()?;
    let mut supervisor = Supervisor::start(&machine, watch)?;
    let end = supervisor.run()?;
    let begun = sys::now();
    supervisor.stop()?;
    let is_released = release(&machine, matches!(end, End::Clean));
    say(&format!("all ended within {} ms", sys::now() - begun));
    Ok(if is_released { end } else { End::Broken })
}

fn release(machine: &Machine, is_clean: bool) -> bool {
    match boot::release(machine, is_clean) {
        Ok(()) => true,
        Err(error) => {
            say(&format!("the data disk was not put in order: {error}"));
            false
        }
    }
}

/// Scripts recognize an orderly end by this text, so it is printed at no other end.
const CLEAN: &str = "powered off cleanly";

/// Prints the last line and waits until it has left the serial port, or a person has read it on the screen.
fn power_off(last: &str) -> ! {
    say(last);
    if last != CLEAN {
        boot::await_reader();
    }
    // SAFETY: descriptor 1 is the console; the request powers the machine off and does not return.
    unsafe {
        libc::tcdrain(1);
        libc::sync();
        libc::reboot(libc::RB_POWER_OFF);
        libc::_exit(1)
    }
}
