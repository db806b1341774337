//! Reproducible random numbers for tests with many hostile inputs. The tests need only a sequence of numbers, so no library is used
//! and PID 1 has few dependencies.

pub struct Chance(u64);

impl Chance {
    /// Returns a generator; another seed gives other numbers. The state of the generator is never zero.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Returns a number below `end`; `end` must not be 0. The generator is Marsaglia's xorshift, whose first numbers are as good as later ones.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// Makes a few edits: numbers that are hard for parsers, flipped bits, a copied range, a cut, inserted bytes.
    pub fn spoil(&mut self, honest: &[u8]) -> Vec<u8> {
        let mut bytes = honest.to_vec();
        for _ in 0..=self.below(6) {
            if bytes.is_empty() {
                break;
            }
            let at = self.below(bytes.len());
            match self.below(6) {
                0 => bytes[at] = *self.pick(&[0, 1, 0x7f, 0x80, 0xff]),
                1 => bytes[at] ^= 1 << self.below(8),
                2 => {
                    let from = self.below(bytes.len());
                    let size = (1 + self.below(16)).min(bytes.len() - at.max(from));
                    bytes.copy_within(from..from + size, at);
                }
                3 => bytes.truncate(bytes.len() - self.below(bytes.len().min(64))),
                4 => bytes.insert(at, self.below(256) as u8),
                _ => {
                    let word = at / 8 * 8;
                    let end = (word + 8).min(bytes.len());
                    bytes[word..end].fill(*self.pick(&[0, 0xff]));
                }
            }
        }
        bytes
    }
}
