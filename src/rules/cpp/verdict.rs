//! From a row of the tables to an edit or a finding: the one place that weighs evidence.

use super::CppUnit;
use super::codes::{Family, HEADER, NAME};
use crate::{Change, Outcome};
use torchada_diagnostic::codes::cpp::{
    ALIAS_MISSING, CONTESTED_HEADER, CONTESTED_NAME, DECLARED_OTHERWISE, RULE_HEADER, RULE_NAME,
    TOO_WEAK, UNREACHABLE,
};
use torchada_diagnostic::{Code, KeptReason};
use torchada_edit::GroupId;
use torchada_mapping::{Evidence, Relation, Row};
use torchada_project::DeclaredAs;
use torchada_text::TextRange;

/// One place to change.
pub(super) struct Replacement {
    pub(super) range: TextRange,
    pub(super) to: String,
}

/// A reference that the tables answer.
pub(super) struct Reference<'a> {
    /// The whole reference.
    pub(super) range: TextRange,
    /// The text of the reference in the file.
    pub(super) shown: &'a str,
    /// The row that answers it.
    pub(super) row: &'a Row,
    /// The replacements to make if the row renames.
    pub(super) changes: Vec<Replacement>,
    /// Whether the reference is a header.
    pub(super) header: bool,
    /// The rule that speaks.
    pub(super) rule: &'static str,
}

impl<'a> Reference<'a> {
    /// A name that stands at `range` as a whole and becomes `to`.
    pub(super) fn whole(
        range: TextRange,
        shown: &'a str,
        row: &'a Row,
        to: String,
        rule: &'static str,
    ) -> Self {
        Self {
            range,
            shown,
            row,
            changes: vec![Replacement { range, to }],
            header: false,
            rule,
        }
    }

    /// Do what the row says: edit, report, or both.
    pub(super) fn apply_row(self, unit: &CppUnit<'_>, out: &mut Outcome) {
        let family = if self.header { &HEADER } else { &NAME };
        let shown = self.shown;
        match self.row.relation {
            Relation::Same => self.report_difference(unit, out),
            // What is not compiled needs no counterpart.
            Relation::Unknown | Relation::Absent if unit.is_left_out(self.range.start) => {
                unit.keep(out, self.range, KeptReason::MusaBranch);
            }
            Relation::Unknown => {
                let silence = unit.context.tables.why_facts_are_silent(&self.row.library);
                let silence = silence.map_or_else(String::new, |why| format!(": {why}"));
                let message = format!(
                    "{}`{shown}` has no known MUSA counterpart{silence}",
                    family.noun
                );
                self.report(unit, out, family.unknown, message);
            }
            // What is absent for good came with no release.
            Relation::Absent if self.row.since.is_some() => {
                let why = self.row.note.as_deref().unwrap_or("it came later");
                let message = format!("MUSA has no {}`{shown}` yet: {why}", family.noun);
                self.report(unit, out, family.later, message);
            }
            Relation::Absent => {
                let facts = unit.context.tables.facts();
                let message = match self.row.why_missing().zip(facts) {
                    Some((why, facts)) => {
                        let sdk = facts.sdk_name();
                        format!("{sdk} has no {}`{shown}`: {why}", family.noun)
                    }
                    None => format!("MUSA has no {}`{shown}`", family.noun),
                };
                self.report(unit, out, family.absent, message);
            }
            Relation::Renamed => self.translate(unit, out, family),
        }
    }

    fn translate(self, unit: &CppUnit<'_>, out: &mut Outcome, family: &Family) {
        let evidence = self.row.evidence.unwrap_or(Evidence::Rule);
        let to = &*self.becomes();
        let shown = self.shown;
        if evidence > unit.settings.min_evidence {
            let word = evidence.as_str();
            self.report(
                unit,
                out,
                TOO_WEAK,
                format!(
                    "`{shown}` was left: its counterpart `{to}` has only the evidence `{word}`"
                ),
            );
            return;
        }
        if let Some(header) = unit.alias_header {
            if unit.is_left_out(self.range.start) {
                unit.keep(out, self.range, KeptReason::MusaBranch);
                return;
            }
            self.report_alias(unit, out, header, to);
            return;
        }
        let group = out.group();
        if !self.apply(unit, out, group, evidence) {
            out.edits.withdraw(group);
            self.report(
                unit,
                out,
                UNREACHABLE,
                format!("`{shown}` should become `{to}`, but an escape or a seam of literals stands inside it"),
            );
            return;
        }
        // Nobody compiles it, so that its name says nothing of the port.
        if unit.is_left_out(self.range.start) {
            return;
        }
        if evidence == Evidence::Rule && self.is_redeclared(unit) {
            return;
        }
        match self.doubt(unit, family, evidence, to) {
            Some((code, message)) => self.report(unit, out, code, message),
            None => self.report_difference(unit, out),
        }
    }

    /// The code and the message for a name that was renamed by weak evidence.
    fn doubt(
        &self,
        unit: &CppUnit<'_>,
        family: &Family,
        evidence: Evidence,
        to: &str,
    ) -> Option<(Code, String)> {
        let (noun, shown) = (family.noun, self.shown);
        match evidence {
            Evidence::Sdk | Evidence::Confirmed | Evidence::Table => None,
            Evidence::Rule => {
                let note = self.row.note.as_deref();
                let why = match (
                    note,
                    unit.context.tables.why_facts_are_silent(&self.row.library),
                ) {
                    (Some(note), Some(silence)) => format!("{note}, and {silence}"),
                    (None, Some(silence)) => silence,
                    (note, None) => note
                        .unwrap_or("no public MUSA code shows the name")
                        .to_owned(),
                };
                let message = format!("{noun}`{shown}` was renamed to `{to}` by rule alone: {why}");
                Some((family.rule, message))
            }
            Evidence::Contested => {
                let note = self
                    .row
                    .note
                    .as_deref()
                    .unwrap_or("there is evidence against it");
                let message = format!("{noun}`{shown}` became `{to}`, which is contested: {note}");
                Some((family.contested, message))
            }
        }
    }

    /// What the reference becomes as a whole; of a namespace the row has no more than its own name.
    fn becomes(&self) -> String {
        let named = || {
            let to = self.row.to.as_deref().unwrap_or_default();
            let behind = self.shown.strip_prefix(&*self.row.cuda);
            format!("{to}{}", behind.unwrap_or_default())
        };
        if self.shown.len() != self.range.end - self.range.start {
            return named();
        }
        let mut text = String::new();
        let mut from = self.range.start;
        for change in &self.changes {
            let before = from.checked_sub(self.range.start);
            let until = change.range.start.checked_sub(self.range.start);
            let kept = before
                .zip(until)
                .and_then(|(before, until)| self.shown.get(before..until));
            let Some(kept) = kept else {
                return named();
            };
            text.push_str(kept);
            text.push_str(&change.to);
            from = change.range.end;
        }
        let rest = from.checked_sub(self.range.start);
        let Some(rest) = rest.and_then(|rest| self.shown.get(rest..)) else {
            return named();
        };
        text + rest
    }

    /// Whether the project declares the type or the enumerator itself, elsewhere: that is what a compiler finds, by its new
    /// name.
    fn is_redeclared(&self, unit: &CppUnit<'_>) -> bool {
        let declared = unit.declared.get(self.shown.as_bytes());
        declared.is_some_and(|all| {
            let mut types = all.everywhere().filter(|one| one.what == DeclaredAs::Type);
            all.at(self.range).is_none() && types.next().is_some()
        })
    }

    /// Report that the counterpart is declared otherwise than CUDA's, where that is known.
    fn report_difference(&self, unit: &CppUnit<'_>, out: &mut Outcome) {
        let Some(difference) = self.row.differs.as_deref() else {
            return;
        };
        let shown = self.shown;
        let to = self.row.to.as_deref().unwrap_or(shown);
        let message = format!("`{to}` is not declared as CUDA declares `{shown}`: {difference}");
        let help = self.row.advice.as_deref().unwrap_or(
            "write the call, or whatever relies on the value, as MUSA's declaration asks for it",
        );
        unit.report(out, DECLARED_OTHERWISE, self.range, message, help);
    }

    fn apply(
        &self,
        unit: &CppUnit<'_>,
        out: &mut Outcome,
        group: GroupId,
        evidence: Evidence,
    ) -> bool {
        self.changes.iter().all(|change| {
            let change = Change::new(change.range, &change.to).evidence(evidence);
            unit.rename(out, change.group(group).rule(self.rule))
        })
    }

    fn report_alias(&self, unit: &CppUnit<'_>, out: &mut Outcome, header: &str, to: &str) {
        let shown = self.shown;
        let finding = unit
            .finding(
                ALIAS_MISSING,
                self.range,
                format!("`{shown}` stays: this code reaches MUSA through `{header}`, which lacks it"),
            )
            .help(if self.header {
                format!("include `{to}` from `{header}` instead")
            } else if shown.contains("::") {
                format!("give `{to}` this name in `{header}`, with a namespace alias or a using-declaration")
            } else {
                format!("add to `{header}`: #define {shown} {to}")
            });
        out.report(finding);
    }

    fn report(&self, unit: &CppUnit<'_>, out: &mut Outcome, code: Code, message: String) {
        let mut finding = unit.finding(code, self.range, message);
        // What the message says needs no second time.
        let note = self.row.note.as_deref();
        let note = note.filter(|note| !finding.message.contains(note));
        let advice = self.row.advice.as_deref().or(note);
        finding.help = Some(advice.map_or_else(|| self.default_help(code), str::to_owned));
        out.report(finding);
    }

    fn default_help(&self, code: Code) -> String {
        let thing = if self.header { "header" } else { "name" };
        if code == RULE_NAME
            || code == RULE_HEADER
            || code == CONTESTED_NAME
            || code == CONTESTED_HEADER
        {
            format!(
                "look the {thing} up in the SDK's headers; a row in a table of your own settles it"
            )
        } else if self.row.why_missing().is_some() {
            format!("keep the code that uses this {thing} out of MUSA builds, or write it anew")
        } else {
            format!(
                "look for a counterpart in the SDK's headers and add a row to a table of your own, \
                 or keep the code that uses this {thing} out of MUSA builds"
            )
        }
    }
}

/// Note that a reference stays where `reason` says why.
pub(super) fn keep_if(
    unit: &CppUnit<'_>,
    out: &mut Outcome,
    range: TextRange,
    reason: Option<KeptReason>,
) -> bool {
    if let Some(reason) = reason {
        unit.keep(out, range, reason);
    }
    reason.is_some()
}
