//! The console is the only process with the terminal: it draws everything, and no other process asks a person.
//!
//! `Desk` decides and is pure: it receives bytes and frames, and returns effects. `Carrier` executes the effects.

pub mod again;
pub mod carrier;
pub mod complete;
pub mod desk;
pub mod held;
pub mod history;
pub mod keyboard;
pub mod line;
pub mod markdown;
pub mod passphrase;
pub mod pen;
pub mod record;
pub mod request;
pub mod said;
pub mod screen;
pub mod status;
pub mod table;
pub mod window;
