//! Prepares a run of an image on a host, without a virtual machine. The kernel and its settings are the host's, so the protections that
//! depend on them are measured first (`host/properties.rs`).

pub mod groups;
pub mod properties;
pub mod relay;
pub mod stage;
pub mod users;

use crate::boot::banner::{self, Facts};
use crate::boot::disk;
use crate::boot::keys;
use crate::boot::loops;
use crate::boot::mapper::{self, Access};
use crate::boot::mounts;
use crate::boot::network;
use crate::boot::room;
use crate::boot::running;
use crate::boot::secure_boot::Start;
use crate::boot::tree;
use crate::boot::verify::Verified;
use crate::boot::verity::{Treed, Watch};
use crate::boot::{Machine, floor_on_disk, require_trust};
use crate::digest;
use crate::iso::{Extent, Medium};
use crate::manifest::{Manifest, Network};
use crate::refusal::{About as _, Checked, refuse};
use crate::jail::NEVER_CHOSEN;
use properties::Property;
use std::collections::HashMap;
use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::{FileExt as _, PermissionsExt as _};

/// An image in a file of the host.
pub struct ImageFile {
    pub file: File,
    size: u64,
}

impl ImageFile {
    pub fn open(path: &str) -> io::Result<Self> {
        let file = File::open(path)?;
        Ok(Self { size: file.metadata()?.len(), file })
    }
}

impl Medium for ImageFile {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.file.read_exact_at(buffer, offset)
    }
}

/// The resources that a run gets from its host.
pub struct Host<'h> {
    pub image: &'h ImageFile,
    /// Path and file of the data disk.
    pub disk: Option<(&'h str, File)>,
    /// Properties that the person has named in `--without`: the host may lack them.
    pub without: &'h [Property],
    /// Number that is added to the user id of each process.
    pub first_user: u32,
}

/// Boots the image like `boot::boot`, but in the mount namespace that `stage` has prepared on the host.
pub fn boot(host: Host<'_>, verified: Verified) -> Checked<(Machine, Watch)> {
    let Verified { mut manifest, artefacts, treed, development } = verified;
    let start = Start::Media { because: "it runs on a host" };
    require_trust(&manifest, start)?;
    manifest.processes.iter_mut().for_each(|process| process.uid += host.first_user);
    room::limit_descriptors_on_host(count_descriptors(&manifest)).about("init's descriptors")?;
    mounts::devices().about("the devices of the jails")?;
    let mut watch = Watch::begin().about("the kernel's announcements")?;
    let weights = show_artefacts(&host, &manifest, treed, &mut watch)?;
    let partition = host.disk.map(|(path, file)| disk::prepare_file(&manifest, path, file)).transpose()?;
    let has_disk = partition.is_some();
    let floor = if has_disk { Some(floor_on_disk(&manifest)?) } else { None };
    let keys = keys::prepare(&manifest, has_disk)?;
    let card = match manifest.network {
        Network::None => Ok(None),
        Network::Dhcp | Network::Fixed(_) => Err("this run is on a host, which gives it no network card".into()),
    };
    let was_cut_off = has_disk && running::begin(&manifest.system_id).about("the data disk")?;
    let without: Vec<&'static str> = host.without.iter().map(|property| property.name()).collect();
    banner::show(&Facts {
        manifest: &manifest,
        start,
        without: &without,
        development,
        tables: manifest.artefact("tables").map(|blob| digest::hex(&blob.sha256[..8])),
        floor: floor.as_ref(),
        was_cut_off,
        card: &card,
        now: std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_secs()),
        memory: crate::sys::total_memory(),
    });
    let card: Option<network::Card> = card.unwrap_or_default();
    let is_counted = !host.without.contains(&Property::Cgroups);
    let is_confined = !host.without.contains(&Property::Landlock);
    let least_score = if host.without.contains(&Property::OomOrder) { 0 } else { NEVER_CHOSEN };
    Ok((Machine { manifest, artefacts, keys, weights, has_disk, partition, floor, card, is_counted, is_confined, least_score, without }, watch))
}

/// Returns how many descriptors init needs at once, at most: two for each connection, some for each process, and those in transfer.
fn count_descriptors(manifest: &Manifest) -> u64 {
    const OF_A_PROCESS: u64 = 12;
    const OTHERS: u64 = 1200;
    let connections: usize = manifest.processes.iter().map(|process| process.grants.len() + process.files.len()).sum();
    OTHERS + 2 * connections as u64 + OF_A_PROCESS * manifest.processes.len() as u64
}

/// Mounts the root, and returns the devices of weights by name. If `--without` names dm-verity, each artefact is verified here once, instead of at each read.
fn show_artefacts(host: &Host<'_>, manifest: &Manifest, treed: Vec<Treed>, watch: &mut Watch) -> Checked<HashMap<String, String>> {
    let mut weights = HashMap::new();
    let is_verified_once = host.without.contains(&Property::Verity);
    let whole = Extent { offset: 0, size: 0 };
    let attach = |extent| loops::attach(&host.image.file, extent, Access::ReadOnly);
    // The device mapper reads all trees and contents from one device. Without dm-verity, each verified artefact gets its own device.
    let medium = if is_verified_once { None } else { Some(attach(whole).about("a loop device")?) };
    for artefact in treed {
        let (name, path) = (artefact.name.clone(), artefact.path.clone());
        let device = match &medium {
            None => attach(verify_once(host.image, &artefact)?),
            Some(medium) => watch.map(&medium.number, artefact),
        };
        let device = device.about(&path)?;
        if name == manifest.root.name {
            mounts::root(&device.path).about(&path)?;
        } else {
            fs::set_permissions(&device.path, Permissions::from_mode(0o444)).about(&path)?;
            weights.insert(name, device.keep());
        }
    }
    Ok(weights)
}

/// Returns the extent of the artefact's content. Fails if the content is not the signed one.
fn verify_once(image: &ImageFile, artefact: &Treed) -> Checked<Extent> {
    let root = tree::root_hash(image, artefact.extent.offset, &artefact.verity).about(&artefact.path)?;
    if root != artefact.verity.root_hash {
        return refuse(&artefact.path, "its hash tree is not what the manifest says");
    }
    Ok(Extent { offset: artefact.extent.offset, size: artefact.verity.blocks() * crate::manifest::BLOCK })
}

/// Returns the names of all devices that the device mapper may make for this image.
fn device_names(treed: &[Treed]) -> Vec<String> {
    let artefacts = treed.iter().flat_map(|artefact| [artefact.device(), artefact.raw_device()]);
    artefacts.chain(disk::DEVICE_NAMES.map(String::from)).collect()
}

/// Sets the prefix of the names of a run's devices. Must be called before the first device is made.
pub fn begin_devices(run: u32) {
    mapper::begin_names(&format!("capos-host-{run}-"));
}

/// Removes the devices of a run that has ended, or was killed. A device that is still in use is removed when its last user closes it.
pub fn remove_devices(names: &[String]) {
    for name in names {
        // Errors are ignored, because most of the devices do not exist.
        let _ = mapper::remove_later(name);
    }
}

/// Returns the names of all devices that a run of this image may make, for `remove_devices`.
pub fn list_devices(verified: &Verified) -> Vec<String> {
    device_names(&verified.treed)
}

/// Locks a file of the host against other runs and against QEMU, as long as this process or its child has it open.
pub fn open_disk(path: &str) -> io::Result<File> {
    let file = File::options().read(true).write(true).open(path)?;
    // SAFETY: an all-zero struct is a lock over the whole file, once its kind is set.
    let mut lock: libc::flock = unsafe { std::mem::zeroed() };
    lock.l_type = libc::F_WRLCK as libc::c_short;
    // SAFETY: the struct is whole; the descriptor is open.
    let locked = crate::sys::check(unsafe { libc::fcntl(std::os::fd::AsRawFd::as_raw_fd(&file), libc::F_OFD_SETLK, &lock) });
    match locked {
        Err(error) if matches!(error.raw_os_error(), Some(libc::EAGAIN | libc::EACCES)) => {
            Err(io::Error::new(io::ErrorKind::ResourceBusy, "another machine or run uses it"))
        }
        other => other.map(|_| file),
    }
}
