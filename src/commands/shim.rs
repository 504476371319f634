//! `torchada shim`: headers that let a compiler for CUDA read a port.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use walkdir::WalkDir;

use super::Streams;
use crate::cli::{Exit, ShimArgs};
use crate::config::{self, ConfigError, OnConflict};
use crate::emit::{self, Content, EmitError, Manifest, OutputFile, Plan, Stamp};
use crate::mapping::Tables;
use crate::shim::Shim;

/// The setting that marks a manifest as a shim's, not a port's.
const KIND: &str = "shim";

/// Write the headers.
///
/// # Errors
/// What made it impossible; nothing is written then.
pub fn run(args: &ShimArgs, streams: &mut Streams<'_>) -> Result<Exit> {
    let overlays = config::read_overlays(&args.tables.mapping)?;
    let versions = config::named_versions(&args.tables)?;
    let tables = &*Tables::for_run(None, &overlays, &versions)?;
    let known = headers(&args.headers)?;
    let weakest = args.min_evidence;
    let shim = Shim::new(tables, weakest, &known);

    let output = config::absolute(&args.output)
        .with_context(|| format!("can't write to {}", args.output.display()))?;
    refuse_a_port(&output)?;
    let files = shim.files()?;
    let plan = Plan {
        input: PathBuf::new(),
        // Marks of a conflict in a header would go unnoticed.
        on_conflict: OnConflict::Stop,
        files: files
            .into_iter()
            .map(|file| OutputFile {
                source: None,
                path: file.path.into(),
                content: Content::Text(file.text.into_bytes()),
            })
            .collect(),
        output,
        unread: Vec::new(),
    };
    let settings = BTreeMap::from([
        (KIND.to_owned(), "true".to_owned()),
        ("min-evidence".to_owned(), weakest.as_str().to_owned()),
    ]);
    let stamp = Stamp {
        tables: Tables::version(),
        settings: &settings,
        report: None,
        map: None,
        progress: streams.progress,
    };
    emit::tree(&plan, &stamp).map_err(|error| match error {
        EmitError::NotOurs(path) => ConfigError::usage(
            format!("{} is there already, and holds no shim", path.display()),
            "name a folder that is new, empty, or a shim",
        )
        .into(),
        other => anyhow::Error::from(other),
    })?;
    if !args.quiet {
        let aliases = &shim.aliases;
        writeln!(
            streams.err,
            "wrote {}: {} headers, {} names, {} macros",
            args.output.display(),
            shim.wrappers.len(),
            aliases.declared.len(),
            aliases.macros.len() + aliases.switches.len()
        )?;
    }
    Ok(Exit::Done)
}

/// The paths of the headers below include folders, sorted.
fn headers(folders: &[PathBuf]) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for folder in folders {
        for entry in WalkDir::new(folder).follow_links(true) {
            let entry = entry.with_context(|| format!("can't list {}", folder.display()))?;
            let path = entry.path().strip_prefix(folder).unwrap_or(entry.path());
            if let Some(path) = path.to_str().filter(|_| entry.file_type().is_file()) {
                found.push(path.to_owned());
            }
        }
    }
    found.sort();
    found.dedup();
    Ok(found)
}

/// A port has a manifest, too, and is not to be replaced by headers.
fn refuse_a_port(output: &Path) -> Result<(), EmitError> {
    match Manifest::read(output) {
        Ok(manifest) if !manifest.settings.contains_key(KIND) => {
            Err(EmitError::NotOurs(output.to_owned()))
        }
        // Without a manifest the writer decides.
        _ => Ok(()),
    }
}
