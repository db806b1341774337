//! Verifies a medium for one image with one changed bit at a time, for the tests of images only.
//!
//! `judge IMAGE TRUST COMMAND_LINE` reads lines `OFFSET MASK` and answers each with a line. The line is init's refusal of
//! the image with the byte at `OFFSET` changed by `MASK`. The line is `same` if init accepts the image, and takes the same
//! data as from the original image. If it accepts other data, the line is `other`; this must never occur. A mask of 0 changes nothing.

use capos::boot::verify::{Presented, Verified, verify};
use capos::boot::verity::Treed;
use capos::digest::of_bytes;
use capos::boot::medium::VOLUME;
use capos::iso::{Medium, has_volume_name};
use capos::manifest::BLOCK;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufRead as _, Read as _, Seek as _};
use std::os::unix::fs::FileExt as _;

const DIGESTS_A_BLOCK: u64 = BLOCK / 32;

struct Image {
    file: File,
    size: u64,
    spoiled_at: u64,
    mask: u8,
}

impl Medium for Image {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.file.read_exact_at(buffer, offset)?;
        let at = self.spoiled_at.wrapping_sub(offset) as usize;
        if let Some(byte) = buffer.get_mut(at) {
            *byte ^= self.mask;
        }
        Ok(())
    }
}

/// All data that a machine takes from an image: digests of the parts in memory, and the places from which it reads the rest.
type Taken = BTreeMap<String, String>;

fn main() -> io::Result<()> {
    let words: Vec<String> = std::env::args().collect();
    let [_, path, trust, command_line] = words.as_slice() else { panic!("judge IMAGE TRUST COMMAND_LINE") };
    let trust = fs::read(trust)?;
    let file = File::open(path)?;
    let mut image = Image { size: file.metadata()?.len(), file, spoiled_at: 0, mask: 0 };
    let honest = judge(&image, &trust, command_line);
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (offset, mask) = line.split_once(' ').expect("OFFSET MASK");
        (image.spoiled_at, image.mask) = (offset.parse().expect("an offset"), mask.parse().expect("a mask"));
        match judge(&image, &trust, command_line) {
            Err(refusal) => println!("{refusal}"),
            Ok(taken) if Ok(&taken) == honest.as_ref() => println!("same"),
            Ok(_) => println!("other"),
        }
    }
    Ok(())
}

fn judge(image: &Image, trust: &[u8], command_line: &str) -> Result<Taken, String> {
    if !has_volume_name(image, VOLUME) {
        return Err(format!("refused: the medium — no device holds a volume named {VOLUME}"));
    }
    let verified = verify(&Presented { medium: image, trust, command_line: Some(command_line) }, &|_| {}).map_err(|refusal| refusal.to_string())?;
    for treed in &verified.treed {
        if let Some(block) = spoiled_block(image, treed) {
            return Err(format!("refused: {} — {block} is not what the manifest says", treed.path));
        }
    }
    Ok(taken(&verified))
}

fn taken(verified: &Verified) -> Taken {
    let mut taken = Taken::new();
    for (name, mut file) in &verified.artefacts {
        let mut bytes = Vec::new();
        file.rewind().and_then(|()| file.read_to_end(&mut bytes)).expect("sealed memory");
        taken.insert(name.clone(), format!("{:?}", of_bytes(&bytes)));
    }
    for treed in &verified.treed {
        taken.insert(treed.name.clone(), format!("{:?} {:?}", treed.extent, treed.verity));
    }
    taken
}

/// Returns the changed block if dm-verity would refuse it, and otherwise `None`. The next higher level of the tree contains a block's
/// digest; the manifest contains the digest of the top block. No other block is changed, so only the digest of this one is compared.
fn spoiled_block(image: &Image, treed: &Treed) -> Option<String> {
    let at = image.spoiled_at.checked_sub(treed.extent.offset).filter(|&at| image.mask != 0 && at < treed.extent.size)?;
    let levels = levels(treed.verity.blocks());
    let block = at / BLOCK;
    let level = levels.iter().position(|(first, count)| (*first..first + count).contains(&block))?;
    let wanted = match levels.get(level + 1) {
        None => treed.verity.root_hash.to_vec(),
        Some((above, _)) => {
            let index = block - levels[level].0;
            let place = treed.extent.offset + (above + index / DIGESTS_A_BLOCK) * BLOCK + index % DIGESTS_A_BLOCK * 32;
            read(image, place, 32)
        }
    };
    let salted = [treed.verity.salt.clone(), read(image, treed.extent.offset + block * BLOCK, BLOCK as usize)].concat();
    let place = if level == 0 { format!("its block {block}") } else { format!("block {block}, of its hash tree,") };
    (of_bytes(&salted).as_slice() != wanted).then_some(place)
}

/// Returns the first block and the number of blocks of each level, the content first. In the file, the levels of the tree are stored from the root down.
fn levels(content: u64) -> Vec<(u64, u64)> {
    let mut counts = vec![content];
    while counts[counts.len() - 1] > 1 {
        counts.push(counts[counts.len() - 1].div_ceil(DIGESTS_A_BLOCK));
    }
    let first = |level: usize| if level == 0 { 0 } else { content + counts[level + 1..].iter().sum::<u64>() };
    counts.iter().enumerate().map(|(level, &count)| (first(level), count)).collect()
}

fn read(image: &Image, offset: u64, size: usize) -> Vec<u8> {
    let mut bytes = vec![0; size];
    image.read_at(offset, &mut bytes).expect("inside the image");
    bytes
}
