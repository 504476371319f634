//! What an expression says where a variable of the environment has a value.

use std::collections::BTreeMap;

use super::reader::{Place, Reader};
use torchada_mapping::builds::BuildSwitches;
use torchada_mapping::has;
use torchada_syntax::python::{BoundValue, Field, Kind, Literal, NodeId};

/// How many expressions stand inside each other that are followed.
const DEPTH: usize = 24;

/// What is known of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum EnvironmentValue {
    None,
    Text(String),
    Number(i64),
    Truth(bool),
}

impl EnvironmentValue {
    /// Whether Python takes the value for true.
    pub(super) fn is_true(&self) -> bool {
        match self {
            Self::None => false,
            Self::Text(text) => !text.is_empty(),
            Self::Number(number) => *number != 0,
            Self::Truth(truth) => *truth,
        }
    }
}

/// The values of the parameters of a function that is followed into.
type Parameters<'t> = BTreeMap<&'t [u8], Option<EnvironmentValue>>;

/// Where an expression stands: the parameters of the function around it, and how deep it is.
#[derive(Clone, Copy)]
struct Scope<'a, 't> {
    parameters: &'a Parameters<'t>,
    /// How many more expressions inside each other are followed.
    depth: usize,
}

impl<'a, 't> Scope<'a, 't> {
    fn with(parameters: &'a Parameters<'t>, depth: usize) -> Self {
        Self { parameters, depth }
    }

    /// The scope of an expression inside of one of this scope; `None` where as many are inside each other as are followed.
    fn deeper(self) -> Option<Self> {
        let depth = self.depth.checked_sub(1)?;
        Some(Self { depth, ..self })
    }
}

/// Reads expressions as a build does that has one variable set, or not set, and nothing else known.
pub(super) struct Environment<'r, 'p, 't> {
    pub(super) reader: &'r Reader<'p, 't>,
    pub(super) table: &'t BuildSwitches,
    /// The variable, and its value; `None` where it is not set.
    pub(super) variable: (String, Option<String>),
    /// The variables that were asked for, and the first place of each: a file, and an offset in it.
    pub(super) variables_read: BTreeMap<String, (usize, usize)>,
    /// Whether the variable has another default than those that people set a switch to.
    pub(super) is_free: bool,
    /// How many more expressions are looked at.
    pub(super) steps: usize,
}

impl<'t> Environment<'_, '_, 't> {
    /// Whether a condition holds; `None` where nobody knows.
    pub(super) fn truth(&mut self, condition: Place) -> Option<bool> {
        let parameters = Parameters::new();
        let value = self.value(condition, Scope::with(&parameters, DEPTH))?;
        Some(value.is_true())
    }

    fn value(&mut self, at: Place, scope: Scope<'_, 't>) -> Option<EnvironmentValue> {
        let scope = scope.deeper()?;
        self.steps = self.steps.checked_sub(1)?;
        let reader = self.reader;
        let module = reader.module_of(at);
        let tree = &module.tree;
        let part = |node: NodeId| at.with(node);
        match tree.kind(at.node) {
            Kind::None => Some(EnvironmentValue::None),
            Kind::True => Some(EnvironmentValue::Truth(true)),
            Kind::False => Some(EnvironmentValue::Truth(false)),
            Kind::Integer => number(&String::from_utf8_lossy(tree.word(at.node))),
            Kind::Str => Some(EnvironmentValue::Text(self.text(at)?)),
            Kind::Parenthesized => self.value(part(tree.nth(at.node, 0)?), scope),
            Kind::Not => {
                let inner = self.value(part(tree.nth(at.node, 0)?), scope)?;
                Some(EnvironmentValue::Truth(!inner.is_true()))
            }
            Kind::Boolean => self.boolean(at, scope),
            Kind::Conditional => {
                let condition = self.value(part(tree.nth(at.node, 1)?), scope);
                let yes = self.value(part(tree.nth(at.node, 0)?), scope);
                let no = self.value(part(tree.nth(at.node, 2)?), scope);
                if condition?.is_true() { yes } else { no }
            }
            Kind::Comparison => self.comparison(at, scope),
            Kind::Subscript => {
                let of = tree.child(at.node, Field::Value)?;
                if !self.is_mapping(part(of)) {
                    return None;
                }
                let name = part(tree.child(at.node, Field::Subscript)?);
                let name = self.value(name, scope);
                // Without the variable the build ends there.
                let read = self.read(at, name, None);
                read.filter(|value| *value != EnvironmentValue::None)
            }
            Kind::Identifier => {
                let name = tree.word(at.node);
                let (_, [only]) = module.bindings(at.node, name) else {
                    return None;
                };
                match only.what {
                    BoundValue::Parameter => scope.parameters.get(name).cloned().flatten(),
                    BoundValue::Value(value) => {
                        let parameters = Parameters::new();
                        self.value(part(value), Scope::with(&parameters, scope.depth))
                    }
                    BoundValue::Nothing => Some(EnvironmentValue::None),
                    _ => None,
                }
            }
            Kind::Call => self.call(at, scope),
            _ => None,
        }
    }

    /// `a or b`, `a and b`: a side that decides does so whatever the others are, known or not.
    fn boolean(&mut self, at: Place, scope: Scope<'_, 't>) -> Option<EnvironmentValue> {
        let tree = self.reader.tree_of(at);
        let decides = tree.operator(at.node) == b"or";
        let sides: Vec<NodeId> = tree.operands(at.node).collect();
        let mut last = Some(EnvironmentValue::None);
        let mut is_decided = false;
        for side in sides {
            let value = self.value(at.with(side), scope);
            if !is_decided && value.as_ref().is_some_and(|one| one.is_true() == decides) {
                is_decided = true;
                last = Some(EnvironmentValue::Truth(decides));
            } else if !is_decided && last.is_some() {
                last = value;
            }
        }
        last
    }

    /// The text of a literal that has nothing put in.
    fn text(&self, at: Place) -> Option<String> {
        let tree = self.reader.tree_of(at);
        let literal = Literal::plain(tree, at.node)?;
        Some(literal.text().into_owned())
    }

    fn is_mapping(&self, at: Place) -> bool {
        let module = self.reader.module(at.file);
        let name = module.and_then(|module| module.resolve(at.node));
        name.is_some_and(|name| name.name == self.table.mapping)
    }

    /// What a variable holds that is asked for.
    fn read(
        &mut self,
        at: Place,
        name: Option<EnvironmentValue>,
        default: Option<EnvironmentValue>,
    ) -> Option<EnvironmentValue> {
        let Some(EnvironmentValue::Text(name)) = name else {
            return None;
        };
        let start = self.reader.origin(at).1.start;
        self.variables_read
            .entry(name.clone())
            .or_insert((at.file, start));
        if self.variable.0 != name {
            return None;
        }
        if let Some(EnvironmentValue::Text(text)) = &default {
            let known = text.is_empty() || has(&self.table.values, text);
            self.is_free |= !known;
        }
        match &self.variable.1 {
            Some(value) => Some(EnvironmentValue::Text(value.clone())),
            None => Some(default.unwrap_or(EnvironmentValue::None)),
        }
    }

    fn call(&mut self, at: Place, scope: Scope<'_, 't>) -> Option<EnvironmentValue> {
        let module = self.reader.module_of(at);
        let tree = &module.tree;
        let part = |node: NodeId| at.with(node);
        let callee = tree.callee(at.node)?;
        let mut argument = |at: Option<NodeId>| self.value(part(at?), scope);
        let (first, second) = (
            argument(tree.argument(at.node, 0)),
            argument(tree.argument(at.node, 1)),
        );
        let name = module.resolve(callee);
        if name.is_some_and(|name| self.table.get.contains(&name.name)) {
            // A default that is not known is not None.
            if tree.argument(at.node, 1).is_some() && second.is_none() {
                self.read(at, first, None);
                return None;
            }
            return self.read(at, first, second);
        }
        if module.is_builtin(callee, "int") {
            return match first? {
                EnvironmentValue::Text(text) => number(text.trim()),
                EnvironmentValue::Truth(truth) => Some(EnvironmentValue::Number(i64::from(truth))),
                one => Some(one),
            };
        }
        if module.is_builtin(callee, "bool") {
            return Some(EnvironmentValue::Truth(first?.is_true()));
        }
        if module.is_builtin(callee, "str") {
            return first.filter(|one| matches!(one, EnvironmentValue::Text(_)));
        }
        if tree.kind(callee) == Kind::Attribute {
            let object = part(tree.child(callee, Field::Object)?);
            let EnvironmentValue::Text(text) = self.value(object, scope)? else {
                return None;
            };
            return match tree.word(tree.child(callee, Field::Attribute)?) {
                b"lower" | b"casefold" => Some(EnvironmentValue::Text(text.to_lowercase())),
                b"upper" => Some(EnvironmentValue::Text(text.to_uppercase())),
                b"strip" => Some(EnvironmentValue::Text(text.trim().to_owned())),
                _ => None,
            };
        }
        self.function(at, callee, scope)
    }

    /// What a function of the module gives that has one `return`.
    fn function(
        &mut self,
        at: Place,
        callee: NodeId,
        scope: Scope<'_, 't>,
    ) -> Option<EnvironmentValue> {
        let module = self.reader.module_of(at);
        let tree = &module.tree;
        if tree.kind(callee) != Kind::Identifier {
            return None;
        }
        let [only] = module.meanings(callee) else {
            return None;
        };
        let BoundValue::Function(function) = only.what else {
            return None;
        };
        let returned = self.reader.returned(at.with(function));
        let [returned] = returned.as_slice() else {
            return None;
        };
        let mut inner = Parameters::new();
        let parameters = tree.child(function, Field::Parameters)?;
        for (place, one) in tree.children(parameters).take(DEPTH).enumerate() {
            let (name, default) = match tree.kind(one) {
                Kind::Identifier => (Some(one), None),
                Kind::TypedParameter => (tree.nth(one, 0), None),
                _ => (tree.child(one, Field::Name), tree.child(one, Field::Value)),
            };
            let Some(name) = name.map(|name| tree.word(name)) else {
                continue;
            };
            let by_name = tree.keyword(at.node, name);
            let by_place = || {
                let one = tree.argument(at.node, place)?;
                (tree.kind(one) != Kind::KeywordArgument).then_some(one)
            };
            let node = by_name.or_else(by_place).or(default);
            let value = node.and_then(|node| self.value(at.with(node), scope));
            inner.insert(name, value);
        }
        self.value(*returned, Scope::with(&inner, scope.depth))
    }

    fn comparison(&mut self, at: Place, scope: Scope<'_, 't>) -> Option<EnvironmentValue> {
        let tree = self.reader.tree_of(at);
        let part = |node: NodeId| at.with(node);
        let (left, right) = (tree.nth(at.node, 0)?, tree.nth(at.node, 1)?);
        if tree.nth(at.node, 2).is_some() {
            return None;
        }
        let operator = tree.operator(at.node);
        let is_in = match operator {
            b"in" => Some(true),
            b"not in" => Some(false),
            _ => None,
        };
        let one = self.value(part(left), scope);
        if let Some(is_in) = is_in {
            if self.is_mapping(part(right)) {
                let found = self.read(at, one, None)?;
                return Some(EnvironmentValue::Truth(
                    (found != EnvironmentValue::None) == is_in,
                ));
            }
            let items: Vec<NodeId> = match tree.kind(right) {
                Kind::List | Kind::Tuple | Kind::Set => tree.children(right).collect(),
                _ => return None,
            };
            let one = one?;
            let items: Option<Vec<EnvironmentValue>> = items
                .into_iter()
                .map(|item| self.value(part(item), scope))
                .collect();
            return Some(EnvironmentValue::Truth(items?.contains(&one) == is_in));
        }
        let other = self.value(part(right), scope);
        let (one, other) = (one?, other?);
        match operator {
            b"==" | b"is" => Some(EnvironmentValue::Truth(one == other)),
            b"!=" | b"is not" => Some(EnvironmentValue::Truth(one != other)),
            _ => None,
        }
    }
}

fn number(text: &str) -> Option<EnvironmentValue> {
    text.parse().ok().map(EnvironmentValue::Number)
}
