//! Translates a string that is C++, or may be C++: the rules for C++ edit the source, and the literal has to be able to
//! hold the result.

use super::source_strings::{Braces, SourceString, is_left_of_percent};
use crate::cpp::EmbeddedCpp;
use crate::python::{ModuleView, PythonUnit};
use crate::{Outcome, cpp};
use torchada_diagnostic::Applicability;
use torchada_diagnostic::codes::python::{MAY_BE_SOURCE, NEEDS_ESCAPE};
use torchada_edit::Edit;
use torchada_syntax::python::{Kind, NodeId};
use torchada_text::and_more;

impl SourceString {
    /// Let the rules for C++ look at the string. `headers` has the headers that any source of the module includes.
    pub(super) fn translate(&self, unit: &PythonUnit<'_>, headers: &[String], out: &mut Outcome) {
        let mut inner = out.inside();
        let guest = EmbeddedCpp {
            headers,
            template: self.braces == Braces::Template,
            rules: cpp::RULES,
        };
        guest.check(unit, &self.code, &mut inner);
        if inner.is_empty() {
            return;
        }
        if self.is_certain {
            unit.claim(out, self.literal.node);
            self.withdraw_misfits(unit, &mut inner);
            out.absorb(inner);
        } else {
            self.report_uncertain(unit, &inner, out);
        }
    }

    /// Report a string that may be a text for people. The string stays; its edits are made with `--unsafe` only.
    fn report_uncertain(&self, unit: &PythonUnit<'_>, inner: &Outcome, out: &mut Outcome) {
        let edited = inner.edits.iter().map(|edit| edit.range);
        let found = inner.findings.iter().map(|finding| finding.range);
        let mut names: Vec<String> = Vec::new();
        for range in edited.chain(found) {
            let name = unit.shown(range);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let Some(first) = names.first() else {
            return;
        };
        unit.claim(out, self.literal.node);
        let range = unit.module.tree.range(self.literal.node);
        let more = and_more(names.len() - 1);
        let message = format!(
            "`{first}`{more} in a string stays: whether the string is C++ is not clear from its context"
        );
        let help = "where it becomes source, or is looked for in source that was ported, write MUSA's names \
                    (`--unsafe` does); where it is a text about CUDA, it can stay";
        unit.report(out, MAY_BE_SOURCE, range, message, help);
        let mut unsure = out.inside();
        for edit in inner.edits.iter().filter(|edit| self.fits(unit, edit)) {
            // The edits are disjoint already, since they come from one set.
            let _ = unsure.edits.insert(Edit {
                applicability: Applicability::Unsafe,
                ..edit.clone()
            });
        }
        out.absorb(unsure);
    }

    /// Withdraw the groups of edits whose text the literal can't hold without escapes.
    fn withdraw_misfits(&self, unit: &PythonUnit<'_>, inner: &mut Outcome) {
        let misfits: Vec<Edit> = inner
            .edits
            .iter()
            .filter(|edit| !self.fits(unit, edit))
            .cloned()
            .collect();
        for edit in misfits {
            if inner.edits.withdraw(edit.group).is_empty() {
                continue;
            }
            let (shown, to) = (
                unit.shown(edit.range),
                String::from_utf8_lossy(&edit.replacement).into_owned(),
            );
            let message =
                format!("`{shown}` should become `{to}`, which the string can't hold as it is");
            let finding = unit.finding(NEEDS_ESCAPE, edit.range, message);
            let help = "write it by hand, with the escapes that the string needs";
            inner.findings.push(finding.help(help));
        }
    }

    /// Whether the literal around an edit can hold the edit's text without escapes.
    fn fits(&self, unit: &ModuleView<'_>, edit: &Edit) -> bool {
        let tree = &unit.module.tree;
        let to = edit.replacement.as_slice();
        let plain = |byte: &u8| !matches!(byte, b'\\' | b'\n' | b'"' | b'\'' | b'{' | b'}' | b'%');
        if to.iter().all(plain) {
            return true;
        }
        let around = |node: &NodeId| tree.range(*node).covers(edit.range);
        let string = std::iter::once(self.literal.node)
            .chain(tree.children(self.literal.node))
            .filter(|&node| tree.kind(node) == Kind::Str)
            .find(around);
        let start = string.and_then(|string| {
            let mut parts = tree.children(string);
            parts.find(|&part| tree.kind(part) == Kind::StringStart)
        });
        let Some(start) = start.map(|start| tree.word(start)) else {
            return false;
        };
        let raw = start.iter().any(|byte| matches!(byte, b'r' | b'R'));
        let triple = start.ends_with(b"\"\"\"") || start.ends_with(b"'''");
        let quote = start.last().copied().unwrap_or(b'"');
        let last = string.is_some_and(|string| {
            let end = tree.range(string).end;
            edit.range.end + 3 >= end
        });
        to.iter().all(|&byte| match byte {
            b'\\' => raw,
            b'\n' => triple,
            b'"' | b'\'' => byte != quote || (triple && !last),
            b'{' | b'}' => self.braces != Braces::Doubled,
            b'%' => !is_left_of_percent(unit, self.literal.node),
            _ => true,
        })
    }
}
