//! Comparisons with compute capabilities of CUDA's.

use super::numbers::{Form, Sm, Written, answer, outcome, row_for, shown, written, written_whole};
use super::values::{Value, Values};
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

/// How much text near a comparison is searched for what it needs, in bytes.
const NEAR: usize = 4096;

/// A comparison, the value on its left.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operator {
    AtLeast,
    Above,
    AtMost,
    Below,
    Equal,
    Unequal,
    In,
    NotIn,
}

impl Operator {
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

    /// Whether it holds for a capability of MUSA's.
    fn holds(self, musa: Sm, written: &Written) -> bool {
        // A first number alone is compared with the first number alone.
        let musa = match written.form {
            Form::Major => musa / 100 * 100,
            _ => musa,
        };
        let Some(&number) = written.numbers.first() else {
            return false;
        };
        match self {
            Self::AtLeast => musa >= number,
            Self::Above => musa > number,
            Self::AtMost => musa <= number,
            Self::Below => musa < number,
            Self::Equal => musa == number,
            Self::Unequal => musa != number,
            Self::In => written.numbers.contains(&musa),
            Self::NotIn => !written.numbers.contains(&musa),
        }
    }
}

/// One step of a comparison: a value, the operator, what it is held against.
struct Step {
    value: Value,
    operator: Operator,
    literal: NodeId,
    written: Written,
}

/// Look at a comparison. Returns where the capabilities come from that it is about.
pub(super) fn check(values: &Values<'_, '_>, out: &mut Outcome, node: NodeId) -> Vec<NodeId> {
    let unit = values.unit;
    let tree = &unit.module.tree;
    let parts: Vec<NodeId> = tree.children(node).take(16).collect();
    let mut steps: Vec<Step> = Vec::new();
    for triple in parts.windows(3).step_by(2) {
        let [left, operator, right] = *triple else {
            continue;
        };
        let word = tree.word(operator);
        let step = read(values, left, word, right, false);
        steps.extend(step.or_else(|| read(values, right, word, left, true)));
    }
    let main = |step: &&Step| step.value.gives != GpuValueKind::Minor;
    let Some(first) = steps.iter().find(main).or(steps.first()) else {
        return Vec::new();
    };
    let origins: Vec<NodeId> = steps.iter().filter_map(|step| step.value.origin).collect();
    if first.value.gives == GpuValueKind::Minor && beside_major(values, node) {
        return origins;
    }
    let range = tree.range(node);
    let text = short(&unit.shown(range));
    let targets = unit.context.tables.targets();
    let rows = unit.context.tables.architectures();
    let known = first.written.form != Form::Minor;
    let holds = |musa| {
        steps
            .iter()
            .filter(|step| step.value.gives != GpuValueKind::Minor)
            .all(|step| step.operator.holds(musa, &step.written))
    };
    let message = if known {
        format!("`{text}` is {}", outcome(targets, holds))
    } else {
        format!("`{text}` holds a number of MUSA's against one of CUDA's")
    };
    let help = match first.written.numbers.iter().min() {
        Some(&number) if known => answer(rows, number),
        _ => "MUSA's GPUs count 2.1, 2.2, 3.1".to_owned(),
    };
    if let ([step], true) = (steps.as_slice(), parts.len() == 3 && unit.is_musa()) {
        rewrite(values, out, node, step);
    }
    let finding = unit.finding(NUMBER, range, message);
    out.findings.push(finding.help(help));
    origins
}

fn read(
    values: &Values<'_, '_>,
    value: NodeId,
    operator: &[u8],
    literal: NodeId,
    reversed: bool,
) -> Option<Step> {
    let operator = Operator::read(operator, reversed)?;
    let place = value;
    let value = values.of(place)?;
    let is_one = matches!(
        value.gives,
        GpuValueKind::Pair
            | GpuValueKind::Capability
            | GpuValueKind::Major
            | GpuValueKind::Minor
            | GpuValueKind::Number
            | GpuValueKind::Text
    );
    let is_whole = !matches!(operator, Operator::In | Operator::NotIn);
    let written = match value.gives {
        _ if !is_one => return None,
        GpuValueKind::Number if is_whole => written_whole(values, literal)?,
        gives => written(values, literal, gives)?,
    };
    // A name alone tells little: its number must be one of CUDA's.
    let known = &values.unit.context.knowledge.shapes.capability.numbers;
    let plain = |number: &Sm| known.contains(&u64::from(number / 10));
    let sure = value.origin.is_some()
        || values.gpus.is_telling(&values.unit.module.last_name(place))
        || !matches!(value.gives, GpuValueKind::Number | GpuValueKind::Capability)
        || written.form == Form::Pair && value.gives != GpuValueKind::Number
        || written.numbers.iter().any(plain);
    sure.then_some(Step {
        value,
        operator,
        literal,
        written,
    })
}

/// Whether the condition around a comparison also holds a first number against something.
fn beside_major(values: &Values<'_, '_>, node: NodeId) -> bool {
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

/// The number of the feature that the code needs, in place of CUDA's.
fn rewrite(values: &Values<'_, '_>, out: &mut Outcome, node: NodeId, step: &Step) {
    let unit = values.unit;
    let tree = &unit.module.tree;
    let [number] = *step.written.numbers.as_slice() else {
        return;
    };
    if !step.written.here || !matches!(step.operator, Operator::AtLeast | Operator::Below) {
        return;
    }
    // A number that a GPU of MUSA's has may be what an earlier port wrote.
    let targets = unit.context.tables.targets();
    if targets.iter().any(|target| number <= target.arch) {
        return;
    }
    let near = near(values, node);
    let spoken = |feature: &str| {
        let mut words = values.gpus.features.iter().filter(|one| one.row == feature);
        words.any(|one| {
            one.words
                .iter()
                .any(|word| contains(&near, word.as_bytes()))
        })
    };
    let rows = unit.context.tables.architectures();
    let Some(row) = row_for(rows, number, spoken) else {
        return;
    };
    let mp = row.mp.unwrap_or_default();
    let (major, minor) = (mp / 100, mp / 10 % 10);
    let to = match step.written.form {
        Form::Pair => format!("({major}, {minor})"),
        Form::Major => first_number(targets, mp).to_string(),
        Form::Tens => format!("{major}{minor}"),
        Form::Hundreds => mp.to_string(),
        Form::Decimal => format!("{major}.{minor}"),
        Form::Minor | Form::Text => return,
    };
    let change = Change {
        range: tree.range(step.literal),
        to: &to,
        rule: super::RULE,
        applicability: Applicability::Unsafe,
        evidence: Some(row.evidence),
    };
    unit.change(out, &change);
}

/// The least first number of which every GPU has a feature that came with `mp`: 2.2 can't be told
/// from 2.1 by the first number alone.
fn first_number(targets: &[Target], mp: Sm) -> u32 {
    let lacks = |first: u32| {
        let mut those = targets.iter().filter(|one| one.arch / 100 >= first);
        those.any(|one| one.arch < mp)
    };
    let first = mp / 100;
    if lacks(first) { first + 1 } else { first }
}

/// What stands near a comparison, in lower case: what is done under its condition, and the head of
/// its function.
fn near(values: &Values<'_, '_>, node: NodeId) -> Vec<u8> {
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

/// A capability that is looked up in a table: `TABLE[capability]`, `TABLE.get(capability)`.
pub(super) fn looked_up(
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
    // A name alone may be anything's.
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
        all(unit.context.tables.targets())
    )));
    value.origin
}

fn all(targets: &[Target]) -> String {
    let numbers: Vec<String> = targets.iter().map(|target| shown(target.arch)).collect();
    numbers.join(", ")
}
