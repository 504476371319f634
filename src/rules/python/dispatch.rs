//! Strings that name a dispatch key: `library.impl("op", function, "CUDA")`.

use super::reading::{Reading, reading};
use super::unit::Change;
use super::{PythonRule, PythonUnit};
use crate::diagnostic::{Applicability, Code};
use crate::mapping::{Evidence, ValueKind};
use crate::rules::Outcome;
use crate::syntax::python::Consumer;
use crate::text::TextRange;

/// Dispatch keys.
pub struct Dispatch;

impl PythonRule for Dispatch {
    fn name(&self) -> &'static str {
        "python-dispatch"
    }

    fn codes(&self) -> &'static [Code] {
        &[]
    }

    fn check(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        if !unit.is_musa() {
            return;
        }
        for key in &unit.positions().dispatch_keys {
            for literal in unit.literals(&[&key.cuda]) {
                if !literal.is_plain() || literal.value() != key.cuda.as_bytes() {
                    continue;
                }
                let of = unit.module.use_of(literal.node);
                let by_place = reading(unit, &of) == Reading::Value(ValueKind::DispatchKey);
                let by_keyword = matches!(of.consumer, Consumer::Keyword { name, .. }
                    if unit.module.tree.word(name) == b"dispatch_key");
                if !(by_place || by_keyword) {
                    continue;
                }
                let Some(range) = literal.in_file(TextRange::new(0, key.cuda.len())) else {
                    continue;
                };
                let change = Change {
                    range,
                    to: &key.musa,
                    rule: self.name(),
                    applicability: Applicability::Safe,
                    evidence: Some(Evidence::Confirmed),
                };
                unit.change(out, &change);
                unit.claim(out, literal.node);
            }
        }
    }
}
