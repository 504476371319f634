//! `torchada learn`: facts about an SDK that is made of CUDA's public headers, under MUSA's names.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use clap::Parser;
use tempfile::TempDir;
use torchada::cli::{Cli, Exit};
use torchada::commands::{self, Streams, advice};
use torchada::learn;
use torchada::machine::Environment;
use torchada::mapping::Tables;
use torchada::progress::Silent;

use crate::common::passed::Suite;
use crate::common::script::write_script;
use crate::common::trees::write_tree;
use crate::documents::is_fresh;
use crate::planted_sdk::{PlantedSdk, plant};
use crate::sysroot::{Sysroot, default_cache};

/// The headers of the runtime and the driver: the rest would only take time.
const HEADERS: [&str; 7] = [
    "cuda.h",
    "cuda_runtime_api.h",
    "driver_types.h",
    "library_types.h",
    "surface_types.h",
    "texture_types.h",
    "vector_types.h",
];

/// CUDA's public headers.
fn cuda() -> PathBuf {
    let sysroot = Sysroot::install(&default_cache(), &[]).expect("CUDA's headers");
    sysroot.folder("cuda").expect("a folder").join("include")
}

/// A folder with those of CUDA's headers that the tests need.
fn some_of_cuda() -> &'static Path {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = TempDir::new().expect("a folder");
        let (from, to) = (cuda(), folder.path().join("include"));
        fs::create_dir(&to).expect("made");
        for header in HEADERS {
            fs::copy(from.join(header), to.join(header)).expect("copied");
        }
        folder
    });
    folder.path()
}

/// A test of the command, which no rule has a part in.
fn suite(name: &'static str) -> Suite {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/shared");
    Suite::without_rules(name, "learn.rs").with_files(&shared)
}

/// An SDK without some names.
fn planted(lacks: &[&str]) -> TempDir {
    let place = TempDir::new().expect("a folder");
    let sdk = PlantedSdk {
        version: "4.3.0",
        gaps: 0,
        lacks,
        headers: &HEADERS,
    };
    plant(&some_of_cuda().join("include"), place.path(), &sdk).expect("planted");
    place
}

/// Put another text in the place of one in a header of an SDK.
fn change(sdk: &TempDir, header: &str, from: &str, to: &str) {
    let path = sdk.path().join("include").join(header);
    let text = fs::read_to_string(&path).expect("readable");
    assert!(text.contains(from), "{header} has no `{from}`");
    fs::write(path, text.replace(from, to)).expect("written");
}

/// A run of the command on a machine that has nothing else: how it ended, its messages, and the facts.
fn run(line: &[&str], output: Option<&Path>) -> (Result<Exit, String>, String, toml::Table) {
    let environment = Environment::made(&[("PATH", "/usr/bin:/bin")], Path::new("/dev/null"));
    let mut words = vec!["torchada".to_owned(), "learn".to_owned()];
    words.extend(line.iter().map(|word| (*word).to_owned()));
    if let Some(output) = output {
        words.extend(["-o".to_owned(), output.display().to_string()]);
    }
    let cli = Cli::try_parse_from(words).expect("arguments");
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut streams = Streams {
        out: &mut out,
        err: &mut err,
        input: &mut std::io::empty(),
        out_columns: None,
        err_columns: None,
        progress: &Silent,
        environment: &environment,
    };
    let exit = commands::run(cli, &mut streams)
        .map_err(|error| format!("{error:#}\n{}", advice(&error).unwrap_or_default()));
    let facts = output.and_then(|path| fs::read_to_string(path).ok());
    let facts = facts.map(|text| text.parse().expect("TOML"));
    let messages = String::from_utf8(out).expect("text");
    (exit, messages, facts.unwrap_or_default())
}

/// The facts on an SDK, and the messages of the command.
fn facts(sdk: &TempDir, more: &[&str]) -> (toml::Table, String) {
    let place = TempDir::new().expect("a folder");
    let home = sdk.path().display().to_string();
    let line = [&["--musa-home", &home], more].concat();
    let (exit, messages, facts) = run(&line, Some(&place.path().join("facts.toml")));
    assert_eq!(exit, Ok(Exit::Done));
    (facts, messages)
}

/// A value of a row.
fn value<'f>(facts: &'f toml::Table, section: &str, name: &str, key: &str) -> Option<&'f str> {
    facts.get(section)?.get(name)?.get(key)?.as_str()
}

/// Where a name was seen.
fn source<'f>(facts: &'f toml::Table, name: &str) -> &'f str {
    value(facts, "names", name, "source").unwrap_or_default()
}

#[test]
fn names_are_there_or_not_and_near_ones_are_named() {
    suite("learn-names").run(|| {
        let sdk = planted(&["cudaMemcpyBatchAsync", "cudaErrorTimeout", "cuMemFree"]);
        let (facts, messages) = facts(&sdk, &[]);
        let (header, line) = source(&facts, "cudaMalloc")
            .rsplit_once(':')
            .expect("a place");
        assert_eq!(header, "declared: musa_runtime_api.h");
        let text = fs::read_to_string(sdk.path().join("include/musa_runtime_api.h"));
        let text = text.expect("readable");
        let line = text.lines().nth(line.parse::<usize>().expect("a line") - 1);
        assert!(line.expect("the line").contains("musaMalloc("), "{line:?}");
        assert_eq!(
            value(&facts, "names", "cudaMalloc", "to"),
            Some("musaMalloc")
        );
        for name in ["cudaMemcpyBatchAsync", "cudaErrorTimeout"] {
            assert_eq!(
                value(&facts, "names", name, "relation"),
                Some("absent"),
                "{name}"
            );
            assert_eq!(
                value(&facts, "names", name, "evidence"),
                Some("sdk"),
                "{name}"
            );
        }
        assert_eq!(
            source(&facts, "cudaMemcpyBatchAsync"),
            "not there: musaMemcpyBatchAsync is in no header of the SDK"
        );
        let near = value(&facts, "names", "cudaMemcpyBatchAsync", "advice").expect("advice");
        assert!(near.starts_with("`musaMemcpyAsync` and "), "{near}");
        // What the compiler defines, what counts otherwise, and what comes from elsewhere has no row.
        for name in ["CUDART_VERSION", "cudnnCreate", "ncclAllReduce", "cutlass"] {
            assert_eq!(source(&facts, name), "", "{name}");
        }
        let headers = facts.get("headers").expect("headers");
        assert!(headers.get("cuda_runtime_api.h").is_some());
        let options: Vec<_> = facts["facts"]["options"]
            .as_array()
            .into_iter()
            .flatten()
            .collect();
        assert_eq!(options.len(), 2, "{options:?}");
        assert_eq!(
            facts["facts"]["architectures"].as_array().map(Vec::len),
            Some(3)
        );
        assert!(messages.contains("MUSA SDK 4.3.0"), "{messages}");
        assert!(messages.contains("CUDA runtime"), "{messages}");
    });
}

#[test]
fn changed_declarations_and_values_are_facts() {
    suite("learn-declarations").run(|| {
        let sdk = planted(&[]);
        let memset = "musaMemset(void *devPtr, int value, size_t count)";
        change(
            &sdk,
            "musa_runtime_api.h",
            memset,
            "musaMemset(void *devPtr, size_t count)",
        );
        let free = "musaFreeHost(void *ptr)";
        change(&sdk, "musa_runtime_api.h", free, "musaFreeHost(void **ptr)");
        let flags = "musaSetDeviceFlags( unsigned int flags )";
        change(
            &sdk,
            "musa_runtime_api.h",
            flags,
            "musaSetDeviceFlags(int flags)",
        );
        let timeout = "musaErrorLaunchTimeout                =      702";
        change(
            &sdk,
            "driver_types.h",
            timeout,
            "musaErrorLaunchTimeout = 1 << 3",
        );
        // What the program itself knows of CUDA, and what CUDA's own headers say.
        let home = some_of_cuda().display().to_string();
        for more in [&[][..], &["--cuda-home", &home]] {
            let (facts, _) = facts(&sdk, more);
            let differs = |name| value(&facts, "names", name, "differs");
            assert_eq!(
                differs("cudaMemset"),
                Some("CUDA: cudaMemset(void *, int, size_t); MUSA: musaMemset(void *, size_t)")
            );
            assert_eq!(
                differs("cudaFreeHost"),
                Some("CUDA: cudaFreeHost(void *); MUSA: musaFreeHost(void **)")
            );
            assert_eq!(differs("cudaSetDeviceFlags"), None);
            assert_eq!(
                differs("cudaErrorLaunchTimeout"),
                Some("CUDA: cudaErrorLaunchTimeout = 702; MUSA: musaErrorLaunchTimeout = 8")
            );
            let names = facts["names"].as_table().expect("names");
            let all = names.values().filter(|row| row.get("differs").is_some());
            assert_eq!(all.count(), 3);
        }
    });
}

#[test]
fn libraries_and_modules_say_what_headers_do_not() {
    suite("learn-libraries").run(|| {
        let sdk = planted(&["cudaMallocAsync"]);
        let at = |path: &str| sdk.path().join(path);
        for folder in ["lib/cmake", "cmake"] {
            fs::create_dir_all(at(folder)).expect("made");
        }
        fs::write(at("a.c"), "int musaMallocAsync(void) { return 0; }\n").expect("written");
        let gcc = Command::new("gcc")
            .args(["-shared", "-o", "lib/libmusart.so.4.3.0", "a.c"])
            .current_dir(sdk.path())
            .status();
        assert!(gcc.expect("gcc").success());
        std::os::unix::fs::symlink("libmusart.so.4.3.0", at("lib/libmusart.so")).expect("linked");
        std::os::unix::fs::symlink("..", at("include/around")).expect("linked");
        fs::write(at("lib/libmublas.so"), "no library").expect("written");
        let module =
            "add_library(MUSA::musart SHARED IMPORTED)\n_x_find_and_add_import_lib(mublas)\n";
        fs::write(at("cmake/FindMUSAToolkit.cmake"), module).expect("written");
        let (facts, _) = facts(&sdk, &[]);
        assert_eq!(
            source(&facts, "cudaMallocAsync"),
            "exported: lib/libmusart.so"
        );
        let library = |name| value(&facts, "libraries", name, "source");
        assert_eq!(library("cudart"), Some("declared: lib/libmusart.so"));
        assert_eq!(
            library("cusolver"),
            Some("not there: the SDK has no library musolver")
        );
        assert_eq!(
            library("CUDA::cublas"),
            Some("declared: cmake/FindMUSAToolkit.cmake:2")
        );
        assert_eq!(library("cudnn"), None);
        let unread: Vec<&str> = facts["facts"]["unread"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(toml::Value::as_str)
            .collect();
        assert_eq!(
            unread,
            [
                "around: a link out of the SDK, or to a folder around it",
                "lib/libmublas.so: no ELF file of 64 bits"
            ]
        );
    });
}

#[test]
fn a_machine_without_an_sdk_is_told_where_one_was_looked_for() {
    let (exit, _, _) = run(&["--musa-home", "/nowhere/musa"], None);
    let fault = exit.expect_err("no SDK");
    assert!(fault.contains("/nowhere/musa"), "{fault}");
    assert!(fault.contains("--musa-home"), "{fault}");
}

/// Packages with as much of torch and `torch_musa` as the test needs, in Python alone.
const PACKAGES: [(&str, &str); 9] = [
    (
        "torch/__init__.py",
        "import torch._C, torch.cuda, torch.backends\n__version__ = '2.7.1'\n",
    ),
    (
        "torch/_C.py",
        "def _dispatch_get_registrations_for_dispatch_key(key):\n    \
         return {'CUDA': ['aten::add', 'aten::geqrf'], 'PrivateUse1': ['aten::add']}.get(key, [])\n",
    ),
    (
        "torch/cuda/__init__.py",
        "def device_count(): raise SystemExit\n\
         def synchronize(device=None): ...\n\
         def get_device_name(device=None): ...\n\
         def empty_cache(): ...\n\
         def utilization(device=None): ...\n",
    ),
    ("torch/backends.py", ""),
    (
        "torch_musa/__init__.py",
        "import sys, torch\n\
         __version__ = '2.7.1'\n\
         torch.musa = sys.modules[__name__]\n\
         torch.cuda.synchronize = None\n\
         def device_count(): raise SystemExit\n\
         def synchronize(device=None, *, stream=None): ...\n\
         def get_device_name(index): ...\n\
         def empty_cache(*args, **kwargs): ...\n\
         def utilization(device=None): ...\n\
         def max_memory_reserved_bytes(): ...\n",
    ),
    (
        "torch_musa/csrc/core/MUSAStream.h",
        "namespace c10::musa {\nclass MUSAStream {};\n}\n",
    ),
    (
        "torch_musa/share/made/include/ATen/musa/Atomic.muh",
        "namespace at::musa {}\n",
    ),
    (
        "torch/include/c10/core/DeviceType.h",
        "namespace c10 {\nconstexpr int kPrivateUse1 = 20;\n}\n",
    ),
    (
        "nvidia/cuda_runtime/include/cuda_runtime_api.h",
        "int cudaMalloc(void **, int);\n",
    ),
];

#[test]
fn a_python_says_what_torch_musa_has() {
    suite("learn-python").with_version("python3").run(|| {
    let packages = write_tree(&PACKAGES);
    let sdk = write_tree(&[
        ("include/musa_runtime_api.h", "int musaMalloc(void **);\n"),
        (
            "version.json",
            "{\"musa_toolkits\": {\"version\": \"4.3.0\"}}",
        ),
        ("bin/python3", ""),
    ]);
    let python = sdk.path().join("bin/python3");
    let script = format!(
        "#!/bin/sh\nPYTHONDONTWRITEBYTECODE=1 PYTHONNOUSERSITE=1 PYTHONPATH={} exec /usr/bin/env python3 \"$@\"\n",
        packages.path().display()
    );
    write_script(&python, &script);
    let (facts, messages) = facts(&sdk, &["--python", &python.display().to_string()]);
    let row = |section: &str, name: &str| {
        let keys = ["to", "relation", "source", "differs", "advice"];
        let parts = keys
            .iter()
            .filter_map(|key| value(&facts, section, name, key));
        parts.collect::<Vec<_>>().join(" | ")
    };
    let version = "torch_musa 2.7.1";
    for (name, expected) in [
        (
            "torch.cuda.device_count",
            format!("torch.musa.device_count | there: {version}"),
        ),
        (
            "torch.cuda.synchronize",
            format!("torch.musa.synchronize | there: {version}"),
        ),
        (
            "torch.cuda.empty_cache",
            format!("torch.musa.empty_cache | there: {version}"),
        ),
        (
            "torch.cuda.get_device_name",
            format!(
                "torch.musa.get_device_name | there: {version} | CUDA: torch.cuda.get_device_name(device=…); MUSA: \
                 torch.musa.get_device_name(index)"
            ),
        ),
        (
            "torch.cuda.utilization",
            format!("torch.musa.utilization | there: {version}"),
        ),
        (
            "torch.cuda.max_memory_reserved",
            format!(
                "absent | not there: {version} has no torch.musa.max_memory_reserved | \
                 `torch.musa.max_memory_reserved_bytes` is near"
            ),
        ),
    ] {
        assert_eq!(row("python", name), expected, "{name}");
    }
    assert_eq!(
        row("qualified", "c10::cuda::CUDAStream"),
        "c10::musa::MUSAStream | declared: torch_musa/csrc/core/MUSAStream.h:2"
    );
    assert_eq!(
        row("headers", "ATen/cuda/Atomic.cuh"),
        "ATen/musa/Atomic.muh | declared: ATen/musa/Atomic.muh"
    );
    assert_eq!(
        row("qualified", "c10::cuda::CUDAGuard"),
        "absent | not there: c10::musa::MUSAGuard is in no header of torch_musa"
    );
    assert_eq!(
        row("qualified", "c10::kCUDA"),
        "c10::kPrivateUse1 | declared: torch/include/c10/core/DeviceType.h:2"
    );
    assert_eq!(row("qualified", "c10::DispatchKey::CUDA"), "");
    assert_eq!(
        value(&facts, "names", "cudaMalloc", "differs"),
        Some("CUDA: cudaMalloc(void **, int); MUSA: musaMalloc(void **)")
    );
    let head = facts["facts"].as_table().expect("a head");
    assert_eq!(head["torch-musa"].as_str(), Some("2.7.1"));
    assert_eq!(head["operators-missing"].to_string(), "[\"aten::geqrf\"]");
    assert!(
        messages.contains("kernels of 1 operators, without 1 that CUDA has"),
        "{messages}"
    );
    });
}

#[test]
fn a_python_without_torch_musa_says_nothing() {
    suite("learn-no-python").run(|| {
        let sdk = write_tree(&[("include/musa_runtime.h", "int musaMalloc(void **);\n")]);
        let (facts, messages) = facts(&sdk, &[]);
        assert!(messages.contains("no Python was asked"), "{messages}");
        assert!(facts.get("python").is_none());
        let home = sdk.path().display().to_string();
        let line = ["--musa-home", &home, "--python", "/nowhere/python"];
        let fault = run(&line, None).0.expect_err("no Python");
        assert!(
            fault.contains("there is no program /nowhere/python"),
            "{fault}"
        );
    });
}

#[test]
fn the_built_in_declarations_are_those_of_cudas_headers() {
    let source = "CUDA's public headers";
    let declared = learn::declarations(some_of_cuda(), source, Tables::builtin());
    let text = toml::to_string(&declared).expect("a table");
    is_fresh("mappings/signatures.toml", &text, "learn::");
}
