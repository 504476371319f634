//! Host code that decides by a compute capability.

use rustc_hash::FxHashSet;

use super::matcher::folded;
use super::named::value_parameters;
use super::{CodeView, Hit, Search, numbers};
use torchada_mapping::{CapabilityWords, has};
use torchada_syntax::{DirectiveKind, TokenKind};

/// The construct's name in the rows.
const SHAPE: &str = "capability-comparison";

/// What begins a choice by a value.
const SWITCH: &[u8] = b"switch";

impl Search<'_> {
    /// Find comparisons of capabilities with numbers.
    pub(super) fn find_capabilities(self, hits: &mut Vec<Hit>) {
        let Self { hazards, view } = self;
        let Some(row) = hazards.construct(SHAPE) else {
            return;
        };
        let words = &hazards.shapes().capability;
        let has_word = |call: &String| view.tokens.has_word(view.source, call.as_bytes());
        let mut asks = None;
        let mut parameters = None;
        let mut places: Vec<(usize, usize, usize)> = Vec::new();
        for (index, token) in view.tokens.tokens.iter().enumerate() {
            let text = match token.kind {
                TokenKind::Punct => token.text(view.source),
                TokenKind::Identifier if token.range().len() == SWITCH.len() => {
                    token.text(view.source)
                }
                _ => continue,
            };
            let found = match text {
                b">" if closes_template(view, index) => None,
                b"<" | b">" | b"<=" | b">=" | b"==" | b"!=" => self.comparison(index),
                SWITCH => self.switch(index),
                b"*" | b"<<" => self.put_together(index),
                _ => None,
            };
            let Some((from, to)) = found else { continue };
            // A macro's body is code; a condition of the preprocessor is the business of guards.
            let in_condition = view
                .tokens
                .directive_of(index)
                .is_some_and(|one| one.kind != DirectiveKind::Define);
            // A plain `major` may be a library's version: it counts where the file asks for properties.
            let asks = *asks.get_or_insert_with(|| words.calls.iter().any(has_word));
            let member = (from..=to).any(|at| {
                let name = (at, at);
                let plain = has(&words.members, view.word(at));
                plain && ((self.is_member(name) && !self.is_owned(at)) || self.is_part(name))
            });
            if in_condition || (member && !asks) || counts_rounds(view, (from, to)) {
                continue;
            }
            let row = if is_compiled_in(view, (from, to), &mut parameters) {
                hazards.construct(numbers::CONSTANT)
            } else {
                Some(row)
            };
            match (row, places.last_mut()) {
                (Some(row), Some((known, _, last)))
                    if *known == row && are_one(view, *last, from) =>
                {
                    *last = to;
                }
                (Some(row), _) => places.push((row, from, to)),
                (None, _) => {}
            }
        }
        for (row, from, to) in places {
            let (from, to) = balanced(view, from, to);
            hits.extend(view.hit(row, from, to));
        }
    }

    /// The tokens of the comparison whose operator stands at `index`.
    fn comparison(self, index: usize) -> Option<(usize, usize)> {
        let view = self.view;
        if !has_number(view, index) {
            return None;
        }
        let before = index.checked_sub(1)?;
        let left = operand(view, before, subject(view, before))?;
        let right = operand(view, index + 1, subject_from(view, index + 1))?;
        let is_one = self.counts(left, right) || self.counts(right, left);
        is_one.then_some((left.0, right.1))
    }

    /// The tokens of the head of the `switch` at `index`.
    fn switch(self, index: usize) -> Option<(usize, usize)> {
        let view = self.view;
        if view.word(index + 1) != b"(" {
            return None;
        }
        let name = subject_from(view, index + 2).filter(|name| self.is_variable(*name))?;
        let close = name.1 + 1;
        (view.word(close) == b")" && self.has_case(close)).then_some((index, close))
    }

    /// The tokens of `properties.major * 10`, of a capability that is put together, by the operator at `index`.
    fn put_together(self, index: usize) -> Option<(usize, usize)> {
        let view = self.view;
        // `properties.major * 10 + properties.minor`, `(properties.major << 4)`
        if !matches!(view.number(index + 1), Some(4 | 10 | 100)) {
            return None;
        }
        let name = subject(view, index.checked_sub(1)?)?;
        let is_part = self.is_member(name) || self.is_part(name);
        is_part.then_some((name.0, index + 1))
    }

    fn is_member(self, name: (usize, usize)) -> bool {
        let Self { hazards, view } = self;
        let word = last_word(view, name);
        let known = hazards.shapes().capability.members.iter();
        let accessed =
            last_place(view, name).is_some_and(|at| matches!(view.before(at, 1), b"." | b"->"));
        accessed && known.into_iter().any(|member| member.as_bytes() == word)
    }

    /// Whether the member at `index` is one of device properties: `prop.major`.
    fn is_owned(self, index: usize) -> bool {
        let Self { hazards, view } = self;
        let owner = folded(view.before(index, 2));
        hazards.shapes().capability.owners.contains(&owner)
    }

    /// Whether a name is one part of a capability, in a variable of its own.
    fn is_part(self, (from, to): (usize, usize)) -> bool {
        let Self { hazards, view } = self;
        let accessed = matches!(view.before(from, 1), b"." | b"->" | b"::");
        let word = view.word(from);
        from == to
            && !accessed
            && view.is(from, TokenKind::Identifier)
            && hazards.shapes().capability.parts.contains(&folded(word))
    }

    fn is_variable(self, name: (usize, usize)) -> bool {
        let Self { hazards, view } = self;
        let word = folded(last_word(view, name));
        hazards.shapes().capability.variables.contains(&word)
    }

    /// Whether a name that is compared with `other` is a capability.
    fn counts(self, name: (usize, usize), other: (usize, usize)) -> bool {
        let Self { hazards, view } = self;
        let Some(number) = value(view, other) else {
            return false;
        };
        let words = &hazards.shapes().capability;
        if self.is_member(name) || self.is_part(name) {
            return number < CapabilityWords::MAJOR_LIMIT;
        }
        // A guard of the device code's.
        if last_word(view, name) == hazards.shapes().guards.architecture.as_bytes() {
            return false;
        }
        // `newest == kSM_100`: the constant's name says what is compared.
        let named = || words.number_in(&folded(last_word(view, other))).is_some();
        words.lists(number) && (self.is_variable(name) || named())
    }

    /// Whether the `switch` whose `)` stands at `close` has a case with a capability's number.
    fn has_case(self, close: usize) -> bool {
        let Self { hazards, view } = self;
        let words = &hazards.shapes().capability;
        let end = view.outline.partner(close + 1).unwrap_or(close);
        let names_one = |at: usize| {
            view.value(at).is_some_and(|number| words.lists(number))
                || words.number_in(&folded(view.word(at))).is_some()
        };
        let mut in_label = false;
        (close..end).any(|at| match view.word(at) {
            word @ (b"case" | b":") => {
                in_label = word == b"case";
                false
            }
            _ => in_label && names_one(at),
        })
    }
}

/// Whether a number may be compared at the operator at `index`: one of the neighbours is a literal, or may be a name that
/// stands for one.
fn has_number(view: &CodeView<'_>, index: usize) -> bool {
    view.named.has_numbers()
        || view.is(index + 1, TokenKind::Number)
        || index > 0 && view.is(index - 1, TokenKind::Number)
}

/// The tokens of a question, with the parentheses that it ends or begins in: `(p.major == 1) && (p.minor > 2)`.
fn balanced(view: &CodeView<'_>, mut from: usize, mut to: usize) -> (usize, usize) {
    let (mut depth, mut least) = (0_i32, 0_i32);
    for at in from..=to {
        depth += match view.word(at) {
            b"(" => 1,
            b")" => -1,
            _ => 0,
        };
        least = least.min(depth);
    }
    while least < 0 && view.before(from, 1) == b"(" {
        (from, least, depth) = (from - 1, least + 1, depth + 1);
    }
    while depth > 0 && view.word(to + 1) == b")" {
        (to, depth) = (to + 1, depth - 1);
    }
    (from, to)
}

/// Whether what ends at `last` and what begins at `from` are one question, on one line: `p.major > 6 || (p.major == 6 &&
/// p.minor > 0)`.
fn are_one(view: &CodeView<'_>, last: usize, from: usize) -> bool {
    let ends = view.token(last).zip(view.token(from));
    let between = ends.and_then(|(a, b)| view.source.get(a.range().end..b.range().start));
    let joins: [&[u8]; 6] = [b"&&", b"||", b"(", b")", b"!", b"+"];
    between.is_none_or(|text| !text.contains(&b'\n'))
        && (last + 1..from).all(|at| joins.contains(&view.word(at)))
}

/// Whether the `>` at `index` ends the arguments of a type that a variable is declared with:
/// `array<char, 32> arch;`.
fn closes_template(view: &CodeView<'_>, index: usize) -> bool {
    view.is(index.saturating_sub(1), TokenKind::Number)
        && matches!(view.before(index, 2), b"," | b"<")
        && view.is(index + 1, TokenKind::Identifier)
        && matches!(view.word(index + 2), b";" | b"=" | b"{" | b"[")
}

/// Whether the compared number comes from the code itself: a template's parameter, a constant of a class.
fn is_compiled_in<'v>(
    view: &CodeView<'v>,
    (from, to): (usize, usize),
    parameters: &mut Option<FxHashSet<&'v [u8]>>,
) -> bool {
    (from..=to).any(|at| {
        let plain = view.is(at, TokenKind::Identifier)
            && !matches!(view.before(at, 1), b"." | b"->")
            && !matches!(view.word(at + 1), b"." | b"->" | b"(" | b"::");
        plain
            && view.named.number(view.word(at)).is_none()
            && (view.before(at, 1) == b"::"
                || parameters
                    .get_or_insert_with(|| value_parameters(view))
                    .contains(view.word(at)))
    })
}

/// Whether the comparison is that of a loop which counts: `for (cc = 0; cc < n; cc++)`.
fn counts_rounds(view: &CodeView<'_>, (from, to): (usize, usize)) -> bool {
    let name = view.word(from);
    let step = [view.word(to + 2), view.word(to + 3)];
    let counts = |word: &&[u8]| word.starts_with(b"+");
    view.before(from, 1) == b";"
        && view.word(to + 1) == b";"
        && step.contains(&name)
        && step.iter().any(counts)
}

/// A name, or the number at `at`.
fn operand(view: &CodeView<'_>, at: usize, name: Option<(usize, usize)>) -> Option<(usize, usize)> {
    name.or_else(|| view.is(at, TokenKind::Number).then_some((at, at)))
}

/// The value of a literal, or of a name that stands for one.
fn value(view: &CodeView<'_>, operand: (usize, usize)) -> Option<u64> {
    view.number(operand.0)
        .or_else(|| view.named.number(last_word(view, operand)))
}

/// The name that ends at `last`, as the first and the last of its tokens: `p->major`, `cc()`.
fn subject(view: &CodeView<'_>, last: usize) -> Option<(usize, usize)> {
    let mut end = last;
    if view.word(end) == b")" {
        let open = if view.before(end, 1) == b"(" {
            end.checked_sub(1)
        } else {
            view.outline.partner(end)
        };
        end = open?.checked_sub(1)?;
    }
    if !view.is(end, TokenKind::Identifier) {
        return None;
    }
    let mut start = end;
    while matches!(view.before(start, 1), b"." | b"->" | b"::") && start >= 2 {
        start -= 2;
    }
    Some((start, last))
}

/// The name that starts at `first`.
fn subject_from(view: &CodeView<'_>, first: usize) -> Option<(usize, usize)> {
    if !view.is(first, TokenKind::Identifier) {
        return None;
    }
    let mut end = first;
    while matches!(view.word(end + 1), b"." | b"->" | b"::")
        && view.is(end + 2, TokenKind::Identifier)
    {
        end += 2;
    }
    if view.word(end + 1) == b"(" && view.word(end + 2) == b")" {
        end += 2;
    }
    Some((first, end))
}

/// Where the last identifier of a name stands; the arguments of a call don't count.
fn last_place(view: &CodeView<'_>, (from, to): (usize, usize)) -> Option<usize> {
    let end = (from..=to).find(|&at| view.word(at) == b"(");
    (from..end.unwrap_or(to + 1))
        .rev()
        .find(|&at| view.is(at, TokenKind::Identifier))
}

/// The last identifier of a name.
fn last_word<'v>(view: &CodeView<'v>, name: (usize, usize)) -> &'v [u8] {
    last_place(view, name).map_or(b"", |at| view.word(at))
}
