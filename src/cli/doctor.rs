//! `torchada doctor` and `torchada info`: their arguments.

use std::path::{Path, PathBuf};

use clap::Args;

use super::{CheckArgs, help};

/// Where on the machine the SDK and Python are.
#[derive(Clone, Debug, Default, Args)]
pub struct MachineArgs {
    /// The folder of the MUSA SDK [default: `MUSA_HOME`, else `MUSA_PATH`, else that of the `mcc` on the PATH, else
    /// /usr/local/musa]
    #[arg(long, value_name = "DIR")]
    pub musa_home: Option<PathBuf>,

    // The help shows names as a user types them, without the backticks of documentation.
    #[allow(clippy::doc_markdown)]
    /// The Python that has torch and torch_musa [default: the first python3 on the PATH]
    #[arg(long, value_name = "PYTHON")]
    pub python: Option<PathBuf>,
}

/// The arguments of `torchada doctor`.
#[derive(Clone, Debug, Args)]
#[command(after_help = help::DOCTOR_EXAMPLES)]
pub struct DoctorArgs {
    /// A project: what it needs of the machine is looked at, too
    #[arg(value_name = "PROJECT")]
    pub project: Option<PathBuf>,

    /// Answer as JSON
    #[arg(long)]
    pub json: bool,

    /// Try the device: an allocation, a kernel, a matrix product and a collective, each in a process of its own
    #[arg(long)]
    pub full: bool,

    /// How long each of these processes may take
    #[arg(long, value_name = "SECONDS", default_value_t = 120, requires = "full")]
    pub limit: u64,

    /// Leave out the checks with these codes, or with codes that start so: DOC001, DOC04; may be given several times
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    pub skip: Vec<String>,

    /// Where the SDK and Python are.
    #[command(flatten)]
    pub machine: MachineArgs,
}

impl DoctorArgs {
    /// The check of the project whose findings say what the project needs.
    pub fn check(&self, project: &Path) -> CheckArgs {
        CheckArgs {
            paths: vec![project.to_owned()],
            quiet: true,
            ..CheckArgs::default()
        }
    }
}

/// The arguments of `torchada info`.
#[derive(Clone, Debug, Args)]
#[command(after_help = help::INFO_EXAMPLES)]
pub struct InfoArgs {
    /// Answer as JSON
    #[arg(long)]
    pub json: bool,

    /// Where the SDK and Python are.
    #[command(flatten)]
    pub machine: MachineArgs,
}
