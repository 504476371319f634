//! Code that stays CUDA's because of its surroundings, whatever the rules say: branches and files for CUDA
//! among those for other platforms, code next to its counterpart for MUSA, functions that `TorchScript` compiles.
//!
//! Which code is reserved is decided before any rule looks at the module, from the tree alone. So each byte has one owner: the
//! stretch of reserved code that it lies in, else the first rule that claims it.

use super::code::Reserved;
use super::{cuda_branches, other_vendors, scripted, vendor_files};
use crate::python::PythonUnit;

/// The name by which a test selects reserved code, as if it were a rule.
pub const NAME: &str = "python-reserved-code";

/// The reserved code of a module: of stretches that overlap, the first one owns the code that lies in both.
pub fn find(unit: &PythonUnit<'_>) -> Vec<Reserved> {
    if !unit.settings.runs(NAME) {
        return Vec::new();
    }
    if let Some(whole) = other_vendors::module(unit) {
        return vec![whole];
    }
    let mut found = other_vendors::branches(unit);
    found.extend(cuda_branches::reserved(unit));
    found.extend(scripted::reserved(unit));
    found.extend(vendor_files::reserved(unit));
    found
}
