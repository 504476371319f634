//! The parameters of tests that get the values which a decorator lists.

use crate::python::ModuleView;
use torchada_mapping::has;
use torchada_syntax::python::{Field, Kind, Literal, NodeId, Use};

/// A parameter of the function that a decorator stands before.
pub struct TestParameter {
    /// The decorator's call.
    pub decorator: NodeId,
    /// What the parameter is called.
    pub name: Vec<u8>,
}

/// The parameter that gets a value of `parametrize("n,device", [(1, "cuda"), …])`. `item` is the place of the value in a tuple
/// of several.
pub fn parametrized(view: &ModuleView<'_>, of: &Use, item: Option<usize>) -> Option<TestParameter> {
    let decorator = of.argument_at(1)?;
    let words = &view.python_values().words_of_calls;
    if !has(&words.runs, view.module.callee_word(decorator)) {
        return None;
    }
    let names = case_names(view, decorator);
    let name = match names.as_slice() {
        [one] => one,
        several => several.get(item?)?,
    };
    Some(TestParameter {
        decorator,
        name: name.as_bytes().to_vec(),
    })
}

/// The parameter that gets a value of a list whose entries become the cases of a test, one by one:
/// `parametrize("n,device", [param(*case) for case in [(1, "cuda"), …]])`. `target` is the name of an entry.
pub fn test_case_parameter(
    view: &ModuleView<'_>,
    of: &Use,
    target: NodeId,
) -> Option<TestParameter> {
    let tree = &view.module.tree;
    let words = &view.python_values().words_of_calls;
    let around = tree
        .ancestors(target)
        .take(CLAUSES)
        .find(|&one| matches!(tree.kind(one), Kind::ListComprehension | Kind::Generator))?;
    let case = tree.nth(around, 0).filter(|&one| {
        tree.kind(one) == Kind::Call && has(&words.cases, view.module.callee_word(one))
    })?;
    let is_spread = |argument: NodeId| {
        let name = tree.nth(argument, 0);
        tree.kind(argument) == Kind::ListSplat
            && name.is_some_and(|name| tree.word(name) == tree.word(target))
    };
    let front = tree.arguments(case).position(is_spread)?;
    let item = tree.ordinal(of.items().next()?);
    parametrized(view, &view.module.use_of(case), Some(front + item))
}

/// How far a comprehension stands around the name that it sets.
const CLAUSES: usize = 4;

/// The parameter that gets the value at a place of a list of all arguments that a test is run with:
/// `expand([("cuda", 1), …])`.
pub fn expanded(view: &ModuleView<'_>, decorator: NodeId, item: usize) -> Option<TestParameter> {
    let tree = &view.module.tree;
    let function = decorated_function(view, decorator)?;
    let list = tree.child(function, Field::Parameters)?;
    let names = tree.children(list).map(|one| {
        let inner = tree.child(one, Field::Name).or_else(|| tree.nth(one, 0));
        tree.word(inner.unwrap_or(one))
    });
    let name = names
        .filter(|name| !matches!(*name, b"self" | b"cls"))
        .nth(item)?;
    Some(TestParameter {
        decorator,
        name: name.to_vec(),
    })
}

/// The function that a decorator stands before.
pub fn decorated_function(view: &ModuleView<'_>, decorator: NodeId) -> Option<NodeId> {
    let tree = &view.module.tree;
    let decorated = tree
        .ancestors(decorator)
        .find(|&one| tree.kind(one) == Kind::Decorated)?;
    let mut parts = tree.children(decorated);
    parts.find(|&one| tree.kind(one) == Kind::Function)
}

/// The names of the parameters that a test is run with, in one text or in a list: `"n,device"`, `("n", "device")`.
pub fn case_names(view: &ModuleView<'_>, call: NodeId) -> Vec<String> {
    let tree = &view.module.tree;
    let Some(names) = tree.argument(call, 0) else {
        return Vec::new();
    };
    let is_bare = tree.kind(names) != Kind::Parenthesized;
    let names = tree.nth(names, 0).filter(|_| !is_bare).unwrap_or(names);
    if matches!(tree.kind(names), Kind::List | Kind::Tuple) {
        // One that is no plain text keeps its place.
        let texts = tree
            .children(names)
            .map(|one| Literal::plain_text(tree, one));
        return texts.map(Option::unwrap_or_default).collect();
    }
    let names = Literal::plain_text(tree, names).unwrap_or_default();
    names.split(',').map(|one| one.trim().to_owned()).collect()
}
