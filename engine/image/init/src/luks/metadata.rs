//! Content of a header's text, and its encoding for a new header.

use super::binary::BINARY;
use super::choices::{AREA_BYTES, CIPHER, HASH, KEY_BYTES, STRIPES};
use crate::digest::Digest;
use crate::iso::Extent;
use base64ct::{Base64, Encoding as _};
use serde_json::{Map, Value, json};

/// Alignment of the keyslots' areas and of the encrypted data, in bytes.
pub const ALIGNMENT: u64 = 4096;

/// Cost parameters of argon2id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    pub kibibytes: u32,
    pub passes: u32,
    pub lanes: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    pub number: u32,
    pub cost: Cost,
    pub salt: Vec<u8>,
    /// Offset at which the keyslot's `AREA_BYTES` begin.
    pub area: u64,
}

/// Digest that identifies the right key: PBKDF2 of the key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    pub salt: Vec<u8>,
    pub rounds: u32,
    pub digest: Digest,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metadata {
    /// The slots, in the order in which they are tried; at least one.
    pub slots: Vec<Slot>,
    pub segment: Extent,
    /// Size of a sector: 512 or 4096.
    pub sector: u64,
    pub proof: Proof,
}

impl Metadata {
    /// Returns the text of a new header.
    pub fn text(&self, header: u64) -> Vec<u8> {
        let slots: Map<String, Value> = self.slots.iter().map(|slot| (slot.number.to_string(), slot.described())).collect();
        let numbers: Vec<&String> = slots.keys().collect();
        let proof = json!({
            "type": "pbkdf2", "keyslots": numbers, "segments": ["0"], "hash": HASH, "iterations": self.proof.rounds,
            "salt": Base64::encode_string(&self.proof.salt), "digest": Base64::encode_string(&self.proof.digest),
        });
        let segment = json!({
            "type": "crypt", "offset": self.segment.offset.to_string(), "size": "dynamic", "iv_tweak": "0",
            "encryption": CIPHER, "sector_size": self.sector,
        });
        let config = json!({
            "json_size": (header - BINARY as u64).to_string(),
            "keyslots_size": (self.segment.offset - 2 * header).to_string(),
        });
        let root = json!({
            "keyslots": slots, "tokens": {}, "segments": { "0": segment }, "digests": { "0": proof }, "config": config,
        });
        root.to_string().into_bytes()
    }
}

impl Slot {
    fn described(&self) -> Value {
        let Cost { kibibytes, passes, lanes } = self.cost;
        json!({
            "type": "luks2", "key_size": KEY_BYTES,
            "af": { "type": "luks1", "stripes": STRIPES, "hash": HASH },
            "area": {
                "type": "raw", "offset": self.area.to_string(), "size": area_size().to_string(),
                "encryption": CIPHER, "key_size": KEY_BYTES,
            },
            "kdf": {
                "type": "argon2id", "time": passes, "memory": kibibytes, "cpus": lanes,
                "salt": Base64::encode_string(&self.salt),
            },
        })
    }
}

/// Returns the size in bytes of a keyslot's area: that of the stripes of a key, rounded up to a multiple of `ALIGNMENT`.
pub fn area_size() -> u64 {
    (AREA_BYTES as u64).next_multiple_of(ALIGNMENT)
}
