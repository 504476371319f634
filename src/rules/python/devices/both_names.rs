//! Places that take both names of a device: comparisons in the portable dialect, and whatever takes a word that a person
//! has written.

use super::change::change;
use super::compared::is_membership;
use crate::Outcome;
use crate::python::PythonUnit;
use torchada_diagnostic::Applicability;
use torchada_diagnostic::codes::python::ONLY_CUDA_PASSES;
use torchada_mapping::has;
use torchada_mapping::stub::StubKnowledge;
use torchada_syntax::is_identifier_part;
use torchada_syntax::python::{Consumer, Field, Kind, Literal, NodeId, Use, Wrapper};
use torchada_text::TextRange;

/// A text that takes the place of a range.
pub type Replacement = (TextRange, String);

/// The name of a device, or of what belongs to one, for CUDA, and MUSA's for it.
#[derive(Clone, Copy)]
pub struct BothNames<'n> {
    /// CUDA's.
    pub cuda: &'n str,
    /// MUSA's.
    pub musa: &'n str,
}

impl BothNames<'_> {
    /// A text with CUDA's name in it, with MUSA's instead.
    fn for_musa(self, text: &str) -> String {
        text.replacen(self.cuda, self.musa, 1)
    }
}

/// Make a comparison of a device with CUDA's name accept both names: `== "cuda"` becomes `in ("cuda", "musa")`.
pub fn compare_with_both(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    literal: &Literal,
    of: &Use,
    names: BothNames<'_>,
) {
    let is_asked = match of.consumer {
        Consumer::Comparison { .. } | Consumer::Pattern { .. } => true,
        Consumer::Argument { call, .. } => {
            let front = &unit.python_values().words_of_calls.compares_front;
            has(front, unit.module.callee_word(call))
        }
        _ => false,
    };
    if !is_asked {
        return;
    }
    if let Some((range, to)) = with_both(unit, literal, of, names) {
        change(unit, out, range, &to, Applicability::Safe);
    } else if matches!(of.consumer, Consumer::Comparison { .. }) {
        let range = unit.module.tree.range(literal.node);
        let text = unit.shown(range);
        let other = names.for_musa(&text);
        let message = format!("{text} stays: only CUDA's device passes this comparison");
        let help = format!("let {other} pass, too");
        unit.report(out, ONLY_CUDA_PASSES, range, message, help);
    }
}

/// What a place becomes that takes both names. `None` where its form is none that can take them.
pub fn with_both(
    unit: &PythonUnit<'_>,
    literal: &Literal,
    of: &Use,
    names: BothNames<'_>,
) -> Option<Replacement> {
    let tree = &unit.module.tree;
    let node = literal.node;
    let range = tree.range(node);
    let text = unit.shown(range);
    let other = names.for_musa(&text);
    let is_item = matches!(of.steps.as_slice(), [Wrapper::Among(item)] if *item == node);
    let listed = || Some((range, format!("{text}, {other}")));
    match of.consumer {
        Consumer::Comparison { at, operator, .. } if tree.children(at).count() == 3 && is_item => {
            is_membership(tree.word(operator)).then(listed).flatten()
        }
        Consumer::Comparison {
            at,
            operator,
            other: whole,
            on_left,
        } if tree.children(at).count() == 3 && of.steps.is_empty() => {
            compared(unit, [at, operator, whole], on_left, &text, &other, range)
        }
        Consumer::Argument { call, .. } if of.steps.is_empty() || is_item => {
            let front = &unit.python_values().words_of_calls.compares_front;
            let removes = &unit.python_values().users_words.removes;
            let word = unit.module.callee_word(call);
            if has(front, word) && is_item {
                listed()
            } else if has(front, word) {
                Some((range, format!("({text}, {other})")))
            } else if has(removes, word) && !is_item {
                removed_twice(unit, call, range, names)
            } else {
                is_item.then(listed).flatten()
            }
        }
        Consumer::Pattern { .. } if of.steps.is_empty() && tree.kind(node) == Kind::Str => {
            Some((range, format!("{text} | {other}")))
        }
        Consumer::Keyword { .. } | Consumer::Target { .. } | Consumer::Loop { .. } if is_item => {
            listed()
        }
        Consumer::Annotation | Consumer::Item { .. } if tree.kind(node) == Kind::Str => listed(),
        Consumer::DictKey { pair } if of.steps.is_empty() && tree.kind(node) == Kind::Str => {
            let value = tree.child(pair, Field::Value)?;
            let shown = tree.shown(value);
            let copy = musas_backend(unit, value)
                .or_else(|| is_copied(unit, value, &shown).then_some(shown))?;
            Some((range, format!("{text}: {copy}, {other}")))
        }
        _ => None,
    }
}

/// What the value of an entry becomes that is the name of CUDA's backend: `{"cuda": "nccl", "cpu": "gloo"}`.
fn musas_backend(unit: &PythonUnit<'_>, value: NodeId) -> Option<String> {
    let literal = Literal::plain(&unit.module.tree, value)?;
    let mut backends = StubKnowledge::builtin().backends.iter();
    let backend = backends.find(|one| one.cuda.as_bytes() == literal.value())?;
    let shown = unit.module.tree.shown(value);
    Some(shown.replacen(&backend.cuda, &backend.musa, 1))
}

/// Whether the value of an entry may stand twice: it is a name, a plain value or a function without a name, and nothing
/// changes in it.
fn is_copied(unit: &PythonUnit<'_>, value: NodeId, shown: &str) -> bool {
    let kinds = [
        Kind::Identifier,
        Kind::Attribute,
        Kind::Lambda,
        Kind::Str,
        Kind::Integer,
        Kind::Float,
    ];
    let kind = unit.module.tree.kind(value);
    // `run_cuda`, which the module has by itself, keeps its name.
    let is_own = kind == Kind::Identifier && unit.resolve(value).is_none();
    let devices = unit.context.knowledge.devices.iter().map(|one| &one.cuda);
    let backends = StubKnowledge::builtin().backends.iter();
    let mut translated = devices.chain(backends.map(|one| &one.cuda));
    kinds.contains(&kind)
        && !shown.contains(['\n', '\r'])
        && (is_own || !translated.any(|word| shown.contains(word)))
}

/// What a comparison of one name becomes: its whole, its operator, and what the name is compared with.
fn compared(
    unit: &PythonUnit<'_>,
    [at, operator, whole]: [NodeId; 3],
    on_left: bool,
    text: &str,
    other: &str,
    literal: TextRange,
) -> Option<Replacement> {
    let tree = &unit.module.tree;
    let word = match tree.word(operator) {
        b"==" => Some("in"),
        b"!=" => Some("not in"),
        _ => None,
    };
    if !on_left {
        let range = TextRange::new(tree.range(operator).start, literal.end);
        let gap = gap_before(unit, range);
        return word.map(|word| (range, format!("{gap}{word} ({text}, {other})")));
    }
    // The other side is written anew, so nothing in it may be changed besides.
    let side = tree.shown(whole);
    if unit.may_matter(side.as_bytes()) || side.contains('\n') {
        return None;
    }
    let shown = tree.shown(operator);
    let to = match word {
        Some(word) => format!("{side} {word} ({text}, {other})"),
        // `"cuda" in x.device.type`: the right side is one word, and not a list.
        None if is_membership(tree.word(operator))
            && tree.kind(whole) == Kind::Attribute
            && *unit.module.last_name(whole) == *b"type" =>
        {
            format!("{side} {shown} ({text}, {other})")
        }
        None if is_membership(tree.word(operator)) => {
            let joins = if tree.word(operator) == b"in" {
                "or"
            } else {
                "and"
            };
            let both = format!("{text} {shown} {side} {joins} {other} {shown} {side}");
            let stands_alone = tree.parent(at).is_some_and(|up| {
                matches!(
                    tree.kind(up),
                    Kind::If
                        | Kind::Elif
                        | Kind::While
                        | Kind::Assignment
                        | Kind::Return
                        | Kind::Assert
                        | Kind::Parenthesized
                )
            });
            if stands_alone {
                both
            } else {
                format!("({both})")
            }
        }
        None => return None,
    };
    let range = tree.range(at);
    let gap = gap_before(unit, range);
    Some((range, format!("{gap}{to}")))
}

/// What keeps a word that comes to stand at a range apart from a word right before it: `device=='cuda'`, `if"cuda"==device`.
fn gap_before(unit: &PythonUnit<'_>, range: TextRange) -> &'static str {
    let before = unit.text.get(..range.start).and_then(<[u8]>::last);
    if before.is_some_and(|&byte| is_identifier_part(byte) || b")]}'\"".contains(&byte)) {
        " "
    } else {
        ""
    }
}

/// `.replace("cuda:", "")` becomes `.replace("cuda:", "").replace("musa:", "")`.
fn removed_twice(
    unit: &PythonUnit<'_>,
    call: NodeId,
    literal: TextRange,
    names: BothNames<'_>,
) -> Option<Replacement> {
    let tree = &unit.module.tree;
    let range = TextRange::new(literal.start, tree.range(call).end);
    let rest = unit.shown(range);
    let is_first = tree.argument(call, 0).map(|one| tree.range(one)) == Some(literal);
    let musas = names.for_musa(&rest);
    let is_whole = is_first && !rest.contains('\n');
    if !is_whole || unit.may_matter(musas.as_bytes()) {
        return None;
    }
    let method = String::from_utf8_lossy(unit.module.callee_word(call)).into_owned();
    Some((range, format!("{rest}.{method}({musas}")))
}

/// Whether such a call stands beside one for MUSA's name already.
pub fn is_removed_twice(unit: &PythonUnit<'_>, of: &Use, musa: &str) -> bool {
    let Consumer::Argument { call, .. } = of.consumer else {
        return false;
    };
    let tree = &unit.module.tree;
    let is_musas = |other: NodeId| {
        let text = tree
            .argument(other, 0)
            .and_then(|text| Literal::read(tree, text));
        text.is_some_and(|text| text.value().starts_with(musa.as_bytes()))
    };
    let behind = tree.method_call(call);
    let before = tree
        .receiver(call)
        .filter(|&one| tree.kind(one) == Kind::Call);
    has(
        &unit.python_values().users_words.removes,
        unit.module.callee_word(call),
    ) && behind.into_iter().chain(before).any(is_musas)
}
