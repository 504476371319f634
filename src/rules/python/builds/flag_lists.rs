//! Finds the lists and texts of a module that are flags for nvcc, libraries, sources or options of the linker, by the
//! builders that take them.

use std::collections::{BTreeMap, BTreeSet};

use crate::python::ModuleView;
use torchada_mapping::{has, has_part};
use torchada_syntax::python::{Field, Kind, Literal, NodeId};

/// The kinds of lists that builders take.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum FlagListKind {
    /// Flags for nvcc.
    Flags,
    /// Flags for nvcc where it links device code.
    DeviceLink,
    /// Names of libraries.
    Libraries,
    /// Options of the linker.
    Linked,
    /// Names of sources.
    Sources,
}

/// The lists and texts of a module that builders take.
#[derive(Default)]
pub(super) struct FlagLists {
    /// Lists and tuples.
    pub(super) lists: BTreeMap<NodeId, FlagListKind>,
    /// Texts that are added one by one, or that hold several flags.
    pub(super) texts: BTreeMap<NodeId, FlagListKind>,
    /// Keys that name nvcc: literals, and the names of keywords.
    pub(super) keys: BTreeSet<NodeId>,
    pub(super) comprehensions: BTreeSet<NodeId>,
    pub(super) seen: BTreeSet<(FlagListKind, NodeId)>,
    /// Expressions that are still to be followed, and what they hold.
    pub(super) pending: Vec<(NodeId, FlagListKind)>,
}

/// All of a module.
pub(super) fn find(unit: &ModuleView<'_>) -> FlagLists {
    let tree = &unit.module.tree;
    let mut found = FlagLists::default();
    for node in tree.nodes() {
        match tree.kind(node) {
            Kind::Str => found.key(unit, node),
            Kind::Pair => {
                let key = tree.child(node, Field::Key);
                let name = key.and_then(|key| plain(unit, key));
                if let Some(what) = name.and_then(|name| named(unit, &name)) {
                    found.follow(tree.child(node, Field::Value), what);
                }
            }
            Kind::KeywordArgument => found.keyword(unit, node),
            Kind::Assignment | Kind::Augmented => {
                let target = tree.child(node, Field::Left);
                let name = target.map(|target| unit.module.last_name(target));
                let is_name = target.is_some_and(|one| {
                    matches!(tree.kind(one), Kind::Identifier | Kind::Attribute)
                });
                if let Some(what) = name.filter(|_| is_name).and_then(|name| named(unit, &name))
                    && !target.is_some_and(|target| only_recognises(unit, target))
                {
                    found.follow(tree.child(node, Field::Right), what);
                }
            }
            kind @ (Kind::DefaultParameter | Kind::TypedDefaultParameter | Kind::Function) => {
                let name = tree.child(node, Field::Name).map(|one| tree.word(one));
                match name.and_then(|name| named(unit, name)) {
                    Some(what) if kind == Kind::Function => found.results(unit, node, what),
                    Some(what) => found.follow(tree.child(node, Field::Value), what),
                    None => {}
                }
            }
            Kind::Call => found.added(unit, node),
            _ => {}
        }
    }
    found.follow_pending(unit);
    found
}

/// The literals of which an expression for sources is made.
pub(super) fn sources(unit: &ModuleView<'_>, list: NodeId) -> BTreeSet<NodeId> {
    let tree = &unit.module.tree;
    let mut found = FlagLists::default();
    found.follow(Some(list), FlagListKind::Sources);
    found.follow_pending(unit);
    let mut literals: BTreeSet<NodeId> = found.texts.keys().copied().collect();
    for &list in found.lists.keys() {
        literals.extend(tree.below(list).filter(|&one| tree.kind(one) == Kind::Str));
    }
    // `[os.path.join(folder, name) for name in ["a.cpp", "b.cu"]]`
    for &comprehension in &found.comprehensions {
        literals.extend(
            tree.below(comprehension)
                .filter(|&one| tree.kind(one) == Kind::Str),
        );
    }
    literals
}

/// The kind of list that a name says it has.
fn named(unit: &ModuleView<'_>, name: &[u8]) -> Option<FlagListKind> {
    let known = &unit.context.knowledge.builds.extensions;
    if has(&known.libraries.linked, name) {
        return Some(FlagListKind::Linked);
    }
    known
        .flag_names
        .holds_flags(name)
        .then_some(FlagListKind::Flags)
}

/// The value of a literal that is known to its end.
pub(super) fn plain(unit: &ModuleView<'_>, node: NodeId) -> Option<Vec<u8>> {
    let literal = Literal::plain(&unit.module.tree, node)?;
    Some(literal.value().to_vec())
}

impl FlagLists {
    /// `{"nvcc": …}`, `args["nvcc"]`, `"nvcc" in args`, `args.get("nvcc")`: the key, and what it gets.
    fn key(&mut self, unit: &ModuleView<'_>, node: NodeId) {
        let tree = &unit.module.tree;
        let known = &unit.context.knowledge.builds.extensions;
        let Some(value) = plain(unit, node) else {
            return;
        };
        if !known.compilers.keys().any(|key| key.as_bytes() == value) {
            return;
        }
        let what = if value.ends_with(b"_dlink") {
            FlagListKind::DeviceLink
        } else {
            FlagListKind::Flags
        };
        let Some(up) = tree.parent(node) else { return };
        match (tree.kind(up), tree.field(node)) {
            (Kind::Pair, Field::Key) => {
                let value = tree.child(up, Field::Value);
                let dictionary = tree.parent(up);
                if dictionary.is_some_and(|one| is_by_compiler(unit, one)) {
                    self.keys.insert(node);
                    self.follow(value, what);
                }
            }
            (Kind::Subscript, Field::Subscript) => {
                if !tree
                    .child(up, Field::Value)
                    .is_some_and(|of| holds_arguments(unit, of))
                {
                    return;
                }
                self.keys.insert(node);
                self.follow_mutations(unit, up, what);
            }
            (Kind::Comparison, _) => {
                let mut others = tree.children(up).filter(|&one| one != node);
                if others.any(|one| holds_arguments(unit, one)) {
                    self.keys.insert(node);
                }
            }
            // `args.get("nvcc", [])`, `args.setdefault("nvcc", []).append(…)`
            (Kind::ArgumentList, _) if tree.ordinal(node) == 0 => {
                let call = tree.parent(up);
                let callee = call.and_then(|call| tree.callee(call));
                let of = callee.and_then(|one| tree.child(one, Field::Object));
                if let (Some(call), true) = (call, of.is_some_and(|of| holds_arguments(unit, of))) {
                    self.keys.insert(node);
                    self.follow(tree.nth(up, 1), what);
                    self.follow_mutations(unit, call, what);
                }
            }
            _ => {}
        }
    }

    /// `args["nvcc"] = …`, `args["nvcc"] += …`, `args["nvcc"].append(…)`
    pub(super) fn follow_mutations(
        &mut self,
        unit: &ModuleView<'_>,
        node: NodeId,
        what: FlagListKind,
    ) {
        let tree = &unit.module.tree;
        let Some(up) = tree.parent(node) else { return };
        match (tree.kind(up), tree.field(node)) {
            (Kind::Assignment | Kind::Augmented, Field::Left) => {
                self.follow(tree.child(up, Field::Right), what);
            }
            (Kind::Attribute, Field::Object) => self.follow_append(unit, up, what),
            _ => {}
        }
    }

    /// `CUDAExtension(libraries=…)`, `load(extra_cuda_cflags=…)`, `dict(nvcc=…)`
    fn keyword(&mut self, unit: &ModuleView<'_>, node: NodeId) {
        let tree = &unit.module.tree;
        let known = &unit.context.knowledge.builds.extensions;
        let Some(name) = tree.child(node, Field::Name) else {
            return;
        };
        let word = tree.word(name);
        let value = tree.child(node, Field::Value);
        let call = tree.call_with(node);
        let callee = call.and_then(|call| tree.callee(call));
        let is_builder = || call.is_some_and(|call| builder(unit, call).is_some());
        let is_flags = |value: NodeId| {
            matches!(
                tree.kind(value),
                Kind::List | Kind::Binary | Kind::Identifier
            )
        };
        if word == known.arguments.as_bytes() && value.is_some_and(is_flags) && is_builder() {
            self.follow(value, FlagListKind::Flags);
        } else if has(&known.libraries.names, word) {
            self.follow(value, FlagListKind::Libraries);
        } else if let Some(what) = named(unit, word) {
            self.follow(value, what);
        } else if known.compilers.keys().any(|key| key.as_bytes() == word)
            && callee.is_some_and(|callee| unit.module.is_builtin(callee, "dict"))
        {
            self.keys.insert(name);
            self.follow(value, FlagListKind::Flags);
        }
    }

    /// `nvcc_flags.append(…)`
    fn added(&mut self, unit: &ModuleView<'_>, call: NodeId) {
        let tree = &unit.module.tree;
        let Some(callee) = tree.callee(call) else {
            return;
        };
        let Some(of) = tree.child(callee, Field::Object) else {
            return;
        };
        let is_name = matches!(tree.kind(of), Kind::Identifier | Kind::Attribute);
        let what = named(unit, &unit.module.last_name(of)).filter(|_| is_name);
        if let Some(what) = what {
            self.follow_append(unit, callee, what);
        }
    }

    /// Follow an item that a method adds to a list.
    fn follow_append(&mut self, unit: &ModuleView<'_>, attribute: NodeId, what: FlagListKind) {
        let tree = &unit.module.tree;
        let known = &unit.context.knowledge.builds.extensions.methods.names;
        let call = tree.parent_if(attribute, Kind::Call);
        let word = tree
            .child(attribute, Field::Attribute)
            .map(|one| tree.word(one));
        if let Some(call) = call.filter(|_| word.is_some_and(|word| has(known, word))) {
            let arguments: Vec<NodeId> = tree.arguments(call).collect();
            for argument in arguments {
                self.follow(Some(argument), what);
            }
        }
    }
}

/// Whether a dictionary gives each compiler its flags.
fn is_by_compiler(unit: &ModuleView<'_>, dictionary: NodeId) -> bool {
    let tree = &unit.module.tree;
    let known = &unit.context.knowledge.builds.extensions;
    let mut keys = tree.keys(dictionary).filter_map(|key| plain(unit, key));
    let beside = keys.any(|key| has(&known.host_keys, key));
    let up = tree.parent(dictionary);
    let taken = up.is_some_and(|up| match tree.kind(up) {
        Kind::KeywordArgument => tree
            .child(up, Field::Name)
            .is_some_and(|name| tree.word(name) == known.arguments.as_bytes()),
        Kind::Assignment | Kind::Augmented => tree
            .child(up, Field::Left)
            .is_some_and(|target| holds_arguments(unit, target)),
        _ => false,
    });
    beside || taken
}

/// Whether an expression is called after the arguments or flags of compilers.
fn holds_arguments(unit: &ModuleView<'_>, of: NodeId) -> bool {
    let tree = &unit.module.tree;
    if !matches!(tree.kind(of), Kind::Identifier | Kind::Attribute) {
        return false;
    }
    let words = &unit.context.knowledge.builds.extensions.flag_names.flags;
    has_part(words, &unit.module.last_name(of))
}

/// Whether flags are only looked for among the texts of a name: `flag in WITH_VALUE`, `flag.startswith(FRONTS)`. No compiler
/// gets them then.
fn only_recognises(unit: &ModuleView<'_>, target: NodeId) -> bool {
    let tree = &unit.module.tree;
    if tree.kind(target) != Kind::Identifier {
        return false;
    }
    let places = unit.places_of_binding(target);
    let uses: Vec<NodeId> = places.filter(|&one| one != target).collect();
    let recognises = |&one: &NodeId| {
        tree.parent(one).is_some_and(|up| match tree.kind(up) {
            Kind::Comparison => tree.ordinal(one) > 0 && tree.operator(up).ends_with(b"in"),
            Kind::ArgumentList => tree.parent(up).is_some_and(|call| {
                matches!(unit.module.callee_word(call), b"startswith" | b"endswith")
            }),
            _ => false,
        })
    };
    !uses.is_empty() && uses.iter().all(recognises)
}

/// The builder of extensions for CUDA that a call calls.
pub(super) fn builder(unit: &ModuleView<'_>, call: NodeId) -> Option<String> {
    let known = &unit.context.knowledge.builds.extensions;
    let name = unit.callee_name(call)?.name;
    known.builders.contains(&name).then_some(name)
}
