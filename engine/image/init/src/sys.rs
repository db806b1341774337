//! Defines the few system calls that the standard library lacks, as functions that return `io::Result`.

use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::ptr;

/// Returns the error of the last system call if `result` is -1.
pub fn check<T: PartialEq + From<i8>>(result: T) -> io::Result<T> {
    if result == T::from(-1) { Err(io::Error::last_os_error()) } else { Ok(result) }
}

/// Zeros in separate pages, which return to the kernel when they are dropped. The C library would not return large memory to the kernel: a
/// process in which a passphrase was typed twice kept this memory until its end.
pub struct Pages {
    start: ptr::NonNull<u8>,
    bytes: usize,
}

impl Pages {
    pub fn new(bytes: usize) -> io::Result<Self> {
        let (protection, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: the call maps new memory, at an address that the kernel chooses.
        let start = unsafe { libc::mmap(ptr::null_mut(), bytes, protection, flags, -1, 0) };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let start = ptr::NonNull::new(start.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Self { start, bytes })
    }

    /// Returns the pages as a slice of type `T`, with as many elements as fit.
    ///
    /// # Safety
    /// A `T` of all zeros must be valid and must not need a drop.
    pub unsafe fn values<T>(&mut self) -> &mut [T] {
        // SAFETY: pages are readable, writable and borrowed as a whole, and aligned for any type that is not larger than a page.
        unsafe { std::slice::from_raw_parts_mut(self.start.cast().as_ptr(), self.bytes / size_of::<T>()) }
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: the memory was mapped with this length, and the borrow checker excludes borrows of a dropped value.
        unsafe { libc::munmap(self.start.as_ptr().cast(), self.bytes) };
    }
}

pub fn text(text: &str) -> io::Result<CString> {
    CString::new(text).map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))
}

/// Mounts `source` at `target`; an empty `kind` or `options` means none.
pub fn mount(source: &str, target: &str, kind: &str, flags: libc::c_ulong, options: &str) -> io::Result<()> {
    let (source, target, kind, options) = (text(source)?, text(target)?, text(kind)?, text(options)?);
    let or_null = |value: &CStr| if value.is_empty() { ptr::null() } else { value.as_ptr() };
    // SAFETY: every pointer is null or a C string that outlives the call.
    let result = unsafe {
        libc::mount(source.as_ptr(), target.as_ptr(), or_null(&kind), flags, or_null(&options).cast())
    };
    check(result).map(drop)
}

pub fn unmount(target: &str, flags: libc::c_int) -> io::Result<()> {
    let target = text(target)?;
    // SAFETY: the pointer is to a C string that outlives the call.
    check(unsafe { libc::umount2(target.as_ptr(), flags) }).map(drop)
}

/// Makes a system call. Its arguments are plain numbers, or pointers whose validity the caller ensures.
///
/// # Safety
/// Pointers among the arguments must be those that the call of this number expects.
pub unsafe fn call(number: libc::c_long, arguments: [libc::c_long; 5]) -> io::Result<libc::c_long> {
    let [a, b, c, d, e] = arguments;
    // SAFETY: the caller guarantees that the pointers among the arguments are those that this call expects.
    check(unsafe { libc::syscall(number, a, b, c, d, e) })
}

/// Returns two connected streams; both close on exec.
pub fn socket_pair() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut ends: [RawFd; 2] = [-1; 2];
    // SAFETY: the array has room for two descriptors.
    check(unsafe { libc::socketpair(libc::AF_UNIX, libc::SOCK_STREAM | libc::SOCK_CLOEXEC, 0, ends.as_mut_ptr()) })?;
    // SAFETY: the kernel gave both descriptors to this process only.
    Ok(unsafe { (OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1])) })
}

/// Returns the reading and the writing end; both close on exec.
pub fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut ends: [RawFd; 2] = [-1; 2];
    // SAFETY: the array has room for two descriptors.
    check(unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) })?;
    // SAFETY: the kernel gave both descriptors to this process only.
    Ok(unsafe { (OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1])) })
}

pub fn never_block(descriptor: &impl AsRawFd) -> io::Result<()> {
    let fd = descriptor.as_raw_fd();
    // SAFETY: only flags of an open descriptor are read and set.
    unsafe { check(libc::fcntl(fd, libc::F_SETFL, check(libc::fcntl(fd, libc::F_GETFL))? | libc::O_NONBLOCK)) }.map(drop)
}

/// Sets a terminal so that each typed byte arrives immediately and no key sends a signal. In output, a newline still moves to the first column.
pub fn raw_mode(terminal: &impl AsRawFd) -> io::Result<()> {
    let mut mode = mode_of(terminal)?;
    mode.c_lflag &= !(libc::ICANON | libc::ECHO | libc::ISIG | libc::IEXTEN);
    mode.c_iflag &= !(libc::ICRNL | libc::INLCR | libc::IGNCR | libc::IXON | libc::IXOFF | libc::BRKINT);
    mode.c_oflag |= libc::OPOST | libc::ONLCR;
    mode.c_cc[libc::VMIN] = 1;
    mode.c_cc[libc::VTIME] = 0;
    set_mode(terminal, &mode)
}

/// Returns how a terminal treats input and output.
pub fn mode_of(terminal: &impl AsRawFd) -> io::Result<libc::termios> {
    // SAFETY: zeros are a valid value of this struct, which the call fills.
    let mut mode: libc::termios = unsafe { std::mem::zeroed() };
    // SAFETY: the call fills the struct.
    check(unsafe { libc::tcgetattr(terminal.as_raw_fd(), &mut mode) })?;
    Ok(mode)
}

pub fn set_mode(terminal: &impl AsRawFd, mode: &libc::termios) -> io::Result<()> {
    // SAFETY: the struct is only read.
    check(unsafe { libc::tcsetattr(terminal.as_raw_fd(), libc::TCSANOW, mode) }).map(drop)
}

/// `KDGKBTYPE` of linux/kd.h asks for the kind of keyboard.
const KEYBOARD_TYPE: libc::c_ulong = 0x4B33;

/// Returns whether the terminal is one of the kernel's virtual terminals: the machine's own screen and keyboard.
pub fn is_screen(terminal: &impl AsRawFd) -> bool {
    let mut kind: libc::c_char = 0;
    // SAFETY: the request writes one byte.
    unsafe { libc::ioctl(terminal.as_raw_fd(), KEYBOARD_TYPE, &mut kind) == 0 }
}

/// Drops the unread input of a terminal.
pub fn drop_unread(terminal: &impl AsRawFd) {
    // SAFETY: no memory is accessed; for a descriptor that is not a terminal the call only fails.
    unsafe { libc::tcflush(terminal.as_raw_fd(), libc::TCIFLUSH) };
}

/// Ends the connection for every copy of its descriptors.
pub fn shut_down(descriptor: &impl AsRawFd) {
    // SAFETY: the call only fails for a closed descriptor.
    unsafe { libc::shutdown(descriptor.as_raw_fd(), libc::SHUT_RDWR) };
}

/// Reads available bytes. Returns 0 if the other end is closed.
pub fn read(descriptor: &impl AsRawFd, buffer: &mut [u8]) -> io::Result<usize> {
    // SAFETY: the buffer has the stated length.
    let result = unsafe { libc::read(descriptor.as_raw_fd(), buffer.as_mut_ptr().cast(), buffer.len()) };
    check(result).map(|size| size as usize)
}

/// Writes as much as fits.
pub fn write(descriptor: &impl AsRawFd, bytes: &[u8]) -> io::Result<usize> {
    // SAFETY: the buffer has the stated length.
    let result = unsafe { libc::write(descriptor.as_raw_fd(), bytes.as_ptr().cast(), bytes.len()) };
    check(result).map(|size| size as usize)
}

/// Waits until one of the descriptors is ready, or the time is over. `None` means no time limit.
pub fn poll(descriptors: &mut [libc::pollfd], milliseconds: Option<u64>) -> io::Result<()> {
    let timeout = milliseconds.map_or(-1, |wait| wait.min(i32::MAX as u64) as i32);
    // SAFETY: the slice has the stated length.
    match check(unsafe { libc::poll(descriptors.as_mut_ptr(), descriptors.len() as libc::nfds_t, timeout) }) {
        Err(error) if error.kind() != io::ErrorKind::Interrupted => Err(error),
        _ => Ok(()),
    }
}

/// Waits until `deadline` for bytes of a descriptor. Returns the number of bytes, or `None` if no bytes arrived.
pub fn read_before(descriptor: &impl AsRawFd, buffer: &mut [u8], deadline: u64) -> io::Result<Option<usize>> {
    loop {
        let left = deadline.saturating_sub(now());
        let mut watched = [watch(descriptor, libc::POLLIN)];
        // A signal may end the wait early.
        poll(&mut watched, Some(left))?;
        if watched[0].revents != 0 {
            match read(descriptor, buffer) {
                // The kernel reported a corrupt datagram as readable, but does not return it.
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                result => return result.map(Some),
            }
        }
        if left == 0 {
            return Ok(None);
        }
    }
}

pub fn watch(descriptor: &impl AsRawFd, events: libc::c_short) -> libc::pollfd {
    libc::pollfd { fd: descriptor.as_raw_fd(), events, revents: 0 }
}

/// Returns whether either end of a connection was shut down or closed.
pub fn is_hung_up(descriptor: &impl AsRawFd) -> bool {
    let mut watched = [watch(descriptor, libc::POLLRDHUP)];
    poll(&mut watched, Some(0)).is_ok() && watched[0].revents & (libc::POLLRDHUP | libc::POLLHUP) != 0
}

/// Returns milliseconds since the machine started.
pub fn now() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call fills the struct; this clock always exists.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
    time.tv_sec as u64 * 1000 + time.tv_nsec as u64 / 1_000_000
}

/// Returns the bytes of memory that programs can still get, including caches; 0 if the kernel does not report them.
pub fn free_memory() -> u64 {
    memory("MemAvailable:")
}

/// Returns the bytes of memory that the kernel manages; 0 if it does not report them.
pub fn total_memory() -> u64 {
    memory("MemTotal:")
}

fn memory(what: &str) -> u64 {
    std::fs::read_to_string("/proc/meminfo").ok().and_then(|told| bytes_of(what, &told)).unwrap_or(0)
}

fn bytes_of(what: &str, told: &str) -> Option<u64> {
    let kibibytes = told.lines().find_map(|line| line.strip_prefix(what)?.strip_suffix("kB"))?;
    kibibytes.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// Returns sixteen unpredictable bytes. Waits until the kernel's generator is ready, which is normally long before this call.
pub fn random() -> io::Result<[u8; 16]> {
    let mut bytes = [0; 16];
    fill_random(&mut bytes).map(|()| bytes)
}

/// Fills the buffer with unpredictable bytes, in pieces that the kernel always returns whole.
pub fn fill_random(bytes: &mut [u8]) -> io::Result<()> {
    for piece in bytes.chunks_mut(256) {
        // SAFETY: the buffer has the stated length.
        let size = check(unsafe { libc::getrandom(piece.as_mut_ptr().cast(), piece.len(), 0) })?;
        if size as usize != piece.len() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    Ok(())
}

/// Sends bytes with one descriptor, which arrives with the first byte; fails if the bytes do not fit.
pub fn send_with_descriptor(socket: &impl AsRawFd, bytes: &[u8], passed: &impl AsRawFd) -> io::Result<()> {
    let mut part = libc::iovec { iov_base: bytes.as_ptr().cast_mut().cast(), iov_len: bytes.len() };
    let mut control = ControlBuffer::default();
    // SAFETY: zeros are an empty message; the pointers set below outlive the call.
    let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
    message.msg_iov = &mut part;
    message.msg_iovlen = 1;
    message.msg_control = control.0.as_mut_ptr().cast();
    message.msg_controllen = size_of_val(&control.0);
    // SAFETY: the control buffer has room for one header and one descriptor, so the header exists.
    let sent = unsafe {
        let header = libc::CMSG_FIRSTHDR(&message);
        (*header).cmsg_level = libc::SOL_SOCKET;
        (*header).cmsg_type = libc::SCM_RIGHTS;
        (*header).cmsg_len = libc::CMSG_LEN(size_of::<RawFd>() as u32) as usize;
        libc::CMSG_DATA(header).cast::<RawFd>().write_unaligned(passed.as_raw_fd());
        libc::sendmsg(socket.as_raw_fd(), &message, libc::MSG_NOSIGNAL)
    };
    if check(sent)? as usize == bytes.len() { Ok(()) } else { Err(io::ErrorKind::WriteZero.into()) }
}

/// Reads bytes and the descriptors that accompany them.
pub fn receive_with_descriptors(socket: &impl AsRawFd, buffer: &mut [u8]) -> io::Result<(usize, Vec<OwnedFd>)> {
    let mut part = libc::iovec { iov_base: buffer.as_mut_ptr().cast(), iov_len: buffer.len() };
    let mut control = ControlBuffer::default();
    // SAFETY: zeros are an empty message; the pointers set below outlive the call.
    let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
    message.msg_iov = &mut part;
    message.msg_iovlen = 1;
    message.msg_control = control.0.as_mut_ptr().cast();
    message.msg_controllen = size_of_val(&control.0);
    // SAFETY: all fields of the message are set.
    let size = check(unsafe { libc::recvmsg(socket.as_raw_fd(), &mut message, libc::MSG_CMSG_CLOEXEC) })?;
    let mut received = Vec::new();
    // SAFETY: the kernel filled the control buffer; the walk stays inside it, and nothing else owns the descriptors.
    unsafe {
        let mut header = libc::CMSG_FIRSTHDR(&message);
        while !header.is_null() {
            if (*header).cmsg_level == libc::SOL_SOCKET && (*header).cmsg_type == libc::SCM_RIGHTS {
                let bytes = (*header).cmsg_len - libc::CMSG_LEN(0) as usize;
                for index in 0..bytes / size_of::<RawFd>() {
                    let fd = libc::CMSG_DATA(header).cast::<RawFd>().add(index).read_unaligned();
                    received.push(OwnedFd::from_raw_fd(fd));
                }
            }
            header = libc::CMSG_NXTHDR(&message, header);
        }
    }
    Ok((size as usize, received))
}

/// Space for a control message, which passes a few descriptors: its header, aligned as the kernel requires, and the descriptors.
#[derive(Default)]
struct ControlBuffer([u64; 4]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_descriptor_arrives_with_its_bytes() {
        let (ours, theirs) = socket_pair().unwrap();
        let (reading, writing) = pipe().unwrap();
        send_with_descriptor(&ours, b"take it", &writing).unwrap();
        drop(writing);
        let mut buffer = [0; 64];
        let (size, received) = receive_with_descriptors(&theirs, &mut buffer).unwrap();
        assert_eq!((&buffer[..size], received.len()), (&b"take it"[..], 1));
        write(&received[0], b"x").unwrap();
        assert_eq!(read(&reading, &mut buffer).unwrap(), 1);
    }

    #[test]
    fn free_memory_is_parsed_from_the_kernels_text() {
        let available = |told: &str| bytes_of("MemAvailable:", told);
        assert_eq!(available("MemTotal:  500 kB\nMemFree: 1 kB\nMemAvailable:     209 kB\n"), Some(209 * 1024));
        assert_eq!((available(""), available("MemAvailable: x kB"), available("MemAvailable: 5 MB")), (None, None, None));
        assert!(free_memory() > 0 && total_memory() >= free_memory());
    }

    #[test]
    fn shutting_one_end_of_a_connection_down_ends_every_copy() {
        let (ours, theirs) = socket_pair().unwrap();
        let kept = ours.try_clone().unwrap();
        shut_down(&kept);
        assert_eq!(read(&theirs, &mut [0; 8]).unwrap(), 0);
        assert_eq!(read(&ours, &mut [0; 8]).unwrap(), 0);
    }
}
