//! Translates one file: runs its rules, applies their edits and verifies the result.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::file_analysis::{FileAnalysis, TreeAnalysis};
use super::lacking::keep_lacking;
use super::limits::too_many_includes;
use super::translated::{Translated, finish};
use super::{build, cython, notebook, python};
use crate::classify::FileKind;
use crate::diagnostic::codes::project::RULE_FAILED;
use crate::diagnostic::{Finding, KeptReason};
use crate::mapping::Dialect;
use crate::parallel;
use crate::project::{Context, DeclaredAs, Disposition, Parsed, Project, Source, Visible};
use crate::rules::cpp::{CppCode, CppUnit};
use crate::rules::declarations::Declarations;
use crate::rules::{Outcome, cpp, run as run_rules, settings as setting_values, suppression};
use crate::text::LineIndex;
use crate::verify::withdraw_broken;

/// Translate the file at `index` of the project.
pub(super) fn translate(tree: TreeAnalysis<'_, '_>, index: usize) -> Translated {
    let Some(source) = tree.project.files.get(index) else {
        return Translated::default();
    };
    let attempt = catch_unwind(AssertUnwindSafe(|| translate_source(tree, index, source)));
    attempt.unwrap_or_else(|_| Translated {
        findings: vec![
            Finding::whole(
                RULE_FAILED,
                &source.path,
                format!("`{}` could not be translated", source.path),
            )
            .help("this is a fault of torchada: please report it with the file"),
        ],
        failed: true,
        ..Translated::default()
    })
}

fn translate_source(tree: TreeAnalysis<'_, '_>, index: usize, source: &Source) -> Translated {
    let context = tree.context;
    let (path, class) = (&source.path, source.class);
    if let Some(text) = source.text.as_deref()
        && class.language.is_none()
        && context.knowledge.settings.has(path)
        && tree.settings.dialect == Dialect::Musa
    {
        return Translated {
            findings: setting_values::check(path, text, context),
            ..Translated::default()
        };
    }
    let is_read = is_built_for_musa(source) || source.disposition == Disposition::Ported;
    let Some(text) = source.text.as_deref().filter(|_| is_read) else {
        return Translated::default();
    };
    let file = FileAnalysis {
        tree,
        index,
        source,
        text,
    };
    let embedded = &context.knowledge.embedded;
    match (class.kind, class.language) {
        (FileKind::Python, _) if embedded.notebook.has(path) => notebook::translate(file),
        (FileKind::Python, _) if embedded.cython.has(path) => cython::translate(file),
        (FileKind::Python, _) => python::translate(file),
        (_, Some(language)) => build::translate(file, language),
        _ => translate_cpp(file),
    }
}

/// Whether a file of C++ belongs to the project's own build for MUSA. Such a file stays as it is, and may lack names.
fn is_built_for_musa(file: &Source) -> bool {
    file.class.kind.is_cpp() && file.disposition == Disposition::Left(KeptReason::MusaBuild)
}

/// Whether a file of C++ can have no findings and no edits: nothing of CUDA's is in it, and no file that it names is
/// renamed.
fn is_quiet(file: FileAnalysis<'_, '_>) -> bool {
    let (project, source) = (file.project, file.source);
    let follows = source.resolved.iter().flatten().any(|&target| {
        project
            .files
            .get(target)
            .is_some_and(|target| target.path != target.output)
    });
    // Kernels may hold hazards without naming anything that a table has.
    let kernels = matches!(source.class.kind, FileKind::Cuda | FileKind::CudaHeader);
    let follows = follows || !project.renamed_mentions(file.index).is_empty();
    let quiet = !source.facts.has_hits && !kernels && !follows && source.path == source.output;
    quiet && !suppression::may_have_markers(file.text)
}

fn translate_cpp(file: FileAnalysis<'_, '_>) -> Translated {
    if is_quiet(file) {
        return Translated::default();
    }
    let (index, source, text) = (file.index, file.source, file.text);
    let (project, context, settings) = (file.project, file.context, file.settings);
    let visible = project.visible(index);
    let seen = visible.files.iter();
    let seen = seen.filter_map(|&at| Some((at, project.files.get(at)?)));
    let declared = seen.flat_map(|(at, file)| file.facts.declared.iter().map(move |one| (at, one)));
    let declared = Declarations::new(declared, index);
    let alias_header = alias_header(project, &visible, context);
    let is_built = is_built_for_musa(source);
    if is_built && alias_header.is_none() {
        return Translated::default();
    }
    let parsed = Parsed::new(text, source.class.template, context.knowledge);
    let parsed = parsed.at(&source.path, text, context.knowledge);
    let lines = LineIndex::new(text);
    let (found, guards) = project.judge(index, text, &parsed, context);
    let code = CppCode {
        parsed: &parsed,
        hits: &found.hits,
        assembly: &found.assembly,
        guards: &guards,
        visible: &visible,
        declared: &declared,
        alias_header,
        pasting_plans: file.shared.pasting_plans,
        rules: cpp::RULES,
    };
    let unit = file.unit(text, &lines, code);
    if is_built {
        return lacking(&unit);
    }
    let mut out = Outcome::default();
    run_rules(cpp::RULES, settings, &unit, &mut out);
    report_unfollowed(&unit, &mut out);
    finish(&unit, out, |edits| {
        withdraw_broken(
            text,
            &parsed.tokens.tokens,
            edits,
            source.class.template,
            settings.verify_all,
        )
    })
}

/// What a file of the project's own build for MUSA lacks.
fn lacking(unit: &CppUnit<'_>) -> Translated {
    let mut out = Outcome::default();
    run_rules(cpp::LACKING.0, unit.settings, unit, &mut out);
    keep_lacking(unit.text, unit.parsed, unit.project, unit.context, &mut out);
    report_unfollowed(unit, &mut out);
    let suppressed = suppression::apply(unit, &mut out);
    Translated {
        findings: out.findings,
        suppressed,
        ..Translated::default()
    }
}

/// Report that some includes were not followed. That matters only where the rules met a name that visibility decides about.
fn report_unfollowed(unit: &CppUnit<'_>, out: &mut Outcome) {
    let matters = !out.edits.is_empty() || !out.findings.is_empty() || !out.kept.is_empty();
    if unit.visible.is_cut && matters {
        let limits = &unit.context.knowledge.files.limits;
        out.findings
            .push(too_many_includes(&unit.file.path, limits));
    }
}

/// The alias header that a file reaches its names through.
fn alias_header<'p>(
    project: &'p Project,
    visible: &Visible,
    context: Context<'_>,
) -> Option<&'p str> {
    let aliases = |file: &Source| {
        file.facts
            .declared
            .iter()
            .filter(|one| one.what == DeclaredAs::Alias)
            .count()
    };
    visible
        .files
        .iter()
        .filter_map(|&index| project.files.get(index))
        .filter(|file| aliases(file) >= context.knowledge.alias_header_minimum)
        .map(|file| &*file.path)
        .min()
}

/// For each file the alias header that it reaches its names through.
pub(in crate::commands) fn alias_headers(
    project: &Project,
    context: Context<'_>,
) -> Vec<Option<String>> {
    let of = |index| alias_header(project, &project.visible(index), context).map(str::to_owned);
    parallel::map(0..project.files.len(), of)
}
