//! Changes of what lies below a folder: files, links and folders are made, renamed and removed.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;

use rustix::fs::{self, AtFlags, Mode, OFlags};
use rustix::io::Errno;

use super::folder::{Folder, irregular, no_folder};
use super::look::PathKind;

/// The mode of a new file and of a new folder, before the user's mask.
const FILE_MODE: Mode = Mode::from_raw_mode(0o666);
const FOLDER_MODE: Mode = Mode::from_raw_mode(0o777);

impl Folder {
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
