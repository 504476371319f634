//! The words of a file of `CMake`'s: what they hold, and where they are handed.

use std::sync::Arc;

use super::cause::Absence;
use super::condition::variable;
use super::value::{Item, Value, Variables};
use super::walk::{Site, Use, Walk};
use crate::syntax::cmake::{Argument, Quoting};

impl Walk<'_> {
    /// What some arguments hold.
    pub(super) fn expand(
        &mut self,
        arguments: &[Argument],
        variables: &Variables,
    ) -> Option<Value> {
        let mut all = Value::default();
        for argument in arguments {
            let text = self.word(argument);
            let mut start = argument.inner.start;
            let is_list = argument.quoting != Quoting::Bracket;
            for part in text.split(|one| one == ';' && is_list) {
                let at = start;
                start += part.len() + 1;
                if part.is_empty() {
                    continue;
                }
                if let Some(name) = variable(part) {
                    let value = self.value(name, variables);
                    self.step(value.items.len())?;
                    all.add(&value, self.causes);
                    continue;
                }
                if self.speaks_of_architectures(part, variables) {
                    all.add(&Value::architectures(), self.causes);
                    continue;
                }
                let site = Some(self.site(at, part));
                all.items.push(Item {
                    text: part.into(),
                    absence: None,
                    site,
                });
            }
        }
        Some(all)
    }

    fn speaks_of_architectures(&self, part: &str, variables: &Variables) -> bool {
        let mut references = part.split("${").skip(1);
        references.any(|rest| {
            let name = rest.split('}').next().unwrap_or_default();
            self.value(name, variables).is_architecture
        })
    }

    /// The number of a word that stands in the file.
    fn site(&mut self, at: usize, text: &str) -> usize {
        if let Some(&known) = self.site_at.get(&at) {
            return known;
        }
        self.sites.push(Site {
            text: text.into(),
            absence: None,
            is_used: false,
        });
        self.site_at.insert(at, self.sites.len() - 1);
        self.sites.len() - 1
    }

    /// Keep in mind under which condition words stand that a variable gets.
    pub(super) fn keep(&mut self, value: &Value) {
        for item in &value.items {
            if let Some(site) = item.site.and_then(|at| self.sites.get_mut(at)) {
                let so_far = site.absence.unwrap_or(item.absence);
                site.absence = Some(self.causes.either(so_far, item.absence));
            }
        }
    }

    /// Hand words on.
    pub(super) fn hand_on(&mut self, value: &Value, path: Absence) -> Option<()> {
        self.step(value.items.len())?;
        for item in value.items.iter().filter(|item| !item.text.is_empty()) {
            if let Some(site) = item.site.and_then(|at| self.sites.get_mut(at)) {
                site.is_used = true;
            }
            self.handed.words.push(Use {
                text: Arc::clone(&item.text),
                absence: item.absence.or(path),
            });
        }
        Some(())
    }
}
