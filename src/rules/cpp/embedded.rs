//! CUDA source kept in string literals, for a run-time compiler.

use rustc_hash::FxHashSet;

use super::{CppCode, CppRule, CppUnit, PastingPlans, written_code};
use crate::declarations::Declarations;
use crate::{Outcome, Unit, look};
use torchada_diagnostic::codes::cpp::UNLISTED_NAME;
use torchada_project::{Parsed, Visible, scan_text};
use torchada_syntax::{Token, TokenKind};
use torchada_text::{Fragment, TextRange};

/// How C++ in a file of another language is read.
pub struct EmbeddedCpp<'a> {
    /// Headers that are included for the code, beside those that it includes itself.
    pub headers: &'a [String],
    /// Whether placeholders of templates stand in it.
    pub template: bool,
    /// The rules that look at it.
    pub rules: &'a [CppRule],
}

impl EmbeddedCpp<'_> {
    /// Run all rules over a fragment of `host`.
    pub fn check<C>(&self, host: &Unit<'_, C>, fragment: &Fragment, out: &mut Outcome) {
        let (index, context) = (host.index, host.context);
        let text = fragment.text();
        let parsed = Parsed::new(text, self.template, context.knowledge);
        let (found, guards) = host
            .project
            .judge(index, text, &parsed, context.without_ptx());
        let facts = scan_text(text, self.template, context);
        let included = facts.includes.iter().map(|include| include.path.clone());
        let visible = Visible::by_itself(index, included.chain(self.headers.iter().cloned()));
        let declared = facts.declared.iter().map(|one| (index, one));
        let declared = Declarations::new(declared, index);
        let unit = CppUnit {
            file: host.file,
            index,
            file_text: host.file_text,
            lines: host.lines,
            text,
            fragment: Some(fragment),
            project: host.project,
            context,
            settings: host.settings,
            code: CppCode {
                parsed: &parsed,
                hits: &found.hits,
                assembly: &found.assembly,
                guards: &guards,
                visible: &visible,
                declared: &declared,
                alias_header: None,
                pasting_plans: &PastingPlans::default(),
                rules: self.rules,
            },
        };
        let mut inner = out.inside();
        for &rule in self.rules {
            look(rule, &unit, &mut inner);
        }
        // What the code declares itself is not unlisted.
        let lookalikes: FxHashSet<&[u8]> = facts.lookalikes.iter().map(Vec::as_slice).collect();
        inner.findings.retain(|finding| {
            let name = finding.range.of(host.file_text);
            finding.code != UNLISTED_NAME || !lookalikes.contains(name)
        });
        out.absorb(inner);
    }
}

/// Translates code inside strings with the same rules.
pub fn check(unit: &CppUnit<'_>, out: &mut Outcome) {
    // Code in a string of code in a string is beyond reason.
    if unit.fragment.is_some() {
        return;
    }
    let all: Vec<(usize, Token)> = unit.parsed.tokens.literals().collect();
    // Those that no other token parts are one text.
    for literals in all.chunk_by(|(one, _), (next, _)| one + 1 == *next) {
        let literals: Vec<Token> = literals.iter().map(|(_, token)| *token).collect();
        translate(unit, out, &literals);
    }
    written_code::pieces(unit, out);
}

fn translate(unit: &CppUnit<'_>, out: &mut Outcome, literals: &[Token]) {
    let markers = &unit.context.knowledge.files.generated.markers;
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
    let parsed = Parsed::new(fragment.text(), false, unit.context.knowledge);
    let context = unit.context.without_ptx();
    let (found, guards) = unit
        .project
        .judge(unit.index, fragment.text(), &parsed, context);
    // Code that a program compiles at run time sees none of the declarations around it.
    let facts = scan_text(fragment.text(), false, context);
    let declared = facts.declared.iter().map(|one| (unit.index, one));
    let declared = Declarations::new(declared, unit.index);
    let inner = CppUnit {
        text: fragment.text(),
        fragment: Some(&fragment),
        code: CppCode {
            parsed: &parsed,
            hits: &found.hits,
            assembly: &found.assembly,
            guards: &guards,
            declared: &declared,
            ..unit.code
        },
        ..*unit
    };
    let claims = out.forget_claims();
    for &rule in unit.rules {
        look(rule, &inner, out);
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
