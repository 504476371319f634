//! Flags for nvcc become mcc's: by the keys of compilers, in lists, and where they are added one by one.

use super::added::added;
use super::diagnostics::{LEFT_OUT, NEEDLESS, STAYS, say, silence, stays};
use super::flag_lists::{FlagListKind, find};
use super::lines::{without, without_statement};
use super::options;
use crate::diagnostic::{Applicability, Code};
use crate::edit::GroupId;
use crate::mapping::Evidence;
use crate::rules::flags::{FlagAction, LeftOut};
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
    let mut said: Vec<(TextRange, LeftOut)> = Vec::new();
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
        said.extend(found.left_out.iter().map(|one| (range, one.clone())));
        let place = at;
        at += found.words;
        let mut to = match &found.action {
            FlagAction::Stays => continue,
            FlagAction::Remains(_) => {
                stays(unit, out, item, &found);
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
                silence(out, tree.range(node));
            }
        }
        let is_pair = to.len() == 2 && to.first() == text(unit, item).as_ref();
        let rest = behind.filter(|_| is_pair);
        if !to.is_empty() {
            replace(unit, out, item, rest, &to, found.evidence);
        }
        // What nothing takes the place of goes, with its comma.
        let goes = [to.is_empty(), behind.is_some() && rest.is_none()];
        for (one, goes) in gone.iter_mut().skip(place).zip(goes) {
            one.1 |= goes;
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
