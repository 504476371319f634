//! From the messages of a build to findings in the original.

use std::collections::BTreeMap;

use super::cause::{Relation, Slots, texts};
use super::names::{before, last, plain, shown};
use super::original_place::{FileBack, OriginalPlace};
use super::tree::PortTree;
use crate::buildlog::{BuildLog, LogPlace, Message};
use crate::config::display_path;
use crate::diagnostic::{Code, Finding, Severity};
use crate::edit::MappedEdit;
use crate::mapping::build_log::{BuildLogTable, LogKind};
use crate::mapping::{self, Section, Tables};
use crate::report::{LogRow, PlacedFinding};
use crate::rules::cpp::rule_names::INLINE_PTX;
use crate::text::{Position, TextRange};

/// A message, explained.
pub(super) struct Explained {
    /// Where it leads in the original, and what it means.
    pub(super) finding: Finding,
    /// Where it was printed.
    pub(super) row: LogRow,
    /// The configuration that would remedy it.
    pub(super) remedy: Option<String>,
}

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

/// Whether an edit is one of some replacements.
fn is_one_of(tree: &PortTree, edit: &MappedEdit<'_>, replaced: &[usize]) -> bool {
    let all = tree.port.map.replaced();
    let mut replaced = replaced.iter().filter_map(|at| all.get(*at));
    replaced.any(|one| std::ptr::eq(one, edit.replaced))
}

/// A file of the port with its messages.
struct FileOfPort<'f> {
    tree: &'f PortTree,
    back: &'f FileBack<'f>,
    /// The path in the port.
    path: String,
    /// The path in the original; in the port, where the port adds the file.
    original: String,
    is_added: bool,
    /// What the port found there.
    findings: Vec<&'f PlacedFinding>,
}

impl<'f> FileOfPort<'f> {
    fn new(tree: &'f PortTree, row: usize, back: &'f FileBack<'f>) -> Self {
        let row = tree.row(row);
        let path = row.and_then(|row| row.path.to_path()).unwrap_or_default();
        let path = display_path(&path);
        let source = row.and_then(|row| row.source.as_ref()?.to_path());
        let original = source
            .as_ref()
            .map_or_else(|| path.clone(), |path| display_path(path));
        let lists = tree.lists.findings.iter().chain(&tree.lists.not_built);
        Self {
            findings: lists.filter(|one| one.path == original).collect(),
            tree,
            back,
            path,
            is_added: source.is_none(),
            original,
        }
    }

    fn explain(&self, message: &Message, place: Option<&LogPlace>) -> Explained {
        let name = message.name.as_deref().map(plain);
        let word = name.as_deref().map(last);
        let wrote = self.renamed(word, place);
        let found = match (place, wrote) {
            (Some(place), _) => Some(self.back.place(place.line, place.column, word)),
            (None, Some(edit)) => Some(self.back.of_edit(edit)),
            (None, None) => None,
        };
        let touched = found.and_then(|found| found.edit);
        // A compiler that knows the name as another's alias names that: what the port wrote at the place is meant.
        let wrote = wrote.or(touched.filter(|_| message.kind.names));
        let mut slots = Slots {
            near: message.near.clone().map(|near| plain(&near)),
            text: message.text.clone(),
            why: message.why.clone(),
            ..Slots::default()
        };
        let relation = self.relation(word, place, wrote, found.as_ref(), &mut slots);
        slots.name = slots.name.take().or(name);
        let texts = texts(message.kind, relation, &slots);
        let range = found.map_or(TextRange::new(0, 0), |found| found.range);
        let mut finding = Finding::at(
            code(message.kind),
            &self.original,
            &self.back.original,
            &self.back.original_lines,
            range,
            texts.message,
        );
        finding.help = texts.help;
        finding.show(&self.back.original);
        let (line, column) = match (place, wrote) {
            (Some(place), _) => (place.line, place.column),
            (None, Some(edit)) => self.back.shown(edit.new.start),
            (None, None) => (0, 0),
        };
        Explained {
            finding,
            row: LogRow {
                log_line: message.log_line,
                count: message.count,
                text: message.text.clone(),
                path: Some(self.path.clone()),
                line,
                column,
                approximate: found.is_some_and(|found| found.approximate),
            },
            remedy: texts.remedy,
        }
    }

    /// The edit that wrote a name: one on the line, else one in the file, else any of the port's.
    fn renamed(&self, word: Option<&str>, place: Option<&LogPlace>) -> Option<MappedEdit<'f>> {
        let word = word?;
        let wrote = self.tree.that_wrote(word);
        let is_it = |edit: &&MappedEdit<'f>| is_one_of(self.tree, edit, wrote);
        if let Some(place) = place {
            let on_line = self.back.edits_on(place.line);
            if let Some(edit) = on_line.iter().find(is_it) {
                return Some(*edit);
            }
        }
        let in_file = self.back.edits().iter().find(is_it).copied();
        in_file.or_else(|| {
            let replaced = self.tree.port.map.replaced().get(*wrote.first()?)?;
            let nowhere = TextRange::new(0, 0);
            Some(MappedEdit {
                old: nowhere,
                new: nowhere,
                replaced,
            })
        })
    }

    /// What the port has to do with a message.
    fn relation(
        &self,
        word: Option<&str>,
        place: Option<&LogPlace>,
        wrote: Option<MappedEdit<'_>>,
        found: Option<&OriginalPlace<'_>>,
        slots: &mut Slots,
    ) -> Relation {
        let touched = found.and_then(|found| found.edit);
        let is_ptx = |edit: &MappedEdit<'_>| edit.replaced.rule == INLINE_PTX;
        if touched.as_ref().is_some_and(is_ptx) {
            return Relation::Assembly;
        }
        if self.is_added {
            return Relation::Added;
        }
        if let Some(edit) = wrote {
            let new = shown(&String::from_utf8_lossy(&edit.replaced.new));
            let known = word.filter(|word| new.contains(word));
            let old = before(edit.replaced, known.unwrap_or(&new));
            slots.learn(self.tree.fact(&old), known.unwrap_or(&new));
            slots.old = Some(old);
            slots.evidence.clone_from(&edit.replaced.evidence);
            slots.rule.clone_from(&edit.replaced.rule);
            if known.is_none() {
                slots.name = Some(new);
            }
            return Relation::Renamed;
        }
        let start = found.map(|found| {
            let lines = &self.back.original_lines;
            lines.position(&self.back.original, found.range.start)
        });
        if let Some(finding) = start.and_then(|start| self.finding(start, word)) {
            slots.code.clone_from(&finding.code);
            return Relation::Left;
        }
        if let Some(edit) = touched {
            slots.rule.clone_from(&edit.replaced.rule);
            return Relation::Rewritten;
        }
        // Without a name, what the port wrote beside the place may be at fault.
        let beside = place.filter(|_| word.is_none());
        let beside = beside.and_then(|place| self.back.edits_on(place.line).first().copied());
        if let Some(edit) = beside.filter(|_| found.is_some_and(|found| !found.is_new)) {
            let text = |bytes: &[u8]| shown(&String::from_utf8_lossy(bytes));
            slots.old = Some(text(&edit.replaced.old));
            slots.new = Some(text(&edit.replaced.new));
            return Relation::Beside;
        }
        let tables = Tables::builtin();
        let is_same = |word: &str| {
            let row = tables.get(Section::Names, word.as_bytes());
            row.is_some_and(|row| row.relation == mapping::Relation::Same)
        };
        match found {
            Some(found) if found.is_new => Relation::Edited,
            _ if word.is_some_and(is_same) => Relation::Same,
            _ => Relation::Own,
        }
    }

    /// The port's finding at a place: one that covers it, else one on the line that speaks of the name.
    fn finding(&self, at: Position, word: Option<&str>) -> Option<&'f PlacedFinding> {
        let of_line = || {
            let findings = self.findings.iter();
            findings.filter(|one| one.line <= at.line && at.line <= one.end_line)
        };
        let covers = |one: &&&PlacedFinding| {
            (one.line, one.column) <= (at.line, at.column)
                && (at.line, at.column) < (one.end_line, one.end_column)
        };
        let speaks = |one: &&&PlacedFinding| {
            word.is_some_and(|word| one.message.contains(&format!("`{word}`")))
        };
        of_line()
            .find(covers)
            .or_else(|| of_line().find(speaks))
            .copied()
    }
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
    let relation = match replaced {
        Some(replaced) => {
            let name = word.as_deref().map_or("", last);
            let old = before(replaced, name);
            slots.learn(tree.fact(&old), name);
            slots.old = Some(old);
            slots.evidence.clone_from(&replaced.evidence);
            Relation::Renamed
        }
        None => Relation::Outside,
    };
    // What is said of a file that is none of the port's has nothing to do with it, unless it is about a name that is.
    let place = message.place.as_ref().filter(|place| place.line > 0);
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
        row: LogRow {
            log_line: message.log_line,
            count: message.count,
            text: message.text.clone(),
            ..LogRow::default()
        },
        remedy: texts.remedy,
    }
}

/// The code of a kind of message.
pub(in crate::commands) fn code(kind: &'static LogKind) -> Code {
    Code {
        id: &kind.code,
        severity: match kind.severity.as_str() {
            "error" => Severity::Error,
            "warning" => Severity::Warning,
            _ => Severity::Note,
        },
        title: &kind.title,
    }
}
