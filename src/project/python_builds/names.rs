//! What names hold: variables, parameters, members of modules.

use super::functions::ParameterValue;
use super::reader::{Frame, Place, Reader, Variable};
use super::value::{ROOT, Value};
use torchada_syntax::python::{Binding, BoundValue, Field, Kind, ScopeId};

impl Reader<'_, '_> {
    /// What a name holds where it stands.
    pub(super) fn name(&mut self, at: Place) -> Value {
        let parsed = self.module_of(at);
        self.read.insert(at);
        let name = parsed.tree.word(at.node);
        let (scope, bindings) = parsed.bindings(at.node, name);
        if bindings.is_empty() {
            if name == b"__file__" {
                let path = format!("{ROOT}/{}", self.tree.places.path(at.file));
                return Value::text(&path, None);
            }
            return self.star(at, name);
        }
        let value = self.bound(at.file, scope, name);
        self.filtered(at, name, value)
    }

    /// What a name of a scope holds: what it is bound to, and what is added to it.
    fn bound(&mut self, file: usize, scope: ScopeId, name: &[u8]) -> Value {
        if scope != ScopeId::MODULE {
            return self.bound_here(file, scope, name);
        }
        let variable = Variable {
            file,
            scope,
            name: name.into(),
        };
        self.top(variable, |reader| reader.bound_here(file, scope, name))
    }

    fn bound_here(&mut self, file: usize, scope: ScopeId, name: &[u8]) -> Value {
        let Some(parsed) = self.module(file) else {
            return Value::default();
        };
        let mut value = Value::default();
        let bindings = parsed.bindings_in(scope, name);
        for binding in bindings {
            let at = Place {
                file,
                node: binding.at,
            };
            let part = self.binding(at, binding);
            let only = self.condition(at);
            value.add(part.only(only));
        }
        for node in self.uses(file, scope, name) {
            if let Some(added) = self.mutation(file, node) {
                let only = self.condition(Place { file, node });
                let added = self.added(Place { file, node: added }).only(only);
                // A loop may add to a list of which it goes over another.
                let is_list = value.is_list;
                value.add(added);
                value.is_list |= is_list;
            }
        }
        let variable = Variable {
            file,
            scope,
            name: name.into(),
        };
        for item in &value.items {
            if let Some(origin) = item.origin {
                let trail = self.trails.entry(origin).or_default();
                trail.insert(variable.clone());
            }
        }
        value
    }

    /// What the arguments of a method, or the right side of an assignment, add.
    fn added(&mut self, at: Place) -> Value {
        let tree = self.tree_of(at);
        if tree.kind(at.node) != Kind::ArgumentList {
            return self.value(at);
        }
        let mut value = Value::default();
        for node in tree.children(at.node) {
            value.add(self.value(at.with(node)));
        }
        value.listed()
    }

    fn binding(&mut self, at: Place, binding: &Binding) -> Value {
        let tree = self.tree_of(at);
        match &binding.what {
            BoundValue::Value(value) => self.part(at, Some(*value)),
            BoundValue::Nothing | BoundValue::Deleted => Value::default(),
            BoundValue::Parameter => self.parameter(at),
            BoundValue::Import(path) => self.imported(at, path),
            BoundValue::Function(_) | BoundValue::Class(_) => self.unknown(at),
            BoundValue::Unknown => {
                let mut above = tree.ancestors(at.node);
                let statement = above.find(|&up| {
                    matches!(
                        tree.kind(up),
                        Kind::Augmented | Kind::For | Kind::ForIn | Kind::Block | Kind::Module
                    )
                });
                match statement {
                    Some(up) if tree.kind(up) == Kind::Augmented => {
                        self.part(at, tree.child(up, Field::Right))
                    }
                    Some(up) if matches!(tree.kind(up), Kind::For | Kind::ForIn) => {
                        self.element(at, up)
                    }
                    _ => self.unknown(at),
                }
            }
        }
    }

    /// What a parameter holds: what the call that is followed gives it, else what any call of the tree gives it.
    fn parameter(&mut self, at: Place) -> Value {
        let Some(function) = self.function_of(at) else {
            return self.unknown(at);
        };
        let followed =
            self.at_followed_call(function, |reader, call| reader.argument(at, function, call));
        if let Some(value) = followed {
            return value;
        }
        let Some(calls) = self.calls_of(function) else {
            return self.unknown(at);
        };
        let mut value = Value::default();
        if calls.is_empty() {
            value = self.default_of(at);
        }
        for call in calls {
            value.add(self.argument(at, function, call));
        }
        value
    }

    /// What a call gives to a parameter.
    fn argument(&mut self, at: Place, function: Place, call: Place) -> Value {
        match self.argument_node(at, function, call) {
            ParameterValue::At(argument) => self.value(argument),
            ParameterValue::Nothing => self.default_of(at),
            ParameterValue::Unseen => self.unknown(call),
        }
    }

    /// What is written for a parameter that gets nothing.
    fn default_of(&mut self, at: Place) -> Value {
        match self.default_node(at) {
            Some(default) => self.value(default),
            None => self.unknown(at),
        }
    }

    /// What a name of another module holds.
    fn imported(&mut self, at: Place, path: &str) -> Value {
        let Some((file, rest)) = self.tree.resolve(at.file, path) else {
            return self.unknown(at);
        };
        let (Some(&name), 1) = (rest.first(), rest.len()) else {
            return self.unknown(at);
        };
        self.member(at, file, name)
    }

    /// What a name at the top of a module holds.
    pub(super) fn member(&mut self, at: Place, file: usize, name: &str) -> Value {
        let Some(parsed) = self.module(file) else {
            return self.unknown(at);
        };
        let bindings = parsed.bindings_in(ScopeId::MODULE, name.as_bytes());
        let Some(bound) = bindings.first() else {
            return self.unknown(at);
        };
        // A name that two modules take from each other would go round for ever: each step is one of its binding.
        let first = Place {
            file,
            node: bound.at,
        };
        self.once(first, |reader| {
            reader.bound(file, ScopeId::MODULE, name.as_bytes())
        })
        .unwrap_or_default()
    }

    /// A name that all names of another module bring along.
    fn star(&mut self, at: Place, name: &[u8]) -> Value {
        let parsed = self.module_of(at);
        let found = parsed.resolve(at.node);
        let name = String::from_utf8_lossy(name).into_owned();
        let from = found.and_then(|found| {
            self.tree
                .resolve(at.file, &found.name)
                .map(|(file, _)| file)
        });
        match from {
            Some(file) => self.member(at, file, &name),
            None => self.unknown(at),
        }
    }

    /// `env.CSRC`, `self.sources`, `path.parent`.
    pub(super) fn attribute(&mut self, at: Place) -> Value {
        let module = self.module_of(at);
        let tree = &module.tree;
        self.read.insert(at);
        let Some((object, member)) = tree.object_and_name(at.node) else {
            return self.unknown(at);
        };
        let member = tree.shown(member);
        if let Some(step) = self.table.members.get(&member) {
            let of = self.part(at, Some(object));
            return Self::changed(*step, of);
        }
        if let Some(found) = module.resolve(at.node) {
            if let Some(text) = self.table.constants.get(&found.name) {
                return Value::text(text, None);
            }
            if let Some((file, rest)) = self.tree.resolve(at.file, &found.name)
                && let (Some(&name), 1) = (rest.first(), rest.len())
            {
                return self.member(at, file, name);
            }
            return self.unknown(at);
        }
        if tree.is_self(object) {
            return self.own_attribute(at, member.as_bytes());
        }
        self.unknown(at)
    }

    /// What the methods of a module put into an attribute of their object.
    fn own_attribute(&mut self, at: Place, member: &[u8]) -> Value {
        let parsed = self.module_of(at);
        let tree = &parsed.tree;
        let places = parsed.places_of(member);
        let mut value = Value::default();
        let mut is_set = false;
        for &node in places {
            let Some(whole) = tree.attribute_of(node) else {
                continue;
            };
            let object = tree.child(whole, Field::Object);
            if !object.is_some_and(|one| tree.is_self(one)) {
                continue;
            }
            let place = at.with(whole);
            let only = self.condition(place);
            let up = tree.parent(whole);
            let set = up.filter(|&up| {
                matches!(tree.kind(up), Kind::Assignment | Kind::Augmented)
                    && tree.field(whole) == Field::Left
            });
            if let Some(set) = set {
                is_set = true;
                let part = self.part(at, tree.child(set, Field::Right));
                value.add(part.only(only));
            } else if let Some(added) = self.mutation(at.file, whole) {
                let added = self.added(at.with(added));
                value.add(added.only(only));
            }
        }
        if !is_set {
            return self.unknown(at);
        }
        value
    }

    /// Follow a call of a function while `step` looks at what is in it.
    pub(super) fn inside<T>(&mut self, frame: Frame, step: impl FnOnce(&mut Self) -> T) -> T {
        self.frames.push(frame);
        let found = step(self);
        self.frames.pop();
        found
    }
}
