//! Qualified names: `at::cuda::…`, `c10::DeviceType::CUDA`, `cuda::std::…`, with aliases and
//! using-directives.

mod chain;
pub(super) mod copies;
mod rows;
mod unresolved;
mod visible_namespaces;

use super::CppUnit;
use crate::Outcome;
use chain::QualifiedName;
use torchada_diagnostic::KeptReason;
use torchada_mapping::Section;
use torchada_syntax::TokenKind;
use torchada_text::TextRange;
use visible_namespaces::VisibleNamespaces;

/// Whether the qualified name at a place begins with a namespace of the project's own.
pub(super) fn is_own(unit: &CppUnit<'_>, range: TextRange) -> bool {
    let tokens = &unit.parsed.tokens.tokens;
    let index = tokens.binary_search_by_key(&range.start, |token| token.range().start);
    index.is_ok_and(|index| {
        let name = QualifiedName::at(unit, index);
        name.parts.len() > 1 && name.starts_in_own_namespace(unit, &VisibleNamespaces::of(unit))
    })
}

/// Whether the name at `index` is what a namespace alias stands for: `namespace x = ::name`.
fn is_alias_target(unit: &CppUnit<'_>, index: usize) -> bool {
    let at = index - usize::from(unit.word_before(index, 1) == b"::");
    unit.word_before(at, 1) == b"=" && unit.word_before(at, 3) == b"namespace"
}

/// Where a qualified name, or the name of a namespace, may begin, in order of place.
fn starts(unit: &CppUnit<'_>) -> Vec<usize> {
    let tokens = &unit.parsed.tokens;
    let places = tokens.operators(unit.text, *b"::");
    let mut starts: Vec<usize> = places.filter_map(|at| at.checked_sub(1)).collect();
    // `namespace a`, `namespace a = b`, `namespace a = ::b`
    let namespaces = tokens.places(unit.text, b"namespace");
    starts.extend(namespaces.flat_map(|at| [at + 1, at + 3, at + 4]));
    starts.sort_unstable();
    starts.dedup();
    starts
}

/// Renames qualified names by table.
pub fn check(unit: &CppUnit<'_>, out: &mut Outcome) {
    let visible = VisibleNamespaces::of(unit);
    let mut next = 0;
    for index in starts(unit) {
        let token = unit.token(index);
        let Some(token) = token.filter(|token| token.kind == TokenKind::Identifier) else {
            continue;
        };
        if index < next || out.is_claimed(token) {
            continue;
        }
        // Most names stand by themselves, and name no namespace.
        if unit.word(index + 1) != b"::"
            && unit.word_before(index, 1) != b"namespace"
            && !is_alias_target(unit, index)
        {
            continue;
        }
        let chain = QualifiedName::at(unit, index);
        next = chain.end;
        // `namespace cute = ::cute;` makes a name of the project's own.
        let aliases = unit.word_before(index, 1) == b"namespace" && unit.word(chain.end) == b"=";
        let known = || {
            unit.context
                .row(Section::Namespaces, token.text(unit.text))
                .is_some()
        };
        if aliases && known() {
            unit.keep(out, token.range(), KeptReason::ProjectDeclared);
        }
        let opens_namespace =
            unit.word_before(index, 1) == b"namespace" && unit.word(chain.end) != b"=";
        let names_namespace = opens_namespace || is_alias_target(unit, index);
        if chain.parts.len() > 1 || names_namespace {
            chain.translate(unit, out, names_namespace, &visible);
        }
    }
}

impl QualifiedName {
    /// Answer the name by its likeliest reading that a table knows.
    fn translate(
        &self,
        unit: &CppUnit<'_>,
        out: &mut Outcome,
        opens: bool,
        visible: &VisibleNamespaces<'_>,
    ) {
        if !self.may_be_known(unit, visible) {
            return;
        }
        if self.parts.len() > 1 && self.starts_in_own_namespace(unit, visible) {
            return self.keep_own(unit, out);
        }
        for reading in self.readings(unit, visible) {
            let by_namespace =
                |out: &mut Outcome| self.namespace(unit, out, &reading, opens).then_some(0);
            let whole = self.whole(unit, out, &reading);
            if let Some(in_front) = whole.or_else(|| by_namespace(out)) {
                // A name in front that is none of theirs may be CUDA's by itself.
                for &part in self.parts.iter().skip(in_front) {
                    out.claim(part);
                }
                return;
            }
        }
        self.unresolved(unit, out);
    }
}
