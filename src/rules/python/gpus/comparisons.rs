//! Comparisons with compute capabilities of CUDA's.

use super::numbers::{
    Form, LiteralCapabilities, Sm, features_on_musa, literal_capabilities,
    literal_capabilities_of_number, outcome, row_for, shown,
};
use super::values::{GpuFact, Values};
use crate::diagnostic::{Applicability, Code, Severity};
use crate::mapping::Target;
use crate::mapping::gpus::GpuValueKind;
use crate::rules::Outcome;
use crate::rules::python::unit::Change;
use crate::syntax::python::{Field, Kind, NodeId};
use crate::text::{TextRange, contains};

/// A comparison with a number of CUDA's.
pub const NUMBER: Code = Code {
    id: "PY023",
    severity: Severity::Warning,
    title: "a compute capability is held against a number of CUDA's",
};

/// How many bytes of each part near a comparison are searched for the feature that the code needs.
const NEAR: usize = 4096;

/// An operator of a comparison that has the GPU's value on its left.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ComparisonOperator {
    AtLeast,
    Above,
    AtMost,
    Below,
    Equal,
    Unequal,
    In,
    NotIn,
}

impl ComparisonOperator {
    fn read(word: &[u8], reversed: bool) -> Option<Self> {
        let words: Vec<&[u8]> = word.split(u8::is_ascii_whitespace).collect();
        Some(match (words.as_slice(), reversed) {
            ([b">="], false) | ([b"<="], true) => Self::AtLeast,
            ([b">"], false) | ([b"<"], true) => Self::Above,
            ([b"<="], false) | ([b">="], true) => Self::AtMost,
            ([b"<"], false) | ([b">"], true) => Self::Below,
            ([b"==" | b"is"], _) => Self::Equal,
            ([b"!="] | [b"is", b"not"], _) => Self::Unequal,
            ([b"in"], false) => Self::In,
            ([b"not", b"in"], false) => Self::NotIn,
            _ => return None,
        })
    }

    /// Whether the comparison is true for a GPU of MUSA's that has the capability `musa`.
    fn is_true(self, musa: Sm, literal: &LiteralCapabilities) -> bool {
        // A first number alone is compared with the first number alone.
        let musa = match literal.form {
            Form::Major => musa / 100 * 100,
            _ => musa,
        };
        let Some(&number) = literal.numbers.first() else {
            return false;
        };
        match self {
            Self::AtLeast => musa >= number,
            Self::Above => musa > number,
            Self::AtMost => musa <= number,
            Self::Below => musa < number,
            Self::Equal => musa == number,
            Self::Unequal => musa != number,
            Self::In => literal.numbers.contains(&musa),
            Self::NotIn => !literal.numbers.contains(&musa),
        }
    }
}

/// A part of a chained comparison: a value of the GPU's, an operator, and the number that the value is compared with.
struct ComparisonPart {
    value: GpuFact,
    operator: ComparisonOperator,
    node: NodeId,
    literal: LiteralCapabilities,
}

/// Report a comparison with a number of CUDA's. Returns the calls whose capabilities the comparison uses.
pub(super) fn check(values: &Values<'_, '_>, out: &mut Outcome, node: NodeId) -> Vec<NodeId> {
    let unit = values.unit;
    let tree = &unit.module.tree;
    let children: Vec<NodeId> = tree.children(node).take(16).collect();
    let mut parts: Vec<ComparisonPart> = Vec::new();
    for triple in children.windows(3).step_by(2) {
        let [left, operator, right] = *triple else {
            continue;
        };
        let word = tree.word(operator);
        let part = read_part(values, left, word, right, false);
        parts.extend(part.or_else(|| read_part(values, right, word, left, true)));
    }
    let is_main = |part: &&ComparisonPart| part.value.gives != GpuValueKind::Minor;
    let Some(first) = parts.iter().find(is_main).or(parts.first()) else {
        return Vec::new();
    };
    let origins: Vec<NodeId> = parts.iter().filter_map(|part| part.value.origin).collect();
    if first.value.gives == GpuValueKind::Minor && compares_major_too(values, node) {
        return origins;
    }
    let range = tree.range(node);
    let text = short(&unit.shown(range));
    let targets = unit.context.tables.targets();
    let rows = unit.context.tables.architectures();
    let known = first.literal.form != Form::Minor;
    let is_true = |musa| {
        parts
            .iter()
            .filter(is_main)
            .all(|part| part.operator.is_true(musa, &part.literal))
    };
    let message = if known {
        format!("`{text}` is {}", outcome(targets, is_true))
    } else {
        format!("`{text}` holds a number of MUSA's against one of CUDA's")
    };
    let help = match first.literal.numbers.iter().min() {
        Some(&number) if known => features_on_musa(rows, number),
        _ => "MUSA's GPUs count 2.1, 2.2, 3.1".to_owned(),
    };
    if let ([part], true) = (parts.as_slice(), children.len() == 3 && unit.is_musa()) {
        rewrite(values, out, node, part);
    }
    let finding = unit.finding(NUMBER, range, message);
    out.findings.push(finding.help(help));
    origins
}

/// A part of a comparison, read from its two sides; `reversed` if the number stands on the left.
fn read_part(
    values: &Values<'_, '_>,
    value_node: NodeId,
    operator: &[u8],
    node: NodeId,
    reversed: bool,
) -> Option<ComparisonPart> {
    let operator = ComparisonOperator::read(operator, reversed)?;
    let value = values.of(value_node)?;
    let is_capability = matches!(
        value.gives,
        GpuValueKind::Pair
            | GpuValueKind::Capability
            | GpuValueKind::Major
            | GpuValueKind::Minor
            | GpuValueKind::Number
            | GpuValueKind::Text
    );
    let is_whole = !matches!(operator, ComparisonOperator::In | ComparisonOperator::NotIn);
    let literal = match value.gives {
        _ if !is_capability => return None,
        GpuValueKind::Number if is_whole => literal_capabilities_of_number(values, node)?,
        gives => literal_capabilities(values, node, gives)?,
    };
    // A name by itself is a weak sign of a capability, so the number must be one of CUDA's.
    let known = &values.unit.context.knowledge.shapes.capability.numbers;
    let is_cudas = |number: &Sm| known.contains(&u64::from(number / 10));
    let sure = value.origin.is_some()
        || values
            .gpus
            .is_telling(&values.unit.module.last_name(value_node))
        || !matches!(value.gives, GpuValueKind::Number | GpuValueKind::Capability)
        || literal.form == Form::Pair && value.gives != GpuValueKind::Number
        || literal.numbers.iter().any(is_cudas);
    sure.then_some(ComparisonPart {
        value,
        operator,
        node,
        literal,
    })
}

/// Whether the condition around a comparison of a second number compares the first number, too.
fn compares_major_too(values: &Values<'_, '_>, node: NodeId) -> bool {
    let tree = &values.unit.module.tree;
    let whole = tree
        .ancestors(node)
        .take_while(|&up| {
            matches!(
                tree.kind(up),
                Kind::Boolean | Kind::Parenthesized | Kind::Not
            )
        })
        .last();
    let Some(whole) = whole else { return false };
    let mut inside = tree.below(whole).take(256);
    inside.any(|one| {
        tree.kind(one) == Kind::Comparison
            && one != node
            && tree.children(one).any(|side| {
                let gives = values.of(side).map(|value| value.gives);
                matches!(
                    gives,
                    Some(
                        GpuValueKind::Major
                            | GpuValueKind::Number
                            | GpuValueKind::Pair
                            | GpuValueKind::Capability
                    )
                )
            })
    })
}

/// Replace the number of CUDA's with MUSA's number for the feature that the code needs.
fn rewrite(values: &Values<'_, '_>, out: &mut Outcome, node: NodeId, part: &ComparisonPart) {
    let unit = values.unit;
    let tree = &unit.module.tree;
    let [number] = *part.literal.numbers.as_slice() else {
        return;
    };
    if !part.literal.is_single_literal
        || !matches!(
            part.operator,
            ComparisonOperator::AtLeast | ComparisonOperator::Below
        )
    {
        return;
    }
    // A number that a GPU of MUSA's has may be what an earlier port wrote.
    let targets = unit.context.tables.targets();
    if targets.iter().any(|target| number <= target.arch) {
        return;
    }
    let near = text_near(values, node);
    let is_near = |feature: &str| {
        let mut words = values.gpus.features.iter().filter(|one| one.row == feature);
        words.any(|one| {
            one.words
                .iter()
                .any(|word| contains(&near, word.as_bytes()))
        })
    };
    let rows = unit.context.tables.architectures();
    let Some(row) = row_for(rows, number, is_near) else {
        return;
    };
    let mp = row.mp.unwrap_or_default();
    let (major, minor) = (mp / 100, mp / 10 % 10);
    let to = match part.literal.form {
        Form::Pair => format!("({major}, {minor})"),
        Form::Major => first_number(targets, mp).to_string(),
        Form::Tens => format!("{major}{minor}"),
        Form::Hundreds => mp.to_string(),
        Form::Decimal => format!("{major}.{minor}"),
        Form::Minor | Form::Text => return,
    };
    let change = Change {
        range: tree.range(part.node),
        to: &to,
        rule: super::RULE,
        applicability: Applicability::Unsafe,
        evidence: Some(row.evidence),
    };
    unit.change(out, &change);
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
fn text_near(values: &Values<'_, '_>, node: NodeId) -> Vec<u8> {
    let unit = values.unit;
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

/// A text in one line, cut where it is long.
pub(super) fn short(text: &str) -> String {
    let line: Vec<&str> = text.split_whitespace().collect();
    let line = line.join(" ");
    match line.char_indices().nth(60) {
        Some((at, _)) => format!("{}…", line.get(..at).unwrap_or_default()),
        None => line,
    }
}

/// Report a table or a `match` that is searched for a capability: `TABLE[capability]`, `TABLE.get(capability)`.
/// Returns the call that gives the capability.
pub(super) fn check_lookup(
    values: &Values<'_, '_>,
    out: &mut Outcome,
    node: NodeId,
) -> Option<NodeId> {
    let unit = values.unit;
    let tree = &unit.module.tree;
    let (table, key) = match tree.kind(node) {
        Kind::Subscript => (
            tree.child(node, Field::Value)?,
            tree.child(node, Field::Subscript)?,
        ),
        Kind::Call if unit.module.callee_word(node) == b"get" => {
            let callee = tree.child(node, Field::Function)?;
            let arguments = tree.child(node, Field::Arguments)?;
            (tree.child(callee, Field::Object)?, tree.nth(arguments, 0)?)
        }
        Kind::Match => {
            let subject = tree.child(node, Field::Subject)?;
            (subject, subject)
        }
        _ => return None,
    };
    let value = values.single(key)?;
    let is_number = matches!(
        value.gives,
        GpuValueKind::Pair
            | GpuValueKind::Capability
            | GpuValueKind::Major
            | GpuValueKind::Number
            | GpuValueKind::Text
    );
    // A name by itself may belong to anything.
    if !is_number || value.origin.is_none() {
        return None;
    }
    let range = tree.range(if table == key { key } else { node });
    let message = format!(
        "`{}` is chosen by a compute capability, which has other numbers on MUSA",
        short(&unit.shown(range))
    );
    let finding = unit.finding(NUMBER, range, message);
    out.findings.push(finding.help(format!(
        "add the numbers of MUSA's GPUs: {}",
        all_capabilities(unit.context.tables.targets())
    )));
    value.origin
}

fn all_capabilities(targets: &[Target]) -> String {
    let numbers: Vec<String> = targets.iter().map(|target| shown(target.arch)).collect();
    numbers.join(", ")
}
