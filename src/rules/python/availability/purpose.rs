//! What is done with the answer to a question for a GPU.

use super::NODES;
use super::decides::{decides_device, ends_before_device};
use super::foreign::{asks_for_maker, is_feature, is_told_in_words, stands_in_report, tells_apart};
use crate::rules::python::{ModuleView, inference};
use crate::syntax::python::{Field, Kind, NodeId, What};

/// How far an answer is followed.
const STEPS: usize = 3;

/// What is done with the answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Purpose {
    /// Nobody knows.
    Open,
    /// A name takes it that says what the platform is.
    Tells,
    /// Other platforms are told apart where it says yes.
    Apart,
    /// Something of NVIDIA's is asked for where it says yes.
    Maker,
    /// A test is run or left out.
    Guards,
    /// A device is taken, or something is moved to one.
    Picks,
}

impl Purpose {
    fn picks_if(picks: bool) -> Self {
        if picks { Self::Picks } else { Self::Open }
    }

    /// Why the question stays as one for the platform, if it does.
    pub(super) fn tells(self) -> Option<&'static str> {
        match self {
            Self::Tells => Some("the name that takes the answer says what the platform is"),
            Self::Apart => Some("other platforms are told apart in what the answer decides"),
            Self::Maker => Some("what the answer decides asks for something of NVIDIA's"),
            Self::Open | Self::Guards | Self::Picks => None,
        }
    }
}

/// What is done with the answer of a call.
pub(super) fn purpose(unit: &ModuleView<'_>, call: NodeId) -> Purpose {
    let found = of_expression(unit, call, STEPS);
    if found.tells().is_none() && stands_in_report(unit, call) {
        return Purpose::Open;
    }
    found
}

fn of_expression(unit: &ModuleView<'_>, expression: NodeId, steps: usize) -> Purpose {
    let tree = &unit.module.tree;
    let Some(steps) = steps.checked_sub(1) else {
        return Purpose::Open;
    };
    let mut at = expression;
    let mut negated = false;
    while let Some(up) = tree.parent(at) {
        negated ^= tree.kind(up) == Kind::Not;
        match tree.kind(up) {
            Kind::Boolean if decides_device(unit, up) => return Purpose::Picks,
            Kind::Parenthesized | Kind::Not | Kind::Boolean => {}
            Kind::Conditional if tree.ordinal(at) == 1 => {
                return Purpose::picks_if(decides_device(unit, up));
            }
            Kind::If | Kind::Elif | Kind::While if tree.field(at) == Field::Condition => {
                if is_told_in_words(unit, up) {
                    return Purpose::Open;
                }
                let whole = tree.ancestors(at).find(|&one| tree.kind(one) == Kind::If);
                let picks = decides_device(unit, whole.unwrap_or(up))
                    || negated && ends_before_device(unit, up);
                return if picks {
                    Purpose::Picks
                } else if !negated && tells_apart(unit, up) {
                    Purpose::Apart
                } else if !negated && asks_for_maker(unit, up) {
                    Purpose::Maker
                } else {
                    skips(unit, up)
                };
            }
            Kind::ArgumentList | Kind::KeywordArgument => return of_argument(unit, at, up),
            Kind::Assignment if tree.field(at) == Field::Right => {
                let target = tree.child(up, Field::Left);
                return target.map_or(Purpose::Open, |target| of_variable(unit, target, steps));
            }
            Kind::Return => {
                let mut above = tree.ancestors(up);
                let name = above
                    .find(|&one| tree.kind(one) == Kind::Function)
                    .and_then(|function| tree.child(function, Field::Name));
                return name.map_or(Purpose::Open, |name| of_function(unit, name, steps));
            }
            _ => return Purpose::Open,
        }
        at = up;
    }
    Purpose::Open
}

/// What a call does with the answer as its argument. `up`: the list of arguments, or the keyword's.
fn of_argument(unit: &ModuleView<'_>, argument: NodeId, up: NodeId) -> Purpose {
    let tree = &unit.module.tree;
    let mut above = tree.ancestors(argument);
    let call = above.find(|&one| tree.kind(one) == Kind::Call);
    let word = call.map_or(&b""[..], |call| unit.module.callee_word(call));
    if is_word(&unit.python_values().availability.guards, word) {
        return Purpose::Guards;
    }
    let keyword = Some(up).filter(|&up| tree.kind(up) == Kind::KeywordArgument);
    let name = keyword.and_then(|keyword| tree.child(keyword, Field::Name));
    if name.is_some_and(|name| tells(unit, tree.word(name))) {
        Purpose::Tells
    } else {
        Purpose::Open
    }
}

/// What is done with a variable that has the answer.
fn of_variable(unit: &ModuleView<'_>, target: NodeId, steps: usize) -> Purpose {
    let name = unit.module.last_name(target);
    if tells(unit, &name) {
        return Purpose::Tells;
    }
    if is_feature(unit, &name) {
        return Purpose::Open;
    }
    let mut found = Purpose::Open;
    if unit.module.tree.kind(target) == Kind::Identifier {
        inference::each_use(unit, target, &mut |unit, node| {
            found = found.max(of_expression(unit, node, steps));
        });
    }
    found
}

/// What is done with what a function gives.
fn of_function(unit: &ModuleView<'_>, name: NodeId, steps: usize) -> Purpose {
    let word = unit.module.tree.word(name);
    if tells(unit, word) {
        return Purpose::Tells;
    }
    if is_feature(unit, word) {
        return Purpose::Open;
    }
    let mut found = Purpose::Open;
    let bindings = unit.module.bindings(name, word).1;
    let is_function = |what: &What| matches!(what, What::Function(_));
    if bindings.iter().any(|one| is_function(&one.what)) {
        inference::each_use(unit, name, &mut |unit, node| {
            let tree = &unit.module.tree;
            let call = tree.parent(node).filter(|&up| tree.kind(up) == Kind::Call);
            if let Some(call) = call {
                found = found.max(of_expression(unit, call, steps));
            }
        });
    }
    found
}

/// `if not torch.cuda.is_available(): pytest.skip(…)`
fn skips(unit: &ModuleView<'_>, statement: NodeId) -> Purpose {
    let tree = &unit.module.tree;
    let words = &unit.python_values().availability.guards;
    let body = tree.child(statement, Field::Consequence);
    let mut inside = body
        .into_iter()
        .flat_map(|body| tree.below(body).take(NODES));
    let skips = inside.any(|node| {
        tree.kind(node) == Kind::Call && {
            let word = String::from_utf8_lossy(unit.module.callee_word(node)).to_ascii_lowercase();
            words.contains(&word)
        }
    });
    if skips {
        Purpose::Guards
    } else {
        Purpose::Open
    }
}

/// Whether a name says that what it holds tells the platform.
fn tells(unit: &ModuleView<'_>, name: &[u8]) -> bool {
    is_word(&unit.python_values().availability.tells, name)
}

/// Whether a name is one of some words, in any case and with any underscores around it.
fn is_word(words: &[String], name: &[u8]) -> bool {
    let name = String::from_utf8_lossy(name).to_ascii_lowercase();
    words.iter().any(|word| name.trim_matches('_') == *word)
}
