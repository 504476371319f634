//! The components of a tree that build files show a way for MUSA of.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

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
    let mut found: BTreeMap<(usize, &str), Component<'p>> = BTreeMap::new();
    let folders = CmakeFolders::of(inputs, parts);
    for part in parts {
        let Some(mark) = part.mark else { continue };
        let path = path_of(inputs, part);
        let (folder, switch) = match part.way {
            BuildWay::CMake => folders.place_of(path, part),
            _ => (paths::folder(path), None),
        };
        let depth = folder.split('/').filter(|one| !one.is_empty()).count();
        let component = found.entry((depth, folder)).or_insert_with(|| Component {
            folder: folder.to_owned(),
            mark: (part.file, mark),
            switch,
            parts: Vec::new(),
        });
        component.switch = component.switch.or(switch);
        component.parts.push(part);
    }
    found.into_values().collect()
}

fn path_of<'i>(inputs: &'i [Input], part: &MusaPart) -> &'i str {
    inputs.get(part.file).map_or("", |input| &*input.path)
}

/// An option, the shortest first: `GGML_MUSA` before `GGML_MUSA_GRAPHS`.
type OptionByLength<'p> = (usize, &'p str);

/// What the folders of a tree say of the parts of its builds by `CMake`.
struct CmakeFolders<'i, 'p> {
    /// The first of the options for MUSA that files in each folder and below it declare.
    options: FxHashMap<&'i str, OptionByLength<'p>>,
    /// The first of those that files at the top declare, which lie nearer to each other than to those below.
    at_top: Option<OptionByLength<'p>>,
    inputs: &'i [Input],
    /// The folders in which projects begin, once somebody asks for them.
    projects: OnceCell<FxHashSet<&'i str>>,
}

impl<'i, 'p> CmakeFolders<'i, 'p> {
    fn of(inputs: &'i [Input], parts: &'p [MusaPart]) -> Self {
        let mut options: FxHashMap<&str, OptionByLength<'_>> = FxHashMap::default();
        let mut at_top = None;
        for part in parts {
            let names = part.declares.iter().map(|name| (name.len(), name.as_str()));
            let Some(first) = names.min() else { continue };
            let path = path_of(inputs, part);
            for folder in paths::folders(path) {
                let known = options.entry(folder).or_insert(first);
                *known = first.min(*known);
            }
            if paths::folder(path).is_empty() {
                at_top = Some(at_top.map_or(first, |known| first.min(known)));
            }
        }
        Self {
            options,
            at_top,
            inputs,
            projects: OnceCell::new(),
        }
    }

    /// Whether a project begins in a folder.
    fn begins_project(&self, folder: &str) -> bool {
        let projects = self.projects.get_or_init(|| {
            let is_list = |input: &&Input| paths::file_name(&input.path) == "CMakeLists.txt";
            let begins = |input: &&Input| {
                let text = input.text.as_ref();
                text.is_some_and(|text| contains(&text.once(), b"project("))
            };
            let lists = self.inputs.iter().filter(is_list).filter(begins);
            lists.map(|input| paths::folder(&input.path)).collect()
        });
        projects.contains(folder)
    }

    /// The folder that a file of `CMake`'s builds for MUSA, and the option that says so. The option is declared in a file
    /// for all that lies beside and below it; the nearest file counts.
    fn place_of<'a>(&self, path: &'a str, part: &'p MusaPart) -> (&'a str, Option<&'p str>) {
        let own = paths::folder(path);
        let at_top = self.at_top.filter(|_| own.is_empty());
        let at_top = at_top.map(|option| (own, option));
        let around = || {
            let mut folders = paths::folders(path);
            folders.find_map(|folder| Some((folder, *self.options.get(folder)?)))
        };
        if let Some((folder, (_, name))) = at_top.or_else(around) {
            return (folder, Some(name));
        }
        let tested = part.tests.first().map(String::as_str);
        let project = paths::folders(path).find(|folder| self.begins_project(folder));
        (project.unwrap_or(own), tested)
    }
}
