//! Keys that are born on the data disk: 32 random bytes each, in a file that no process ever sees. Their holders are handed
//! a copy in sealed memory. Who reads the disk reads them, unless it is encrypted; on no disk, they last one run.

use super::DISK;
use super::sealed::seal;
use crate::manifest::{FileKind, Manifest};
use crate::refusal::{About as _, Checked};
use crate::sys;
use std::collections::HashMap;
use std::fs::{self, File, Permissions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

/// No service's directory begins with a dot.
const FOLDER: &str = ".keys";
const KEY_BYTES: usize = 32;

/// A copy of each key that the manifest gives to a process, by name.
pub fn prepare(manifest: &Manifest, has_disk: bool) -> Checked<HashMap<String, File>> {
    let mut keys = HashMap::new();
    for file in manifest.processes.iter().flat_map(|process| &process.files) {
        let FileKind::Key(name) = &file.what else { continue };
        let key = if has_disk { kept(&Path::new(DISK).join(FOLDER), name) } else { new() };
        keys.insert(name.clone(), key.and_then(|key| seal(name, &key)).about(&format!("the key {name}"))?);
    }
    Ok(keys)
}

fn new() -> io::Result<[u8; KEY_BYTES]> {
    let mut key = [0; KEY_BYTES];
    sys::fill_random(&mut key).map(|()| key)
}

/// The key in the file, which is made where there is none: a whole one or none, whenever the power is cut.
fn kept(folder: &Path, name: &str) -> io::Result<[u8; KEY_BYTES]> {
    if let Err(error) = fs::create_dir(folder) {
        if error.kind() != io::ErrorKind::AlreadyExists {
            return Err(error);
        }
    }
    fs::set_permissions(folder, Permissions::from_mode(0o700))?;
    let path = folder.join(name);
    match File::options().read(true).custom_flags(libc::O_NOFOLLOW).open(&path) {
        Ok(file) => read(file),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let key = new()?;
            let made = folder.join(".new");
            let mut file = File::options().write(true).create(true).truncate(true).mode(0o600).open(&made)?;
            file.write_all(&key)?;
            file.sync_all()?;
            fs::rename(&made, &path)?;
            File::open(folder)?.sync_all()?;
            Ok(key)
        }
        Err(error) => Err(error),
    }
}

/// One that is damaged is not made anew: what is sealed to it would be lost without a word.
fn read(file: File) -> io::Result<[u8; KEY_BYTES]> {
    file.set_permissions(Permissions::from_mode(0o600))?;
    let mut bytes = Vec::new();
    file.take(KEY_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    bytes.try_into().map_err(|_| io::Error::other(format!("its file does not hold {KEY_BYTES} bytes")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::env;

    fn folder(name: &str) -> std::path::PathBuf {
        let folder = env::temp_dir().join(format!("capos-keys-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    #[test]
    fn a_key_is_born_once_and_nobody_else_reads_it() {
        let folder = folder("born");
        let key = kept(&folder, "secrets").unwrap();
        assert_eq!(kept(&folder, "secrets").unwrap(), key);
        assert_ne!(kept(&folder, "other").unwrap(), key);
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&folder), mode(&folder.join("secrets"))), (0o700, 0o600));
        assert!(!folder.join(".new").exists());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn one_that_was_brought_is_taken_and_one_that_is_damaged_or_a_link_is_refused() {
        let folder = folder("brought");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("secrets"), [7; 32]).unwrap();
        assert_eq!(kept(&folder, "secrets").unwrap(), [7; 32]);
        for size in [0, 31, 33] {
            fs::write(folder.join("secrets"), vec![7; size]).unwrap();
            assert_eq!(kept(&folder, "secrets").unwrap_err().to_string(), "its file does not hold 32 bytes", "{size}");
        }
        std::os::unix::fs::symlink("secrets", folder.join("link")).unwrap();
        assert!(kept(&folder, "link").is_err());
        fs::remove_dir_all(&folder).unwrap();
    }
}
