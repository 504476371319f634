//! Strings that name a dispatch key: `library.impl("op", function, "CUDA")`.

use crate::python::devices::both_names::{BothNames, compare_with_both};
use crate::python::inference::{StringRole, string_role};
use crate::python::{ModuleView, PythonUnit};
use crate::{Change, Outcome};
use torchada_mapping::{Evidence, ValueKind, has};
use torchada_syntax::python::{Consumer, Field, Kind, NodeId};
use torchada_text::TextRange;

/// Dispatch keys.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    for key in &unit.python_values().dispatch_keys {
        for literal in unit.literals(&[&key.cuda]) {
            if !literal.is_plain() || literal.value() != key.cuda.as_bytes() {
                continue;
            }
            let of = unit.module.use_of(literal.node);
            let near = unit.module.sibling_literals(&of);
            if near.iter().any(|one| one.value() == key.musa.as_bytes()) {
                continue;
            }
            if let Consumer::Comparison { other, .. } = of.consumer
                && !unit.is_musa()
                && names_type(unit, other)
            {
                let names = BothNames {
                    cuda: &key.cuda,
                    musa: &key.musa,
                };
                compare_with_both(unit, out, &literal, &of, names);
                unit.claim(out, literal.node);
            }
            let by_place = string_role(unit, &of) == StringRole::Known(ValueKind::DispatchKey);
            let by_keyword = match of.consumer {
                Consumer::Keyword { name, .. } | Consumer::Target { target: name } => {
                    *unit.module.last_name(name) == *b"dispatch_key"
                }
                _ => false,
            };
            let by_name = matches!(of.consumer, Consumer::Comparison { other, .. }
                if names_type(unit, other));
            if !unit.is_musa() || !(by_place || by_keyword || by_name) {
                continue;
            }
            let Some(range) = literal.in_file(TextRange::new(0, key.cuda.len())) else {
                continue;
            };
            unit.change(
                out,
                Change::new(range, &key.musa).evidence(Evidence::Confirmed),
            );
            unit.claim(out, literal.node);
        }
    }
}

/// `event.device_type().name`: types of devices have the names of dispatch keys.
fn names_type(unit: &ModuleView<'_>, node: NodeId) -> bool {
    let tree = &unit.module.tree;
    let known = &unit.python_values().type_names;
    let object = tree
        .child(node, Field::Object)
        .filter(|_| tree.kind(node) == Kind::Attribute);
    object.is_some_and(|object| {
        let word = match tree.kind(object) {
            Kind::Call => unit.module.callee_word(object).into(),
            _ => unit.module.last_name(object),
        };
        has(&known.attributes, unit.module.last_name(node)) && has(&known.of, word)
    })
}
