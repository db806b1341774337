//! Verifies a whole medium, from its first sector to the last digest. This module mounts and starts nothing, so its tests
//! run on images in memory.

use super::sealed;
use super::verity::Treed;
use super::weights;
use crate::iso::{Iso, Medium};
use crate::manifest::{MOST_BYTES, Manifest};
use crate::parameters;
use crate::refusal::{About as _, Checked, refuse};
use crate::trust::{Purpose, Trust};
use std::collections::HashMap;
use std::fs::File;

const MOST_SIGNATURE_BYTES: u64 = 4096;
const MANIFEST: &str = "/capos/manifest.bin";
const SIGNATURE: &str = "/capos/manifest.bin.sig";

/// Inputs of the start: the medium, the trusted keys, and the kernel's command line, which is `None` if the image did not start this kernel.
pub struct Presented<'p, M: Medium> {
    pub medium: &'p M,
    pub trust: &'p [u8],
    pub command_line: Option<&'p str>,
}

pub struct Verified {
    pub manifest: Manifest,
    /// Artefacts by name, in sealed memory.
    pub artefacts: HashMap<String, File>,
    /// Artefacts that are read from the medium, the root first.
    pub treed: Vec<Treed>,
    pub development: bool,
}

pub fn verify<M: Medium>(presented: &Presented<'_, M>, stage: &dyn Fn(&str)) -> Checked<Verified> {
    let trust = Trust::read(presented.trust).about("trust.bin")?;
    let iso = Iso::open(presented.medium).about("the medium")?;
    let signature = iso.read(SIGNATURE, MOST_SIGNATURE_BYTES).about(SIGNATURE)?;
    let raw = iso.read(MANIFEST, MOST_BYTES).about(MANIFEST)?;
    let signed = trust.check(Purpose::Image, &raw, &signature).about(MANIFEST)?;
    let manifest = Manifest::read(&raw).about(MANIFEST)?;
    if manifest.system_id != signed.system_id || manifest.version != signed.version {
        return refuse(MANIFEST, "it is signed as another system or version");
    }
    if let Some(line) = presented.command_line {
        parameters::check(line, &manifest.kernel_parameters).about("the command line")?;
    }
    stage("signature");
    let artefacts = sealed::artefacts(&iso, &manifest)?;
    weights::check(&iso, &manifest, &artefacts, &trust)?;
    let treed = sealed::treed(&iso, &manifest)?;
    stage("digests");
    Ok(Verified { manifest, artefacts, treed, development: trust.development })
}

#[cfg(test)]
mod tests;
