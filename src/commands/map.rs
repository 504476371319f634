//! `torchada map`: asks the mapping tables.

use std::io::Write;

use super::Streams;
use crate::cli::{Exit, MapArgs};
use crate::config::{self, ConfigError};
use crate::mapping;
use crate::mapping::names::query;
use crate::mapping::{Conflict, FactTable, Library, Row, Section, Tables};
use crate::report;

/// Answers what `args` ask for.
///
/// Ends with [`Exit::Done`] where every name, or each part of it, is in a table, with [`Exit::Partial`] where one is
/// not; that one is named, with near misses.
///
/// # Errors
/// When a user's table can't be read or has a fault, or `out` can't be written to.
pub fn run(args: &MapArgs, streams: &mut Streams<'_>) -> anyhow::Result<Exit> {
    let overlays = config::read_overlays(&args.tables.mapping)?;
    let versions = config::named_versions(&args.tables)?;
    let facts =
        config::facts_of_arguments(args.facts.as_deref(), args.no_facts, streams.environment)?;
    let out = &mut *streams.out;
    let facts = facts.value.map(|facts| facts.table);
    if args.conflicts {
        return conflicts(facts, args.json, out);
    }
    let tables = &*Tables::for_run(facts, &overlays, &versions)?;
    match &args.list {
        None => names(tables, &args.names, args.json, out),
        Some(None) => libraries(tables, args.json, out),
        Some(Some(id)) => list(tables, id, args.json, out),
    }
}

fn names(
    tables: &Tables,
    names: &[String],
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<Exit> {
    let answers: Vec<_> = names.iter().map(|name| query::ask(tables, name)).collect();
    if json {
        out.write_all(report::map::answers_json(tables, &answers).as_bytes())?;
    } else {
        report::map::answers(tables, &answers, out)?;
    }
    let all = answers.iter().all(query::Answer::is_answered);
    Ok(if all { Exit::Done } else { Exit::Partial })
}

fn conflicts(facts: Option<FactTable>, json: bool, out: &mut dyn Write) -> anyhow::Result<Exit> {
    let Some(facts) = facts else {
        return Err(ConfigError::usage(
            "there are no facts to compare the tables with",
            "name a facts file with --facts, or run `torchada learn` where the SDK is",
        )
        .into());
    };
    let found: Vec<Conflict> = mapping::conflicts(facts).collect();
    if json {
        out.write_all(report::map::conflicts_json(facts.head(), &found).as_bytes())?;
    } else {
        report::map::conflicts(facts.head(), &found, out)?;
    }
    Ok(Exit::Done)
}

fn libraries(tables: &Tables, json: bool, out: &mut dyn Write) -> anyhow::Result<Exit> {
    let counts: Vec<(&Library, usize)> = tables
        .libraries()
        .iter()
        .map(|library| (library, query::library(tables, &library.id).count()))
        // Tables of other knowledge, such as architectures, have no names to list.
        .filter(|(_, rows)| *rows > 0)
        .collect();
    if json {
        out.write_all(report::map::libraries_json(&counts).as_bytes())?;
    } else {
        report::map::libraries(tables, &counts, out)?;
    }
    Ok(Exit::Done)
}

fn list(tables: &Tables, id: &str, json: bool, out: &mut dyn Write) -> anyhow::Result<Exit> {
    if !tables.libraries().iter().any(|library| library.id == id) {
        let known = tables.libraries().iter().map(|library| &*library.id);
        let near = query::near_misses(id, known);
        writeln!(
            out,
            "{id}: no such library; `torchada map --list` names them"
        )?;
        if !near.is_empty() {
            writeln!(out, "  near: {}", near.join(", "))?;
        }
        return Ok(Exit::Partial);
    }
    let rows: Vec<(Section, &Row)> = query::library(tables, id).collect();
    if json {
        out.write_all(report::map::list_json(&rows).as_bytes())?;
    } else {
        report::map::list(&rows, out)?;
    }
    Ok(Exit::Done)
}
