//! `file` and `get_filename_component`: names of files, and parts of them.

use super::GLOB_RECURSE;
use super::arguments::PassedArgument;
use super::run::Runner;
use super::sources::CommandPlace;
use super::tree::{as_source, in_tree};
use super::value::Value;
use crate::tree::paths;

impl Runner<'_> {
    /// `file(GLOB …)` and what else gives a variable names of files.
    pub(super) fn file_command(&mut self, at: CommandPlace, arguments: &[PassedArgument]) {
        let word = |at: usize| {
            arguments
                .get(at)
                .map(PassedArgument::text)
                .unwrap_or_default()
        };
        match word(0).as_str() {
            kind @ ("GLOB" | GLOB_RECURSE) => {
                self.steps += self.tree.size() / 16;
                let words = arguments.get(2..).unwrap_or_default();
                let (found, open) = self.globbed(kind == GLOB_RECURSE, words);
                self.note(at, &open, false);
                self.scopes.set(&word(1), found);
            }
            "READ" | "STRINGS" | "SHA256" | "MD5" => self.unknown(&word(2)),
            "TO_CMAKE_PATH" | "TO_NATIVE_PATH" | "REAL_PATH" => {
                if let Some(path) = arguments.get(1) {
                    let path = path.value.clone();
                    self.scopes.set(&word(2), path);
                }
            }
            "RELATIVE_PATH" => {
                let folder = in_tree(self.folder(), &word(2));
                let here = self.folder().to_owned();
                let value = arguments
                    .get(3)
                    .map(|one| one.value.clone())
                    .unwrap_or_default();
                let value = value.mapped(|item| {
                    let path = in_tree(&here, &item.text);
                    let relative = folder.as_ref().zip(path);
                    let text = relative.map(|(folder, path)| paths::relative(folder, &path));
                    Some(text.map_or_else(|| item.clone(), |text| item.with(&text, item.origin)))
                });
                self.scopes.set(&word(1), value);
            }
            _ => {}
        }
    }

    /// The files that patterns give, and for each pattern whose ending is open, `*.c*`, those that it gives alone.
    fn globbed(&self, is_deep: bool, words: &[PassedArgument]) -> (Value, Vec<PassedArgument>) {
        let mut relative: Option<String> = None;
        let mut found = Vec::new();
        let mut open = Vec::new();
        let mut at = 0;
        while let Some(word) = words.get(at) {
            at += 1;
            if word.is("RELATIVE") {
                relative = words
                    .get(at)
                    .and_then(|folder| in_tree(self.folder(), &folder.text()));
                at += 1;
                continue;
            }
            if word.is("LIST_DIRECTORIES") {
                at += 1;
                continue;
            }
            if word.is("CONFIGURE_DEPENDS") || word.is("FOLLOW_SYMLINKS") {
                continue;
            }
            let before = found.len();
            for pattern in word.value.items() {
                let Some(files) = self.tree.glob(self.folder(), &pattern.text, is_deep) else {
                    found.push(pattern.clone());
                    continue;
                };
                found.extend(files.into_iter().map(|file| {
                    let path = self.tree.path(file);
                    let text = match &relative {
                        Some(folder) => paths::relative(folder, path),
                        None => as_source(path),
                    };
                    pattern.with(&text, pattern.origin)
                }));
            }
            if word.text().ends_with(['*', '?']) {
                let given = found.get(before..).unwrap_or_default();
                open.push(PassedArgument {
                    value: Value::list(given.to_vec()),
                    place: word.place,
                });
            }
        }
        (Value::list(found), open)
    }

    /// `get_filename_component(VARIABLE PATH MODE)`
    pub(super) fn component(&mut self, arguments: &[PassedArgument]) {
        let [variable, path, mode, ..] = arguments else {
            return;
        };
        let here = self.folder().to_owned();
        let mode = mode.text();
        let value = path.value.mapped(|item| {
            let text = &*item.text;
            let name = paths::file_name(text);
            let part = match mode.as_str() {
                "DIRECTORY" | "PATH" => paths::folder(text).to_owned(),
                "NAME" => name.to_owned(),
                "NAME_WE" => name.split('.').next().unwrap_or(name).to_owned(),
                "NAME_WLE" => name
                    .rsplit_once('.')
                    .map_or(name, |(stem, _)| stem)
                    .to_owned(),
                "EXT" => name
                    .find('.')
                    .and_then(|at| name.get(at..))
                    .unwrap_or_default()
                    .to_owned(),
                "LAST_EXT" => name
                    .rfind('.')
                    .and_then(|at| name.get(at..))
                    .unwrap_or_default()
                    .to_owned(),
                _ => match in_tree(&here, text) {
                    Some(path) => as_source(&path),
                    None => text.to_owned(),
                },
            };
            (!part.is_empty()).then(|| item.with(&part, item.origin))
        });
        self.scopes.set(&variable.text(), value);
    }
}
