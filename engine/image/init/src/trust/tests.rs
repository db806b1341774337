use super::*;
use ed25519_dalek::{Signer as _, SigningKey};

const RAW: &[u8] = b"any bytes at all: they are not parsed here";

pub fn key() -> SigningKey {
    SigningKey::from_bytes(&[7; 32])
}

struct Spoil {
    system: &'static str,
    version: &'static str,
    purpose: Purpose,
    schema: u32,
    key: SigningKey,
}

fn honest() -> Spoil {
    Spoil { system: "lab", version: "1.2.0", purpose: Purpose::Image, schema: 1, key: key() }
}

fn signature_of(spoil: &Spoil, raw: &[u8]) -> Vec<u8> {
    let signed = Signed { system_id: spoil.system.into(), version: spoil.version.into() };
    let bytes = signed_bytes(spoil.purpose, &signed, &of_bytes(raw));
    let mut message = capnp::message::Builder::new_default();
    let mut root: signature::Builder = message.init_root();
    root.set_schema_version(spoil.schema);
    root.set_purpose(spoil.purpose);
    root.set_system_id(spoil.system);
    root.set_version(spoil.version);
    root.set_public_key(spoil.key.verifying_key().as_bytes());
    root.set_signature(&spoil.key.sign(&bytes).to_bytes());
    capnp::serialize::write_message_to_words(&message)
}

/// Returns a valid signature over an image's manifest.
pub fn sign(key: &SigningKey, system: &'static str, version: &'static str, raw: &[u8]) -> Vec<u8> {
    signature_of(&Spoil { system, version, key: key.clone(), ..honest() }, raw)
}

/// Returns a signature over a card of weights.
pub fn sign_weights(key: &SigningKey, id: &'static str, raw: &[u8]) -> Vec<u8> {
    signature_of(&Spoil { system: id, version: "1", purpose: Purpose::Weights, key: key.clone(), ..honest() }, raw)
}

/// Returns a trust file with which a key may sign for these purposes.
pub fn trust_for(key: &SigningKey, purposes: &[Purpose]) -> Vec<u8> {
    let mut message = capnp::message::Builder::new_default();
    let mut root: trust::Builder = message.init_root();
    root.set_schema_version(1);
    root.set_system_id("lab");
    root.set_least_version("1.0.0");
    let mut listed = root.init_keys(1).get(0);
    listed.set_public_key(key.verifying_key().as_bytes());
    let mut list = listed.init_purposes(purposes.len() as u32);
    (0..).zip(purposes).for_each(|(at, purpose)| list.set(at, *purpose));
    capnp::serialize::write_message_to_words(&message)
}

/// Returns a trust file with which `key()` may sign images.
pub fn trust_bytes(system: &str, least_version: &str) -> Vec<u8> {
    let mut message = capnp::message::Builder::new_default();
    let mut root: trust::Builder = message.init_root();
    root.set_schema_version(1);
    root.set_system_id(system);
    root.set_development(true);
    root.set_least_version(least_version);
    let mut listed = root.init_keys(1).get(0);
    listed.set_public_key(key().verifying_key().as_bytes());
    listed.init_purposes(1).set(0, Purpose::Image);
    capnp::serialize::write_message_to_words(&message)
}

fn trust() -> Trust {
    Trust::read(&trust_bytes("lab", "1.0.0")).expect("an honest trust file")
}

fn why(spoil: Spoil) -> String {
    trust().check(Purpose::Image, RAW, &signature_of(&spoil, RAW)).err().expect("a spoiled signature")
}

#[test]
fn a_valid_signature_is_accepted() {
    let signed = trust().check(Purpose::Image, RAW, &signature_of(&honest(), RAW)).ok().unwrap();
    assert_eq!((signed.system_id.as_str(), signed.version.as_str()), ("lab", "1.2.0"));
    assert!(trust().development);
}

#[test]
fn a_manifest_with_one_changed_byte_is_refused() {
    let signature = signature_of(&honest(), RAW);
    for at in 0..RAW.len() {
        let mut raw = RAW.to_vec();
        raw[at] ^= 1;
        assert_eq!(trust().check(Purpose::Image, &raw, &signature).err().unwrap(), "its signature does not hold");
    }
}

#[test]
fn a_signature_with_any_changed_byte_is_refused_without_a_panic() {
    let signature = signature_of(&honest(), RAW);
    for at in 0..signature.len() {
        for change in [1u8, 2, 4, 8, 16, 32, 64, 0x80, 0xff] {
            let mut spoiled = signature.clone();
            spoiled[at] ^= change;
            assert!(trust().check(Purpose::Image, RAW, &spoiled).is_err(), "byte {at}, changed by {change}");
        }
    }
}

#[test]
fn the_refusal_of_a_signature_states_its_fault() {
    let stranger = SigningKey::from_bytes(&[8; 32]);
    let unknown = format!("signed by an unknown key, {}", hex(&of_bytes(stranger.verifying_key().as_bytes())));
    assert_eq!(why(Spoil { key: stranger, ..honest() }), unknown);
    assert_eq!(why(Spoil { system: "barn", ..honest() }), "signed for the system 'barn'");
    assert_eq!(why(Spoil { purpose: Purpose::Update, ..honest() }), "signed for another purpose");
    assert_eq!(why(Spoil { schema: 9, ..honest() }), "schema version 9, but this system knows 1");
    let old = "version 0.9.0, but this machine accepts 1.0.0 at the least";
    assert_eq!(why(Spoil { version: "0.9.0", ..honest() }), old);
}

#[test]
fn a_key_signs_only_for_its_purposes() {
    let policy = Spoil { purpose: Purpose::Policy, ..honest() };
    let judged = trust().check(Purpose::Policy, RAW, &signature_of(&policy, RAW));
    assert!(judged.err().unwrap().starts_with("signed by an unknown key, "));
}

#[test]
fn a_message_must_be_one_segment_of_the_stated_length() {
    let signature = signature_of(&honest(), RAW);
    assert!(message(&signature[..signature.len() - 8]).is_err());
    assert!(message(&[signature.clone(), vec![0; 8]].concat()).is_err());
    assert!(message(&[]).is_err() && message(&[1; 64]).is_err());
}

#[test]
fn a_version_with_a_zero_byte_is_refused_as_malformed() {
    assert_eq!(why(Spoil { version: "1.2.0\0x", ..honest() }), "malformed: a zero byte in its version");
}

#[test]
fn a_key_under_which_one_signature_is_valid_for_all_bytes_is_refused() {
    // The neutral point of the curve. With it as the key and the signature's first half, and zero as the second half, the signature's equation holds for all bytes.
    let neutral: [u8; 32] = std::array::from_fn(|at| u8::from(at == 0));
    let mut message = capnp::message::Builder::new_default();
    let mut root: signature::Builder = message.init_root();
    root.set_schema_version(1);
    root.set_purpose(Purpose::Image);
    root.set_system_id("lab");
    root.set_version("1.2.0");
    root.set_public_key(&neutral);
    root.set_signature(&[neutral, [0; 32]].concat());
    let trust = Trust { keys: vec![(neutral.to_vec(), vec![Purpose::Image])], ..trust() };
    let judged = trust.check(Purpose::Image, RAW, &capnp::serialize::write_message_to_words(&message));
    assert_eq!(judged.err().unwrap(), "its signature does not hold");
}

#[test]
fn a_trust_file_of_another_schema_or_with_too_many_keys_is_refused() {
    let why = |schema: u32, keys: u32| {
        let mut message = capnp::message::Builder::new_default();
        let mut root: trust::Builder = message.init_root();
        root.set_schema_version(schema);
        root.init_keys(keys);
        Trust::read(&capnp::serialize::write_message_to_words(&message)).err()
    };
    assert_eq!(why(1, MOST_KEYS), None);
    assert_eq!(why(1, MOST_KEYS + 1).unwrap(), "too many keys");
    assert_eq!(why(2, 0).unwrap(), "schema version 2, but this system knows 1");
}
