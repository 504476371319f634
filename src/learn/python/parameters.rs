//! Compares what two functions of Python's take.

use serde::Deserialize;

/// A parameter.
#[derive(Debug, Deserialize)]
pub(super) struct Parameter {
    name: String,
    kind: Kind,
    /// Whether a call may leave it out, since it has a default.
    optional: bool,
}

/// How an argument for it is written, under the names that Python's `inspect` has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum Kind {
    PositionalOnly,
    PositionalOrKeyword,
    VarPositional,
    KeywordOnly,
    VarKeyword,
}

impl Kind {
    fn is_positional(self) -> bool {
        matches!(self, Self::PositionalOnly | Self::PositionalOrKeyword)
    }

    fn is_named(self) -> bool {
        matches!(self, Self::KeywordOnly | Self::PositionalOrKeyword)
    }
}

/// Whether each call that fits CUDA's function fits MUSA's, too, where the names of parameters become others as in code.
/// What a function hands on (`*args, **kwargs`) is not known, and counts as fitting.
pub(super) fn takes_all(
    musa: &[Parameter],
    cuda: &[Parameter],
    renamed: &dyn Fn(&str) -> String,
) -> bool {
    let has = |all: &[Parameter], kind| all.iter().any(|one| one.kind == kind);
    let hands_on = |all| has(all, Kind::VarPositional) && has(all, Kind::VarKeyword);
    if hands_on(musa) || hands_on(cuda) {
        return true;
    }
    let (more, named) = (has(musa, Kind::VarPositional), has(musa, Kind::VarKeyword));
    if has(cuda, Kind::VarPositional) && !more || has(cuda, Kind::VarKeyword) && !named {
        return false;
    }
    let is_name =
        |own: &Parameter, one: &Parameter| own.name == one.name || own.name == renamed(&one.name);
    let places: Vec<&Parameter> = positional(musa).collect();
    let fits = |one: &Parameter, own: &Parameter| own.optional || !one.optional;
    let mut placed = positional(cuda).enumerate();
    let all_placed = placed.all(|(at, one)| match places.get(at) {
        Some(own) if one.kind == Kind::PositionalOnly => fits(one, own),
        Some(own) => own.kind.is_named() && is_name(own, one) && fits(one, own),
        None => more && (named || one.kind == Kind::PositionalOnly),
    });
    let mut by_name = cuda.iter().filter(|one| one.kind == Kind::KeywordOnly);
    let all_named = by_name.all(|one| {
        let mut own = musa.iter().filter(|own| own.kind.is_named());
        own.find(|own| is_name(own, one))
            .map_or(named, |own| fits(one, own))
    });
    // What CUDA's function does not take, no call has.
    let count = positional(cuda).count();
    let mut others = places.iter().skip(count).copied();
    let mut keywords = musa.iter().filter(|own| own.kind == Kind::KeywordOnly);
    let is_given = |own: &Parameter| {
        own.optional
            || cuda
                .iter()
                .any(|one| one.kind == Kind::KeywordOnly && is_name(own, one))
    };
    all_placed && all_named && others.all(is_given) && keywords.all(is_given)
}

fn positional(all: &[Parameter]) -> impl Iterator<Item = &Parameter> {
    all.iter().filter(|one| one.kind.is_positional())
}

/// `device, *, stream=…`
pub(super) fn text(all: &[Parameter]) -> String {
    let mut parts = Vec::new();
    let mut before = None;
    for one in all {
        if before == Some(Kind::PositionalOnly) && one.kind != Kind::PositionalOnly {
            parts.push("/".to_owned());
        }
        let is_first = before != Some(Kind::KeywordOnly) && before != Some(Kind::VarPositional);
        if one.kind == Kind::KeywordOnly && is_first {
            parts.push("*".to_owned());
        }
        let name = &one.name;
        parts.push(match one.kind {
            Kind::VarPositional => format!("*{name}"),
            Kind::VarKeyword => format!("**{name}"),
            _ if one.optional => format!("{name}=…"),
            _ => name.clone(),
        });
        before = Some(one.kind);
    }
    if before == Some(Kind::PositionalOnly) {
        parts.push("/".to_owned());
    }
    parts.join(", ")
}
