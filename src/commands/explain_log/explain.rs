//! From the messages of a build to findings in the original.

use std::collections::BTreeMap;

use super::cause::{Relation, Slots, texts};
use super::file_of_port::{Explained, FileOfPort, code, is_one_of, log_row};
use super::names::{before, last, plain};
use super::original_place::FileBack;
use super::tree::PortTree;
use crate::buildlog::{BuildLog, LogPlace, Message};
use crate::diagnostic::Finding;
use crate::mapping::build_log::BuildLogTable;
use crate::mapping::{self, Section, Tables};
use crate::text::Position;

/// Explain every message of a log. Also returns the texts of the original's files that findings are in.
pub(super) fn explain(
    tree: &PortTree,
    log: &BuildLog,
    name: &str,
) -> (Vec<Explained>, BTreeMap<String, Vec<u8>>) {
    // File by file, so that no more than one of them is in memory.
    let mut groups: BTreeMap<Option<usize>, Vec<(&Message, Option<&LogPlace>)>> = BTreeMap::new();
    for message in &log.messages {
        let (row, place) = whereabouts(tree, log, message);
        groups.entry(row).or_default().push((message, place));
    }
    let mut all = Vec::new();
    let mut originals = BTreeMap::new();
    for (row, messages) in groups {
        let back = row.and_then(|row| Some((row, FileBack::new(tree, row)?)));
        let Some((row, back)) = back else {
            let messages = messages.iter();
            all.extend(messages.map(|(message, _)| nowhere(tree, message, name)));
            continue;
        };
        let file = FileOfPort::new(tree, row, &back);
        all.extend(
            messages
                .iter()
                .map(|(message, place)| file.explain(message, *place)),
        );
        originals.insert(file.original.clone(), back.original);
    }
    (all, originals)
}

/// The file of the port that a message is about, and the place in it.
fn whereabouts<'m>(
    tree: &PortTree,
    log: &BuildLog,
    message: &'m Message,
) -> (Option<usize>, Option<&'m LogPlace>) {
    let own = message.place.iter();
    let mut places = own.chain(&message.trail).chain(&message.included);
    let found = places.find_map(|place| Some((tree.find(place, log)?, place)));
    if let Some((row, place)) = found {
        return (Some(row), Some(place).filter(|place| place.line > 0));
    }
    let named = message.place.iter().chain(&message.trail);
    let named = named
        .filter(|place| place.line == 0)
        .map(|place| &place.path);
    let object = message.object.iter().filter(|_| message.kind.object);
    let row = named
        .chain(object)
        .find_map(|object| tree.source_of(object));
    // A name that the port wrote is looked for where it wrote it.
    let row = row.or_else(|| {
        let name = plain(message.name.as_deref()?);
        let wrote = tree.that_wrote(last(&name));
        if wrote.is_empty() {
            return None;
        }
        tree.edited().find(|&row| {
            let path = tree.row(row).and_then(|row| row.path.to_path());
            path.is_some_and(|path| {
                let map = tree.port.map.file(path.as_os_str().as_encoded_bytes());
                map.edits().iter().any(|edit| is_one_of(tree, edit, wrote))
            })
        })
    });
    (row, None)
}

/// A message that leads to no file of the port.
fn nowhere(tree: &PortTree, message: &Message, name: &str) -> Explained {
    let table = BuildLogTable::builtin();
    let word = message.name.as_deref().map(plain);
    let wrote = word
        .as_deref()
        .map_or(&[][..], |word| tree.that_wrote(last(word)));
    let replaced = wrote
        .first()
        .and_then(|at| tree.port.map.replaced().get(*at));
    let mut slots = Slots {
        name: word.clone(),
        near: message.near.clone(),
        text: message.text.clone(),
        why: message.why.clone(),
        ..Slots::default()
    };
    let place = message.place.as_ref().filter(|place| place.line > 0);
    let relation = match replaced {
        Some(replaced) => {
            let name = word.as_deref().map_or("", last);
            let old = before(replaced, name);
            slots.learn(tree.fact(&old), name);
            slots.old = Some(old);
            slots.evidence.clone_from(&replaced.evidence);
            Relation::Renamed
        }
        None if place.is_none() && word.as_deref().is_some_and(is_cudas) => Relation::Cuda,
        None => Relation::Outside,
    };
    // A message about a file from outside the port has nothing to do with the port, unless it is about a name of the port's.
    let is_elsewhere = relation == Relation::Outside && place.is_some();
    let kind = if is_elsewhere {
        table.kind("outside").unwrap_or(message.kind)
    } else {
        message.kind
    };
    let texts = texts(kind, relation, &slots);
    let (path, line, column) = match place {
        Some(place) => (place.path.as_str(), place.line, place.column),
        None => (name, message.log_line, 1),
    };
    let mut finding = Finding::whole(code(kind), path, texts.message);
    let at = Position {
        line: line.max(1),
        column: column.max(1),
    };
    (finding.start, finding.end) = (at, at);
    finding.help = texts.help;
    Explained {
        finding,
        row: log_row(message),
        remedy: texts.remedy,
    }
}

/// Whether a name of a symbol or a library, such as `libcudart.so.12`, is CUDA's and not MUSA's as well.
fn is_cudas(name: &str) -> bool {
    let front = name.split_inclusive(".so").next().unwrap_or(name);
    let found = [
        (Section::Names, last(name)),
        (Section::Libraries, name),
        (Section::LibraryFiles, front),
    ];
    found.iter().any(|(section, name)| {
        let row = Tables::builtin().get(*section, name.as_bytes());
        row.is_some_and(|row| row.relation != mapping::Relation::Same)
    })
}
