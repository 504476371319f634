//! What single commands of `CMake`'s do to variables, and what they hand on.

use super::cause::Absence;
use super::value::{Value, Variables};
use super::walk::{Use, Walk};
use crate::syntax::cmake::{Argument, Command, Quoting};

impl Walk<'_> {
    /// One command that opens no block.
    pub(super) fn command(
        &mut self,
        command: &Command,
        variables: &mut Variables,
        path: Absence,
    ) -> Option<()> {
        let arguments = command.arguments.as_slice();
        let name = command.lower_name();
        self.define(command, path);
        let table = &self.ground.knowledge.builds.reach.cmake;
        match name {
            "set" => return self.assign(arguments, variables, path),
            "list" => return self.list(command, variables, path),
            "unset" => {
                if let Some(first) = arguments.first() {
                    self.set(self.word(first), Value::default(), variables);
                }
                return Some(());
            }
            "elseif" | "else" | "endif" | "endforeach" | "endwhile" | "endfunction"
            | "endmacro" | "block" | "endblock" => return Some(()),
            _ => {}
        }
        if let Some(row) = table.choosing.iter().find(|row| row.command == name) {
            return self.choose(row.result, row.of, row.lowest, command, variables, path);
        }
        if matches!(name, "string" | "math") {
            self.compute(arguments, variables);
            return Some(());
        }
        let is_one_of = |list: &[String]| list.iter().any(|one| one == name);
        if is_one_of(&table.describing) {
            return Some(());
        }
        let value = self.expand(arguments, variables)?;
        if matches!(name, "include" | "add_subdirectory") {
            let items = value.items.iter().take(1);
            let files = items.map(|item| Use {
                text: item.text.clone(),
                absence: item.absence.or(path),
            });
            let files: Vec<Use> = files.collect();
            self.handed.files.extend(files);
            return Some(());
        }
        if is_one_of(&table.installing) {
            let words = value.items.iter().map(|item| item.text.clone());
            let words: Vec<_> = words.collect();
            self.handed.installed.extend(words);
        }
        self.hand_on(&value, path)?;
        self.named(command, variables, path)
    }

    /// Keep in mind which macros a command defines.
    fn define(&mut self, command: &Command, path: Absence) {
        let words = &self.ground.knowledge.builds.words.lints;
        let name = command.lower_name();
        let defines = words.definition_commands.iter().any(|one| one == name);
        let mut is_property = false;
        for argument in &command.arguments {
            let word = self.word(argument);
            let mut put = |name: &str, absence: Absence| {
                if is_name(name) {
                    self.handed.macros.push(Use {
                        text: name.into(),
                        absence,
                    });
                }
            };
            for (at, option) in word.match_indices(['-', '/']) {
                let rest = word.get(at + option.len()..).unwrap_or_default();
                if let Some(rest) = rest.strip_prefix('D') {
                    let end = rest.find(|one: char| !(one.is_ascii_alphanumeric() || one == '_'));
                    put(
                        rest.get(..end.unwrap_or(rest.len())).unwrap_or_default(),
                        path,
                    );
                }
            }
            if word.contains("$<") {
                // A generator's expression may ask for anything.
                for part in word.split(|one: char| !(one.is_ascii_alphanumeric() || one == '_')) {
                    put(part, None);
                }
            } else if defines || is_property {
                put(word.split('=').next().unwrap_or_default(), path);
            }
            is_property |= word == "COMPILE_DEFINITIONS";
        }
    }

    /// `set(NAME a b)`.
    fn assign(
        &mut self,
        arguments: &[Argument],
        variables: &mut Variables,
        path: Absence,
    ) -> Option<()> {
        let Some((first, rest)) = arguments.split_first() else {
            return Some(());
        };
        let name = self.word(first);
        let is_end = |one: &&Argument| {
            one.quoting == Quoting::Bare && matches!(self.word(one), "CACHE" | "PARENT_SCOPE")
        };
        let count = rest.iter().take_while(|one| !is_end(one)).count();
        let end = rest.get(count).map(|one| self.word(one));
        let mut value = self
            .expand(rest.get(..count).unwrap_or_default(), variables)?
            .under(path);
        if end == Some("PARENT_SCOPE") {
            return self.hand_on(&value, path);
        }
        value.is_open |= end == Some("CACHE");
        self.keep(&value);
        self.set(name, value, variables);
        Some(())
    }

    fn list(&mut self, command: &Command, variables: &mut Variables, path: Absence) -> Option<()> {
        let words: Vec<&str> = command.arguments.iter().map(|one| self.word(one)).collect();
        let (Some(what), Some(name)) = (words.first(), words.get(1)) else {
            return Some(());
        };
        match *what {
            "APPEND" | "PREPEND" | "INSERT" => {
                let values = command.arguments.get(2..).unwrap_or_default();
                let added = self.expand(values, variables)?.under(path);
                self.keep(&added);
                let mut value = self.value(name, variables);
                self.step(value.items.len())?;
                value.add(&added, self.causes);
                self.set(name, value, variables);
            }
            "FILTER" if words.get(2) == Some(&"INCLUDE") => {
                let pattern = words.get(4).copied().unwrap_or_default();
                let value = self.value(name, variables);
                let value = self.filtered(value, pattern, command);
                self.set(name, value, variables);
            }
            // What is taken out of a list may stay in it here.
            "FILTER" | "REMOVE_ITEM" | "REMOVE_AT" | "REMOVE_DUPLICATES" | "SORT" | "REVERSE"
            | "POP_BACK" | "POP_FRONT" => {}
            _ => self.compute(&command.arguments, variables),
        }
        Some(())
    }

    /// A command that puts what it computes into a variable whose name is among its arguments.
    fn compute(&self, arguments: &[Argument], variables: &mut Variables) {
        let of_architectures = arguments.iter().any(|one| {
            let mut references = self.word(one).split("${").skip(1);
            references.any(|rest| {
                let name = rest.split('}').next().unwrap_or_default();
                self.value(name, variables).is_architecture
            })
        });
        for argument in arguments {
            let name = self.word(argument);
            if argument.quoting != Quoting::Bare || !is_name(name) {
                continue;
            }
            if of_architectures {
                self.set(name, Value::architectures(), variables);
            } else if let Some(known) = variables.get(name) {
                let mut known = known.clone();
                known.is_open = true;
                self.set(name, known, variables);
            }
        }
    }

    /// A command that gets variables by their names may hand on what is in them, and give them other values.
    fn named(&mut self, command: &Command, variables: &mut Variables, path: Absence) -> Option<()> {
        for argument in &command.arguments {
            let name = self.word(argument);
            let is_bare = argument.quoting == Quoting::Bare && is_name(name);
            let Some(known) = variables.get(name).filter(|_| is_bare).cloned() else {
                continue;
            };
            self.hand_on(&known, path)?;
            let mut known = known;
            known.is_open = true;
            self.set(name, known, variables);
        }
        Some(())
    }

    /// A command that chooses architectures.
    fn choose(
        &mut self,
        result: usize,
        of: Option<usize>,
        lowest: Option<u32>,
        command: &Command,
        variables: &mut Variables,
        path: Absence,
    ) -> Option<()> {
        let Some(name) = command.arguments.get(result) else {
            return Some(());
        };
        let name = self.word(name);
        let from = of.and_then(|of| command.arguments.get(of));
        let chosen = match (from, lowest) {
            (Some(from), _) => {
                let of = self.expand(std::slice::from_ref(from), variables)?;
                self.chosen(&of, command)
            }
            (None, Some(lowest)) => {
                let all = Value::architectures();
                self.filtered(all, &lowest.to_string(), command)
            }
            (None, None) => Value::architectures(),
        };
        self.set(name, chosen.under(path), variables);
        Some(())
    }
}

fn is_name(word: &str) -> bool {
    let mut bytes = word.bytes();
    bytes.next().is_some_and(|first| !first.is_ascii_digit())
        && word
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
