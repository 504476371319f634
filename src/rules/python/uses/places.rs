//! Where a name is used: in its scope, as a member, and where others take it from its module.

use super::ModuleView;
use crate::project::python::Definition;
use crate::syntax::python::{Field, Kind, NodeId, ScopeId};

/// How many uses of a name are looked at in a file, and in how many other files.
const USES: usize = 200;
/// In how many other files the members of objects are looked for.
const FILES: usize = 32;

/// What is told of each use, with the file that it stands in.
type Each<'e> = &'e mut dyn FnMut(&ModuleView<'_>, NodeId);

/// Where a word stands in a file as a name.
pub(super) fn places(unit: &ModuleView<'_>, word: &[u8]) -> impl Iterator<Item = NodeId> {
    let places = unit.trees.places_of(unit.index, word);
    places.iter().take(USES).copied()
}

/// Each use of a name in its scope and in those inside it.
pub(super) fn in_scope(
    unit: &ModuleView<'_>,
    scope: ScopeId,
    word: &[u8],
    each: &mut dyn FnMut(NodeId),
) {
    let tree = &unit.module.tree;
    for node in places(unit, word) {
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
pub(super) fn elsewhere(unit: &ModuleView<'_>, word: &[u8], each: Each<'_>) {
    let name = String::from_utf8_lossy(word);
    for file in importers(unit).into_iter().take(USES) {
        if !unit.modules.has(file, word) {
            continue;
        }
        let Some(other) = unit.other(file) else {
            continue;
        };
        for node in places(&other, word) {
            let Some(whole) = whole_name(&other, node) else {
                continue;
            };
            let path = other.module.resolve(whole);
            let found = path.and_then(|path| other.modules.lookup(file, &path.name));
            if found.is_some_and(|found| is_at_top(unit, &name, &found)) {
                each(&other, whole);
            }
        }
    }
}

/// The expression that a name from another module is the end of: `config.NAME`, or `NAME` that was
/// imported. `None` for the name of a keyword, of an import and of the front of a longer name.
fn whole_name(unit: &ModuleView<'_>, node: NodeId) -> Option<NodeId> {
    let tree = &unit.module.tree;
    let Some(up) = tree.parent(node) else {
        return Some(node);
    };
    match (tree.kind(up), tree.field(node)) {
        (Kind::Attribute, field) => (field == Field::Attribute).then_some(up),
        (Kind::DottedName | Kind::KeywordArgument, field) if field != Field::Value => None,
        _ => Some(node),
    }
}

/// Whether a definition is that of a name at the top of a module.
fn is_at_top(unit: &ModuleView<'_>, name: &str, found: &Definition) -> bool {
    let outline = || unit.modules.outline(unit.index);
    match found {
        Definition::Variable(file, own) => *file == unit.index && own == name,
        Definition::Function(file, at) if *file == unit.index => outline()
            .and_then(|outline| outline.functions.get(*at))
            .is_some_and(|one| one.name == name),
        Definition::Class(file, at) if *file == unit.index => outline()
            .and_then(|outline| outline.classes.get(*at))
            .is_some_and(|one| one.name == name),
        _ => false,
    }
}

/// Each use of a name that a module has at its top, in the module and where others import it.
pub fn each_use(unit: &ModuleView<'_>, name: NodeId, each: Each<'_>) {
    let word = unit.module.tree.word(name);
    let (scope, bindings) = unit.module.bindings(name, word);
    if bindings.is_empty() {
        return;
    }
    in_scope(unit, scope, word, &mut |node| each(unit, node));
    elsewhere(unit, word, each);
}

/// The other modules that import this one, each once.
fn importers(unit: &ModuleView<'_>) -> Vec<usize> {
    let importers = unit.modules.importers(unit.index).iter();
    let others = importers.map(|&(file, _)| file);
    let mut files: Vec<usize> = others.filter(|&file| file != unit.index).collect();
    files.sort_unstable();
    files.dedup();
    files
}

/// Each use of a member of the objects of a file's classes, in the file and in those that import it.
pub(super) fn members(unit: &ModuleView<'_>, word: &[u8], each: Each<'_>) {
    members_in(unit, word, each);
    let has = |&file: &usize| unit.modules.has(file, word);
    for file in importers(unit).into_iter().filter(has).take(FILES) {
        if let Some(other) = unit.other(file) {
            members_in(&other, word, each);
        }
    }
}

fn members_in(unit: &ModuleView<'_>, word: &[u8], each: Each<'_>) {
    let tree = &unit.module.tree;
    for node in places(unit, word) {
        let attribute = tree
            .parent(node)
            .filter(|&up| tree.kind(up) == Kind::Attribute && tree.field(node) == Field::Attribute);
        let Some(attribute) = attribute else { continue };
        let is_target = tree.parent(attribute).is_some_and(|up| {
            tree.kind(up) == Kind::Assignment && tree.field(attribute) == Field::Left
        });
        if !is_target {
            each(unit, attribute);
        }
    }
}
