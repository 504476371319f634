//! The versions and paths that a report of a bug needs.

use super::Machine;
use crate::files;
use crate::machine::{ARCHITECTURE, Environment};
use crate::mapping::Tables;

/// The largest file of the system's that is read for its name.
const SYSTEM_BYTES: u64 = 65_536;

/// One line: what, and its value; `None` where it is not there.
pub type InfoRow = (&'static str, Option<String>);

impl Machine {
    /// The rows of `torchada info`, in the order in which they are shown.
    pub fn info(&self, environment: &Environment) -> Vec<InfoRow> {
        let driver = self.driver.as_ref().ok();
        let sdk = self.sdk.as_ref().ok();
        let python = self.python.as_ref().ok();
        let imported = python.and_then(|python| python.imported.as_ref().ok());
        let torch = imported.and_then(|imported| imported.torch.as_ref());
        let musa = imported.and_then(|imported| imported.torch_musa.as_ref());
        let place = |module: Option<&super::Module>| module.and_then(|module| module.place.clone());
        let version = |module: Option<&super::Module>| {
            let module = module?;
            module.version.clone().or_else(|| module.fault.clone())
        };
        let musa_version = sdk.and_then(|sdk| sdk.version());
        vec![
            ("torchada", Some(env!("CARGO_PKG_VERSION").to_owned())),
            ("tables", Some(Tables::version().to_owned())),
            ("system", system(environment)),
            ("kernel", kernel(environment)),
            ("architecture", Some(ARCHITECTURE.to_owned())),
            ("driver", driver.and_then(|driver| driver.version.clone())),
            ("devices", driver.map(|driver| driver.devices.join(", "))),
            ("sdk", musa_version.map(|found| found.version.to_string())),
            (
                "sdk-version-by",
                musa_version.map(|found| found.place.clone()),
            ),
            ("sdk-place", sdk.map(|sdk| sdk.root.display().to_string())),
            ("sdk-found", sdk.map(|sdk| sdk.origin.to_string())),
            (
                "mcc",
                self.mcc
                    .as_ref()
                    .map(|mcc| mcc.clone().unwrap_or_else(|why| why)),
            ),
            (
                "python",
                python.map(|python| python.installed.version.clone()),
            ),
            (
                "python-place",
                python.map(|python| python.program.display().to_string()),
            ),
            ("torch", version(torch)),
            ("torch-place", place(torch)),
            ("torch-cuda", torch.and_then(|torch| torch.cuda.clone())),
            ("torch-musa", version(musa)),
            ("torch-musa-place", place(musa)),
            ("runtime-place", python.and_then(runtime)),
        ]
        .into_iter()
        .map(|(name, value)| (name, value.filter(|value| !value.is_empty())))
        .collect()
    }
}

fn runtime(python: &super::Python) -> Option<String> {
    let module = &crate::mapping::doctor::DoctorTable::builtin()
        .runtime
        .module;
    python.installed.places.get(module).cloned().flatten()
}

/// `Ubuntu 22.04.5 LTS`.
fn system(environment: &Environment) -> Option<String> {
    let bytes = files::read_named(&environment.place("/etc/os-release"), SYSTEM_BYTES).ok()?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let name = text
        .lines()
        .find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
    Some(name.trim_matches('"').to_owned())
}

fn kernel(environment: &Environment) -> Option<String> {
    let path = environment.place("/proc/sys/kernel/osrelease");
    let bytes = files::read_named(&path, SYSTEM_BYTES).ok()?;
    Some(String::from_utf8_lossy(&bytes).trim().to_owned())
}
