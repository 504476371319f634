//! A header that gives CUDA's names their MUSA meaning, for projects that keep one source for both.
//!
//! The opposite of `shim`: it holds only the names that one project uses, each because an edit of
//! a port would have renamed it.
//!
//! Architecture invariant: the same uses give the same bytes.

mod text;

use std::collections::{BTreeMap, BTreeSet};

use crate::mapping::Evidence;

/// The mark in the first comment of every header, by which a header is recognised.
pub const MARK: &str = "Written by `torchada alias-header`";

/// The header that a compiler for CUDA reads before each of its own sources.
pub const IMPLICIT: &str = "cuda_runtime.h";

/// One `#define`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AliasDefinition {
    /// The MUSA name that CUDA's name becomes.
    pub to: String,
    /// The id of the library that the name is of.
    pub library: String,
    /// The evidence for the mapping; `None` where no row of a table is behind the definition.
    pub evidence: Option<Evidence>,
    /// Why the evidence is not stronger.
    pub note: Option<String>,
    /// Whether code asks if the name is defined, so that it may be only where MUSA's is.
    pub only_if_musa_has_it: bool,
}

/// A group of what no macro can do, or what has no counterpart.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum LeftReason {
    /// A finding's code, and its title.
    Finding(&'static str, &'static str),
    /// The project declares a thing of that name.
    Own,
    /// A name in a namespace.
    Qualified,
    /// A member's name, which may be any class's.
    Member,
    /// Text in a string, or an argument that is no name of its own.
    Argument,
    /// A macro that the code defines before MUSA's headers ask for it.
    Switch,
    /// A comparison with CUDA's architecture.
    Guard,
    /// Anything else that is more than a name for a name.
    Rewrite,
}

/// A CUDA name that the header leaves out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LeftName {
    /// What to do about it.
    pub help: Option<String>,
    /// The number of places that use the name.
    pub uses: usize,
}

/// The content of a header.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AliasHeader {
    /// MUSA's headers, each with what speaks against it.
    pub includes: BTreeMap<String, Option<String>>,
    /// CUDA's names.
    pub definitions: BTreeMap<String, AliasDefinition>,
    /// The names that are left out, by the reason and the spelling.
    pub left: BTreeMap<(LeftReason, String), LeftName>,
}

impl AliasHeader {
    /// Whether the header would be empty.
    pub fn is_empty(&self) -> bool {
        self.includes.is_empty() && self.definitions.is_empty()
    }

    /// Note that something is left at one more place.
    pub fn leave(&mut self, why: LeftReason, shown: &str, help: Option<String>) {
        let left = self.left.entry((why, shown.to_owned())).or_default();
        left.uses += 1;
        if left.help.is_none() {
            left.help = help;
        }
    }

    /// Take out the names that mean the project's own thing somewhere, and say so.
    pub fn give_up(&mut self, own: &BTreeSet<String>) {
        for name in own {
            if let Some(definition) = self.definitions.remove(name) {
                let help = format!("where CUDA's is meant, write `{}` for MUSA", definition.to);
                self.leave(LeftReason::Own, name, Some(help));
            }
        }
    }

    /// The number of names whose evidence is no more than `evidence`.
    pub fn of(&self, evidence: Evidence) -> usize {
        let definitions = self.definitions.values();
        definitions
            .filter(|one| one.evidence == Some(evidence))
            .count()
    }
}
