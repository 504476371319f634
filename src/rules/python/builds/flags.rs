//! Flags for nvcc become flags for mcc: in lists, under the keys that name a compiler, and in statements that add a
//! flag.

use super::added_flags::added;
use super::diagnostics::{drop_findings_in, report_kept, report_left_out};
use super::flag_edits::{emptying, is_option, replace, text};
use super::flag_lists::{FlagListKind, find};
use super::grouped_edits::GroupedEdits;
use super::lines::removal_ranges;
use super::options;
use crate::Outcome;
use crate::flags::{FlagAction, LeftOut};
use crate::python::PythonUnit;
use torchada_mapping::Evidence;
use torchada_syntax::python::{Kind, Literal, NodeId};
use torchada_text::TextRange;

/// Flags and libraries of builds.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    if !super::is_of_build(unit) {
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
        GroupedEdits::new(unit, out).put(range, to, Evidence::Confirmed);
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
    let mut left_out: Vec<(TextRange, LeftOut)> = Vec::new();
    let flags = &unit.context.knowledge.builds.flags;
    let gpus = unit.settings.gpus().map(|one| flags.for_gpu(one));
    let mut gpus: Vec<String> = gpus.collect();
    let mut at = 0;
    while let Some(&item) = items.get(at) {
        let next = items.get(at + 1).copied();
        let found = options::item(unit, item, next, holds);
        let behind = next.filter(|_| found.words > 1);
        for node in std::iter::once(item).chain(behind) {
            if found.action != FlagAction::Stays || is_option(unit, node) {
                unit.claim(out, node);
            }
        }
        let range = tree.range(item);
        left_out.extend(found.left_out.iter().map(|one| (range, one.clone())));
        let place = at;
        at += found.words;
        let mut to = match &found.action {
            FlagAction::Stays => continue,
            FlagAction::Remains(_) => {
                report_kept(unit, out, item, &found);
                continue;
            }
            FlagAction::Becomes(to) => to.clone(),
            FlagAction::NamesGpus => Vec::new(),
        };
        if found.action == FlagAction::NamesGpus && holds == FlagListKind::Flags {
            // The first makes place for those that the user named.
            to = std::mem::take(&mut gpus);
        }
        if !found.left_out.is_empty() {
            for node in std::iter::once(item).chain(behind) {
                drop_findings_in(out, tree.range(node));
            }
        }
        let is_pair = to.len() == 2 && to.first() == text(unit, item).as_ref();
        let rest = behind.filter(|_| is_pair);
        if !to.is_empty() {
            let edits = GroupedEdits::new(unit, out);
            replace(edits, item, rest, &to, found.evidence);
        }
        // What nothing takes the place of goes, with its comma.
        let goes = [to.is_empty(), behind.is_some() && rest.is_none()];
        for (one, goes) in gone.iter_mut().skip(place).zip(goes) {
            one.1 |= goes;
        }
    }
    let emptied = !gone.is_empty() && gone.iter().all(|one| one.1);
    let mut edits = GroupedEdits::new(unit, out);
    if let Some((range, to)) = emptied.then(|| emptying(unit, list)).flatten() {
        edits.put(range, to, None);
    } else {
        let keeps_comma = tree.kind(list) == Kind::Tuple;
        for range in removal_ranges(unit.text, &gone, keeps_comma) {
            edits.put(range, "", None);
        }
    }
    report_left_out(unit, out, &left_out);
}
