//! Forms of opcodes: `add.{u32|s32}`, `fma.rn[.ftz].f32`, `ld.*`.
use crate::word_list::{has, starts_with_one};

/// The opcodes that a form stands for.
pub(super) fn expand(form: &str) -> Result<Vec<String>, String> {
    let Some(open) = form.find(['{', '[']) else {
        return Ok(vec![form.to_owned()]);
    };
    let (front, rest) = form.split_at(open);
    let close = if rest.starts_with('{') { '}' } else { ']' };
    let end = rest
        .find(close)
        .ok_or_else(|| format!("`{form}` has no `{close}`"))?;
    let inside = rest.get(1..end).unwrap_or_default();
    let tails = expand(rest.get(end + 1..).unwrap_or_default())?;
    let mut choices: Vec<&str> = inside.split('|').collect();
    if close == ']' {
        choices.push("");
    }
    let both = choices.iter().flat_map(|choice| {
        tails
            .iter()
            .map(move |tail| format!("{front}{choice}{tail}"))
    });
    Ok(both.collect())
}

/// Whether an opcode is one of those that a form stands for.
pub fn is_of_form(opcode: &str, form: &str) -> bool {
    match form.strip_suffix('*') {
        Some(front) => expand(front).is_ok_and(|fronts| starts_with_one(opcode, &fronts)),
        None => expand(form).is_ok_and(|opcodes| has(&opcodes, opcode)),
    }
}
