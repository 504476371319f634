//! Flags that stand in no list: those that a statement adds one by one, and those that stand together in one text.

use std::collections::{BTreeMap, BTreeSet};

use super::diagnostics::{drop_findings_in, report_kept, report_left_out};
use super::flag_edits::{content, emptying, is_option, replace, replace_added, text};
use super::flag_lists::{FlagListKind, FlagLists, plain};
use super::grouped_edits::GroupedEdits;
use super::lines::without_statement;
use super::options;
use crate::Outcome;
use crate::flags::{FlagAction, LeftOut, Translation};
use crate::python::{ModuleView, PythonUnit};
use torchada_syntax::python::{Field, Kind, NodeId};
use torchada_text::TextRange;

/// Texts outside lists: those that a statement adds, and those that hold several flags.
pub(super) fn added(unit: &PythonUnit<'_>, out: &mut Outcome, found: &FlagLists) {
    let tree = &unit.module.tree;
    let mut texts = AddedTexts::default();
    for (&node, &holds) in &found.texts {
        if !texts.done.insert(node) {
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
        let result = options::item(unit, node, next.map(|(_, text)| text), holds);
        if result.action != FlagAction::Stays || is_option(unit, node) {
            unit.claim(out, node);
        }
        texts.translate(unit, out, AddedText { node, adding, next }, result);
    }
    for (block, gone) in texts.statements {
        without_statements(unit, out, block, &gone);
    }
    // Each block gets findings of its own.
    let mut by_block: BTreeMap<Option<NodeId>, Vec<(TextRange, LeftOut)>> = BTreeMap::new();
    for (range, one) in texts.left_out {
        let at = tree.nodes().find(|&node| tree.range(node) == range);
        let block = at.and_then(|at| tree.parent(at));
        by_block.entry(block).or_default().push((range, one));
    }
    for gone in by_block.values() {
        report_left_out(unit, out, gone);
    }
}

/// A text outside of lists.
#[derive(Clone, Copy)]
struct AddedText {
    node: NodeId,
    /// The statement that adds it.
    adding: Option<NodeId>,
    /// The statement behind that, and the text which it adds to the same list.
    next: Option<(NodeId, NodeId)>,
}

/// What is left to do once each text was looked at.
#[derive(Default)]
struct AddedTexts {
    /// What was left out, with the texts or the statements that had it.
    left_out: Vec<(TextRange, LeftOut)>,
    /// The statements that go, by their blocks.
    statements: BTreeMap<NodeId, BTreeSet<NodeId>>,
    /// The texts that were looked at.
    done: BTreeSet<NodeId>,
}

impl AddedTexts {
    /// Put in place of a text what becomes of it.
    fn translate(
        &mut self,
        unit: &PythonUnit<'_>,
        out: &mut Outcome,
        added: AddedText,
        mut result: Translation,
    ) {
        let AddedText { node, adding, next } = added;
        let to: &[String] = match &result.action {
            FlagAction::Stays => return,
            FlagAction::Remains(_) => return report_kept(unit, out, node, &result),
            FlagAction::Becomes(to) => to,
            FlagAction::NamesGpus => &[],
        };
        let range = unit.module.tree.range(node);
        let is_alone = result.words == 1;
        match (to, adding, comprehension(unit, node)) {
            ([_], ..) if is_alone => {
                let edits = GroupedEdits::new(unit, out);
                replace(edits, node, None, to, result.evidence);
            }
            ([_, _, ..], Some(_), _) if is_alone => {
                let edits = GroupedEdits::new(unit, out);
                replace_added(edits, node, to, result.evidence);
            }
            ([], Some(first), _) if is_alone || next.is_some() => {
                self.leave_out(unit, out, first, next.filter(|_| !is_alone));
                let range = unit.module.tree.range(first);
                let left_out = result.left_out.into_iter();
                return self.left_out.extend(left_out.map(|one| (range, one)));
            }
            ([], None, Some(list)) if is_alone => {
                drop_findings_in(out, range);
                let whole = (unit.module.tree.range(list), "[]");
                let (at, to) = emptying(unit, list).unwrap_or(whole);
                GroupedEdits::new(unit, out).put(at, to, None);
                let gone = result.left_out.into_iter().map(|one| (range, one));
                return report_left_out(unit, out, &gone.collect::<Vec<_>>());
            }
            _ => {
                if !to.is_empty() {
                    result.advice = Some(format!("Write `{}`.", to.join(" ")));
                }
                return report_kept(unit, out, node, &result);
            }
        }
        let left_out = result.left_out.into_iter();
        self.left_out.extend(left_out.map(|one| (range, one)));
    }

    /// Leave out the statement that adds a text, and the next one where both texts are one option.
    fn leave_out(
        &mut self,
        unit: &PythonUnit<'_>,
        out: &mut Outcome,
        first: NodeId,
        second: Option<(NodeId, NodeId)>,
    ) {
        let tree = &unit.module.tree;
        if let Some((_, text)) = second {
            unit.claim(out, text);
            self.done.insert(text);
        }
        let second = second.map(|(statement, _)| statement);
        for statement in std::iter::once(first).chain(second) {
            drop_findings_in(out, tree.range(statement));
            if let Some(block) = tree.parent(statement) {
                self.statements.entry(block).or_default().insert(statement);
            }
        }
    }
}

/// The list that is made of nothing but this text: `[f"-gencode={one}" for one in targets]`.
fn comprehension(unit: &ModuleView<'_>, node: NodeId) -> Option<NodeId> {
    let tree = &unit.module.tree;
    let list = tree.parent_if(node, Kind::ListComprehension);
    list.filter(|_| tree.field(node) == Field::Body)
}

/// The statement that does nothing but add a text to a list: `flags.append("-lineinfo")`.
fn adding(unit: &ModuleView<'_>, node: NodeId) -> Option<NodeId> {
    let tree = &unit.module.tree;
    let call = tree.call_with(node)?;
    let statement = tree.parent_if(call, Kind::ExpressionStatement)?;
    (unit.module.callee_word(call) == b"append").then_some(statement)
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
        let callee = tree.callee(call)?;
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
    let mut edits = GroupedEdits::new(unit, out);
    for (place, &statement) in gone.iter().enumerate() {
        let range = tree.range(statement);
        let whole = without_statement(unit.text, range);
        match whole.filter(|_| !(empties && place == 0)) {
            Some(whole) => edits.put(whole, "", None),
            None => edits.put(range, "pass", None),
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
        content(&mut GroupedEdits::new(unit, out), node, &to, evidence);
        report_left_out(unit, out, &left_out);
    }
}
