//! The knowledge that is there before any file is read: tables, knowledge base, hazards.

use rustc_hash::FxHashSet;

use torchada_hazards::Hazards;
use torchada_mapping::knowledge::Knowledge;
use torchada_mapping::{Relation, Section, Tables};
use torchada_ptx::Translator;
use torchada_syntax::Macro;

/// The knowledge that rules have from the start.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Names and their counterparts.
    pub tables: &'a Tables,
    /// Vendors, kinds of files, calls.
    pub knowledge: &'a Knowledge,
    /// The parts of the qualified names in the tables.
    pub parts: &'a NameParts,
    /// The hazards to look for.
    pub hazards: &'a Hazards<'a>,
    /// What translates inline assembly; `None` where that stays.
    pub ptx: Option<Translator<'a>>,
    /// The version of CUDA's that is written in place of its macros, major and minor.
    pub cuda_version: Option<(u32, u32)>,
    /// Whether that is still to be the version that the project names.
    pub takes_project_version: bool,
}

impl Context<'_> {
    /// Whether a module of Python has a word that makes it worth a look in some tree.
    pub fn python_may_matter(&self, text: &[u8]) -> bool {
        self.python_may_matter_beside(text, &FxHashSet::default())
    }

    /// Whether a module of Python has a word that makes it worth a look in a tree that has these packages itself.
    pub fn python_may_matter_beside(&self, text: &[u8], own_packages: &FxHashSet<String>) -> bool {
        let values = &self.knowledge.python_values;
        values.may_matter_beside(text, own_packages)
            || self.tables.operator_calls().may_matter(text)
    }

    /// The state of a macro in MUSA's device code, as far as it is the same for every project.
    pub fn on_musa(&self, name: &[u8]) -> Macro {
        let text = String::from_utf8_lossy(name);
        let guards = &self.knowledge.shapes.guards;
        if guards.defined.iter().any(|one| *one == text) {
            return Macro::Value(1);
        }
        if guards.editors.iter().any(|one| *one == text) {
            return Macro::Undefined;
        }
        match self.knowledge.vendor_of_macro(&text) {
            Some(vendor) if !vendor.is_target() => Macro::Undefined,
            _ => Macro::Unknown,
        }
    }
}

/// The parts of the namespaces and qualified names in the tables.
#[derive(Debug)]
pub struct NameParts {
    /// Their first parts.
    roots: FxHashSet<Vec<u8>>,
    /// All parts of those that are not the same on MUSA.
    pub(super) changing: FxHashSet<Vec<u8>>,
    /// Headers of MUSA's own.
    musa_headers: FxHashSet<String>,
}

impl NameParts {
    /// The parts in these tables.
    pub fn new(tables: &Tables) -> Self {
        let mut parts = Self {
            roots: FxHashSet::default(),
            changing: FxHashSet::default(),
            musa_headers: FxHashSet::default(),
        };
        let headers = tables.rows(Section::Headers);
        let renamed = headers.filter(|row| row.relation == Relation::Renamed);
        parts
            .musa_headers
            .extend(renamed.filter_map(|row| row.to.as_deref().map(str::to_owned)));
        for row in tables
            .rows(Section::Namespaces)
            .chain(tables.rows(Section::Qualified))
        {
            for (at, part) in row.cuda.split("::").enumerate() {
                if at == 0 {
                    parts.roots.insert(part.as_bytes().to_vec());
                }
                if row.relation != Relation::Same {
                    parts.changing.insert(part.as_bytes().to_vec());
                }
            }
        }
        parts
    }

    /// Whether an included path is a header of MUSA's own.
    pub fn is_musa_header(&self, path: &str) -> bool {
        self.musa_headers.contains(path)
    }

    /// Whether a namespace or a qualified name starts with `name`.
    pub fn is_root(&self, name: &[u8]) -> bool {
        self.roots.contains(name)
    }
}
