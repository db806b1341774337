//! Renders the first lines that the person at the machine reads, about success and about faults.

use super::floor::Floor;
use super::network::Card;
use super::secure_boot::Start;
use crate::manifest::Manifest;

/// Parameter of the signed command line of an image that was built although proofs of its page failed. Its value is the
/// number of these proofs.
const UNPROVED_PARAMETER: &str = "capos.unproved=";

/// Printed after a power cut: a call that reads without approval is recorded only after it has ended, so its record may be missing.
const CUT_OFF: &str = "the machine was cut off last time: an auto read may have left no record";

pub struct Facts<'m> {
    pub manifest: &'m Manifest,
    pub start: Start,
    /// Properties of a machine that a run on a host does not have.
    pub without: &'m [&'static str],
    pub development: bool,
    /// First half of the policy tables' digest, in hex.
    pub tables: Option<String>,
    /// The rollback floor, which is set if and only if there is a data disk.
    pub floor: Option<&'m Floor>,
    /// Whether the last run of this system on this disk did not end cleanly.
    pub was_cut_off: bool,
    /// The network card, or the reason for which the machine has none although its page has a network.
    pub card: &'m Result<Option<Card>, String>,
    /// Seconds since 1970.
    pub now: u64,
    /// Bytes of the machine's memory that the kernel reports; 0 if it does not report them.
    pub memory: u64,
}

pub fn show(facts: &Facts<'_>) {
    for line in lines(facts) {
        crate::say::say(&line);
    }
}

fn lines(facts: &Facts<'_>) -> Vec<String> {
    let manifest = facts.manifest;
    let mut lines = Vec::from_iter(unproved(manifest));
    lines.extend(host_words(facts.without));
    lines.push(format!("{} {}", manifest.system_id, manifest.version.escape_default()));
    if let Some(tables) = &facts.tables {
        lines.push(format!("policy {tables}"));
    }
    lines.push(
        match facts.start {
            Start::Sealed => "sealed: firmware checks a signature that covers every byte that runs",
            Start::Media { .. } => "media-trusted: corruption is found, a writer of the medium is not",
        }
        .into(),
    );
    if facts.development {
        lines.push("development keys: who holds the checkout that built this can sign for it".into());
    }
    let has_disk = facts.floor.is_some();
    if has_disk {
        let word = if manifest.encrypted { "encrypted" } else { "not encrypted" };
        lines.push(format!("data disk {}, {word}", manifest.disk));
    }
    lines.push(floor_words(facts));
    lines.push(match (has_disk, manifest.processes.iter().any(|process| process.role == "audit")) {
        (true, true) => "audit on the data disk".into(),
        (false, true) => "no data disk: only automatic read-only calls run".into(),
        (true, false) => "no audit".into(),
        (false, false) => "no data disk, no audit".into(),
    });
    if facts.was_cut_off && manifest.processes.iter().any(|process| process.role == "audit") {
        lines.push(CUT_OFF.into());
    }
    lines.extend(network_words(facts.card, facts.now));
    lines.extend(memory_words(manifest.memory, facts.memory));
    // The warnings are repeated directly above the prompt, where the person looks.
    lines.extend(host_words(facts.without));
    lines.extend(unproved(manifest));
    lines
}

/// Returns the lines about the network. They state the time: it decides whether certificates are valid, but no one verifies it.
fn network_words(card: &Result<Option<Card>, String>, now: u64) -> Vec<String> {
    match card {
        Ok(None) => Vec::new(),
        Ok(Some(Card { name, configuration, .. })) => {
            let given = configuration.iter().map(|given| format!("network {name} {}/{}, for egress alone", given.address, given.prefix));
            given.chain([format!("time {now} s since 1970, by a clock that nobody vouches for")]).collect()
        }
        Err(why) => vec![format!("no network: {why}")],
    }
}

/// Returns a warning if memory is too small. The kernel reserves less than an eighth of the memory, and does not count this part.
fn memory_words(needed: u64, found: u64) -> Option<String> {
    let is_short = found > 0 && found.saturating_add(found / 8) < needed;
    is_short.then(|| format!("too little memory: {} MiB, and the page is for {}: the kernel may end what finds no room", found >> 20, needed >> 20))
}

/// Returns one line with all names, or `None` without names. With a line for each name, the first lines would scroll off a screen.
fn host_words(without: &[&str]) -> Option<String> {
    if without.is_empty() { None } else { Some(format!("ON A HOST, without {}", without.join(", "))) }
}

fn floor_words(facts: &Facts<'_>) -> String {
    let version = facts.manifest.version.escape_default();
    match facts.floor.map(|floor| floor.kept.as_deref()) {
        None => "no rollback floor: an older version of this system would start here".into(),
        Some(None) => format!("rollback floor {version} from now on"),
        Some(Some(kept)) => format!("rollback floor {kept}, on the data disk"),
    }
}

fn unproved(manifest: &Manifest) -> Option<String> {
    let count = manifest.kernel_parameters.iter().find_map(|word| word.strip_prefix(UNPROVED_PARAMETER))?;
    Some(format!("UNPROVED: assertions of its page that do not hold: {}. FOR TRIALS", count.escape_default()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boot::floor::tests::kept;
    use crate::manifest::tests::honest;

    const MEDIA: Start = Start::Media { because: "Secure Boot is off" };

    fn shown(manifest: &Manifest, start: Start, development: bool, floor: Option<&Floor>) -> Vec<String> {
        lines(&Facts { manifest, start, without: &[], development, tables: Some("0123456789abcdef".into()), floor, was_cut_off: false, card: &Ok(None), now: 0, memory: 470 << 20 })
    }

    fn worst() -> String {
        shown(&honest(), MEDIA, true, Some(&kept(None))).join("\n")
    }

    #[test]
    fn the_banner_warns_if_the_machine_has_less_memory_than_the_page_needs() {
        let with = |needed: u64| {
            let mut manifest = honest();
            manifest.memory = needed << 20;
            shown(&manifest, MEDIA, true, None).join("\n").contains("too little memory: 470 MiB, and the page is for")
        };
        assert_eq!([0, 512, 528, 529, 2048].map(with), [false, false, false, true, true]);
        assert_eq!(memory_words(u64::MAX, 0), None);
    }

    #[test]
    fn the_banner_names_missing_protections_such_as_development_keys_and_an_unencrypted_disk() {
        let worst = worst();
        for words in ["lab 1.2.0", "policy 0123456789abcdef", "development keys", "data disk capos-data, not encrypted", "media-trusted"] {
            assert!(worst.contains(words), "{words}");
        }
        let other = shown(&honest(), MEDIA, false, None).join("\n");
        assert!(!other.contains("development keys") && other.contains("no data disk, no audit"));
    }

    #[test]
    fn the_banner_reports_an_encrypted_disk() {
        let mut manifest = honest();
        manifest.encrypted = true;
        let lines = shown(&manifest, MEDIA, true, Some(&kept(None)));
        assert!(lines.contains(&"data disk capos-data, encrypted".into()), "{lines:?}");
    }

    #[test]
    fn the_banner_says_sealed_or_media_trusted_but_never_both() {
        let sealed = shown(&honest(), Start::Sealed, false, None).join("\n");
        assert!(sealed.contains("sealed: ") && !sealed.contains("media-trusted"));
        assert!(!worst().contains("sealed: "));
    }

    #[test]
    fn the_banner_names_the_lowest_version_that_starts() {
        let floor = |floor: Option<&Floor>| shown(&honest(), MEDIA, false, floor).join("\n");
        assert!(floor(None).contains("no rollback floor: "));
        assert!(floor(Some(&kept(None))).contains("rollback floor 1.2.0 from now on"));
        assert!(floor(Some(&kept(Some("1.1.0")))).contains("rollback floor 1.1.0, on the data disk"));
    }

    fn networked() -> Result<Option<Card>, String> {
        let [address, router] = [[10, 0, 2, 15], [10, 0, 2, 2]].map(std::net::Ipv4Addr::from);
        let configuration = crate::network::Configuration { address, prefix: 24, router: Some(router), resolvers: Vec::new() };
        Ok(Some(Card { name: "eth0".into(), configuration: Some(configuration), lease: None }))
    }

    #[test]
    fn the_banner_names_the_process_with_the_network_and_the_source_of_the_time() {
        let words = network_words(&networked(), 1_795_419_093);
        assert_eq!(words[0], "network eth0 10.0.2.15/24, for egress alone");
        assert_eq!(words[1], "time 1795419093 s since 1970, by a clock that nobody vouches for");
        assert_eq!(network_words(&Err("it has no network card".into()), 0), ["no network: it has no network card"]);
        assert_eq!(network_words(&Ok(None), 0), Vec::<String>::new());
    }

    /// The text is in `tests/screens/banner.txt`, like other screens of a terminal with 80 columns; `CAPOS_WRITE_SCREENS=1` writes it.
    #[test]
    fn the_banner_equals_the_reviewed_screen() {
        let mut manifest = honest();
        manifest.processes[1].role = "audit".into();
        let shown = |manifest: &Manifest, start, floor: Option<&Floor>, card: &Result<Option<Card>, String>| {
            let facts = Facts { manifest, start, without: &[], development: true, tables: Some("0123456789abcdef".into()), floor, was_cut_off: false, card, memory: 0, now: 1_795_419_093 };
            lines(&facts).iter().map(|line| format!("capos: {line}\n")).collect::<Vec<_>>().concat()
        };
        let usual = shown(&manifest, MEDIA, Some(&kept(None)), &networked());
        (manifest.encrypted, manifest.kernel_parameters) = (true, vec!["capos.unproved=2".into()]);
        let sealed = shown(&manifest, Start::Sealed, Some(&kept(Some("1.1.0"))), &Err("no address by DHCP: nobody answers".into()));
        let bare = shown(&manifest, MEDIA, None, &Ok(None));
        let screen = [usual, sealed, bare].join("\n");
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/screens/banner.txt");
        if std::env::var_os("CAPOS_WRITE_SCREENS").is_some() {
            std::fs::write(path, &screen).unwrap();
        }
        assert_eq!(std::fs::read_to_string(path).unwrap_or_default(), screen);
        assert!(screen.lines().all(|line| line.len() <= 80), "{screen}");
    }

    #[test]
    fn the_banner_says_which_records_the_audit_may_lack_after_an_interrupted_run() {
        let mut manifest = honest();
        let (card, floor) = (Ok(None), kept(None));
        let said = |manifest: &Manifest, was_cut_off| {
            lines(&Facts { manifest, start: MEDIA, without: &[], development: true, tables: None, floor: Some(&floor), was_cut_off, card: &card, memory: 0, now: 0 })
        };
        assert!(!said(&manifest, true).contains(&CUT_OFF.to_owned()), "there is no audit");
        manifest.processes[1].role = "audit".into();
        assert!(said(&manifest, true).contains(&CUT_OFF.to_owned()));
        assert!(!said(&manifest, false).contains(&CUT_OFF.to_owned()));
        assert!("capos: ".len() + CUT_OFF.len() <= 80);
    }

    #[test]
    fn a_run_on_a_host_names_the_missing_properties_first_and_last() {
        let manifest = honest();
        let said = |without: &[&'static str]| {
            lines(&Facts { manifest: &manifest, start: MEDIA, without, development: true, tables: None, floor: None, was_cut_off: false, card: &Ok(None), memory: 0, now: 0 })
        };
        let words = "ON A HOST, without own-kernel, verity";
        let shown = said(&["own-kernel", "verity"]);
        assert_eq!((shown.first().map(String::as_str), shown.last().map(String::as_str)), (Some(words), Some(words)));
        assert!(!said(&[]).join("\n").contains("HOST"));
    }

    #[test]
    fn the_banner_reports_failed_proofs_first_and_last() {
        let mut manifest = honest();
        manifest.kernel_parameters.push("capos.unproved=2".into());
        let lines = shown(&manifest, MEDIA, true, Some(&kept(None)));
        for line in [&lines[0], &lines[lines.len() - 1]] {
            assert!(line.contains("UNPROVED: assertions of its page that do not hold: 2."), "{line}");
        }
        assert!(!worst().contains("UNPROVED"));
    }

    #[test]
    fn the_banner_explains_a_missing_disk() {
        let mut manifest = honest();
        manifest.processes[1].role = "audit".into();
        let last = |floor: Option<&Floor>| shown(&manifest, MEDIA, true, floor).pop().unwrap();
        assert_eq!(last(Some(&kept(None))), "audit on the data disk");
        assert_eq!(last(None), "no data disk: only automatic read-only calls run");
    }
}
