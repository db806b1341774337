//! What the person at the machine is told before anything else, good or not.

use crate::manifest::Manifest;

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
    let mut lines = vec![format!("{} {}", manifest.system_id, manifest.version.escape_default())];
    if let Some(tables) = &facts.tables {
        lines.push(format!("policy {tables}"));
    }
    lines.push("media-trusted: corruption of the medium is found, someone who can write to it is not".into());
    if facts.development {
        lines.push("development keys: whoever holds the checkout that built this can sign for it".into());
    }
    lines.push(match facts.has_disk {
        true => format!("data disk {}, not encrypted", manifest.disk),
        false => "no data disk".into(),
    });
    lines
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
        assert!(shown(false, false).contains("no data disk"));
    }
}
