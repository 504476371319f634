//! `torchada alias-header`: the header that maps the CUDA names of a project to MUSA.

mod collect;
mod pasted;
mod place;

use crate::text::contains;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context as _, Result};

use super::own_file::OwnFile;
use super::{Streams, analysis};
use crate::alias::{IMPLICIT, MARK};
use crate::classify::FileKind;
use crate::cli::{AliasHeaderArgs, Exit};
use crate::config::{self, Mode, Settings, display_path};
use crate::diagnostic::{Finding, KeptReason};
use crate::emit;
use crate::mapping::{Evidence, Tables};
use crate::project::{Context, Disposition, Project};
use crate::report::{self, Aliased};
use crate::rules::RuleSettings;
use analysis::Translated;
use collect::{AliasUses, TranslatedFile};

/// Write the header.
///
/// # Errors
/// What made it impossible to look at PATH, or to write; nothing is written then.
pub fn run(args: &AliasHeaderArgs, streams: &mut Streams<'_>) -> Result<Exit> {
    let mut settings = Settings::port(&args.port(), streams.environment)?;
    if !args.quiet {
        report::doubts(&settings.facts_doubts, streams.err)?;
    }
    let is_old = match &args.output {
        Some(path) => OwnFile {
            path,
            option: "-o",
            otherwise: "`alias-header` did not write it: without -o it prints the lines that a header of yours lacks",
        }
        .check(|text| contains(text, MARK))?,
        None => false,
    };
    let output = args
        .output
        .as_deref()
        .map(|path| config::absolute(path).with_context(|| unwritable(path)))
        .transpose()?;
    if let Some(path) = output.as_deref().filter(|_| is_old) {
        leave_out(&mut settings, path);
    }
    analysis::with_context(&settings, |run| {
        let (context, rules) = (run.context, run.rules);
        let made = match &settings.mode {
            Mode::File { .. } | Mode::Stdin { .. } => {
                let one = analysis::translate_single(run, streams)?;
                single(&one, context, rules.min_evidence)
            }
            _ => {
                let done = analysis::tree(run, streams.progress)?;
                let unread = done.unread.iter().map(analysis::UnreadableFile::finding);
                let faults = unread.collect();
                let tree = HeaderInput {
                    project: &done.project,
                    translated: &done.translated,
                    context,
                    rules,
                };
                tree.headers(faults)
            }
        };
        let text = made.text(context.tables);
        match &output {
            Some(path) => emit::file(path, text.as_bytes(), true, None)?,
            None => streams.out.write_all(text.as_bytes())?,
        }
        if !args.quiet {
            let path = args.output.as_deref().map(display_path);
            report::aliased(&made.summary(path), streams.err)?;
        }
        Ok(Exit::Done)
    })
}

fn unwritable(path: &Path) -> String {
    format!("can't write to {}", path.display())
}

/// Take a file out of the input: it is what this run makes.
fn leave_out(settings: &mut Settings, path: &Path) {
    let base = settings.base.canonicalize();
    let path = path.canonicalize();
    if let (Ok(base), Ok(path)) = (base, path)
        && let Ok(inside) = path.strip_prefix(base)
    {
        let special = |letter: char| "\\*?[]{}!#".contains(letter);
        let mut glob = String::from("/");
        for letter in display_path(inside).chars() {
            if special(letter) {
                glob.push('\\');
            }
            glob.push(letter);
        }
        settings.exclude.value.push(glob);
    }
}

/// The headers that a run makes, with their findings.
struct CollectedAliases<'a> {
    /// One for all files; where the tree has headers of its own, what each of them lacks.
    parts: BTreeMap<Option<String>, AliasUses<'a>>,
    /// Files that use CUDA's names and include none of the tree's headers.
    apart: BTreeSet<String>,
    /// Findings about files as such.
    faults: Vec<Finding>,
}

impl CollectedAliases<'_> {
    fn text(&self, tables: &Tables) -> String {
        let parts = self.parts.iter().map(|(path, uses)| match path {
            None => uses.header.text(tables.libraries()),
            Some(path) => uses.header.lacking(path, tables.libraries()),
        });
        parts.collect::<Vec<_>>().join("\n")
    }

    fn summary(&self, output: Option<String>) -> Aliased<'_> {
        Aliased {
            output,
            headers: self
                .parts
                .iter()
                .map(|(path, uses)| (path.as_deref(), &uses.header))
                .collect(),
            findings: self
                .parts
                .values()
                .flat_map(|uses| &uses.findings)
                .chain(&self.faults)
                .collect(),
            by_hand: self.parts.values().flat_map(|uses| &uses.by_hand).collect(),
            includes: self
                .parts
                .values()
                .flat_map(|uses| &uses.includes)
                .collect(),
            apart: self.apart.iter().map(String::as_str).collect(),
        }
    }
}

/// A single file: nothing is known of the names that its macros paste.
fn single<'a>(
    one: &analysis::TranslatedFile,
    context: Context<'a>,
    weakest: Evidence,
) -> CollectedAliases<'a> {
    let mut uses = AliasUses::new(context, weakest);
    let file = TranslatedFile {
        path: &one.name,
        text: &one.old,
        translated: &one.translated,
        includes: &[],
    };
    uses.add(&file, &BTreeSet::new());
    uses.finish();
    CollectedAliases {
        parts: BTreeMap::from([(None, uses)]),
        apart: BTreeSet::new(),
        faults: Vec::new(),
    }
}

/// A translated tree, from which headers of aliases are made.
struct HeaderInput<'t, 'a> {
    project: &'t Project,
    translated: &'t [Translated],
    context: Context<'a>,
    rules: &'t RuleSettings,
}

impl<'a> HeaderInput<'_, 'a> {
    fn headers(&self, faults: Vec<Finding>) -> CollectedAliases<'a> {
        let pasted = pasted::names(self.project, self.translated, self.context, self.rules);
        let mut parts: BTreeMap<Option<String>, AliasUses<'a>> = BTreeMap::new();
        let mut apart = BTreeSet::new();
        let seen = analysis::alias_headers(self.project, self.context);
        let own = seen.iter().flatten().next().is_some();
        let mut implicit = false;
        // What files hold that MUSA has a branch instead of.
        let mut replaced: Vec<String> = Vec::new();
        for (index, (source, translated)) in
            self.project.files.iter().zip(self.translated).enumerate()
        {
            let is_cpp = source.class.kind.is_cpp();
            let Some(text) = source.text.as_deref().filter(|_| is_cpp) else {
                continue;
            };
            if source.disposition == Disposition::Left(KeptReason::MusaBranch) {
                replaced.extend(source.facts.includes.iter().map(|one| one.path.clone()));
                continue;
            }
            let seen = seen.get(index).cloned().flatten();
            let file = TranslatedFile {
                path: &source.path,
                text,
                translated,
                includes: &source.facts.includes,
            };
            if own && seen.is_none() {
                if file.names_cuda() {
                    apart.insert(source.path.to_string());
                }
                continue;
            }
            let uses = parts.entry(seen);
            let uses =
                uses.or_insert_with(|| AliasUses::new(self.context, self.rules.min_evidence));
            implicit |= source.class.kind == FileKind::Cuda && file.names_cuda();
            uses.add(&file, &pasted.places(index));
        }
        for uses in parts.values_mut() {
            // Of several headers each has what its own files use, and macros are everybody's.
            if !own {
                uses.paste(&pasted);
                uses.replaced.append(&mut replaced);
                if implicit {
                    uses.include(IMPLICIT);
                }
            }
            uses.finish();
        }
        if parts.is_empty() {
            parts.insert(None, AliasUses::new(self.context, self.rules.min_evidence));
        }
        CollectedAliases {
            parts,
            apart,
            faults,
        }
    }
}
