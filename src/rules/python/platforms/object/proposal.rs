//! The proposal for a platform object: what MUSA's would answer, beside what it would stand, and where it is plugged in.

use std::collections::BTreeSet;

use super::family::Family;
use crate::python::ModuleView;
use torchada_mapping::python::gpus::PlatformMember;
use torchada_mapping::{contains_one, has};
use torchada_project::paths;
use torchada_syntax::python::{Field, Kind, Literal, NodeId};
use torchada_text::last_part;

/// How many files are looked at for the registry, and how many members a proposal names.
const FILES: usize = 256;
const MEMBERS: usize = 16;

/// What to do about a family of questions that knows nothing of MUSA.
pub(super) fn proposal(
    unit: &ModuleView<'_>,
    family: &Family<'_>,
    members: &[PlatformMember],
) -> String {
    let sibling = family.class.and_then(|(_, base)| sibling(unit, base));
    let mut names: BTreeSet<&str> = family.members.clone();
    if let Some(sibling) = &sibling {
        names.extend(sibling.members.iter().map(String::as_str));
    }
    let answers = members
        .iter()
        .filter(|member| {
            member
                .names
                .iter()
                .any(|name| names.contains(name.as_str()))
        })
        .take(MEMBERS)
        .map(|member| {
            let mut own = member
                .names
                .iter()
                .filter(|name| names.contains(name.as_str()));
            let name = own.next().map_or("", String::as_str);
            format!("`{name}` {}", member.answer)
        });
    let answers = answers.collect::<Vec<_>>().join("; ");
    let answers = match answers.as_str() {
        "" => answers,
        _ => format!(" It answers: {answers}."),
    };
    let plug = plug(unit).map_or_else(String::new, |place| format!(", plugged in at {place}"));
    match (&family.class, sibling) {
        (Some((_, base)), Some(sibling)) => format!(
            "Derive MUSA's class from `{base}`, beside `{}` ({}){plug}.{answers}",
            sibling.name, sibling.place
        ),
        (Some((_, base)), None) => {
            format!("Derive MUSA's class from `{base}`{plug}.{answers}")
        }
        (None, _) => format!(
            "Add `is_musa` beside it, which asks `torchada.is_musa_platform()`, and ask it where an arm for CUDA has \
             none for MUSA{plug}.{}",
            answers.replace("It answers", "On MUSA")
        ),
    }
}

/// CUDA's class beside others that derive from the same base.
struct Sibling {
    name: String,
    place: String,
    members: BTreeSet<String>,
}

/// CUDA's class that derives from a class, in the folder of the module.
fn sibling(unit: &ModuleView<'_>, base: &str) -> Option<Sibling> {
    let words = &unit.python_values().vendors.own;
    let is_cudas = |name: &str| contains_one(name.to_ascii_lowercase(), words);
    sibling_modules(unit).into_iter().find_map(|file| {
        let outline = unit.modules.outline(file)?;
        let mut classes = outline.classes.iter().enumerate();
        let (at, head) = classes.find(|(_, head)| {
            let mut bases = head.bases.iter();
            is_cudas(head.name) && bases.any(|one| last_part(one) == base)
        })?;
        let functions = outline.functions.iter();
        let methods = functions.filter(|one| one.class == Some(at));
        let mut members: BTreeSet<String> = methods.map(|one| one.name.to_owned()).collect();
        let other = unit.other(file)?;
        members.extend(assigned(&other, head.name, head.at));
        members.extend(head.fields.iter().map(|&name| name.to_owned()));
        Some(Sibling {
            name: head.name.to_owned(),
            place: other.shown_line(head.at),
            members,
        })
    })
}

/// The names that the body of a class sets.
fn assigned(view: &ModuleView<'_>, name: &str, at: usize) -> BTreeSet<String> {
    let tree = &view.module.tree;
    let class = crate::python::inference::callee::node_of(view, name, at);
    let body = class.and_then(|class| tree.child(class, Field::Body));
    let statements = body.into_iter().flat_map(|body| tree.children(body));
    let set = statements.filter_map(|statement| tree.assignment(statement));
    set.map(|(target, _)| tree.shown(target)).collect()
}

/// The modules in the folder of a module, without itself.
fn sibling_modules(unit: &ModuleView<'_>) -> Vec<usize> {
    let folder = paths::folder(unit.path);
    let files = unit.modules.files_like(folder, "*.py").into_iter();
    let mut files: Vec<(usize, &str)> = files.take(FILES).collect();
    files.sort_by_key(|&(_, path)| path);
    let files = files.into_iter().map(|(file, _)| file);
    files.filter(|&file| file != unit.index).collect()
}

/// The place of the table that has an entry for CUDA's platform beside others: in the folder of the module, else where it
/// is imported.
fn plug(unit: &ModuleView<'_>) -> Option<String> {
    let importers = unit.modules.importers(unit.index).iter();
    let mut files = sibling_modules(unit);
    files.extend(importers.map(|&(file, _)| file));
    let mut seen = BTreeSet::new();
    files.retain(|&file| seen.insert(file));
    files.into_iter().take(FILES).find_map(|file| {
        let vendors = &unit.python_values().vendors;
        let has_word = |words: &[String]| {
            let mut words = words.iter();
            words.any(|word| unit.modules.has(file, word.as_bytes()))
        };
        if !has_word(&vendors.own) || !has_word(&vendors.others) {
            return None;
        }
        let other = unit.other(file)?;
        let tree = &other.module.tree;
        let table = tree
            .of(Kind::Dictionary)
            .find(|&table| is_registry(&other, table))?;
        Some(other.shown_line(tree.range(table).start))
    })
}

/// Whether a dictionary has entries for CUDA and for other platforms, and none for MUSA.
fn is_registry(view: &ModuleView<'_>, table: NodeId) -> bool {
    let tree = &view.module.tree;
    let vendors = &view.python_values().vendors;
    let keys = tree.keys(table).filter_map(|key| Literal::read(tree, key));
    let keys: Vec<Vec<u8>> = keys.map(|key| key.value().to_ascii_lowercase()).collect();
    let any = |words: &[String]| keys.iter().any(|key| has(words, key));
    any(&vendors.own) && any(&vendors.others) && !any(&vendors.target)
}
