//! Derives a key pair from an unseen passphrase. Neither the passphrase nor the key leaves this process; only a signature does. The
//! signature is an SSHSIG over the requested line, as `ssh-keygen -Y sign` would make it.

use crate::luks::{Cost, derive};
use base64ct::{Base64, Encoding as _};
use ed25519_dalek::{Signer as _, SigningKey};
use sha2::{Digest as _, Sha512};
use zeroize::Zeroizing;

/// OWASP's minimum for argon2id. It takes half a second on an emulated machine, and less than a third of the memory that the
/// passphrase of a data disk takes. This passphrase only opens one session; the holder of the disk can read the session's data without
/// it. Guesses at the console are limited to five in five minutes. `wire.capnp` states the same cost; another cost needs another schema.
const COST: Cost = Cost { kibibytes: 19 << 10, passes: 2, lanes: 1 };
pub const LEAST_SALT: usize = 16;
pub const MOST_SALT: usize = 64;

const MAGIC: &[u8] = b"SSHSIG";
const ALGORITHM: &[u8] = b"ssh-ed25519";
const HASH: &[u8] = b"sha512";
/// Characters in one row of the armour, as in OpenSSH.
const ROW: usize = 70;

/// Returns the namespace of a signature for a login or for a step-up; a signature for one is not valid for the other.
pub fn namespace(is_login: bool) -> &'static str {
    if is_login { "login@capos" } else { "stepup@capos" }
}

/// Returns the armoured signature of a line by the key of a passphrase. The error is a sentence.
pub fn sign(passphrase: &[u8], salt: &[u8], namespace: &str, line: &str) -> Result<String, String> {
    let derived = derive(passphrase, salt, COST)?;
    let mut seed = Zeroizing::new([0; 32]);
    seed.copy_from_slice(&derived[..32]);
    let key = SigningKey::from_bytes(&seed);
    let digest = Sha512::digest(line.as_bytes());
    let reserved: &[u8] = b"";
    let signed = [MAGIC, &fields(&[namespace.as_bytes(), reserved, HASH, &digest])].concat();
    let made = fields(&[ALGORITHM, &key.sign(&signed).to_bytes()]);
    let public = fields(&[ALGORITHM, key.verifying_key().as_bytes()]);
    let version = 1_u32.to_be_bytes();
    let envelope = fields(&[&public, namespace.as_bytes(), reserved, HASH, &made]);
    Ok(armour(&[MAGIC, &version, &envelope].concat()))
}

/// Returns strings of RFC 4251, one after the other.
fn fields(strings: &[&[u8]]) -> Vec<u8> {
    strings.iter().flat_map(|string| [&(string.len() as u32).to_be_bytes()[..], string].concat()).collect()
}

fn armour(bytes: &[u8]) -> String {
    let text = Base64::encode_string(bytes);
    let rows: Vec<&str> = (0..text.len()).step_by(ROW).map(|at| &text[at..text.len().min(at + ROW)]).collect();
    format!("-----BEGIN SSH SIGNATURE-----\n{}\n-----END SSH SIGNATURE-----\n", rows.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;
    use std::process::{Command, Stdio};

    const SALT: &[u8] = b"sixteen bytes of";

    /// Checks that the key is zeroed: it must not stay in memory, because it can sign at every later question.
    #[test]
    fn the_key_is_zeroed_after_its_use() {
        fn is_zeroed<T: zeroize::ZeroizeOnDrop>(_: &T) {}
        is_zeroed(&SigningKey::from_bytes(&[7; 32]));
    }

    #[test]
    fn ssh_keygen_verifies_the_signature_for_its_line_and_for_no_other() {
        let folder = std::env::temp_dir().join(format!("capos-passphrase-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("signature");
        std::fs::write(&file, sign(b"correct horse", SALT, "login@capos", "the line").unwrap()).unwrap();
        let accepts = |namespace: &str, line: &str| {
            let mut words = vec!["-q", "-Y", "check-novalidate", "-n", namespace, "-s"];
            words.push(file.to_str().unwrap());
            let program = Command::new("ssh-keygen").args(words).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
            let mut program = program.expect("ssh-keygen, of the package openssh-client");
            program.stdin.take().unwrap().write_all(line.as_bytes()).unwrap();
            program.wait().unwrap().success()
        };
        assert!(accepts("login@capos", "the line"));
        assert!(!accepts("stepup@capos", "the line"));
        assert!(!accepts("login@capos", "the line "));
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn another_passphrase_or_another_salt_gives_another_key() {
        let made = |words: &[u8], salt: &[u8]| sign(words, salt, "login@capos", "x").unwrap();
        assert_eq!(made(b"correct horse", SALT), made(b"correct horse", SALT));
        assert_ne!(made(b"correct horse", SALT), made(b"correct horsf", SALT));
        assert_ne!(made(b"correct horse", SALT), made(b"correct horse", b"sixteen bytes og"));
    }
}
