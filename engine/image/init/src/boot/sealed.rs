//! Checks the digests of the manifest's small artefacts before any artefact is used. Small artefacts are copied to sealed memory,
//! so that the checked bytes are those that are read. Artefacts with a hash tree are only located, because each read verifies them.

use super::verity::Treed;
use crate::digest;
use crate::iso::{Extent, Iso, Medium};
use crate::manifest::{Blob, Manifest};
use crate::refusal::{About as _, Checked, refuse};
use crate::sys::check;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::{AsRawFd as _, FromRawFd as _};

pub fn artefacts<M: Medium>(iso: &Iso<'_, M>, manifest: &Manifest) -> Checked<HashMap<String, File>> {
    let mut sealed = HashMap::new();
    for blob in manifest.artefacts.iter().filter(|blob| blob.verity.is_none()) {
        let extent = extent(iso, blob)?;
        let bytes = iso.read(&blob.path, extent.size).about(&blob.path)?;
        if digest::of_bytes(&bytes) != blob.sha256 {
            return refuse(&blob.path, "its digest is not what the manifest says");
        }
        sealed.insert(blob.name.clone(), seal(&blob.name, &bytes).about(&blob.path)?);
    }
    Ok(sealed)
}

/// Returns the root and the other artefacts with a hash tree, each with its extent; the root is first. Fails if an artefact is missing or has another size.
pub fn treed<M: Medium>(iso: &Iso<'_, M>, manifest: &Manifest) -> Checked<Vec<Treed>> {
    let mut found = Vec::new();
    for blob in [&manifest.root].into_iter().chain(&manifest.artefacts).filter(|blob| blob.verity.is_some()) {
        found.extend(Treed::of(blob, extent(iso, blob)?));
    }
    Ok(found)
}

fn extent<M: Medium>(iso: &Iso<'_, M>, blob: &Blob) -> Checked<Extent> {
    let extent = iso.find(&blob.path).about(&blob.path)?;
    match extent.size == blob.size {
        true => Ok(extent),
        false => refuse(&blob.path, format!("{} bytes, but the manifest says {}", extent.size, blob.size)),
    }
}

pub fn seal(name: &str, bytes: &[u8]) -> io::Result<File> {
    let name = crate::sys::text(name)?;
    // SAFETY: the pointer is to a C string; nothing else owns the new descriptor.
    let mut file = unsafe {
        File::from_raw_fd(check(libc::memfd_create(name.as_ptr(), libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING))?)
    };
    file.write_all(bytes)?;
    let seals = libc::F_SEAL_SEAL | libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_WRITE;
    // SAFETY: the call only adds seals to an open descriptor.
    check(unsafe { libc::fcntl(file.as_raw_fd(), libc::F_ADD_SEALS, seals) })?;
    Ok(file)
}
