//! The head of a table file: whose it is, and what its rows refer to.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;
use toml::de::DeTable;

use super::error::{MappingError, TableText};
use super::parts::take;
use super::schema::{Nature, Section, Stem};

/// The id of a user's table that names none.
pub const USER: &str = "user";

/// Who wrote a table, which decides what it may leave out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TableAuthor {
    BuiltIn,
    User,
    /// A facts file, which a program wrote.
    Facts,
}

/// The definitions that rows refer to.
pub(super) struct TableHead {
    pub(super) file: String,
    pub(super) origin: TableAuthor,
    pub(super) id: String,
    pub(super) title: String,
    pub(super) proven: bool,
    pub(super) stems: Vec<Stem>,
    /// Pieces that mark a name as CUDA's, although no rule says what becomes of them.
    pub(super) marks: Vec<String>,
    /// The natures of names that no declaration brings.
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

impl TableHead {
    /// Takes the head out of a file and reads it; of a user's table it may be missing.
    ///
    /// # Errors
    /// The first fault, with its line.
    pub(super) fn read(
        text: &TableText<'_>,
        file: &str,
        origin: TableAuthor,
        parts: &mut DeTable<'_>,
    ) -> Result<Self, MappingError> {
        let spec = match (take::<TableSpec>(text, parts, "table")?, origin) {
            (Some(spec), _) => spec,
            (None, TableAuthor::User) => TableSpec {
                id: USER.to_owned(),
                title: None,
                rule: RuleSpec::Proven,
                stems: BTreeMap::new(),
                marks: Vec::new(),
                macros: Vec::new(),
                switches: Vec::new(),
                native: Vec::new(),
            },
            (None, TableAuthor::BuiltIn | TableAuthor::Facts) => {
                return Err(text.fault(
                    &(0..0),
                    "the table has no head: write [table] with its `id`",
                ));
            }
        };
        let natures = natures(text, parts, &spec)?;
        Ok(Self {
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
}

/// The names that the head calls macros or switches; each has a row.
fn natures(
    text: &TableText<'_>,
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
