//! The structure of text: tokens, directives, scopes and trees of C++ and CUDA, and Python in `python`. Knows
//! nothing of CUDA's or MUSA's names.

mod arguments;
pub mod cmake;
pub mod cmake_references;
mod condition;
mod conditional;
pub mod cython;
mod declared;
mod depth;
mod edited_cmake;
mod hashed;
pub mod keyed;
mod lexer;
mod lines;
mod literal;
mod macro_options;
pub mod notebook;
mod outline;
pub mod ptx;
pub mod python;
pub mod script;
mod token;
mod tokens;
mod tree;
mod words;
pub mod yaml;

pub use arguments::{arguments, call_parenthesis, opening_bracket, template_arguments};
pub use condition::{Macro, Truth, constant, evaluate};
pub use conditional::{Branch, Conditional, Conditionals};
pub use declared::{
    Base, Declaration, DeclarationKind, Function, HeaderDeclarations, MacroBody, Type, declared,
};
pub use depth::{Blocks, Depth};
pub use edited_cmake::EditedCmake;
pub use hashed::hash_comments;
pub use lexer::{
    LexOptions, identifier_at, is_identifier_part, is_identifier_start, lex, whole_words,
};
pub use literal::integer;
pub use macro_options::{defined_name, defined_names, has_word, perhaps_defined_names};
pub use outline::{Outline, Scope, ScopeKind};
pub use python::values as python_strings;
pub use token::{Directive, DirectiveKind, HOLE, Token, TokenKind};
pub use tokens::Tokens;
pub use tree::{cmake_errors, python_errors, syntax_errors};
