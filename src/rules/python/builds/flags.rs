//! Flags for nvcc become mcc's: by the keys of compilers, in lists, and where they are added one by one.

use super::added::added;
use super::diagnostics::{LEFT_OUT, NEEDLESS, STAYS, say, silence, stays};
use super::flag_lists::{FlagListKind, find};
use super::lines::{without, without_statement};
use super::options::{FlagAction, Gone, Why, flag, library};
use crate::diagnostic::{Applicability, Code};
use crate::edit::GroupId;
use crate::mapping::Evidence;
use crate::rules::python::unit::Change;
use crate::rules::python::{ModuleView, PythonUnit};
use crate::rules::{Outcome, Rule};
use crate::syntax::python::{Field, Kind, Literal, NodeId};
use crate::text::TextRange;

/// Flags and libraries of builds.
pub struct Flags;

const RULE: &str = "python-builder-flags";

impl Rule<PythonUnit<'_>> for Flags {
    fn name(&self) -> &'static str {
        RULE
    }

    fn codes(&self) -> &'static [Code] {
        const CODES: [Code; 3] = [NEEDLESS, LEFT_OUT, STAYS];
        &CODES
    }

    fn check(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        if !unit.is_musa() || !super::is_of_build(unit) {
            return;
        }
        let found = find(unit);
        for (&list, &holds) in &found.lists {
            items(unit, out, list, holds);
        }
        added(unit, out, &found);
        // Keys come last: a statement that goes as a whole takes its key along.
        for &key in &found.keys {
            by_compiler(unit, out, key);
        }
    }
}

/// `"nvcc"` becomes `"mcc"`.
fn by_compiler(unit: &PythonUnit<'_>, out: &mut Outcome, key: NodeId) {
    let tree = &unit.module.tree;
    let known = &unit.context.knowledge.builds.extensions.compilers;
    let (word, range) = match Literal::read(tree, key) {
        Some(literal) => {
            let whole = TextRange::new(0, literal.value().len());
            (literal.value().to_vec(), literal.in_file(whole))
        }
        None => (tree.word(key).to_vec(), Some(tree.range(key))),
    };
    let to = known.get(&*String::from_utf8_lossy(&word));
    if let (Some(to), Some(range)) = (to, range) {
        unit.claim(out, key);
        let group = out.group();
        change(unit, out, range, to, Some(Evidence::Confirmed), group);
    }
}

/// A list of flags or libraries.
fn items(unit: &PythonUnit<'_>, out: &mut Outcome, list: NodeId, holds: FlagListKind) {
    let tree = &unit.module.tree;
    let items: Vec<NodeId> = tree
        .children(list)
        .filter(|&one| !matches!(tree.kind(one), Kind::Operator | Kind::Comment))
        .collect();
    let mut gone: Vec<(TextRange, bool)> =
        items.iter().map(|&one| (tree.range(one), false)).collect();
    let mut said: Vec<(TextRange, Gone)> = Vec::new();
    let mut targets = unit.settings.targets.clone();
    let mut at = 0;
    while let Some(&item) = items.get(at) {
        let next = items.get(at + 1).copied();
        at += 1;
        let fate = fate(unit, item, next, holds);
        if fate != FlagAction::Stays || is_option(unit, item) {
            unit.claim(out, item);
        }
        match fate {
            FlagAction::Stays => {}
            FlagAction::Becomes(to, evidence) => {
                let behind = next.filter(|_| is_pair(unit, item, &to));
                replace(unit, out, item, behind, &to, evidence);
            }
            FlagAction::Unknown(shown, advice) => stays(unit, out, item, &shown, advice),
            FlagAction::Joins(to, evidence) => {
                replace(unit, out, item, None, &[to], evidence);
                if let Some(second) = gone.get_mut(at) {
                    second.1 = true;
                }
                at += 1;
            }
            FlagAction::Goes(one) => {
                let range = tree.range(item);
                silence(out, range);
                let first = gone.get_mut(at - 1);
                // The first for an architecture makes place for those that the user named.
                if one.why == Why::Architecture
                    && holds == FlagListKind::Flags
                    && !targets.is_empty()
                {
                    let named = std::mem::take(&mut targets);
                    let to: Vec<String> = named
                        .iter()
                        .map(|one| format!("--offload-arch={one}"))
                        .collect();
                    replace(unit, out, item, None, &to, Some(Evidence::Confirmed));
                } else if let Some(first) = first {
                    first.1 = true;
                }
                if one.with_next {
                    if let Some(second) = gone.get_mut(at) {
                        second.1 = true;
                    }
                    if let Some(next) = next {
                        unit.claim(out, next);
                        silence(out, tree.range(next));
                    }
                    at += 1;
                }
                said.push((range, one));
            }
        }
    }
    let group = out.group();
    let emptied = !gone.is_empty() && gone.iter().all(|one| one.1);
    if let Some((range, to)) = emptied.then(|| emptying(unit, list)).flatten() {
        change(unit, out, range, to, None, group);
    } else {
        let keeps_comma = tree.kind(list) == Kind::Tuple;
        for range in without(unit.text, &gone, keeps_comma) {
            change(unit, out, range, "", None, group);
        }
    }
    say(unit, out, &said);
}

/// What to do with a list that has lost all: a side of a sum, or what is added to a name, goes as a whole.
pub(super) fn emptying(unit: &ModuleView<'_>, list: NodeId) -> Option<(TextRange, &'static str)> {
    let tree = &unit.module.tree;
    let up = tree.parent(list)?;
    let range = tree.range(list);
    // Comments inside stay.
    if range.of(unit.text).contains(&b'#') {
        return None;
    }
    // `flags = base + […]` makes a list of its own, which may be added to.
    let is_value = tree.field(up) == Field::Right
        && tree
            .parent(up)
            .is_some_and(|of| tree.kind(of) == Kind::Assignment);
    match (tree.kind(up), tree.field(list)) {
        (Kind::Binary, _) if is_value => Some((range, "[]")),
        (Kind::Binary, Field::Right) => {
            let left = tree.child(up, Field::Left)?;
            Some((TextRange::new(tree.range(left).end, range.end), ""))
        }
        (Kind::Binary, Field::Left) => {
            let right = tree.child(up, Field::Right)?;
            Some((TextRange::new(range.start, tree.range(right).start), ""))
        }
        (Kind::Augmented, Field::Right) => {
            let statement = tree.parent(up)?;
            let block = tree.parent(statement)?;
            let all = tree
                .children(block)
                .filter(|&one| tree.kind(one) != Kind::Comment);
            let whole = without_statement(unit.text, tree.range(statement));
            match whole.filter(|_| all.count() > 1) {
                Some(whole) => Some((whole, "")),
                None => Some((tree.range(statement), "pass")),
            }
        }
        _ => None,
    }
}

/// Whether an item and the next become two others: `"-x", "cu"`.
fn is_pair(unit: &ModuleView<'_>, item: NodeId, to: &[String]) -> bool {
    let value = text(unit, item).unwrap_or_default();
    to.len() == 2 && to.first().is_some_and(|first| *first == value)
}

/// What becomes of an item.
pub(super) fn fate(
    unit: &ModuleView<'_>,
    item: NodeId,
    next: Option<NodeId>,
    holds: FlagListKind,
) -> FlagAction {
    let Some(value) = text(unit, item) else {
        return FlagAction::Stays;
    };
    if holds == FlagListKind::Libraries {
        return library(unit, &value);
    }
    let next = next.map(|next| match text(unit, next) {
        Some(text) => text,
        None => unit.shown(unit.module.tree.range(next)),
    });
    flag(unit, &value, next.as_deref(), holds)
}

/// The text of a literal; what a program puts in shows as it is written.
pub(super) fn text(unit: &ModuleView<'_>, node: NodeId) -> Option<String> {
    let tree = &unit.module.tree;
    let literal = Literal::read(tree, node)?;
    if literal.is_plain() {
        return String::from_utf8(literal.value().to_vec()).ok();
    }
    let mut shown = String::new();
    for part in tree.children(node) {
        if matches!(tree.kind(part), Kind::StringContent | Kind::Interpolation) {
            shown.push_str(&unit.shown(tree.range(part)));
        }
    }
    Some(shown)
}

pub(super) fn is_option(unit: &ModuleView<'_>, item: NodeId) -> bool {
    text(unit, item).is_some_and(|text| text.starts_with('-'))
}

/// Others in the place of an item, and of the one behind it.
pub(super) fn replace(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    item: NodeId,
    next: Option<NodeId>,
    to: &[String],
    evidence: Option<Evidence>,
) {
    let tree = &unit.module.tree;
    let group = out.group();
    if let (Some(next), [first, second]) = (next, to) {
        for (node, to) in [(item, first), (next, second)] {
            unit.claim(out, node);
            content(unit, out, node, to, evidence, group);
        }
        return;
    }
    if let [to] = to {
        content(unit, out, item, to, evidence, group);
        return;
    }
    let quote = quote(unit, item);
    let all: Vec<String> = to
        .iter()
        .map(|one| format!("{quote}{one}{quote}"))
        .collect();
    change(
        unit,
        out,
        tree.range(item),
        &all.join(", "),
        evidence,
        group,
    );
}

/// Another text between the quotes of a literal; a formatted one becomes a plain one.
pub(super) fn content(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    item: NodeId,
    to: &str,
    evidence: Option<Evidence>,
    group: GroupId,
) {
    let tree = &unit.module.tree;
    let inside = Literal::read(tree, item)
        .filter(Literal::is_plain)
        .and_then(|literal| literal.in_file(TextRange::new(0, literal.value().len())));
    if let Some(range) = inside {
        change(unit, out, range, to, evidence, group);
    } else {
        let quote = quote(unit, item);
        let to = format!("{quote}{to}{quote}");
        change(unit, out, tree.range(item), &to, evidence, group);
    }
}

fn quote(unit: &ModuleView<'_>, item: NodeId) -> &'static str {
    if unit.module.tree.word(item).ends_with(b"'") {
        "'"
    } else {
        "\""
    }
}

pub(super) fn change(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    range: TextRange,
    to: &str,
    evidence: Option<Evidence>,
    group: GroupId,
) {
    if range.of(unit.text) == to.as_bytes() {
        return;
    }
    let change = Change {
        range,
        to,
        rule: RULE,
        applicability: Applicability::Safe,
        evidence,
    };
    unit.change_in(out, &change, group);
}
