//! Which libraries a module opens, and the names that it gives them.

use rustc_hash::FxHashSet;

use super::files::file_name;
use crate::python::ModuleView;
use torchada_mapping::{Loader, LoaderArgument, Section};
use torchada_syntax::python::{Consumer, Field, Kind, Literal, NodeId, Use};
use torchada_text::last_part;

/// The libraries that a module opens.
pub struct OpenedLibraries<'t> {
    /// The first argument of each call that opens a library, and what that argument has to be.
    pub arguments: Vec<(NodeId, LoaderArgument)>,
    /// The calls that open a library by a function that the runtime package does not patch.
    unpatched: FxHashSet<NodeId>,
    /// The calls that open a library.
    calls: FxHashSet<NodeId>,
    /// The calls of functions of the module that return a library which it opens.
    returned: FxHashSet<NodeId>,
    /// Names that are passed to these calls.
    names: FxHashSet<&'t [u8]>,
    /// The text of each expression that a library is assigned to.
    libraries: FxHashSet<&'t [u8]>,
    /// The tables of the functions whose names stand in strings that stay.
    pub tables_named_in_strings: FxHashSet<&'t str>,
    /// Functions that the module defines, and names to which it gives a value.
    defined: FxHashSet<&'t [u8]>,
}

impl<'t> OpenedLibraries<'t> {
    /// The libraries that a module opens, without [`Self::tables_named_in_strings`].
    pub fn of(unit: &ModuleView<'t>) -> Self {
        let tree = &unit.module.tree;
        let mut opened = Self {
            arguments: Vec::new(),
            unpatched: FxHashSet::default(),
            calls: FxHashSet::default(),
            returned: FxHashSet::default(),
            names: FxHashSet::default(),
            libraries: FxHashSet::default(),
            tables_named_in_strings: FxHashSet::default(),
            defined: FxHashSet::default(),
        };
        for node in tree.of(Kind::Call) {
            if let Some(loader) = loader(unit, node) {
                opened.add(unit, node, loader);
            }
        }
        opened.add_returned(unit);
        let functions = tree.of(Kind::Function);
        let functions = functions.filter_map(|node| tree.child(node, Field::Name));
        let set = tree.of(Kind::Assignment);
        let set = set.filter_map(|node| tree.child(node, Field::Left));
        let set = set.filter(|&left| tree.kind(left) == Kind::Identifier);
        let defined = functions.chain(set).map(|name| tree.word(name));
        opened.defined.extend(defined);
        // `for name in NAMES`: the list that the loop goes through holds names, too.
        for node in tree.of_any(&[Kind::For, Kind::ForIn]) {
            if let Some(left) = tree.child(node, Field::Left)
                && let Some(right) = tree.child(node, Field::Right)
                && tree.kind(right) == Kind::Identifier
                && tree
                    .with_below(left)
                    .any(|one| opened.names.contains(tree.word(one)))
            {
                opened.names.insert(tree.word(right));
            }
        }
        opened
    }

    /// Note a call that opens a library.
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
        if loader.takes == LoaderArgument::File
            && !is_not_cudas(unit, argument)
            && !Self::is_in_folder(unit, argument)
            && let Consumer::Target { target } = unit.module.use_of(call).consumer
        {
            self.libraries.insert(tree.word(target));
        }
    }

    /// Note the calls of the module's own functions that return a library: `lib = load_cudart()`. Which one a function returns
    /// that gets its name, nobody knows here.
    fn add_returned(&mut self, unit: &ModuleView<'t>) {
        if self.calls.is_empty() {
            return;
        }
        let tree = &unit.module.tree;
        let mut openers = FxHashSet::default();
        for node in tree.of(Kind::Return) {
            if let Some(value) = tree.nth(node, 0)
                && self.is_library(unit, value)
                && let Some(function) = tree.home(node)
                && let Some(name) = tree.child(function, Field::Name)
            {
                openers.insert(tree.word(name));
            }
        }
        if openers.is_empty() {
            return;
        }
        for call in tree.of(Kind::Call) {
            let is_own = unit.module.callee_name(call).is_none();
            let is_named = tree.arguments(call).next().is_some();
            if is_own && !is_named && openers.contains(unit.module.callee_word(call)) {
                self.returned.insert(call);
                if let Consumer::Target { target } = unit.module.use_of(call).consumer {
                    self.libraries.insert(tree.word(target));
                }
            }
        }
    }

    /// Whether the module names types for a library's functions, which another module opens for it: it imports a package
    /// that opens some.
    pub fn is_described(unit: &ModuleView<'_>) -> bool {
        let tree = &unit.module.tree;
        let loaders = &unit.context.knowledge.python_strings.libraries.loaders;
        let is_package = |name: &[u8]| {
            let mut callees = loaders.iter().filter_map(|one| one.callee.split_once('.'));
            callees.any(|(package, _)| package.as_bytes() == name)
        };
        tree.of_any(&[Kind::Import, Kind::ImportFrom])
            .any(|import| match tree.child(import, Field::ModuleName) {
                Some(module) => is_package(tree.word(module)),
                None => tree.below(import).any(|name| is_package(tree.word(name))),
            })
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
                let opens = self.calls.contains(&node);
                let of = tree.argument(node, 0).filter(|_| opens);
                let is_cudas = |one| !is_not_cudas(unit, one) && !Self::is_in_folder(unit, one);
                self.returned.contains(&node) || of.is_some_and(is_cudas)
            }
            Kind::Identifier => {
                let word = tree.word(node);
                let bindings = unit.module.bindings(node, word).1;
                self.libraries.contains(word)
                    && bindings.iter().all(|one| match one.value() {
                        Some(value) if tree.kind(value) == Kind::Call => {
                            self.is_library(unit, value)
                        }
                        _ => true,
                    })
            }
            _ => self.libraries.contains(tree.word(node)),
        }
    }

    /// Whether a call opens a library in a folder. The name of such a file stays, since the folder may be CUDA's.
    fn is_in_folder(unit: &ModuleView<'_>, argument: NodeId) -> bool {
        let literal = Literal::read(&unit.module.tree, argument);
        literal
            .filter(Literal::is_plain)
            .and_then(|literal| file_name(unit, &literal))
            .is_some_and(|file| !file.has_no_folder)
    }

    /// Whether the module defines something of this name.
    pub fn defines(&self, name: &[u8]) -> bool {
        self.defined.contains(name)
    }
}

/// The row of the function by which a call opens a library.
fn loader<'a>(unit: &ModuleView<'a>, call: NodeId) -> Option<&'a Loader> {
    let word = unit.module.callee_word(call);
    let known = &unit.context.knowledge.python_strings.libraries;
    let mut candidates = known
        .loaders
        .iter()
        .filter(|one| last_part(&one.callee).as_bytes() == word)
        .peekable();
    candidates.peek()?;
    let name = unit.module.callee_name(call);
    let callee = unit.module.tree.callee(call)?;
    let method = unit.module.tree.kind(callee) == Kind::Attribute;
    candidates.find(|one| {
        (one.callee.starts_with("*.") && method)
            || name.as_ref().is_some_and(|name| name.name == one.callee)
    })
}

/// Whether the library that a call opens is surely not CUDA's.
fn is_not_cudas(unit: &ModuleView<'_>, argument: NodeId) -> bool {
    let tree = &unit.module.tree;
    match tree.kind(argument) {
        Kind::None => true,
        Kind::Str | Kind::ConcatenatedString => {
            Literal::read(tree, argument).is_some_and(|literal| {
                file_name(unit, &literal).is_none()
                    && unit
                        .context
                        .row(Section::Libraries, literal.value())
                        .is_none()
            })
        }
        _ => false,
    }
}
