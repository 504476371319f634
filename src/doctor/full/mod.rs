//! Tries the device: each attempt in a process of its own, since a device may hang or take its process along.

use std::time::Duration;

use serde::Deserialize;

use super::Python;
use super::checked::{Checked, State};
use crate::machine::{Environment, python};
use crate::mapping::doctor::{CheckText, DoctorTable};

/// The checks, each with the script that a Python runs for it.
const SCRIPTS: [(&str, &str); 4] = [
    ("allocation", include_str!("allocation.py")),
    ("kernel", include_str!("kernel.py")),
    ("matrix-product", include_str!("matrix_product.py")),
    ("collective", include_str!("collective.py")),
];

/// What a script answers.
#[derive(Deserialize)]
struct Answer {
    /// Whether the device computed what the CPU does.
    right: bool,
    /// What was tried.
    says: String,
}

/// Try the device with the `torch_musa` of a Python, each time for so long at most.
pub(super) fn check(
    python: Option<&Python>,
    limit: Duration,
    is_wanted: &dyn Fn(&CheckText) -> bool,
    environment: &Environment,
) -> Vec<Checked> {
    let imported = python.and_then(|python| python.imported.as_ref().ok());
    let musa = imported.and_then(|imported| imported.torch_musa.as_ref());
    let program = python.map(|python| &python.program);
    let ready = program.filter(|_| musa.is_some_and(|musa| musa.fault.is_none()));
    let table = DoctorTable::builtin();
    let scripts = SCRIPTS
        .iter()
        .filter(|(name, _)| table.check(name).is_none_or(is_wanted));
    let results = scripts.map(|(name, script)| {
        let Some(program) = ready else {
            return Checked::one(
                name,
                State::Skipped,
                "there is no torch_musa to try it with",
            );
        };
        match python::ask::<Answer>(program, script, &[], environment, limit) {
            Ok(answer) if answer.right => Checked::one(name, State::Ok, answer.says),
            Ok(answer) => {
                let what = format!("a wrong result: {}", answer.says);
                Checked::one(name, State::Failed, what)
            }
            Err(error) => Checked::one(name, State::Failed, error.to_string()),
        }
    });
    results.collect()
}
