//! Applies the rows of the tables to a dotted name of `PyTorch`'s.

use crate::python::{ModuleView, PythonUnit};
use torchada_diagnostic::codes::python::{
    ABSENT_NAME, OUT_OF_REACH, STANDS_IN, TAKES_OTHERS, UNKNOWN_NAME,
};
use torchada_diagnostic::{Code, Finding};
use torchada_mapping::{
    Evidence, Facts, PlatformReport, Relation, Row, Runtime, Section, contains_one,
};
use torchada_text::{TextRange, is_within, last_part};

/// What the port does with a name.
pub enum Verdict<'r> {
    /// The name is none of `PyTorch`'s for CUDA.
    NotOurs,
    /// The name stays, since MUSA has the same.
    Same,
    /// The name becomes another.
    Becomes(String, Evidence),
    /// The name stays, with a finding.
    Left(Code, Option<&'r Row>),
}

/// Look a dotted name up: the name itself, else the longest part of it that a table has.
pub fn verdict<'a>(unit: &ModuleView<'a>, name: &str) -> Verdict<'a> {
    let module = &unit.python_values().module;
    if name == module.cuda {
        return Verdict::Becomes(module.musa.clone(), Evidence::Confirmed);
    }
    // A name that is None on MUSA has no members of a module.
    let mut platforms = unit.python_values().platforms.iter();
    if platforms.any(|one| {
        one.report == PlatformReport::Always && name != one.name && is_within(name, &one.name)
    }) {
        return Verdict::NotOurs;
    }
    let mut left_to_builds = unit.python_values().builds.modules.iter();
    if left_to_builds.any(|front| is_within(name, front)) {
        return Verdict::NotOurs;
    }
    let mut known = name;
    loop {
        if let Some(row) = unit.context.row(Section::Python, known.as_bytes()) {
            let rest = name.get(known.len()..).unwrap_or_default();
            let last = last_part(known);
            let is_class = last.starts_with(|first: char| first.is_ascii_uppercase());
            // What is in a module has a row of its own; what is in a class comes with it.
            if !rest.is_empty() && !is_class && row.relation != Relation::Absent {
                return Verdict::Left(UNKNOWN_NAME, None);
            }
            return of_row(row, rest);
        }
        match known.rsplit_once('.') {
            Some((front, _)) if front != module.cuda => known = front,
            _ => break,
        }
    }
    if is_within(name, &module.cuda) || mentions_cuda(unit, name) {
        Verdict::Left(UNKNOWN_NAME, None)
    } else {
        Verdict::NotOurs
    }
}

/// Whether a name of torch's outside its module for CUDA says that it is about CUDA:
/// `torch._C._cuda_setRNGState`, `torch.autograd.profiler.emit_nvtx`.
fn mentions_cuda(unit: &ModuleView<'_>, name: &str) -> bool {
    let known = &unit.python_values().torch_names;
    name.split_once('.')
        .filter(|(root, _)| *root == known.root)
        .is_some_and(|(_, rest)| {
            let lower = rest.to_ascii_lowercase();
            let mut of_all = known.of_all_devices.iter();
            contains_one(lower, &known.words) && !of_all.any(|outer| is_within(name, outer))
        })
}

fn of_row<'a>(row: &'a Row, rest: &str) -> Verdict<'a> {
    match (row.relation, row.to.as_deref()) {
        (Relation::Renamed, Some(to)) => Verdict::Becomes(
            format!("{to}{rest}"),
            row.evidence.unwrap_or(Evidence::Contested),
        ),
        (Relation::Same, _) => Verdict::Same,
        (Relation::Absent, _) => {
            let stands_in = matches!(
                row.runtime,
                Some(Runtime::Own | Runtime::Keep | Runtime::Silent | Runtime::Field)
            );
            Verdict::Left(if stands_in { STANDS_IN } else { ABSENT_NAME }, Some(row))
        }
        _ => Verdict::Left(UNKNOWN_NAME, Some(row)),
    }
}

/// The finding about a name that becomes another, where `torch_musa`'s function takes other arguments.
pub fn difference(unit: &PythonUnit<'_>, name: &str, range: TextRange) -> Option<Finding> {
    let row = unit.context.row(Section::Python, name.as_bytes())?;
    let (to, difference) = (row.to.as_deref()?, row.differs.as_deref()?);
    let message = format!("`{to}` does not take what `{name}` takes: {difference}");
    let finding = unit.finding(TAKES_OTHERS, range, message);
    Some(finding.help("write the call with the arguments that MUSA's function takes"))
}

/// The finding about a name that stays.
pub fn left(
    unit: &PythonUnit<'_>,
    code: Code,
    row: Option<&Row>,
    name: &str,
    range: TextRange,
) -> Finding {
    let message = if code == STANDS_IN {
        format!(
            "`{name}` stays: torch_musa has no counterpart, the runtime package stands in for it"
        )
    } else if code == ABSENT_NAME {
        let facts = unit.context.tables.facts();
        let is_fact = row.is_some_and(|row| row.why_missing().is_some());
        let torch_musa = facts.filter(|_| is_fact).map(Facts::torch_musa_name);
        let torch_musa = torch_musa.as_deref().unwrap_or("torch_musa");
        format!("`{name}` has no counterpart in {torch_musa}")
    } else if code == OUT_OF_REACH {
        format!("`{name}` stays: its counterpart can't be reached from the name that is imported")
    } else if name.starts_with(unit.python_values().module.cuda.as_str()) {
        format!("`{name}` has no known counterpart in torch_musa")
    } else {
        format!("`{name}` is not known to work on MUSA")
    };
    let finding = unit.finding(code, range, message);
    match row.and_then(|row| row.advice.as_deref()) {
        Some(advice) => finding.help(advice.to_owned()),
        None if code == STANDS_IN => {
            finding.help("see to it that `import torchada` runs before this")
        }
        None if code == UNKNOWN_NAME => {
            let known = &unit.python_values().torch_names;
            let cuda = unit.python_values().module.cuda.as_str();
            finding.help(if name.starts_with(known.private.as_str()) {
                known.private_advice.clone()
            } else if name.starts_with(cuda) {
                known.advice.clone()
            } else {
                known.elsewhere.clone()
            })
        }
        None => finding,
    }
}
