//! Compares the rows of the tables with what an SDK has.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::api::Api;
use super::candidates::{candidates, is_of_musa, is_torchs, owner};
use super::exports::Exports;
use super::facts::{Fact, Rows};
use super::headers::Headers;
use super::modules::Modules;
use super::new_names::new_names;
use super::renamed_namespaces;
use super::signatures::Comparison;
use super::similar_names::SimilarNames;
use crate::mapping::learn::{LearnTable, RowChoices};
use crate::mapping::names::stems::by_rule;
use crate::mapping::{Relation, Row, Section, Tables, has, starts_with_one};

/// What was read.
pub(super) struct SdkContents<'a> {
    pub(super) tables: &'a Tables,
    pub(super) headers: &'a Headers,
    pub(super) exports: &'a Exports,
    pub(super) modules: &'a Modules,
    /// Options that the compiler's help names.
    pub(super) options: &'a [String],
    /// CUDA's side.
    pub(super) cuda: &'a Api,
    /// Whether the compiler's own headers are among the headers.
    pub(super) has_compiler: bool,
    /// The headers of torch and `torch_musa`, where both were found.
    pub(super) torch: Option<&'a Headers>,
}

/// Compares each row with what was seen.
struct Compared<'a> {
    seen: &'a SdkContents<'a>,
    choices: &'a RowChoices,
    musa: Api,
    near: SimilarNames<'a>,
    /// Whether the SDK has anything of a library, by its table.
    shown: RefCell<BTreeMap<String, bool>>,
}

/// The facts on all names of the tables on which the SDK says something, and on names that it alone has.
pub(super) fn facts(seen: &SdkContents<'_>) -> Rows {
    let compared = Compared {
        seen,
        choices: &LearnTable::builtin().rows,
        musa: Api::of(seen.headers, String::new()),
        near: SimilarNames::new(seen.headers),
        shown: RefCell::default(),
    };
    let mut rows = Rows::new();
    for section in Section::ALL {
        for row in seen.tables.rows(section) {
            if let Some(fact) = compared.fact(section, row) {
                rows.insert((section, row.cuda.to_string()), fact);
            }
        }
    }
    let differs = |cuda: &str, musa: &str| compared.differs(cuda, musa);
    new_names(seen.tables, seen.headers, &differs, &mut rows);
    renamed_namespaces::namespaces(seen.tables, seen.headers, &mut rows);
    renamed_namespaces::folders(seen.tables, seen.headers, &mut rows);
    rows
}

impl Compared<'_> {
    fn fact(&self, section: Section, row: &Row) -> Option<Fact> {
        let kept = |family: &str| has(&self.choices.kept_families, family);
        if row.family.as_deref().is_some_and(kept) {
            return None;
        }
        match section {
            Section::Names | Section::Members | Section::Namespaces | Section::Qualified => {
                self.name(section, row)
            }
            Section::Headers => self.header(row),
            Section::Libraries | Section::LibraryFiles => self.library(section, row),
            Section::Flags => self.flag(row),
            Section::Environment | Section::Python => None,
        }
    }

    fn name(&self, section: Section, row: &Row) -> Option<Fact> {
        let candidates = candidates(self.seen.tables, row);
        let there = |name: &String| {
            let source = self.declared(section, row, name)?;
            Some(Fact::present(&row.cuda, name, source))
        };
        if let Some(mut fact) = candidates.iter().find_map(there) {
            let musa = candidates
                .iter()
                .find(|name| self.declared(section, row, name).is_some());
            fact.differs = musa.and_then(|musa| self.differs(&row.cuda, musa));
            return Some(fact);
        }
        let elsewhere = |name: &String| {
            let source = self.used(section, row, name)?;
            Some(Fact::present(&row.cuda, name, source))
        };
        if let Some(fact) = candidates.iter().find_map(elsewhere) {
            return Some(fact);
        }
        let missing = candidates.first()?;
        let last = missing.rsplit("::").next().unwrap_or(missing);
        // A macro may have opened the namespace around a declaration.
        let may_be_inside =
            section == Section::Qualified && !self.seen.headers.all(last).is_empty();
        let is_counted = section != Section::Members
            && !may_be_inside
            && row.relation != Relation::Same
            && self.mentions(&row.library)
            && is_of_musa(row, missing);
        is_counted.then(|| {
            let who = owner(row);
            let mut fact = Fact::missing(&format!("{missing} is in no header of {who}"));
            if !is_torchs(&row.library) {
                fact.advice = self.near.advice(missing);
            }
            fact
        })
    }

    /// The headers that have the names of a row's table; `None` where they were not found.
    fn headers(&self, row: &Row) -> Option<&Headers> {
        if is_torchs(&row.library) {
            self.seen.torch
        } else {
            Some(self.seen.headers)
        }
    }

    /// Where a header declares a name.
    fn declared(&self, section: Section, row: &Row, name: &str) -> Option<String> {
        let headers = self.headers(row)?;
        let known = match section {
            Section::Members => headers.member(name),
            Section::Qualified => headers.qualified(name),
            Section::Namespaces => {
                let is_there = headers.has_namespace(name);
                return is_there.then(|| format!("declared: namespace {name}"));
            }
            _ => headers.plain(name),
        };
        Some(format!("declared: {}", headers.show(known?.place)))
    }

    /// What else shows that a name is there.
    fn used(&self, section: Section, row: &Row, name: &str) -> Option<String> {
        if section != Section::Names || is_torchs(&row.library) {
            return None;
        }
        if let Some(library) = self.seen.exports.library_of(name) {
            return Some(format!("exported: {library}"));
        }
        let place = self.seen.headers.used(name)?;
        Some(format!("used: {}", self.seen.headers.show(place)))
    }

    fn differs(&self, cuda: &str, musa: &str) -> Option<String> {
        let renamed = |name: &str| {
            let row = self.seen.tables.get(Section::Names, name.as_bytes());
            match row.map(|row| (row.relation, row.to.as_deref())) {
                Some((_, Some(to))) => to.to_owned(),
                Some((Relation::Same, None)) => name.to_owned(),
                _ => by_rule(self.seen.tables.stems(), name),
            }
        };
        let comparison = Comparison {
            cuda: self.seen.cuda,
            musa: &self.musa,
            renamed: &renamed,
        };
        let value = || {
            let counts = self.choices.has_value(cuda);
            counts.then(|| comparison.value_differs(cuda, musa))?
        };
        comparison.differs(cuda, musa).or_else(value)
    }

    /// Whether a name of this table that is not found is surely missing.
    fn mentions(&self, library: &str) -> bool {
        let among = |list: &[String]| has(list, library);
        if among(&self.choices.declared_only) {
            return false;
        }
        if among(&self.choices.with_compiler) {
            return self.seen.has_compiler;
        }
        if is_torchs(library) {
            return self.seen.torch.is_some();
        }
        !among(&self.choices.elsewhere) || self.shows(library)
    }

    /// Whether the SDK has any name or header of this table.
    fn shows(&self, library: &str) -> bool {
        if let Some(known) = self.shown.borrow().get(library) {
            return *known;
        }
        let (tables, headers) = (self.seen.tables, self.seen.headers);
        let of_library = |row: &&Row| row.library == library && row.relation != Relation::Same;
        let mut names = tables.rows(Section::Names).filter(of_library);
        let mut paths = tables.rows(Section::Headers).filter(of_library);
        let shown = paths.any(|row| row.to.as_deref().is_some_and(|to| headers.has_path(to)))
            || names.any(|row| {
                let mut all = candidates(tables, row).into_iter();
                row.stem && all.any(|name| headers.plain(&name).is_some())
            });
        self.shown.borrow_mut().insert(library.to_owned(), shown);
        shown
    }

    fn header(&self, row: &Row) -> Option<Fact> {
        let headers = self.headers(row)?;
        let candidates: Vec<String> = candidates(self.seen.tables, row)
            .into_iter()
            .map(|path| match path.strip_suffix(".cuh") {
                Some(front)
                    if row.to.is_none() && row.relation != Relation::Same && path != row.cuda =>
                {
                    format!("{front}.muh")
                }
                _ => path,
            })
            .collect();
        let is_folder = row.cuda.ends_with('/');
        let is_there = |path: &&String| {
            if is_folder {
                headers.has_folder(path)
            } else {
                headers.has_path(path)
            }
        };
        match candidates.iter().find(is_there) {
            // What a folder lacks is not known by its name.
            Some(_) if is_folder && row.relation != Relation::Renamed => None,
            Some(path) => Some(Fact::present(&row.cuda, path, format!("declared: {path}"))),
            None if row.relation == Relation::Same || !self.mentions(&row.library) => None,
            None => {
                let path = candidates.first().filter(|path| is_of_musa(row, path))?;
                let who = owner(row);
                Some(Fact::missing(&format!("{who} has no {path}")))
            }
        }
    }

    fn library(&self, section: Section, row: &Row) -> Option<Fact> {
        let candidates = candidates(self.seen.tables, row);
        let found = candidates.iter().find_map(|name| {
            let place = self.library_place(section, name)?;
            Some(Fact::present(&row.cuda, name, format!("declared: {place}")))
        });
        if found.is_some() || row.relation == Relation::Same {
            return found;
        }
        let name = candidates.first()?;
        let bare = row.cuda.rsplit("::").next().unwrap_or(&row.cuda);
        let is_read = if name.contains("::") {
            self.seen.modules.has_targets()
        } else {
            self.seen.exports.has_files()
        };
        if !is_read || starts_with_one(bare, &self.choices.libraries_elsewhere) {
            return None;
        }
        Some(Fact::missing(&format!("the SDK has no library {name}")))
    }

    fn library_place(&self, section: Section, name: &str) -> Option<&str> {
        if name.contains("::") {
            return self.seen.modules.target(name);
        }
        let exports = self.seen.exports;
        if section == Section::LibraryFiles {
            return exports.file(name);
        }
        let names = &LearnTable::builtin().libraries;
        let file = |ending: &str| exports.file(&format!("{}{name}{ending}", names.prefix));
        file(&names.shared).or_else(|| file(&names.r#static))
    }

    /// The compiler's help names only some of its options: one that it leaves out may be there.
    fn flag(&self, row: &Row) -> Option<Fact> {
        let candidates = candidates(self.seen.tables, row);
        let mut names = candidates.iter();
        let name = names.find(|name| self.seen.options.contains(name))?;
        let source = format!("declared: mcc --help names {name}");
        Some(Fact::present(&row.cuda, name, source))
    }
}
