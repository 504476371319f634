//! Templates that are members of objects whose types depend on a template's parameter: `x.get<T>()`.

use super::compiled::{RULE, is_compiled};
use crate::rules::Outcome;
use crate::rules::cpp::CppUnit;
use crate::rules::cpp::objects::object;
use crate::syntax::{ScopeKind, TokenKind, template_arguments};
use crate::text::TextRange;

/// How many tokens before a scope or a name are read for what declares it.
const NEAR: usize = 400;

/// Call each such member a template.
pub(super) fn members(unit: &CppUnit<'_>, out: &mut Outcome) {
    let tokens = &unit.parsed.tokens;
    if !tokens.has_word(unit.text, b"template") && !tokens.has_word(unit.text, b"auto") {
        return;
    }
    for (open, token) in tokens.tokens.iter().enumerate() {
        if token.in_directive || !token.is(unit.text, "<") {
            continue;
        }
        let Some(member) = open.checked_sub(1) else {
            continue;
        };
        let is_member = matches!(unit.word_before(member, 1), b"." | b"->")
            && unit
                .token(member)
                .is_some_and(|name| name.kind == TokenKind::Identifier);
        if !is_member || !is_call(unit, open) || !is_dependent(unit, member) {
            continue;
        }
        let Some(place) = unit.token(member).map(|name| name.range().start) else {
            continue;
        };
        let place = TextRange::new(place, place);
        if is_compiled(unit, place) {
            unit.replace(out, place, "template ", RULE, None);
        }
    }
}

/// Whether the `<` at `open` opens the arguments of a template that is called.
fn is_call(unit: &CppUnit<'_>, open: usize) -> bool {
    let arguments = template_arguments(unit.text, &unit.parsed.tokens, open);
    arguments.is_some_and(|(_, close)| unit.word(close + 1) == b"(")
}

/// Whether the type of the object that has the member depends on a template's parameter.
fn is_dependent(unit: &CppUnit<'_>, member: usize) -> bool {
    let Some(root) = object(unit, member) else {
        return false;
    };
    let name = unit.word(root);
    if name == b"this" || name == b"(" {
        return false;
    }
    let parameters = parameters(unit, member);
    let is_parameter = |word: &[u8]| parameters.contains(&word);
    if is_parameter(name) {
        return true;
    }
    let places = unit.parsed.tokens.places(unit.text, name);
    let declared = places
        .take_while(|&at| at < member)
        .filter_map(|at| declares(unit, at, &is_parameter))
        .last();
    declared.unwrap_or(false)
}

/// Whether the name at `at` is declared there with a type that depends on a parameter; `None` where it is not declared.
fn declares(unit: &CppUnit<'_>, at: usize, is_parameter: &dyn Fn(&[u8]) -> bool) -> Option<bool> {
    let mut before = at.checked_sub(1)?;
    let skipped = [&b"&"[..], b"&&", b"*", b"const", b"__restrict__"];
    while skipped.contains(&unit.word(before)) {
        before = before.checked_sub(1)?;
    }
    let word = unit.word(before);
    match word {
        b"auto" => {
            if unit.word(at + 1) != b"=" {
                // A parameter of a lambda, or a variable of a loop.
                return Some(unit.word(at + 1) != b":");
            }
            let rest = at + 2..at + NEAR;
            let mut value = rest.take_while(|&one| !matches!(unit.word(one), b";" | b"{" | b""));
            Some(value.any(|one| is_parameter(unit.word(one))))
        }
        b">" => {
            let open = (before.saturating_sub(NEAR)..before).rev();
            let mut open = open.take_while(|&one| !matches!(unit.word(one), b";" | b"{" | b"}"));
            let arguments = open.find_map(|one| {
                let found = (unit.word(one) == b"<")
                    .then(|| template_arguments(unit.text, &unit.parsed.tokens, one))??;
                (found.1 == before).then_some(one..before)
            })?;
            Some(
                arguments
                    .into_iter()
                    .any(|one| is_parameter(unit.word(one))),
            )
        }
        _ => {
            let token = unit.token(before)?;
            let keywords = [
                &b"return"[..],
                b"else",
                b"case",
                b"new",
                b"delete",
                b"throw",
            ];
            if token.kind != TokenKind::Identifier || keywords.contains(&word) {
                return None;
            }
            // `typename Traits::Type x`
            let mut first = before;
            while unit.word_before(first, 1) == b"::" {
                first = first.checked_sub(2)?;
            }
            Some(is_parameter(unit.word(first)))
        }
    }
}

/// The parameters of the templates that a token stands in.
fn parameters<'u>(unit: &'u CppUnit<'_>, index: usize) -> Vec<&'u [u8]> {
    let outline = &unit.parsed.outline;
    let scopes = outline
        .enclosing(index)
        .filter_map(|at| outline.scopes.get(at));
    let scopes = scopes.filter(|one| matches!(one.kind, ScopeKind::Function | ScopeKind::Class));
    scopes
        .flat_map(|scope| head(unit, scope.tokens.start))
        .collect()
}

/// The parameters of the templates in the head of what opens at `brace`.
fn head<'u>(unit: &'u CppUnit<'_>, brace: usize) -> Vec<&'u [u8]> {
    let near = (brace.saturating_sub(NEAR)..brace).rev();
    let near = near.take_while(|&at| !matches!(unit.word(at), b";" | b"{" | b"}"));
    let heads = near.filter(|&at| unit.word(at) == b"template" && unit.word(at + 1) == b"<");
    let lists = heads.filter_map(|at| template_arguments(unit.text, &unit.parsed.tokens, at + 1));
    lists
        .flat_map(|(parameters, _)| parameters)
        .filter_map(|parameter| {
            let end = parameter.clone().find(|&at| unit.word(at) == b"=");
            let last = end.unwrap_or(parameter.end).checked_sub(1)?;
            (last > parameter.start).then(|| unit.word(last))
        })
        .collect()
}
