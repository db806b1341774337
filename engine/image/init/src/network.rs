//! The network card, and how the machine has an address. One process alone has them: the card is moved into its namespace
//! when it starts (`supervise/jail.rs`), with an address that was found before (`boot/network.rs`) and is kept there
//! (`supervise/upkeep.rs`).

pub mod asking;
pub mod card;
mod configuration;
pub mod dhcp;
pub mod lease;

pub use configuration::Configuration;
