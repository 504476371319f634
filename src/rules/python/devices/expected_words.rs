//! Words that a test expects where it has written them into a text that the code reads: `parse(["--device=cuda"])`,
//! `assert args.device == "cuda"`. Texts stay, and both names pass, so the code gives the word back as the test wrote it.

use crate::python::ModuleView;
use crate::python::inference::{StringRole, string_role};
use crate::python::reserved::alternatives::Alternatives;
use crate::python::reserved::alternatives_beside::rivals_of_device;
use torchada_mapping::effort::Effort;
use torchada_syntax::python::{Consumer, Kind, Literal, NodeId};

/// How many nodes of a function are looked at.
const NODES: usize = 4096;

/// Whether a text stands in an assertion of a test, and a text before the assertion sets the same word.
pub fn is_written_by_test(view: &ModuleView<'_>, text: NodeId) -> bool {
    if !Effort::builtin().is_auxiliary(view.path) {
        return false;
    }
    let tree = &view.module.tree;
    let is_assertion = |one: NodeId| match tree.kind(one) {
        Kind::Assert => true,
        Kind::Call => view.module.callee_word(one).starts_with(b"assert"),
        _ => false,
    };
    let mut around = tree.ancestors(text);
    let Some(assertion) = around.find(|&one| is_assertion(one)) else {
        return false;
    };
    let Some(function) = around.find(|&one| tree.kind(one) == Kind::Function) else {
        return false;
    };
    let Some(word) = Literal::read(tree, text) else {
        return false;
    };
    if is_given_to_compared(view, text, &word) {
        return true;
    }
    let before = tree
        .below(function)
        .take(NODES)
        .take_while(|&one| one < assertion);
    let mut texts = before.filter(|&one| tree.kind(one) == Kind::Str);
    texts.any(|one| {
        let is_prose = matches!(
            view.module.use_of(one).consumer,
            Consumer::Docstring | Consumer::Statement | Consumer::Message
        );
        let sets = |found: &Literal| {
            sets_word(found.value(), word.value())
                || found.value() == word.value() && follows_option(view, one)
        };
        !is_prose && Literal::read(tree, one).as_ref().is_some_and(sets)
    })
}

/// Whether a text is compared with the result of a call that gets the same word, which stays there:
/// `reported_device("cuda") == "cuda"`.
fn is_given_to_compared(view: &ModuleView<'_>, text: NodeId, word: &Literal) -> bool {
    let tree = &view.module.tree;
    let of = view.module.use_of(text);
    let Consumer::Comparison { other, .. } = of.consumer else {
        return false;
    };
    if tree.kind(other) != Kind::Call {
        return false;
    }
    let mut arguments = tree.arguments(other);
    arguments.any(|one| {
        let is_same =
            || Literal::read(tree, one).is_some_and(|given| given.value() == word.value());
        let stays = || {
            let of = view.module.use_of(one);
            !string_role(view, &of).is_device() || rivals_of_device(view, &of) != Alternatives::None
        };
        tree.kind(one) == Kind::Str && is_same() && stays()
    })
}

/// Whether a text gives a word to something: `device=cuda`, `device: cuda`.
fn sets_word(text: &[u8], word: &[u8]) -> bool {
    memchr::memmem::find_iter(text, word).any(|at| {
        let before = text.get(..at).unwrap_or_default().trim_ascii_end();
        let behind = text.get(at + word.len()..).and_then(|rest| rest.first());
        let is_set = before.ends_with(b"=") && before.len() == at
            || before.ends_with(b":") && before.len() < at;
        is_set && behind.is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b':')
    })
}

/// Whether a text is the value of an option in a list of arguments, and no rule changes it: one without a number,
/// `["--device", "cuda"]`, or one in a list that is something else than devices, too.
fn follows_option(view: &ModuleView<'_>, text: NodeId) -> bool {
    let tree = &view.module.tree;
    let list = tree
        .parent(text)
        .filter(|&up| matches!(tree.kind(up), Kind::List | Kind::Tuple));
    let place = tree.ordinal(text);
    let option = list.and_then(|list| tree.nth(list, place.checked_sub(1)?));
    let option = option.and_then(|one| Literal::read(tree, one));
    let has_number = tree.word(text).contains(&b':');
    option.is_some_and(|one| one.value().starts_with(b"--"))
        && (!has_number || string_role(view, &view.module.use_of(text)) == StringRole::Ambiguous)
}
