//! The modules of a tree as they are read, before other files are known.

use std::borrow::Cow;
use std::sync::Arc;

use torchada_classify::FileKind;
use torchada_parallel as parallel;

use crate::python_builds::{ModuleText, PythonBuilds, PythonTree};
use crate::tree::words::{FoundWords, TreeWords};
use crate::{Context, FileText, Input, PathIndex, PythonCode};

/// What the modules of a tree say by themselves.
pub(crate) struct PythonInputs {
    /// For each file of the tree the Python in it, where that is not its text.
    pub(crate) codes: Vec<Option<Arc<PythonCode>>>,
    /// Which files have which words of Python.
    pub(crate) words: TreeWords,
    /// What Python hands to compilers.
    pub(crate) builds: PythonBuilds,
}

/// The Python of a tree and its words, before they are sorted: what needs nothing but the texts.
pub(crate) struct PythonTexts {
    codes: Vec<Option<Arc<PythonCode>>>,
    words: FoundWords,
}

impl PythonTexts {
    /// Read the modules of a tree.
    pub(crate) fn read(inputs: &[Input], context: Context<'_>) -> Self {
        let codes: Vec<Option<Arc<PythonCode>>> = parallel::map(inputs, |input| {
            let text = text_of(input)?;
            let is_more = PythonCode::is_in(&input.path, context);
            let code = is_more.then(|| PythonCode::of(&input.path, &text.once(), context));
            code.flatten().map(Arc::new)
        });
        let files: Vec<(&Input, &Option<Arc<PythonCode>>)> = inputs.iter().zip(&codes).collect();
        let words = FoundWords::of(&files, |(input, code)| {
            let text = text_of(input)?;
            Some(match code {
                Some(code) => Cow::Borrowed(code.text()),
                None => text.once(),
            })
        });
        Self { codes, words }
    }
}

impl PythonInputs {
    /// Look through the texts of a tree with these paths.
    pub(crate) fn of(
        texts: PythonTexts,
        inputs: &[Input],
        places: &PathIndex,
        context: Context<'_>,
    ) -> Self {
        let PythonTexts { codes, words } = texts;
        let words = TreeWords::index(words);
        let plain = inputs.iter().zip(&codes).map(|(input, code)| {
            let text = text_of(input).filter(|_| code.is_none());
            text.map(ModuleText::Saved)
        });
        let tree = PythonTree::new(places, plain.collect(), &words, context.knowledge);
        let builds = PythonBuilds::of(&tree, context.knowledge);
        Self {
            codes,
            words,
            builds,
        }
    }
}

/// The text of a file of Python.
fn text_of(input: &Input) -> Option<&FileText> {
    let text = input.text.as_ref();
    text.filter(|_| input.class.kind == FileKind::Python)
}
