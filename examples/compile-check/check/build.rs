//! What every compilation has in common.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::sysroot::{Sysroot, quietly};

/// The tools and folders of a run.
pub struct Build {
    /// CUDA's side.
    pub sysroot: Sysroot,
    /// The shim's folder.
    pub shim: PathBuf,
    /// CUDA's version as `CUDA_VERSION` has it.
    pub cuda_version: u32,
    /// g++'s version, as cudafe++ takes it.
    pub gnu: String,
    /// Flags for `PyTorch`'s headers; empty without them.
    pub torch: Vec<String>,
}

impl Build {
    /// Look at the tools.
    ///
    /// # Errors
    /// Where g++ is missing, or the sysroot is no CUDA.
    pub fn new(sysroot: Sysroot, shim: PathBuf) -> Result<Self> {
        let dumped = quietly(Command::new("g++").arg("-dumpfullversion"))
            .context("g++ is needed to preprocess")?;
        let gnu = dumped
            .trim()
            .split('.')
            .enumerate()
            .map(|(at, part)| {
                if at == 0 {
                    part.to_owned()
                } else {
                    format!("{part:0>2}")
                }
            })
            .collect();
        let cuda = sysroot.folder("cuda").unwrap_or(Path::new(""));
        let header = std::fs::read_to_string(cuda.join("include/cuda.h"))
            .context("the sysroot has no cuda.h")?;
        let version = header
            .lines()
            .find_map(|line| line.strip_prefix("#define CUDA_VERSION "))
            .and_then(|number| number.trim().parse().ok())
            .context("cuda.h does not tell its version")?;
        let torch = match sysroot.folder("torch") {
            Some(_) => torch_flags()?,
            None => Vec::new(),
        };
        Ok(Self {
            sysroot,
            shim,
            cuda_version: version,
            gnu,
            torch,
        })
    }
}

/// What `PyTorch`'s builds of extensions pass.
fn torch_flags() -> Result<Vec<String>> {
    let script = "import sysconfig; print(sysconfig.get_paths()['include'])";
    let python = quietly(Command::new("python3").args(["-c", script]))?;
    let mut flags = vec!["-isystem".to_owned(), python.trim().to_owned()];
    flags.extend(
        [
            "-DTORCH_EXTENSION_NAME=extension",
            "-DTORCH_API_INCLUDE_EXTENSION_H",
            "-D_GLIBCXX_USE_CXX11_ABI=1",
            "-D__CUDA_NO_HALF_OPERATORS__",
            "-D__CUDA_NO_HALF_CONVERSIONS__",
            "-D__CUDA_NO_BFLOAT16_CONVERSIONS__",
            "-D__CUDA_NO_HALF2_OPERATORS__",
        ]
        .map(str::to_owned),
    );
    Ok(flags)
}
