//! Each test corrupts one thing in a valid header. The checksums are updated if the text is corrupted.

use super::*;
use serde_json::{Value, json};

const TEXT: usize = binary::BINARY;
const HEADER: u64 = binary::SIZE as u64;

/// Returns two copies of a header, changed by `spoil`. Its keyslot needs little work to try, and contains no key.
fn header(spoil: impl FnOnce(&mut Value)) -> Vec<u8> {
    let cost = metadata::Cost { kibibytes: 64, passes: 1, lanes: 1 };
    let slot = metadata::Slot { number: 0, cost, salt: vec![1; 32], area: 2 * HEADER };
    let proof = unlock::prove(&[2; KEY_BYTES], vec![3; 32], 1000);
    let segment = Extent { offset: create::DATA_AT, size: (SIZE - 2 * MIB) as u64 };
    let metadata = Metadata { slots: vec![slot], segment, sector: 4096, proof };
    let mut root: Value = serde_json::from_slice(&metadata.text(HEADER)).unwrap();
    spoil(&mut root);
    with_text(root.to_string().as_bytes())
}

fn with_text(text: &[u8]) -> Vec<u8> {
    partition(&binary::encode(text, "uuid", [[4; 64], [5; 64]]))
}

fn why(bytes: &Vec<u8>) -> String {
    Locked::read(bytes).err().expect("a spoiled header")
}

#[test]
fn every_changed_bit_of_a_copy_is_detected_and_the_other_copy_is_used() {
    let honest = header(|_| {});
    let size = binary::SIZE;
    for at in [0, 6, 9, 20, 30, 80, 110, 170, 210, 257, 300, 450, 500, 600, TEXT, TEXT + 40, size - 1] {
        let mut one = honest.clone();
        one[at] ^= 1;
        assert!(Locked::read(&one).is_ok(), "{at}: the second copy");
        one[size + at] ^= 1;
        assert!(why(&one).contains("there is no sound copy"), "{at}");
        let mut other = honest.clone();
        other[size + at] ^= 1;
        assert!(Locked::read(&other).is_ok(), "{at}: the first copy");
    }
}

#[test]
fn the_newer_of_two_valid_copies_is_used() {
    let (old, new) = (header(|_| {}), header(|root| root["segments"]["0"]["sector_size"] = json!(512)));
    let sector = |bytes: &Vec<u8>| Locked::read(bytes).unwrap().0.sector;
    let mut mixed = old.clone();
    mixed[binary::SIZE..2 * binary::SIZE].copy_from_slice(&new[binary::SIZE..2 * binary::SIZE]);
    assert_eq!(sector(&mixed), 4096, "equally new: the first");
    binary::make_newer(&mut mixed[binary::SIZE..2 * binary::SIZE]);
    assert_eq!(sector(&mixed), 512);
}

#[test]
fn a_luks_header_with_an_unsupported_value_is_refused() {
    let kinds: [(&str, Value, &str); 26] = [
        ("/config/json_size", json!("12289"), "another size"),
        ("/config/keyslots_size", json!("9223372036854775808"), "reach into the data"),
        ("/config/keyslots_size", json!("18446744073709551615"), "reach into the data"),
        ("/config/requirements", json!({ "mandatory": ["online-reencrypt"] }), "not known here"),
        ("/config/requirements", json!(["offline-reencrypt"]), "not known here"),
        ("/config/requirements", json!("x"), "not known here"),
        ("/segments/1", json!({}), "exactly one segment"),
        ("/segments/0/type", json!("linear"), "its type is not crypt"),
        ("/segments/0/encryption", json!("cipher_null-ecb"), "not aes-xts-plain64"),
        ("/segments/0/integrity", json!({}), "not known here"),
        ("/segments/0/offset", json!("-1"), "no number of 64 bits"),
        ("/segments/0/offset", json!("3145728"), "does not lie in the partition"),
        ("/segments/0/offset", json!("2097664"), "does not lie in the partition"),
        ("/segments/0/sector_size", json!(0), "not of 512 or 4096"),
        ("/segments/0/iv_tweak", json!("1"), "its iv_tweak is not 0"),
        ("/digests/0/digest", json!("AA=="), "not of 32 bytes"),
        ("/digests/0/iterations", json!(4_000_000_000u32), "too many"),
        ("/digests/0/iterations", json!(1), "too few"),
        ("/digests/0/keyslots", json!([]), "no keyslot"),
        ("/keyslots/0/priority", json!(0), "no keyslot"),
        ("/keyslots/0/area/offset", json!("4096"), "between header and data"),
        ("/keyslots/0/area/offset", json!("18446744073709547520"), "between header and data"),
        ("/keyslots/0/area/encryption", json!("cipher_null-ecb"), "not aes-xts-plain64"),
        ("/keyslots/0/kdf/memory", json!(1 << 20), "more than 256 MiB"),
        ("/keyslots/0/kdf/time", json!(u32::MAX), "takes too long"),
        ("/keyslots/0/kdf/salt", json!("AAAA"), "too short"),
    ];
    for (place, value, wanted) in kinds {
        let (parent, name) = place.rsplit_once('/').unwrap();
        let why = why(&header(|root| root.pointer_mut(parent).unwrap()[name] = value));
        assert!(why.contains(wanted), "{place}: {why}");
    }
}

#[test]
fn an_unknown_keyslot_is_skipped_if_there_is_a_known_one() {
    let with = |spoil: fn(&mut Value)| {
        Locked::read(&header(|root| {
            root["keyslots"]["7"] = root["keyslots"]["0"].clone();
            root["digests"]["0"]["keyslots"] = json!(["0", "7"]);
            spoil(root);
        }))
        .map(|locked| locked.0.slots.iter().map(|slot| slot.number).collect::<Vec<_>>())
    };
    assert_eq!(with(|_| {}), Ok(vec![0, 7]));
    assert_eq!(with(|root| root["keyslots"]["7"]["priority"] = json!(2)), Ok(vec![7, 0]));
    assert_eq!(with(|root| root["keyslots"]["0"]["kdf"]["type"] = json!("pbkdf2")), Ok(vec![7]));
    assert_eq!(with(|root| root["keyslots"]["8"] = json!({})), Ok(vec![0, 7]), "one that no digest speaks for");
    assert!(with(|root| root["keyslots"]["07"] = json!({})).is_err());
}

#[test]
fn text_that_is_not_json_or_nests_too_deep_is_refused() {
    assert!(why(&with_text(b"")).contains("not JSON"));
    assert!(why(&with_text(&b"[".repeat(binary::SIZE - TEXT - 1))).contains("not JSON"));
    assert!(why(&with_text(b"[]")).contains("config is missing"));
    assert!(why(&with_text(&b"x".repeat(binary::SIZE - TEXT))).contains("no sound copy"), "text without an end");
}

#[test]
fn no_bytes_crash_the_reader_and_accepted_areas_are_inside_the_partition() {
    let honest = header(|_| {});
    let text = honest[TEXT..].split(|&byte| byte == 0).next().unwrap().to_vec();
    let mut taken = 0;
    for seed in 0..3000 {
        let mut chance = Chance::new(seed);
        let mut spoiled = chance.spoil(&text);
        spoiled.truncate(binary::SIZE - TEXT);
        let bytes = if seed % 2 == 0 { with_text(&spoiled) } else { partition(&chance.spoil(&honest[..2 * binary::SIZE])) };
        let Ok(Locked(metadata)) = Locked::read(&bytes) else { continue };
        taken += 1;
        assert_eq!(metadata.segment.offset + metadata.segment.size, SIZE as u64);
        assert!(metadata.slots.iter().all(|slot| slot.area + AREA_BYTES as u64 <= metadata.segment.offset));
        assert!(metadata.slots.iter().all(|slot| slot.cost.kibibytes <= 256 << 10));
    }
    assert!(taken > 0, "some edits leave a sound copy");
}
