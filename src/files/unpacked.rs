//! Folders of files that the program carries along, unpacked into this user's own state for other programs to read.

use std::collections::BTreeSet;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::look::PathKind;
use super::own::{OwnState, unique};
use super::{Folder, is_plain};

/// What Python leaves beside its sources.
const LEFT_BY_PYTHON: &str = "__pycache__";

impl OwnState {
    /// The folder with exactly these files, each by its path below it and its bytes, made where it is missing. Its name
    /// says what is in it, so every version of the program has its own. A folder that was found is compared with the
    /// files: one that is half-written, or in which something was changed or added, is replaced by a fresh one.
    ///
    /// # Errors
    /// What the system says.
    pub fn unpack(&self, what: &str, files: &[(String, &[u8])]) -> io::Result<PathBuf> {
        let name = format!("{what}-{}", digest(files));
        let place = Path::new(&name);
        if !self.is_unpacked(place, files) {
            let fresh = format!("{name}.{}.new", unique()?);
            let fresh = Path::new(&fresh);
            let done = self
                .write_files(fresh, files)
                .and_then(|()| self.put(fresh, place, files));
            self.throw_away(fresh)?;
            done?;
        }
        Ok(self.path(&name))
    }

    fn is_unpacked(&self, place: &Path, files: &[(String, &[u8])]) -> bool {
        let Ok(folder) = self.folder.folder(place) else {
            return false;
        };
        let has = |(path, bytes): &(String, &[u8])| {
            let found = folder.read(Path::new(path), bytes.len() as u64);
            found.is_ok_and(|found| found == *bytes)
        };
        let known: BTreeSet<&Path> = files
            .iter()
            .flat_map(|(path, _)| Path::new(path).ancestors())
            .collect();
        files.iter().all(has) && has_nothing_else(&folder, Path::new(""), &known).unwrap_or(false)
    }

    fn write_files(&self, fresh: &Path, files: &[(String, &[u8])]) -> io::Result<()> {
        self.folder.make_private(fresh)?;
        let folder = self.folder.folder(fresh)?;
        for (path, bytes) in files {
            let path = Path::new(path);
            folder.make_above(path)?;
            folder.create_private(path)?.write_all(bytes)?;
        }
        Ok(())
    }

    /// Give a folder its name. Another run may do the same at the same time: the first one holds.
    fn put(&self, fresh: &Path, place: &Path, files: &[(String, &[u8])]) -> io::Result<()> {
        let there = |error: &io::Error| {
            matches!(
                error.kind(),
                ErrorKind::DirectoryNotEmpty | ErrorKind::AlreadyExists | ErrorKind::NotADirectory
            )
        };
        match self.folder.rename(fresh, &self.folder, place) {
            Err(error) if there(&error) => {}
            done => return done,
        }
        if self.is_unpacked(place, files) {
            return Ok(());
        }
        let old = format!("{}.{}.old", place.display(), unique()?);
        let old = Path::new(&old);
        self.folder.rename(place, &self.folder, old)?;
        let done = self.folder.rename(fresh, &self.folder, place);
        self.throw_away(old)?;
        match done {
            Err(error) if there(&error) && self.is_unpacked(place, files) => Ok(()),
            done => done,
        }
    }

    fn throw_away(&self, path: &Path) -> io::Result<()> {
        if self.folder.look(path)? != PathKind::Folder {
            return self.folder.remove(path);
        }
        self.folder.folder(path)?.clear()?;
        self.folder.remove_folder(path)
    }
}

/// Whether a folder holds what is known, and of what is not only what Python leaves.
fn has_nothing_else(folder: &Folder, at: &Path, known: &BTreeSet<&Path>) -> io::Result<bool> {
    for (name, is_folder) in folder.entries()? {
        if is_folder && name == LEFT_BY_PYTHON {
            continue;
        }
        let path = at.join(&name);
        let is_well = known.contains(path.as_path())
            && (!is_folder || has_nothing_else(&folder.folder(Path::new(&name))?, &path, known)?);
        if !is_well {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What a folder with these files is called by.
fn digest(files: &[(String, &[u8])]) -> String {
    let mut hasher = blake3::Hasher::new();
    for (path, bytes) in files {
        debug_assert!(is_plain(Path::new(path)), "{path}");
        for part in [path.as_bytes(), bytes] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
    }
    let hash = hasher.finalize().to_hex();
    hash.get(..16).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_folder_that_is_not_whole_is_made_anew() {
        let place = tempfile::TempDir::new().expect("a place");
        let state = OwnState::at(&place.path().join("own")).expect("made");
        let files: [(String, &[u8]); 2] = [("a/b/c.py".into(), b"one"), ("d.py".into(), b"two")];
        let unpack = || {
            let folder = state.unpack("kind", &files).expect("unpacked");
            for (path, bytes) in &files {
                assert_eq!(fs::read(folder.join(path)).expect("there"), *bytes);
            }
            let names = fs::read_dir(place.path().join("own")).expect("listed");
            assert_eq!(names.count(), 1, "nothing is left beside the folder");
            folder
        };
        let folder = unpack();
        fs::create_dir(folder.join("a/__pycache__")).expect("made");
        fs::write(folder.join("a/__pycache__/c.pyc"), "kept").expect("written");
        unpack();
        assert!(folder.join("a/__pycache__/c.pyc").exists());
        fs::write(folder.join("d.py"), "2").expect("written");
        unpack();
        assert!(!folder.join("a/__pycache__").exists());
        fs::remove_file(folder.join("a/b/c.py")).expect("removed");
        unpack();
        fs::write(folder.join("a/more.py"), "").expect("written");
        unpack();
        assert!(!folder.join("a/more.py").exists());
        fs::remove_file(folder.join("d.py")).expect("removed");
        fs::write(place.path().join("outside.py"), "two").expect("written");
        symlink("../../outside.py", folder.join("d.py")).expect("linked");
        unpack();
        fs::remove_dir_all(&folder).expect("removed");
        symlink("/tmp", &folder).expect("linked");
        unpack();
        fs::remove_dir_all(&folder).expect("removed");
        fs::write(&folder, "a file").expect("written");
        unpack();
    }
}
