//! Whether the object of a member access is `PyTorch`'s, or of a class of the project's.

use super::ModuleView;
use super::inference::{callee, is_torchs};
use crate::project::python::{ArgumentPlace, Definition};
use crate::syntax::python::{Field, Kind, NodeId, What};

/// Whose object a member belongs to.
pub enum Owner {
    /// The object is `PyTorch`'s, or no class that the module can know defines such a member.
    Torch,
    /// The object's class defines the member, or the object is a module of the tree's.
    Project,
    /// The object is a module from elsewhere.
    Module,
    /// The code does not show whose object it is.
    Unknown,
}

/// Whose object an expression is that the code uses a member of.
pub fn owner(unit: &ModuleView<'_>, object: NodeId, member: &str) -> Owner {
    let name = unit.module.resolve(object);
    let found = name.and_then(|name| unit.modules.lookup(unit.index, &name.name));
    if let Some(Definition::Module(_)) = found {
        return Owner::Project;
    }
    if is_imported_whole(unit, object) {
        return Owner::Module;
    }
    let defined = unit.modules.methods(member);
    if defined.is_empty() {
        return Owner::Torch;
    }
    if let Some((file, class)) = callee::class_of(unit, object) {
        if unit.modules.method(file, class, member).is_some() {
            return Owner::Project;
        }
        let bases = unit.modules.each_class(file, class, &mut |_, _| false);
        let root = unit.python_values().module.cuda.split('.').next();
        if bases.iter().any(|base| base.split('.').next() == root) {
            // A module moves its parameters by their own method, if the project gives them one.
            return if defined.iter().any(|&(file, at)| is_tensors(unit, file, at)) {
                Owner::Unknown
            } else {
                Owner::Torch
            };
        }
    }
    let comes_by_parameter = is_parameter(unit, object);
    // A module that no other imports keeps its objects to itself, such as a test's stand-in.
    let comes_from = |file| comes_by_parameter && !unit.modules.importers(file).is_empty();
    let may_be_it = |&(file, at): &(usize, usize)| {
        (comes_from(file) || is_near(unit, file, at)) && takes(unit, file, at, object)
    };
    if is_torchs(unit, object) || !defined.iter().any(may_be_it) {
        return Owner::Torch;
    }
    Owner::Unknown
}

/// `import library as object`: a name that only ever is a module's.
fn is_imported_whole(unit: &ModuleView<'_>, object: NodeId) -> bool {
    let tree = &unit.module.tree;
    if tree.kind(object) != Kind::Identifier {
        return false;
    }
    let bindings = unit.module.bindings(object, tree.word(object)).1;
    let is_import = |at: NodeId| {
        let mut around = std::iter::once(at).chain(tree.ancestors(at));
        around.any(|one| tree.kind(one) == Kind::Import)
    };
    !bindings.is_empty()
        && bindings
            .iter()
            .all(|one| matches!(one.what, What::Import(_)) && is_import(one.at))
}

/// Whether a method is that of a class made from `PyTorch`'s tensors.
fn is_tensors(unit: &ModuleView<'_>, file: usize, function: usize) -> bool {
    let outline = unit.modules.outline(file);
    let class = outline.and_then(|outline| outline.functions.get(function)?.class);
    let tensors = &unit.python_values().tensor_classes;
    class.is_some_and(|class| {
        let bases = unit.modules.each_class(file, class, &mut |_, _| false);
        bases.iter().any(|base| tensors.contains(base))
    })
}

/// Whether an object is a parameter of a function, so that any caller may have made it.
fn is_parameter(unit: &ModuleView<'_>, object: NodeId) -> bool {
    let tree = &unit.module.tree;
    let bindings = match tree.kind(object) {
        Kind::Identifier => unit.module.bindings(object, tree.word(object)).1,
        _ => return false,
    };
    let is_own = matches!(tree.word(object), b"self" | b"cls");
    let mut bindings = bindings.iter();
    !is_own && bindings.any(|one| one.what == What::Parameter)
}

/// Whether a module may know the objects of the class that has a method: it is in the same file, that
/// file imports the module, or the class is named in it.
fn is_near(unit: &ModuleView<'_>, file: usize, function: usize) -> bool {
    if file == unit.index || unit.modules.imports(file, unit.index) {
        return true;
    }
    let outline = unit.modules.outline(file);
    let class = outline.and_then(|outline| {
        let class = outline.functions.get(function)?.class?;
        outline.classes.get(class)
    });
    class.is_some_and(|class| {
        let name = class.name.as_bytes();
        !unit.trees.places_of(unit.index, name).is_empty()
    })
}

/// Whether a method can be called with the arguments of the call on `object`.
fn takes(unit: &ModuleView<'_>, file: usize, function: usize, object: NodeId) -> bool {
    let tree = &unit.module.tree;
    let call = tree.parent(object).and_then(|member| tree.parent(member));
    let arguments = call
        .filter(|&call| tree.kind(call) == Kind::Call)
        .and_then(|call| tree.child(call, Field::Arguments));
    let Some(arguments) = arguments else {
        return true;
    };
    let callee = unit
        .modules
        .callee(&Definition::Function(file, function), true);
    let Some(head) = callee.and_then(|callee| unit.modules.function(callee)) else {
        return true;
    };
    // A function with `*arguments` takes any call.
    let takes_any = head
        .parameters
        .iter()
        .any(|one| one.stars > 0 && !one.name.is_empty());
    takes_any
        || tree.children(arguments).all(|argument| {
            let place = match tree.kind(argument) {
                Kind::KeywordArgument => tree.child(argument, Field::Name),
                Kind::ListSplat | Kind::DictionarySplat => return true,
                _ => None,
            };
            let name = place.map(|name| String::from_utf8_lossy(tree.word(name)));
            callee.is_some_and(|callee| {
                let place = name.as_deref().map_or(
                    ArgumentPlace::Position(tree.ordinal(argument)),
                    ArgumentPlace::Keyword,
                );
                unit.modules.parameter(callee, place).is_some()
            })
        })
}
