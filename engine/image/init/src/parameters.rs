//! Checks the kernel's command line, which is not authenticated: no key, hash or authority comes from it. The command line
//! must equal the one in the signed manifest, apart from the two words that the boot loader adds.

const LOADER_WORDS: [&str; 2] = ["BOOT_IMAGE=", "initrd="];

/// Compares the running command line with the signed one. The error names the first different word.
pub fn check(running: &str, signed: &[String]) -> Result<(), String> {
    let found: Vec<&str> = running
        .split_ascii_whitespace()
        .filter(|word| !LOADER_WORDS.iter().any(|prefix| word.starts_with(prefix)))
        .collect();
    for at in 0..found.len().max(signed.len()) {
        match (found.get(at), signed.get(at)) {
            (Some(word), Some(wanted)) if word == wanted => {}
            (Some(word), _) => return Err(format!("'{}' is not what the manifest says", word.escape_default())),
            (None, wanted) => return Err(format!("'{}' is missing", wanted.map_or("", |word| word))),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check;

    fn signed() -> Vec<String> {
        ["console=ttyS0", "quiet"].map(String::from).to_vec()
    }

    #[test]
    fn the_boot_loader_may_add_its_two_words_to_the_command_line() {
        assert_eq!(check("BOOT_IMAGE=/boot/vmlinuz console=ttyS0 quiet initrd=/boot/initrd.img\n", &signed()), Ok(()));
    }

    #[test]
    fn any_other_difference_between_the_two_command_lines_is_refused() {
        for line in ["console=ttyS0", "console=ttyS0 quiet init=/bin/sh", "quiet console=ttyS0", "console=tty0 quiet", ""] {
            assert!(check(line, &signed()).is_err(), "{line:?}");
        }
        assert_eq!(check("console=ttyS0 quiet debug", &signed()), Err("'debug' is not what the manifest says".into()));
        assert_eq!(check("console=ttyS0", &signed()), Err("'quiet' is missing".into()));
    }

    #[test]
    fn a_changed_command_line_cannot_move_the_console_or_add_another_one() {
        let signed = ["console=tty1", "loglevel=1"].map(String::from).to_vec();
        assert_eq!(check("initrd=/boot/initrd.img console=tty1 loglevel=1", &signed), Ok(()));
        for line in ["console=ttyS0 loglevel=1", "console=tty1 console=ttyS0 loglevel=1", "console=tty1 loglevel=1 console=ttyS0", "console=tty1"] {
            assert!(check(line, &signed).is_err(), "{line:?}");
        }
    }
}
