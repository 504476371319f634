//! What single commands of `CMake`'s do.

use super::arguments::PassedArgument;
use super::run::Runner;
use super::sources::CommandPlace;
use super::value::{Item, Value};
use crate::tree::paths;

/// The list of what `cmake_parse_arguments` gives to no keyword.
const UNPARSED: &str = "UNPARSED_ARGUMENTS";

impl Runner<'_> {
    /// Run one command.
    pub(super) fn command(&mut self, at: CommandPlace, name: &str, arguments: &[PassedArgument]) {
        if self.chooses(at, name, arguments) || self.note_handed(at, name, arguments) {
            return;
        }
        match name {
            "set" => self.assign(arguments),
            "unset" => {
                if let Some(variable) = arguments.first() {
                    self.scopes.set(&variable.text(), Value::default());
                }
            }
            "list" => self.list_command(at, arguments),
            "string" => self.string_command(arguments),
            "file" => self.file_command(at, arguments),
            "aux_source_directory" => self.folder_sources(at, arguments),
            "separate_arguments" => self.separate(arguments),
            "get_filename_component" => self.component(arguments),
            "cmake_parse_arguments" => self.parse_arguments(arguments),
            "cmake_language" if arguments.first().is_some_and(|one| one.is("CALL")) => {
                let called = arguments
                    .get(1)
                    .map(PassedArgument::text)
                    .unwrap_or_default();
                let rest = arguments.get(2..).unwrap_or_default();
                self.command(at, &called.to_ascii_lowercase(), rest);
            }
            "include" => self.include(arguments),
            "find_package" => self.find_package(arguments),
            "add_subdirectory" => {
                if let Some(folder) = arguments.first() {
                    self.subfolder(&folder.text());
                }
            }
            "subdirs" => {
                for folder in arguments {
                    self.subfolder(&folder.text());
                }
            }
            "fetchcontent_declare" => self.declare_content(arguments),
            "fetchcontent_makeavailable" => {
                for name in arguments {
                    let variable = format!("{}_SOURCE_DIR", name.text().to_ascii_lowercase());
                    if let Some(folder) = self.value(&variable) {
                        self.subfolder(&folder.text());
                    }
                }
            }
            "project" => {
                self.enables(arguments);
                if let Some(name) = arguments.first() {
                    self.project(&name.text());
                }
            }
            "enable_language" => self.enables(arguments),
            "target_link_libraries" => {
                if let Some(target) = arguments.first() {
                    let keywords = ["PUBLIC", "PRIVATE", "INTERFACE"];
                    let is_one = |one: &PassedArgument| keywords.iter().any(|word| one.is(word));
                    let by_keyword = arguments.iter().any(is_one);
                    self.out
                        .links
                        .entry(target.text().into())
                        .or_insert(by_keyword);
                }
            }
            _ => self.source_command(at, name, arguments),
        }
    }

    /// Note that CUDA's language is enabled.
    fn enables(&mut self, arguments: &[PassedArgument]) {
        let language = &self.knowledge.builds.cmake.language;
        let mut items = arguments.iter().flat_map(|one| one.value.items());
        self.out.enables_language |= items.any(|one| *one.text == **language);
    }

    fn assign(&mut self, arguments: &[PassedArgument]) {
        let Some((variable, values)) = arguments.split_first() else {
            return;
        };
        let variable = variable.text();
        let place = |word: &str| values.iter().position(|one| one.is(word));
        let outside = place("PARENT_SCOPE");
        let cached = place("CACHE");
        let end = outside.or(cached).unwrap_or(values.len());
        let value = concatenate(values.get(..end).unwrap_or_default());
        let value = self.as_assigned(&variable, value);
        if outside.is_some() {
            self.hand_on(&value);
            self.scopes.set_outside(&variable, value);
        } else if cached.is_some() {
            let value = self.or_another(&variable, value);
            self.scopes.set_default(&variable, value);
        } else {
            self.scopes.set(&variable, value);
        }
    }

    fn separate(&mut self, arguments: &[PassedArgument]) {
        let Some((variable, rest)) = arguments.split_first() else {
            return;
        };
        let variable = variable.text();
        let text = match rest.last() {
            Some(last) => last.text(),
            None => self
                .value(&variable)
                .map(|one| one.text())
                .unwrap_or_default(),
        };
        let words = text.split_whitespace().map(|word| Item::new(word, None));
        self.scopes.set(&variable, Value::list(words.collect()));
    }

    /// `cmake_parse_arguments(PREFIX options one multi arguments…)`, and its form with `PARSE_ARGV`.
    fn parse_arguments(&mut self, arguments: &[PassedArgument]) {
        let by_number = arguments.first().is_some_and(|one| one.is("PARSE_ARGV"));
        let from = if by_number { 2 } else { 0 };
        let Some([prefix, options, one, many]) = arguments.get(from..from + 4) else {
            return;
        };
        let prefix = prefix.text();
        let names = |of: &PassedArgument| -> Vec<String> {
            let items = of.value.items().iter();
            items.map(|item| item.text.to_string()).collect()
        };
        let (options, one, many) = (names(options), names(one), names(many));
        let rest: Vec<Value> = if by_number {
            let first = arguments.get(1).and_then(|one| one.text().parse().ok());
            let numbers = first.unwrap_or(0_usize)..;
            let named = numbers.map_while(|at| self.value(&format!("ARGV{at}")));
            named.collect()
        } else {
            arguments.iter().skip(4).flat_map(parted).collect()
        };
        let variable = |name: &str| format!("{prefix}_{name}");
        let unparsed = || UNPARSED.to_owned();
        for name in one.iter().chain(&many).chain([&unparsed()]) {
            self.scopes.set(&variable(name), Value::default());
        }
        let word = |word: &str| Value::one(Item::new(word, None));
        for name in &options {
            self.scopes.set(&variable(name), word("FALSE"));
        }
        let mut open = (unparsed(), true);
        // A variable is set once, as long lists are given value by value.
        let mut given: Vec<(String, Value)> = Vec::new();
        for value in rest {
            let text = value.text();
            let is_among = |list: &[String]| list.contains(&text);
            if is_among(&options) {
                self.scopes.set(&variable(&text), word("TRUE"));
                open = (unparsed(), true);
            } else if is_among(&one) || is_among(&many) {
                open = (text.clone(), is_among(&many));
            } else {
                let (name, is_list) = &open;
                match given.iter_mut().find(|(known, _)| known == name) {
                    Some((_, all)) if *is_list && !all.items().is_empty() => {
                        all.extend(value.items().iter().cloned());
                    }
                    Some((_, all)) => *all = value,
                    None => given.push((name.clone(), value)),
                }
                if !is_list {
                    open = (unparsed(), true);
                }
            }
        }
        for (name, value) in given {
            self.scopes.set(&variable(&name), value);
        }
    }

    fn include(&mut self, arguments: &[PassedArgument]) {
        let Some(path) = arguments.first().map(PassedArgument::text) else {
            return;
        };
        let here = self.tree.path(self.current_list());
        let is_path = path.contains('/') || paths::file_name(&path).contains('.');
        let found = if is_path {
            let in_folder = self.tree.list_at(here, self.folder(), &path);
            in_folder.or_else(|| self.tree.list_at(here, paths::folder(here), &path))
        } else {
            self.module(&format!("{path}.cmake"))
        };
        if let Some(list) = found {
            self.list(list);
        }
    }

    /// The module of a name: in a folder that the build looks into, else the nearest of the tree.
    fn module(&self, name: &str) -> Option<usize> {
        let folders = self.value("CMAKE_MODULE_PATH").unwrap_or_default();
        let here = self.tree.path(self.current_list());
        let mut folders = folders.items().iter();
        let looked = folders.find_map(|folder| {
            let path = format!("{}/{name}", folder.text);
            self.tree.list_at(here, self.folder(), &path)
        });
        looked.or_else(|| self.tree.list_at(here, "", &format!("${{}}/{name}")))
    }

    fn find_package(&mut self, arguments: &[PassedArgument]) {
        let Some(name) = arguments.first().map(PassedArgument::text) else {
            return;
        };
        let compilers = &self.knowledge.builds.cmake.compiler_packages;
        if compilers.contains(&name) {
            return;
        }
        if let Some(list) = self.module(&format!("Find{name}.cmake")) {
            self.list(list);
        }
    }

    fn subfolder(&mut self, folder: &str) {
        if let Some(folder) = super::tree::in_tree(self.folder(), folder) {
            self.add_folder(folder);
        }
    }

    fn declare_content(&mut self, arguments: &[PassedArgument]) {
        let place = arguments.iter().position(|one| one.is("SOURCE_DIR"));
        let folder = place.and_then(|at| arguments.get(at + 1));
        if let (Some(name), Some(folder)) = (arguments.first(), folder) {
            let name = format!("{}_SOURCE_DIR", name.text().to_ascii_lowercase());
            self.scopes.set(&name, folder.value.clone());
        }
    }

    /// Give a variable a value that is not known.
    pub(super) fn unknown(&mut self, variable: &str) {
        self.out.assigned.insert(variable.into());
        self.scopes.set(variable, Value::unknown(variable));
    }
}

/// The elements of several arguments; of a single one that may be several texts, these.
pub(super) fn concatenate(arguments: &[PassedArgument]) -> Value {
    if let [one] = arguments {
        return one.value.clone();
    }
    let items = arguments.iter().flat_map(|one| one.value.items().iter());
    let mut all = Value::list(items.cloned().collect());
    all.is_architecture = arguments.iter().any(|one| one.value.is_architecture);
    all
}

/// The values in an argument: `"${ARGN}"` is parted as `${ARGN}` is.
fn parted(argument: &PassedArgument) -> Vec<Value> {
    if argument.value.is_choice() {
        return vec![argument.value.clone()];
    }
    let items = argument.value.items().iter().cloned();
    items.map(Value::one).collect()
}
