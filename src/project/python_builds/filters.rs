//! What is left of the texts that a loop goes over where a condition chooses among them.

use std::sync::Arc;

use super::reader::{Conditions, Place, Reader};
use super::value::{ANY_FOLDERS, RuledOut, Value};
use torchada_mapping::ends_with_one;
use torchada_syntax::python::{BoundValue, Field, Kind, NodeId, Tree};

/// How many conditions around a node are kept at most for the next question about the node. Only a file that somebody makes
/// to use up memory has nodes with more.
const MOST_KEPT: usize = 16;

/// What a condition asks of a text.
enum Test {
    /// Whether it has one of these at its end.
    Ends(Vec<String>),
    /// Whether it has this somewhere.
    Holds(String),
}

impl Reader<'_, '_> {
    /// What a name holds where it stands, of what it may hold at all.
    pub(super) fn filtered(&mut self, at: Place, name: &[u8], value: Value) -> Value {
        let parsed = self.module_of(at);
        let tree = &parsed.tree;
        let bindings = parsed.bindings(at.node, name).1;
        let [only] = bindings else {
            return value;
        };
        if value.is_list {
            return value;
        }
        let mut above = tree.ancestors(only.at);
        let over = above.find(|&up| {
            matches!(
                tree.kind(up),
                Kind::For | Kind::ForIn | Kind::Block | Kind::Module
            )
        });
        let over = over.filter(|_| only.what == BoundValue::Unknown);
        let mut conditions: Vec<(NodeId, bool)> = Vec::new();
        if let Some(over) = over.filter(|&over| tree.kind(over) == Kind::ForIn) {
            let inside_clause = tree
                .ancestors(at.node)
                .any(|up| matches!(tree.kind(up), Kind::IfClause | Kind::ForIn));
            let whole = tree.parent(over).filter(|_| !inside_clause);
            let clauses = whole.into_iter().flat_map(|whole| tree.children(whole));
            let clauses = clauses.filter(|&one| tree.kind(one) == Kind::IfClause);
            conditions.extend(clauses.filter_map(|one| Some((tree.nth(one, 0)?, true))));
        } else {
            conditions.extend_from_slice(&self.governing(at, over));
        }
        let mut value = value;
        for (condition, holds) in conditions {
            let condition = at.with(condition);
            value = self.narrowed(value, condition, name, holds);
        }
        value
    }

    /// The conditions that a node stands under, each with whether it holds there: up to a node around it.
    pub(super) fn governing(&mut self, at: Place, up_to: Option<NodeId>) -> Conditions {
        // A node is asked about again on each way that leads to it.
        if let Some(known) = self.conditions_around.get(&(at, up_to)) {
            return Conditions::clone(known);
        }
        let found: Conditions = conditions_around(self.tree_of(at), at.node, up_to).into();
        if found.len() <= MOST_KEPT {
            let known = Conditions::clone(&found);
            self.conditions_around.insert((at, up_to), known);
        }
        found
    }

    /// What is left of some texts where a condition on a name holds, or where it does not.
    fn narrowed(&mut self, value: Value, condition: Place, name: &[u8], holds: bool) -> Value {
        let tree = self.tree_of(condition);
        let node = condition.node;
        let part = |at: usize| tree.nth(node, at).map(|node| condition.with(node));
        match tree.kind(node) {
            Kind::Parenthesized => match part(0) {
                Some(inner) => self.narrowed(value, inner, name, holds),
                None => value,
            },
            Kind::Not => match tree.children(node).last() {
                Some(inner) => {
                    let inner = condition.with(inner);
                    self.narrowed(value, inner, name, !holds)
                }
                None => value,
            },
            Kind::Boolean => {
                let is_and = tree.operator(node) == b"and";
                let (Some(left), Some(right)) = (part(0), part(1)) else {
                    return value;
                };
                if is_and == holds {
                    let value = self.narrowed(value, left, name, holds);
                    self.narrowed(value, right, name, holds)
                } else {
                    let mut either = self.narrowed(value.clone(), left, name, holds);
                    either.add(self.narrowed(value, right, name, holds));
                    either
                }
            }
            _ => {
                self.literals.extend(
                    tree.below(node)
                        .filter(|&one| tree.kind(one) == Kind::Str)
                        .map(|one| (condition.file, tree.range(one))),
                );
                match self.test(condition, name) {
                    Some((test, is_positive)) => filtered(value, &test, holds == is_positive),
                    None => value,
                }
            }
        }
    }

    /// What a condition asks of a name.
    fn test(&mut self, condition: Place, name: &[u8]) -> Option<(Test, bool)> {
        let tree = self.tree_of(condition);
        let node = condition.node;
        let at = |node: NodeId| condition.with(node);
        let is_name = |node: NodeId| {
            let node = unwrapped(tree, node);
            tree.kind(node) == Kind::Identifier && tree.word(node) == name
        };
        let mentions = |node: NodeId| {
            let mut below = tree.with_below(node);
            below.any(|one| tree.kind(one) == Kind::Identifier && tree.word(one) == name)
        };
        match tree.kind(node) {
            Kind::Call => {
                let (object, member) = tree.object_and_name(tree.callee(node)?)?;
                let member = tree.word(member);
                if member == b"endswith" && is_name(object) {
                    let ends = self.value(at(tree.argument(node, 0)?));
                    return Some((Test::Ends(texts(&ends)?), true));
                }
                if member == b"fnmatch" && is_name(tree.argument(node, 0)?) {
                    let pattern = self.value(at(tree.argument(node, 1)?));
                    let ends = texts(&pattern)?.into_iter();
                    let ends =
                        ends.map(|one| one.rsplit('*').next().unwrap_or_default().to_owned());
                    return Some((Test::Ends(ends.collect()), true));
                }
                None
            }
            Kind::Comparison => {
                let (left, right) = (tree.nth(node, 0)?, tree.nth(node, 1)?);
                let operator = tree.operator(node);
                let is_not = operator.starts_with(b"not");
                if operator.ends_with(b"in") && is_name(right) {
                    let options = texts(&self.value(at(left)))?;
                    let [one] = options.as_slice() else {
                        return None;
                    };
                    return Some((Test::Holds(one.clone()), !is_not));
                }
                // `path.suffix == ".cu"`, `os.path.splitext(name)[1] in (".cu", ".cpp")`
                let is_equal = matches!(operator, b"==" | b"!=") || operator.ends_with(b"in");
                if !is_equal || !mentions(left) || is_name(left) {
                    return None;
                }
                let ends = texts(&self.value(at(right)))?;
                let are_endings = ends.iter().all(|one| one.starts_with('.'));
                let is_positive = operator != b"!=" && !is_not;
                (are_endings && !ends.is_empty()).then_some((Test::Ends(ends), is_positive))
            }
            _ => None,
        }
    }
}

/// The argument of `str(…)`, as often as it stands there; else the node itself.
fn unwrapped(tree: &torchada_syntax::python::Tree<'_>, node: NodeId) -> NodeId {
    let is_one = tree.kind(node) == Kind::Call
        && tree
            .callee(node)
            .is_some_and(|callee| tree.word(callee) == b"str");
    tree.argument(node, 0).filter(|_| is_one).unwrap_or(node)
}

/// The texts of a value that is known.
fn texts(value: &Value) -> Option<Vec<String>> {
    let is_known = value.open.is_none() && !value.items.is_empty();
    let texts = value.items.iter().map(|one| one.text.to_string());
    is_known.then(|| texts.collect())
}

fn filtered(value: Value, test: &Test, holds: bool) -> Value {
    match test {
        Test::Ends(ends) if holds => {
            let mut left = Value {
                items: Vec::new(),
                ..value.clone()
            };
            for end in ends {
                left.add(value.clone().map(|text| with_end(text, end)));
            }
            left
        }
        Test::Ends(ends) => {
            let has = |text: &str| ends_with_one(text, ends);
            let ends = ends.iter().map(|end| RuledOut::End(end.as_str().into()));
            left_out(value, has, &ends.collect::<Vec<_>>())
        }
        Test::Holds(part) => {
            let is_out = |text: &str| !text.contains('*') && text.contains(part.as_str()) != holds;
            let part: Arc<str> = part.as_str().into();
            let without = if holds {
                RuledOut::Lack(part)
            } else {
                RuledOut::Part(part)
            };
            left_out(value, is_out, &[without])
        }
    }
}

/// A value without some texts; those that are not known in all parts remember what they are not.
fn left_out(mut value: Value, is_out: impl Fn(&str) -> bool, without: &[RuledOut]) -> Value {
    value.items.retain(|item| !is_out(&item.text));
    for item in &mut value.items {
        if item.text.contains('*') {
            item.without.extend_from_slice(without);
        }
    }
    value
}

/// A text that has an end, as far as it is known.
fn with_end(text: &str, end: &str) -> Option<String> {
    if text.ends_with(end) {
        return Some(text.to_owned());
    }
    if text == ANY_FOLDERS || text.ends_with("/**") {
        return Some(format!("{text}/*{end}"));
    }
    text.ends_with('*').then(|| format!("{text}{end}"))
}

/// The conditions that a node stands under, each with whether it holds there: up to a node around it.
pub(super) fn conditions_around(
    tree: &Tree<'_>,
    node: NodeId,
    up_to: Option<NodeId>,
) -> Vec<(NodeId, bool)> {
    let mut is_last = false;
    let around = tree.ancestors(node).take_while(|&up| {
        let is_inside =
            !is_last && !matches!(tree.kind(up), Kind::Function | Kind::Lambda | Kind::Class);
        is_last = up_to == Some(up);
        is_inside
    });
    // `if …: continue` before it.
    let skips = |one: NodeId| {
        let block = tree.child(one, Field::Consequence);
        let only = block.and_then(|block| tree.nth(block, 0));
        only.is_some_and(|only| tree.word(only) == b"continue")
            && tree.child(one, Field::Alternative).is_none()
    };
    let premises = tree.premises(node, around, &skips).into_iter();
    let of_branches = premises
        .filter(|one| matches!(tree.kind(one.of), Kind::If | Kind::Elif | Kind::Conditional));
    of_branches.map(|one| (one.condition, one.holds)).collect()
}
