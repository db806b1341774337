//! Makes keys on the data disk: 32 random bytes each, in a file that no process ever sees. The processes to which the manifest gives a key receive
//! a copy in sealed memory. A person with the disk can read the keys, unless the disk is encrypted; without a disk, the keys last one run.

use super::kept;
use super::places::DISK;
use super::sealed::seal;
use crate::manifest::{FileKind, Manifest};
use crate::refusal::{About as _, Checked};
use crate::sys;
use std::collections::HashMap;
use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// Name of the folder of the keys. It begins with a dot, unlike the directory of any service.
const FOLDER: &str = ".keys";
const KEY_BYTES: usize = 32;

/// Returns a copy of each key that the manifest gives to a process, by name.
pub fn prepare(manifest: &Manifest, has_disk: bool) -> Checked<HashMap<String, File>> {
    let mut keys = HashMap::new();
    for file in manifest.processes.iter().flat_map(|process| &process.files) {
        let FileKind::Key(name) = &file.what else { continue };
        let key = if has_disk { kept_in(Path::new(DISK), name) } else { new() };
        keys.insert(name.clone(), key.and_then(|key| seal(name, &key)).about(&format!("the key {name}"))?);
    }
    Ok(keys)
}

fn new() -> io::Result<[u8; KEY_BYTES]> {
    let mut key = [0; KEY_BYTES];
    sys::fill_random(&mut key).map(|()| key)
}

/// Returns the key in the file, and makes a key if there is none; after a power cut, the key is complete or missing.
fn kept_in(disk: &Path, name: &str) -> io::Result<[u8; KEY_BYTES]> {
    let folder = kept::make_folders(disk, &[FOLDER])?;
    fs::set_permissions(&folder, Permissions::from_mode(0o700))?;
    let path = folder.join(name);
    let Some(bytes) = kept::read(&path, KEY_BYTES as u64 + 1)? else {
        let key = new()?;
        return kept::write(&folder, name, &key).map(|()| key);
    };
    fs::set_permissions(&path, Permissions::from_mode(0o600))?;
    // A damaged key is not replaced: secrets sealed to it would be lost without notice.
    bytes.try_into().map_err(|_| io::Error::other(format!("its file does not hold {KEY_BYTES} bytes")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::env;

    fn disk(name: &str) -> std::path::PathBuf {
        let disk = env::temp_dir().join(format!("capos-keys-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&disk);
        fs::create_dir(&disk).unwrap();
        disk
    }

    #[test]
    fn a_key_is_made_once_and_only_root_can_read_it() {
        let disk = disk("born");
        let folder = disk.join(FOLDER);
        let key = kept_in(&disk, "secrets").unwrap();
        assert_eq!(kept_in(&disk, "secrets").unwrap(), key);
        assert_ne!(kept_in(&disk, "other").unwrap(), key);
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&folder), mode(&folder.join("secrets"))), (0o700, 0o600));
        assert!(!folder.join(".new").exists());
        fs::remove_dir_all(&disk).unwrap();
    }

    #[test]
    fn an_existing_key_is_used_and_a_damaged_one_or_a_link_or_a_pipe_is_refused() {
        let disk = disk("brought");
        let folder = disk.join(FOLDER);
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("secrets"), [7; 32]).unwrap();
        fs::set_permissions(folder.join("secrets"), Permissions::from_mode(0o644)).unwrap();
        assert_eq!(kept_in(&disk, "secrets").unwrap(), [7; 32]);
        assert_eq!(fs::metadata(folder.join("secrets")).unwrap().permissions().mode() & 0o777, 0o600);
        for size in [0, 31, 33] {
            fs::write(folder.join("secrets"), vec![7; size]).unwrap();
            assert_eq!(kept_in(&disk, "secrets").unwrap_err().to_string(), "its file does not hold 32 bytes", "{size}");
        }
        std::os::unix::fs::symlink("secrets", folder.join("link")).unwrap();
        assert!(kept_in(&disk, "link").is_err());
        let pipe = sys::text(folder.join("pipe").to_str().unwrap()).unwrap();
        // SAFETY: the pointer is to a C string.
        assert_eq!(unsafe { libc::mkfifo(pipe.as_ptr(), 0o600) }, 0);
        assert!(kept_in(&disk, "pipe").is_err(), "not waited for");
        fs::remove_dir_all(&disk).unwrap();
    }
}
