//! What a value in Python is by its position: `mappings/positions.toml`.

use std::sync::OnceLock;

use aho_corasick::AhoCorasick;
use serde::Deserialize;

/// What a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
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

/// Names that hold values of one kind.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Names {
    /// What they hold.
    pub kind: ValueKind,
    /// Whole names.
    pub exact: Vec<String>,
    /// Ends of names.
    pub endings: Vec<String>,
    /// Where this comes from.
    pub source: String,
}

/// A call that takes a value at a place.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PositionedCall {
    /// A dotted name, or a method behind a dot.
    pub callee: String,
    /// 0-based.
    pub argument: usize,
    /// What the value is.
    pub kind: ValueKind,
    /// Where this comes from.
    pub source: String,
}

/// A call whose result is of a kind.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResultOf {
    /// A dotted name.
    pub callee: String,
    /// What the result is.
    pub kind: ValueKind,
    /// Where this comes from.
    pub source: String,
}

/// A keyword that has another name on MUSA.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RenamedKeyword {
    /// A dotted name.
    pub callee: String,
    /// CUDA's.
    pub cuda: String,
    /// MUSA's.
    pub musa: String,
    /// Where this comes from.
    pub source: String,
}

/// A call that gives a library of C functions.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LibraryOf {
    /// A dotted name.
    pub callee: String,
    /// Where this comes from.
    pub source: String,
}

/// What builds extensions.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Builds {
    /// Modules whose names stay.
    pub modules: Vec<String>,
    /// What a name of CUDA's has in it, in lower case.
    pub words: Vec<String>,
    /// What to do about a name that has a counterpart.
    pub advice: String,
    /// What to do about another.
    #[serde(rename = "advice-unlisted")]
    pub advice_unlisted: String,
    /// Where this comes from.
    pub source: String,
}

/// A name and its counterpart.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// CUDA's.
    pub cuda: String,
    /// MUSA's.
    pub musa: String,
    /// Where this comes from.
    pub source: String,
}

/// Attributes that give the name of a device's type, which is that of a dispatch key.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TypeNames {
    /// Their names.
    pub attributes: Vec<String>,
    /// What they are attributes of.
    pub of: Vec<String>,
    /// Where this comes from.
    pub source: String,
}

/// Where a module lies that only an attribute leads to.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImportHome {
    /// Its name where it is used.
    pub module: String,
    /// Its name where it is imported.
    pub home: String,
    /// Where this comes from.
    pub source: String,
}

/// A member that is `PyTorch`'s on whatever object it is used.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Member {
    /// Its name.
    pub cuda: String,
    /// Whether it is called.
    pub call: bool,
    /// The row of python.toml that has its counterpart.
    pub row: String,
    /// Where this comes from.
    pub source: String,
}

/// When a name by which projects tell the platform is reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlatformReport {
    /// At every use, and it stays.
    Always,
    /// Where it is asked whether it is absent.
    WhenAbsent,
    /// Where other platforms are asked for beside it, and it stays there.
    BesideOthers,
    /// Where its result is compared with numbers; the name itself is renamed.
    Numbers,
}

/// A name by which projects tell the platform.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlatformName {
    /// A dotted name.
    pub name: String,
    /// When it is reported.
    pub report: PlatformReport,
    /// What to do about it.
    pub advice: String,
    /// Where this comes from.
    pub source: String,
}

/// Words for platforms.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VendorWords {
    /// Those beside CUDA and MUSA.
    pub others: Vec<String>,
    /// MUSA's.
    pub target: Vec<String>,
    /// CUDA's, in names of projects' own.
    pub own: Vec<String>,
    /// The device that is there always.
    pub host: Vec<String>,
    /// Where this comes from.
    pub source: String,
}

/// Where programs start, and what they import there.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntryPoints {
    /// The package for run time.
    pub import: String,
    /// Its function that tells whether MUSA is the platform.
    pub asks: String,
    /// File names with which a package or a test run starts.
    pub files: Vec<String>,
    /// Names of files that build a package.
    pub builds: Vec<String>,
    /// Modules that never bring torch in.
    pub standard: Vec<String>,
    /// Packages that never do.
    pub harmless: Vec<String>,
    /// Where this comes from.
    pub source: String,
}

/// What tells the purpose of the question whether there is a GPU.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AvailabilityWords {
    /// Calls that leave tests out, in lower case.
    pub guards: Vec<String>,
    /// Members of the module for CUDA that take a device, or give the one that is taken.
    pub takes: Vec<String>,
    /// Calls that end a program.
    pub exits: Vec<String>,
    /// Names, in lower case, that say what the platform is.
    pub tells: Vec<String>,
    /// Where this comes from.
    pub source: String,
}

/// A function whose counterpart takes fewer keywords.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Narrower {
    /// Its dotted name.
    pub callee: String,
    /// What the counterpart takes.
    pub keywords: Vec<String>,
    /// How that is known.
    pub source: String,
}

/// What tests put in the place of `PyTorch`'s objects.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct StandIns {
    /// Words in the names of their classes.
    pub words: Vec<String>,
    /// Calls that make an object with the members that the keywords name, by their last names.
    pub makers: Vec<String>,
    /// How that is known.
    pub source: String,
}

/// Calls another part of which tells what they take, by their last names.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct CallWords {
    /// A case of a test.
    pub cases: Vec<String>,
    /// What runs a test with several cases.
    pub runs: Vec<String>,
    /// A default behind a key.
    pub keyed: Vec<String>,
    /// A value behind an object and the name of its attribute.
    pub attributes: Vec<String>,
    /// Methods of collections that take an item first.
    pub collects: Vec<String>,
    /// Those that take it second.
    pub inserts: Vec<String>,
    /// Methods of tables that take a key first.
    pub looks_up: Vec<String>,
    /// Methods that give a part of a text.
    pub parts: Vec<String>,
    /// Two values that are to be alike.
    pub compares: Vec<String>,
    /// How a text begins.
    pub compares_front: Vec<String>,
    /// What keeps arguments for a function.
    pub partial: Vec<String>,
    /// What takes texts for people.
    pub messages: Vec<String>,
    /// Keywords for such texts.
    pub message_keywords: Vec<String>,
    /// Ends of the names of errors.
    pub errors: Vec<String>,
    /// Keywords for the value of a field.
    pub field_values: Vec<String>,
    /// Where this comes from.
    pub source: String,
}

impl EntryPoints {
    /// Whether a package never brings torch in.
    pub fn is_harmless(&self, root: &str) -> bool {
        let mut known = self.standard.iter().chain(&self.harmless);
        known.any(|one| one == root)
    }
}

/// Names of backends.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ProcessGroups {
    /// Those of process groups, in lower case.
    pub backends: Vec<String>,
    /// Those of other platforms' process groups.
    pub others: Vec<String>,
    /// Those of what a project has besides process groups: a module that has one of them may have modes
    /// of its own with the names of the others.
    pub own: Vec<String>,
    /// Where this is known from.
    pub source: String,
}

/// Names of `PyTorch`'s outside its module for CUDA.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct TorchNames {
    /// The package.
    pub root: String,
    /// Words, in lower case, by which a name is known to be about CUDA.
    pub words: Vec<String>,
    /// Names with such a word, and what is in them, that are there for every device or are spoken of
    /// by other rules.
    pub of_all_devices: Vec<String>,
    /// The front of the names of torch's C module.
    pub private: String,
    /// What to do with one of those.
    pub private_advice: String,
    /// Where this is known from.
    pub source: String,
}

/// All of it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Positions {
    /// A file without any of these is not looked at.
    pub words: Vec<String>,
    /// Words of other tables for which a file is looked at, too.
    #[serde(skip)]
    pub more_words: Vec<String>,
    /// Endings of the files that are translated.
    pub endings: Vec<String>,
    /// Modules whose names belong to builds.
    pub builds: Builds,
    /// The module of `PyTorch`'s for CUDA.
    pub module: Pair,
    /// What an import statement says in place of a module.
    #[serde(rename = "import-home")]
    pub import_homes: Vec<ImportHome>,
    /// Names that hold values.
    pub names: Vec<Names>,
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
    pub dispatch_keys: Vec<Pair>,
    /// What gives the names of devices' types.
    pub type_names: TypeNames,
    /// Calls that put paths together.
    pub paths: Vec<String>,
    /// Methods that only tensors have, and that give tensors.
    pub tensor_methods: Vec<String>,
    /// Classes of tensors, from which projects make their own.
    pub tensor_classes: Vec<String>,
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
    /// What tests put in the place of `PyTorch`'s objects.
    #[serde(rename = "stand-ins")]
    pub stand_ins: StandIns,
    /// Where programs start.
    pub entry: EntryPoints,
}

impl Positions {
    /// Whether a Python file of this path is translated.
    pub fn translates(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        !name.contains('.') || self.endings.iter().any(|ending| name.ends_with(ending))
    }

    /// Whether a text has a word that makes it worth a look.
    pub fn may_matter(&self, text: &[u8]) -> bool {
        static WORDS: OnceLock<Option<AhoCorasick>> = OnceLock::new();
        WORDS
            .get_or_init(|| AhoCorasick::new(self.words.iter().chain(&self.more_words)).ok())
            .as_ref()
            .is_none_or(|words| words.is_match(text))
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
            .any(|names| {
                names.exact.contains(&name)
                    || names.endings.iter().any(|ending| name.ends_with(ending))
            })
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

    /// What the result of a call is.
    pub fn result(&self, callee: &str) -> Option<ValueKind> {
        self.results
            .iter()
            .find(|result| result.callee == callee)
            .map(|result| result.kind)
    }
}
