//! Stores the rollback floor on the data disk: the highest version of a system that started on this machine. An older
//! version is refused even with a valid signature. A thief of the disk can remove the floor; only a TPM would detect that.
//!
//! There is one file for each system, `/.capos/floor/SYSTEM`, with the version and a line end. Only init reads this file: a service sees
//! only its own directory, and no directory of a service is called `.capos`. If the file cannot be read, every version is refused.

use super::kept;
use super::places::DISK;
use crate::manifest::Manifest;
use crate::refusal::{About as _, Checked, refuse};
use crate::version::is_at_least;
use std::io;
use std::path::{Path, PathBuf};

const FOLDERS: [&str; 2] = [".capos", "floor"];
/// Maximum bytes to read of the file: a version has at most 39 characters, and a longer one is invalid.
const MOST_BYTES: u64 = 64;
const WHAT: &str = "the rollback floor on the data disk";

pub struct Floor {
    disk: PathBuf,
    system: String,
    version: String,
    /// Version that was accepted on this disk before; `None` at the first start.
    pub kept: Option<String>,
}

/// Refuses a version older than one that started here before.
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
    /// Stores the version durably, completely or not at all. From then on, older versions are refused.
    pub fn raise(&self) -> io::Result<()> {
        if self.kept.as_deref() == Some(&self.version) {
            return Ok(());
        }
        kept::write(&make_folders(&self.disk)?, &self.system, format!("{}\n", self.version).as_bytes())
    }
}

fn folder(disk: &Path) -> PathBuf {
    FOLDERS.iter().fold(disk.into(), |path, name| path.join(name))
}

fn make_folders(disk: &Path) -> io::Result<PathBuf> {
    kept::make_folders(disk, &FOLDERS)
}

fn read(path: &Path) -> io::Result<Option<String>> {
    let Some(bytes) = kept::read(path, MOST_BYTES)? else { return Ok(None) };
    let text = String::from_utf8(bytes).map_err(io::Error::other)?;
    Ok(Some(text.trim_end_matches('\n').into()))
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    /// Returns a floor for tests of the banner; it has no file.
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
    fn an_older_version_is_refused_by_name_and_an_equal_or_newer_one_is_accepted() {
        let disk = Disk::new("older");
        assert_eq!(disk.accept("lab", "1.9.0"), Ok(None));
        assert_eq!(disk.accept("lab", "1.9.0"), Ok(Some("1.9.0".into())));
        assert_eq!(disk.accept("lab", "1.10.0"), Ok(Some("1.9.0".into())));
        let refused = "refused: lab 1.9.0 — older than the last one accepted here, 1.10.0";
        assert_eq!(disk.accept("lab", "1.9.0"), Err(refused.into()));
        assert_eq!(disk.accept("lab", "1.10"), Ok(Some("1.10.0".into())));
    }

    #[test]
    fn each_system_has_its_own_version_floor() {
        let disk = Disk::new("own");
        disk.accept("lab", "2.0.0").unwrap();
        assert_eq!(disk.accept("barn", "1.0.0"), Ok(None));
    }

    #[test]
    fn an_incomplete_start_does_not_raise_the_version_floor() {
        let disk = Disk::new("began");
        check_on(&disk.0, "lab", "9.0.0").unwrap();
        assert_eq!(disk.accept("lab", "1.0.0"), Ok(None));
    }

    #[test]
    fn an_unreadable_version_floor_prevents_every_start() {
        for text in [&b""[..], b"\n", b"newest\n", b"1.0\n2.0\n", &[0xff; 8], &[b'1'; 4096]] {
            let disk = Disk::new("odd");
            disk.put(text);
            let refused = disk.accept("lab", "99.0.0").unwrap_err();
            assert!(refused.starts_with(&format!("refused: {WHAT}")), "{text:?}: {refused}");
        }
    }

    #[test]
    fn a_pipe_in_place_of_the_version_floor_is_refused_without_waiting() {
        for name in ["lab", ".new"] {
            let disk = Disk::new("pipe");
            let place = make_folders(&disk.0).unwrap().join(name);
            let path = crate::sys::text(place.to_str().unwrap()).unwrap();
            // SAFETY: the pointer is to a C string.
            assert_eq!(unsafe { libc::mkfifo(path.as_ptr(), 0o600) }, 0);
            assert!(check_on(&disk.0, "lab", "1.0.0").map_or(true, |floor| floor.raise().is_err()), "{name}");
        }
    }

    #[test]
    fn a_link_in_place_of_the_version_floor_is_refused_and_an_interrupted_write_starts_again() {
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
    fn a_write_does_not_follow_a_link() {
        let disk = Disk::new("through");
        fs::write(disk.0.join("elsewhere"), "of somebody else").unwrap();
        symlink(disk.0.join("elsewhere"), make_folders(&disk.0).unwrap().join(".new")).unwrap();
        assert!(check_on(&disk.0, "lab", "1.0.0").unwrap().raise().is_err());
        assert_eq!(fs::read_to_string(disk.0.join("elsewhere")).unwrap(), "of somebody else");
    }
}
