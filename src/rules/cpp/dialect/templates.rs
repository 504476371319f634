//! Templates that are members of objects whose types depend on a template's parameter: `x.get<T>()`.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::cpp::CppUnit;
use crate::cpp::objects::object;
use crate::{Change, Outcome};
use torchada_syntax::{ScopeKind, TokenKind, template_arguments};
use torchada_text::TextRange;

/// How many tokens before a scope or a name are read for what declares it.
const NEAR: usize = 400;

/// How many scopes around a token are read for templates.
const DEEP: usize = 16;

/// Call each such member a template.
pub(super) fn members(unit: &CppUnit<'_>, out: &mut Outcome) {
    for (object, members) in candidates(unit) {
        let mut members = members.into_iter().peekable();
        let mut declared = None;
        let mut found = Vec::new();
        // Members and declarations are both sorted by place, so that one pass over both is enough.
        for at in unit.parsed.tokens.places(unit.text, object) {
            while let Some(member) = members.next_if(|&member| member < at) {
                found.push((member, declared));
            }
            // A macro may be used anywhere.
            let in_macro = unit.token(at).is_some_and(|token| token.in_directive);
            if !in_macro && is_declared(unit, at) {
                declared = Some(at);
            }
        }
        found.extend(members.map(|member| (member, declared)));
        for (member, declared) in found {
            let name = unit.token(member).map(|name| name.range().start);
            let place = name.map(|start| TextRange::new(start, start));
            if let Some(place) = place.filter(|place| unit.is_compiled(*place))
                && is_dependent(unit, (object, declared), member)
            {
                unit.apply(out, Change::new(place, "template "));
            }
        }
    }
}

/// The members with template arguments that are called, as token indices in order of place, by the names that the
/// objects begin with.
fn candidates<'u>(unit: &'u CppUnit<'_>) -> BTreeMap<&'u [u8], Vec<usize>> {
    let tokens = &unit.parsed.tokens;
    let mut found: BTreeMap<&[u8], Vec<usize>> = BTreeMap::new();
    if !tokens.has_word(unit.text, b"template") && !tokens.has_word(unit.text, b"auto") {
        return found;
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
        if !is_member || !is_call(unit, open) {
            continue;
        }
        let first = object(unit, member).map(|first| unit.word(first));
        if let Some(first) = first.filter(|first| !matches!(*first, b"this" | b"(")) {
            found.entry(first).or_default().push(member);
        }
    }
    found
}

/// Whether the `<` at `open` opens the arguments of a template that is called.
fn is_call(unit: &CppUnit<'_>, open: usize) -> bool {
    let arguments = template_arguments(unit.text, &unit.parsed.tokens, open);
    arguments.is_some_and(|(_, close)| unit.word(close + 1) == b"(")
}

/// Whether the type of the object that has the member depends on a template's parameter. The object begins with a name,
/// which is declared at a place, as far as that is seen.
fn is_dependent(
    unit: &CppUnit<'_>,
    (object, declared): (&[u8], Option<usize>),
    member: usize,
) -> bool {
    let parameters = parameters(unit, member);
    let is_parameter = |word: &[u8]| parameters.contains(&word);
    is_parameter(object) || declared.is_some_and(|at| has_dependent_type(unit, at, &is_parameter))
}

/// The last token of the type, if the name at `at` is declared.
fn last_of_type(unit: &CppUnit<'_>, at: usize) -> Option<usize> {
    let skipped = [&b"&"[..], b"&&", b"*", b"const", b"__restrict__"];
    let near = (at.saturating_sub(NEAR)..at).rev();
    let mut near = near.skip_while(|&one| skipped.contains(&unit.word(one)));
    near.next()
}

/// Whether the name at `at` is declared there.
fn is_declared(unit: &CppUnit<'_>, at: usize) -> bool {
    let Some(last) = last_of_type(unit, at) else {
        return false;
    };
    let keywords = [
        &b"return"[..],
        b"else",
        b"case",
        b"new",
        b"delete",
        b"throw",
        b"typename",
        b"template",
    ];
    let word = unit.word(last);
    let is_name = unit
        .token(last)
        .is_some_and(|token| token.kind == TokenKind::Identifier);
    word == b">" && arguments_before(unit, last).is_some() || is_name && !keywords.contains(&word)
}

/// The template arguments that end at the `>` at `close`.
fn arguments_before(unit: &CppUnit<'_>, close: usize) -> Option<Range<usize>> {
    let mut depth = 0_usize;
    for at in (close.saturating_sub(NEAR)..=close).rev() {
        match unit.word(at) {
            b";" | b"{" | b"}" => return None,
            b">" => depth += 1,
            b">>" => depth += 2,
            b"<" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1..close);
        }
    }
    None
}

/// Whether the name at `at` is declared with a type that depends on a parameter.
fn has_dependent_type(unit: &CppUnit<'_>, at: usize, is_parameter: &dyn Fn(&[u8]) -> bool) -> bool {
    let Some(last) = last_of_type(unit, at) else {
        return false;
    };
    match unit.word(last) {
        b"auto" if matches!(unit.word(at + 1), b"=" | b"{") => {
            let rest = at + 2..at + NEAR;
            let mut value = rest.take_while(|&one| !matches!(unit.word(one), b";" | b"{" | b""));
            value.any(|one| is_parameter(unit.word(one)))
        }
        // A parameter of a lambda, but neither a variable of a loop nor a function.
        b"auto" => matches!(unit.word(at + 1), b"," | b")"),
        b">" => arguments_before(unit, last)
            .is_some_and(|mut arguments| arguments.any(|one| is_parameter(unit.word(one)))),
        _ => {
            // `typename Traits::Type x`
            let mut first = last;
            while unit.word_before(first, 1) == b"::" && last - first < NEAR {
                first = first.saturating_sub(2);
            }
            is_parameter(unit.word(first))
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
    let scopes = scopes.take(DEEP);
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
