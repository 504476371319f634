//! Reads one row of a table file into the program's type.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeValue, ValueDeserializer};

use super::error::{MappingError, TableText};
use super::head::{TableAuthor, TableHead};
use super::schema::{Evidence, Nature, Relation, Row, Runtime, Section, Since};
use super::spelling;

/// A row as a file spells it.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Spec {
    to: Option<String>,
    relation: Option<Relation>,
    evidence: Option<Evidence>,
    source: Option<String>,
    differs: Option<String>,
    note: Option<String>,
    advice: Option<String>,
    family: Option<String>,
    since: Option<Since>,
    needs: Option<Needs>,
    #[serde(default)]
    std: bool,
    #[serde(default)]
    primary: bool,
    runtime: Option<Runtime>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Needs {
    Key(String),
    List(Vec<String>),
}

/// Reads and checks one row.
pub(super) fn read(
    text: &TableText<'_>,
    head: &TableHead,
    section: Section,
    key: &Spanned<Cow<'_, str>>,
    value: Spanned<DeValue<'_>>,
) -> Result<Row, MappingError> {
    let name = key.get_ref().as_ref();
    let span = key.span();
    let reader = Reader {
        text,
        head,
        section,
        name,
        span: &span,
    };
    if let Some(fault) = spelling::fault(section, name) {
        return Err(reader.fault(fault));
    }
    let whole = value.span();
    let spec = match value.get_ref() {
        DeValue::String(to) if head.origin == TableAuthor::User => Spec {
            to: Some(to.to_string()),
            ..Spec::default()
        },
        DeValue::Table(_) => Spec::deserialize(ValueDeserializer::from(value))
            .map_err(|error| named(text.toml_fault(&error, &whole), name))?,
        other => {
            let found = other.type_str();
            let article = if found.starts_with(['a', 'i']) {
                "an"
            } else {
                "a"
            };
            let fault = format!("`{name}` is {article} {found}: expected {{ to = \"…\", … }}");
            return Err(reader.fault(fault));
        }
    };
    reader.row(spec)
}

fn named(mut error: MappingError, name: &str) -> MappingError {
    error.fault = format!("`{name}`: {}", error.fault);
    error
}

/// The state that the checks of one row share.
struct Reader<'a> {
    text: &'a TableText<'a>,
    head: &'a TableHead,
    section: Section,
    name: &'a str,
    span: &'a Range<usize>,
}

impl Reader<'_> {
    fn fault(&self, fault: impl Into<String>) -> MappingError {
        self.text.fault(self.span, fault)
    }

    fn row(&self, spec: Spec) -> Result<Row, MappingError> {
        let relation = self.relation(&spec)?;
        let evidence = self.evidence(&spec, relation)?;
        let advice = self.advice(&spec, relation, evidence)?;
        let runtime = self.runtime(&spec, relation)?;
        if spec.differs.is_some() && matches!(relation, Relation::Absent | Relation::Unknown) {
            let name = self.name;
            return Err(self.fault(format!(
                "`{name}` has `differs`, and no counterpart that can differ"
            )));
        }
        Ok(Row {
            cuda: Cow::Owned(self.name.to_owned()),
            relation,
            evidence,
            source: self.source(spec.source)?,
            differs: spec.differs.map(Cow::Owned),
            note: spec.note.map(Cow::Owned),
            advice: advice.map(Cow::Owned),
            since: spec.since,
            needs: self.needs(spec.needs)?,
            family: spec.family.map(Cow::Owned),
            library: Cow::Owned(self.head.id.clone()),
            stem: self.carries_a_stem(),
            std: spec.std,
            primary: spec.primary,
            runtime,
            nature: self.nature(spec.to.as_deref()),
            to: spec.to.map(Cow::Owned),
        })
    }

    fn nature(&self, to: Option<&str>) -> Nature {
        let last = to.map(|to| to.rsplit("::").next().unwrap_or(to));
        let native = |last: &str| self.head.native.iter().any(|piece| last.contains(piece));
        if last.is_some_and(native) {
            return Nature::Native;
        }
        let listed = self.head.natures.get(self.name);
        let listed = listed.filter(|_| self.section == Section::Names);
        listed.copied().unwrap_or(Nature::Declared)
    }

    fn carries_a_stem(&self) -> bool {
        let stems = self.head.stems.iter().map(|stem| &*stem.cuda);
        let marks = self.head.marks.iter().map(String::as_str);
        stems
            .chain(marks)
            .any(|piece| spelling::has_stem(self.name, piece))
    }

    fn relation(&self, spec: &Spec) -> Result<Relation, MappingError> {
        let name = self.name;
        let relation = match (spec.relation, &spec.to) {
            (Some(relation), _) => relation,
            (None, Some(_)) => Relation::Renamed,
            (None, None) => {
                return Err(self.fault(format!("`{name}` has neither `to` nor `relation`")));
            }
        };
        match (relation, &spec.to) {
            (Relation::Renamed, None) => {
                Err(self.fault(format!("`{name}` is renamed: `to` is missing")))
            }
            (Relation::Renamed, Some(to)) if to == name => Err(self.fault(format!(
                "`{name}` goes to itself: write relation = \"same\" for a name that MUSA keeps"
            ))),
            (Relation::Renamed, Some(to)) => match spelling::fault(self.section, to) {
                Some(fault) => Err(self.fault(format!("`{name}`: `to`: {fault}"))),
                None if name.ends_with('/') != to.ends_with('/') => Err(self.fault(format!(
                    "`{name}`: a folder of headers goes to a folder: both end in `/`, or neither"
                ))),
                None => Ok(relation),
            },
            (_, Some(_)) => Err(self.fault(format!(
                "`{name}` has `to`, but its relation is {}",
                relation.as_str()
            ))),
            (_, None) => Ok(relation),
        }
    }

    fn evidence(&self, spec: &Spec, relation: Relation) -> Result<Option<Evidence>, MappingError> {
        let name = self.name;
        match (spec.evidence, relation) {
            (Some(_), Relation::Unknown) => Err(self.fault(format!(
                "`{name}` is unknown: nothing can be evidence of that"
            ))),
            (Some(Evidence::Rule), Relation::Same | Relation::Absent) => Err(self.fault(format!(
                "`{name}`: a prefix rule speaks of renamed names only, not of {} ones",
                relation.as_str()
            ))),
            (Some(Evidence::Rule), Relation::Renamed) if !self.head.proven => Err(self.fault(
                format!("`{name}` rests on the prefix rule, which is unproven for this table"),
            )),
            (Some(Evidence::Sdk), _) if self.head.origin == TableAuthor::BuiltIn => {
                Err(self.fault(format!(
                    "`{name}` has the evidence of an SDK, which no table has that comes with the program"
                )))
            }
            (evidence, _)
                if self.head.origin == TableAuthor::Facts && evidence != Some(Evidence::Sdk) =>
            {
                Err(self.fault(format!(
                    "`{name}` is no fact: a row of a facts file has evidence = \"sdk\""
                )))
            }
            (None, Relation::Unknown) => Ok(None),
            // What a user writes down is a table's word, like anybody else's.
            (None, _) if self.head.origin == TableAuthor::User => Ok(Some(Evidence::Table)),
            (None, _) => Err(self.fault(format!(
                "`{name}` has no `evidence`: confirmed, table, rule or contested"
            ))),
            (evidence, _) => Ok(evidence),
        }
    }

    fn runtime(&self, spec: &Spec, relation: Relation) -> Result<Option<Runtime>, MappingError> {
        let name = self.name;
        if self.section != Section::Python {
            return match (spec.runtime, self.section) {
                (Some(Runtime::Keep), Section::Environment) => Ok(Some(Runtime::Keep)),
                (Some(_), _) => Err(self.fault(format!(
                    "`{name}` has `runtime`, which only names under [python] have, and \"keep\" under [environment]"
                ))),
                (None, _) => Ok(None),
            };
        }
        let runtime = spec.runtime.unwrap_or(match relation {
            Relation::Renamed => Runtime::Forward,
            Relation::Same => Runtime::Keep,
            Relation::Absent | Relation::Unknown => Runtime::Missing,
        });
        match (runtime, relation) {
            (Runtime::Forward, Relation::Same | Relation::Absent | Relation::Unknown) => {
                Err(self.fault(format!("`{name}` is forwarded, and has no `to`")))
            }
            (Runtime::Missing, Relation::Renamed | Relation::Same) => Err(self.fault(format!(
                "`{name}` is missing at run time, and its relation is {}",
                relation.as_str()
            ))),
            (Runtime::Silent, _) if spec.note.is_none() => Err(self.fault(format!(
                "`{name}` is silent: its `note` has to say what is ignored"
            ))),
            _ => Ok(Some(runtime)),
        }
    }

    fn source(&self, source: Option<String>) -> Result<Cow<'static, str>, MappingError> {
        let name = self.name;
        let Some(source) = source else {
            return match self.head.origin {
                TableAuthor::User => Ok(Cow::Owned(self.head.file.clone())),
                TableAuthor::BuiltIn | TableAuthor::Facts => {
                    Err(self.fault(format!("`{name}` has no `source`")))
                }
            };
        };
        if let Some(long) = self.head.sources.get(&source) {
            return Ok(Cow::Owned(long.clone()));
        }
        // A word alone is meant to be a key; a place or a sentence has more to it.
        if is_key(&source) {
            return Err(self.fault(format!(
                "`{name}`: no source `{source}` under [sources]: one word is a key of that table, \
                 a place or a sentence stands as it is"
            )));
        }
        Ok(Cow::Owned(source))
    }

    fn advice(
        &self,
        spec: &Spec,
        relation: Relation,
        evidence: Option<Evidence>,
    ) -> Result<Option<String>, MappingError> {
        let (name, known) = (self.name, &self.head.advice);
        if let Some(family) = &spec.family
            && !known.contains_key(family)
        {
            return Err(self.fault(format!("`{name}`: no family `{family}` under [advice]")));
        }
        if let Some(own) = &spec.advice {
            return Ok(Some(own.clone()));
        }
        if let Some(family) = &spec.family {
            return Ok(known.get(family).cloned());
        }
        let kind = match (relation, evidence) {
            (Relation::Absent | Relation::Unknown, _) => relation.as_str(),
            (_, Some(evidence @ (Evidence::Rule | Evidence::Contested))) => evidence.as_str(),
            _ => return Ok(None),
        };
        let advice = known.get(kind).cloned();
        if advice.is_none() && self.head.origin == TableAuthor::BuiltIn {
            return Err(self.fault(format!(
                "`{name}` has no advice: give it one, a `family`, or `{kind}` under [advice]"
            )));
        }
        Ok(advice)
    }

    fn needs(&self, needs: Option<Needs>) -> Result<Arc<[Cow<'static, str>]>, MappingError> {
        let name = self.name;
        let list = match needs {
            None => Vec::new(),
            Some(Needs::List(list)) => list,
            Some(Needs::Key(key)) => match self.head.needs.get(&key) {
                Some(list) => list.clone(),
                None => return Err(self.fault(format!("`{name}`: no list `{key}` under [needs]"))),
            },
        };
        for header in &list {
            if let Some(fault) = spelling::fault(Section::Headers, header) {
                return Err(self.fault(format!("`{name}`: `needs`: {fault}")));
            }
        }
        Ok(list.into_iter().map(Cow::Owned).collect())
    }
}

fn is_key(source: &str) -> bool {
    source
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}
