//! The command lines of g++.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::World;
use super::files::Item;
use super::views::{Side, View};

/// The file of an item on a side.
pub fn path(world: &World<'_>, item: &Item, side: Side) -> PathBuf {
    let trees = &world.trees;
    match side {
        Side::Original => trees.original.join(&item.file),
        Side::Port => trees.port.join(trees.ported(&item.file)),
    }
}

/// The arguments by which g++ reads a file as the compiler of that side would.
/// `prelude` holds the macros of the header that it includes by itself, where they will do.
pub fn preprocessor(
    world: &World<'_>,
    item: &Item,
    side: Side,
    view: View,
    prelude: Option<&Path>,
) -> Command {
    let source = path(world, item, side);
    let root = world.trees.root(side);
    let mut command = Command::new("g++");
    command.env("LC_ALL", "C");
    command.current_dir(source.parent().unwrap_or(root));
    command.args(["-E", "-w", "-m64", "-x", "c++"]);
    command.arg(format!("-fmacro-prefix-map={}=.", root.display()));
    command.args(flags(world, item, side));
    if item.is_cuda {
        command.args(dialect(world, side, view));
        command.arg("-include");
        command.arg(prelude.unwrap_or(Path::new(start(side))));
    }
    command.arg(source);
    command
}

/// What the compiler of a side defines in a pass.
pub fn dialect(world: &World<'_>, side: Side, view: View) -> Vec<String> {
    let mut flags = nvcc(world);
    if let View::Device(pair) = view {
        flags.push(format!("-D__CUDA_ARCH__={}", pair.cuda));
        if side == Side::Port {
            flags.push(format!("-D__MUSA_ARCH__={}", pair.musa));
        }
    }
    flags
}

/// The header that the compiler of a side includes by itself.
pub fn start(side: Side) -> &'static str {
    match side {
        Side::Original => "cuda_runtime.h",
        Side::Port => "musa_runtime.h",
    }
}

/// An item's own flags on a side, and the folders of headers: the project's, the shim's, CUDA's.
pub fn flags(world: &World<'_>, item: &Item, side: Side) -> Vec<String> {
    let mut flags: Vec<String> = item
        .flags
        .iter()
        .map(|flag| moved(world, flag, side))
        .collect();
    if !flags.iter().any(|flag| flag.starts_with("-std=")) {
        flags.push("-std=c++17".to_owned());
    }
    if side == Side::Port {
        flags.extend([
            "-isystem".to_owned(),
            world.tools.build.shim.display().to_string(),
        ]);
    }
    flags.extend(world.tools.build.torch.iter().cloned());
    flags.extend(world.tools.build.sysroot.include());
    flags
}

/// A path below the original as the port has it.
fn moved(world: &World<'_>, flag: &str, side: Side) -> String {
    let trees = &world.trees;
    let below = Path::new(flag).strip_prefix(&trees.original);
    match (side, below) {
        (Side::Port, Ok(below)) => {
            let there = trees.ported(&super::trees::shown(below));
            trees.port.join(there).display().to_string()
        }
        _ => flag.to_owned(),
    }
}

/// What nvcc defines.
fn nvcc(world: &World<'_>) -> Vec<String> {
    let version = world.tools.build.cuda_version;
    let (major, minor) = (version / 1000, version % 1000 / 10);
    let architectures: Vec<String> = world
        .options
        .pairs
        .iter()
        .map(|pair| pair.cuda.to_string())
        .collect();
    vec![
        "-D__CUDACC__".to_owned(),
        "-D__NVCC__".to_owned(),
        "-D__CUDACC_EXTENDED_LAMBDA__".to_owned(),
        "-D__CUDACC_RELAXED_CONSTEXPR__".to_owned(),
        "-D__CUDACC_DEVICE_ATOMIC_BUILTINS__=1".to_owned(),
        "-D__NVCC_DIAG_PRAGMA_SUPPORT__=1".to_owned(),
        "-D__CUDACC_VER_BUILD__=0".to_owned(),
        format!("-D__CUDACC_VER_MAJOR__={major}"),
        format!("-D__CUDACC_VER_MINOR__={minor}"),
        format!("-D__CUDA_API_VER_MAJOR__={major}"),
        format!("-D__CUDA_API_VER_MINOR__={minor}"),
        format!("-D__CUDA_ARCH_LIST__={}", architectures.join(",")),
    ]
}
