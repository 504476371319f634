//! A question, with what a GPU of MUSA's says to it.

use crate::python::gpus::numbers::Sm;
use torchada_syntax::python::NodeId;

/// A question for a capability of CUDA's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct Question {
    /// The expression that asks it.
    pub(in super::super) node: NodeId,
    /// What is asked, the same for all spellings of it: `capability >= 9.0`, `is_sm90_supported()`.
    pub(in super::super) shown: String,
    /// The least capability of CUDA's that it names; `None` where it names a second number alone.
    pub(in super::super) number: Option<Sm>,
    /// Whether it asks for certain generations of CUDA's GPUs, and not for all from one on.
    pub(in super::super) exact: bool,
    /// What it says on the GPUs of MUSA's; `None` where they differ, or where nobody knows.
    pub(in super::super) answer: Option<bool>,
}
