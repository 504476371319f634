//! What make's functions give, `wildcard` and `shell` among them.

use super::expand::{Expander, MOST};
use super::words::{commas, patsubst, replaced, stem};
use crate::tree::paths;

impl Expander<'_> {
    /// What a call of one of make's functions gives.
    pub(super) fn function(&mut self, name: &str, arguments: &str) -> Vec<String> {
        let parts = commas(arguments);
        let part = |at: usize| parts.get(at).copied().unwrap_or_default();
        let last = part(parts.len().saturating_sub(1));
        match name {
            "wildcard" => {
                let wanted = self.words(arguments);
                wanted.iter().flat_map(|one| self.like(one)).collect()
            }
            "patsubst" => {
                let (from, to) = (self.text(part(0)), self.text(part(1)));
                self.mapped(part(2), |word| patsubst(&from, &to, &word))
            }
            "subst" => {
                let (from, to) = (self.text(part(0)), self.text(part(1)));
                self.mapped(part(2), |word| match &*from {
                    "" => word,
                    from => word.replace(from, &to),
                })
            }
            "filter" | "filter-out" => {
                let wanted = self.words(part(0));
                let words = self.words(part(1)).into_iter();
                let has = |word: &String| wanted.iter().any(|one| stem(one, word).is_some());
                words
                    .filter(|word| has(word) == (name == "filter"))
                    .collect()
            }
            "addprefix" => {
                let added = self.text(part(0));
                self.mapped(part(1), |word| added.clone() + &word)
            }
            "addsuffix" => {
                let added = self.text(part(0));
                self.mapped(part(1), |word| word + &added)
            }
            "notdir" => self.mapped(arguments, |word| paths::file_name(&word).to_owned()),
            "dir" => self.mapped(arguments, |word| format!("{}/", paths::folder(&word))),
            "basename" => self.mapped(arguments, |word| {
                let stem = word.rsplit_once('.').map(|(stem, _)| stem.to_owned());
                stem.unwrap_or(word)
            }),
            "sort" | "strip" | "abspath" | "realpath" | "or" | "and" => {
                parts.iter().flat_map(|one| self.words(one)).collect()
            }
            "if" => {
                let mut words = self.words(part(1));
                words.extend(self.words(part(2)));
                words
            }
            "foreach" => {
                let name = part(0).trim();
                let items = self.words(part(1));
                let text = last;
                let mut found = Vec::new();
                for item in items.into_iter().take(MOST) {
                    let with = replaced(text, name, &item);
                    found.extend(self.words(&with));
                }
                found
            }
            "shell" => self.shell(arguments),
            _ => Vec::new(),
        }
    }

    /// The words of a text, each changed.
    fn mapped(&mut self, text: &str, change: impl Fn(String) -> String) -> Vec<String> {
        self.words(text).into_iter().map(change).collect()
    }

    /// What a command prints, as far as it lists files or looks for a compiler.
    fn shell(&mut self, command: &str) -> Vec<String> {
        let words = self.words(command);
        let mut rest = words.iter();
        match rest.next().map(String::as_str) {
            Some("find") => {
                let folders: Vec<&String> =
                    rest.take_while(|word| !word.starts_with('-')).collect();
                let names = words.windows(2).filter(|pair| {
                    matches!(pair.first().map(String::as_str), Some("-name" | "-iname"))
                });
                let names: Vec<&String> = names.filter_map(|pair| pair.get(1)).collect();
                let mut found = Vec::new();
                for folder in &folders {
                    for name in &names {
                        let folder = folder.trim_end_matches('/');
                        found.extend(self.like(&format!("{folder}/**/{name}")));
                    }
                }
                found
            }
            Some("ls") => rest.flat_map(|word| self.like(word)).collect(),
            _ => {
                let is_one = |word: &&String| self.compilers.contains(&paths::file_name(word));
                words.iter().filter(is_one).cloned().collect()
            }
        }
    }

    /// The files that a pattern means, as the makefile names them.
    fn like(&mut self, pattern: &str) -> Vec<String> {
        if let Some(known) = self.listed.get(pattern) {
            return known.clone();
        }
        let found = self.list(pattern);
        self.listed.insert(pattern.to_owned(), found.clone());
        found
    }

    fn list(&self, pattern: &str) -> Vec<String> {
        let Some(whole) = paths::join(self.folder, pattern) else {
            return Vec::new();
        };
        if !whole.contains(['*', '?']) {
            let is_there = self.places.file_at(&whole).is_some();
            return is_there.then(|| pattern.to_owned()).into_iter().collect();
        }
        let front = pattern.split(['*', '?']).next().unwrap_or_default();
        let front = front
            .rfind('/')
            .map_or("", |at| front.get(..=at).unwrap_or_default());
        let above = paths::join(self.folder, front).unwrap_or_default();
        let all = self.places.like(&whole).into_iter();
        all.map(|at| self.places.path(at))
            .map(|path| {
                let below = path.strip_prefix(above.as_str()).unwrap_or(path);
                format!("{front}{}", below.trim_start_matches('/'))
            })
            .collect()
    }
}
