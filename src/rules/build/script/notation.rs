//! The notation in which each kind of build file is read, for those that are read as scripts.

use torchada_mapping::builds::Scripts;
use torchada_mapping::files::BuildLanguage;
use torchada_syntax::script::{Notation, PipelineKeys};

/// How files of a language are written.
pub(super) fn notation(language: BuildLanguage, known: &Scripts) -> Option<Notation<'_>> {
    let pipelines = &known.pipelines;
    match language {
        BuildLanguage::Shell => Some(Notation::Shell),
        BuildLanguage::Make => Some(Notation::Make),
        BuildLanguage::Ninja => Some(Notation::Ninja),
        BuildLanguage::Docker => Some(Notation::Docker),
        BuildLanguage::Workflow => Some(Notation::Pipeline(PipelineKeys {
            scripts: &pipelines.scripts,
            variables: &pipelines.variables,
        })),
        _ => None,
    }
}
