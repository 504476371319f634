//! From a row of the tables to an edit or a finding: the one place that weighs evidence.

use crate::diagnostic::{Code, KeptReason, Severity};
use crate::edit::GroupId;
use crate::mapping::{Evidence, Relation, Row};
use crate::rules::{Outcome, Unit};
use crate::text::TextRange;

/// A name without a known counterpart.
pub const UNKNOWN_NAME: Code = Code {
    id: "CPP001",
    severity: Severity::Warning,
    title: "no MUSA counterpart is known",
};
/// A name that MUSA does not have.
pub const ABSENT_NAME: Code = Code {
    id: "CPP002",
    severity: Severity::Error,
    title: "MUSA does not have this",
};
/// A name that was renamed by the family's rule alone.
pub const RULE_NAME: Code = Code {
    id: "CPP003",
    severity: Severity::Note,
    title: "renamed by the prefix rule alone",
};
/// A name that was renamed although something speaks against it.
pub const CONTESTED_NAME: Code = Code {
    id: "CPP004",
    severity: Severity::Warning,
    title: "renamed, but there is evidence against it",
};
/// A name whose evidence is below the user's line.
pub const TOO_WEAK: Code = Code {
    id: "CPP005",
    severity: Severity::Warning,
    title: "left because its evidence is below `min-evidence`",
};
/// A name that can't be reached by an edit.
pub const UNREACHABLE: Code = Code {
    id: "CPP006",
    severity: Severity::Warning,
    title: "CUDA name that can't be translated in place",
};
/// A name whose counterpart came with a later release than the one that the port is for.
pub const LATER_NAME: Code = Code {
    id: "CPP015",
    severity: Severity::Error,
    title: "MUSA has this in a later release only",
};
/// A header without a known counterpart.
pub const UNKNOWN_HEADER: Code = Code {
    id: "CPP010",
    severity: Severity::Warning,
    title: "no MUSA counterpart of this header is known",
};
/// A header that MUSA does not have.
pub const ABSENT_HEADER: Code = Code {
    id: "CPP011",
    severity: Severity::Error,
    title: "MUSA does not have this header",
};
/// A header that was renamed by the family's rule alone.
pub const RULE_HEADER: Code = Code {
    id: "CPP012",
    severity: Severity::Note,
    title: "header renamed by the prefix rule alone",
};
/// A header that was renamed although something speaks against it.
pub const CONTESTED_HEADER: Code = Code {
    id: "CPP013",
    severity: Severity::Warning,
    title: "header renamed, but there is evidence against it",
};
/// A header whose counterpart came with a later release than the one that the port is for.
pub const LATER_HEADER: Code = Code {
    id: "CPP014",
    severity: Severity::Error,
    title: "MUSA has this header in a later release only",
};
/// A name that the alias header of the file lacks.
pub const ALIAS_MISSING: Code = Code {
    id: "CPP020",
    severity: Severity::Warning,
    title: "the alias header lacks this name",
};

/// All codes of this file.
pub const CODES: &[Code] = &[
    UNKNOWN_NAME,
    ABSENT_NAME,
    RULE_NAME,
    CONTESTED_NAME,
    TOO_WEAK,
    UNREACHABLE,
    UNKNOWN_HEADER,
    ABSENT_HEADER,
    RULE_HEADER,
    CONTESTED_HEADER,
    LATER_NAME,
    LATER_HEADER,
    ALIAS_MISSING,
    super::names::DISPUTED,
    super::families::UNLISTED_NAME,
];

/// The codes for one kind of reference.
struct Family {
    noun: &'static str,
    unknown: Code,
    absent: Code,
    later: Code,
    rule: Code,
    contested: Code,
}

const NAME: Family = Family {
    noun: "",
    unknown: UNKNOWN_NAME,
    absent: ABSENT_NAME,
    later: LATER_NAME,
    rule: RULE_NAME,
    contested: CONTESTED_NAME,
};

const HEADER: Family = Family {
    noun: "header ",
    unknown: UNKNOWN_HEADER,
    absent: ABSENT_HEADER,
    later: LATER_HEADER,
    rule: RULE_HEADER,
    contested: CONTESTED_HEADER,
};

/// One place to change.
pub(super) struct Change {
    pub(super) range: TextRange,
    pub(super) to: String,
}

/// A reference that the tables answer.
pub(super) struct Reference<'a> {
    /// The whole reference.
    pub(super) range: TextRange,
    /// How it is written.
    pub(super) shown: &'a str,
    /// The row that answers it.
    pub(super) row: &'a Row,
    /// What to change where the row says so.
    pub(super) changes: Vec<Change>,
    /// Whether it is a header.
    pub(super) header: bool,
    /// The rule that speaks.
    pub(super) rule: &'static str,
}

impl Reference<'_> {
    /// Do what the row says: edit, report, or both.
    pub(super) fn settle(self, unit: &Unit<'_>, out: &mut Outcome) {
        let family = if self.header { &HEADER } else { &NAME };
        let shown = self.shown;
        match self.row.relation {
            Relation::Same => {}
            Relation::Unknown => self.report(
                unit,
                out,
                family.unknown,
                format!("{}`{shown}` has no known MUSA counterpart", family.noun),
            ),
            // What is absent for good came with no release.
            Relation::Absent if self.row.since.is_some() => {
                let why = self.row.note.as_deref().unwrap_or("it came later");
                let message = format!("MUSA has no {}`{shown}` yet: {why}", family.noun);
                self.report(unit, out, family.later, message);
            }
            Relation::Absent => self.report(
                unit,
                out,
                family.absent,
                format!("MUSA has no {}`{shown}`", family.noun),
            ),
            Relation::Renamed => self.translate(unit, out, family),
        }
    }

    fn translate(self, unit: &Unit<'_>, out: &mut Outcome, family: &Family) {
        let evidence = self.row.evidence.unwrap_or(Evidence::Rule);
        let to = self.row.to.as_deref().unwrap_or_default();
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
        let message = match evidence {
            Evidence::Confirmed | Evidence::Table => return,
            Evidence::Rule => {
                let why = self
                    .row
                    .note
                    .as_deref()
                    .unwrap_or("no public MUSA code shows the name");
                format!(
                    "{}`{shown}` was renamed to `{to}` by rule alone: {why}",
                    family.noun
                )
            }
            Evidence::Contested => {
                let note = self
                    .row
                    .note
                    .as_deref()
                    .unwrap_or("there is evidence against it");
                format!("{}`{shown}` became `{to}`, but {note}", family.noun)
            }
        };
        let code = if evidence == Evidence::Rule {
            family.rule
        } else {
            family.contested
        };
        self.report(unit, out, code, message);
    }

    fn apply(
        &self,
        unit: &Unit<'_>,
        out: &mut Outcome,
        group: GroupId,
        evidence: Evidence,
    ) -> bool {
        self.changes.iter().all(|change| {
            unit.rename_in(
                out,
                change.range,
                &change.to,
                self.rule,
                Some(evidence),
                group,
            )
        })
    }

    fn report_alias(&self, unit: &Unit<'_>, out: &mut Outcome, header: &str, to: &str) {
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
        out.findings.push(finding);
    }

    fn report(&self, unit: &Unit<'_>, out: &mut Outcome, code: Code, message: String) {
        let mut finding = unit.finding(code, self.range, message);
        let advice = self.row.advice.as_deref().or(self.row.note.as_deref());
        finding.help = Some(advice.map_or_else(|| default_help(code, self.header), str::to_owned));
        out.findings.push(finding);
    }
}

fn default_help(code: Code, header: bool) -> String {
    let thing = if header { "header" } else { "name" };
    if code == RULE_NAME
        || code == RULE_HEADER
        || code == CONTESTED_NAME
        || code == CONTESTED_HEADER
    {
        format!("look the {thing} up in the SDK's headers; a row in a table of your own settles it")
    } else {
        format!(
            "look for a counterpart in the SDK's headers and add a row to a table of your own, \
             or keep the code that uses this {thing} out of MUSA builds"
        )
    }
}

/// Note that a reference stays where `reason` says why.
pub(super) fn keep_if(
    unit: &Unit<'_>,
    out: &mut Outcome,
    range: TextRange,
    reason: Option<KeptReason>,
) -> bool {
    if let Some(reason) = reason {
        unit.keep(out, range, reason);
    }
    reason.is_some()
}
