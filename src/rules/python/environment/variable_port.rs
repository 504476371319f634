//! What the port does with one name of a variable.

use rustc_hash::FxHashSet;

use super::classifier::{NameMeaning, VariableUse};
use super::counterpart_edit::counterpart_edit;
use super::variable::Variable;
use crate::python::PythonUnit;
use crate::python::builds::forces_other_build;
use crate::python::reserved::alternatives::Alternatives;
use crate::{Change, Outcome};
use torchada_diagnostic::codes::python::{
    BY_RULE, CUDA_ALONE, MAY_BE_VARIABLE, ONE_OF_SEVERAL, UNKNOWN_VARIABLE, VALUES_DIFFER,
};
use torchada_diagnostic::{Applicability, KeptReason};
use torchada_mapping::{Evidence, Relation};

impl Variable<'_> {
    /// Translate the name, or report why it stays. `set` has the variables to which the module gives a value for CUDA.
    pub fn translate(&self, unit: &PythonUnit<'_>, out: &mut Outcome, set: &FxHashSet<String>) {
        let variable_use = match self.meaning {
            NameMeaning::Other => return,
            NameMeaning::MaybeVariable => {
                self.report_maybe_variable(unit, out);
                return;
            }
            NameMeaning::Variable(variable_use) => variable_use,
        };
        let known = &unit.context.knowledge.python_strings.environment;
        if self.row.is_none() && !known.is_cudas(&self.name) {
            self.keep(unit, out, KeptReason::ProjectDeclared);
            return;
        }
        unit.claim(out, self.node);
        if self.alternatives == Alternatives::Musa {
            return;
        }
        if forces_other_build(unit, &self.name) {
            self.keep(unit, out, KeptReason::MusaBranch);
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
        // The project itself makes MUSA's variable of CUDA's, or chooses between them.
        let is_handled = || unit.modules.names_both(&self.name, to);
        if unit.modules.has_musa() && !unit.stands_alone() && is_handled() {
            self.keep(unit, out, KeptReason::MusaBranch);
            return;
        }
        if self.alternatives == Alternatives::OtherVendors {
            self.report(
                unit,
                out,
                ONE_OF_SEVERAL,
                "stays: it stands among the variables of other platforms, without MUSA's",
                format!("ask for `{to}` beside it"),
            );
            return;
        }
        let has_cuda_value = self.has_cuda_values() && set.contains(&self.name);
        if has_cuda_value && (variable_use.sets() || unit.is_musa()) {
            self.report_cuda_value(unit, out, variable_use, to);
        }
        if unit.is_musa() {
            self.rename(unit, out, to, evidence, has_cuda_value);
        } else if !has_cuda_value {
            self.set_both(unit, out, variable_use, to, evidence);
        }
    }

    /// Report that the variable has, or gets here, a value that is one for CUDA.
    fn report_cuda_value(
        &self,
        unit: &PythonUnit<'_>,
        out: &mut Outcome,
        variable_use: VariableUse,
        to: &str,
    ) {
        let (what, instead) = if variable_use.sets() {
            let note = self.row.and_then(|row| row.note.as_deref());
            let note = note.map_or_else(String::new, |note| format!(" ({note})"));
            (
                "stays: the value that it gets here is one for CUDA",
                format!("give `{to}` a value of MUSA's{note}"),
            )
        } else {
            (
                "stays: in this module it has a value for CUDA",
                format!("where it is set for MUSA, ask for `{to}`"),
            )
        };
        let help = format!("{instead}; `--unsafe` puts it in its place");
        self.report(unit, out, VALUES_DIFFER, what, help);
    }

    fn rename(
        &self,
        unit: &PythonUnit<'_>,
        out: &mut Outcome,
        to: &str,
        evidence: Evidence,
        has_cuda_value: bool,
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
        if evidence > Evidence::Table && !has_cuda_value {
            self.report_prefix_rule(unit, out, &format!("becomes `{to}` by its prefix alone"));
        }
        let applicability = if has_cuda_value {
            Applicability::Unsafe
        } else {
            Applicability::Safe
        };
        let change = Change::new(range, to)
            .applicability(applicability)
            .evidence(evidence);
        let group = out.group();
        if unit.change(out, change.group(group)) && !has_cuda_value {
            self.name_gpus(unit, out, group);
        }
    }

    fn set_both(
        &self,
        unit: &PythonUnit<'_>,
        out: &mut Outcome,
        variable_use: VariableUse,
        to: &str,
        evidence: Evidence,
    ) {
        if matches!(variable_use, VariableUse::Read) {
            self.report_read(unit, out, to);
            return;
        }
        if evidence > Evidence::Table {
            self.report_prefix_rule(
                unit,
                out,
                &format!("gets `{to}` beside it by its prefix alone"),
            );
        }
        let second = self
            .range
            .and_then(|range| counterpart_edit(unit, variable_use, range, to));
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
        unit.change(out, Change::new(range, &text).evidence(evidence));
    }

    /// Report code that reads a variable, in the portable dialect.
    fn report_read(&self, unit: &PythonUnit<'_>, out: &mut Outcome, to: &str) {
        if self.has_cuda_values() {
            self.report(
                unit,
                out,
                CUDA_ALONE,
                "is asked for here for CUDA alone",
                format!("on MUSA, ask for `{to}`"),
            );
        } else {
            self.keep(unit, out, KeptReason::AtRunTime);
        }
    }

    fn report_prefix_rule(&self, unit: &PythonUnit<'_>, out: &mut Outcome, what: &str) {
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

    /// Report a name that the tables list, where it may be a label as well.
    fn report_maybe_variable(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        let Some(row) = self.row.filter(|row| row.relation != Relation::Same) else {
            return;
        };
        if unit.is_musa() && self.alternatives != Alternatives::Musa {
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
                "stays: whether it names an environment variable is not clear from its context",
                help,
            );
        }
    }
}
