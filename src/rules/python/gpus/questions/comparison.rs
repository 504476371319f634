//! Comparisons of a capability with a number of CUDA's.

use super::question::Question;
use crate::python::gpus::numbers::{
    Form, LiteralCapabilities, Sm, literal_capabilities, literal_capabilities_of_number, shown,
};
use crate::python::gpus::values::{GpuFact, Values};
use torchada_mapping::python::gpus::GpuValueKind;
use torchada_syntax::python::{Kind, NodeId};

/// How many parts of a chain are looked at, with the operators between them.
const CHAIN: usize = 16;

/// An operator of a comparison that has the GPU's value on its left.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ComparisonOperator {
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

    /// The operator as it is shown.
    fn as_str(self) -> &'static str {
        match self {
            Self::AtLeast => ">=",
            Self::Above => ">",
            Self::AtMost => "<=",
            Self::Below => "<",
            Self::Equal => "==",
            Self::Unequal => "!=",
            Self::In => "in",
            Self::NotIn => "not in",
        }
    }

    /// Whether the operator orders numbers, and does not pick some of them.
    fn is_order(self) -> bool {
        matches!(
            self,
            Self::AtLeast | Self::Above | Self::AtMost | Self::Below
        )
    }

    /// Whether the comparison is true for a GPU of MUSA's that has the capability `musa`.
    fn is_true(self, musa: Sm, literal: &LiteralCapabilities) -> bool {
        // A first number alone is compared with the first number alone, and a second one with the second.
        let musa = match literal.form {
            Form::Major => musa / 100 * 100,
            Form::Minor => musa / 10 % 10,
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
pub struct ComparisonPart {
    pub value: GpuFact,
    pub operator: ComparisonOperator,
    pub node: NodeId,
    pub literal: LiteralCapabilities,
}

/// A comparison with capabilities of CUDA's.
pub struct Comparison {
    /// What it asks.
    pub question: Question,
    /// Its parts.
    pub parts: Vec<ComparisonPart>,
    /// Whether it compares nothing besides.
    pub is_whole: bool,
}

impl Comparison {
    /// The parts that decide: those about a capability, else those about its second number.
    fn deciding(parts: &[ComparisonPart]) -> impl Iterator<Item = &ComparisonPart> {
        let is_main = |part: &&ComparisonPart| part.value.gives != GpuValueKind::Minor;
        let any_main = parts.iter().any(|part| is_main(&part));
        parts.iter().filter(move |part| !any_main || is_main(part))
    }

    /// The part that the comparison is known by.
    pub fn first(&self) -> Option<&ComparisonPart> {
        Self::deciding(&self.parts).next()
    }

    /// Whether the comparison is true for a GPU of MUSA's that has the capability `musa`.
    pub fn is_true(&self, musa: Sm) -> bool {
        Self::deciding(&self.parts).all(|part| part.operator.is_true(musa, &part.literal))
    }
}

/// The comparison with capabilities of CUDA's that an expression makes.
pub fn read(values: &Values<'_>, node: NodeId) -> Option<Comparison> {
    let tree = &values.unit.module.tree;
    let children: Vec<NodeId> = tree.children(node).take(CHAIN).collect();
    let mut parts: Vec<ComparisonPart> = Vec::new();
    for triple in children.windows(3).step_by(2) {
        let [left, operator, right] = *triple else {
            continue;
        };
        let word = tree.word(operator);
        let part = read_part(values, left, word, right, false);
        parts.extend(part.or_else(|| read_part(values, right, word, left, true)));
    }
    let is_whole = children.len() == 2 * parts.len() + 1;
    let (mut parts_shown, mut number, mut exact) = (Vec::new(), None::<Sm>, false);
    for part in Comparison::deciding(&parts) {
        parts_shown.push(question_text(part));
        exact |= picks_generations(values, part) || parts_shown.len() > 1;
        if part.literal.form != Form::Minor {
            let least = part.literal.numbers.iter().copied();
            number = number.into_iter().chain(least).min();
        }
    }
    if parts_shown.is_empty() {
        return None;
    }
    let mut found = Comparison {
        question: Question {
            node,
            shown: parts_shown.join(" and "),
            number,
            exact,
            answer: None,
        },
        parts,
        is_whole,
    };
    let targets = values.unit.context.tables.targets().iter();
    let mut answers = targets.map(|target| found.is_true(target.arch));
    let first = answers.next();
    // What else a chain compares may be false.
    let known = first.filter(|&first| answers.all(|one| one == first));
    found.question.answer = known.filter(|&known| is_whole || !known);
    Some(found)
}

/// Whether a part of a comparison picks generations of CUDA's GPUs. A list that goes from an early one to later ones says
/// what is supported at all.
fn picks_generations(values: &Values<'_>, part: &ComparisonPart) -> bool {
    let numbers = &part.literal.numbers;
    let of_one = |number: &Sm| number / 100 == numbers.first().map_or(0, |first| first / 100);
    let is_new = |number: &Sm| *number >= values.gpus.deciding.newer;
    let is_list = part.literal.form != Form::Minor
        && !numbers.iter().all(of_one)
        && !numbers.iter().all(is_new);
    !part.operator.is_order() && !is_list
}

/// What a part of a comparison asks, the same for all spellings of it.
fn question_text(part: &ComparisonPart) -> String {
    let numbers = part
        .literal
        .numbers
        .iter()
        .map(|&number| match part.literal.form {
            Form::Major => (number / 100).to_string(),
            Form::Minor => number.to_string(),
            _ => shown(number),
        });
    let what = match part.literal.form {
        Form::Minor => "minor",
        _ => "capability",
    };
    let numbers = numbers.collect::<Vec<_>>().join(", ");
    format!("{what} {} {numbers}", part.operator.as_str())
}

/// A part of a comparison, read from its two sides; `reversed` if the number stands on the left.
fn read_part(
    values: &Values<'_>,
    value_node: NodeId,
    operator: &[u8],
    node: NodeId,
    reversed: bool,
) -> Option<ComparisonPart> {
    let operator = ComparisonOperator::read(operator, reversed)?;
    // Whatever form a capability has, it can be read as a number, too; few sides of comparisons can, and that is cheap to see.
    literal_capabilities(values, node, GpuValueKind::Number)?;
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
    // `major >= 0` asks whether there is a number at all.
    if value.gives != GpuValueKind::Minor && literal.numbers.iter().all(|&number| number == 0) {
        return None;
    }
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
pub fn compares_major_too(values: &Values<'_>, node: NodeId) -> bool {
    let tree = &values.unit.module.tree;
    let Some(whole) = tree.condition_around(node).last() else {
        return false;
    };
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
