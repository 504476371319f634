//! `foreach`: runs the body of a loop for each element.

use super::arguments::PassedArgument;
use super::run::Runner;
use super::value::{Item, Value};

impl Runner<'_> {
    /// Run the body of a loop for each element.
    pub(super) fn run_foreach(&mut self, file: usize, at: usize, end: usize) {
        let Some(command) = self
            .tree
            .file(file)
            .and_then(|one| one.commands.commands.get(at))
        else {
            return;
        };
        let arguments = self.arguments(file, &command.arguments);
        let Some((first, rest)) = arguments.split_first() else {
            return;
        };
        let zip = rest.iter().position(|one| one.is("ZIP_LISTS"));
        let variables = zip.map_or(1, |zip| zip.max(1));
        let variables = arguments.iter().take(variables);
        let variables: Vec<String> = variables.map(PassedArgument::text).collect();
        let before = variables.iter().map(|one| self.scopes.innermost(one));
        let before: Vec<Option<Value>> = before.collect();
        match zip {
            Some(zip) => {
                let lists = rest.get(zip + 1..).unwrap_or_default();
                self.run_zipped(&variables, lists, file, at, end);
            }
            None => self.run_over(&first.text(), rest, file, at, end),
        }
        // Behind a loop its variables are what they were before, whatever the policy CMP0124 is.
        for (name, value) in variables.iter().zip(before) {
            self.scopes.put_back(name, value);
        }
    }

    /// Run the body for the elements that some lists have at the same place.
    fn run_zipped(
        &mut self,
        names: &[String],
        lists: &[PassedArgument],
        file: usize,
        at: usize,
        end: usize,
    ) {
        let lists = lists.iter().filter_map(|one| self.value(&one.text()));
        let lists: Vec<Value> = lists.collect();
        let longest = lists.iter().map(|one| one.items().len()).max().unwrap_or(0);
        for round in 0..longest.min(self.limits().rounds) {
            for (name, list) in names.iter().zip(&lists) {
                let item = list.items().get(round).cloned();
                self.scopes
                    .set(name, Value::list(item.into_iter().collect()));
            }
            self.run(file, at + 1, end);
        }
        if longest == 0 && self.judging.is_some() {
            self.run_optional(None, |runner| runner.run(file, at + 1, end));
        }
    }

    /// Run the body for each element of what some words say.
    fn run_over(
        &mut self,
        name: &str,
        words: &[PassedArgument],
        file: usize,
        at: usize,
        end: usize,
    ) {
        let over = self.rounds(name, words);
        let over = self.as_assigned(name, over);
        for item in over.items().iter().take(self.limits().rounds) {
            // A body without a command takes its time, too.
            self.steps += 1;
            let absence = item.absence.clone();
            let is_sure = absence.is_none() && !self.may_be_other(item);
            self.scopes.set(name, over.only(item.clone()));
            if is_sure {
                self.run(file, at + 1, end);
            } else {
                self.run_optional(absence, |runner| runner.run(file, at + 1, end));
            }
            if self.is_over((file, at)) {
                return;
            }
        }
        if over.items().is_empty() && self.judging.is_some() {
            // A list that looks empty may be filled from outside.
            self.scopes.set(name, Value::unknown(name));
            self.run_optional(None, |runner| runner.run(file, at + 1, end));
        }
    }

    /// The elements that a loop goes over.
    fn rounds(&self, name: &str, words: &[PassedArgument]) -> Value {
        let mut items = Vec::new();
        let mut is_architecture = false;
        if words.first().is_some_and(|one| one.is("RANGE")) {
            let numbers: Vec<Option<usize>> = words
                .iter()
                .skip(1)
                .map(|one| one.text().parse().ok())
                .collect();
            let (from, to, step) = match numbers.as_slice() {
                [Some(to)] => (0, *to, 1),
                [Some(from), Some(to)] => (*from, *to, 1),
                [Some(from), Some(to), Some(step)] => (*from, *to, (*step).max(1)),
                _ => return Value::unknown(name),
            };
            let numbers = (from..=to).step_by(step).take(self.limits().rounds);
            let numbers = numbers.map(|one| Item::new(&one.to_string(), None));
            return Value::list(numbers.collect());
        }
        let is_in = words.first().is_some_and(|one| one.is("IN"));
        let mut lists = false;
        for word in words.iter().skip(usize::from(is_in)) {
            if is_in && (word.is("LISTS") || word.is("ITEMS")) {
                lists = word.is("LISTS");
            } else if lists {
                let list = word.text();
                let value = self.value(&list).unwrap_or_else(|| Value::unknown(&list));
                is_architecture |= value.is_architecture;
                items.extend(value.items().iter().cloned());
            } else {
                is_architecture |= word.value.is_architecture;
                items.extend(word.value.items().iter().cloned());
            }
        }
        let mut over = Value::list(items);
        over.is_architecture = is_architecture;
        over
    }
}
