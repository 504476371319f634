//! `torchada learn`: facts about the MUSA SDK of this machine.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::own_file::OwnFile;
use super::{Streams, explain_log};
use crate::cli::{Exit, LearnArgs};
use crate::config::{ConfigError, display_path, facts_of_text};
use crate::emit;
use crate::files::OwnState;
use crate::learn::{self, Counterpart, Fact, Learned, Question};
use crate::machine::python;
use crate::machine::sdk::{self, Looked, Sdk};
use crate::mapping::{self, FactTable, Facts, Section, Tables};
use crate::report::{self, LearnedSummary};

/// Write the facts.
///
/// # Errors
/// Where there is no SDK, or the file can't be written.
pub fn run(args: &LearnArgs, streams: &mut Streams<'_>) -> Result<Exit> {
    let found = sdk::find(args.musa_home.as_deref(), streams.environment);
    let sdk = found.map_err(|looked| no_sdk(&looked))?;
    if let Some(path) = &args.output {
        let place = OwnFile {
            path,
            option: "-o",
            otherwise: "no facts that `learn` wrote",
        };
        place.check(|text| {
            let text = String::from_utf8_lossy(text).into_owned();
            facts_of_text(path, text).is_ok()
        })?;
    }
    let asked = args.python.as_deref();
    let asked = asked
        .map(|program| {
            python::find(Some(program), streams.environment).ok_or_else(|| no_python(program))
        })
        .transpose()?;
    let mut learned = learn::learn(&Question {
        sdk: &sdk,
        cuda: args.cuda_home.as_deref(),
        python: asked.as_deref(),
        tables: Tables::builtin(),
        environment: streams.environment,
    });
    if let (Some(log), Some(port)) = (&args.from_log, &args.port) {
        for (name, source) in explain_log::not_there(log, port, streams)? {
            let key = (Section::Names, name);
            learned.rows.entry(key).or_insert_with(|| Fact {
                counterpart: Counterpart::Absent,
                source,
                advice: None,
                differs: None,
            });
        }
    }
    let text = learn::written(&learned.head, &learned.rows);
    let path = write(args, &learned, &text)?;
    if !args.quiet {
        let facts = facts_of_text(&path, text)?.table;
        // Later runs look for the facts of the SDK that they find by themselves.
        let found = sdk::find(None, streams.environment).ok();
        let is_found = args.output.is_none() && found.is_some_and(|found| found.root == sdk.root);
        let mut summary = summary(&sdk, &learned, facts, &path, is_found);
        summary.sources.push(torch(asked.as_deref(), &learned));
        report::learned(&summary, streams.out)?;
    }
    Ok(Exit::Done)
}

fn summary(
    sdk: &Sdk,
    learned: &Learned,
    facts: FactTable,
    path: &Path,
    is_found: bool,
) -> LearnedSummary {
    let tables = Tables::builtin();
    let path = display_path(path);
    let written = if is_found {
        format!("{path} has the facts: `port` and `check` find them while the SDK stays as it is.")
    } else {
        format!(
            "{path} has the facts: `torchada port --facts {path}`, `torchada map --facts {path}`."
        )
    };
    let which = if is_found {
        String::new()
    } else {
        format!(" --facts {path}")
    };
    let mut summary = LearnedSummary {
        sources: sources(sdk, learned),
        libraries: BTreeMap::new(),
        conflicts: mapping::conflicts(facts).collect(),
        all_conflicts: format!("torchada map --conflicts{which}"),
        unread: learned.head.unread.clone(),
        written,
    };
    let titles: BTreeMap<&str, &str> = tables
        .libraries()
        .iter()
        .map(|library| (&*library.id, &*library.title))
        .collect();
    for ((section, name), fact) in &learned.rows {
        let row = tables.get(*section, name.as_bytes());
        let title = row.map_or("names that no table has", |row| {
            titles.get(&*row.library).copied().unwrap_or_default()
        });
        let is_there = fact.counterpart != Counterpart::Absent;
        let counts = summary.libraries.entry(title.to_owned()).or_default();
        let [there, missing, differ] = counts;
        *if is_there { there } else { missing } += 1;
        *differ += usize::from(fact.differs.is_some());
    }
    summary
}

/// What was read.
fn sources(sdk: &Sdk, learned: &Learned) -> Vec<String> {
    let version = sdk.version();
    let mut lines = vec![format!(
        "MUSA SDK {} in {} ({}{})",
        learned.head.sdk.as_deref().unwrap_or("of unknown version"),
        display_path(&sdk.root),
        sdk.origin,
        version.map_or(String::new(), |found| format!(
            "; version by {}",
            found.place
        )),
    )];
    let read = &learned.read;
    lines.push(format!(
        "{} headers, {} kB; {} libraries; {} CMake modules",
        read.headers,
        read.bytes / 1000,
        read.libraries,
        read.modules
    ));
    if let Some(mcc) = &learned.head.mcc {
        let architectures = learned.head.architectures.join(", ");
        lines.push(format!("{mcc}; GPUs: {architectures}"));
    }
    lines.push(format!(
        "declarations compared with {}",
        learned.compared_with
    ));
    lines
}

/// What the Python has.
fn torch(python: Option<&Path>, learned: &Learned) -> String {
    let Some(python) = python else {
        return "no Python was asked what torch_musa has: --python PYTHON asks one".to_owned();
    };
    let head = &learned.head;
    let version = |found: &Option<String>| found.clone().unwrap_or_else(|| "none".to_owned());
    let mut line = format!(
        "torch {}, torch_musa {} in {}; {} headers of theirs",
        version(&head.torch),
        version(&head.torch_musa),
        display_path(python),
        learned.read.torch,
    );
    if let Some(operators) = &head.operators {
        let (count, missing) = (operators.count, operators.missing.len());
        let beside = &operators.reference_device;
        // A `String` takes what is written to it.
        let _ = write!(
            line,
            "; kernels of {count} operators, without {missing} that {beside} has"
        );
    }
    line
}

/// Where the facts went.
fn write(args: &LearnArgs, learned: &Learned, text: &str) -> Result<PathBuf> {
    if let Some(path) = &args.output {
        emit::file(path, text.as_bytes(), true, None)?;
        return Ok(path.clone());
    }
    let Some(listing) = &learned.head.listing else {
        return Err(ConfigError::usage(
            "the SDK's folders can't be listed, so later runs could not tell whether the facts still hold",
            "write them to a FILE with -o, and name it with --facts",
        )
        .into());
    };
    let cannot = "can't keep the facts in this user's own folder: write them to a FILE with -o";
    let state = OwnState::open().context(cannot)?;
    let name = Facts::kept_as(listing);
    state.write(&name, text.as_bytes()).context(cannot)?;
    Ok(state.path(&name))
}

fn no_python(program: &Path) -> ConfigError {
    ConfigError::usage(
        format!("there is no program {}", display_path(program)),
        "--python takes the Python that has torch and torch_musa, such as venv/bin/python",
    )
}

fn no_sdk(looked: &[Looked]) -> ConfigError {
    let places: Vec<String> = looked
        .iter()
        .map(|(origin, path)| format!("{} ({origin})", display_path(path)))
        .collect();
    ConfigError::usage(
        format!("there is no MUSA SDK in {}", places.join(" or in ")),
        "name its folder with --musa-home: it has bin/mcc and include/musa_runtime.h",
    )
}
