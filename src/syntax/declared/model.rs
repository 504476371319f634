//! What a header declares, as data.

use super::types::Type;

/// One declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declaration {
    /// The name, without its namespaces.
    pub name: Box<str>,
    /// The namespaces and classes around it, with `::` between them; empty at file level.
    pub path: Box<str>,
    /// Where the name stands.
    pub offset: u32,
    /// What is declared.
    pub what: DeclarationKind,
}

/// The kinds of declarations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DeclarationKind {
    /// A function.
    Function(Function),
    /// A class, a struct, a union or an enumeration.
    Type {
        /// Whether its members are there, too.
        defined: bool,
    },
    /// Another name for a type.
    Alias(Type),
    /// An enumerator, with its value where that is known.
    Enumerator(Option<i64>),
    /// A macro.
    Macro(MacroBody),
    /// A variable, or a name that `using` brings in.
    Other,
    /// A member of a class.
    Member,
}

/// The parameters of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Their types, in order.
    pub parameters: Vec<Type>,
    /// Whether `...` follows them.
    pub is_variadic: bool,
    /// Whether it is a template.
    pub is_template: bool,
}

/// What a macro stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MacroBody {
    /// Its value, where it is a number.
    pub value: Option<i64>,
    /// The name that it stands for, where its body is one.
    pub alias: Option<Box<str>>,
}

/// All that one header says.
#[derive(Clone, Default, Debug)]
pub struct HeaderDeclarations {
    /// The declarations, in order of place.
    pub declarations: Vec<Declaration>,
    /// The names that conditions ask for, with their places.
    pub tested: Vec<(Box<str>, u32)>,
    /// The names that are handed to macros outside of functions, with their places: such a macro may declare them.
    pub handed: Vec<(Box<str>, u32)>,
}
