//! Whether an object surely is `PyTorch`'s: it was made by a call of one of `PyTorch`'s functions, or by a method that only
//! tensors have.

use crate::python::ModuleView;
use crate::python::inference::facts::equation::Term;
use crate::python::inference::facts::slot::{Slot, SlotKind};
use crate::python::inference::limits::OBJECT_STEPS;
use crate::python::inference::uses::callee::{annotation, class_of};
use crate::python::inference::values::attributes::values_of_own_field;
use torchada_syntax::python::{BoundValue, Field, Kind, NodeId};
use torchada_text::first_part;

/// Whether an object surely is `PyTorch`'s.
pub fn is_torchs(view: &ModuleView<'_>, object: NodeId) -> bool {
    let may_be_another = &view.summaries.may_be_anothers;
    let equation = |slot: &Slot| {
        let term = view.question_of(slot.file, |home| equation(home, slot));
        term.unwrap_or(Term::Fact(true))
    };
    !may_be_another.solve(&may_be_anothers(view, object), &equation)
}

/// Whether an object may be something else than `PyTorch`'s.
fn may_be_anothers(view: &ModuleView<'_>, object: NodeId) -> Term<bool> {
    let tree = &view.module.tree;
    let mut at = object;
    for _ in 0..OBJECT_STEPS {
        let next = match tree.kind(at) {
            Kind::Call => {
                if is_call_for_tensor(view, at) || is_next_of_tensors(view, at) {
                    return Term::Fact(false);
                }
                let callee = tree.callee(at);
                callee.filter(|&callee| tree.kind(callee) == Kind::Attribute)
            }
            Kind::Attribute if is_field_for_tensor(view, at) => return Term::Fact(false),
            Kind::Attribute => tree.child(at, Field::Object),
            Kind::Parenthesized => tree.nth(at, 0),
            Kind::Identifier => return Term::Of(Slot::bound_to(view, at, SlotKind::Assigned)),
            _ => None,
        };
        match next {
            Some(next) => at = next,
            None => break,
        }
    }
    Term::Fact(true)
}

/// Whether an attribute of `self` only ever is what a call of `PyTorch`'s gives or of a class that is made from one of
/// `PyTorch`'s, or nothing: `self.x = nn.Parameter(…)`.
fn is_field_for_tensor(view: &ModuleView<'_>, attribute: NodeId) -> bool {
    let tree = &view.module.tree;
    let values = values_of_own_field(view, attribute);
    let mut set = values
        .iter()
        .filter(|&&value| tree.kind(value) != Kind::None)
        .peekable();
    let is_one = |&value: &NodeId| {
        tree.kind(value) == Kind::Call
            && (is_call_for_tensor(view, value) || makes_torchs(view, value))
    };
    set.peek().is_some() && set.all(is_one)
}

/// Whether a call is one of a function of `PyTorch`'s, or of a method that only tensors have.
fn is_call_for_tensor(view: &ModuleView<'_>, call: NodeId) -> bool {
    let tree = &view.module.tree;
    let Some(callee) = tree.callee(call) else {
        return false;
    };
    let word = String::from_utf8_lossy(view.module.callee_word(call));
    let tensors = &view.python_values().tensor_methods;
    let is_method = tree.kind(callee) == Kind::Attribute
        && tensors.iter().any(|one| **one == word)
        && view.modules.methods(&word).is_empty();
    is_method || is_torchs_name(view, callee)
}

/// Whether a call makes an object of a class of the tree's that is made from one of `PyTorch`'s.
fn makes_torchs(view: &ModuleView<'_>, call: NodeId) -> bool {
    class_of(view, call).is_some_and(|(file, class)| {
        let bases = view.modules.each_class(file, class, &mut |_, _| false);
        bases.iter().any(|base| view.is_torch(first_part(base)))
    })
}

/// Whether a call gives the next one of a module's tensors: `next(model.parameters())`.
fn is_next_of_tensors(view: &ModuleView<'_>, call: NodeId) -> bool {
    let tree = &view.module.tree;
    let callee = tree.callee(call);
    let given = tree
        .argument(call, 0)
        .filter(|&one| tree.kind(one) == Kind::Call);
    let (Some(callee), Some(given)) = (callee, given) else {
        return false;
    };
    let word = String::from_utf8_lossy(view.module.callee_word(given));
    let givers = &view.python_values().module_tensors;
    view.module.is_builtin(callee, "next")
        && givers.iter().any(|one| **one == word)
        && view.modules.methods(&word).is_empty()
}

fn is_torchs_name(view: &ModuleView<'_>, name: NodeId) -> bool {
    let name = view.module.resolve(name);
    name.is_some_and(|one| view.python_values().torch_names.has(&one.name))
}

/// A variable may be something else where one of the values is that it has had: `x = x.contiguous()` adds none.
fn equation(view: &ModuleView<'_>, slot: &Slot) -> Term<bool> {
    let bindings = view.module.bindings_in(slot.scope, &slot.name);
    if bindings.is_empty() {
        return Term::Fact(true);
    }
    let values = bindings.iter().map(|one| match one.what {
        BoundValue::Value(value) => may_be_anothers(view, value),
        BoundValue::Parameter => {
            let typed = annotation(view, one.at);
            Term::Fact(!typed.is_some_and(|typed| is_torchs_name(view, typed)))
        }
        _ => Term::Fact(true),
    });
    Term::Join(values.collect())
}
