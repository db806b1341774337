//! Connects a run's terminal with that of the person: bytes in both directions, until the run has ended.

use crate::sys;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd as _, OwnedFd, RawFd};

const AT_ONCE: usize = 4096;

/// Ctrl-A begins a command to this program, as in QEMU. Ctrl-A X ends the run by force; Ctrl-A Ctrl-A sends one Ctrl-A to the run.
const COMMAND: u8 = 1;

/// A new terminal: the descriptor of this program's end, and the path of the end for the run.
pub struct Terminal {
    pub end: OwnedFd,
    pub path: String,
}

impl Terminal {
    pub fn open() -> io::Result<Self> {
        // SAFETY: nothing else owns the new descriptor; its number is read into a buffer of the stated size.
        unsafe {
            let end = OwnedFd::from_raw_fd(sys::check(libc::posix_openpt(libc::O_RDWR | libc::O_NOCTTY | libc::O_CLOEXEC))?);
            sys::check(libc::grantpt(end.as_raw_fd()))?;
            sys::check(libc::unlockpt(end.as_raw_fd()))?;
            let mut name = [0u8; 128];
            match libc::ptsname_r(end.as_raw_fd(), name.as_mut_ptr().cast(), name.len()) {
                0 => {}
                number => return Err(io::Error::from_raw_os_error(number)),
            }
            sys::never_block(&end)?;
            let path = name.split(|&byte| byte == 0).next().unwrap_or_default();
            Ok(Self { path: String::from_utf8_lossy(path).into_owned(), end })
        }
    }
}

struct Number(RawFd);

impl AsRawFd for Number {
    fn as_raw_fd(&self) -> RawFd {
        self.0
    }
}

const INPUT: Number = Number(libc::STDIN_FILENO);
const OUTPUT: Number = Number(libc::STDOUT_FILENO);

/// Sets the person's terminal to pass on every key, and restores it when dropped.
pub struct RawInput(Option<libc::termios>);

impl RawInput {
    /// Begins to pass on every key; changes nothing if the input is not a terminal.
    pub fn begin() -> io::Result<Self> {
        let Ok(before) = sys::mode_of(&INPUT) else { return Ok(Self(None)) };
        let mut raw = before;
        // SAFETY: the pointer is to a whole struct.
        unsafe { libc::cfmakeraw(&mut raw) };
        sys::set_mode(&INPUT, &raw)?;
        Ok(Self(Some(before)))
    }
}

impl Drop for RawInput {
    fn drop(&mut self) {
        if let Some(before) = &self.0 {
            let _ = sys::set_mode(&INPUT, before);
        }
    }
}

/// The reason why the relay ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Ended {
    /// The run has ended by itself.
    Run,
    /// The person, or a signal, ended the run by force.
    Forced,
}

/// Passes bytes until the run has ended (then `run` is readable), or this program must end (then `signals` is readable).
pub fn relay(terminal: &OwnedFd, run: &OwnedFd, signals: &OwnedFd, keys: &mut Keys) -> io::Result<Ended> {
    let mut typed: Vec<u8> = Vec::new();
    let mut is_open = true;
    loop {
        let mut watched = vec![sys::watch(run, libc::POLLIN), sys::watch(signals, libc::POLLIN)];
        let writes = if typed.is_empty() { 0 } else { libc::POLLOUT };
        watched.push(sys::watch(terminal, libc::POLLIN | writes));
        if is_open && typed.is_empty() {
            watched.push(sys::watch(&INPUT, libc::POLLIN));
        }
        sys::poll(&mut watched, None)?;
        if watched[1].revents != 0 {
            return Ok(Ended::Forced);
        }
        // Only one piece is passed before the next poll, so that a run that never stops writing cannot block signals and keys.
        if pass_piece(terminal, &OUTPUT, signals)? == Passed::Forced {
            return Ok(Ended::Forced);
        }
        if watched[0].revents != 0 {
            return pass_rest(terminal, &OUTPUT, signals);
        }
        if watched.get(3).is_some_and(|input| input.revents != 0) {
            let mut buffer = [0; AT_ONCE];
            let size = sys::read(&INPUT, &mut buffer)?;
            is_open = size > 0;
            match keys.take(&buffer[..size]) {
                Some(bytes) => typed = bytes,
                None => return Ok(Ended::Forced),
            }
        }
        match sys::write(terminal, &typed) {
            Ok(size) => drop(typed.drain(..size)),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) if error.raw_os_error() == Some(libc::EIO) => typed.clear(),
            Err(error) => return Err(error),
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Passed {
    Piece,
    Nothing,
    /// The person or a signal ends this program.
    Forced,
}

/// Writes the output that a run left. The run has ended, so the terminal contains all the remaining output.
fn pass_rest(terminal: &OwnedFd, output: &impl AsRawFd, signals: &OwnedFd) -> io::Result<Ended> {
    loop {
        match pass_piece(terminal, output, signals)? {
            Passed::Piece => {}
            Passed::Nothing => return Ok(Ended::Run),
            Passed::Forced => return Ok(Ended::Forced),
        }
    }
}

/// Writes available output of the run, at most `AT_ONCE` bytes.
fn pass_piece(terminal: &OwnedFd, output: &impl AsRawFd, signals: &OwnedFd) -> io::Result<Passed> {
    let mut buffer = [0; AT_ONCE];
    match sys::read(terminal, &mut buffer) {
        Ok(0) => Ok(Passed::Nothing),
        Ok(size) => write_all(&buffer[..size], output, signals),
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(Passed::Nothing),
        // EIO means that no process has the other end of the terminal open.
        Err(error) if error.raw_os_error() == Some(libc::EIO) => Ok(Passed::Nothing),
        Err(error) => Err(error),
    }
}

/// Writes all bytes. A signal ends the wait for a reader that does not read.
fn write_all(mut bytes: &[u8], output: &impl AsRawFd, signals: &OwnedFd) -> io::Result<Passed> {
    while !bytes.is_empty() {
        let mut watched = [sys::watch(signals, libc::POLLIN), sys::watch(output, libc::POLLOUT)];
        sys::poll(&mut watched, None)?;
        if watched[0].revents != 0 {
            return Ok(Passed::Forced);
        }
        bytes = match sys::write(output, bytes) {
            // The terminal may be shared with a program that made it non-blocking.
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => bytes,
            written => &bytes[written?..],
        };
    }
    Ok(Passed::Piece)
}

/// Recognizes commands among typed keys.
pub struct Keys {
    /// Whether a person types the keys; a script has no commands.
    is_person: bool,
    is_command: bool,
}

impl Keys {
    pub fn of_input() -> Self {
        // SAFETY: the argument is a number.
        Self { is_person: unsafe { libc::isatty(libc::STDIN_FILENO) == 1 }, is_command: false }
    }

    /// Recognizes commands among keys that a person types and another program passes on.
    pub fn of_person() -> Self {
        Self { is_person: true, is_command: false }
    }

    /// Returns the keys for the run, or `None` if the person ends the run.
    fn take(&mut self, typed: &[u8]) -> Option<Vec<u8>> {
        if !self.is_person {
            return Some(typed.to_vec());
        }
        let mut keys = Vec::with_capacity(typed.len());
        for &key in typed {
            match (std::mem::take(&mut self.is_command), key) {
                (true, b'x' | b'X') => return None,
                (true, COMMAND) | (true, b'a') => keys.push(COMMAND),
                (true, other) => keys.extend([COMMAND, other]),
                (false, COMMAND) => self.is_command = true,
                (false, other) => keys.push(other),
            }
        }
        Some(keys)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(descriptor: &OwnedFd) {
        sys::never_block(descriptor).unwrap();
        while sys::write(descriptor, &[b'x'; AT_ONCE]).is_ok() {}
    }

    #[test]
    fn output_passes_in_pieces_and_a_signal_ends_the_wait_for_a_slow_reader() {
        let (run, terminal) = sys::socket_pair().unwrap();
        sys::never_block(&terminal).unwrap();
        let (signal, signals) = sys::socket_pair().unwrap();
        let (reader, output) = sys::pipe().unwrap();
        sys::write(&run, &[b'a'; AT_ONCE + 1]).unwrap();
        assert_eq!(pass_piece(&terminal, &output, &signals).unwrap(), Passed::Piece);
        let mut buffer = [0; 2 * AT_ONCE];
        assert_eq!(sys::read(&reader, &mut buffer).unwrap(), AT_ONCE);
        assert_eq!(pass_rest(&terminal, &output, &signals).unwrap(), Ended::Run);
        assert_eq!(sys::read(&reader, &mut buffer).unwrap(), 1);
        assert_eq!(pass_piece(&terminal, &output, &signals).unwrap(), Passed::Nothing);
        fill(&output);
        sys::write(&run, b"b").unwrap();
        sys::write(&signal, b"s").unwrap();
        assert_eq!(pass_piece(&terminal, &output, &signals).unwrap(), Passed::Forced);
    }

    #[test]
    fn a_person_ends_the_run_by_two_keys_and_a_script_cannot() {
        let mut person = Keys { is_person: true, is_command: false };
        assert_eq!(person.take(b"a\x01"), Some(b"a".to_vec()));
        assert_eq!(person.take(b"\x01b"), Some(b"\x01b".to_vec()), "Ctrl-A twice is one");
        assert_eq!(person.take(b"\x01q"), Some(b"\x01q".to_vec()));
        assert_eq!(person.take(b"z\x01x"), None);
        let mut script = Keys { is_person: false, is_command: false };
        assert_eq!(script.take(b"\x01x"), Some(b"\x01x".to_vec()));
    }
}
