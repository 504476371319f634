//! Names that lead a guarded branch to something that MUSA does not support: a function whose body has it, or a macro
//! that opens a branch which has it.

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use torchada_hazards::CapabilityNames;
use torchada_syntax::Macro;

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

/// A macro or a constant that says what a GPU has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Switch {
    /// Its name.
    pub name: Vec<u8>,
    /// Whether no MUSA GPU has it, whatever stands behind it.
    pub off: bool,
    /// Whether it is 0 where it is off; a macro is not defined otherwise.
    pub is_zero: bool,
}

/// What the files of a project say about a name, each with the file that says it.
type ByName<T> = FxHashMap<Vec<u8>, Vec<(usize, T)>>;

/// The names of a project that lead to something that MUSA does not support.
#[derive(Clone, Default, Debug)]
pub struct UnsupportedSymbols {
    behind: ByName<String>,
    /// Classes with such methods, in the files that define one of the name: which is meant where several are seen,
    /// is not known.
    classes: ByName<()>,
    /// Macros without which some code has no branch that does the work.
    without_fallback: ByName<()>,
    /// Switches that no MUSA GPU has.
    disabled: ByName<Macro>,
    /// The value that the project gives the architecture's macro on MUSA.
    architecture: Vec<(usize, i64)>,
    /// For each file that declares one of these names, the files that see it; what a file declares that is not here, all see.
    seers: FxHashMap<usize, FixedBitSet>,
    /// The capabilities that the project's own names stand for.
    pub(super) named: CapabilityNames,
}

impl UnsupportedSymbols {
    /// Take in what one file says.
    pub fn add(
        &mut self,
        file: usize,
        unsupported: &[UnsupportedSymbol],
        named: &CapabilityNames,
        architecture: Option<i64>,
    ) {
        for symbol in unsupported {
            if symbol.without_fallback {
                let files = self.without_fallback.entry(symbol.name.clone());
                files.or_default().push((file, ()));
            }
            let known = self.behind.entry(symbol.name.clone()).or_default();
            known.push((file, symbol.what.clone()));
        }
        self.architecture
            .extend(architecture.map(|value| (file, value)));
        self.named.add(named);
    }

    /// Add the classes that one file defines. Call it when the symbols of all files have been added.
    pub fn count_classes(&mut self, file: usize, classes: &[Vec<u8>]) {
        for class in classes {
            let key = [class, &b"::"[..]].concat();
            if self.behind.contains_key(&key) {
                let files = self.classes.entry(class.clone()).or_default();
                files.push((file, ()));
            }
        }
    }

    /// Add the switches that stand for newer architectures. Call it when the symbols of all files have been added.
    pub fn disable(&mut self, file: usize, switches: &[Switch]) {
        for switch in switches {
            if switch.off || self.behind.contains_key(&switch.name) {
                let value = if switch.is_zero {
                    Macro::Value(0)
                } else {
                    Macro::Undefined
                };
                let files = self.disabled.entry(switch.name.clone()).or_default();
                files.push((file, value));
            }
        }
    }

    /// Say which files can see the names of a file.
    pub fn set_seers(&mut self, file: usize, seers: FixedBitSet) {
        self.seers.insert(file, seers);
    }

    /// Whether a template of this name takes an architecture's number.
    pub fn takes_capability(&self, template: &[u8]) -> bool {
        self.named.is_template(template)
    }

    /// What the code of a file can see of these names; all of them where there is no file.
    pub fn seen_from(&self, file: Option<usize>) -> Unsupported<'_> {
        Unsupported { all: self, file }
    }
}

/// The names that lead to something unsupported and that one file can see.
#[derive(Clone, Copy, Debug)]
pub struct Unsupported<'a> {
    all: &'a UnsupportedSymbols,
    file: Option<usize>,
}

impl<'a> Unsupported<'a> {
    pub(super) fn named(&self) -> &'a CapabilityNames {
        &self.all.named
    }

    fn sees(&self, other: usize) -> bool {
        let seers = self.all.seers.get(&other);
        self.file
            .is_none_or(|file| file == other || seers.is_none_or(|seers| seers.contains(file)))
    }

    fn first<T>(&self, names: &'a ByName<T>, name: &[u8]) -> Option<&'a T> {
        let mut files = names.get(name)?.iter();
        files
            .find(|(file, _)| self.sees(*file))
            .map(|(_, what)| what)
    }

    /// What a switch counts as that no MUSA GPU has.
    pub(super) fn disabled(&self, name: &[u8]) -> Option<Macro> {
        self.first(&self.all.disabled, name).copied()
    }

    /// Whether there are such switches.
    pub(super) fn any_disabled(&self) -> bool {
        !self.all.disabled.is_empty()
    }

    /// The value of the architecture's macro where the project defines it itself for MUSA.
    pub(super) fn architecture(&self) -> Option<i64> {
        let mut values = self.all.architecture.iter();
        values
            .find(|(file, _)| self.sees(*file))
            .map(|(_, value)| *value)
    }

    /// Whether some code that tests this macro has no branch without it that does the work.
    pub(super) fn is_without_fallback(&self, name: &[u8]) -> bool {
        self.first(&self.all.without_fallback, name).is_some()
    }

    /// The construct behind the name of a function or a macro.
    pub(super) fn construct_behind(&self, name: &[u8]) -> Option<&'a str> {
        self.first(&self.all.behind, name).map(String::as_str)
    }

    /// The construct behind the methods of a class.
    pub(super) fn behind_class(&self, class: &[u8]) -> Option<&'a str> {
        let files = self.all.classes.get(class);
        let seen = files.map_or(0, |files| {
            files.iter().filter(|(file, ())| self.sees(*file)).count()
        });
        self.construct_behind(&[class, b"::"].concat())
            .filter(|_| seen <= 1)
    }

    /// The construct behind a method.
    pub(super) fn behind_method(&self, class: &[u8], name: &[u8]) -> Option<&'a str> {
        self.construct_behind(&[class, b"::", name].concat())
    }

    /// The number that a macro stands for.
    pub(super) fn number(&self, name: &[u8]) -> Option<i64> {
        self.all
            .named
            .number(name)
            .and_then(|number| number.try_into().ok())
    }
}
