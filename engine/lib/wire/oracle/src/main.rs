//! Reads messages with the `capnp` crate and prints their content, one line each, as a comparison for the codec's tests.
//!
//! Each line of standard input is `FILE NAME HEX`: a schema file without its ending, the struct's name, and the message with
//! its stream header. Each line of output is the value, or `refused: ` and the reason.

mod dump;
mod schemas;

use std::io::{self, BufRead, Write};

use capnp::message::ReaderOptions;
use capnp::{Error, Result};

fn main() -> io::Result<()> {
    let mut output = io::BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        match dumped(&line?) {
            Ok(text) => writeln!(output, "{text}")?,
            Err(error) => writeln!(output, "refused: {error}")?,
        }
    }
    output.flush()
}

fn dumped(line: &str) -> Result<String> {
    let mut parts = line.split(' ');
    let (Some(file), Some(name), Some(hex)) = (parts.next(), parts.next(), parts.next()) else {
        return Err(Error::failed("a line needs a file, a name and a message".into()));
    };
    let bytes = bytes_of(hex)?;
    let message = capnp::serialize::read_message(bytes.as_slice(), ReaderOptions::new())?;
    let mut text = String::new();
    dump::dump(schemas::root(file, name, &message)?, &mut text)?;
    Ok(text)
}

fn bytes_of(hex: &str) -> Result<Vec<u8>> {
    (0..hex.len() / 2)
        .map(|at| u8::from_str_radix(&hex[at * 2..at * 2 + 2], 16).map_err(|error| Error::failed(error.to_string())))
        .collect()
}
