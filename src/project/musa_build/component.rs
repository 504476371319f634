//! The components of a tree that build files show a way for MUSA of.

use std::collections::BTreeMap;

use super::marks::{BuildWay, MusaPart};
use crate::context::Context;
use crate::tree::paths;
use crate::tree::source::Input;
use torchada_text::{TextRange, contains};

/// A folder with the build files that build what is in it for MUSA.
#[derive(Debug)]
pub(super) struct Component<'p> {
    /// The folder; empty for the whole tree.
    pub(super) folder: String,
    /// The first mark of a build for MUSA, with its file.
    pub(super) mark: (usize, TextRange),
    /// The option that switches MUSA on.
    switch: Option<&'p str>,
    /// The build files with such marks.
    parts: Vec<&'p MusaPart>,
}

impl Component<'_> {
    /// Whether a file lies in it.
    pub(super) fn holds(&self, path: &str) -> bool {
        let rest = path.strip_prefix(self.folder.as_str());
        rest.is_some_and(|rest| self.folder.is_empty() || rest.starts_with('/'))
    }

    /// Whether a file is a script that builds it.
    pub(super) fn is_script(&self, file: usize) -> bool {
        let is_python = |part: &&&MusaPart| !matches!(part.way, BuildWay::CMake | BuildWay::Make);
        let mut scripts = self.parts.iter().filter(is_python);
        scripts.any(|part| part.file == file)
    }

    /// The kind of its build: one that translates sources first, where there is one.
    pub(super) fn way(&self) -> BuildWay {
        let mut ways = self.parts.iter().map(|part| part.way);
        let first = self.parts.first().map_or(BuildWay::CMake, |part| part.way);
        ways.find(|way| *way == BuildWay::PortingPython)
            .unwrap_or(first)
    }

    /// The command that builds it for MUSA.
    pub(super) fn command(&self, context: Context<'_>) -> String {
        let table = &context.knowledge.builds.musa;
        let first = self.parts.first().map_or(BuildWay::CMake, |part| part.way);
        match (first, self.switch) {
            (BuildWay::CMake, Some(switch)) => table.cmake.command.replace("{switch}", switch),
            (BuildWay::CMake, None) => table.cmake.plain_command.clone(),
            (BuildWay::Make, _) => table.make.command.clone(),
            (BuildWay::Python | BuildWay::PortingPython, _) => {
                let folder = match self.folder.as_str() {
                    "" => ".",
                    folder => folder,
                };
                table.python.command.replace("{folder}", folder)
            }
        }
    }
}

/// The components, the outer ones first.
pub(super) fn components<'p>(inputs: &[Input], parts: &'p [MusaPart]) -> Vec<Component<'p>> {
    let mut found: BTreeMap<(usize, String), Component<'p>> = BTreeMap::new();
    let path_of = |file: usize| inputs.get(file).map_or("", |input| &*input.path);
    for part in parts {
        let Some(mark) = part.mark else { continue };
        let (folder, switch) = match part.way {
            BuildWay::CMake => place_of(inputs, parts, part),
            _ => (paths::folder(path_of(part.file)).to_owned(), None),
        };
        let depth = folder.split('/').filter(|one| !one.is_empty()).count();
        let component = found
            .entry((depth, folder.clone()))
            .or_insert_with(|| Component {
                folder,
                mark: (part.file, mark),
                switch,
                parts: Vec::new(),
            });
        component.switch = component.switch.or(switch);
        component.parts.push(part);
    }
    found.into_values().collect()
}

/// The folder that a file of `CMake`'s builds for MUSA, and the option that says so. The option is declared in a file
/// for all that lies beside and below it.
fn place_of<'p>(
    inputs: &[Input],
    parts: &'p [MusaPart],
    part: &'p MusaPart,
) -> (String, Option<&'p str>) {
    let path_of = |file: usize| inputs.get(file).map_or("", |input| &*input.path);
    let own = path_of(part.file);
    let declared = parts.iter().flat_map(|other| {
        let names = other.declares.iter();
        names.map(move |name| (path_of(other.file), name.as_str()))
    });
    // The nearest file counts, and there the shortest name: `GGML_MUSA` before `GGML_MUSA_GRAPHS`.
    let best = declared.max_by_key(|(path, name)| {
        let near = paths::shared_folders(path, own);
        (near, usize::MAX - name.len(), std::cmp::Reverse(*name))
    });
    if let Some((path, name)) = best {
        return (shared_folder(path, own), Some(name));
    }
    let tested = part.tests.first().map(String::as_str);
    let project = paths::folders(own).find(|folder| {
        let list = paths::join(folder, "CMakeLists.txt").unwrap_or_default();
        let file = inputs.iter().find(|input| *input.path == *list);
        let text = file.and_then(|input| input.text.as_deref());
        text.is_some_and(|text| contains(text, b"project("))
    });
    let folder = project.unwrap_or_else(|| paths::folder(own)).to_owned();
    (folder, tested)
}

/// The innermost folder with both files.
fn shared_folder(one: &str, other: &str) -> String {
    let shared = paths::shared_folders(one, other);
    let parts = paths::folder(one).split('/');
    parts.take(shared).collect::<Vec<_>>().join("/")
}
