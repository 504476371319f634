//! Functions of Python's own that give the items of lists: by themselves, in another order, or with those of other lists.

use super::Module;
use super::consumer::Consumer;
use super::kind::Kind;
use super::records::NodeId;
use torchada_text::last_part;

/// Functions that give what they get in another form, or the items of all that they get.
pub(super) const COPIES: &[&str] = &[
    "str",
    "list",
    "tuple",
    "set",
    "frozenset",
    "sorted",
    "iter",
    "reversed",
    "itertools.chain",
];

/// Functions that give tuples with an item of each argument.
const JOINS: &[&str] = &["zip", "itertools.product", "itertools.zip_longest"];

/// Functions that put a number in front of each item.
const NUMBERS: &[&str] = &["enumerate"];

impl Module<'_> {
    /// Whether a call calls one of some functions: of Python's own, or of a module, by their dotted names.
    pub(super) fn calls_any(&self, call: NodeId, functions: &[&str]) -> bool {
        let word = self.callee_word(call);
        let Some(callee) = self.tree.callee(call) else {
            return false;
        };
        functions
            .iter()
            .filter(|name| last_part(name).as_bytes() == word)
            .any(|name| {
                if name.contains('.') {
                    self.resolve(callee).is_some_and(|one| one.name == *name)
                } else {
                    self.is_builtin(callee, name)
                }
            })
    }

    /// Whether a call gives tuples with an item of each argument: `zip(names, devices)`.
    pub fn joins_lists(&self, call: NodeId) -> bool {
        self.calls_any(call, JOINS)
    }

    /// The target that gets the items of an argument in a loop over what a call makes of several lists:
    /// `for name, device in zip(names, devices)`.
    pub(super) fn target_of_each(&self, call: NodeId, position: usize) -> Option<NodeId> {
        let tree = &self.tree;
        let place = if self.joins_lists(call) {
            position
        } else if position == 0 && self.calls_any(call, NUMBERS) {
            1
        } else {
            return None;
        };
        let Consumer::Loop { target } = self.use_of(call).consumer else {
            return None;
        };
        matches!(
            tree.kind(target),
            Kind::PatternList | Kind::TuplePattern | Kind::ListPattern
        )
        .then(|| tree.nth(target, place))?
    }
}
