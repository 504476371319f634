//! Whether the object of a member access is `PyTorch`'s, or of a class of the project's.

use crate::python::ModuleView;
use crate::python::inference::callee;
use crate::python::inference::{is_torchs, is_treated_as_torchs};
use torchada_mapping::{Member, has};
use torchada_project::python::{ArgumentPlace, Definition};
use torchada_syntax::python::{BoundValue, Field, Kind, NodeId};
use torchada_text::first_part;

/// The owner of the object that a member belongs to.
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
pub fn owner(unit: &ModuleView<'_>, object: NodeId, member: &Member) -> Owner {
    let name = unit.module.resolve(object);
    let found = name
        .as_ref()
        .and_then(|name| unit.modules.lookup(unit.index, &name.name));
    if let Some(Definition::Module(_)) = found {
        return Owner::Project;
    }
    // `pytest.mark.cuda(test)`
    let entry = &unit.python_values().entry;
    let mut sure = name.iter().filter(|name| name.is_sure());
    if sure.any(|name| entry.is_harmless(first_part(&name.name))) {
        return Owner::Project;
    }
    if is_imported_whole(unit, object) {
        return Owner::Module;
    }
    if takes_more(unit, object, member) {
        return Owner::Project;
    }
    let objects = &unit.python_values().vendors.objects;
    if ends_with(unit, object, objects) || !member.call && has_members_itself(unit, object) {
        return Owner::Project;
    }
    let is_call = unit.module.tree.kind(object) == Kind::Call;
    if !is_call
        && ends_with(unit, object, &member.not_of)
        && !is_torchs(unit, object)
        && !is_treated_as_torchs(unit, object, member.call, &|_| false)
    {
        return Owner::Project;
    }
    let class = callee::class_of(unit, object).or_else(|| class_of_super(unit, object));
    if let Some((file, class)) = class
        && let Some(owner) = owner_by_class(unit, file, class, member)
    {
        return owner;
    }
    let defined = unit.modules.methods(&member.cuda);
    let own: Vec<(usize, usize)> = defined
        .iter()
        .filter(|&&(file, at)| {
            !overrides(unit, file, at, member) && !hands_on(unit, file, at, object)
        })
        .copied()
        .collect();
    if own.is_empty() || is_torchs(unit, object) {
        return Owner::Torch;
    }
    let comes_by_parameter = is_parameter(unit, object);
    // A module that no other imports keeps its objects to itself, such as a test's stand-in.
    let comes_from = |file| comes_by_parameter && !unit.modules.importers(file).is_empty();
    let may_be_it = |&(file, at): &(usize, usize)| {
        (comes_from(file) || is_near(unit, file, at)) && can_be_used_as(unit, file, at, object)
    };
    // An own class that has this member may have members of tensors, too.
    let is_own = |name: &str| {
        let mut own = own.iter();
        own.any(|&(file, at)| {
            let class = class_of_method(unit, file, at);
            class.is_some_and(|class| unit.modules.method(file, class, name).is_some())
        })
    };
    if !own.iter().any(may_be_it) || is_treated_as_torchs(unit, object, member.call, &is_own) {
        return Owner::Torch;
    }
    Owner::Unknown
}

/// Whose object one of a class of the tree's is, where the class shows that.
fn owner_by_class(
    unit: &ModuleView<'_>,
    file: usize,
    class: usize,
    member: &Member,
) -> Option<Owner> {
    if let Some((file, at)) = unit.modules.method(file, class, &member.cuda) {
        return Some(if overrides(unit, file, at, member) {
            Owner::Torch
        } else {
            Owner::Project
        });
    }
    let mut has_field = false;
    let bases = unit.modules.each_class(file, class, &mut |file, class| {
        let head = unit
            .modules
            .outline(file)
            .and_then(|one| one.classes.get(class));
        has_field |= head.is_some_and(|head| head.fields.contains(&member.cuda.as_str()));
        has_field
    });
    if has_field {
        return Some(Owner::Project);
    }
    let mut bases = bases.iter();
    let is_torchs = bases.any(|base| unit.is_torch(first_part(base)));
    is_torchs.then_some(Owner::Torch)
}

/// Whether a method of the tree's takes the place of `PyTorch`'s: its class is made from one that has such a member.
pub fn overrides(unit: &ModuleView<'_>, file: usize, function: usize, member: &Member) -> bool {
    let class = class_of_method(unit, file, function);
    let tensors = &unit.python_values().tensor_classes;
    let modules = &unit.python_values().module_classes;
    class.is_some_and(|class| {
        let bases = unit.modules.each_class(file, class, &mut |_, _| false);
        bases
            .iter()
            .any(|base| tensors.contains(base) || member.call && modules.contains(base))
    })
}

/// Whether an object is a field of the very object whose method this is, as in `def cuda(self): self.model.cuda()`: what a
/// method of that name hands on to is another's.
fn hands_on(unit: &ModuleView<'_>, file: usize, function: usize, object: NodeId) -> bool {
    let tree = &unit.module.tree;
    let is_own_field = tree
        .child(object, Field::Object)
        .is_some_and(|one| tree.kind(object) == Kind::Attribute && tree.is_self(one));
    let around = tree.function_around(object).filter(|_| is_own_field);
    let name = around.and_then(|around| tree.child(around, Field::Name));
    let head = unit.modules.outline(file);
    let head = head.and_then(|outline| outline.functions.get(function));
    file == unit.index
        && name.is_some_and(|name| head.is_some_and(|head| head.at == tree.range(name).start))
}

fn class_of_method(unit: &ModuleView<'_>, file: usize, function: usize) -> Option<usize> {
    unit.modules.outline(file)?.functions.get(function)?.class
}

/// Whether the name of an object, or of what gives it, ends with one of several words: `current_platform`,
/// `get_platform()`.
fn ends_with(unit: &ModuleView<'_>, object: NodeId, words: &[String]) -> bool {
    let tree = &unit.module.tree;
    let name = match tree.kind(object) {
        Kind::Call => unit.module.callee_word(object).into(),
        _ => unit.module.last_name(object),
    };
    let name = name.to_ascii_lowercase();
    let last = name
        .rsplit(|&byte| byte == b'_')
        .find(|part| !part.is_empty());
    last.is_some_and(|last| has(words, last))
}

/// Whether the code calls the member of an object with a keyword that `PyTorch`'s does not take:
/// `quantizer.cuda(x, meta=meta)`.
fn takes_more(unit: &ModuleView<'_>, object: NodeId, member: &Member) -> bool {
    let tree = &unit.module.tree;
    let call = tree.method_call(object).filter(|_| member.call);
    let mut keywords = call
        .into_iter()
        .flat_map(|call| tree.keywords(call))
        .filter_map(|one| tree.child(one, Field::Name));
    keywords.any(|name| !has(&member.keywords, tree.word(name)))
}

/// Whether the member of an object that the code uses has members itself: `mock.is_cuda.return_value`. What `PyTorch`'s
/// objects have under such a name is a number or a truth value.
fn has_members_itself(unit: &ModuleView<'_>, object: NodeId) -> bool {
    let tree = &unit.module.tree;
    let member = tree.parent(object);
    let above = member.and_then(|member| Some((member, tree.parent(member)?)));
    above.is_some_and(|(member, up)| {
        tree.kind(up) == Kind::Attribute && tree.field(member) == Field::Object
    })
}

/// The class in whose method `super()` stands.
fn class_of_super(unit: &ModuleView<'_>, object: NodeId) -> Option<(usize, usize)> {
    let is_super =
        unit.module.tree.kind(object) == Kind::Call && unit.module.callee_word(object) == b"super";
    is_super.then(|| callee::own_class(unit, object)).flatten()
}

/// `import library as object`: a name that only ever is a module's.
fn is_imported_whole(unit: &ModuleView<'_>, object: NodeId) -> bool {
    let tree = &unit.module.tree;
    if tree.kind(object) != Kind::Identifier {
        return false;
    }
    let bindings = unit.module.meanings(object);
    let is_import = |at: NodeId| {
        let mut around = std::iter::once(at).chain(tree.ancestors(at));
        around.any(|one| tree.kind(one) == Kind::Import)
    };
    !bindings.is_empty()
        && bindings
            .iter()
            .all(|one| matches!(one.what, BoundValue::Import(_)) && is_import(one.at))
}

/// Whether an object is a parameter of a function, so that any caller may have made it.
fn is_parameter(unit: &ModuleView<'_>, object: NodeId) -> bool {
    let tree = &unit.module.tree;
    let bindings = match tree.kind(object) {
        Kind::Identifier => unit.module.meanings(object),
        _ => return false,
    };
    let mut bindings = bindings.iter();
    !tree.is_self(object) && bindings.any(|one| one.what == BoundValue::Parameter)
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
        !unit.module.places_of(name).is_empty()
    })
}

/// Whether a method can be used as the code uses the member of `object`: called with the arguments of the call; and
/// where the code only reads the member, not as a plain method, which is no answer to anything.
fn can_be_used_as(unit: &ModuleView<'_>, file: usize, function: usize, object: NodeId) -> bool {
    let tree = &unit.module.tree;
    let call = tree.parent(object).and_then(|member| tree.parent(member));
    let arguments = call
        .filter(|&call| tree.kind(call) == Kind::Call)
        .and_then(|call| tree.child(call, Field::Arguments));
    let Some(arguments) = arguments else {
        return is_read_as_value(unit, file, function) || is_handed_on(unit, call);
    };
    // What such a method gives is a value, and no call of it gives a tensor.
    if has_decorator(unit, file, function, |one| one.ends_with("property")) {
        return false;
    }
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
        .any(|one| one.stars() > 0 && !one.name().is_empty());
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

/// Whether a method gives its value where it is read: a decorator such as `property` makes it so.
fn is_read_as_value(unit: &ModuleView<'_>, file: usize, function: usize) -> bool {
    let plain = ["staticmethod", "classmethod", "abstractmethod"];
    has_decorator(unit, file, function, |one| !plain.contains(&one))
}

/// Whether a method has a decorator of some kind.
fn has_decorator(
    unit: &ModuleView<'_>,
    file: usize,
    function: usize,
    is_one: impl Fn(&str) -> bool,
) -> bool {
    let outline = unit.modules.outline(file);
    let head = outline.and_then(|outline| outline.functions.get(function));
    head.is_some_and(|head| head.decorators.iter().any(|one| is_one(one)))
}

/// Whether the code gives the member on to a call, which may call it. `around`: what the member stands in.
fn is_handed_on(unit: &ModuleView<'_>, around: Option<NodeId>) -> bool {
    let kinds = [Kind::ArgumentList, Kind::KeywordArgument];
    around.is_some_and(|around| kinds.contains(&unit.module.tree.kind(around)))
}
