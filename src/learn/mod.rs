//! Facts about the MUSA SDK of a machine: which of CUDA's names have a counterpart in its headers and libraries.
//!
//! Architecture invariant: of the machine only what the caller names is asked, and the same files give the same text.

mod api;
mod candidates;
mod compare;
mod compiler;
mod cuda;
mod exports;
mod facts;
mod headers;
mod listing;
mod modules;
mod new_names;
mod python;
mod renamed_namespaces;
mod signatures;
mod similar_names;
mod text;

use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;

use crate::files;
use crate::machine::Environment;
use crate::machine::sdk::{self, Sdk};
use crate::mapping::learn::{CudaDeclarations, LearnTable};
use crate::mapping::machine::{MachineTable, VersionSourceForm};
use crate::mapping::{Section, Tables};
use crate::syntax::{DeclarationKind, LexOptions, Macro, declared, lex};
use api::Api;
use candidates::candidates;
use compare::SdkContents;
use compiler::Compiler;
use exports::Exports;
pub use facts::{Counterpart, Fact, Head, Operators, Rows, written};
use headers::Headers;
use listing::Root;
use modules::Modules;
use python::Answer;

/// What is to be learned of.
pub struct Question<'a> {
    /// The SDK.
    pub sdk: &'a Sdk,
    /// The folder of CUDA, where the user named one.
    pub cuda: Option<&'a Path>,
    /// The Python that has torch and `torch_musa`, where one is to be asked.
    pub python: Option<&'a Path>,
    /// The tables whose names are looked for.
    pub tables: &'a Tables,
    /// What the environment says.
    pub environment: &'a Environment,
}

/// What was learned.
#[derive(Debug)]
pub struct Learned {
    /// What the facts are about.
    pub head: Head,
    /// The facts.
    pub rows: Rows,
    /// How much was read.
    pub read: Amounts,
    /// What declarations were compared with.
    pub compared_with: String,
}

/// How much was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Amounts {
    /// Headers.
    pub headers: usize,
    /// Their bytes.
    pub bytes: u64,
    /// Libraries whose exported names were read.
    pub libraries: usize,
    /// Modules of `CMake`'s.
    pub modules: usize,
    /// Headers of torch and `torch_musa`.
    pub torch: usize,
}

/// Read the SDK and say what it has of the tables' names.
pub fn learn(question: &Question<'_>) -> Learned {
    let sdk = question.sdk;
    let mut unread = Vec::new();
    let listing = sdk::listing_digest(sdk);
    let listing = listing
        .map_err(|error| unread.push(format!("the listing of {}: {error}", sdk.root.display())));
    let own = compiler_roots(sdk);
    let has_compiler = !own.is_empty();
    let include: Vec<Root> = roots(sdk, &sdk.include, false).chain(own).collect();
    let headers = Headers::read(&include, &version_macros(sdk), &mut unread);
    let tables = question.tables;
    let libraries: Vec<Root> = roots(sdk, &sdk.libraries, true).collect();
    let wanted: FxHashSet<String> = tables
        .rows(Section::Names)
        .flat_map(|row| candidates(tables, row))
        .collect();
    let exports = Exports::read(&libraries, &|name| wanted.contains(name), &mut unread);
    let places: Vec<PathBuf> = [sdk.cmake.as_slice(), &sdk.libraries].concat();
    let places: Vec<Root> = roots(sdk, &places, true).collect();
    let modules = Modules::read(&places, &mut unread);
    let compiler = compiler(question, &mut unread);
    let python = question.python;
    let asked =
        python.and_then(|python| Answer::ask(python, tables, question.environment, &mut unread));
    let torch = asked.as_ref().and_then(|asked| asked.headers(&mut unread));
    let packages = asked.as_ref().map_or(&[][..], |asked| &asked.packages);
    let cuda = cuda_side(question, packages, &mut unread);
    let mut rows = compare::facts(&SdkContents {
        tables,
        headers: &headers,
        exports: &exports,
        modules: &modules,
        options: &compiler.options,
        cuda: &cuda,
        has_compiler,
        torch: torch.as_ref(),
    });
    if let Some(asked) = &asked {
        asked.rows(tables, &mut rows);
    }
    // Folders may be listed for several questions.
    unread.sort();
    unread.dedup();
    Learned {
        read: Amounts {
            headers: headers.count(),
            bytes: headers.bytes,
            libraries: exports.count(),
            modules: modules.count(),
            torch: torch.as_ref().map_or(0, Headers::count),
        },
        compared_with: cuda.source,
        head: Head {
            sdk: sdk.version().map(|found| found.version.to_string()),
            torch: asked.as_ref().and_then(Answer::torch_version),
            torch_musa: asked.as_ref().and_then(Answer::musa_version),
            operators: asked.and_then(|asked| asked.operators),
            mcc: compiler.version,
            architectures: compiler.architectures,
            options: compiler.options,
            listing: listing.ok(),
            unread,
        },
        rows,
    }
}

/// What the SDK's compiler says of itself.
fn compiler(question: &Question<'_>, unread: &mut Vec<String>) -> Compiler {
    let Some(program) = question.sdk.compiler() else {
        unread.push("mcc: the SDK has none".to_owned());
        return Compiler::default();
    };
    Compiler::ask(&program, question.environment, unread)
}

/// What CUDA's headers in a folder declare of the names that the tables know.
pub fn declarations(folder: &Path, source: &str, tables: &Tables) -> CudaDeclarations {
    let roots = cuda::roots(Some(folder), &Environment::none(), &[]);
    let headers = Headers::read(&roots, &[], &mut Vec::new());
    let api = Api::of(&headers, source.to_owned());
    api.declarations(|name| tables.get(Section::Names, name.as_bytes()).is_some())
}

fn cuda_side(question: &Question<'_>, packages: &[PathBuf], unread: &mut Vec<String>) -> Api {
    let roots = cuda::roots(question.cuda, question.environment, packages);
    if let Some(headers) = question.cuda
        && roots.is_empty()
    {
        unread.push(format!(
            "{}: it has no headers of CUDA's",
            headers.display()
        ));
    }
    if let Some(first) = roots.first() {
        let source = format!("CUDA's headers in {}", first.folder.display());
        let headers = Headers::read(&roots, &[], unread);
        return Api::of(&headers, source);
    }
    match CudaDeclarations::load() {
        Ok(built) => Api::built_in(built),
        Err(error) => {
            unread.push(error.to_string());
            Api::default()
        }
    }
}

/// Folders of the SDK, to be listed. If `named`, messages show a file with its folder; a header is shown as code
/// includes it.
fn roots<'a>(
    sdk: &'a Sdk,
    folders: &'a [PathBuf],
    named: bool,
) -> impl Iterator<Item = Root> + use<'a> {
    let shown = move |folder: &PathBuf| {
        let below = folder.strip_prefix(&sdk.root).unwrap_or(folder);
        if named {
            format!("{}/", below.display())
        } else {
            String::new()
        }
    };
    folders.iter().map(move |folder| Root {
        folder: folder.clone(),
        within: sdk.root.clone(),
        shown: shown(folder),
        front: String::new(),
    })
}

/// The folders of the compiler's own headers.
fn compiler_roots(sdk: &Sdk) -> Vec<Root> {
    let table = &LearnTable::builtin().headers;
    let versions = table.compiler.iter().flat_map(|folder| {
        let entries = walkdir::WalkDir::new(sdk.root.join(folder))
            .min_depth(1)
            .max_depth(1);
        entries.sort_by_file_name().into_iter().flatten()
    });
    let folders = versions.map(|version| version.path().join(&table.compiler_include));
    let folders: Vec<PathBuf> = folders.filter(|folder| folder.is_dir()).collect();
    roots(sdk, &folders, true).collect()
}

/// The macros that say the SDK's version, with their values.
fn version_macros(sdk: &Sdk) -> Vec<(String, i64)> {
    let limit = LearnTable::builtin().limits.header;
    let sources = MachineTable::builtin().sdk.version.iter();
    let found = sources.filter_map(|source| {
        let VersionSourceForm::Macro { file, r#macro } = &source.form else {
            return None;
        };
        let text = files::read_named(&sdk.root.join(file), limit).ok()?;
        let tokens = lex(&text, LexOptions::default());
        let declared = declared(&text, &tokens, &|_| Macro::Unknown);
        let value = declared
            .declarations
            .iter()
            .find_map(|one| match &one.what {
                DeclarationKind::Macro(body) if *one.name == **r#macro => body.value,
                _ => None,
            })?;
        Some((r#macro.clone(), value))
    });
    found.collect()
}
