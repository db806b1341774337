//! Obtains the machine's address before any process starts: from the page, or from a server on the link
//! (`../network/asking.rs`).

use super::modules;
use crate::manifest::Network;
use crate::network::asking::{Asked, Question, Told};
use crate::network::dhcp::Given;
use crate::network::lease::Lease;
use crate::network::{Configuration, card};
use crate::refusal::Checked;
use crate::sys;
use std::io;

/// The network card of the machine, and its configuration.
#[derive(Debug, Clone)]
pub struct Card {
    pub name: String,
    /// Configuration of the card; `None` if its lease has expired, and no server has given another lease yet.
    pub configuration: Option<Configuration>,
    /// Lease of the configuration; `None` if the configuration does not expire.
    pub lease: Option<Lease>,
}

/// Loads the driver. The first root contains the driver, so the driver must be loaded before init leaves that root.
pub fn load(network: &Network) -> Checked<()> {
    if *network == Network::None { Ok(()) } else { modules::load("net") }
}

/// Returns the configured card, or `Ok(None)` if the page has no network. Fails if the page has a network and the machine has no card; the machine then starts without one.
pub fn prepare(network: &Network) -> Result<Option<Card>, String> {
    if *network == Network::None {
        return Ok(None);
    }
    let name = card::find().map_err(String::from)?;
    let (configuration, lease) = match network {
        Network::None => return Ok(None),
        Network::Fixed(configuration) => (configuration.clone(), None),
        Network::Dhcp => by_dhcp(&name).map_err(|error| format!("no address by DHCP: {error}"))?,
    };
    Ok(Some(Card { name, configuration: Some(configuration), lease }))
}

fn by_dhcp(name: &str) -> io::Result<(Configuration, Option<Lease>)> {
    let since = sys::now();
    let asked = Asked::begin(card::datagrams()?, name, Question::Anew, since)?;
    while asked.is_open(sys::now()) {
        sys::poll(&mut [asked.watched()], Some(asked.deadline().saturating_sub(sys::now())))?;
        match asked.told() {
            Ok(None) => {}
            Ok(Some(Told::Given(Given { configuration, terms }))) => {
                return Ok((configuration, terms.map(|terms| Lease::begun(terms, since))));
            }
            Ok(Some(Told::Refused)) | Err(_) => break,
        }
    }
    Err(io::Error::other("nobody answers"))
}
