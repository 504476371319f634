//! A table file: its parts, and the checks that need no other table.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

use super::error::{MappingError, Text};
use super::extra::{self, Architecture, Hazard, Target};
use super::row;
use super::schema::{Nature, Row, Section, Stem};

/// Who wrote a table, which decides what it may leave out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    BuiltIn,
    User,
}

/// A row and where it stands.
#[derive(Clone, Debug)]
pub struct Placed {
    /// The section it stands in.
    pub section: Section,
    /// Its 1-based line.
    pub line: usize,
    /// What it says.
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

/// What a table's head says of the library.
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
    /// What it forbids.
    pub forbidden: Vec<Forbidden>,
    /// Its rows on what an sm number means, by feature.
    pub architectures: Vec<Architecture>,
    /// The GPUs that it knows as targets.
    pub targets: Vec<Target>,
    /// Its hazards.
    pub hazards: Vec<Hazard>,
}

/// What rows refer to.
pub(super) struct Head {
    pub(super) file: String,
    pub(super) origin: Origin,
    pub(super) id: String,
    pub(super) title: String,
    pub(super) proven: bool,
    pub(super) stems: Vec<Stem>,
    /// Pieces that mark a name as CUDA's, although no rule says what becomes of them.
    pub(super) marks: Vec<String>,
    /// What the names are that no declaration brings.
    pub(super) natures: BTreeMap<String, Nature>,
    /// Pieces of counterparts that CUDA's side declares itself.
    pub(super) native: Vec<String>,
    pub(super) sources: BTreeMap<String, String>,
    pub(super) advice: BTreeMap<String, String>,
    pub(super) needs: BTreeMap<String, Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TableSpec {
    id: String,
    title: Option<String>,
    #[serde(default)]
    rule: RuleSpec,
    #[serde(default)]
    stems: BTreeMap<String, String>,
    #[serde(default)]
    marks: Vec<String>,
    #[serde(default)]
    macros: Vec<Spanned<String>>,
    #[serde(default)]
    switches: Vec<Spanned<String>>,
    #[serde(default)]
    native: Vec<String>,
}

#[derive(Deserialize, Default, PartialEq)]
#[serde(rename_all = "lowercase")]
enum RuleSpec {
    Proven,
    #[default]
    Unproven,
}

/// Reads a table that comes with the program.
///
/// # Errors
/// The first fault, with its line.
pub fn parse_builtin(file: &str, text: &str) -> Result<Table, MappingError> {
    parse(file, text, Origin::BuiltIn)
}

/// Reads a user's table. Keys of the file that are none of a table's are left to the caller: the
/// tables may be parts of a larger configuration file.
///
/// # Errors
/// The first fault, with its line.
pub fn parse_overlay(file: &str, text: &str) -> Result<Table, MappingError> {
    parse(file, text, Origin::User)
}

fn parse(file: &str, raw: &str, origin: Origin) -> Result<Table, MappingError> {
    let text = Text::new(file, raw);
    let document = DeTable::parse(raw).map_err(|error| text.toml_fault(&error, &(0..0)))?;
    let mut parts = document.into_inner();
    let head = read_head(&text, file, origin, &mut parts)?;
    let architectures = take_list(
        &text,
        &mut parts,
        "architectures",
        extra::check_architecture,
    )?;
    let targets = take_list(&text, &mut parts, "targets", extra::check_target)?;
    let hazards = take_list(&text, &mut parts, "hazards", extra::check_hazard)?;
    let forbidden = match take::<Vec<Spanned<String>>>(&text, &mut parts, "forbid")? {
        Some(_) if origin == Origin::BuiltIn => {
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

    let mut rows = Vec::new();
    for (key, value) in parts {
        let Some(section) = Section::from_key(key.get_ref()) else {
            if origin == Origin::User {
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
    })
}

fn read_rows(
    text: &Text<'_>,
    head: &Head,
    section: Section,
    entries: DeTable<'_>,
    rows: &mut Vec<Placed>,
) -> Result<(), MappingError> {
    // The parser hands the rows over in the order of their names, whatever the file's.
    let mut last: Option<(usize, String)> = None;
    for (key, value) in entries {
        let start = key.span().start;
        if head.origin == Origin::BuiltIn {
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

/// The id of a user's table that names none.
pub const USER: &str = "user";

fn read_head(
    text: &Text<'_>,
    file: &str,
    origin: Origin,
    parts: &mut DeTable<'_>,
) -> Result<Head, MappingError> {
    let spec = match (take::<TableSpec>(text, parts, "table")?, origin) {
        (Some(spec), _) => spec,
        (None, Origin::User) => TableSpec {
            id: USER.to_owned(),
            title: None,
            rule: RuleSpec::Proven,
            stems: BTreeMap::new(),
            marks: Vec::new(),
            macros: Vec::new(),
            switches: Vec::new(),
            native: Vec::new(),
        },
        (None, Origin::BuiltIn) => {
            return Err(text.fault(
                &(0..0),
                "the table has no head: write [table] with its `id`",
            ));
        }
    };
    let natures = natures(text, parts, &spec)?;
    Ok(Head {
        file: file.to_owned(),
        origin,
        title: spec.title.unwrap_or_else(|| spec.id.clone()),
        id: spec.id,
        marks: spec.marks,
        natures,
        native: spec.native,
        proven: spec.rule == RuleSpec::Proven,
        stems: spec
            .stems
            .into_iter()
            .map(|(cuda, musa)| Stem {
                cuda: Cow::Owned(cuda),
                musa: Cow::Owned(musa),
            })
            .collect(),
        sources: take(text, parts, "sources")?.unwrap_or_default(),
        advice: take(text, parts, "advice")?.unwrap_or_default(),
        needs: take(text, parts, "needs")?.unwrap_or_default(),
    })
}

/// The names that the head calls macros or switches; each has a row.
fn natures(
    text: &Text<'_>,
    parts: &DeTable<'_>,
    spec: &TableSpec,
) -> Result<BTreeMap<String, Nature>, MappingError> {
    let rows = parts.get(Section::Names.as_str());
    let rows = rows.and_then(|rows| rows.get_ref().as_table());
    let lists = [
        (&spec.macros, Nature::Macro),
        (&spec.switches, Nature::Switch),
    ];
    let mut natures = BTreeMap::new();
    for (list, nature) in lists {
        for name in list {
            let fault = |fault| Err(text.fault(&name.span(), fault));
            let name = name.get_ref();
            if rows.is_none_or(|rows| !rows.contains_key(name.as_str())) {
                return fault(format!(
                    "`{name}` is called a macro, and has no row under [names]"
                ));
            }
            if natures.insert(name.clone(), nature).is_some() {
                return fault(format!("`{name}` is called a macro twice"));
            }
        }
    }
    Ok(natures)
}

/// Takes one part out of the file and reads it.
fn take<T: DeserializeOwned>(
    text: &Text<'_>,
    parts: &mut DeTable<'_>,
    key: &str,
) -> Result<Option<T>, MappingError> {
    let Some(value) = parts.remove(key) else {
        return Ok(None);
    };
    let whole = value.span();
    match T::deserialize(ValueDeserializer::from(value)) {
        Ok(part) => Ok(Some(part)),
        Err(error) => {
            let mut error = text.toml_fault(&error, &whole);
            error.fault = format!("`{key}`: {}", error.fault);
            Err(error)
        }
    }
}

/// Takes a list of records out of the file and checks each.
fn take_list<T: DeserializeOwned>(
    text: &Text<'_>,
    parts: &mut DeTable<'_>,
    key: &str,
    check: impl Fn(&T) -> Result<(), String>,
) -> Result<Vec<T>, MappingError> {
    let records: Vec<Spanned<T>> = take(text, parts, key)?.unwrap_or_default();
    let mut checked = Vec::with_capacity(records.len());
    for record in records {
        let span: Range<usize> = record.span();
        let record = record.into_inner();
        check(&record).map_err(|fault| text.fault(&span, fault))?;
        checked.push(record);
    }
    Ok(checked)
}
