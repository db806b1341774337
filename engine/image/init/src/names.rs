//! Checks the form of names before they are used in paths, environments and messages. A name with this plain form cannot contain
//! a separator.

/// Returns whether a name has 1 to 64 letters, digits, `.`, `_` or `-`, and does not begin with a dot or a dash.
pub fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 64
        && !name.starts_with(['.', '-'])
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b".-_".contains(&b))
}

/// Returns whether this is an absolute path of plain names with at most 200 bytes, such as `/usr/bin/node`.
pub fn is_plain_path(path: &str) -> bool {
    path.len() <= 200 && path.strip_prefix('/').is_some_and(|rest| rest.split('/').all(is_plain))
}

/// Returns whether this is a word of a command line: printable ASCII without spaces or quotes, at most 512 bytes.
pub fn is_word(word: &str) -> bool {
    !word.is_empty() && word.len() <= 512 && word.bytes().all(|b| b.is_ascii_graphic() && b != b'"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_names_contain_no_separator() {
        assert!(is_plain("gate.operator") && is_plain("capos-data") && is_plain("a_b"));
        for bad in ["", ".", "..", "a/b", "a=b", "a,b", "a b", "-x", "ä", &"x".repeat(65)] {
            assert!(!is_plain(bad), "{bad:?}");
        }
    }

    #[test]
    fn plain_paths_cannot_lead_to_a_parent_folder() {
        assert!(is_plain_path("/usr/bin/node"));
        for bad in ["", "/", "usr/bin", "/usr/../etc", "/usr//bin", "/usr/bin/"] {
            assert!(!is_plain_path(bad), "{bad:?}");
        }
    }
}
