//! What is in the namespaces that change their names.

use std::collections::BTreeSet;

use super::facts::{Counterpart, Fact, Rows};
use super::headers::Headers;
use crate::mapping::names::stems::by_rule;
use crate::mapping::{Relation, Section, Tables};

/// Add a fact for each name that the SDK has in a namespace under another name, and for each namespace in it: the tables
/// list few of them.
pub(super) fn namespaces(tables: &Tables, headers: &Headers, rows: &mut Rows) {
    let renamed: BTreeSet<(String, String)> = rows
        .iter()
        .filter_map(|((section, cuda), fact)| match &fact.counterpart {
            Counterpart::Renamed(to) if *section == Section::Namespaces => {
                Some((cuda.clone(), to.clone()))
            }
            _ => None,
        })
        .collect();
    // `cuda` is none of the tables' namespaces: a project may well have one of that name.
    let roots = tables.rows(Section::Namespaces).filter_map(|row| {
        let (root, _) = row.cuda.split_once("::")?;
        let to = tables.stem(root.as_bytes())?.musa.to_string();
        headers.has_namespace(&to).then(|| (root.to_owned(), to))
    });
    for (cuda, musa) in roots.collect::<BTreeSet<_>>().union(&renamed) {
        for (way, name, place) in headers.below(musa) {
            let source = format!("declared: {}", headers.show(place));
            let full = |front: &str| [&[front], &*way, &[name]].concat().join("::");
            let (from, to) = (full(cuda), full(musa));
            let fact = Fact::present(&from, &to, source.clone());
            rows.entry((Section::Qualified, from)).or_insert(fact);
            if !way.is_empty() {
                let full = |front: &str| [&[front], &*way].concat().join("::");
                let (from, to) = (full(cuda), full(musa));
                let fact = Fact::present(&from, &to, source);
                rows.entry((Section::Namespaces, from)).or_insert(fact);
            }
        }
    }
    // A class is no namespace.
    let classes: Vec<String> = rows
        .keys()
        .filter(|(section, name)| {
            *section == Section::Namespaces
                && rows.contains_key(&(Section::Qualified, name.clone()))
        })
        .map(|(_, name)| name.clone())
        .collect();
    for class in classes {
        rows.remove(&(Section::Namespaces, class));
    }
}

/// Add a fact for each header in a folder that answers to one of CUDA's, so that what the folder lacks is known.
pub(super) fn folders(tables: &Tables, headers: &Headers, rows: &mut Rows) {
    for row in tables.rows(Section::Headers) {
        let changes = matches!(row.relation, Relation::Renamed | Relation::Unknown);
        if !row.cuda.ends_with('/') || !changes {
            continue;
        }
        let to = match &row.to {
            Some(to) => to.to_string(),
            None => by_rule(tables.stems(), &row.cuda),
        };
        let paths = headers.paths_below(&to);
        if paths.is_empty() || to == *row.cuda {
            continue;
        }
        for below in paths {
            let (from, path) = (format!("{}{below}", row.cuda), format!("{to}{below}"));
            let fact = Fact::present(&from, &path, format!("declared: {path}"));
            rows.entry((Section::Headers, from)).or_insert(fact);
        }
        let fact = Fact::missing(&format!("the SDK has no such header in {to}"));
        rows.insert((Section::Headers, row.cuda.to_string()), fact);
    }
}
