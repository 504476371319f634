//! Environment variables: `os.environ["CUDA_VISIBLE_DEVICES"]`. A string is changed only where its context shows that it
//! names a variable.

mod alternatives;
mod assigned_in_text;
mod classifier;
mod counterpart_edit;
mod gpu_lists;
mod prefixes;
mod variable;
mod variable_port;

use rustc_hash::FxHashSet;

use super::devices::own_devices;
use super::inference::{StringRole, string_role};
use super::reserved::musa_twins::path_has_word;
use super::{ModuleView, PythonUnit};
use crate::Outcome;
use classifier::{NameClassifier, NameMeaning};
use torchada_diagnostic::codes::python::VALUES_DIFFER;
use torchada_mapping::Section;
use torchada_syntax::python::{Consumer, Field, Kind};
use torchada_text::TextRange;
use variable::Variable;

/// Environment variables.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let known = &unit.context.knowledge.python_strings.environment;
    let is_for_others = is_for_other_platform(unit) || own_devices::alone(unit).is_some();
    let stems: Vec<&str> = known
        .stems
        .iter()
        .map(String::as_str)
        .filter(|stem| unit.contains(stem))
        .collect();
    if stems.is_empty() {
        return;
    }
    let classifier = NameClassifier::new(unit);
    let mut found = Vec::new();
    for literal in unit.literals(&stems) {
        let text = literal.text().into_owned();
        if !is_name(&text) {
            assigned_in_text::translate(unit, out, &literal, &text, is_for_others);
            continue;
        }
        if !literal.is_plain() || unit.is_claimed(out, literal.node) {
            continue;
        }
        let of = unit.module.use_of(literal.node);
        let meaning = classifier.classify(&literal, &of);
        let range = literal.in_file(TextRange::new(0, text.len()));
        found.push(Variable::new(unit, text, literal.node, range, meaning, &of));
    }
    found.extend(variables_in_keywords(unit, &classifier));
    let set: FxHashSet<String> = found
        .iter()
        .filter(|one| {
            one.has_cuda_values()
                && !one.gets_translated_path(unit)
                && !one.gets_switched(unit)
                && one.gpu_list(unit).is_none()
                && matches!(one.meaning, NameMeaning::Variable(variable_use) if variable_use.sets())
        })
        .map(|one| one.name.clone())
        .collect();
    for one in &found {
        let cuda_value = known
            .values
            .iter()
            .find(|value| value.variable == one.name && unit.contains(&value.text));
        if is_for_others {
            one.keep_for_other_platform(unit, out);
        } else if let Some(value) = cuda_value {
            one.keep_for_cuda_value(unit, out, &value.advice);
        } else {
            one.translate(unit, out, &set);
        }
    }
    report_values(unit, out);
    if !is_for_others {
        prefixes::report_prefixes(unit, out);
    }
}

/// Whether the name of a file or of its folder has another platform in it: such a file uses CUDA's variables on
/// that platform only.
fn is_for_other_platform(unit: &ModuleView<'_>) -> bool {
    let others = &unit.python_values().vendors.others;
    others.iter().any(|one| path_has_word(unit.path, one))
}

/// Report each text that holds a value which only a variable of CUDA's takes.
fn report_values(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let known = &unit.context.knowledge.python_strings.environment;
    for value in &known.values {
        for literal in unit.literals(&[&value.text]) {
            let of = unit.module.use_of(literal.node);
            let prose = matches!(
                of.consumer,
                Consumer::Docstring | Consumer::Statement | Consumer::Message
            ) || string_role(unit, &of) == StringRole::Text;
            if prose || unit.is_claimed(out, literal.node) {
                continue;
            }
            let range = unit.module.tree.range(literal.node);
            let message = format!("{} is a value for CUDA alone", unit.shown(range));
            unit.report(out, VALUES_DIFFER, range, message, value.advice.clone());
        }
    }
}

/// Whether a text is a whole name, such as `CUDA_HOME`: capitals, digits and underscores. `CUDA_` is only the start of
/// names.
fn is_name(text: &str) -> bool {
    let mut bytes = text.bytes();
    !text.ends_with('_')
        && bytes.next().is_some_and(|first| first.is_ascii_uppercase())
        && bytes.all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

/// The variables that are keywords of calls: `dict(os.environ, CUDA_VISIBLE_DEVICES="0")`.
fn variables_in_keywords<'a>(
    unit: &ModuleView<'a>,
    classifier: &NameClassifier<'_, 'a>,
) -> Vec<Variable<'a>> {
    let tree = &unit.module.tree;
    let mut found = Vec::new();
    for node in tree.of(Kind::KeywordArgument) {
        let Some(name) = tree.child(node, Field::Name) else {
            continue;
        };
        let text = unit.module.tree.word(name);
        let Some(row) = unit.context.row(Section::Environment, text) else {
            continue;
        };
        let takes = tree
            .call_with(node)
            .is_some_and(|call| classifier.is_environment(call) || classifier.takes_entries(call));
        if !takes {
            continue;
        }
        found.push(Variable::keyword(unit, node, name, row));
    }
    found
}
