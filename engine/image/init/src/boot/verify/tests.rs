//! Tests a valid image with a signed manifest, a table and a root, and copies of the image with one fault each.

use super::*;
use crate::digest::of_bytes;
use crate::iso::tests::image_of;
use crate::manifest_capnp::manifest;
use crate::trust::tests::{key, sign, trust_bytes};
use std::io::Read as _;

const COMMAND_LINE: &str = "BOOT_IMAGE=/boot/vmlinuz quiet initrd=/boot/initrd.img";
const TABLES: &str = "/capos/policy/tables.bin";
const ROOT: &str = "/boot/rootfs.erofs";

struct Given {
    files: Vec<(&'static str, Vec<u8>)>,
    command_line: &'static str,
}

fn manifest_bytes(system: &str, root: &[u8], tables: &[u8]) -> Vec<u8> {
    let mut message = capnp::message::Builder::new_default();
    let mut manifest: manifest::Builder = message.init_root();
    manifest.set_schema_version(2);
    manifest.set_system_id(system);
    manifest.set_version("1.2.0");
    manifest.reborrow().init_kernel_parameters(1).set(0, "quiet");
    let mut blob = manifest.reborrow().init_root();
    blob.set_name("root");
    blob.set_path(ROOT);
    blob.set_size(root.len() as u64);
    blob.set_sha256(&of_bytes(root));
    let mut tree = blob.init_verity();
    tree.set_content_bytes(2 * 4096);
    tree.set_root_hash(&[6; 32]);
    let mut blob = manifest.init_artefacts(1).get(0);
    blob.set_name("tables");
    blob.set_path(TABLES);
    blob.set_size(tables.len() as u64);
    blob.set_sha256(&of_bytes(tables));
    capnp::serialize::write_message_to_words(&message)
}

fn given(system: &str) -> Given {
    build_of(system, b"tables of policy", "1.2.0")
}

/// Returns a signed build of `system` with these tables.
fn build_of(system: &str, tables: &[u8], signed_as: &'static str) -> Given {
    let (root, tables) = (vec![7u8; 3 * 4096], tables.to_vec());
    let manifest = manifest_bytes(system, &root, &tables);
    let signature = sign(&key(), "lab", signed_as, &manifest);
    let files = vec![(ROOT, root), (MANIFEST, manifest), (SIGNATURE, signature), (TABLES, tables)];
    Given { files, command_line: COMMAND_LINE }
}

impl Given {
    fn file(&mut self, path: &str) -> &mut Vec<u8> {
        &mut self.files.iter_mut().find(|(name, _)| *name == path).expect("the image has this file").1
    }

    fn verified(&self) -> Checked<Verified> {
        let medium = image_of(&self.files);
        let trust = trust_bytes("lab", "1.0.0");
        let presented = Presented { medium: &medium, trust: &trust, command_line: Some(self.command_line) };
        verify(&presented, &|_| {})
    }
}

fn refusal(spoil: impl Fn(&mut Given)) -> String {
    let mut given = given("lab");
    spoil(&mut given);
    given.verified().err().expect("a spoiled image").to_string()
}

#[test]
fn a_valid_image_is_accepted_and_its_tables_are_in_sealed_memory() {
    let verified = given("lab").verified().unwrap();
    assert!(verified.development);
    let [root] = &verified.treed[..] else { panic!("one artefact has a tree") };
    assert_eq!((root.path.as_str(), root.extent.size, root.verity.root_hash), (ROOT, 3 * 4096, [6; 32]));
    let mut tables = &verified.artefacts["tables"];
    std::io::Seek::rewind(&mut tables).unwrap();
    let mut read = String::new();
    tables.read_to_string(&mut read).unwrap();
    assert_eq!(read, "tables of policy");
    assert!(std::io::Write::write(&mut tables, b"other").is_err());
}

#[test]
fn the_refusal_of_a_changed_byte_names_the_artefact() {
    let digest = "its digest is not what the manifest says";
    assert_eq!(refusal(|g| g.file(TABLES)[3] ^= 1), format!("refused: {TABLES} — {digest}"));
    // The kernel verifies each block of the root when it reads the block, so here only a wrong size of the root is refused.
    assert!(refusal(|g| g.file(ROOT).truncate(8192)).contains("8192 bytes, but the manifest says 12288"));
    let manifest = refusal(|g| *g.file(MANIFEST).last_mut().unwrap() ^= 1);
    assert_eq!(manifest, format!("refused: {MANIFEST} — its signature does not hold"));
}

#[test]
fn the_refusal_names_a_missing_file_or_a_file_of_another_size() {
    assert_eq!(refusal(|g| g.files.retain(|(name, _)| *name != SIGNATURE)), format!("refused: {SIGNATURE} — no manifest.bin.sig"));
    assert!(refusal(|g| g.file(TABLES).push(0)).contains("17 bytes, but the manifest says 16"));
    assert!(refusal(|g| g.file(MANIFEST).resize(MOST_BYTES as usize + 1, 0)).contains("above the limit of 2883584"));
    assert!(refusal(|g| g.file(SIGNATURE).resize(5000, 0)).contains("above the limit of 4096"));
}

#[test]
fn a_changed_command_line_is_refused() {
    let said = refusal(|g| g.command_line = "quiet init=/bin/sh");
    assert_eq!(said, "refused: the command line — 'init=/bin/sh' is not what the manifest says");
}

#[test]
fn a_signed_manifest_of_another_system_is_refused() {
    let said = given("barn").verified().err().unwrap().to_string();
    assert_eq!(said, format!("refused: {MANIFEST} — it is signed as another system or version"));
    let newer = refusal(|g| *g.file(SIGNATURE) = sign(&key(), "lab", "1.3.0", g.file(MANIFEST)));
    assert_eq!(newer, said);
}

#[test]
fn an_unsigned_manifest_is_refused_before_it_is_parsed() {
    // Every parser would refuse these bytes; the refusal names the signature, because that is checked first.
    let said = refusal(|g| *g.file(MANIFEST) = vec![0xff; 100]);
    assert_eq!(said, format!("refused: {MANIFEST} — its signature does not hold"));
}

const ALL: [&str; 4] = [ROOT, MANIFEST, SIGNATURE, TABLES];

/// Returns whether the refusal names the changed file. For a changed manifest the refusal may name the signature, and for a changed signature the manifest.
fn names(said: &str, path: &str) -> bool {
    let pair = [MANIFEST, SIGNATURE];
    let meant = if pair.contains(&path) { &pair[..] } else { std::slice::from_ref(&path) };
    meant.iter().any(|path| said.starts_with(&format!("refused: {path} — ")))
}

#[test]
fn a_truncated_or_padded_file_is_refused_by_its_name() {
    for path in ALL {
        let length = given("lab").file(path).len();
        for kept in [0, 1, length / 2, length - 8, length - 1] {
            let said = refusal(|g| g.file(path).truncate(kept));
            assert!(names(&said, path), "{path} cut to {kept}: {said}");
        }
        for added in [1, 8, 2048] {
            let said = refusal(|g| g.file(path).resize(length + added, 0));
            assert!(names(&said, path), "{path} with {added} more: {said}");
        }
    }
}

#[test]
fn swapped_files_are_refused_and_the_refusal_names_one_of_them() {
    for (index, one) in ALL.into_iter().enumerate() {
        for other in &ALL[index + 1..] {
            let said = refusal(|g| {
                let first = std::mem::take(g.file(one));
                let second = std::mem::replace(g.file(other), first);
                *g.file(one) = second;
            });
            assert!(names(&said, one) || names(&said, other), "{one} and {other}: {said}");
        }
    }
}

#[test]
fn each_file_of_another_build_is_refused_although_the_same_key_signed_that_build() {
    let other = || build_of("lab", b"tables of before", "1.2.0");
    assert!(other().verified().is_ok(), "the other build is honest");
    for path in [MANIFEST, SIGNATURE, TABLES] {
        let said = refusal(|g| *g.file(path) = std::mem::take(other().file(path)));
        assert!(names(&said, path), "{path}: {said}");
    }
    // The signature of the exchanged manifest is valid, but the table's digest differs from the one in the manifest.
    let said = refusal(|g| [MANIFEST, SIGNATURE].iter().for_each(|path| *g.file(path) = std::mem::take(other().file(path))));
    assert!(names(&said, TABLES), "{said}");
    // The exchanged signature is over the same bytes of the manifest, but states another version.
    let said = refusal(|g| *g.file(SIGNATURE) = std::mem::take(build_of("lab", b"tables of policy", "1.1.0").file(SIGNATURE)));
    assert!(names(&said, MANIFEST), "{said}");
}
