//! What stands around a node: functions and classes, statements, assignments and chains of names.

use super::{Field, Kind, NodeId, Tree};

impl Tree<'_> {
    /// Whether a name is no use of what it stands for: it is bound there, is the name of an argument, or a part of a longer
    /// name.
    pub fn is_bound_or_part(&self, name: NodeId) -> bool {
        let up = self.parent(name).map(|up| self.kind(up));
        up.is_some_and(|up| match up {
            Kind::Attribute => self.field(name) == Field::Attribute,
            Kind::Assignment | Kind::Augmented => self.field(name) == Field::Left,
            Kind::KeywordArgument => self.field(name) == Field::Name,
            Kind::Parameters
            | Kind::DottedName
            | Kind::AliasedImport
            | Kind::ImportFrom
            | Kind::PatternList => true,
            _ => false,
        })
    }

    /// The first name of a chain of attributes, and the names behind it.
    pub fn chain(&self, expression: NodeId) -> Option<(NodeId, Vec<NodeId>)> {
        let mut names = Vec::new();
        let mut root = expression;
        while self.kind(root) == Kind::Attribute {
            names.push(self.child(root, Field::Attribute)?);
            root = self.child(root, Field::Object)?;
        }
        names.reverse();
        (self.kind(root) == Kind::Identifier).then_some((root, names))
    }

    /// The node around a node, if it is of a kind.
    pub fn parent_if(&self, node: NodeId, kind: Kind) -> Option<NodeId> {
        self.parent(node).filter(|&up| self.kind(up) == kind)
    }

    /// The attribute whose name, behind the dot, stands at a node.
    pub fn attribute_of(&self, name: NodeId) -> Option<NodeId> {
        let up = self.parent(name)?;
        let is_name = self.kind(up) == Kind::Attribute && self.field(name) == Field::Attribute;
        is_name.then_some(up)
    }

    /// The statement that a node is or stands in.
    pub fn statement(&self, node: NodeId) -> Option<NodeId> {
        let is_statement = |&one: &NodeId| {
            let up = self.parent(one).map(|up| self.kind(up));
            matches!(up, Some(Kind::Block | Kind::Module))
        };
        std::iter::once(node)
            .chain(self.ancestors(node))
            .find(is_statement)
    }

    /// The innermost function around a node; a `lambda` is none.
    pub fn function_around(&self, node: NodeId) -> Option<NodeId> {
        let mut around = self.ancestors(node);
        around.find(|&one| self.kind(one) == Kind::Function)
    }

    /// All in the body of the innermost function around a node.
    pub fn below_function_around(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let function = self.function_around(node);
        let body = function.and_then(|function| self.child(function, Field::Body));
        body.into_iter().flat_map(|body| self.below(body))
    }

    /// The function whose own code a node is a part of: none in a `lambda`.
    pub fn home(&self, node: NodeId) -> Option<NodeId> {
        let mut around = self.ancestors(node);
        let home = around.find(|&one| matches!(self.kind(one), Kind::Function | Kind::Lambda));
        home.filter(|&one| self.kind(one) == Kind::Function)
    }

    /// The expressions that a function returns, as far as its first `most` nodes have them.
    pub fn returned(&self, function: NodeId, most: usize) -> impl Iterator<Item = NodeId> {
        let body = self.child(function, Field::Body);
        let below = body.into_iter().flat_map(|body| self.below(body));
        let is_own =
            move |&one: &NodeId| self.kind(one) == Kind::Return && self.home(one) == Some(function);
        let returns = below.take(most).filter(is_own);
        returns.filter_map(|one| self.nth(one, 0))
    }

    /// The whole that a function or a class makes with its decorators; `None` where it has none.
    pub fn decorated(&self, definition: NodeId) -> Option<NodeId> {
        self.parent_if(definition, Kind::Decorated)
    }

    /// The innermost class around a node.
    pub fn class_around(&self, node: NodeId) -> Option<NodeId> {
        let mut around = self.ancestors(node);
        around.find(|&one| self.kind(one) == Kind::Class)
    }

    /// The value that is assigned to a target.
    pub fn assigned_value(&self, target: NodeId) -> Option<NodeId> {
        self.other_side(target, Field::Left, Field::Right)
    }

    /// The target that a value is assigned to.
    pub fn assigned_target(&self, value: NodeId) -> Option<NodeId> {
        self.other_side(value, Field::Right, Field::Left)
    }

    fn other_side(&self, side: NodeId, own: Field, other: Field) -> Option<NodeId> {
        let assignment = self.parent(side)?;
        let is_side = self.kind(assignment) == Kind::Assignment && self.field(side) == own;
        self.child(assignment, other).filter(|_| is_side)
    }

    /// A node, and all below it.
    pub fn with_below(&self, node: NodeId) -> impl Iterator<Item = NodeId> + use<> {
        std::iter::once(node).chain(self.below(node))
    }
}
