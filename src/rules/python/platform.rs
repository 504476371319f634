//! What projects tell the platform by: `torch.version.cuda`, `torch.cuda.is_available()`,
//! `torch.cuda.get_device_capability()`.

use super::unit::Change;
use super::vendors;
use super::{PythonRule, PythonUnit};
use crate::diagnostic::{Applicability, Code, Severity};
use crate::mapping::PlatformReport;
use crate::rules::Outcome;
use crate::syntax::python::{Consumer, Field, Kind, NodeId};

/// A name that tells CUDA from other platforms.
pub const TELLS_PLATFORM: Code = Code {
    id: "PY020",
    severity: Severity::Warning,
    title: "tells the platform, and answers otherwise on MUSA",
};
/// A version that is None on MUSA is used as a text.
pub const RAISES: Code = Code {
    id: "PY022",
    severity: Severity::Error,
    title: "raises on MUSA, where the version of CUDA is None",
};
/// A number of CUDA's for what a GPU can do.
pub const CAPABILITY: Code = Code {
    id: "PY021",
    severity: Severity::Warning,
    title: "a compute capability of CUDA's is asked for",
};

/// Names that tell the platform.
pub struct Platform;

const RULE: &str = "python-platform";

impl PythonRule for Platform {
    fn name(&self) -> &'static str {
        RULE
    }

    fn codes(&self) -> &'static [Code] {
        const CODES: [Code; 3] = [TELLS_PLATFORM, CAPABILITY, RAISES];
        &CODES
    }

    fn check(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        let tree = &unit.module.tree;
        for node in tree.nodes() {
            let is_name = match tree.kind(node) {
                Kind::Attribute => true,
                Kind::Identifier => matches!(tree.field(node), Field::Function),
                _ => false,
            };
            if is_name {
                settle(unit, out, node);
            }
        }
    }
}

/// Whether a value is used in a way that raises where it is None: one of its members is asked for, or
/// a function that takes it apart is called with it.
fn raises_on_none(unit: &PythonUnit<'_>, node: NodeId) -> bool {
    let of = unit.module.use_of(node);
    if !of.steps.is_empty() {
        return false;
    }
    match of.consumer {
        Consumer::Receiver { .. } => true,
        Consumer::Argument { call, .. } => {
            let word = unit.module.callee_word(call);
            let mut takers = unit.positions().raise_on_none.iter();
            takers.any(|taker| taker.as_bytes() == word)
        }
        _ => false,
    }
}

fn settle(unit: &PythonUnit<'_>, out: &mut Outcome, node: NodeId) {
    let tree = &unit.module.tree;
    let last = unit.module.last_name(node);
    let last = String::from_utf8_lossy(&last);
    let mut platforms = unit.positions().platforms.iter();
    if !platforms.any(|one| one.name.rsplit('.').next() == Some(&last)) {
        return;
    }
    let Some(name) = unit.resolve(node) else {
        return;
    };
    let Some(platform) = unit
        .positions()
        .platforms
        .iter()
        .find(|one| one.name == name.name)
    else {
        return;
    };
    let range = tree.range(node);
    let (code, message, stays) = match platform.report {
        PlatformReport::Always if raises_on_none(unit, node) => {
            let shown = unit.shown(range);
            let change = Change {
                range,
                to: &format!("({shown} or \"0.0\")"),
                rule: RULE,
                applicability: Applicability::Unsafe,
                evidence: None,
            };
            unit.change(out, &change);
            let message = format!("`{}` is None on MUSA, and this raises", platform.name);
            (RAISES, message, true)
        }
        PlatformReport::Always => {
            let message = format!(
                "`{}` stays: projects tell the platform by it",
                platform.name
            );
            (TELLS_PLATFORM, message, true)
        }
        PlatformReport::BesideOthers if vendors::asked_for_beside(unit, node) => {
            let message = format!(
                "`{}` stays: another platform is asked for beside it",
                platform.name
            );
            (TELLS_PLATFORM, message, true)
        }
        PlatformReport::BesideOthers => return,
        PlatformReport::Numbers => {
            let message = format!("`{}` gives a number of MUSA's here", platform.name);
            (CAPABILITY, message, false)
        }
    };
    out.findings.push(
        unit.finding(code, range, message)
            .help(platform.advice.clone()),
    );
    if stays {
        unit.claim(out, node);
    }
}
