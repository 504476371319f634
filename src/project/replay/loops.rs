//! Loops.

use super::expand::Given;
use super::run::Runner;
use super::value::{Item, Value};

/// How often the body of a loop is run.
const MOST_ROUNDS: usize = 5_000;

impl Runner<'_> {
    /// Run the body of a loop for each element.
    pub(super) fn each(&mut self, file: usize, at: usize, end: usize) {
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
        if let Some(zip) = zip {
            let within = arguments.get(..zip.max(1)).unwrap_or_default();
            let names: Vec<String> = within.iter().map(Given::text).collect();
            let lists: Vec<Value> = rest
                .iter()
                .skip(zip + 1)
                .filter_map(|one| self.value(&one.text()))
                .collect();
            let longest = lists.iter().map(|one| one.items().len()).max().unwrap_or(0);
            for round in 0..longest.min(MOST_ROUNDS) {
                for (name, list) in names.iter().zip(&lists) {
                    let item = list.items().get(round).cloned();
                    self.scopes
                        .set(name, Value::list(item.into_iter().collect()));
                }
                self.run(file, at + 1, end);
            }
            return;
        }
        let name = first.text();
        let items = self.rounds(&name, rest);
        for item in items.into_iter().take(MOST_ROUNDS) {
            self.scopes.set(&name, Value::one(item));
            self.run(file, at + 1, end);
            if self.out.stopped.is_some() {
                return;
            }
        }
    }

    /// The elements that a loop goes over.
    fn rounds(&self, name: &str, words: &[Given]) -> Vec<Item> {
        let mut items = Vec::new();
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
                _ => return vec![Item::new(&format!("${{{name}}}"), None)],
            };
            let numbers = (from..=to).step_by(step).take(MOST_ROUNDS);
            return numbers
                .map(|one| Item::new(&one.to_string(), None))
                .collect();
        }
        let is_in = words.first().is_some_and(|one| one.is("IN"));
        let mut lists = false;
        for word in words.iter().skip(usize::from(is_in)) {
            if is_in && (word.is("LISTS") || word.is("ITEMS")) {
                lists = word.is("LISTS");
            } else if lists {
                let list = word.text();
                match self.value(&list) {
                    Some(value) => items.extend(value.items().iter().cloned()),
                    None => items.push(Item::new(&format!("${{{list}}}"), None)),
                }
            } else {
                items.extend(word.value.items().iter().cloned());
            }
        }
        items
    }
}
