//! Variables that contradict each other.

use std::path::Path;

use super::checked::{Checked, Findings, State};
use crate::machine::Environment;
use crate::mapping::doctor::{DoctorTable, PairForm, VariablePair};

/// Whether the variables are of one mind.
pub(super) fn check(environment: &Environment) -> Checked {
    let mut findings = Findings::of("variables");
    for pair in &DoctorTable::builtin().variables {
        if let Some(shown) = contradiction(pair, environment) {
            findings.say(State::Warning, format!("{shown}: {}", pair.says));
            findings.fix(&pair.fix);
        }
    }
    if findings.is_empty() {
        findings.say(State::Ok, "none contradicts another");
    }
    findings.end()
}

/// The variables as they are set, where they contradict each other.
fn contradiction(pair: &VariablePair, environment: &Environment) -> Option<String> {
    let first = environment.text(&pair.first)?;
    let name = pair.second.as_deref().unwrap_or_default();
    let second = environment.text(name);
    let both = |second: &str| format!("{}={first}, {name}={second}", pair.first);
    match (pair.form, second) {
        (PairForm::Differ, Some(second)) => (first != second).then(|| both(&second)),
        (PairForm::Paths, Some(second)) => {
            let real = |path: &str| Path::new(path).canonicalize().ok();
            let is_one =
                first == second || (real(&first).is_some() && real(&first) == real(&second));
            (!is_one).then(|| both(&second))
        }
        (PairForm::Alone, None) => Some(format!("{}={first} without {name}", pair.first)),
        (PairForm::Is, _) => {
            let is_it = pair.value.as_deref() == Some(&first);
            is_it.then(|| format!("{}={first}", pair.first))
        }
        (PairForm::Differ | PairForm::Paths, None) | (PairForm::Alone, Some(_)) => None,
    }
}
