//! Reads members of a JSON text. Each function returns the member, or an error sentence with the expected form.

use super::choices::Read;
use base64ct::{Base64, Encoding as _};
use serde_json::{Map, Value};

pub fn demand(holds: bool, why: &str) -> Read<()> {
    if holds { Ok(()) } else { Err(why.into()) }
}

pub fn member<'v>(value: &'v Value, name: &str) -> Read<&'v Value> {
    value.get(name).ok_or_else(|| format!("{name} is missing"))
}

pub fn members<'v>(value: &'v Value, name: &str) -> Read<&'v Map<String, Value>> {
    member(value, name)?.as_object().ok_or_else(|| format!("{name} is no object"))
}

pub fn text<'v>(value: &'v Value, name: &str) -> Read<&'v str> {
    member(value, name)?.as_str().ok_or_else(|| format!("{name} is no text"))
}

pub fn word(value: &Value, name: &str, wanted: &str) -> Read<()> {
    let found = text(value, name)?;
    demand(found == wanted, &format!("its {name} is not {wanted}"))
}

pub fn number(value: &Value, name: &str) -> Read<u32> {
    let found = member(value, name)?.as_u64().and_then(|number| u32::try_from(number).ok());
    found.ok_or_else(|| format!("{name} is no number of 32 bits"))
}

/// Returns a 64-bit number, which JSON can only express as a text.
pub fn decimal(value: &Value, name: &str) -> Read<u64> {
    let found = text(value, name)?;
    let is_plain = !found.is_empty() && found.bytes().all(|byte| byte.is_ascii_digit());
    let found = if is_plain { found.parse().ok() } else { None };
    found.ok_or_else(|| format!("{name} is no number of 64 bits"))
}

pub fn bytes(value: &Value, name: &str) -> Read<Vec<u8>> {
    Base64::decode_vec(text(value, name)?).map_err(|_| format!("{name} is not base64"))
}

pub fn list(value: &Value, name: &str) -> Read<Vec<u32>> {
    let found = member(value, name)?.as_array().ok_or_else(|| format!("{name} is no list"))?;
    found.iter().map(|entry| slot_number(entry.as_str().unwrap_or_default())).collect()
}

pub fn slot_number(name: &str) -> Read<u32> {
    let number = name.parse::<u32>().ok().filter(|number| *number < 32 && number.to_string() == name);
    number.ok_or_else(|| "a number in it is none".into())
}
