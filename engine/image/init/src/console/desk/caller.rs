//! A process that calls the console: its connection, its call, and the grant that init gave it.

/// Number of a connection, which `Carrier` assigns; `Carrier` has the connection's descriptor.
pub type Line = usize;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caller {
    pub line: Line,
    pub call_id: u64,
}

pub struct Granted {
    pub interface_id: u64,
    pub session: usize,
}
