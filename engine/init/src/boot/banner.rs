//! What the person at the machine is told before anything else, good or not.

use super::floor::Floor;
use super::network::Card;
use super::secure_boot::Start;
use crate::manifest::Manifest;

/// The compiler puts it on the signed command line of an image that was built although proofs of its page failed; behind it
/// stands how many.
const UNPROVED_PARAMETER: &str = "capos.unproved=";

pub struct Facts<'m> {
    pub manifest: &'m Manifest,
    pub start: Start,
    pub development: bool,
    /// First half of the policy tables' digest, in hex.
    pub tables: Option<String>,
    /// There is one exactly where there is a data disk.
    pub floor: Option<&'m Floor>,
    /// Or why a machine whose page has a network has none.
    pub card: &'m Result<Option<Card>, String>,
}

pub fn show(facts: &Facts<'_>) {
    for line in lines(facts) {
        crate::supervise::say(&line);
    }
}

fn lines(facts: &Facts<'_>) -> Vec<String> {
    let manifest = facts.manifest;
    let mut lines = Vec::from_iter(unproved(manifest));
    lines.push(format!("{} {}", manifest.system_id, manifest.version.escape_default()));
    if let Some(tables) = &facts.tables {
        lines.push(format!("policy {tables}"));
    }
    lines.push(
        match facts.start {
            Start::Sealed => "sealed: the firmware starts only what its keys have signed, and this covers every byte that runs",
            Start::Media { .. } => "media-trusted: corruption of the medium is found, someone who can write to it is not",
        }
        .into(),
    );
    if facts.development {
        lines.push("development keys: whoever holds the checkout that built this can sign for it".into());
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
    lines.extend(network_words(facts.card));
    // Once more where the person looks: right above the prompt.
    lines.extend(unproved(manifest));
    lines
}

/// Certificates are judged by the time, which nobody vouches for.
fn network_words(card: &Result<Option<Card>, String>) -> Vec<String> {
    match card {
        Ok(None) => Vec::new(),
        Ok(Some(Card { name, configuration })) => vec![
            format!("network {name} {}/{}, for egress alone", configuration.address, configuration.prefix),
            format!("time {} s since 1970 by the machine's own clock, which nobody vouches for", since_1970()),
        ],
        Err(why) => vec![format!("no network: {why}")],
    }
}

fn since_1970() -> u64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_secs())
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
    let stars = "*".repeat(8);
    Some(format!("{stars} UNPROVED: assertions of its page that do not hold: {}. For trials only {stars}", count.escape_default()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boot::floor::tests::kept;
    use crate::manifest::tests::honest;

    const MEDIA: Start = Start::Media { because: "Secure Boot is off" };

    fn shown(manifest: &Manifest, start: Start, development: bool, floor: Option<&Floor>) -> Vec<String> {
        lines(&Facts { manifest, start, development, tables: Some("0123456789abcdef".into()), floor, card: &Ok(None) })
    }

    fn worst() -> String {
        shown(&honest(), MEDIA, true, Some(&kept(None))).join("\n")
    }

    #[test]
    fn the_banner_says_what_is_not_safe() {
        let worst = worst();
        for words in ["lab 1.2.0", "policy 0123456789abcdef", "development keys", "data disk capos-data, not encrypted", "media-trusted"] {
            assert!(worst.contains(words), "{words}");
        }
        let other = shown(&honest(), MEDIA, false, None).join("\n");
        assert!(!other.contains("development keys") && other.contains("no data disk, no audit"));
    }

    #[test]
    fn the_banner_says_that_a_disk_is_encrypted_where_it_is() {
        let mut manifest = honest();
        manifest.encrypted = true;
        let lines = shown(&manifest, MEDIA, true, Some(&kept(None)));
        assert!(lines.contains(&"data disk capos-data, encrypted".into()), "{lines:?}");
    }

    #[test]
    fn sealed_and_media_trusted_are_never_said_together() {
        let sealed = shown(&honest(), Start::Sealed, false, None).join("\n");
        assert!(sealed.contains("sealed: ") && !sealed.contains("media-trusted"));
        assert!(!worst().contains("sealed: "));
    }

    #[test]
    fn the_banner_says_below_which_version_nothing_starts() {
        let floor = |floor: Option<&Floor>| shown(&honest(), MEDIA, false, floor).join("\n");
        assert!(floor(None).contains("no rollback floor: "));
        assert!(floor(Some(&kept(None))).contains("rollback floor 1.2.0 from now on"));
        assert!(floor(Some(&kept(Some("1.1.0")))).contains("rollback floor 1.1.0, on the data disk"));
    }

    #[test]
    fn the_banner_says_who_has_the_network_and_whose_time_it_is() {
        let configuration = crate::network::Configuration {
            address: [10, 0, 2, 15].into(),
            prefix: 24,
            router: None,
            resolvers: Vec::new(),
        };
        let words = network_words(&Ok(Some(Card { name: "eth0".into(), configuration })));
        assert_eq!(words[0], "network eth0 10.0.2.15/24, for egress alone");
        assert!(words[1].starts_with("time ") && words[1].ends_with("which nobody vouches for"));
        assert_eq!(network_words(&Err("it has no network card".into())), ["no network: it has no network card"]);
        assert_eq!(network_words(&Ok(None)), Vec::<String>::new());
    }

    #[test]
    fn an_image_of_a_refuted_page_says_so_first_and_last() {
        let mut manifest = honest();
        manifest.kernel_parameters.push("capos.unproved=2".into());
        let lines = shown(&manifest, MEDIA, true, Some(&kept(None)));
        for line in [&lines[0], &lines[lines.len() - 1]] {
            assert!(line.contains("UNPROVED: assertions of its page that do not hold: 2."), "{line}");
        }
        assert!(!worst().contains("UNPROVED"));
    }

    #[test]
    fn the_banner_says_what_a_missing_disk_means() {
        let mut manifest = honest();
        manifest.processes[1].role = "audit".into();
        let last = |floor: Option<&Floor>| shown(&manifest, MEDIA, true, floor).pop().unwrap();
        assert_eq!(last(Some(&kept(None))), "audit on the data disk");
        assert_eq!(last(None), "no data disk: only automatic read-only calls run");
    }
}
