//! What becomes of one name of a variable.

use rustc_hash::FxHashSet;

use super::beside::beside;
use super::both::both;
use super::places::{Doing, Place};
use super::{BY_RULE, CUDA_ALONE, MAY_BE_VARIABLE, RULE, UNKNOWN_VARIABLE, VALUES_DIFFER};
use crate::diagnostic::{Applicability, Code, Kept, KeptReason};
use crate::mapping::{Evidence, Relation, Row, Runtime, Section};
use crate::rules::Outcome;
use crate::rules::python::alternatives::Alternatives;
use crate::rules::python::builds::forces_other_build;
use crate::rules::python::devices::ONE_OF_SEVERAL;
use crate::rules::python::unit::Change;
use crate::rules::python::{ModuleView, PythonUnit};
use crate::syntax::python::{Field, NodeId, Use};
use crate::text::TextRange;

/// A name that may be a variable's.
pub struct Variable<'a> {
    /// The name.
    pub name: String,
    node: NodeId,
    /// Where it stands, where that is in one piece.
    range: Option<TextRange>,
    /// What it is there.
    pub place: Place,
    row: Option<&'a Row>,
    beside: Alternatives,
}

impl<'a> Variable<'a> {
    /// A name in a string, at a place.
    pub fn new(
        unit: &ModuleView<'a>,
        name: String,
        node: NodeId,
        range: Option<TextRange>,
        place: Place,
        of: &Use,
    ) -> Self {
        let row = unit
            .context
            .tables
            .get(Section::Environment, name.as_bytes());
        let to = row.and_then(|row| row.to.as_deref());
        let changes = matches!(place, Place::Variable(doing) if doing != Doing::Reads);
        let beside = beside(unit, node, of, to, changes);
        Self {
            name,
            node,
            range,
            place,
            row,
            beside,
        }
    }

    /// A name that is a keyword of a call.
    pub fn keyword(unit: &ModuleView<'_>, argument: NodeId, name: NodeId, row: &'a Row) -> Self {
        let tree = &unit.module.tree;
        let arguments = tree.parent(argument).into_iter();
        let mut names = arguments
            .flat_map(|list| tree.children(list))
            .filter_map(|one| tree.child(one, Field::Name));
        let there = names.any(|one| Some(tree.word(one)) == row.to.as_deref().map(str::as_bytes));
        Self {
            name: row.cuda.to_string(),
            node: name,
            range: Some(unit.module.tree.range(name)),
            place: Place::Variable(Doing::Keyword(argument)),
            row: Some(row),
            beside: if there {
                Alternatives::Musa
            } else {
                Alternatives::None
            },
        }
    }

    /// Whether its values mean nothing to MUSA.
    pub fn is_kept(&self) -> bool {
        self.row
            .is_some_and(|row| row.runtime == Some(Runtime::Keep))
    }

    /// Leave it to the platform whose file it stands in.
    pub fn leave(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        let known = &unit.context.knowledge.python_strings.environment;
        let is_one = self.row.is_some() || known.is_cudas(&self.name);
        if is_one && self.place != Place::Elsewhere {
            unit.claim(out, self.node);
            let range = unit.module.tree.range(self.node);
            let reason = KeptReason::VendorBranch;
            out.kept.push(Kept { range, reason });
        }
    }

    /// Leave it with the value that the module gives it, which only CUDA takes.
    pub fn refuse(&self, unit: &PythonUnit<'_>, out: &mut Outcome, advice: &str) {
        if self.place == Place::Elsewhere {
            return;
        }
        unit.claim(out, self.node);
        let message = format!("`{}` stays: its value is one for CUDA alone", self.name);
        let range = unit.module.tree.range(self.node);
        let finding = unit.finding(VALUES_DIFFER, range, message);
        out.findings.push(finding.help(advice.to_owned()));
    }

    /// Say what becomes of it. `set` has the variables that get a value for CUDA in the module.
    pub fn translate(&self, unit: &PythonUnit<'_>, out: &mut Outcome, set: &FxHashSet<String>) {
        let doing = match self.place {
            Place::Elsewhere => return,
            Place::Perhaps => {
                self.perhaps(unit, out);
                return;
            }
            Place::Variable(doing) => doing,
        };
        let known = &unit.context.knowledge.python_strings.environment;
        if self.row.is_none() && !known.is_cudas(&self.name) {
            return;
        }
        unit.claim(out, self.node);
        if self.beside == Alternatives::Musa {
            return;
        }
        if forces_other_build(unit, &self.name) {
            let range = unit.module.tree.range(self.node);
            let reason = KeptReason::MusaBranch;
            out.kept.push(Kept { range, reason });
            return;
        }
        let weakest = unit.settings.min_evidence;
        let Some((to, evidence)) = self
            .row
            .and_then(|row| Some((row.to.as_deref()?, row.evidence?)))
            .filter(|(_, evidence)| *evidence <= weakest)
        else {
            self.without_counterpart(unit, out);
            return;
        };
        if self.beside == Alternatives::OtherVendors {
            self.report(
                unit,
                out,
                ONE_OF_SEVERAL,
                "stays: it stands among the variables of other platforms, without MUSA's",
                format!("ask for `{to}` beside it"),
            );
            return;
        }
        let values = self.is_kept() && set.contains(&self.name);
        if values && !doing.sets() && unit.is_musa() {
            self.report(
                unit,
                out,
                VALUES_DIFFER,
                "stays: in this module it has a value for CUDA",
                format!(
                    "where it is set for MUSA, ask for `{to}`; `--unsafe` puts it in its place"
                ),
            );
        }
        if values && doing.sets() {
            let note = self.row.and_then(|row| row.note.as_deref());
            self.report(
                unit,
                out,
                VALUES_DIFFER,
                "stays: the value that it gets here is one for CUDA",
                note.map_or_else(
                    || format!("give `{to}` a value of MUSA's; `--unsafe` puts it in its place"),
                    |note| format!("give `{to}` a value of MUSA's ({note}); `--unsafe` puts it in its place"),
                ),
            );
        }
        if unit.is_musa() {
            self.rename(unit, out, to, evidence, values);
        } else if !values {
            self.set_both(unit, out, doing, to, evidence);
        }
    }

    fn rename(
        &self,
        unit: &PythonUnit<'_>,
        out: &mut Outcome,
        to: &str,
        evidence: Evidence,
        values: bool,
    ) {
        let Some(range) = self.range else {
            self.report(
                unit,
                out,
                MAY_BE_VARIABLE,
                "names a variable in a way that can't be changed in place",
                format!("write `{to}`"),
            );
            return;
        };
        if evidence > Evidence::Table && !values {
            self.by_rule(unit, out, &format!("becomes `{to}` by its prefix alone"));
        }
        let applicability = if values {
            Applicability::Unsafe
        } else {
            Applicability::Safe
        };
        let change = Change {
            range,
            to,
            rule: RULE,
            applicability,
            evidence: Some(evidence),
        };
        unit.change(out, &change);
    }

    fn set_both(
        &self,
        unit: &PythonUnit<'_>,
        out: &mut Outcome,
        doing: Doing,
        to: &str,
        evidence: Evidence,
    ) {
        if matches!(doing, Doing::Reads) {
            self.asked(unit, out, to);
            return;
        }
        if evidence > Evidence::Table {
            self.by_rule(
                unit,
                out,
                &format!("gets `{to}` beside it by its prefix alone"),
            );
        }
        let second = self.range.and_then(|range| both(unit, doing, range, to));
        let Some((range, text)) = second else {
            self.report(
                unit,
                out,
                CUDA_ALONE,
                "is set or taken away here for CUDA alone",
                format!("do the same with `{to}`"),
            );
            return;
        };
        let change = Change {
            range,
            to: &text,
            rule: RULE,
            applicability: Applicability::Safe,
            evidence: Some(evidence),
        };
        unit.change(out, &change);
    }

    /// A variable whose value is asked for in the portable dialect.
    fn asked(&self, unit: &PythonUnit<'_>, out: &mut Outcome, to: &str) {
        if self.is_kept() {
            self.report(
                unit,
                out,
                CUDA_ALONE,
                "is asked for here for CUDA alone",
                format!("on MUSA, ask for `{to}`"),
            );
        } else {
            let range = unit.module.tree.range(self.node);
            let reason = KeptReason::AtRunTime;
            out.kept.push(Kept { range, reason });
        }
    }

    fn by_rule(&self, unit: &PythonUnit<'_>, out: &mut Outcome, what: &str) {
        let advice = self.row.and_then(|row| row.advice.clone());
        let advice = advice.map_or_else(String::new, std::borrow::Cow::into_owned);
        self.report(unit, out, BY_RULE, what, advice);
    }

    fn without_counterpart(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        if self.row.is_some_and(|row| row.relation == Relation::Same) {
            return;
        }
        let known = &unit.context.knowledge.python_strings.environment;
        let advice = self.row.and_then(|row| row.advice.as_deref());
        self.report(
            unit,
            out,
            UNKNOWN_VARIABLE,
            "stays: no counterpart is known",
            advice.unwrap_or(&known.advice_unlisted).to_owned(),
        );
    }

    /// Both readings of a name that is a variable's in the tables.
    fn perhaps(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        let Some(row) = self.row.filter(|row| row.relation != Relation::Same) else {
            return;
        };
        if unit.is_musa() && self.beside != Alternatives::Musa {
            let help = match row.to.as_deref() {
                Some(to) => {
                    format!(
                        "write `{to}` where it does; as a label or an attribute's name it stays"
                    )
                }
                None => row.advice.as_deref().unwrap_or_default().to_owned(),
            };
            self.report(
                unit,
                out,
                MAY_BE_VARIABLE,
                "stays: whether it names an environment variable is not told by where it stands",
                help,
            );
        }
    }

    fn report(
        &self,
        unit: &PythonUnit<'_>,
        out: &mut Outcome,
        code: Code,
        what: &str,
        help: String,
    ) {
        let range = unit.module.tree.range(self.node);
        let finding = unit.finding(code, range, format!("`{}` {what}", self.name));
        out.findings.push(if help.is_empty() {
            finding
        } else {
            finding.help(help)
        });
    }
}
