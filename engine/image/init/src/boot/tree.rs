//! Computes the root of a hash tree from the content. On a kernel that cannot verify each read, this verifies the content once, at the
//! start.

use crate::digest::Digest;
use crate::iso::Medium;
use crate::manifest::{BLOCK, Verity};
use sha2::{Digest as _, Sha256};
use std::io;

const BLOCK_BYTES: usize = BLOCK as usize;
const DIGEST_BYTES: usize = 32;
/// Number of blocks that are read at once.
const AT_ONCE: u64 = 256;

/// Returns the root of the tree over the content that begins at `offset`.
pub fn root_hash<M: Medium>(medium: &M, offset: u64, verity: &Verity) -> io::Result<Digest> {
    let blocks = verity.blocks();
    let mut digests = Vec::with_capacity(blocks as usize * DIGEST_BYTES);
    let mut buffer = vec![0; (AT_ONCE * BLOCK) as usize];
    let mut at = 0;
    while at < blocks {
        let count = AT_ONCE.min(blocks - at);
        let piece = &mut buffer[..(count * BLOCK) as usize];
        medium.read_at(offset + at * BLOCK, piece)?;
        hash_into(&mut digests, piece, &verity.salt);
        at += count;
    }
    while digests.len() > DIGEST_BYTES {
        digests.resize(digests.len().next_multiple_of(BLOCK_BYTES), 0);
        let level = std::mem::take(&mut digests);
        hash_into(&mut digests, &level, &verity.salt);
    }
    digests.try_into().map_err(|_| io::ErrorKind::InvalidData.into())
}

/// Appends a digest for each block: that of the salt followed by the block.
fn hash_into(digests: &mut Vec<u8>, blocks: &[u8], salt: &[u8]) {
    for block in blocks.chunks(BLOCK_BYTES) {
        digests.extend_from_slice(&Sha256::new().chain_update(salt).chain_update(block).finalize());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::hex;

    struct Bytes(Vec<u8>);

    impl Medium for Bytes {
        fn size(&self) -> u64 {
            self.0.len() as u64
        }

        fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
            let from = offset as usize;
            buffer.copy_from_slice(self.0.get(from..from + buffer.len()).ok_or(io::ErrorKind::UnexpectedEof)?);
            Ok(())
        }
    }

    fn root(blocks: usize, salt: &[u8]) -> String {
        let bytes: Vec<u8> = (0..blocks * BLOCK_BYTES).map(|at| (at / BLOCK_BYTES) as u8).collect();
        let verity = Verity { content_bytes: bytes.len() as u64, salt: salt.to_vec(), root_hash: [0; 32] };
        hex(&root_hash(&Bytes(bytes), 0, &verity).unwrap())
    }

    /// The expected digests come from `engine/image/rootfs/verity.ts`, whose trees Debian's veritysetup accepts.
    #[test]
    fn the_computed_root_equals_the_root_of_the_tree_in_an_image() {
        for (blocks, salt, expected) in ROOTS {
            assert_eq!(root(*blocks, salt), *expected, "{blocks} blocks");
        }
    }

    const ROOTS: &[(usize, &[u8], &str)] = &[
        (1, &[0xab], "032c54f148aba31889447809fbb74b76a4e58a85881f6f7253653c7a6d0a7135"),
        (2, &[], "dd9c4d99ab2332f88ff3bd4cb99e3db16fea710ecbc8cef4b7e237fc5765401b"),
        (128, &[1, 2], "17eaff5f0bc80c41dda9dc568e03ef0c6915c44f1aad807d53897a51043d9df3"),
        (129, &[1, 2], "f218f9511fe3af1ca1b3d8388e4ad822e1e3d83cf10fbe0e5217b252f7a7017a"),
    ];

    #[test]
    fn a_changed_byte_anywhere_changes_the_root() {
        let blocks = 3;
        let bytes = vec![7; blocks * BLOCK_BYTES];
        let verity = Verity { content_bytes: bytes.len() as u64, salt: vec![1], root_hash: [0; 32] };
        let honest = root_hash(&Bytes(bytes.clone()), 0, &verity).unwrap();
        for at in [0, BLOCK_BYTES, bytes.len() - 1] {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert_ne!(root_hash(&Bytes(changed), 0, &verity).unwrap(), honest, "{at}");
        }
        assert!(root_hash(&Bytes(bytes), 1, &verity).is_err(), "the file ends before its last block");
    }
}
