//! Compute capabilities that are written out as literals, and what the table of architectures says of each.

use super::values::Values;
use crate::python::inference::limits::NUMBER_STEPS;
use crate::python::inference::only_value;
use torchada_mapping::python::gpus::GpuValueKind;
use torchada_mapping::{Architecture, Target, architecture_of};
use torchada_syntax::python::{Field, Kind, Literal, NodeId};

/// A capability as `__CUDA_ARCH__` has it: 8.6 is 860.
pub(super) type Sm = u32;

/// The form in which a capability is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// `(8, 0)`
    Pair,
    /// `8`, the first number alone.
    Major,
    /// `0`, the second number alone.
    Minor,
    /// `80`
    Tens,
    /// `800`
    Hundreds,
    /// `8.0`, as a number.
    Decimal,
    /// `"8.0"`, `"sm_80"`, `"80"`
    Text,
}

/// The capabilities that a literal, or a list of literals, writes out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct LiteralCapabilities {
    /// The capabilities; for [`Form::Minor`], the second number as it is.
    pub(super) numbers: Vec<Sm>,
    /// How the capabilities are written.
    pub(super) form: Form,
    /// Whether the expression is a single literal, so that it can be replaced; not a list, nor a name for a literal.
    pub(super) is_single_literal: bool,
}

impl LiteralCapabilities {
    /// A single capability that is written out at the place itself.
    fn one(number: Sm, form: Form) -> Self {
        Self {
            numbers: vec![number],
            form,
            is_single_literal: true,
        }
    }

    /// The same capabilities in a list, or behind a name, so that no single literal can be replaced.
    fn of_several(self) -> Self {
        Self {
            is_single_literal: false,
            ..self
        }
    }
}

/// How many numbers of a list are looked at.
const REACH: usize = 64;

/// A larger number is no first number of a capability.
const LARGEST: u32 = 19;

/// The capabilities that an expression writes out, where it is compared with a value of this kind.
pub(super) fn literal_capabilities(
    values: &Values<'_>,
    node: NodeId,
    gives: GpuValueKind,
) -> Option<LiteralCapabilities> {
    follow(values, node, gives, NUMBER_STEPS)
}

/// The capabilities that an expression writes out, where it is compared with a value whose name calls it a number.
/// Python compares a tuple only with a tuple, so if the expression is one, the value is a pair, whatever its name says.
pub(super) fn literal_capabilities_of_number(
    values: &Values<'_>,
    node: NodeId,
) -> Option<LiteralCapabilities> {
    let number = follow(values, node, GpuValueKind::Number, NUMBER_STEPS)?;
    let pair = (number.numbers.len() == 2)
        .then(|| follow(values, node, GpuValueKind::Capability, NUMBER_STEPS))
        .flatten();
    Some(pair.filter(|one| one.form == Form::Pair).unwrap_or(number))
}

fn follow(
    values: &Values<'_>,
    node: NodeId,
    gives: GpuValueKind,
    steps: usize,
) -> Option<LiteralCapabilities> {
    let steps = steps.checked_sub(1)?;
    let module = values.unit.module;
    let tree = &module.tree;
    match tree.kind(node) {
        Kind::Integer => {
            let number = u32::try_from(values.integer(node)?).ok()?;
            whole_number(number, gives)
        }
        Kind::Float => {
            let is_one = matches!(
                gives,
                GpuValueKind::Number | GpuValueKind::Capability | GpuValueKind::Major
            );
            let text = std::str::from_utf8(tree.word(node)).ok()?;
            let number = text_number(values, text).filter(|_| is_one)?;
            Some(LiteralCapabilities::one(number, Form::Decimal))
        }
        Kind::Str => {
            let literal = Literal::plain(tree, node)?;
            let text = std::str::from_utf8(literal.value()).ok()?;
            let is_one = matches!(
                gives,
                GpuValueKind::Text | GpuValueKind::Major | GpuValueKind::Number
            );
            let number = text_number(values, text).filter(|_| is_one)?;
            Some(LiteralCapabilities::one(number, Form::Text))
        }
        Kind::Parenthesized => follow(values, tree.nth(node, 0)?, gives, steps),
        // `version.parse("8.0")`
        Kind::Call => {
            let found = follow(values, values.text_of_version(node)?, gives, steps)?;
            Some(found.of_several())
        }
        Kind::Tuple | Kind::List | Kind::Set | Kind::Dictionary => {
            listed(values, node, gives, steps)
        }
        Kind::Identifier => {
            let value = only_value(&values.unit, node)?;
            let found = follow(values, value, gives, steps)?;
            Some(found.of_several())
        }
        _ => None,
    }
}

/// The capability that a whole number is.
fn whole_number(number: u32, gives: GpuValueKind) -> Option<LiteralCapabilities> {
    let (number, form) = match gives {
        GpuValueKind::Minor if number <= 10 => (number, Form::Minor),
        GpuValueKind::Major
        | GpuValueKind::Pair
        | GpuValueKind::Number
        | GpuValueKind::Capability
            if number <= LARGEST =>
        {
            (number * 100, Form::Major)
        }
        GpuValueKind::Number | GpuValueKind::Capability => {
            let architecture = architecture_of(number)?;
            let form = if architecture == number {
                Form::Tens
            } else {
                Form::Hundreds
            };
            (architecture * 10, form)
        }
        _ => return None,
    };
    Some(LiteralCapabilities::one(number, form))
}

/// The capabilities in a list: of a pair one, else those of its items.
fn listed(
    values: &Values<'_>,
    node: NodeId,
    gives: GpuValueKind,
    steps: usize,
) -> Option<LiteralCapabilities> {
    let tree = &values.unit.module.tree;
    // `in` looks for a key of a dictionary.
    let items = tree.children(node).take(REACH);
    let items: Vec<NodeId> = items
        .map(|item| tree.child(item, Field::Key).unwrap_or(item))
        .collect();
    let may_be_pair = matches!(gives, GpuValueKind::Pair | GpuValueKind::Capability)
        && matches!(tree.kind(node), Kind::Tuple | Kind::List);
    if may_be_pair && let Some(number) = pair(values, &items) {
        return Some(LiteralCapabilities::one(number, Form::Pair));
    }
    let found = items
        .into_iter()
        .filter_map(|item| follow(values, item, gives, steps));
    found
        .map(LiteralCapabilities::of_several)
        .reduce(|mut all, one| {
            all.numbers.extend(one.numbers);
            all
        })
}

/// The capability that one or two whole numbers are.
fn pair(values: &Values<'_>, items: &[NodeId]) -> Option<Sm> {
    let whole = |item: NodeId| u32::try_from(values.integer(item)?).ok();
    let (major, minor) = match *items {
        [major] => (whole(major)?, 0),
        [major, minor] => (whole(major)?, whole(minor)?),
        _ => return None,
    };
    (major <= LARGEST && minor < 10).then(|| major * 100 + minor * 10)
}

/// The capability in a text such as `8.0`, `80`, `SM_90a`.
pub(super) fn text_number(values: &Values<'_>, text: &str) -> Option<Sm> {
    let words = &values.unit.context.knowledge.shapes.architecture;
    let number = words.number(&text.to_ascii_lowercase())?;
    Some(number * 10)
}

/// `8.6`
pub(super) fn shown(number: Sm) -> String {
    format!("{}.{}", number / 100, number / 10 % 10)
}

/// The capabilities of all GPUs of MUSA's: `2.1, 2.2, 3.1`.
pub(super) fn all_capabilities(targets: &[Target]) -> String {
    let numbers: Vec<String> = targets.iter().map(|target| shown(target.arch)).collect();
    numbers.join(", ")
}

/// The capability of the rows at which the features of a capability came, within one generation.
fn generation(rows: &[Architecture], number: Sm) -> Option<Sm> {
    let from = rows.iter().map(|row| row.sm).filter(|&sm| sm <= number);
    from.max().filter(|sm| number < sm + 100)
}

/// Which features that CUDA has from a capability on MUSA has, too, as a part of a sentence.
pub(super) fn features_on_musa(rows: &[Architecture], number: Sm) -> String {
    let Some(from) = generation(rows, number) else {
        return format!(
            "nothing on MUSA is known to answer to what came with {}",
            shown(number)
        );
    };
    let rows = rows.iter().filter(|row| row.sm == from);
    let (mut available, mut absent) = (Vec::new(), Vec::new());
    for row in rows {
        match row.mp {
            Some(mp) => available.push(format!("{} from {} on", row.feature, shown(mp))),
            None => absent.push(row.feature.to_string()),
        }
    }
    let mut text = format!("of what CUDA has from {} on, MUSA has ", shown(from));
    if available.is_empty() {
        text += "nothing";
    } else {
        text += &available.join(", ");
    }
    if !absent.is_empty() {
        text += "; it has no ";
        text += &absent.join(", no ");
    }
    text
}

/// The row whose number of MUSA's replaces a threshold of CUDA's: the row of the feature that the code near the
/// threshold is about (`is_near`), else the row with the highest number of MUSA's.
pub(super) fn row_for(
    rows: &[Architecture],
    number: Sm,
    is_near: impl Fn(&str) -> bool,
) -> Option<&Architecture> {
    let from = generation(rows, number)?;
    let candidates = || rows.iter().filter(|row| row.sm == from && row.mp.is_some());
    candidates()
        .find(|row| is_near(&row.feature))
        .or_else(|| candidates().max_by_key(|row| row.mp))
}

/// What a comparison with capabilities gives on MUSA's GPUs, as a part of a sentence.
pub(super) fn outcome(targets: &[Target], holds: impl Fn(Sm) -> bool) -> String {
    let (mut yes, mut no) = (Vec::new(), 0);
    for target in targets {
        if holds(target.arch) {
            yes.push(&*target.name);
        } else {
            no += 1;
        }
    }
    match (yes.is_empty(), no) {
        (true, _) => "false on every MUSA GPU".to_owned(),
        (_, 0) => "true on every MUSA GPU".to_owned(),
        _ => format!("true on {} alone", yes.join(", ")),
    }
}
