//! Whether a text is the name of a module that a function of the tree's own imports: `optional_import("cupy")`.

use crate::python::ModuleView;
use crate::python::inference::facts::equation::Term;
use crate::python::inference::facts::slot::{Slot, SlotKind};
use crate::python::inference::uses::name_uses::each_use_of;
use crate::python::inference::values::steps::destinations;
use torchada_mapping::has;
use torchada_mapping::python::packages::Packages;
use torchada_syntax::python::{Consumer, Use};

/// Whether a function of the tree's takes a value and imports, or looks for, the module of that name.
pub fn is_imported_by_own_function(view: &ModuleView<'_>, of: &Use) -> bool {
    let call_takes = matches!(
        of.consumer,
        Consumer::Argument { .. } | Consumer::Keyword { .. }
    );
    call_takes && {
        let term = Term::Join(next_slots(view, of));
        let equation = |slot: &Slot| {
            let term = view.question_of(slot.file, |home| of_slot(home, slot));
            term.unwrap_or(Term::Fact(false))
        };
        view.summaries.imported.solve(&term, &equation)
    }
}

/// Whether the value of a slot of the file is imported.
fn of_slot(view: &ModuleView<'_>, slot: &Slot) -> Term<bool> {
    let mut terms = Vec::new();
    each_use_of(view, slot, &mut |other, node| {
        let of = other.module.use_of(node);
        if is_import(other, &of) {
            terms.push(Term::Fact(true));
        } else {
            terms.extend(next_slots(other, &of));
        }
    });
    Term::Join(terms)
}

/// The variables and parameters that a value goes on to.
fn next_slots(view: &ModuleView<'_>, of: &Use) -> Vec<Term<bool>> {
    if matches!(of.consumer, Consumer::Comparison { .. }) {
        return Vec::new();
    }
    let next = destinations(view, of).into_iter();
    // A function that imports what it is given does so in its own file: other files are not worth a parse.
    let imports = |slot: &Slot| {
        let mut probes = Packages::builtin().probes.iter();
        probes.any(|name| view.modules.has(slot.file, name.as_bytes()))
    };
    next.filter(|slot| slot.kind == SlotKind::Variable && imports(slot))
        .map(Term::Of)
        .collect()
}

/// `importlib.import_module(name)`, `find_spec(name)`
fn is_import(view: &ModuleView<'_>, of: &Use) -> bool {
    let probes = &Packages::builtin().probes;
    let call = of.argument_at(0).filter(|_| !of.is_part());
    call.is_some_and(|call| has(probes, view.module.callee_word(call)))
}
