//! Runs one process of an image in its jail on this machine, for tests only. This program verifies the image like init,
//! and gives the process the same root, program, namespaces, paths and system calls. Two features need a separate
//! machine and are missing: control groups and dm-verity. Loop devices over the same extents replace dm-verity.
//!
//! `jailed IMAGE TRUST COMMAND_LINE PROCESS FOLDER`, as root. The folder has sockets `0`, `1`, …, one for each grant on the
//! process, in the manifest's order. The holder of each grant listens at its socket. The program prints `ready`, and at the
//! end how the process ended and its last output. The program ends the process if its own standard input is closed.

mod host;

use capos::boot::mounts;
use capos::boot::places::{DEVICES, DISK, JAIL, ROOT};
use capos::boot::verify::{Presented, Verified, verify};
use capos::channel::GrantLine;
use capos::iso::Medium;
use capos::manifest::{Manifest, Process};
use capos::supervise::grants::Served;
use capos::supervise::plan::Stores;
use capos::supervise::worker::Worker;
use capos::sys;
use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::os::unix::net::UnixStream;

struct Image {
    file: File,
    size: u64,
}

impl Medium for Image {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.file.read_exact_at(buffer, offset)
    }
}

fn main() -> io::Result<()> {
    let words: Vec<String> = std::env::args().collect();
    let [_, image, trust, command_line, name, folder] = words.as_slice() else {
        panic!("jailed IMAGE TRUST COMMAND_LINE PROCESS FOLDER")
    };
    let trust = std::fs::read(trust)?;
    let file = File::open(image)?;
    let medium = Image { size: file.metadata()?.len(), file };
    let presented = Presented { medium: &medium, trust: &trust, command_line: Some(command_line) };
    let verified = verify(&presented, &|_| {}).map_err(|refusal| io::Error::other(refusal.to_string()))?;
    let process = verified.manifest.processes.iter().find(|process| process.name == *name).ok_or(io::ErrorKind::NotFound)?;
    let served = grants_on(&verified.manifest, process)
        .enumerate()
        .map(|(index, line)| Ok(Served { line, end: UnixStream::connect(format!("{folder}/{index}"))?.into() }))
        .collect::<io::Result<Vec<_>>>()?;
    let (weights, _attached) = lay_out(image, &verified)?;
    let stores = Stores {
        artefacts: &verified.artefacts,
        keys: &HashMap::new(),
        boot_id: &"0".repeat(32),
        has_disk: false,
        least_score: -1000,
        is_confined: true,
        partition: None,
        card: None,
        weights: &weights,
    };
    let nobody_counts = |_: &_, _: &_| File::options().write(true).open("/dev/null");
    supervise(Worker::start(nobody_counts, process, &stores, Vec::new(), served)?)
}

/// Returns the grants in the form in which init announces them to the process.
fn grants_on<'m>(manifest: &'m Manifest, process: &'m Process) -> impl Iterator<Item = GrantLine> {
    let all = manifest.processes.iter().flat_map(|holder| holder.grants.iter().map(move |grant| (holder, grant)));
    all.filter(|(_, grant)| grant.provider == process.name).map(|(holder, grant)| GrantLine {
        badge: grant.badge,
        interface_id: grant.interface_id,
        holder: holder.name.clone(),
        name: grant.name.clone(),
    })
}

/// Gives this process the same files that init finds on a machine. Returns the paths of the
/// devices of weights by name, and the open files that keep these devices in existence.
fn lay_out(image: &str, verified: &Verified) -> io::Result<(HashMap<String, String>, Vec<File>)> {
    let attached = verified.treed.iter().map(|treed| host::attach(image, treed.extent)).collect::<io::Result<Vec<_>>>()?;
    host::leave_root(&[ROOT, JAIL, DEVICES, DISK, "/proc", "/dev"])?;
    mounts::devices()?;
    std::os::unix::fs::symlink(format!("{DEVICES}/null"), "/dev/null")?;
    let mut weights = HashMap::new();
    for (treed, device) in verified.treed.iter().zip(&attached) {
        let path = format!("/dev/{}", treed.name);
        host::node(&path, device.number)?;
        if treed.name == verified.manifest.root.name {
            mounts::root(&path)?;
        } else {
            weights.insert(treed.name.clone(), path);
        }
    }
    Ok((weights, attached.into_iter().map(|device| device.file).collect()))
}

fn supervise(mut worker: Worker) -> io::Result<()> {
    let input = io::stdin();
    loop {
        let mut watched = worker.watched();
        watched.push(sys::watch(&input, libc::POLLIN));
        sys::poll(&mut watched, None)?;
        if watched.last().is_some_and(|input| input.revents != 0) {
            worker.kill();
        }
        if let Some(fate) = worker.turn(sys::now()) {
            println!("{fate}");
            worker.last_words().iter().for_each(|line| println!("{line}"));
            return Ok(());
        }
        if worker.became_ready() {
            println!("ready");
        }
    }
}
