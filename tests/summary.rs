//! The rows of a check's summary that say what to do first.

use crate::common::program::{text, torchada};
use crate::common::trees::{write_into, write_tree};

/// A module that can't be loaded on MUSA.
const VERSION: &str = "import torch\n\nMAJOR = int(torch.version.cuda.split(\".\")[0])\n";

/// The rows of the summary that a check of these files ends with, by their names.
fn rows(files: &[(&str, &str)]) -> Vec<String> {
    rows_of(".", files)
}

/// The rows of the summary of a check of one folder among these files.
fn rows_of(folder: &str, files: &[(&str, &str)]) -> Vec<String> {
    let place = write_tree(files);
    let output = torchada(place.path(), &["check", folder]);
    let printed = text(&output.stdout);
    let summary = printed
        .lines()
        .skip_while(|line| !line.starts_with("checked"));
    summary.map(|line| line.trim().to_owned()).collect()
}

fn row<'r>(rows: &'r [String], name: &str) -> &'r str {
    let found = rows.iter().find_map(|row| row.strip_prefix(name));
    found.map_or("", str::trim)
}

#[test]
fn errors_that_stop_the_start_come_first_and_are_counted() {
    let found = rows(&[
        ("app/__init__.py", "from . import core\n"),
        (
            "app/core.py",
            "import torch\n\nMAJOR = int(torch.version.cuda.split(\".\")[0])\n",
        ),
        (
            "app/k.cu",
            "#include <cufile.h>\nvoid f() { cuFileDriverOpen(); }\n",
        ),
        ("setup.py", "raise SystemExit\n"),
    ]);
    assert_eq!(
        row(&found, "starts"),
        "on MUSA 1 error would stop the start (app/core.py:3)"
    );
    assert!(row(&found, "at start").contains("PY022"), "{found:#?}");
    assert!(
        row(&found, "C++, CUDA").contains("cuFileDriverOpen"),
        "{found:#?}"
    );
    assert!(
        row(&found, "next").starts_with("look at app/core.py:3 first"),
        "{found:#?}"
    );
}

#[test]
fn an_error_in_a_function_does_not_stop_the_start() {
    let found = rows(&[
        ("app/__init__.py", "from . import core\n"),
        (
            "app/core.py",
            "import torch\n\n\ndef major():\n    return int(torch.version.cuda.split(\".\")[0])\n",
        ),
    ]);
    assert_eq!(
        row(&found, "starts"),
        "nothing that was found stops `import app` on MUSA; errors stop parts of it: 1 in Python"
    );
    assert_eq!(
        row(&found, "next"),
        "port it, look at app/core.py:5 (`torchada explain PY022`), and run it on MUSA"
    );
}

#[test]
fn packages_are_named_as_they_are_installed_and_where_lists_alone_have_them() {
    let found = rows(&[
        ("app/__init__.py", "import pynvml\n"),
        ("requirements.txt", "xformers>=0.0.20\n"),
    ]);
    let packages = row(&found, "packages");
    let expected = "install for MUSA `mthreads-ml-py` for `pynvml`; port or leave out `xformers`;";
    assert!(packages.starts_with(expected), "{packages}");
}

#[test]
fn packages_that_code_does_without_are_named_too() {
    let gated = "try:\n    import apex\nexcept ImportError:\n    apex = None\n";
    let found = rows(&[("app/__init__.py", gated)]);
    let packages = row(&found, "packages");
    assert!(
        packages.starts_with("runs without `apex`; 1 note"),
        "{packages}"
    );
    let both = format!("{gated}import flash_attn\n");
    let found = rows(&[("app/__init__.py", &both)]);
    let packages = row(&found, "packages");
    assert!(
        packages.starts_with("install for MUSA `flash_attn`; runs without `apex`;"),
        "{packages}"
    );
}

#[test]
fn a_package_that_code_needs_is_not_one_that_it_runs_without() {
    let found = rows(&[("app/__init__.py", "import liger_kernel\nimport fla\n")]);
    assert!(
        !row(&found, "packages").contains("runs without"),
        "{found:#?}"
    );
}

#[test]
fn packages_are_one_step() {
    let found = rows(&[
        ("app/__init__.py", ""),
        (
            "app/extra.py",
            "import flash_mla\nimport cupy\nimport apex\ntry:\n    import nvtx\nexcept ImportError:\n    nvtx = None\n",
        ),
    ]);
    let packages = row(&found, "packages");
    let expected = "install for MUSA `flash_mla`; port or leave out `apex`; do without `cupy`; runs without `nvtx`; 2 warnings, 2 notes";
    assert!(packages.starts_with(expected), "{packages}");
    assert_eq!(
        row(&found, "next"),
        "install the packages above, port it, and run it on MUSA"
    );
    assert_eq!(row(&found, "Python"), "");
}

#[test]
fn a_project_that_imports_the_package_for_run_time_hears_it_first() {
    let found = rows(&[(
        "app/__init__.py",
        "if is_torch_musa_available():\n    import torchada\n\nimport torch\nx = torch.cuda.device_count()\n",
    )]);
    assert!(
        row(&found, "MUSA").starts_with("this project imports the package for run time itself"),
        "{found:#?}"
    );
}

#[test]
fn a_kernel_is_not_the_first_thing_to_look_at() {
    let found = rows(&[
        (
            "k.cu",
            "int version = CUDART_VERSION;\nint other = NCCL_VERSION_CODE;\n",
        ),
        (
            "app/core.py",
            "import torch\n\n\ndef major():\n    return int(torch.version.cuda.split(\".\")[0])\n",
        ),
    ]);
    assert!(
        row(&found, "next").starts_with("look at app/core.py:5 first"),
        "{found:#?}"
    );
}

#[test]
fn what_a_variable_leaves_out_of_the_build_is_named_and_comes_last() {
    const KERNEL: &str = "int version = CUDART_VERSION;\n";
    let of = |setup: &str| {
        let by_cmake = setup.contains("CMakeExtension('");
        let cmake = if by_cmake {
            "add_library(engine k.cu)\n"
        } else {
            ""
        };
        rows(&[
            ("app/__init__.py", ""),
            ("app/ops.py", "import torch\nA = torch.version.cuda\n"),
            ("engine/k.cu", KERNEL),
            ("engine/CMakeLists.txt", cmake),
            ("setup.py", setup),
        ])
    };
    let extension = "extensions.append(CUDAExtension('k', ['engine/k.cu']))\n";
    for (asks, expected) in [
        (
            "if get() == 'cuda' and os.getenv('NO_ENGINE', '').lower() not in ('1', 'on'):\n    ext = CMakeExtension('engine')\n".to_owned(),
            "1 error in what `NO_ENGINE=1` leaves out of the build (setup.py:3)",
        ),
        (
            format!("ENGINE = int(os.environ.get('ENGINE', '1')) == 1\nif not rocm and ENGINE:\n    {extension}"),
            "1 error in what `ENGINE=0` leaves out of the build (setup.py:3)",
        ),
        (
            format!("def flag(name, default='0'):\n    return os.getenv(name, default) == '1'\ndef get():\n    if not flag('ENGINE'):\n        return []\n    {extension}setup(ext_modules=get())\n"),
            "1 error in what only `ENGINE=1` builds (setup.py:4)",
        ),
        // Another build may have it all the same.
        (
            format!("if torch.cuda.is_available() or os.getenv('FORCE_CUDA') == '1':\n    {extension}"),
            "",
        ),
        (
            format!("if os.getenv('DEVICE', 'cuda') == 'cuda':\n    {extension}"),
            "",
        ),
    ] {
        let head = "import os, torch\nfrom torch.utils.cpp_extension import CUDAExtension\n";
        let found = of(&format!("{head}{asks}"));
        assert_eq!(row(&found, "optional"), expected, "{asks}: {found:#?}");
        let next = row(&found, "next");
        let kernel = expected.is_empty();
        assert_eq!(next.contains("look at engine/k.cu"), kernel, "{asks}: {next}");
    }
}

#[test]
fn a_program_that_takes_the_cpu_starts_and_hears_where() {
    let chain = "import torch\n\nif torch.version.hip:\n    DEVICE = \"hip\"\nelif torch.version.cuda:\n    DEVICE = \"gpu\"\nelse:\n    DEVICE = \"cpu\"\n";
    let found = rows(&[
        ("app/__init__.py", "from . import core\n"),
        ("app/core.py", chain),
        ("setup.py", chain),
    ]);
    assert_eq!(
        row(&found, "starts"),
        "nothing that was found stops `import app` on MUSA, but the CPU is taken for the device (app/core.py:5) and the build is one for the CPU (setup.py:5); errors stop parts of it: 1 in the build, 1 in Python"
    );
}

#[test]
fn the_summary_alone_names_what_was_left_out() {
    let place = write_tree(&[
        (".gitignore", "made.cu\n"),
        ("k.cu", "int version = CUDART_VERSION;\n"),
        ("made.cu", "int version = CUDART_VERSION;\n"),
    ]);
    let output = torchada(place.path(), &["check", ".", "--format", "summary"]);
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1));
    assert!(printed.starts_with("checked .: 2 files"), "{printed}");
    assert!(
        printed.contains("\n  skipped     1 named by an ignore file\n"),
        "{printed}"
    );
    assert_eq!(output.stderr, b"");
}

#[test]
fn a_check_of_nothing_asks_for_no_port() {
    let found = rows(&[
        ("a.txt", "x\n"),
        ("torchada.toml", "exclude = [\"gone/\"]\n"),
    ]);
    assert_eq!(
        row(&found, "next"),
        "nothing to port: none of the files has anything of CUDA's to translate"
    );
}

#[test]
fn below_the_findings_the_summary_sends_nobody_to_them() {
    let kernels: Vec<(String, String)> = (0..9)
        .map(|at| {
            (
                format!("{at}.cu"),
                format!("void f() {{ cudaUnheardOf{at}(); }}\n"),
            )
        })
        .collect();
    let kernels: Vec<(&str, &str)> = kernels.iter().map(|(a, b)| (&**a, &**b)).collect();
    let place = write_tree(&kernels);
    let printed = |format: &str| {
        let output = torchada(place.path(), &["check", ".", "--format", format]);
        text(&output.stdout)
    };
    let (full, summary) = (printed("full"), printed("summary"));
    assert!(full.contains(" more; all are above\n"), "{full}");
    assert!(!full.contains("--format full"), "{full}");
    assert!(
        summary.contains(" more; `torchada check --format full` has them\n"),
        "{summary}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn several_things_that_are_left_out_are_named_in_the_plural() {
    let place = write_tree(&[("k.cu", "int a;\n")]);
    for name in ["one", "two"] {
        let made = std::process::Command::new("mkfifo")
            .arg(place.path().join(name))
            .status();
        assert!(made.is_ok_and(|made| made.success()));
    }
    let output = torchada(place.path(), &["check", "."]);
    let printed = text(&output.stdout);
    assert!(
        printed.contains("  skipped     2 pipes, sockets or devices\n"),
        "{printed}"
    );
}

#[test]
fn a_package_beside_the_trees_own_is_counted_apart() {
    let kernel = "#include <cufile.h>\nvoid f() { cuFileDriverOpen(); }\n";
    let files = vec![
        ("pyproject.toml", "[project]\nname = \"app\"\n"),
        (
            "src/app/__init__.py",
            "import torch\nx = torch.cuda.jiterator\n",
        ),
        ("extra/setup.py", "from setuptools import setup\nsetup()\n"),
        ("extra/extra/__init__.py", "import cupy\n"),
        ("extra/csrc/k.cu", kernel),
    ];
    let found = rows(&files);
    assert_eq!(
        row(&found, "starts"),
        "nothing that was found stops `import app` on MUSA"
    );
    let besides = row(&found, "besides");
    assert!(
        besides.ends_with("of `extra`, a package of its own"),
        "{found:#?}"
    );
    assert_eq!(row(&found, "next"), "port it, and run it on MUSA");
    // What a module of the tree needs is a part of it: a package, or an extension.
    for (build, module) in [
        ("setup()", "extra"),
        (
            "setup(ext_modules=[CUDAExtension(\n    'kernels._C', ['csrc/k.cu'])])",
            "kernels._C",
        ),
        (
            "setup(ext_modules=[CUDAExtension(name='kernels.a', sources=[])])",
            "kernels.a",
        ),
    ] {
        let build = format!("from setuptools import setup\n{build}\n");
        let code = format!("import torch\nimport {module}\n");
        let mut needing: Vec<(&str, &str)> = files.clone();
        needing[2] = ("extra/setup.py", &build);
        needing.push(("src/app/use.py", &code));
        let found = rows(&needing);
        assert_eq!(row(&found, "besides"), "", "{found:#?}");
    }
}

#[test]
fn the_start_is_that_of_the_package_which_the_tree_describes() {
    let found = rows(&[
        ("setup.py", "NAME = \"my-app\"\nsetup(name=NAME)\n"),
        ("csrc/__init__.py", ""),
        (
            "my_app/__init__.py",
            "import torch\ntorch.cuda.synchronize()\n",
        ),
        (
            "my_app/compat.py",
            "try:\n    import cupy\n    has_cupy = True\nexcept ImportError:\n    has_cupy = False\nhas_gpu = has_cupy\n",
        ),
    ]);
    assert_eq!(
        row(&found, "starts"),
        "nothing that was found stops `import my_app` on MUSA, but the GPU is reached by `cupy` only: `has_gpu` is false on MUSA \
         (my_app/compat.py:6); errors stop parts of it: 1 in Python"
    );
    assert!(
        row(&found, "next").contains("my_app/compat.py:6"),
        "{found:#?}"
    );
}

#[test]
fn what_the_function_of_a_program_imports_is_part_of_the_start() {
    let found = rows(&[
        ("app/__init__.py", ""),
        (
            "app/cli.py",
            "def main():\n    from . import engine\n    if engine.wants_more:\n        from . import other\n",
        ),
        ("app/engine.py", VERSION),
        ("app/other.py", VERSION),
        (
            "pyproject.toml",
            "[project]\nname = \"app\"\n[project.scripts]\napp = \"app.cli:main\"\n",
        ),
    ]);
    assert_eq!(
        row(&found, "starts"),
        "on MUSA 1 error would stop the start (app/engine.py:3)"
    );
}

/// The rows from the one that starts so on, as far as they belong to it.
fn part<'r>(rows: &'r [String], name: &str) -> &'r [String] {
    let Some(first) = rows.iter().position(|row| row.starts_with(name)) else {
        return &[];
    };
    let rest = rows.get(first..).unwrap_or_default();
    let is_next = |row: &String| LABELS.iter().any(|label| row.starts_with(label));
    let more = rest.iter().skip(1).position(is_next);
    rest.get(..more.map_or(rest.len(), |more| more + 1))
        .unwrap_or_default()
}

/// What rows begin with that open a part of the summary.
const LABELS: [&str; 6] = ["findings", "build", "Python", "no work", "effort", "next"];

#[test]
fn what_lists_of_packages_ask_for_is_named_with_what_to_do() {
    let found = rows(&[
        (
            "app/__init__.py",
            "import torch\ntorch.cuda.synchronize()\n",
        ),
        (
            "environment.yml",
            "dependencies:\n  - cudatoolkit=11.8\n  - pip:\n    - xformers\n",
        ),
    ]);
    let packages = part(&found, "packages").join("\n");
    assert!(packages.contains("`cudatoolkit=11.8`"), "{packages}");
    assert!(packages.contains("leave CUDA's packages out"), "{packages}");
    assert!(
        packages.contains("scaled_dot_product_attention"),
        "{packages}"
    );
    let effort = part(&found, "effort").join("\n");
    assert!(
        effort.contains("10 min  low        environment.yml  BLD011"),
        "{effort}"
    );
    assert_eq!(
        row(&found, "next"),
        "decide about the packages above, port it, and run it on MUSA"
    );
}

#[test]
fn notes_that_ask_for_something_stand_beside_warnings_and_others_are_counted() {
    let found = rows(&[
        (
            "app/__init__.py",
            "import torch\nimport torch.backends.cudnn as cudnn\ncudnn.benchmark = True\nA = torch.version.cuda\n",
        ),
        ("config/a.yaml", "dist_backend: nccl\n"),
        ("config/b.yaml", "dist_backend: nccl\n"),
    ]);
    let python = part(&found, "Python").join("\n");
    assert!(python.contains("PY020"), "{python}");
    assert!(python.contains("2  PY090"), "{python}");
    assert!(
        python.contains("(config/a.yaml:1 and 1 more file)"),
        "{python}"
    );
    assert!(!python.contains("PY012"), "{python}");
    let settled = row(&found, "no work");
    assert!(
        settled.starts_with("nothing is to be done about 2 PY012 ("),
        "{settled}"
    );
}

#[test]
fn what_finds_no_room_is_named_by_its_kind() {
    let code = "import os, torch\n";
    let names = "ABCDEFGHIJK".chars();
    let lines = names.map(|name| format!("x{name} = torch.cuda.unheard_of_{name}"));
    let settings = lines.collect::<Vec<_>>().join("\n");
    let found = rows(&[
        ("app/__init__.py", &format!("{code}{settings}")),
        ("config/a.yaml", "dist_backend: nccl\n"),
    ]);
    let python = part(&found, "Python");
    let more = python
        .iter()
        .position(|row| row.starts_with("and 2 more causes"));
    let kinds = more
        .and_then(|more| python.get(more + 1..))
        .unwrap_or_default();
    assert!(
        kinds.iter().any(|row| row.starts_with("1  PY010")),
        "{python:#?}"
    );
    assert!(
        kinds.iter().any(|row| row.starts_with("1  PY090")),
        "{python:#?}"
    );
}

#[test]
fn a_folder_that_only_holds_packages_is_no_import() {
    let uses = "import torch\ntorch.cuda.synchronize()\n";
    // `harness/setup.py` installs it.
    let found = rows(&[
        ("harness/setup.py", "setup(name='determined')\n"),
        ("harness/determined/__init__.py", uses),
        ("e2e/run.py", "import determined\n"),
    ]);
    assert!(
        row(&found, "starts").contains("`import determined`"),
        "{found:#?}"
    );
    // Programs at the top import it by the whole path.
    let found = rows(&[
        ("models/net/__init__.py", uses),
        ("train.py", "import torch\nfrom models import net\n"),
    ]);
    assert!(
        row(&found, "starts").contains("`import models`"),
        "{found:#?}"
    );
    let found = rows(&[("swig/python/codegen/__init__.py", uses)]);
    assert!(
        row(&found, "starts").starts_with("not looked at"),
        "{found:#?}"
    );
}

#[test]
fn a_package_whose_folder_has_no_name_for_an_import_is_named_by_its_file() {
    let uses = "import torch\ntorch.cuda.synchronize()\n";
    for (folder, start) in [
        ("flow-net", "`flow-net/__init__.py`"),
        ("3d_flow", "`3d_flow/__init__.py`"),
        ("flow_3d", "`import flow_3d`"),
    ] {
        let file = format!("{folder}/__init__.py");
        let found = rows_of(folder, &[(&file, uses)]);
        assert_eq!(
            row(&found, "starts"),
            format!("nothing that was found stops {start} on MUSA"),
            "{found:#?}"
        );
    }
}

#[test]
fn what_takes_a_minute_is_not_the_first_thing_to_do() {
    let found = rows(&[(
        "train.py",
        "import torch\nx = torch.ones(1).cuda()\nkind = {\"a\": \"cuda\"}\n",
    )]);
    assert!(
        row(&found, "starts").starts_with("not looked at"),
        "{found:#?}"
    );
    assert!(row(&found, "packages").starts_with("none"), "{found:#?}");
    assert_eq!(row(&found, "next"), "port it, and run it on MUSA");
}

#[test]
fn what_to_do_next_fits_what_the_input_is() {
    let kernel = (
        "k.cu",
        "#include <cuda_runtime.h>\nvoid f() { cudaFree(nullptr); }\n",
    );
    let next = |files: &[(&str, &str)], line: &[&str]| {
        let place = write_tree(&[]);
        write_into(&place.path().join("p"), files);
        let output = torchada(place.path(), &[&["port", "p"], line].concat());
        let messages = text(&output.stderr);
        let row = messages
            .lines()
            .find_map(|line| line.strip_prefix("  next  "));
        row.unwrap_or_else(|| panic!("{messages}"))
            .trim()
            .to_owned()
    };
    let python = ("m.py", "import torch\nx = torch.ones(1).cuda()\n");
    assert_eq!(next(&[python], &[]), "run it on MUSA");
    assert_eq!(next(&[kernel], &[]), "build and run it on MUSA");
    let setup = "from setuptools import setup\nfrom torch.utils.cpp_extension import BuildExtension, CUDAExtension\n\
                 setup(name=\"e\", ext_modules=[CUDAExtension(\"e\", [\"k.cu\"])], cmdclass={\"build_ext\": BuildExtension})\n";
    let extension = [
        kernel,
        ("setup.py", setup),
        ("e/__init__.py", "import torch\nx = torch.ones(1).cuda()\n"),
    ];
    assert!(next(&extension, &[]).ends_with("build and run it on MUSA"));
    // Errors are spoken of where there are some.
    let warns = (
        "k.cu",
        "__global__ void f(int* x) { *x = __shfl_down_sync(0xffffffff, *x, 16); }\n",
    );
    assert_eq!(
        next(&[warns], &[]),
        "go through the findings in the report, then build and run it on MUSA"
    );
    // What nothing was ported of says why, and how to go on.
    assert!(
        next(&[kernel], &["--dialect", "portable"])
            .starts_with("nothing to port: C++ stays CUDA's")
    );
    let twin = ("k.mu", "void f();\n");
    let left = next(&[kernel, twin], &[]);
    assert!(left.contains("has a MUSA twin beside it"), "{left}");
    let excluded = ("torchada.toml", "exclude = [\"k.mu\"]\n");
    assert_eq!(
        next(&[kernel, twin, excluded], &[]),
        "build and run it on MUSA"
    );
    assert!(next(&[("a.txt", "x\n")], &[]).starts_with("nothing to build"));
}

#[test]
fn languages_that_are_not_looked_at_are_named() {
    let found = rows(&[
        (
            "app/__init__.py",
            "import torch\ntorch.cuda.synchronize()\n",
        ),
        ("agent/gpu.go", "const tool = \"nvidia-smi\"\n"),
        ("agent/main.go", "package main\n"),
        ("agent/src/lib.rs", "static TOOL: &str = \"nvidia-smi\";\n"),
    ]);
    let build = part(&found, "build").join("\n");
    assert!(build.contains("2  PRJ056"), "{build}");
    assert!(build.contains("`Go`, `Rust`"), "{build}");
}

#[test]
fn a_port_ends_with_the_same_first_thing_as_a_check() {
    let place = write_tree(&[(
        "in/app/__init__.py",
        "import torch\nimport flash_attn\ntorch.cuda.synchronize()\n",
    )]);
    let output = torchada(place.path(), &["port", "in", "-o", "out"]);
    let printed = text(&output.stderr);
    assert!(
        printed.contains("next        install the packages above, and run it on MUSA"),
        "{printed}"
    );
}
