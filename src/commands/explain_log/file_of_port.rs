//! A message about a file of the port: where it leads in the original, and what it means there.

use super::cause::{Relation, Slots, texts};
use super::names::{before, last, plain, shown};
use super::original_place::{FileBack, OriginalPlace};
use super::tree::PortTree;
use crate::buildlog::{LogPlace, Message};
use crate::config::display_path;
use crate::diagnostic::{Code, Finding, codes};
use crate::edit::MappedEdit;
use crate::mapping::build_log::LogKind;
use crate::mapping::{self, Section, Tables};
use crate::report::{LogRow, PlacedFinding};
use crate::rules::cpp::rule_names::INLINE_PTX;
use crate::text::{Position, TextRange};

/// The row of a message that names no file of the port.
pub(super) fn log_row(message: &Message) -> LogRow {
    LogRow {
        log_line: message.log_line,
        count: message.count,
        text: message.text.clone(),
        ..LogRow::default()
    }
}

/// A message, explained.
pub(super) struct Explained {
    /// Where it leads in the original, and what it means.
    pub(super) finding: Finding,
    /// Where it was printed.
    pub(super) row: LogRow,
    /// The configuration that would remedy it.
    pub(super) remedy: Option<String>,
}

/// A file of the port with its messages.
pub(super) struct FileOfPort<'f> {
    tree: &'f PortTree,
    back: &'f FileBack<'f>,
    /// The path in the port.
    path: String,
    /// The path in the original; in the port, where the port adds the file.
    pub(super) original: String,
    is_added: bool,
    /// What the port found there.
    findings: Vec<&'f PlacedFinding>,
}

impl<'f> FileOfPort<'f> {
    pub(super) fn new(tree: &'f PortTree, row: usize, back: &'f FileBack<'f>) -> Self {
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

    pub(super) fn explain(&self, message: &Message, place: Option<&LogPlace>) -> Explained {
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
                path: Some(self.path.clone()),
                line,
                column,
                approximate: found.is_some_and(|found| found.approximate),
                ..log_row(message)
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
            // An edit may write several lines, of which the first is shown.
            let text = String::from_utf8_lossy(&edit.replaced.new);
            let new = shown(&text);
            let known = word.filter(|word| text.contains(word));
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
        // A traceback of Python's names lines alone.
        let whole_line = word.is_none() && place.is_some_and(|place| place.column == 0);
        if let Some(finding) = start.and_then(|start| self.finding(start, word, whole_line)) {
            slots.code.clone_from(&finding.code);
            return Relation::Left;
        }
        if let Some(edit) = touched {
            slots.rule.clone_from(&edit.replaced.rule);
            return Relation::Rewritten;
        }
        // Without a name, what the port wrote beside the place may be at fault; so may what it wrote before a member.
        let beside = place.filter(|_| word.is_none());
        let beside = beside.and_then(|place| self.back.edits_on(place.line).first().copied());
        let beside = beside.or_else(|| self.owner(found?.range));
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

    /// The edit that wrote what a place in the original is a member of: `musa` in `torch.musa.member`.
    fn owner(&self, range: TextRange) -> Option<MappedEdit<'f>> {
        let mut edits = self.back.edits().iter();
        let is_owner = |edit: &&MappedEdit<'f>| {
            let between = self.back.original.get(edit.old.end..range.start);
            matches!(between, Some(b"." | b"::" | b"->"))
        };
        edits.find(is_owner).copied()
    }

    /// The port's finding at a place: one that covers it, else one on the line that speaks of the name, else, where the
    /// whole line is meant, the first on it.
    fn finding(
        &self,
        at: Position,
        word: Option<&str>,
        whole_line: bool,
    ) -> Option<&'f PlacedFinding> {
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
        // One of the whole file has no extent.
        let is_of_line = |one: &&&PlacedFinding| {
            whole_line && (one.line, one.column) != (one.end_line, one.end_column)
        };
        of_line()
            .find(covers)
            .or_else(|| of_line().find(speaks))
            .or_else(|| of_line().find(is_of_line))
            .copied()
    }
}

/// The code of a kind of message.
pub(super) fn code(kind: &'static LogKind) -> Code {
    let listed = codes::ALL.iter().find(|code| code.id == kind.code);
    listed
        .copied()
        .unwrap_or(Code::error(&kind.code, &kind.says))
}

/// Whether an edit is one of some replacements.
pub(super) fn is_one_of(tree: &PortTree, edit: &MappedEdit<'_>, replaced: &[usize]) -> bool {
    let all = tree.port.map.replaced();
    let mut replaced = replaced.iter().filter_map(|at| all.get(*at));
    replaced.any(|one| std::ptr::eq(one, edit.replaced))
}
