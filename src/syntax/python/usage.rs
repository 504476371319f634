//! Finds the code that takes the value of an expression: the nearest construct around it that gives the value a
//! meaning.

use std::borrow::Cow;

use super::Module;
use super::combined::COPIES;
use super::consumer::{Consumer, Use, Wrapper};
use super::kind::{Field, Kind};
use super::records::NodeId;
use super::string::Literal;
use super::tree::Tree;

/// How far a value is followed before the answer is that nobody knows.
const REACH: usize = 64;

/// Whether the climb goes on from a node, or ends.
enum Next {
    Up(Option<Wrapper>, NodeId),
    End(Consumer),
}

/// The item of a list that stands at a node by itself, where the last step came from there.
fn item_at(tree: &Tree<'_>, node: NodeId, last: Option<Wrapper>) -> Option<NodeId> {
    match last {
        Some(Wrapper::Among(item)) if tree.parent(item) == Some(node) => Some(item),
        _ => None,
    }
}

/// Whether a node's value is that of its part.
fn hands_on(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Parenthesized
            | Kind::Await
            | Kind::ConcatenatedString
            | Kind::ListSplat
            | Kind::DictionarySplat
            | Kind::UnionPattern
            | Kind::GenericType
            | Kind::TypeParameter
            | Kind::UnionType
            | Kind::MemberType
    )
}

/// Whether a node's value has the value of the part in a field among others.
fn takes_one_of_several(kind: Kind, field: Field) -> bool {
    match kind {
        Kind::List
        | Kind::Tuple
        | Kind::Set
        | Kind::ExpressionList
        | Kind::ListPattern
        | Kind::TuplePattern => true,
        Kind::ListComprehension | Kind::SetComprehension | Kind::Generator => field == Field::Body,
        _ => false,
    }
}

impl Module<'_> {
    /// The code that takes the value of an expression.
    pub fn use_of(&self, expression: NodeId) -> Use {
        let mut steps = Vec::new();
        let mut at = expression;
        for _ in 0..REACH {
            let next = match self.tree.parent(at) {
                Some(parent) if !self.tree.is_broken(at) => {
                    self.step(at, parent, steps.last().copied())
                }
                _ => Next::End(Consumer::Unknown),
            };
            match next {
                Next::Up(step, node) => {
                    steps.extend(step);
                    at = node;
                }
                Next::End(consumer) => return Use { consumer, steps },
            }
        }
        let consumer = Consumer::Unknown;
        Use { consumer, steps }
    }

    /// What the parent of a node does with the node's value: it hands it on as its own, or one of its values, or takes it.
    fn step(&self, node: NodeId, parent: NodeId, last: Option<Wrapper>) -> Next {
        let tree = &self.tree;
        let field = tree.field(node);
        let kind = tree.kind(parent);
        let up = |step| Next::Up(step, parent);
        if hands_on(kind) {
            return up(None);
        }
        if takes_one_of_several(kind, field) {
            return up(Some(Wrapper::Among(node)));
        }
        // A consumer that another part of the parent tells.
        let known = |field, consumer: fn(NodeId) -> Consumer| {
            let part = tree.child(parent, field);
            Next::End(part.map_or(Consumer::Unknown, consumer))
        };
        match kind {
            Kind::Error => Next::End(Consumer::Unknown),
            Kind::CasePattern => match tree.parent(parent) {
                Some(case) if tree.kind(case) == Kind::Case => self.pattern(case),
                _ => up(None),
            },
            Kind::DictPattern | Kind::ClassPattern | Kind::KeywordPattern => {
                Next::End(Consumer::Other)
            }
            Kind::Conditional if tree.ordinal(node) == 1 => Next::End(Consumer::Condition),
            Kind::Interpolation if field == Field::Expression => match tree.parent(parent) {
                Some(string) => Next::Up(Some(Wrapper::Formatted(string)), string),
                None => Next::End(Consumer::Unknown),
            },
            Kind::Binary => self.operator(parent),
            Kind::Attribute if field == Field::Object => self.receiver(node, parent),
            Kind::ArgumentList => self.argument(node, parent),
            Kind::KeywordArgument => self.keyword(parent),
            Kind::DefaultParameter | Kind::TypedDefaultParameter => {
                match (tree.child(parent, Field::Name), tree.parent(parent)) {
                    (Some(name), Some(parameters)) if field == Field::Value => {
                        Next::End(Consumer::Default { name, parameters })
                    }
                    _ => up(None),
                }
            }
            Kind::Assignment | Kind::Augmented if field == Field::Right => {
                self.target(parent, item_at(tree, node, last))
            }
            Kind::Named => known(Field::Name, |target| Consumer::Target { target }),
            Kind::For | Kind::ForIn if field == Field::Right => {
                known(Field::Left, |target| Consumer::Loop { target })
            }
            Kind::Return | Kind::Yield => {
                let function = tree.home(parent);
                Next::End(Consumer::Return { function })
            }
            Kind::Lambda => Next::End(Consumer::Return { function: None }),
            Kind::Comparison => self.comparison(node, parent),
            Kind::Subscript if field == Field::Subscript => {
                known(Field::Value, |of| Consumer::Item { of })
            }
            // `["a", "b"][n]`: what comes out is one of what went in.
            Kind::Conditional | Kind::Boolean | Kind::Subscript => {
                up(Some(Wrapper::Choice(parent)))
            }
            Kind::Pair if field == Field::Key => Next::End(Consumer::DictKey { pair: parent }),
            Kind::Pair => Next::End(Consumer::DictValue { pair: parent }),
            Kind::If | Kind::Elif | Kind::While | Kind::IfClause | Kind::Not => {
                Next::End(Consumer::Condition)
            }
            Kind::Assert if tree.ordinal(node) == 0 => Next::End(Consumer::Condition),
            Kind::Assert | Kind::Raise | Kind::Print => Next::End(Consumer::Message),
            Kind::Type => match tree.parent(parent).map(|above| tree.kind(above)) {
                Some(Kind::TypeParameter | Kind::UnionType | Kind::MemberType) => up(None),
                _ => Next::End(Consumer::Annotation),
            },
            Kind::ExpressionStatement => Next::End(self.statement(node, parent)),
            _ => Next::End(Consumer::Other),
        }
    }

    fn pattern(&self, case: NodeId) -> Next {
        let tree = &self.tree;
        let at = tree
            .ancestors(case)
            .find(|&one| tree.kind(one) == Kind::Match);
        let subject = at.and_then(|at| tree.child(at, Field::Subject));
        Next::End(match (at, subject) {
            (Some(at), Some(subject)) => Consumer::Pattern { at, subject },
            _ => Consumer::Unknown,
        })
    }

    fn operator(&self, parent: NodeId) -> Next {
        let tree = &self.tree;
        let operator = tree.child(parent, Field::Operator);
        match operator.map_or(&b""[..], |one| tree.word(one)) {
            b"+" | b"%" => Next::Up(Some(Wrapper::Joined(parent)), parent),
            b"/" => Next::End(Consumer::Path),
            b"*" | b"|" | b"&" | b"-" => Next::Up(None, parent),
            _ => Next::End(Consumer::Other),
        }
    }

    /// `node.method(…)`.
    fn receiver(&self, node: NodeId, attribute: NodeId) -> Next {
        let tree = &self.tree;
        let method = tree.child(attribute, Field::Attribute);
        let call = tree
            .parent(attribute)
            .filter(|&call| tree.kind(call) == Kind::Call);
        let text = matches!(tree.kind(node), Kind::Str | Kind::ConcatenatedString)
            || tree.kind(node) == Kind::Parenthesized;
        match (method.map(|method| tree.word(method)), call) {
            (Some(b"format"), Some(call)) if text => Next::Up(Some(Wrapper::Joined(call)), call),
            (Some(b"lower" | b"upper" | b"strip" | b"copy"), Some(call)) => {
                Next::Up(Some(Wrapper::Converted(call)), call)
            }
            _ => Next::End(Consumer::Receiver { attribute }),
        }
    }

    fn argument(&self, node: NodeId, list: NodeId) -> Next {
        let tree = &self.tree;
        let Some(call) = tree
            .parent(list)
            .filter(|&one| tree.kind(one) == Kind::Call)
        else {
            return Next::End(Consumer::Other);
        };
        if let Some(step) = self.passes_on(call) {
            return Next::Up(Some(step), call);
        }
        let splat = tree
            .children(list)
            .take_while(|&one| one != node)
            .take(REACH)
            .any(|one| matches!(tree.kind(one), Kind::ListSplat | Kind::DictionarySplat));
        let position = tree.ordinal(node);
        let known = !splat && position < REACH && tree.kind(node) != Kind::ListSplat;
        if let Some(target) = known.then(|| self.target_of_each(call, position)).flatten() {
            return Next::End(Consumer::Loop { target });
        }
        Next::End(Consumer::Argument {
            call,
            position: known.then_some(position),
        })
    }

    /// A call that gives its argument back in another form.
    fn passes_on(&self, call: NodeId) -> Option<Wrapper> {
        let tree = &self.tree;
        let callee = tree.callee(call)?;
        if self.calls_any(call, COPIES) {
            return Some(Wrapper::Converted(call));
        }
        if tree.kind(callee) == Kind::Attribute {
            let object = tree.child(callee, Field::Object)?;
            Literal::read(tree, object)?;
            let method = tree.word(tree.child(callee, Field::Attribute)?);
            return matches!(method, b"format" | b"join").then_some(Wrapper::Joined(call));
        }
        None
    }

    fn keyword(&self, argument: NodeId) -> Next {
        let tree = &self.tree;
        let call = tree.parent(argument).and_then(|list| tree.parent(list));
        match (call, tree.child(argument, Field::Name)) {
            (Some(call), Some(name)) => match self
                .passes_on(call)
                .filter(|_| tree.kind(call) == Kind::Call)
            {
                Some(step) => Next::Up(Some(step), call),
                None => Next::End(Consumer::Keyword { call, name }),
            },
            _ => Next::End(Consumer::Unknown),
        }
    }

    /// `a, b = x, y`: the target that stands where the value does.
    fn target(&self, assignment: NodeId, item: Option<NodeId>) -> Next {
        let tree = &self.tree;
        let Some(target) = tree.child(assignment, Field::Left) else {
            return Next::End(Consumer::Unknown);
        };
        let list = matches!(
            tree.kind(target),
            Kind::PatternList | Kind::TuplePattern | Kind::ListPattern
        );
        let one = item.filter(|_| list).and_then(|item| {
            let items = tree.parent(item)?;
            let pairs = tree.children(items).count() == tree.children(target).count();
            pairs.then(|| tree.nth(target, tree.ordinal(item)))?
        });
        let target = one.unwrap_or(target);
        Next::End(match &*self.last_name(target) {
            // `function.__doc__ = "…"`
            b"__doc__" => Consumer::Docstring,
            _ => Consumer::Target { target },
        })
    }

    fn comparison(&self, node: NodeId, at: NodeId) -> Next {
        let tree = &self.tree;
        let parts: Vec<NodeId> = tree.children(at).take(REACH).collect();
        let place = parts.iter().position(|&part| part == node);
        let found = place.and_then(|place| {
            // `a == "x" == b`: the operator on the left tells more.
            if place >= 2 {
                Some((*parts.get(place - 1)?, *parts.get(place - 2)?, false))
            } else {
                Some((*parts.get(place + 1)?, *parts.get(place + 2)?, true))
            }
        });
        Next::End(match found {
            Some((operator, other, on_left)) => Consumer::Comparison {
                at,
                operator,
                other,
                on_left,
            },
            None => Consumer::Unknown,
        })
    }

    fn statement(&self, node: NodeId, statement: NodeId) -> Consumer {
        let tree = &self.tree;
        let string = matches!(tree.kind(node), Kind::Str | Kind::ConcatenatedString);
        let Some(block) = tree.parent(statement) else {
            return Consumer::Statement;
        };
        let of = tree.parent(block).map_or(Kind::Module, |of| tree.kind(of));
        let holder = tree.kind(block) == Kind::Module || matches!(of, Kind::Function | Kind::Class);
        // A string below a field documents it, too, by custom.
        if string && (holder || tree.kind(block) == Kind::Block) {
            Consumer::Docstring
        } else {
            Consumer::Statement
        }
    }

    /// The last name of a target, a keyword or any other expression: `self.device` is `device`,
    /// `options["device"]` is `device`, and so is `options[KEY]` where the module sets `KEY` to that text. Empty where it
    /// has none.
    pub fn last_name(&self, node: NodeId) -> Cow<'_, [u8]> {
        let tree = &self.tree;
        let plain = |node| Literal::read(tree, node).filter(Literal::is_plain);
        let text = match tree.kind(node) {
            Kind::Identifier => Some(node),
            Kind::Attribute => tree.child(node, Field::Attribute),
            Kind::Subscript => {
                let key = tree.child(node, Field::Subscript);
                let named = || key.and_then(|key| self.only_value_but_none(key));
                let key = key.and_then(plain).or_else(|| plain(named()?));
                return key.map_or_else(Cow::default, |key| key.value().to_vec().into());
            }
            Kind::Str => {
                return plain(node).map_or_else(Cow::default, |key| key.value().to_vec().into());
            }
            Kind::Parenthesized | Kind::Await => {
                let inner = tree.nth(node, 0);
                return inner.map_or_else(Cow::default, |inner| self.last_name(inner));
            }
            _ => None,
        };
        text.map_or_else(Cow::default, |name| tree.word(name).into())
    }
}
