//! The rollback floor: the highest version of a system that came up on this machine is kept on its data disk, and an older
//! one is refused, however well it is signed. Whoever holds the disk can take the floor away; only a TPM would show that.
//!
//! One file for each system, `/.capos/floor/SYSTEM`, with the version and a line's end. It is init's: services see their
//! own directory alone, and none can be named so. A file that cannot be read is no reason to accept everything.

use super::DISK;
use crate::manifest::Manifest;
use crate::refusal::{About as _, Checked, refuse};
use crate::version::is_at_least;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

const FOLDERS: [&str; 2] = [".capos", "floor"];
/// A version has at most 39 characters; what is longer is none.
const MOST_BYTES: u64 = 64;
const WHAT: &str = "the rollback floor on the data disk";

pub struct Floor {
    disk: PathBuf,
    system: String,
    version: String,
    /// What was accepted here before.
    pub kept: Option<String>,
}

/// Refuses what is older than what came up here before.
pub fn check(manifest: &Manifest) -> Checked<Floor> {
    check_on(Path::new(DISK), &manifest.system_id, &manifest.version)
}

fn check_on(disk: &Path, system: &str, version: &str) -> Checked<Floor> {
    let kept = read(&folder(disk).join(system)).about(WHAT)?;
    match &kept {
        Some(kept) if !is_at_least(kept, "0") => refuse(WHAT, "it names no version"),
        Some(kept) if !is_at_least(version, kept) => {
            refuse(format!("{system} {}", version.escape_default()), format!("older than the last one accepted here, {kept}"))
        }
        _ => Ok(Floor { disk: disk.into(), system: system.into(), version: version.into(), kept }),
    }
}

impl Floor {
    /// This version came up: from now on no older one does. It is on the disk before this returns, whole or not at all.
    pub fn raise(&self) -> io::Result<()> {
        if self.kept.as_deref() == Some(&self.version) {
            return Ok(());
        }
        let folder = make_folders(&self.disk)?;
        let fresh = folder.join(".new"); // no system is named so: names do not begin with a dot
        let flags = libc::O_NOFOLLOW | libc::O_CLOEXEC;
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).custom_flags(flags).open(&fresh)?;
        writeln!(file, "{}", self.version)?;
        file.sync_all()?;
        fs::rename(&fresh, folder.join(&self.system))?;
        File::open(&folder)?.sync_all()
    }
}

fn folder(disk: &Path) -> PathBuf {
    FOLDERS.iter().fold(disk.into(), |path, name| path.join(name))
}

/// Each folder is on the disk before something in it is.
fn make_folders(disk: &Path) -> io::Result<PathBuf> {
    let mut path = PathBuf::from(disk);
    for name in FOLDERS {
        let parent = path.clone();
        path.push(name);
        match DirBuilder::new().mode(0o700).create(&path) {
            Ok(()) => File::open(parent)?.sync_all()?,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Ok(path)
}

fn read(path: &Path) -> io::Result<Option<String>> {
    // What was put in its place may be a pipe, which nobody writes to: it reads as empty then, and is refused.
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_CLOEXEC;
    let file = match OpenOptions::new().read(true).custom_flags(flags).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut text = String::new();
    file.take(MOST_BYTES).read_to_string(&mut text)?;
    Ok(Some(text.trim_end_matches('\n').into()))
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// A floor under the banner's words; it lies nowhere.
    pub fn kept(version: Option<&str>) -> Floor {
        Floor { disk: PathBuf::new(), system: "lab".into(), version: "1.2.0".into(), kept: version.map(String::from) }
    }

    struct Disk(PathBuf);

    impl Disk {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("capos-floor-{name}-{}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn accept(&self, system: &str, version: &str) -> Result<Option<String>, String> {
            let floor = check_on(&self.0, system, version).map_err(|refusal| refusal.to_string())?;
            floor.raise().unwrap();
            Ok(floor.kept)
        }

        fn put(&self, text: &[u8]) {
            make_folders(&self.0).unwrap();
            fs::write(folder(&self.0).join("lab"), text).unwrap();
        }
    }

    impl Drop for Disk {
        fn drop(&mut self) {
            fs::remove_dir_all(&self.0).unwrap();
        }
    }

    #[test]
    fn an_older_version_is_refused_by_name_and_the_same_or_a_newer_one_is_not() {
        let disk = Disk::new("older");
        assert_eq!(disk.accept("lab", "1.9.0"), Ok(None));
        assert_eq!(disk.accept("lab", "1.9.0"), Ok(Some("1.9.0".into())));
        assert_eq!(disk.accept("lab", "1.10.0"), Ok(Some("1.9.0".into())));
        let refused = "refused: lab 1.9.0 — older than the last one accepted here, 1.10.0";
        assert_eq!(disk.accept("lab", "1.9.0"), Err(refused.into()));
        assert_eq!(disk.accept("lab", "1.10"), Ok(Some("1.10.0".into())));
    }

    #[test]
    fn systems_have_floors_of_their_own() {
        let disk = Disk::new("own");
        disk.accept("lab", "2.0.0").unwrap();
        assert_eq!(disk.accept("barn", "1.0.0"), Ok(None));
    }

    #[test]
    fn what_only_began_to_start_raises_nothing() {
        let disk = Disk::new("began");
        check_on(&disk.0, "lab", "9.0.0").unwrap();
        assert_eq!(disk.accept("lab", "1.0.0"), Ok(None));
    }

    #[test]
    fn a_floor_that_cannot_be_read_lets_nothing_start() {
        for text in [&b""[..], b"\n", b"newest\n", b"1.0\n2.0\n", &[0xff; 8], &[b'1'; 4096]] {
            let disk = Disk::new("odd");
            disk.put(text);
            let refused = disk.accept("lab", "99.0.0").unwrap_err();
            assert!(refused.starts_with(&format!("refused: {WHAT}")), "{text:?}: {refused}");
        }
    }

    #[test]
    fn a_pipe_in_its_place_is_not_waited_for() {
        let disk = Disk::new("pipe");
        let place = make_folders(&disk.0).unwrap().join("lab");
        let path = crate::sys::text(place.to_str().unwrap()).unwrap();
        // SAFETY: a C string.
        assert_eq!(unsafe { libc::mkfifo(path.as_ptr(), 0o600) }, 0);
        assert!(disk.accept("lab", "1.0.0").is_err());
    }

    #[test]
    fn no_link_is_followed_and_a_write_that_was_cut_short_is_begun_anew() {
        let disk = Disk::new("link");
        disk.put(b"1.0.0\n");
        fs::write(folder(&disk.0).join(".new"), "half of someth").unwrap();
        assert_eq!(disk.accept("lab", "1.1.0"), Ok(Some("1.0.0".into())));
        assert_eq!(disk.accept("lab", "1.1.0"), Ok(Some("1.1.0".into())), "nothing of the half is left");
        let place = folder(&disk.0).join("lab");
        fs::rename(&place, disk.0.join("elsewhere")).unwrap();
        symlink(disk.0.join("elsewhere"), &place).unwrap();
        assert!(disk.accept("lab", "1.1.0").is_err());
    }

    #[test]
    fn no_link_is_written_through() {
        let disk = Disk::new("through");
        fs::write(disk.0.join("elsewhere"), "of somebody else").unwrap();
        symlink(disk.0.join("elsewhere"), make_folders(&disk.0).unwrap().join(".new")).unwrap();
        assert!(check_on(&disk.0, "lab", "1.0.0").unwrap().raise().is_err());
        assert_eq!(fs::read_to_string(disk.0.join("elsewhere")).unwrap(), "of somebody else");
    }
}
