//! The cheap pass over one C++ file: what it includes, declares and pastes.

mod forwarders;
mod joiners;
mod macros;
mod namespaces;
mod parameter_macros;
pub mod parsed;
pub mod scanned;
mod spelling;
mod stand_ins;
mod without_cuda;

use super::context::Context;
use super::declarations::{DeclarationSite, Undefs};
use super::facts::{DeclaredAs, FileFacts, Include, Joiner, OwnDeclaration};
use super::guards;
use super::platforms::regions::Region;
use super::platforms::vendor_of_file;
pub(super) use parsed::Parsed;
use spelling::{MayHold, SpellingClass};
use torchada_hazards::{CapabilityNames, CodeView};
use torchada_mapping::knowledge::ArgumentKind;
use torchada_mapping::{Relation, Tables};
use torchada_syntax::{Directive, DirectiveKind, ScopeKind, Token, TokenKind};
use torchada_text::{TextRange, contains};

pub use forwarders::forwarders_through;
pub use macros::invocations;

/// Scan C++ of which no file consists.
pub fn scan_text(source: &[u8], template: bool, context: Context<'_>) -> FileFacts {
    let parsed = Parsed::new(source, template, context.knowledge);
    scan(source, &parsed, context)
}

/// Scan one file.
pub(super) fn scan(source: &[u8], parsed: &Parsed, context: Context<'_>) -> FileFacts {
    let mut facts = FileFacts {
        includes: includes(source, parsed, context),
        once: is_included_once(source, parsed),
        ..FileFacts::default()
    };
    let may_hold = gather_names(source, parsed, context, &mut facts);
    facts.names_device = names_device(source, parsed, context);
    let literals = &context.knowledge.literals;
    facts.has_hits = facts.has_hits
        || (parsed.tokens.literals()).any(|(_, token)| literals.may_hold_names(token.text(source)));
    facts.has_hits |= facts.includes.iter().any(|include| {
        context.tables.header(&include.path).is_some_and(|row| {
            row.relation != Relation::Same || Tables::header_name(&include.path) != include.path
        })
    });
    facts.foreign = vendor_of_file::detect_foreign_vendor(source, parsed, &facts.includes, context);
    facts.platforms = vendor_of_file::platforms(parsed, &facts.includes, context);
    facts.pasters = macros::pasters(source, parsed);
    facts.joiners = joiners::joiners(source, &parsed.tokens, context.tables);
    facts.has_hits |= !facts.pasters.is_empty()
        || facts.joiners.iter().any(Joiner::has_word)
        || context.hazards.has_text(source)
        || runs_programs(source, parsed, context);
    facts.stringizers = parameter_macros::stringizers(source, &parsed.tokens);
    facts.accessors = parameter_macros::accessors(source, &parsed.tokens);
    facts.namesakes = parameter_macros::namesakes(source, &parsed.tokens, &facts.accessors);
    facts.forwarders = forwarders::forwarders(source, parsed, &context.knowledge.consumers);
    facts.lists = macros::lists(source, &parsed.tokens);
    namespaces::gather(source, parsed, context.tables, &mut facts);
    stand_ins::drop_platform_stubs(parsed, context.tables, &mut facts);
    facts.classes = parsed
        .outline
        .scopes
        .iter()
        .filter(|scope| scope.kind == ScopeKind::Class)
        .filter_map(|scope| scope.names.last().cloned())
        .collect();
    facts.classes.sort_unstable();
    facts.classes.dedup();
    let view = CodeView {
        source,
        tokens: &parsed.tokens,
        outline: &parsed.outline,
        named: &CapabilityNames::default(),
    };
    facts.named = context.hazards.named(&view);
    facts.numbered_templates = context.hazards.numbered_templates(&view);
    // Guards may concern other files, too, and what names alone don't show: headers, texts, code for other platforms.
    let architecture = context.knowledge.shapes.guards.architecture.as_bytes();
    let mut headers = facts.includes.iter();
    let spreads = may_hold == MayHold::Blocking
        || !parsed.regions.is_plain()
        || parsed.tokens.has_word(source, architecture)
        || context.hazards.has_text(source)
        || headers.any(|include| context.hazards.header(&include.path).is_some());
    // A port may have shut branches here whose switches other files ask for.
    let is_ported = || guards::asks_for_target(source, parsed, context);
    if may_hold != MayHold::Nothing && spreads || is_ported() {
        let (unsupported, decided) = guards::judge_alone(source, parsed, context, &facts.named);
        facts.unsupported = unsupported;
        facts.switches = decided.switches;
        facts.architecture = decided.architecture;
    }
    stand_ins::drop_polyfills(source, parsed, context, &mut facts);
    facts
}

/// Gather what the names of a file are there: hits, declared names, members. Returns what the names that are hits may hold.
fn gather_names(
    source: &[u8],
    parsed: &Parsed,
    context: Context<'_>,
    facts: &mut FileFacts,
) -> MayHold {
    let site = DeclarationSite {
        source,
        tokens: &parsed.tokens,
        outline: &parsed.outline,
        conditionals: &parsed.conditionals,
        knowledge: context.knowledge,
        tables: context.tables,
        undefs: Undefs::default(),
        sees_library: (facts.includes.iter())
            .any(|include| context.tables.changes_header(&include.path)),
    };
    let mut may_hold = MayHold::Nothing;
    let words = parsed
        .tokens
        .identifiers(source, |text| SpellingClass::of(context, text));
    for (index, word) in words {
        let Some(token) = parsed.tokens.get(index) else {
            continue;
        };
        let text = token.text(source);
        // A hazard's pattern may take in names of the project's own.
        if word.is_lookalike && site.declares_lookalike(index) {
            facts.lookalikes.push(text.to_vec());
        } else if word.is_lookalike {
            facts.has_hits = true;
        }
        if !word.is_hit {
            continue;
        }
        facts.has_hits = true;
        may_hold = may_hold.max(word.hazard);
        // What MUSA never compiles gives no name another meaning where MUSA compiles.
        let elsewhere = matches!(
            parsed.regions.at(token.range().start),
            Region::OtherVendor | Region::NotMusa
        );
        let accessed = index > 0
            && (parsed.tokens.is(index - 1, source, ".")
                || parsed.tokens.is(index - 1, source, "->"));
        let declared = site.declaration(index).filter(|_| !elsewhere);
        let is_member = |one: &OwnDeclaration| one.what == DeclaredAs::Member;
        if accessed || declared.as_ref().is_some_and(is_member) {
            facts.members.push(text.to_vec());
        }
        facts.declared.extend(declared);
    }
    may_hold
}

/// Whether the file comes only once, however often it is included.
fn is_included_once(source: &[u8], parsed: &Parsed) -> bool {
    let tokens = &parsed.tokens;
    let is_once = |directive: &Directive| {
        directive.kind == DirectiveKind::Pragma && tokens.is(directive.tokens.start, source, "once")
    };
    // An include guard has the whole file between its `#ifndef` and its `#endif`.
    let guard = parsed.conditionals.all().first().is_some_and(|first| {
        let opens = tokens.directives.first().map(|one| one.tokens.start) == Some(0);
        let inside = first
            .branches
            .first()
            .map(|one| (one.directive, one.tokens.end));
        first.is_include_guard && opens && inside == Some((0, tokens.tokens.len()))
    });
    guard || tokens.directives.iter().any(is_once)
}

fn names_device(source: &[u8], parsed: &Parsed, context: Context<'_>) -> bool {
    context.knowledge.devices.iter().any(|device| {
        let string = format!("\"{}\"", device.cuda);
        let is_it = |token: &Token| token.text(source) == string.as_bytes();
        contains(source, &string) && parsed.tokens.tokens.iter().any(is_it)
    })
}

/// Whether the file calls what runs programs, which have names of their own.
fn runs_programs(source: &[u8], parsed: &Parsed, context: Context<'_>) -> bool {
    let runs = |word: &[u8]| {
        let mut consumers = context.knowledge.consumers.iter();
        consumers.any(|one| one.kind == ArgumentKind::Command && one.callee.as_bytes() == word)
    };
    parsed
        .tokens
        .identifiers_where(source, runs)
        .next()
        .is_some()
}

fn includes(source: &[u8], parsed: &Parsed, context: Context<'_>) -> Vec<Include> {
    let mut found = Vec::new();
    for token in &parsed.tokens.tokens {
        if token.kind != TokenKind::HeaderName {
            continue;
        }
        let whole = token.range();
        if whole.len() < 2 {
            continue;
        }
        let range = TextRange::new(whole.start + 1, whole.end - 1);
        found.push(Include {
            range,
            path: String::from_utf8_lossy(range.of(source)).into_owned(),
            angled: token.text(source).starts_with(b"<"),
            region: parsed.regions.at(whole.start),
            always: vendor_of_file::is_unconditional(parsed, whole.start),
            without_cuda: without_cuda::is_left_out(source, parsed, context, whole.start),
        });
    }
    without_cuda::mark_beside(parsed, context, &mut found);
    found
}
