//! What words of makefiles are once their variables and functions are put in.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::makefile::Makefile;
use super::words::{patsubst, reference, tokens};
use crate::PathIndex;
use torchada_mapping::has;
use torchada_text::TextRange;

/// How deep references are followed.
const DEEPEST: usize = 24;

/// How many words one text may have. Of more only the first ones are looked at.
pub(super) const MOST: usize = 2048;

/// How many references are followed in one makefile.
const STEPS: usize = 100_000;

/// Make's variables whose values differ from rule to rule.
const AUTOMATIC: [&str; 6] = ["<", "^", "+", "?", "@", "*"];

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
    /// The words of variables whose values are the same wherever they are read.
    known: FxHashMap<String, Vec<String>>,
    /// The files that patterns mean.
    pub(super) listed: FxHashMap<String, Vec<String>>,
    active: Vec<String>,
    /// Whether what was expanded last depends on the place that reads it: on a rule, or on a limit that was met there.
    depends: bool,
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
            known: FxHashMap::default(),
            listed: FxHashMap::default(),
            active: Vec::new(),
            depends: false,
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
            self.depends = true;
            return Vec::new();
        }
        self.steps -= 1;
        let automatic = inner.trim_end_matches(['D', 'F']);
        self.depends |= AUTOMATIC.contains(&automatic);
        if let Some(values) = self.automatic.get(automatic) {
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

    pub(super) fn text(&mut self, text: &str) -> String {
        self.words(text).join(" ")
    }

    /// All words that a variable may have.
    fn variable(&mut self, name: &str) -> Vec<String> {
        if let Some(known) = self.known.get(name) {
            return known.clone();
        }
        if has(&self.active, name) {
            self.depends = true;
            return Vec::new();
        }
        self.active.push(name.to_owned());
        let depends = std::mem::take(&mut self.depends);
        let mut found: Vec<String> = Vec::new();
        let files: Vec<(usize, &'a Makefile<'a>)> = self.files.clone();
        for (file, makefile) in files {
            let values = makefile.variables.get(name).map_or(&[][..], Vec::as_slice);
            for &(value, place) in values {
                if is_open(value) {
                    self.open.push((file, place));
                }
                found.extend(self.words(value));
            }
        }
        let mut seen = FxHashSet::default();
        found.retain(|word| seen.insert(word.clone()));
        // No text that reads it has more.
        found.truncate(MOST);
        self.active.pop();
        if !self.depends {
            self.known.insert(name.to_owned(), found.clone());
        }
        self.depends |= depends;
        found
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_expanded_once_but_for_those_that_a_rule_changes() {
        let text = b"NAME = a\nSAME = $(NAME).o\nOWN = $@.o $(SAME)\n";
        let makefile = Makefile::read(text);
        let places = PathIndex::new(["Makefile"].into_iter());
        let mut expander = Expander::new(vec![(0, &makefile)], &places, "", &[]);
        assert_eq!(expander.words("$(OWN)"), [".o", "a.o"]);
        expander.automatic = BTreeMap::from([("@", vec!["b".to_owned()])]);
        assert_eq!(expander.words("$(OWN)"), ["b.o", "a.o"]);
        let known: Vec<&str> = expander.known.keys().map(String::as_str).collect();
        assert!(known.contains(&"SAME") && !known.contains(&"OWN"));
    }
}
