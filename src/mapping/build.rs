//! Reads and checks the mapping tables at build time, through the loader that a user's tables go
//! through, and keeps them as an image that the program decodes in a moment.

// What reads the tables, as the program compiles it. The build needs a part of it.
#![allow(dead_code, unused_imports, unreachable_pub, missing_docs)]

use std::hash::{Hash, Hasher};
use std::path::Path;
use std::{env, fs};

use rustc_hash::FxHasher;

mod build_language;
pub mod build_log;
pub mod builds;
pub mod causes;
pub mod codes {
    pub mod code;
    pub mod texts;
}
mod commands;
pub mod configuration;
mod cuda_architecture;
mod cuda_version;
mod dialect;
pub mod doctor;
pub mod effort;
mod families;
mod file_contents;
mod file_patterns;
pub mod files;
pub mod kernels;
pub mod knowledge;
pub mod learn;
pub mod loader;
pub mod machine;
mod names {
    pub mod name_parts;
    pub mod versions;
}
pub mod operators;
pub mod ptx;
pub mod python;
/// How a table of the program's own is read here: as TOML, and an image of it is left for the program.
mod read_table {
    mod shared;

    use std::path::Path;
    use std::{env, fs};

    use serde::Serialize;
    use serde::de::DeserializeOwned;

    use super::MappingError;

    pub(super) use shared::{RowAt, builtin, builtin_table, fault};

    /// A table by its path below `mappings/`.
    macro_rules! table {
        ($name:literal) => {
            $crate::read_table::from_toml($name)
        };
    }
    pub(super) use table;

    /// Reads a table, and leaves an image of it.
    ///
    /// # Errors
    /// A fault of the table, with its line, or why a file can't be read or written.
    pub(super) fn from_toml<T: Serialize + DeserializeOwned>(
        name: &str,
    ) -> Result<T, MappingError> {
        let stopped = |error: String| fault(name, "", 0, error);
        let path = Path::new(super::TABLES).join(name);
        let text = fs::read_to_string(path).map_err(|error| stopped(error.to_string()))?;
        let read: T = toml::from_str(&text).map_err(|error| {
            let start = error.span().map_or(0, |span| span.start);
            fault(name, &text, start, error.message())
        })?;
        let image = postcard::to_stdvec(&read).map_err(|error| stopped(error.to_string()))?;
        let out = env::var("OUT_DIR").map_err(|error| stopped(error.to_string()))?;
        let path = Path::new(&out).join("mappings").join(name);
        let written = path.parent().map_or(Ok(()), fs::create_dir_all);
        let written = written.and_then(|()| fs::write(&path, image));
        written.map_err(|error| stopped(format!("{}: {error}", path.display())))?;
        Ok(read)
    }
}
mod settings;
mod shapes;
pub mod shim;
pub mod stub;
mod untranslated_files;
mod variables;
mod vendors;
mod word_list;

pub use cuda_architecture::{ArchitectureWords, architecture_number};
pub use loader::{Evidence, Facts, MappingError, Relation, Row, Runtime, Since};
pub use names::versions::Version;
pub use python::embedded::Embedded;
pub use python::strings::PythonStrings;
pub use python::values::{PythonValues, ValueKind};
pub use settings::SettingFiles;
pub use shapes::Shapes;

/// The folder of the tables: a link to the one at the root of the checkout.
const TABLES: &str = "mappings";

/// Knowledge that stands beside the tables and has readers of its own.
const NO_TABLES: [&str; 29] = [
    "build_log.toml",
    "causes.toml",
    "commands.toml",
    "configuration.toml",
    "consumers.toml",
    "cuda_version.toml",
    "dialect.toml",
    "doctor.toml",
    "effort.toml",
    "embedded.toml",
    "families.toml",
    "files.toml",
    "gpus.toml",
    "learn.toml",
    "machine.toml",
    "operators.toml",
    "packages.toml",
    "ptx.toml",
    "python_strings.toml",
    "python_values.toml",
    "safety.toml",
    "settings.toml",
    "shapes.toml",
    "shim.toml",
    "signatures.toml",
    "stub.toml",
    "triton.toml",
    "vendored.toml",
    "vendors.toml",
];

fn main() -> Result<(), String> {
    println!("cargo::rerun-if-changed=.");
    println!("cargo::rerun-if-changed={TABLES}/");
    match build().and_then(|()| knowledge()).and_then(|()| safety()) {
        Ok(()) => Ok(()),
        Err(fault) => {
            println!("cargo::error={fault}");
            Err(fault)
        }
    }
}

fn build() -> Result<(), String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(TABLES).map_err(|error| format!("{TABLES}: {error}"))? {
        let name = entry
            .map_err(|error| format!("{TABLES}: {error}"))?
            .file_name();
        let name = name.to_string_lossy().into_owned();
        if Path::new(&name)
            .extension()
            .is_some_and(|extension| extension == "toml")
            && !NO_TABLES.contains(&name.as_str())
        {
            names.push(name);
        }
    }
    names.sort();

    let mut tables = Vec::new();
    // This hash names a state of the tables, and guards nothing.
    let mut hash = FxHasher::default();
    for name in names {
        let path = format!("{TABLES}/{name}");
        let text = fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
        (&name, &text).hash(&mut hash);
        tables.push(loader::parse_builtin(&path, &text).map_err(|error| error.to_string())?);
    }
    loader::check_together(&tables).map_err(|error| error.to_string())?;
    name_parts(&tables)?;

    let image = loader::image::encode(&tables).map_err(|error| error.to_string())?;
    leave_file("tables.bin", image)?;
    println!(
        "cargo::rustc-env=TORCHADA_TABLES_HASH={:016x}",
        hash.finish()
    );
    Ok(())
}

/// Reads what stands beside the tables: a program whose knowledge has a fault is not built.
fn knowledge() -> Result<(), String> {
    let fault = |fault: MappingError| fault.to_string();
    knowledge::Knowledge::load().map_err(fault)?;
    python::packages::Packages::load().map_err(fault)?;
    ptx::Ptx::load().map_err(fault)?;
    python::triton::Triton::load().map_err(fault)?;
    python::gpus::Gpus::load().map_err(fault)?;
    stub::StubKnowledge::load().map_err(fault)?;
    effort::Effort::load().map_err(fault)?;
    causes::CauseTable::load().map_err(fault)?;
    configuration::ConfigurationKeys::load().map_err(fault)?;
    doctor::DoctorTable::load().map_err(fault)?;
    learn::CudaDeclarations::load().map_err(fault)?;
    learn::LearnTable::load().map_err(fault)?;
    machine::MachineTable::load().map_err(fault)?;
    operators::Operators::load().map_err(fault)?;
    named_codes(&codes::texts::Texts::load().map_err(fault)?)?;
    shim::compiler().map_err(fault)?;
    build_log::BuildLogTable::load().map_err(fault)?;
    operator_calls()
}

/// Leaves the codes of findings as constants, for the rules to name.
fn named_codes(texts: &codes::texts::Texts) -> Result<(), String> {
    let code = |rule: &codes::texts::Explanation| {
        let (severity, title) = (rule.severity.as_str(), &rule.title);
        format!("Code::{severity}({:?}, {title:?})", rule.code)
    };
    let rules = texts.rules.iter().map(|(_, rule)| rule);
    let all: Vec<String> = rules.clone().map(code).collect();
    let messages = rules.clone().filter_map(|rule| {
        let one = rule.one.as_ref()?;
        let many = rule.many.as_ref().unwrap_or(one);
        Some(format!("({:?}, {one:?}, {many:?})", rule.code))
    });
    let messages: Vec<String> = messages.collect();
    let modules = [
        ("BLD", "build"),
        ("CPP", "cpp"),
        ("PRJ", "project"),
        ("PY", "python"),
    ];
    let modules = modules.map(|(letters, module)| {
        let named = rules.clone().filter(|rule| rule.code.starts_with(letters));
        let named = named.filter_map(|rule| {
            let (name, id, title) = (rule.name.as_ref()?, &rule.code, &rule.title);
            let code = code(rule);
            Some(format!("/// {id}: {title}.\npub const {name}: Code = {code};\n"))
        });
        let named: String = named.collect();
        format!("/// Codes that begin with `{letters}`.\npub mod {module} {{\nuse super::Code;\n{named}}}\n")
    });
    let text = format!(
        "use super::Code;\n/// All codes of these tables.\npub const ALL: &[Code] = &[{}];\n\
         /// Codes with their messages about one thing and about several.\n\
         pub const MESSAGES: &[(&str, &str, &str)] = &[{}];\n{}",
        all.join(", "),
        messages.join(", "),
        modules.concat()
    );
    leave_file("codes.rs", &text)
}

/// Leaves the faults of calls in the newest release, so that a run without facts has them at once.
fn operator_calls() -> Result<(), String> {
    let calls = kernels::calls::OperatorCalls::new(kernels::Kernels::new(None, None));
    leave("operator_calls.bin", &calls)
}

/// Leaves the parts of qualified names, likewise.
fn name_parts(tables: &[loader::Table]) -> Result<(), String> {
    let rows = |section| {
        let rows = tables.iter().flat_map(|table| &table.rows);
        let rows = rows.filter(move |placed| placed.section == section);
        rows.map(|placed| &placed.row)
    };
    let names = rows(loader::Section::Namespaces).chain(rows(loader::Section::Qualified));
    let parts = names::name_parts::NameParts::new(names, rows(loader::Section::Headers));
    leave("name_parts.bin", &parts)
}

/// Leaves an image for the program.
fn leave(name: &str, what: &impl serde::Serialize) -> Result<(), String> {
    let image = postcard::to_stdvec(what).map_err(|error| error.to_string())?;
    leave_file(name, image)
}

/// Leaves a file for the program.
fn leave_file(name: &str, what: impl AsRef<[u8]>) -> Result<(), String> {
    let out = env::var("OUT_DIR").map_err(|error| format!("OUT_DIR: {error}"))?;
    let path = Path::new(&out).join(name);
    fs::write(&path, what).map_err(|error| format!("{}: {error}", path.display()))
}

/// The limits and names of `mappings/safety.toml`, as constants: a program whose table has a fault is not built.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Safety {
    bytes: std::collections::BTreeMap<String, u64>,
    git: std::collections::BTreeMap<String, u64>,
    log: std::collections::BTreeMap<String, u64>,
    names: SafetyNames,
    state: State,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    folder: String,
    temporary: String,
    files: std::collections::BTreeMap<String, String>,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct SafetyNames {
    version_control: Vec<String>,
    installed: Vec<String>,
    installed_marks: Vec<String>,
}

fn safety() -> Result<(), String> {
    const TABLE: &str = "mappings/safety.toml";
    let text = fs::read_to_string(TABLE).map_err(|error| format!("{TABLE}: {error}"))?;
    let table: Safety = toml::from_str(&text).map_err(|error| format!("{TABLE}: {error}"))?;
    let mut constants = Vec::new();
    for (section, numbers, kind, unit) in [
        ("bytes", &table.bytes, "u64", "bytes"),
        (
            "git",
            &table.git,
            "u64",
            "seconds or bytes, as the table says",
        ),
        ("log", &table.log, "usize", "what the table says"),
    ] {
        for (key, number) in numbers {
            let name = format!("{section}_{key}").replace('-', "_").to_uppercase();
            let doc = format!("`{section}.{key}`, in {unit}.");
            constants.push((doc, format!("{name}: {kind} = {number}")));
        }
    }
    for (name, words) in [
        ("VERSION_CONTROL", &table.names.version_control),
        ("INSTALLED", &table.names.installed),
        ("INSTALLED_MARKS", &table.names.installed_marks),
    ] {
        let doc = "Names of folders and files.".to_owned();
        constants.push((doc, format!("{name}: &[&str] = &{words:?}")));
    }
    let State {
        folder,
        temporary,
        files,
    } = &table.state;
    let doc = "The folder of this program in an output.".to_owned();
    constants.push((doc, format!("STATE: &str = {folder:?}")));
    let doc = "What names of half-built outputs, and of files of them, begin with.".to_owned();
    constants.push((doc, format!("TEMPORARY: &str = {temporary:?}")));
    for (key, file) in files {
        let doc = "A path in an output.".to_owned();
        let path = format!("{folder}/{file}");
        constants.push((doc, format!("{}: &str = {path:?}", key.to_uppercase())));
    }
    let lines = constants.iter();
    let lines = lines.map(|(doc, constant)| format!("/// {doc}\npub const {constant};\n"));
    leave_file("safety.rs", lines.collect::<String>())
}
