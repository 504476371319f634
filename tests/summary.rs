//! The rows of a check's summary that say what to do first.

use crate::common::program::{text, torchada};
use crate::common::trees::write_tree;

/// The rows of the summary that a check of these files ends with, by their names.
fn rows(files: &[(&str, &str)]) -> Vec<String> {
    let place = write_tree(files);
    let output = torchada(place.path(), &["check", "."]);
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
    let expected = "install for MUSA `flash_mla`; port or leave out `apex`; do without `cupy`; 2 warnings, 2 notes";
    assert!(packages.starts_with(expected), "{packages}");
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
