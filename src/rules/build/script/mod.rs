//! Scripts, makefiles, images and pipelines: commands, variables, options, libraries, paths, packages.
//!
//! What a word is decides what becomes of it: `nvcc` as a command is the compiler, in a message it is text. Each word
//! of CUDA's is edited, told of once in a file with its likes, or kept for a reason.

mod commands;
mod facts;
mod forwarded_options;
mod language;
mod link;
mod options;
mod own;
mod packages;
mod paths;
mod quotes;
mod runtime;
mod values;
mod variables;
mod vendor;
mod written;

use std::borrow::Cow;
use std::collections::BTreeSet;

pub use facts::Makefiles;

use super::BuildUnit;
use crate::diagnostic::{Code, KeptReason};
use crate::mapping::builds::Scripts as Knowledge;
use crate::mapping::files::BuildLanguage;
use crate::rules::build::codes::CODES;
use crate::rules::build::grouped_findings::GroupedFindings;
use crate::rules::{Outcome, Rule};
use crate::syntax::script::{Notation, Statement, StatementKind, Word, statements};
use crate::text::TextRange;
use facts::Facts;

/// Scripts and the like.
pub struct Scripts;

/// How files of a language are written.
fn notation(language: BuildLanguage) -> Option<Notation> {
    match language {
        BuildLanguage::Shell => Some(Notation::Shell),
        BuildLanguage::Make => Some(Notation::Make),
        BuildLanguage::Ninja => Some(Notation::Ninja),
        BuildLanguage::Docker => Some(Notation::Docker),
        BuildLanguage::Workflow => Some(Notation::Yaml),
        _ => None,
    }
}

impl Rule<BuildUnit<'_>> for Scripts {
    fn name(&self) -> &'static str {
        "build-scripts"
    }

    fn codes(&self) -> &'static [Code] {
        CODES
    }

    fn check(&self, unit: &BuildUnit<'_>, out: &mut Outcome) {
        let Some(notation) = notation(unit.language) else {
            return;
        };
        let mut findings = GroupedFindings::new(unit, out, self.name());
        if vendor::is_anothers(unit) {
            findings.keep_words(TextRange::new(0, unit.text.len()), KeptReason::VendorBranch);
            return;
        }
        let mut found = statements(unit.text, notation);
        let own = found.len();
        written::add(unit, &mut found);
        let written = found.get(own..).unwrap_or_default();
        let mut view = View {
            unit,
            facts: Facts::of(unit, &found, written),
            knowledge: &unit.context.knowledge.builds.scripts,
            kept: BTreeSet::new(),
        };
        view.kept = commands::kept(&view, &found);
        let mut rule = None;
        for one in &found {
            if one.kind == StatementKind::Rule {
                rule = Some(one);
            }
            let other = one
                .branches
                .iter()
                .any(|branch| vendor::is_branch_of_another(unit, *branch));
            if other {
                for word in &one.words {
                    findings.keep_words(word.range, KeptReason::VendorBranch);
                }
                findings.keep_words(one.head, KeptReason::VendorBranch);
            } else {
                view.statement(one, &mut findings);
                language::sources(&view, one, rule, &mut findings);
            }
        }
        runtime::linked(&view, &found, &mut findings);
        own::rest(&view, &found, &mut findings);
        findings.finish();
    }
}

/// What all that look at a statement know.
struct View<'a> {
    unit: &'a BuildUnit<'a>,
    facts: Cow<'a, Facts>,
    knowledge: &'a Knowledge,
    /// Programs that stay.
    kept: BTreeSet<String>,
}

impl View<'_> {
    fn of(&self, range: TextRange) -> &[u8] {
        range.of(self.unit.text)
    }

    /// Whether a range is one of some words.
    fn is(&self, range: TextRange, known: &[String]) -> bool {
        is_one(self.of(range), known)
    }

    /// The program that a word runs: the last part of its path, without `.exe`.
    fn program(&self, word: &Word) -> Option<TextRange> {
        let last = match word.parts.last()? {
            crate::syntax::script::Part::Text(range) => *range,
            _ => return None,
        };
        let bytes = self.of(last);
        let start = memchr::memrchr2(b'/', b'\\', bytes).map_or(0, |at| at + 1);
        let name = bytes.get(start..)?;
        let len = name.strip_suffix(b".exe").unwrap_or(name).len();
        (len > 0).then(|| TextRange::new(last.start + start, last.start + start + len))
    }

    /// Where a command stands behind those that only start it: `sudo -E env`.
    fn behind_wrappers(&self, words: &[Word]) -> usize {
        let wraps = |word: &Word| {
            let program = self.program(word);
            program.is_some_and(|name| self.is(name, &self.knowledge.wrappers))
        };
        // Their options, and numbers.
        let is_option = |word: &Word| {
            let front = word.front().map_or(&b""[..], |front| self.of(front));
            front.starts_with(b"-") || front.first().is_some_and(u8::is_ascii_digit)
        };
        let mut at = 0;
        while words.get(at).is_some_and(wraps) {
            at += 1;
            while words.get(at).is_some_and(is_option) {
                at += 1;
            }
        }
        at
    }

    /// Whether what a command is given is for people, and not for a file.
    fn is_message(&self, one: &Statement) -> bool {
        matches!(one.kind, StatementKind::Command | StatementKind::Call)
            && one.into.is_none()
            && self.is(one.head, &self.knowledge.messages)
    }

    fn statement(&self, one: &Statement, findings: &mut GroupedFindings<'_, '_>) {
        variables::names(self, one, findings);
        variables::handed_on(self, one, findings);
        if self.is_message(one) || one.kind == StatementKind::Document {
            variables::references(self, one, findings);
            return;
        }
        commands::programs(self, one, findings);
        paths::paths(self, one, findings);
        if one.kind != StatementKind::Entry {
            options::options(self, one, findings);
            link::libraries(self, one, findings);
        }
        packages::packages(self, one, findings);
        variables::references(self, one, findings);
        values::values(self, one, findings);
    }
}

fn is_one(bytes: &[u8], known: &[String]) -> bool {
    known.iter().any(|one| one.as_bytes() == bytes)
}
