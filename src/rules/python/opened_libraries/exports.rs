//! Names that a module exports.

use crate::python::ModuleView;
use torchada_syntax::python::{Consumer, Use};

/// Whether a text is a name in `__all__`: such names are the module's own.
pub(super) fn is_exported(unit: &ModuleView<'_>, of: &Use) -> bool {
    matches!(of.consumer, Consumer::Target { target }
        if *unit.module.last_name(target) == *b"__all__")
}
