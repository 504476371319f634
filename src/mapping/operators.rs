//! `PyTorch`'s operators on `torch_musa`: `mappings/operators.toml`, and the lists of `mappings/operators/list.toml`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::MappingError;
use super::read_table::{builtin_table, table};

/// A module of `PyTorch`'s whose functions are called like operators.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OperatorModule {
    /// Its dotted name.
    pub python: String,
    /// The namespaces in which C++ has the module's functions.
    #[serde(default)]
    pub cpp: Vec<String>,
    /// What stands before a function's name in the operator's.
    pub front: String,
    /// Whether the name of an overload may follow behind a dot.
    #[serde(default)]
    pub overloads: bool,
}

/// A function that ends in operators of other names.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FunctionEnds {
    /// Its dotted name.
    pub function: String,
    /// A keyword that has to be true.
    #[serde(default)]
    pub keyword: Option<String>,
    /// The operators, each of which every call reaches.
    pub operators: Vec<String>,
    /// Where this comes from.
    pub source: String,
}

/// What is known of the kernels of a few operators.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KernelNote {
    /// The operators.
    pub operators: Vec<String>,
    /// When it holds; `None` for always.
    #[serde(default)]
    pub when: Option<String>,
    /// Where this comes from.
    pub source: String,
}

/// What to do where an operator is missing.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OperatorAlternative {
    /// The operators; a name that ends in `*` is a front.
    pub operators: Vec<String>,
    /// What to do.
    pub advice: String,
}

/// A keyword of an operator that `PyTorch` takes for CUDA's tensors alone.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CudaKeyword {
    /// The operator.
    pub operator: String,
    /// The keyword.
    pub keyword: String,
    /// What to do about it.
    pub advice: String,
    /// Where this comes from.
    pub source: String,
}

/// Advice where nothing special is known.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OperatorAdvice {
    /// For an operator without a kernel.
    pub none: String,
    /// For one that runs on the CPU.
    pub host: String,
}

/// A release of `torch_musa` whose list was read.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadRelease {
    /// Its number.
    pub version: String,
    /// Its commit.
    pub commit: String,
    /// How many operators have a kernel.
    pub kernels: u32,
}

/// The operators of the `PyTorch` that the newest release is for.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct TorchOperators {
    /// Its release.
    pub version: String,
    /// Operators that are made of others.
    pub composite: Vec<String>,
    /// Operators that CUDA and the CPU have kernels of, and `torch_musa` has none of.
    pub none: Vec<String>,
    /// Operators that only CUDA has kernels of.
    pub cuda_only: Vec<String>,
    /// Operators that only the CPU has kernels of.
    pub cpu_only: Vec<String>,
    /// Operators of other devices.
    pub foreign: Vec<String>,
    /// Operators that are methods of tensors, too.
    pub methods: Vec<String>,
}

/// The table `mappings/operators/list.toml`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OperatorLists {
    /// The releases, oldest first.
    pub release: Vec<ReadRelease>,
    /// What `PyTorch` has.
    pub torch: TorchOperators,
    /// Operators with a kernel, by the first release that has it.
    pub kernels: BTreeMap<String, Vec<String>>,
    /// Operators of newer releases of `PyTorch`, by the first of them that was read.
    pub newer: BTreeMap<String, Vec<String>>,
    /// Functions, with the operators in which each of their calls ends.
    pub ends: BTreeMap<String, Vec<String>>,
}

/// The table `mappings/operators.toml`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct OperatorTable {
    /// Where the lists of `torch_musa` come from.
    pub list: String,
    /// Methods that give a value on the host.
    pub host_methods: Vec<String>,
    /// Devices on the host.
    pub host_devices: Vec<String>,
    /// Keywords that `PyTorch` takes for CUDA's tensors alone.
    #[serde(rename = "cuda-keyword")]
    pub cuda_keywords: Vec<CudaKeyword>,
    /// Methods that move a tensor to the device that they name first.
    pub moves: Vec<String>,
    /// Functions that make a tensor on the host where they are given no device.
    pub host_factories: Vec<String>,
    /// Advice where nothing special is known.
    pub advice: OperatorAdvice,
    /// Modules of `PyTorch`'s.
    #[serde(rename = "module")]
    pub modules: Vec<OperatorModule>,
    /// Functions that end in other operators.
    pub ends: Vec<FunctionEnds>,
    /// Operators that only raise an error.
    pub refused: Vec<KernelNote>,
    /// Operators that run on the CPU.
    pub host: Vec<KernelNote>,
    /// What to do about missing ones.
    pub instead: Vec<OperatorAlternative>,
}

/// Both tables.
#[derive(Debug)]
pub struct Operators {
    /// What is known by hand.
    pub table: OperatorTable,
    /// The lists.
    pub lists: OperatorLists,
}

builtin_table!(Operators, Self::read());

impl Operators {
    fn read() -> Result<Self, MappingError> {
        Ok(Self {
            table: table!("operators.toml")?,
            lists: table!("operators/list.toml")?,
        })
    }

    /// What to do where an operator is missing.
    pub fn instead(&self, operator: &str) -> &str {
        let fits = |name: &String| match name.strip_suffix('*') {
            Some(front) => operator.starts_with(front),
            None => operator == name,
        };
        let mut rows = self.table.instead.iter();
        let row = rows.find(|row| row.operators.iter().any(fits));
        row.map_or(&self.table.advice.none, |row| &row.advice)
    }
}
