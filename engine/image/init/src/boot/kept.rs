//! Small files that init itself stores on the data disk. The disk may have been in another machine, so init follows no link,
//! waits for no pipe, and reads no more bytes than it ever writes. After a power cut, a file has its old or its new content.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// With `O_NONBLOCK`, opening a pipe does not wait for a writer, and reading a pipe without a writer returns no bytes.
const FLAGS: libc::c_int = libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_CLOEXEC;

/// Makes the missing folders, one inside the other. Each folder is written to the disk before its content.
pub fn make_folders(disk: &Path, names: &[&str]) -> io::Result<PathBuf> {
    let mut path = PathBuf::from(disk);
    for name in names {
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

/// Returns the first `most` bytes, or `None` if the file does not exist.
pub fn read(path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    let file = match OpenOptions::new().read(true).custom_flags(FLAGS).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

/// Writes a file durably, completely or not at all. Names must not begin with a dot, like `.new`, which is written first and renamed.
pub fn write(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let fresh = folder.join(".new");
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).custom_flags(FLAGS).open(&fresh)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&fresh, folder.join(name))?;
    File::open(folder)?.sync_all()
}
