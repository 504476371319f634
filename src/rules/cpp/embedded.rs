//! CUDA source kept in string literals, for a run-time compiler.

use super::RULES;
use crate::diagnostic::Code;
use crate::project::Parsed;
use crate::project::guards::judge;
use crate::rules::{Outcome, Rule, Unit};
use crate::syntax::{Token, TokenKind};
use crate::text::{Fragment, TextRange};

/// Translates code inside strings with the same rules.
pub(super) struct Embedded;

impl Rule for Embedded {
    fn name(&self) -> &'static str {
        "code-in-string"
    }

    fn codes(&self) -> &'static [Code] {
        &[]
    }

    fn check(&self, unit: &Unit<'_>, out: &mut Outcome) {
        // Code in a string of code in a string is beyond reason.
        if unit.fragment.is_some() {
            return;
        }
        let mut index = 0;
        while let Some(token) = unit.token(index) {
            if !is_literal(token) {
                index += 1;
                continue;
            }
            let mut literals = Vec::new();
            while let Some(token) = unit.token(index).filter(|token| is_literal(*token)) {
                literals.push(token);
                index += 1;
            }
            translate(unit, out, &literals);
        }
    }
}

fn is_literal(token: Token) -> bool {
    matches!(token.kind, TokenKind::String | TokenKind::RawString)
}

fn translate(unit: &Unit<'_>, out: &mut Outcome, literals: &[Token]) {
    let markers = &unit.lore.knowledge.files.generated.markers;
    let holds_marker = literals.iter().any(|token| {
        let text = token.text(unit.text);
        markers.iter().any(|marker| {
            let marker = marker.as_bytes();
            text.windows(marker.len()).any(|window| window == marker)
        })
    });
    let Some(first) = literals.first().filter(|_| holds_marker) else {
        return;
    };
    if unit.foreign(first.range()).is_some() {
        return;
    }
    let mut fragment = Fragment::default();
    for token in literals {
        push(&mut fragment, unit.text, *token);
    }
    // Assembly and messages may name a kernel's keyword; code has a body.
    if !fragment.text().contains(&b'{') && !fragment.text().contains(&b'(') {
        return;
    }
    let parsed = Parsed::new(fragment.text(), false, unit.lore.knowledge);
    let (hits, guards) = judge(fragment.text(), &parsed, unit.lore, &unit.project.taints);
    let inner = Unit {
        text: fragment.text(),
        parsed: &parsed,
        hits: &hits,
        guards: &guards,
        fragment: Some(&fragment),
        ..*unit
    };
    let claims = out.forget_claims();
    for rule in RULES {
        rule.check(&inner, out);
    }
    out.restore_claims(claims);
}

fn push(fragment: &mut Fragment, text: &[u8], token: Token) {
    let range = token.range();
    let literal = range.of(text);
    let Some(quote) = literal.iter().position(|&byte| byte == b'"') else {
        return;
    };
    if token.kind == TokenKind::RawString {
        let open = literal.iter().position(|&byte| byte == b'(');
        let close = literal.iter().rposition(|&byte| byte == b')');
        if let (Some(open), Some(close)) = (open, close)
            && open < close
        {
            fragment.push_verbatim(
                text,
                TextRange::new(range.start + open + 1, range.start + close),
            );
        }
        return;
    }
    let end = if literal.len() > quote + 1 && literal.ends_with(b"\"") {
        range.end - 1
    } else {
        range.end
    };
    fragment.push_c_string(
        text,
        TextRange::new(range.start + quote + 1, end.max(range.start + quote + 1)),
    );
}
