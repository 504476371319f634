//! The table of packages that are made for NVIDIA's GPUs, as `check --packages` prints it.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use crate::diagnostic::{PackageNeed, PackageUse};
use crate::mapping::python::packages::{Package, PackageRelation, Packages};
use crate::report::format::plain::one_line;
use crate::report::format::row::row;
use crate::report::format::style::{BOLD, DIM, PATH};
use crate::report::json::SCHEMA_VERSION;
use crate::report::{PackageLoss, Report};
use crate::text::first_of;

/// How many modules that fall away are named; JSON has all of them.
const NAMED: usize = 4;

/// A package, and what a tree has to do with it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PackageRow {
    package: String,
    relation: PackageRelation,
    /// What has its work on MUSA, under another name.
    substitute: Option<String>,
    advice: String,
    source: String,
    /// How many places ask for it, by how they do so.
    imports: BTreeMap<PackageNeed, usize>,
    /// The imports that lead from a start of the tree to it.
    start: Vec<String>,
    /// Whether MUSA can't start the tree as it stands.
    stops_start: bool,
    /// The modules that can't be loaded without it.
    lost: Vec<String>,
    /// The places that ask for it.
    places: Vec<PackageUse>,
}

/// The packages that a report's input asks for: those first without which it does not start, then those that most modules
/// need.
pub fn package_rows(report: &Report) -> Vec<PackageRow> {
    let mut uses: BTreeMap<&str, Vec<&PackageUse>> = BTreeMap::new();
    for one in &report.package_uses {
        uses.entry(&one.package).or_default().push(one);
    }
    let table = Packages::builtin();
    let mut rows: Vec<PackageRow> = uses
        .into_iter()
        .filter_map(|(name, uses)| {
            let loss = report.package_needs.get(name);
            Some(package_row(table.named(name)?, &uses, loss))
        })
        .collect();
    rows.sort_by(|a, b| {
        let key = |one: &PackageRow| {
            let is_lacking = is_absent(one.relation) && !one.lost.is_empty();
            let starts = (one.stops_start, !one.start.is_empty());
            (starts, is_lacking, one.lost.len(), one.places.len())
        };
        (key(b), &a.package).cmp(&(key(a), &b.package))
    });
    rows
}

fn package_row(package: &Package, uses: &[&PackageUse], loss: Option<&PackageLoss>) -> PackageRow {
    let mut places: Vec<PackageUse> = uses.iter().map(|&one| one.clone()).collect();
    places.sort();
    places.dedup();
    let mut imports: BTreeMap<PackageNeed, usize> = BTreeMap::new();
    for one in &places {
        *imports.entry(one.need).or_default() += 1;
    }
    let start = loss.map_or_else(Vec::new, |loss| loss.chain.clone());
    PackageRow {
        package: package.name().to_owned(),
        relation: package.relation,
        substitute: package.to.clone(),
        advice: package.advice.clone(),
        source: package.source.clone(),
        imports,
        stops_start: !start.is_empty() && is_absent(package.relation) && !package.anywhere,
        start,
        lost: loss.map_or_else(Vec::new, |loss| loss.lost.clone()),
        places,
    }
}

/// Whether MUSA has nothing that can be installed in a package's place.
fn is_absent(relation: PackageRelation) -> bool {
    matches!(relation, PackageRelation::None | PackageRelation::Kernels)
}

#[derive(Serialize)]
struct Document<'a> {
    schema_version: u32,
    packages: &'a [PackageRow],
}

/// The rows as JSON, with a line end.
pub fn packages_json(rows: &[PackageRow]) -> Vec<u8> {
    let document = Document {
        schema_version: SCHEMA_VERSION,
        packages: rows,
    };
    // Strings, numbers, lists and maps always serialize.
    let mut bytes = serde_json::to_vec_pretty(&document).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

/// Write the rows for people.
///
/// # Errors
/// When `out` can't take it.
pub fn packages(rows: &[PackageRow], out: &mut dyn Write) -> io::Result<()> {
    if rows.is_empty() {
        return writeln!(out, "no package for NVIDIA's GPUs is asked for");
    }
    for one in rows {
        writeln!(out, "{BOLD}{}{BOLD:#}: {}", one.package, relation(one))?;
        row(out, "imports", &imports(one))?;
        if !one.start.is_empty() {
            let steps: Vec<String> = one
                .start
                .iter()
                .map(|step| format!("{PATH}{}{PATH:#}", one_line(step)))
                .collect();
            let what = if one.stops_start {
                "start stops"
            } else {
                "start"
            };
            row(out, what, &steps.join(" → "))?;
        }
        if !one.lost.is_empty() {
            row(out, "lost", &lost_modules(one))?;
        }
        row(out, "do", &one.advice)?;
        row(out, "source", &format!("{DIM}{}{DIM:#}", one.source))?;
    }
    Ok(())
}

fn relation(one: &PackageRow) -> String {
    match (one.relation, one.substitute.as_deref()) {
        (PackageRelation::None, _) => "made for CUDA, and MUSA has nothing in its place".to_owned(),
        (PackageRelation::Renamed, to) => {
            format!(
                "made for CUDA; `{}` has its work on MUSA",
                to.unwrap_or_default()
            )
        }
        (PackageRelation::Twin, _) => "MUSA has a build of it".to_owned(),
        (PackageRelation::Kernels, _) => {
            "has CUDA kernels of its own, and no build for MUSA is known".to_owned()
        }
        (PackageRelation::Triton, _) => "has kernels in Triton".to_owned(),
    }
}

fn imports(one: &PackageRow) -> String {
    let words = |need: PackageNeed| match need {
        PackageNeed::Guarded => "guarded",
        PackageNeed::Lazy => "in functions",
        PackageNeed::Unguarded => "unguarded",
        PackageNeed::Required => "in requirements",
        PackageNeed::Auxiliary => "in tests, benchmarks and examples",
    };
    let counts = one
        .imports
        .iter()
        .map(|(need, count)| format!("{count} {}", words(*need)));
    counts.collect::<Vec<_>>().join(", ")
}

/// The modules that fall away.
fn lost_modules(one: &PackageRow) -> String {
    let names: Vec<String> = one.lost.iter().map(|name| one_line(name)).collect();
    let shown = first_of(&names, NAMED);
    match names.len() {
        1 => shown,
        count => format!("{count} modules: {shown}"),
    }
}
