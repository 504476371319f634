//! The variables of functions and folders, and what they are where the way to a place is not known.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::value::{LONG, Value};
use torchada_mapping::builds::WalkLimits;

/// The variables of one function or folder.
pub(super) type Variables = FxHashMap<Arc<str>, Value>;

/// A variable, by the depth of its scope.
type Slot = (usize, Arc<str>);

/// All variables.
#[derive(Debug)]
pub(super) struct Scopes {
    /// The scopes, from the outermost to the innermost.
    stack: Vec<Variables>,
    /// For each open branch, what the variables that it set were before it.
    branches: Vec<BTreeMap<Slot, Option<Value>>>,
    limits: WalkLimits,
    /// The bytes of long texts that variables were given. An element of joined lists counts as some bytes, too.
    written: usize,
}

/// What a branch made of variables.
pub(super) type Changes = BTreeMap<Slot, Option<Value>>;

impl Scopes {
    /// A scope with these variables.
    pub(super) fn new(variables: Variables, limits: WalkLimits) -> Self {
        Self {
            stack: vec![variables],
            branches: Vec::new(),
            limits,
            written: 0,
        }
    }

    pub(super) fn push(&mut self, variables: Variables) {
        self.stack.push(variables);
    }

    pub(super) fn pop(&mut self) {
        self.stack.pop();
    }

    /// The steps that the long texts cost which variables were given since the last call.
    pub(super) fn steps_of_texts(&mut self) -> usize {
        let steps = self.written / LONG;
        self.written %= LONG;
        steps
    }

    /// How many branches are open.
    pub(super) fn branches(&self) -> usize {
        self.branches.len()
    }

    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.stack.iter().rev().find_map(|scope| scope.get(name))
    }

    /// All variables that are seen from the innermost scope.
    pub(super) fn visible(&self) -> Variables {
        let mut all = Variables::default();
        for scope in &self.stack {
            // Each name is put in once for each scope, whatever the order.
            #[allow(clippy::iter_over_hash_type)]
            for (name, value) in scope {
                all.insert(Arc::clone(name), value.clone());
            }
        }
        all
    }

    /// The value of a variable of the innermost scope.
    pub(super) fn innermost(&self, name: &str) -> Option<Value> {
        self.stack.last()?.get(name).cloned()
    }

    /// Give a variable of the innermost scope the value back that it had, if it had one.
    pub(super) fn put_back(&mut self, name: &str, value: Option<Value>) {
        self.put(self.stack.len().saturating_sub(1), name, value);
    }

    /// Give a variable of the innermost scope a value.
    pub(super) fn set(&mut self, name: &str, value: Value) {
        self.put(self.stack.len().saturating_sub(1), name, Some(value));
    }

    /// Give a variable of the scope around the innermost one a value.
    pub(super) fn set_outside(&mut self, name: &str, value: Value) {
        self.put(self.stack.len().saturating_sub(2), name, Some(value));
    }

    /// Give a variable a value for all scopes, where none has it.
    pub(super) fn set_default(&mut self, name: &str, value: Value) {
        if self.get(name).is_none() {
            self.put(0, name, Some(value));
        }
    }

    fn put(&mut self, depth: usize, name: &str, mut value: Option<Value>) {
        if let Some(value) = &mut value {
            value.cut(self.limits.elements);
            let bytes = value.long_bytes();
            self.written += bytes;
            // A text that is put together of itself doubles each time.
            if bytes > self.limits.text_bytes {
                *value = Value::unknown(name);
            }
        }
        let name: Arc<str> = name.into();
        let Some(scope) = self.stack.get_mut(depth) else {
            return;
        };
        let old = match value {
            Some(value) => scope.insert(Arc::clone(&name), value),
            None => scope.remove(&name),
        };
        if let Some(branch) = self.branches.last_mut() {
            branch.entry((depth, name)).or_insert(old);
        }
    }

    /// Begin a branch that the build may take or not.
    pub(super) fn begin(&mut self) {
        self.branches.push(BTreeMap::new());
    }

    /// End the branch, take back what it did, and return it.
    pub(super) fn end(&mut self) -> Changes {
        let Some(branch) = self.branches.pop() else {
            return Changes::new();
        };
        let mut changes = Changes::new();
        for ((depth, name), old) in branch {
            let Some(scope) = self.stack.get_mut(depth) else {
                continue;
            };
            let new = match old {
                Some(old) => scope.insert(Arc::clone(&name), old),
                None => scope.remove(&name),
            };
            changes.insert((depth, name), new);
        }
        changes
    }

    /// Merge the variables behind several branches of which one was taken, or none where `may_skip`. `unset` gives the value of
    /// a variable that no branch set.
    pub(super) fn join(
        &mut self,
        branches: &[Changes],
        may_skip: bool,
        unset: &dyn Fn(&str) -> Option<Value>,
    ) {
        let slots: BTreeSet<&Slot> = branches.iter().flat_map(BTreeMap::keys).collect();
        for (depth, name) in slots {
            let slot = (*depth, Arc::clone(name));
            let before = self.stack.get(*depth).and_then(|scope| scope.get(name));
            let before = before.cloned().or_else(|| unset(name));
            let mut values: Vec<Value> = Vec::new();
            if may_skip {
                values.extend(before.clone());
            }
            for branch in branches {
                let after = branch.get(&slot).cloned();
                let after = after.unwrap_or_else(|| before.clone());
                values.extend(after.or_else(|| unset(name)));
            }
            // Each element is compared with those before it.
            let elements = values.iter().map(|one| one.items().len());
            self.written += elements.sum::<usize>() * LONG / 4;
            let joined = (!values.is_empty()).then(|| Value::one_of(values, self.limits));
            self.put(*depth, name, joined);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::value::Item;
    use super::*;
    use torchada_mapping::knowledge::Knowledge;

    fn text(text: &str) -> Value {
        Value::one(Item::new(text, None))
    }

    #[test]
    fn a_variable_is_what_any_branch_made_of_it() {
        let limits = Knowledge::builtin().builds.cmake.limits;
        let mut scopes = Scopes::new(Variables::default(), limits);
        scopes.set("kept", text("1"));
        scopes.set("ext", text("c"));
        let mut done = Vec::new();
        for ending in ["cu", "hip"] {
            scopes.begin();
            scopes.set("ext", text(ending));
            done.push(scopes.end());
            assert!(scopes.get("ext").expect("set").is("c"));
        }
        scopes.join(&done, false, &|_| None);
        let found = scopes.get("ext").expect("set");
        assert_eq!(found.items().len(), 2);
        assert!(scopes.get("kept").expect("set").is("1"));
    }
}
