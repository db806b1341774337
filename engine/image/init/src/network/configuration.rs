//! Network configuration of a card.

use std::net::Ipv4Addr;

/// Network configuration of a card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Configuration {
    pub address: Ipv4Addr,
    pub prefix: u8,
    /// The router to other networks; `None` means that only the link is reachable.
    pub router: Option<Ipv4Addr>,
    /// Name servers, in the order in which they are asked.
    pub resolvers: Vec<Ipv4Addr>,
}

/// Maximum number of name servers to store; more do not help.
pub const MOST_RESOLVERS: usize = 3;

impl Configuration {
    pub fn mask(&self) -> Ipv4Addr {
        Ipv4Addr::from(u32::MAX << (32 - u32::from(self.prefix)))
    }

    /// Fails if a machine cannot have this configuration, which comes from a page, or from any server on the network.
    pub fn judged(self) -> Result<Self, &'static str> {
        let network = |address: Ipv4Addr| u32::from(address) & u32::from(self.mask());
        if !(1..=30).contains(&self.prefix) {
            return Err("a network of another size than 1 to 30 bits");
        }
        if !is_host(self.address) || u32::from(self.address) & !u32::from(self.mask()) == 0 {
            return Err("an address that no machine can have");
        }
        if self.router.is_some_and(|router| !is_host(router) || network(router) != network(self.address)) {
            return Err("a router that is not on the link");
        }
        if self.resolvers.len() > MOST_RESOLVERS || !self.resolvers.iter().all(|&resolver| is_host(resolver)) {
            return Err("a name server that no machine can be");
        }
        Ok(self)
    }
}

fn is_host(address: Ipv4Addr) -> bool {
    !address.is_unspecified() && !address.is_loopback() && !address.is_multicast() && !address.is_broadcast()
}

#[cfg(test)]
mod tests {
    use super::*;

    pub fn configuration() -> Configuration {
        let [address, router, resolver] = ["10.0.2.15", "10.0.2.2", "10.0.2.3"].map(|text| text.parse().unwrap());
        Configuration { address, prefix: 24, router: Some(router), resolvers: vec![resolver] }
    }

    #[test]
    fn the_prefix_length_gives_the_mask() {
        assert_eq!(configuration().mask().to_string(), "255.255.255.0");
        assert_eq!(Configuration { prefix: 30, ..configuration() }.mask().to_string(), "255.255.255.252");
    }

    #[test]
    fn an_impossible_configuration_is_refused() {
        assert_eq!(configuration().judged(), Ok(configuration()));
        let spoiled = |spoil: fn(&mut Configuration)| {
            let mut configuration = configuration();
            spoil(&mut configuration);
            configuration.judged().unwrap_err()
        };
        for prefix in [0, 31, 32, 255] {
            assert!(Configuration { prefix, ..configuration() }.judged().is_err());
        }
        for address in ["0.0.0.0", "127.0.0.1", "224.0.0.1", "255.255.255.255", "10.0.2.0"] {
            assert!(Configuration { address: address.parse().unwrap(), ..configuration() }.judged().is_err(), "{address}");
        }
        assert_eq!(spoiled(|c| c.router = Some([10, 0, 3, 1].into())), "a router that is not on the link");
        assert_eq!(spoiled(|c| c.resolvers = vec![[127, 0, 0, 1].into()]), "a name server that no machine can be");
        assert_eq!(spoiled(|c| c.resolvers = vec![[9, 9, 9, 9].into(); 4]), "a name server that no machine can be");
    }
}
