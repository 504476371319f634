//! Where a name is used: in its scope, as an attribute, and where other files take it from its module.

use super::places::places;
use super::references::TopName;
use super::shared_answers::is_member;
use crate::python::ModuleView;
use crate::python::inference::facts::slot::{Slot, SlotKind};
use crate::python::inference::limits::{IMPORTERS, IMPORTERS_OF_ATTRIBUTES};
use torchada_syntax::python::{Binding, BoundValue, Field, Kind, NodeId, ScopeId, ScopeKind};

/// The work on each use: it gets the file that the use stands in, and the place there.
type Visitor<'e> = &'e mut dyn FnMut(&ModuleView<'_>, NodeId);

/// Each use of a name in its scope and in those inside it.
pub fn in_scope(view: &ModuleView<'_>, scope: ScopeId, word: &[u8], each: &mut dyn FnMut(NodeId)) {
    let tree = &view.module.tree;
    for &node in places(view, word) {
        let parent = tree.parent(node).map(|up| tree.kind(up));
        let is_member = parent == Some(Kind::Attribute) && tree.field(node) == Field::Attribute;
        let is_keyword = parent == Some(Kind::KeywordArgument) && tree.field(node) == Field::Name;
        if is_member || is_keyword {
            continue;
        }
        let (found, bindings) = view.module.bindings(node, word);
        if found == scope && !bindings.iter().any(|binding| binding.at == node) {
            each(node);
        }
    }
}

/// Each use of a name of a module's top, or of a method behind its class, in the files that import it; of other names there is
/// none.
pub fn in_importers(view: &ModuleView<'_>, scope: ScopeId, word: &[u8], each: Visitor<'_>) {
    in_importers_while(view, scope, word, &mut |other, node| {
        each(other, node);
        true
    });
}

/// Each use that [`in_importers`] visits, until `each` says that no more are wanted.
fn in_importers_while(
    view: &ModuleView<'_>,
    scope: ScopeId,
    word: &[u8],
    each: &mut dyn FnMut(&ModuleView<'_>, NodeId) -> bool,
) {
    let kind = view.module.kind_of_scope(scope);
    if !matches!(kind, ScopeKind::Module | ScopeKind::Class) {
        return;
    }
    let name = String::from_utf8_lossy(word);
    let name = TopName::new(view, &name);
    let with_word = view.modules.files_with(word);
    let may_use = |file: &usize| with_word.binary_search(file).is_ok();
    for file in importers(view).into_iter().take(IMPORTERS).filter(may_use) {
        let uses = name.references(file);
        if let (false, Some(other)) = (uses.is_empty(), view.other(file))
            && !uses.into_iter().all(|whole| each(&other, whole))
        {
            return;
        }
    }
}

/// Each use of a name in its file alone.
pub fn each_use_here(view: &ModuleView<'_>, name: NodeId, each: &mut dyn FnMut(NodeId)) {
    let word = view.module.tree.word(name);
    let (scope, bindings) = view.module.bindings(name, word);
    if !bindings.is_empty() {
        in_scope(view, scope, word, each);
    }
}

/// Whether one of these uses is as somebody wants it.
pub fn any_use_here(
    view: &ModuleView<'_>,
    name: NodeId,
    is_one: &mut dyn FnMut(NodeId) -> bool,
) -> bool {
    let mut found = false;
    each_use_here(view, name, &mut |node| found = found || is_one(node));
    found
}

/// Each use of a name in its file, and where others import it from the top of the file.
pub fn each_use(view: &ModuleView<'_>, name: NodeId, each: Visitor<'_>) {
    each_use_while(view, name, &mut |other, node| {
        each(other, node);
        true
    });
}

/// Each use that [`each_use`] visits, until `each` says that no more are wanted: modules that import the name are not parsed then.
pub fn each_use_while(
    view: &ModuleView<'_>,
    name: NodeId,
    each: &mut dyn FnMut(&ModuleView<'_>, NodeId) -> bool,
) {
    let mut goes_on = true;
    each_use_here(view, name, &mut |node| {
        goes_on = goes_on && each(view, node);
    });
    let word = view.module.tree.word(name);
    let (scope, bindings) = view.module.bindings(name, word);
    if goes_on && !bindings.is_empty() {
        in_importers_while(view, scope, word, each);
    }
}

/// Whether one of these uses is as somebody wants it.
pub fn any_use(
    view: &ModuleView<'_>,
    name: NodeId,
    is_one: &mut dyn FnMut(&ModuleView<'_>, NodeId) -> bool,
) -> bool {
    let mut found = false;
    each_use_while(view, name, &mut |other, node| {
        found = is_one(other, node);
        !found
    });
    found
}

/// Each use of the name of a slot of the file, in the file and where others import it. None for the return of what is no
/// function.
pub fn each_use_of(view: &ModuleView<'_>, slot: &Slot, each: Visitor<'_>) {
    let mut bindings = view.module.bindings_in(slot.scope, &slot.name).iter();
    let is_function = |what: &BoundValue| matches!(what, BoundValue::Function(_));
    if match slot.kind {
        SlotKind::Return => bindings.any(|one| is_function(&one.what)),
        _ => bindings.next().is_some(),
    } {
        in_scope(view, slot.scope, &slot.name, &mut |node| each(view, node));
        in_importers(view, slot.scope, &slot.name, each);
    }
}

/// The other modules that import this one, each once, in the order of their paths.
pub fn importers(view: &ModuleView<'_>) -> Vec<usize> {
    let importers = view.modules.importers(view.index).iter();
    let others = importers.map(|&(file, _)| file);
    let mut files: Vec<usize> = others.filter(|&file| file != view.index).collect();
    files.sort_unstable();
    files.dedup();
    files
}

/// Each use of an attribute of the objects of a file's classes, in the file and in those that import it.
pub fn each_use_of_attribute(view: &ModuleView<'_>, word: &[u8], each: Visitor<'_>) {
    of_attribute_in_file(view, word, each);
    let with_word = view.modules.files_with(word);
    let has = |file: &usize| with_word.binary_search(file).is_ok();
    let is_read = |&file: &usize| is_member(&view.modules.text_once(file), word);
    let files = importers(view).into_iter().filter(has);
    for file in files.take(IMPORTERS_OF_ATTRIBUTES).filter(is_read) {
        if let Some(other) = view.other(file) {
            of_attribute_in_file(&other, word, each);
        }
    }
}

/// Each place in the file that reads an attribute of the name that an attribute has.
pub fn each_attribute(view: &ModuleView<'_>, attribute: NodeId, each: &mut dyn FnMut(NodeId)) {
    let word = view.module.last_name(attribute);
    of_attribute_in_file(view, &word, &mut |_, node| each(node));
}

fn of_attribute_in_file(view: &ModuleView<'_>, word: &[u8], each: Visitor<'_>) {
    let tree = &view.module.tree;
    for &node in places(view, word) {
        let Some(attribute) = tree.attribute_of(node) else {
            continue;
        };
        let is_target = tree.parent(attribute).is_some_and(|up| {
            tree.kind(up) == Kind::Assignment && tree.field(attribute) == Field::Left
        });
        if !is_target {
            each(view, attribute);
        }
    }
}

/// Each call of a function whose name a scope of the file binds, in the file and in those that import the name.
pub fn calls_of(view: &ModuleView<'_>, scope: ScopeId, word: &[u8], each: Visitor<'_>) {
    let tree = &view.module.tree;
    let mut add = |other: &ModuleView<'_>, node: NodeId| {
        let tree = &other.module.tree;
        let call = tree.call_of(node);
        if let Some(call) = call {
            each(other, call);
        }
    };
    for &node in places(view, word) {
        let named = match tree.parent(node) {
            // `self.where()`
            Some(up) if tree.kind(up) == Kind::Attribute => {
                (tree.field(node) == Field::Attribute).then_some(up)
            }
            _ => {
                let (found, bindings) = view.module.bindings(node, word);
                let is_function = |one: &Binding| matches!(one.what, BoundValue::Function(_));
                (found == scope && bindings.iter().any(is_function)).then_some(node)
            }
        };
        if let Some(named) = named {
            add(view, named);
        }
    }
    in_importers(view, scope, word, &mut add);
}
