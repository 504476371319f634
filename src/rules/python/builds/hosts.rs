//! Host sources that include the headers of half-precision types: MUSA's have them for mcc alone.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::arguments::{argument, builder, named};
use super::sinks::{plain, sources};
use crate::diagnostic::{Applicability, Code, Severity};
use crate::rules::Outcome;
use crate::rules::python::options::has;
use crate::rules::python::unit::Change;
use crate::rules::python::{PythonRule, PythonUnit};
use crate::syntax::python::{Field, Kind, NodeId};
use crate::text::TextRange;

/// A host source that mcc has to compile.
pub const NEEDS_MCC: Code = Code {
    id: "PY096",
    severity: Severity::Warning,
    title: "a host source includes what only mcc compiles",
};

/// Host sources of extensions.
pub struct Hosts;

const RULE: &str = "python-builder-hosts";

impl PythonRule for Hosts {
    fn name(&self) -> &'static str {
        RULE
    }

    fn codes(&self) -> &'static [Code] {
        &[NEEDS_MCC]
    }

    fn check(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        if !unit.is_musa() || !super::names_builders(unit) {
            return;
        }
        let tree = &unit.module.tree;
        let mut known = BTreeMap::new();
        for call in tree.nodes().filter(|&node| tree.kind(node) == Kind::Call) {
            if builder(unit, call).is_none() {
                continue;
            }
            let given = named(unit, call, "sources").or_else(|| tree.argument(call, 1));
            let Some(given) = given.filter(|&one| tree.kind(one) != Kind::KeywordArgument) else {
                continue;
            };
            let found = sources(unit, given)
                .into_iter()
                .find_map(|literal| needs(unit, literal, &mut known));
            if let Some((literal, file, header)) = found {
                settle(unit, out, call, literal, &file, &header);
            }
        }
    }
}

/// The host source that a literal names, and the header that it reaches.
fn needs(
    unit: &PythonUnit<'_>,
    literal: NodeId,
    known: &mut BTreeMap<usize, Option<String>>,
) -> Option<(NodeId, String, String)> {
    let table = &unit.lore.knowledge.builds.extensions.host;
    let name = String::from_utf8(plain(unit, literal)?).ok()?;
    if !table.endings.iter().any(|ending| name.ends_with(ending)) || name.contains('*') {
        return None;
    }
    let file = file(unit, &name)?;
    let header = known.entry(file).or_insert_with(|| {
        let seen = unit.project.visible(file);
        let mut headers = table.headers.iter();
        headers
            .find(|header| seen.has_header(&[Cow::Owned((*header).clone())]))
            .cloned()
    });
    let path = unit.project.files.get(file)?.path.clone();
    Some((literal, path, header.clone()?))
}

/// The one file in or below the module's folder whose path ends so.
fn file(unit: &PythonUnit<'_>, name: &str) -> Option<usize> {
    let folder = unit.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let name = name.trim_start_matches("./");
    let files = unit.project.files.iter().enumerate();
    let mut fitting = files.filter(|(_, file)| {
        let inside = file
            .path
            .strip_prefix(folder)
            .is_some_and(|rest| folder.is_empty() || rest.starts_with('/'));
        let ends = file.path.strip_suffix(name);
        inside && ends.is_some_and(|front| front.is_empty() || front.ends_with('/'))
    });
    let exact = format!("{folder}/{name}");
    let first = fitting.next()?;
    let second = fitting.next();
    if second.is_none() {
        return Some(first.0);
    }
    let mut files = unit.project.files.iter();
    files.position(|file| file.path == exact.trim_start_matches('/'))
}

/// `"cxx": ["force_mcc", …]`, or a finding.
fn settle(
    unit: &PythonUnit<'_>,
    out: &mut Outcome,
    call: NodeId,
    literal: NodeId,
    file: &str,
    header: &str,
) {
    let known = &unit.lore.knowledge.builds.extensions;
    let flag = format!("\"{}\"", known.host.flag);
    let place = place(unit, call, &flag);
    if let Some((at, text)) = place {
        let group = out.group();
        let change = Change {
            range: TextRange::new(at, at),
            to: &text,
            rule: RULE,
            applicability: Applicability::Safe,
            evidence: None,
        };
        if unit.change_in(out, &change, group) {
            return;
        }
    }
    let message = format!("`{file}` includes `{header}`, which on MUSA only mcc compiles");
    let finding = unit.finding(NEEDS_MCC, unit.module.tree.range(literal), message);
    out.findings.push(finding.help(known.advice.host.clone()));
}

/// Where to put the flag, and what to put there.
fn place(unit: &PythonUnit<'_>, call: NodeId, flag: &str) -> Option<(usize, String)> {
    let tree = &unit.module.tree;
    let known = &unit.lore.knowledge.builds.extensions;
    let Some(given) = argument(unit, call) else {
        let last = tree
            .arguments(call)
            .filter(|&one| !matches!(tree.kind(one), Kind::Operator | Kind::Comment))
            .last()?;
        if matches!(tree.kind(last), Kind::DictionarySplat) {
            return None;
        }
        let text = format!(", {}={{\"{}\": [{flag}]}}", known.arguments, known.host_key);
        return Some((tree.range(last).end, text));
    };
    if tree.kind(given) != Kind::Dictionary {
        return None;
    }
    let pairs: Vec<NodeId> = tree
        .children(given)
        .filter(|&one| tree.kind(one) == Kind::Pair)
        .collect();
    let key = |pair: NodeId| {
        tree.child(pair, Field::Key)
            .and_then(|key| plain(unit, key))
    };
    let host = pairs
        .iter()
        .copied()
        .find(|&pair| key(pair).is_some_and(|key| has(&known.host_keys, &key)));
    let Some(host) = host else {
        let first = *pairs.first()?;
        let text = format!("\"{}\": [{flag}], ", known.host_key);
        return Some((tree.range(first).start, text));
    };
    let value = tree.child(host, Field::Value)?;
    match tree.kind(value) {
        Kind::List => {
            let first = tree
                .children(value)
                .find(|&one| !matches!(tree.kind(one), Kind::Operator | Kind::Comment));
            Some(match first {
                Some(first) => (tree.range(first).start, format!("{flag}, ")),
                None => (tree.range(value).start + 1, flag.to_owned()),
            })
        }
        Kind::Identifier | Kind::Binary => Some((tree.range(value).start, format!("[{flag}] + "))),
        _ => None,
    }
}
