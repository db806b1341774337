//! A caller: its connection, the call on it, and what init granted there.

/// Which connection; numbers are given by the one who holds the descriptors.
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
