//! Tests hostile input for init: a manifest of 100,000 services, lists larger than the message, and many pointers to one text. All inputs
//! together take less than 64 MB, and each takes less than a second. This is a single test in its own program, because it measures the
//! memory of the whole program.

use capos::manifest::{MOST_BYTES, Manifest};
use capos::manifest_capnp::manifest;
use capos::trust::{Purpose, Trust};

const MOST_KIB: u64 = 64 * 1024;
const MOST_MILLISECONDS: i64 = 1000;

/// A message of one segment, as words; functions name a pointer by the index of its word.
struct Words(Vec<u64>);

impl Words {
    /// Returns a message whose root struct has `data` words of data and `pointers` pointers, all zero.
    fn with_root(data: u64, pointers: u64) -> Self {
        let mut words = vec![(data << 32) | (pointers << 48)];
        words.resize(1 + (data + pointers) as usize, 0);
        Self(words)
    }

    fn offset(from: usize, to: usize) -> u64 {
        (((to as i64 - from as i64 - 1) << 2) as u64) & 0xffff_fffc
    }

    /// Writes, into word `at`, a pointer to a list at word `to`: `count` elements of the size that `code` represents.
    fn list(&mut self, at: usize, to: usize, code: u64, count: u64) {
        self.0[at] = Self::offset(at, to) | 1 | (code << 32) | (count << 35);
    }

    fn text(&mut self, bytes: usize) -> usize {
        let at = self.0.len();
        self.0.resize(at + bytes / 8, u64::from_ne_bytes([b'a'; 8]));
        self.0.push(0);
        at
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; 4];
        bytes.extend((self.0.len() as u32).to_le_bytes());
        bytes.extend(self.0.iter().flat_map(|word| word.to_le_bytes()));
        bytes
    }
}

/// Layout of a manifest's root struct: numbers of its data words and its pointers, and indexes of three of these pointers.
const DATA: u64 = 4;
const POINTERS: u64 = 10;
const KERNEL_PARAMETERS: usize = 2;
const ROOT: usize = 3;
const PROCESSES: usize = 5;

fn pointer(index: usize) -> usize {
    1 + DATA as usize + index
}

fn manifest_words() -> Words {
    let mut words = Words::with_root(DATA, POINTERS);
    words.0[1] = 2; // the schema's version
    // Init's parser reads the root file system before the processes, so the root needs a digest, the third of its four pointers.
    let blob = words.0.len();
    words.0.resize(blob + 4, 0);
    words.0[pointer(ROOT)] = Words::offset(pointer(ROOT), blob) | (4 << 48);
    let digest = words.text(24);
    words.list(blob + 2, digest, 2, 32);
    words
}

/// Returns a manifest of `count` processes, as a writer without limits would write it.
fn services(count: u32) -> Vec<u8> {
    let mut message = capnp::message::Builder::new(capnp::message::HeapAllocator::new().first_segment_words(1 << 20));
    let mut root: manifest::Builder = message.init_root();
    root.set_schema_version(2);
    root.set_system_id("lab");
    root.reborrow().init_root().set_sha256(&[0; 32]);
    let mut processes = root.init_processes(count);
    for index in 0..count {
        processes.reborrow().get(index).set_uid(1001 + index);
    }
    capnp::serialize::write_message_to_words(&message)
}

/// Returns a list of structs without content: a few bytes claim half a billion of them.
fn empty_services() -> Vec<u8> {
    let mut words = manifest_words();
    let tag = words.0.len();
    words.0.push(0x1fff_ffff << 2);
    words.list(pointer(PROCESSES), tag, 7, 0);
    words.bytes()
}

/// Returns a command line of 256 words, all of which point to the same text of one mebibyte.
fn one_text_again_and_again() -> Vec<u8> {
    let mut words = manifest_words();
    let list = words.0.len();
    words.0.resize(list + 256, 0);
    let text = words.text(1 << 20);
    words.list(pointer(KERNEL_PARAMETERS), list, 6, 256);
    for index in 0..256 {
        words.list(list + index, text, 2, (1 << 20) + 1);
    }
    words.bytes()
}

/// Returns 256 processes whose arguments are all one list, of 256 pointers to one text.
fn lists_in_lists() -> Vec<u8> {
    let mut words = manifest_words();
    for small in [0, 1, 7] {
        let text = words.text(8);
        words.list(pointer(small), text, 2, 9);
    }
    let arguments = words.0.len();
    words.0.resize(arguments + 256, 0);
    let text = words.text(1024);
    for index in 0..256 {
        words.list(arguments + index, text, 2, 1025);
    }
    let tag = words.0.len();
    // Each process has no data and eight pointers: three texts, then the arguments.
    words.0.push((256 << 2) | (8 << 48));
    words.0.resize(tag + 1 + 256 * 8, 0);
    words.list(pointer(PROCESSES), tag, 7, 256 * 8);
    for index in 0..256 {
        let process = tag + 1 + index * 8;
        (0..3).for_each(|place| words.list(process + place, text, 2, 1025));
        words.list(process + 3, arguments, 6, 256);
    }
    words.bytes()
}

fn cpu_milliseconds() -> i64 {
    // SAFETY: an all-zero struct to be filled; the call cannot fail with it.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    };
    let milliseconds = |time: libc::timeval| time.tv_sec * 1000 + time.tv_usec / 1000;
    milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime)
}

/// Returns the peak memory of this program.
fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[test]
fn hostile_messages_take_little_memory_and_little_time() {
    let bombs: [(&str, Vec<u8>, &str); 4] = [
        ("100,000 services", services(100_000), "100000 items, above the limit of 1024"),
        ("services of no size", empty_services(), "malformed: Read limit exceeded"),
        ("one text 256 times", one_text_again_and_again(), "malformed: Read limit exceeded"),
        ("lists in lists", lists_in_lists(), "malformed: Read limit exceeded"),
    ];
    for (what, bytes, said) in &bombs {
        let before = cpu_milliseconds();
        let refused = Manifest::read(bytes).err().unwrap_or_else(|| panic!("{what} was read"));
        assert!(refused.contains(said), "{what}: {refused}");
        assert!(Trust::read(bytes).is_err(), "{what} as keys");
        let spent = cpu_milliseconds() - before;
        assert!(spent < MOST_MILLISECONDS, "{what}: {spent} ms");
    }
    // Input larger than any manifest is not even read from the medium.
    assert!(bombs[0].1.len() as u64 > MOST_BYTES);
    let honest_key = trust_that_knows_nobody();
    for (what, bytes, _) in &bombs {
        assert!(honest_key.check(Purpose::Image, bytes, bytes).is_err(), "{what} as its own signature");
    }
    let peak = peak_kib();
    assert!(peak < MOST_KIB, "{peak} KiB");
}

fn trust_that_knows_nobody() -> Trust {
    let mut message = capnp::message::Builder::new_default();
    let mut root: capos::manifest_capnp::trust::Builder = message.init_root();
    root.set_schema_version(1);
    root.set_system_id("lab");
    Trust::read(&capnp::serialize::write_message_to_words(&message)).unwrap()
}
