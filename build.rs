//! Reads and checks the mapping tables at build time, through the loader that a user's tables go
//! through, and keeps them as an image that the program decodes in a moment.

use std::path::Path;
use std::{env, fs};

// The build needs a part of what the program needs.
#[allow(dead_code, unused_imports, unreachable_pub)]
#[path = "src/mapping/loader/mod.rs"]
mod loader;

/// Knowledge that stands beside the tables and has readers of its own.
const NO_TABLES: [&str; 9] = [
    "consumers.toml",
    "effort.toml",
    "families.toml",
    "files.toml",
    "shapes.toml",
    "shim.toml",
    "stub.toml",
    "vendored.toml",
    "vendors.toml",
];

fn main() -> Result<(), String> {
    println!("cargo::rerun-if-changed=mappings");
    println!("cargo::rerun-if-changed=src/mapping/loader");
    match build() {
        Ok(()) => Ok(()),
        Err(fault) => {
            println!("cargo::error={fault}");
            Err(fault)
        }
    }
}

fn build() -> Result<(), String> {
    let mut names = Vec::new();
    for entry in fs::read_dir("mappings").map_err(|error| format!("mappings: {error}"))? {
        let name = entry
            .map_err(|error| format!("mappings: {error}"))?
            .file_name();
        let name = name.to_string_lossy().into_owned();
        if Path::new(&name)
            .extension()
            .is_some_and(|extension| extension == "toml")
            && !NO_TABLES.contains(&name.as_str())
        {
            names.push(name);
        }
    }
    names.sort();

    let mut tables = Vec::new();
    let mut hash = Hash::new();
    for name in names {
        let path = format!("mappings/{name}");
        let text = fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
        hash.add(name.as_bytes());
        hash.add(text.as_bytes());
        tables.push(loader::parse_builtin(&path, &text).map_err(|error| error.to_string())?);
    }
    loader::check_together(&tables).map_err(|error| error.to_string())?;

    let image = loader::image::encode(&tables).map_err(|error| error.to_string())?;
    let out = env::var("OUT_DIR").map_err(|error| format!("OUT_DIR: {error}"))?;
    let path = Path::new(&out).join("tables.bin");
    fs::write(&path, image).map_err(|error| format!("{}: {error}", path.display()))?;
    println!("cargo::rustc-env=TORCHADA_TABLES_HASH={:016x}", hash.0);
    Ok(())
}

/// FNV-1a: names a state of the tables, guards nothing.
struct Hash(u64);

impl Hash {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, bytes: &[u8]) {
        // The 0 keeps the end of one text apart from the start of the next.
        for byte in bytes.iter().chain(&[0]) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
