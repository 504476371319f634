//! The knowledge base: all tables that are no mappings of names, such as vendors, kinds of files, calls that take names
//! in strings, and libraries that projects carry along.
//!
//! The build script reads and checks them, so that a program whose tables have a fault is not built, and leaves an image
//! of each, which is read on first use.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::builds::Builds;
use super::commands::Commands;
use super::cuda_version::CudaReleases;
use super::dialect::DialectWords;
use super::families::Families;
use super::files::FileTable;
use super::read_table::{builtin_table, table};
use super::vendors::{NvidiaOnly, PlatformSwitch, PlatformWords, Questions, Vendor, Vendors};
use super::{Embedded, MappingError, PythonStrings, PythonValues, SettingFiles, Shapes};
use crate::python::entry_words::EntryWords;
use crate::python::gpus::Gpus;
use crate::python::packages::Packages;

/// A library that projects carry along.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct VendoredLibrary {
    /// Its name.
    pub name: String,
    /// A path below its root that tells it.
    pub marker: String,
    /// What included paths of it start with.
    pub prefix: Vec<String>,
    /// Whether it is modules of a build system, and no sources.
    #[serde(default)]
    pub modules: bool,
    /// The table of its names, for a library that is swapped whole or not at all.
    #[serde(default)]
    pub table: Option<String>,
    /// What takes its place on MUSA.
    pub counterpart: String,
    /// What to do about it.
    pub advice: String,
    /// Where this comes from.
    pub source: String,
}

/// What an argument kept in a string, or a bare token, is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ArgumentKind {
    /// An API name to look up.
    Symbol,
    /// A shared library's file name.
    LibraryFile,
    /// A library that a `#pragma` hands the linker.
    LinkedLibrary,
    /// An environment variable's name.
    Environment,
    /// A device string of `PyTorch`.
    Device,
    /// A dispatch key, as a bare token.
    DispatchKey,
    /// A program, or a line of a shell that runs one.
    Command,
}

/// A call one of whose arguments is a name.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct NameConsumer {
    /// The last part of the called function's name.
    pub callee: String,
    /// 0-based.
    pub argument: usize,
    /// What the argument is.
    pub kind: ArgumentKind,
    /// Qualifiers, one of which must stand directly before the callee; empty for any.
    #[serde(default)]
    pub needs: Vec<String>,
    /// Where this comes from.
    pub source: String,
}

/// The name of a device in strings.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct DeviceName {
    /// CUDA's.
    pub cuda: String,
    /// MUSA's.
    pub to: String,
    /// Headers with which texts in C++ may name it.
    pub headers: Vec<Cow<'static, str>>,
    /// Where this comes from.
    pub source: String,
}

/// A question of an object for its device that has no counterpart of its own.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct DeviceQuestion {
    /// The member that asks.
    pub member: String,
    /// Headers, or fronts of them that end in `/`, that declare such objects.
    pub headers: Vec<Cow<'static, str>>,
    /// The member that gives an object's device.
    pub device: String,
    /// The type of a device.
    pub class: String,
    /// What is asked of a device instead.
    pub to: String,
    /// Why there is no counterpart.
    pub why: String,
    /// Where this comes from.
    pub source: String,
}

/// A call of a member without arguments that is written otherwise on MUSA.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct MemberCall {
    /// The member.
    pub member: String,
    /// The call without arguments whose result is asked, and which goes, too.
    #[serde(default)]
    pub behind: Option<String>,
    /// The call in its place.
    pub to: String,
    /// Where this comes from.
    pub source: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Vendored {
    library: Vec<VendoredLibrary>,
    twins: TwinWords,
}

/// Words in names of files that tell a counterpart for MUSA.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TwinWords {
    /// CUDA's and MUSA's.
    pub words: Vec<(String, String)>,
    /// Where this comes from.
    pub source: String,
}

/// Letters that a string literal of C++ has in it which may hold a name.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Literals {
    /// Letters that count in capitals and in small letters.
    pub any_case: Vec<String>,
    /// Letters that count as they stand.
    pub exact: Vec<String>,
}

impl Literals {
    /// Whether a literal may hold a name.
    pub fn may_hold_names(&self, literal: &[u8]) -> bool {
        let has = |part: &String, same: fn(&[u8], &[u8]) -> bool| {
            let mut windows = literal.windows(part.len().max(1));
            windows.any(|window| same(window, part.as_bytes()))
        };
        let mut exact = self.exact.iter();
        let mut any_case = self.any_case.iter();
        exact.any(|part| has(part, |one, other| one == other))
            || any_case.any(|part| has(part, <[u8]>::eq_ignore_ascii_case))
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Consumers {
    literals: Literals,
    call: Vec<NameConsumer>,
    device: Vec<DeviceName>,
    question: Vec<DeviceQuestion>,
    member_call: Vec<MemberCall>,
}

/// All of these tables.
#[derive(Debug)]
pub struct Knowledge {
    /// Vendors, the target among them.
    pub vendors: Vec<Vendor>,
    /// What only NVIDIA's GPUs have in Python.
    pub nvidia_only: Vec<NvidiaOnly>,
    /// How names of Python ask for a platform.
    pub platform_questions: Questions,
    /// The vendors' words in names of Python.
    pub platform_words: PlatformWords,
    /// A header with at least so many aliases to the target is an alias header.
    pub alias_header_minimum: usize,
    /// The qualifiers of CUDA's language for kernels.
    pub qualifiers: Vec<String>,
    /// Macros that choose a platform by their values.
    pub switches: Vec<PlatformSwitch>,
    /// Kinds of files.
    pub files: FileTable,
    /// Libraries that projects carry along.
    pub vendored: Vec<VendoredLibrary>,
    /// What tells files that have a counterpart for MUSA.
    pub twins: TwinWords,
    /// What string literals of C++ that may hold names have in them.
    pub literals: Literals,
    /// Calls that take names.
    pub consumers: Vec<NameConsumer>,
    /// Names of devices in strings.
    pub devices: Vec<DeviceName>,
    /// Questions of objects for their devices.
    pub questions: Vec<DeviceQuestion>,
    /// Calls of members that are written otherwise on MUSA.
    pub member_calls: Vec<MemberCall>,
    /// Names that no table lists one by one.
    pub families: Families,
    /// Names that tell constructs apart.
    pub shapes: Shapes,
    /// What names, arguments and results hold in Python.
    pub python_values: PythonValues,
    /// Where Python has names of CUDA's in strings.
    pub python_strings: PythonStrings,
    /// NVIDIA's programs.
    pub commands: Commands,
    /// Code of other languages in Python's strings, and Python in other files.
    pub embedded: Embedded,
    /// Where a project names the CUDA release that it is written for.
    pub cuda_releases: CudaReleases,
    /// What mcc takes otherwise than nvcc does.
    pub dialect: DialectWords,
    /// Values in files of settings.
    pub settings: SettingFiles,
    /// Build files.
    pub builds: Builds,
}

builtin_table!(Knowledge, Self::read());

impl Knowledge {
    fn read() -> Result<Self, MappingError> {
        let vendors: Vendors = table!("vendors.toml")?;
        let vendored: Vendored = table!("vendored.toml")?;
        let consumers: Consumers = table!("consumers.toml")?;
        Ok(Self {
            platform_words: PlatformWords::of(&vendors.vendor),
            vendors: vendors.vendor,
            nvidia_only: vendors.nvidia_only,
            platform_questions: vendors.questions,
            alias_header_minimum: vendors.alias_header_minimum,
            qualifiers: vendors.qualifiers,
            switches: vendors.switch,
            files: table!("files.toml")?,
            vendored: vendored.library,
            twins: vendored.twins,
            literals: consumers.literals,
            consumers: consumers.call,
            devices: consumers.device,
            questions: consumers.question,
            member_calls: consumers.member_call,
            families: Families::load()?,
            shapes: table!("shapes.toml")?,
            python_strings: table!("python_strings.toml")?,
            python_values: python_values()?,
            commands: table!("commands.toml")?,
            embedded: table!("embedded.toml")?,
            cuda_releases: table!("cuda_version.toml")?,
            dialect: table!("dialect.toml")?,
            settings: table!("settings.toml")?,
            builds: Builds::load()?,
        })
    }

    /// Whether a macro says that the target is the platform.
    pub fn is_target_macro(&self, name: &[u8]) -> bool {
        let vendor = self.vendor_of_macro(&String::from_utf8_lossy(name));
        vendor.is_some_and(Vendor::is_target)
    }

    /// The row of the platform that ports are for.
    pub fn target(&self) -> Option<&Vendor> {
        self.vendors.iter().find(|vendor| vendor.is_target())
    }

    /// The macro that the target's compiler defines wherever it compiles.
    pub fn target_compiler(&self) -> Option<&str> {
        self.target()?.compiler.as_deref()
    }

    /// The vendor that a macro says something about.
    pub fn vendor_of_macro(&self, name: &str) -> Option<&Vendor> {
        self.vendors.iter().find(|vendor| vendor.owns_macro(name))
    }
}

/// What values in Python are, and the words of the other tables for which a file is looked at.
fn python_values() -> Result<PythonValues, MappingError> {
    let mut python_values: PythonValues = table!("python_values.toml")?;
    let plain = Gpus::builtin().entry_words.iter().cloned();
    let plain = plain.chain(Packages::builtin().torch.words());
    python_values.entry_words = EntryWords::new(plain, Packages::builtin().words());
    Ok(python_values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_load_and_the_target_is_a_vendor() {
        let knowledge = Knowledge::builtin();
        assert!(knowledge.vendors.iter().any(Vendor::is_target));
        let vendor = |name| knowledge.vendor_of_macro(name).map(|v| v.name.as_str());
        assert_eq!(vendor("GGML_USE_MUSA"), Some("musa"));
        assert_eq!(vendor("__HIP_PLATFORM_AMD__"), Some("rocm"));
        assert_eq!(vendor("__HIP_PLATFORM_NVIDIA__"), None);
        assert_eq!(vendor("USE_CUDA"), None);
        assert_eq!(vendor("CHIPSET"), None);
        assert_eq!(vendor("ENABLE_OPENCL_KERNELS"), Some("opencl"));
        assert_eq!(vendor("PORT_FROM_OPENCL_ENABLE_HALF"), None);
    }
}
