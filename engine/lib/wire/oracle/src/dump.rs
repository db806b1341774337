//! Renders a value as one line of text: every field of every struct, floats by their bits, bytes in hexadecimal.

use std::fmt::Write as _;

use capnp::dynamic_value::{Enum, Reader};
use capnp::{dynamic_list, dynamic_struct, Error, Result};

pub fn dump(value: Reader, into: &mut String) -> Result<()> {
    match value {
        Reader::Void | Reader::Capability(_) => into.push_str("null"),
        Reader::Bool(value) => put(into, value),
        Reader::Int8(value) => put(into, value),
        Reader::Int16(value) => put(into, value),
        Reader::Int32(value) => put(into, value),
        Reader::Int64(value) => put(into, value),
        Reader::UInt8(value) => put(into, value),
        Reader::UInt16(value) => put(into, value),
        Reader::UInt32(value) => put(into, value),
        Reader::UInt64(value) => put(into, value),
        Reader::Float32(value) => put(into, format_args!("\"{:08x}\"", value.to_bits())),
        Reader::Float64(value) => put(into, format_args!("\"{:016x}\"", value.to_bits())),
        Reader::Enum(value) => quoted(name_of(value)?, into),
        Reader::Text(value) => quoted(value.to_str().map_err(|error| Error::failed(error.to_string()))?, into),
        Reader::Data(value) => bytes(value, into),
        Reader::List(value) => list(value, into)?,
        Reader::Struct(value) => fields(value, into)?,
        Reader::AnyPointer(_) => return Err(Error::failed("the schemas have no AnyPointer".into())),
    }
    Ok(())
}

fn put(into: &mut String, value: impl std::fmt::Display) {
    write!(into, "{value}").expect("writing to a string");
}

fn name_of(value: Enum) -> Result<&'static str> {
    let member = value.get_enumerant()?.ok_or_else(|| Error::failed("an enum has an unknown member".into()))?;
    member.get_proto().get_name()?.to_str().map_err(|error| Error::failed(error.to_string()))
}

/// Quotes a text like JavaScript's `JSON.stringify`.
fn quoted(text: &str, into: &mut String) {
    into.push('"');
    for letter in text.chars() {
        match letter {
            '"' => into.push_str("\\\""),
            '\\' => into.push_str("\\\\"),
            '\u{8}' => into.push_str("\\b"),
            '\t' => into.push_str("\\t"),
            '\n' => into.push_str("\\n"),
            '\u{c}' => into.push_str("\\f"),
            '\r' => into.push_str("\\r"),
            control if control < ' ' => put(into, format_args!("\\u{:04x}", control as u32)),
            other => into.push(other),
        }
    }
    into.push('"');
}

fn bytes(value: &[u8], into: &mut String) {
    into.push('"');
    for byte in value {
        put(into, format_args!("{byte:02x}"));
    }
    into.push('"');
}

fn list(value: dynamic_list::Reader, into: &mut String) -> Result<()> {
    into.push('[');
    for (index, element) in value.iter().enumerate() {
        if index > 0 {
            into.push(',');
        }
        dump(element?, into)?;
    }
    into.push(']');
    Ok(())
}

/// Writes first the fields outside of the union, and then the member of the union.
fn fields(value: dynamic_struct::Reader, into: &mut String) -> Result<()> {
    into.push('{');
    let always = value.get_schema().get_non_union_fields()?;
    for (index, field) in always.iter().chain(value.which()?).enumerate() {
        if index > 0 {
            into.push(',');
        }
        let name = field.get_proto().get_name()?.to_str().map_err(|error| Error::failed(error.to_string()))?;
        quoted(name, into);
        into.push(':');
        dump(value.get(field)?, into)?;
    }
    into.push('}');
    Ok(())
}
