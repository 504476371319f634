//! Calls that ask whether the GPU is one of NVIDIA's: `has_device_capability(90)`,
//! `is_sm90_supported()`, `is_hopper()`.

use super::codes::ASKS;
use super::comparisons::short;
use super::numbers::{Sm, features_on_musa, literal_capabilities};
use super::values::Values;
use crate::mapping::gpus::GpuValueKind;
use crate::rules::Outcome;
use crate::syntax::python::{Field, Kind, NodeId, What};

/// Report a call that asks for a GPU of NVIDIA's.
pub(super) fn check(values: &Values<'_, '_>, out: &mut Outcome, call: NodeId) {
    let unit = values.unit;
    let word = unit.module.callee_word(call);
    let Ok(name) = std::str::from_utf8(word) else {
        return;
    };
    let plain = name.trim_start_matches('_').to_ascii_lowercase();
    let asking = &values.gpus.asking;
    let number = if asking.functions.contains(&plain) {
        least_argument(values, call)
    } else {
        number_in_name(values, &plain)
    };
    let Some(number) = number else { return };
    // If the function is the module's own, the comparison in its body is reported instead.
    if is_of_module(values, call) {
        return;
    }
    let tree = &unit.module.tree;
    let range = tree.range(call);
    let message = format!("`{}` asks for a GPU of NVIDIA's", short(&unit.shown(range)));
    let help = features_on_musa(unit.context.tables.architectures(), number);
    let finding = unit.finding(ASKS, range, message);
    out.findings.push(finding.help(help));
}

/// The least number among the arguments.
fn least_argument(values: &Values<'_, '_>, call: NodeId) -> Option<Sm> {
    let tree = &values.unit.module.tree;
    let arguments = tree.child(call, Field::Arguments)?;
    let numbers = tree.children(arguments).take(8).filter_map(|one| {
        let value = match tree.kind(one) {
            Kind::KeywordArgument => tree.child(one, Field::Value)?,
            _ => one,
        };
        literal_capabilities(values, value, GpuValueKind::Capability)
    });
    numbers.flat_map(|one| one.numbers).min()
}

/// The number in a name such as `is_sm90_supported`, or that of an architecture that it names.
fn number_in_name(values: &Values<'_, '_>, name: &str) -> Option<Sm> {
    let asking = &values.gpus.asking;
    let parts: Vec<&str> = name.split('_').collect();
    let ends = [parts.first()?, parts.last()?];
    if parts.len() < 2
        || !ends
            .iter()
            .any(|end| asking.asks.iter().any(|one| one == *end))
    {
        return None;
    }
    parts.iter().enumerate().find_map(|(at, part)| {
        if let Some(&number) = asking.named.get(*part) {
            return Some(number);
        }
        asking.numbered.iter().find_map(|front| {
            let digits = match part.strip_prefix(front.as_str())? {
                "" => *parts.get(at + 1)?,
                digits => digits,
            };
            let digits = digits.trim_end_matches(|one: char| one.is_ascii_alphabetic());
            // `sm12x` stands for all architectures from 12.0 on.
            let digits: Sm = digits.parse().ok()?;
            match digits {
                3..20 => Some(digits * 100),
                20..200 => Some(digits * 10),
                _ => None,
            }
        })
    })
}

/// Whether a call calls a function of the module.
fn is_of_module(values: &Values<'_, '_>, call: NodeId) -> bool {
    let module = values.unit.module;
    let tree = &module.tree;
    let Some(callee) = tree.child(call, Field::Function) else {
        return false;
    };
    if tree.kind(callee) != Kind::Identifier {
        return false;
    }
    let (_, bindings) = module.bindings(callee, tree.word(callee));
    bindings
        .iter()
        .any(|one| matches!(one.what, What::Function(_)))
}
