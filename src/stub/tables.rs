//! Generates the region of the package that is made from the tables, as typed constants.

use std::collections::{BTreeMap, BTreeSet};

use super::{flags, python};
use crate::mapping::stub::{SharedLibrary, StubKnowledge};
use crate::mapping::{Evidence, Relation, Row, Runtime, Section, Tables};
use crate::text::last_part;

type Map<'a> = BTreeMap<&'a str, &'a str>;

/// The region for `tables`.
///
/// # Errors
/// A fault of the stub's own knowledge.
pub(super) fn region(tables: &Tables) -> String {
    let known = StubKnowledge::builtin();
    let mut out = String::new();
    python::string(
        &mut out,
        "VERSION",
        "The version of the program that made these tables.",
        env!("CARGO_PKG_VERSION"),
    );
    names(&mut out, tables);
    properties(&mut out, tables, known);
    torch(&mut out, tables, known);
    libraries(&mut out, tables, known);
    symbols(&mut out, tables, known);
    environment(&mut out, tables);
    flags::write(&mut out, tables);
    out.push('\n');
    out
}

/// Python's names, by what becomes of them.
fn names(out: &mut String, tables: &Tables) {
    let rows = |runtime| {
        tables
            .rows(Section::Python)
            .filter(move |row| row.runtime == Some(runtime))
    };
    let set = |runtime| -> BTreeSet<&str> { rows(runtime).map(|row| &*row.cuda).collect() };
    let forwarded = rows(Runtime::Forward).filter_map(renamed).collect();
    python::map(
        out,
        "FORWARDED",
        "Names of CUDA's that the MUSA name takes the place of.",
        &forwarded,
    );
    python::set(
        out,
        "KEPT",
        "Names for which PyTorch's own object stays.",
        &set(Runtime::Keep),
    );
    let silent = rows(Runtime::Silent).map(|row| (&*row.cuda, row.note.as_deref().unwrap_or("")));
    python::map(
        out,
        "SILENT",
        "Functions that do nothing here, with what is ignored.",
        &silent.collect(),
    );
    let missing = rows(Runtime::Missing).chain(rows(Runtime::Field).filter(|row| row.to.is_none()));
    python::map(
        out,
        "MISSING",
        "Names that MUSA lacks, with what to do instead.",
        &missing.map(advised).collect(),
    );
    python::set(
        out,
        "OWN",
        "Names that this package defines itself.",
        &set(Runtime::Own),
    );
}

/// The fields of a device's properties: a counterpart is a field or something to ask the device for.
fn properties(out: &mut String, tables: &Tables, known: &StubKnowledge) {
    let (mut fields, mut attributes) = (Map::new(), BTreeMap::new());
    for row in tables.rows(Section::Python) {
        let Some((_, to)) = renamed(row).filter(|_| row.runtime == Some(Runtime::Field)) else {
            continue;
        };
        let (field, to) = (last_part(&row.cuda), last_part(to));
        if let Some(number) = known.attributes.numbers.get(to) {
            attributes.insert(field, format!("({}, {number})", python::literal(to)));
        } else {
            fields.insert(field, to);
        }
    }
    python::map(
        out,
        "DEVICE_FIELDS",
        "Fields of CUDA's device properties that torch_musa's have.",
        &fields,
    );
    python::expressions(
        out,
        "DEVICE_ATTRIBUTES",
        "Fields that `musaDeviceGetAttribute` answers: the enumerator of musaDeviceAttr and its number.",
        "tuple[str, int]",
        &attributes,
    );
}

/// Words of `PyTorch`'s that are strings.
fn torch(out: &mut String, tables: &Tables, known: &StubKnowledge) {
    const KEY: &str = "DispatchKey::";
    let keys = tables.rows(Section::Qualified).filter_map(|row| {
        let (cuda, musa) = renamed(row)?;
        Some((cuda.strip_prefix(KEY)?, musa.strip_prefix(KEY)?))
    });
    python::map(out, "DISPATCH_KEYS", "Dispatch keys.", &keys.collect());
    let backends = known.backends.iter();
    let backends = backends.map(|backend| (&*backend.cuda, &*backend.musa));
    python::map(
        out,
        "BACKENDS",
        "Distributed backends.",
        &backends.collect(),
    );
}

/// The shared libraries that have a counterpart, with it.
fn opened<'a>(
    tables: &'a Tables,
    known: &'a StubKnowledge,
) -> impl Iterator<Item = (&'a SharedLibrary, &'a str)> {
    known.libraries.iter().filter_map(|library| {
        let row = tables.get(Section::Libraries, library.stem.as_bytes())?;
        Some((library, row.to.as_deref()?))
    })
}

fn libraries(out: &mut String, tables: &Tables, known: &StubKnowledge) {
    const STATIC: &str = "_static";
    let plain = |(cuda, _): &(&str, &str)| !cuda.contains("::") && !cuda.ends_with(STATIC);
    let stems = tables.rows(Section::Libraries).filter_map(renamed);
    python::map(
        out,
        "LIBRARIES",
        "Shared libraries, without `lib` and ending.",
        &stems.filter(plain).collect(),
    );
    let versions = known.versions.iter();
    let versions = versions.map(|library| (&*library.stem, &*library.version));
    python::map(
        out,
        "LIBRARY_VERSIONS",
        "What follows `.so.` in the file names of MUSA's libraries, where it is known and always the same.",
        &versions.collect(),
    );
    let prefixes: BTreeMap<&str, String> = opened(tables, known)
        .map(|(library, _)| {
            let pairs = library.prefixes.iter();
            let pairs = pairs.map(|(cuda, musa)| {
                let (cuda, musa) = (python::literal(cuda), python::literal(musa));
                format!("{cuda}: {musa}")
            });
            let pairs: Vec<String> = pairs.collect();
            (&*library.stem, format!("{{{}}}", pairs.join(", ")))
        })
        .collect();
    python::expressions(
        out,
        "SYMBOL_PREFIXES",
        "What the functions of a library start with, on CUDA and on MUSA, by the CUDA library.",
        "Mapping[str, str]",
        &prefixes,
    );
}

/// Functions for which the prefix rule does not answer.
fn symbols(out: &mut String, tables: &Tables, known: &StubKnowledge) {
    let (mut other, mut absent) = (Map::new(), Map::new());
    let libraries: Vec<&SharedLibrary> =
        opened(tables, known).map(|(library, _)| library).collect();
    for row in tables.rows(Section::Names) {
        let of = libraries.iter().find(|library| {
            library.tables.iter().any(|id| *id == row.library)
                || row.library == crate::mapping::USER
        });
        let Some(made) = of.and_then(|library| by_prefix(library, &row.cuda)) else {
            continue;
        };
        match &row.to {
            Some(to) if *to != made => {
                other.insert(&row.cuda, to);
            }
            None if row.relation == Relation::Absent => {
                let (name, advice) = advised(row);
                absent.insert(name, advice);
            }
            _ => {}
        }
    }
    python::map(
        out,
        "SYMBOLS",
        "Functions whose counterpart is not what the prefix gives.",
        &other,
    );
    python::map(
        out,
        "ABSENT_SYMBOLS",
        "Functions that MUSA's libraries lack, with what to do instead.",
        &absent,
    );
}

/// The counterpart of a function's name by the library's prefix; `None` if the library has no such function.
fn by_prefix(library: &SharedLibrary, name: &str) -> Option<String> {
    // Types end in `_t` or `_st`; what a prefix runs on in is another library's.
    if name.ends_with("_t") || name.ends_with("_st") {
        return None;
    }
    library.prefixes.iter().find_map(|(cuda, musa)| {
        let rest = name.strip_prefix(cuda.as_str())?;
        let starts = rest.starts_with(|next: char| next.is_ascii_uppercase());
        starts.then(|| format!("{musa}{rest}"))
    })
}

fn environment(out: &mut String, tables: &Tables) {
    let of = |by_rule: bool| -> Map<'_> {
        tables
            .rows(Section::Environment)
            .filter(|row| row.runtime != Some(Runtime::Keep))
            .filter(|row| (row.evidence > Some(Evidence::Table)) == by_rule)
            .filter_map(renamed)
            .collect()
    };
    python::map(
        out,
        "ENVIRONMENT",
        "Environment variables that MUSA's software reads, with values that mean the same.",
        &of(false),
    );
    python::map(
        out,
        "ENVIRONMENT_BY_RULE",
        "Environment variables that only their prefix speaks for.",
        &of(true),
    );
}

fn renamed(row: &Row) -> Option<(&str, &str)> {
    Some((&row.cuda, row.to.as_deref()?))
}

fn advised(row: &Row) -> (&str, &str) {
    (&row.cuda, row.advice.as_deref().unwrap_or_default())
}
