//! Regular expressions for devices: `re.fullmatch(r"cuda:\d+", device)`.

use crate::python::inference::{expression_role, only_value};
use crate::python::reserved::alternatives::Alternatives;
use crate::python::reserved::alternatives_beside::among_words;
use crate::python::{ModuleView, PythonUnit};
use crate::{Change, Outcome};
use torchada_mapping::{Evidence, has};
use torchada_syntax::python::{Consumer, Literal, NodeId};
use torchada_text::TextRange;

/// Regular expressions for devices.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let known = &unit.python_values().patterns;
    if !known.modules.iter().any(|module| unit.contains(module)) {
        return;
    }
    for device in &unit.context.knowledge.devices {
        for literal in unit.literals(&[&device.cuda]) {
            let Some(call) = pattern_of(unit, &literal) else {
                continue;
            };
            if unit.is_claimed(out, literal.node) || is_one_of_several(unit, &literal) {
                continue;
            }
            let places = names(literal.value(), device.cuda.as_bytes());
            let is_device = is_matched_with_device(unit, call);
            let places = places.filter(|place| is_device || place.is_numbered);
            for place in places.collect::<Vec<_>>() {
                let Some(range) = literal.in_file(place.range) else {
                    continue;
                };
                unit.claim(out, literal.node);
                // A person writes CUDA's name in a file or on a command line, PyTorch gives MUSA's.
                let to = format!("(?:{}|{})", device.cuda, device.to);
                unit.change(out, Change::new(range, &to).evidence(Evidence::Confirmed));
            }
        }
    }
}

/// The call of a function of regular expressions whose pattern a text is: itself, or by a name that has no other value.
fn pattern_of(unit: &ModuleView<'_>, literal: &Literal) -> Option<NodeId> {
    let of = unit.module.use_of(literal.node);
    if !of.steps.is_empty() {
        return None;
    }
    match of.consumer {
        Consumer::Argument { .. } => takes_pattern(unit, literal.node),
        Consumer::Target { target } => {
            only_value(unit, target)?;
            let mut places = unit.places_of_binding(target);
            places.find_map(|place| takes_pattern(unit, place))
        }
        _ => None,
    }
}

/// The call of a function of regular expressions that takes a node for its pattern.
fn takes_pattern(unit: &ModuleView<'_>, node: NodeId) -> Option<NodeId> {
    let of = unit.module.use_of(node);
    let call = of.argument_at(0)?;
    let known = &unit.python_values().patterns;
    let callee = unit.callee_name(call).filter(|_| of.steps.is_empty())?;
    let (module, function) = callee.name.rsplit_once('.')?;
    let is_known = has(&known.modules, module)
        && (has(&known.matches, function) || has(&known.compiles, function));
    is_known.then_some(call)
}

/// Whether a pattern knows MUSA already, or platforms that `PyTorch` has no device of.
fn is_one_of_several(unit: &ModuleView<'_>, literal: &Literal) -> bool {
    let text = literal.text().to_ascii_lowercase();
    let words = text.split(|one: char| !one.is_ascii_alphanumeric() && one != '_');
    among_words(unit, words) != Alternatives::None
}

/// Whether what a pattern is matched with is a device.
fn is_matched_with_device(unit: &ModuleView<'_>, call: NodeId) -> bool {
    let tree = &unit.module.tree;
    let is_device =
        |node: Option<NodeId>| node.is_some_and(|node| expression_role(unit, node).is_device());
    let known = &unit.python_values().patterns;
    if has(&known.matches, unit.module.callee_word(call)) {
        return is_device(tree.argument(call, 1));
    }
    // `PATTERN = re.compile(…)`, and `PATTERN.match(device)`.
    let Consumer::Target { target } = unit.module.use_of(call).consumer else {
        return false;
    };
    if only_value(unit, target).is_none() {
        return false;
    }
    let mut matches = unit.places_of_binding(target).filter_map(|place| {
        let call = tree.method_call(place)?;
        let is_match = has(&known.matches, unit.module.callee_word(call));
        is_match.then(|| tree.argument(call, 0))
    });
    matches.any(is_device)
}

/// CUDA's name in a pattern.
struct Name {
    range: TextRange,
    /// Whether the number of a device follows, as it does behind a device alone.
    is_numbered: bool,
}

/// The places of a name in a pattern, as a word by itself.
fn names<'t>(pattern: &'t [u8], name: &'t [u8]) -> impl Iterator<Item = Name> + 't {
    let is_part =
        |byte: Option<&u8>| byte.is_some_and(|one| one.is_ascii_alphanumeric() || *one == b'_');
    memchr::memmem::find_iter(pattern, name).filter_map(move |at| {
        let before = pattern.get(..at)?;
        let behind = pattern.get(at + name.len()..)?;
        // `\bcuda`
        let is_escaped = before.ends_with(b"\\b");
        let is_word = is_escaped || !is_part(before.last());
        (is_word && !is_part(behind.first())).then(|| Name {
            range: TextRange::new(at, at + name.len()),
            is_numbered: takes_number(behind),
        })
    })
}

/// Whether a colon and a number follow in a pattern: `(?::(\d+))?`.
fn takes_number(behind: &[u8]) -> bool {
    let opens = |text: &[u8]| {
        text.iter()
            .take_while(|one| matches!(one, b'(' | b')'))
            .count()
    };
    let inside = behind.get(opens(behind)..).unwrap_or_default();
    let inside = inside.strip_prefix(b"?:").unwrap_or(inside);
    let Some(number) = inside.strip_prefix(b":") else {
        return false;
    };
    let number = number.get(opens(number)..).unwrap_or_default();
    [b"\\d".as_slice(), b"[0-9]", b"[\\d]"]
        .iter()
        .any(|digit| number.starts_with(digit))
}
