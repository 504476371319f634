//! What a call takes a string for: a member, a dotted name, a module, a type, code.

use crate::python::ModuleView;
use torchada_mapping::has;
use torchada_syntax::python::{Consumer, Kind, Literal, NodeId};

/// The ways in which a call reads the name in one of its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NameArgument {
    /// The name of a member: `getattr(torch, "cuda")`.
    Member,
    /// A dotted name: `patch("torch.cuda.is_available")`.
    DottedName,
    /// The name of a module that the call imports.
    Module,
    /// The name of a type of tensors: `x.type("torch.cuda.FloatTensor")`.
    Type,
    /// Code, or a part of code.
    Code,
    /// No table knows what the call takes the argument for.
    Unknown,
}

impl NameArgument {
    /// How a call reads its argument at a position.
    pub(super) fn of(unit: &ModuleView<'_>, call: NodeId, position: Option<usize>) -> Self {
        let known = &unit.context.knowledge.python_strings.quoted;
        let callee = unit.module.tree.callee(call);
        let word = unit.module.callee_word(call);
        if position == Some(1) && takes_member_name(unit, call) {
            return Self::Member;
        }
        if position == Some(0) {
            if takes_dotted_name(unit, call) {
                return Self::DottedName;
            }
            if callee.is_some_and(|callee| is_one_of(unit, callee, &known.imports)) {
                return Self::Module;
            }
            if has(&known.type_methods, word) {
                return Self::Type;
            }
        }
        if has(&known.code, word) {
            Self::Code
        } else {
            Self::Unknown
        }
    }
}

/// Whether a call takes an object and the name of one of its members.
pub fn takes_member_name(unit: &ModuleView<'_>, call: NodeId) -> bool {
    let known = &unit.context.knowledge.python_strings.quoted;
    let tree = &unit.module.tree;
    let Some(callee) = tree.callee(call) else {
        return false;
    };
    let mut members = known.members.iter();
    members.any(|name| unit.module.is_builtin(callee, name))
        || (tree.kind(callee) == Kind::Attribute
            && has(&known.member_methods, unit.module.callee_word(call)))
}

/// Whether the first argument of a call is a dotted name.
pub fn takes_dotted_name(unit: &ModuleView<'_>, call: NodeId) -> bool {
    let known = &unit.context.knowledge.python_strings.quoted;
    let tree = &unit.module.tree;
    let Some(callee) = tree.callee(call) else {
        return false;
    };
    let word = unit.module.callee_word(call);
    let method = tree.kind(callee) == Kind::Attribute;
    (method && has(&known.whole_methods, word))
        || has(&known.whole_functions, word)
        || is_one_of(unit, callee, &known.wholes)
}

/// Whether an expression gives the name of a type of tensors: `x.type()`.
pub(super) fn gives_type(unit: &ModuleView<'_>, node: NodeId) -> bool {
    let known = &unit.context.knowledge.python_strings.quoted;
    unit.module.tree.kind(node) == Kind::Call
        && has(&known.type_methods, unit.module.callee_word(node))
}

/// Whether an expression is one of a list of dotted names.
pub(super) fn is_one_of(unit: &ModuleView<'_>, node: NodeId, names: &[String]) -> bool {
    let name = unit.module.resolve(node);
    name.is_some_and(|name| names.contains(&name.name))
}

/// Whether a call reads a member, and does not replace the member.
pub fn only_reads_member(unit: &ModuleView<'_>, call: NodeId) -> bool {
    let known = &unit.context.knowledge.python_strings.quoted;
    has(&known.asks, unit.module.callee_word(call))
}

/// Whether a string names an object that a test replaces.
pub(super) fn replaces(unit: &ModuleView<'_>, literal: &Literal) -> bool {
    match unit.module.use_of(literal.node).consumer {
        Consumer::Argument { call, .. } => {
            takes_dotted_name(unit, call)
                || (takes_member_name(unit, call) && !only_reads_member(unit, call))
        }
        _ => false,
    }
}
