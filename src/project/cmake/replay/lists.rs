//! `list` and `string`: the commands that change lists and texts.

use std::collections::VecDeque;
use std::sync::Arc;

use regex::{Regex, RegexBuilder};

use super::arguments::PassedArgument;
use super::commands::concatenate;
use super::pieces::Pieces;
use super::result::CommandPlace;
use super::run::Runner;
use super::value::{Item, Value};

impl Runner<'_> {
    /// `list(…)`
    pub(super) fn list_command(&mut self, at: CommandPlace, arguments: &[PassedArgument]) {
        let [action, variable, rest @ ..] = arguments else {
            return;
        };
        let name = variable.text();
        let value = self.value_of(&name);
        self.steps += value.items().len() / 16;
        let word = |at: usize| rest.get(at).map(PassedArgument::text).unwrap_or_default();
        match action.text().as_str() {
            kind @ ("APPEND" | "PREPEND" | "INSERT") => {
                let more = rest.get(usize::from(kind == "INSERT")..);
                let more = concatenate(more.unwrap_or_default());
                let more = self.as_assigned(&name, more);
                let mut value = value;
                value.is_architecture |= more.is_architecture;
                value.extend(more.items().iter().cloned());
                self.scopes.set(&name, value);
            }
            "REMOVE_ITEM" => {
                let gone = concatenate(rest);
                let is_gone = |item: &Item| gone.items().iter().any(|one| one.text == item.text);
                let stays = |item: &Item| self.may_be_other(item) || !is_gone(item);
                let left = value.mapped(|item| stays(item).then(|| item.clone()));
                self.scopes.set(&name, left);
            }
            "FILTER" => {
                let includes = word(0) == "INCLUDE";
                let newer = || self.newer(&value, &word(2), at);
                if let Some(newer) = includes.then(newer).flatten() {
                    self.scopes.set(&name, newer);
                } else if let Some(pattern) = self.pattern(&word(2)) {
                    let fits = |item: &Item| {
                        self.may_be_other(item) || pattern.is_match(&item.text) == includes
                    };
                    let left = value.mapped(|item| fits(item).then(|| item.clone()));
                    self.scopes.set(&name, left);
                }
            }
            "TRANSFORM" => self.transform(&name, &value, rest),
            "GET" => {
                let places = rest.split_last().map_or(rest, |(_, places)| places);
                let is_number = |one: &PassedArgument| one.text().parse::<isize>().is_ok();
                if !places.iter().all(is_number) {
                    // Any element may be meant, such as each in turn where a loop counts.
                    let items = value.items().iter();
                    let each = items.map(|item| value.only(item.clone())).collect();
                    return self.give(rest, Value::one_of(each, self.limits()));
                }
                let items = places.iter().filter_map(|one| {
                    let at: isize = one.text().parse().ok()?;
                    let from_end = || value.items().len().checked_sub(at.unsigned_abs());
                    let at = usize::try_from(at).ok().or_else(from_end)?;
                    value.items().get(at).cloned()
                });
                let items: Vec<Item> = items.collect();
                self.give(rest, Value::list(items));
            }
            "SUBLIST" => {
                let number = |at: usize| word(at).parse::<usize>().ok();
                let items = value.items().iter().skip(number(0).unwrap_or(0));
                let items = items.take(number(1).unwrap_or(usize::MAX)).cloned();
                let items: Vec<Item> = items.collect();
                self.give(rest, Value::list(items));
            }
            "JOIN" => {
                let texts: Vec<&str> = value.items().iter().map(|one| &*one.text).collect();
                let origin = value.items().last().and_then(|one| one.origin);
                let joined = Item::new(&texts.join(&word(0)), origin);
                self.give(rest, Value::one(joined));
            }
            "POP_FRONT" | "POP_BACK" => {
                let mut left: VecDeque<Item> = value.items().iter().cloned().collect();
                // One element for each variable that is named, or one that nobody gets.
                for at in 0..rest.len().max(1) {
                    let item = if action.is("POP_FRONT") {
                        left.pop_front()
                    } else {
                        left.pop_back()
                    };
                    if let Some(out) = rest.get(at) {
                        let item = Value::list(item.into_iter().collect());
                        self.scopes.set(&out.text(), item);
                    }
                }
                self.scopes.set(&name, Value::list(left.into()));
            }
            "LENGTH" => {
                let count = value.items().len().to_string();
                self.give(rest, Value::one(Item::new(&count, None)));
            }
            "FIND" => {
                if let Some(out) = rest.last() {
                    let out = out.text();
                    self.unknown(&out);
                }
            }
            _ => {}
        }
    }

    /// Give the variable that a command names last a value.
    fn give(&mut self, arguments: &[PassedArgument], value: Value) {
        if let Some(out) = arguments.last() {
            self.scopes.set(&out.text(), value);
        }
    }

    fn transform(&mut self, name: &str, value: &Value, rest: &[PassedArgument]) {
        let word = |at: usize| rest.get(at).map(PassedArgument::text).unwrap_or_default();
        let place = |word: &str| rest.iter().position(|one| one.is(word));
        let out = place("OUTPUT_VARIABLE").and_then(|at| rest.get(at + 1));
        let out = out.map_or_else(|| name.to_owned(), PassedArgument::text);
        let only = place("REGEX").and_then(|at| self.pattern(&word(at + 1)));
        let old = (word(0) == "REPLACE").then(|| self.pattern(&word(1)));
        let old = old.flatten();
        let changed = value.mapped(|item| {
            if only.as_ref().is_some_and(|only| !only.is_match(&item.text)) {
                return Some(item.clone());
            }
            let end = rest.get(1).and_then(|one| one.value.items().last());
            let end = end.and_then(|one| one.origin);
            Some(match word(0).as_str() {
                "PREPEND" => item.with(&format!("{}{}", word(1), item.text), item.origin),
                "APPEND" => item.with(&format!("{}{}", item.text, word(1)), end),
                "REPLACE" => {
                    let end = rest.get(2).and_then(|one| one.value.items().last());
                    let by = end.and_then(|one| one.origin);
                    replaced(item, old.as_deref(), &word(2), by)
                }
                "TOLOWER" => item.with(&item.text.to_lowercase(), item.origin),
                "TOUPPER" => item.with(&item.text.to_uppercase(), item.origin),
                "STRIP" => item.with(item.text.trim(), item.origin),
                _ => item.clone(),
            })
        });
        self.scopes.set(&out, changed);
    }

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
                let (old, new) = (word(0), word(1));
                let by = value(1).items().last().and_then(|one| one.origin);
                let out = if old.contains(';') || old.is_empty() {
                    let text = if old.is_empty() {
                        input.text()
                    } else {
                        input.text().replace(&old, &new)
                    };
                    Value::one(Item::new(&text, by))
                } else {
                    self.parted(&input, |item| {
                        let text = item.text.replace(&old, &new);
                        let at_end = item.text.ends_with(old.as_str()) && !new.is_empty();
                        item.with(&text, if at_end { by } else { item.origin })
                    })
                };
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
                let all = word(0) == "MATCHALL";
                let found = self.pattern(&word(1)).map(|pattern| {
                    input.mapped(|item| {
                        let found = pattern.find(&item.text)?;
                        let is_end = found.end() == item.text.len();
                        Some(item.with(found.as_str(), item.origin.filter(|_| is_end)))
                    })
                });
                match found.filter(|_| !all && !input.text().contains("${")) {
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
                let texts: Vec<&str> = all.items().iter().map(|one| &*one.text).collect();
                let origin = all.items().last().and_then(|one| one.origin);
                let joined = Item::new(&texts.join(&word(0)), origin);
                self.scopes.set(&word(1), Value::one(joined));
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
}

impl Runner<'_> {
    /// A pattern as `CMake` reads it; `None` where it is none. A function that is called often compiles its patterns
    /// once.
    fn pattern(&self, text: &str) -> Option<Arc<Regex>> {
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

/// A text with what a pattern finds replaced.
fn replaced(
    item: &Item,
    pattern: Option<&Regex>,
    new: &str,
    by: Option<super::value::Origin>,
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
