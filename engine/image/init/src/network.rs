//! The network card and the machine's address, which belong to one process. At its start, the card moves into its
//! namespace (`supervise/jail.rs`). `boot/network.rs` obtains the address before, and `supervise/upkeep.rs` maintains
//! it.

pub mod asking;
pub mod card;
mod configuration;
pub mod dhcp;
pub mod lease;

pub use configuration::Configuration;
