//! Questions that a function answers: `has_device_capability(90)`, `is_sm90_supported()`, `is_hopper()`.

use super::question::Question;
use crate::python::gpus::numbers::{LiteralCapabilities, Sm, literal_capabilities};
use crate::python::gpus::values::Values;
use torchada_mapping::python::gpus::GpuValueKind;
use torchada_mapping::{architecture_number, has, starts_with_one};
use torchada_syntax::python::{Field, Kind, NodeId};

/// How many arguments of a call are looked at.
const ARGUMENTS: usize = 8;

/// The question that a call asks, by the name of its function.
pub(super) fn read(values: &Values<'_>, call: NodeId) -> Option<Question> {
    let word = values.unit.module.callee_word(call);
    let name = std::str::from_utf8(word).ok()?;
    let plain = name.trim_start_matches('_').to_ascii_lowercase();
    let asking = &values.gpus.asking;
    let takes_number = asking.functions.contains(&plain);
    let number = if takes_number {
        least_argument(values, call)?
    } else {
        names_architecture(values, &plain)?
    };
    let has = |words: &[String]| starts_with_one(&plain, words);
    let named = plain.split('_').any(|part| asking.named.contains_key(part));
    let least = values.unit.context.tables.targets().iter();
    let is_newer = least.map(|target| target.arch).all(|arch| arch < number);
    let shown = if takes_number {
        format!("{plain}({})", arguments(values, call))
    } else {
        format!("{plain}()")
    };
    Some(Question {
        node: call,
        shown,
        number: Some(number),
        exact: has(&asking.exact) || named,
        answer: (is_newer && !has(&asking.stops)).then_some(false),
    })
}

/// Whether the name of a function is that of a question for an architecture: `is_sm90_supported`.
pub fn defines(values: &Values<'_>, name: &[u8]) -> bool {
    let name = String::from_utf8_lossy(name).to_ascii_lowercase();
    names_architecture(values, name.trim_start_matches('_')).is_some()
}

/// The arguments of a call in one line.
fn arguments(values: &Values<'_>, call: NodeId) -> String {
    let tree = &values.unit.module.tree;
    let shown = tree.arguments(call).take(ARGUMENTS).map(|argument| {
        let text = tree.shown(argument);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    });
    shown.collect::<Vec<_>>().join(", ")
}

/// The least number among the arguments.
fn least_argument(values: &Values<'_>, call: NodeId) -> Option<Sm> {
    let numbers = capability_arguments(values, call).into_iter();
    numbers.flat_map(|(_, one)| one.numbers).min()
}

/// The arguments of a call that are capabilities.
fn capability_arguments(values: &Values<'_>, call: NodeId) -> Vec<(NodeId, LiteralCapabilities)> {
    let tree = &values.unit.module.tree;
    let found = tree.arguments(call).take(ARGUMENTS).filter_map(|one| {
        let value = match tree.kind(one) {
            Kind::KeywordArgument => tree.child(one, Field::Value)?,
            _ => one,
        };
        let capability = literal_capabilities(values, value, GpuValueKind::Capability)?;
        Some((value, capability))
    });
    found.collect()
}

/// The only argument of a call that asks whether the GPU has a capability: `has_device_capability(80)`.
pub fn only_capability(values: &Values<'_>, call: NodeId) -> Option<(NodeId, LiteralCapabilities)> {
    let asking = &values.gpus.asking;
    let word = String::from_utf8_lossy(values.unit.module.callee_word(call)).to_ascii_lowercase();
    let plain = word.trim_start_matches('_');
    let is_threshold = has(&asking.functions, plain)
        && !asking
            .exact
            .iter()
            .any(|front| plain.starts_with(front.as_str()));
    let [only] = <[_; 1]>::try_from(capability_arguments(values, call)).ok()?;
    is_threshold.then_some(only)
}

/// The number in a name such as `is_sm90_supported`, or that of an architecture that it names.
fn names_architecture(values: &Values<'_>, name: &str) -> Option<Sm> {
    let asking = &values.gpus.asking;
    let parts: Vec<&str> = name.split('_').collect();
    let ends = [parts.first()?, parts.last()?];
    if parts.len() < 2 || !ends.iter().any(|end| has(&asking.asks, end)) {
        return None;
    }
    parts.iter().enumerate().find_map(|(at, part)| {
        // `is_sm_90`
        let apart = || {
            let next = parts.get(at + 1)?;
            let is_front = has(&asking.numbered, part);
            is_front
                .then(|| architecture_number(next))?
                .map(|number| number * 10)
        };
        asking.architecture(part).or_else(apart)
    })
}
