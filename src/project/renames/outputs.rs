//! The path that each file gets.

use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use super::candidates::{Candidate, Link};
use super::decide;
use crate::context::Context;
use crate::mentions::file_mentions::Mentioning;
use crate::tree::paths;
use crate::{Disposition, Input, ProjectOptions};
use torchada_classify::FileKind;
use torchada_diagnostic::Finding;

/// The paths of files in the output.
pub(crate) struct Outputs {
    /// The path that each file gets.
    pub(crate) paths: Vec<String>,
    /// For each file that mentions sources, by its index, which.
    pub(crate) links: FxHashMap<usize, Vec<Link>>,
    /// Links of the file system with what they lead to.
    pub(crate) alike: Vec<[usize; 2]>,
}

/// The files whose names are decided.
#[derive(Clone, Copy)]
pub(crate) struct NamedFiles<'a> {
    pub(crate) inputs: &'a [Input],
    pub(crate) dispositions: &'a [Disposition],
    /// For each include of a file, the file of the tree that it means.
    pub(crate) resolved: &'a [Vec<Option<usize>>],
    /// Files that keep their names.
    pub(crate) stay: &'a FixedBitSet,
    /// Sources that only scripts of builds read.
    pub(crate) texts: &'a BTreeSet<usize>,
}

impl NamedFiles<'_> {
    /// The files that may get other names. `taken` has the paths of all files.
    fn candidates(self, taken: &FxHashSet<&str>, context: Context<'_>) -> Vec<Candidate> {
        let Self {
            inputs,
            dispositions,
            ..
        } = self;
        let mut kept_by: FxHashMap<usize, usize> = FxHashMap::default();
        for (from, targets) in self.resolved.iter().enumerate() {
            if dispositions.get(from) != Some(&Disposition::Ported) {
                for target in targets.iter().flatten() {
                    kept_by.entry(*target).or_insert(from);
                }
            }
        }
        let copied = &context.knowledge.files.copied;
        let scanners = inputs.iter().filter(|input| {
            input.class.kind == FileKind::Build
                && copied.scans(
                    paths::file_name(&input.path),
                    input.text.as_deref().unwrap_or_default(),
                )
        });
        let scanners = scanners.map(|input| (paths::folder(&input.path), &*input.path));
        let scanners: FxHashMap<&str, &str> = scanners.collect();
        let scanned_by = |input: &Input| {
            let is_source = input.class.kind == FileKind::Cuda && !scanners.is_empty();
            let mut folders = is_source.then(|| paths::folders(&input.path));
            folders
                .iter_mut()
                .flatten()
                .find_map(|one| scanners.get(one).copied())
        };
        let path_of = |index: usize| inputs.get(index).map_or("", |input| &*input.path);
        let is_candidate = |index: usize, input: &Input| match &input.leads_to {
            Some(target) => input.selected && taken.contains(target.as_str()),
            None => {
                matches!(input.class.kind, FileKind::Cuda | FileKind::CudaHeader)
                    && !input.class.template
                    && !self.stay.contains(index)
                    && dispositions.get(index) == Some(&Disposition::Ported)
            }
        };
        let inputs = inputs.iter().enumerate();
        let inputs = inputs.filter(|(index, input)| is_candidate(*index, input));
        let candidates = inputs.filter_map(|(file, input)| {
            let place = input.moved.as_deref().unwrap_or(&input.path);
            let renamed = context.knowledge.files.with_musa_ending(place)?;
            Some(Candidate {
                file,
                path: input.path.to_string(),
                renamed,
                kept_by: kept_by.get(&file).map(|&by| path_of(by).to_owned()),
                scanned_by: scanned_by(input).map(str::to_owned),
                original_stays: input.moved.is_some(),
                is_text: self.texts.contains(&file),
                leads_to: input.leads_to.clone(),
            })
        });
        candidates.collect()
    }
}

/// Decide what files are called.
pub(crate) fn outputs(
    named: NamedFiles<'_>,
    mentioning: &[Mentioning],
    options: &ProjectOptions,
    context: Context<'_>,
    findings: &mut Vec<Finding>,
) -> Outputs {
    let inputs = named.inputs;
    let taken: FxHashSet<&str> = inputs.iter().map(|input| &*input.path).collect();
    let candidates = named.candidates(&taken, context);
    let endings = context.knowledge.files.rename.keys();
    let endings: Vec<&str> = endings.map(String::as_str).collect();
    let decided = decide::decide(&candidates, mentioning, &taken, options.rename, &endings);
    findings.extend(decided.findings);
    let mut outputs: Vec<String> = inputs
        .iter()
        .map(|input| {
            input
                .moved
                .clone()
                .unwrap_or_else(|| input.path.to_string())
        })
        .collect();
    for (file, renamed) in decided.renames {
        if let Some(output) = outputs.get_mut(file) {
            *output = renamed;
        }
    }
    Outputs {
        paths: outputs,
        links: decided.links,
        alike: decided.alike,
    }
}
