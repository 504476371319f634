//! What a Python has of torch's names, and what its packages have of headers.

mod parameters;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use serde::Deserialize;

use super::facts::{Fact, Operators, Rows};
use super::headers::Headers;
use super::listing::Root;
use super::similar_names;
use crate::machine::{Environment, python};
use crate::mapping::learn::LearnTable;
use crate::mapping::machine::MachineTable;
use crate::mapping::names::stems::by_rule;
use crate::mapping::{Relation, Row, Section, Tables};
use parameters::Parameter;

const SCRIPT: &str = include_str!("asked.py");

/// The packages that are asked.
const TORCH: &str = "torch";
const TORCH_MUSA: &str = "torch_musa";

/// What a Python answered.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Answer {
    torch: Package,
    torch_musa: Package,
    /// The counterparts that are there, by CUDA's names.
    names: FxHashMap<String, CounterpartSignature>,
    /// What the modules and classes have that lack a counterpart.
    members: BTreeMap<String, Vec<String>>,
    /// Whether the package for run time has put its own functions in the place of CUDA's.
    patched: bool,
    pub(super) operators: Option<Operators>,
    operators_fault: Option<String>,
    /// Folders with packages that have CUDA's headers.
    pub(super) packages: Vec<PathBuf>,
}

/// A package.
#[derive(Debug, Deserialize)]
struct Package {
    version: Option<String>,
    /// Why it can't be imported.
    fault: Option<String>,
    #[serde(default)]
    folders: Vec<PathBuf>,
}

/// A counterpart that is there.
#[derive(Debug, Deserialize)]
struct CounterpartSignature {
    to: String,
    /// What CUDA's function takes, if it is one that says so.
    cuda: Option<Vec<Parameter>>,
    /// What the counterpart takes.
    musa: Option<Vec<Parameter>>,
}

impl Answer {
    /// Ask a Python.
    ///
    /// # Errors
    /// Why there is no answer, in words.
    pub(super) fn ask(
        python: &Path,
        tables: &Tables,
        environment: &Environment,
        unread: &mut Vec<String>,
    ) -> Option<Self> {
        let rows = tables.rows(Section::Python);
        let asked: Vec<(&str, Vec<String>)> = rows
            .map(|row| (&*row.cuda, counterparts(tables, row)))
            .filter(|(_, counterparts)| !counterparts.is_empty())
            .collect();
        let asked = serde_json::to_string(&asked).ok()?;
        let machine = MachineTable::builtin();
        let limit = machine.limits.python();
        // What CUDA's functions take is read before `torch_musa` changes them.
        let environment = environment.with(&machine.python.autoload, "0");
        let shown = python.display();
        match python::ask::<Self>(python, SCRIPT, &[&asked], &environment, limit) {
            Ok(answer) => {
                answer.faults(&shown.to_string(), unread);
                Some(answer)
            }
            Err(error) => {
                unread.push(format!("{shown}: {error}"));
                None
            }
        }
    }

    fn faults(&self, python: &str, unread: &mut Vec<String>) {
        for (name, package) in [(TORCH, &self.torch), (TORCH_MUSA, &self.torch_musa)] {
            match (&package.fault, &package.version) {
                (Some(fault), _) => unread.push(format!("{name} of {python}: {fault}")),
                (None, None) => unread.push(format!("{python}: it has no {name}")),
                (None, Some(_)) => {}
            }
        }
        if let Some(fault) = &self.operators_fault {
            unread.push(format!("the operators of {python}: {fault}"));
        }
        if self.patched {
            unread.push(format!(
                "the parameters of torch.cuda's functions: {python} imports the package torchada, which changes them"
            ));
        }
    }

    /// The version of torch.
    pub(super) fn torch_version(&self) -> Option<String> {
        self.torch.version.clone()
    }

    /// The version of `torch_musa`.
    pub(super) fn musa_version(&self) -> Option<String> {
        self.torch_musa.version.clone()
    }

    /// The headers of the packages; `None` where `torch_musa` has none.
    pub(super) fn headers(&self, unread: &mut Vec<String>) -> Option<Headers> {
        let musa = roots(TORCH_MUSA, &self.torch_musa);
        let own = Headers::read(&musa, &[], &mut Vec::new());
        if own.count() == 0 {
            return None;
        }
        let all: Vec<Root> = musa.into_iter().chain(roots(TORCH, &self.torch)).collect();
        let mut headers = Headers::read(&all, &[], unread);
        headers.include_from(&LearnTable::builtin().packages.include);
        Some(headers)
    }

    /// The facts on Python's names; none where `torch_musa` can't be imported.
    pub(super) fn rows(&self, tables: &Tables, rows: &mut Rows) {
        let Some(version) = &self.torch_musa.version else {
            return;
        };
        for row in tables.rows(Section::Python) {
            if let Some(fact) = self.fact(tables, row, version) {
                rows.insert((Section::Python, row.cuda.to_string()), fact);
            }
        }
    }

    fn fact(&self, tables: &Tables, row: &Row, version: &str) -> Option<Fact> {
        if let Some(found) = self.names.get(&*row.cuda) {
            let source = match (row.relation, &self.torch.version) {
                (Relation::Same, Some(torch)) => format!("there: torch {torch}"),
                _ => format!("there: torch_musa {version}"),
            };
            let mut fact = Fact::present(&row.cuda, &found.to, source);
            if let (Some(cuda), Some(musa), false) = (&found.cuda, &found.musa, self.patched) {
                let renamed = |name: &str| by_rule(tables.stems(), name);
                if !parameters::takes_all(musa, cuda, &renamed) {
                    let (theirs, ours) = (parameters::text(cuda), parameters::text(musa));
                    let (name, to) = (&row.cuda, &found.to);
                    fact.differs = Some(format!("CUDA: {name}({theirs}); MUSA: {to}({ours})"));
                }
            }
            return Some(fact);
        }
        if row.relation == Relation::Same {
            return None;
        }
        let missing = counterparts(tables, row).into_iter().next()?;
        let mut fact = Fact::missing(&format!("torch_musa {version} has no {missing}"));
        fact.advice = self.similar(&missing);
        Some(fact)
    }

    /// What is near a name in the module or class that lacks it.
    fn similar(&self, missing: &str) -> Option<String> {
        let (around, last) = missing.rsplit_once('.')?;
        let members = self.members.get(around)?;
        let found = similar_names::among(last, members.iter().map(String::as_str));
        let found: Vec<String> = found
            .iter()
            .map(|name| format!("`{around}.{name}`"))
            .collect();
        let (last, front) = found.split_last()?;
        Some(match front {
            [] => format!("{last} is near"),
            front => format!("{} and {last} are near", front.join(", ")),
        })
    }
}

/// The names that the counterpart of a row may have, of those that a Python can be asked for.
fn counterparts(tables: &Tables, row: &Row) -> Vec<String> {
    let packages = &LearnTable::builtin().packages;
    let by_module = || {
        let rest = row.cuda.strip_prefix(&packages.module.cuda)?;
        let is_inside = rest.is_empty() || rest.starts_with('.');
        is_inside.then(|| format!("{}{rest}", packages.module.musa))
    };
    let made = by_rule(tables.stems(), &row.cuda);
    let names = match (row.relation, &row.to) {
        (Relation::Same, _) => vec![row.cuda.to_string()],
        (_, Some(to)) => vec![to.to_string(), made],
        (_, None) => [Some(made), by_module()].into_iter().flatten().collect(),
    };
    let mut kept: Vec<String> = Vec::new();
    for name in names {
        let root = name.split('.').next().unwrap_or_default();
        let is_asked = packages.folders.contains_key(root);
        // PyTorch has its names for CUDA wherever it runs.
        let is_new = row.relation == Relation::Same || name != *row.cuda;
        if is_asked && is_new && !kept.contains(&name) {
            kept.push(name);
        }
    }
    kept
}

/// The folders with a package's headers.
fn roots(name: &str, package: &Package) -> Vec<Root> {
    let table = &LearnTable::builtin().packages;
    let mut roots = Vec::new();
    for folder in table.folders.get(name).into_iter().flatten() {
        // From the folder around a package, code includes by the package's name.
        let is_whole = folder.is_empty();
        let front = if is_whole {
            format!("{name}/")
        } else {
            String::new()
        };
        let shown = if is_whole {
            front.clone()
        } else {
            format!("{name}/{folder}/")
        };
        for place in &package.folders {
            let below = place.join(folder);
            if below.is_dir() {
                roots.push(Root {
                    folder: below,
                    within: place.clone(),
                    shown: shown.clone(),
                    front: front.clone(),
                });
            }
        }
    }
    roots
}
