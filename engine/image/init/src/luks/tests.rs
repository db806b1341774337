//! Tests this module against Debian's cryptsetup in both directions (`cryptsetup.rs`), and headers with one fault each
//! (`spoiled.rs`).

mod cryptsetup;
mod spoiled;

use super::*;
use crate::chance::Chance;
use crate::iso::Extent;
use choices::AREA_BYTES;

const MIB: usize = 1 << 20;
const SIZE: usize = 3 * MIB;
const PASSPHRASE: &[u8] = b"correct horse battery";

/// Returns bytes that are the same in every run.
fn chance(seed: u64) -> impl FnMut(&mut [u8]) -> Read<()> {
    let mut chance = Chance::new(seed);
    move |bytes| {
        bytes.fill_with(|| chance.below(256) as u8);
        Ok(())
    }
}

fn made(seed: u64) -> (Vec<u8>, Opened) {
    let Header { bytes, opened } = create(SIZE as u64, PASSPHRASE, chance(seed)).unwrap();
    (partition(&bytes), opened)
}

/// Returns a partition that begins with these bytes.
fn partition(start: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0; SIZE];
    bytes[..start.len()].copy_from_slice(start);
    bytes
}

fn open(partition: &Vec<u8>, passphrase: &[u8]) -> Read<Option<Opened>> {
    Locked::read(partition)?.open(partition, passphrase)
}

#[test]
fn a_new_header_opens_with_its_passphrase_and_with_no_other() {
    let (partition, made) = made(1);
    assert!(claims(&partition) && !claims(&vec![0; SIZE]));
    let opened = open(&partition, PASSPHRASE).unwrap().unwrap();
    assert_eq!((*opened.key).clone(), *made.key);
    assert_eq!(opened.extent, Extent { offset: create::DATA_AT, size: (SIZE - 2 * MIB) as u64 });
    assert!(open(&partition, b"correct horse batterz").unwrap().is_none());
    assert!(open(&partition, &[b'x'; MOST_PASSPHRASE + 1]).unwrap().is_none());
}

#[test]
fn equal_random_bytes_give_equal_headers_and_other_random_bytes_give_another_key() {
    let (one, first) = made(1);
    assert!(one == made(1).0);
    let (other, second) = made(2);
    assert!(one != other && *first.key != *second.key);
    // The header contains no plain part of the key.
    let header = &one[..2 * MIB].chunks_exact(16).collect::<Vec<_>>();
    assert!(first.key.chunks_exact(16).all(|piece| !header.contains(&piece)));
}

#[test]
fn an_impossible_header_is_refused_with_a_reason() {
    let why = |size: usize, passphrase: &[u8]| create(size as u64, passphrase, chance(1)).err().unwrap();
    assert!(why(SIZE, b"").contains("1 to 512 bytes"));
    assert!(why(SIZE, &[b'x'; 513]).contains("1 to 512 bytes"));
    for size in [0, 2 * MIB, SIZE + 512] {
        assert!(why(size, PASSPHRASE).contains("too small"), "{size}");
    }
    let dry = create(SIZE as u64, PASSPHRASE, |_| Err("no random bytes".into())).err();
    assert_eq!(dry.as_deref(), Some("no random bytes"));
}

#[test]
fn the_kernel_gets_cipher_and_key_and_position() {
    let key = Secret::new((0..KEY_BYTES as u8).map(|byte| byte << 1).collect());
    let opened = |sector| Opened { extent: Extent { offset: 2 << 20, size: 4096 }, sector, key: key.clone() };
    let spelled = (0..KEY_BYTES).map(|byte| format!("{:02x}", byte << 1)).collect::<Vec<_>>().concat();
    assert_eq!(*opened(512).parameters("254:1"), format!("aes-xts-plain64 {spelled} 0 254:1 4096"));
    assert_eq!(*opened(4096).parameters("254:1"), format!("aes-xts-plain64 {spelled} 0 254:1 4096 1 sector_size:4096"));
}

#[test]
fn a_split_key_is_restored_only_if_all_stripes_are_unchanged() {
    let mut random = chance(7);
    for _ in 0..3 {
        let (mut key, mut area) = (vec![0; KEY_BYTES], vec![0; AREA_BYTES]);
        random(&mut key).and_then(|()| random(&mut area)).unwrap();
        stripes::split(&key, &mut area);
        assert_eq!(*stripes::merge(&area), key);
        for at in [0, AREA_BYTES / 2, AREA_BYTES - KEY_BYTES, AREA_BYTES - 1] {
            area[at] ^= 1;
            assert_ne!(*stripes::merge(&area), key, "{at}");
            area[at] ^= 1;
        }
    }
}
