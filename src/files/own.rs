//! This program's own state for this user on this machine, where no tree can put anything: the journals of runs
//! that have begun to write, and the key of the caches.

use std::io::{self, ErrorKind, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use super::Folder;

/// The name of the folder below the user's folder for state (`$XDG_STATE_HOME`, `~/.local/state`).
const NAME: &str = "torchada";
/// The file that has the key.
const KEY: &str = "key";
const KEY_BYTES: usize = 32;

/// The folder of the user's state.
#[derive(Debug)]
pub struct OwnState {
    pub(super) folder: Folder,
}

impl OwnState {
    /// Open the folder, and make it where it is missing. Where the user's home can't be written, as in some
    /// containers and build sandboxes, the folder lies among the temporary files, for this user alone.
    ///
    /// # Errors
    /// What the system says, or that the folder is another user's.
    pub fn open() -> io::Result<Self> {
        match Self::home().map(|home| Self::at(&home)) {
            Some(Ok(state)) => Ok(state),
            _ => Self::at(&Self::temporary()),
        }
    }

    fn temporary() -> PathBuf {
        let uid = rustix::process::geteuid().as_raw();
        std::env::temp_dir().join(format!("{NAME}-{uid}"))
    }

    /// Open the folder where it is there, and make none: for a run that only looks into it.
    ///
    /// # Errors
    /// What the system says, or that the folder is another user's.
    pub fn open_known() -> io::Result<Option<Self>> {
        let known = |path: &Path| match Folder::open(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
            Ok(folder) => Self::within(folder, path).map(Some),
        };
        match Self::home().map(|home| known(&home)) {
            Some(Ok(Some(state))) => Ok(Some(state)),
            _ => known(&Self::temporary()),
        }
    }

    fn home() -> Option<PathBuf> {
        let strategy = etcetera::choose_base_strategy().ok()?;
        Some(strategy.state_dir()?.join(NAME))
    }

    pub(super) fn at(path: &Path) -> io::Result<Self> {
        let folder = match Folder::open(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Self::make(path)?,
            found => found?,
        };
        Self::within(folder, path)
    }

    fn within(folder: Folder, path: &Path) -> io::Result<Self> {
        folder.keep_private()?;
        // A folder may be there and not take anything.
        rustix::fs::access(path, rustix::fs::Access::WRITE_OK)?;
        Ok(Self { folder })
    }

    fn make(path: &Path) -> io::Result<Folder> {
        if let Some(above) = path.parent() {
            std::fs::create_dir_all(above)?;
        }
        match rustix::fs::mkdir(path, rustix::fs::Mode::from_raw_mode(0o700)) {
            // Another run may make it at the same time.
            Ok(()) | Err(rustix::io::Errno::EXIST) => Folder::open(path),
            Err(errno) => Err(errno.into()),
        }
    }

    /// The path of a file of this name, for messages.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The bytes of a file; `None` where there is none.
    ///
    /// # Errors
    /// What the system says, or that it has more than `limit` bytes.
    pub fn read(&self, name: &str, limit: u64) -> io::Result<Option<Vec<u8>>> {
        match self.folder.read(Path::new(name), limit) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Write a file, so that it is there whole or not at all, after a power cut too.
    ///
    /// # Errors
    /// What the system says.
    pub fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let new = format!("{name}.new");
        let (new, name) = (Path::new(&new), Path::new(name));
        self.folder.remove(new)?;
        let mut file = self.folder.create_private(new)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        self.folder.rename(new, &self.folder, name)?;
        self.folder.as_file()?.sync_all()
    }

    /// Remove a file, if it is there.
    ///
    /// # Errors
    /// What the system says.
    pub fn remove(&self, name: &str) -> io::Result<()> {
        self.folder.remove(Path::new(name))
    }

    /// The key of this user on this machine, made where there is none yet.
    ///
    /// # Errors
    /// What the system says.
    pub fn seal(&self) -> io::Result<Seal> {
        if let Some(seal) = self.known_seal()? {
            return Ok(seal);
        }
        let mut key = [0; KEY_BYTES];
        getrandom::fill(&mut key).map_err(io::Error::other)?;
        let new = format!("{KEY}.{}.new", unique()?);
        let new = Path::new(&new);
        let mut file = self.folder.create_private(new)?;
        file.write_all(&key)?;
        file.sync_all()?;
        // Another run may make a key at the same time: the first one holds.
        let made = self.folder.also(new, Path::new(KEY));
        self.folder.remove(new)?;
        match made {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
            _ => self.known_seal()?.ok_or_else(|| ErrorKind::NotFound.into()),
        }
    }

    fn known_seal(&self) -> io::Result<Option<Seal>> {
        let Some(bytes) = self.read(KEY, KEY_BYTES as u64)? else {
            return Ok(None);
        };
        // A key that was cut short is no key.
        let key = <[u8; KEY_BYTES]>::try_from(bytes).map_err(|_| ErrorKind::InvalidData)?;
        Ok(Some(Seal { key }))
    }
}

/// A part of a name that no other run has.
pub(super) fn unique() -> io::Result<String> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(format!("{:016x}", u64::from_le_bytes(bytes)))
}

/// The mark that this user's runs on this machine put before bytes which they leave in an output, so that another run
/// recognises them as its own.
#[derive(Clone, Debug)]
pub struct Seal {
    key: [u8; KEY_BYTES],
}

impl Seal {
    /// The seal that stands before the bytes of a file of this name in this output.
    pub fn of(&self, output: &Path, name: &str, bytes: &[u8]) -> [u8; blake3::OUT_LEN] {
        self.hash(output, name, bytes).into()
    }

    /// The bytes behind the seal; `None` where the seal is not this user's, or another file's.
    pub fn take<'a>(&self, output: &Path, name: &str, sealed: &'a [u8]) -> Option<&'a [u8]> {
        let (seal, bytes) = sealed.split_first_chunk::<{ blake3::OUT_LEN }>()?;
        // The comparison takes the same time for every seal that is wrong.
        (self.hash(output, name, bytes) == blake3::Hash::from_bytes(*seal)).then_some(bytes)
    }

    /// A name for something in or beside an output that nobody else can know before.
    pub fn name(&self, output: &Path) -> String {
        let hash = self.hash(output, "name", b"").to_hex();
        hash.get(..16).unwrap_or_default().to_owned()
    }

    fn hash(&self, output: &Path, name: &str, bytes: &[u8]) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new_keyed(&self.key);
        for part in [output.as_os_str().as_bytes(), name.as_bytes(), bytes] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        hasher.finalize()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seal_is_of_one_file_in_one_place_by_one_key() {
        let place = tempfile::TempDir::new().expect("a place");
        let state = |name: &str| OwnState::at(&place.path().join(name)).expect("made");
        let (own, other) = (
            state("own").seal().expect("a key"),
            state("other").seal().expect("a key"),
        );
        let output = Path::new("/out");
        let sealed = [&own.of(output, "last", b"bytes"), &b"bytes"[..]].concat();
        assert_eq!(own.take(output, "last", &sealed), Some(&b"bytes"[..]));
        let again = state("own").seal().expect("the same key");
        assert_eq!(again.take(output, "last", &sealed), Some(&b"bytes"[..]));
        assert_eq!(other.take(output, "last", &sealed), None);
        assert_eq!(own.take(Path::new("/else"), "last", &sealed), None);
        assert_eq!(own.take(output, "other", &sealed), None);
        let mut changed = sealed.clone();
        changed.push(b'!');
        assert_eq!(own.take(output, "last", &changed), None);
    }
}
