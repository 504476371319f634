//! What a Python has: torch, `torch_musa`, packages.

mod packages;
mod torch;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::checked::{Checked, State};
use crate::machine::{Environment, python};
use crate::mapping::doctor::DoctorTable;
use crate::mapping::machine::MachineTable;

pub(super) use packages::{check_builds, check_runtime};
pub(super) use torch::{check_fit, check_torch, check_torch_musa, version};

const INSTALLED: &str = include_str!("installed.py");
const IMPORTED: &str = include_str!("imported.py");

/// A Python and what it has.
#[derive(Clone, Debug)]
pub struct Python {
    /// The program.
    pub program: PathBuf,
    /// What is installed there.
    pub installed: Installed,
    /// What torch and `torch_musa` say once they are imported, or why that ended before they could.
    pub imported: Result<Imported, String>,
}

/// What is installed, by looking alone.
#[derive(Clone, Debug, Deserialize)]
pub struct Installed {
    /// Python's version.
    pub version: String,
    /// Files of the modules that were asked for.
    pub places: BTreeMap<String, Option<String>>,
    /// Versions of all distributions.
    pub distributions: BTreeMap<String, String>,
    /// The files that import each module when Python starts.
    pub starters: BTreeMap<String, Vec<String>>,
}

/// What modules say once they are imported.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Imported {
    /// torch; `None` where there is none.
    pub torch: Option<Module>,
    /// `torch_musa`; `None` where there is none.
    pub torch_musa: Option<Module>,
}

/// An imported module.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Module {
    /// Its version.
    pub version: Option<String>,
    /// Its file.
    pub place: Option<String>,
    /// The release of CUDA that it was built for.
    pub cuda: Option<String>,
    /// The devices that it sees.
    pub devices: Option<Vec<String>>,
    /// Why it sees none.
    pub devices_fault: Option<String>,
    /// Why it can't be imported.
    pub fault: Option<String>,
}

impl Imported {
    /// The version of torch.
    pub fn torch_version(&self) -> Option<&str> {
        self.torch.as_ref()?.version.as_deref()
    }

    /// The version of `torch_musa`.
    pub fn torch_musa_version(&self) -> Option<&str> {
        self.torch_musa.as_ref()?.version.as_deref()
    }
}

/// Ask a Python what it has.
///
/// # Errors
/// Why there is no answer, in words.
pub fn look(argument: Option<&Path>, environment: &Environment) -> Result<Python, String> {
    let limits = &MachineTable::builtin().limits;
    let Some(program) = python::find(argument, environment) else {
        return Err(match argument {
            Some(argument) => format!("there is no program {}", argument.display()),
            None => "there is none on the PATH".to_owned(),
        });
    };
    let runtime = DoctorTable::builtin().runtime.module.as_str();
    let modules = ["torch", "torch_musa", runtime];
    let installed: Installed =
        python::ask(&program, INSTALLED, &modules, environment, limits.python())
            .map_err(|error| format!("{}: {error}", program.display()))?;
    let is_there = |name: &str| matches!(installed.places.get(name), Some(Some(_)));
    let imported = if is_there("torch") || is_there("torch_musa") {
        // Each is asked by itself.
        let alone = environment.with(&MachineTable::builtin().python.autoload, "0");
        python::ask(&program, IMPORTED, &[], &alone, limits.python())
            .map_err(|error| error.to_string())
    } else {
        Ok(Imported::default())
    };
    Ok(Python {
        program,
        installed,
        imported,
    })
}

/// Whether there is a Python that answers.
pub(super) fn check(python: &Result<Python, String>) -> Checked {
    match python {
        Ok(python) => {
            let program = python.program.display();
            let what = format!("{} in {program}", python.installed.version);
            Checked::one("python", State::Ok, what)
        }
        Err(why) => Checked::one("python", State::Failed, why),
    }
}
