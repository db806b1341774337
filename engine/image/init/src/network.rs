//! The network card and the machine's address, which belong to one process. When this process starts, the card moves into
//! its namespace (`supervise/jail.rs`). `boot/network.rs` obtains the address before this start, and `supervise/upkeep.rs`
//! maintains it.

pub mod asking;
pub mod card;
mod configuration;
pub mod dhcp;
pub mod lease;

pub use configuration::Configuration;
