//! The answers of `torchada map`, for people and for programs.

mod operators;

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::mapping::names::query::Answer;
use crate::mapping::{
    Conflict, ConflictKind, Evidence, Facts, Library, Relation, Row, Section, Tables,
};
use crate::report::one_line;

/// The version of the JSON's shape.
const SCHEMA_VERSION: u32 = 1;

/// Write the answers one after the other, with an empty line between them.
///
/// # Errors
/// When `out` can't take it.
pub fn answers(tables: &Tables, answers: &[Answer<'_>], out: &mut dyn Write) -> io::Result<()> {
    for (number, answer) in answers.iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        if let Some(operator) = &answer.operator {
            operators::answer(&answer.name, operator, out)?;
        } else if answer.rows.is_empty() {
            unknown(answer, out)?;
        }
        for &(section, row) in &answer.rows {
            self::row(&answer.name, section, row, out)?;
            for other in tables.weaker_rows(section, row) {
                other_row(row, other, out)?;
            }
        }
    }
    Ok(())
}

fn unknown(answer: &Answer<'_>, out: &mut dyn Write) -> io::Result<()> {
    let name = one_line(&answer.name);
    if !answer.parts.is_empty() {
        writeln!(out, "{name}: no row of its own, but its parts have:")?;
        let mut parts = answer.parts.iter();
        return parts.try_for_each(|(section, part)| row(&part.cuda, *section, part, out));
    }
    writeln!(out, "{name}: no table has this name")?;
    if !answer.sources.is_empty() {
        writeln!(
            out,
            "  a MUSA name: {} goes to it",
            answer.sources.join(", ")
        )?;
    }
    if !answer.near.is_empty() {
        writeln!(out, "  near: {}", answer.near.join(", "))?;
    }
    Ok(())
}

/// What else is known of a name, and where that contradicts the answer.
fn other_row(answer: &Row, other: &Row, out: &mut dyn Write) -> io::Result<()> {
    let is_fact = other.evidence == Some(Evidence::Sdk);
    let who = if is_fact { "facts:  " } else { "tables: " };
    writeln!(out, "  {who} {} ({})", answer_of(other), other.source)?;
    // What a table of the user's says contradicts nothing: it is the user's word.
    let is_between_facts_and_tables = !is_fact && answer.evidence == Some(Evidence::Sdk);
    match ConflictKind::of(other, answer).filter(|_| is_between_facts_and_tables) {
        Some(kind) => writeln!(out, "  conflict: {}", kind.title()),
        None => Ok(()),
    }
}

/// What a row says, in a few words.
fn answer_of(row: &Row) -> String {
    let evidence = row
        .evidence
        .map_or(String::new(), |evidence| format!(", {}", evidence.as_str()));
    match &row.to {
        Some(to) => format!("{} to {to}{evidence}", row.relation.as_str()),
        None => format!("{}{evidence}", row.relation.as_str()),
    }
}

/// Write the names of which the facts say something else than the built-in tables, by what they disagree about.
///
/// # Errors
/// When `out` can't take it.
pub fn conflicts(facts: &Facts, found: &[Conflict], out: &mut dyn Write) -> io::Result<()> {
    let releases = one_line(&facts.releases());
    if found.is_empty() {
        return writeln!(out, "{releases}: nothing contradicts the tables");
    }
    writeln!(out, "{releases}: {} names", found.len())?;
    for kind in ConflictKind::ALL {
        let of: Vec<&Conflict> = found.iter().filter(|one| one.kind == kind).collect();
        if of.is_empty() {
            continue;
        }
        writeln!(out, "\n{} ({}):", kind.title(), of.len())?;
        for one in of {
            writeln!(
                out,
                "  {}\t{}\t{}\t{}",
                one.fact.cuda,
                answer_of(one.known),
                one_line(&answer_of(one.fact)),
                one_line(&one.fact.source)
            )?;
        }
    }
    Ok(())
}

/// The conflicts as one JSON document, with a line end.
pub fn conflicts_json(facts: &Facts, found: &[Conflict]) -> String {
    let found: Vec<Value> = found
        .iter()
        .map(|one| {
            json!({
                "name": one.fact.cuda,
                "section": one.section,
                "kind": one.kind.as_str(),
                "tables": one.known,
                "fact": one.fact,
            })
        })
        .collect();
    let sdk = json!({ "sdk": facts.sdk, "torch_musa": facts.torch_musa });
    document("conflicts", &json!({ "facts": sdk, "names": found }))
}

fn row(name: &str, section: Section, row: &Row, out: &mut dyn Write) -> io::Result<()> {
    match counterpart(name, section, row) {
        Some(to) => writeln!(out, "{name} -> {to}")?,
        None => writeln!(out, "{name}")?,
    }
    let evidence = row.evidence.map_or("", Evidence::as_str);
    let comma = if evidence.is_empty() { "" } else { ", " };
    let relation = row.relation.as_str();
    writeln!(
        out,
        "  {relation}{comma}{evidence} ({}, {})",
        row.library,
        section.as_str()
    )?;
    if *row.cuda != *name {
        writeln!(out, "  row:     {}", row.cuda)?;
    }
    if let Some(runtime) = row.runtime {
        writeln!(out, "  runtime: {}", runtime.as_str())?;
    }
    writeln!(out, "  source:  {}", row.source)?;
    if let Some(differs) = &row.differs {
        writeln!(out, "  differs: {differs}")?;
    }
    if let Some(since) = &row.since {
        let sdk = since
            .sdk
            .as_ref()
            .map(|version| format!("MUSA SDK {version}"));
        let torch = since
            .torch_musa
            .as_ref()
            .map(|version| format!("torch_musa {version}"));
        let versions: Vec<String> = [sdk, torch].into_iter().flatten().collect();
        writeln!(out, "  since:   {}", versions.join(", "))?;
    }
    if !row.needs.is_empty() {
        writeln!(
            out,
            "  matched: where {} is included",
            row.needs.join(" or ")
        )?;
    }
    if let Some(note) = &row.note {
        writeln!(out, "  note:    {note}")?;
    }
    if let Some(advice) = &row.advice {
        writeln!(out, "  advice:  {advice}")?;
    }
    Ok(())
}

/// What a name goes to; a header's row may stand for a whole folder.
fn counterpart(name: &str, section: Section, row: &Row) -> Option<String> {
    match section {
        Section::Headers => row.header_target(name),
        _ => row.to.as_deref().map(str::to_owned),
    }
}

/// The answers as one JSON document, with a line end.
pub fn answers_json(tables: &Tables, answers: &[Answer<'_>]) -> String {
    let names: Vec<Value> = answers
        .iter()
        .map(|answer| {
            let under = |&(section, row): &(Section, _)| {
                let rows = tables.weaker_rows(section, row).into_iter();
                rows.map(move |row| (section, row)).collect::<Vec<_>>()
            };
            json!({
                "name": answer.name,
                "rows": rows_json(Some(&answer.name), answer.rows.iter().copied()),
                "parts": rows_json(None, answer.parts.iter().copied()),
                "under": rows_json(Some(&answer.name), answer.rows.iter().flat_map(under)),
                "musa_name_of": answer.sources,
                "operator": answer.operator,
                "near": answer.near,
            })
        })
        .collect();
    document("names", &json!(names))
}

/// Write the libraries with their counts of rows.
///
/// # Errors
/// When `out` can't take it.
pub fn libraries(
    tables: &Tables,
    counts: &[(&Library, usize)],
    out: &mut dyn Write,
) -> io::Result<()> {
    let width = tables
        .libraries()
        .iter()
        .map(|library| library.id.len())
        .max()
        .unwrap_or(0);
    for (library, count) in counts {
        writeln!(out, "{:width$}  {count:>5}  {}", library.id, library.title)?;
    }
    Ok(())
}

/// The libraries as one JSON document, with a line end.
pub fn libraries_json(counts: &[(&Library, usize)]) -> String {
    let libraries: Vec<Value> = counts
        .iter()
        .map(|(library, rows)| {
            json!({
                "id": library.id,
                "title": library.title,
                "rule_proven": library.proven,
                "rows": rows,
            })
        })
        .collect();
    document("libraries", &json!(libraries))
}

/// Write rows as a list, one a line: name, counterpart or `-`, relation, evidence or `-`, section.
///
/// # Errors
/// When `out` can't take it.
pub fn list(rows: &[(Section, &Row)], out: &mut dyn Write) -> io::Result<()> {
    for (section, row) in rows {
        let to = row.to.as_deref().unwrap_or("-");
        let evidence = row.evidence.map_or("-", Evidence::as_str);
        let (relation, section) = (row.relation.as_str(), section.as_str());
        writeln!(out, "{}\t{to}\t{relation}\t{evidence}\t{section}", row.cuda)?;
    }
    Ok(())
}

/// Rows as one JSON document, with a line end.
pub fn list_json(rows: &[(Section, &Row)]) -> String {
    document("rows", &json!(rows_json(None, rows.iter().copied())))
}

fn rows_json<'a>(name: Option<&str>, rows: impl Iterator<Item = (Section, &'a Row)>) -> Vec<Value> {
    rows.map(|(section, row)| {
        let mut value = json!(row);
        if let Some(fields) = value.as_object_mut() {
            fields.insert("section".to_owned(), json!(section));
            if let Some(name) = name
                && row.relation == Relation::Renamed
            {
                fields.insert(
                    "counterpart".to_owned(),
                    json!(counterpart(name, section, row)),
                );
            }
        }
        value
    })
    .collect()
}

fn document(key: &str, value: &Value) -> String {
    let document = json!({
        "schema_version": SCHEMA_VERSION,
        "tables": Tables::version(),
        key: value,
    });
    format!("{document:#}\n")
}
