//! Writes the text of an alias header.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::{AliasDefinition, AliasHeader, LeftReason, MARK};
use crate::mapping::{Evidence, Library};
use crate::text::wrapped;

/// Where comments break.
const WIDTH: usize = 100;

impl AliasHeader {
    /// The whole text of a header, its names grouped in the order of `libraries`.
    pub fn text(&self, libraries: &[Library]) -> String {
        let mut text = format!(
            "#pragma once\n\n\
             // {MARK}: CUDA's names that the code uses, as MUSA has them.\n\
             // Include it in place of CUDA's headers where MUSA is the platform.\n"
        );
        self.lines(libraries, &mut text);
        text
    }

    /// The lines that the header `path` of the project lacks.
    pub fn lacking(&self, path: &str, libraries: &[Library]) -> String {
        let mut text = if self.is_empty() {
            comment("", &format!("{path} has every name that it can have."))
        } else {
            comment("", &format!("To be added to {path}:"))
        };
        self.lines(libraries, &mut text);
        text
    }

    fn lines(&self, libraries: &[Library], text: &mut String) {
        if !self.includes.is_empty() {
            text.push('\n');
        }
        for (path, note) in &self.includes {
            line(
                text,
                &format!("#include <{path}>{}", remark(note.as_deref())),
            );
        }
        let known: BTreeSet<&str> = libraries.iter().map(|library| &*library.id).collect();
        let heads = libraries
            .iter()
            .map(|library| (Some(&*library.id), &*library.title));
        for (id, title) in heads.chain([(None, "Others")]) {
            let mut first = true;
            for (name, definition) in &self.definitions {
                let own = &*definition.library;
                if id == Some(own) || id.is_none() && !known.contains(own) {
                    if std::mem::take(&mut first) {
                        let _ = write!(text, "\n{}", comment("", title));
                    }
                    define(text, name, definition);
                }
            }
        }
        self.rest(text);
    }

    /// What the header does not do, as comments.
    fn rest(&self, text: &mut String) {
        if self.left.is_empty() {
            return;
        }
        line(text, "\n// Not here:");
        let mut groups: BTreeMap<&LeftReason, Vec<Group<'_>>> = BTreeMap::new();
        for ((why, shown), left) in &self.left {
            let groups = groups.entry(why).or_default();
            let help = left.help.as_deref();
            let same = groups.iter_mut().find(|group| group.help == help);
            match same {
                Some(group) => group.names.push((shown, left.uses)),
                None => groups.push(Group {
                    help,
                    names: vec![(shown, left.uses)],
                }),
            }
        }
        for (why, groups) in groups {
            let _ = write!(text, "//\n{}", comment("", &title(why)));
            for Group { help, names } in groups {
                let names: Vec<String> = names.into_iter().map(counted).collect();
                text.push_str(&comment("  ", &names.join(", ")));
                if let Some(help) = help {
                    text.push_str(&comment("    ", help));
                }
            }
        }
    }
}

/// Names that share one comment in the header.
struct Group<'a> {
    help: Option<&'a str>,
    names: Vec<(&'a str, usize)>,
}

fn counted((name, uses): (&str, usize)) -> String {
    if uses == 1 {
        name.to_owned()
    } else {
        format!("{name} ({uses} places)")
    }
}

fn define(text: &mut String, name: &str, definition: &AliasDefinition) {
    let to = &definition.to;
    let word = match definition.evidence {
        Some(Evidence::Contested) => Some("contested"),
        Some(Evidence::Rule) => Some("by rule alone"),
        _ => None,
    };
    let remark = match (word, &definition.note) {
        (Some(word), Some(note)) => remark(Some(&format!("{word}: {note}"))),
        (Some(word), None) => remark(Some(word)),
        (None, _) => String::new(),
    };
    if definition.only_if_musa_has_it {
        line(text, &format!("#ifdef {to}"));
    }
    line(text, &format!("#define {name} {to}{remark}"));
    if definition.only_if_musa_has_it {
        line(text, "#endif");
    }
}

fn title(why: &LeftReason) -> String {
    match why {
        LeftReason::Finding(code, title) => format!("{title} ({code}):"),
        LeftReason::Own => {
            "the project declares these itself, and a macro would rename that, too:".into()
        }
        LeftReason::Qualified => "a name in a namespace, which no macro reaches:".into(),
        LeftReason::Member => "a member's name, which may be any class's:".into(),
        LeftReason::Argument => {
            "text in a string, or an argument that is no name of its own:".into()
        }
        LeftReason::Switch => {
            "macros that have to be set before MUSA's headers ask for them:".into()
        }
        LeftReason::Guard => "comparisons with an architecture of CUDA's:".into(),
        LeftReason::Rewrite => "more than a name for a name:".into(),
    }
}

/// A note behind a line of code.
fn remark(note: Option<&str>) -> String {
    let note = note.map(plain);
    note.map_or_else(String::new, |note| format!(" // {note}"))
}

/// Text that stays on its line of comment.
fn plain(text: &str) -> String {
    let text = text.replace(char::is_control, " ");
    text.trim_end_matches('\\').to_owned()
}

/// Lines of comment.
fn comment(indent: &str, words: &str) -> String {
    let mut text = String::new();
    for one in wrapped(&plain(words), WIDTH - "// ".len() - indent.len()) {
        line(&mut text, &format!("// {indent}{}", plain(&one)));
    }
    text
}

fn line(text: &mut String, line: &str) {
    // A `String` takes what is written to it.
    let _ = writeln!(text, "{line}");
}
