//! What the person at the machine is told before anything else, good or not.

use crate::manifest::Manifest;

/// The compiler puts it on the signed command line of an image that was built although proofs of its page failed; behind it
/// stands how many.
const UNPROVED_PARAMETER: &str = "capos.unproved=";

pub struct Facts<'m> {
    pub manifest: &'m Manifest,
    pub development: bool,
    /// First half of the policy tables' digest, in hex.
    pub tables: Option<String>,
    pub has_disk: bool,
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
    lines.push("media-trusted: corruption of the medium is found, someone who can write to it is not".into());
    if facts.development {
        lines.push("development keys: whoever holds the checkout that built this can sign for it".into());
    }
    if facts.has_disk {
        lines.push(format!("data disk {}, not encrypted", manifest.disk));
    }
    lines.push(match (facts.has_disk, manifest.processes.iter().any(|process| process.role == "audit")) {
        (true, true) => "audit on the data disk".into(),
        (false, true) => "no data disk: only automatic read-only calls run".into(),
        (true, false) => "no audit".into(),
        (false, false) => "no data disk, no audit".into(),
    });
    // Once more where the person looks: right above the prompt.
    lines.extend(unproved(manifest));
    lines
}

fn unproved(manifest: &Manifest) -> Option<String> {
    let count = manifest.kernel_parameters.iter().find_map(|word| word.strip_prefix(UNPROVED_PARAMETER))?;
    let stars = "*".repeat(8);
    Some(format!("{stars} UNPROVED: assertions of its page that do not hold: {}. For trials only {stars}", count.escape_default()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::tests::honest;

    fn shown(development: bool, has_disk: bool) -> String {
        let manifest = honest();
        lines(&Facts { manifest: &manifest, development, tables: Some("0123456789abcdef".into()), has_disk }).join("\n")
    }

    #[test]
    fn the_banner_says_what_is_not_safe() {
        let worst = shown(true, true);
        for words in ["lab 1.2.0", "policy 0123456789abcdef", "development keys", "data disk capos-data, not encrypted", "media-trusted"] {
            assert!(worst.contains(words), "{words}");
        }
        assert!(!shown(false, false).contains("development keys"));
        assert!(shown(false, false).contains("no data disk, no audit"));
    }

    #[test]
    fn an_image_of_a_refuted_page_says_so_first_and_last() {
        let mut manifest = honest();
        manifest.kernel_parameters.push("capos.unproved=2".into());
        let lines = lines(&Facts { manifest: &manifest, development: true, tables: None, has_disk: true });
        for line in [&lines[0], &lines[lines.len() - 1]] {
            assert!(line.contains("UNPROVED: assertions of its page that do not hold: 2."), "{line}");
        }
        assert!(!shown(true, true).contains("UNPROVED"));
    }

    #[test]
    fn the_banner_says_what_a_missing_disk_means() {
        let mut manifest = honest();
        manifest.processes[1].role = "audit".into();
        let last = |has_disk| lines(&Facts { manifest: &manifest, development: true, tables: None, has_disk }).pop().unwrap();
        assert_eq!(last(true), "audit on the data disk");
        assert_eq!(last(false), "no data disk: only automatic read-only calls run");
    }
}
