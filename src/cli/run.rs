//! `torchada run`, `torchada verify` and `torchada bench`: their arguments.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::help;

/// The Python that a command of the package for run time is run by.
#[derive(Clone, Debug, Default, Args)]
pub struct PythonArg {
    /// The Python that has torch [default: the first python3 on the PATH]
    #[arg(long, value_name = "PYTHON", overrides_with = "python")]
    pub python: Option<PathBuf>,
}

/// What answers the calls that a program makes of CUDA.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Device {
    /// MUSA where `torch_musa` is installed, NVIDIA's GPU where its driver is, else the try-out.
    Auto,
    /// MUSA.
    Musa,
    /// The try-out on the CPU.
    Cpu,
}

impl Device {
    /// Its name, as the package for run time knows it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Musa => "musa",
            Self::Cpu => "cpu",
        }
    }
}

/// The arguments of `torchada run`.
#[derive(Clone, Debug, Args)]
#[command(after_help = help::RUN_EXAMPLES)]
pub struct RunArgs {
    // The help shows names as a user types them, without the backticks of documentation.
    #[allow(clippy::doc_markdown)]
    /// What answers the calls of CUDA's: MUSA, the CPU as a try-out, or what this machine has [default:
    /// `TORCHADA_DEVICE`, else auto]
    #[arg(
        long,
        value_enum,
        hide_possible_values = true,
        value_name = "musa|cpu|auto"
    )]
    pub device: Option<Device>,

    /// Say in the end what was redirected, from where and how often, what MUSA lacks of it, and what did nothing: on
    /// standard error, or in FILE
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    pub report: Option<Option<PathBuf>>,

    /// The report as JSON
    #[arg(long, requires = "report")]
    pub json: bool,

    /// The Python.
    #[command(flatten)]
    pub python: PythonArg,

    /// A script, `-m MODULE`, `-c CODE`, `-`, or a program such as torchrun, with its arguments
    #[arg(
        value_name = "PROGRAM",
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub program: Vec<OsString>,
}

/// The arguments of a command that the package for run time has: `torchada verify` and `torchada bench`.
#[derive(Clone, Debug, Args)]
pub struct PackageArgs {
    /// The Python.
    #[command(flatten)]
    pub python: PythonArg,

    /// What the package's command gets
    #[arg(
        value_name = "ARGUMENT",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub arguments: Vec<OsString>,
}
