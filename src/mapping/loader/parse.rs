//! A table file: its parts, and the checks that need no other table.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::{MappingError, TableText};
use super::extra::{self, Architecture, Hazard, Target};
use super::facts::{self, Facts};
use super::head::{TableAuthor, TableHead};
use super::parts::{take, take_list};
use super::row;
use super::schema::{Row, Section, Stem};

/// A row and where it stands.
#[derive(Clone, Debug)]
pub struct Placed {
    /// The section it stands in.
    pub section: Section,
    /// Its 1-based line.
    pub line: usize,
    /// The row itself.
    pub row: Row,
}

/// A name that a user's table forbids to translate, and where it says so.
#[derive(Clone, Debug)]
pub struct Forbidden {
    /// The CUDA name, of any section.
    pub name: String,
    /// Its 1-based line.
    pub line: usize,
}

/// The part of a table's head that describes the library.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableInfo {
    /// `cudart`
    pub id: String,
    /// What the library is called.
    pub title: String,
    /// Whether names that only the prefix rule speaks for are renamed.
    pub proven: bool,
}

/// One table file, read and checked by itself.
#[derive(Clone, Debug)]
pub struct Table {
    /// The file as the caller named it.
    pub file: String,
    /// What its head says.
    pub info: TableInfo,
    /// The pieces of names that change by rule.
    pub stems: Vec<Stem>,
    /// Its rows.
    pub rows: Vec<Placed>,
    /// Names that the table forbids to translate.
    pub forbidden: Vec<Forbidden>,
    /// Its rows on what an sm number means, by feature.
    pub architectures: Vec<Architecture>,
    /// The GPUs that it knows as targets.
    pub targets: Vec<Target>,
    /// Its hazards.
    pub hazards: Vec<Hazard>,
    /// What a facts file says of itself; `None` for other tables.
    pub facts: Option<Facts>,
}

/// Reads a table that comes with the program.
///
/// # Errors
/// The first fault, with its line.
pub fn parse_builtin(file: &str, text: &str) -> Result<Table, MappingError> {
    parse(file, text, TableAuthor::BuiltIn)
}

/// Reads a user's table. Keys of the file that are none of a table's are left to the caller: the
/// tables may be parts of a larger configuration file.
///
/// # Errors
/// The first fault, with its line.
pub fn parse_overlay(file: &str, text: &str) -> Result<Table, MappingError> {
    parse(file, text, TableAuthor::User)
}

/// Reads a facts file.
///
/// # Errors
/// The first fault, with its line.
pub fn parse_facts(file: &str, text: &str) -> Result<Table, MappingError> {
    parse(file, text, TableAuthor::Facts)
}

fn parse(file: &str, raw: &str, origin: TableAuthor) -> Result<Table, MappingError> {
    let text = TableText::new(file, raw);
    let document = DeTable::parse(raw).map_err(|error| text.toml_fault(&error, &(0..0)))?;
    let mut parts = document.into_inner();
    let facts = facts::take_head(&text, origin, &mut parts)?;
    let head = TableHead::read(&text, file, origin, &mut parts)?;
    let architectures = take_list(
        &text,
        &mut parts,
        "architectures",
        extra::check_architecture,
    )?;
    let targets = take_list(&text, &mut parts, "targets", extra::check_target)?;
    let hazards = take_list(&text, &mut parts, "hazards", extra::check_hazard)?;
    let forbidden = match take::<Vec<Spanned<String>>>(&text, &mut parts, "forbid")? {
        Some(_) if origin != TableAuthor::User => {
            let fault = "`forbid` is for a user's table".to_owned();
            return Err(MappingError {
                file: file.to_owned(),
                line: 1,
                fault,
            });
        }
        Some(names) => names
            .into_iter()
            .map(|name| Forbidden {
                line: text.line(name.span().start),
                name: name.into_inner(),
            })
            .collect(),
        None => Vec::new(),
    };

    if origin == TableAuthor::BuiltIn {
        // `builds::FlagSyntax` reads it.
        parts.remove("syntax");
    }
    let mut rows = Vec::new();
    for (key, value) in parts {
        let Some(section) = Section::from_key(key.get_ref()) else {
            if origin == TableAuthor::User {
                continue;
            }
            let fault = format!("`{}` is no part of a table", key.get_ref());
            return Err(text.fault(&key.span(), fault));
        };
        let DeValue::Table(entries) = value.into_inner() else {
            let fault = format!("`{}` is no table: write [{0}] on a line", section.as_str());
            return Err(text.fault(&key.span(), fault));
        };
        read_rows(&text, &head, section, entries, &mut rows)?;
    }
    Ok(Table {
        file: file.to_owned(),
        info: TableInfo {
            id: head.id,
            title: head.title,
            proven: head.proven,
        },
        stems: head.stems,
        rows,
        forbidden,
        architectures,
        targets,
        hazards,
        facts,
    })
}

fn read_rows(
    text: &TableText<'_>,
    head: &TableHead,
    section: Section,
    entries: DeTable<'_>,
    rows: &mut Vec<Placed>,
) -> Result<(), MappingError> {
    // The parser hands the rows over in the order of their names, whatever the file's.
    let mut last: Option<(usize, String)> = None;
    for (key, value) in entries {
        let start = key.span().start;
        if head.origin == TableAuthor::BuiltIn {
            if let Some((place, name)) = &last
                && *place > start
            {
                let fault = format!(
                    "rows are sorted by name: `{}` goes after `{name}`",
                    key.get_ref()
                );
                return Err(text.fault(&key.span(), fault));
            }
            last = Some((start, key.get_ref().to_string()));
        }
        let row = row::read(text, head, section, &key, value)?;
        rows.push(Placed {
            section,
            line: text.line(start),
            row,
        });
    }
    Ok(())
}
