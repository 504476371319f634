//! The code that takes a value (`Consumer`), and the expressions between the value and that code (`Wrapper`).

use super::records::NodeId;

/// The code that takes a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Consumer {
    /// `callee(name=…)`: the call, and the keyword.
    Keyword {
        /// The call; a class definition for a keyword of its bases.
        call: NodeId,
        /// The keyword's name.
        name: NodeId,
    },
    /// `callee(…)`: the call, and the 0-based place; `None` behind a `*list`.
    Argument {
        /// The call.
        call: NodeId,
        /// The place.
        position: Option<usize>,
    },
    /// The default of a parameter.
    Default {
        /// The parameter's name.
        name: NodeId,
        /// The list of parameters.
        parameters: NodeId,
    },
    /// `target = …`, also with `+=` and `:=`.
    Target {
        /// The target of the assignment: a name, an attribute, an item.
        target: NodeId,
    },
    /// The target of a loop over the value's items.
    Loop {
        /// The target that each item is assigned to.
        target: NodeId,
    },
    /// `return`, `yield`, the body of a lambda.
    Return {
        /// The function, where it has a definition.
        function: Option<NodeId>,
    },
    /// A comparison, `in` among them.
    Comparison {
        /// The whole comparison.
        at: NodeId,
        /// The operator beside the value.
        operator: NodeId,
        /// The other side of the comparison.
        other: NodeId,
        /// Whether the value stands on the left.
        on_left: bool,
    },
    /// A pattern of `match`.
    Pattern {
        /// The whole `match`.
        at: NodeId,
        /// The subject of the `match`.
        subject: NodeId,
    },
    /// `of[…]`.
    Item {
        /// The object whose item it is.
        of: NodeId,
    },
    /// The key of an entry of a dictionary.
    DictKey {
        /// The entry.
        pair: NodeId,
    },
    /// The value of an entry of a dictionary.
    DictValue {
        /// The entry.
        pair: NodeId,
    },
    /// `value.method(…)`: the attribute.
    Receiver {
        /// The attribute.
        attribute: NodeId,
    },
    /// A test: `if`, `while`, `assert`, `x if … else y`.
    Condition,
    /// What `raise`, `assert` or `print` shows.
    Message,
    /// A part of a path: `folder / value`.
    Path,
    /// An annotation.
    Annotation,
    /// A string that documents its module, class or function.
    Docstring,
    /// A statement by itself.
    Statement,
    /// The parser gave up around it: nobody knows.
    Unknown,
    /// Something else.
    Other,
}

/// An expression between a value and the code that takes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wrapper {
    /// One of two values: `x if … else y`, `x or y`: the expression that gives one of them.
    Choice(NodeId),
    /// An item of a list, tuple or set: what stands there as the item.
    Among(NodeId),
    /// A part of a formatted string, by `{…}`.
    Formatted(NodeId),
    /// A part of a text that is put together: `+`, `%`, `.format`, `.join`.
    Joined(NodeId),
    /// A copy or another form of it: `str(…)`, `list(…)`.
    Converted(NodeId),
}

impl Consumer {
    /// The call that takes the value as an argument.
    pub fn call(&self) -> Option<NodeId> {
        match *self {
            Self::Argument { call, .. } | Self::Keyword { call, .. } => Some(call),
            _ => None,
        }
    }
}

/// A value's way to what takes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Use {
    /// The code that takes the value.
    pub consumer: Consumer,
    /// The expressions between the two, from the inside out.
    pub steps: Vec<Wrapper>,
}

impl Use {
    /// The items of lists that the value is, or is part of, from the inside out. The list is the
    /// item's parent.
    pub fn items(&self) -> impl Iterator<Item = NodeId> {
        self.steps.iter().filter_map(|step| match step {
            Wrapper::Among(item) => Some(*item),
            _ => None,
        })
    }

    /// The expressions that give the value or another one, from the inside out.
    pub fn choices(&self) -> impl Iterator<Item = NodeId> {
        self.steps.iter().filter_map(|step| match step {
            Wrapper::Choice(one) => Some(*one),
            _ => None,
        })
    }

    /// The call that takes the value as its argument at a place.
    pub fn argument_at(&self, place: usize) -> Option<NodeId> {
        match self.consumer {
            Consumer::Argument { call, position } if position == Some(place) => Some(call),
            _ => None,
        }
    }

    /// What the value is compared with, in a comparison or a `match`.
    pub fn compared_with(&self) -> Option<NodeId> {
        match self.consumer {
            Consumer::Comparison { other, .. } => Some(other),
            Consumer::Pattern { subject, .. } => Some(subject),
            _ => None,
        }
    }

    /// Whether the value is only a part of the text that is taken.
    pub fn is_part(&self) -> bool {
        let part = |step: &Wrapper| matches!(step, Wrapper::Formatted(_) | Wrapper::Joined(_));
        self.steps.iter().any(part)
    }
}
