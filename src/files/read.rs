//! Regular files of a bounded size.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::time::{Duration, SystemTime};

use rustix::fs::OFlags;

/// Folders whose entries are what the shell or the caller opened for this process.
const HANDED_OVER: [&str; 3] = ["/dev/fd", "/proc/self/fd", "/dev/stdin"];

/// Open a regular file for reading. A link in its place is refused, and so is whatever an open alone
/// would wait for: a pipe, a socket, a device.
///
/// # Errors
/// What the system says, or that it is no regular file.
pub fn open(path: &Path) -> io::Result<File> {
    open_with(path, OFlags::NOFOLLOW)
}

/// Open a file for reading whose path the user typed: a link is followed, and a pipe that the shell hands over
/// (`<(command)`) is read.
///
/// # Errors
/// See [`open`].
pub fn open_named(path: &Path) -> io::Result<File> {
    if HANDED_OVER.iter().any(|own| path.starts_with(own)) {
        return File::open(path);
    }
    open_with(path, OFlags::empty())
}

fn open_with(path: &Path, flags: OFlags) -> io::Result<File> {
    // Opening a pipe without a writer would wait for one.
    let flags = flags | OFlags::NONBLOCK | OFlags::NOCTTY;
    let opened = OpenOptions::new()
        .read(true)
        .custom_flags(flags.bits().cast_signed())
        .open(path);
    let file = opened.map_err(|error| match rustix::io::Errno::from_io_error(&error) {
        Some(rustix::io::Errno::LOOP) => irregular("it is a link"),
        // A socket can't be opened at all.
        Some(rustix::io::Errno::NXIO) => irregular("it is no regular file"),
        _ => error,
    })?;
    regular(file)
}

/// A file that was opened, if it is a regular one.
pub(super) fn regular(file: File) -> io::Result<File> {
    let found = file.metadata()?;
    if found.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    if !found.is_file() {
        return Err(irregular("it is no regular file"));
    }
    Ok(file)
}

fn irregular(why: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, why)
}

/// The bytes of a regular file that a tree or an output brings, at most `limit` of them.
///
/// # Errors
/// See [`open`]; also a file of more bytes.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    bounded(&open(path)?, limit)
}

/// What a file system says of the content of a file: something else once that is written to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stamp {
    device: u64,
    inode: u64,
    length: u64,
    changed: SystemTime,
}

/// What was written so lately may be written again at what a file system takes for the same time.
const LATELY: Duration = Duration::from_secs(2);

impl Stamp {
    /// The stamp of a file; `None` where it was changed a moment ago.
    fn of(found: &Metadata) -> Option<Self> {
        let since = Duration::new(
            u64::try_from(found.ctime()).ok()?,
            u32::try_from(found.ctime_nsec()).ok()?,
        );
        let changed = SystemTime::UNIX_EPOCH.checked_add(since)?;
        let age = SystemTime::now().duration_since(changed).ok()?;
        (age > LATELY).then_some(Self {
            device: found.dev(),
            inode: found.ino(),
            length: found.len(),
            changed,
        })
    }
}

/// The bytes that [`read`] gives, with the stamp of the file: two readings with one stamp gave the same bytes. `None` where
/// the file was changed a moment ago, or while it was read.
///
/// # Errors
/// See [`read`].
pub fn read_stamped(path: &Path, limit: u64) -> io::Result<(Vec<u8>, Option<Stamp>)> {
    let file = open(path)?;
    let before = file.metadata()?;
    let bytes = rest(&file, before.len(), limit)?;
    let stamp = Stamp::of(&file.metadata()?);
    Ok((bytes, stamp.filter(|_| stamp == Stamp::of(&before))))
}

/// The bytes of a file whose path the user typed, at most `limit` of them.
///
/// # Errors
/// See [`open_named`]; also a file of more bytes.
pub fn read_named(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    bounded(&open_named(path)?, limit)
}

/// The text of a regular file that a tree brings, at most `limit` bytes of it.
///
/// # Errors
/// See [`read`]; also bytes that are no UTF-8.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    String::from_utf8(read(path, limit)?)
        .map_err(|error| io::Error::new(ErrorKind::InvalidData, error.utf8_error()))
}

/// All that comes from standard input or the like, at most `limit` bytes of it.
///
/// # Errors
/// What the system says, or more bytes.
pub fn read_from(input: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    fill(Vec::new(), input, limit)
}

fn fill(mut bytes: Vec<u8>, input: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    input.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(too_large(limit));
    }
    Ok(bytes)
}

/// The rest of a file. Nothing is read of one that is too large, and what claims no size is read no
/// further than the limit.
pub(super) fn bounded(file: &File, limit: u64) -> io::Result<Vec<u8>> {
    let size = file.metadata()?.len();
    rest(file, size, limit)
}

/// The rest of a file that claims a size.
fn rest(file: &File, size: u64, limit: u64) -> io::Result<Vec<u8>> {
    if size > limit {
        return Err(too_large(limit));
    }
    let bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
    fill(bytes, file, limit)
}

/// The most bytes of a file that are read at once to be hashed.
const HASHED_WHOLE: u64 = 1 << 20;

/// The hash of the bytes of a file that is open.
///
/// # Errors
/// What the system says.
pub fn hash(mut file: File) -> io::Result<blake3::Hash> {
    let size = file.metadata()?.len();
    if size > HASHED_WHOLE {
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(file)?;
        return Ok(hasher.finalize());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
    file.read_to_end(&mut bytes)?;
    Ok(blake3::hash(&bytes))
}

fn too_large(limit: u64) -> io::Error {
    io::Error::new(
        ErrorKind::FileTooLarge,
        format!("it has more than {limit} bytes"),
    )
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_file_has_a_stamp_once_it_is_some_time_old() {
        let place = tempfile::TempDir::new().expect("a folder");
        let path = place.path().join("a");
        std::fs::write(&path, "abc").expect("written");
        let (bytes, stamp) = read_stamped(&path, 3).expect("read");
        assert_eq!((&*bytes, stamp), (&b"abc"[..], None));
        assert!(read_stamped(&path, 2).is_err());
        // Nobody writes to the program that runs.
        let own = std::env::current_exe().expect("a program");
        let stamp = || read_stamped(&own, u64::MAX - 1).expect("read").1;
        let first = stamp();
        assert_eq!(first, stamp());
    }

    #[test]
    fn only_regular_files_of_a_bounded_size_are_read() {
        let place = tempfile::TempDir::new().expect("a folder");
        let at = |name: &str| place.path().join(name);
        std::fs::write(at("plain"), "abc").expect("written");
        symlink("plain", at("link")).expect("linked");
        symlink("/dev/zero", at("zero")).expect("linked");
        let _socket = std::os::unix::net::UnixListener::bind(at("socket")).expect("bound");
        rustix::fs::mknodat(
            rustix::fs::CWD,
            at("pipe"),
            rustix::fs::FileType::Fifo,
            0o600.into(),
            0,
        )
        .expect("made");

        assert_eq!(read(&at("plain"), 3).expect("read"), b"abc");
        assert_eq!(read_named(&at("link"), 3).expect("read"), b"abc");
        for name in ["link", "zero", "socket", "pipe"] {
            assert!(read(&at(name), 3).is_err(), "{name}");
        }
        for name in ["zero", "socket", "pipe"] {
            assert!(read_named(&at(name), 3).is_err(), "{name}");
        }
        assert!(read(&at("plain"), 2).is_err());
        assert!(read(place.path(), 9).is_err());
    }
}
