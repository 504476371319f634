//! The role of a string, by its position: an argument of a known function, a default, a side of a comparison.

use super::arguments::{argument, keyword};
use super::dictionaries::has_text_keys;
use super::expressions::expression;
use super::flow::by_flow;
use super::names::{by_name, returned};
use super::options;
use super::role::{RoleTerm, StringRole};
use crate::mapping::ValueKind;
use crate::rules::python::ModuleView;
use crate::syntax::python::{Consumer, Field, NodeId, Use};

/// The role of a string by its position.
pub(super) fn by_position(view: &ModuleView<'_>, of: &Use) -> RoleTerm {
    if let Some(found) = options::string_role(view, of) {
        return found.into();
    }
    let tree = &view.module.tree;
    let named = |node| by_name(view, &view.module.last_name(node));
    let role = match of.consumer {
        Consumer::Docstring | Consumer::Statement | Consumer::Message => StringRole::Text,
        Consumer::Path => StringRole::Known(ValueKind::Other),
        Consumer::Keyword { call, name } => return keyword(view, call, name),
        Consumer::Argument { call, position } => return argument(view, of, call, position),
        Consumer::Default { name, .. } => named(name),
        Consumer::Target { target } | Consumer::Loop { target } => named(target),
        Consumer::Return { function } => function
            .and_then(|one| tree.child(one, Field::Name))
            .map_or(StringRole::Unknown, |name| returned(view, name)),
        // `"cuda" in states`, where `states["cpu"]` says that this is a dictionary.
        Consumer::Comparison {
            other,
            operator,
            on_left: true,
            ..
        } if tree.word(operator).ends_with(b"in") && has_text_keys(view, other) => {
            let consumer = Consumer::Item { of: other };
            let steps = of.steps.clone();
            return by_flow(view, &Use { consumer, steps });
        }
        Consumer::Comparison { other, .. } => return expression(view, other),
        Consumer::Pattern { subject, .. } => return expression(view, subject),
        // The name of `BACKENDS = {"cuda": …}` tells what its values are.
        Consumer::DictKey { pair } => {
            return of_dictionary(view, pair).map_role(|role| match role {
                StringRole::Known(ValueKind::Backend) => StringRole::Unknown,
                found => found,
            });
        }
        Consumer::DictValue { pair } => match tree.child(pair, Field::Key).map(named) {
            Some(StringRole::Unknown) | None => return of_dictionary(view, pair),
            Some(found) => found,
        },
        _ => StringRole::Unknown,
    };
    role.into()
}

/// The role of the entries of a dictionary by the position of the dictionary: those of a `map_location` are devices.
fn of_dictionary(view: &ModuleView<'_>, pair: NodeId) -> RoleTerm {
    let dictionary = view.module.tree.parent(pair);
    dictionary.map_or(StringRole::Unknown.into(), |dictionary| {
        by_position(view, &view.module.use_of(dictionary)).only_kinds()
    })
}
