//! What words of makefiles are once their variables and functions are put in.

use std::collections::BTreeMap;

use super::makefile::Makefile;
use super::words::{commas, patsubst, reference, replaced, stem, tokens};
use crate::PathIndex;
use crate::tree::{paths, patterns};
use torchada_text::TextRange;

/// How deep references are followed.
const DEEPEST: usize = 24;

/// How many words one text may have. Of more only the first ones are looked at.
const MOST: usize = 2048;

/// How many references are followed in one makefile.
const STEPS: usize = 100_000;

/// What expands words for one makefile.
pub(super) struct Expander<'a> {
    /// The makefile and those that it reads.
    pub(super) files: Vec<(usize, &'a Makefile<'a>)>,
    pub(super) places: &'a PathIndex,
    /// The folder that make runs in.
    pub(super) folder: &'a str,
    /// Programs that are compilers of GPUs.
    pub(super) compilers: &'a [&'a str],
    /// What `$<` and the like stand for.
    pub(super) automatic: BTreeMap<&'static str, Vec<String>>,
    /// Variables that a program gives their values.
    pub(super) open: Vec<(usize, TextRange)>,
    active: Vec<String>,
    steps: usize,
}

impl<'a> Expander<'a> {
    pub(super) fn new(
        files: Vec<(usize, &'a Makefile<'a>)>,
        places: &'a PathIndex,
        folder: &'a str,
        compilers: &'a [&'a str],
    ) -> Self {
        Self {
            files,
            places,
            folder,
            compilers,
            automatic: BTreeMap::new(),
            open: Vec::new(),
            active: Vec::new(),
            steps: STEPS,
        }
    }

    /// The words of a text.
    pub(super) fn words(&mut self, text: &str) -> Vec<String> {
        let mut found = Vec::new();
        for token in tokens(text) {
            found.extend(self.token(token));
            if found.len() > MOST {
                found.truncate(MOST);
                break;
            }
        }
        found
    }

    /// The words of one token, in which references may stand.
    fn token(&mut self, token: &str) -> Vec<String> {
        let mut made = vec![String::new()];
        let mut rest = token;
        while let Some(at) = rest.find('$') {
            let (front, behind) = rest.split_at(at);
            append(&mut made, &[front.to_owned()]);
            let Some((inner, next)) = reference(behind) else {
                rest = behind.get(1..).unwrap_or_default();
                continue;
            };
            let values = self.reference(inner);
            let is_whole = front.is_empty() && next.is_empty() && made.len() == 1;
            if is_whole && made.first().is_some_and(String::is_empty) {
                return values;
            }
            append(&mut made, &values);
            rest = next;
        }
        append(&mut made, &[rest.to_owned()]);
        made.retain(|word| !word.is_empty());
        for word in &mut made {
            word.retain(|letter| !matches!(letter, '"' | '\''));
        }
        made
    }

    /// What a reference stands for.
    fn reference(&mut self, inner: &str) -> Vec<String> {
        if self.active.len() >= DEEPEST || self.steps == 0 {
            return Vec::new();
        }
        self.steps -= 1;
        if let Some(values) = self.automatic.get(inner.trim_end_matches(['D', 'F'])) {
            return values.clone();
        }
        if let Some((name, arguments)) = inner.split_once([' ', '\t'])
            && name
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte == b'-')
        {
            return self.function(name, arguments);
        }
        if let Some((name, change)) = inner.split_once(':')
            && let Some((from, to)) = change.split_once('=')
        {
            let values = self.variable(name.trim());
            let (from, to) = (self.text(from), self.text(to));
            let (from, to) = if from.contains('%') {
                (from, to)
            } else {
                (format!("%{from}"), format!("%{to}"))
            };
            return values
                .iter()
                .map(|word| patsubst(&from, &to, word))
                .collect();
        }
        let name = self.text(inner);
        self.variable(&name)
    }

    fn text(&mut self, text: &str) -> String {
        self.words(text).join(" ")
    }

    /// All words that a variable may have.
    fn variable(&mut self, name: &str) -> Vec<String> {
        if self.active.iter().any(|one| one == name) {
            return Vec::new();
        }
        self.active.push(name.to_owned());
        let mut found: Vec<String> = Vec::new();
        let files: Vec<(usize, &'a Makefile<'a>)> = self.files.clone();
        for (file, makefile) in files {
            let values = makefile.variables.get(name).map_or(&[][..], Vec::as_slice);
            for &(value, place) in values {
                if is_open(value) {
                    self.open.push((file, place));
                }
                for word in self.words(value) {
                    if !found.contains(&word) {
                        found.push(word);
                    }
                }
            }
        }
        self.active.pop();
        found
    }

    fn function(&mut self, name: &str, arguments: &str) -> Vec<String> {
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
                let words = self.words(part(2));
                words
                    .iter()
                    .map(|word| patsubst(&from, &to, word))
                    .collect()
            }
            "subst" => {
                let (from, to) = (self.text(part(0)), self.text(part(1)));
                let words = self.words(part(2));
                let is_one = !from.is_empty();
                let words = words.into_iter();
                words
                    .map(|word| {
                        if is_one {
                            word.replace(&from, &to)
                        } else {
                            word
                        }
                    })
                    .collect()
            }
            "filter" | "filter-out" => {
                let wanted = self.words(part(0));
                let words = self.words(part(1)).into_iter();
                let has = |word: &String| wanted.iter().any(|one| stem(one, word).is_some());
                words
                    .filter(|word| has(word) == (name == "filter"))
                    .collect()
            }
            "addprefix" | "addsuffix" => {
                let added = self.text(part(0));
                let words = self.words(part(1)).into_iter();
                let is_front = name == "addprefix";
                words
                    .map(|word| {
                        if is_front {
                            added.clone() + &word
                        } else {
                            word + &added
                        }
                    })
                    .collect()
            }
            "notdir" => {
                let words = self.words(arguments).into_iter();
                words
                    .map(|word| paths::file_name(&word).to_owned())
                    .collect()
            }
            "dir" => {
                let words = self.words(arguments).into_iter();
                words
                    .map(|word| format!("{}/", paths::folder(&word)))
                    .collect()
            }
            "basename" => {
                let words = self.words(arguments).into_iter();
                words
                    .map(|word| {
                        word.rsplit_once('.')
                            .map_or(word.clone(), |(stem, _)| stem.to_owned())
                    })
                    .collect()
            }
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
    fn like(&self, pattern: &str) -> Vec<String> {
        let Some(whole) = paths::join(self.folder, pattern) else {
            return Vec::new();
        };
        if !whole.contains(['*', '?']) {
            let is_there = self.places.file_at(&whole).is_some();
            return is_there.then(|| pattern.to_owned()).into_iter().collect();
        }
        let end = whole.rsplit(['*', '?', '/']).next().unwrap_or_default();
        let front = pattern.split(['*', '?']).next().unwrap_or_default();
        let front = front
            .rfind('/')
            .map_or("", |at| front.get(..=at).unwrap_or_default());
        let above = paths::join(self.folder, front).unwrap_or_default();
        let all = 0..self.places.size();
        all.map(|at| self.places.path(at))
            .filter(|path| path.ends_with(end) && patterns::at_path("", &whole, path))
            .map(|path| {
                let below = path.strip_prefix(above.as_str()).unwrap_or(path);
                format!("{front}{}", below.trim_start_matches('/'))
            })
            .collect()
    }
}

/// Whether a value is what a program prints that speaks of sources for GPUs, and is none of those that are known.
fn is_open(value: &str) -> bool {
    let value = value.trim();
    let command = value
        .strip_prefix("$(shell ")
        .or_else(|| value.strip_prefix("${shell "));
    command.is_some_and(|command| {
        let first = command.split_whitespace().next();
        command.contains(".cu") && !matches!(first, Some("find" | "ls"))
    })
}

/// Put each value behind each text.
fn append(made: &mut Vec<String>, values: &[String]) {
    if let [only] = values {
        for one in made.iter_mut() {
            one.push_str(only);
        }
    } else if !values.is_empty() {
        let all = made
            .iter()
            .flat_map(|one| values.iter().map(move |value| one.clone() + value));
        *made = all.take(MOST).collect();
    }
}
