//! Looks a name up that somebody typed.

pub use super::likeness::near_misses;
use super::operator_query;
use super::operator_query::OperatorAnswer;
use crate::{Row, Section, Tables};

/// The answer of the tables to a question for a name.
#[derive(Debug)]
pub struct Answer<'a> {
    /// The name as the user typed it.
    pub name: String,
    /// Its rows, one for each section that has the name.
    pub rows: Vec<(Section, &'a Row)>,
    /// The rows of the namespace and of the last word of a qualified name that has no row itself.
    pub parts: Vec<(Section, &'a Row)>,
    /// What is known of it as an operator of `PyTorch`'s, or as a function that ends in some.
    pub operator: Option<OperatorAnswer>,
    /// CUDA names that may have been meant, best first; empty where there is an answer.
    pub near: Vec<String>,
    /// CUDA names that go to this name: it is a MUSA name. Empty where there are rows.
    pub sources: Vec<&'a str>,
}

impl Answer<'_> {
    /// Whether any table has the name.
    pub fn is_known(&self) -> bool {
        !self.rows.is_empty() || self.operator.is_some()
    }

    /// Whether the tables say what becomes of it, if only by its parts: a namespace alone says nothing of what is in it.
    pub fn is_answered(&self) -> bool {
        self.is_known() || self.parts.len() > 1
    }
}

/// Looks up one name in every section.
pub fn ask<'a>(tables: &'a Tables, name: &str) -> Answer<'a> {
    // People look link options up as they stand on a command line.
    let bare = name.strip_prefix("-l").unwrap_or(name);
    let mut rows: Vec<(Section, &Row)> = Section::ALL
        .into_iter()
        .filter_map(|section| match section {
            Section::Headers => Some((section, tables.header(name)?)),
            Section::Libraries => Some((section, tables.get(section, bare.as_bytes())?)),
            _ => Some((section, tables.get(section, name.as_bytes())?)),
        })
        .collect();
    rows.dedup();
    let (mut near, mut sources) = (Vec::new(), Vec::new());
    let operator = operator_query::ask(tables, name).filter(|_| rows.is_empty());
    let parts = if rows.is_empty() && operator.is_none() {
        parts(tables, name)
    } else {
        Vec::new()
    };
    if rows.is_empty() && operator.is_none() && parts.is_empty() {
        sources = all(tables)
            .filter(|row| row.to.as_deref() == Some(name))
            .map(key)
            .collect();
        sources.sort_unstable();
        sources.dedup();
        near = operator_query::similar_operators(name);
        if near.is_empty() {
            let rows = near_misses(bare, all(tables).map(key));
            near = rows.into_iter().map(str::to_owned).collect();
        }
    }
    Answer {
        name: name.to_owned(),
        rows,
        parts,
        operator,
        near,
        sources,
    }
}

/// The rows of the longest namespace in front of a qualified name, and of its last word, by which code is translated.
fn parts<'a>(tables: &'a Tables, name: &str) -> Vec<(Section, &'a Row)> {
    let find =
        |section: Section, part: &str| Some((section, tables.get(section, part.as_bytes())?));
    let mut ends = name.rmatch_indices("::").map(|(end, _)| end);
    let namespace = ends.find_map(|end| find(Section::Namespaces, name.get(..end)?));
    let last = name.rsplit("::").next();
    let last = last.and_then(|last| find(Section::Names, last));
    let last = last.filter(|_| namespace.is_some());
    namespace.into_iter().chain(last).collect()
}

/// The rows of one library, by section and then by name; empty for an unknown library.
pub fn library<'a>(tables: &'a Tables, id: &str) -> impl Iterator<Item = (Section, &'a Row)> {
    Section::ALL
        .into_iter()
        .flat_map(|section| tables.rows(section).map(move |row| (section, row)))
        .filter(move |(_, row)| row.library == id)
}

fn all(tables: &Tables) -> impl Iterator<Item = &Row> {
    Section::ALL
        .into_iter()
        .flat_map(|section| tables.rows(section))
}

fn key(row: &Row) -> &str {
    &row.cuda
}
