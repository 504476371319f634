//! Libraries that have a counterpart of MUSA's. A project's code gets all names of the counterpart, or keeps all names
//! of the library.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::vendored::CarriedLibrary;
use crate::Disposition;
use crate::context::Context;
use crate::facts::FileFacts;
use crate::platforms::regions::Region;
use crate::tree::scanned_tree::ScannedTree;
use crate::tree::source::Input;
use torchada_diagnostic::codes::project::NOT_SWAPPED;
use torchada_diagnostic::{Finding, KeptReason};
use torchada_mapping::{Evidence, Relation};

/// Let the code reach MUSA's counterpart of a library where that has every header that is used:
/// includes of it then mean no file of the tree any more.
pub(crate) fn swap(
    carried: &[CarriedLibrary<'_>],
    inputs: &[Input],
    facts: &[FileFacts],
    resolved: &mut [Vec<Option<usize>>],
    context: Context<'_>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    let path_of = |file: usize| inputs.get(file).map_or("", |input| &*input.path);
    for library in carried {
        let mut used: Vec<(usize, usize, &str)> = Vec::new();
        for (file, (facts, targets)) in facts.iter().zip(resolved.iter()).enumerate() {
            for (at, (include, target)) in facts.includes.iter().zip(targets).enumerate() {
                let inside = target.is_some_and(|target| library.holds(path_of(target)));
                if inside && !library.holds(path_of(file)) {
                    used.push((file, at, include.path.as_str()));
                }
            }
        }
        let mut missing: Vec<&str> = used
            .iter()
            .map(|(_, _, path)| *path)
            .filter(|path| {
                context.tables.header(path).is_none_or(|row| {
                    !matches!(row.relation, Relation::Renamed | Relation::Same)
                        || row.evidence > Some(Evidence::Table)
                })
            })
            .collect();
        missing.sort_unstable();
        missing.dedup();
        let (name, counterpart) = (&library.library.name, &library.library.counterpart);
        let Some(folder) = library.folders.first() else {
            continue;
        };
        if missing.is_empty() {
            for (file, at, _) in used {
                if let Some(slot) = resolved
                    .get_mut(file)
                    .and_then(|targets| targets.get_mut(at))
                {
                    *slot = None;
                }
            }
            continue;
        }
        findings.push(
            Finding::whole(
                NOT_SWAPPED,
                folder.trim_end_matches('/'),
                format!(
                    "{name} was not swapped: {counterpart} is not known to have `{}`",
                    missing.join("`, `")
                ),
            )
            .help("replace the code that uses these headers first, or keep the library"),
        );
    }
    findings
}

/// Libraries outside the tree that the code stays with.
#[derive(Clone, Default, Debug)]
pub struct LeftLibraries {
    /// First folders of their included paths, which are their namespaces, too.
    pub folders: FxHashSet<String>,
    /// Ids of their tables.
    pub tables: FxHashSet<String>,
}

impl LeftLibraries {
    /// Whether a header is one of such a library.
    pub fn has_header(&self, path: &str) -> bool {
        path.split_once('/')
            .is_some_and(|(folder, _)| self.folders.contains(folder))
    }
}

/// A library goes over to its counterpart whole or not at all: half of its headers from one and
/// half from the other builds with neither.
pub(crate) fn left_libraries(
    tree: ScannedTree<'_>,
    dispositions: &[Disposition],
    findings: &mut Vec<Finding>,
) -> LeftLibraries {
    let context = tree.context;
    let mut left = LeftLibraries::default();
    for library in &context.knowledge.vendored {
        let Some(table) = &library.table else {
            continue;
        };
        let mut missing: BTreeMap<&str, &str> = BTreeMap::new();
        let files = tree.facts.iter().zip(tree.resolved);
        for (((facts, targets), disposition), input) in files.zip(dispositions).zip(tree.inputs) {
            // Files that are MUSA already count: a second port must decide as the first did.
            if *disposition == Disposition::Left(KeptReason::Vendored) {
                continue;
            }
            for (include, target) in facts.includes.iter().zip(targets) {
                let used = target.is_none()
                    && include.region == Region::Plain
                    && library
                        .prefix
                        .iter()
                        .any(|prefix| include.path.starts_with(prefix));
                let known = || {
                    context.tables.header(&include.path).is_some_and(|row| {
                        matches!(row.relation, Relation::Renamed | Relation::Same)
                    })
                };
                if used && !known() {
                    missing.entry(include.path.as_str()).or_insert(&*input.path);
                }
            }
        }
        let Some((first, at)) = missing.first_key_value() else {
            continue;
        };
        let folders = library
            .prefix
            .iter()
            .map(|prefix| prefix.trim_end_matches('/').to_owned());
        left.folders.extend(folders);
        left.tables.insert(table.clone());
        let (name, counterpart) = (&library.name, &library.counterpart);
        let count = missing.len();
        findings.push(
            Finding::whole(
                NOT_SWAPPED,
                at,
                format!("code that uses {name} stays with it: {counterpart} is not known to have {count} of the headers used, such as `{first}`"),
            )
            .help(format!("{}; once no such header is used, a port takes {counterpart} throughout", library.advice)),
        );
    }
    left
}
