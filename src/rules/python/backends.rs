//! Strings that name a backend of `torch.distributed`: `"nccl"`, `"cpu:gloo,cuda:nccl"`.

use super::reading::{Reading, reading};
use super::unit::Change;
use super::{PythonRule, PythonUnit};
use crate::diagnostic::{Applicability, Code};
use crate::mapping::stub::StubKnowledge;
use crate::mapping::{Evidence, ValueKind};
use crate::rules::Outcome;
use crate::syntax::python::Literal;
use crate::text::TextRange;

/// Backends of `torch.distributed`.
pub struct Backends;

const RULE: &str = "python-backends";

impl PythonRule for Backends {
    fn name(&self) -> &'static str {
        RULE
    }

    fn codes(&self) -> &'static [Code] {
        &[]
    }

    fn check(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        if !unit.is_musa() {
            return;
        }
        let Ok(known) = StubKnowledge::builtin() else {
            return;
        };
        let backends = &known.backends;
        let words: Vec<&str> = backends.iter().map(|one| one.cuda.as_str()).collect();
        for literal in unit.literals(&words).filter(Literal::is_plain) {
            for backend in backends {
                let pieces = pieces(unit, &literal, &backend.cuda, &backend.musa);
                if pieces.is_empty() {
                    continue;
                }
                let of = unit.module.use_of(literal.node);
                if reading(unit, &of) == Reading::Value(ValueKind::Backend) {
                    unit.claim(out, literal.node);
                    let group = out.group();
                    for (range, to) in pieces {
                        let change = Change {
                            range,
                            to,
                            rule: RULE,
                            applicability: Applicability::Safe,
                            evidence: Some(Evidence::Confirmed),
                        };
                        unit.change_in(out, &change, group);
                    }
                }
            }
        }
    }
}

/// The places of a backend in a list `device:backend,…`, and of the devices before it.
fn pieces<'k>(
    unit: &PythonUnit<'k>,
    literal: &Literal,
    cuda: &str,
    musa: &'k str,
) -> Vec<(TextRange, &'k str)> {
    let value = String::from_utf8_lossy(literal.value()).into_owned();
    let mut found = Vec::new();
    let mut start = 0;
    for entry in value.split(',') {
        let (device, backend) = entry.split_once(':').unwrap_or(("", entry));
        let at = start + entry.len() - backend.len();
        if backend == cuda {
            found.push((TextRange::new(at, at + backend.len()), musa));
            let devices = &unit.lore.knowledge.devices;
            if let Some(known) = devices.iter().find(|one| one.cuda == device) {
                found.push((TextRange::new(start, start + device.len()), &known.to));
            }
        }
        start += entry.len() + 1;
    }
    found
        .into_iter()
        .filter_map(|(range, to)| Some((literal.in_file(range)?, to)))
        .collect()
}
