//! What rules ask of the `CMake` files of a tree: their commands, what they define and read, and what they hand to targets.

use rustc_hash::{FxHashMap, FxHashSet};

use super::replay::{BuildFile, BuildTree, Replay};
use crate::tree::paths;
use crate::{Disposition, PathIndex, Project, Source};
use torchada_mapping::files::BuildLanguage;
use torchada_mapping::knowledge::Knowledge;
use torchada_parallel as parallel;
use torchada_syntax::cmake::Cmake;
use torchada_syntax::cmake_references::reference;
use torchada_syntax::is_identifier_part;
use torchada_text::contains;

/// The beginnings of commands that make a target, a command or an option.
const MAKERS: [&[u8]; 5] = [
    b"add_library(",
    b"add_executable(",
    b"function(",
    b"macro(",
    b"option(",
];

impl Project {
    /// The commands of the file at `index`; `None` for what has no text.
    pub fn cmake(&self, index: usize) -> Option<&Cmake> {
        if let Some(edited) = self.edited_cmake.get(&index) {
            return Some(&edited.file);
        }
        let text = self.files.get(index)?.text.as_deref()?;
        self.cmake.read(index, text)
    }

    /// Which sources reach which targets.
    pub fn replay(&self) -> &Replay {
        &self.cmake.replay
    }

    /// Whether the file at `index` names sources of CUDA's in a command, even if through variables of other files.
    pub fn names_cuda_sources(&self, index: usize) -> bool {
        let Replay {
            sites, properties, ..
        } = &self.cmake.replay;
        sites.range((index, 0)..(index + 1, 0)).next().is_some()
            || properties.iter().any(|one| one.at.0 == index)
    }

    /// Which sources reach which targets in the port: `changed` gives the texts that the port changes, by the indices of files.
    pub fn replay_port(
        &self,
        changed: &(dyn Fn(usize) -> Option<Vec<u8>> + Sync),
        knowledge: &Knowledge,
    ) -> Replay {
        let places = PathIndex::new(self.files.iter().map(|file| file.output.clone()));
        let is_one = |file: &Source| {
            file.class.language == Some(BuildLanguage::CMake)
                && file.disposition == Disposition::Ported
        };
        let read = parallel::map(self.files.iter().enumerate(), |(index, file)| {
            let text = is_one(file).then(|| changed(index)).flatten()?;
            let commands = Cmake::read(&text);
            Some((text, commands))
        });
        let files = self.files.iter().zip(&read).enumerate();
        let files = files.map(|(index, (file, changed))| match changed {
            Some((text, commands)) => Some(BuildFile { text, commands }),
            None if is_one(file) => Some(BuildFile {
                text: file.text.as_deref()?,
                commands: self.cmake(index)?,
            }),
            None => None,
        });
        Replay::of(&BuildTree::new(&places, files.collect()), knowledge, true)
    }

    /// Whether the port gives MUSA's ending to a name that ends at a place of the file at `index`; `None` where a
    /// variable has nothing but the ending, which its own rule decides.
    pub fn has_new_ending(&self, index: usize, end: usize) -> Option<bool> {
        let text = self.files.get(index)?.text.as_deref()?;
        let before = text.get(..end)?;
        let is_whole = |ending: &String| before.ends_with(ending.as_bytes());
        if !self.endings.keys().any(is_whole) {
            return None;
        }
        let renamed = self.renamed_mentions(index);
        Some(renamed.iter().any(|(range, _)| range.end == end))
    }

    /// The texts of all files of `CMake`'s, with the files' places.
    pub fn cmake_texts(&self) -> impl Iterator<Item = (usize, &[u8])> {
        let files = self.files.iter().enumerate();
        files.filter_map(|(index, file)| {
            let is_one = file.class.language == Some(BuildLanguage::CMake);
            let text = file.text.as_ref().filter(|_| is_one)?;
            Some((index, &**text))
        })
    }

    /// Whether a file of `CMake`'s reads a variable: `${CMAKE_CUDA_STANDARD}`.
    pub fn reads_in_cmake(&self, variable: &str) -> bool {
        let read = reference(variable);
        let mut texts = self.cmake_texts();
        texts.any(|(_, text)| contains(text, &read))
    }

    /// Whether a file of `CMake`'s has a word.
    pub fn has_word_in_cmake(&self, word: &[u8]) -> bool {
        let mut files = self.files.iter();
        files.any(|file| file.class.language == Some(BuildLanguage::CMake) && file.has_word(word))
    }

    /// Whether the tree has a module that finds a package: `FindNCCL.cmake`, in whatever case.
    pub fn has_cmake_module(&self, package: &str) -> bool {
        let modules = self.cmake.modules.get_or_init(|| {
            let names = self.files.iter().map(|file| paths::file_name(&file.path));
            names.map(str::to_ascii_lowercase).collect()
        });
        modules.contains(&format!("find{}.cmake", package.to_ascii_lowercase()))
    }

    /// The file of `CMake`'s that defines a function or a macro, with its text; of several the first. The name is in lower
    /// case.
    pub fn cmake_defining(&self, name: &str) -> Option<(&[u8], &Cmake)> {
        let definitions = self.cmake.definitions.get_or_init(|| {
            let mut found = FxHashMap::default();
            for (index, _) in self.cmake_texts() {
                let names = self.cmake(index).into_iter().flat_map(Cmake::defined_names);
                for name in names {
                    found.entry(name.to_vec()).or_insert(index);
                }
            }
            found
        });
        let index = *definitions.get(name.as_bytes())?;
        Some((self.files.get(index)?.text.as_deref()?, self.cmake(index)?))
    }

    /// Whether a file of `CMake`'s makes a target, a command or an option of this name.
    pub fn is_made_by_cmake(&self, name: &[u8]) -> bool {
        let made = self.cmake.made.get_or_init(|| {
            let targets = self.cmake.replay.targets.iter();
            let targets = targets.map(|one| one.target.as_bytes().to_vec());
            let mut made: FxHashSet<Vec<u8>> = targets.collect();
            for (_, text) in self.cmake_texts() {
                for maker in MAKERS {
                    for at in memchr::memmem::find_iter(text, maker) {
                        let name = text.get(at + maker.len()..).unwrap_or_default();
                        let len = name.iter().take_while(|&&byte| is_part(byte)).count();
                        made.insert(name.get(..len).unwrap_or_default().to_vec());
                    }
                }
            }
            made
        });
        made.contains(name)
    }
}

fn is_part(byte: u8) -> bool {
    is_identifier_part(byte) || byte == b'-'
}
