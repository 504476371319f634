//! Which names show themselves to be CUDA's.

use std::collections::{BTreeMap, BTreeSet};

use torchada::mapping::{Relation, Row, Section, Tables};

use super::owned::Owned;

/// The names that show themselves to be CUDA's.
pub struct Names {
    tables: Tables,
    /// With the headers of which one must be visible for the name to be meant.
    identifiers: BTreeMap<String, Row>,
    members: BTreeSet<String>,
    /// Namespaces and qualified names.
    chains: BTreeSet<String>,
}

impl Names {
    /// Those of the tables that MUSA does not keep.
    pub fn new(tables: &Tables) -> Self {
        let of = |section| {
            tables
                .rows(section)
                .filter(|row| row.relation != Relation::Same && row.stem)
        };
        let names = |section| of(section).map(|row| row.cuda.to_string());
        Self {
            tables: tables.clone(),
            identifiers: of(Section::Names)
                .map(|row| (row.cuda.to_string(), row.clone()))
                .collect(),
            members: names(Section::Members).collect(),
            chains: names(Section::Namespaces)
                .chain(names(Section::Qualified))
                .collect(),
        }
    }

    /// Whether a name is a version of CUDA's.
    pub fn is_version(&self, name: &[u8]) -> bool {
        let name = std::str::from_utf8(name).ok();
        let row = name.and_then(|name| self.identifiers.get(name));
        row.is_some_and(|row| row.family.as_deref() == Some("versions"))
    }

    /// Whether a number is an architecture of MUSA's.
    pub fn is_architecture(&self, number: &[u8]) -> bool {
        let number = std::str::from_utf8(number).ok();
        let number = number.and_then(|number| number.parse::<u32>().ok());
        let features = self.tables.architectures().iter();
        let known = features.filter_map(|feature| feature.mp);
        let mut known = known.chain(self.tables.targets().iter().map(|target| target.arch));
        number.is_some_and(|number| known.any(|known| known == number))
    }

    /// Whether a name is CUDA's where these headers were read.
    pub fn is_name(&self, name: &str, active: &Owned) -> bool {
        let read = || active.headers.keys().chain(&active.files);
        self.identifiers.get(name).is_some_and(|row| {
            row.needs.is_empty()
                || row.needs.iter().any(|need| {
                    read().any(|path| {
                        let at = path.rfind(&**need);
                        at.is_some_and(|at| at == 0 || path[..at].ends_with('/'))
                    })
                })
        })
    }

    /// Whether a header is CUDA's.
    pub fn is_header(&self, path: &str) -> bool {
        let row = self.tables.header(path);
        row.is_some_and(|row| row.relation != Relation::Same)
    }

    /// The CUDA name that the token at `at` begins, if it does.
    pub fn at(&self, words: &[(&[u8], bool)], at: usize, active: &Owned) -> Option<String> {
        let text = |at: usize| {
            let (word, is_name) = words.get(at)?;
            std::str::from_utf8(word).ok().filter(|_| *is_name)
        };
        let punct = |at: Option<usize>| at.and_then(|at| words.get(at)).map(|(word, _)| *word);
        let name = text(at)?;
        let before = punct(at.checked_sub(1));
        if matches!(before, Some(b"." | b"->")) {
            let is_member = self.members.contains(name) || self.is_name(name, active);
            return is_member.then(|| name.to_owned());
        }
        if self.is_name(name, active) {
            return Some(name.to_owned());
        }
        if before == Some(b"::") {
            return None;
        }
        let mut chain = name.to_owned();
        let mut next = at + 1;
        while punct(Some(next)) == Some(b"::") {
            let Some(part) = text(next + 1) else { break };
            chain.push_str("::");
            chain.push_str(part);
            if self.chains.contains(chain.as_str()) {
                return Some(chain);
            }
            next += 2;
        }
        None
    }
}
