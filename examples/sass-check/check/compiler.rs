//! NVIDIA's compiler: from kernels in C++ to their machine code.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use tempfile::TempDir;
use torchada::mapping::{Evidence, Tables, Versions};

use super::kernels::Kernels;
use super::listing::{self, Code};
use crate::process::run;
use crate::sysroot::Sysroot;

/// What the machine code is made for.
const ARCHITECTURE: &str = "sm_80";

/// How long a tool may take for one file.
const LIMIT: Duration = Duration::from_mins(10);

/// How a kernel starts in the statements, and in what the compiler makes of them.
pub(super) const IN_CPP: &str = "extern \"C\" __global__ void ";
const IN_PTX: &str = ".visible .entry ";

/// The compiler, and the shim through which it reads ports.
pub(super) struct Compiler {
    sysroot: Sysroot,
    shim: TempDir,
}

/// What became of the kernels of a file.
pub(super) struct Compiled {
    /// The machine code of those that compile.
    pub(super) code: BTreeMap<String, Code>,
    /// The message of the compiler about each of the others.
    pub(super) refused: BTreeMap<String, String>,
}

impl Compiler {
    /// Get the compiler, kept in `cache`.
    ///
    /// # Errors
    /// Where it can't be had, or a table has a fault.
    pub(super) fn new(cache: &Path) -> Result<Self> {
        let parts = ["nvcc", "nvdisasm"].iter().flat_map(|part| part.parse());
        let sysroot = Sysroot::install(cache, &parts.collect::<Vec<_>>())?;
        let tables = Tables::for_run(None, &[], &Versions::default())?;
        let shim = tempfile::tempdir().context("can't make a folder for the shim")?;
        sysroot.write_shim(&tables, Evidence::Contested, shim.path())?;
        Ok(Self { sysroot, shim })
    }

    /// Compile kernels, in a folder that is there. Those of a port are read through the shim, and with the headers that
    /// lie below its root.
    ///
    /// # Errors
    /// Where a tool can't be run, or refuses what stands in no kernel.
    pub(super) fn compile(
        &self,
        kernels: Kernels,
        port: Option<&Path>,
        folder: &Path,
    ) -> Result<Compiled> {
        let name = if port.is_some() { "port" } else { "original" };
        let file = |ending: &str| folder.join(name).with_extension(ending);
        let mut front = self.front(&file("cu"), port, &file("ptx"));
        let (kernels, mut refused) = compiled(kernels, &file("cu"), &mut front, front_error)?;
        let nothing = |refused| Compiled {
            code: BTreeMap::new(),
            refused,
        };
        if kernels.is_empty() {
            return Ok(nothing(refused));
        }
        let text = std::fs::read_to_string(file("ptx"))?;
        let mut assembler = self.tool("nvcc", "ptxas");
        assembler.args(["-arch", ARCHITECTURE]).arg(file("ptx"));
        assembler.arg("-o").arg(file("cubin"));
        let kernels = Kernels::read(&text, IN_PTX);
        let (kernels, others) = compiled(kernels, &file("ptx"), &mut assembler, assembler_error)?;
        refused.extend(others);
        if kernels.is_empty() {
            return Ok(nothing(refused));
        }
        let mut lister = self.tool("nvdisasm", "nvdisasm");
        let ran = run(lister.arg("-c").arg(file("cubin")), LIMIT)?;
        if !ran.is_good() {
            bail!("nvdisasm failed: {}", ran.err.trim());
        }
        let code = listing::kernels(&String::from_utf8_lossy(&ran.out));
        Ok(Compiled { code, refused })
    }

    /// The compiler from C++ to PTX.
    fn front(&self, source: &Path, port: Option<&Path>, out: &Path) -> Command {
        let mut command = self.tool("nvcc", "nvcc");
        command.args(["-ptx", "-std=c++17", "-w", "-arch", ARCHITECTURE]);
        if let Some(root) = port {
            command.args(["-include", "musa_runtime.h"]);
            command
                .arg("-I")
                .arg(root)
                .arg("-isystem")
                .arg(self.shim.path());
        }
        command.args(self.sysroot.include());
        command.arg("-o").arg(out).arg(source);
        command
    }

    /// A program of a part of the sysroot.
    fn tool(&self, part: &str, program: &str) -> Command {
        let folder = self
            .sysroot
            .folder(part)
            .map_or_else(PathBuf::new, Path::to_owned);
        let mut command = Command::new(folder.join("bin").join(program));
        command.env("LC_ALL", "C");
        command
    }
}

/// Have a tool read kernels from a file, without those that it refuses: these come back with its message about each.
/// `error` reads the line and the message of an error in that file.
fn compiled(
    mut kernels: Kernels,
    file: &Path,
    tool: &mut Command,
    error: fn(&str) -> Option<(usize, &str)>,
) -> Result<(Kernels, BTreeMap<String, String>)> {
    let mut refused = BTreeMap::new();
    while !kernels.is_empty() {
        std::fs::write(file, kernels.text())?;
        let ran = run(tool, LIMIT)?;
        if ran.is_good() {
            break;
        }
        let messages = format!("{}{}", String::from_utf8_lossy(&ran.out), ran.err);
        let others = kernels.leave_out(messages.lines().filter_map(error));
        if others.is_empty() {
            bail!("{} does not compile: {}", file.display(), messages.trim());
        }
        refused.extend(others);
    }
    Ok((kernels, refused))
}

/// `port.cu(12): error: message`; where a template of a header is to blame, its use follows: `… at line 12 of "port.cu"`.
fn front_error(line: &str) -> Option<(usize, &str)> {
    if let Some((_, rest)) = line.split_once(".cu(") {
        let (number, message) = rest.split_once(')')?;
        return Some((number.parse().ok()?, message.trim_start_matches([':', ' '])));
    }
    let (_, rest) = line.split_once("at line ")?;
    let (number, rest) = rest.split_once(' ')?;
    let number = number.parse().ok().filter(|_| rest.contains(".cu\""))?;
    Some((number, "a function that it calls does not compile"))
}

/// `ptxas port.ptx, line 12; error   : message`
fn assembler_error(line: &str) -> Option<(usize, &str)> {
    let (_, rest) = line.split_once(", line ")?;
    let (number, message) = rest.split_once(';')?;
    let message = message
        .split_once(':')
        .map_or(message, |(_, message)| message);
    Some((number.parse().ok()?, message.trim()))
}
