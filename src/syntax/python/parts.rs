//! The parts of calls, attributes and imports.

use super::{Field, Kind, NodeId, Tree};

impl Tree<'_> {
    /// The expression that a call calls.
    pub fn callee(&self, call: NodeId) -> Option<NodeId> {
        self.child(call, Field::Function)
    }

    /// The object whose method a call calls.
    pub fn receiver(&self, call: NodeId) -> Option<NodeId> {
        self.child(self.callee(call)?, Field::Object)
    }

    /// The argument of a call at a place, a starred or named one counted, too.
    pub fn argument(&self, call: NodeId, at: usize) -> Option<NodeId> {
        self.nth(self.child(call, Field::Arguments)?, at)
    }

    /// All arguments of a call.
    pub fn arguments(&self, call: NodeId) -> impl Iterator<Item = NodeId> {
        let list = self.child(call, Field::Arguments);
        list.into_iter().flat_map(|list| self.children(list))
    }

    /// The call that calls an expression.
    pub fn call_of(&self, callee: NodeId) -> Option<NodeId> {
        let call = self.parent(callee)?;
        let is_called = self.kind(call) == Kind::Call && self.field(callee) == Field::Function;
        is_called.then_some(call)
    }

    /// The call that has an expression, or a keyword argument, among its arguments.
    pub fn call_with(&self, argument: NodeId) -> Option<NodeId> {
        self.parent_if(self.parent_if(argument, Kind::ArgumentList)?, Kind::Call)
    }

    /// The call of a method of an object's: `x.append(1)` of `x`.
    pub fn method_call(&self, object: NodeId) -> Option<NodeId> {
        let is_object = self.field(object) == Field::Object;
        let method = self.parent_if(object, Kind::Attribute)?;
        self.call_of(method).filter(|_| is_object)
    }

    /// The values that a call unpacks to keywords: `options` of `f(**options)`.
    pub fn unpacked_by(&self, call: NodeId) -> impl Iterator<Item = NodeId> {
        let splats = self.arguments(call);
        let splats = splats.filter(|&one| self.kind(one) == Kind::DictionarySplat);
        splats.filter_map(|splat| self.nth(splat, 0))
    }

    /// The keys of a dictionary; an entry `**other` has none.
    pub fn keys(&self, dictionary: NodeId) -> impl Iterator<Item = NodeId> {
        let pairs = self.children(dictionary);
        pairs.filter_map(|pair| self.child(pair, Field::Key))
    }

    /// The target and the value of the assignment that a statement is.
    pub fn assignment(&self, statement: NodeId) -> Option<(NodeId, NodeId)> {
        let inner = self.nth(statement, 0);
        let inner = inner.filter(|&inner| self.kind(inner) == Kind::Assignment)?;
        Some((
            self.child(inner, Field::Left)?,
            self.child(inner, Field::Right)?,
        ))
    }

    /// The keyword arguments of a call.
    pub fn keywords(&self, call: NodeId) -> impl Iterator<Item = NodeId> {
        let arguments = self.arguments(call);
        arguments.filter(|&one| self.kind(one) == Kind::KeywordArgument)
    }

    /// The name and the value of a keyword argument.
    pub fn name_and_value(&self, argument: NodeId) -> Option<(NodeId, NodeId)> {
        let name = self.child(argument, Field::Name)?;
        Some((name, self.child(argument, Field::Value)?))
    }

    /// The value that a call gets by a keyword.
    pub fn keyword(&self, call: NodeId, word: &[u8]) -> Option<NodeId> {
        let mut all = self
            .keywords(call)
            .filter_map(|one| self.name_and_value(one));
        let (_, value) = all.find(|&(name, _)| self.word(name) == word)?;
        Some(value)
    }

    /// The object of an attribute, and the attribute's name.
    pub fn object_and_name(&self, attribute: NodeId) -> Option<(NodeId, NodeId)> {
        let object = self.child(attribute, Field::Object)?;
        Some((object, self.child(attribute, Field::Attribute)?))
    }

    /// The names that an import statement imports, without their aliases: `b` in `from a import b as c`.
    pub fn imported_names(&self, statement: NodeId) -> impl Iterator<Item = NodeId> {
        let module = self.child(statement, Field::ModuleName);
        let items = self.children(statement);
        let items = items.filter(move |&one| Some(one) != module);
        items.map(|one| self.child(one, Field::Name).unwrap_or(one))
    }
}
