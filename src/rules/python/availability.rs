//! `torch.cuda.is_available()`: whether it picks a device, guards a test or tells the platform.

use super::options::has;
use super::platform::TELLS_PLATFORM;
use super::quoted::patched;
use super::unit::{Change, contains};
use super::{PythonRule, PythonUnit, chains, uses};
use crate::diagnostic::{Applicability, Code};
use crate::mapping::{PlatformName, PlatformReport};
use crate::rules::Outcome;
use crate::syntax::python::{Field, Kind, Literal, NodeId, Use, What};

/// Questions for a GPU.
pub struct Availability;

const RULE: &str = "python-availability";

/// How many nodes of what an answer decides are looked at, and how far an answer is followed.
const NODES: usize = 600;
const STEPS: usize = 3;

/// What is done with the answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Purpose {
    /// Nobody knows.
    Open,
    /// A name takes it that says what the platform is.
    Tells,
    /// A test is run or left out.
    Guards,
    /// A device is taken, or something is moved to one.
    Picks,
}

impl PythonRule for Availability {
    fn name(&self) -> &'static str {
        RULE
    }

    fn codes(&self) -> &'static [Code] {
        &[]
    }

    fn check(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        let positions = unit.positions();
        let asking = positions
            .platforms
            .iter()
            .filter(|one| one.report == PlatformReport::BesideOthers);
        for platform in asking {
            let last = platform.name.rsplit('.').next().unwrap_or_default();
            if !contains(unit.text, last.as_bytes()) {
                continue;
            }
            for &name in unit.trees.places_of(unit.index, last.as_bytes()) {
                settle(unit, out, platform, name);
            }
        }
    }
}

fn settle(unit: &PythonUnit<'_>, out: &mut Outcome, platform: &PlatformName, name: NodeId) {
    let tree = &unit.module.tree;
    let whole = match tree.parent(name) {
        Some(up) if tree.kind(up) == Kind::Attribute => up,
        _ => name,
    };
    let call = tree
        .parent(whole)
        .filter(|&up| tree.kind(up) == Kind::Call && tree.field(whole) == Field::Function);
    let is_it = unit
        .resolve(whole)
        .is_some_and(|one| one.name == platform.name);
    // `torch.cuda.is_available = lambda: False`
    if is_it && tree.field(whole) == Field::Left {
        patched(unit, out, tree.range(whole), &platform.name);
    }
    let Some(call) = call.filter(|_| is_it && !tree.is_broken(whole)) else {
        return;
    };
    if chains::asked_for_beside(unit, whole) || is_asked_both(unit, call) {
        return;
    }
    let purpose = purpose(unit, call, STEPS);
    let range = tree.range(call);
    let report = |out: &mut Outcome, why: &str| {
        let message = format!("`{}` stays: {why}", platform.name);
        let finding = unit.finding(TELLS_PLATFORM, tree.range(whole), message);
        out.findings.push(finding.help(platform.advice.clone()));
        unit.claim(out, whole);
    };
    if unit.is_musa() {
        if purpose == Purpose::Tells {
            report(
                out,
                "the name that takes the answer says what the platform is",
            );
        }
        return;
    }
    let stub = &unit.positions().entry;
    if matches!(purpose, Purpose::Picks | Purpose::Guards) && unit.settings.import_stub {
        let to = format!("({} or {}.{}())", unit.shown(range), stub.import, stub.asks);
        let change = Change {
            range,
            to: &to,
            rule: RULE,
            applicability: Applicability::Safe,
            evidence: None,
        };
        if unit.change(out, &change) {
            unit.needs_stub.set(true);
        }
        unit.claim(out, whole);
    } else {
        report(
            out,
            "what is done with the answer does not show that it picks a device",
        );
    }
}

/// Whether a text is what the answer picks, and the host is what it picks else: `"cuda" if
/// torch.cuda.is_available() else "cpu"`.
pub fn picked(unit: &PythonUnit<'_>, of: &Use, text: NodeId) -> bool {
    let tree = &unit.module.tree;
    let host = |node: NodeId| {
        let hosts = &unit.positions().vendors.host;
        Literal::read(tree, node).is_some_and(|one| has(hosts, one.value()))
    };
    let asks = |condition: NodeId| {
        let inside = std::iter::once(condition).chain(tree.below(condition).take(NODES));
        let mut calls = inside.filter(|&one| tree.kind(one) == Kind::Call);
        calls.any(|call| {
            let callee = tree.child(call, Field::Function);
            let name = callee.and_then(|callee| unit.resolve(callee));
            name.is_some_and(|name| {
                let mut platforms = unit.positions().platforms.iter();
                platforms
                    .any(|one| one.name == name.name && one.report == PlatformReport::BesideOthers)
            })
        })
    };
    let mut at = text;
    for up in tree.ancestors(text).take(16) {
        match tree.kind(up) {
            Kind::Conditional if tree.ordinal(at) != 1 => {
                let condition = tree.nth(up, 1);
                return condition.is_some_and(asks) && tree.children(up).any(host);
            }
            Kind::If | Kind::Elif if tree.field(at) == Field::Consequence => {
                let condition = tree.child(up, Field::Condition);
                return condition.is_some_and(asks)
                    && unit.module.beside(of).iter().any(|one| host(one.node));
            }
            Kind::Function | Kind::Class | Kind::Lambda => return false,
            _ => at = up,
        }
    }
    false
}

/// `torch.cuda.is_available() or torchada.is_musa_platform()`
fn is_asked_both(unit: &PythonUnit<'_>, call: NodeId) -> bool {
    let tree = &unit.module.tree;
    let asks = unit.positions().entry.asks.as_bytes();
    tree.ancestors(call)
        .take_while(|&one| tree.kind(one) == Kind::Boolean)
        .flat_map(|one| tree.children(one))
        .any(|side| tree.kind(side) == Kind::Call && unit.module.callee_word(side) == asks)
}

/// What is done with the answer of an expression.
fn purpose(unit: &PythonUnit<'_>, expression: NodeId, steps: usize) -> Purpose {
    let tree = &unit.module.tree;
    let Some(steps) = steps.checked_sub(1) else {
        return Purpose::Open;
    };
    let words = &unit.positions().availability;
    let is_word = |words: &[String], name: &[u8]| {
        let name = String::from_utf8_lossy(name).to_ascii_lowercase();
        words.iter().any(|word| name.trim_matches('_') == *word)
    };
    let mut at = expression;
    let mut negated = false;
    while let Some(up) = tree.parent(at) {
        negated ^= tree.kind(up) == Kind::Not;
        match tree.kind(up) {
            Kind::Boolean if decides_device(unit, up) => return Purpose::Picks,
            Kind::Parenthesized | Kind::Not | Kind::Boolean => {}
            Kind::Conditional if tree.ordinal(at) == 1 => {
                return if decides_device(unit, up) {
                    Purpose::Picks
                } else {
                    Purpose::Open
                };
            }
            Kind::If | Kind::Elif | Kind::While if tree.field(at) == Field::Condition => {
                let whole = tree.ancestors(at).find(|&one| tree.kind(one) == Kind::If);
                return if decides_device(unit, whole.unwrap_or(up))
                    || negated && ends_before_device(unit, up)
                {
                    Purpose::Picks
                } else {
                    skips(unit, up)
                };
            }
            Kind::ArgumentList | Kind::KeywordArgument => {
                let call = tree.ancestors(at).find(|&one| tree.kind(one) == Kind::Call);
                let word = call.map_or(&b""[..], |call| unit.module.callee_word(call));
                if is_word(&words.guards, word) {
                    return Purpose::Guards;
                }
                let named = (tree.kind(up) == Kind::KeywordArgument)
                    .then(|| tree.child(up, Field::Name))
                    .flatten();
                return match named {
                    Some(name) if is_word(&words.tells, tree.word(name)) => Purpose::Tells,
                    _ => Purpose::Open,
                };
            }
            Kind::Assignment if tree.field(at) == Field::Right => {
                let Some(target) = tree.child(up, Field::Left) else {
                    return Purpose::Open;
                };
                if is_word(&words.tells, &unit.module.last_name(target)) {
                    return Purpose::Tells;
                }
                return followed(unit, target, steps);
            }
            Kind::Return => {
                let function = tree
                    .ancestors(up)
                    .find(|&one| tree.kind(one) == Kind::Function)
                    .and_then(|one| tree.child(one, Field::Name));
                return match function {
                    Some(name) if is_word(&words.tells, tree.word(name)) => Purpose::Tells,
                    Some(name) => called(unit, name, steps),
                    None => Purpose::Open,
                };
            }
            _ => return Purpose::Open,
        }
        at = up;
    }
    Purpose::Open
}

/// What is done with a variable that has the answer.
fn followed(unit: &PythonUnit<'_>, target: NodeId, steps: usize) -> Purpose {
    let mut found = Purpose::Open;
    if unit.module.tree.kind(target) == Kind::Identifier {
        uses::each_use(unit, target, &mut |unit, node| {
            found = found.max(purpose(unit, node, steps));
        });
    }
    found
}

/// What is done with what a function gives.
fn called(unit: &PythonUnit<'_>, name: NodeId, steps: usize) -> Purpose {
    let mut found = Purpose::Open;
    let is_function = unit
        .module
        .bindings(name, unit.module.tree.word(name))
        .1
        .iter()
        .any(|one| matches!(one.what, What::Function(_)));
    if is_function {
        uses::each_use(unit, name, &mut |unit, node| {
            let tree = &unit.module.tree;
            let call = tree.parent(node).filter(|&up| tree.kind(up) == Kind::Call);
            if let Some(call) = call {
                found = found.max(purpose(unit, call, steps));
            }
        });
    }
    found
}

/// Whether what stands in an expression or a statement names a device, or moves something to one.
fn decides_device(unit: &PythonUnit<'_>, node: NodeId) -> bool {
    let tree = &unit.module.tree;
    let devices = &unit.lore.knowledge.devices;
    let members = &unit.positions().members;
    tree.below(node)
        .take(NODES)
        .any(|node| match tree.kind(node) {
            Kind::Str => Literal::read(tree, node).is_some_and(|literal| {
                let value = literal.value().split(|&byte| byte == b':').next();
                devices.iter().any(|one| Some(one.cuda.as_bytes()) == value)
            }),
            // `.cuda()`, `torch.cuda.set_device(…)`
            Kind::Call => {
                let word = unit.module.callee_word(node);
                let mut members = members.iter().filter(|one| one.call);
                members.any(|one| one.cuda.as_bytes() == word)
                    || has(&unit.positions().availability.takes, word) && of_module(unit, node)
            }
            // `from .kernels import ops`, where that leads to code for the device.
            Kind::ImportFrom => tree.child(node, Field::ModuleName).is_some_and(|module| {
                let name = unit.shown(tree.range(module));
                let files = unit.modules.files_of(unit.index, &name);
                let last = files.last();
                last.is_some_and(|&file| unit.modules.reaches_device(file))
            }),
            _ => false,
        })
}

/// `if not torch.cuda.is_available(): return`, in front of what needs the device.
fn ends_before_device(unit: &PythonUnit<'_>, statement: NodeId) -> bool {
    let tree = &unit.module.tree;
    let exits = &unit.positions().availability.exits;
    let body = tree.child(statement, Field::Consequence);
    let Some(last) = body.and_then(|body| tree.children(body).last()) else {
        return false;
    };
    let ends = match tree.kind(last) {
        Kind::Return | Kind::Raise => true,
        _ => tree.nth(last, 0).is_some_and(|inner| {
            tree.kind(inner) == Kind::Call && has(exits, unit.module.callee_word(inner))
        }),
    };
    let block = tree.parent(statement).filter(|_| ends);
    let mut behind = block
        .into_iter()
        .flat_map(|block| tree.children(block))
        .filter(|&one| one > statement)
        .take(NODES);
    behind.any(|one| decides_device(unit, one) || names_module(unit, one))
}

/// Whether a call calls something of the module for CUDA.
fn of_module(unit: &PythonUnit<'_>, call: NodeId) -> bool {
    let callee = unit.module.tree.child(call, Field::Function);
    let name = callee.and_then(|callee| unit.resolve(callee));
    name.is_some_and(|name| name.name.starts_with(&unit.positions().module.cuda))
}

/// Whether something of the module for CUDA is used that does not ask for the platform.
fn names_module(unit: &PythonUnit<'_>, node: NodeId) -> bool {
    let tree = &unit.module.tree;
    let cuda = &unit.positions().module.cuda;
    let platforms = &unit.positions().platforms;
    tree.below(node).take(NODES).any(|node| {
        tree.kind(node) == Kind::Attribute
            && unit.resolve(node).is_some_and(|name| {
                let inside = name.name.strip_prefix(cuda.as_str());
                inside.is_some_and(|rest| rest.starts_with('.'))
                    && platforms.iter().all(|one| one.name != name.name)
            })
    })
}

/// `if not torch.cuda.is_available(): pytest.skip(…)`
fn skips(unit: &PythonUnit<'_>, statement: NodeId) -> Purpose {
    let tree = &unit.module.tree;
    let words = &unit.positions().availability.guards;
    let body = tree.child(statement, Field::Consequence);
    let mut calls = body
        .into_iter()
        .flat_map(|body| tree.below(body).take(NODES));
    let skips = calls.any(|node| {
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
