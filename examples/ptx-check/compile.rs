//! Compiles ports with g++ and the stand-in for MUSA's headers.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use torchada::mapping::shim::compiler;

use crate::case::Case;
use crate::port::{Port, assembly};
use crate::process::run;
use crate::shared;

/// The headers and sources of the stand-in.
const STAND_IN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/ptx-check/stand_in");

/// What every file includes first. It takes longer to compile than most cases, so it is compiled once.
const HEADER: &str = "musa_runtime.h";

/// How every file is compiled. No product and sum is joined, and pointers may point to anything as they may on the
/// device.
const FLAGS: [&str; 8] = [
    "-std=c++17",
    "-fsigned-char",
    "-O1",
    "-w",
    "-ffp-contract=off",
    "-fno-strict-aliasing",
    "-no-pie",
    "-pthread",
];

/// The C functions that the stand-in has its own of.
const OWN: [&str; 11] = [
    "fmin",
    "fmax",
    "fminf",
    "fmaxf",
    "rintf",
    "nearbyintf",
    "truncf",
    "floorf",
    "ceilf",
    "sqrtf",
    "fmaf",
];

/// The parts of the stand-in that are compiled once, each with a flag of its own.
const SOURCES: [(&str, &str); 3] = [
    ("block.cpp", "-fno-builtin"),
    ("functions.cpp", "-fno-builtin"),
    ("rounding.cpp", "-frounding-math"),
];

/// A compiler, and the part of the stand-in that is compiled once for all cases.
pub(crate) struct Compiler {
    limit: Duration,
    objects: Vec<PathBuf>,
    flags: Vec<String>,
    /// The header that every file includes first.
    first: PathBuf,
}

/// What became of a port.
pub(crate) enum Compiled {
    /// A program that runs it.
    Program(PathBuf),
    /// It does not compile: the first errors.
    Errors(String),
}

impl Compiler {
    /// Compile what all cases share, in a folder that outlives this.
    ///
    /// # Errors
    /// Where there is no g++.
    pub(crate) fn new(folder: &Path, limit: Duration) -> Result<Self> {
        let mut flags: Vec<String> = FLAGS.iter().map(|flag| (*flag).to_owned()).collect();
        flags.extend(OWN.iter().map(|name| format!("-fno-builtin-{name}")));
        flags.push(format!("-I{STAND_IN}"));
        let mut objects = Vec::new();
        for (source, flag) in SOURCES {
            let object = folder.join(source).with_extension("o");
            let mut command = Command::new("g++");
            command.args(&flags).arg(flag).arg("-c");
            command
                .arg(Path::new(STAND_IN).join(source))
                .arg("-o")
                .arg(&object);
            let ran = run(&mut command, limit).context("install g++")?;
            if !ran.is_good() {
                bail!("{source} does not compile: {}", first_errors(&ran.err));
            }
            objects.push(object);
        }
        for definition in &compiler()?.macros {
            flags.push(format!("-D{}={}", definition.name, definition.value));
        }
        // The compiler takes the compiled header, which lies beside this one, in its place.
        let first = folder.join("first.h");
        std::fs::write(&first, format!("#include <{HEADER}>\n"))?;
        let mut command = Command::new("g++");
        command.args(&flags).args(["-x", "c++-header"]).arg(&first);
        let ran = run(&mut command, limit)?;
        if !ran.is_good() {
            bail!("{HEADER} does not compile: {}", first_errors(&ran.err));
        }
        Ok(Self {
            limit,
            objects,
            flags,
            first,
        })
    }

    /// Compile a port, in the case's folder.
    ///
    /// # Errors
    /// Where g++ can't be run or a file can't be written.
    pub(crate) fn compile(&self, case: &Case, port: &Port, folder: &Path) -> Result<Compiled> {
        let main = folder.join("main.cpp");
        let text = format!(
            "#include \"{}\"\nvoid ptx_check_kernel(const void *in, void *out) {{ {}(in, out); }}\n",
            port.source.display(),
            case.entry
        );
        std::fs::write(&main, text)?;
        let program = folder.join("program");
        let mut command = self.command(port);
        let source = std::fs::read_to_string(&port.source)?;
        if let Some((source, names)) = shared::declare(&source) {
            std::fs::write(&port.source, source)?;
            command.args(
                names
                    .iter()
                    .map(|name| format!("-Wl,--defsym={name}={}", shared::DYNAMIC)),
            );
        }
        command.arg(&main).arg("-x").arg("none").args(&self.objects);
        command.arg("-o").arg(&program);
        let ran = run(&mut command, self.limit)?;
        Ok(if ran.is_good() {
            Compiled::Program(program)
        } else if ran.status.is_none() {
            Compiled::Errors(format!(
                "the compiler took more than {} s",
                self.limit.as_secs()
            ))
        } else {
            Compiled::Errors(first_errors(&ran.err))
        })
    }

    /// Whether the code that the compiler would see of a port, without what the preprocessor leaves out, has an asm
    /// statement.
    ///
    /// # Errors
    /// Where g++ can't be run.
    pub(crate) fn has_assembly(&self, port: &Port) -> Result<bool> {
        let source = std::fs::read_to_string(&port.source)?;
        if assembly::statements(&source).is_empty() {
            return Ok(false);
        }
        let ran = run(self.command(port).arg("-E").arg(&port.source), self.limit)?;
        if !ran.is_good() {
            return Ok(true);
        }
        let out = String::from_utf8_lossy(&ran.out);
        Ok(!assembly::statements(&own_lines(&out, &port.root)).is_empty())
    }

    /// The compiler as it reads a port.
    fn command(&self, port: &Port) -> Command {
        let mut command = Command::new("g++");
        command.env("LC_ALL", "C").args(&self.flags);
        command.arg(format!("-I{}", port.root.display()));
        command.arg("-include").arg(&self.first).args(["-x", "c++"]);
        command
    }
}

/// The lines of preprocessed text that stand in files below a folder.
fn own_lines(text: &str, root: &Path) -> String {
    let mut is_own = false;
    let mut own = String::new();
    for line in text.lines() {
        if let Some(marker) = line.strip_prefix("# ") {
            let file = marker.split('"').nth(1);
            is_own = file.is_some_and(|file| Path::new(file).starts_with(root));
        } else if is_own {
            own.push_str(line);
            own.push('\n');
        }
    }
    own
}

/// The first errors of a compiler, without what surrounds them.
fn first_errors(text: &str) -> String {
    const MOST: usize = 3;
    let is_error = |line: &&str| line.contains("error") || line.contains("undefined reference");
    let errors: Vec<&str> = text.lines().filter(is_error).take(MOST).collect();
    let errors = if errors.is_empty() {
        text.lines().take(MOST).collect()
    } else {
        errors
    };
    errors.join("\n")
}
