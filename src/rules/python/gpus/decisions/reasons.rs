//! Why the answer to a question is right.

/// Why the answer that MUSA's GPUs give to a question is right where it is asked.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reason {
    /// The question is for GPUs of CUDA's that are newer than all that MUSA has an answer to.
    Newer,
    /// The question is for certain generations.
    Generation,
    /// It opens code with this word of what NVIDIA alone has.
    Kernel(String),
    /// It decides numbers to tune by.
    Tuning,
    /// It asks for a version of CUDA's toolkit.
    Toolkit,
    /// It names the question that other code asks.
    Definition,
    /// It is asked behind this question for a platform.
    Behind(String),
    /// MUSA does not reach it, for this reason.
    Unreached(String),
    /// It decides what a test, a benchmark or an example runs.
    Trial,
    /// It excludes what can't be.
    Holds,
}

impl Reason {
    /// The reason as a sentence.
    pub(super) fn sentence(&self) -> String {
        match self {
            Self::Newer => {
                "MUSA has nothing that answers to CUDA's 10.0 and later, and takes what is \
                            there for all other GPUs"
                    .to_owned()
            }
            Self::Generation => {
                "it asks for certain generations of NVIDIA's GPUs, and MUSA's are none of them"
                    .to_owned()
            }
            Self::Kernel(word) => format!("it is about `{word}`, made for NVIDIA's GPUs"),
            Self::Tuning => {
                "it chooses numbers to tune by, and the general ones serve MUSA".to_owned()
            }
            Self::Toolkit => "it asks for a version of CUDA's toolkit".to_owned(),
            Self::Definition => {
                "it defines a question that is decided where it is asked".to_owned()
            }
            Self::Behind(word) => format!("it is asked behind `{word}`"),
            Self::Unreached(why) => format!("MUSA does not get here: {why}"),
            Self::Trial => "it decides what a test, a benchmark or an example runs".to_owned(),
            Self::Holds => "it only excludes what can't be".to_owned(),
        }
    }
}
