//! The facts that one file contributes to the project: the result of the cheap pass over all files.

use super::guards::{Switch, UnsupportedSymbol};
use super::platforms::regions::Region;
use super::tree::paths;
use torchada_hazards::CapabilityNames;
use torchada_text::TextRange;

/// An `#include`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Include {
    /// The path between the delimiters.
    pub range: TextRange,
    /// The path.
    pub path: String,
    /// Whether it stands in `<…>`.
    pub angled: bool,
    /// The platforms that the directive is for.
    pub region: Region,
    /// Whether no conditional decides about it.
    pub always: bool,
    /// Whether builds with CUDA leave the directive out.
    pub without_cuda: bool,
}

impl Include {
    /// Whether the directive is compiled where MUSA is the platform.
    pub fn is_for_musa(&self) -> bool {
        !matches!(self.region, Region::OtherVendor | Region::NotMusa)
    }

    /// What the path of the file that is meant ends with, whichever folder the include is looked up in.
    pub(super) fn suffix(&self) -> &str {
        let path = self.path.trim_start_matches("./");
        path.trim_start_matches("../")
    }
}

/// The kind of a project's declaration of a CUDA name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DeclaredAs {
    /// `#define cudaX …` with a meaning of the project's own.
    Macro,
    /// `#define cudaX musaX`, or a type alias to a name of the target.
    Alias,
    /// `#define cudaX hipX`: another vendor's alias.
    VendorAlias,
    /// A function with a body.
    Function,
    /// A function without a body.
    Prototype,
    /// A type.
    Type,
    /// A member of a class, or an enumerator of a scoped enumeration.
    Member,
    /// A variable at file or namespace level.
    Variable,
    /// A parameter or a variable of a function.
    Local,
}

impl DeclaredAs {
    /// Whether a declaration can take CUDA's place in builds without CUDA.
    pub fn can_stand_in(self) -> bool {
        matches!(
            self,
            Self::Macro | Self::Function | Self::Prototype | Self::Type
        )
    }
}

/// One declaration of a CUDA name by the project.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OwnDeclaration {
    /// The name.
    pub name: Vec<u8>,
    /// The kind of the declaration.
    pub what: DeclaredAs,
    /// The namespaces and classes around it, outermost first.
    pub scope: Vec<Vec<u8>>,
    /// The name's own place.
    pub at: TextRange,
    /// The stretch of the file in which the name has this meaning: the block of a local, from a `#define` to the
    /// `#undef` that ends it, else the whole file.
    pub reach: TextRange,
    /// The definition's own body: inside it, a global function's name is CUDA's.
    pub body: Option<TextRange>,
}

/// One piece of a name that `##` pastes together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PastedPiece {
    /// Its place in the macro's body.
    pub range: TextRange,
    /// Its text.
    pub text: Vec<u8>,
    /// The index of the macro's parameter that the piece is, if it is one.
    pub parameter: Option<usize>,
}

/// A macro that pastes names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Paster {
    /// The macro's name.
    pub name: Vec<u8>,
    /// How many parameters it takes.
    pub arity: usize,
    /// Its pasted names.
    pub names: Vec<Vec<PastedPiece>>,
    /// Parameters that are used only as pieces of pasted names.
    pub only_pasted: Vec<bool>,
}

impl Paster {
    /// The entries of a list, sorted by name, that have the name `name`.
    pub fn named<'l>(list: &'l [Self], name: &[u8]) -> &'l [Self] {
        named(list, name, |one| &one.name)
    }
}

/// A macro that hands the pieces of a name to another one, which may paste them: `#define API(name) CONCAT(cuda, name)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Joiner {
    /// The other macro.
    pub callee: Vec<u8>,
    /// The macro, with the arguments of the call as the pieces of its one name.
    pub macro_itself: Paster,
}

impl Joiner {
    /// Whether a piece is a word of the macro's own, with which a name of CUDA's begins.
    pub fn has_word(&self) -> bool {
        let mut pieces = self.macro_itself.names.iter().flatten();
        pieces.any(|piece| piece.parameter.is_none())
    }
}

/// A macro that does something of its own with some of its parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParameterMacro {
    /// The macro's name.
    pub name: Vec<u8>,
    /// The indices of the parameters.
    pub parameters: Vec<usize>,
}

impl ParameterMacro {
    /// The entries of a list, sorted by name, that have the name `name`.
    pub fn named<'l>(list: &'l [Self], name: &[u8]) -> &'l [Self] {
        named(list, name, |one| &one.name)
    }
}

fn named<'l, T>(list: &'l [T], name: &[u8], of: fn(&T) -> &[u8]) -> &'l [T] {
    let from = list.partition_point(|one| of(one) < name);
    let length = list.get(from..).unwrap_or_default();
    let length = length.partition_point(|one| of(one) == name);
    list.get(from..from + length).unwrap_or_default()
}

/// A macro or a function that hands a parameter to a call which takes a CUDA name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Forwarder {
    /// Its name.
    pub name: Vec<u8>,
    /// The parameter's place, 0-based.
    pub parameter: usize,
    /// The index of the call that takes the argument, among the calls of the knowledge base.
    pub consumer: usize,
    /// Whether the macro or function uses the parameter for nothing else.
    pub only: bool,
}

/// A macro that calls another macro, its argument, with names of its own:
/// `#define LIST(F) F(cuInit) F(cuCtxCreate)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListMacro {
    /// The macro's name.
    pub name: Vec<u8>,
    /// The calls in its body.
    pub calls: Vec<ParameterCall>,
}

/// A call of a macro's parameter in its body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParameterCall {
    /// The parameter.
    pub parameter: usize,
    /// The arguments, each with its place.
    pub arguments: Vec<(TextRange, Vec<u8>)>,
}

/// One use of a macro that makes names, members or strings of its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invocation {
    /// The macro's name.
    pub name: Vec<u8>,
    /// Its arguments, each with its place.
    pub arguments: Vec<(TextRange, Vec<u8>)>,
    /// Index of the file that holds the arguments.
    pub file: usize,
    /// Index of the file that the macro is used in: another one where a list hands it the
    /// arguments.
    pub used_in: usize,
}

/// The platforms whose headers a file includes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PlatformHeaders {
    /// CUDA's, in a branch that is not another platform's.
    pub cuda: bool,
    /// MUSA's own, whatever the platform.
    pub musa: bool,
}

/// The facts about one file that other files need.
#[derive(Clone, Default, Debug)]
pub struct FileFacts {
    /// Its includes, by place.
    pub includes: Vec<Include>,
    /// CUDA names that it declares.
    pub declared: Vec<OwnDeclaration>,
    /// CUDA names that it declares for builds in which CUDA lacks them: they mean CUDA's.
    pub stand_ins: Vec<Vec<u8>>,
    /// Macros that paste names, by their own names.
    pub pasters: Vec<Paster>,
    /// Macros that hand pieces of a name to another one.
    pub joiners: Vec<Joiner>,
    /// Macros that make strings of their arguments, by their names.
    pub stringizers: Vec<ParameterMacro>,
    /// Macros that take members by the names in their arguments, by their own names.
    pub accessors: Vec<ParameterMacro>,
    /// The accessors that give the member what has its name, `.name = name`.
    pub namesakes: Vec<ParameterMacro>,
    /// Macros that hand a parameter to a call which takes a CUDA name.
    pub forwarders: Vec<Forwarder>,
    /// Macros that hand names to another one.
    pub lists: Vec<ListMacro>,
    /// Members that it speaks of under CUDA names: accesses and declarations.
    pub members: Vec<Vec<u8>>,
    /// Names of its own that lead to what MUSA lacks.
    pub unsupported: Vec<UnsupportedSymbol>,
    /// Classes that it defines.
    pub classes: Vec<Vec<u8>>,
    /// Macros and constants of its own that stand for a newer architecture.
    pub switches: Vec<Switch>,
    /// The value that it gives the architecture's macro on MUSA.
    pub architecture: Option<i64>,
    /// The capabilities that the file's own names stand for.
    pub named: CapabilityNames,
    /// Templates that it gives a number which may be an architecture's.
    pub numbered_templates: Vec<Vec<u8>>,
    /// Names of its own that are only written as CUDA writes names.
    pub lookalikes: Vec<Vec<u8>>,
    /// Names that it declares directly inside a namespace of the tables, such as `at::cuda`.
    pub extensions: Vec<String>,
    /// Namespaces that it makes visible with `using namespace`, as `a::b`.
    pub usings: Vec<String>,
    /// `namespace x = a::b;`
    pub namespace_aliases: Vec<(String, String)>,
    /// Names of namespaces that it opens, as `a::b`.
    pub namespaces: Vec<String>,
    /// Whether a string of it is the name of a device and nothing else: `"cuda"`.
    pub names_device: bool,
    /// Whether including it a second time adds nothing: it says `#pragma once`, or begins with an
    /// include guard.
    pub once: bool,
    /// The mark by which the whole file is another vendor's.
    pub foreign: Option<VendorMark>,
    /// The platforms whose headers it includes.
    pub platforms: PlatformHeaders,
    /// Whether any token of it is in the tables and not the same on MUSA, or any of its string
    /// literals may be a name or code.
    pub has_hits: bool,
}

impl FileFacts {
    /// Whether the file at `path` includes the library's header that it is called after: `util/cuda.h` with `<cuda.h>`.
    pub(super) fn wraps_namesake(&self, path: &str) -> bool {
        let name = paths::file_name(path);
        let mut includes = self.includes.iter();
        includes.any(|include| include.angled && include.path == name)
    }
}

/// A name of a source file in a file that builds or describes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mention {
    /// The range of the mention.
    pub range: TextRange,
    /// Whether what it names has to be found under this name. Globs in scripts choose what is formatted or linted.
    pub binds: bool,
    /// The path or pattern as written.
    pub text: String,
    /// 1-based line.
    pub line: usize,
    /// The folders in which the files can lie that the mention means.
    pub reach: Reach,
}

/// The folders in which the files can lie that a mention means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reach {
    /// Wherever the text may lead: a build has variables and folders of its own.
    Open,
    /// As `Open`, and anywhere below the folders that the text names.
    Deep,
    /// Wherever the path ends as the text spells it, with `_` for each sign that no identifier can have.
    Spelled,
    /// As `Open`, and in any folder that ends with these, to which the text is joined: `os.path.join(root, "cuda", "*.cu")`.
    Joined(String),
    /// As `Open`, seen from this folder: the file is a part of makefiles that lie in it or below it.
    From(String),
    /// Exactly where the text says, seen from this folder; it may begin with `**`.
    At(String),
    /// Anywhere below this folder; empty for the whole tree.
    Below(String),
    /// Wherever it lies: a regular expression looks at the ending alone.
    Expression,
}

/// The marks by which a whole file is another vendor's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum VendorMark {
    /// The file includes this header on every platform.
    Header(String),
    /// The file uses names of this namespace on every platform.
    Namespace(String),
    /// The file uses this name, which nobody else has, on every platform.
    Name(String),
    /// The file's name ends so.
    Ending(String),
}
