//! What names, arguments and results hold in Python, and which names decide about the platform: the table
//! `mappings/python_values.toml`.

mod calls;
mod names;
mod platforms;

use memchr::memmem;
use serde::{Deserialize, Serialize};

use super::entry_words::EntryWords;
use crate::word_list::{WordList, ends_with_one};

pub use calls::{
    CallWords, LibraryOf, Narrower, Patterns, PositionedCall, RenamedKeyword, ResultOf,
    TorchScript, UsersWords,
};
pub use names::{BuildNames, ImportHome, Member, NamePair, TorchNames, TypeNames, ValueNames};
pub use platforms::{
    AvailabilityWords, EntryPoints, OwnDevices, PlatformName, PlatformReport, ProcessGroups,
    StandIns, VendorWords,
};

/// What a value stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ValueKind {
    /// A device of `PyTorch`'s.
    Device,
    /// A backend of `torch.distributed`.
    Backend,
    /// A dispatch key.
    DispatchKey,
    /// The name of something else: an implementation, a library, a platform.
    Other,
}

/// The table `mappings/python_values.toml`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct PythonValues {
    /// A file without any of these is not looked at.
    pub words: WordList,
    /// Words of other tables for which a file is looked at, too.
    #[serde(skip)]
    pub entry_words: EntryWords,
    /// Endings of the files that are translated.
    pub endings: Vec<String>,
    /// Modules whose names belong to builds.
    pub builds: BuildNames,
    /// The module of `PyTorch`'s for CUDA.
    pub module: NamePair,
    /// What an import statement says in place of a module.
    #[serde(rename = "import-home")]
    pub import_homes: Vec<ImportHome>,
    /// Names that hold values.
    pub names: Vec<ValueNames>,
    /// Calls that take values.
    #[serde(rename = "call")]
    pub calls: Vec<PositionedCall>,
    /// Calls that give values.
    #[serde(rename = "result")]
    pub results: Vec<ResultOf>,
    /// Keywords with another name.
    #[serde(rename = "keyword")]
    pub keywords: Vec<RenamedKeyword>,
    /// Calls that give libraries.
    #[serde(rename = "library")]
    pub libraries: Vec<LibraryOf>,
    /// Dispatch keys.
    #[serde(rename = "dispatch-key")]
    pub dispatch_keys: Vec<NamePair>,
    /// What gives the names of devices' types.
    pub type_names: TypeNames,
    /// Functions that give the module whose name they are called with.
    pub importers: Vec<String>,
    /// Parameters whose callers give `PyTorch`'s module.
    pub torch_parameters: Vec<String>,
    /// Calls that put paths together.
    pub paths: Vec<String>,
    /// Methods of paths that do so.
    pub path_methods: Vec<String>,
    /// Functions and methods that take a pattern for names of files.
    pub file_patterns: Vec<String>,
    /// Methods that only tensors have, and that give tensors.
    pub tensor_methods: Vec<String>,
    /// Methods of modules that give all of their tensors.
    pub module_tensors: Vec<String>,
    /// Members that tensors have, and objects that tell platforms do not.
    pub tensor_members: Vec<String>,
    /// Methods that modules have, and other objects that programs move to a device do not.
    pub module_members: Vec<String>,
    /// Classes of tensors, from which projects make their own.
    pub tensor_classes: Vec<String>,
    /// Classes of modules.
    pub module_classes: Vec<String>,
    /// Functions whose counterpart takes fewer keywords.
    pub narrower: Vec<Narrower>,
    /// Members of any object.
    #[serde(rename = "member")]
    pub members: Vec<Member>,
    /// What tells the platform.
    #[serde(rename = "platform")]
    pub platforms: Vec<PlatformName>,
    /// Words for platforms.
    pub vendors: VendorWords,
    /// Names of `PyTorch`'s elsewhere.
    pub torch_names: TorchNames,
    /// Backends of process groups.
    pub process_groups: ProcessGroups,
    /// What the question for a GPU is for.
    pub availability: AvailabilityWords,
    /// Calls whose other parts tell.
    pub words_of_calls: CallWords,
    /// Words that a person writes for a program.
    pub users_words: UsersWords,
    /// What tests put in the place of `PyTorch`'s objects.
    #[serde(rename = "stand-ins")]
    pub stand_ins: StandIns,
    /// Folders of `PyTorch`'s headers.
    #[serde(rename = "torch-folders")]
    pub torch_folders: Vec<String>,
    /// Where programs start.
    pub entry: EntryPoints,
    /// Functions that `TorchScript` compiles.
    pub torchscript: TorchScript,
    /// Functions of regular expressions.
    pub patterns: Patterns,
    /// Packages with devices of their own.
    #[serde(rename = "own-devices")]
    pub own_devices: Vec<OwnDevices>,
}

impl PythonValues {
    /// Whether a Python file of this path is translated.
    pub fn translates(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        !name.contains('.') || ends_with_one(name, &self.endings)
    }

    /// The names that ask for a GPU. They tell the platform only where the code asks for other platforms, too.
    pub fn gpu_questions(&self) -> impl Iterator<Item = &PlatformName> {
        let names = self.platforms.iter();
        names.filter(|one| one.report == PlatformReport::BesideOthers)
    }

    /// Whether a dotted name asks for a GPU.
    pub fn is_gpu_question(&self, name: &str) -> bool {
        self.gpu_questions().any(|one| one.name == name)
    }

    /// Whether a text has a word that makes it worth a look.
    pub fn may_matter(&self, text: &[u8]) -> bool {
        let mut places = self.places_to_look_at(text, &self.entry_words, None);
        places.next().is_some()
    }

    /// Where a text has words that make it worth a look. `entry_words` are those of other tables that count in the tree, and
    /// `packages` those of them that name packages and that the text may have, where that is known.
    pub fn places_to_look_at<'a>(
        &'a self,
        text: &'a [u8],
        entry_words: &'a EntryWords,
        packages: Option<&'a [u32]>,
    ) -> impl Iterator<Item = usize> + 'a {
        // Most modules that are looked at have one of this table's: the others are searched for behind these.
        let others = std::iter::once_with(move || entry_words.places(text, packages));
        self.words.places(text).chain(others.flatten())
    }

    /// Where the words of this table start and end in a text, in order.
    pub fn word_spans(&self, text: &[u8]) -> impl Iterator<Item = (usize, usize)> {
        self.words.spans(text)
    }

    /// Whether a module mentions torch. The import of the package for run time, which a port puts into programs, does not.
    pub fn mentions_torch(&self, text: &[u8]) -> bool {
        let own = self.entry.import.as_bytes();
        let mut places = memmem::find_iter(text, &self.torch_names.root);
        places.any(|at| !text.get(at..).is_some_and(|rest| rest.starts_with(own)))
    }

    /// Whether a part of a module has one of the words of this table.
    pub fn has_word(&self, text: &[u8]) -> bool {
        self.words.is_in(text)
    }

    /// Whether a name holds values of a kind.
    pub fn holds(&self, name: &[u8], kind: ValueKind) -> bool {
        let name = String::from_utf8_lossy(name).to_ascii_lowercase();
        let name = name.replace('-', "_");
        // `device1` holds what `device` does.
        let name = name.trim_end_matches(|last: char| last.is_ascii_digit());
        let name = name.trim_matches('_').to_owned();
        self.names
            .iter()
            .filter(|names| names.kind == kind)
            .any(|names| names.exact.contains(&name) || ends_with_one(&name, &names.endings))
    }

    /// What an import statement says in place of a module's name.
    pub fn import_home(&self, module: &str) -> String {
        let inside = |front: &str| {
            let rest = module.strip_prefix(front)?;
            (rest.is_empty() || rest.starts_with('.')).then_some(rest)
        };
        self.import_homes
            .iter()
            .filter_map(|one| inside(&one.module).map(|rest| (one, rest)))
            .max_by_key(|(one, _)| one.module.len())
            .map_or_else(
                || module.to_owned(),
                |(one, rest)| format!("{}{rest}", one.home),
            )
    }

    /// What the argument of a call is.
    pub fn argument(&self, callee: &str, position: usize) -> Option<ValueKind> {
        self.calls
            .iter()
            .find(|call| call.argument == position && call.callee == callee)
            .map(|call| call.kind)
    }

    /// What a call takes by a keyword whose name alone does not tell.
    pub fn keyword_of(&self, callee: &str, keyword: &[u8]) -> Option<ValueKind> {
        let is_it = |name: &String| name.as_bytes() == keyword;
        self.calls
            .iter()
            .find(|call| call.keyword.as_ref().is_some_and(is_it) && call.callee == callee)
            .map(|call| call.kind)
    }

    /// What the result of a call is.
    pub fn result(&self, callee: &str) -> Option<ValueKind> {
        self.results
            .iter()
            .find(|result| result.callee == callee)
            .map(|result| result.kind)
    }
}
