//! `string`: the command that changes texts.

use std::sync::Arc;

use regex::{Regex, RegexBuilder};

use super::arguments::PassedArgument;
use super::commands::concatenate;
use super::pieces::Pieces;
use super::run::Runner;
use super::value::{Item, Origin, Value};

impl Runner<'_> {
    /// `string(…)`
    pub(super) fn string_command(&mut self, arguments: &[PassedArgument]) {
        let [action, rest @ ..] = arguments else {
            return;
        };
        let word = |at: usize| rest.get(at).map(PassedArgument::text).unwrap_or_default();
        let value = |at: usize| {
            rest.get(at)
                .map(|one| one.value.clone())
                .unwrap_or_default()
        };
        match action.text().as_str() {
            "REPLACE" => {
                let input = self.concatenated(rest.iter().skip(3).map(|one| one.value.clone()));
                let by = value(1).items().last().and_then(|one| one.origin);
                let out = self.replaced_text(&input, (&word(0), &word(1)), by);
                self.scopes.set(&word(2), out);
            }
            "REGEX" if word(0) == "REPLACE" => {
                let input = self.concatenated(rest.iter().skip(4).map(|one| one.value.clone()));
                let by = value(2).items().last().and_then(|one| one.origin);
                let old = self.pattern(&word(1));
                let out = self.parted(&input, |item| replaced(item, old.as_deref(), &word(2), by));
                self.scopes.set(&word(3), out);
            }
            "REGEX" => {
                let input = self.concatenated(rest.iter().skip(3).map(|one| one.value.clone()));
                match self
                    .found(&input, &word(1))
                    .filter(|_| word(0) != "MATCHALL")
                {
                    Some(found) => self.scopes.set(&word(2), found),
                    None => self.unknown(&word(2)),
                }
            }
            "APPEND" | "PREPEND" => {
                let name = word(0);
                let old = self.value_of(&name);
                let mut values: Vec<Value> =
                    rest.iter().skip(1).map(|one| one.value.clone()).collect();
                if action.is("APPEND") {
                    values.insert(0, old);
                } else {
                    values.push(old);
                }
                self.scopes.set(&name, self.concatenated(values));
            }
            "CONCAT" => {
                let all = self.concatenated(rest.iter().skip(1).map(|one| one.value.clone()));
                self.scopes.set(&word(0), all);
            }
            "JOIN" => {
                let all = concatenate(rest.get(2..).unwrap_or_default());
                self.scopes.set(&word(1), joined(&all, &word(0)));
            }
            kind @ ("TOLOWER" | "TOUPPER" | "STRIP" | "GENEX_STRIP") => {
                let changed = value(0).mapped(|item| {
                    let text = match kind {
                        "TOLOWER" => item.text.to_lowercase(),
                        "TOUPPER" => item.text.to_uppercase(),
                        _ => item.text.trim().to_owned(),
                    };
                    Some(item.with(&text, item.origin))
                });
                self.scopes.set(&word(1), changed);
            }
            "CONFIGURE" => self.scopes.set(&word(1), value(0)),
            _ => {
                if let Some(out) = rest.last() {
                    let out = out.text();
                    self.unknown(&out);
                }
            }
        }
    }

    /// A text with another one in the place of a part of it.
    fn replaced_text(&self, input: &Value, (old, new): (&str, &str), by: Option<Origin>) -> Value {
        if old.is_empty() {
            return Value::one(Item::new(&input.text(), by));
        }
        if old.contains(';') {
            return Value::one(Item::new(&input.text().replace(old, new), by));
        }
        self.parted(input, |item| {
            let text = item.text.replace(old, new);
            let at_end = item.text.ends_with(old) && !new.is_empty();
            item.with(&text, if at_end { by } else { item.origin })
        })
    }

    /// What a pattern finds first in each element; `None` where that is not known.
    fn found(&self, input: &Value, pattern: &str) -> Option<Value> {
        let pattern = self.pattern(pattern)?;
        let found = input.mapped(|item| {
            let found = pattern.find(&item.text)?;
            let is_end = found.end() == item.text.len();
            Some(item.with(found.as_str(), item.origin.filter(|_| is_end)))
        });
        Some(found).filter(|_| !input.text().contains("${"))
    }

    /// A pattern as `CMake` reads it; `None` where it is none. A function that is called often compiles its patterns
    /// once.
    pub(super) fn pattern(&self, text: &str) -> Option<Arc<Regex>> {
        let mut patterns = self.patterns.borrow_mut();
        if let Some(known) = patterns.get(text) {
            return known.clone();
        }
        let pattern = RegexBuilder::new(text)
            .size_limit(self.limits().pattern_bytes)
            .build()
            .ok()
            .map(Arc::new);
        if patterns.len() >= self.limits().patterns {
            patterns.clear();
        }
        patterns.insert(text.to_owned(), pattern.clone());
        pattern
    }

    /// A value with each element changed, where the change may part one into several.
    fn parted(&self, value: &Value, change: impl Fn(&Item) -> Item) -> Value {
        let changed = value.mapped(|item| Some(change(item)));
        if changed.is_choice() {
            return changed;
        }
        let mut pieces = Pieces::new(self.limits().elements);
        pieces.items(changed.items());
        Value::list(pieces.finish())
    }
}

/// The elements of a list as one text.
pub(super) fn joined(value: &Value, between: &str) -> Value {
    let texts: Vec<&str> = value.items().iter().map(|one| &*one.text).collect();
    let origin = value.items().last().and_then(|one| one.origin);
    Value::one(Item::new(&texts.join(between), origin))
}

/// A text with what a pattern finds replaced.
pub(super) fn replaced(
    item: &Item,
    pattern: Option<&Regex>,
    new: &str,
    by: Option<Origin>,
) -> Item {
    let Some(pattern) = pattern else {
        return item.clone();
    };
    let mut with = String::new();
    let mut letters = new.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            ('\\', Some(&digit)) if digit.is_ascii_digit() => {
                with.extend(["${", digit.encode_utf8(&mut [0; 4]), "}"]);
                letters.next();
            }
            ('$', _) => with.push_str("$$"),
            _ => with.push(letter),
        }
    }
    let at_end = pattern
        .find_iter(&item.text)
        .last()
        .is_some_and(|found| found.end() == item.text.len() && !new.is_empty());
    let text = pattern.replace_all(&item.text, with.as_str());
    item.with(&text, if at_end { by } else { item.origin })
}
