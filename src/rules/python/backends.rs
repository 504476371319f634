//! Strings that name a backend of `torch.distributed`: `"nccl"`, `"cpu:gloo,cuda:nccl"`.

use super::reading::{Reading, reading};
use super::unit::Change;
use super::vendors::{Beside, beside};
use super::{PythonRule, PythonUnit};
use crate::diagnostic::{Applicability, Code, Kept, KeptReason, Severity};
use crate::mapping::stub::StubKnowledge;
use crate::mapping::{Evidence, ValueKind};
use crate::rules::Outcome;
use crate::syntax::python::Literal;
use crate::text::TextRange;

/// A string that may name a backend.
pub const MAY_BE_BACKEND: Code = Code {
    id: "PY035",
    severity: Severity::Warning,
    title: "may name a backend of torch.distributed; its position does not tell",
};

/// Backends of `torch.distributed`.
pub struct Backends;

const RULE: &str = "python-backends";

impl PythonRule for Backends {
    fn name(&self) -> &'static str {
        RULE
    }

    fn codes(&self) -> &'static [Code] {
        &[MAY_BE_BACKEND]
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
                let reading = reading(unit, &of);
                if reading == Reading::Value(ValueKind::Backend) {
                    unit.claim(out, literal.node);
                    // One platform's backend among those of several.
                    if beside(unit, &of) != Beside::Nobody {
                        let range = unit.module.tree.range(literal.node);
                        let reason = KeptReason::VendorBranch;
                        out.kept.push(Kept { range, reason });
                        continue;
                    }
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
                } else {
                    other(unit, out, &literal, reading, &backend.musa);
                }
            }
        }
    }
}

/// What has a backend's name, and is none as far as its position tells.
fn other(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    literal: &Literal,
    reading: Reading,
    musa: &str,
) {
    let range = unit.module.tree.range(literal.node);
    let reason = match reading {
        Reading::Prose => KeptReason::Prose,
        Reading::Open | Reading::Mixed => {
            let shown = unit.shown(range);
            let message =
                format!("{shown} stays: whether it names a backend is not told by where it stands");
            let finding = unit.finding(MAY_BE_BACKEND, range, message);
            out.findings.push(finding.help(format!(
                "write `{musa}` where it is a backend of torch.distributed"
            )));
            return;
        }
        Reading::Value(_) => KeptReason::NotADevice,
    };
    out.kept.push(Kept { range, reason });
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
