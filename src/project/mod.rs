//! Facts about the whole tree that one file can't know: the file that an include means, declarations, and which files
//! get new names or are left whole.
//!
//! Architecture invariant: everything here is found in one pass over all files and read-only
//! afterwards, so that the rules can work on files in any order, on any core.

mod assemble;
mod built;
mod cmake;
mod compared_releases;
mod context;
mod cuda_version;
mod declarations;
mod devices;
mod distributions;
mod edited;
mod facts;
mod forwarders;
mod gather;
pub mod guards;
mod includes;
mod left_whole;
pub mod make_builds;
mod mentions;
mod musa_build;
mod options;
mod platforms;
pub mod python;
pub mod python_builds;
mod python_inputs;
mod renames;
mod scan;
mod settings;
mod tree;
mod uses_of_macros;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use rustc_hash::{FxHashMap, FxHashSet};

use cmake::files::CmakeFiles;
use includes::headers::Headers;
use includes::macro_uses::MacroUses;
use includes::open_macros::OpenMacros;
use python_builds::PythonBuilds;
use renames::candidates::Link;
use torchada_classify::FileKind;
use torchada_diagnostic::Finding;
use torchada_mapping::python::entry_words::EntryWords;
use torchada_syntax::EditedCmake;
use tree::words::TreeWords;

pub use built::{Built, NotBuilt, OptionalPart};
pub use cmake::replay;
pub use context::Context;
pub use cuda_version::with_cuda_version;
pub use distributions::PackagesBeside;
pub use facts::VendorMark;
pub use facts::{
    DeclaredAs, FileFacts, Forwarder, Include, Invocation, OwnDeclaration, ParameterMacro,
    PastedPiece, Paster,
};
pub use includes::open_macros::OpenMacro;
pub use includes::resolve::Visible;
pub use left_whole::libraries::LeftLibraries;
pub use options::ProjectOptions;
pub use platforms::cmake_condition::{ConditionPlatform, platform_of_block};
pub use platforms::regions;
pub use renames::decide::include_text;
pub use scan::parsed::Parsed;
pub use scan::scan_text;
pub use settings::{meant_setting, settings};
pub use torchada_diagnostic::codes::project::{NAMED_ELSEWHERE, PROPOSED};
pub use tree::file_text::{FileText, ReadAgain};
pub use tree::finder::finder;
pub use tree::path_index::PathIndex;
pub use tree::paths;
pub use tree::patterns::wildcard_match;
pub use tree::source::{Disposition, Input, PythonCode, Source, magics};

pub use mentions::bare_endings::bare_endings;
pub use mentions::in_build_files::mentions_sources;
pub use musa_build::MacrosOff;
pub use scan::scanned::{Scanned, unresolved};

/// All files of a tree and the facts about them. What is large is shared with copies of it.
#[derive(Clone, Default, Debug)]
pub struct Project {
    /// The files, in the order of the input.
    pub files: Vec<Source>,
    /// Findings about the tree as a whole.
    pub findings: Vec<Finding>,
    /// Uses of macros that make names, members or strings of their arguments, by the macro's name.
    pub invocations: Arc<BTreeMap<Vec<u8>, Vec<Invocation>>>,
    /// CUDA names that the project defines as functions at file level.
    pub defined_functions: Arc<FxHashSet<Vec<u8>>>,
    /// Names that stand in for CUDA's in builds without it.
    stand_ins: FxHashSet<Vec<u8>>,
    /// Members that the project speaks of under CUDA names.
    pub members: FxHashSet<Vec<u8>>,
    /// Names of the project's own that are only written as CUDA writes names.
    pub lookalikes: Arc<FxHashSet<Vec<u8>>>,
    /// Macros that hand a parameter to a call which takes a CUDA name, by name.
    pub forwarders: BTreeMap<Vec<u8>, Vec<Forwarder>>,
    /// Python packages for CUDA that the tree holds itself, by their first names.
    pub python_packages: FxHashSet<String>,
    /// The words of other packages, and others for which a module of Python is looked at.
    pub python_entry_words: Arc<EntryWords>,
    /// Which files have which words of Python.
    python_words: Arc<TreeWords>,
    /// For each file, the words in the outline of its module, where its text is not in memory.
    outline_words: Arc<[OnceLock<Box<str>>]>,
    /// The name of the tree's folder; empty where nobody knows it.
    folder: String,
    /// The folders that are another vendor's as a whole.
    vendor_folders: Arc<BTreeSet<String>>,
    /// What the C++ in each folder has to do with devices.
    device_folders: devices::DeviceFolders,
    /// The files that no build for MUSA compiles.
    pub built: Built,
    /// Names of files that lead to code which MUSA does not support.
    pub unsupported: Arc<guards::UnsupportedSymbols>,
    /// Names that the project declares inside namespaces of the tables, without those of
    /// libraries that it carries along.
    pub extensions: FxHashSet<String>,
    /// Names of namespaces that the project opens, as `a::b`.
    pub namespaces: FxHashSet<String>,
    /// The namespaces among `namespaces` that code outside of carried libraries opens.
    pub own_namespaces: FxHashSet<String>,
    /// First folders of included paths that are not of the tree, such as `cutlass`, and of
    /// those that belong to a library which the tree carries along.
    pub outside_folders: FxHashSet<String>,
    /// Libraries outside the tree that the code stays with, because MUSA's counterpart lacks
    /// headers that it uses: first folders of their paths, and their tables.
    pub left: LeftLibraries,
    /// The macros that no build for MUSA has in the files that it compiles as they are.
    pub macros_off: MacrosOff,
    /// The paths of the tree.
    pub places: Arc<PathIndex>,
    /// The included headers.
    headers: Arc<Headers>,
    /// The parsed files of `CMake`'s.
    cmake: Arc<CmakeFiles>,
    /// Files of `CMake`'s that [`Project::edit`] gave another text, by their indices.
    edited_cmake: FxHashMap<usize, EditedCmake>,
    /// What Python hands to compilers.
    python_builds: Arc<PythonBuilds>,
    /// The modules of Python that have something for MUSA already, in the order of their paths.
    pub musa_support: Vec<python::MusaSupport>,
    /// For each file, its uses of such macros.
    uses_in: Arc<FxHashMap<usize, MacroUses>>,
    /// Macros of the project's own that are open where a file is included.
    open_macros: Arc<OpenMacros>,
    /// For each file that is included, the files that include it.
    included_by: Arc<FxHashMap<usize, Vec<usize>>>,
    /// For each file that mentions sources, which.
    links: Arc<FxHashMap<usize, Vec<Link>>>,
    /// Links of the file system with what they lead to, as indices of files: they are called alike.
    alike: Vec<[usize; 2]>,
    /// The number of files that one file is taken to see through its includes at most.
    most_includes: usize,
    /// CUDA's endings of files and MUSA's.
    endings: BTreeMap<String, String>,
}

impl Project {
    /// Whether the texts of all files are in memory.
    pub fn holds_all_texts(&self) -> bool {
        let mut texts = self.files.iter().filter_map(|file| file.text.as_ref());
        texts.all(|text| text.in_memory().is_some())
    }

    /// Forget the texts that can be read again.
    pub fn forget_texts(&mut self) {
        for text in self.files.iter_mut().filter_map(|file| file.text.as_mut()) {
            text.forget();
        }
    }

    /// Whether the file at `index` may contain a text. For a module, the index of the tree's words says so, and nobody reads
    /// it; any other file may.
    pub fn may_have(&self, index: usize, text: &[u8]) -> bool {
        !self.has_words_in_index(index) || self.python_words.may_contain(index as u32, text)
    }

    /// Whether the file at `index` is a module, so that its words stand in the index of the tree's words.
    pub fn has_words_in_index(&self, index: usize) -> bool {
        self.files.get(index).is_some_and(|file| {
            file.class.kind == FileKind::Python && file.python.is_none() && file.text.is_some()
        })
    }

    /// The modules in which a word stands by itself.
    pub fn modules_with(&self, word: &[u8]) -> impl Iterator<Item = usize> + use<'_> {
        self.python_words.files_with(word).map(|file| file as usize)
    }

    /// Whether the file at `index` lies in a folder that is another vendor's as a whole.
    pub fn is_in_vendor_folder(&self, index: usize) -> bool {
        let file = self.files.get(index);
        file.is_some_and(|file| self.vendor_folders.contains(paths::folder(&file.path)))
    }

    /// The path of a file whose C++ has the name of a device that the file `from` may mean: the project's own.
    pub fn device_home_path(&self, from: &str) -> Option<&str> {
        let home = self.files.get(self.device_folders.home(from)?)?;
        Some(&home.path)
    }

    /// The macro of the project's own that gives `name` its meaning in the file at `index`,
    /// because it is open where that file is included.
    pub fn open_macro(&self, index: usize, name: &[u8]) -> Option<OpenMacro> {
        self.open_macros.get(name)?.get(&index).copied()
    }

    /// Whether the project's own code opens a namespace of this name.
    pub fn opens_namespace(&self, name: &[u8]) -> bool {
        let mut paths = self.own_namespaces.iter();
        paths.any(|path| path.rsplit("::").any(|part| part.as_bytes() == name))
    }

    /// Whether a declaration still holds at the end of the file that makes it.
    pub fn outlasts_file(&self, file: usize, one: &OwnDeclaration) -> bool {
        let text = self.files.get(file).and_then(|file| file.text.as_ref());
        text.is_none_or(|text| one.reach.end >= text.len())
    }

    /// The files by the paths that they get.
    pub fn by_output(&self) -> BTreeMap<&str, usize> {
        let files = self.files.iter().enumerate();
        files.map(|(at, file)| (&*file.output, at)).collect()
    }
}
