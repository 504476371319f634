//! Architectures of CUDA's in strings, `"sm_80"`, and what is reported of a string or a list.

use rustc_hash::FxHashSet;

use super::numbers::{features_on_musa, text_number};
use super::products::{is_number, product_in};
use super::review::Review;
use super::wording::short;
use crate::Outcome;
use crate::python::inference::{StringRole, string_role};
use torchada_diagnostic::codes::python::ARCHITECTURE;
use torchada_diagnostic::{Finding, KeptReason};
use torchada_mapping::python::gpus::GpuValueKind;
use torchada_mapping::{Section, contains_one};
use torchada_syntax::python::{Consumer, Field, HOLE, Literal, NodeId, Use};
use torchada_text::{TextRange, contains};

/// A text with more bytes is prose, or source code.
const LONGEST: usize = 4096;

/// What has been reported: a list, with the number of an architecture in it, or `None` for a product.
pub(super) type ReportedInList = FxHashSet<(NodeId, Option<String>)>;

/// Report an architecture or a product that a literal names. In a list, each architecture is reported once, and only
/// one of the products, or of the keys of a table.
pub(super) fn check(
    review: &Review<'_>,
    out: &mut Outcome,
    node: NodeId,
    reported: &mut ReportedInList,
) {
    let unit = review.unit;
    let tree = &unit.module.tree;
    let raw = tree.word(node);
    if raw.len() > LONGEST {
        return;
    }
    let mut fronts = unit.context.knowledge.shapes.architecture.front_names();
    let may_name = review.gpus.may_name_product(raw)
        || fronts.any(|front| contains(raw, front))
        || is_number_in_quotes(raw);
    if !may_name {
        check_list(review, out, node, raw);
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
    let found = architecture_in(review, node, &of, text)
        .or_else(|| Some((product_in(review, node, &of, text)?, None)));
    let Some((finding, number)) = found else {
        return;
    };
    // `{"sm_70": 16, "sm_80": 32}` is one table by architectures.
    let number = number.filter(|_| !matches!(of.consumer, Consumer::DictKey { .. }));
    if list.is_some_and(|list| !reported.insert((list, number))) {
        out.keep(tree.range(node), KeptReason::NamedBeside);
    } else {
        out.report(finding);
    }
}

/// Whether a literal is a number in quotes.
fn is_number_in_quotes(raw: &[u8]) -> bool {
    let inside = raw.strip_prefix(b"\"").or_else(|| raw.strip_prefix(b"'"));
    let inside = inside.and_then(|inside| inside.split_last());
    inside.is_some_and(|(_, digits)| std::str::from_utf8(digits).is_ok_and(is_number))
}

/// Report a list of architectures for a build: `archs = "75;80;89"`.
fn check_list(review: &Review<'_>, out: &mut Outcome, node: NodeId, raw: &[u8]) {
    if !raw.contains(&b';') || raw.iter().any(u8::is_ascii_uppercase) {
        return;
    }
    let unit = review.unit;
    let tree = &unit.module.tree;
    let shapes = &unit.context.knowledge.shapes;
    let Some(text) = Literal::plain_text(tree, node) else {
        return;
    };
    let is_number = |part: &str| {
        let number = shapes.architecture.number(part);
        number.is_some_and(|number| shapes.capability.numbers.contains(&u64::from(number)))
    };
    let Consumer::Target { target } = unit.module.use_of(node).consumer else {
        return;
    };
    let name = unit.module.last_name(target);
    // What a variable of the environment gets is named by the rule for those.
    let list = &unit.context.knowledge.builds.flags.gpu_list;
    let row = unit.context.row(Section::Environment, &name);
    if unit.is_musa() && row.is_some_and(|row| row.to.as_deref() == Some(&**list)) {
        return;
    }
    let named = contains_one(name, &review.gpus.texts.lists);
    if named && text.split(';').all(is_number) {
        let first = text.split(';').next().unwrap_or_default();
        let mut finding = architecture(review, tree.range(node), first);
        finding.message = format!("`{}` are architectures of CUDA's", short(&text));
        out.report(finding);
    }
}

/// The finding about an architecture, and the architecture's number.
fn architecture_in(
    review: &Review<'_>,
    node: NodeId,
    of: &Use,
    text: &str,
) -> Option<(Finding, Option<String>)> {
    let unit = review.unit;
    let texts = &review.gpus.texts;
    let flags = contains_one(text, &texts.flags);
    // Prose names GPUs, too.
    if !flags && text.contains(char::is_whitespace) {
        return None;
    }
    let compared = matches!(
        of.consumer,
        Consumer::Comparison { .. } | Consumer::Pattern { .. } | Consumer::DictKey { .. }
    );
    if let Some(finding) = prefix_in(review, node, of, text) {
        return Some((finding, None));
    }
    let is_cudas = |word: &&str| {
        let is_plain = is_word_with_hole(review, word);
        is_architecture(review, word, compared && *word == text)
            && (!is_plain || flags || review.of(node).is_some())
    };
    let word = words(text).find(is_cudas)?;
    let range = unit.module.tree.range(node);
    let finding = architecture(review, range, word);
    let digits = word.trim_start_matches(|one: char| !one.is_ascii_digit());
    let digits = digits.trim_end_matches(|one: char| !one.is_ascii_digit());
    Some((finding, Some(digits.to_owned())))
}

/// The finding about a prefix that all of CUDA's architectures have, and none of MUSA's, where it is compared with an
/// architecture that the code got from the GPU: `"sm_" in arch`, `arch.startswith("sm_")`.
fn prefix_in(review: &Review<'_>, node: NodeId, of: &Use, text: &str) -> Option<Finding> {
    let unit = review.unit;
    let tree = &unit.module.tree;
    let front = text.strip_suffix('_')?;
    let words = &unit.context.knowledge.shapes.architecture;
    if !words.front_names().any(|one| one == front) {
        return None;
    }
    let other = match of.consumer {
        Consumer::Argument { call, .. } => tree.receiver(call)?,
        _ => of.compared_with()?,
    };
    let value = review.of(other).filter(|value| value.origin.is_some())?;
    if !matches!(
        value.gives,
        GpuValueKind::Text | GpuValueKind::Architectures
    ) {
        return None;
    }
    let message = format!("`{text}` begins CUDA's architectures, and none of MUSA's");
    let finding = unit.finding(ARCHITECTURE, tree.range(node), message);
    Some(finding.help(review.gpus.texts.advice.clone()))
}

/// Report a member of an enumeration that names an architecture: `Arch.sm_100f`.
pub(super) fn check_member(review: &Review<'_>, out: &mut Outcome, node: NodeId) {
    let unit = review.unit;
    let tree = &unit.module.tree;
    let Some(name) = tree.child(node, Field::Attribute) else {
        return;
    };
    let word = tree.shown(name);
    if is_architecture(review, &word, false) {
        let finding = architecture(review, tree.range(node), &word);
        out.report(finding);
    }
}

/// The finding about an architecture.
fn architecture(review: &Review<'_>, range: TextRange, word: &str) -> Finding {
    let unit = review.unit;
    let texts = &review.gpus.texts;
    let rows = unit.context.tables.architectures();
    let shown = word.replace(HOLE, "{…}");
    let message = format!("`{}` is an architecture of CUDA's", short(&shown));
    let help = match text_number(review, word.trim_end_matches(HOLE)) {
        // Every GPU of MUSA's has what came before the first row.
        Some(number) if rows.iter().any(|row| row.sm <= number) => {
            format!("{} Here, {}.", texts.advice, features_on_musa(rows, number))
        }
        _ => texts.advice.clone(),
    };
    unit.finding(ARCHITECTURE, range, message).help(help)
}

/// The words of a text, in which an underscore is a letter.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|one: char| !(one.is_ascii_alphanumeric() || one == '_' || HOLE.contains(one)))
        .filter(|word| !word.is_empty())
}

/// Whether a word begins as plain English does, and ends with an expression that is put in: `f"compute_{metric}"`. It is an
/// architecture only where more says so.
fn is_word_with_hole(review: &Review<'_>, word: &str) -> bool {
    let mut fronts = review.gpus.texts.words.iter();
    fronts.any(|front| {
        let rest = word.strip_prefix(front.as_str());
        rest.and_then(|rest| rest.strip_prefix('_'))
            .is_some_and(|rest| rest.starts_with(HOLE))
    })
}

/// Whether a word is an architecture: `sm_80`, `compute_90a`; `sm90` only if the word is `alone` in its string.
fn is_architecture(review: &Review<'_>, word: &str, alone: bool) -> bool {
    let words = &review.unit.context.knowledge.shapes.architecture;
    words
        .behind_front(word)
        .is_some_and(|rest| match rest.strip_prefix('_') {
            // `f"sm_{number}"`
            Some(number) if number.starts_with(HOLE) => true,
            None if !alone => false,
            _ => words.number(word).is_some(),
        })
}
