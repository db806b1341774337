use super::superblock::{self, AT, BYTES, PROJECT, QUOTA, Superblock};
use super::*;
use std::process::Command;

/// Returns the superblock of a file system that mke2fs makes with these arguments, and its file.
fn made(name: &str, words: &[&str]) -> (Superblock, std::path::PathBuf) {
    let path = std::env::temp_dir().join(format!("capos-quota-{}-{name}", std::process::id()));
    File::create(&path).unwrap().set_len(64 << 20).unwrap();
    run("mke2fs", &[&["-q", "-F", "-t", "ext4", "-b", "4096"], words, &[path.to_str().unwrap()]].concat());
    (superblock::read(path.to_str().unwrap()).unwrap(), path)
}

fn run(program: &str, words: &[&str]) -> String {
    let path = format!("{}:/usr/sbin:/sbin", std::env::var("PATH").unwrap());
    let ran = Command::new(program).args(words).env("PATH", path).output().unwrap();
    assert!(ran.status.success(), "{program}: {}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    String::from_utf8_lossy(&ran.stdout).into_owned()
}

#[test]
fn a_new_disk_has_project_quotas() {
    let (found, path) = made("new", &["-O", "quota,project", "-E", "quotatype=prjquota"]);
    let features = superblock::features(&found).unwrap();
    assert_eq!(features & (PROJECT | QUOTA), PROJECT | QUOTA);
    fs::remove_file(path).unwrap();
}

#[test]
fn a_disk_of_an_older_image_gets_projects_and_stays_consistent() {
    let (found, path) = made("old", &[]);
    assert_eq!(superblock::features(&found).unwrap() & (PROJECT | QUOTA), 0);
    let changed = superblock::with_projects(&found).unwrap();
    assert_eq!(superblock::features(&changed).unwrap() & (PROJECT | QUOTA), PROJECT);
    OpenOptions::new().write(true).open(&path).unwrap().write_all_at(&changed, AT).unwrap();
    run("e2fsck", &["-fn", path.to_str().unwrap()]);
    assert!(run("dumpe2fs", &["-h", path.to_str().unwrap()]).contains(" project"));
    fs::remove_file(path).unwrap();
}

#[test]
fn a_file_system_that_cannot_have_projects_is_refused_with_a_reason() {
    let (found, path) = made("small", &["-I", "128", "-O", "^metadata_csum"]);
    assert!(superblock::with_projects(&found).unwrap_err().to_string().contains("no room to say whose a file is"));
    assert!(superblock::features(&[0; BYTES]).unwrap_err().to_string().contains("no ext4"));
    fs::remove_file(path).unwrap();
}

#[test]
fn the_checksum_of_a_superblock_is_its_crc_32c() {
    assert_eq!(!superblock::checksum(b"123456789"), 0xe306_9283);
}

#[test]
fn each_directory_has_its_own_project_independent_of_the_others() {
    let [notes, desk] = [projects(["notes"].into_iter())[0], projects(["desk"].into_iter())[0]];
    assert_eq!(projects(["desk", "notes"].into_iter()), [desk, notes]);
    let twice = projects(["notes", "notes"].into_iter());
    assert_eq!(twice, [notes, notes + 1]);
    assert!(projects((0..1000).map(|number| if number % 2 == 0 { "a" } else { "b" })).iter().all(|&one| one != 0 && one != u32::MAX));
}

#[test]
fn structs_for_the_kernel_have_the_expected_sizes() {
    assert_eq!((size_of::<Quota>(), size_of::<Attributes>(), EMPTY_COUNT.len() * 4), (72, 28, 32));
}
