//! Lists the files that the program carries along, and says which program it is.

use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::{env, fs};

use rustc_hash::FxHasher;

/// The Python package for run time.
const STUB: &str = "src/stub/torchada";

/// What the program is made of. What one makes of an input, another makes of it that has the same.
const PROGRAM: [&str; 4] = ["Cargo.lock", "build.rs", "mappings", "src"];

fn main() -> Result<(), String> {
    for source in PROGRAM {
        println!("cargo::rerun-if-changed={source}");
    }
    match stub().and_then(|()| program()) {
        Ok(()) => Ok(()),
        Err(fault) => {
            println!("cargo::error={fault}");
            Err(fault)
        }
    }
}

/// Lists the files of the runtime stub, so that the program can carry them.
fn stub() -> Result<(), String> {
    let mut files = Vec::new();
    list(Path::new(STUB), &mut files)?;
    files.sort();
    let mut code = String::from("&[\n");
    for file in files {
        let path = file.strip_prefix(STUB).unwrap_or(&file);
        let full = file.canonicalize();
        let full = full.map_err(|error| format!("{}: {error}", file.display()))?;
        let (path, full) = (path.display().to_string(), full.display().to_string());
        for part in [
            "    (",
            &literal(&path),
            ", include_bytes!(",
            &literal(&full),
            ")),\n",
        ] {
            code.push_str(part);
        }
    }
    code += "]\n";
    let out = env::var("OUT_DIR").map_err(|error| format!("OUT_DIR: {error}"))?;
    let path = Path::new(&out).join("stub_files.rs");
    fs::write(&path, code).map_err(|error| format!("{}: {error}", path.display()))
}

/// Says which program it is: by the hash of all that it is made of.
fn program() -> Result<(), String> {
    let mut files = Vec::new();
    for source in PROGRAM.iter().map(Path::new) {
        if source.is_dir() {
            list(source, &mut files)?;
        } else if source.is_file() {
            files.push(source.to_owned());
        }
    }
    files.sort();
    // This hash names a state of the sources, and guards nothing.
    let mut hash = FxHasher::default();
    for file in files {
        let bytes = fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        (file.to_string_lossy(), bytes).hash(&mut hash);
    }
    println!(
        "cargo::rustc-env=TORCHADA_PROGRAM_HASH={:016x}",
        hash.finish()
    );
    Ok(())
}

/// A text as Rust writes it.
fn literal(text: &str) -> String {
    format!("{text:?}")
}

/// Every file below a folder but what Python leaves there.
fn list(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let fault = |error| format!("{}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(fault)? {
        let path = entry.map_err(fault)?.path();
        if !path.is_dir() {
            files.push(path);
        } else if path.file_name().is_none_or(|name| name != "__pycache__") {
            list(&path, files)?;
        }
    }
    Ok(())
}
