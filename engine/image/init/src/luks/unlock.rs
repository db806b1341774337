//! Derives the key of the data from a passphrase. argon2id derives a key that decrypts a keyslot's area. The stripes in this area merge to
//! the key of the data. A digest shows whether the merged key is correct.

use super::choices::{AREA_BYTES, KEY_BYTES, MOST_PASSPHRASE, Read, SECTOR, Secret};
use super::metadata::{Cost, Metadata, Proof, Slot};
use super::stripes;
use crate::digest::Digest;
use crate::iso::Medium;
use crate::sys::Pages;
use aes::Aes256;
use aes::cipher::KeyInit as _;
use argon2::{Algorithm, Argon2, Block, Params, Version};
use sha2::Sha256;
use xts_mode::{Xts128, get_tweak_default};
use zeroize::{Zeroize as _, Zeroizing};

/// Tries every keyslot in order. Returns `None` if the passphrase is wrong.
pub fn unlock<M: Medium>(medium: &M, metadata: &Metadata, passphrase: &[u8]) -> Read<Option<Secret>> {
    if passphrase.len() > MOST_PASSPHRASE {
        return Ok(None);
    }
    for slot in &metadata.slots {
        let key = key_of(medium, slot, passphrase)?;
        if proof_of(&key, &metadata.proof.salt, metadata.proof.rounds) == metadata.proof.digest {
            return Ok(Some(key));
        }
    }
    Ok(None)
}

fn key_of<M: Medium>(medium: &M, slot: &Slot, passphrase: &[u8]) -> Read<Secret> {
    let area_key = derive(passphrase, &slot.salt, slot.cost)?;
    let mut area = Secret::new(vec![0; AREA_BYTES]);
    medium.read_at(slot.area, &mut area).map_err(|error| format!("keyslot {}: it cannot be read: {error}", slot.number))?;
    cipher(&area_key).decrypt_area(&mut area, SECTOR as usize, 0, get_tweak_default);
    Ok(stripes::merge(&area))
}

/// Spreads a key over an area of random bytes, and encrypts the area.
pub fn seal(key: &[u8], area_key: &[u8], random: &mut Secret) {
    stripes::split(key, random);
    cipher(area_key).encrypt_area(random, SECTOR as usize, 0, get_tweak_default);
}

/// Returns the cipher for a key of two halves, each `KEY_BYTES / 2` long.
fn cipher(key: &[u8]) -> Xts128<Aes256> {
    let halves: [[u8; KEY_BYTES / 2]; 2] = std::array::from_fn(|half| std::array::from_fn(|at| key[half * KEY_BYTES / 2 + at]));
    let halves = Zeroizing::new(halves);
    Xts128::new(Aes256::new(&halves[0].into()), Aes256::new(&halves[1].into()))
}

/// Returns the key that argon2id derives from a passphrase. Fails with a message if the machine lacks the memory.
pub fn derive(passphrase: &[u8], salt: &[u8], cost: Cost) -> Read<Secret> {
    let refused = |error| format!("the passphrase cannot be tried: {error}");
    let params = Params::new(cost.kibibytes, cost.passes, cost.lanes, Some(KEY_BYTES)).map_err(refused)?;
    let lacking = |_| format!("{} KiB of memory are not there to try a passphrase", cost.kibibytes);
    let mut pages = Pages::new(params.block_count() * size_of::<Block>()).map_err(lacking)?;
    // SAFETY: a block consists of numbers only, so zeros are a valid block and need no drop.
    let memory = unsafe { pages.values::<Block>() };
    let mut key = Secret::new(vec![0; KEY_BYTES]);
    let argon = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    let derived = argon.hash_password_into_with_memory(passphrase, salt, &mut key, &mut *memory);
    memory.iter_mut().zeroize();
    derived.map_err(refused)?;
    Ok(key)
}

pub fn proof_of(key: &[u8], salt: &[u8], rounds: u32) -> Digest {
    let mut digest = Digest::default();
    pbkdf2::pbkdf2_hmac::<Sha256>(key, salt, rounds, &mut digest);
    digest
}

/// Returns the digest of a new key, with salt and rounds. With it, `unlock` later checks whether a merged key is this key.
pub fn prove(key: &[u8], salt: Vec<u8>, rounds: u32) -> Proof {
    Proof { digest: proof_of(key, &salt, rounds), salt, rounds }
}
