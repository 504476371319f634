//! The keys of a configuration file: one list for the reader, the documents and the schema.

use super::{InlinePtx, OnConflict, words};
use crate::mapping::{Dialect, Evidence, Rename, Vendored};

/// A key of `torchada.toml` or `[tool.torchada]`.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What its value is made of.
    pub holds: Holds,
    /// What it means, in Markdown.
    pub what: &'static str,
    /// A value, in TOML.
    pub example: &'static str,
}

/// What a value is made of.
#[derive(Clone, Copy, Debug)]
pub enum Holds {
    /// A list of strings.
    Strings,
    /// A list of codes of findings, or of their fronts.
    Codes,
    /// `true` or `false`.
    Boolean,
    /// A release in quotes.
    Version,
    /// A release, or a word in its place.
    VersionOr(&'static str),
    /// The path of a file, or a value in its place.
    PathOr(&'static str),
    /// One of some words.
    Choice(fn() -> Vec<String>),
    /// A table of folders and the folders beside them.
    Folders,
    /// A table of globs and the codes that they stand for.
    CodesByGlob,
    /// A mapping table: a row for each name.
    Rows,
    /// A table of texts.
    Texts,
    /// A table of lists of headers.
    Headers,
    /// A list of tables of a kind.
    Records(&'static str),
}

/// The settings, sorted by name.
pub const SETTINGS: &[Key] = &[
    Key {
        name: "all-code",
        holds: Holds::Boolean,
        what: "whether findings in C++ that no build for MUSA compiles count like all others; without it they are counted apart",
        example: "true",
    },
    Key {
        name: "cache",
        holds: Holds::Boolean,
        what: "whether a port leaves a cache in its output, which git ignores, so that the next port knows whether anything changed",
        example: "true",
    },
    Key {
        name: "cuda-version",
        holds: Holds::VersionOr("off"),
        what: "the CUDA release whose numbers replace macros such as `CUDA_VERSION`; without it the one that the project names; `\"off\"` leaves the macros",
        example: "\"12.4\"",
    },
    Key {
        name: "dialect",
        holds: Holds::Choice(words::<Dialect>),
        what: "the names that Python is written in: MUSA's, or CUDA's, which `import torchada` translates",
        example: "\"musa\"",
    },
    Key {
        name: "even-so",
        holds: Holds::Boolean,
        what: "whether parts that build for MUSA already, in a way of the project's own, are ported all the same",
        example: "false",
    },
    Key {
        name: "exclude",
        holds: Holds::Strings,
        what: "globs as in a `.gitignore`: files that are no input at all",
        example: "[\"third_party/\", \"*.generated.cu\"]",
    },
    Key {
        name: "facts",
        holds: Holds::PathOr("false"),
        what: "a facts file: what is known of the SDK that the port is for; `false` uses none, not even those of the SDK on this machine",
        example: "\"musa-facts.toml\"",
    },
    Key {
        name: "ignore",
        holds: Holds::Codes,
        what: "codes of findings, or beginnings of codes, that `check` leaves out; takes precedence over `select`",
        example: "[\"PY001\", \"CPP01\"]",
    },
    Key {
        name: "include-roots",
        holds: Holds::Strings,
        what: "folders in which includes are looked up",
        example: "[\"include\"]",
    },
    Key {
        name: "layout",
        holds: Holds::Folders,
        what: "folders that are ported into other folders of the same tree; `-o` and `--in-place` take precedence",
        example: "{ \"csrc/cuda\" = \"csrc/musa\" }",
    },
    Key {
        name: "mapping",
        holds: Holds::Strings,
        what: "table files of your own, laid over the built-in ones",
        example: "[\"musa-names.toml\"]",
    },
    Key {
        name: "min-evidence",
        holds: Holds::Choice(words::<Evidence>),
        what: "the weakest evidence on which a name is translated",
        example: "\"table\"",
    },
    Key {
        name: "on-conflict",
        holds: Holds::Choice(words::<OnConflict>),
        what: "what happens if your edit of a port and the next port changed the same lines: both are marked in the file, one side is taken, or nothing is written",
        example: "\"mark\"",
    },
    Key {
        name: "own-names",
        holds: Holds::Strings,
        what: "identifiers that are the project's own: never translated",
        example: "[\"cudaPoolFree\"]",
    },
    Key {
        name: "paths",
        holds: Holds::Strings,
        what: "the paths that `check` looks at if the command line has none",
        example: "[\"csrc\", \"python\"]",
    },
    Key {
        name: "per-file-ignores",
        holds: Holds::CodesByGlob,
        what: "globs as in a `.gitignore`, each with the codes of findings, or beginnings of codes, that are suppressed in the files that it matches",
        example: "{ \"tests/\" = [\"PY\"], \"legacy.cu\" = [\"CPP056\"] }",
    },
    Key {
        name: "ptx",
        holds: Holds::Choice(words::<InlinePtx>),
        what: "what becomes of inline PTX: it stays, it is translated to C++, or what MUSA does only with more work is translated, too",
        example: "\"translate\"",
    },
    Key {
        name: "rename",
        holds: Holds::Choice(words::<Rename>),
        what: "whether `.cu` becomes `.mu` and `.cuh` becomes `.muh`; `auto` renames a file if the build will find it",
        example: "\"auto\"",
    },
    Key {
        name: "sdk",
        holds: Holds::Version,
        what: "the MUSA SDK that the port is for: what came later counts as missing",
        example: "\"4.3.0\"",
    },
    Key {
        name: "select",
        holds: Holds::Codes,
        what: "the only codes of findings, or beginnings of codes, that `check` shows",
        example: "[\"CPP\", \"PRJ\"]",
    },
    Key {
        name: "stub",
        holds: Holds::Boolean,
        what: "whether a port of a tree whose Python uses torch writes the package for run time, `torchada/`",
        example: "true",
    },
    Key {
        name: "target",
        holds: Holds::Strings,
        what: "GPU generations that the port is for: hazards of the others are left out",
        example: "[\"mp_31\"]",
    },
    Key {
        name: "torch-musa",
        holds: Holds::Version,
        what: "the torch_musa release that the port is for: what came later counts as missing",
        example: "\"2.1.0\"",
    },
    Key {
        name: "vendored",
        holds: Holds::Choice(words::<Vendored>),
        what: "what happens to a library that the tree carries along: it stays, or its includes go to MUSA's counterpart",
        example: "\"keep\"",
    },
];

/// The mapping tables, sorted by name: as in a table file.
pub const TABLES: &[Key] = &[
    Key {
        name: "advice",
        holds: Holds::Texts,
        what: "advice that rows share, by the name of their family",
        example: "{ pool = \"use one stream\" }",
    },
    Key {
        name: "architectures",
        holds: Holds::Records("architecture"),
        what: "what a number of CUDA's architectures answers to, for one feature",
        example: "[{ feature = \"bf16\", sm = 800, mp = 220, evidence = \"table\", source = \"ours\" }]",
    },
    Key {
        name: "environment",
        holds: Holds::Rows,
        what: "environment variables",
        example: "{ CUDA_LOG = \"MUSA_LOG\" }",
    },
    Key {
        name: "flags",
        holds: Holds::Rows,
        what: "options of the compiler",
        example: "{ \"--expt-x\" = \"--musa-x\" }",
    },
    Key {
        name: "forbid",
        holds: Holds::Strings,
        what: "names that stay, whatever the tables say",
        example: "[\"cudaProfilerStart\"]",
    },
    Key {
        name: "hazards",
        holds: Holds::Records("hazard"),
        what: "what a port can't mend by renaming, and is to be reported",
        example: "[{ id = \"own-fence\", title = \"a fence of ours\", severity = \"warning\", find = [\"name:our_fence\"], why = \"it spins\", advice = \"see docs\", evidence = \"confirmed\", source = \"ours\" }]",
    },
    Key {
        name: "headers",
        holds: Holds::Rows,
        what: "paths in `#include`; one that ends in `/` stands for all below it",
        example: "{ \"cudaX.h\" = \"musaX.h\" }",
    },
    Key {
        name: "libraries",
        holds: Holds::Rows,
        what: "libraries as link lines name them",
        example: "{ cudax = \"musax\" }",
    },
    Key {
        name: "library-files",
        holds: Holds::Rows,
        what: "file names of libraries",
        example: "{ \"libcudax.so\" = \"libmusax.so\" }",
    },
    Key {
        name: "members",
        holds: Holds::Rows,
        what: "identifiers that count only after `.` or `->`",
        example: "{ is_cudax = \"is_musax\" }",
    },
    Key {
        name: "names",
        holds: Holds::Rows,
        what: "identifiers of C and C++",
        example: "{ cudaX = { to = \"musaX\", evidence = \"confirmed\", source = \"SDK 4.3 headers\" } }",
    },
    Key {
        name: "namespaces",
        holds: Holds::Rows,
        what: "namespaces",
        example: "{ \"x::cuda\" = \"x::musa\" }",
    },
    Key {
        name: "needs",
        holds: Holds::Headers,
        what: "headers of which one must be visible before a row counts, by a name for them",
        example: "{ x = [\"cudaX.h\"] }",
    },
    Key {
        name: "python",
        holds: Holds::Rows,
        what: "names of PyTorch's in Python, with their modules",
        example: "{ \"torch.cuda.x\" = \"torch.musa.x\" }",
    },
    Key {
        name: "qualified",
        holds: Holds::Rows,
        what: "whole qualified names of C++",
        example: "{ \"x::cuda::f\" = \"x::musa::f\" }",
    },
    Key {
        name: "sources",
        holds: Holds::Texts,
        what: "where evidence comes from, by a name for it",
        example: "{ sdk = \"SDK 4.3 headers\" }",
    },
    Key {
        name: "targets",
        holds: Holds::Records("target"),
        what: "GPU generations that a port can be for",
        example: "[{ name = \"mp_41\", arch = 410, source = \"ours\" }]",
    },
];
