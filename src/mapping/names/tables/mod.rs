//! The tables of a run: built-in rows, and the user's laid over them.

mod at_build;
mod layers;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use super::facts::FactTable;
use super::name_parts::NameParts;
use super::overlay::Library;
use super::packed::Packed;
use crate::Version;
use crate::kernels::Kernels;
use crate::kernels::calls::OperatorCalls;
use crate::learn::LearnTable;
use crate::loader::{Architecture, Facts, Hazard, Relation, Row, Section, Stem, Target};
use crate::word_list::has;

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

    /// Whether these are the tables that come with the program, with nothing laid over them.
    pub fn are_builtin(&self) -> bool {
        std::ptr::eq(self, Self::builtin())
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
    pub fn weaker_rows(&self, section: Section, answer: &Row) -> Vec<&Row> {
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
        if self.facts.is_none() && self.torch_musa.is_none() {
            return at_build::operator_calls();
        }
        self.calls
            .get_or_init(|| Arc::new(OperatorCalls::new(self.kernels())))
    }

    /// The parts of the namespaces and qualified names in these tables.
    pub fn name_parts(&self) -> &NameParts {
        if self.are_builtin() {
            return at_build::name_parts();
        }
        let make = || {
            let names = self.rows(Section::Namespaces);
            let names = names.chain(self.rows(Section::Qualified));
            Arc::new(NameParts::new(names, self.rows(Section::Headers)))
        };
        self.parts.get_or_init(make)
    }

    /// Why the facts of the run say nothing of a library, in words; `None` where they speak of it, and where nobody
    /// expects it of them.
    pub fn why_facts_are_silent(&self, library: &str) -> Option<String> {
        let facts = self.facts.as_ref()?;
        let choices = &LearnTable::builtin().rows;
        let is_of = |list: &[String]| has(list, library);
        if facts.mentions(library) {
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

    /// The header that an include names, without the place where a toolkit lies on somebody's machine:
    /// `/usr/local/cuda-10.1/include/cuda_runtime.h`.
    pub fn header_name(path: &str) -> &str {
        let is_absolute = path.starts_with('/') || path.get(1..2) == Some(":");
        let header = path.rsplit_once("/include/").map(|(_, header)| header);
        header.filter(|_| is_absolute).unwrap_or(path)
    }

    /// The row for an included path: the exact one, else the longest row that ends in `/` and
    /// starts the path. [`Row::header_target`] says where the path goes.
    pub fn header(&self, path: &str) -> Option<&Row> {
        let path = Self::header_name(path);
        let exact = self.get(Section::Headers, path.as_bytes());
        exact.or_else(|| {
            path.rmatch_indices('/')
                .find_map(|(at, _)| self.get(Section::Headers, &path.as_bytes()[..=at]))
        })
    }

    /// Whether the user forbids translating this name; a name is forbidden in every section.
    pub fn is_forbidden(&self, key: &[u8]) -> bool {
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
        let longer = |stem: &Stem| stem.cuda.len() > word.len();
        let rest = self.stems.get(self.stems.partition_point(longer)..)?;
        let mut alike = rest.iter().take_while(|stem| stem.cuda.len() == word.len());
        alike.find(|stem| stem.cuda.as_bytes() == word)
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
