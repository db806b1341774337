//! The graph of processes, grants and digests in a manifest, as plain values, and queries on it.

use crate::digest::Digest;
use crate::jail;
use crate::manifest_capnp::TrustLevel;
use crate::network::Configuration;

/// Name of init as a provider; it is not a process of the manifest.
pub const INIT: &str = "init";

/// Badge of the connections that init itself holds; no grant of a manifest has it.
pub const INIT_BADGE: u64 = 0;

/// Number of the first descriptor that a manifest gives a process. Lower numbers are for the standard streams and the channel to init.
pub const FIRST_GRANT: usize = 5;

/// Maximum bytes of a card of weights: names, two digests and a few numbers.
pub const MOST_CARD_BYTES: u64 = 4096;

#[derive(Debug, Clone)]
pub struct Manifest {
    pub system_id: String,
    pub version: String,
    pub kernel_parameters: Vec<String>,
    pub root: Blob,
    pub artefacts: Vec<Blob>,
    pub processes: Vec<Process>,
    /// Name of the partition with the data disk's files; empty if there is none.
    pub disk: String,
    pub encrypted: bool,
    /// Whether init may make the data disk on a blank disk.
    pub create: bool,
    pub session: String,
    pub trust: TrustLevel,
    pub network: Network,
    /// Required memory of the machine in bytes; 0 if it is unknown.
    pub memory: u64,
}

/// How the machine gets an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Network {
    None,
    Dhcp,
    Fixed(Configuration),
}

#[derive(Debug, Clone)]
pub struct Blob {
    pub name: String,
    pub path: String,
    pub size: u64,
    /// Digest of the whole file, which is checked at the start if the file has no tree.
    pub sha256: Digest,
    pub verity: Option<Verity>,
    /// Name of the artefact with the card of these weights; empty for other artefacts.
    pub card: String,
}

/// Block size in bytes of the content of large files, and of their hash trees.
pub const BLOCK: u64 = 4096;
const DIGESTS_A_BLOCK: u64 = BLOCK / 32;

/// Data to verify a large file at each read. The file has the padded content, followed by the tree of digests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verity {
    pub content_bytes: u64,
    pub salt: Vec<u8>,
    pub root_hash: Digest,
}

impl Verity {
    /// Returns the number of content blocks, after which the tree begins.
    pub fn blocks(&self) -> u64 {
        self.content_bytes.div_ceil(BLOCK)
    }

    /// Returns the bytes of a file with this content and its tree. Content is far below the size at which this could overflow.
    pub fn file_bytes(&self) -> u64 {
        let (mut level, mut blocks) = (self.blocks(), self.blocks());
        while level > 1 {
            level = level.div_ceil(DIGESTS_A_BLOCK);
            blocks += level;
        }
        blocks * BLOCK
    }
}

#[derive(Debug, Clone)]
pub struct Process {
    pub name: String,
    pub role: String,
    pub uid: u32,
    pub exec: String,
    pub arguments: Vec<String>,
    pub grants: Vec<Grant>,
    pub files: Vec<FileGrant>,
    pub memory_max: u64,
    pub restart: Restart,
    /// Milliseconds within which the process must answer a ping; 0 if it gets no pings.
    pub answer_within: u64,
    /// Maximum bytes of the process's directory on the data disk; `None` if it has no directory, or its role limits the size itself.
    pub state_max: Option<u64>,
}

/// Rule for restarts of a process that ends although nobody requested its end. Times are milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Restart {
    /// Maximum number of restarts within the time `within`; 0 means none.
    pub most: usize,
    pub within: u64,
    /// Pause before the first restart; each further restart within the time `within` doubles the pause.
    pub pause: u64,
}

#[derive(Debug, Clone)]
pub struct Grant {
    pub name: String,
    pub interface_id: u64,
    pub provider: String,
    pub badge: u64,
    /// Seconds from the start until the grant expires; 0 means never.
    pub expires_after: u32,
}

#[derive(Debug, Clone)]
pub struct FileGrant {
    pub name: String,
    pub what: FileKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileKind {
    Blob(String),
    Directory(String),
    Terminal,
    Partition,
    /// A model's weights, at `/weights`.
    Weights(String),
    /// A key that init makes, on the data disk if there is one.
    Key(String),
    /// Prefilled states at `/states`.
    States(String),
}

impl Manifest {
    /// Returns the index of the only process that gets the network card: the first whose jail allows it. Returns `None` if no jail does.
    pub fn networked(&self) -> Option<usize> {
        self.processes.iter().position(|process| jail::of_role(&process.role).is_some_and(|jail| jail.network))
    }

    pub fn artefact(&self, name: &str) -> Option<&Blob> {
        self.artefacts.iter().find(|blob| blob.name == name)
    }
}

impl Process {
    pub fn has_terminal(&self) -> bool {
        self.files.iter().any(|file| file.what == FileKind::Terminal)
    }

    pub fn directory(&self) -> Option<&str> {
        self.files.iter().find_map(|file| match &file.what {
            FileKind::Directory(directory) => Some(directory.trim_start_matches('/')),
            _ => None,
        })
    }

    /// Returns the name of the weights that the process may read, or `None` if it may read none.
    pub fn weights(&self) -> Option<&str> {
        self.files.iter().find_map(|file| match &file.what {
            FileKind::Weights(name) => Some(name.as_str()),
            _ => None,
        })
    }

    /// Returns the name of the prefilled states that the process may read, or `None` if it may read none.
    pub fn states(&self) -> Option<&str> {
        self.files.iter().find_map(|file| match &file.what {
            FileKind::States(name) => Some(name.as_str()),
            _ => None,
        })
    }
}
