//! Slots: the places of a program that hold values.

use crate::syntax::python::ScopeId;

/// A place that holds values, in one file of the tree.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Slot {
    /// The file's place in the project.
    pub file: usize,
    /// The scope that binds the name; the module's where the kind of slot has no scope.
    pub scope: ScopeId,
    /// The name.
    pub name: Box<[u8]>,
    /// Which of the values that have to do with the name.
    pub kind: SlotKind,
}

/// Which values a slot holds that has a name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SlotKind {
    /// What a variable or a parameter holds, as its uses tell.
    Variable,
    /// What a variable holds, as the expressions tell that are assigned to it; else as its uses tell.
    Assigned,
    /// What an attribute of the objects of a file's classes holds.
    Attribute,
    /// What a function returns.
    Return,
    /// The keys of a dictionary.
    Keys,
    /// The values of a dictionary.
    Values,
}
