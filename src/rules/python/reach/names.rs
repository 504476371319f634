//! The vendors whose words stand in names.

use crate::python::ModuleView;
use torchada_mapping::knowledge::Knowledge;
use torchada_mapping::{PythonMarks, Vendor, has};
use torchada_project::replay::Cause;

/// The marks of a vendor's Python, by its place in the table.
pub(super) fn marks(knowledge: &Knowledge, vendor: usize) -> Option<&PythonMarks> {
    knowledge.vendors.get(vendor)?.python.as_ref()
}

/// What only a vendor reaches.
pub(super) fn cause(knowledge: &Knowledge, vendor: usize) -> Option<Cause> {
    let marks = marks(knowledge, vendor)?;
    Some(Cause::Vendor(marks.r#for.clone()))
}

/// The words of a name, in lower case: `USE_ROCM` has `use` and `rocm`.
pub fn words(name: &[u8]) -> Vec<String> {
    let name = String::from_utf8_lossy(name).to_ascii_lowercase();
    let parts = name.split(|one: char| !one.is_ascii_alphanumeric());
    let parts = parts.filter(|part| !part.is_empty());
    parts.map(str::to_owned).collect()
}

/// Whether a name may have a word of MUSA's or of another vendor's among its parts. Most names in conditions have none.
pub(super) fn may_name_platform(unit: &ModuleView<'_>, name: &[u8]) -> bool {
    let has = |word: &String| {
        let mut parts = name.windows(word.len());
        parts.any(|part| part.eq_ignore_ascii_case(word.as_bytes()))
    };
    unit.context.knowledge.platform_words.may_be_in(name)
        || unit.python_values().vendors.target.iter().any(has)
}

/// The vendor that a text names, as the value of a device or a platform: `xpu:0`, `rocm`.
pub(super) fn named(unit: &ModuleView<'_>, text: &[u8]) -> Option<usize> {
    let text = String::from_utf8_lossy(text).to_ascii_lowercase();
    let word = text.split(':').next().unwrap_or_default();
    unit.context.knowledge.platform_words.vendor(word)
}

/// Whether the words of a name say MUSA: `has_musa`, but not `disable_musa`.
pub fn name_musa(unit: &ModuleView<'_>, words: &[String]) -> bool {
    let turns = &unit.context.knowledge.platform_questions.turns;
    let has_one = |list: &[String]| words.iter().any(|word| has(list, word));
    has_one(&unit.python_values().vendors.target) && !has_one(turns)
}

/// Whether a question asks for MUSA alone by its words: `is_musa`, `torch.musa.is_available`.
pub(super) fn asks_for_musa(unit: &ModuleView<'_>, words: &[String]) -> bool {
    let knowledge = unit.context.knowledge;
    let has_one = |list: &[String]| words.iter().any(|word| has(list, word));
    name_musa(unit, words)
        && has_one(&knowledge.platform_questions.asks)
        && !has_one(&unit.python_values().vendors.own)
        && !words
            .iter()
            .any(|word| knowledge.platform_words.vendor(word).is_some())
}

/// Whether a text is the name of MUSA's device: `musa:0`.
pub(super) fn is_musa(unit: &ModuleView<'_>, text: &[u8]) -> bool {
    is_device_of(&unit.python_values().vendors.target, text)
}

/// Whether a text is the name of CUDA's device, or of its platform: `cuda:0`, `nvidia`.
pub(super) fn is_own(unit: &ModuleView<'_>, text: &[u8]) -> bool {
    is_device_of(&unit.python_values().vendors.own, text)
}

fn is_device_of(names: &[String], text: &[u8]) -> bool {
    let text = text.to_ascii_lowercase();
    let word = text.split(|&byte| byte == b':').next().unwrap_or_default();
    has(names, word)
}

/// The vendor that a question asks for by its words: `is_hip`, `ROCM_AVAILABLE`. None where it asks for others, too.
pub(super) fn vendor_in(unit: &ModuleView<'_>, words: &[String]) -> Option<usize> {
    let knowledge = unit.context.knowledge;
    let questions = &knowledge.platform_questions;
    let python = unit.python_values();
    let mut found = None;
    let mut asks = false;
    for word in words {
        let known = |list: &[String]| has(list, word);
        if known(&questions.turns)
            || known(&python.vendors.own)
            || known(&python.vendors.target)
            || known(&python.vendors.host)
        {
            return None;
        }
        asks |= known(&questions.asks);
        found = found.or(knowledge.platform_words.vendor(word));
    }
    found.filter(|_| asks || found.is_some_and(|at| is_own_number(&knowledge.vendors, at, words)))
}

/// Whether a word says all by itself, because it is a word and a number: `gfx942`.
fn is_own_number(vendors: &[Vendor], at: usize, words: &[String]) -> bool {
    let marks = vendors.get(at).and_then(|one| one.python.as_ref());
    let numbered = marks.into_iter().flat_map(|one| &one.names);
    let mut fronts = numbered.filter_map(|name| name.strip_suffix('#'));
    fronts.any(|front| {
        let mut words = words.iter().filter_map(|word| word.strip_prefix(front));
        words.any(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
    })
}
