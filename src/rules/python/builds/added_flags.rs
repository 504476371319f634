//! Flags that stand in no list: those that a statement adds one by one, and those that stand together in one text.

use std::collections::{BTreeMap, BTreeSet};

use super::diagnostics::{drop_findings_in, report_kept, report_left_out};
use super::flag_edits::{change, content, emptying, is_option, replace, replace_added, text};
use super::flag_lists::{FlagListKind, FlagLists, plain};
use super::lines::{statement, without_statement};
use super::options;
use crate::Outcome;
use crate::flags::{FlagAction, LeftOut};
use crate::python::{ModuleView, PythonUnit};
use torchada_syntax::python::{Field, Kind, NodeId};
use torchada_text::TextRange;

/// Texts outside lists: those that a statement adds, and those that hold several flags.
pub(super) fn added(unit: &PythonUnit<'_>, out: &mut Outcome, found: &FlagLists) {
    let tree = &unit.module.tree;
    let mut left_out: Vec<(TextRange, LeftOut)> = Vec::new();
    let mut statements: BTreeMap<NodeId, BTreeSet<NodeId>> = BTreeMap::new();
    let mut done: BTreeSet<NodeId> = BTreeSet::new();
    for (&node, &holds) in &found.texts {
        if !done.insert(node) {
            continue;
        }
        let Some(value) = text(unit, node) else {
            continue;
        };
        let adding = adding(unit, node);
        if adding.is_none() && value.contains(' ') {
            words(unit, out, node, holds);
            continue;
        }
        let next = adding.and_then(|one| next_added(unit, one, found));
        let mut result = options::item(unit, node, next.map(|(_, text)| text), holds);
        if result.action != FlagAction::Stays || is_option(unit, node) {
            unit.claim(out, node);
        }
        let to = match &result.action {
            FlagAction::Stays => continue,
            FlagAction::Remains(_) => {
                report_kept(unit, out, node, &result);
                continue;
            }
            FlagAction::Becomes(to) => to.as_slice(),
            FlagAction::NamesGpus => &[],
        };
        let range = tree.range(node);
        match (to, adding, next) {
            ([_], ..) if result.words == 1 => {
                replace(unit, out, node, None, to, result.evidence);
                left_out.extend(result.left_out.iter().map(|one| (range, one.clone())));
            }
            ([_, _, ..], Some(_), _) if result.words == 1 => {
                replace_added(unit, out, node, to, result.evidence);
                left_out.extend(result.left_out.iter().map(|one| (range, one.clone())));
            }
            ([], Some(first), _) if result.words == 1 || next.is_some() => {
                let second = next.filter(|_| result.words > 1);
                if let Some((_, text)) = second {
                    unit.claim(out, text);
                    done.insert(text);
                }
                let second = second.map(|(statement, _)| statement);
                for statement in std::iter::once(first).chain(second) {
                    drop_findings_in(out, tree.range(statement));
                    if let Some(block) = tree.parent(statement) {
                        statements.entry(block).or_default().insert(statement);
                    }
                }
                let range = tree.range(first);
                left_out.extend(result.left_out.into_iter().map(|one| (range, one)));
            }
            ([], None, _) if result.words == 1 && comprehension(unit, node).is_some() => {
                drop_findings_in(out, range);
                if let Some(list) = comprehension(unit, node) {
                    let group = out.group();
                    let (at, to) = emptying(unit, list).unwrap_or((tree.range(list), "[]"));
                    change(unit, out, at, to, None, group);
                }
                let gone: Vec<(TextRange, LeftOut)> = result
                    .left_out
                    .into_iter()
                    .map(|one| (range, one))
                    .collect();
                report_left_out(unit, out, &gone);
            }
            _ => {
                if !to.is_empty() {
                    result.advice = Some(format!("Write `{}`.", to.join(" ")));
                }
                report_kept(unit, out, node, &result);
            }
        }
    }
    for (block, gone) in statements {
        without_statements(unit, out, block, &gone);
    }
    // Each block gets findings of its own.
    let mut by_block: BTreeMap<Option<NodeId>, Vec<(TextRange, LeftOut)>> = BTreeMap::new();
    for (range, one) in left_out {
        let at = tree.nodes().find(|&node| tree.range(node) == range);
        let block = at.and_then(|at| tree.parent(at));
        by_block.entry(block).or_default().push((range, one));
    }
    for gone in by_block.values() {
        report_left_out(unit, out, gone);
    }
}

/// The list that is made of nothing but this text: `[f"-gencode={one}" for one in targets]`.
fn comprehension(unit: &ModuleView<'_>, node: NodeId) -> Option<NodeId> {
    let tree = &unit.module.tree;
    let up = tree.parent(node)?;
    let is_body = tree.field(node) == Field::Body;
    (is_body && tree.kind(up) == Kind::ListComprehension).then_some(up)
}

/// The statement that does nothing but add a text to a list: `flags.append("-lineinfo")`.
fn adding(unit: &ModuleView<'_>, node: NodeId) -> Option<NodeId> {
    let tree = &unit.module.tree;
    let list = tree.parent(node)?;
    let call = tree.parent(list)?;
    let statement = statement(unit, node)?;
    let is_it = tree.kind(list) == Kind::ArgumentList
        && tree.kind(call) == Kind::Call
        && tree.kind(statement) == Kind::ExpressionStatement
        && tree.parent(call) == Some(statement)
        && unit.module.callee_word(call) == b"append";
    is_it.then_some(statement)
}

/// The statement behind that adds another text to the same list, and the text.
fn next_added(
    unit: &ModuleView<'_>,
    statement: NodeId,
    found: &FlagLists,
) -> Option<(NodeId, NodeId)> {
    let tree = &unit.module.tree;
    let callee = |one: NodeId| {
        let call = tree.nth(one, 0)?;
        let callee = tree.child(call, Field::Function)?;
        Some(tree.word(callee))
    };
    let block = tree.parent(statement)?;
    let next = tree
        .children(block)
        .filter(|&one| tree.kind(one) != Kind::Comment)
        .find(|&one| one > statement)?;
    let text = found
        .texts
        .keys()
        .copied()
        .find(|&one| adding(unit, one) == Some(next))?;
    (callee(statement) == callee(next)).then_some((next, text))
}

/// Take statements out of a block; the last one leaves `pass`.
fn without_statements(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    block: NodeId,
    gone: &BTreeSet<NodeId>,
) {
    let tree = &unit.module.tree;
    let all: Vec<NodeId> = tree
        .children(block)
        .filter(|&one| tree.kind(one) != Kind::Comment)
        .collect();
    let empties = tree.kind(block) == Kind::Block && all.iter().all(|one| gone.contains(one));
    let group = out.group();
    for (place, &statement) in gone.iter().enumerate() {
        let range = tree.range(statement);
        let whole = without_statement(unit.text, range);
        match whole.filter(|_| !(empties && place == 0)) {
            Some(whole) => change(unit, out, whole, "", None, group),
            None => change(unit, out, range, "pass", None, group),
        }
    }
}

/// Several flags in one text.
fn words(unit: &PythonUnit<'_>, out: &mut Outcome, node: NodeId, holds: FlagListKind) {
    let Some(value) = plain(unit, node).and_then(|value| String::from_utf8(value).ok()) else {
        return;
    };
    let words: Vec<&str> = value.split(' ').collect();
    let mut kept: Vec<String> = Vec::new();
    let mut left_out = Vec::new();
    let mut evidence = None;
    let mut at = 0;
    while let Some(&word) = words.get(at) {
        let result = options::option(unit, word, words.get(at + 1).copied(), holds);
        let taken = words.get(at..at + result.words).unwrap_or_default();
        at += result.words;
        match result.action {
            FlagAction::Becomes(to) => kept.extend(to),
            FlagAction::NamesGpus => {}
            FlagAction::Stays => kept.extend(taken.iter().map(|&one| one.to_owned())),
            FlagAction::Remains(_) => {
                report_kept(unit, out, node, &result);
                kept.extend(taken.iter().map(|&one| one.to_owned()));
            }
        }
        evidence = evidence.max(result.evidence);
        let range = unit.module.tree.range(node);
        left_out.extend(result.left_out.into_iter().map(|one| (range, one)));
    }
    let to = kept.join(" ");
    if value.starts_with('-') || to != value {
        unit.claim(out, node);
    }
    if to != value {
        if !left_out.is_empty() {
            drop_findings_in(out, unit.module.tree.range(node));
        }
        let group = out.group();
        content(unit, out, node, &to, evidence, group);
        report_left_out(unit, out, &left_out);
    }
}
