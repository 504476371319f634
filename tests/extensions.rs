//! A ported `setup.py` is run, with stand-ins for what it imports: it gives `torch_musa`'s builder files that are
//! there, and flags that mcc knows.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// What only nvcc knows.
const OF_NVCC: [&str; 8] = [
    "-gencode",
    "arch=compute",
    "--threads",
    "--extended-lambda",
    "--ptxas",
    "use_fast_math",
    "-lineinfo",
    "__CUDA",
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// What the `setup.py` that a fixture expects gives its builder. `tests/port.rs` compares the port with it.
fn built(fixture: &Path) -> Value {
    let run = Command::new("python3")
        .arg("setup.py")
        .current_dir(fixture)
        .env("PYTHONPATH", root().join("tests/extensions"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("FORCE_MUSA", "1")
        .output()
        .expect("python3 runs");
    let printed = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{}: {printed}", fixture.display());
    serde_json::from_slice(&run.stdout).expect("JSON")
}

fn texts(value: &Value) -> Vec<&str> {
    let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
    items
        .iter()
        .map(|one| one.as_str().expect("a text"))
        .collect()
}

#[test]
fn builders_get_files_and_flags_of_musas() {
    for name in [
        "build-setup-hosts",
        "build-setup-platforms",
        "build-setup-targets",
    ] {
        let fixture = root().join("fixtures").join(name).join("expected");
        let build = built(&fixture);
        assert_eq!(
            build["builder"], "torch_musa.utils.musa_extension",
            "{name}"
        );
        let extensions = build["extensions"].as_array().expect("a list");
        assert!(!extensions.is_empty(), "{name} builds nothing");
        for extension in extensions {
            let of = format!("{name}: {}", extension["name"]);
            for source in texts(&extension["sources"]) {
                let ending = Path::new(source).extension();
                assert!(ending.is_some_and(|one| one != "cu"), "{of}: {source}");
                assert!(fixture.join(source).is_file(), "{of}: no {source}");
            }
            let flags = &extension["extra_compile_args"];
            assert!(flags["nvcc"].is_null(), "{of}: {flags}");
            for flag in texts(&flags["mcc"]) {
                let known = OF_NVCC.iter().all(|one| !flag.contains(one));
                assert!(known, "{of}: {flag}");
            }
            // The architecture is mcc's alone: the host's compiler would stop at it.
            let host = texts(&flags["cxx"]);
            assert!(
                !host.iter().any(|flag| flag.contains("offload")),
                "{of}: {host:?}"
            );
        }
    }
}

#[test]
fn mcc_compiles_host_sources_that_need_it() {
    let build = built(&root().join("fixtures/build-setup-hosts/expected"));
    let extensions = build["extensions"].as_array().expect("a list");
    let forced: Vec<&str> = extensions
        .iter()
        .filter(|one| texts(&one["extra_compile_args"]["cxx"]).contains(&"force_mcc"))
        .map(|one| one["name"].as_str().expect("a name"))
        .collect();
    assert_eq!(forced, ["one", "two", "four"]);
}
