//! Writes MUSA's number in place of a threshold of CUDA's.

use super::numbers::{Form, LiteralCapabilities, Sm, row_for};
use super::questions::comparison::{ComparisonOperator, ComparisonPart};
use super::review::Review;
use crate::{Change, Outcome};
use torchada_diagnostic::Applicability;
use torchada_mapping::Target;
use torchada_syntax::python::{Field, Kind, NodeId};
use torchada_text::{TextRange, contains};

/// How many bytes of each part near a comparison are searched for the feature that the code needs.
const NEAR: usize = 4096;

/// Replace the number that something is compared with by MUSA's number for the feature that the code needs. Gives the number
/// that is written.
pub(super) fn rewrite(
    review: &Review<'_>,
    out: &mut Outcome,
    node: NodeId,
    part: &ComparisonPart,
    applicability: Applicability,
) -> Option<String> {
    let is_threshold = matches!(
        part.operator,
        ComparisonOperator::AtLeast | ComparisonOperator::Below
    );
    let at = (node, part.node);
    is_threshold
        .then(|| rewrite_number(review, out, at, &part.literal, applicability))
        .flatten()
}

/// Replace a number of CUDA's in a question by MUSA's number for the feature that the code needs. Gives the number that is
/// written.
pub(super) fn rewrite_number(
    review: &Review<'_>,
    out: &mut Outcome,
    (question, written): (NodeId, NodeId),
    literal: &LiteralCapabilities,
    applicability: Applicability,
) -> Option<String> {
    let unit = review.unit;
    let tree = &unit.module.tree;
    let [number] = *literal.numbers.as_slice() else {
        return None;
    };
    if !literal.is_single_literal {
        return None;
    }
    // A number that a GPU of MUSA's has may be what an earlier port wrote.
    let targets = unit.context.tables.targets();
    if targets.iter().any(|target| number <= target.arch) {
        return None;
    }
    let near = text_near(review, question);
    let is_near = |feature: &str| {
        let mut words = review.gpus.features.iter().filter(|one| one.row == feature);
        words.any(|one| one.words.iter().any(|word| contains(&near, word)))
    };
    let rows = unit.context.tables.architectures();
    let row = row_for(rows, number, is_near)?;
    let mp = row.mp.unwrap_or_default();
    let (major, minor) = (mp / 100, mp / 10 % 10);
    let to = match literal.form {
        Form::Pair => format!("({major}, {minor})"),
        Form::Major => first_number(targets, mp).to_string(),
        Form::Tens => format!("{major}{minor}"),
        Form::Hundreds => mp.to_string(),
        Form::Decimal => format!("{major}.{minor}"),
        Form::Minor | Form::Text => return None,
    };
    let change = Change::new(tree.range(written), &to)
        .applicability(applicability)
        .evidence(row.evidence);
    unit.change(out, change).then_some(to)
}

/// The least first number such that every GPU with this or a later one has a feature that came with `mp`. A first
/// number by itself does not distinguish 2.2 from 2.1.
fn first_number(targets: &[Target], mp: Sm) -> u32 {
    let lacks = |first: u32| {
        let mut later = targets.iter().filter(|one| one.arch / 100 >= first);
        later.any(|one| one.arch < mp)
    };
    let first = mp / 100;
    if lacks(first) { first + 1 } else { first }
}

/// The text near a comparison, in lower case: the code that runs if its condition is true, and the name of the
/// function around it.
fn text_near(review: &Review<'_>, node: NodeId) -> Vec<u8> {
    let unit = review.unit;
    let tree = &unit.module.tree;
    let mut text = Vec::new();
    let mut add = |range: TextRange| {
        let end = range.end.min(range.start + NEAR);
        text.extend(TextRange::new(range.start, end).of(unit.text));
        text.push(b'\n');
    };
    for up in tree.ancestors(node).take(64) {
        match tree.kind(up) {
            Kind::If | Kind::Elif => {
                for field in [Field::Condition, Field::Consequence] {
                    if let Some(part) = tree.child(up, field) {
                        add(tree.range(part));
                    }
                }
                break;
            }
            Kind::Function => {
                if let Some(name) = tree.child(up, Field::Name) {
                    add(tree.range(name));
                }
                break;
            }
            Kind::Assignment | Kind::Return | Kind::Decorator => add(tree.range(up)),
            _ => {}
        }
    }
    text.make_ascii_lowercase();
    text
}
