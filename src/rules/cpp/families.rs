//! Names that no table lists, but that start as a family of CUDA's names does.

use super::CppUnit;
use super::identifiers::{is_pasted, qualified};
use super::pasting::is_made_by_macro;
use crate::Outcome;
use torchada_diagnostic::KeptReason;
use torchada_diagnostic::codes::cpp::{ABSENT_NAME, UNKNOWN_NAME, UNLISTED_NAME};
use torchada_mapping::names::stems::by_rule;
use torchada_mapping::{Facts, Section, Tables};
use torchada_syntax::{DirectiveKind, Token};

/// Reports the identifier at `index` if it belongs to a family.
pub(super) fn report_unlisted(unit: &CppUnit<'_>, out: &mut Outcome, index: usize, token: Token) {
    let text = token.text(unit.text);
    // Almost no identifier is of a family: ask that first.
    let Some(family) = unit.context.knowledge.families.of(text) else {
        return;
    };
    if text.contains(&b'\\') || unit.context.row(Section::Names, text).is_some() {
        return;
    }
    let own = std::str::from_utf8(text).is_ok_and(|name| unit.settings.own_names.contains(name));
    let range = token.range();
    let is_seen = unit.visible.has_named(&family.headers);
    if own || !is_seen || unit.foreign(range).is_some() || titles_definition(unit, index) {
        return;
    }
    if unit.is_left_out(range.start) {
        unit.keep(out, range, KeptReason::MusaBranch);
        return;
    }
    if !family.undeclared && (unit.declared.contains(text) || introduces(unit, index)) {
        unit.keep(out, range, KeptReason::ProjectDeclared);
        return;
    }
    let shown = String::from_utf8_lossy(text);
    let answer = SdkAnswer::of(unit.context.tables, family.library.as_ref(), &shown);
    let finding = if family.undeclared {
        if unit.project.lookalikes.contains(text) || !stands_for_itself(unit, index, token) {
            return;
        }
        if is_made_by_macro(unit, text) {
            unit.keep(out, range, KeptReason::ProjectDeclared);
            return;
        }
        let lacks = match answer {
            SdkAnswer::Lacks(sdk) => format!(", and {sdk} has no counterpart of it"),
            SdkAnswer::Silence(why) => why,
        };
        let message = format!(
            "`{shown}` is written as a CUDA name, but no table lists it and nothing in the tree declares it{lacks}"
        );
        unit.finding(UNLISTED_NAME, range, message)
    } else {
        let name = &family.name;
        match answer {
            SdkAnswer::Lacks(sdk) => {
                let message = format!("{sdk} has no counterpart of `{shown}` ({name})");
                unit.finding(ABSENT_NAME, range, message)
            }
            SdkAnswer::Silence(why) => {
                let message = format!("`{shown}` ({name}) has no known MUSA counterpart{why}");
                unit.finding(UNKNOWN_NAME, range, message)
            }
        }
    };
    out.report(finding.help(family.advice.clone()));
}

/// What the facts of an SDK say of a name's counterpart.
enum SdkAnswer {
    /// The SDK of this name has none.
    Lacks(String),
    /// They say nothing. The reason, if there is one, follows on a clause.
    Silence(String),
}

impl SdkAnswer {
    fn of(tables: &Tables, library: Option<&String>, name: &str) -> Self {
        if let Some(why) = library.and_then(|id| tables.why_facts_are_silent(id)) {
            return Self::Silence(format!(", and {why}"));
        }
        let Some(sdk) = tables.facts().map(Facts::sdk_name) else {
            return Self::Silence(String::new());
        };
        // Facts have a row for each name of the SDK that may be the counterpart of one, if a rule leads to it.
        if by_rule(tables.stems(), name) == name {
            return Self::Silence(format!(
                ", and {sdk} was not searched for one: no rule says what it would be called"
            ));
        }
        Self::Lacks(sdk)
    }
}

/// Whether the tree itself gives the identifier its meaning where it stands: a macro with a value, for one without is a
/// switch of the library's, or a structure behind `struct` that some file of the tree defines, whoever sees that file.
fn introduces(unit: &CppUnit<'_>, index: usize) -> bool {
    let directive = unit.parsed.tokens.directive_of(index);
    let has_value = directive.is_some_and(|one| {
        let is_name = one.kind == DirectiveKind::Define && one.tokens.start == index;
        is_name && one.tokens.len() > 1
    });
    let is_structure = || matches!(unit.word_before(index, 1), b"struct" | b"class" | b"union");
    let is_defined = || {
        let name = unit.word(index);
        let mut files = unit.project.files.iter();
        files.any(|file| file.facts.declared.iter().any(|one| one.name == name))
    };
    has_value || is_structure() && is_defined()
}

/// Whether the identifier can be a name of a library's: no piece of a name, no name in a namespace of somebody's, and no
/// such namespace itself.
fn stands_for_itself(unit: &CppUnit<'_>, index: usize, token: Token) -> bool {
    let in_namespace = unit.word_before(index, 1) == b"::" && qualified(unit, index);
    // `CU_STREAM_NEWEST::x` is no constant, and nobody's namespace either.
    let is_named = token.text(unit.text).iter().any(u8::is_ascii_lowercase);
    let is_namespace = is_named && unit.word(index + 1) == b"::";
    !is_pasted(unit, index, token) && !in_namespace && !is_namespace
}

/// Whether the identifier is one of those that a macro makes the name of a definition of: `TEST(cuFFT, Plan1D) {`.
fn titles_definition(unit: &CppUnit<'_>, index: usize) -> bool {
    let is_word = |word: &[u8]| word.first().is_some_and(u8::is_ascii_alphabetic);
    let is_inside = |word: &[u8]| word == b"," || is_word(word);
    let front = (1..=index).take_while(|&back| is_inside(unit.word_before(index, back)));
    let open = front.count() + 1;
    let name = unit.word_before(index, open + 1);
    let is_macro = name.first().is_some_and(u8::is_ascii_uppercase)
        && !name.iter().any(u8::is_ascii_lowercase);
    let mut behind = (index + 1..).map(|at| unit.word(at));
    unit.word_before(index, open) == b"("
        && is_macro
        && behind.find(|word| !is_inside(word)) == Some(b")")
        && behind.next() == Some(b"{")
}
