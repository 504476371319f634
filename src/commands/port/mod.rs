//! `torchada port`: a CUDA tree, a part of one, a file or standard input, to MUSA.

mod inputs;
mod outputs;
mod planning;
mod reporting;
mod shown;
mod single;
mod translate;

use anyhow::{Context, Result};
use rayon::prelude::*;

use super::Streams;
use crate::cli::{Exit, PortArgs};
use crate::config::{Mode, Settings};
use crate::diagnostic::Finding;
use crate::hazards::Hazards;
use crate::mapping::Tables;
use crate::mapping::knowledge::Knowledge;
use crate::project::{Lore, NameParts, Project};
use crate::rules::RuleSettings;
use crate::walk::Walk;
use inputs::Gathered;
use translate::{Translated, translate};

/// Run the command.
///
/// # Errors
/// What made it impossible to start or to write at all. Faults of single files are findings.
pub fn run(args: &PortArgs, streams: &mut Streams<'_>) -> Result<Exit> {
    let settings = Settings::port(args)?;
    let overlays = settings.overlays()?;
    let own;
    let tables = if overlays.is_empty() {
        Tables::builtin()
    } else {
        own = Tables::with_overlays(&overlays)?;
        &own
    };
    let parts = NameParts::new(tables);
    let knowledge = Knowledge::builtin()?;
    let hazards = Hazards::new(tables, &knowledge.shapes, &[]);
    let lore = Lore {
        tables,
        knowledge,
        parts: &parts,
        hazards: &hazards,
    };
    let rules = RuleSettings {
        min_evidence: settings.min_evidence.value,
        own_names: settings.own_names.value.clone(),
        unsafe_edits: settings.unsafe_edits,
    };
    if matches!(settings.mode, Mode::File { .. } | Mode::Stdin { .. }) {
        return single::run(&settings, lore, &rules, streams);
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(settings.jobs.map_or(0, Into::into))
        .build()
        .context("can't start threads")?;
    let done = pool.install(|| tree(&settings, lore, &rules))?;
    outputs::write(args, &settings, done, streams)
}

/// A tree after translation, before anything is written.
pub(crate) struct Done {
    pub(crate) walk: Walk,
    pub(crate) project: Project,
    /// For each file of the listing, what became of it.
    pub(crate) translated: Vec<Translated>,
    pub(crate) findings: Vec<Finding>,
}

fn tree(settings: &Settings, lore: Lore<'_>, rules: &RuleSettings) -> Result<Done> {
    let root = settings.root().context("no input tree")?;
    let Gathered {
        walk,
        project,
        findings,
    } = inputs::gather(settings, root, lore, None)?;
    let translated = (0..project.files.len())
        .into_par_iter()
        .map(|index| translate(&project, index, lore, rules))
        .collect();
    Ok(Done {
        walk,
        project,
        translated,
        findings,
    })
}
