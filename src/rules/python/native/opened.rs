//! Which libraries a module opens, and under which names it knows them.

use rustc_hash::FxHashSet;

use super::files::file_name;
use crate::mapping::{Loader, Section, Takes};
use crate::rules::python::ModuleView;
use crate::syntax::python::{Consumer, Field, Kind, Literal, NodeId, Use, What};

/// The libraries of a module.
pub struct Opened<'t> {
    /// What the functions that open libraries are called with.
    pub arguments: Vec<(NodeId, Takes)>,
    /// Calls of functions that the runtime package does not reach.
    unpatched: FxHashSet<NodeId>,
    calls: FxHashSet<NodeId>,
    /// Names that are passed to such functions.
    names: FxHashSet<&'t [u8]>,
    /// What a library is assigned to, as it is written.
    libraries: FxHashSet<&'t [u8]>,
    /// The tables of functions whose names stand in strings that stay.
    pub named_in_strings: FxHashSet<&'t str>,
    /// Functions that the module defines, and names to which it gives a value.
    defined: FxHashSet<&'t [u8]>,
}

impl<'t> Opened<'t> {
    /// Look at all calls of a module.
    pub fn of(unit: &ModuleView<'t>) -> Self {
        let tree = &unit.module.tree;
        let mut opened = Self {
            arguments: Vec::new(),
            unpatched: FxHashSet::default(),
            calls: FxHashSet::default(),
            names: FxHashSet::default(),
            libraries: FxHashSet::default(),
            named_in_strings: FxHashSet::default(),
            defined: FxHashSet::default(),
        };
        for node in tree.of(Kind::Call) {
            if let Some(loader) = loader(unit, node) {
                opened.add(unit, node, loader);
            }
        }
        let functions = tree.of(Kind::Function);
        let functions = functions.filter_map(|node| tree.child(node, Field::Name));
        let set = tree.of(Kind::Assignment);
        let set = set.filter_map(|node| tree.child(node, Field::Left));
        let set = set.filter(|&left| tree.kind(left) == Kind::Identifier);
        let defined = functions.chain(set).map(|name| tree.word(name));
        opened.defined.extend(defined);
        // `for name in NAMES`: what is gone through holds names, too.
        for node in tree.of_any(&[Kind::For, Kind::ForIn]) {
            if let Some(left) = tree.child(node, Field::Left)
                && let Some(right) = tree.child(node, Field::Right)
                && tree.kind(right) == Kind::Identifier
                && std::iter::once(left)
                    .chain(tree.below(left))
                    .any(|one| opened.names.contains(tree.word(one)))
            {
                opened.names.insert(tree.word(right));
            }
        }
        opened
    }

    fn add(&mut self, unit: &ModuleView<'t>, call: NodeId, loader: &Loader) {
        let tree = &unit.module.tree;
        self.calls.insert(call);
        if loader.unpatched {
            self.unpatched.insert(call);
        }
        let Some(argument) = tree.argument(call, 0) else {
            return;
        };
        self.arguments.push((argument, loader.takes));
        if tree.kind(argument) == Kind::Identifier {
            self.names.insert(tree.word(argument));
        }
        if loader.takes == Takes::File
            && !is_another(unit, argument)
            && !Self::stays(unit, argument)
            && let Consumer::Target { target } = unit.module.use_of(call).consumer
        {
            self.libraries.insert(tree.word(target));
        }
    }

    /// Whether the module opens libraries.
    pub fn is_used(&self) -> bool {
        !self.calls.is_empty()
    }

    /// Whether a string goes to a function that opens libraries.
    pub fn takes(&self, unit: &ModuleView<'_>, node: NodeId, of: &Use) -> bool {
        match of.consumer {
            Consumer::Argument { call, position } => {
                position == Some(0) && self.calls.contains(&call)
            }
            Consumer::Target { target } | Consumer::Loop { target } => {
                let tree = &unit.module.tree;
                // `for file, function in [("libcublas.so", "cublasGetProperty"), …]`
                let target = match tree.kind(target) {
                    Kind::Tuple | Kind::ExpressionList | Kind::TuplePattern | Kind::ListPattern => {
                        tree.nth(target, tree.ordinal(node)).unwrap_or(target)
                    }
                    _ => target,
                };
                self.names.contains(tree.word(target))
            }
            Consumer::Default { name, .. } => self.names.contains(unit.module.tree.word(name)),
            _ => false,
        }
    }

    /// Whether a string goes to a function that the runtime package does not reach.
    pub fn is_unpatched(&self, of: &Use) -> bool {
        matches!(of.consumer, Consumer::Argument { call, .. } if self.unpatched.contains(&call))
    }

    /// Whether an expression is a library that the module opened.
    pub fn is_library(&self, unit: &ModuleView<'_>, node: NodeId) -> bool {
        let tree = &unit.module.tree;
        match tree.kind(node) {
            Kind::Call => {
                self.calls.contains(&node)
                    && tree
                        .argument(node, 0)
                        .is_some_and(|one| !is_another(unit, one) && !Self::stays(unit, one))
            }
            Kind::Identifier => {
                let word = tree.word(node);
                let bindings = unit.module.bindings(node, word).1;
                let told = |call: NodeId| self.calls.contains(&call) && self.is_library(unit, call);
                let value = |what: &What| match what {
                    What::Value(value) => Some(*value),
                    _ => None,
                };
                self.libraries.contains(word)
                    && bindings.iter().all(|one| match value(&one.what) {
                        Some(value) if tree.kind(value) == Kind::Call => told(value),
                        _ => true,
                    })
            }
            _ => self.libraries.contains(tree.word(node)),
        }
    }

    /// Whether a library is opened whose file stays: it is named with a folder, which may be CUDA's.
    fn stays(unit: &ModuleView<'_>, argument: NodeId) -> bool {
        let literal = Literal::read(&unit.module.tree, argument);
        literal
            .filter(Literal::is_plain)
            .and_then(|literal| file_name(unit, &literal))
            .is_some_and(|file| !file.alone)
    }

    /// Whether the module defines something of this name.
    pub fn defines(&self, name: &[u8]) -> bool {
        self.defined.contains(name)
    }
}

/// The function that a call opens a library with.
fn loader<'a>(unit: &ModuleView<'a>, call: NodeId) -> Option<&'a Loader> {
    let word = unit.module.callee_word(call);
    let known = &unit.context.knowledge.python_strings.libraries;
    let mut candidates = known
        .loaders
        .iter()
        .filter(|one| last(&one.callee).as_bytes() == word)
        .peekable();
    candidates.peek()?;
    let name = unit.module.callee(call);
    let callee = unit.module.tree.child(call, Field::Function)?;
    let method = unit.module.tree.kind(callee) == Kind::Attribute;
    candidates.find(|one| {
        (one.callee.starts_with("*.") && method)
            || name.as_ref().is_some_and(|name| name.name == one.callee)
    })
}

/// Whether the opened library surely is none of CUDA's.
fn is_another(unit: &ModuleView<'_>, argument: NodeId) -> bool {
    let tree = &unit.module.tree;
    match tree.kind(argument) {
        Kind::None => true,
        Kind::Str | Kind::ConcatenatedString => {
            Literal::read(tree, argument).is_some_and(|literal| {
                file_name(unit, &literal).is_none()
                    && unit
                        .context
                        .tables
                        .get(Section::Libraries, literal.value())
                        .is_none()
            })
        }
        _ => false,
    }
}

/// The last part of a dotted name.
pub(super) fn last(callee: &str) -> &str {
    callee.rsplit('.').next().unwrap_or(callee)
}
