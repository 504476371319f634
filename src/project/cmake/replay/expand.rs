//! Arguments with their variables put in.

use super::arguments::{PassedArgument, is_literal};
use super::pieces::Pieces;
use super::run::Runner;
use super::tree::{as_build, as_source};
use super::value::{Item, Origin, Value};
use crate::tree::paths;
use torchada_mapping::builds::WalkLimits;
use torchada_syntax::cmake::{Argument, Quoting};

/// The variable that stands for what a group of a pattern took in.
pub(super) const MATCH: &str = "CMAKE_MATCH_";

/// A part of a text.
enum Part {
    Text(String, Option<Origin>),
    Value(Value),
}

impl Runner<'_> {
    /// The arguments of a command of `file`, as the command gets them.
    pub(super) fn arguments(&self, file: usize, written: &[Argument]) -> Vec<PassedArgument> {
        let Some(source) = self.tree.file(file) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for (place, argument) in written.iter().enumerate() {
            let text = String::from_utf8_lossy(argument.inner.of(source.text));
            let start = argument.inner.start;
            let value = match argument.quoting {
                Quoting::Bracket => {
                    let end = argument.inner.end;
                    Value::one(Item::new(&text, Some(Origin { file, end })))
                }
                _ => self.expanded(&text, Some((file, start)), 0),
            };
            if argument.quoting == Quoting::Bare && !value.is_choice() {
                let items = value.items().iter().cloned();
                found.extend(items.map(|item| PassedArgument {
                    value: value.only(item),
                    place,
                }));
            } else {
                found.push(PassedArgument { value, place });
            }
        }
        found
    }

    /// A text with its variables put in; `at` is where it stands.
    fn expanded(&self, text: &str, at: Option<(usize, usize)>, depth: usize) -> Value {
        let whole = |(file, start)| Origin {
            file,
            end: start + text.len(),
        };
        if !text.is_empty() && is_literal(text.as_bytes()) {
            return Value::one(Item::new(text, at.map(whole)));
        }
        let limits = self.limits();
        let parts = self.parts(text, at, depth);
        let (value, is_cut) = concat(&parts, limits);
        if !is_cut || self.judging.is_none() {
            return value;
        }
        // What is left out may be anything.
        let open = Item::new(text, at.map(whole));
        Value::one_of(vec![value, Value::one(open)], limits)
    }

    fn parts(&self, text: &str, at: Option<(usize, usize)>, depth: usize) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut open = String::new();
        let mut from = 0;
        let origin = |end: usize| {
            at.map(|(file, start)| Origin {
                file,
                end: start + end,
            })
        };
        while let Some(rest) = text.get(from..).filter(|rest| !rest.is_empty()) {
            if let Some(inside) = rest.strip_prefix("${").and_then(|rest| reference(rest)) {
                if !open.is_empty() {
                    parts.push(Part::Text(std::mem::take(&mut open), origin(from)));
                }
                let name = if inside.contains("${") && depth < self.limits().references {
                    self.expanded(inside, None, depth + 1).text()
                } else {
                    inside.to_owned()
                };
                from += inside.len() + 3;
                match self.value(&name) {
                    Some(value) => parts.push(Part::Value(value)),
                    None => parts.push(Part::Text(format!("${{{name}}}"), origin(from))),
                }
                continue;
            }
            let mut letters = rest.chars();
            match (letters.next(), letters.next()) {
                (Some('\\'), Some(escaped)) => {
                    match escaped {
                        'n' => open.push('\n'),
                        't' => open.push('\t'),
                        'r' => open.push('\r'),
                        other => open.push(other),
                    }
                    from += 1 + escaped.len_utf8();
                }
                (Some(letter), _) => {
                    open.push(letter);
                    from += letter.len_utf8();
                }
                (None, _) => break,
            }
        }
        if !open.is_empty() {
            parts.push(Part::Text(open, origin(text.len())));
        }
        parts
    }

    /// The value of a variable; of one that nothing gives a value the reference to it, where that is the question.
    pub(super) fn value_of(&self, name: &str) -> Value {
        let open = || self.judging.as_ref().map(|_| Value::unknown(name));
        self.value(name).or_else(open).unwrap_or_default()
    }

    /// The value of a variable.
    pub(super) fn value(&self, name: &str) -> Option<Value> {
        // What a group of a pattern took in, whatever its number.
        let name = if name.starts_with(MATCH) { MATCH } else { name };
        if let Some(Some(parameters)) = self.macros.last()
            && let Some(value) = parameters.get(name)
        {
            return Some(value.clone());
        }
        if let Some(value) = self.scopes.get(name) {
            return Some(value.clone());
        }
        let here = self.folder();
        let text = match name {
            "CMAKE_CURRENT_SOURCE_DIR" => as_source(here),
            "CMAKE_CURRENT_BINARY_DIR" => as_build(here),
            "CMAKE_CURRENT_LIST_DIR" => {
                as_source(paths::folder(self.tree.path(self.current_list())))
            }
            "CMAKE_CURRENT_FUNCTION_LIST_DIR" => {
                as_source(paths::folder(self.tree.path(self.current_file())))
            }
            "CMAKE_SOURCE_DIR" | "CMAKE_HOME_DIRECTORY" | "PROJECT_SOURCE_DIR" => {
                as_source(&self.root)
            }
            "CMAKE_BINARY_DIR" | "PROJECT_BINARY_DIR" => as_build(&self.root),
            _ => return self.unset(name),
        };
        Some(Value::one(Item::new(&text, None)))
    }

    /// Texts and values, one behind the other.
    pub(super) fn concatenated(&self, values: impl IntoIterator<Item = Value>) -> Value {
        let parts: Vec<Part> = values.into_iter().map(Part::Value).collect();
        concat(&parts, self.limits()).0
    }
}

/// The name in a reference to a variable, which ends at its own brace.
fn reference(rest: &str) -> Option<&str> {
    let mut depth = 1_usize;
    for (at, letter) in rest.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return rest.get(..at);
        }
    }
    None
}

/// The parts one behind the other, and whether ways to put them together are left out.
fn concat(parts: &[Part], limits: WalkLimits) -> (Value, bool) {
    if let [Part::Value(value)] = parts {
        return (value.clone(), false);
    }
    let mut is_cut = false;
    let mut is_architecture = false;
    let mut ways = vec![Pieces::new(limits.elements)];
    for part in parts {
        match part {
            Part::Text(text, origin) => {
                for way in &mut ways {
                    way.text(text, *origin);
                }
            }
            Part::Value(value) => {
                is_architecture |= value.is_architecture;
                let mut next = Vec::new();
                for way in &ways {
                    for value in value.alternatives() {
                        let mut way = way.clone();
                        way.items(value.items());
                        next.push(way);
                    }
                }
                let is_long = value.items().len() > limits.list_in_ways;
                let most = if is_long { 1 } else { limits.ways };
                is_cut |= next.len() > most;
                next.truncate(most);
                ways = next;
            }
        }
    }
    let ways = ways.into_iter();
    let ways = ways.map(|way| Value::list(way.finish())).collect();
    let mut value = Value::one_of(ways, limits);
    value.is_architecture |= is_architecture;
    (value, is_cut)
}
