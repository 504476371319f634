//! The parts of `mappings/gpus.toml`, as they are written there.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::architecture_number;
use crate::word_list::has;

/// The kinds of facts about a GPU that an expression gives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GpuValueKind {
    /// A capability as two numbers: `(8, 0)`.
    Pair,
    /// A capability as two numbers or as one: nobody knows.
    Capability,
    /// The first number of a capability.
    Major,
    /// The second number of a compute capability.
    Minor,
    /// A capability as one number: 80.
    Number,
    /// A capability in a text: `"8.0"`, `"sm_80"`.
    Text,
    /// The properties of a device.
    Properties,
    /// The name of a GPU.
    Name,
    /// The architectures that a build has code for.
    Architectures,
    /// The version of CUDA as a text, which is None on MUSA.
    Version,
    /// The version of a library.
    Library,
}

/// A dotted name that gives such a value.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValueOf {
    /// The name.
    pub name: String,
    /// The kind of fact that the value gives.
    pub gives: GpuValueKind,
    /// Whether the name is called to get the value.
    pub call: bool,
    /// Where this comes from.
    pub source: String,
}

/// Names of projects' own that hold such values.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GpuNames {
    /// The kind of fact that the names hold.
    pub gives: GpuValueKind,
    /// Whole names.
    pub exact: Vec<String>,
    /// How other such names end.
    #[serde(default)]
    pub ends: Vec<String>,
    /// Names that nothing but a GPU's number has.
    #[serde(default)]
    pub telling: Vec<String>,
    /// Where this comes from.
    pub source: String,
}

/// The properties of a device.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PropertiesClass {
    /// Their class in the table of names.
    pub class: String,
    /// The member that is the name of the GPU.
    pub name: String,
    /// Where this comes from.
    pub source: String,
}

/// Uses of a version that raise an error where the version is None.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoneUses {
    /// Functions that take their arguments apart.
    pub takers: Vec<String>,
    /// What stands in for None.
    pub fallback: String,
    /// Exceptions whose handlers catch it.
    pub swallows: Vec<String>,
    /// Functions and methods whose second argument is what they give where there is nothing else.
    pub defaults: Vec<String>,
    /// Where this comes from.
    pub source: String,
}

/// Names of the parts of a capability.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartNames {
    /// The name of the first part.
    pub major: String,
    /// The name of the second part.
    pub minor: String,
    /// A word that stands in every file about capabilities.
    pub word: String,
}

impl PartNames {
    /// The part of a capability that a name stands for.
    pub fn named(&self, name: &[u8]) -> Option<GpuValueKind> {
        if name == self.major.as_bytes() {
            Some(GpuValueKind::Major)
        } else {
            (name == self.minor.as_bytes()).then_some(GpuValueKind::Minor)
        }
    }
}

/// Python's own functions and methods through which such a value goes.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PythonFunctions {
    /// Functions.
    pub functions: BTreeMap<String, Makes>,
    /// Methods of a text that give a text.
    pub methods: Vec<String>,
    /// Functions and classes that make a version of a text, which is compared as numbers are.
    pub versions: Vec<String>,
    /// Where this comes from.
    pub source: String,
}

/// What a function of Python's makes of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Makes {
    /// A number of a text.
    Number,
    /// A text of a number.
    Text,
    /// One of several.
    Single,
    /// All of its arguments, in another form or order.
    Same,
}

impl PythonFunctions {
    /// What a function makes of a value.
    pub fn makes(&self, function: &[u8]) -> Option<Makes> {
        let function = std::str::from_utf8(function).ok()?;
        self.functions.get(function).copied()
    }

    /// Whether a dotted name is that of a function that makes a version of a text.
    pub fn makes_version(&self, function: &str) -> bool {
        has(&self.versions, function)
    }

    /// Whether a method gives a text of a text.
    pub fn keeps_text(&self, method: &[u8]) -> bool {
        has(&self.methods, method)
    }
}

/// Functions that answer questions about a capability.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CapabilityQuestions {
    /// Functions that take the number of a capability.
    pub functions: Vec<String>,
    /// What comes before the number in the names of others.
    pub numbered: Vec<String>,
    /// How the names of those begin or end that answer yes or no.
    pub asks: Vec<String>,
    /// Other parts of names that speak of an architecture.
    pub words: Vec<String>,
    /// How the names of those begin that ask for certain generations.
    pub exact: Vec<String>,
    /// How the names of those begin that answer nothing, but stop where the GPU is another one.
    pub stops: Vec<String>,
    /// Architectures by name, with the least number that is one, times ten.
    pub named: BTreeMap<String, u32>,
    /// Where this comes from.
    pub source: String,
}

impl CapabilityQuestions {
    /// The architecture that a word of a name stands for, times ten: 900 for `sm90a` and `hopper`.
    pub fn architecture(&self, word: &str) -> Option<u32> {
        if let Some(&named) = self.named.get(word) {
            return Some(named);
        }
        let mut fronts = self.numbered.iter();
        let number =
            fronts.find_map(|front| architecture_number(word.strip_prefix(front.as_str())?));
        number.map(|number| number * 10)
    }
}

/// What decides whether the answer to a question for a capability is right on MUSA.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deciding {
    /// Parts of names that speak of what NVIDIA alone has.
    pub kernels: Vec<String>,
    /// Parts of names that speak of what a program need not use.
    pub features: Vec<String>,
    /// Parts of names that hold a version of CUDA's toolkit.
    pub toolkit: Vec<String>,
    /// The capability from which on there are features that MUSA's GPUs may lack.
    pub newer: u32,
    /// The capability from which on nothing on MUSA is known to answer.
    pub newest: u32,
    /// Functions that make a number of numbers.
    pub numeric: Vec<String>,
    /// Names of projects' own questions for CUDA.
    pub cuda: Vec<String>,
    /// Where this comes from.
    pub source: String,
}

/// Texts that name an architecture.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArchitectureTexts {
    /// What a compiler's flags have in them.
    pub flags: Vec<String>,
    /// Fronts of architectures that are words of English, too.
    pub words: Vec<String>,
    /// What the names of those have in them that hold a list of numbers for a build.
    pub lists: Vec<String>,
    /// What to do about it.
    pub advice: String,
    /// Where this comes from.
    pub source: String,
}

/// Names of NVIDIA's products.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Products {
    /// Names that stand for nothing but a product.
    pub strong: Vec<String>,
    /// Words that only count where code asks for a GPU's name.
    pub weak: Vec<String>,
    /// How many texts a list has in which one that names a product has to stand beside another.
    pub crowd: usize,
    /// The vendor of the products.
    pub vendor: String,
    /// What to do where that name stands alone, and no GPU's name is asked for.
    pub vendor_advice: String,
    /// Methods whose argument is compared with a text, or found by it.
    pub methods: Vec<String>,
    /// Words of texts that say whose work something is.
    pub notices: Vec<String>,
    /// What to do about it.
    pub advice: String,
    /// Where this comes from.
    pub source: String,
}

/// What code says that needs a feature of the table of architectures.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FeatureWords {
    /// The feature.
    pub row: String,
    /// Words in lower case.
    pub words: Vec<String>,
}

/// The version of a library of NVIDIA's.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct LibraryVersion {
    /// The dotted name that gives it, or that of the library.
    pub name: String,
    /// Names of projects' own that hold it.
    #[serde(default)]
    pub version_names: Vec<String>,
    /// Whether every use is reported, and not only comparisons.
    pub always: bool,
    /// What to do about it.
    pub advice: String,
    /// Where this comes from.
    pub source: String,
}

/// A member of a project's own platform object.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlatformMember {
    /// Its names in projects.
    pub names: Vec<String>,
    /// What MUSA's object answers, as the end of a sentence.
    pub answer: String,
    /// Where this comes from.
    pub source: String,
}

/// How a program finds its device.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StartWords {
    /// Functions that open NVML.
    pub opens: Vec<String>,
    /// The package of NVML's, which the port replaces where a module imports it.
    pub module: String,
    /// What to do about it.
    pub advice: String,
    /// Where this comes from.
    pub source: String,
}

/// Words in the names of functions that pick one of several ways.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GateWords {
    /// What they do.
    pub verbs: Vec<String>,
    /// What they pick.
    pub objects: Vec<String>,
    /// Where this comes from.
    pub source: String,
}
