//! Looks at the machine, and at what a project needs of it: `torchada doctor` and `torchada info`.
//!
//! What is compared with what, and every text for people, stands in `mappings/doctor.toml`.

mod checked;
mod driver;
mod full;
mod info;
mod loader;
mod project;
mod python;
mod sdk;
mod variables;

use std::path::Path;
use std::time::Duration;

use crate::machine::Environment;
use crate::machine::sdk::{self as machine_sdk, Looked, Sdk};
use crate::mapping::doctor::{CheckText, DoctorTable};

pub use checked::{Checked, State};
pub use driver::Driver;
pub use info::InfoRow;
pub use project::{Needs, TargetLimit};
pub use python::{Imported, Installed, Module, Python};

/// What was found on a machine: each program is asked once.
#[derive(Debug)]
pub struct Machine {
    /// The driver, or why it does not answer.
    pub driver: Result<Driver, String>,
    /// The SDK, or where it was looked for.
    pub sdk: Result<Sdk, Vec<Looked>>,
    /// What the SDK's compiler says of itself, if it has one.
    pub mcc: Option<Result<String, String>>,
    /// The Python, or why it does not answer.
    pub python: Result<Python, String>,
}

impl Machine {
    /// Look at a machine: the SDK that is named, else the one that is found, and so the Python.
    pub fn look(
        musa_home: Option<&Path>,
        python: Option<&Path>,
        environment: &Environment,
    ) -> Self {
        let sdk = machine_sdk::find(musa_home, environment);
        let mcc = sdk.as_ref().ok().and_then(Sdk::compiler);
        Self {
            driver: driver::driver(environment),
            mcc: mcc.map(|mcc| sdk::compiler(&mcc, environment)),
            python: python::look(python, environment),
            sdk,
        }
    }

    /// The checks of the machine alone.
    pub fn check(&self, environment: &Environment) -> Vec<Checked> {
        let sdk = self.sdk.as_ref().ok();
        let python = self.python.as_ref().ok();
        vec![
            driver::check_driver(&self.driver),
            driver::check_nodes(environment),
            sdk::check_sdk(&self.sdk),
            sdk::check_parts(sdk),
            sdk::check_compiler(self.mcc.as_ref()),
            sdk::check_path(sdk, environment),
            loader::check_libraries(sdk, environment),
            python::check(&self.python),
            python::check_torch(python),
            python::check_torch_musa(python),
            python::check_fit(python, sdk),
            python::check_builds(python),
            python::check_runtime(python),
            variables::check(environment),
        ]
    }

    /// The architectures of the machine's devices, as far as they are known.
    fn targets(&self) -> Vec<String> {
        let rows = DoctorTable::builtin().gpu.iter();
        let driver = self.driver.as_ref().ok();
        let devices = driver.map_or(&[][..], |driver| &driver.devices);
        let own = rows.filter(|row| devices.contains(&row.name));
        let mut targets: Vec<String> = own.map(|row| row.target.clone()).collect();
        targets.sort();
        targets.dedup();
        targets
    }

    /// Try the device by the checks that are wanted, each for so long at most.
    pub fn try_device(
        &self,
        limit: Duration,
        is_wanted: &dyn Fn(&CheckText) -> bool,
        environment: &Environment,
    ) -> Vec<Checked> {
        full::check(self.python.as_ref().ok(), limit, is_wanted, environment)
    }
}
