//! Slots: the places of a program that hold values.

use torchada_syntax::python::ScopeId;

/// A place that holds values, in one file of the tree.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Slot {
    /// The file's place in the project.
    pub file: usize,
    /// The scope that binds the name; the module's where the kind of slot has no scope.
    pub scope: ScopeId,
    /// The name.
    pub name: Box<[u8]>,
    /// Which of the values that belong to the name.
    pub kind: SlotKind,
}

/// The kinds of values that belong to a name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SlotKind {
    /// The value of a variable or of a parameter, by its uses.
    Variable,
    /// The value of a variable, by the expressions that are assigned to it; else by its uses.
    Assigned,
    /// The value of an attribute of the objects of a file's classes.
    Attribute,
    /// The value that a function returns.
    Return,
    /// The keys of a dictionary.
    Keys,
    /// The values of a dictionary.
    Values,
    /// The keys of a dictionary that is an attribute of the objects of a file's classes.
    KeysOfAttribute,
}

impl Slot {
    /// A slot of a name that a scope of a file binds.
    pub fn new(file: usize, scope: ScopeId, name: &[u8], kind: SlotKind) -> Self {
        Self {
            file,
            scope,
            name: name.into(),
            kind,
        }
    }

    /// The slot of an attribute of the objects of a file's classes.
    pub fn of_attribute(file: usize, name: &[u8]) -> Self {
        Self::new(file, ScopeId::MODULE, name, SlotKind::Attribute)
    }
}
