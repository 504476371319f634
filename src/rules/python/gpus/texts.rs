//! Architectures and products of NVIDIA's in strings: `"sm_80"`, `"H100" in name`.

use rustc_hash::FxHashSet;

use super::numbers::{features_on_musa, text_number};
use super::review::Review;
use super::wording::short;
use crate::Outcome;
use crate::python::inference::{StringRole, string_role};
use torchada_diagnostic::{Code, Finding, Kept, KeptReason, Severity};
use torchada_mapping::python::gpus::GpuValueKind;
use torchada_syntax::python::{Consumer, Field, HOLE, Kind, Literal, NodeId, Use};
use torchada_text::{TextRange, contains};

/// An architecture of CUDA's in a string.
pub const ARCHITECTURE: Code = Code {
    id: "PY024",
    severity: Severity::Warning,
    title: "an architecture of CUDA's stands in a string",
};
/// The name of a GPU of NVIDIA's.
pub const PRODUCT: Code = Code {
    id: "PY025",
    severity: Severity::Warning,
    title: "a GPU is told by the name of an NVIDIA product",
};

/// A text with more bytes is prose, or source code.
const LONGEST: usize = 4096;

/// What has been reported: a list, with the number of an architecture in it, or `None` for a product.
pub(super) type ReportedInList = FxHashSet<(NodeId, Option<String>)>;

/// Report an architecture or a product that a literal names. In a list, each architecture is reported once, and only
/// one of the products.
pub(super) fn check(
    values: &Review<'_, '_>,
    out: &mut Outcome,
    node: NodeId,
    reported: &mut ReportedInList,
) {
    let unit = values.unit;
    let tree = &unit.module.tree;
    let raw = tree.word(node);
    if raw.len() > LONGEST {
        return;
    }
    if !values.gpus.may_name(raw) {
        check_list(values, out, node, raw);
        return;
    }
    let Some(literal) = Literal::read(tree, node).filter(|one| !one.is_bytes()) else {
        return;
    };
    let Ok(text) = std::str::from_utf8(literal.value()) else {
        return;
    };
    let of = unit.module.use_of(node);
    // A single word is no text for people, even where the code prints it.
    let text_for_people = match of.consumer {
        Consumer::Docstring | Consumer::Statement | Consumer::Message => true,
        _ => text.contains(char::is_whitespace) && string_role(unit, &of) == StringRole::Text,
    };
    if text_for_people {
        return;
    }
    let list = of.items().last().and_then(|item| tree.parent(item));
    let list = match of.consumer {
        Consumer::DictKey { pair } | Consumer::DictValue { pair } => tree.parent(pair),
        _ => list,
    };
    let found = architecture_in(values, node, &of, text)
        .or_else(|| Some((product_in(values, node, &of, text)?, None)));
    let Some((finding, number)) = found else {
        return;
    };
    if list.is_some_and(|list| !reported.insert((list, number))) {
        let range = tree.range(node);
        let reason = KeptReason::NamedBeside;
        out.kept.push(Kept { range, reason });
    } else {
        out.findings.push(finding);
    }
}

/// Report a list of architectures for a build: `archs = "75;80;89"`.
fn check_list(values: &Review<'_, '_>, out: &mut Outcome, node: NodeId, raw: &[u8]) {
    if !raw.contains(&b';') || raw.iter().any(u8::is_ascii_uppercase) {
        return;
    }
    let unit = values.unit;
    let tree = &unit.module.tree;
    let known = &unit.context.knowledge.shapes.capability.numbers;
    let literal = Literal::read(tree, node).filter(Literal::is_plain);
    let text = literal.and_then(|one| String::from_utf8(one.value().to_vec()).ok());
    let Some(text) = text else { return };
    let is_number = |part: &str| {
        let digits = part.trim_end_matches(|one: char| one.is_ascii_lowercase());
        digits.parse().is_ok_and(|number| known.contains(&number))
    };
    let Consumer::Target { target } = unit.module.use_of(node).consumer else {
        return;
    };
    let name = unit.module.last_name(target);
    let mut lists = values.gpus.texts.lists.iter();
    let named = lists.any(|part| contains(&name, part.as_bytes()));
    if named && text.split(';').all(is_number) {
        let first = text.split(';').next().unwrap_or_default();
        let mut finding = architecture(values, tree.range(node), first);
        finding.message = format!("`{}` are architectures of CUDA's", short(&text));
        out.findings.push(finding);
    }
}

/// The finding about an architecture, and the architecture's number.
fn architecture_in(
    values: &Review<'_, '_>,
    node: NodeId,
    of: &Use,
    text: &str,
) -> Option<(Finding, Option<String>)> {
    let unit = values.unit;
    let texts = &values.gpus.texts;
    let flags = texts.flags.iter().any(|flag| text.contains(flag.as_str()));
    // Prose names GPUs, too.
    if !flags && text.contains(char::is_whitespace) {
        return None;
    }
    let compared = matches!(
        of.consumer,
        Consumer::Comparison { .. } | Consumer::Pattern { .. } | Consumer::DictKey { .. }
    );
    if let Some(finding) = prefix_in(values, node, of, text) {
        return Some((finding, None));
    }
    let word = words(text).find(|word| is_architecture(values, word, compared && *word == text))?;
    let range = unit.module.tree.range(node);
    let finding = architecture(values, range, word);
    let digits = word.trim_start_matches(|one: char| !one.is_ascii_digit());
    let digits = digits.trim_end_matches(|one: char| !one.is_ascii_digit());
    Some((finding, Some(digits.to_owned())))
}

/// The finding about a prefix that all of CUDA's architectures have, and none of MUSA's, where it is compared with an
/// architecture that the code got from the GPU: `"sm_" in arch`, `arch.startswith("sm_")`.
fn prefix_in(values: &Review<'_, '_>, node: NodeId, of: &Use, text: &str) -> Option<Finding> {
    let unit = values.unit;
    let tree = &unit.module.tree;
    let front = text.strip_suffix('_')?;
    if !values.gpus.texts.fronts.iter().any(|one| one == front) {
        return None;
    }
    let other = match of.consumer {
        Consumer::Comparison { other, .. } => other,
        Consumer::Pattern { subject, .. } => subject,
        Consumer::Argument { call, .. } => {
            let callee = tree.child(call, Field::Function)?;
            tree.child(callee, Field::Object)?
        }
        _ => return None,
    };
    let value = values.of(other).filter(|value| value.origin.is_some())?;
    if !matches!(
        value.gives,
        GpuValueKind::Text | GpuValueKind::Architectures
    ) {
        return None;
    }
    let message = format!("`{text}` begins CUDA's architectures, and none of MUSA's");
    let finding = unit.finding(ARCHITECTURE, tree.range(node), message);
    Some(finding.help(values.gpus.texts.advice.clone()))
}

/// Report a member of an enumeration that names an architecture: `Arch.sm_100f`.
pub(super) fn check_member(values: &Review<'_, '_>, out: &mut Outcome, node: NodeId) {
    let unit = values.unit;
    let tree = &unit.module.tree;
    let Some(name) = tree.child(node, Field::Attribute) else {
        return;
    };
    let word = unit.shown(tree.range(name));
    if is_architecture(values, &word, false) {
        let finding = architecture(values, tree.range(node), &word);
        out.findings.push(finding);
    }
}

/// The finding about an architecture.
fn architecture(values: &Review<'_, '_>, range: TextRange, word: &str) -> Finding {
    let unit = values.unit;
    let texts = &values.gpus.texts;
    let shown = word.replace(HOLE, "{…}");
    let message = format!("`{}` is an architecture of CUDA's", short(&shown));
    let help = match text_number(word.trim_end_matches(HOLE)) {
        Some(number) => format!(
            "{} Here, {}.",
            texts.advice,
            features_on_musa(unit.context.tables.architectures(), number)
        ),
        None => texts.advice.clone(),
    };
    unit.finding(ARCHITECTURE, range, message).help(help)
}

/// The words of a text, in which an underscore is a letter.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|one: char| !(one.is_ascii_alphanumeric() || one == '_' || HOLE.contains(one)))
        .filter(|word| !word.is_empty())
}

/// Whether a word is an architecture: `sm_80`, `compute_90a`; `sm90` only if the word is `alone` in its string.
fn is_architecture(values: &Review<'_, '_>, word: &str, alone: bool) -> bool {
    values.gpus.texts.fronts.iter().any(|front| {
        let Some(rest) = word.strip_prefix(front.as_str()) else {
            return false;
        };
        let number = match rest.strip_prefix('_') {
            // `f"sm_{number}"`
            Some(number) if number.starts_with(HOLE) => return true,
            Some(number) => number,
            None if alone => rest,
            None => return false,
        };
        let digits = number.trim_end_matches(|one: char| one.is_ascii_lowercase());
        (2..=3).contains(&digits.len())
            && number.len() <= digits.len() + 1
            && digits.bytes().all(|one| one.is_ascii_digit())
    })
}

/// The finding about a product.
fn product_in(values: &Review<'_, '_>, node: NodeId, of: &Use, written: &str) -> Option<Finding> {
    let unit = values.unit;
    let products = &values.gpus.products;
    let with_gpu_name = is_compared_with_gpu_name(values, of);
    // `"h100" in name.lower()`: a text that is compared with a GPU's name can only be a product.
    let text = if with_gpu_name {
        &written.to_ascii_uppercase()
    } else {
        written
    };
    let has = |names: &[String]| {
        text.split(|one: char| !one.is_ascii_alphanumeric())
            .any(|word| {
                let known = |name: &String| {
                    name == word
                        || joined(name, word)
                        || with_gpu_name && name.eq_ignore_ascii_case(word)
                };
                names.iter().any(known)
            })
    };
    let strong =
        has(&products.strong) && !is_prose(written) && (with_gpu_name || !is_sentence(written));
    let weak = || with_gpu_name && has(&products.weak);
    if !with_gpu_name && names_vendor_alone(values, written) {
        return None;
    }
    if !strong && !weak() {
        return None;
    }
    let is_value = match of.consumer {
        Consumer::Comparison { .. }
        | Consumer::Pattern { .. }
        | Consumer::DictKey { .. }
        | Consumer::Item { .. } => true,
        Consumer::Target { .. } | Consumer::Loop { .. } => of.items().next().is_some(),
        Consumer::Argument { call, .. } => {
            let word = unit.module.callee_word(call);
            matches!(
                word,
                b"startswith" | b"endswith" | b"search" | b"match" | b"find" | b"get"
            )
        }
        _ => false,
    };
    if !with_gpu_name && (!is_value || is_alone_in_crowd(values, of)) {
        return None;
    }
    let range = unit.module.tree.range(node);
    let shown = short(written);
    let (message, help) = if written == products.vendor && !with_gpu_name {
        let message = format!("`{shown}` tells whose GPUs are meant, and MUSA's are another's");
        (message, &products.vendor_advice)
    } else {
        let message = format!("`{shown}` is the name of an NVIDIA product");
        (message, &products.advice)
    };
    let finding = unit.finding(PRODUCT, range, message);
    Some(finding.help(help.clone()))
}

/// Whether a text of several words names the vendor, and no product beside it: `NVIDIA Corporation`, `NVIDIA Topology`.
fn names_vendor_alone(values: &Review<'_, '_>, text: &str) -> bool {
    let products = &values.gpus.products;
    let words = || text.split(|one: char| !one.is_ascii_alphanumeric());
    let is_product = |word: &str| {
        let mut known = products.strong.iter().chain(&products.weak);
        word.bytes().any(|one| one.is_ascii_digit()) || known.any(|name| name == word)
    };
    text.contains(char::is_whitespace)
        && words().any(|word| word == products.vendor)
        && !words().any(|word| word != products.vendor && is_product(word))
}

/// Whether a text stands in a long list none of whose others names a product: `Model B200` among aircraft.
fn is_alone_in_crowd(values: &Review<'_, '_>, of: &Use) -> bool {
    let products = &values.gpus.products;
    let near = values.unit.module.sibling_literals(of);
    let names_product = |one: &Literal| {
        let text = String::from_utf8_lossy(one.value()).into_owned();
        let mut words = text.split(|one: char| !one.is_ascii_alphanumeric());
        words.any(|word| {
            let mut known = products.strong.iter().chain(&products.weak);
            known.any(|name| name == word || joined(name, word))
        })
    };
    near.len() >= products.crowd && near.iter().filter(|one| names_product(one)).count() < 2
}

/// Whether a text is a sentence, an address, a heading or the name of an environment variable or of a file: all of them may
/// have the name of a product in them.
fn is_prose(text: &str) -> bool {
    let variable = text
        .bytes()
        .all(|one| one.is_ascii_uppercase() || one.is_ascii_digit() || one == b'_');
    // Pages and projects of the company have its name in their addresses.
    let address = text.contains(['/', '@']);
    let heading = text.ends_with(':');
    // `Llama3_A100.ipynb`
    let is_ending =
        |one: &str| (2..=5).contains(&one.len()) && one.bytes().all(|one| one.is_ascii_lowercase());
    let file = text
        .rsplit_once('.')
        .is_some_and(|(_, ending)| is_ending(ending));
    file || text.split_whitespace().count() > 4
        || variable && text.contains('_')
        || address
        || heading
}

/// Whether a text has words in small letters, and so is a sentence about a company: `Found no NVIDIA driver`. The names
/// of models have capitals and numbers.
fn is_sentence(text: &str) -> bool {
    let is_small = |word: &&str| word.bytes().all(|one| one.is_ascii_lowercase());
    text.split_whitespace().filter(is_small).count() > 1
}

/// Whether a word is a name of three capitals and a number: `RTX4090` is `RTX` and a number.
fn joined(name: &str, word: &str) -> bool {
    word.strip_prefix(name).is_some_and(|rest| {
        name.bytes().all(|one| one.is_ascii_uppercase())
            && name.len() == 3
            && rest.bytes().all(|one| one.is_ascii_digit())
    })
}

/// Whether a text is compared with the name of a GPU, or passed to a call together with one.
fn is_compared_with_gpu_name(values: &Review<'_, '_>, of: &Use) -> bool {
    let tree = &values.unit.module.tree;
    let is_name = |node: NodeId| {
        let value = values.of(node);
        value.is_some_and(|value| value.gives == GpuValueKind::Name)
    };
    match of.consumer {
        Consumer::Comparison { other, .. } => is_name(other),
        Consumer::Pattern { subject, .. } => is_name(subject),
        Consumer::Argument { call, .. } => {
            let mut parts = tree.below(call).take(32);
            parts.any(|one| {
                matches!(
                    tree.kind(one),
                    Kind::Identifier | Kind::Call | Kind::Attribute
                ) && is_name(one)
            })
        }
        _ => false,
    }
}
