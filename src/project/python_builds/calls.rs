//! What calls give: functions and methods for paths and lists, and functions of the tree.

use super::reader::{Place, Reader};
use super::value::{ANY, ANY_FOLDERS, Value, folder, joined, without_ending};
use crate::tree::paths;
use crate::tree::patterns::with_holes;
use torchada_mapping::builds::PathStep;
use torchada_syntax::python::{Kind, NodeId};

impl Reader<'_, '_> {
    /// What a call gives.
    pub(super) fn call(&mut self, at: Place) -> Value {
        let module = self.module_of(at);
        let tree = &module.tree;
        let Some(callee) = tree.callee(at.node) else {
            return self.unknown(at);
        };
        let arguments: Vec<NodeId> = tree
            .arguments(at.node)
            .filter(|&one| !matches!(tree.kind(one), Kind::KeywordArgument | Kind::Operator))
            .collect();
        if let Some(step) = self.step_of(at) {
            return self.stepped(at, step, None, &arguments);
        }
        if let Some(function) = self.called(at) {
            return self.result(function, at);
        }
        if let Some((object, member)) = tree.object_and_name(callee) {
            let member = tree.shown(member);
            if let Some(&step) = self.table.members.get(&member)
                && module
                    .resolve(object)
                    .is_none_or(|found| self.is_path(&found.name))
            {
                let of = self.part(at, Some(object));
                return self.stepped(at, step, Some(of), &arguments);
            }
        }
        self.unknown(at)
    }

    /// Whether the first argument of a call gives what it gets.
    fn is_same(&self, call: Place) -> bool {
        let module = self.module_of(call);
        let tree = &module.tree;
        let Some(first) = tree.argument(call.node, 0) else {
            return false;
        };
        let name = match module.resolve(first) {
            Some(found) => found.name,
            None => tree.shown(first),
        };
        self.table.functions.get(&name) == Some(&PathStep::Same)
    }

    /// Whether a dotted name is one of a class of paths.
    fn is_path(&self, name: &str) -> bool {
        self.table.functions.get(name) == Some(&PathStep::Same)
    }

    /// What a called function is known to do with paths.
    pub(super) fn step_of(&self, call: Place) -> Option<PathStep> {
        let module = self.module_of(call);
        let tree = &module.tree;
        let callee = tree.callee(call.node)?;
        let name = match module.resolve(callee) {
            Some(found) => found.name,
            // A function of Python's own.
            None if tree.kind(callee) == Kind::Identifier && module.meanings(callee).is_empty() => {
                tree.shown(callee)
            }
            None => return None,
        };
        self.table.functions.get(&name).copied()
    }

    fn stepped(
        &mut self,
        at: Place,
        step: PathStep,
        of: Option<Value>,
        arguments: &[NodeId],
    ) -> Value {
        let mut arguments = arguments.iter().copied();
        let first = match of {
            Some(of) => of,
            None => match arguments.next() {
                Some(first) => self.part(at, Some(first)),
                None if step == PathStep::Here => Value::text("", None),
                None => return Value::default(),
            },
        };
        match step {
            PathStep::Join => {
                let mut path = first;
                for one in arguments {
                    let part = self.part(at, Some(one));
                    path = path.with(&part, [ANY_FOLDERS, ANY], joined);
                }
                path
            }
            PathStep::All => {
                let mut all = first.listed();
                for one in arguments {
                    all.add(self.part(at, Some(one)));
                }
                all
            }
            PathStep::Mapped => match arguments.next() {
                Some(second) if self.is_same(at) => self.part(at, Some(second)),
                _ => self.unknown(at),
            },
            PathStep::Second => match arguments.next() {
                Some(second) => self.part(at, Some(second)),
                None => first,
            },
            PathStep::Below | PathStep::Deep => {
                let mut path = first;
                if step == PathStep::Deep {
                    path = path.map(|one| Some(joined(one, ANY_FOLDERS)));
                }
                let pattern = match arguments.next() {
                    Some(pattern) => self.part(at, Some(pattern)),
                    None => Value::text(ANY, None),
                };
                path.with(&pattern, [ANY_FOLDERS, ANY], joined).listed()
            }
            PathStep::Replace => {
                let (from, to) = (arguments.next(), arguments.next());
                let (from, to) = (self.part(at, from), self.part(at, to));
                match (from.items.as_slice(), to.items.as_slice()) {
                    ([from], [to]) if !from.text.is_empty() => {
                        first.map(|text| Some(text.replace(&*from.text, &to.text)))
                    }
                    _ => self.unknown(at),
                }
            }
            PathStep::Ending => match arguments.next() {
                Some(ending) => {
                    let ending = self.part(at, Some(ending));
                    let stem = Self::changed(PathStep::Stem, first);
                    stem.with(&ending, [ANY, ANY], |stem, ending| {
                        format!("{stem}{ending}")
                    })
                }
                None => self.unknown(at),
            },
            PathStep::Format => first.map(|text| Some(with_holes(text, "{", '}'))),
            _ => Self::changed(step, first),
        }
    }

    /// What one step makes of a path.
    pub(super) fn changed(step: PathStep, of: Value) -> Value {
        match step {
            PathStep::Folder => of.map(|path| Some(folder(path))),
            PathStep::Folders => {
                let mut all = Value {
                    open: of.open,
                    ..Value::default()
                };
                let mut next = of;
                for _ in 0..4 {
                    next = next.map(|path| Some(folder(path)));
                    all.add(next.clone());
                }
                all
            }
            PathStep::Name => of.map(|path| Some(paths::file_name(path).to_owned())),
            PathStep::Stem => of.map(|path| Some(without_ending(path))),
            PathStep::NameStem => of.map(|path| {
                let name = paths::file_name(path);
                Some(without_ending(name))
            }),
            PathStep::Entries => Value::text(ANY, None).listed(),
            PathStep::Walk => of.map(|path| Some(joined(path, ANY_FOLDERS))).listed(),
            PathStep::Pattern => of.listed(),
            _ => of,
        }
    }
}
