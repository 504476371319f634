//! Guards on CUDA's architecture: writes what was decided about each, and says why.

use super::shield::shield;
use super::verdict::keep_if;
use crate::diagnostic::{Code, KeptReason, Severity};
use crate::mapping::{Evidence, Row, Section};
use crate::project::guards::{Closed, Comparison, Decision, Operator};
use crate::rules::{Outcome, Rule, Unit};
use crate::syntax::{DirectiveKind, Token, TokenKind};
use crate::text::TextRange;

/// A comparison that could not be decided.
pub const UNDECIDED: Code = Code {
    id: "CPP050",
    severity: Severity::Warning,
    title: "MUSA's architecture stands where CUDA's number means something",
};
/// A threshold got MUSA's number.
pub const RENUMBERED: Code = Code {
    id: "CPP051",
    severity: Severity::Note,
    title: "architecture threshold renumbered",
};
/// CUDA's own fallback was chosen.
pub const FALLBACK: Code = Code {
    id: "CPP052",
    severity: Severity::Warning,
    title: "MUSA takes CUDA's fallback branch",
};
/// There is no fallback.
pub const NO_FALLBACK: Code = Code {
    id: "CPP053",
    severity: Severity::Error,
    title: "no branch is left for MUSA",
};
/// A branch was closed that MUSA does not need.
pub const NOT_NEEDED: Code = Code {
    id: "CPP054",
    severity: Severity::Note,
    title: "branch closed that does nothing on MUSA",
};

/// Writes the decisions about guards.
pub(super) struct Guards;

const NAME: &str = "guard";

impl Rule for Guards {
    fn name(&self) -> &'static str {
        NAME
    }

    fn codes(&self) -> &'static [Code] {
        &[UNDECIDED, RENUMBERED, FALLBACK, NO_FALLBACK, NOT_NEEDED]
    }

    fn check(&self, unit: &Unit<'_>, out: &mut Outcome) {
        for (comparison, decision) in &unit.guards.decisions {
            settle(unit, out, comparison, decision);
        }
        for closed in &unit.guards.closed {
            let mut decisions = unit.guards.decisions.iter();
            let comparison = decisions.find(|(one, _)| one.range == closed.at);
            if comparison.is_some_and(|(one, _)| row(unit, one.index).is_some()) {
                say_closed(unit, out, closed);
            }
        }
        for &index in &unit.guards.values {
            let Some(token) = unit.token(index) else {
                continue;
            };
            if row(unit, index).is_some() {
                out.findings.push(
                    unit.finding(
                        UNDECIDED,
                        token.range(),
                        "the architecture's number is used as a value, and MUSA's are 210, 220, 310 and 320",
                    )
                    .help("decide by what the code needs, or write the value that it should have on MUSA"),
                );
            }
        }
    }
}

fn settle(unit: &Unit<'_>, out: &mut Outcome, comparison: &Comparison, decision: &Decision) {
    let Some(token) = unit.token(comparison.index) else {
        return;
    };
    let Some(name) = row(unit, comparison.index).and_then(|row| row.to.as_deref()) else {
        return;
    };
    let range = comparison.range;
    let original = String::from_utf8_lossy(range.of(unit.text)).into_owned();
    let spelled_out = original.contains(['\n', '\r', '\u{fffd}']) || original.contains("/*");
    match decision {
        Decision::KnowsMusa => {
            keep_if(unit, out, token.range(), Some(KeptReason::MusaBranch));
            out.claim(token);
        }
        Decision::Threshold { number, feature } if !spelled_out => {
            let to = written(unit, comparison, name, *number);
            if unit.rewrite(out, range, &to, NAME, Some(evidence_of(unit, feature))) {
                out.claim(token);
                let what = match feature.as_str() {
                    "any" => "nothing in its branches is known to ask for more".to_owned(),
                    feature => {
                        format!("its branches need `{feature}`, which MUSA has from {number} on")
                    }
                };
                out.findings.push(
                    unit.finding(
                        RENUMBERED,
                        range,
                        format!("`{original}` became `{to}`: {what}"),
                    )
                    .help("check that the branches hold nothing else that depends on the GPU"),
                );
            }
        }
        Decision::Constant(value) if !spelled_out => {
            let constant = u8::from(*value);
            let written = constant_in_macro(unit, comparison, constant, &original).or_else(|| {
                let in_macro = unit
                    .parsed
                    .tokens
                    .directive_of(comparison.index)
                    .is_some_and(|one| one.kind == DirectiveKind::Define);
                (!in_macro).then(|| (range, format!("{constant} /* {original} */")))
            });
            match written {
                Some((range, to)) => {
                    if unit.rewrite(out, range, &to, NAME, None) {
                        out.claim(token);
                    }
                }
                None => undecided(unit, out, range, &original),
            }
        }
        Decision::Threshold { .. } | Decision::Constant(_) | Decision::Open => {
            undecided(unit, out, range, &original);
        }
    }
}

/// The row of the architecture macro at `index`; none where the rule for names says why it stays.
fn row<'a>(unit: &Unit<'a>, index: usize) -> Option<&'a Row> {
    let token = unit.token(index)?;
    let row = unit
        .lore
        .tables
        .get(Section::Names, token.text(unit.text))?;
    let stays = unit.foreign(token.range()).is_some() || shield(unit, index, row, false).is_some();
    (!stays).then_some(row)
}

fn undecided(unit: &Unit<'_>, out: &mut Outcome, range: TextRange, original: &str) {
    let message = format!("`{original}` compares MUSA's architecture with a number of CUDA's");
    out.findings.push(
        unit.finding(UNDECIDED, range, message)
            .help("decide by what the code needs: MUSA's numbers are 210, 220, 310 and 320"),
    );
}

/// A comparison in a macro's body as a constant: the original goes to the end of the body, because
/// the grammar takes a comment inside for the end. Nothing with a name may stand behind it.
fn constant_in_macro(
    unit: &Unit<'_>,
    comparison: &Comparison,
    constant: u8,
    original: &str,
) -> Option<(TextRange, String)> {
    let define = unit.parsed.tokens.directive_of(comparison.index)?;
    let last = unit.token(define.tokens.end.checked_sub(1)?)?.range().end;
    let behind = define
        .tokens
        .clone()
        .filter_map(|index| unit.token(index))
        .filter(|token| token.range().start >= comparison.range.end)
        .all(|token| token.kind == TokenKind::Punct);
    if define.kind != DirectiveKind::Define || !behind {
        return None;
    }
    let tail = TextRange::new(comparison.range.end, last);
    let tail = String::from_utf8_lossy(tail.of(unit.text));
    Some((
        TextRange::new(comparison.range.start, last),
        format!("{constant}{tail} /* {original} */"),
    ))
}

/// What stands behind the number of a feature.
fn evidence_of(unit: &Unit<'_>, feature: &str) -> Evidence {
    let rows = unit.lore.tables.architectures().iter();
    rows.filter(|row| row.feature == feature && row.mp.is_some())
        .map(|row| row.evidence)
        .next()
        .unwrap_or(Evidence::Rule)
}

/// The comparison with MUSA's number, white space and brackets as they were: `>` and `<=` ask for
/// the same as `>=` and `<` with the feature's first number.
fn written(unit: &Unit<'_>, comparison: &Comparison, name: &str, number: u32) -> String {
    let range = comparison.range;
    let newer = matches!(comparison.operator, Operator::AtLeast | Operator::Above);
    let operator = match (comparison.mirrored, newer) {
        (false, true) => ">=",
        (false, false) => "<",
        (true, true) => "<=",
        (true, false) => ">",
    };
    let tokens = unit.parsed.tokens.tokens.iter();
    let mut text = String::new();
    let mut from = range.start;
    let own = unit.token(comparison.index).map(Token::range);
    for token in tokens.filter(|token| range.contains(token.range().start)) {
        let here = token.range();
        let gap = TextRange::new(from, here.start);
        text.push_str(&String::from_utf8_lossy(gap.of(unit.text)));
        from = here.end;
        match (token.kind, token.text(unit.text)) {
            _ if own == Some(here) => text.push_str(name),
            (TokenKind::Punct, b"<" | b"<=" | b">" | b">=") => text.push_str(operator),
            (TokenKind::Number | TokenKind::Identifier, _) => text.push_str(&number.to_string()),
            (_, other) => text.push_str(&String::from_utf8_lossy(other)),
        }
    }
    text
}

fn say_closed(unit: &Unit<'_>, out: &mut Outcome, closed: &Closed) {
    const SHOWN: usize = 4;
    let original = String::from_utf8_lossy(closed.at.of(unit.text)).into_owned();
    let mut holds: Vec<String> = closed
        .holds
        .iter()
        .take(SHOWN)
        .map(|what| {
            if what.ends_with(')') {
                what.clone()
            } else {
                format!("`{what}`")
            }
        })
        .collect();
    if closed.holds.len() > SHOWN {
        holds.push(format!("{} more", closed.holds.len() - SHOWN));
    }
    let holds = holds.join(", ");
    let (code, message) = match closed.fallback {
        _ if closed.severity == Severity::Note => (
            NOT_NEEDED,
            format!("the branch for `{original}` was closed: {holds} does nothing on MUSA"),
        ),
        _ if !closed.switches.is_empty() => (
            FALLBACK,
            format!(
                "`{}` stays off on MUSA: what asks for it holds {holds}",
                closed.switches.join("`, `")
            ),
        ),
        // `#if __CUDA_ARCH__ < 800`: the fallback is what is asked for.
        Some(fallback) if line_of(unit, fallback) == line_of(unit, closed.at) => (
            FALLBACK,
            format!("MUSA takes the branch for `{original}`: the newer one holds {holds}"),
        ),
        Some(fallback) => (
            FALLBACK,
            format!(
                "MUSA takes the fallback in line {}: the branch for `{original}` holds {holds}",
                line_of(unit, fallback)
            ),
        ),
        None => (
            NO_FALLBACK,
            format!(
                "no branch is left for MUSA: the one for `{original}` holds {holds}, and no other does without"
            ),
        ),
    };
    let help = match (code.id == NOT_NEEDED.id, closed.other_vendor) {
        (true, _) => "nothing to do".to_owned(),
        _ if !closed.switches.is_empty() => {
            "check that what tests it has a branch without".to_owned()
        }
        (_, Some(other)) => format!(
            "the branch for another vendor in line {} does without: write MUSA's branch after it",
            line_of(unit, other)
        ),
        (_, None) if closed.fallback.is_some() => {
            "write a branch for MUSA where the fallback is too slow".to_owned()
        }
        _ => "write a branch for MUSA, or keep this code out of its build".to_owned(),
    };
    out.findings
        .push(unit.finding(code, closed.at, message).help(help));
}

/// The 1-based line of the file in which a range of the unit starts.
fn line_of(unit: &Unit<'_>, range: TextRange) -> usize {
    let place = unit.in_file(range);
    unit.lines.position(unit.file_text, place.start).line
}
