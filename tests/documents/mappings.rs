//! `docs/mappings.md`, generated from the tables.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use torchada::mapping::names::stems::by_rule;
use torchada::mapping::{Evidence, Relation, Row, Section, Stem, Tables};

const INTRO: &str = include_str!("mappings_intro.md");

/// The whole document.
pub(crate) fn markdown(tables: &Tables) -> Result<String, fmt::Error> {
    let rows: Vec<(Section, &Row)> = Section::ALL
        .into_iter()
        .flat_map(|section| tables.rows(section).map(move |row| (section, row)))
        .collect();
    let mut out = INTRO.to_owned();
    counts(tables, &rows, &mut out)?;
    irregular(tables, &rows, &mut out)?;
    contested(&rows, &mut out)?;
    absent(tables, &rows, &mut out)?;
    Ok(out)
}

/// One column of the counts: a relation, with its evidence where that matters.
type CountColumn = (&'static str, fn(&Row) -> bool);

const COLUMNS: [CountColumn; 7] = [
    ("confirmed", |row| renamed(row, Evidence::Confirmed)),
    ("table", |row| renamed(row, Evidence::Table)),
    ("rule", |row| renamed(row, Evidence::Rule)),
    ("contested", |row| renamed(row, Evidence::Contested)),
    ("same", |row| row.relation == Relation::Same),
    ("absent", |row| row.relation == Relation::Absent),
    ("unknown", |row| row.relation == Relation::Unknown),
];

fn renamed(row: &Row, evidence: Evidence) -> bool {
    row.relation == Relation::Renamed && row.evidence == Some(evidence)
}

fn counts(tables: &Tables, rows: &[(Section, &Row)], out: &mut String) -> fmt::Result {
    let headings: Vec<&str> = COLUMNS.iter().map(|(heading, _)| *heading).collect();
    writeln!(
        out,
        "\n## Rows\n\nThe first four columns count renamed names by their evidence.\n"
    )?;
    writeln!(out, "| table | library | {} | all |", headings.join(" | "))?;
    writeln!(out, "| --- | --- |{}", " ---: |".repeat(COLUMNS.len() + 1))?;
    let line = |out: &mut String, id: &str, title: &str, rows: &[&Row]| {
        write!(out, "| {id} | {title} |")?;
        for (_, counts) in COLUMNS {
            write!(out, " {} |", rows.iter().filter(|row| counts(row)).count())?;
        }
        writeln!(out, " {} |", rows.len())
    };
    for library in tables.libraries() {
        let of: Vec<&Row> = rows
            .iter()
            .map(|(_, row)| *row)
            .filter(|row| row.library == library.id)
            .collect();
        if !of.is_empty() {
            line(out, &format!("`{}`", library.id), &library.title, &of)?;
        }
    }
    let all: Vec<&Row> = rows.iter().map(|(_, row)| *row).collect();
    line(out, "", "all", &all)?;
    writeln!(
        out,
        "\nBesides: {} rows on architectures, {} targets, {} hazards.",
        tables.architectures().len(),
        tables.targets().len(),
        tables.hazards().len()
    )
}

fn irregular(tables: &Tables, rows: &[(Section, &Row)], out: &mut String) -> fmt::Result {
    writeln!(
        out,
        "\n## Irregular rows\n\nTheir counterparts are not what the stems would give."
    )?;
    let mut last = "";
    for (_, row) in by_library(tables, rows) {
        let Some(to) = row.to.as_deref() else {
            continue;
        };
        if is_regular(tables.stems(), &row.cuda, to) {
            continue;
        }
        if last != row.library {
            writeln!(
                out,
                "\n### {}\n\n| CUDA | MUSA | evidence |\n| --- | --- | --- |",
                row.library
            )?;
            last = &row.library;
        }
        let evidence = row.evidence.map_or("", Evidence::as_str);
        writeln!(out, "| `{}` | `{to}` | {evidence} |", row.cuda)?;
    }
    Ok(())
}

/// Whether the stems give the counterpart, where files may change their endings too.
fn is_regular(stems: &[Stem], cuda: &str, to: &str) -> bool {
    let bare = |name: &str| name.strip_prefix("lib").map(str::to_owned);
    let made = by_rule(stems, cuda);
    made == to
        || made
            .strip_suffix(".cuh")
            .is_some_and(|stem| to.strip_suffix(".muh") == Some(stem))
        || bare(cuda).is_some_and(|cuda| Some(by_rule(stems, &cuda)) == bare(to))
}

fn contested(rows: &[(Section, &Row)], out: &mut String) -> fmt::Result {
    writeln!(
        out,
        "\n## Contested rows\n\nAbsent names are listed below.\n\n| CUDA | MUSA | why |\n\
         | --- | --- | --- |"
    )?;
    for (_, row) in rows {
        if row.evidence == Some(Evidence::Contested) && row.relation != Relation::Absent {
            let to = row.to.as_deref().unwrap_or(&row.cuda);
            let why = row.note.as_deref().unwrap_or_default();
            writeln!(out, "| `{}` | `{to}` | {why} |", row.cuda)?;
        }
    }
    Ok(())
}

fn absent(tables: &Tables, rows: &[(Section, &Row)], out: &mut String) -> fmt::Result {
    writeln!(out, "\n## Absent rows, and what to do instead")?;
    let mut last = "";
    let mut families: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    let flush = |out: &mut String, library: &str, families: &mut BTreeMap<&str, Vec<&Row>>| {
        if !families.is_empty() {
            writeln!(out, "\n### {library}")?;
        }
        for (advice, rows) in std::mem::take(families) {
            let names: Vec<String> = rows.iter().map(|row| format!("`{}`", row.cuda)).collect();
            writeln!(
                out,
                "\n{advice}\n\n<details><summary>{} names</summary>\n",
                names.len()
            )?;
            writeln!(out, "{}\n\n</details>", names.join(" "))?;
        }
        Ok(())
    };
    for (_, row) in by_library(tables, rows) {
        if row.relation != Relation::Absent {
            continue;
        }
        if last != row.library {
            flush(out, last, &mut families)?;
            last = &row.library;
        }
        families
            .entry(row.advice.as_deref().unwrap_or_default())
            .or_default()
            .push(row);
    }
    flush(out, last, &mut families)
}

/// The rows in the order of the tables.
fn by_library<'a>(
    tables: &'a Tables,
    rows: &'a [(Section, &'a Row)],
) -> impl Iterator<Item = (Section, &'a Row)> {
    tables.libraries().iter().flat_map(move |library| {
        rows.iter()
            .copied()
            .filter(move |(_, row)| row.library == library.id)
    })
}
