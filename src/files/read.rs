//! Regular files of a bounded size.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::time::{Duration, SystemTime};

use rustix::buffer::spare_capacity;
use rustix::fs::OFlags;
use rustix::io::Errno;

/// Folders whose entries are what the shell or the caller opened for this process.
const HANDED_OVER: [&str; 3] = ["/dev/fd", "/proc/self/fd", "/dev/stdin"];

/// A file that is open for reading, with what the system said of it then.
#[derive(Debug)]
pub struct OpenFile {
    /// The file.
    pub file: File,
    /// What the system said of it.
    pub found: Metadata,
}

/// Open a regular file for reading. A link in its place is refused, and so is whatever an open alone
/// would wait for: a pipe, a socket, a device.
///
/// # Errors
/// What the system says, or that it is no regular file.
pub fn open(path: &Path) -> io::Result<OpenFile> {
    open_with(path, OFlags::NOFOLLOW)
}

/// Open a file for reading whose path the user typed: a link is followed, and a pipe that the shell hands over
/// (`<(command)`) is read.
///
/// # Errors
/// See [`open`].
pub fn open_named(path: &Path) -> io::Result<OpenFile> {
    if HANDED_OVER.iter().any(|own| path.starts_with(own)) {
        let file = File::open(path)?;
        let found = file.metadata()?;
        return Ok(OpenFile { file, found });
    }
    open_with(path, OFlags::empty())
}

fn open_with(path: &Path, flags: OFlags) -> io::Result<OpenFile> {
    // Opening a pipe without a writer would wait for one.
    let flags = flags | OFlags::NONBLOCK | OFlags::NOCTTY;
    let opened = OpenOptions::new()
        .read(true)
        .custom_flags(flags.bits().cast_signed())
        .open(path);
    let file = opened.map_err(|error| match Errno::from_io_error(&error) {
        Some(Errno::LOOP) => irregular("it is a link"),
        // A socket can't be opened at all.
        Some(Errno::NXIO) => irregular("it is no regular file"),
        _ => error,
    })?;
    regular(file)
}

/// A file that was opened, if it is a regular one.
pub(super) fn regular(file: File) -> io::Result<OpenFile> {
    let found = file.metadata()?;
    if found.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    if !found.is_file() {
        return Err(irregular("it is no regular file"));
    }
    Ok(OpenFile { file, found })
}

fn irregular(why: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, why)
}

/// The bytes of a regular file that a tree or an output brings, at most `limit` of them.
///
/// # Errors
/// See [`open`]; also a file of more bytes.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    open(path)?.bytes(limit)
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
    let open = open(path)?;
    let bytes = open.bytes(limit)?;
    let stamp = Stamp::of(&open.file.metadata()?);
    Ok((bytes, stamp.filter(|_| stamp == Stamp::of(&open.found))))
}

/// The bytes of a file whose path the user typed, at most `limit` of them.
///
/// # Errors
/// See [`open_named`]; also a file of more bytes.
pub fn read_named(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    open_named(path)?.bytes(limit)
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
    let mut bytes = Vec::new();
    input.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(too_large(limit));
    }
    Ok(bytes)
}

/// The least bytes for which there is room once a file turns out to have more than it claimed.
const LEAST_ROOM: usize = 1 << 12;

/// The most bytes of a file that are read at once to be hashed.
const HASHED_WHOLE: u64 = 1 << 20;

impl OpenFile {
    /// The bytes of the file, at most `limit` of them. Nothing is read of one that is too large, and what claims no size is
    /// read no further than the limit.
    ///
    /// # Errors
    /// What the system says, or that there are more bytes.
    pub fn bytes(&self, limit: u64) -> io::Result<Vec<u8>> {
        if self.found.len() > limit {
            return Err(too_large(limit));
        }
        // With room for one byte more, the first reading takes in all of a file that has the size that it claims.
        let size = usize::try_from(self.found.len()).unwrap_or(0);
        let mut bytes = Vec::with_capacity(size + 1);
        loop {
            match rustix::io::read(&self.file, spare_capacity(&mut bytes)) {
                Ok(0) => return Ok(bytes),
                Ok(_) if bytes.len() as u64 > limit => return Err(too_large(limit)),
                Ok(_) if bytes.len() == bytes.capacity() => {
                    bytes.reserve(bytes.len().max(LEAST_ROOM));
                }
                Ok(_) | Err(Errno::INTR) => {}
                Err(errno) => return Err(errno.into()),
            }
        }
    }

    /// The hash of the bytes of the file.
    ///
    /// # Errors
    /// What the system says.
    pub fn hash(self) -> io::Result<blake3::Hash> {
        if self.found.len() <= HASHED_WHOLE {
            return Ok(blake3::hash(&self.bytes(u64::MAX)?));
        }
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(self.file)?;
        Ok(hasher.finalize())
    }

    /// The permission bits of the file.
    pub fn mode(&self) -> u32 {
        self.found.mode() & 0o777
    }
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
        // The program that runs may have been linked a moment ago, and this file was there before.
        let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        let stamp = || read_stamped(&old, u64::MAX - 1).expect("read").1;
        let first = stamp();
        assert!(first.is_some() && first == stamp());
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
