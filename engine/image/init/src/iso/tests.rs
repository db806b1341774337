//! The tests build a small valid image; each test of a refusal corrupts one thing in the image.

use super::*;

impl Medium for Vec<u8> {
    fn size(&self) -> u64 {
        self.len() as u64
    }
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let start = offset as usize;
        let bytes = self.get(start..start.saturating_add(buffer.len())).ok_or(io::ErrorKind::UnexpectedEof)?;
        buffer.copy_from_slice(bytes);
        Ok(())
    }
}

const ROOT: usize = 20;
const FOLDER: usize = 21;
const FILE: usize = 22;
const TEXT: &[u8] = b"signed words";

fn record(name: &[u8], sector: usize, size: usize, flags: u8) -> Vec<u8> {
    let mut bytes = vec![0u8; 33];
    bytes[2..6].copy_from_slice(&(sector as u32).to_le_bytes());
    bytes[6..10].copy_from_slice(&(sector as u32).to_be_bytes());
    bytes[10..14].copy_from_slice(&(size as u32).to_le_bytes());
    bytes[14..18].copy_from_slice(&(size as u32).to_be_bytes());
    bytes[25] = flags;
    bytes[32] = name.len() as u8;
    bytes.extend_from_slice(name);
    bytes.resize(bytes.len() + bytes.len() % 2, 0);
    bytes[0] = bytes.len() as u8;
    bytes
}

fn joliet(name: &str) -> Vec<u8> {
    name.encode_utf16().flat_map(u16::to_be_bytes).collect()
}

fn put(image: &mut [u8], sector: usize, at: usize, bytes: &[u8]) {
    let start = sector * SECTOR as usize + at;
    image[start..start + bytes.len()].copy_from_slice(bytes);
}

fn honest() -> Vec<u8> {
    let mut image = vec![0u8; 24 * SECTOR as usize];
    for (sector, kind) in [(16, 1u8), (17, 2), (18, 255)] {
        put(&mut image, sector, 0, &[kind]);
        put(&mut image, sector, 1, b"CD001\x01");
        put(&mut image, sector, 40, b"CAPOS                           ");
        put(&mut image, sector, 128, &[0, 8, 8, 0]);
        put(&mut image, sector, 156, &record(&[0], ROOT, SECTOR as usize, 2));
    }
    put(&mut image, 17, 88, b"%/E");
    put(&mut image, ROOT, 0, &record(&joliet("capos"), FOLDER, SECTOR as usize, 2));
    put(&mut image, FOLDER, 0, &record(&joliet("manifest.bin.sig"), FILE, TEXT.len(), 0));
    put(&mut image, FILE, 0, TEXT);
    image
}

/// Returns a valid image with these files, by absolute path.
pub fn image_of(files: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut image = honest();
    let mut folders: Vec<(String, Vec<u8>)> = vec![(String::new(), Vec::new())];
    let add = |image: &mut Vec<u8>, bytes: &[u8]| {
        let sector = image.len() / SECTOR as usize;
        image.extend_from_slice(bytes);
        image.resize(image.len().next_multiple_of(SECTOR as usize), 0);
        sector
    };
    for (path, bytes) in files {
        let (folder, name) = path.rsplit_once('/').unwrap();
        let sector = add(&mut image, bytes);
        let listed = record(&joliet(name), sector, bytes.len(), 0);
        match folders.iter_mut().find(|(known, _)| known == folder) {
            Some((_, records)) => records.extend(listed),
            None => folders.push((folder.into(), listed)),
        }
    }
    for missing in folders.iter().filter_map(|(path, _)| Some(path.rsplit_once('/')?.0.to_owned())).collect::<Vec<_>>() {
        if !folders.iter().any(|(known, _)| *known == missing) {
            folders.push((missing, Vec::new()));
        }
    }
    // The deepest folder is written first: its parent lists the position of the folder, so this position must be known by then.
    folders.sort_by_key(|(path, _)| std::cmp::Reverse(path.matches('/').count()));
    for at in 0..folders.len() {
        let (path, records) = folders[at].clone();
        let sector = add(&mut image, &records);
        match path.rsplit_once('/') {
            None => put(&mut image, 17, 156, &record(&[0], sector, records.len(), 2)),
            Some((parent, name)) => {
                let listed = record(&joliet(name), sector, records.len(), 2);
                folders.iter_mut().find(|(known, _)| known == parent).unwrap().1.extend(listed);
            }
        }
    }
    image
}

fn why(image: &Vec<u8>) -> String {
    Iso::open(image).and_then(|iso| iso.read("/capos/manifest.bin.sig", 4096)).expect_err("this image is spoiled")
}

#[test]
fn a_valid_file_is_found_and_read() {
    let image = honest();
    assert!(has_volume_name(&image, "CAPOS") && !has_volume_name(&image, "CAPO"));
    let iso = Iso::open(&image).unwrap();
    assert_eq!(iso.read("/capos/manifest.bin.sig", 4096).unwrap(), TEXT);
    assert_eq!(iso.find("/capos/manifest.bin.sig").unwrap().offset, FILE as u64 * SECTOR);
}

#[test]
fn names_match_only_with_the_same_case() {
    let image = honest();
    let iso = Iso::open(&image).unwrap();
    assert_eq!(iso.find("/CAPOS/manifest.bin.sig"), Err("no CAPOS".into()));
    assert_eq!(iso.find("/capos/manifest.bin"), Err("no manifest.bin".into()));
    assert_eq!(iso.find("/capos"), Err("capos is of the wrong kind".into()));
    assert!(iso.find("capos").is_err() && iso.find("/a/b/c/d/e/f").is_err());
}

#[test]
fn a_file_above_the_limit_is_not_read() {
    let image = honest();
    assert_eq!(Iso::open(&image).unwrap().read("/capos/manifest.bin.sig", 4), Err("12 bytes, above the limit of 4".into()));
}

#[test]
fn an_extent_outside_the_medium_is_refused() {
    let mut image = honest();
    put(&mut image, FOLDER, 0, &record(&joliet("manifest.bin.sig"), 4_000_000, 12, 0));
    assert_eq!(why(&image), "an extent outside the medium");
    put(&mut image, FOLDER, 0, &record(&joliet("manifest.bin.sig"), u32::MAX as usize, u32::MAX as usize, 0));
    assert_eq!(why(&image), "an extent outside the medium");
}

#[test]
fn a_number_whose_two_stored_forms_differ_is_refused() {
    let mut image = honest();
    put(&mut image, FOLDER, 2, &[99]);
    assert_eq!(why(&image), "a number whose two spellings differ");
}

#[test]
fn a_file_in_several_extents_is_refused() {
    let mut image = honest();
    put(&mut image, FOLDER, 25, &[0x80]);
    assert!(why(&image).starts_with("a file in several extents"));
}

#[test]
fn records_that_state_a_wrong_length_are_refused() {
    let mut image = honest();
    put(&mut image, FOLDER, 0, &[20]);
    assert_eq!(why(&image), "a directory record is cut short");
    let mut image = honest();
    put(&mut image, FOLDER, 32, &[200]);
    assert_eq!(why(&image), "a directory record is cut short");
    let mut image = honest();
    put(&mut image, ROOT, 0, &record(&joliet("capos"), FOLDER, 40, 2));
    assert_eq!(why(&image), "a directory record crosses its end");
}

#[test]
fn a_huge_directory_is_refused_before_it_is_read() {
    let mut image = honest();
    image.resize(1024 * 1024, 0);
    put(&mut image, ROOT, 0, &record(&joliet("capos"), FOLDER, 128 * 1024, 2));
    assert_eq!(why(&image), "a directory above 64 KiB");
}

#[test]
fn an_image_without_a_joliet_tree_is_refused() {
    let mut image = honest();
    put(&mut image, 17, 88, b"abc");
    assert_eq!(why(&image), "no Joliet tree");
    assert!(Iso::open(&vec![0u8; 100]).is_err());
}

#[test]
fn no_changed_byte_makes_the_reader_panic() {
    let image = honest();
    for sector in [16, 17, 18, ROOT, FOLDER] {
        for at in 0..260 {
            for value in [0u8, 1, 0x7f, 0x80, 0xff] {
                let mut spoiled = image.clone();
                put(&mut spoiled, sector, at, &[value]);
                let read = Iso::open(&spoiled).and_then(|iso| iso.read("/capos/manifest.bin.sig", 4096));
                assert!(read.is_err() || read.is_ok_and(|bytes| bytes.len() <= 4096));
            }
        }
    }
}

#[test]
fn a_changed_image_is_refused_or_read_within_its_bounds() {
    let image = honest();
    let mut chance = crate::chance::Chance::new(4);
    let mut read = 0;
    for _ in 0..5_000 {
        let mut spoiled = image.clone();
        for _ in 0..=chance.below(3) {
            let start = *chance.pick(&[16, 17, 17, ROOT, FOLDER]) * SECTOR as usize;
            let size = *chance.pick(&[48, 160, 200]);
            let mut part = chance.spoil(&image[start..start + size]);
            part.resize(size, 0);
            spoiled[start..start + size].copy_from_slice(&part);
        }
        if let Ok(iso) = Iso::open(&spoiled) {
            if let Ok(bytes) = iso.read("/capos/manifest.bin.sig", 4096) {
                read += 1;
                assert!(bytes.len() <= 4096);
            }
        }
    }
    assert!(read > 0 && read < 5_000);
}
