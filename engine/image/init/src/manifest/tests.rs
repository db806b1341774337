use super::*;
use crate::wire_capnp::supervisor;

pub fn process(name: &str, role: &str, uid: u32) -> Process {
    Process {
        name: name.into(),
        role: role.into(),
        uid,
        exec: "/usr/bin/node".into(),
        arguments: vec![format!("/capos/{role}.mjs")],
        grants: Vec::new(),
        files: Vec::new(),
        memory_max: 0,
        restart: Restart::default(),
        answer_within: 0,
        state_max: None,
    }
}

pub fn honest() -> Manifest {
    let blob = |name: &str, size| Blob { name: name.into(), path: format!("/capos/{name}"), size, sha256: [3; 32], verity: None, card: String::new() };
    let tree = Verity { content_bytes: 4097, salt: vec![1; 32], root_hash: [4; 32] };
    let mut console = process("console", "console", 1001);
    console.files.push(FileGrant { name: "tty".into(), what: FileKind::Terminal });
    let mut notes = process("notes", "files", 1002);
    notes.files.push(FileGrant { name: "root".into(), what: FileKind::Directory("notes".into()) });
    notes.state_max = Some(1 << 20);
    let mut gate = process("gate.operator", "gate", 1003);
    gate.files.push(FileGrant { name: "tables".into(), what: FileKind::Blob("tables".into()) });
    for (badge, provider) in [(1, "console"), (2, "notes")] {
        let grant = Grant { name: provider.into(), interface_id: 5, provider: provider.into(), badge, expires_after: 0 };
        gate.grants.push(grant);
    }
    Manifest {
        system_id: "lab".into(),
        version: "1.2.0".into(),
        kernel_parameters: vec!["quiet".into()],
        root: Blob { verity: Some(tree), ..blob("root", 3 * BLOCK) },
        artefacts: vec![blob("tables", 100)],
        processes: vec![console, notes, gate],
        disk: "capos-data".into(),
        encrypted: false,
        create: false,
        session: "operator".into(),
        trust: TrustLevel::Media,
        network: Network::None,
        memory: 0,
    }
}

fn why(spoil: impl Fn(&mut Manifest)) -> String {
    let mut manifest = honest();
    spoil(&mut manifest);
    judge::judge(&manifest).expect_err("a spoiled manifest")
}

#[test]
fn a_valid_manifest_is_accepted() {
    assert_eq!(judge::judge(&honest()), Ok(()));
}

#[test]
fn a_manifest_must_limit_the_directory_of_a_process_unless_the_role_itself_does() {
    assert_eq!(why(|m| m.processes[1].state_max = None), "notes: a directory without a limit");
    let mut manifest = honest();
    let mut broker = process("broker", "broker", 1004);
    broker.files.push(FileGrant { name: "data".into(), what: FileKind::Directory("broker".into()) });
    manifest.processes.push(broker);
    assert_eq!(judge::judge(&manifest), Ok(()));
}

#[test]
fn no_process_gets_more_descriptors_than_its_role_may_have() {
    let with = |count: u64| {
        let mut manifest = honest();
        let room = manifest.processes[2].grants.len() + manifest.processes[2].files.len() + 5;
        for more in 0..count - room as u64 {
            let name = format!("more{more}");
            manifest.processes[2].grants.push(Grant { name, interface_id: 5, provider: "notes".into(), badge: 10 + more, expires_after: 0 });
        }
        judge::judge(&manifest)
    };
    assert_eq!(with(512), Ok(()));
    assert_eq!(with(513).unwrap_err(), "gate.operator: 513 descriptors, and its role may have 512");
}

#[test]
fn a_manifest_with_duplicates_is_refused() {
    assert_eq!(why(|m| m.processes[1].uid = 1001), "one uid stands twice");
    assert_eq!(why(|m| m.processes[1].name = "console".into()), "one process stands twice");
    assert_eq!(why(|m| m.processes[2].grants[1].badge = 1), "one badge stands twice");
    assert_eq!(why(|m| m.artefacts = vec![m.artefacts[0].clone(), m.artefacts[0].clone()]), "one artefact stands twice");
    assert_eq!(why(|m| m.processes[2].grants[1].name = "console".into()), "one grant stands twice");
    let more = |m: &mut Manifest| {
        let mut files = m.processes[1].files.clone();
        files.push(FileGrant { name: "root".into(), what: FileKind::Blob("tables".into()) });
        files
    };
    assert_eq!(why(|m| m.processes[1].files = more(m)), "one file stands twice");
    let second = why(|m| {
        let files = m.processes[1].files.clone();
        m.processes.push(Process { files, ..process("more", "files", 1004) });
    });
    assert_eq!(second, "one directory stands twice");
}

#[test]
fn a_key_belongs_to_one_process_whose_role_may_hold_it() {
    let key = |name: &str| FileGrant { name: "opener".into(), what: FileKind::Key(name.into()) };
    let egress = |name: &str, uid, file| Process { files: vec![file], ..process(name, "egress", uid) };
    let mut manifest = honest();
    manifest.network = Network::Dhcp;
    manifest.processes.push(egress("egress", 1004, key("secrets")));
    assert_eq!(judge::judge(&manifest), Ok(()));
    manifest.processes.push(egress("other", 1005, key("secrets")));
    assert_eq!(judge::judge(&manifest), Err("one key stands twice".into()));
    let unfit = "notes: its role may not hold a key, or its name is not plain";
    assert_eq!(why(|m| m.processes[1].files = vec![key("secrets")]), unfit);
    for name in ["", "..", "a/b", ".new"] {
        let refused = why(|m| {
            m.network = Network::Dhcp;
            m.processes.push(egress("egress", 1004, key(name)));
        });
        assert!(refused.contains("not plain"), "{name}");
    }
}

#[test]
fn only_one_process_gets_the_network_and_no_process_gets_it_if_the_page_has_no_network() {
    let egress = |name: &str, uid| process(name, "egress", uid);
    let alone = why(|m| m.processes.push(egress("egress", 1004)));
    assert_eq!(alone, "a process has the network, and there is none");
    let mut manifest = honest();
    assert_eq!(manifest.networked(), None);
    manifest.network = Network::Dhcp;
    manifest.processes.extend([egress("egress", 1004), egress("other", 1005)]);
    assert_eq!((judge::judge(&manifest), manifest.networked()), (Ok(()), Some(3)), "a card is in one place");
}

#[test]
fn a_role_with_more_than_its_jail_allows_is_refused() {
    let terminal = || FileGrant { name: "tty".into(), what: FileKind::Terminal };
    let directory = || FileGrant { name: "d".into(), what: FileKind::Directory("x".into()) };
    let moved = why(|m| {
        m.processes[0].files.clear();
        m.processes[2].files.push(terminal());
    });
    assert_eq!(moved, "gate.operator: its role may not hold the terminal");
    assert_eq!(why(|m| m.processes[1].files.push(terminal())), "two processes hold the terminal");
    assert!(why(|m| m.processes[2].files.push(directory())).starts_with("gate.operator: may not hold a directory"));
    let partition = || FileGrant { name: "log".into(), what: FileKind::Partition };
    assert!(why(|m| m.processes[2].files.push(partition())).starts_with("gate.operator: its role may not hold a partition"));
    assert_eq!(why(|m| m.processes[0].files.extend([partition(), partition()])), "two processes hold the partition");
    assert_eq!(why(|m| m.processes[1].role = "root".into()), "notes: there is no jail for its role");
    let another = FileGrant { name: "d".into(), what: FileKind::Directory("x".into()) };
    assert_eq!(why(|m| m.processes[1].files.push(another.clone())), "notes: more than one directory");
    let diskless = why(|m| {
        m.disk.clear();
        m.processes[1] = Process { files: vec![partition()], ..process("audit", "audit", 1002) };
    });
    assert_eq!(diskless, "audit: its role may not hold a partition, or there is no data disk");
}

fn with_weights() -> Manifest {
    let mut manifest = honest();
    let [tables] = &manifest.artefacts[..] else { panic!("the sample has one artefact") };
    let card = Blob { name: "card.smol".into(), ..tables.clone() };
    let weights = Blob { name: "weights.smol".into(), card: "card.smol".into(), ..manifest.root.clone() };
    manifest.artefacts.extend([card, weights]);
    let mut model = process("model.smol", "model-local", 1004);
    model.files.push(FileGrant { name: "weights".into(), what: FileKind::Weights("weights.smol".into()) });
    manifest.processes.push(model);
    manifest
}

#[test]
fn weights_need_a_tree_and_a_card_and_belong_to_the_one_role_that_may_have_them() {
    assert_eq!(judge::judge(&with_weights()), Ok(()));
    let why = |spoil: &dyn Fn(&mut Manifest)| {
        let mut manifest = with_weights();
        spoil(&mut manifest);
        judge::judge(&manifest).expect_err("a spoiled manifest")
    };
    assert_eq!(why(&|m| m.artefacts[2].card.clear()), "model.smol: there are no weights 'weights.smol'");
    assert_eq!(why(&|m| m.artefacts[2].verity = None), "weights.smol: it has a card and no hash tree");
    let card = "weights.smol: its card 'card.smol' is no small artefact";
    assert_eq!(why(&|m| m.artefacts[1].name = "other".into()), card);
    assert_eq!(why(&|m| m.artefacts[1].size = MOST_CARD_BYTES + 1), card);
    let weights = |name: &str| FileGrant { name: name.into(), what: FileKind::Weights("weights.smol".into()) };
    assert_eq!(why(&|m| m.processes[2].files.push(weights("w"))), "gate.operator: its role may not hold weights");
    assert_eq!(why(&|m| m.processes[3].files.push(weights("w"))), "model.smol: more than one model's weights");
    let tables = FileKind::Weights("tables".into());
    assert_eq!(why(&|m| m.processes[3].files[0].what = tables.clone()), "model.smol: there are no weights 'tables'");
    // No process may have a block device as a descriptor.
    let held = FileKind::Blob("weights.smol".into());
    assert_eq!(why(&|m| m.processes[3].files[0].what = held.clone()), "model.smol: there is no artefact 'weights.smol'");
}

#[test]
fn prefilled_states_are_refused_if_they_lack_a_hash_tree_or_have_a_card_or_their_process_has_no_weights() {
    let states = |name: &str| FileGrant { name: name.into(), what: FileKind::States("states.smol".into()) };
    let with_states = || {
        let mut manifest = with_weights();
        let blob = Blob { name: "states.smol".into(), ..manifest.root.clone() };
        manifest.artefacts.push(blob);
        manifest.processes[3].files.push(states("states"));
        manifest
    };
    assert_eq!(judge::judge(&with_states()), Ok(()));
    let why = |spoil: &dyn Fn(&mut Manifest)| {
        let mut manifest = with_states();
        spoil(&mut manifest);
        judge::judge(&manifest).expect_err("a spoiled manifest")
    };
    let none = "model.smol: there are no states 'states.smol'";
    assert_eq!(why(&|m| m.artefacts[3].verity = None), none);
    assert_eq!(why(&|m| m.artefacts[3].card = "card.smol".into()), none);
    assert_eq!(why(&|m| m.artefacts.truncate(3)), none);
    let alone = "gate.operator: states without the weights that they are of";
    assert_eq!(why(&|m| m.processes[2].files.push(states("s"))), alone);
    assert_eq!(why(&|m| m.processes[3].files.push(states("s"))), "model.smol: more than one model's states");
    // A file system of prefilled states cannot be used as weights, which need a card.
    let held = FileKind::Weights("states.smol".into());
    assert_eq!(why(&|m| m.processes[3].files[0].what = held.clone()), "model.smol: there are no weights 'states.smol'");
}

#[test]
fn a_reference_to_a_missing_entry_is_refused() {
    assert_eq!(why(|m| m.artefacts.clear()), "gate.operator: there is no artefact 'tables'");
    let gone = "gate.operator: no other process provides 'notes'";
    assert_eq!(why(|m| m.processes[2].grants[1].provider = "nobody".into()), gone);
    assert_eq!(why(|m| m.processes[2].grants[1].provider = "gate.operator".into()), gone);
    assert_eq!(why(|m| m.processes[2].grants[1].provider = INIT.into()), gone);
    assert_eq!(why(|m| m.disk.clear()), "notes: a directory without a data disk");
}

#[test]
fn init_provides_only_the_interface_supervisor() {
    let mut manifest = honest();
    let grant = &mut manifest.processes[2].grants[1];
    (grant.name, grant.provider, grant.interface_id) = ("supervisor".into(), INIT.into(), supervisor::_private::TYPE_ID);
    assert_eq!(judge::judge(&manifest), Ok(()));
    assert!(why(|m| m.processes[1].name = INIT.into()).contains("that of init"));
}

#[test]
fn names_and_paths_and_sizes_are_validated() {
    assert!(why(|m| m.processes[0].uid = 0).contains("uid 0"));
    assert!(why(|m| m.processes[0].exec = "/usr/../init".into()).contains("plain path"));
    assert!(why(|m| m.processes[0].arguments[0] = "a b".into()).contains("plain words"));
    assert!(why(|m| m.root.size = 1 << 40).contains("the limit is"));
    assert!(why(|m| m.artefacts[0].path = "../x".into()).contains("not plain"));
    assert!(why(|m| m.processes[1].files[0].what = FileKind::Directory("..".into())).contains("not plain"));
    let nameless = |m: &mut Manifest| (m.encrypted, m.disk) = (true, String::new());
    assert!(why(nameless).contains("an encrypted data disk without a name"));
    assert_eq!(why(|m| m.system_id = "../x".into()), "the system's name is not plain");
    assert_eq!(why(|m| m.kernel_parameters[0] = "quiet init=/x".into()), "a kernel parameter is not one word");
    for disk in ["a/b", "a-name-of-17-char"] {
        assert_eq!(why(|m| m.disk = disk.into()), "the data disk's name is not plain, or longer than 16");
    }
    assert_eq!(why(|m| m.processes[1].files[0].name = "a/b".into()), "notes: a file's name is not plain");
    assert!(why(|m| m.processes[0].arguments = vec!["x".into(); 513]).contains("plain words"));
    assert!(why(|m| m.processes[0].uid = 65_001).contains("uid 65001"));
    assert!(why(|m| m.artefacts[0].size = 0).starts_with("tables: 0 bytes"));
}

/// Writes the data of a hash tree over `content` bytes.
fn plant(mut tree: verity::Builder<'_>, content: u64) {
    tree.set_content_bytes(content);
    tree.set_salt(&[1; 32]);
    tree.set_root_hash(&[8; 32]);
}

#[test]
fn the_size_of_a_file_with_a_hash_tree_is_exactly_that_of_its_content_and_its_tree() {
    // The content has 16,385 blocks. The three levels of its tree have 129 blocks, 2 blocks and 1 block.
    let large = Verity { content_bytes: 128 * 128 * BLOCK + 1, salt: Vec::new(), root_hash: [0; 32] };
    assert_eq!(large.file_bytes(), (16_385 + 129 + 2 + 1) * BLOCK);
    assert_eq!(Verity { content_bytes: 1, ..large.clone() }.file_bytes(), BLOCK);
    assert_eq!(why(|m| m.root.size += BLOCK), "root: 16384 bytes are not content and hash tree");
    assert_eq!(why(|m| m.root.verity = None), "the root has no hash tree");
    assert_eq!(why(|m| m.artefacts[0].name = "root".into()), "an artefact has the name of the root");
    for content in [0, u64::MAX, 1 << 39] {
        let spoiled = why(|m| m.root.verity.as_mut().unwrap().content_bytes = content);
        assert!(spoiled.contains("are not content and hash tree"), "{content}");
    }
    assert_eq!(why(|m| m.root.verity.as_mut().unwrap().salt = vec![0; 65]), "root: a salt of 65 bytes");
}

#[test]
fn weights_with_a_tree_may_exceed_the_limit_for_files_in_memory() {
    let mut manifest = with_weights();
    let large = Verity { content_bytes: 5 << 30, salt: vec![1; 32], root_hash: [4; 32] };
    let weights = &mut manifest.artefacts[2];
    (weights.size, weights.verity) = (large.file_bytes(), Some(large));
    assert_eq!(judge::judge(&manifest), Ok(()));
    manifest.artefacts[2].verity = None;
    assert!(judge::judge(&manifest).unwrap_err().contains("the limit is"));
}

#[test]
fn restarts_are_limited_and_some_roles_never_restart() {
    let once = Restart { most: 1, within: 60_000, pause: 200 };
    let mut manifest = honest();
    manifest.processes[1].restart = once;
    assert_eq!(judge::judge(&manifest), Ok(()));
    for (place, role) in [(0, "console"), (2, "gate"), (1, "broker")] {
        let refused = why(|m| {
            m.processes[1].files.clear();
            m.processes[place].role = role.into();
            m.processes[place].restart = once;
        });
        assert!(refused.ends_with("a process of its role must not be started again"), "{role}: {refused}");
    }
    assert_eq!(why(|m| m.processes[1].restart = Restart { within: 0, ..once }), "notes: 1 new starts within 0 ms");
    assert!(why(|m| m.processes[1].restart = Restart { most: 101, ..once }).contains("101 new starts"));
    assert!(why(|m| m.processes[2].grants[0].badge = INIT_BADGE).contains("badge of init"));
}

#[test]
fn bytes_of_another_schema_version_are_refused() {
    let mut message = capnp::message::Builder::new_default();
    message.init_root::<manifest::Builder>().set_schema_version(1);
    let bytes = capnp::serialize::write_message_to_words(&message);
    assert_eq!(Manifest::read(&bytes).err().unwrap(), "schema version 1, but this system knows 2");
}

#[test]
fn a_manifest_that_is_written_and_read_again_is_unchanged() {
    let mut message = capnp::message::Builder::new_default();
    let mut root: manifest::Builder = message.init_root();
    root.set_schema_version(SCHEMA_VERSION);
    root.set_system_id("lab");
    root.set_version("1");
    let mut blob = root.reborrow().init_root();
    blob.set_name("root");
    blob.set_path("/boot/rootfs.erofs");
    blob.set_size(4096);
    blob.set_sha256(&[9; 32]);
    plant(blob.init_verity(), 4096);
    let mut process = root.reborrow().init_processes(1).get(0);
    process.set_name("console");
    process.set_role("console");
    process.set_uid(1001);
    process.set_exec("/usr/bin/capos-console");
    process.set_answer_within_seconds(30);
    process.set_state_max_bytes(4096);
    process.reborrow().init_files(1).get(0).set_terminal(());
    process.get_files().unwrap().get(0).set_name("tty");
    let read = Manifest::read(&capnp::serialize::write_message_to_words(&message)).unwrap();
    assert!(read.processes[0].has_terminal());
    assert_eq!(read.processes[0].state_max, Some(4096));
    assert_eq!((read.processes[0].answer_within, read.processes[0].restart), (30_000, Restart::default()));
    assert_eq!((read.root.sha256, read.root.size), ([9; 32], 4096));
}

/// Returns a manifest with an entry in each of its lists.
fn bytes_of_one() -> Vec<u8> {
    let mut message = capnp::message::Builder::new_default();
    let mut root: manifest::Builder = message.init_root();
    root.set_schema_version(SCHEMA_VERSION);
    root.set_system_id("lab");
    root.set_version("1.2.0");
    root.set_session("operator");
    root.reborrow().init_kernel_parameters(1).set(0, "quiet");
    root.reborrow().init_storage().set_disk("capos-data");
    let fill = |mut blob: blob::Builder<'_>, name: &str| {
        blob.set_name(name);
        blob.set_path(format!("/capos/{name}"));
        blob.set_size(4096);
        blob.set_sha256(&[9; 32]);
    };
    fill(root.reborrow().init_root(), "root");
    plant(root.reborrow().get_root().unwrap().init_verity(), 4096);
    fill(root.reborrow().init_artefacts(1).get(0), "tables");
    let mut processes = root.reborrow().init_processes(2);
    for (index, (name, role)) in [("notes", "files"), ("gate.operator", "gate")].into_iter().enumerate() {
        let mut process = processes.reborrow().get(index as u32);
        process.set_name(name);
        process.set_role(role);
        process.set_uid(1001 + index as u32);
        process.set_exec("/usr/bin/node");
        process.set_state_max_bytes(if role == "files" { 1 << 20 } else { 0 });
        if role == "files" {
            let mut restart = process.reborrow().init_restart();
            restart.set_most(5);
            restart.set_within_seconds(300);
            restart.set_pause_ms(200);
        }
        process.reborrow().init_arguments(1).set(0, "/capos/x.mjs");
        let mut file = process.init_files(1).get(0);
        file.set_name("it");
        if role == "gate" { file.set_blob("tables") } else { file.set_directory("notes") }
    }
    let mut grant = processes.get(1).init_grants(1).get(0);
    grant.set_name("notes");
    grant.set_provider("notes");
    grant.set_interface_id(5);
    grant.set_badge(1);
    capnp::serialize::write_message_to_words(&message)
}

#[test]
fn a_changed_manifest_is_refused_or_satisfies_every_rule() {
    let honest = bytes_of_one();
    let whole = Manifest::read(&honest).unwrap();
    assert_eq!(whole.processes[0].restart, Restart { most: 5, within: 300_000, pause: 200 });
    let mut chance = crate::chance::Chance::new(3);
    let mut read = 0;
    for _ in 0..20_000 {
        if let Ok(manifest) = Manifest::read(&chance.spoil(&honest)) {
            read += 1;
            assert!(manifest.processes.iter().all(|process| process.uid > 1000 && crate::jail::of_role(&process.role).is_some()));
            assert!(manifest.processes.iter().all(|process| !process.has_terminal() || process.role == "console"));
            assert_eq!(judge::judge(&manifest), Ok(()));
        }
    }
    assert!(read > 0, "nothing that was spoiled could be read: the law says nothing");
}
