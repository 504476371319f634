//! `.cuda()`, `.is_cuda`, `.cuda_stream`, on whatever object.

use rustc_hash::FxHashSet;

use super::unit::Change;
use super::{PythonRule, PythonUnit, callee};
use crate::diagnostic::{Applicability, Code, Kept, KeptReason, Severity};
use crate::mapping::Section;
use crate::project::python::Definition;
use crate::rules::Outcome;
use crate::syntax::python::{Field, Kind, NodeId, What};

/// A member that may be the project's own.
pub const OWN_MEMBER: Code = Code {
    id: "PY016",
    severity: Severity::Note,
    title: "may be a member that the project defines itself",
};

/// Members of tensors, modules, streams and events.
pub struct Members;

impl PythonRule for Members {
    fn name(&self) -> &'static str {
        "python-members"
    }

    fn codes(&self) -> &'static [Code] {
        const CODES: [Code; 1] = [OWN_MEMBER];
        &CODES
    }

    fn check(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        if !unit.is_musa() {
            return;
        }
        let tree = &unit.module.tree;
        let own = assigned(unit);
        for node in tree.nodes() {
            if tree.kind(node) == Kind::Attribute && !tree.is_broken(node) {
                if own.contains(tree.word(node)) {
                    keep(unit, out, node);
                } else {
                    self.settle(unit, out, node);
                }
            }
        }
    }
}

impl Members {
    fn settle(&self, unit: &PythonUnit<'_>, out: &mut Outcome, node: NodeId) {
        let tree = &unit.module.tree;
        let (Some(object), Some(name)) = (
            tree.child(node, Field::Object),
            tree.child(node, Field::Attribute),
        ) else {
            return;
        };
        let word = tree.word(name);
        let called = tree.field(node) == Field::Function;
        let members = &unit.positions().members;
        let Some(member) = members
            .iter()
            .find(|one| one.cuda.as_bytes() == word && one.call == called)
        else {
            return;
        };
        // `torch.cuda` is no tensor's.
        let of_module = unit
            .module
            .resolve(object)
            .is_some_and(|one| one.name == "torch");
        let row = unit.lore.tables.get(Section::Python, member.row.as_bytes());
        let Some((row, to)) = row.and_then(|row| Some((row, row.to.as_deref()?))) else {
            return;
        };
        let to = to.rsplit('.').next().unwrap_or(to);
        if of_module {
            return;
        }
        if asked_beside(unit, node, to.as_bytes()) {
            keep(unit, out, node);
            return;
        }
        let own = match owner(unit, object, &member.cuda) {
            Owner::Project => {
                keep(unit, out, node);
                return;
            }
            Owner::Torch => false,
            Owner::Unknown => true,
        };
        let applicability = if own {
            let range = tree.range(name);
            let message = format!(
                "`.{}` stays: a class of the project defines a member of that name",
                member.cuda
            );
            let finding = unit.finding(OWN_MEMBER, range, message);
            out.findings.push(finding.help(format!(
                "where the object is PyTorch's, write `.{to}`; `--unsafe` does so everywhere"
            )));
            Applicability::Unsafe
        } else {
            Applicability::Safe
        };
        let change = Change {
            range: tree.range(name),
            to,
            rule: self.name(),
            applicability,
            evidence: row.evidence,
        };
        unit.change(out, &change);
    }
}

/// `x.is_cuda or x.is_musa`
fn asked_beside(unit: &PythonUnit<'_>, node: NodeId, to: &[u8]) -> bool {
    let tree = &unit.module.tree;
    tree.ancestors(node)
        .take_while(|&one| {
            matches!(
                tree.kind(one),
                Kind::Boolean | Kind::Parenthesized | Kind::Not
            )
        })
        .flat_map(|one| tree.children(one))
        .any(|side| tree.kind(side) == Kind::Attribute && unit.module.last_name(side) == to)
}

/// Members that the module gives a value itself, as they are written: `image.cuda_event = event`. Those of
/// `PyTorch`'s can't be set.
fn assigned<'a>(unit: &PythonUnit<'a>) -> FxHashSet<&'a [u8]> {
    let tree = &unit.module.tree;
    let members = &unit.positions().members;
    let is_set = |&node: &NodeId| {
        tree.kind(node) == Kind::Attribute
            && tree.field(node) == Field::Left
            && tree
                .parent(node)
                .is_some_and(|up| tree.kind(up) == Kind::Assignment)
            && tree.child(node, Field::Attribute).is_some_and(|name| {
                let mut known = members.iter().filter(|one| !one.call);
                known.any(|one| one.cuda.as_bytes() == tree.word(name))
            })
    };
    tree.nodes()
        .filter(is_set)
        .map(|node| tree.word(node))
        .collect()
}

fn keep(unit: &PythonUnit<'_>, out: &mut Outcome, member: NodeId) {
    let tree = &unit.module.tree;
    let name = tree.child(member, Field::Attribute).unwrap_or(member);
    out.kept.push(Kept {
        range: tree.range(name),
        reason: KeptReason::ProjectDeclared,
    });
}

/// How many steps lead from an object to what made it.
const REACH: usize = 16;

/// Whose member is asked for.
enum Owner {
    /// The object is `PyTorch`'s, or no class that the module can know defines such a member.
    Torch,
    /// The object's class defines it.
    Project,
    /// Nobody knows.
    Unknown,
}

fn owner(unit: &PythonUnit<'_>, object: NodeId, member: &str) -> Owner {
    let defined = unit.modules.methods(member);
    if defined.is_empty() {
        return Owner::Torch;
    }
    if let Some((file, class)) = callee::class_of(unit, object) {
        if unit.modules.method(file, class, member).is_some() {
            return Owner::Project;
        }
        let bases = unit.modules.each_class(file, class, &mut |_, _| false);
        let root = unit.positions().module.cuda.split('.').next();
        if bases.iter().any(|base| base.split('.').next() == root) {
            return Owner::Torch;
        }
    }
    let handed = is_handed(unit, object);
    // What nobody imports hands its objects to nobody but itself, such as a test's stand-in.
    let comes_from = |file| handed && !unit.modules.importers(file).is_empty();
    let may_be_it = |&(file, at): &(usize, usize)| {
        (comes_from(file) || is_near(unit, file, at)) && takes(unit, file, at, object)
    };
    if is_torchs(unit, object) || !defined.iter().any(may_be_it) {
        return Owner::Torch;
    }
    Owner::Unknown
}

/// Whether an object surely is `PyTorch`'s: what made it is a call of one of its functions.
fn is_torchs(unit: &PythonUnit<'_>, object: NodeId) -> bool {
    let tree = &unit.module.tree;
    let mut at = object;
    for _ in 0..REACH {
        let next = match tree.kind(at) {
            Kind::Call => {
                let Some(callee) = tree.child(at, Field::Function) else {
                    return false;
                };
                // What only tensors can do gives tensors.
                let word = String::from_utf8_lossy(unit.module.callee_word(at));
                let tensors = &unit.positions().tensor_methods;
                if tree.kind(callee) == Kind::Attribute
                    && tensors.iter().any(|one| **one == word)
                    && unit.modules.methods(&word).is_empty()
                {
                    return true;
                }
                let name = unit.module.resolve(callee);
                if name.is_some_and(|one| one.name.starts_with("torch.")) {
                    return true;
                }
                (tree.kind(callee) == Kind::Attribute).then_some(callee)
            }
            Kind::Attribute => tree.child(at, Field::Object),
            Kind::Parenthesized => tree.nth(at, 0),
            Kind::Identifier => match unit.module.bindings(at, tree.word(at)).1 {
                [one] => match one.what {
                    What::Value(value) => Some(value),
                    What::Parameter => {
                        let typed = callee::annotation(unit, one.at);
                        let name = typed.and_then(|typed| unit.module.resolve(typed));
                        return name.is_some_and(|one| one.name.starts_with("torch."));
                    }
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        };
        match next {
            Some(next) => at = next,
            None => return false,
        }
    }
    false
}

/// Whether an object comes in by a parameter, from wherever.
fn is_handed(unit: &PythonUnit<'_>, object: NodeId) -> bool {
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
fn is_near(unit: &PythonUnit<'_>, file: usize, function: usize) -> bool {
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

/// Whether a method can be called with the arguments of the call whose object is given.
fn takes(unit: &PythonUnit<'_>, file: usize, function: usize, object: NodeId) -> bool {
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
    // One with `*arguments` takes all.
    let open = head
        .parameters
        .iter()
        .any(|one| one.stars > 0 && !one.name.is_empty());
    open || tree.children(arguments).all(|argument| {
        let place = match tree.kind(argument) {
            Kind::KeywordArgument => tree.child(argument, Field::Name),
            Kind::ListSplat | Kind::DictionarySplat => return true,
            _ => None,
        };
        let name = place.map(|name| String::from_utf8_lossy(tree.word(name)));
        callee.is_some_and(|callee| {
            let place = name.as_deref().map_or(Ok(tree.ordinal(argument)), Err);
            unit.modules.parameter(callee, place).is_some()
        })
    })
}
