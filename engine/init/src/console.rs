//! The only holder of the terminal: it draws everything and is the one place that asks a person.
//!
//! `Desk` decides and is pure: bytes and frames in, effects out. The binary `capos-console` carries the effects out.

pub mod desk;
pub mod filter;
pub mod line;
pub mod pen;
pub mod request;
