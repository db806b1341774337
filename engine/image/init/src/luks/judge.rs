//! Validates a header's text. serde_json limits the nesting of the text to 128, and the header limits its length. This module limits every
//! number that determines memory or time.

use super::binary::BINARY;
use super::choices::{AREA_BYTES, CIPHER, HASH, KEY_BYTES, Read, STRIPES};
use super::json::{bytes, decimal, demand, list, member, members, number, slot_number, word};
use super::metadata::{ALIGNMENT, Cost, Metadata, Proof, Slot};
use crate::iso::Extent;
use serde_json::Value;

/// Maximum memory of one attempt with a passphrase, so that machines with 512 MB can open their disk. cryptsetup's default on a fast
/// machine is 1 GiB: init refuses it, and says how to change it. `MOST_WORK` (KiB times passes) allows a few seconds on a present machine.
const MOST_KIBIBYTES: u32 = 256 << 10;
const MOST_WORK: u64 = 4 << 20;
const MOST_LANES: u32 = 16;
/// Maximum keyslots: one for the passphrase, a spare one, and those being added or removed.
const MOST_SLOTS: usize = 8;
/// Maximum rounds of the digest of the key. One round suffices for 512 random bits; cryptsetup takes as many as run in an eighth of a second.
const MOST_ROUNDS: u32 = 2_000_000;
const LEAST_ROUNDS: u32 = 1000;
/// Minimum bytes of a salt: argon2 requires 8, and cryptsetup makes 32.
const LEAST_SALT: usize = 8;
const MOST_SALT: usize = 64;

/// Parses and validates the text of a header. `header` is the size of one copy, `size` that of the partition.
pub fn judge(text: &[u8], header: u64, size: u64) -> Read<Metadata> {
    let why = |why: String| format!("its encryption header: {why}");
    let root: Value = serde_json::from_slice(text).map_err(|error| why(format!("it is not JSON: {error}")))?;
    judge_root(&root, header, size).map_err(why)
}

fn judge_root(root: &Value, header: u64, size: u64) -> Read<Metadata> {
    let config = member(root, "config")?;
    demand(decimal(config, "json_size")? == header - BINARY as u64, "it says another size of itself")?;
    config.get("requirements").map_or(Ok(()), judge_requirements)?;
    let segments = members(root, "segments")?;
    demand(segments.len() == 1, "it has not exactly one segment; is it being encrypted anew?")?;
    let segment = segments.get("0").ok_or("its segment is not number 0")?;
    let (extent, sector) = judge_segment(segment, size).map_err(|why| format!("segment 0: {why}"))?;
    let keyslots_end = decimal(config, "keyslots_size")?.checked_add(2 * header);
    let fits = keyslots_end.is_some_and(|end| end <= extent.offset);
    demand(fits, "its keyslots reach into the data")?;
    let (proof, bound) = proof(root)?;
    let slots = slots(root, &bound, 2 * header, extent.offset)?;
    Ok(Metadata { slots, segment: extent, sector, proof })
}

fn judge_requirements(requirements: &Value) -> Read<()> {
    let is_empty = |(name, list): (&String, &Value)| name == "mandatory" && list.as_array().is_some_and(Vec::is_empty);
    let none = requirements.as_object().is_some_and(|lists| lists.iter().all(is_empty));
    demand(none, "it requires what is not known here")
}

fn judge_segment(segment: &Value, size: u64) -> Read<(Extent, u64)> {
    word(segment, "type", "crypt")?;
    word(segment, "size", "dynamic")?;
    word(segment, "iv_tweak", "0")?;
    word(segment, "encryption", CIPHER)?;
    demand(segment.get("integrity").is_none() && segment.get("flags").is_none(), "it has what is not known here")?;
    let sector = u64::from(number(segment, "sector_size")?);
    demand(sector == 512 || sector == 4096, "its sectors are not of 512 or 4096 bytes")?;
    let offset = decimal(segment, "offset")?;
    let room = size.checked_sub(offset).filter(|&room| room > 0 && offset % ALIGNMENT == 0 && room % sector == 0);
    room.map(|size| (Extent { offset, size }, sector)).ok_or_else(|| "it does not lie in the partition".into())
}

/// Returns the only digest for the segment (the encrypted data), and the numbers of the keyslots whose key this digest verifies.
fn proof(root: &Value) -> Read<(Proof, Vec<u32>)> {
    let digests = members(root, "digests")?;
    let mut speaking = digests.values().filter(|digest| list(digest, "segments").is_ok_and(|list| list.contains(&0)));
    let (Some(digest), None) = (speaking.next(), speaking.next()) else {
        return Err("it has not exactly one digest for its segment".into());
    };
    word(digest, "type", "pbkdf2")?;
    word(digest, "hash", HASH)?;
    let rounds = number(digest, "iterations")?;
    demand((LEAST_ROUNDS..=MOST_ROUNDS).contains(&rounds), "its digest asks for too few rounds, or too many")?;
    // The digest must be whole: a prefix of it would match more than one key.
    let value = bytes(digest, "digest")?.try_into().map_err(|_| "its digest is not of 32 bytes")?;
    Ok((Proof { salt: salt(digest)?, rounds, digest: value }, list(digest, "keyslots")?))
}

/// Returns the usable keyslots. A keyslot of another type is skipped, as long as there is a usable one.
fn slots(root: &Value, bound: &[u32], from: u64, to: u64) -> Read<Vec<Slot>> {
    let mut found = Vec::new();
    let mut other = None;
    for (name, value) in members(root, "keyslots")? {
        let number = slot_number(name)?;
        // A keyslot of priority 0 is skipped: cryptsetup itself tries it only if a person names it.
        let priority = value.get("priority").map_or(Some(1), Value::as_u64).ok_or("a keyslot's priority is no number")?;
        if priority == 0 || !bound.contains(&number) {
            continue;
        }
        match slot(number, value, from, to) {
            Ok(slot) => found.push((std::cmp::Reverse(priority), slot)),
            Err(why) => other = other.or(Some(format!("keyslot {number}: {why}"))),
        }
    }
    found.sort_by_key(|(priority, slot)| (*priority, slot.number));
    demand(found.len() <= MOST_SLOTS, "it has more than 8 keyslots")?;
    match (found.is_empty(), other) {
        (true, why) => Err(why.unwrap_or_else(|| "it has no keyslot".into())),
        (false, _) => Ok(found.into_iter().map(|(_, slot)| slot).collect()),
    }
}

fn slot(number_: u32, slot: &Value, from: u64, to: u64) -> Read<Slot> {
    word(slot, "type", "luks2")?;
    let (area, spread, kdf) = (member(slot, "area")?, member(slot, "af")?, member(slot, "kdf")?);
    for sized in [slot, area] {
        demand(number(sized, "key_size")? as usize == KEY_BYTES, "its keys are not of 512 bits")?;
    }
    word(spread, "type", "luks1")?;
    word(spread, "hash", HASH)?;
    demand(number(spread, "stripes")? as usize == STRIPES, "its key is not spread over 4000 stripes")?;
    word(area, "type", "raw")?;
    word(area, "encryption", CIPHER)?;
    let (offset, size) = (decimal(area, "offset")?, decimal(area, "size")?);
    let fits = offset >= from && size >= AREA_BYTES as u64 && offset.checked_add(size).is_some_and(|end| end <= to);
    demand(fits && offset % ALIGNMENT == 0, "its area does not lie between header and data")?;
    word(kdf, "type", "argon2id")?;
    let cost = Cost { kibibytes: number(kdf, "memory")?, passes: number(kdf, "time")?, lanes: number(kdf, "cpus")? };
    judge_cost(cost)?;
    Ok(Slot { number: number_, cost, salt: salt(kdf)?, area: offset })
}

/// Fails if the cost exceeds a limit: otherwise, a person who can write the disk could block the machine's start without a message.
fn judge_cost(Cost { kibibytes, passes, lanes }: Cost) -> Read<()> {
    let most = MOST_KIBIBYTES >> 10;
    demand(
        kibibytes <= MOST_KIBIBYTES,
        &format!("a try needs more than {most} MiB of memory; cryptsetup luksConvertKey --pbkdf-memory changes it"),
    )?;
    demand((1..=MOST_LANES).contains(&lanes) && kibibytes >= 8 * lanes && passes >= 1, "argon2id knows no such cost")?;
    let work = u64::from(kibibytes) * u64::from(passes);
    demand(work <= MOST_WORK, "a try takes too long; cryptsetup luksConvertKey --pbkdf-force-iterations changes it")
}

fn salt(value: &Value) -> Read<Vec<u8>> {
    let salt = bytes(value, "salt")?;
    demand((LEAST_SALT..=MOST_SALT).contains(&salt.len()), "its salt is too short or too long")?;
    Ok(salt)
}
