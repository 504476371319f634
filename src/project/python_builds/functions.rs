//! The functions of a tree: their parameters, the calls of them, and what they return.

use super::reader::{Frame, Place, Reader};
use super::value::Value;
use torchada_syntax::python::{BoundValue, Field, Kind, NodeId, ScopeId};

/// What a call gives to a parameter.
pub(super) enum ParameterValue {
    /// An expression.
    At(Place),
    /// Nothing: it has its default.
    Nothing,
    /// An argument that may stand in `*args` or `**kwargs`.
    Unseen,
}

impl Reader<'_, '_> {
    /// The function that a parameter, or another node, stands in.
    pub(super) fn function_of(&self, at: Place) -> Option<Place> {
        let tree = self.tree_of(at);
        let node = tree.home(at.node)?;
        Some(at.with(node))
    }

    /// The calls of a function; `None` where it may be called by what is not seen.
    pub(super) fn calls_of(&mut self, function: Place) -> Option<Vec<Place>> {
        let parsed = self.module_of(function);
        let tree = &parsed.tree;
        let named = tree.child(function.node, Field::Name)?;
        let name = tree.word(named);
        let (scope, bindings) = parsed.bindings(named, name);
        if bindings.len() != 1 || self.is_method(function) {
            return None;
        }
        let mut calls = Vec::new();
        for node in self.uses(function.file, scope, name) {
            if node != named {
                calls.push(self.call_at(function.file, node)?);
            }
        }
        if scope == ScopeId::MODULE {
            let word = String::from_utf8_lossy(name).into_owned();
            let others = self.tree.files_with(name).into_iter();
            for other in others.filter(|&other| other != function.file) {
                let Some(parsed) = self.module(other) else {
                    continue;
                };
                for &node in parsed.places_of(name) {
                    if let Some(whole) = self.leading_to(other, node, (function.file, &word)) {
                        calls.push(self.call_at(other, whole)?);
                    }
                }
            }
        }
        (calls.len() <= self.table.limits.calls).then_some(calls)
    }

    /// The whole expression that an identifier of a file ends, where it means a name at the top of a module.
    fn leading_to(&self, file: usize, node: NodeId, to: (usize, &str)) -> Option<NodeId> {
        let parsed = self.module(file)?;
        let tree = &parsed.tree;
        let up = tree.parent(node)?;
        let whole = match tree.kind(up) {
            Kind::Attribute if tree.field(node) == Field::Attribute => up,
            Kind::DottedName | Kind::AliasedImport | Kind::KeywordArgument | Kind::Function => {
                return None;
            }
            _ => node,
        };
        let found = parsed.resolve(whole)?;
        let (module, rest) = self.tree.resolve(file, &found.name)?;
        let is_it = module == to.0 && rest == [to.1];
        // A package hands on names of its modules.
        let is_handed_on = rest == [to.1] && self.hands_on(module, to);
        (is_it || is_handed_on).then_some(whole)
    }

    /// Whether a package imports a name from a module.
    fn hands_on(&self, package: usize, to: (usize, &str)) -> bool {
        let Some(parsed) = self.module(package) else {
            return false;
        };
        let bindings = parsed.bindings_in(ScopeId::MODULE, to.1.as_bytes()).iter();
        bindings
            .filter(|one| matches!(one.what, BoundValue::Import(_)))
            .any(|one| {
                let BoundValue::Import(path) = &one.what else {
                    return false;
                };
                let found = self.tree.resolve(package, path);
                found.is_some_and(|(file, rest)| file == to.0 && rest == [to.1])
            })
    }

    fn call_at(&self, file: usize, callee: NodeId) -> Option<Place> {
        let node = self.module(file)?.tree.call_of(callee)?;
        Some(Place { file, node })
    }

    fn is_method(&self, function: Place) -> bool {
        let tree = self.tree_of(function);
        let mut above = tree.ancestors(function.node);
        let around = above.find(|&up| matches!(tree.kind(up), Kind::Class | Kind::Function));
        around.is_some_and(|up| tree.kind(up) == Kind::Class)
    }

    /// What a call gives to a parameter.
    pub(super) fn argument_node(
        &self,
        parameter: Place,
        function: Place,
        call: Place,
    ) -> ParameterValue {
        self.place_of(parameter, function)
            .and_then(|(place, name)| self.argument_at(place, name, call))
            .unwrap_or(ParameterValue::Unseen)
    }

    /// The place of a parameter among those of a function, and its name; `None` where it may take any argument.
    fn place_of(&self, parameter: Place, function: Place) -> Option<(usize, &[u8])> {
        let tree = self.tree_of(function);
        let list = tree.child(function.node, Field::Parameters)?;
        let parameters: Vec<NodeId> = tree.operands(list).collect();
        let holds = |one: NodeId| {
            one == parameter.node || tree.below(one).any(|inner| inner == parameter.node)
        };
        let place = parameters.iter().position(|&one| holds(one))?;
        let is_star = |one: NodeId| {
            let named = tree.nth(one, 0).unwrap_or(one);
            [one, named].iter().any(|&one| {
                matches!(
                    tree.kind(one),
                    Kind::ListSplatPattern | Kind::DictionarySplatPattern
                )
            })
        };
        let mut before = parameters.iter().take(place + 1);
        (!before.any(|&one| is_star(one))).then(|| (place, tree.word(parameter.node)))
    }

    fn argument_at(&self, place: usize, name: &[u8], call: Place) -> Option<ParameterValue> {
        let tree = self.tree_of(call);
        if let Some(node) = tree.keyword(call.node, name) {
            return Some(ParameterValue::At(call.with(node)));
        }
        let mut arguments = tree.arguments(call.node);
        let is_splat =
            |one: NodeId| matches!(tree.kind(one), Kind::ListSplat | Kind::DictionarySplat);
        if arguments.any(is_splat) {
            return None;
        }
        let by_place = tree
            .argument(call.node, place)
            .filter(|&one| tree.kind(one) != Kind::KeywordArgument);
        Some(by_place.map_or(ParameterValue::Nothing, |node| {
            ParameterValue::At(call.with(node))
        }))
    }

    /// The default of a parameter.
    pub(super) fn default_node(&self, parameter: Place) -> Option<Place> {
        let tree = self.tree_of(parameter);
        let up = tree.parent(parameter.node)?;
        let has_default = matches!(
            tree.kind(up),
            Kind::DefaultParameter | Kind::TypedDefaultParameter
        );
        let node = tree.child(up, Field::Value).filter(|_| has_default)?;
        Some(parameter.with(node))
    }

    /// The function of the tree's that a call surely calls.
    pub(super) fn called(&mut self, call: Place) -> Option<Place> {
        let module = self.module_of(call);
        let tree = &module.tree;
        let callee = tree.callee(call.node)?;
        if tree.kind(callee) == Kind::Identifier
            && let [only] = module.meanings(callee)
            && let BoundValue::Function(node) = only.what
        {
            self.read.insert(call.with(callee));
            return Some(call.with(node));
        }
        let found = module.resolve(callee)?;
        let (mut file, rest) = self.tree.resolve(call.file, &found.name)?;
        let &[name] = rest.as_slice() else {
            return None;
        };
        self.read.insert(call.with(callee));
        let mut name = name.to_owned();
        // A package hands on names of its modules.
        for _ in 0..4 {
            let parsed = self.module(file)?;
            let [only] = parsed.bindings_in(ScopeId::MODULE, name.as_bytes()) else {
                return None;
            };
            match &only.what {
                BoundValue::Function(node) => return Some(Place { file, node: *node }),
                BoundValue::Import(path) => {
                    let (next, rest) = self.tree.resolve(file, path)?;
                    let &[last] = rest.as_slice() else {
                        return None;
                    };
                    (file, name) = (next, last.to_owned());
                }
                _ => return None,
            }
        }
        None
    }

    /// The expressions that a function returns.
    pub(super) fn returned(&self, function: Place) -> Vec<Place> {
        let tree = self.tree_of(function);
        let given = tree.below(function.node).filter(|&one| {
            matches!(tree.kind(one), Kind::Return | Kind::Yield)
                && tree.home(one) == Some(function.node)
        });
        given
            .filter_map(|one| tree.nth(one, 0))
            .map(|node| function.with(node))
            .collect()
    }

    /// What a call of a function of the tree's gives.
    pub(super) fn result(&mut self, function: Place, call: Place) -> Value {
        let returned = self.returned(function);
        if returned.is_empty() {
            return self.unknown(call);
        }
        self.inside(Frame { function, call }, |reader| {
            let mut value = Value::default();
            for one in returned {
                let only = reader.condition(one);
                value.add(reader.value(one).only(only));
            }
            value
        })
    }
}
