//! Makes the parameters of a process's start: arguments, environment and numbered descriptors. All parameters are made
//! before the fork, so that the child makes only system calls.

use super::grants::Held;
use crate::boot::network::Card;
use crate::jail::{self, Jail};
use crate::manifest::{FIRST_GRANT, FileKind, Process};
use crate::sys::text;
use std::collections::HashMap;
use std::ffi::CString;
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd as _, OwnedFd};

/// Descriptor of Node's channel to its parent. Descriptor 3 stays free for the loader of shared libraries: the jail lets a
/// process map code only from a file with this number (`engine/image/jails/node.json`).
const CHANNEL: usize = 4;
/// Environment variable that the console gets if its terminal is the machine's own screen and keyboard.
pub const SCREEN_VARIABLE: &str = "CAPOS_SCREEN";

pub struct Plan {
    pub name: CString,
    pub uid: u32,
    pub jail: &'static Jail,
    /// The process's `oom_score_adj`: the kernel kills processes with a low score last.
    pub oom_score: i64,
    /// Whether Landlock confines the process to the paths of its jail.
    pub is_confined: bool,
    pub exec: CString,
    pub arguments: Vec<CString>,
    pub environment: Vec<CString>,
    /// Descriptors by their number in the child; a number with `None` is closed there.
    pub descriptors: Vec<Option<OwnedFd>>,
    /// Directory on the data disk that the process sees as `/data`.
    pub directory: Option<String>,
    /// Network card that moves into the namespace of the process.
    pub card: Option<Card>,
    /// Path of the device with a model's weights, which the process sees as `/weights`.
    pub weights: Option<String>,
    /// Path of the device with prefilled states, whose file system the process sees at `/states`.
    pub states: Option<String>,
}

/// The process's own ends of its standard streams, and of its channel to init.
pub struct Streams {
    pub input: OwnedFd,
    pub output: OwnedFd,
    /// Whether the standard streams are the machine's own screen and keyboard.
    pub is_screen: bool,
    pub channel: OwnedFd,
}

/// Sources of the files that processes receive.
pub struct Stores<'m> {
    pub artefacts: &'m HashMap<String, File>,
    /// A copy of each key that the manifest gives to a process, by the name of the key.
    pub keys: &'m HashMap<String, File>,
    /// Identifier of this start of the machine: 32 hex digits.
    pub boot_id: &'m str,
    pub has_disk: bool,
    /// The lowest OOM score that a process may have.
    pub least_score: i64,
    /// Whether Landlock confines processes; `false` only in a run on a host, if `--without` names Landlock.
    pub is_confined: bool,
    /// The device of the audit partition.
    pub partition: Option<&'m str>,
    pub card: Option<&'m Card>,
    /// Devices of weights and of prefilled states, by name. The kernel verifies every read from them, except on a host without dm-verity.
    pub weights: &'m HashMap<String, String>,
}

impl Plan {
    pub fn make(process: &Process, stores: &Stores<'_>, held: Vec<Held>, streams: Streams) -> io::Result<Self> {
        let errors = streams.output.try_clone()?;
        let mut descriptors =
            vec![Some(streams.input), Some(streams.output), Some(errors), None, Some(streams.channel)];
        debug_assert_eq!((descriptors.len(), CHANNEL + 1), (FIRST_GRANT, FIRST_GRANT));
        let mut grants = Vec::new();
        for grant in held {
            grants.push(format!("{}={}:{:x}", grant.name, descriptors.len(), grant.interface_id));
            descriptors.push(Some(grant.end));
        }
        let mut files = Vec::new();
        for file in &process.files {
            let descriptor = match (&file.what, stores.partition) {
                (FileKind::Blob(blob), _) => reopened(stores.artefacts.get(blob).ok_or(io::ErrorKind::NotFound)?)?,
                (FileKind::Key(key), _) => reopened(stores.keys.get(key).ok_or(io::ErrorKind::NotFound)?)?,
                (FileKind::Partition, Some(device)) => File::options().read(true).write(true).open(device)?.into(),
                (FileKind::Partition, None)
                | (FileKind::Directory(_) | FileKind::Terminal | FileKind::Weights(_) | FileKind::States(_), _) => continue,
            };
            files.push(format!("{}={}", file.name, descriptors.len()));
            descriptors.push(Some(descriptor));
        }
        let jail = jail::of_role(&process.role).ok_or(io::ErrorKind::NotFound)?;
        let card = stores.card.filter(|_| jail.network);
        let device = |name: &str| stores.weights.get(name).cloned().ok_or(io::ErrorKind::NotFound);
        let environment = [
            format!("CAPOS_NAME={}", process.name),
            format!("CAPOS_BOOT_ID={}", stores.boot_id),
            format!("CAPOS_GRANTS={}", grants.join(",")),
            format!("CAPOS_FILES={}", files.join(",")),
            format!("NODE_CHANNEL_FD={CHANNEL}"),
            "NODE_CHANNEL_SERIALIZATION_MODE=json".to_owned(),
        ];
        let resolvers = card.map(|card| format!("CAPOS_RESOLVERS={}", resolvers(card)));
        let screen = streams.is_screen.then(|| format!("{SCREEN_VARIABLE}=1"));
        let words = [process.exec.as_str()].into_iter().chain(process.arguments.iter().map(String::as_str));
        Ok(Self {
            name: text(&process.name)?,
            uid: process.uid,
            jail,
            oom_score: jail.oom_score.max(stores.least_score),
            is_confined: stores.is_confined,
            exec: text(&process.exec)?,
            arguments: words.map(text).collect::<io::Result<_>>()?,
            environment: environment.iter().chain(&resolvers).chain(&screen).map(|word| text(word)).collect::<io::Result<_>>()?,
            descriptors,
            card: card.cloned(),
            directory: process.directory().filter(|_| stores.has_disk).map(String::from),
            weights: process.weights().map(device).transpose()?,
            states: process.states().map(device).transpose()?,
        })
    }
}

fn resolvers(card: &Card) -> String {
    let resolvers = card.configuration.iter().flat_map(|configuration| &configuration.resolvers);
    resolvers.map(ToString::to_string).collect::<Vec<_>>().join(",")
}

/// Opens the artefact again, read-only and at position 0: processes with the same artefact must not share a position in the file.
fn reopened(sealed: &File) -> io::Result<OwnedFd> {
    Ok(File::open(format!("/proc/self/fd/{}", sealed.as_raw_fd()))?.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::tests::honest;
    use crate::sys;

    #[test]
    fn a_process_finds_its_grants_and_files_by_name_and_has_no_other_descriptor() {
        let gate = &honest().processes[2];
        let (end, _other) = sys::socket_pair().unwrap();
        let held = vec![Held { name: "notes".into(), interface_id: 0xf00d, end }];
        let artefacts = HashMap::from([("tables".to_owned(), File::open("/dev/null").unwrap())]);
        let (input, output) = sys::pipe().unwrap();
        let (channel, _init) = sys::socket_pair().unwrap();
        let stores = Stores { artefacts: &artefacts, keys: &HashMap::new(), boot_id: "00ff", has_disk: true, partition: None, weights: &HashMap::new(), card: None, least_score: -1000, is_confined: true };
        let plan = Plan::make(gate, &stores, held, Streams { input, output, is_screen: false, channel }).unwrap();
        let environment: Vec<&str> = plan.environment.iter().map(|word| word.to_str().unwrap()).collect();
        assert_eq!(
            environment,
            [
                "CAPOS_NAME=gate.operator",
                "CAPOS_BOOT_ID=00ff",
                "CAPOS_GRANTS=notes=5:f00d",
                "CAPOS_FILES=tables=6",
                "NODE_CHANNEL_FD=4",
                "NODE_CHANNEL_SERIALIZATION_MODE=json"
            ]
        );
        let open: Vec<bool> = plan.descriptors.iter().map(Option::is_some).collect();
        assert_eq!(open, [true, true, true, false, true, true, true]);
        assert_eq!(plan.arguments[0].to_str().unwrap(), "/usr/bin/node");
    }

    #[test]
    fn only_the_role_with_the_network_gets_the_card_and_the_name_servers() {
        let configuration = crate::network::Configuration {
            address: [10, 0, 2, 15].into(),
            prefix: 24,
            router: None,
            resolvers: vec![[10, 0, 2, 3].into(), [9, 9, 9, 9].into()],
        };
        let card = Card { name: "eth0".into(), configuration: Some(configuration), lease: None };
        for (role, has) in [("egress", true), ("gate", false)] {
            let process = crate::manifest::tests::process(role, role, 1001);
            let (input, output) = sys::pipe().unwrap();
            let (channel, _init) = sys::socket_pair().unwrap();
            let stores =
                Stores { artefacts: &HashMap::new(), keys: &HashMap::new(), boot_id: "00ff", has_disk: true, least_score: -1000, is_confined: true, partition: None, weights: &HashMap::new(), card: Some(&card) };
            let plan = Plan::make(&process, &stores, Vec::new(), Streams { input, output, is_screen: false, channel }).unwrap();
            let told = plan.environment.iter().any(|word| word.to_str().unwrap() == "CAPOS_RESOLVERS=10.0.2.3,9.9.9.9");
            assert_eq!((plan.card.is_some(), told), (has, has), "{role}");
        }
    }

    #[test]
    fn weights_and_states_are_visible_at_a_path_and_never_passed_as_descriptors() {
        let mut model = crate::manifest::tests::process("model.smol", "model-local", 1001);
        let file = |name: &str, what| crate::manifest::FileGrant { name: name.into(), what };
        model.files.push(file("weights", FileKind::Weights("weights.smol".into())));
        model.files.push(file("states", FileKind::States("states.smol".into())));
        let entry = |name: &str, device: &str| (name.to_owned(), device.to_owned());
        let known = HashMap::from([entry("weights.smol", "/dev/dm-3"), entry("states.smol", "/dev/dm-5")]);
        let without = HashMap::from([entry("weights.smol", "/dev/dm-3")]);
        for (weights, devices) in [(&known, Some(["/dev/dm-3", "/dev/dm-5"])), (&without, None), (&HashMap::new(), None)] {
            let (input, output) = sys::pipe().unwrap();
            let (channel, _init) = sys::socket_pair().unwrap();
            let stores = Stores { artefacts: &HashMap::new(), keys: &HashMap::new(), boot_id: "00ff", has_disk: true, partition: None, weights, card: None, least_score: -1000, is_confined: true };
            let plan = Plan::make(&model, &stores, Vec::new(), Streams { input, output, is_screen: false, channel }).ok();
            let seen = plan.as_ref().and_then(|plan| Some([plan.weights.as_deref()?, plan.states.as_deref()?]));
            assert_eq!(seen, devices);
            assert!(plan.is_none_or(|plan| plan.descriptors.len() == FIRST_GRANT));
        }
    }

    #[test]
    fn the_audit_gets_a_writable_partition_if_there_is_one() {
        let mut audit = crate::manifest::tests::process("audit", "audit", 1001);
        audit.files.push(crate::manifest::FileGrant { name: "log".into(), what: FileKind::Partition });
        for (partition, files) in [(Some("/dev/null"), "CAPOS_FILES=log=5"), (None, "CAPOS_FILES=")] {
            let (input, output) = sys::pipe().unwrap();
            let (channel, _init) = sys::socket_pair().unwrap();
            let stores = Stores { artefacts: &HashMap::new(), keys: &HashMap::new(), boot_id: "00ff", has_disk: true, partition, weights: &HashMap::new(), card: None, least_score: -1000, is_confined: true };
            let plan = Plan::make(&audit, &stores, Vec::new(), Streams { input, output, is_screen: false, channel }).unwrap();
            assert!(plan.environment.iter().any(|word| word.to_str().unwrap() == files), "{files}");
            if let Some(Some(descriptor)) = plan.descriptors.get(5) {
                assert_eq!(sys::write(descriptor, b"x").unwrap(), 1);
            }
        }
    }

    #[test]
    fn the_console_learns_whether_its_terminal_is_the_screen() {
        let process = crate::manifest::tests::process("console", "console", 1001);
        for is_screen in [true, false] {
            let (input, output) = sys::pipe().unwrap();
            let (channel, _init) = sys::socket_pair().unwrap();
            let stores = Stores { artefacts: &HashMap::new(), keys: &HashMap::new(), boot_id: "00ff", has_disk: true, partition: None, weights: &HashMap::new(), card: None, least_score: -1000, is_confined: true };
            let plan = Plan::make(&process, &stores, Vec::new(), Streams { input, output, is_screen, channel }).unwrap();
            assert_eq!(plan.environment.iter().any(|word| word.to_str().unwrap() == "CAPOS_SCREEN=1"), is_screen);
        }
    }

    #[test]
    fn without_a_disk_a_process_has_no_directory() {
        let notes = &honest().processes[1];
        for (has_disk, directory) in [(true, Some("notes")), (false, None)] {
            let (input, output) = sys::pipe().unwrap();
            let (channel, _init) = sys::socket_pair().unwrap();
            let stores = Stores { artefacts: &HashMap::new(), keys: &HashMap::new(), boot_id: "00ff", has_disk, partition: None, weights: &HashMap::new(), card: None, least_score: -1000, is_confined: true };
            let plan = Plan::make(notes, &stores, Vec::new(), Streams { input, output, is_screen: false, channel }).unwrap();
            assert_eq!(plan.directory.as_deref(), directory);
        }
    }
}
