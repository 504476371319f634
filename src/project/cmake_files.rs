//! The parsed `CMake` files of a tree.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::context::Context;
use super::mentions::speaks_of_sources;
use super::path_index::PathIndex;
use super::replay::{BuildFile, BuildTree, Replay, SourceKey};
use super::source::{Disposition, Input};
use crate::mapping::files::BuildLanguage;
use crate::syntax::cmake::Cmake;

/// The parsed files of `CMake`'s.
#[derive(Default, Debug)]
pub(super) struct CmakeFiles {
    pub(super) read: Vec<OnceLock<Cmake>>,
    pub(super) made: OnceLock<FxHashSet<Vec<u8>>>,
    pub(super) modules: OnceLock<FxHashSet<String>>,
    /// What reaches the targets of the tree; empty where nothing in these files speaks of CUDA.
    pub(super) replay: Replay,
}

impl CmakeFiles {
    /// Room for the parsed form of so many files, none of which is read yet.
    pub(super) fn new(files: usize) -> Self {
        Self {
            read: std::iter::repeat_with(OnceLock::new).take(files).collect(),
            made: OnceLock::new(),
            modules: OnceLock::new(),
            replay: Replay::default(),
        }
    }

    /// The files of a tree. Where one of them speaks of CUDA or of its sources, it is worked out which sources reach which targets.
    pub(super) fn of(
        inputs: &[Input],
        dispositions: &[Disposition],
        places: &PathIndex,
        context: Context<'_>,
    ) -> Self {
        let mut files = Self::new(inputs.len());
        let all = inputs.iter().zip(dispositions);
        let texts: Vec<Option<&[u8]>> = all
            .map(|(input, disposition)| {
                let is_one = input.class.language == Some(BuildLanguage::CMake)
                    && *disposition == Disposition::Ported;
                input.text.as_deref().filter(|_| is_one)
            })
            .collect();
        let words = &context.knowledge.builds.words;
        let endings: Vec<&str> = context
            .knowledge
            .files
            .rename
            .keys()
            .map(String::as_str)
            .collect();
        let speaks = |text: &&[u8]| words.is_cudas(text) || speaks_of_sources(text, &endings);
        if !texts.iter().flatten().any(speaks) {
            return files;
        }
        let read: Vec<Option<BuildFile<'_>>> = texts
            .par_iter()
            .enumerate()
            .map(|(index, text)| {
                let text = (*text)?;
                let commands = files.read(index, text)?;
                Some(BuildFile { text, commands })
            })
            .collect();
        let replay = Replay::of(&BuildTree::new(places, read), context.knowledge, false);
        files.replay = replay;
        files
    }

    /// The sources that only scripts of `CMake`'s read, as text that is compiled while the program runs.
    pub(super) fn texts(&self, context: Context<'_>) -> BTreeSet<usize> {
        let compiled = self.replay.for_nvcc(context.knowledge);
        let compiled: FxHashSet<&SourceKey> = compiled.keys().map(|(_, key)| key).collect();
        let read = self.replay.read.keys().copied();
        read.filter(|&file| !compiled.contains(&SourceKey::File(file)))
            .collect()
    }

    /// The commands of the file at `index`, which has this text.
    pub(super) fn read(&self, index: usize, text: &[u8]) -> Option<&Cmake> {
        let slot = self.read.get(index)?;
        Some(slot.get_or_init(|| Cmake::read(text)))
    }
}
