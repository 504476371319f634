//! Packages beside the one that a tree is: folders that describe a package of their own, which the tree neither builds nor
//! needs to be loaded.

use std::collections::BTreeSet;

use super::Project;
use super::python::extensions;
use super::tree::file_text::FileText;
use super::tree::paths::{file_name, folder};
use super::tree::source::Source;
use torchada_mapping::effort::Effort;
use torchada_mapping::python::packages::{DescriptionTable, Packages};
use torchada_mapping::python::{INIT, is_package_start};
use torchada_syntax::is_identifier_part;
use torchada_text::{contains, words};

/// The folders of packages beside the tree's own.
#[derive(Default, Debug)]
pub struct PackagesBeside {
    folders: Vec<String>,
}

impl PackagesBeside {
    /// The folders of the packages of a tree.
    pub fn of(project: &Project) -> Self {
        let files = &project.files;
        let table = &Packages::builtin().descriptions;
        let mut folders: Vec<&str> = files
            .iter()
            .filter(|file| describes(file, table))
            .map(|file| folder(&file.path))
            .collect();
        folders.sort_unstable();
        folders.dedup();
        // A tree that is no package itself is several beside each other.
        let Some(("", inner)) = folders.split_first().map(|(root, inner)| (*root, inner)) else {
            return Self::default();
        };
        let mut outermost: Vec<&str> = Vec::new();
        for one in inner {
            if outermost.last().is_none_or(|above| !lies_in(one, above)) {
                outermost.push(one);
            }
        }
        let is_package = |one: &str| {
            let start = project.places.file_at(&format!("{one}/{INIT}"));
            start.is_none()
        };
        outermost.retain(|one| is_package(one) && !is_needed(project, one, table));
        let found = Self {
            folders: outermost.into_iter().map(str::to_owned).collect(),
        };
        if found.leaves_a_package(files) {
            found
        } else {
            Self::default()
        }
    }

    /// The folder of the package beside the tree's own that holds a file.
    pub fn holding(&self, path: &str) -> Option<&str> {
        let mut folders = self.folders.iter();
        folders
            .find(|folder| lies_in(path, folder))
            .map(String::as_str)
    }

    /// Whether the tree has a package of Python's besides these.
    fn leaves_a_package(&self, files: &[Source]) -> bool {
        let effort = Effort::builtin();
        files.iter().any(|file| {
            let own = folder(&file.path);
            let name = in_layout(own);
            is_package_start(&file.path)
                && !name.contains('/')
                && !effort.is_auxiliary(&file.path)
                && self.holding(&file.path).is_none()
        })
    }
}

/// The name of the package that a tree's root describes, as Python imports it: `name = "flash-attn"`.
pub(super) fn own_name(files: &[Source]) -> Option<String> {
    let table = &Packages::builtin().descriptions;
    let mut texts = table.files.keys().filter_map(|name| {
        let file = files.iter().find(|file| *file.path == **name)?;
        std::str::from_utf8(file.text.as_deref()?).ok()
    });
    texts.find_map(|text| {
        let value = value_of(text, NAME)?;
        // `name=PACKAGE_NAME`
        let name = quoted(value).or_else(|| {
            let end = value.find(|one: char| !one.is_alphanumeric() && one != '_');
            let word = value.get(..end.unwrap_or(value.len()))?;
            value_of(text, word).and_then(quoted).or(Some(word))
        })?;
        Some(name.to_lowercase().replace(['-', '.'], "_"))
    })
}

/// The key under which a description has the name of a package.
const NAME: &str = "name";

/// The text behind the first `key =` that begins a line, or an argument of a call.
fn value_of<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    text.lines().find_map(|line| {
        line.match_indices(key).find_map(|(at, _)| {
            let (before, rest) = (line.get(..at)?, line.get(at + key.len()..)?);
            let begins = before.is_empty() || before.ends_with([' ', '\t', '(', ',']);
            let value = rest.trim_start().strip_prefix('=').filter(|_| begins)?;
            (!value.starts_with('=')).then(|| value.trim())
        })
    })
}

/// The text in the quotes that a value begins with.
fn quoted(value: &str) -> Option<&str> {
    let quote = value
        .chars()
        .next()
        .filter(|one| matches!(one, '"' | '\''))?;
    value.get(1..)?.split(quote).next()
}

/// A folder without the one between a description and its packages: `src/package`.
fn in_layout(folder: &str) -> &str {
    let layouts = &Packages::builtin().descriptions.layouts;
    let mut between = layouts.iter().filter(|one| !one.is_empty());
    between
        .find_map(|one| folder.strip_prefix(one.as_str())?.strip_prefix('/'))
        .unwrap_or(folder)
}

/// Whether a file describes a package that can be installed.
fn describes(file: &Source, table: &DescriptionTable) -> bool {
    let Some(marks) = table.files.get(file_name(&file.path)) else {
        return false;
    };
    let text = text_of(file);
    let has = |mark: &String| contains(text, mark);
    marks.iter().any(has)
}

fn lies_in(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder)
        .is_some_and(|rest| rest.starts_with('/'))
}

fn text_of(file: &Source) -> &[u8] {
    file.text.as_deref().unwrap_or_default()
}

/// Whether the tree's own build names a folder, or one of the tree's own modules can't be loaded without a package in it.
fn is_needed(project: &Project, own: &str, table: &DescriptionTable) -> bool {
    let (files, name) = (&project.files, file_name(own));
    let at_path = |path: &str| files.get(project.places.file_at(path)?);
    let mut builds = table.builds.iter().filter_map(|build| at_path(build));
    if builds.any(|file| names(text_of(file), name)) {
        return true;
    }
    let below = project.places.beginning_with(&format!("{own}/")).iter();
    let below = below.filter_map(|&at| files.get(at));
    let starts = below.filter(|file| is_package_start(&file.path));
    let packages = starts.filter_map(|file| {
        let inner = folder(&file.path).get(own.len() + 1..)?;
        let name = in_layout(inner);
        (!name.contains('/')).then(|| name.to_owned())
    });
    let described = table.files.keys();
    let described = described.filter_map(|name| at_path(&format!("{own}/{name}")));
    let built = described
        .filter(|file| describes(file, table))
        .flat_map(|file| extensions(text_of(file)));
    let modules: BTreeSet<String> = packages.chain(built).collect();
    let effort = Effort::builtin();
    let imports: Vec<String> = modules
        .iter()
        .flat_map(|name| [format!("\nimport {name}"), format!("\nfrom {name}")])
        .collect();
    let first_words = modules
        .iter()
        .filter_map(|name| words(name.as_bytes()).next());
    let speaking = first_words.flat_map(|word| project.python_words.files_with(word));
    let speaking: BTreeSet<u32> = speaking.collect();
    let speaking = speaking.into_iter().filter_map(|at| files.get(at as usize));
    let mut others = speaking.filter(|file| {
        is_module(&file.path) && !lies_in(&file.path, own) && !effort.is_auxiliary(&file.path)
    });
    others.any(|file| {
        let text = file.text.as_ref().map(FileText::once);
        let text: &[u8] = &text.unwrap_or_default();
        imports.iter().any(|one| {
            let mut places = memchr::memmem::find_iter(text, one.as_bytes());
            places.any(|at| is_end(text, at + one.len()))
        })
    })
}

/// Whether a file is a module of Python's.
fn is_module(path: &str) -> bool {
    path.rsplit_once('.')
        .is_some_and(|(_, ending)| ending == "py")
}

/// Whether a name stands in a text as a word.
fn names(text: &[u8], name: &str) -> bool {
    let mut places = memchr::memmem::find_iter(text, name.as_bytes());
    places.any(|at| {
        let before = at.checked_sub(1).and_then(|at| text.get(at));
        before.is_none_or(|&byte| !is_identifier_part(byte)) && is_end(text, at + name.len())
    })
}

/// Whether no letter of a word stands at a place of a text.
fn is_end(text: &[u8], at: usize) -> bool {
    text.get(at).is_none_or(|&byte| !is_identifier_part(byte))
}
