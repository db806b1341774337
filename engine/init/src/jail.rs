//! What each role may hold, from `engine/jails/*.json`; the reasons stand there.

include!(concat!(env!("OUT_DIR"), "/jails.rs"));

#[derive(Debug)]
pub struct Jail {
    pub role: &'static str,
    pub open_files: u64,
    pub tasks: u64,
    pub terminal: bool,
    pub directory: bool,
}

pub fn of_role(role: &str) -> Option<&'static Jail> {
    JAILS.iter().find(|jail| jail.role == role)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_console_may_hold_the_terminal() {
        let holders: Vec<&str> = JAILS.iter().filter(|jail| jail.terminal).map(|jail| jail.role).collect();
        assert_eq!(holders, ["console"]);
    }

    #[test]
    fn nothing_that_meets_text_of_models_may_hold_a_directory() {
        for role in ["loop", "model", "gate", "console", "broker", "logs", "status"] {
            assert!(of_role(role).is_some_and(|jail| !jail.directory), "{role}");
        }
    }
}
