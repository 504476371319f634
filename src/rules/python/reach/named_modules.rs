//! The platform that a module's name says, where its text says the same.

use super::names::{cause, marks};
use super::newest_gpus::number;
use super::reached::Reason;
use crate::python::ModuleView;
use torchada_mapping::python::gpus::Gpus;
use torchada_project::replay::Cause;
use torchada_syntax::python::ModuleOutline;
use torchada_text::contains;

/// The platform that the name of a module, or of a folder around it, says. A vendor's word counts before others.
pub(super) fn named(view: &ModuleView<'_>, parts: &[Vec<String>]) -> Option<Cause> {
    let knowledge = view.context.knowledge;
    let newest = knowledge.shapes.guards.newest_architecture();
    let vendor = |part: &Vec<String>| {
        let mut words = part.iter();
        words.find_map(|word| cause(knowledge, knowledge.platform_words.vendor(word)?))
    };
    let needs = |part: &Vec<String>| {
        let mut rows = knowledge.nvidia_only.iter();
        let row = rows.find(|row| row.names.iter().any(|name| has_words(part, name)))?;
        Some(Cause::Needs(row.what.clone()))
    };
    let newer = |part: &Vec<String>| {
        let mut numbers = part.iter().filter_map(|word| number(word));
        numbers.find(|&number| number >= newest).map(Cause::Newer)
    };
    let nearest = || parts.iter().rev();
    let of_vendor = nearest().find_map(vendor);
    of_vendor.or_else(|| nearest().find_map(|part| needs(part).or_else(|| newer(part))))
}

/// Whether a name has the words of another one behind each other.
fn has_words(name: &[String], other: &str) -> bool {
    let other: Vec<&str> = other.split('_').collect();
    name.windows(other.len()).any(|window| window == other)
}

/// The platform that a module's name says, where its text says the same.
pub(super) fn by_name(
    view: &ModuleView<'_>,
    outline: &ModuleOutline<'_>,
    named: &Cause,
) -> Option<Reason> {
    if asks_for_gpu(view, outline, named) {
        return None;
    }
    let cause = named.clone();
    let mark = mark(view, outline, named)?;
    let says = if let Cause::Needs(what) = &cause {
        format!("names {what}")
    } else {
        format!("says that it is {}", cause.words())
    };
    let why = format!("its path {says}, and its code has `{mark}`");
    Some(Reason { cause, why })
}

/// Whether a module that is called after a vendor whose devices `PyTorch` has by a name of their own asks for CUDA's, too: it
/// is for all devices. AMD's GPUs answer to CUDA's names.
fn asks_for_gpu(view: &ModuleView<'_>, outline: &ModuleOutline<'_>, cause: &Cause) -> bool {
    if !has_own_device(view, cause) {
        return false;
    }
    let mut questions = view.python_values().gpu_questions();
    questions.any(|one| {
        let asked = format!("{}()", one.name);
        contains(view.text, &asked) && outline.code_has(view.text, &|line| contains(line, &asked))
    })
}

/// Whether a module that is called after such a vendor compares something with the name of CUDA's device.
pub(super) fn compares_with_cuda(
    view: &ModuleView<'_>,
    outline: &ModuleOutline<'_>,
    cause: Option<&Cause>,
) -> bool {
    let devices = &view.context.knowledge.devices;
    let quoted = devices
        .iter()
        .flat_map(|one| ['"', '\''].map(|quote| format!("{quote}{}{quote}", one.cuda)));
    let quoted: Vec<String> = quoted.collect();
    let compares = |line: &[u8]| {
        ["==", "!=", " in "].iter().any(|one| contains(line, one))
            && quoted.iter().any(|one| contains(line, one))
    };
    cause.is_some_and(|cause| has_own_device(view, cause)) && outline.code_has(view.text, &compares)
}

/// Whether a cause is a vendor whose devices `PyTorch` has by a name of their own.
fn has_own_device(view: &ModuleView<'_>, cause: &Cause) -> bool {
    let Cause::Vendor(vendor) = cause else {
        return false;
    };
    let vendors = &view.python_values().vendors;
    let mut all = view.context.knowledge.vendors.iter();
    let marks = all.find_map(|one| one.python.as_ref().filter(|marks| marks.r#for == *vendor));
    let has_device =
        |word: &String| vendors.others.contains(word) && !vendors.no_devices.contains(word);
    marks.is_some_and(|marks| marks.names.iter().any(has_device))
}

/// A text in a module that only code for a platform has.
fn mark(view: &ModuleView<'_>, outline: &ModuleOutline<'_>, cause: &Cause) -> Option<String> {
    let knowledge = view.context.knowledge;
    let texts: Vec<String> = match cause {
        Cause::Vendor(name) => {
            let mut all = (0..knowledge.vendors.len()).filter_map(|at| marks(knowledge, at));
            all.find(|marks| marks.r#for == *name)?.marks.clone()
        }
        Cause::Needs(what) => {
            let mut rows = knowledge.nvidia_only.iter();
            rows.find(|row| row.what == *what)?.marks.clone()
        }
        Cause::Newer(_) => {
            let asking = &Gpus::builtin().asking;
            let newest = knowledge.shapes.guards.newest_architecture();
            let named = asking
                .named
                .iter()
                .filter(|&(_, &value)| value / 10 >= newest);
            let numbers = knowledge.shapes.capability.numbers.iter();
            let numbered = numbers.filter(|&&number| number >= u64::from(newest));
            named
                .map(|(name, _)| name.clone())
                .chain(numbered.flat_map(|number| [format!("sm{number}"), format!("sm_{number}")]))
                .chain(asking.functions.iter().cloned())
                .collect()
        }
        _ => return None,
    };
    // CUDA's own names are written in all cases.
    let whatever_case = !matches!(cause, Cause::Vendor(_));
    let lower = whatever_case.then(|| view.text.to_ascii_lowercase());
    let text = lower.as_deref().unwrap_or(view.text);
    let in_code = |mark: &String| {
        contains(text, mark) && outline.code_has(text, &|line| contains(line, mark))
    };
    texts
        .into_iter()
        .map(|mark| {
            if whatever_case {
                mark.to_ascii_lowercase()
            } else {
                mark
            }
        })
        .find(in_code)
}
