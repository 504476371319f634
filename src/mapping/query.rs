//! Looks a name up that somebody typed.

use super::{Row, Section, Tables};

/// The answer of the tables to a question for a name.
#[derive(Debug)]
pub struct Answer<'a> {
    /// The name as the user typed it.
    pub name: String,
    /// Its rows, one for each section that has the name.
    pub rows: Vec<(Section, &'a Row)>,
    /// CUDA names that may have been meant, best first; empty where there are rows.
    pub near: Vec<&'a str>,
    /// CUDA names that go to this name: it is a MUSA name. Empty where there are rows.
    pub sources: Vec<&'a str>,
}

/// How many names are suggested at most.
const SUGGESTIONS: usize = 5;

/// Below this likeness, in hundredths, a name is no near miss.
const LIKENESS: u32 = 75;

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
    if rows.is_empty() {
        sources = all(tables)
            .filter(|row| row.to.as_deref() == Some(name))
            .map(key)
            .collect();
        sources.sort_unstable();
        sources.dedup();
        near = near_misses(bare, all(tables).map(key));
    }
    Answer {
        name: name.to_owned(),
        rows,
        near,
        sources,
    }
}

/// The rows of one library, by section and then by name; empty for an unknown library.
pub fn library<'a>(tables: &'a Tables, id: &str) -> impl Iterator<Item = (Section, &'a Row)> {
    Section::ALL
        .into_iter()
        .flat_map(|section| tables.rows(section).map(move |row| (section, row)))
        .filter(move |(_, row)| row.library == id)
}

/// The names among `known` that look most like `name`, best first.
pub fn near_misses<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let lower = name.to_lowercase();
    let mut near: Vec<(f64, &str)> = known
        .filter_map(|other| {
            // The likeness can't exceed the ratio of lengths: most names are out by that alone.
            let (short, long) = (name.len().min(other.len()), name.len().max(other.len()));
            if short * 100 < long * LIKENESS as usize {
                return None;
            }
            let likeness = strsim::normalized_damerau_levenshtein(&lower, &other.to_lowercase());
            (likeness * 100.0 >= f64::from(LIKENESS)).then_some((likeness, other))
        })
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    near.dedup_by_key(|(_, other)| *other);
    near.truncate(SUGGESTIONS);
    near.into_iter().map(|(_, other)| other).collect()
}

fn all(tables: &Tables) -> impl Iterator<Item = &Row> {
    Section::ALL
        .into_iter()
        .flat_map(|section| tables.rows(section))
}

fn key(row: &Row) -> &str {
    &row.cuda
}
