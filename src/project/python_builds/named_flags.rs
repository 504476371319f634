//! The flags that a name, a parameter, an import or a call stands for.

use super::architecture_flags::{Flags, either};
use super::functions::ParameterValue;
use super::reader::{Frame, Place, Reader};
use super::result::LowestArchitecture;
use torchada_syntax::python::{BoundValue, Field, Kind, NodeId};

impl Reader<'_, '_> {
    /// What the flags of a name say: those that it is set to, and those that are added.
    pub(super) fn flags_of_name(&mut self, at: Place) -> Flags {
        let parsed = self.module_of(at);
        let name = parsed.tree.word(at.node);
        let (scope, _) = parsed.bindings(at.node, name);
        let key = (at.file, scope, Box::from(name));
        // `flags = flags + ["-O3"]`: the way around says nothing more.
        if self.active_names.contains(&key) {
            return Flags::Open;
        }
        self.active_names.push(key);
        let found = self.flags_of_bindings(at);
        self.active_names.pop();
        found
    }

    /// What all that gives a name its value says, and all that is added to it.
    fn flags_of_bindings(&mut self, at: Place) -> Flags {
        let parsed = self.module_of(at);
        let tree = &parsed.tree;
        let name = tree.word(at.node);
        let (scope, bindings) = parsed.bindings(at.node, name);
        let mut set: Vec<Flags> = Vec::new();
        let mut added = Flags::Silent;
        for binding in bindings {
            let place = at.with(binding.at);
            match &binding.what {
                BoundValue::Value(value) => set.push(self.flags(at.with(*value))),
                BoundValue::Nothing => set.push(Flags::Silent),
                BoundValue::Parameter => set.push(self.flags_of_parameter(place)),
                BoundValue::Import(path) => set.push(self.flags_of_import(at, path)),
                _ => {
                    let up = tree.parent(binding.at);
                    let up = up.filter(|&up| tree.kind(up) == Kind::Augmented);
                    let Some(right) = up.and_then(|up| tree.child(up, Field::Right)) else {
                        return Flags::Open;
                    };
                    let one = self.flags(at.with(right));
                    added = added.and(self.as_far_as_sure(one, binding.at, at.node, at.file));
                }
            }
        }
        for node in self.uses(at.file, scope, name) {
            if let Some(arguments) = self.mutation(at.file, node) {
                let each: Vec<NodeId> = match tree.kind(arguments) {
                    Kind::ArgumentList => tree.children(arguments).collect(),
                    _ => vec![arguments],
                };
                for one in each {
                    let one = self.flags(at.with(one));
                    added = added.and(self.as_far_as_sure(one, node, at.node, at.file));
                }
            }
        }
        if set.is_empty() {
            return Flags::Open;
        }
        either(set.into_iter()).and(added)
    }

    /// Flags that are added at a node, as far as they surely are there where a name is used.
    fn as_far_as_sure(&self, flags: Flags, added: NodeId, used: NodeId, file: usize) -> Flags {
        let Some(parsed) = self.module(file) else {
            return Flags::Open;
        };
        let tree = &parsed.tree;
        let around: Vec<NodeId> = tree.ancestors(used).collect();
        let is_choice = |node: &NodeId| {
            matches!(
                tree.kind(*node),
                Kind::If
                    | Kind::Elif
                    | Kind::Else
                    | Kind::For
                    | Kind::While
                    | Kind::Try
                    | Kind::Except
                    | Kind::Function
                    | Kind::Lambda
            )
        };
        let mut choices = tree.ancestors(added).filter(is_choice);
        let is_sure = choices.all(|one| around.contains(&one)) && added < used;
        match flags {
            Flags::Newer(_) if !is_sure => Flags::Open,
            _ => flags,
        }
    }

    fn flags_of_parameter(&mut self, at: Place) -> Flags {
        let Some(function) = self.function_of(at) else {
            return Flags::Open;
        };
        let followed = self.at_followed_call(function, |reader, call| {
            reader.flags_of_argument(at, function, call)
        });
        if let Some(flags) = followed {
            return flags;
        }
        match self.calls_of(function) {
            Some(calls) if !calls.is_empty() => {
                let each: Vec<Flags> = calls
                    .into_iter()
                    .map(|call| self.flags_of_argument(at, function, call))
                    .collect();
                either(each.into_iter())
            }
            _ => Flags::Open,
        }
    }

    fn flags_of_argument(&mut self, at: Place, function: Place, call: Place) -> Flags {
        match self.argument_node(at, function, call) {
            ParameterValue::At(argument) => self.flags(argument),
            ParameterValue::Nothing => match self.default_node(at) {
                Some(default) => self.flags(default),
                None => Flags::Open,
            },
            ParameterValue::Unseen => Flags::Open,
        }
    }

    fn flags_of_import(&mut self, at: Place, path: &str) -> Flags {
        let Some((file, rest)) = self.tree.resolve(at.file, path) else {
            return Flags::Open;
        };
        let (&[name], Some(parsed)) = (rest.as_slice(), self.module(file)) else {
            return Flags::Open;
        };
        let bindings =
            parsed.bindings_in(torchada_syntax::python::ScopeId::MODULE, name.as_bytes());
        match bindings {
            [only] => match &only.what {
                BoundValue::Value(node) => self.flags(Place { file, node: *node }),
                BoundValue::Import(next) => {
                    let here = Place {
                        file,
                        node: only.at,
                    };
                    self.once(here, |reader| reader.flags_of_import(here, next))
                        .unwrap_or(Flags::Open)
                }
                _ => Flags::Open,
            },
            _ => Flags::Open,
        }
    }

    /// What the flags say that a call gives.
    pub(super) fn flags_of_call(&mut self, at: Place) -> Flags {
        let parsed = self.module_of(at);
        let tree = &parsed.tree;
        let word = parsed.callee_word(at.node);
        let choosing = self.reach.python.choosing.iter();
        let mut choosing = choosing.filter(|one| one.call.as_bytes() == word);
        if let Some(choosing) = choosing.next() {
            let lowest = self.lowest_of(at, &choosing.keyword);
            return match lowest.map(|lowest| lowest * choosing.times) {
                Some(lowest) if lowest >= self.newest => Flags::Newer(LowestArchitecture {
                    lowest,
                    at: (at.file, tree.range(at.node).start),
                }),
                _ => Flags::Open,
            };
        }
        let Some(function) = self.called(at) else {
            // `list(flags)`
            let is_copy = self.step_of(at).is_some();
            let inner = tree.argument(at.node, 0).filter(|_| is_copy);
            return inner.map_or(Flags::Open, |node| self.flags(at.with(node)));
        };
        let returned = self.returned(function);
        if returned.is_empty() {
            return Flags::Open;
        }
        self.inside(Frame { function, call: at }, |reader| {
            let each: Vec<Flags> = returned.into_iter().map(|one| reader.flags(one)).collect();
            either(each.into_iter())
        })
    }

    /// The lowest number of a list that a call gets by a keyword.
    fn lowest_of(&self, call: Place, keyword: &str) -> Option<u32> {
        let tree = self.tree_of(call);
        let list = tree.keyword(call.node, keyword.as_bytes())?;
        let is_list = matches!(tree.kind(list), Kind::List | Kind::Tuple);
        let numbers: Option<Vec<u32>> = tree
            .children(list)
            .map(|one| std::str::from_utf8(tree.word(one)).ok()?.parse().ok())
            .collect();
        numbers?.into_iter().min().filter(|_| is_list)
    }

    /// The expression that a name is bound to, where nothing else binds it: in its module, or in the one that it comes from.
    pub(super) fn only_value(&self, at: Place) -> Option<Place> {
        let parsed = self.module_of(at);
        let tree = &parsed.tree;
        if tree.kind(at.node) != Kind::Identifier {
            return None;
        }
        let [only] = parsed.meanings(at.node) else {
            return None;
        };
        match only.what {
            BoundValue::Value(node) => Some(at.with(node)),
            _ => None,
        }
    }
}
