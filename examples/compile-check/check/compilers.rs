//! Opt-in: real compilers over both sides.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::ValueEnum;
use tempfile::TempDir;

use super::World;
use super::causes::Excuses;
use super::command::{self, path, preprocessor};
use super::compare::words;
use super::files::Item;
use super::left;
use super::outcome::{Cause, Fault, FileOutcome, Verdict, verdict};
use super::preprocess::{faults, preprocess};
use super::same;
use super::views::{Side, View};
use crate::process::run;
use crate::sysroot::Part;

/// What looks at a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum How {
    /// g++ preprocesses both sides, and their tokens are compared
    #[default]
    Same,
    /// NVIDIA's front end, for the host
    Front,
    /// nvcc down to PTX, for the device
    Ptx,
    /// nvcc down to an object
    Obj,
    /// clang, for host and device
    Clang,
}

impl How {
    /// The parts of the sysroot that it needs.
    pub fn parts(self) -> Vec<Part> {
        let name = match self {
            Self::Same | Self::Clang => return Vec::new(),
            Self::Front => "front",
            Self::Ptx | Self::Obj => "nvcc",
        };
        name.parse().into_iter().collect()
    }
}

/// Check one file: where its original compiles, the port has to.
///
/// # Errors
/// Where a compiler can't be started.
pub fn check(world: &World<'_>, item: &Item, how: How) -> Result<FileOutcome> {
    let start = Instant::now();
    let mut outcome = FileOutcome {
        file: item.file.clone(),
        verdict: Verdict::OriginalFails,
        original: None,
        causes: Vec::new(),
        read: Vec::new(),
        seconds: 0.0,
    };
    let first = compile(world, item, how, Side::Original)?
        .into_iter()
        .next();
    if let Some(fault) = first {
        outcome.original = Some(fault.message);
    } else {
        let found = compile(world, item, how, Side::Port)?;
        // What was read, and what is called how, the preprocessor knows.
        if let Ok(original) = preprocess(world, item, Side::Original, View::Host, &[])? {
            let a = words(world, &original, Side::Original);
            let excuses = Excuses::new(world, &original, &a);
            let error = |fault: &Fault| same::error(world, &excuses, fault, View::Host);
            outcome.causes = found.iter().map(error).collect::<Vec<Cause>>();
            let active = preprocess(world, item, Side::Port, View::Host, &["-fdirectives-only"])?;
            if let Ok(active) = active {
                let left = left::left(world, &active, &View::Host.to_string());
                outcome.causes.extend(left);
            }
            outcome.read = original.files;
        }
        outcome.verdict = verdict(&outcome.causes);
    }
    outcome.seconds = start.elapsed().as_secs_f64();
    Ok(outcome)
}

/// The errors of one side; none where it compiles.
fn compile(world: &World<'_>, item: &Item, how: How, side: Side) -> Result<Vec<Fault>> {
    let place = TempDir::new().context("can't make a temporary folder")?;
    let commands = match how {
        // C++ for the host is g++'s own affair.
        How::Front | How::Ptx | How::Obj if !item.is_cuda => vec![gnu(world, item, side)],
        How::Same => vec![preprocessor(world, item, side, View::Host, None)],
        How::Front => front(world, item, side, place.path()),
        How::Ptx => vec![nvcc(world, item, side, place.path(), &["-ptx"])],
        How::Obj => vec![nvcc(world, item, side, place.path(), &["-c"])],
        How::Clang => vec![clang(world, item, side, place.path())?],
    };
    for mut command in commands {
        let ran = run(&mut command, world.tools.timeout)?;
        if !ran.is_good() {
            return Ok(faults(world, side, &ran.err));
        }
    }
    Ok(Vec::new())
}

/// A compiler that runs beside its source, as builds do.
fn beside(world: &World<'_>, item: &Item, side: Side, program: &Path) -> Command {
    let mut command = Command::new(program);
    command.env("LC_ALL", "C");
    let source = path(world, item, side);
    command.current_dir(source.parent().unwrap_or(Path::new("/")));
    command
}

fn gnu(world: &World<'_>, item: &Item, side: Side) -> Command {
    let mut command = beside(world, item, side, Path::new("g++"));
    command.args(["-fsyntax-only", "-w", "-x", "c++"]);
    command.args(command::flags(world, item, side));
    command.arg(path(world, item, side));
    command
}

/// g++ preprocesses, cudafe++ reads.
fn front(world: &World<'_>, item: &Item, side: Side, place: &Path) -> Vec<Command> {
    let read = place.join("read.ii");
    let mut first = preprocessor(world, item, side, View::Host, None);
    first.arg("-o").arg(&read);
    let flags = command::flags(world, item, side);
    let standard = flags.iter().find_map(|flag| flag.strip_prefix("-std="));
    let standard = standard.unwrap_or("c++17").replace("gnu++", "c++");
    let tools = world
        .tools
        .build
        .sysroot
        .folder("front")
        .unwrap_or(Path::new(""));
    let source = path(world, item, side);
    let mut second = beside(world, item, side, &tools.join("bin/cudafe++"));
    second.arg(format!("--{standard}"));
    second.arg(format!("--gnu_version={}", world.tools.build.gnu));
    second.args([
        "--display_error_number",
        "--allow_managed",
        "--m64",
        "--parse_templates",
    ]);
    second.args(["--extended-lambda", "--relaxed_constexpr", "-w"]);
    second
        .arg("--orig_src_file_name")
        .arg(source.file_name().unwrap_or_default());
    second.arg("--orig_src_path_name").arg(&source);
    second.arg("--gen_c_file_name").arg(place.join("out.cpp"));
    second.args(["--stub_file_name", "out.stub.c", "--gen_module_id_file"]);
    second.arg("--module_id_file_name").arg(place.join("id"));
    second.arg(read);
    vec![first, second]
}

/// The first architecture of the check, as compilers for CUDA name it.
fn architecture(world: &World<'_>) -> String {
    let first = world.options.pairs.first();
    format!("sm_{}", first.map_or(80, |pair| pair.cuda / 10))
}

fn nvcc(world: &World<'_>, item: &Item, side: Side, place: &Path, mode: &[&str]) -> Command {
    let tools = world
        .tools
        .build
        .sysroot
        .folder("nvcc")
        .unwrap_or(Path::new(""));
    let mut command = beside(world, item, side, &tools.join("bin/nvcc"));
    command.args(mode).args(["-x", "cu", "-w"]);
    command.arg(format!("-arch={}", architecture(world)));
    command.args(["--extended-lambda", "--expt-relaxed-constexpr"]);
    command.arg("-o").arg(place.join("out"));
    command.args(command::flags(world, item, side));
    if side == Side::Port {
        command.args(["-include", command::start(side)]);
    }
    command.arg(path(world, item, side));
    command
}

fn clang(world: &World<'_>, item: &Item, side: Side, place: &Path) -> Result<Command> {
    let mut command = beside(world, item, side, &world.tools.clang);
    command.args(["-fsyntax-only", "-w"]);
    if item.is_cuda {
        let cuda = imitation(world, place)?;
        command.args(["-x", "cuda", "-Wno-unknown-cuda-version"]);
        command.arg(format!("--cuda-path={}", cuda.display()));
        command.arg(format!("--cuda-gpu-arch={}", architecture(world)));
        if side == Side::Port {
            command.args(["-include", command::start(side)]);
        }
    } else {
        command.args(["-x", "c++"]);
    }
    command.args(command::flags(world, item, side));
    if item.is_cuda {
        command.arg("-isystem").arg(place.join("stand-ins"));
    }
    command.arg(path(world, item, side));
    Ok(command)
}

/// A folder that clang takes for an installation of CUDA: the headers, a `bin`, and libdevice,
/// which is never read. Headers that CUDA 13 no longer has, or that the sysroot lacks, are empty.
fn imitation(world: &World<'_>, place: &Path) -> Result<std::path::PathBuf> {
    let cuda = place.join("cuda");
    let headers = world
        .tools
        .build
        .sysroot
        .folder("cuda")
        .unwrap_or(Path::new(""));
    let device = cuda.join("nvvm/libdevice");
    let stand_ins = place.join("stand-ins");
    for folder in [&cuda.join("bin"), &device, &stand_ins] {
        std::fs::create_dir_all(folder)?;
    }
    std::os::unix::fs::symlink(headers.join("include"), cuda.join("include"))?;
    std::fs::write(device.join("libdevice.10.bc"), "")?;
    std::fs::write(stand_ins.join("texture_fetch_functions.h"), "")?;
    if world.tools.build.sysroot.folder("curand").is_none() {
        std::fs::write(stand_ins.join("curand_mtgp32_kernel.h"), "")?;
    }
    Ok(cuda)
}
