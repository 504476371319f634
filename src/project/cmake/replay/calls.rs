//! Calls of functions and macros, and what a project is called.

use super::arguments::PassedArgument;
use super::run::Runner;
use super::scopes::Variables;
use super::sources::CommandPlace;
use super::tree::{as_build, as_source};
use super::value::{Item, Value};

impl Runner<'_> {
    /// The function or macro of the tree that has a name in lower case. A command of `CMake`'s own is another one only
    /// behind a file that runs and defines it anew.
    pub(super) fn definition(&self, name: &str) -> Option<CommandPlace> {
        let table = &self.knowledge.builds.cmake;
        let anywhere = || {
            let found = self.all_defined.get(name);
            found.filter(|_| !table.is_cmakes(name))
        };
        self.defined.get(name).or_else(anywhere).copied()
    }

    /// Call a function or macro of the tree. Returns whether there is one.
    pub(super) fn call(
        &mut self,
        from: CommandPlace,
        name: &str,
        arguments: &[PassedArgument],
    ) -> bool {
        let Some((file, at)) = self.definition(name) else {
            return false;
        };
        let Some(definition) = self
            .tree
            .file(file)
            .and_then(|one| one.commands.commands.get(at))
        else {
            return false;
        };
        let own = self.open_calls.iter().filter(|&&one| one == (file, at));
        if self.calls.len() >= self.limits().depth || own.count() > self.limits().recursion {
            return true;
        }
        self.called.insert((file, at));
        if self.is_local((file, at)) {
            return true;
        }
        let names = self.arguments(file, definition.arguments.get(1..).unwrap_or_default());
        let mut parameters = Variables::default();
        for (at, argument) in arguments.iter().enumerate() {
            parameters.insert(format!("ARGV{at}").into(), argument.value.clone());
        }
        for (at, one) in names.iter().enumerate() {
            let value = arguments.get(at).map(|one| one.value.clone());
            parameters.insert(one.text().into(), value.unwrap_or_default());
        }
        let together = |from: usize| {
            let rest = arguments.get(from..).unwrap_or_default().iter();
            Value::list(rest.flat_map(|one| one.value.items().to_vec()).collect())
        };
        parameters.insert("ARGV".into(), together(0));
        parameters.insert("ARGN".into(), together(names.len()));
        let count = arguments.len().to_string();
        parameters.insert("ARGC".into(), Value::one(Item::new(&count, None)));
        let is_function = definition.lower_name() == "function";
        if is_function {
            self.scopes.push(parameters);
            self.macros.push(None);
        } else {
            self.macros.push(Some(parameters));
        }
        self.in_function += 1;
        self.calls.push(from);
        self.open_calls.push((file, at));
        let items = arguments.iter().flat_map(|one| one.value.items());
        self.passed.push(items.map(|item| item.origin).collect());
        self.files.push(file);
        let end = self.ends_of(file).get(at).copied().unwrap_or(at);
        self.run(file, at + 1, end);
        self.files.pop();
        self.in_function -= 1;
        self.passed.pop();
        self.calls.pop();
        self.open_calls.pop();
        self.macros.pop();
        if is_function {
            self.scopes.pop();
        }
        true
    }

    /// Note where the sources of a project lie.
    pub(super) fn project(&mut self, name: &str) {
        let folder = self.folder().to_owned();
        let source = Value::one(Item::new(&as_source(&folder), None));
        let build = Value::one(Item::new(&as_build(&folder), None));
        for front in ["PROJECT", name] {
            self.scopes
                .set(&format!("{front}_SOURCE_DIR"), source.clone());
            self.scopes
                .set(&format!("{front}_BINARY_DIR"), build.clone());
        }
        self.scopes
            .set("PROJECT_NAME", Value::one(Item::new(name, None)));
    }
}
