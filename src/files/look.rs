//! What lies below a folder: kinds, names and contents.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use rustix::fs::{self, AtFlags, Mode, OFlags};
use rustix::io::Errno;

use super::folder::{Folder, irregular};
use super::read::{self, OpenFile};

/// The kinds of things at a path below a folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PathKind {
    /// Nothing is at the path.
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

impl Folder {
    /// The kind of thing at `path`.
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
                PathKind::Link(PathBuf::from(OsString::from_vec(target.into_bytes())))
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
    pub fn file(&self, path: &Path) -> io::Result<OpenFile> {
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
        self.file(path)?.bytes(limit)
    }

    /// The names in the folder, each with whether it is a folder's, in the order of their bytes.
    ///
    /// # Errors
    /// What the system says.
    pub fn entries(&self) -> io::Result<Vec<(OsString, bool)>> {
        let listing = fs::Dir::read_from(self.as_file()?)?;
        let mut names = Vec::new();
        for entry in listing {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if name == b"." || name == b".." {
                continue;
            }
            let name = OsString::from_vec(name.to_vec());
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
}
