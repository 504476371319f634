//! The parts of the qualified names in the tables.

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use crate::{Relation, Row};

/// The parts of the namespaces and qualified names in the tables.
#[derive(Debug, Serialize, Deserialize)]
pub struct NameParts {
    /// Their first parts.
    roots: FxHashSet<String>,
    /// All parts of those that are not the same on MUSA.
    changing: FxHashSet<String>,
    /// Headers of MUSA's own.
    musa_headers: FxHashSet<String>,
}

impl NameParts {
    /// The parts of these namespaces and qualified names, with the headers of MUSA's among these.
    pub(crate) fn new<'r>(
        names: impl Iterator<Item = &'r Row>,
        headers: impl Iterator<Item = &'r Row>,
    ) -> Self {
        let renamed = headers.filter(|row| row.relation == Relation::Renamed);
        let mut parts = Self {
            roots: FxHashSet::default(),
            changing: FxHashSet::default(),
            musa_headers: renamed
                .filter_map(|row| row.to.as_deref().map(str::to_owned))
                .collect(),
        };
        for row in names {
            for (at, part) in row.cuda.split("::").enumerate() {
                if at == 0 {
                    parts.roots.insert(part.to_owned());
                }
                if row.relation != Relation::Same {
                    parts.changing.insert(part.to_owned());
                }
            }
        }
        parts
    }

    /// Whether an included path is a header of MUSA's own.
    pub fn is_musa_header(&self, path: &str) -> bool {
        self.musa_headers.contains(path)
    }

    /// Whether a name is a part of a qualified name that is another one on MUSA.
    pub fn is_changing(&self, part: &[u8]) -> bool {
        has(&self.changing, part)
    }

    /// Whether a namespace or a qualified name starts with `name`.
    pub fn is_root(&self, name: &[u8]) -> bool {
        has(&self.roots, name)
    }
}

fn has(parts: &FxHashSet<String>, name: &[u8]) -> bool {
    std::str::from_utf8(name).is_ok_and(|name| parts.contains(name))
}
