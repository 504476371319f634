//! Functions and types of CUDA's that ones of the header stand for.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::Exactness;
use crate::Evidence;

/// A name of CUDA's that has no counterpart by name, and that one of the header does the work of. One with a namespace
/// in front is translated where all such names of a file are.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Intrinsic {
    /// The function or type of the header. It takes the same arguments.
    pub helper: String,
    /// How the translation compares.
    pub exactness: Exactness,
    /// What stands behind the row.
    pub evidence: Evidence,
    /// Where that comes from.
    pub source: String,
    /// The form of a name with a namespace.
    pub form: Option<Form>,
}

/// How a name with a namespace has to be used.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Form {
    /// The numbers of arguments that a call may have; none for a name that is not called.
    #[serde(default)]
    pub arguments: Vec<usize>,
    /// What stands in angle brackets behind the name.
    #[serde(default)]
    pub template: Template,
    /// The place, counted from 0, of the argument that has to be a pipeline that the file declares.
    pub pipeline: Option<usize>,
    /// Whether the name makes or is a pipeline.
    #[serde(default)]
    pub is_pipeline: bool,
}

/// What stands in angle brackets behind a name.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Template {
    /// No angle brackets.
    #[default]
    None,
    /// One argument, whatever it is.
    Any,
    /// This name of the table, which stands nowhere else.
    Name(String),
}

/// What else a file says where it uses names with a namespace.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Copies {
    /// Namespaces of which a file may use the names of the table alone.
    pub whole: BTreeSet<String>,
    /// The headers that declare the names, and what is left of each.
    pub headers: BTreeMap<String, String>,
    /// What can be asked of a pipeline.
    pub members: BTreeSet<String>,
}

impl Intrinsic {
    /// What is wrong with it.
    pub(super) fn check(&self, name: &str, all: &BTreeSet<&str>) -> Result<(), String> {
        if self.form.is_some() != name.contains("::") {
            return Err(format!(
                "`{name}`: names with a namespace have a form, and no others"
            ));
        }
        match self.form.as_ref().map(|form| &form.template) {
            Some(Template::Name(inner)) if !all.contains(inner.as_str()) => {
                Err(format!("`{name}` takes `{inner}`, which is not there"))
            }
            _ => Ok(()),
        }
    }
}
