//! What a name holds, told by what is done with it: in its module, and where others take it from there.

use std::cell::{Cell, RefCell};

use rustc_hash::FxHashMap;

use super::PythonUnit;
use super::callee::node_of;
use super::reading::{Reading, by_name, expression, reading};
use crate::mapping::ValueKind;
use crate::project::python::{Callee, Definition};
use crate::syntax::python::{Consumer, Field, Kind, NodeId, ScopeId, ScopeKind, What};

/// What names were found to hold, so that each is followed once.
#[derive(Default, Debug)]
pub struct Memo {
    held: RefCell<FxHashMap<Name, Reading>>,
    depth: Cell<usize>,
}

/// A name in a scope of a file, or a member in a file.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Name {
    Variable(usize, ScopeId, Vec<u8>),
    Origin(usize, ScopeId, Vec<u8>),
    Member(usize, Vec<u8>),
    Result(usize, Vec<u8>),
    Keys(usize, ScopeId, Vec<u8>),
    Values(usize, ScopeId, Vec<u8>),
}

/// How far names are followed, one behind the other, and how many uses of one are looked at.
const DEPTH: usize = 10;
const USES: usize = 200;
/// In how many other files the members of objects are looked for.
const FILES: usize = 32;

impl Memo {
    /// Ask once; a question that leads back to itself has no answer.
    fn once(&self, name: Name, ask: impl FnOnce() -> Reading) -> Reading {
        if let Some(&known) = self.held.borrow().get(&name) {
            return known;
        }
        if self.depth.get() >= DEPTH {
            return Reading::Open;
        }
        self.held.borrow_mut().insert(name.clone(), Reading::Open);
        self.depth.set(self.depth.get() + 1);
        let found = ask();
        self.depth.set(self.depth.get() - 1);
        self.held.borrow_mut().insert(name, found);
        found
    }
}

/// What the uses of a name say together.
#[derive(Default)]
struct Votes {
    device: usize,
    /// Uses by which it is something else.
    other: Option<ValueKind>,
    /// Uses that a device may have and that have to change with it.
    tied: usize,
    /// Uses as text for people, and those of which nobody knows.
    prose: usize,
    open: usize,
}

impl Votes {
    fn add(&mut self, reading: Reading) {
        match reading {
            Reading::Value(ValueKind::Device) => self.device += 1,
            Reading::Value(other) => self.other = Some(other),
            Reading::Mixed => {
                self.device += 1;
                self.tied += 1;
            }
            Reading::Prose => self.prose += 1,
            Reading::Open => self.open += 1,
        }
    }

    fn verdict(&self) -> Reading {
        match (self.device, self.other, self.tied) {
            (0, None, _) if self.prose > 0 && self.open == 0 => Reading::Prose,
            (0, None, _) => Reading::Open,
            (0, Some(other), _) => Reading::Value(other),
            (_, None, 0) => Reading::Value(ValueKind::Device),
            _ => Reading::Mixed,
        }
    }
}

/// What a target holds whose own name does not tell.
pub fn target(unit: &PythonUnit<'_>, target: NodeId) -> Reading {
    let tree = &unit.module.tree;
    match tree.kind(target) {
        Kind::Identifier => variable(unit, target),
        Kind::Attribute => {
            let object = tree.child(target, Field::Object);
            let own = object.is_some_and(|object| matches!(tree.word(object), b"self" | b"cls"));
            let name = tree.child(target, Field::Attribute);
            name.filter(|_| own)
                .map_or(Reading::Open, |name| member(unit, tree.word(name)))
        }
        _ => Reading::Open,
    }
}

/// What a variable holds by what it is made of, else by its uses: `d = x.device.type`.
pub fn origin(unit: &PythonUnit<'_>, name: NodeId) -> Reading {
    let tree = &unit.module.tree;
    let word = tree.word(name);
    let (scope, bindings) = unit.module.bindings(name, word);
    let key = Name::Origin(unit.index, scope, word.to_vec());
    unit.memo.once(key, || {
        for binding in bindings {
            if let What::Value(value) = binding.what
                && matches!(
                    tree.kind(value),
                    Kind::Attribute | Kind::Call | Kind::Conditional | Kind::Parenthesized
                )
            {
                match expression(unit, value) {
                    Reading::Open => {}
                    found => return found,
                }
            }
        }
        variable(unit, name)
    })
}

/// What a variable holds, as a node that is its name sees it.
pub fn variable(unit: &PythonUnit<'_>, name: NodeId) -> Reading {
    let tree = &unit.module.tree;
    let word = tree.word(name);
    let (scope, bindings) = unit.module.bindings(name, word);
    if bindings.is_empty() || matches!(word, b"_" | b"self" | b"cls") {
        return Reading::Open;
    }
    held(unit, scope, word)
}

fn held(unit: &PythonUnit<'_>, scope: ScopeId, word: &[u8]) -> Reading {
    let key = Name::Variable(unit.index, scope, word.to_vec());
    unit.memo.once(key, || {
        let mut votes = Votes::default();
        in_scope(unit, scope, word, &mut |node| votes.add(used(unit, node)));
        // What is bound to a class or at the top of a module is used elsewhere, too.
        match unit.module.kind_of_scope(scope) {
            ScopeKind::Class => members(unit, word, &mut votes),
            ScopeKind::Module => elsewhere(unit, word, &mut |other, node| {
                votes.add(used(other, node));
            }),
            _ => {}
        }
        votes.verdict()
    })
}

/// Each use of a name in its scope and in those inside it.
fn in_scope(unit: &PythonUnit<'_>, scope: ScopeId, word: &[u8], each: &mut dyn FnMut(NodeId)) {
    let tree = &unit.module.tree;
    for &node in unit.trees.places_of(unit.index, word).iter().take(USES) {
        let parent = tree.parent(node).map(|up| tree.kind(up));
        let is_member = parent == Some(Kind::Attribute) && tree.field(node) == Field::Attribute;
        let is_keyword = parent == Some(Kind::KeywordArgument) && tree.field(node) == Field::Name;
        if is_member || is_keyword {
            continue;
        }
        let (found, bindings) = unit.module.bindings(node, word);
        if found == scope && !bindings.iter().any(|binding| binding.at == node) {
            each(node);
        }
    }
}

/// Each use of a name at the top of a module in the files that import it.
fn elsewhere(unit: &PythonUnit<'_>, word: &[u8], each: &mut dyn FnMut(&PythonUnit<'_>, NodeId)) {
    let name = String::from_utf8_lossy(word).into_owned();
    let wanted = Definition::Variable(unit.index, name.clone());
    let is_it = |found: Option<Definition>| {
        let outline = unit.modules.outline(unit.index);
        match (&found, outline) {
            (Some(Definition::Function(file, at)), Some(outline)) if *file == unit.index => outline
                .functions
                .get(*at)
                .is_some_and(|one| one.name == name),
            (Some(Definition::Class(file, at)), Some(outline)) if *file == unit.index => {
                outline.classes.get(*at).is_some_and(|one| one.name == name)
            }
            _ => found.as_ref() == Some(&wanted),
        }
    };
    for file in importers(unit).into_iter().take(USES) {
        let text = unit.modules.text(file);
        if !super::unit::contains(text, word) {
            continue;
        }
        let Some(other) = unit.other(file) else {
            continue;
        };
        let tree = &other.module.tree;
        for &node in other.trees.places_of(file, word).iter().take(USES) {
            // `config.NAME`, or `NAME` that was imported.
            let whole = match tree.parent(node) {
                Some(up) if tree.kind(up) == Kind::Attribute => {
                    if tree.field(node) == Field::Attribute {
                        up
                    } else {
                        continue;
                    }
                }
                Some(up)
                    if matches!(tree.kind(up), Kind::DottedName | Kind::KeywordArgument)
                        && tree.field(node) != Field::Value =>
                {
                    continue;
                }
                _ => node,
            };
            let path = other.module.resolve(whole);
            if is_it(path.and_then(|path| other.modules.lookup(file, &path.name))) {
                each(&other, whole);
            }
        }
    }
}

/// Each use of a name that a module has at its top, in the module and where others import it.
pub fn each_use(
    unit: &PythonUnit<'_>,
    name: NodeId,
    each: &mut dyn FnMut(&PythonUnit<'_>, NodeId),
) {
    let word = unit.module.tree.word(name);
    let (scope, bindings) = unit.module.bindings(name, word);
    if bindings.is_empty() {
        return;
    }
    in_scope(unit, scope, word, &mut |node| each(unit, node));
    elsewhere(unit, word, each);
}

/// What a member of the objects of a file's classes holds.
pub fn member(unit: &PythonUnit<'_>, word: &[u8]) -> Reading {
    let key = Name::Member(unit.index, word.to_vec());
    unit.memo.once(key, || {
        let mut votes = Votes::default();
        members(unit, word, &mut votes);
        votes.verdict()
    })
}

/// The other modules that import this one, each once.
fn importers(unit: &PythonUnit<'_>) -> Vec<usize> {
    let importers = unit.modules.importers(unit.index).iter();
    let others = importers.map(|&(file, _)| file);
    let mut files: Vec<usize> = others.filter(|&file| file != unit.index).collect();
    files.sort_unstable();
    files.dedup();
    files
}

fn members(unit: &PythonUnit<'_>, word: &[u8], votes: &mut Votes) {
    members_in(unit, word, votes);
    let has = |&file: &usize| super::unit::contains(unit.modules.text(file), word);
    for file in importers(unit).into_iter().filter(has).take(FILES) {
        if let Some(other) = unit.other(file) {
            members_in(&other, word, votes);
        }
    }
}

fn members_in(unit: &PythonUnit<'_>, word: &[u8], votes: &mut Votes) {
    let tree = &unit.module.tree;
    for &node in unit.trees.places_of(unit.index, word).iter().take(USES) {
        let attribute = tree
            .parent(node)
            .filter(|&up| tree.kind(up) == Kind::Attribute && tree.field(node) == Field::Attribute);
        let Some(attribute) = attribute else { continue };
        let is_target = tree.parent(attribute).is_some_and(|up| {
            tree.kind(up) == Kind::Assignment && tree.field(attribute) == Field::Left
        });
        if !is_target {
            votes.add(used(unit, attribute));
        }
    }
}

/// What one use says.
fn used(unit: &PythonUnit<'_>, node: NodeId) -> Reading {
    let of = unit.module.use_of(node);
    match of.consumer {
        // What a device is compared with is one. A look-up is tied to its table.
        Consumer::Comparison { other, .. } => match expression(unit, other) {
            Reading::Value(kind) => Reading::Value(kind),
            _ => Reading::Open,
        },
        Consumer::Item { of } => match table(unit, of, Part::Keys) {
            Reading::Value(ValueKind::Device) => Reading::Value(ValueKind::Device),
            Reading::Open => Reading::Open,
            _ => Reading::Mixed,
        },
        // `Place.GPU.value`
        Consumer::Receiver { attribute } if unit.module.last_name(attribute) == b"value" => {
            used(unit, attribute)
        }
        // Whatever is a part of a text that is no device is a word in a name or a message.
        _ if of.is_part() => match reading(unit, &of) {
            Reading::Value(ValueKind::Device) => Reading::Value(ValueKind::Device),
            _ => Reading::Open,
        },
        _ => reading(unit, &of),
    }
}

/// What the parameter of a function holds whose name does not tell.
pub fn parameter(unit: &PythonUnit<'_>, callee: Callee, name: &str) -> Reading {
    let told = by_name(unit, name.as_bytes());
    let vague = matches!(told, Reading::Open | Reading::Value(ValueKind::Other));
    if !vague || callee.fields {
        return told;
    }
    let (Some(other), Some(head)) = (unit.other(callee.file), unit.modules.function(callee)) else {
        return told;
    };
    let used = node_of(&other, head.name, head.at).map_or(Reading::Open, |function| {
        parameter_of(&other, function, name.as_bytes())
    });
    match told {
        // A name such as `true_backend` is given to implementations and to backends alike.
        Reading::Value(_) if used != Reading::Value(ValueKind::Backend) => told,
        _ => used,
    }
}

/// What the parameter of a function of the file holds.
pub fn parameter_of(unit: &PythonUnit<'_>, function: NodeId, name: &[u8]) -> Reading {
    let tree = &unit.module.tree;
    let body = tree.child(function, Field::Body);
    body.map_or(Reading::Open, |body| {
        held(unit, unit.module.scope_of(body), name)
    })
}

/// What a function gives whose name does not tell, by what is done with it where it is called.
pub fn result(unit: &PythonUnit<'_>, function: NodeId) -> Reading {
    let tree = &unit.module.tree;
    let Some(name) = tree.child(function, Field::Name) else {
        return Reading::Open;
    };
    let word = tree.word(name);
    unit.memo.once(Name::Result(unit.index, word.to_vec()), || {
        let mut votes = Votes::default();
        let mut add = |unit: &PythonUnit<'_>, node: NodeId| {
            let call = unit.module.tree.parent(node).filter(|&call| {
                unit.module.tree.kind(call) == Kind::Call
                    && unit.module.tree.field(node) == Field::Function
            });
            if let Some(call) = call {
                votes.add(used(unit, call));
            }
        };
        for &node in unit.trees.places_of(unit.index, word).iter().take(USES) {
            match tree.parent(node) {
                // `self.where()`
                Some(up) if tree.kind(up) == Kind::Attribute => {
                    if tree.field(node) == Field::Attribute {
                        add(unit, up);
                    }
                }
                _ => {
                    let bindings = unit.module.bindings(node, word).1;
                    if bindings
                        .iter()
                        .any(|one| one.what == What::Function(function))
                    {
                        add(unit, node);
                    }
                }
            }
        }
        elsewhere(unit, word, &mut add);
        votes.verdict()
    })
}

/// A part of a table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// What it is asked by.
    Keys,
    /// What it gives.
    Values,
}

/// What the keys or the values of a table are, by how it is used.
pub fn table(unit: &PythonUnit<'_>, name: NodeId, part: Part) -> Reading {
    let tree = &unit.module.tree;
    if tree.kind(name) != Kind::Identifier {
        return Reading::Open;
    }
    let word = tree.word(name);
    let (scope, bindings) = unit.module.bindings(name, word);
    if bindings.is_empty() {
        return Reading::Open;
    }
    let key = match part {
        Part::Keys => Name::Keys(unit.index, scope, word.to_vec()),
        Part::Values => Name::Values(unit.index, scope, word.to_vec()),
    };
    unit.memo.once(key, || {
        let mut votes = Votes::default();
        let mut open = false;
        in_scope(unit, scope, word, &mut |node| {
            let asked = asked(unit, node);
            match (part, asked) {
                (Part::Keys, Some((key, _))) => {
                    let is_text = matches!(
                        tree.kind(key),
                        Kind::Str | Kind::ConcatenatedString | Kind::Binary
                    );
                    match expression(unit, key) {
                        // A literal changes with the table.
                        Reading::Open if is_text => {}
                        Reading::Open => open = true,
                        found => votes.add(found),
                    }
                }
                (Part::Values, Some((_, Some(whole)))) => votes.add(used(unit, whole)),
                (_, None) => open = true,
                _ => {}
            }
        });
        match votes.verdict() {
            Reading::Value(ValueKind::Device) if open && part == Part::Keys => Reading::Mixed,
            found => found,
        }
    })
}

/// Whether a table is asked by texts and devices only, so that all that it is asked by is known.
pub fn is_closed(unit: &PythonUnit<'_>, table: NodeId) -> bool {
    let tree = &unit.module.tree;
    if tree.kind(table) != Kind::Identifier {
        return false;
    }
    let word = tree.word(table);
    let scope = unit.module.bindings(table, word).0;
    let (mut asked_by_known, mut closed) = (false, true);
    in_scope(unit, scope, word, &mut |node| {
        let known = asked(unit, node).is_some_and(|(key, _)| {
            matches!(
                tree.kind(key),
                Kind::Str | Kind::ConcatenatedString | Kind::Binary
            ) || expression(unit, key) == Reading::Value(ValueKind::Device)
        });
        asked_by_known |= known;
        closed &= known;
    });
    asked_by_known && closed
}

/// How a table is asked at a use of it: the key, and the expression that is what it gives.
fn asked(unit: &PythonUnit<'_>, node: NodeId) -> Option<(NodeId, Option<NodeId>)> {
    let tree = &unit.module.tree;
    let up = tree.parent(node)?;
    match tree.kind(up) {
        Kind::Subscript if tree.field(node) == Field::Value => {
            Some((tree.child(up, Field::Subscript)?, Some(up)))
        }
        Kind::Attribute if tree.field(node) == Field::Object => {
            let call = tree
                .parent(up)
                .filter(|&one| tree.kind(one) == Kind::Call)?;
            let method = tree.word(tree.child(up, Field::Attribute)?);
            let first = tree.nth(tree.child(call, Field::Arguments)?, 0)?;
            matches!(method, b"get" | b"pop" | b"setdefault").then_some((first, Some(call)))
        }
        // `key in TABLE`
        Kind::Comparison => tree.children(up).next().map(|key| (key, None)),
        _ => None,
    }
}
