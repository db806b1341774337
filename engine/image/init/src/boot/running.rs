//! Notes whether the last run ended cleanly: a file on the data disk exists from each start to the clean end. A call that only
//! reads and needs no approval is recorded after it has ended, so a power cut may leave no record of it.
//!
//! There is one file for each system, `/.capos/running/SYSTEM`, beside that of the rollback floor.

use super::kept;
use super::places::DISK;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

const FOLDERS: [&str; 2] = [".capos", "running"];
/// Maximum bytes to read of the file: none, because only the existence of the file matters.
const MOST_BYTES: u64 = 0;

/// Notes that this system runs. Returns whether the system's last run did not end cleanly.
pub fn begin(system: &str) -> io::Result<bool> {
    begin_on(Path::new(DISK), system)
}

/// Notes a clean end: everything in progress has been recorded.
pub fn end(system: &str) -> io::Result<()> {
    end_on(Path::new(DISK), system)
}

fn begin_on(disk: &Path, system: &str) -> io::Result<bool> {
    let folder = kept::make_folders(disk, &FOLDERS)?;
    let was_cut_off = kept::read(&folder.join(system), MOST_BYTES)?.is_some();
    if !was_cut_off {
        kept::write(&folder, system, b"\n")?;
    }
    Ok(was_cut_off)
}

fn end_on(disk: &Path, system: &str) -> io::Result<()> {
    let folder: PathBuf = FOLDERS.iter().fold(disk.into(), |path, name| path.join(name));
    match fs::remove_file(folder.join(system)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => File::open(folder)?.sync_all(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_without_a_clean_end_is_reported_at_each_start_until_a_run_ends_cleanly() {
        let disk = std::env::temp_dir().join(format!("capos-running-{}", std::process::id()));
        fs::create_dir_all(&disk).unwrap();
        let begun = || begin_on(&disk, "lab").unwrap();
        assert!(!begun());
        assert!(begun() && begun());
        assert!(!begin_on(&disk, "barn").unwrap(), "systems of one disk have files of their own");
        end_on(&disk, "lab").unwrap();
        assert!(!begun());
        end_on(&disk, "lab").unwrap();
        end_on(&disk, "lab").unwrap();
        assert!(!begun());
        fs::remove_dir_all(&disk).unwrap();
    }
}
