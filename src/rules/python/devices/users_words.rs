//! Places that take a word which a person has written: `--device cuda`, `device: cuda` of a configuration, an argument of a
//! library's function. Such a word stays CUDA's in people's files and in the project's documentation, so these places take
//! it beside MUSA's. `PyTorch` takes both where the package for run time is imported.

use super::compared::{decided, is_membership};
use crate::python::ModuleView;
use crate::python::inference::options::declares_option;
use crate::python::inference::{
    annotated, each_use_while, has_text_keys, is_member_of_device_enum, is_member_of_option,
    is_only_looked_up, may_be_users_word, names_cudas_device, sought_in,
};
use torchada_mapping::effort::Effort;
use torchada_mapping::has;
use torchada_syntax::python::{Consumer, Field, Kind, Literal, NodeId, Use};

/// Whether the text of a node stands where such a word is taken.
pub fn takes_users_word(view: &ModuleView<'_>, of: &Use, text: NodeId) -> bool {
    let tree = &view.module.tree;
    let known = &view.context.knowledge.python_strings.options;
    let words = &view.python_values().users_words;
    let is_listed = of.items().next().is_some();
    match of.consumer {
        Consumer::Keyword { call, name } => {
            let callee = view.module.callee_word(call);
            is_listed
                && has(&words.lists, tree.word(name))
                && (declares_option(view, call) || has(&known.wrappers, callee))
        }
        Consumer::Argument { call, position } => {
            let callee = view.module.callee_word(call);
            let fronts = &view.python_values().words_of_calls.compares_front;
            if has(fronts, callee) || has(&words.removes, callee) {
                let object = tree.receiver(call);
                return object.is_some_and(|object| may_be_users_word(view, object));
            }
            // `type=Choice(["cpu", "cuda"])`
            is_listed && position == Some(0) && has(&known.wrappers, callee)
        }
        Consumer::Annotation | Consumer::Item { .. } => annotated(view, text).is_some(),
        Consumer::Comparison {
            other,
            operator,
            on_left,
            ..
        } => {
            let is_key =
                on_left && is_membership(tree.word(operator)) && has_text_keys(view, other);
            let mut sought = sought_in(view, other);
            !is_key
                && !is_expected_by_test(view, of)
                && sought.any(|one| may_be_users_word(view, one))
        }
        Consumer::Pattern { subject, .. } => may_be_users_word(view, subject),
        Consumer::Target { target } => is_listed && is_list_of_words(view, target),
        Consumer::Loop { target } => is_listed && is_removed(view, target),
        Consumer::DictKey { pair } => {
            leads_from_saved(view, pair) || is_only_looked_up(view, pair, &may_be_users_word)
        }
        _ => false,
    }
}

/// Whether an entry leads from the device that a file of weights names to none of CUDA's, `map_location={"cuda:0": "cpu"}`:
/// the file may have been written on CUDA, or by the port.
fn leads_from_saved(view: &ModuleView<'_>, pair: NodeId) -> bool {
    let tree = &view.module.tree;
    let saved = &view.python_values().users_words.saved;
    let keyword = tree
        .parent(pair)
        .and_then(|dictionary| tree.parent_if(dictionary, Kind::KeywordArgument));
    let name = keyword.and_then(|keyword| tree.child(keyword, Field::Name));
    let value = tree.child(pair, Field::Value);
    let value = value.and_then(|value| Literal::plain(tree, value));
    name.is_some_and(|name| has(saved, tree.word(name)))
        && value.is_some_and(|value| !names_cudas_device(view, &value))
}

/// Whether a text is the value of an enumeration's member that a person writes for an option. A member has one value, and
/// `PyTorch` takes CUDA's name where the package for run time is imported.
pub fn is_word_of_option(view: &ModuleView<'_>, of: &Use) -> bool {
    match of.consumer {
        Consumer::Target { target } if of.steps.is_empty() => {
            is_member_of_option(view, target) && !is_member_of_device_enum(view, target)
        }
        _ => false,
    }
}

/// Whether a name holds a list that is only asked whether it has such a word, added to, and shown to people: `ALLOWED =
/// ("cpu", "cuda")`, `if device not in ALLOWED: raise ValueError(f"not in {ALLOWED}")`.
fn is_list_of_words(view: &ModuleView<'_>, target: NodeId) -> bool {
    let (mut asks, mut more) = (false, false);
    look_at_list(view, target, false, &mut asks, &mut more);
    asks && !more
}

/// Look at the uses of a list, and at those of names that stand for it: whether one asks it for a word, and whether one does
/// `more` than the list of a person's words is there for.
fn look_at_list(
    view: &ModuleView<'_>,
    target: NodeId,
    is_other_name: bool,
    asks: &mut bool,
    more: &mut bool,
) {
    if view.module.tree.kind(target) != Kind::Identifier {
        *more = true;
        return;
    }
    each_use_while(view, target, &mut |other, node| {
        let of = other.module.use_of(node);
        let tree = &other.module.tree;
        match of.consumer {
            Consumer::Comparison {
                operator,
                other: word,
                on_left: false,
                ..
            } if of.steps.is_empty() && is_membership(tree.word(operator)) => {
                *asks = *asks || is_other_name || may_be_users_word(other, word);
            }
            Consumer::Keyword { name, .. }
                if has(&other.python_values().users_words.lists, tree.word(name)) =>
            {
                *asks = true;
            }
            Consumer::Message => {}
            // `devices = ALLOWED`
            Consumer::Target { target } if of.steps.is_empty() && !is_other_name => {
                look_at_list(other, target, true, asks, more);
            }
            _ if of.is_part() || gets_more(other, node) => {}
            _ => *more = true,
        }
        !*more
    });
}

/// Whether a statement does nothing but add to a list: `ALLOWED.append("mps")`.
fn gets_more(view: &ModuleView<'_>, list: NodeId) -> bool {
    let tree = &view.module.tree;
    let words = &view.python_values().words_of_calls;
    tree.method_call(list).is_some_and(|call| {
        let callee = view.module.callee_word(call);
        let statement = tree.parent(call).map(|up| tree.kind(up));
        statement == Some(Kind::ExpressionStatement)
            && (has(&words.collects, callee) || has(&words.inserts, callee))
    })
}

/// Whether a test says what a value is, which only has MUSA's name in a port.
fn is_expected_by_test(view: &ModuleView<'_>, of: &Use) -> bool {
    let statement = decided(view, of).map(|one| view.module.tree.kind(one));
    statement == Some(Kind::Assert) && Effort::builtin().is_auxiliary(view.path)
}

/// Whether a loop takes each of its texts out of a text: `for word in ("cuda:", " "): device = device.replace(word, "")`.
fn is_removed(view: &ModuleView<'_>, target: NodeId) -> bool {
    if view.module.tree.kind(target) != Kind::Identifier {
        return false;
    }
    let (mut removes, mut more) = (false, false);
    each_use_while(view, target, &mut |other, node| {
        let words = &other.python_values().users_words;
        match other.module.use_of(node).consumer {
            Consumer::Argument {
                call,
                position: Some(0),
            } if has(&words.removes, other.module.callee_word(call)) => removes = true,
            _ => more = true,
        }
        !more
    });
    removes && !more
}
