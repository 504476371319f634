//! What a Python program finds around it and asks for by names in strings: `mappings/surroundings.toml`.

use serde::Deserialize;

use super::variables::EnvironmentPlaces;

/// What a function that opens libraries is called with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Takes {
    /// The name of a file.
    File,
    /// The library's name, without what stands before and behind it in the file's.
    Name,
}

/// A function that opens or finds a library.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Loader {
    /// A dotted name; a method of any object behind `*.`.
    pub callee: String,
    /// What its first argument is.
    pub takes: Takes,
    /// Whether the runtime package does not reach it.
    #[serde(default)]
    pub unpatched: bool,
}

/// How libraries are opened.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LibraryPlaces {
    /// `lib`
    pub prefix: String,
    /// Ends of the names of files, without a version.
    pub suffixes: Vec<String>,
    /// Methods that take declarations in C.
    pub declares: Vec<String>,
    /// Functions that open libraries.
    #[serde(rename = "loader")]
    pub loaders: Vec<Loader>,
    /// Where this comes from.
    pub source: String,
}

/// A program of NVIDIA's.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Command {
    /// Its name.
    pub name: String,
    /// What MUSA has in its place.
    #[serde(default)]
    pub to: Option<String>,
    /// What to do about it.
    pub advice: String,
    /// Where this comes from.
    pub source: String,
}

/// How programs are run.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Commands {
    /// Last names of functions that run one.
    pub runners: Vec<String>,
    /// Whole names of what holds a command.
    pub exact: Vec<String>,
    /// Ends of such names.
    pub endings: Vec<String>,
    /// What stands beside a compiler's name where it is a key of flags.
    #[serde(rename = "flag-keys")]
    pub flag_keys: Vec<String>,
    /// The programs.
    #[serde(rename = "command")]
    pub known: Vec<Command>,
    /// Where this comes from.
    pub source: String,
}

impl Commands {
    /// Whether what has this name holds a command.
    pub fn holds(&self, name: &[u8]) -> bool {
        let name = String::from_utf8_lossy(name).to_ascii_lowercase();
        let name = name.trim_start_matches('_');
        self.exact.iter().any(|one| one == name)
            || self
                .endings
                .iter()
                .any(|ending| name.ends_with(ending.as_str()))
            || self
                .known
                .iter()
                .any(|one| one.name.replace('-', "_") == name)
    }

    /// Whether a function of this name runs a command.
    pub fn runs(&self, function: &[u8]) -> bool {
        self.runners.iter().any(|one| one.as_bytes() == function)
    }
}

/// A column of the profiler's.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Column {
    /// CUDA's.
    pub cuda: String,
    /// That of every platform.
    pub to: String,
    /// Whether only the profiler writes it so.
    pub own: bool,
}

/// A column by the name that one function wants for it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Metric {
    /// The function's last name.
    pub callee: String,
    /// CUDA's.
    pub cuda: String,
    /// MUSA's.
    pub to: String,
    /// Where this comes from.
    pub source: String,
}

/// A keyword that turns CUDA on, which becomes one that names the device.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Switch {
    /// A dotted name.
    pub callee: String,
    /// CUDA's keyword.
    pub cuda: String,
    /// The keyword in its place.
    pub keyword: String,
    /// The keyword's value.
    pub value: String,
    /// Where this comes from.
    pub source: String,
}

/// The profilers of `PyTorch`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profiler {
    /// Texts of which a module has one that uses a profiler.
    pub markers: Vec<String>,
    /// Keywords that take a column.
    pub keywords: Vec<String>,
    /// Methods whose argument is one.
    pub methods: Vec<String>,
    /// The columns.
    #[serde(rename = "column")]
    pub columns: Vec<Column>,
    /// Columns with another name for one function.
    #[serde(rename = "metric")]
    pub metrics: Vec<Metric>,
    /// Keywords that turn CUDA on.
    #[serde(rename = "switch")]
    pub switches: Vec<Switch>,
    /// Where this comes from.
    pub source: String,
}

/// Names of `PyTorch`'s in strings.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct QuotedPlaces {
    /// Functions of Python's own that take an object and the name of a member.
    pub members: Vec<String>,
    /// Methods that do.
    pub member_methods: Vec<String>,
    /// Those of them, and of the functions, that only ask.
    pub asks: Vec<String>,
    /// Functions whose first argument is a dotted name.
    pub wholes: Vec<String>,
    /// Functions that import what their first argument names.
    pub imports: Vec<String>,
    /// Methods whose first argument is one.
    pub whole_methods: Vec<String>,
    /// Functions of any module whose first argument is one.
    pub whole_functions: Vec<String>,
    /// Objects whose keys are modules.
    pub tables: Vec<String>,
    /// Keys whose values are dotted names.
    pub keys: Vec<String>,
    /// Functions that take code.
    pub code: Vec<String>,
    /// What a program in Python has in it that uses `PyTorch`.
    pub modules: Vec<String>,
    /// Methods that take or give a type of tensors by name.
    pub type_methods: Vec<String>,
    /// Functions that refuse the types of `torch_musa`.
    pub refuse_types: Vec<String>,
    /// Where this comes from.
    pub source: String,
}

/// Texts of errors.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Messages {
    /// Parts of texts that `PyTorch` and CUDA's libraries raise.
    pub texts: Vec<String>,
    /// Words that tell such a text alone.
    pub words: Vec<String>,
    /// Names that hold an error or its text.
    pub exact: Vec<String>,
    /// What gives an error's text.
    pub gives: Vec<String>,
    /// Functions that look for a text.
    pub functions: Vec<String>,
    /// Keywords that do.
    pub keywords: Vec<String>,
    /// What to do about it.
    pub advice: String,
    /// Where this comes from.
    pub source: String,
}

/// Texts that say CUDA to a tool or a library.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ToolString {
    /// What such a text is.
    pub what: String,
    /// Whole texts.
    #[serde(default)]
    pub exact: Vec<String>,
    /// How they begin.
    #[serde(default)]
    pub starts: Vec<String>,
    /// Only as the value of these keywords.
    #[serde(default)]
    pub keywords: Vec<String>,
    /// Of these functions.
    #[serde(default)]
    pub callees: Vec<String>,
    /// Only compared with members and variables of these names.
    #[serde(default)]
    pub held_by: Vec<String>,
    /// Only as arguments of functions with this in their names.
    #[serde(default)]
    pub loaders: Vec<String>,
    /// How those have to end that start so.
    #[serde(default)]
    pub ends: Vec<String>,
    /// Members of packages, by their dotted names.
    #[serde(default)]
    pub names: Vec<String>,
    /// What to do about it.
    pub advice: String,
    /// Where this comes from.
    pub source: String,
}

/// What `TorchScript` compiles.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scripted {
    /// Decorators of such functions.
    pub decorators: Vec<String>,
    /// Functions that compile the function which they are called with.
    pub functions: Vec<String>,
    /// What to know about it.
    pub advice: String,
    /// Where this comes from.
    pub source: String,
}

/// How options, fields and parameters are declared by calls.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Options {
    /// Keywords for an option's values.
    pub values: Vec<String>,
    /// Keywords for its name.
    pub names: Vec<String>,
    /// Keywords for its type.
    pub types: Vec<String>,
    /// Calls that stand around values.
    pub wrappers: Vec<String>,
    /// What stands around values in an annotation.
    pub annotations: Vec<String>,
    /// Calls that declare what a function gives.
    pub fixtures: Vec<String>,
    /// Their keywords for the values.
    pub fixture_values: Vec<String>,
    /// Functions that take a program's arguments.
    pub parsers: Vec<String>,
    /// Where this comes from.
    pub source: String,
}

/// All of it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Surroundings {
    /// Environment variables.
    pub environment: EnvironmentPlaces,
    /// Libraries of C functions.
    pub libraries: LibraryPlaces,
    /// Programs that are run.
    pub commands: Commands,
    /// Profilers.
    pub profiler: Profiler,
    /// Names in strings.
    pub quoted: QuotedPlaces,
    /// Texts of errors.
    pub messages: Messages,
    /// Texts that say CUDA to a tool.
    pub told: Vec<ToolString>,
    /// What `TorchScript` compiles.
    pub scripted: Scripted,
    /// Options, fields and parameters.
    pub options: Options,
}
