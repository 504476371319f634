//! The tables of a run: built-in rows, and the user's laid over them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use super::facts::FactTable;
use super::kernels::Kernels;
use super::learn::LearnTable;
use super::loader::image;
use super::loader::{
    self, Architecture, Facts, Hazard, MappingError, Placed, Relation, Row, Section, Stem, Table,
    Target,
};
use super::name_parts::NameParts;
use super::operator_calls::OperatorCalls;
use super::overlay::{Library, Overlay};
use super::packed::Packed;
use super::versions::not_yet;
use super::{Version, Versions};

/// The mapping tables of a run.
#[derive(Clone, Debug)]
pub struct Tables {
    builtin: &'static Packed,
    /// What was read of the user's SDK; it wins over the built-in rows.
    facts: Option<FactTable>,
    /// The user's rows, by section and name; they win.
    own: Vec<FxHashMap<Box<[u8]>, Row>>,
    /// Sorted.
    forbidden: Vec<String>,
    libraries: Vec<Library>,
    stems: Vec<Stem>,
    architectures: Vec<Architecture>,
    targets: Vec<Target>,
    hazards: Vec<Hazard>,
    /// The release of `torch_musa` that a port is for.
    torch_musa: Option<Version>,
    calls: OnceLock<Arc<OperatorCalls>>,
    parts: OnceLock<Arc<NameParts>>,
}

impl Tables {
    /// The tables that come with the program, set up on first use.
    pub fn builtin() -> &'static Self {
        static BUILTIN: OnceLock<Tables> = OnceLock::new();
        BUILTIN.get_or_init(|| {
            let builtin = Packed::builtin();
            let head = &builtin.head;
            let library = |&(id, title, proven): &(&'static str, &'static str, bool)| Library {
                id: Cow::Borrowed(id),
                title: Cow::Borrowed(title),
                proven,
            };
            let stem = |&(cuda, musa): &(&'static str, &'static str)| Stem {
                cuda: Cow::Borrowed(cuda),
                musa: Cow::Borrowed(musa),
            };
            Self {
                builtin,
                facts: None,
                own: Vec::new(),
                forbidden: Vec::new(),
                libraries: head.libraries.iter().map(library).collect(),
                stems: head.stems.iter().map(stem).collect(),
                architectures: head.architectures.clone(),
                targets: head.targets.clone(),
                hazards: head.hazards.clone(),
                torch_musa: None,
                calls: OnceLock::new(),
                parts: OnceLock::new(),
            }
        })
    }

    /// The tables of a run: the built-in ones, the facts and then the user's laid over them, and of all their rows
    /// those that hold for `versions`. A row whose counterpart came later says that MUSA lacks it, unless it is a
    /// fact: what was seen is there.
    ///
    /// # Errors
    /// The first fault of a table, with its file and line.
    pub fn for_run(
        facts: Option<FactTable>,
        overlays: &[Overlay],
        versions: &Versions,
    ) -> Result<Cow<'static, Self>, MappingError> {
        if facts.is_none() && overlays.is_empty() && versions.is_empty() {
            return Ok(Cow::Borrowed(Self::builtin()));
        }
        let mut tables = Self::layered(facts, overlays)?;
        tables.hold_for(versions);
        Ok(Cow::Owned(tables))
    }

    /// Whether these are the tables that come with the program, with nothing laid over them.
    pub fn are_builtin(&self) -> bool {
        std::ptr::eq(self, Self::builtin())
    }

    fn hold_for(&mut self, versions: &Versions) {
        self.torch_musa.clone_from(&versions.torch_musa);
        if versions.is_empty() {
            return;
        }
        for section in Section::ALL {
            let later: Vec<Row> = self
                .rows(section)
                .filter_map(|row| not_yet(row, versions))
                .collect();
            if let Some(own) = self.own.get_mut(section as usize) {
                own.extend(
                    later
                        .into_iter()
                        .map(|row| (row.cuda.as_bytes().into(), row)),
                );
            }
        }
    }

    /// The built-in tables with the user's laid over them, in order: a later one wins.
    ///
    /// # Errors
    /// The first fault of a table, with its file and line.
    pub fn with_overlays(overlays: &[Overlay]) -> Result<Self, MappingError> {
        Self::layered(None, overlays)
    }

    fn layered(facts: Option<FactTable>, overlays: &[Overlay]) -> Result<Self, MappingError> {
        let base = Self::builtin();
        let mut tables = Self {
            builtin: base.builtin,
            facts,
            own: Section::ALL.iter().map(|_| FxHashMap::default()).collect(),
            forbidden: Vec::new(),
            libraries: base.libraries.clone(),
            stems: base.stems.clone(),
            architectures: base.architectures.clone(),
            targets: base.targets.clone(),
            hazards: base.hazards.clone(),
            torch_musa: None,
            calls: OnceLock::new(),
            parts: OnceLock::new(),
        };
        let parsed: Vec<Table> = overlays
            .iter()
            .map(|overlay| loader::parse_overlay(&overlay.file, &overlay.text))
            .collect::<Result<_, _>>()?;
        for table in &parsed {
            tables.lay(table);
        }
        for table in &parsed {
            tables.check(table)?;
        }
        Ok(tables)
    }

    fn lay(&mut self, table: &Table) {
        for Placed { section, row, .. } in &table.rows {
            if let Some(own) = self.own.get_mut(*section as usize) {
                own.insert(row.cuda.as_bytes().into(), row.clone());
            }
        }
        self.forbidden.extend(
            table
                .forbidden
                .iter()
                .map(|forbidden| forbidden.name.clone()),
        );
        self.forbidden.sort();
        self.forbidden.dedup();
        if !self
            .libraries
            .iter()
            .any(|library| library.id == table.info.id)
        {
            self.libraries.push(Library {
                id: Cow::Owned(table.info.id.clone()),
                title: Cow::Owned(table.info.title.clone()),
                proven: table.info.proven,
            });
        }
        self.stems.extend(table.stems.iter().cloned());
        self.stems
            .sort_by(|a, b| image::stem_order((&a.cuda, &a.musa), (&b.cuda, &b.musa)));
        self.stems.dedup();
        self.architectures
            .extend(table.architectures.iter().cloned());
        self.targets.extend(table.targets.iter().cloned());
        self.hazards.extend(table.hazards.iter().cloned());
    }

    /// The checks of a user's table that need all the others.
    fn check(&self, table: &Table) -> Result<(), MappingError> {
        let fault = |line, fault| {
            Err(MappingError {
                file: table.file.clone(),
                line,
                fault,
            })
        };
        for Placed { section, line, row } in &table.rows {
            if let Some(to) = &row.to
                && let Some(next) = self.get(*section, to.as_bytes())
                && next.relation != Relation::Same
            {
                return fault(
                    *line,
                    format!(
                        "`{}` goes to `{to}`, which is a CUDA name itself: porting a port would \
                         change it again",
                        row.cuda
                    ),
                );
            }
        }
        for forbidden in &table.forbidden {
            let name = &forbidden.name;
            if !Section::ALL
                .iter()
                .any(|section| self.get(*section, name.as_bytes()).is_some())
            {
                return fault(
                    forbidden.line,
                    format!("`forbid` names `{name}`, which no table has: it has no effect"),
                );
            }
        }
        Ok(())
    }

    /// The row for exactly this name.
    pub fn get(&self, section: Section, key: &[u8]) -> Option<&Row> {
        let own = self.own.get(section as usize).and_then(|own| own.get(key));
        own.or_else(|| self.fact(section, key))
            .or_else(|| self.builtin_row(section, key))
    }

    /// What was seen of the user's SDK of exactly this name.
    fn fact(&self, section: Section, key: &[u8]) -> Option<&Row> {
        self.facts?.get(section, key)
    }

    /// What the built-in tables say of this name, whatever is laid over them.
    pub fn builtin_row(&self, section: Section, key: &[u8]) -> Option<&Row> {
        self.builtin.find(section, key)
    }

    /// What lies under the row that answers for a name, strongest first: what was seen of the SDK, and what the built-in
    /// tables say.
    pub fn under(&self, section: Section, answer: &Row) -> Vec<&Row> {
        let key = answer.cuda.as_bytes();
        let fact = self.fact(section, key);
        let builtin = self.builtin_row(section, key);
        // With nothing laid over it, a row is its own.
        let others = fact.into_iter().chain(fact.and(builtin));
        others.filter(|row| *row != answer).collect()
    }

    /// What the facts of the run say of themselves.
    pub fn facts(&self) -> Option<&Facts> {
        self.facts.as_ref().map(FactTable::head)
    }

    /// `PyTorch`'s operators in the `torch_musa` of the run.
    pub fn kernels(&self) -> Kernels<'_> {
        Kernels::new(self.torch_musa.as_ref(), self.facts())
    }

    /// Calls of `PyTorch`'s functions that end in operators which this `torch_musa` lacks.
    pub fn operator_calls(&self) -> &OperatorCalls {
        self.calls
            .get_or_init(|| Arc::new(OperatorCalls::new(self.kernels())))
    }

    /// The parts of the namespaces and qualified names in these tables.
    pub fn name_parts(&self) -> &NameParts {
        let make = || {
            let names = self.rows(Section::Namespaces);
            let names = names.chain(self.rows(Section::Qualified));
            Arc::new(NameParts::new(names, self.rows(Section::Headers)))
        };
        self.parts.get_or_init(make)
    }

    /// Why the facts of the run say nothing of a library, in words; `None` where they speak of it, and where nobody
    /// expects it of them.
    pub fn silence(&self, library: &str) -> Option<String> {
        let facts = self.facts.as_ref()?;
        let choices = &LearnTable::builtin().rows;
        let is_of = |list: &[String]| list.iter().any(|id| id == library);
        if facts.speaks_of(library) {
            return None;
        }
        if is_of(&choices.python) {
            return Some("the facts were learned without torch_musa".to_owned());
        }
        let mut all = self.libraries.iter();
        let known = all.find(|known| known.id == library && is_of(&choices.elsewhere))?;
        Some(format!(
            "{} has nothing of {}",
            facts.head().sdk_name(),
            known.title
        ))
    }

    /// Whether the facts of the run list what is in a namespace, so that what they leave out is not there.
    pub fn facts_list(&self, namespace: &str) -> bool {
        self.facts.is_some_and(|facts| facts.lists(namespace))
    }

    /// Whether a name is called otherwise on MUSA, or is not known to be there.
    pub fn changes(&self, section: Section, name: &[u8]) -> bool {
        let row = self.get(section, name);
        row.is_some_and(|row| row.relation != Relation::Same)
    }

    /// Whether the counterpart of a name is declared otherwise, as is known of the user's own SDK.
    pub fn differs(&self, section: Section, name: &[u8]) -> bool {
        // No table that comes with the program says so.
        let has_own_source = self.facts.is_some() || !self.own.is_empty();
        has_own_source
            && self
                .get(section, name)
                .is_some_and(|row| row.differs.is_some())
    }

    /// Whether an included path is called otherwise on MUSA, or is not known to be there.
    pub fn changes_header(&self, path: &str) -> bool {
        let row = self.header(path);
        row.is_some_and(|row| row.relation != Relation::Same)
    }

    /// The row for an included path: the exact one, else the longest row that ends in `/` and
    /// starts the path. [`Row::header_target`] says where the path goes.
    pub fn header(&self, path: &str) -> Option<&Row> {
        let exact = self.get(Section::Headers, path.as_bytes());
        exact.or_else(|| {
            path.rmatch_indices('/')
                .find_map(|(at, _)| self.get(Section::Headers, &path.as_bytes()[..=at]))
        })
    }

    /// Whether the user forbids translating this name; a name is forbidden in every section.
    pub fn is_forbidden(&self, _section: Section, key: &[u8]) -> bool {
        self.forbidden
            .binary_search_by(|name| name.as_bytes().cmp(key))
            .is_ok()
    }

    /// The rows of a section, sorted by name.
    pub fn rows(&self, section: Section) -> impl Iterator<Item = &Row> {
        let mut rows: BTreeMap<&str, &Row> = self
            .builtin
            .range(section)
            .map(|number| self.builtin.row(number))
            .map(|row| (&*row.cuda, row))
            .collect();
        if let Some(facts) = &self.facts {
            rows.extend(facts.rows(section).map(|row| (&*row.cuda, row)));
        }
        if let Some(own) = self.own.get(section as usize) {
            rows.extend(own.values().map(|row| (&*row.cuda, row)));
        }
        rows.into_values()
    }

    /// The pieces of names that change by rule, longest first.
    pub fn stems(&self) -> &[Stem] {
        &self.stems
    }

    /// The piece that is all of `word`.
    pub fn stem(&self, word: &[u8]) -> Option<&Stem> {
        self.stems.iter().find(|stem| stem.cuda.as_bytes() == word)
    }

    /// The tables' heads, in the order of their files, the user's last.
    pub fn libraries(&self) -> &[Library] {
        &self.libraries
    }

    /// What CUDA architecture numbers answer to, by feature and number.
    pub fn architectures(&self) -> &[Architecture] {
        &self.architectures
    }

    /// The GPU generations that a port can be for, by name.
    pub fn targets(&self) -> &[Target] {
        &self.targets
    }

    /// What a port can't mend, by id.
    pub fn hazards(&self) -> &[Hazard] {
        &self.hazards
    }

    /// The version of the program and of its tables, as people read it.
    pub const SHOWN_VERSION: &str = concat!(
        env!("CARGO_PKG_VERSION"),
        " (tables ",
        env!("TORCHADA_TABLES_HASH"),
        ")"
    );

    /// The version of the built-in tables: the program's, and a hash of the tables' texts.
    pub fn version() -> &'static str {
        concat!(env!("CARGO_PKG_VERSION"), "+", env!("TORCHADA_TABLES_HASH"))
    }
}
