//! The only holder of the terminal: it draws everything and is the one place that asks a person.
//!
//! `Desk` decides and is pure: bytes and frames in, effects out. `Carrier` carries the effects out.

pub mod carrier;
pub mod complete;
pub mod desk;
pub mod history;
pub mod keyboard;
pub mod line;
pub mod passphrase;
pub mod pen;
pub mod request;
pub mod said;
pub mod screen;
pub mod window;
