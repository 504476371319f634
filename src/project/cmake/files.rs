//! The parsed `CMake` files of a tree.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use rustc_hash::{FxHashMap, FxHashSet};

use super::replay::{BuildFile, BuildTree, HandedFiles, Replay, SourceKey};
use crate::context::Context;
use crate::mentions::in_build_files::mentions_sources;
use crate::tree::file_text::FileText;
use crate::tree::path_index::PathIndex;
use crate::tree::source::{Disposition, Input};
use torchada_mapping::files::BuildLanguage;
use torchada_parallel as parallel;
use torchada_syntax::cmake::Cmake;

/// The parsed files of `CMake`'s.
#[derive(Default, Debug)]
pub(crate) struct CmakeFiles {
    pub(crate) read: Vec<OnceLock<Arc<Cmake>>>,
    pub(crate) made: OnceLock<FxHashSet<Vec<u8>>>,
    pub(crate) modules: OnceLock<FxHashSet<String>>,
    /// The file that defines each function and macro, by its name in lower case.
    pub(crate) definitions: OnceLock<FxHashMap<Vec<u8>, usize>>,
    /// What reaches the targets of the tree; empty where nothing in these files speaks of CUDA.
    pub(crate) replay: Replay,
    /// What they hand on, until it is known what is built; `None` where that goes beyond a limit.
    pub(crate) handed: Option<HandedFiles>,
}

impl CmakeFiles {
    /// Room for the parsed form of so many files, none of which is read yet.
    pub(crate) fn new(files: usize) -> Self {
        Self {
            read: std::iter::repeat_with(OnceLock::new).take(files).collect(),
            ..Self::default()
        }
    }

    /// The files of a tree. Where one of them speaks of CUDA or of its sources, it is worked out which sources reach which
    /// targets.
    pub(crate) fn of(
        inputs: &[Input],
        dispositions: &[Disposition],
        places: &PathIndex,
        context: Context<'_>,
    ) -> Self {
        let mut files = Self::new(inputs.len());
        let is_cmake = |input: &Input| input.class.language == Some(BuildLanguage::CMake);
        let read = parallel::map(inputs.iter().enumerate(), |(index, input)| {
            let text: &[u8] = input.text.as_ref().filter(|_| is_cmake(input))?;
            let commands = Arc::clone(input.cmake(text));
            let commands = files.read.get(index)?.get_or_init(|| commands);
            Some(BuildFile { text, commands })
        });
        let all = read.iter().zip(dispositions);
        let ported = all.map(|(file, disposition)| {
            let is_ported = *disposition == Disposition::Ported;
            file.filter(|_| is_ported)
        });
        let ported: Vec<Option<BuildFile<'_>>> = ported.collect();
        let words = &context.knowledge.builds.words;
        let endings = context.knowledge.files.rename.keys();
        let endings: Vec<&str> = endings.map(String::as_str).collect();
        let speaks = |file: &BuildFile<'_>| {
            words.is_cudas(file.text) || mentions_sources(file.text, &endings)
        };
        let others = inputs
            .iter()
            .filter(|input| !input.class.kind.is_cpp() && !is_cmake(input));
        let others: Vec<&FileText> = others.filter_map(|input| input.text.as_ref()).collect();
        let (replay, handed) = rayon::join(
            || {
                let is_asked = ported.iter().flatten().any(speaks);
                let tree = BuildTree::new(places, ported);
                is_asked.then(|| Replay::of(&tree, context.knowledge, false))
            },
            || HandedFiles::of(&BuildTree::new(places, read), &others, context.knowledge),
        );
        files.replay = replay.unwrap_or_default();
        files.handed = handed;
        files
    }

    /// The sources that only scripts of `CMake`'s read, as text that is compiled while the program runs.
    pub(crate) fn texts(&self, context: Context<'_>) -> BTreeSet<usize> {
        let compiled = self.replay.for_nvcc(context.knowledge);
        let compiled: FxHashSet<&SourceKey> = compiled.keys().map(|(_, key)| key).collect();
        let read = self.replay.read.keys().copied();
        read.filter(|&file| !compiled.contains(&SourceKey::File(file)))
            .collect()
    }

    /// The commands of the file at `index`, which has this text.
    pub(crate) fn read(&self, index: usize, text: &[u8]) -> Option<&Cmake> {
        let slot = self.read.get(index)?;
        Some(slot.get_or_init(|| Arc::new(Cmake::read(text))))
    }
}
