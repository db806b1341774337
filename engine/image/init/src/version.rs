//! Order of versions, for the minimum version that a machine accepts.

/// Returns a version such as `1.2.0` as at most four numbers, each below a billion. Returns `None` for any other version, which cannot be ordered.
fn numbers(version: &str) -> Option<[u32; 4]> {
    let mut parts = [0u32; 4];
    let words: Vec<&str> = version.split('.').collect();
    if words.len() > parts.len() {
        return None;
    }
    for (part, word) in parts.iter_mut().zip(&words) {
        let is_number = !word.is_empty() && word.len() <= 9 && word.bytes().all(|b| b.is_ascii_digit());
        *part = if is_number { word.parse().ok()? } else { return None };
    }
    Some(parts)
}

/// Returns whether `version` is at least `least`. An empty `least` accepts every version; versions without an order are refused.
pub fn is_at_least(version: &str, least: &str) -> bool {
    least.is_empty() || numbers(version).zip(numbers(least)).is_some_and(|(found, wanted)| found >= wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_number() {
        assert!(is_at_least("1.10.0", "1.9.0") && is_at_least("1.2", "1.2.0") && is_at_least("anything", ""));
        assert!(!is_at_least("1.2.0", "1.2.1") && !is_at_least("0.9", "1"));
    }

    #[test]
    fn malformed_versions_are_refused() {
        for odd in ["", "1.", "1.x", "1.2-rc1", "-1", "1.2.3.4.5", "99999999999"] {
            assert!(!is_at_least(odd, "0"), "{odd:?}");
        }
    }
}
