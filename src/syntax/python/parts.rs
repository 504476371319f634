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
