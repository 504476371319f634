//! Notes what single commands hand on.

use std::sync::Arc;

use super::arguments::PassedArgument;
use super::cause::Absence;
use super::run::Runner;
use super::sources::CommandPlace;
use super::value::{Item, Value};
use torchada_mapping::has;
use torchada_syntax::cmake::{Command, Quoting};
use torchada_syntax::cmake_references::reference;
use torchada_syntax::perhaps_defined_names;

impl<'a> Runner<'a> {
    /// Note what a command hands on. Returns whether the command does nothing else.
    pub(super) fn note_handed(
        &mut self,
        at: CommandPlace,
        name: &str,
        arguments: &[PassedArgument],
    ) -> bool {
        if self.judging.is_none() {
            return false;
        }
        let Some((text, command)) = self.written(at) else {
            return false;
        };
        self.define(text, command);
        let knowledge = self.knowledge;
        let table = &knowledge.builds.reach.cmake;
        let is_one_of = |list: &[String]| has(list, name);
        match name {
            "set" | "unset" | "list" | "include" | "add_subdirectory" | "block" | "endblock" => {
                return false;
            }
            "string" | "math" => return self.compute(text, command, arguments),
            _ if is_one_of(&table.describing) => {
                return self.definition(name).is_some();
            }
            _ => {}
        }
        let installs = is_one_of(&table.installing);
        let mut is_filter = false;
        for argument in arguments {
            if !std::mem::take(&mut is_filter) {
                if installs {
                    self.install(&argument.value);
                }
                self.hand_on(&argument.value);
            }
            let mut filters = table.installing_filters.iter();
            is_filter = installs && filters.any(|word| argument.is(word));
        }
        self.hand_on_named(text, command, name);
        false
    }

    /// A command as it is written.
    fn written(&self, (file, at): CommandPlace) -> Option<(&'a [u8], &'a Command)> {
        let file = self.tree.file(file)?;
        Some((file.text, file.commands.commands.get(at)?))
    }

    fn install(&mut self, value: &Value) {
        let folder = self.folder_name();
        if let Some(judging) = &mut self.judging {
            for item in value.items() {
                judging.install((Arc::clone(&folder), Arc::clone(&item.text)));
            }
        }
    }

    /// Hand words on.
    pub(super) fn hand_on(&mut self, value: &Value) {
        let folder = self.folder_name();
        let Some(judging) = &mut self.judging else {
            return;
        };
        for item in value.items() {
            let absence = item.absence.clone().or_else(|| self.path.clone());
            let word = (Arc::clone(&folder), Arc::clone(&item.text));
            judging.hand(item.origin, word, absence);
        }
    }

    /// A value as a variable gets it here. It is kept in mind why no build for MUSA gives it these words, if none does.
    pub(super) fn as_assigned(&mut self, variable: &str, value: Value) -> Value {
        let folder = self.folder_name();
        let is_architecture = self.is_architectures(variable);
        let Some(judging) = &mut self.judging else {
            return value;
        };
        let value = value.with_absence(&self.path);
        for item in value.items() {
            if let Some(origin) = item.origin {
                let word = (Arc::clone(&folder), Arc::clone(&item.text));
                judging.keep(origin, word, item.absence.clone());
            }
        }
        if is_architecture {
            return self.or_another(variable, value).of_architectures();
        }
        value
    }

    /// The value, or one from outside.
    pub(super) fn or_another(&self, variable: &str, mut value: Value) -> Value {
        if self.judging.is_some() {
            value.extend([Item::new(&reference(variable), None)]);
        }
        value
    }

    /// Keep in mind which macros a command defines.
    fn define(&mut self, text: &[u8], command: &Command) {
        let words = &self.knowledge.builds.words.lints;
        let name = command.lower_name();
        let defines = has(&words.definition_commands, name);
        let path = self.path.clone();
        let Some(judging) = &mut self.judging else {
            return;
        };
        let mut put = |name: &str, absence: &Absence| {
            if is_name(name) {
                judging.define(name, absence.clone());
            }
        };
        let is_part = |one: char| one.is_ascii_alphanumeric() || one == '_';
        let mut is_property = false;
        for argument in &command.arguments {
            let word = std::str::from_utf8(argument.inner.of(text)).unwrap_or_default();
            for name in perhaps_defined_names(word) {
                put(name, &path);
            }
            if word.contains("$<") {
                // A generator's expression may ask for anything.
                for part in word.split(|one: char| !is_part(one)) {
                    put(part, &None);
                }
            } else if defines || is_property {
                put(word.split('=').next().unwrap_or_default(), &path);
            }
            is_property |= word == "COMPILE_DEFINITIONS";
        }
    }

    /// A command that puts what it computes into a variable whose name is among its arguments. Returns whether it does
    /// nothing else that is known.
    fn compute(&mut self, text: &[u8], command: &Command, arguments: &[PassedArgument]) -> bool {
        let of_architectures = arguments.iter().any(|one| one.value.is_architecture);
        let is_known = command.lower_name() == "string";
        if is_known && !of_architectures {
            return false;
        }
        for name in bare_names(text, command) {
            if of_architectures {
                self.scopes
                    .set(name, Value::unknown(name).of_architectures());
            } else if self.scopes.get(name).is_some() {
                let value = self.or_another(name, self.value_of(name));
                self.scopes.set(name, value);
            }
        }
        true
    }

    /// A command that gets variables by their names may hand on what is in them, and give them other values.
    fn hand_on_named(&mut self, text: &[u8], command: &Command, name: &str) {
        let is_known =
            self.definition(name).is_some() || matches!(name, "file" | "cmake_parse_arguments");
        for variable in bare_names(text, command) {
            let Some(value) = self.scopes.get(variable).cloned() else {
                continue;
            };
            self.hand_on(&value);
            if !is_known {
                let value = self.or_another(variable, value);
                self.scopes.set(variable, value);
            }
        }
    }
}

/// The words of a command that may be names of variables.
fn bare_names<'t>(text: &'t [u8], command: &Command) -> Vec<&'t str> {
    let bare = command.arguments.iter();
    let bare = bare.filter(|one| one.quoting == Quoting::Bare);
    let words = bare.map(|one| std::str::from_utf8(one.inner.of(text)).unwrap_or_default());
    words.filter(|word| is_name(word)).collect()
}

fn is_name(word: &str) -> bool {
    !word.starts_with(|first: char| first.is_ascii_digit())
        && !word.is_empty()
        && word
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
