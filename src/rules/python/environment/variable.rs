//! A name that may be that of a variable, and what is known of it.

use super::alternatives::alternatives_of;
use super::classifier::{NameMeaning, VariableUse};
use crate::Outcome;
use crate::build::toolkit::{self, ToolkitPath};
use crate::python::reserved::alternatives::Alternatives;
use crate::python::{ModuleView, PythonUnit};
use torchada_diagnostic::codes::python::VALUES_DIFFER;
use torchada_diagnostic::{Code, KeptReason};
use torchada_mapping::{Row, Runtime, Section};
use torchada_syntax::python::{Field, Kind, Literal, NodeId, Use};
use torchada_text::TextRange;

/// A name that may be that of a variable.
pub struct Variable<'a> {
    /// The name.
    pub name: String,
    pub(super) node: NodeId,
    /// Where the name stands in the file; `None` if the string is put together from several.
    pub(super) range: Option<TextRange>,
    /// The meaning of the name at this place.
    pub meaning: NameMeaning,
    pub(super) row: Option<&'a Row>,
    pub(super) alternatives: Alternatives,
}

impl<'a> Variable<'a> {
    /// A name in a string.
    pub fn new(
        unit: &ModuleView<'a>,
        name: String,
        node: NodeId,
        range: Option<TextRange>,
        meaning: NameMeaning,
        of: &Use,
    ) -> Self {
        let row = unit.context.row(Section::Environment, name.as_bytes());
        let to = row.and_then(|row| row.to.as_deref());
        let changed = matches!(meaning, NameMeaning::Variable(variable_use) if variable_use != VariableUse::Read);
        let alternatives = alternatives_of(unit, node, of, to, changed);
        Self {
            name,
            node,
            range,
            meaning,
            row,
            alternatives,
        }
    }

    /// A name that is a keyword of a call.
    pub fn keyword(unit: &ModuleView<'_>, argument: NodeId, name: NodeId, row: &'a Row) -> Self {
        let tree = &unit.module.tree;
        let arguments = tree.parent(argument).into_iter();
        let mut names = arguments
            .flat_map(|list| tree.children(list))
            .filter_map(|one| tree.child(one, Field::Name));
        let has_counterpart =
            names.any(|one| Some(tree.word(one)) == row.to.as_deref().map(str::as_bytes));
        Self {
            name: row.cuda.to_string(),
            node: name,
            range: Some(unit.module.tree.range(name)),
            meaning: NameMeaning::Variable(VariableUse::Keyword(argument)),
            row: Some(row),
            alternatives: Alternatives::musa_if(has_counterpart),
        }
    }

    /// Whether the variable's values mean something to CUDA only.
    pub fn has_cuda_values(&self) -> bool {
        self.row
            .is_some_and(|row| row.runtime == Some(Runtime::Keep))
    }

    /// Whether the value that the variable gets is a path in CUDA's toolkit which a port translates:
    /// `os.environ["CUDA_HOME"] = "/usr/local/cuda"`.
    pub fn gets_translated_path(&self, unit: &PythonUnit<'_>) -> bool {
        let value = self.set_value(unit);
        let literal = value.and_then(|value| Literal::read(&unit.module.tree, value));
        literal.filter(|_| unit.is_musa()).is_some_and(|literal| {
            let paths = toolkit::written(unit.context, literal.value(), false);
            !paths.is_empty()
                && paths
                    .iter()
                    .all(|(_, path)| matches!(path, ToolkitPath::Known(_)))
        })
    }

    /// Whether the variable is switched on or off, which means the same for MUSA: `os.environ["FORCE_CUDA"] = "1"`.
    pub fn gets_switched(&self, unit: &PythonUnit<'_>) -> bool {
        let value = self.set_value(unit);
        let literal = value.and_then(|value| Literal::read(&unit.module.tree, value));
        literal.is_some_and(|literal| matches!(literal.value(), b"0" | b"1"))
    }

    /// The value that the variable gets where it is named.
    pub(super) fn set_value(&self, unit: &PythonUnit<'_>) -> Option<NodeId> {
        let tree = &unit.module.tree;
        let up = tree.parent(self.node)?;
        match tree.kind(up) {
            Kind::Subscript => tree
                .parent_if(up, Kind::Assignment)
                .and_then(|assignment| tree.child(assignment, Field::Right)),
            // `os.environ.setdefault("CUDA_HOME", "/usr/local/cuda")`
            Kind::ArgumentList => tree.nth(up, 1),
            Kind::Pair | Kind::KeywordArgument => tree.child(up, Field::Value),
            _ => None,
        }
    }

    /// Keep the name, since the file is for another platform.
    pub fn keep_for_other_platform(&self, unit: &PythonUnit<'_>, out: &mut Outcome) {
        let known = &unit.context.knowledge.python_strings.environment;
        let is_cudas = self.row.is_some() || known.is_cudas(&self.name);
        if is_cudas && self.meaning != NameMeaning::Other {
            unit.claim(out, self.node);
            self.keep(unit, out, KeptReason::VendorBranch);
        }
    }

    /// Keep the name, since the module gives the variable a value that only CUDA takes.
    pub fn keep_for_cuda_value(&self, unit: &PythonUnit<'_>, out: &mut Outcome, advice: &str) {
        if self.meaning == NameMeaning::Other {
            return;
        }
        unit.claim(out, self.node);
        let message = format!("`{}` stays: its value is one for CUDA alone", self.name);
        let range = unit.module.tree.range(self.node);
        unit.report(out, VALUES_DIFFER, range, message, advice.to_owned());
    }

    pub(super) fn keep(&self, unit: &PythonUnit<'_>, out: &mut Outcome, reason: KeptReason) {
        let range = unit.module.tree.range(self.node);
        out.keep(range, reason);
    }

    pub(super) fn report(
        &self,
        unit: &PythonUnit<'_>,
        out: &mut Outcome,
        code: Code,
        what: &str,
        help: String,
    ) {
        let range = unit.module.tree.range(self.node);
        let finding = unit.finding(code, range, format!("`{}` {what}", self.name));
        out.report(finding.help_if_any(Some(help).filter(|help| !help.is_empty())));
    }
}
