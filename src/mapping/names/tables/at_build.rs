//! What the build script found out about the tables that come with the program. To find it takes half of the time that a
//! small file takes.

use std::sync::OnceLock;

use crate::kernels::calls::OperatorCalls;
use crate::names::name_parts::NameParts;
use crate::read_table::{builtin, from_image};

/// The faults of calls in the newest release of `torch_musa`.
pub(super) fn operator_calls() -> &'static OperatorCalls {
    static CALLS: OnceLock<OperatorCalls> = OnceLock::new();
    const IMAGE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/operator_calls.bin"));
    builtin(&CALLS, || from_image("operators.toml", IMAGE))
}

/// The parts of the namespaces and qualified names.
pub(super) fn name_parts() -> &'static NameParts {
    static PARTS: OnceLock<NameParts> = OnceLock::new();
    const IMAGE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/name_parts.bin"));
    builtin(&PARTS, || from_image("*.toml", IMAGE))
}
