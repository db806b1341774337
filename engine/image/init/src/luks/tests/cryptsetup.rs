//! Debian's cryptsetup makes headers, and checks those that this module makes. cryptsetup works on files; no test needs the device mapper.

use super::*;
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A partition in a separate file, which is deleted when this value is dropped.
struct Image(PathBuf);

impl Image {
    fn new(name: &str, bytes: &[u8]) -> Self {
        let path = std::env::temp_dir().join(format!("capos-luks-{}-{name}", std::process::id()));
        fs::write(&path, bytes).unwrap();
        Self(path)
    }

    /// Makes a partition with cryptsetup, and with a cheap argon2id unless `words` state another derivation.
    fn formatted(name: &str, words: &[&str]) -> Self {
        let image = Self::new(name, &vec![0; 20 * MIB]);
        let cheap = ["--pbkdf", "argon2id", "--pbkdf-memory", "1024", "--pbkdf-force-iterations", "4"];
        let words: Vec<&str> = if words.contains(&"--pbkdf") { words.into() } else { [&cheap, words].concat() };
        image.expect("luksFormat", &[&["-q", "--type", "luks2"], &words[..]].concat(), PASSPHRASE);
        image
    }

    /// Runs an action of cryptsetup with this passphrase.
    fn run(&self, action: &str, words: &[&str], passphrase: &[u8]) -> Output {
        let path = format!("{}:/usr/sbin:/sbin", std::env::var("PATH").unwrap());
        let mut command = Command::new("cryptsetup");
        command.env("PATH", path).args([action, "--key-file", "-"]).args(words);
        // The second operand of `luksChangeKey` is the file with the new passphrase.
        let (image, more) = (self.0.as_os_str(), if action == "luksChangeKey" { Some(self.other()) } else { None });
        command.arg(image).args(more).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut running = command.spawn().expect("cryptsetup, of Debian's cryptsetup-bin");
        running.stdin.take().unwrap().write_all(passphrase).unwrap();
        running.wait_with_output().unwrap()
    }

    fn expect(&self, action: &str, words: &[&str], passphrase: &[u8]) -> String {
        let output = self.run(action, words, passphrase);
        assert!(output.status.success(), "{action}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    fn accepts(&self, passphrase: &[u8]) -> bool {
        self.run("open", &["--test-passphrase"], passphrase).status.success()
    }

    /// Returns the key of the data, according to cryptsetup.
    fn key(&self) -> Vec<u8> {
        let place = self.0.with_extension("key");
        let words = ["-q", "--dump-volume-key", "--volume-key-file", place.to_str().unwrap()];
        self.expect("luksDump", &words, PASSPHRASE);
        let key = fs::read(&place).unwrap();
        fs::remove_file(place).unwrap();
        key
    }

    /// Returns the path of the file from which cryptsetup reads a new passphrase.
    fn other(&self) -> PathBuf {
        self.0.with_extension("other")
    }

    fn bytes(&self) -> Vec<u8> {
        fs::read(&self.0).unwrap()
    }
}

impl Drop for Image {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
        let _ = fs::remove_file(self.other());
    }
}

#[test]
fn cryptsetup_opens_our_headers_and_finds_the_same_key() {
    let (bytes, opened) = made(3);
    let image = Image::new("ours", &bytes);
    let told = image.expect("luksDump", &[], b"");
    for words in ["argon2id", "aes-xts-plain64", "offset: 2097152 [bytes]", "sector: 4096 [bytes]", "Area length:258048"] {
        assert!(told.contains(words), "{words}: {told}");
    }
    assert!(image.accepts(PASSPHRASE) && !image.accepts(b"another"));
    assert_eq!(image.key(), *opened.key);
    assert_eq!(image.bytes(), bytes, "it found nothing to repair");
}

#[test]
fn a_passphrase_that_cryptsetup_changed_opens_the_disk() {
    let (bytes, opened) = made(4);
    let image = Image::new("changed", &bytes);
    fs::write(image.other(), b"a new one").unwrap();
    image.expect("luksChangeKey", &["-q", "--pbkdf", "argon2id", "--pbkdf-memory", "1024", "--pbkdf-force-iterations", "4"], PASSPHRASE);
    let changed = image.bytes();
    assert!(open(&changed, PASSPHRASE).unwrap().is_none());
    assert_eq!(*open(&changed, b"a new one").unwrap().unwrap().key, *opened.key);
}

#[test]
fn our_reader_opens_default_headers_of_cryptsetup_with_the_same_key() {
    let kinds: [&[&str]; 4] = [
        &[],
        &["--sector-size", "512"],
        &["--luks2-metadata-size", "32k", "--luks2-keyslots-size", "1m", "--pbkdf-parallel", "4"],
        &["--luks2-metadata-size", "64k", "--label", "a label"],
    ];
    for (index, words) in kinds.iter().enumerate() {
        let image = Image::formatted(&format!("theirs-{index}"), words);
        let bytes = image.bytes();
        let opened = open(&bytes, PASSPHRASE).unwrap().unwrap_or_else(|| panic!("{words:?}"));
        assert_eq!(*opened.key, image.key(), "{words:?}");
        assert_eq!(opened.sector, if index == 1 { 512 } else { 4096 });
        assert_eq!(opened.extent.offset + opened.extent.size, bytes.len() as u64);
        assert!(open(&bytes, b"another").unwrap().is_none());
    }
}

#[test]
fn other_headers_of_cryptsetup_are_refused_with_a_reason() {
    // Debian's cryptsetup cannot make other ciphers on a file; `spoiled.rs` tests headers with them.
    let kinds: [(&[&str], &str); 4] = [
        (&["--pbkdf", "pbkdf2", "--pbkdf-force-iterations", "1000"], "keyslot 0: its type is not argon2id"),
        (&["--pbkdf", "argon2i", "--pbkdf-memory", "1024", "--pbkdf-force-iterations", "4"], "its type is not argon2id"),
        (&["--key-size", "256"], "its keys are not of 512 bits"),
        (&["--hash", "sha512"], "its hash is not sha256"),
    ];
    for (index, (words, wanted)) in kinds.iter().enumerate() {
        let image = Image::formatted(&format!("refused-{index}"), words);
        let why = Locked::read(&image.bytes()).err().unwrap_or_else(|| panic!("{words:?}"));
        assert!(why.contains(wanted), "{words:?}: {why}");
    }
}
