//! What decides which findings have one cause.

use crate::diagnostic::Severity;
use crate::mapping::causes::{CauseTable, CommonPart};
use crate::mapping::knowledge::Knowledge;
use crate::mapping::python::packages::{Package, Packages};
use crate::mapping::{Section, Tables, has};

/// The parts of a finding that decide its cause and its effort. A report that is read back holds these parts, too.
#[derive(Clone, Copy, Debug)]
pub(in crate::report) struct Symptom<'a> {
    pub(in crate::report) code: &'a str,
    /// The title of the code.
    pub(in crate::report) title: &'a str,
    pub(in crate::report) severity: Severity,
    pub(in crate::report) path: &'a str,
    pub(in crate::report) message: &'a str,
    pub(in crate::report) help: Option<&'a str>,
    /// The line of source, and what of it is meant; `None` for a finding about a whole file.
    pub(in crate::report) source: Option<(&'a str, &'a str)>,
    /// Whether the file is a test, a benchmark, an example, documentation or a file of CI.
    pub(in crate::report) auxiliary: bool,
    /// Whether it is an error that stops the start.
    pub(in crate::report) at_start: bool,
}

/// What the findings of one cause have in common.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::report) enum CauseKey<'a> {
    /// A code, or the first of the codes that one row of the table lists.
    Code(&'a str),
    /// A text that the codes of one row share.
    Text(&'a str, &'a str),
    /// A library, by its title.
    Library(&'a str),
}

impl<'a> CauseKey<'a> {
    /// The key of a finding.
    pub(in crate::report) fn of(symptom: &Symptom<'a>) -> Self {
        let Some(row) = CauseTable::builtin().row(symptom.code) else {
            return Self::Code(symptom.code);
        };
        let code = row.codes.first().map_or(symptom.code, String::as_str);
        let source = symptom.source.map(|(_, meant)| meant);
        let name = source.map_or(symptom.message, |meant| {
            let meant = meant.trim_matches(['<', '>', '"', ' ']);
            // An alias or a namespace around the place stands for what the message has in full.
            let full = quoted(symptom.message).filter(|full| full.contains("::"));
            full.filter(|_| meant.contains("::")).unwrap_or(meant)
        });
        match row.by {
            CommonPart::Code => Self::Code(code),
            CommonPart::Message => Self::Text(symptom.code, symptom.message),
            CommonPart::Package => Self::Text(code, package(symptom.message, symptom.help)),
            CommonPart::Advice => Self::Text(symptom.code, symptom.help.unwrap_or(symptom.message)),
            CommonPart::Name => match library(name).filter(|title| has(&row.replaced, title)) {
                Some(library) => Self::Library(library),
                None => match Knowledge::builtin().families.of(name.as_bytes()) {
                    Some(family) if !family.undeclared => Self::Library(&family.name),
                    _ => Self::Text(code, known_around(name).unwrap_or(name)),
                },
            },
        }
    }
}

/// What findings about a package have in common: what the table calls it, or else what is to be done.
pub(in crate::report) fn package<'t>(message: &'t str, help: Option<&'t str>) -> &'t str {
    let packages = Packages::builtin();
    let name = quoted(message).unwrap_or_default();
    let required = || Some(packages.required(name)?.0);
    let known = packages.named(name);
    let known = known.or_else(|| packages.fetched(name)).or_else(required);
    known.map_or(help.unwrap_or(message), Package::name)
}

/// The folder of headers, or the namespace, that a table lists as a whole, for a header or a name in it that no table
/// lists: what is known of it, is known of all of them.
fn known_around(name: &str) -> Option<&'static str> {
    let tables = Tables::builtin();
    if let Some(row) = tables.header(name) {
        return row.cuda.ends_with('/').then_some(&*row.cuda);
    }
    if tables.get(Section::Qualified, name.as_bytes()).is_some() {
        return None;
    }
    let mut ends = name.rmatch_indices("::").map(|(at, _)| at);
    let namespace = |end| tables.get(Section::Namespaces, name.get(..end)?.as_bytes());
    ends.find_map(namespace).map(|row| &*row.cuda)
}

/// The title of the library that a name or a header belongs to.
fn library(name: &str) -> Option<&'static str> {
    let tables = Tables::builtin();
    let mut rows = Section::ALL
        .into_iter()
        .filter_map(|section| match section {
            Section::Headers => tables.header(name),
            _ => tables.get(section, name.as_bytes()),
        });
    let id = &rows.next()?.library;
    let mut libraries = tables.libraries().iter();
    libraries
        .find(|library| library.id == *id)
        .map(|one| &*one.title)
}

/// The first name that a message quotes.
pub(in crate::report) fn quoted(message: &str) -> Option<&str> {
    let mut pieces = message.split('`');
    pieces.next();
    pieces.next().filter(|name| !name.is_empty())
}
