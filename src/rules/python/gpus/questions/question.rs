//! A question, with what a GPU of MUSA's says to it.

use crate::python::gpus::numbers::Sm;
use torchada_syntax::python::NodeId;

/// A question for a capability of CUDA's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// The expression that asks it.
    pub node: NodeId,
    /// What is asked, the same for all spellings of it: `capability >= 9.0`, `is_sm90_supported()`.
    pub shown: String,
    /// The least capability of CUDA's that it names; `None` where it names a second number alone.
    pub number: Option<Sm>,
    /// Whether it asks for certain generations of CUDA's GPUs, and not for all from one on.
    pub exact: bool,
    /// What it says on the GPUs of MUSA's; `None` where they differ, or where nobody knows.
    pub answer: Option<bool>,
}
