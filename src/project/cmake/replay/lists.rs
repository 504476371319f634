//! `list`: the command that changes lists.

use std::collections::VecDeque;

use super::arguments::PassedArgument;
use super::commands::concatenate;
use super::run::Runner;
use super::sources::CommandPlace;
use super::texts::{joined, replaced};
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
            "APPEND" | "PREPEND" => self.add_items(&name, value, rest),
            "INSERT" => self.add_items(&name, value, rest.get(1..).unwrap_or_default()),
            "REMOVE_ITEM" => {
                let gone = concatenate(rest);
                let is_gone = |item: &Item| gone.items().iter().any(|one| one.text == item.text);
                let stays = |item: &Item| self.may_be_other(item) || !is_gone(item);
                let left = value.mapped(|item| stays(item).then(|| item.clone()));
                self.scopes.set(&name, left);
            }
            "FILTER" => self.filter(at, &name, &value, (&word(0), &word(2))),
            "TRANSFORM" => self.transform(&name, &value, rest),
            "GET" => self.give(rest, self.elements(&value, rest)),
            "SUBLIST" => {
                let number = |at: usize| word(at).parse::<usize>().ok();
                let items = value.items().iter().skip(number(0).unwrap_or(0));
                let items = items.take(number(1).unwrap_or(usize::MAX)).cloned();
                self.give(rest, Value::list(items.collect()));
            }
            "JOIN" => self.give(rest, joined(&value, &word(0))),
            kind @ ("POP_FRONT" | "POP_BACK") => {
                let mut left: VecDeque<Item> = value.items().iter().cloned().collect();
                // One element for each variable that is named, or one that nobody gets.
                for at in 0..rest.len().max(1) {
                    let item = if kind == "POP_FRONT" {
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

    fn add_items(&mut self, name: &str, mut value: Value, more: &[PassedArgument]) {
        let more = self.as_assigned(name, concatenate(more));
        value.is_architecture |= more.is_architecture;
        value.extend(more.items().iter().cloned());
        self.scopes.set(name, value);
    }

    /// `list(FILTER name INCLUDE REGEX pattern)`
    fn filter(&mut self, at: CommandPlace, name: &str, value: &Value, words: (&str, &str)) {
        let (action, pattern) = words;
        let includes = action == "INCLUDE";
        let newer = || self.newer(value, pattern, at);
        if let Some(newer) = includes.then(newer).flatten() {
            self.scopes.set(name, newer);
        } else if let Some(pattern) = self.pattern(pattern) {
            let fits =
                |item: &Item| self.may_be_other(item) || pattern.is_match(&item.text) == includes;
            let left = value.mapped(|item| fits(item).then(|| item.clone()));
            self.scopes.set(name, left);
        }
    }

    /// The elements of a list at the places that stand before the name of a variable.
    fn elements(&self, value: &Value, arguments: &[PassedArgument]) -> Value {
        let places = arguments
            .split_last()
            .map_or(arguments, |(_, places)| places);
        let places: Option<Vec<isize>> = places.iter().map(|one| one.text().parse().ok()).collect();
        let Some(places) = places else {
            // Any element may be meant, such as each in turn where a loop counts.
            let items = value.items().iter();
            let each = items.map(|item| value.only(item.clone())).collect();
            return Value::one_of(each, self.limits());
        };
        let items = places.into_iter().filter_map(|at| {
            let from_end = || value.items().len().checked_sub(at.unsigned_abs());
            let at = usize::try_from(at).ok().or_else(from_end)?;
            value.items().get(at).cloned()
        });
        Value::list(items.collect())
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
}
