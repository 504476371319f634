//! Functions that pick one of several ways by questions for the GPU: what MUSA takes there, or that it reaches nothing.

use super::decisions::{Ends, Way, ends};
use super::review::Review;
use super::values::Values;
use super::wording::short;
use crate::Outcome;
use crate::python::platforms::conditions::mentions_others;
use torchada_diagnostic::codes::python::{NOTHING, PICKED};
use torchada_mapping::effort::Effort;
use torchada_mapping::{has, has_part};
use torchada_syntax::python::{Field, Kind, NodeId};

/// How many ends of a function are looked at.
const ENDS: usize = 64;

/// How many of the ways a finding names.
const NAMED: usize = 4;

/// Report what MUSA takes in a function that picks one of several ways.
pub(super) fn check(review: &Review<'_>, out: &mut Outcome, function: NodeId) {
    let unit = review.unit;
    let tree = &unit.module.tree;
    let (Some(name), Some(body)) = (
        tree.child(function, Field::Name),
        tree.child(function, Field::Body),
    ) else {
        return;
    };
    // `_pick_xpu_kernels` is nothing that MUSA comes to.
    let is_others = || mentions_others(unit, tree.word(name));
    if !picks(review, tree.word(name))
        || is_others()
        || Effort::builtin().is_auxiliary(review.unit.path)
    {
        return;
    }
    let statements: Vec<NodeId> = tree.children(body).collect();
    let ways = ends(review, &statements);
    let mut ends = ways.at.iter();
    let asks = ends.any(|&(_, is_behind_question)| is_behind_question);
    if ways.is_unknown || ways.at.len() > ENDS || !asks {
        return;
    }
    let Some(picked) = Picked::of(review, &ways) else {
        return;
    };
    let range = tree.range(name);
    let shown = unit.shown(range);
    let values = &picked.values;
    if values.is_empty() && !picked.gives_else {
        let how = if picked.stops { "raises" } else { "gives None" };
        let message = format!("MUSA reaches nothing here: `{shown}` {how}");
        let help = "add an arm for MUSA, with what the project has for all GPUs";
        unit.report(out, NOTHING, range, message, help);
    } else if !values.is_empty() && values.len() <= NAMED {
        let message = format!("MUSA takes {} in `{shown}`", values.join(" or "));
        let help = "check that it works on MUSA, or add an arm for MUSA";
        unit.report(out, PICKED, range, message, help);
    }
}

/// What MUSA gets from a function.
struct Picked {
    /// The values behind questions for the GPU, each once, in their order.
    values: Vec<String>,
    /// Whether the function gives something where no question decides.
    gives_else: bool,
    /// Whether it raises behind a question.
    stops: bool,
}

impl Picked {
    /// What MUSA gets at the ends of a function; `None` where one of the values is not known.
    fn of(review: &Review<'_>, ways: &Ends) -> Option<Self> {
        let tree = &review.unit.module.tree;
        let mut picked = Self {
            values: Vec::new(),
            gives_else: ways.goes_on.is_some(),
            stops: false,
        };
        for &(way, is_behind_question) in &ways.at {
            let Way::Leaves(end) = way else {
                picked.stops |= is_behind_question;
                continue;
            };
            if !is_behind_question {
                picked.gives_else = true;
                continue;
            }
            let value = tree.nth(end, 0);
            let Some(value) = value.filter(|&value| tree.kind(value) != Kind::None) else {
                continue;
            };
            if !is_constant(review, value) {
                return None;
            }
            let shown = format!("`{}`", short(&tree.shown(value)));
            if !picked.values.contains(&shown) {
                picked.values.push(shown);
            }
        }
        Some(picked)
    }
}

/// Whether an expression shows what it gives, as no variable and no call does.
fn is_constant(review: &Review<'_>, value: NodeId) -> bool {
    let module = review.unit.module;
    match module.tree.kind(value) {
        Kind::Str | Kind::List | Kind::Tuple | Kind::Conditional => true,
        // `Backend.TRITON`
        Kind::Attribute => !module.last_name(value).iter().any(u8::is_ascii_lowercase),
        _ => false,
    }
}

/// Whether the name of a function says that it picks a backend: `_get_default_attn_backend`.
fn picks(values: &Values<'_>, name: &[u8]) -> bool {
    let words = &values.gpus.gates;
    let ends = name.rsplit(|&byte| byte == b'_').next();
    has_part(&words.verbs, name)
        && ends.is_some_and(|end| has(&words.objects, end.to_ascii_lowercase()))
}
