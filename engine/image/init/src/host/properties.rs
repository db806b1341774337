//! Lists the properties that protect a page in a machine, and measures which of them a host lacks. A
//! run on a host that lacks a property is refused, unless a person names the property in `--without`.

use super::groups;
use super::users;
use crate::boot::mapper;
use crate::jail::{NEVER_CHOSEN, OOM_SCORE, PROGRAM_PAGE, landlock};
use crate::manifest::{Manifest, Network};
use std::fs;
use std::io;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Property {
    OwnKernel,
    Verity,
    Cgroups,
    OomOrder,
    Landlock,
    LowMemory,
    NoSwap,
    OwnUsers,
    Network,
}

impl Property {
    pub const ALL: [Self; 9] = [
        Self::OwnKernel,
        Self::Verity,
        Self::Cgroups,
        Self::OomOrder,
        Self::Landlock,
        Self::LowMemory,
        Self::NoSwap,
        Self::OwnUsers,
        Self::Network,
    ];

    /// Returns the name of the property in `--without`.
    pub fn name(self) -> &'static str {
        match self {
            Self::OwnKernel => "own-kernel",
            Self::Verity => "verity",
            Self::Cgroups => "cgroups",
            Self::OomOrder => "oom-order",
            Self::Landlock => "landlock",
            Self::LowMemory => "low-memory",
            Self::NoSwap => "no-swap",
            Self::OwnUsers => "own-users",
            Self::Network => "network",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|property| property.name() == name)
    }

    /// Returns, in words, what this property protects, and what a run without it lacks.
    pub fn protects(self) -> &'static str {
        match self {
            Self::OwnKernel => "a fault in the kernel gives a process only the machine; on a host it gives the host, whose root also reads and changes everything",
            Self::Verity => "every read of the image is verified; without, the image is verified once, at the start",
            Self::Cgroups => "each process has limits of memory, tasks and processor time; without, one process can exhaust the host",
            Self::OomOrder => "when memory is exhausted, the kernel ends programs of the page first, and gate, broker, audit and console last; without, it chooses any of them",
            Self::Landlock => "a process opens only the listed paths of its root; without, it reads every file of the image",
            Self::LowMemory => "a process cannot map the address of its program's path, so it runs no second program; without, it runs any program of the image",
            Self::NoSwap => "memory is never written to a disk; without, the host may store secrets and labelled data in its swap",
            Self::OwnUsers => "no other program has the users of the processes; without, a program of the host with such a user reads their memory",
            Self::Network => "the page's network belongs to one process; without, the run has no network at all",
        }
    }
}

/// A property that this host lacks, and the measured reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lack {
    pub property: Property,
    pub because: String,
}

/// Measures all properties that the page of this manifest uses.
pub fn measure(manifest: &Manifest) -> Vec<Lack> {
    let measured = |property| match measure_one(property, manifest) {
        Ok(()) => None,
        Err(because) => Some(Lack { property, because: because.to_string() }),
    };
    Property::ALL.into_iter().filter_map(measured).collect()
}

fn measure_one(property: Property, manifest: &Manifest) -> io::Result<()> {
    match property {
        Property::OwnKernel => Err(io::Error::other("this kernel also runs the programs of the host")),
        Property::Verity => mapper::require("verity").map_err(|error| io::Error::other(format!("the device mapper has no verity: {error}"))),
        Property::Cgroups => groups::find().map(drop),
        Property::OomOrder => require_low_score(),
        Property::Landlock => require_landlock(landlock::version()),
        Property::LowMemory => require_low_memory(&fs::read_to_string("/proc/sys/vm/mmap_min_addr")?),
        Property::NoSwap => require_no_swap(&fs::read_to_string("/proc/swaps").or_else(absent)?),
        Property::OwnUsers => users::require_free(),
        Property::Network if manifest.network == Network::None => Ok(()),
        Property::Network => Err(io::Error::other("a run on a host gets no network card")),
    }
}

/// Returns an empty text if the file does not exist: a kernel without swap has no such file.
fn absent(error: io::Error) -> io::Result<String> {
    if error.kind() == io::ErrorKind::NotFound { Ok(String::new()) } else { Err(error) }
}

/// Fails if this program may not lower its OOM score, which needs the capability `SYS_RESOURCE`. Sets the old score again before it returns.
fn require_low_score() -> io::Result<()> {
    let before = fs::read_to_string(OOM_SCORE)?;
    fs::write(OOM_SCORE, NEVER_CHOSEN.to_string())
        .map_err(|error| io::Error::other(format!("this program may not lower its score ({OOM_SCORE}): {error}")))?;
    fs::write(OOM_SCORE, before.trim())
}

fn require_landlock(version: io::Result<i64>) -> io::Result<()> {
    match version {
        Ok(found) if found >= landlock::LEAST_VERSION => Ok(()),
        Ok(found) => Err(io::Error::other(format!("the kernel has version {found}, and the jails need {}", landlock::LEAST_VERSION))),
        Err(error) => Err(io::Error::other(format!("the kernel has none: {error}"))),
    }
}

fn require_low_memory(least: &str) -> io::Result<()> {
    const PAGE_BYTES: u64 = 4096;
    let behind = PROGRAM_PAGE as u64 + PAGE_BYTES;
    match least.trim().parse::<u64>() {
        Ok(found) if found >= behind => Ok(()),
        _ => Err(io::Error::other(format!("vm.mmap_min_addr is {}, and the jails need {behind} at least", least.trim().escape_default()))),
    }
}

/// Fails if the kernel's list of swap devices, whose first line is a heading, names a device.
fn require_no_swap(swaps: &str) -> io::Result<()> {
    match swaps.lines().nth(1).and_then(|line| line.split_whitespace().next()) {
        None => Ok(()),
        Some(name) => Err(io::Error::other(format!("swap is on: {}", name.escape_default()))),
    }
}

/// Returns the lines that refuse the run, or no lines if `--without` names exactly the properties that the host lacks.
pub fn judge(lacking: &[Lack], without: &[Property]) -> Vec<String> {
    let unnamed: Vec<&Lack> = lacking.iter().filter(|lack| !without.contains(&lack.property)).collect();
    let mut lines: Vec<String> = unnamed.iter().flat_map(|lack| refuse(lack)).collect();
    if !unnamed.is_empty() {
        let options = lacking.iter().map(|lack| format!(" --without {}", lack.property.name()));
        lines.push(format!("to run without {}:{}", if lacking.len() == 1 { "it" } else { "them" }, options.collect::<String>()));
    }
    for property in without.iter().filter(|property| !lacking.iter().any(|lack| lack.property == **property)) {
        let name = property.name();
        lines.push(format!("host-has-{name}: this host, or this page, does not lack {name}; leave --without {name} out"));
    }
    lines
}

fn refuse(Lack { property, because }: &Lack) -> [String; 2] {
    [format!("host-lacks-{}: {because}", property.name()), format!("    {}", property.protects())]
}

/// Returns whether this program has root's rights, which namespaces, users and devices need.
pub fn is_root() -> bool {
    // SAFETY: the call has no arguments.
    unsafe { libc::geteuid() == 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::tests::honest;

    fn lack(property: Property) -> Lack {
        Lack { property, because: "measured".into() }
    }

    #[test]
    fn each_property_has_its_own_name() {
        for property in Property::ALL {
            assert_eq!(Property::named(property.name()), Some(property));
        }
        assert_eq!(Property::named("all"), None);
    }

    #[test]
    fn the_refusal_of_a_run_has_the_code_and_reason_of_a_missing_property_and_the_options_to_continue() {
        let lines = judge(&[lack(Property::OwnKernel), lack(Property::Verity)], &[Property::OwnKernel]);
        assert_eq!(lines[0], "host-lacks-verity: measured");
        assert!(lines[1].contains("verified once"));
        assert_eq!(lines[2], "to run without them: --without own-kernel --without verity");
        assert_eq!(lines.len(), 3);
    }

    #[test]
    fn the_options_must_name_exactly_the_missing_properties() {
        let lacking = [lack(Property::OwnKernel)];
        assert_eq!(judge(&lacking, &[Property::OwnKernel]), Vec::<String>::new());
        let too_many = judge(&lacking, &[Property::OwnKernel, Property::Landlock]);
        assert_eq!(too_many, ["host-has-landlock: this host, or this page, does not lack landlock; leave --without landlock out"]);
    }

    #[test]
    fn each_measurement_parses_the_text_of_the_kernel() {
        assert!(require_low_memory("65536\n").is_ok() && require_low_memory("8192").is_ok());
        assert!(require_low_memory("4096\n").is_err() && require_low_memory("").is_err());
        let heading = "Filename\tType\tSize\tUsed\tPriority\n";
        assert!(require_no_swap(heading).is_ok() && require_no_swap("").is_ok());
        assert_eq!(require_no_swap(&format!("{heading}/dev/sda2 partition 1 0 -2\n")).unwrap_err().to_string(), "swap is on: /dev/sda2");
        assert!(require_landlock(Ok(2)).is_ok() && require_landlock(Ok(1)).is_err());
        assert!(require_landlock(Err(io::ErrorKind::Unsupported.into())).is_err());
    }

    #[test]
    fn every_host_lacks_the_property_of_a_separate_kernel() {
        assert!(measure_one(Property::OwnKernel, &honest()).is_err());
    }

    #[test]
    fn the_network_property_is_missing_only_if_the_page_has_a_network() {
        let mut manifest = honest();
        manifest.network = Network::None;
        assert!(measure_one(Property::Network, &manifest).is_ok());
        manifest.network = Network::Dhcp;
        assert!(measure_one(Property::Network, &manifest).is_err());
    }
}
