//! Where Python has names of CUDA's in strings, and what such a string means: `mappings/python_strings.toml`.

use serde::{Deserialize, Serialize};

use crate::variables::EnvironmentPlaces;

/// What a function that opens libraries is called with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LoaderArgument {
    /// The name of a file.
    File,
    /// The library's name, without what stands before and behind it in the file's.
    Name,
}

/// A function that opens or finds a library.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Loader {
    /// A dotted name; a method of any object behind `*.`.
    pub callee: String,
    /// What its first argument is.
    pub takes: LoaderArgument,
    /// Whether the runtime package does not reach it.
    #[serde(default)]
    pub unpatched: bool,
}

/// How libraries are opened.
#[derive(Debug, Serialize, Deserialize)]
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

/// A column of the profiler's.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProfilerColumn {
    /// CUDA's.
    pub cuda: String,
    /// The name that the column has on every platform.
    pub to: String,
    /// Whether only the profiler writes it so.
    pub own: bool,
}

/// A column by the name that one function wants for it.
#[derive(Debug, Serialize, Deserialize)]
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
#[derive(Debug, Serialize, Deserialize)]
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
#[derive(Debug, Serialize, Deserialize)]
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
    pub columns: Vec<ProfilerColumn>,
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
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct QuotedPlaces {
    /// Functions of Python's own that take an object and the name of a member.
    pub members: Vec<String>,
    /// Methods that take the name of a member.
    pub member_methods: Vec<String>,
    /// The names among `members` and `member_methods` that only ask for a member.
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
    /// What a text has that is a graph of `TorchScript`'s, or a part of one.
    pub graphs: Vec<String>,
    /// Methods that take or give a type of tensors by name.
    pub type_methods: Vec<String>,
    /// Functions that refuse the types of `torch_musa`.
    pub refuse_types: Vec<String>,
    /// Where this comes from.
    pub source: String,
}

/// Texts of errors.
#[derive(Debug, Serialize, Deserialize)]
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
    /// Keywords whose values are looked for in the text of an error.
    pub keywords: Vec<String>,
    /// Methods of an error's text that look for another text in it.
    pub asks: Vec<String>,
    /// What to do about it.
    pub advice: String,
    /// Where this comes from.
    pub source: String,
}

/// Texts that name CUDA to a tool or a library.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ToolString {
    /// What such a text is.
    pub what: String,
    /// Whole texts.
    #[serde(default)]
    pub exact: Vec<String>,
    /// What stands before the name of a library in `libraries.toml`, which is the whole text.
    #[serde(default)]
    pub library_behind: Option<String>,
    /// How they begin.
    #[serde(default)]
    pub starts: Vec<String>,
    /// What stands anywhere in them.
    #[serde(default)]
    pub parts: Vec<String>,
    /// What stands in them before something that is put in.
    #[serde(default)]
    pub before_value: Vec<String>,
    /// What stands in the tag of an image that is made for a release of CUDA's.
    #[serde(default)]
    pub tags: Vec<String>,
    /// How a line of theirs begins that has one of the parts, whatever stands in the others.
    #[serde(default)]
    pub lines: Vec<String>,
    /// Keywords; the text then counts only as the value of one in a call of `callees`, or in an entry or a list of that name.
    #[serde(default)]
    pub keywords: Vec<String>,
    /// The functions whose `keywords` count.
    #[serde(default)]
    pub callees: Vec<String>,
    /// Also in a list whose name ends in one of these words.
    #[serde(default)]
    pub lists: Vec<String>,
    /// Only compared with members and variables of these names.
    #[serde(default)]
    pub compared_with: Vec<String>,
    /// Only as arguments of functions with this in their names.
    #[serde(default)]
    pub loaders: Vec<String>,
    /// Only behind one of these options of a program, in a list of words or in the text of a command.
    #[serde(default)]
    pub options: Vec<String>,
    /// Only in modules that have one of these words.
    #[serde(default)]
    pub modules: Vec<String>,
    /// Members of packages, by their dotted names.
    #[serde(default)]
    pub names: Vec<String>,
    /// What to do about it.
    pub advice: String,
    /// Where this comes from.
    pub source: String,
}

/// How options, fields and parameters are declared by calls.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct OptionDeclarations {
    /// Keywords for an option's values.
    pub values: Vec<String>,
    /// Keywords for its name.
    pub names: Vec<String>,
    /// Keywords for the text beside a widget, which says what its values are.
    pub labels: Vec<String>,
    /// Keywords for the values of such a widget.
    pub labelled: Vec<String>,
    /// Keywords for its type.
    pub types: Vec<String>,
    /// Calls that declare an option of a program.
    pub declares: Vec<String>,
    /// How calls begin that do so by the option's name and its default.
    pub defines: String,
    /// Calls that stand around values.
    pub wrappers: Vec<String>,
    /// What stands around values in an annotation.
    pub annotations: Vec<String>,
    /// Calls that declare what a function gives.
    pub fixtures: Vec<String>,
    /// Their keywords for the values.
    pub fixture_values: Vec<String>,
    /// How the function of a fixture reads one of the values.
    pub fixture_members: Vec<String>,
    /// Calls that make a parameter of a function an option, or an argument, of a program.
    pub parameters: Vec<String>,
    /// Decorators that make a function a command of a program, whose parameters are options.
    pub commands: Vec<String>,
    /// Functions that take a program's arguments.
    pub parsers: Vec<String>,
    /// Where this comes from.
    pub source: String,
}

/// The table `mappings/python_strings.toml`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct PythonStrings {
    /// Environment variables.
    pub environment: EnvironmentPlaces,
    /// Libraries of C functions.
    pub libraries: LibraryPlaces,
    /// Profilers.
    pub profiler: Profiler,
    /// Names in strings.
    pub quoted: QuotedPlaces,
    /// Texts of errors.
    pub messages: Messages,
    /// Texts that name CUDA to a tool or a library.
    #[serde(rename = "tool-string")]
    pub tool_strings: Vec<ToolString>,
    /// Options, fields and parameters.
    pub options: OptionDeclarations,
}
