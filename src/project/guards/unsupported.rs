//! Names that lead a guarded branch to something that MUSA does not support: a function whose body has it, or a macro
//! that opens a branch which has it.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::hazards::CapabilityNames;

/// A name, and what stands behind it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnsupportedSymbol {
    /// The name of a function or of a macro; of a method behind that of its class: `Class::name`;
    /// of a class with such methods, with `::` behind it.
    pub name: Vec<u8>,
    /// The construct that MUSA lacks and that the name leads to, as the code has it.
    pub what: String,
    /// For a macro: whether code that tests it has no other branch that does the work.
    pub without_fallback: bool,
}

/// The names of a project that lead to something that MUSA does not support.
#[derive(Clone, Default, Debug)]
pub struct UnsupportedSymbols {
    behind: FxHashMap<Vec<u8>, String>,
    /// Classes with such methods of which several files define one of that name: which is meant,
    /// is not known.
    ambiguous: FxHashSet<Vec<u8>>,
    /// Classes with such methods that one file defines so far.
    defined: FxHashSet<Vec<u8>>,
    /// Macros without which some code has no branch that does the work.
    without_fallback: FxHashSet<Vec<u8>>,
    /// Macros that no MUSA GPU has.
    disabled: FxHashSet<Vec<u8>>,
    /// The capabilities that the project's own names stand for.
    pub(super) named: CapabilityNames,
}

impl UnsupportedSymbols {
    /// Take in what one file says.
    pub fn add(&mut self, unsupported: &[UnsupportedSymbol], named: &CapabilityNames) {
        for symbol in unsupported {
            if symbol.without_fallback {
                self.without_fallback.insert(symbol.name.clone());
            }
            self.behind
                .entry(symbol.name.clone())
                .or_insert_with(|| symbol.what.clone());
        }
        self.named.add(named);
    }

    /// Add the classes that one file defines. Call it when the symbols of all files have been added.
    pub fn count_classes(&mut self, classes: &[Vec<u8>]) {
        for class in classes {
            let key = [class, &b"::"[..]].concat();
            if self.behind.contains_key(&key) && !self.defined.insert(class.clone()) {
                self.ambiguous.insert(class.clone());
            }
        }
    }

    /// Add the macros that stand for newer architectures. Call it when the symbols of all files have been added.
    pub fn disable(&mut self, switches: &[String]) {
        for name in switches {
            if self.behind.contains_key(name.as_bytes()) {
                self.disabled.insert(name.clone().into_bytes());
            }
        }
    }

    /// Whether a macro is one that no MUSA GPU has.
    pub(super) fn is_disabled(&self, name: &[u8]) -> bool {
        self.disabled.contains(name)
    }

    /// Whether there are such macros.
    pub(in crate::project) fn any_disabled(&self) -> bool {
        !self.disabled.is_empty()
    }

    /// Whether some code that tests this macro has no branch without it that does the work.
    pub(super) fn is_without_fallback(&self, name: &[u8]) -> bool {
        self.without_fallback.contains(name)
    }

    /// The construct behind the name of a function or a macro.
    pub(super) fn behind(&self, name: &[u8]) -> Option<&str> {
        self.behind.get(name).map(String::as_str)
    }

    /// The construct behind the methods of a class.
    pub(super) fn behind_class(&self, class: &[u8]) -> Option<&str> {
        self.behind(&[class, b"::"].concat())
            .filter(|_| !self.ambiguous.contains(class))
    }

    /// The construct behind a method.
    pub(super) fn behind_method(&self, class: &[u8], name: &[u8]) -> Option<&str> {
        self.behind(&[class, b"::", name].concat())
    }

    /// Whether a template of this name takes an architecture's number.
    pub fn takes_capability(&self, template: &[u8]) -> bool {
        self.named.is_template(template)
    }

    /// The number that a macro stands for.
    pub(super) fn number(&self, name: &[u8]) -> Option<i64> {
        self.named
            .number(name)
            .and_then(|number| number.try_into().ok())
    }
}
