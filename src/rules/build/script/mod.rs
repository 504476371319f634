//! Scripts, makefiles, images and pipelines: commands, variables, options, libraries, paths, packages.
//!
//! What a word is decides what becomes of it: `nvcc` as a command is the compiler, in a message it is text. Each word
//! of CUDA's is edited, reported, or kept for a reason; a file gets one finding for all words of a class.

mod commands;
mod containers;
mod facts;
mod forwarded_options;
mod homes;
mod input_order;
mod labels;
mod language;
mod languages_of_sources;
mod link;
mod nested_languages;
mod notation;
mod option_list;
mod options;
mod own;
mod packages;
mod pass;
mod paths;
mod placed;
mod places_of_script;
mod prefixed_options;
mod quotes;
mod releases;
mod runtime;
mod runtime_names;
mod short_programs;
mod telling_words;
mod values;
mod variable_flow;
mod variable_values;
mod variables;
mod vendor;
mod view;
mod written;

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::BuildUnit;
use super::grouped_findings::GroupedFindings;
use crate::Outcome;
use facts::VariableFacts;
use notation::notation;
use pass::ScriptPass;
use places_of_script::PlacesOfScript;
use torchada_diagnostic::KeptReason;
use torchada_mapping::files::BuildLanguage;
use torchada_syntax::script::{Notation, Statement, StatementKind, Word, statements};
use torchada_text::TextRange;
use view::ScriptView;

pub use facts::TreeScripts;
pub(super) use vendor::is_other_vendors;

/// Translate a file that is read as a script.
pub fn check(unit: &BuildUnit<'_>, out: &mut Outcome) {
    let Some(notation) = notation_of(unit) else {
        return;
    };
    let words = unit.scripts.words(unit.context);
    // What a makefile's variables hold, other files say.
    if unit.language != BuildLanguage::Make && !words.are_in(unit.text) {
        debug_assert!(
            {
                let mut alone = Outcome::default();
                translate(unit, notation, &mut alone);
                alone.is_empty()
            },
            "a script has something for the rules, and no telling word: {}",
            unit.file.path
        );
        return;
    }
    translate(unit, notation, out);
}

/// The notation of a file, where it is read as a script.
fn notation_of<'k>(unit: &BuildUnit<'k>) -> Option<Notation<'k>> {
    notation(unit.language, &unit.context.knowledge.builds.scripts)
}

/// Run the rules over a script, its statements first.
fn translate(unit: &BuildUnit<'_>, notation: Notation<'_>, out: &mut Outcome) {
    let mut findings = GroupedFindings::new(unit, out);
    if is_other_vendors(unit) {
        findings.keep_words(TextRange::new(0, unit.text.len()), KeptReason::VendorBranch);
        return;
    }
    let mut found = statements(unit.text, notation);
    let own = found.len();
    written::add(unit, &mut found);
    let view = &view(unit, &found, own);
    let mut pass = ScriptPass { view, findings };
    let mut rule = None;
    for one in &found {
        if one.kind == StatementKind::Rule {
            rule = Some(one);
        }
        let other = one
            .branches
            .iter()
            .any(|branch| vendor::is_branch_of_another(unit, *branch));
        if other {
            own::keep_arguments(one, KeptReason::VendorBranch, &mut pass.findings);
            pass.findings.keep_words(one.head, KeptReason::VendorBranch);
        } else {
            statement(&mut pass, one);
            language::sources(&mut pass, one, rule);
        }
    }
    variable_values::report_only_cudas(&mut pass);
    runtime::linked(&mut pass, &found);
    own::rest(&mut pass, &found);
    pass.findings.finish();
}

/// What the commands of a text install, and nothing else.
pub fn check_installs(unit: &BuildUnit<'_>, out: &mut Outcome) {
    let Some(notation) = notation_of(unit) else {
        return;
    };
    let findings = GroupedFindings::new(unit, out);
    let found = statements(unit.text, notation);
    let view = &view(unit, &found, found.len());
    let mut pass = ScriptPass { view, findings };
    for one in found.iter().filter(|one| !view.is_message(one)) {
        packages::packages(&mut pass, one);
        nested_languages::in_arguments(&mut pass, one);
    }
    pass.findings.finish();
}

/// A script as its rules see it. `own` of the statements are its own; it writes the others into other files.
fn view<'a>(unit: &'a BuildUnit<'a>, found: &[Statement], own: usize) -> ScriptView<'a> {
    let knowledge = &unit.context.knowledge.builds.scripts;
    let written = found.get(own..).unwrap_or_default();
    let mut view = ScriptView {
        unit,
        facts: facts(unit, found, written),
        knowledge,
        places: PlacesOfScript::default(),
        kept: BTreeSet::new(),
        only_cudas: Vec::new(),
        with_places: BTreeSet::new(),
        numbered: BTreeSet::new(),
        read: variables::read(unit, &knowledge.library_variables.fronts),
    };
    view.places = placed::places(&view, found);
    view.kept = commands::kept_programs(&view, found);
    view.only_cudas = variable_values::only_cudas(&view, found);
    view.with_places = variables::kept_variables(&view, found);
    view.numbered = variable_values::numbered(&view, found);
    view
}

/// The facts of the file's statements and, for a makefile, of the tree's other makefiles. `written` are
/// statements that the file writes into other files.
fn facts<'u>(
    unit: &'u BuildUnit<'_>,
    found: &[Statement],
    written: &[Statement],
) -> Cow<'u, VariableFacts> {
    let known = unit.context.knowledge;
    let own = |found: &[Statement], mut facts: VariableFacts| {
        let all: Vec<_> = found.iter().map(|one| (unit.text, one)).collect();
        facts.add(&all, known);
        Cow::Owned(facts)
    };
    if unit.language != BuildLanguage::Make {
        return own(found, VariableFacts::known(known));
    }
    let together = facts_of_makefile(unit.scripts.facts(unit.project, known), unit.text, found);
    if written.is_empty() {
        return together;
    }
    own(found, together.into_owned())
}

/// The facts as they hold in one makefile: a variable that it gives nothing but other programs runs those there,
/// whatever a makefile elsewhere gives one of the same name.
fn facts_of_makefile<'u>(
    facts: &'u VariableFacts,
    text: &[u8],
    found: &[Statement],
) -> Cow<'u, VariableFacts> {
    let is_program = |word: &Word| word.plain().is_some() && !facts.is_compiler(text, word);
    let is_other = |name: &[u8]| {
        let assigned =
            |one: &&Statement| one.kind == StatementKind::Assignment && one.head.of(text) == name;
        let mut values = found.iter().filter(assigned).peekable();
        values.peek().is_some() && values.all(|one| one.words.first().is_some_and(is_program))
    };
    if !facts.compilers.iter().any(|name| is_other(name)) {
        return Cow::Borrowed(facts);
    }
    let mut own = facts.clone();
    own.compilers.retain(|name| !is_other(name));
    Cow::Owned(own)
}

/// Run the rules for statements over one; those that know most of a word come first.
fn statement(pass: &mut ScriptPass<'_>, one: &Statement) {
    variables::names(pass, one);
    variables::passed_on(pass, one);
    variables::keys(pass, one);
    if pass.view.is_message(one) || one.kind == StatementKind::Document {
        variables::references(pass, one);
        packages::address_of_function(pass, one);
        return;
    }
    commands::programs(pass, one);
    paths::paths(pass, one);
    if one.kind != StatementKind::Entry {
        options::options(pass, one);
    }
    commands::version_query(pass, one);
    link::libraries(pass, one);
    containers::options(pass, one);
    packages::packages(pass, one);
    nested_languages::in_arguments(pass, one);
    variables::references(pass, one);
    values::values(pass, one);
    variable_values::compared(pass, one);
}
