//! Folders in which a program has Python look for modules besides its own: `sys.path.insert(0, "lib")`.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::index::ModuleFile;
use super::names::Paths;
use crate::Project;
use crate::tree::paths::{folder, join};
use crate::tree::source::Source;

impl<'p> Paths<'p> {
    /// The paths of all modules of a project, with the folders that some of them add to Python's search path.
    pub(super) fn of_modules(project: &'p Project, files: &[Option<Arc<ModuleFile<'p>>>]) -> Self {
        let listed = files.iter().enumerate();
        let listed = listed.filter_map(|(at, file)| Some((at, file.as_deref()?)));
        let named = listed.clone().map(|(at, file)| (at, file.path));
        let mut paths = Self::new(named, &project.folder);
        paths.note_searched(project, listed);
        paths
    }

    /// Note the folders of the tree that modules name which add to Python's search path, for the modules beside and below
    /// them. Where a name is built of pieces (`os.path.join(os.path.dirname(__file__), "..", "lib")`), each piece may be the
    /// folder's.
    fn note_searched<'f>(
        &mut self,
        project: &Project,
        files: impl Iterator<Item = (usize, &'f ModuleFile<'p>)>,
    ) where
        'p: 'f,
    {
        let mut named: BTreeSet<(&'p str, &'p str)> = BTreeSet::new();
        for (at, file) in files.filter(|(_, file)| file.outline.adds_folders) {
            let text = project.files.get(at).and_then(Source::python_once);
            let text = text.unwrap_or_default();
            let own = folder(file.path);
            for name in literals(&text) {
                let bases = [own, folder(own)];
                let paths = bases.iter().filter_map(|base| join(base, name));
                let folders = paths.filter_map(|path| self.folder_at(&path));
                named.extend(folders.map(|one| (own, one)));
            }
        }
        self.searched = named.into_iter().collect();
    }
}

/// What stands between quotes on one line and may be the name of a folder. Dots alone are the folder from which somebody
/// starts the program.
fn literals(text: &[u8]) -> impl Iterator<Item = &str> {
    let lines = text.split(|&byte| byte == b'\n');
    let parts = lines.flat_map(|line| line.split(|byte| b"\"'".contains(byte)).skip(1));
    parts.filter_map(|part| {
        let part = std::str::from_utf8(part).ok()?.trim_start_matches('/');
        let is_path = |one: char| one.is_alphanumeric() || "/._-".contains(one);
        let names_one = part.contains(char::is_alphanumeric) && part.chars().all(is_path);
        names_one.then_some(part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_folders_stand_between_quotes() {
        let text = b"lib = join(here, '..', \"lib\")\nsys.path.insert(0, lib)\nadd(os.getcwd() + '/src/models')\n";
        let found: Vec<&str> = literals(text).collect();
        assert_eq!(found, ["lib", "src/models"]);
    }
}
