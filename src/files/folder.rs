//! A folder by its handle, and the way to the paths below it.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Component, Path, PathBuf};

#[cfg(target_os = "linux")]
use rustix::fs::ResolveFlags;
use rustix::fs::{self, Mode, OFlags};
use rustix::io::Errno;

/// The way in which a folder is opened that leads to a path below it. Linux needs no permission to list it then.
#[cfg(target_os = "linux")]
const STEP: OFlags = OFlags::PATH
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);
#[cfg(not(target_os = "linux"))]
const STEP: OFlags = OFlags::DIRECTORY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

/// A folder, by a handle: it stays the same folder whatever becomes of its path. Every path that its
/// methods take is relative, made of plain names, and followed folder by folder; a link on the way is an
/// error, so nothing outside of the folder is ever reached.
#[derive(Debug)]
pub struct Folder {
    pub(super) handle: OwnedFd,
    path: PathBuf,
}

/// The folder that a path lies in: the one that all paths start from, or another.
pub(super) enum ParentFolder<'a> {
    Own(BorrowedFd<'a>),
    Other(OwnedFd),
}

impl AsFd for ParentFolder<'_> {
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

    /// The path of the folder, for messages and for programs that need a path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The device and the inode of the folder, which no other folder of the machine has.
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
    pub(super) fn above<'a>(&'a self, path: &'a Path) -> io::Result<(ParentFolder<'a>, &'a OsStr)> {
        if !is_plain(path) {
            return Err(io::Error::new(
                ErrorKind::InvalidInput,
                format!("{} is no path below a folder", path.display()),
            ));
        }
        if let Some(found) = self.above_at_once(path) {
            return Ok(found);
        }
        let mut parts = path.components().map(Component::as_os_str);
        let mut name = parts.next().unwrap_or_default();
        let mut above = ParentFolder::Own(self.handle.as_fd());
        for next in parts {
            let opened = fs::openat(&above, name, STEP, Mode::empty());
            above = ParentFolder::Other(opened.map_err(|errno| step_error(errno, path))?);
            name = next;
        }
        Ok((above, name))
    }

    /// The folder that `path` lies in, and its name there, where the system goes the whole way by itself, through no link;
    /// `None` where it can't, or where something is in the way.
    #[cfg(target_os = "linux")]
    fn above_at_once<'a>(&'a self, path: &'a Path) -> Option<(ParentFolder<'a>, &'a OsStr)> {
        let (above, name) = (path.parent()?, path.file_name()?);
        // One step is as good.
        above.parent().filter(|one| !one.as_os_str().is_empty())?;
        let way = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
        let opened = fs::openat2(&self.handle, above, STEP, Mode::empty(), way);
        Some((ParentFolder::Other(opened.ok()?), name))
    }

    #[cfg(not(target_os = "linux"))]
    fn above_at_once<'a>(&'a self, _: &'a Path) -> Option<(ParentFolder<'a>, &'a OsStr)> {
        None
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

/// The error of a step into something that is no folder.
fn step_error(errno: Errno, path: &Path) -> io::Error {
    match errno {
        Errno::LOOP | Errno::NOTDIR => no_folder(path),
        other => other.into(),
    }
}

pub(super) fn no_folder(path: &Path) -> io::Error {
    io::Error::new(
        ErrorKind::NotADirectory,
        format!(
            "{} is, or lies behind, what is no folder of its own",
            path.display()
        ),
    )
}

pub(super) fn irregular(path: &Path) -> io::Error {
    io::Error::new(
        ErrorKind::InvalidInput,
        format!("{} is no regular file", path.display()),
    )
}
