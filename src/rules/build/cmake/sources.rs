//! Which sources of CUDA's a command names, through the variables of its file and those above.

use std::collections::BTreeSet;

use super::pass::Pass;
use crate::syntax::cmake::Command;

/// Through how many variables the sources of one command are followed.
const FOLLOWED: usize = 256;

/// The sources of CUDA's that something names.
#[derive(Default, Debug)]
pub(super) struct Sources {
    /// Some that have MUSA's ending once the file is translated.
    pub(super) renamed: Vec<String>,
    /// Sources that keep CUDA's ending.
    pub(super) kept: Vec<String>,
    /// Whether there are others: headers do not count.
    pub(super) others: bool,
}

impl Sources {
    /// Whether none is CUDA's.
    pub(super) fn is_empty(&self) -> bool {
        self.renamed.is_empty() && self.kept.is_empty()
    }
}

/// The sources that the arguments of a command name, from one on.
pub(super) fn named(pass: &Pass<'_, '_>, command: &Command, first: usize) -> Sources {
    let mut found = Sources::default();
    let mut seen = BTreeSet::new();
    for argument in command.arguments.iter().skip(first) {
        let is_new = pass.out.edits.within(argument.range).next().is_some();
        sort(
            pass,
            command,
            pass.word(argument),
            is_new,
            &mut found,
            &mut seen,
        );
    }
    found
}

/// Put one word of a command, and what it stands for there, where it belongs.
fn sort(
    pass: &Pass<'_, '_>,
    user: &Command,
    word: &str,
    is_new: bool,
    found: &mut Sources,
    seen: &mut BTreeSet<String>,
) {
    for part in word.split(';') {
        if let Some(variable) = part
            .strip_prefix("${")
            .and_then(|rest| rest.strip_suffix('}'))
        {
            if seen.len() < FOLLOWED && seen.insert(variable.to_owned()) {
                values(pass, user, variable, found, seen);
            }
            continue;
        }
        if let Some((front, variable)) = with_ending(part)
            && seen.insert(part.to_owned())
        {
            endings(pass, user, front, variable, found);
            continue;
        }
        let files = &pass.unit.context.knowledge.files;
        let ends = |kind: &str| {
            let endings = files.kinds.get(kind).into_iter().flatten();
            endings
                .clone()
                .any(|ending| part.ends_with(ending.as_str()))
        };
        if ends("cuda") && is_new {
            found.renamed.push(part.to_owned());
        } else if ends("cuda") {
            found.kept.push(part.to_owned());
        } else if part.as_bytes().ends_with(b".mu") {
            found.renamed.push(part.to_owned());
        } else if ends("cpp") && !part.contains(".h") {
            found.others = true;
        }
    }
}

/// A name that ends with a variable: `src/${name}.${ext}`.
fn with_ending(part: &str) -> Option<(&str, &str)> {
    let at = part.rfind("${").filter(|&at| at > 0)?;
    let variable = part.get(at + 2..)?.strip_suffix('}')?;
    Some((part.get(..at)?, variable))
}

/// Put a name that ends with a variable where it belongs by each of the values.
fn endings(pass: &Pass<'_, '_>, user: &Command, front: &str, variable: &str, found: &mut Sources) {
    let text = pass.unit.text;
    let assigned = pass.file.assignments(variable);
    for (command, first) in assigned.filter(|(one, _)| !pass.file.are_alternatives(text, user, one))
    {
        for argument in command.arguments.iter().skip(first) {
            let is_new = pass.out.edits.within(argument.range).next().is_some();
            let whole = format!("{front}{}", pass.word(argument));
            // A name is what it ends with; further variables are not looked into.
            if with_ending(&whole).is_none() {
                sort(pass, user, &whole, is_new, found, &mut BTreeSet::new());
            }
        }
    }
}

/// The values of a variable where a command uses it: from this file, else from the nearest file above that sets it.
fn values(
    pass: &Pass<'_, '_>,
    user: &Command,
    variable: &str,
    found: &mut Sources,
    seen: &mut BTreeSet<String>,
) {
    if is_parameter(pass, user, variable) {
        return;
    }
    let text = pass.unit.text;
    let mut any = false;
    for (command, first) in pass.file.assignments(variable) {
        any = true;
        if pass.file.are_alternatives(text, user, command) {
            continue;
        }
        for argument in command.arguments.iter().skip(first) {
            let range = argument.range;
            let is_new = pass.out.edits.within(range).next().is_some();
            sort(pass, user, pass.word(argument), is_new, found, seen);
        }
        for list in lists(command, text) {
            if seen.len() < FOLLOWED && seen.insert(list.clone()) {
                values(pass, user, &list, found, seen);
            }
        }
    }
    if any {
        return;
    }
    for (text, file) in &pass.above {
        let mut assigned = file.assignments(variable).peekable();
        let is_assigned = assigned.peek().is_some();
        for (command, first) in assigned {
            for argument in command.arguments.iter().skip(first) {
                let word = String::from_utf8_lossy(argument.inner.of(text));
                // What another file names follows its renames as this one's does.
                sort(pass, user, &word, true, found, seen);
            }
        }
        if is_assigned {
            return;
        }
    }
}

/// Whether a name is one of the arguments of the function around a command, whatever it is elsewhere.
fn is_parameter(pass: &Pass<'_, '_>, user: &Command, name: &str) -> bool {
    let Some(at) = pass.file.place_of(user.range) else {
        return false;
    };
    let blocks = pass.file.blocks(at);
    let mut openers = blocks.filter_map(|block| pass.file.commands.get(block));
    openers.any(|one| {
        let kind = one.lower_name();
        let mut names = one.arguments.iter().skip(1);
        matches!(kind, "function" | "macro") && names.any(|one| pass.word(one) == name)
    })
}

/// The variables that `foreach(one IN LISTS first second ITEMS third)` goes over.
fn lists(command: &Command, text: &[u8]) -> Vec<String> {
    if command.lower_name() != "foreach" {
        return Vec::new();
    }
    let words = command.arguments.iter().map(|one| one.inner.of(text));
    let behind = words.skip_while(|word| *word != b"LISTS").skip(1);
    behind
        .take_while(|word| *word != b"ITEMS")
        .map(|word| String::from_utf8_lossy(word).into_owned())
        .collect()
}
