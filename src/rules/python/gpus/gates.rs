//! Functions that pick one of several ways by questions for the GPU: what MUSA takes there, or that it reaches nothing.

use std::collections::BTreeSet;

use super::answers::answer;
use super::decisions::{is_trial, parts_behind};
use super::review::Review;
use super::values::Values;
use super::wording::short;
use crate::diagnostic::{Code, Severity};
use crate::rules::Outcome;
use crate::syntax::python::{Field, Kind, NodeId};

/// A function that picks nothing for MUSA.
pub const NOTHING: Code = Code {
    id: "PY038",
    severity: Severity::Error,
    title: "MUSA reaches nothing where one of several ways is picked",
};

/// A function that picks something for MUSA.
pub const PICKED: Code = Code {
    id: "PY039",
    severity: Severity::Note,
    title: "what MUSA takes where one of several ways is picked",
};

/// How deep statements are followed, and how many ends of a function are collected.
const NESTED: usize = 8;
const ENDS: usize = 64;

/// How many of the ways a finding names.
const NAMED: usize = 4;

/// The ways through some statements.
#[derive(Default)]
struct Ways {
    /// The statements at which the ways end that a question decided.
    asked: Vec<NodeId>,
    /// Whether another way gives something.
    gives_else: bool,
    /// Whether nobody knows where one of the ways ends.
    is_unknown: bool,
    /// Whether a way goes on behind the statements, and whether a question decided that.
    goes_on: Option<bool>,
}

/// Report what MUSA takes in a function that picks one of several ways.
pub(super) fn check(review: &Review<'_, '_>, out: &mut Outcome, function: NodeId) {
    let unit = review.unit;
    let tree = &unit.module.tree;
    let parts = (
        tree.child(function, Field::Name),
        tree.child(function, Field::Body),
    );
    let (Some(name), Some(body)) = parts else {
        return;
    };
    if !picks(review, tree.word(name)) || is_trial(review) {
        return;
    }
    let statements: Vec<NodeId> = tree.children(body).collect();
    let ways = through(review, &statements, false, NESTED);
    if ways.asked.is_empty() || ways.is_unknown || ways.asked.len() > ENDS {
        return;
    }
    let mut picked = BTreeSet::new();
    let mut order = Vec::new();
    for &end in &ways.asked {
        let value = tree.nth(end, 0).filter(|_| tree.kind(end) == Kind::Return);
        let Some(value) = value.filter(|&value| tree.kind(value) != Kind::None) else {
            continue;
        };
        // What a variable or a call gives is not known.
        let is_named = match tree.kind(value) {
            Kind::Str | Kind::List | Kind::Tuple | Kind::Conditional => true,
            // A constant: `Backend.TRITON`.
            Kind::Attribute => {
                let mut letters = unit.module.last_name(value).into_iter();
                letters.all(|one| !one.is_ascii_lowercase())
            }
            _ => false,
        };
        if !is_named {
            return;
        }
        let shown = short(&unit.shown(tree.range(value)));
        if picked.insert(shown.clone()) {
            order.push(format!("`{shown}`"));
        }
    }
    let range = tree.range(name);
    let shown = unit.shown(range);
    let gives_else = ways.gives_else || ways.goes_on.is_some();
    if order.is_empty() && !gives_else {
        let stops = ways.asked.iter().any(|&end| tree.kind(end) == Kind::Raise);
        let how = if stops { "raises" } else { "gives None" };
        let message = format!("MUSA reaches nothing here: `{shown}` {how}");
        let help = "add an arm for MUSA, with what the project has for all GPUs";
        out.findings
            .push(unit.finding(NOTHING, range, message).help(help));
    } else if !order.is_empty() && order.len() <= NAMED {
        let message = format!("MUSA takes {} in `{shown}`", order.join(" or "));
        let help = "check that it works on MUSA, or add an arm for MUSA";
        out.findings
            .push(unit.finding(PICKED, range, message).help(help));
    }
}

/// Whether the name of a function says that it picks a backend: `_get_default_attn_backend`.
fn picks(values: &Values<'_>, name: &[u8]) -> bool {
    let words = &values.gpus.gates;
    let name = String::from_utf8_lossy(name).to_ascii_lowercase();
    let has = |list: &[String]| {
        name.split('_')
            .any(|part| list.iter().any(|one| one == part))
    };
    let ends = name.rsplit('_').next().unwrap_or_default();
    has(&words.verbs) && words.objects.iter().any(|one| one == ends)
}

/// The ways through statements; `asked` says whether a question decided that MUSA gets to them.
fn through(values: &Values<'_>, statements: &[NodeId], asked: bool, depth: usize) -> Ways {
    let mut ways = Ways::default();
    let Some(depth) = depth.checked_sub(1) else {
        ways.is_unknown = true;
        return ways;
    };
    let tree = &values.unit.module.tree;
    let mut asked = asked;
    for &statement in statements {
        match tree.kind(statement) {
            Kind::Return | Kind::Raise => {
                ways.asked.extend(Some(statement).filter(|_| asked));
                ways.gives_else |= !asked && tree.kind(statement) == Kind::Return;
                return ways;
            }
            Kind::If => {
                let inner = of_chain(values, statement, asked, depth);
                ways.asked.extend(inner.asked);
                ways.is_unknown |= inner.is_unknown;
                ways.gives_else |= inner.gives_else;
                match inner.goes_on {
                    Some(now) => asked = now,
                    None => return ways,
                }
            }
            Kind::For | Kind::While | Kind::Try | Kind::With | Kind::Match => {
                let mut inside = tree.below(statement);
                let ends = |one| matches!(tree.kind(one), Kind::Return | Kind::Raise);
                ways.is_unknown |= inside.any(ends);
            }
            _ => {}
        }
    }
    ways.goes_on = Some(asked);
    ways
}

/// The ways through a chain of `if`.
fn of_chain(values: &Values<'_>, chain: NodeId, asked: bool, depth: usize) -> Ways {
    let tree = &values.unit.module.tree;
    let mut ways = Ways::default();
    let mut asked = asked;
    let arms = parts_behind(values, chain);
    let goes_on = |ways: &mut Ways, now: Option<bool>| {
        if let Some(now) = now {
            ways.goes_on = Some(ways.goes_on.unwrap_or(false) || now);
        }
    };
    for arm in std::iter::once(chain).chain(arms) {
        let condition = tree.child(arm, Field::Condition);
        let holds = match condition {
            Some(condition) => answer(values, condition),
            None => Some(true),
        };
        asked |= condition.is_some() && holds.is_some();
        if holds == Some(false) {
            continue;
        }
        let block = [Field::Consequence, Field::Body]
            .into_iter()
            .find_map(|field| tree.child(arm, field));
        let inner: Vec<NodeId> = block
            .into_iter()
            .flat_map(|one| tree.children(one))
            .collect();
        let inner = through(values, &inner, asked, depth);
        ways.asked.extend(inner.asked);
        ways.is_unknown |= inner.is_unknown;
        ways.gives_else |= inner.gives_else;
        goes_on(&mut ways, inner.goes_on);
        if holds == Some(true) {
            return ways;
        }
    }
    goes_on(&mut ways, Some(asked));
    ways
}
