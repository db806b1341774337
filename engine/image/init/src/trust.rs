//! Checks signatures, and whether their keys may sign for the purpose of the signature. The signature is verified over the raw bytes of the
//! manifest before any of them is parsed.

use crate::digest::{Digest, hex, of_bytes};
use crate::manifest_capnp::{signature, trust};
use crate::version::is_at_least;
use capnp::message::ReaderOptions;
use ed25519_dalek::{Signature as Ed25519Signature, VerifyingKey};

pub use crate::manifest_capnp::trust::Purpose;

/// Schema version of trust.bin and of signatures; the manifest has its own version.
const SCHEMA_VERSION: u32 = 1;
const MOST_KEYS: u32 = 64;

/// The keys in the initrd, whose signatures init accepts, and the system for which they sign.
pub struct Trust {
    pub system_id: String,
    pub development: bool,
    least_version: String,
    keys: Vec<(Vec<u8>, Vec<Purpose>)>,
}

/// System and version that a signature covers, besides the bytes.
pub struct Signed {
    pub system_id: String,
    pub version: String,
}

pub type Judged<T> = Result<T, String>;

/// Limits for reading every untrusted Cap'n Proto message.
pub fn limits(bytes: usize) -> ReaderOptions {
    ReaderOptions { traversal_limit_in_words: Some(bytes / 8 * 4 + 1024), nesting_limit: 32 }
}

/// Reads a message with the standard header. Fails if the message has several segments, or if other bytes follow it.
pub fn message(bytes: &[u8]) -> Judged<capnp::message::Reader<capnp::serialize::OwnedSegments>> {
    if bytes.len() < 8 || bytes[..4] != [0; 4] {
        return Err("not a message of one segment".into());
    }
    let words = u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]) as usize;
    if bytes.len() != 8 + words * 8 {
        return Err("its length is not what its header says".into());
    }
    capnp::serialize::read_message(bytes, limits(bytes.len())).map_err(words_of)
}

pub fn words_of(error: capnp::Error) -> String {
    format!("malformed: {error}")
}

pub fn text(field: capnp::Result<capnp::text::Reader<'_>>) -> Judged<String> {
    let text = field.map_err(words_of)?;
    text.to_str().map(String::from).map_err(|_| "malformed: text that is not UTF-8".into())
}

impl Trust {
    pub fn read(bytes: &[u8]) -> Judged<Self> {
        let message = message(bytes)?;
        let root: trust::Reader = message.get_root().map_err(words_of)?;
        check_schema(root.get_schema_version(), SCHEMA_VERSION)?;
        let listed = root.get_keys().map_err(words_of)?;
        if listed.len() > MOST_KEYS {
            return Err("too many keys".into());
        }
        let mut keys = Vec::new();
        for key in listed {
            let purposes = key.get_purposes().map_err(words_of)?;
            keys.push((
                key.get_public_key().map_err(words_of)?.to_vec(),
                purposes.iter().take(8).filter_map(Result::ok).collect(),
            ));
        }
        Ok(Self {
            system_id: text(root.get_system_id())?,
            development: root.get_development(),
            least_version: text(root.get_least_version())?,
            keys,
        })
    }

    /// Checks that `raw` is signed by a key with this purpose, for this system, in a version that is still accepted.
    pub fn check(&self, purpose: Purpose, raw: &[u8], signature_bytes: &[u8]) -> Judged<Signed> {
        let message = message(signature_bytes)?;
        let given: signature::Reader = message.get_root().map_err(words_of)?;
        check_schema(given.get_schema_version(), SCHEMA_VERSION)?;
        let signed = Signed { system_id: text(given.get_system_id())?, version: text(given.get_version())? };
        // A zero byte inside a name would allow reading the same signed bytes as two different pairs of names.
        if signed.version.contains('\0') {
            return Err("malformed: a zero byte in its version".into());
        }
        if given.get_purpose() != Ok(purpose) {
            return Err("signed for another purpose".into());
        }
        // A signature of weights names a model in place of a system; the caller compares this name with the model card.
        if purpose != Purpose::Weights && signed.system_id != self.system_id {
            return Err(format!("signed for the system '{}'", signed.system_id.escape_default()));
        }
        let public_key = given.get_public_key().map_err(words_of)?;
        if !self.keys.iter().any(|(key, purposes)| key == public_key && purposes.contains(&purpose)) {
            return Err(format!("signed by an unknown key, {}", hex(&of_bytes(public_key))));
        }
        if written_again(given).map_err(words_of)? != signature_bytes[8..] {
            return Err("malformed: not in the one form that it is written in".into());
        }
        let bytes = signed_bytes(purpose, &signed, &of_bytes(raw));
        verify(public_key, &bytes, given.get_signature().map_err(words_of)?)?;
        if purpose != Purpose::Weights && !is_at_least(&signed.version, &self.least_version) {
            let (found, least) = (signed.version.escape_default(), self.least_version.escape_default());
            return Err(format!("version {found}, but this machine accepts {least} at the least"));
        }
        Ok(signed)
    }
}

/// Refuses a message of another schema version, in which the same bytes could have another meaning.
pub fn check_schema(found: u32, known: u32) -> Judged<()> {
    match found == known {
        true => Ok(()),
        false => Err(format!("schema version {found}, but this system knows {known}")),
    }
}

/// Returns the canonical form of a signature's message. Only this form is accepted, so a change of any bit is detected.
fn written_again(given: signature::Reader<'_>) -> capnp::Result<Vec<u8>> {
    let mut message = capnp::message::Builder::new_default();
    let mut again: signature::Builder = message.init_root();
    again.set_schema_version(given.get_schema_version());
    again.set_purpose(given.get_purpose()?);
    again.set_system_id(given.get_system_id()?);
    again.set_version(given.get_version()?);
    again.set_public_key(given.get_public_key()?);
    again.set_signature(given.get_signature()?);
    let words = message.into_reader().canonicalize()?;
    Ok(capnp::Word::words_to_bytes(&words).to_vec())
}

/// Returns `capos-v1`, purpose, system and version, each closed by a zero byte, then the digest.
fn signed_bytes(purpose: Purpose, signed: &Signed, digest: &Digest) -> Vec<u8> {
    let name = match purpose {
        Purpose::Image => "image",
        Purpose::Policy => "policy",
        Purpose::Weights => "weights",
        Purpose::Update => "update",
    };
    let mut bytes = Vec::new();
    for part in ["capos-v1", name, &signed.system_id, &signed.version] {
        bytes.extend_from_slice(part.as_bytes());
        bytes.push(0);
    }
    bytes.extend_from_slice(digest);
    bytes
}

fn verify(public_key: &[u8], bytes: &[u8], signature: &[u8]) -> Judged<()> {
    let key: [u8; 32] = public_key.try_into().map_err(|_| "its key is not 32 bytes")?;
    let key = VerifyingKey::from_bytes(&key).map_err(|_| "its key is not a point of the curve")?;
    let signature: [u8; 64] = signature.try_into().map_err(|_| "its signature is not 64 bytes")?;
    key.verify_strict(bytes, &Ed25519Signature::from_bytes(&signature)).map_err(|_| "its signature does not hold".into())
}

#[cfg(test)]
pub mod tests;
