//! Strings that name a device: `"cuda"`, `"cuda:0"`, `f"cuda:{rank}"`.

use super::availability::picked;
use super::declared::declared;
use super::options::annotated;
use super::reading::{Reading, keyed_table, reading};
use super::twins::is_guarded_case;
use super::unit::Change;
use super::vendors::{Beside, among, beside};
use super::{PythonRule, PythonUnit, uses};
use crate::diagnostic::{Applicability, Code, Kept, KeptReason, Severity};
use crate::mapping::{Evidence, ValueKind};
use crate::rules::Outcome;
use crate::syntax::HOLE;
use crate::syntax::python::{Consumer, Kind, Literal, Step, Use};
use crate::text::TextRange;

/// CUDA is one choice among several platforms, and MUSA is none of them.
pub const ONE_OF_SEVERAL: Code = Code {
    id: "PY030",
    severity: Severity::Warning,
    title: "CUDA is one choice among several platforms; MUSA is missing",
};
/// A string that may name a device.
pub const MAY_BE_DEVICE: Code = Code {
    id: "PY031",
    severity: Severity::Warning,
    title: "may name a device; its position does not tell",
};
/// A comparison that can't be made to let both names pass.
pub const ONLY_CUDA_PASSES: Code = Code {
    id: "PY032",
    severity: Severity::Warning,
    title: "comparison that only CUDA's device name passes",
};
/// What holds a device's name is used as something else, too.
pub const USED_AS_BOTH: Code = Code {
    id: "PY034",
    severity: Severity::Warning,
    title: "used as a device and as something else",
};

/// Strings that name a device.
pub struct Devices;

const RULE: &str = "python-devices";

impl PythonRule for Devices {
    fn name(&self) -> &'static str {
        RULE
    }

    fn codes(&self) -> &'static [Code] {
        const CODES: [Code; 4] = [
            ONE_OF_SEVERAL,
            MAY_BE_DEVICE,
            ONLY_CUDA_PASSES,
            USED_AS_BOTH,
        ];
        &CODES
    }

    fn check(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        for device in &unit.lore.knowledge.devices {
            for literal in unit.literals(&[&device.cuda]) {
                if unit.is_claimed(out, literal.node) || !names_device(&literal, &device.cuda) {
                    continue;
                }
                let one = Device {
                    literal,
                    cuda: &device.cuda,
                    musa: &device.to,
                };
                one.settle(unit, out);
            }
        }
    }
}

/// `cuda`, `cuda:0`, `cuda:` before something that is put in; not `cuda_kernel`, not a sentence.
pub fn names_device(literal: &Literal, cuda: &str) -> bool {
    let value = String::from_utf8_lossy(literal.value()).into_owned();
    let Some(rest) = value.strip_prefix(cuda) else {
        return false;
    };
    let Some(index) = rest.strip_prefix(':') else {
        return rest.is_empty();
    };
    let index = index.replace(HOLE, "");
    index.bytes().all(|byte| byte.is_ascii_digit())
        || matches!(index.as_str(), "%d" | "%s" | "{}" | "{0}")
}

struct Device<'a> {
    literal: Literal,
    cuda: &'a str,
    musa: &'a str,
}

impl Device<'_> {
    fn settle(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        let of = unit.module.use_of(self.literal.node);
        let range = unit.module.tree.range(self.literal.node);
        let shown = unit.shown(range);
        let numbered = self.literal.value().len() > self.cuda.len();
        if of.consumer == Consumer::Annotation
            && let Some((Reading::Value(kind), values)) = annotated(unit, self.literal.node)
        {
            match among(unit, values.into_iter()) {
                _ if kind != ValueKind::Device => keep(out, range, KeptReason::NotADevice),
                Beside::Target => keep(out, range, KeptReason::MusaBranch),
                Beside::Others => self.one_of_several(unit, out, range),
                Beside::Nobody => self.device(unit, out, &of, range),
            }
            return;
        }
        match reading(unit, &of) {
            // Nothing else has a number.
            Reading::Value(ValueKind::Other | ValueKind::Backend)
                if numbered && beside(unit, &of) == Beside::Nobody =>
            {
                self.device(unit, out, &of, range);
            }
            Reading::Prose => keep(out, range, KeptReason::Prose),
            Reading::Value(ValueKind::Other | ValueKind::Backend | ValueKind::DispatchKey) => {
                keep(out, range, KeptReason::NotADevice);
            }
            Reading::Mixed => self.both(unit, out, &of, range),
            Reading::Open => match of.consumer {
                _ if beside(unit, &of) == Beside::Nobody
                    && picked(unit, &of, self.literal.node) =>
                {
                    self.device(unit, out, &of, range);
                }
                // A number behind it tells: nothing else is written so.
                Consumer::Argument { .. } | Consumer::Target { .. } | Consumer::Return { .. }
                    if numbered && beside(unit, &of) == Beside::Nobody =>
                {
                    self.device(unit, out, &of, range);
                }
                // Both sides of a table whose keys all have numbers.
                _ if numbered
                    && keyed_table(unit, &of).is_some_and(|table| uses::is_closed(unit, table)) =>
                {
                    self.device(unit, out, &of, range);
                }
                _ if beside(unit, &of) == Beside::Target => {
                    keep(out, range, KeptReason::MusaBranch);
                }
                _ if beside(unit, &of) == Beside::Others => {
                    self.one_of_several(unit, out, range);
                }
                _ => {
                    let message = format!(
                        "{shown} stays: whether it names a device is not told by where it stands"
                    );
                    let help = format!("write `{}` where it is a device of PyTorch's", self.musa);
                    let finding = unit.finding(MAY_BE_DEVICE, range, message);
                    out.findings.push(finding.help(help));
                }
            },
            Reading::Value(ValueKind::Device) if is_guarded_case(unit, &of) => {
                self.one_of_several(unit, out, range);
            }
            Reading::Value(ValueKind::Device) => match beside(unit, &of).or(declared(unit, &of)) {
                Beside::Target => keep(out, range, KeptReason::MusaBranch),
                Beside::Others => self.one_of_several(unit, out, range),
                Beside::Nobody => self.device(unit, out, &of, range),
            },
        }
    }

    /// The project chooses between platforms here.
    fn one_of_several(&self, unit: &PythonUnit<'_>, out: &mut Outcome, range: TextRange) {
        let shown = unit.shown(range);
        let message =
            format!("{shown} stays: it is one of several platforms, and MUSA is none of them");
        let finding = unit.finding(ONE_OF_SEVERAL, range, message);
        let help = format!("add an entry for `{}` beside it", self.musa);
        out.findings.push(finding.help(help));
    }

    /// What holds it is used as a device and as something else.
    fn both(&self, unit: &PythonUnit<'_>, out: &mut Outcome, of: &Use, range: TextRange) {
        match beside(unit, of) {
            Beside::Target => return keep(out, range, KeptReason::MusaBranch),
            Beside::Others => return self.one_of_several(unit, out, range),
            Beside::Nobody => {}
        }
        if !unit.is_musa() {
            compare_with_both(unit, out, &self.literal, of, self.cuda, self.musa);
            return;
        }
        let shown = unit.shown(range);
        let message =
            format!("{shown} stays: what holds it is used as a device and as something else");
        let finding = unit.finding(USED_AS_BOTH, range, message);
        out.findings.push(finding.help(format!(
            "where only the device counts, write `{}`, which `--unsafe` does; else keep the two apart",
            self.musa
        )));
        if let Some(place) = self.literal.in_file(TextRange::new(0, self.cuda.len())) {
            let change = Change {
                range: place,
                to: self.musa,
                rule: RULE,
                applicability: Applicability::Unsafe,
                evidence: Some(Evidence::Confirmed),
            };
            unit.change(out, &change);
        }
    }

    /// It is a device.
    fn device(&self, unit: &PythonUnit<'_>, out: &mut Outcome, of: &Use, range: TextRange) {
        if !unit.is_musa() {
            compare_with_both(unit, out, &self.literal, of, self.cuda, self.musa);
            return;
        }
        let Some(place) = self.literal.in_file(TextRange::new(0, self.cuda.len())) else {
            let shown = unit.shown(range);
            let message = format!("{shown} names a device in a way that can't be changed in place");
            let finding = unit.finding(MAY_BE_DEVICE, range, message);
            out.findings
                .push(finding.help(format!("write `{}`", self.musa)));
            return;
        };
        change(unit, out, place, self.musa);
    }
}

/// Both names, where a device is compared with one: `== "cuda"` becomes `in ("cuda", "musa")`.
pub fn compare_with_both(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    literal: &Literal,
    of: &Use,
    cuda: &str,
    musa: &str,
) {
    let node = literal.node;
    let tree = &unit.module.tree;
    let literal = tree.range(node);
    let text = unit.shown(literal);
    let other = text.replacen(cuda, musa, 1);
    match of.consumer {
        Consumer::Comparison {
            at,
            operator,
            on_left: false,
            ..
        } if tree.children(at).count() == 3 => {
            let list = of.steps.iter().any(|step| matches!(step, Step::Among(_)));
            let word = match tree.word(operator) {
                b"==" if of.steps.is_empty() => "in",
                b"!=" if of.steps.is_empty() => "not in",
                b"in" if list => {
                    change(unit, out, literal, &format!("{text}, {other}"));
                    return;
                }
                word if word.starts_with(b"not") && list => {
                    change(unit, out, literal, &format!("{text}, {other}"));
                    return;
                }
                _ => return,
            };
            let range = TextRange::new(tree.range(operator).start, literal.end);
            change(unit, out, range, &format!("{word} ({text}, {other})"));
        }
        // `"cuda" in x.device.type`, which is one word.
        Consumer::Comparison {
            at,
            operator,
            other: whole,
            on_left: true,
        } if tree.children(at).count() == 3
            && of.steps.is_empty()
            && tree.word(operator).ends_with(b"in")
            && tree.kind(whole) == Kind::Attribute
            && unit.module.last_name(whole) == b"type" =>
        {
            let whole = unit.shown(tree.range(whole));
            let word = unit.shown(tree.range(operator));
            change(
                unit,
                out,
                tree.range(at),
                &format!("{whole} {word} ({text}, {other})"),
            );
        }
        Consumer::Argument { call, .. }
            if of.steps.is_empty() && unit.module.callee_word(call) == b"startswith" =>
        {
            change(unit, out, literal, &format!("({text}, {other})"));
        }
        Consumer::Comparison { .. } => {
            let message = format!("{text} stays: only CUDA's device passes this comparison");
            let finding = unit.finding(ONLY_CUDA_PASSES, literal, message);
            out.findings
                .push(finding.help(format!("let {other} pass, too")));
        }
        Consumer::Pattern { .. } if of.steps.is_empty() && tree.kind(node) == Kind::Str => {
            change(unit, out, literal, &format!("{text} | {other}"));
        }
        _ => {}
    }
}

fn keep(out: &mut Outcome, range: TextRange, reason: KeptReason) {
    out.kept.push(Kept { range, reason });
}

fn change(unit: &PythonUnit<'_>, out: &mut Outcome, range: TextRange, to: &str) {
    let change = Change {
        range,
        to,
        rule: RULE,
        applicability: Applicability::Safe,
        evidence: Some(Evidence::Confirmed),
    };
    unit.change(out, &change);
}
