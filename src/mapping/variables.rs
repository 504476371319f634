//! Where Python has the names of environment variables: a part of `mappings/python_strings.toml`.

use crate::word_list::{contains_one, ends_with_one, has, starts_with_one};
use serde::{Deserialize, Serialize};

/// What code does with an environment variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VariableAccess {
    /// The function reads the value.
    Read,
    /// The function sets the value.
    Set,
    /// The function removes the variable.
    Remove,
}

/// A function whose first argument is the name of a variable.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariableFunction {
    /// A dotted name; a method of an environment behind `.`; a method of any object behind `*.`.
    pub callee: String,
    /// How the function uses the variable.
    pub does: VariableAccess,
    /// The further argument with which it takes a variable away that is not there.
    #[serde(default)]
    pub absent: Option<String>,
}

impl VariableFunction {
    /// The last part of its name.
    pub fn last(&self) -> &str {
        self.callee.rsplit('.').next().unwrap_or(&self.callee)
    }
}

/// A part of a value that only CUDA's variables take.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariableValue {
    /// The text of the value.
    pub text: String,
    /// What to do about it.
    pub advice: String,
    /// Where this comes from.
    pub source: String,
    /// The variable that takes it.
    pub variable: String,
}

/// Where names of environment variables stand.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct EnvironmentPlaces {
    /// What a name of CUDA's starts with that no table has.
    pub prefixes: Vec<String>,
    /// How the keys of accounts and the addresses of services end.
    pub services: Vec<String>,
    /// A string with none of these is no name of a variable of CUDA's.
    pub stems: Vec<String>,
    /// Dotted names of the environment.
    pub objects: Vec<String>,
    /// Parts of the names of variables that hold an environment.
    pub parts: Vec<String>,
    /// Parts of the names of variables that hold a report about an environment.
    pub reports: Vec<String>,
    /// Parts of the names of functions that have to do with variables.
    pub in_functions: Vec<String>,
    /// Functions that take the name of an attribute.
    pub attribute_functions: Vec<String>,
    /// Classes of one variable, whose keyword `name` is what it is called.
    pub variable_classes: Vec<String>,
    /// Functions that give something with the keys of a dictionary.
    pub copies: Vec<String>,
    /// Methods of a dictionary that do: a copy, a view of its keys.
    pub copy_methods: Vec<String>,
    /// Functions that may be called twice.
    pub repeatable: Vec<String>,
    /// What names of CUDA's variables begin with, and what those of MUSA's begin with.
    pub handed_on: Vec<(String, String)>,
    /// Functions that take the beginning of a name.
    pub begins: Vec<String>,
    /// Parts of the names of variables that hold beginnings of names.
    pub beginnings: Vec<String>,
    /// What to do about a name that no table has.
    pub advice_unlisted: String,
    /// Parts of values that only CUDA's variables take.
    #[serde(rename = "value")]
    pub values: Vec<VariableValue>,
    /// Functions and methods.
    #[serde(rename = "function")]
    pub functions: Vec<VariableFunction>,
    /// Where this comes from.
    pub source: String,
}

impl EnvironmentPlaces {
    /// Whether a variable of this name holds an environment, or names of environment variables.
    pub fn holds(&self, name: &[u8]) -> bool {
        has_part(name, &self.parts) && !self.is_report(name)
    }

    /// Whether a variable of this name holds a report about an environment, whose keys are words of its own.
    pub fn is_report(&self, name: &[u8]) -> bool {
        has_part(name, &self.reports)
    }

    /// Whether a function of this name has to do with variables.
    pub fn is_about(&self, function: &[u8]) -> bool {
        contains_one(function.to_ascii_lowercase(), &self.in_functions)
    }

    /// Whether a name that no table has is CUDA's by how it starts.
    pub fn is_cudas(&self, name: &str) -> bool {
        starts_with_one(name, &self.prefixes) && !ends_with_one(name, &self.services)
    }
}

/// Whether one of the words is a part of a name.
fn has_part(name: &[u8], words: &[String]) -> bool {
    let name = String::from_utf8_lossy(name).to_ascii_lowercase();
    name.split(['_', '-', '.']).any(|part| has(words, part))
}
