//! From the edits of a port to the lines of a header.

use std::collections::BTreeSet;

use super::pasted::Pasted;
use super::place::LexedText;
use crate::alias::{AliasDefinition, AliasHeader, LeftReason};
use crate::commands::analysis::Translated;
use crate::diagnostic::codes::cpp::{
    ALIAS_MISSING, CONSTANT, CONTESTED_HEADER, CONTESTED_NAME, DEVICE_TYPE_QUERY, FALLBACK,
    NO_CONSTANT, NO_FALLBACK, NOT_NEEDED, OTHER_VENDOR, OWN_ROW, RENUMBERED, RULE_HEADER,
    RULE_NAME, UNDECIDED, WITHDRAWN,
};
use crate::diagnostic::{Code, Finding, KeptReason, codes};
use crate::edit::Edit;
use crate::mapping::{Evidence, Nature, Relation, Row, Section};
use crate::project::{Context, Include};
use crate::report::ByHand;
use crate::rules::cpp::rule_names;
use crate::text::{LineIndex, TextRange};

/// The table of macros that the compiler itself defines: each is there in one of its passes only.
const COMPILER: &str = "compiler";

/// Codes of C++ whose findings are about other things than names.
const OTHERS: [Code; 3] = [NO_CONSTANT, OWN_ROW, WITHDRAWN];

/// Codes of comparisons with names.
const GUARDS: [Code; 7] = [
    UNDECIDED,
    RENUMBERED,
    FALLBACK,
    NO_FALLBACK,
    NOT_NEEDED,
    CONSTANT,
    OTHER_VENDOR,
];

/// A file of C++ and what a port would do with it.
pub(super) struct TranslatedFile<'a> {
    pub(super) path: &'a str,
    pub(super) text: &'a [u8],
    pub(super) translated: &'a Translated,
    /// Its includes, where it is of a tree.
    pub(super) includes: &'a [Include],
}

impl TranslatedFile<'_> {
    /// Whether a port would rename something of CUDA's in it.
    pub(super) fn names_cuda(&self) -> bool {
        let mut edits = self.translated.edits.iter();
        edits.any(|edit| edit.rule == rule_names::NAME || edit.rule == rule_names::HEADER)
    }
}

/// The CUDA names that some files use.
pub(super) struct AliasUses<'a> {
    context: Context<'a>,
    /// The weakest evidence that counts.
    weakest: Evidence,
    /// The header for it.
    pub(super) header: AliasHeader,
    /// Findings to read beside the header.
    pub(super) findings: Vec<Finding>,
    /// Places that a person has to write, because no macro can.
    pub(super) by_hand: Vec<ByHand>,
    /// Includes of CUDA's headers.
    pub(super) includes: Vec<ByHand>,
    /// CUDA's headers that are included where MUSA is not the platform.
    pub(super) replaced: Vec<String>,
    own: BTreeSet<String>,
    /// Macros whose numbers code compares.
    compared: BTreeSet<String>,
}

impl<'a> AliasUses<'a> {
    pub(super) fn new(context: Context<'a>, weakest: Evidence) -> Self {
        Self {
            context,
            weakest,
            header: AliasHeader::default(),
            findings: Vec::new(),
            by_hand: Vec::new(),
            includes: Vec::new(),
            replaced: Vec::new(),
            own: BTreeSet::new(),
            compared: BTreeSet::new(),
        }
    }

    /// Take in a file. `pasted` are the places of names that are pasted and whole later.
    pub(super) fn add(&mut self, file: &TranslatedFile<'_>, pasted: &BTreeSet<usize>) {
        let code = LexedText::new(file.text);
        let lines = LineIndex::new(file.text);
        let mut last_chain: Option<TextRange> = None;
        for edit in file.translated.edits.iter() {
            if last_chain.is_some_and(|last_chain| last_chain.covers(edit.range))
                || edit.rule == rule_names::PASTING
            {
                continue;
            }
            if edit.rule == rule_names::HEADER {
                let path = String::from_utf8_lossy(edit.range.of(file.text)).into_owned();
                let start = lines.position(file.text, edit.range.start);
                self.includes.push(ByHand::include(file.path, start, &path));
                self.include(&path);
            } else if !self.define(file, &code, edit) {
                let chain = if matches!(edit.rule, rule_names::GUARD | rule_names::VERSION) {
                    edit.range
                } else {
                    code.chain(edit.range)
                };
                self.by_hand(file, &lines, edit, chain);
                last_chain = Some(chain);
            }
        }
        for kept in &file.translated.kept {
            let shown = String::from_utf8_lossy(kept.range.of(file.text)).into_owned();
            if kept.reason == KeptReason::ProjectDeclared {
                self.own.insert(shown);
            } else if kept.reason == KeptReason::MusaBranch
                && file.includes.iter().any(|one| one.range == kept.range)
            {
                self.replaced.push(shown);
            }
        }
        for finding in &file.translated.findings {
            self.find(file, finding, pasted);
        }
    }

    /// A `#define`, where a macro does what the edit would. Returns whether it does.
    fn define(&mut self, file: &TranslatedFile<'_>, code: &LexedText<'_>, edit: &Edit) -> bool {
        let Some(index) = code.identifier(edit.range) else {
            return false;
        };
        let name = String::from_utf8_lossy(edit.range.of(file.text)).into_owned();
        let to = String::from_utf8_lossy(&edit.replacement).into_owned();
        if edit.rule == rule_names::VERSION {
            self.header.definitions.insert(
                name,
                AliasDefinition {
                    to,
                    library: String::new(),
                    evidence: None,
                    note: None,
                    only_if_musa_has_it: false,
                },
            );
            return true;
        }
        let row = self.context.row(Section::Names, name.as_bytes());
        let row =
            row.filter(|row| edit.rule == rule_names::NAME && row.to.as_deref() == Some(&*to));
        let Some(row) = row else { return false };
        if row.nature == Nature::Switch {
            let help = format!("set `{to}` where MUSA is built, before the header is included");
            self.header.leave(LeftReason::Switch, &name, Some(help));
            return true;
        }
        let only_if_musa_has_it =
            row.nature == Nature::Macro && (row.library == COMPILER || code.is_tested(index));
        self.insert(name, row, only_if_musa_has_it);
        true
    }

    fn insert(&mut self, name: String, row: &Row, only_if_musa_has_it: bool) {
        let definition = self
            .header
            .definitions
            .entry(name)
            .or_insert_with(|| AliasDefinition {
                to: row.to.as_deref().unwrap_or_default().to_owned(),
                library: row.library.clone().into_owned(),
                evidence: row.evidence,
                note: row.note.as_deref().map(str::to_owned),
                only_if_musa_has_it,
            });
        definition.only_if_musa_has_it |= only_if_musa_has_it;
    }

    /// MUSA's header in place of one of CUDA's.
    pub(super) fn include(&mut self, path: &str) {
        let row = self.context.tables.header(path);
        let strong = |row: &&Row| row.evidence.unwrap_or(Evidence::Rule) <= self.weakest;
        let Some(row) = row.filter(strong) else {
            return;
        };
        let note = match row.evidence {
            Some(Evidence::Contested) => Some("contested"),
            Some(Evidence::Rule) => Some("by rule alone"),
            _ => None,
        };
        let note = note.map(|word| match row.note.as_deref() {
            Some(note) => format!("{word}: {note}"),
            None => word.to_owned(),
        });
        if let Some(to) = row.header_target(path) {
            self.header.includes.entry(to).or_insert(note);
        }
    }

    /// The names that macros paste.
    pub(super) fn paste(&mut self, pasted: &Pasted) {
        for name in &pasted.names {
            if let Some(row) = self.context.row(Section::Names, name.as_bytes()) {
                self.insert(name.clone(), row, false);
            }
        }
    }

    /// What an edit would write where no macro does it.
    fn by_hand(
        &mut self,
        file: &TranslatedFile<'_>,
        lines: &LineIndex,
        edit: &Edit,
        chain: TextRange,
    ) {
        let edits = &file.translated.edits;
        let mut to = Vec::new();
        let mut from = chain.start;
        for other in edits.iter().filter(|other| chain.covers(other.range)) {
            to.extend_from_slice(TextRange::new(from, other.range.start).of(file.text));
            to.extend_from_slice(&other.replacement);
            from = other.range.end;
        }
        to.extend_from_slice(TextRange::new(from, chain.end).of(file.text));
        let shown = String::from_utf8_lossy(chain.of(file.text)).into_owned();
        let to = String::from_utf8_lossy(&to).into_owned();
        let why = match edit.rule {
            rule_names::QUALIFIED => LeftReason::Qualified,
            rule_names::MEMBER => LeftReason::Member,
            rule_names::ARGUMENT | rule_names::DEVICE => LeftReason::Argument,
            rule_names::GUARD | rule_names::VERSION => LeftReason::Guard,
            _ if edit.rule == rule_names::NAME => LeftReason::Argument,
            _ => LeftReason::Rewrite,
        };
        if why == LeftReason::Guard {
            self.compared.extend(identifiers(&shown));
        }
        let start = lines.position(file.text, chain.start);
        self.by_hand
            .push(ByHand::edit(file.path, start, &shown, &to));
        let help = format!("where MUSA is built, write `{to}`");
        self.header.leave(why, &shown, Some(help));
    }

    fn find(&mut self, file: &TranslatedFile<'_>, finding: &Finding, pasted: &BTreeSet<usize>) {
        let code = finding.code;
        let whole = String::from_utf8_lossy(finding.range.of(file.text));
        if code == ALIAS_MISSING {
            return self.lacking(&whole, finding);
        }
        let renamed = [
            RULE_NAME,
            RULE_HEADER,
            CONTESTED_NAME,
            CONTESTED_HEADER,
            DEVICE_TYPE_QUERY,
        ];
        let of_names = code.id.starts_with("CPP") && codes::ALL.contains(&code) && !OTHERS.contains(&code)
            // A hazard may speak for the name that it has.
            || self.is_left(&whole);
        let guarded = file.translated.edits.iter().any(|edit| {
            edit.rule == rule_names::GUARD
                && edit.range.start <= finding.range.start
                && finding.range.start < edit.range.end
        });
        if !of_names || renamed.contains(&code) || guarded || pasted.contains(&finding.range.start)
        {
            return;
        }
        if GUARDS.contains(&code) {
            self.compared.extend(identifiers(&whole));
        }
        let shown = whole.lines().next().unwrap_or_default();
        let why = LeftReason::Finding(code.id, code.title);
        self.header.leave(why, shown, finding.help.clone());
        self.findings.push(finding.clone());
    }

    /// Whether the tables have nothing in place of a name or a header.
    fn is_left(&self, shown: &str) -> bool {
        let tables = self.context.tables;
        let sections = [Section::Names, Section::Qualified, Section::Namespaces];
        let rows = sections.map(|section| tables.get(section, shown.as_bytes()));
        rows.into_iter()
            .chain([tables.header(shown)])
            .flatten()
            .any(|row| matches!(row.relation, Relation::Unknown | Relation::Absent))
    }

    /// A line that the project's own header lacks.
    fn lacking(&mut self, shown: &str, finding: &Finding) {
        let row = self.context.row(Section::Names, shown.as_bytes());
        if let Some(row) = row.filter(|row| row.nature != Nature::Switch && row.to.is_some()) {
            let only_if_musa_has_it = row.nature == Nature::Macro && row.library == COMPILER;
            self.insert(shown.to_owned(), row, only_if_musa_has_it);
        } else if self.context.tables.header(shown).is_some() {
            self.include(shown);
        } else {
            let why = LeftReason::Finding(finding.code.id, finding.code.title);
            self.header.leave(why, shown, finding.help.clone());
            self.findings.push(finding.clone());
        }
    }

    /// Take back what one file's names forbid for all.
    pub(super) fn finish(&mut self) {
        self.header.give_up(&self.own);
        for name in &self.compared {
            // Compared with a number of CUDA's, MUSA's would answer wrongly without a word.
            self.header.definitions.remove(name);
        }
        // What has a branch of MUSA's beside it may be left out on purpose: a header counts where
        // names of its library do.
        for path in std::mem::take(&mut self.replaced) {
            let row = self.context.tables.header(&path);
            let mut definitions = self.header.definitions.values();
            if row.is_some_and(|row| definitions.any(|one| one.library == row.library)) {
                self.include(&path);
            }
        }
    }
}

fn identifiers(text: &str) -> impl Iterator<Item = String> + '_ {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let words = text.split(move |letter| !is_part(letter));
    words
        .filter(|word| word.starts_with("__"))
        .map(str::to_owned)
}
