//! Lists of GPUs that a variable gets: `os.environ["TORCH_CUDA_ARCH_LIST"] = "8.0;9.0"`.

use super::variable::Variable;
use crate::build::{OTHER_GPUS, arch};
use crate::python::PythonUnit;
use crate::{Change, Outcome};
use torchada_diagnostic::codes::python::GPUS;
use torchada_edit::GroupId;
use torchada_syntax::python::Literal;
use torchada_text::TextRange;

/// A value that a port gives to the variable with MUSA's GPUs in the place of CUDA's.
pub(super) enum GpuList {
    /// No GPU is named: a build is for those of the machine, on MUSA, too
    /// (`MooreThreads/torch_musa:torch_musa/utils/musa_extension.py`, `_get_musa_arch_flags`).
    OfMachine,
    /// CUDA's numbers, which stand here.
    Numbers(Literal, TextRange),
}

impl Variable<'_> {
    /// The list of GPUs that the variable gets in the text of the module, where it is one for lists of GPUs.
    pub(super) fn gpu_list(&self, unit: &PythonUnit<'_>) -> Option<GpuList> {
        let list = &unit.context.knowledge.builds.flags.gpu_list;
        let takes = self.row?.to.as_deref() == Some(&**list);
        let value = Literal::read(&unit.module.tree, self.set_value(unit)?)?;
        let text = std::str::from_utf8(value.value()).ok()?;
        if !takes || !unit.is_musa() || !value.is_plain() {
            return None;
        }
        if text.trim().is_empty() {
            return Some(GpuList::OfMachine);
        }
        let range = value.in_file(TextRange::new(0, text.len()))?;
        arch::is_cudas_list(text).then_some(GpuList::Numbers(value, range))
    }

    /// Put MUSA's GPUs in the place of CUDA's, together with the variable's name.
    pub(super) fn name_gpus(&self, unit: &PythonUnit<'_>, out: &mut Outcome, group: GroupId) {
        let Some(GpuList::Numbers(value, range)) = self.gpu_list(unit) else {
            return;
        };
        let to = arch::list(unit.context, unit.settings);
        let old = unit.shown(range);
        unit.claim(out, value.node);
        let change = Change::new(range, &to);
        if unit.change(out, change.group(group)) && unit.settings.gpus().next().is_none() {
            unit.report(out, GPUS, range, arch::became(&old, &to), OTHER_GPUS);
        }
    }
}
