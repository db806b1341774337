//! Runs an image on a Linux host, without a machine: `capos-host run IMAGE TRUST [--disk FILE] [--without NAME]… [--keys person]`, as root. The
//! program refuses a host that lacks a property of a machine, unless `--without` names this property. `capos-host properties` lists the properties.
//!
//! The child is the first process in namespaces of its own. It boots and supervises like init, and the kernel ends all
//! processes of the run when it ends. The parent connects the child's terminal with that of the person.
//!
//! Exit status: 0 after an orderly end, 1 after another end, 2 for wrong arguments, 3 for a host that cannot run the image.

use capos::host::groups::Group;
use capos::host::properties::{self, Property};
use capos::host::relay::{self, Ended, Keys, RawInput, Terminal};
use capos::host::{self, Host, ImageFile, stage, users};
use capos::boot::verify::{Presented, Verified, verify};
use capos::boot::{self, Machine};
use capos::refusal::{About as _, Checked};
use capos::say::say;
use capos::supervise::{End, Supervisor};
use capos::sys;
use std::fs;
use std::io;
use std::os::fd::{FromRawFd as _, OwnedFd, RawFd};
use std::process::exit;

const BROKEN: i32 = 1;
const WRONG_WORDS: i32 = 2;
const UNFIT_HOST: i32 = 3;

const USAGE: &str = "usage: capos-host run IMAGE TRUST [--disk FILE] [--without NAME]… [--keys person]; capos-host properties";

struct Order {
    image: String,
    trust: String,
    disk: Option<String>,
    without: Vec<Property>,
    /// Whether a person types the input, although the input is not a terminal.
    is_person: bool,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words == ["properties"] {
        Property::ALL.iter().for_each(|property| println!("{}\t{}", property.name(), property.protects()));
        return;
    }
    let status = match Order::read(&words) {
        Ok(order) => run(&order).unwrap_or_else(|reason| complain(UNFIT_HOST, &[reason])),
        Err(reason) => complain(WRONG_WORDS, &[reason]),
    };
    exit(status)
}

fn complain(status: i32, lines: &[String]) -> i32 {
    lines.iter().for_each(|line| eprintln!("capc: {line}"));
    status
}

impl Order {
    fn read(words: &[String]) -> Result<Self, String> {
        let [command, image, trust, options @ ..] = words else { return Err(USAGE.into()) };
        let mut order = Self { image: image.clone(), trust: trust.clone(), disk: None, without: Vec::new(), is_person: false };
        if command != "run" {
            return Err(USAGE.into());
        }
        for option in options.chunks(2) {
            match option {
                [name, path] if name == "--disk" && order.disk.is_none() => order.disk = Some(path.clone()),
                [name, property] if name == "--without" => order.without.push(named(property)?),
                [name, typist] if name == "--keys" && typist == "person" => order.is_person = true,
                _ => return Err(USAGE.into()),
            }
        }
        Ok(order)
    }
}

fn named(name: &str) -> Result<Property, String> {
    Property::named(name).ok_or_else(|| {
        let known: Vec<&str> = Property::ALL.iter().map(|property| property.name()).collect();
        format!("--without is {}, not '{}'", known.join(" or "), name.escape_default())
    })
}

/// Returns the exit status of the run, or the reason for which it did not start.
fn run(order: &Order) -> Result<i32, String> {
    if !properties::is_root() {
        return Err("a run needs root for namespaces, users and devices".into());
    }
    let trust = fs::read(&order.trust).map_err(|error| format!("{}: {error}", order.trust))?;
    let image = ImageFile::open(&order.image).map_err(|error| format!("{}: {error}", order.image))?;
    let presented = Presented { medium: &image, trust: &trust, command_line: None };
    let verified = verify(&presented, &|_| {}).map_err(|refusal| refusal.to_string())?;
    let refused = properties::judge(&properties::measure(&verified.manifest), &order.without);
    if !refused.is_empty() {
        return Ok(complain(UNFIT_HOST, &refused));
    }
    let disk = order.disk.as_deref().map(|path| host::open_disk(path).map(|file| (path, file)).map_err(|error| format!("{path}: {error}")));
    let disk = disk.transpose()?;
    let users = users::take().map_err(|error| format!("the users of the run: {error}"))?;
    host::begin_devices(users.run);
    let devices = host::list_devices(&verified);
    host::remove_devices(&devices);
    let is_counted = !order.without.contains(&Property::Cgroups);
    let memory = verified.manifest.memory;
    let group = if is_counted { Some(Group::make(users.run, memory).map_err(|error| format!("the control group: {error}"))?) } else { None };
    let terminal = Terminal::open().map_err(|error| format!("the terminal: {error}"))?;
    let host = Host { image: &image, disk, without: &order.without, first_user: users.first };
    let place = Place { terminal: &terminal.path, group: group.as_ref() };
    let keys = if order.is_person { Keys::of_person() } else { Keys::of_input() };
    let ended = accompany(&terminal, keys, || boot_and_supervise(&place, host, verified));
    host::remove_devices(&devices);
    let removed = group.map_or(Ok(()), |group| group.remove());
    removed.map_err(|error| format!("the control group is not empty: {error}"))?;
    ended.map_err(|error| format!("the run: {error}"))
}

/// Starts the child, and passes bytes between it and the terminal until the child has ended. Returns the exit status.
fn accompany(terminal: &Terminal, mut keys: Keys, child: impl FnOnce() -> i32) -> io::Result<i32> {
    let signals = catch_signals()?;
    let Some((pid, run)) = fork()? else { exit(child()) };
    // If the run's terminal cannot be opened, the run ends, as it does if the relay fails.
    let relayed = RawInput::begin().and_then(|raw| {
        let relayed = relay::relay(&terminal.end, &run, &signals, &mut keys);
        drop(raw);
        relayed
    });
    if !matches!(relayed, Ok(Ended::Run)) {
        // SAFETY: the child is not yet reaped.
        unsafe { libc::kill(pid, libc::SIGKILL) };
    }
    let mut status = 0;
    // SAFETY: the call writes only the status of the child, to a variable that outlives the call.
    sys::check(unsafe { libc::waitpid(pid, &mut status, 0) })?;
    relayed.map(|_| if libc::WIFEXITED(status) { libc::WEXITSTATUS(status) } else { BROKEN })
}

/// Forks into new namespaces. Returns `None` in the child, which is killed when this program ends.
fn fork() -> io::Result<Option<(libc::pid_t, OwnedFd)>> {
    let namespaces = libc::CLONE_NEWNS | libc::CLONE_NEWPID | libc::CLONE_NEWNET | libc::CLONE_NEWIPC | libc::CLONE_NEWUTS;
    let mut pidfd: RawFd = -1;
    let flags = namespaces | libc::CLONE_PIDFD | libc::SIGCHLD;
    // SAFETY: without CLONE_VM and without a separate stack the child continues in a copy, as after fork. This program has one thread.
    let pid = sys::check(unsafe { libc::syscall(libc::SYS_clone, flags, 0, &raw mut pidfd, 0, 0) })?;
    if pid == 0 {
        // SAFETY: the arguments are numbers, and a set of signals that is emptied before its use.
        unsafe {
            sys::check(libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0))?;
            sys::check(libc::setsid())?;
            libc::umask(0o022);
            let mut none: libc::sigset_t = std::mem::zeroed();
            libc::sigemptyset(&mut none);
            sys::check(libc::sigprocmask(libc::SIG_SETMASK, &none, std::ptr::null_mut()))?;
        }
        return Ok(None);
    }
    // SAFETY: the kernel gave this descriptor to this process only.
    Ok(Some((pid as libc::pid_t, unsafe { OwnedFd::from_raw_fd(pidfd) })))
}

/// Returns a descriptor that is readable after a signal to end this program. After this call, these signals have no other effect.
fn catch_signals() -> io::Result<OwnedFd> {
    // SAFETY: the set is emptied before its use; nothing else owns the new descriptor.
    unsafe {
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut set);
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT] {
            libc::sigaddset(&mut set, signal);
        }
        sys::check(libc::sigprocmask(libc::SIG_BLOCK, &set, std::ptr::null_mut()))?;
        Ok(OwnedFd::from_raw_fd(sys::check(libc::signalfd(-1, &set, libc::SFD_CLOEXEC))?))
    }
}

/// The terminal and the control group of the child.
struct Place<'p> {
    terminal: &'p str,
    group: Option<&'p Group>,
}

/// Runs in the child, and returns its exit status. The child's messages appear on the run's terminal.
fn boot_and_supervise(place: &Place<'_>, host: Host<'_>, verified: Verified) -> i32 {
    if let Err(error) = stage::enter(place.terminal, place.group.map(Group::path)).and_then(|()| boot::mounts::console()) {
        return complain(UNFIT_HOST, &[format!("the view of the host: {error}")]);
    }
    let status = match supervise(host, verified) {
        Ok(End::Clean) => 0,
        Ok(End::Broken) => BROKEN,
        Err(refusal) => {
            say(&refusal.to_string());
            BROKEN
        }
    };
    say(if status == 0 { "ended cleanly" } else { "stopped" });
    // SAFETY: descriptor 1 is the run's terminal; the call only waits until it has sent all output, and takes no pointers.
    unsafe { libc::tcdrain(1) };
    status
}

fn supervise(host: Host<'_>, verified: Verified) -> Checked<End> {
    let (machine, watch) = host::boot(host, verified)?;
    let mut supervisor = Supervisor::start(&machine, watch)?;
    let end = supervisor.run()?;
    let begun = sys::now();
    supervisor.stop()?;
    drop(supervisor);
    release(&machine, &end).about("the data disk")?;
    say(&format!("all ended within {} ms", sys::now() - begun));
    Ok(end)
}

fn release(machine: &Machine, end: &End) -> io::Result<()> {
    boot::release(machine, matches!(end, End::Clean))
}
