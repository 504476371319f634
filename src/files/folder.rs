//! A folder, and what lies below it.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Component, Path, PathBuf};

use rustix::fs::{self, AtFlags, Mode, OFlags};
use rustix::io::Errno;

use super::read;

/// How a folder is opened on the way to what lies in it. Linux needs no permission to list it then.
#[cfg(target_os = "linux")]
const STEP: OFlags = OFlags::PATH
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);
#[cfg(not(target_os = "linux"))]
const STEP: OFlags = OFlags::DIRECTORY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

/// The mode of a new file and of a new folder, before the user's mask.
const FILE_MODE: Mode = Mode::from_raw_mode(0o666);
const FOLDER_MODE: Mode = Mode::from_raw_mode(0o777);

/// A folder, by a handle: it stays the same folder whatever becomes of its path. Every path that its
/// methods take is relative, made of plain names, and followed folder by folder; a link on the way is an
/// error, so nothing outside of the folder is ever reached.
#[derive(Debug)]
pub struct Folder {
    handle: OwnedFd,
    path: PathBuf,
}

/// What lies at a path below a folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PathKind {
    /// Nothing.
    Nothing,
    /// A regular file.
    File {
        /// Permission bits.
        mode: u32,
        /// Bytes.
        size: u64,
    },
    /// A symbolic link, with its target.
    Link(PathBuf),
    /// A folder.
    Folder,
    /// A pipe, socket or device.
    Special,
    /// Something above it is no folder but a link or a file, at this path.
    Behind(PathBuf),
}

/// The folder that a path lies in: the one that all paths start from, or another.
enum Above<'a> {
    Own(BorrowedFd<'a>),
    Other(OwnedFd),
}

impl AsFd for Above<'_> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Own(handle) => *handle,
            Self::Other(handle) => handle.as_fd(),
        }
    }
}

/// Whether a path is relative and made of plain names alone: no `..`, no `.`, nothing absolute, no NUL.
pub fn is_plain(path: &Path) -> bool {
    let is_clean =
        !path.as_os_str().is_empty() && !path.as_os_str().as_encoded_bytes().contains(&0);
    // `components` leaves out what repeats a separator or stands for the same folder.
    let mut spelled = path
        .as_os_str()
        .as_encoded_bytes()
        .split(|&byte| byte == b'/');
    is_clean
        && path
            .components()
            .all(|part| matches!(part, Component::Normal(_)))
        && spelled.all(|part| !part.is_empty() && part != b".")
}

impl Folder {
    /// Open a folder by its path. The last name of the path may not be a link.
    ///
    /// # Errors
    /// What the system says, or that it is no folder.
    pub fn open(path: &Path) -> io::Result<Self> {
        let opened = fs::openat(fs::CWD, path, STEP, Mode::empty());
        Ok(Self {
            handle: opened.map_err(|errno| step_error(errno, path))?,
            path: path.to_owned(),
        })
    }

    /// Open a folder below this one.
    ///
    /// # Errors
    /// What the system says, or that it is no folder.
    pub fn folder(&self, path: &Path) -> io::Result<Self> {
        let (above, name) = self.above(path)?;
        let opened = fs::openat(&above, name, STEP, Mode::empty());
        Ok(Self {
            handle: opened.map_err(|errno| step_error(errno, path))?,
            path: self.path.join(path),
        })
    }

    /// Where the folder is, for messages and for those who have to name it to others.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What tells this folder from every other on the machine: device and inode.
    ///
    /// # Errors
    /// What the system says.
    pub fn identity(&self) -> io::Result<(u64, u64)> {
        let found = fs::fstat(&self.handle)?;
        Ok((found.st_dev, found.st_ino))
    }

    /// The folder as a file that can be locked or written through.
    ///
    /// # Errors
    /// What the system says.
    pub fn as_file(&self) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(File::from(fs::openat(
            &self.handle,
            ".",
            flags,
            Mode::empty(),
        )?))
    }

    /// The folder that `path` lies in, and its name there.
    fn above<'a>(&'a self, path: &'a Path) -> io::Result<(Above<'a>, &'a OsStr)> {
        if !is_plain(path) {
            return Err(io::Error::new(
                ErrorKind::InvalidInput,
                format!("{} is no path below a folder", path.display()),
            ));
        }
        let mut parts = path.components().map(Component::as_os_str);
        let mut name = parts.next().unwrap_or_default();
        let mut above = Above::Own(self.handle.as_fd());
        for next in parts {
            let opened = fs::openat(&above, name, STEP, Mode::empty());
            above = Above::Other(opened.map_err(|errno| step_error(errno, path))?);
            name = next;
        }
        Ok((above, name))
    }

    /// What lies at `path`.
    ///
    /// # Errors
    /// What the system says.
    pub fn look(&self, path: &Path) -> io::Result<PathKind> {
        let (above, name) = match self.above(path) {
            Ok(found) => found,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(PathKind::Nothing),
            Err(error) if error.kind() == ErrorKind::NotADirectory => {
                return Ok(match self.first_in_the_way(path)? {
                    Some(at) => PathKind::Behind(at),
                    None => PathKind::Nothing,
                });
            }
            Err(error) => return Err(error),
        };
        let found = match fs::statat(&above, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(found) => found,
            Err(Errno::NOENT) => return Ok(PathKind::Nothing),
            Err(errno) => return Err(errno.into()),
        };
        Ok(match fs::FileType::from_raw_mode(found.st_mode) {
            fs::FileType::RegularFile => PathKind::File {
                mode: found.st_mode & 0o7777,
                size: found.st_size.cast_unsigned(),
            },
            fs::FileType::Symlink => {
                let target = fs::readlinkat(&above, name, Vec::new())?;
                PathKind::Link(PathBuf::from(os_string(target.into_bytes())))
            }
            fs::FileType::Directory => PathKind::Folder,
            _ => PathKind::Special,
        })
    }

    /// The first part above `path` that is there and no folder.
    fn first_in_the_way(&self, path: &Path) -> io::Result<Option<PathBuf>> {
        let mut folders: Vec<&Path> = path.ancestors().skip(1).collect();
        folders.pop();
        for folder in folders.into_iter().rev() {
            match self.look(folder)? {
                PathKind::Folder => {}
                PathKind::Nothing => return Ok(None),
                _ => return Ok(Some(folder.to_owned())),
            }
        }
        Ok(None)
    }

    /// Whether anything lies at `path`: a file, a link, a folder. What can't be looked at counts as there.
    pub fn has(&self, path: &Path) -> bool {
        !matches!(self.look(path), Ok(PathKind::Nothing | PathKind::Behind(_)))
    }

    /// Open a regular file for reading.
    ///
    /// # Errors
    /// What the system says, or that it is no regular file.
    pub fn file(&self, path: &Path) -> io::Result<File> {
        let (above, name) = self.above(path)?;
        let flags =
            OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let opened = fs::openat(&above, name, flags, Mode::empty());
        read::regular(File::from(opened.map_err(|errno| match errno {
            Errno::LOOP | Errno::NXIO => irregular(path),
            other => other.into(),
        })?))
    }

    /// The bytes of a regular file, at most `limit` of them.
    ///
    /// # Errors
    /// See [`Folder::file`]; also a file of more bytes.
    pub fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        read::bounded(self.file(path)?, limit)
    }

    /// Make a file where nothing is. Its folder is there.
    ///
    /// # Errors
    /// What the system says.
    pub fn create(&self, path: &Path) -> io::Result<File> {
        self.create_with(path, FILE_MODE)
    }

    /// Make a file that nobody but its owner may read.
    ///
    /// # Errors
    /// What the system says.
    pub fn create_private(&self, path: &Path) -> io::Result<File> {
        self.create_with(path, Mode::from_raw_mode(0o600))
    }

    fn create_with(&self, path: &Path, mode: Mode) -> io::Result<File> {
        let (above, name) = self.above(path)?;
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(File::from(fs::openat(&above, name, flags, mode)?))
    }

    /// Make a link with this target where nothing is.
    ///
    /// # Errors
    /// What the system says.
    pub fn link(&self, target: &Path, path: &Path) -> io::Result<()> {
        let (above, name) = self.above(path)?;
        Ok(fs::symlinkat(target, &above, name)?)
    }

    /// Make a folder where it is missing; those above it are there. Returns whether it was missing.
    ///
    /// # Errors
    /// What the system says, or that something else is there.
    pub fn make(&self, path: &Path) -> io::Result<bool> {
        self.make_with(path, FOLDER_MODE)
    }

    /// Make a folder that nobody but its owner may enter, where it is missing.
    ///
    /// # Errors
    /// See [`Folder::make`].
    pub fn make_private(&self, path: &Path) -> io::Result<bool> {
        self.make_with(path, Mode::from_raw_mode(0o700))
    }

    fn make_with(&self, path: &Path, mode: Mode) -> io::Result<bool> {
        let (above, name) = self.above(path)?;
        match fs::mkdirat(&above, name, mode) {
            Ok(()) => Ok(true),
            // Some systems tell first that nobody may write above it.
            Err(errno) => match self.look(path)? {
                PathKind::Folder => Ok(false),
                PathKind::Nothing => Err(errno.into()),
                _ => Err(no_folder(path)),
            },
        }
    }

    /// Make the folders above `path` where they are missing.
    ///
    /// # Errors
    /// See [`Folder::make`].
    pub fn make_above(&self, path: &Path) -> io::Result<()> {
        let Some(folder) = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
        else {
            return Ok(());
        };
        // Nearly always the folder is there.
        match self.folder(folder) {
            Ok(_) => return Ok(()),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        self.make_above(folder)?;
        self.make(folder).map(drop)
    }

    /// Give a file or link another name, in place of whatever file or link has it; also in another folder.
    ///
    /// # Errors
    /// What the system says.
    pub fn rename(&self, from: &Path, to_folder: &Self, to: &Path) -> io::Result<()> {
        let (above, name) = self.above(from)?;
        let (to_above, to_name) = to_folder.above(to)?;
        Ok(fs::renameat(&above, name, &to_above, to_name)?)
    }

    /// Give a file a second name, where nothing is.
    ///
    /// # Errors
    /// What the system says.
    pub fn also(&self, from: &Path, to: &Path) -> io::Result<()> {
        let (above, name) = self.above(from)?;
        let (to_above, to_name) = self.above(to)?;
        Ok(fs::linkat(
            &above,
            name,
            &to_above,
            to_name,
            AtFlags::empty(),
        )?)
    }

    /// Remove a file or link, if one is there.
    ///
    /// # Errors
    /// What the system says.
    pub fn remove(&self, path: &Path) -> io::Result<()> {
        let (above, name) = match self.above(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            found => found?,
        };
        match fs::unlinkat(&above, name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(errno) => Err(errno.into()),
        }
    }

    /// Remove an empty folder.
    ///
    /// # Errors
    /// What the system says.
    pub fn remove_folder(&self, path: &Path) -> io::Result<()> {
        let (above, name) = self.above(path)?;
        Ok(fs::unlinkat(&above, name, AtFlags::REMOVEDIR)?)
    }

    /// Remove all that lies in the folder, whatever it is. Links are removed and not followed.
    ///
    /// # Errors
    /// What the system says.
    pub fn clear(&self) -> io::Result<()> {
        for (name, is_folder) in self.entries()? {
            let name = Path::new(&name);
            if is_folder {
                self.folder(name)?.clear()?;
                self.remove_folder(name)?;
            } else {
                self.remove(name)?;
            }
        }
        Ok(())
    }

    /// The names in the folder, each with whether it is a folder's, in the order of their bytes.
    ///
    /// # Errors
    /// What the system says.
    pub fn entries(&self) -> io::Result<Vec<(std::ffi::OsString, bool)>> {
        let listing = fs::Dir::read_from(self.as_file()?)?;
        let mut names = Vec::new();
        for entry in listing {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if name == b"." || name == b".." {
                continue;
            }
            let name = os_string(name.to_vec());
            let is_folder = match entry.file_type() {
                fs::FileType::Directory => true,
                fs::FileType::Unknown => self.look(Path::new(&name))? == PathKind::Folder,
                _ => false,
            };
            names.push((name, is_folder));
        }
        names.sort();
        Ok(names)
    }

    /// Give a regular file these permission bits.
    ///
    /// # Errors
    /// What the system says, or that it is no regular file.
    pub fn set_mode(&self, path: &Path, mode: u32) -> io::Result<()> {
        let (above, name) = self.above(path)?;
        if !matches!(self.look(path)?, PathKind::File { .. }) {
            return Err(irregular(path));
        }
        Ok(fs::chmodat(
            &above,
            name,
            Mode::from_raw_mode(mode),
            AtFlags::empty(),
        )?)
    }

    /// Let nobody but the owner enter this folder.
    ///
    /// # Errors
    /// What the system says, or that it is another user's.
    pub fn keep_private(&self) -> io::Result<()> {
        let found = fs::fstat(&self.handle)?;
        if found.st_uid != rustix::process::geteuid().as_raw() {
            return Err(io::Error::new(
                ErrorKind::PermissionDenied,
                format!("{} is another user's", self.path.display()),
            ));
        }
        if found.st_mode & 0o777 != 0o700 {
            fs::fchmod(self.as_file()?, Mode::from_raw_mode(0o700))?;
        }
        Ok(())
    }
}

fn os_string(bytes: Vec<u8>) -> std::ffi::OsString {
    std::os::unix::ffi::OsStringExt::from_vec(bytes)
}

/// What a step into something that is no folder comes to.
fn step_error(errno: Errno, path: &Path) -> io::Error {
    match errno {
        Errno::LOOP | Errno::NOTDIR => no_folder(path),
        other => other.into(),
    }
}

fn no_folder(path: &Path) -> io::Error {
    io::Error::new(
        ErrorKind::NotADirectory,
        format!(
            "{} is, or lies behind, what is no folder of its own",
            path.display()
        ),
    )
}

fn irregular(path: &Path) -> io::Error {
    io::Error::new(
        ErrorKind::InvalidInput,
        format!("{} is no regular file", path.display()),
    )
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn nothing_outside_of_a_folder_is_reached() {
        let place = tempfile::TempDir::new().expect("a place");
        let root = place.path().join("root");
        std::fs::create_dir_all(root.join("a/b")).expect("made");
        std::fs::create_dir(place.path().join("out")).expect("made");
        std::fs::write(place.path().join("out/x"), "secret").expect("written");
        symlink("../out", root.join("link")).expect("linked");
        symlink("../out/x", root.join("a/x")).expect("linked");
        let folder = Folder::open(&root).expect("there");
        for path in [
            "link/x",
            "../out/x",
            "/etc/passwd",
            "a/../../out/x",
            "a/x",
            "",
            ".",
            "a//b",
            "./a",
        ] {
            let path = Path::new(path);
            assert!(folder.file(path).is_err(), "{}", path.display());
            assert!(folder.create(path).is_err(), "{}", path.display());
        }
        assert!(folder.make_above(Path::new("link/new/y")).is_err());
        assert!(folder.remove(Path::new("link/x")).is_err());
        assert!(Folder::open(&root.join("link")).is_err());
        assert_eq!(
            folder.look(Path::new("link/x")).expect("looked"),
            PathKind::Behind("link".into())
        );
        assert_eq!(
            folder.look(Path::new("a/x")).expect("looked"),
            PathKind::Link("../out/x".into())
        );
        assert_eq!(
            folder.look(Path::new("a/b/c/d")).expect("looked"),
            PathKind::Nothing
        );
        folder.clear().expect("cleared");
        assert_eq!(
            std::fs::read(place.path().join("out/x")).expect("there"),
            b"secret"
        );
    }
}
