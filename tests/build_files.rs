//! Ported build files do what they did: what they name is there, and MUSA's compiler is run.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// GNU make: the machine's, or Debian's package, unpacked into a folder of its own.
fn make(into: &Path) -> OsString {
    if Command::new("make").arg("--version").output().is_ok() {
        return "make".into();
    }
    let run = |program: &str, arguments: &[&str]| {
        let done = Command::new(program)
            .args(arguments)
            .current_dir(into)
            .output();
        let done = done.unwrap_or_else(|error| panic!("can't run {program}: {error}"));
        assert!(
            done.status.success(),
            "{program}: {}",
            String::from_utf8_lossy(&done.stderr)
        );
    };
    run("apt-get", &["download", "make"]);
    let package = fs::read_dir(into)
        .expect("a folder")
        .flatten()
        .map(|one| one.path());
    let mut package = package.filter(|path| path.extension().is_some_and(|ending| ending == "deb"));
    let package = package.next().expect("apt-get has downloaded it");
    run("dpkg", &["-x", &package.to_string_lossy(), "."]);
    into.join("usr/bin/make").into()
}

#[test]
fn a_ported_makefile_runs_mcc_on_sources_that_are_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let input = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/build-make/input");
    let port = Command::new(env!("CARGO_BIN_EXE_torchada"))
        .arg("port")
        .args([&input, &PathBuf::from("-o"), &out])
        .output()
        .expect("it runs");
    assert!(
        port.status.success(),
        "{}",
        String::from_utf8_lossy(&port.stderr)
    );

    let dry = Command::new(make(folder.path()))
        .args(["-n", "MUSA_HOME=/opt/musa", "VERBOSE=0"])
        .current_dir(&out)
        .output()
        .expect("make runs");
    let shown = String::from_utf8_lossy(&dry.stdout);
    assert!(
        dry.status.success(),
        "{shown}\n{}",
        String::from_utf8_lossy(&dry.stderr)
    );

    let compiled: Vec<&str> = shown
        .lines()
        .filter(|line| line.contains("/bin/"))
        .collect();
    assert_eq!(
        compiled.len(),
        5,
        "two sources, what each depends on, and a program: {shown}"
    );
    for line in &compiled {
        assert!(line.starts_with("/opt/musa/bin/mcc "), "{line}");
        for word in line
            .split(' ')
            .filter(|word| [".mu", ".cu"].iter().any(|ending| word.ends_with(ending)))
        {
            assert!(
                out.join("src").join(word).is_file(),
                "{word} is not there: {line}"
            );
        }
        for gone in [
            "nvcc",
            "-lcudart",
            "-lnccl",
            "-Xcompiler",
            "-Xptxas",
            "--expt",
            "/usr/local/cuda",
        ] {
            assert!(!line.contains(gone), "{gone} is left: {line}");
        }
    }
    let link = compiled.last().expect("a line");
    for wanted in ["-L/opt/musa/lib ", "-lmusart", "-lmccl"] {
        assert!(link.contains(wanted), "no {wanted}: {link}");
    }
}

#[test]
fn a_build_that_is_too_long_to_be_followed_is_said_to_be() {
    let folder = tempfile::tempdir().expect("a folder");
    let lists = "find_package(CUDA REQUIRED)
foreach(a RANGE 4999)
  foreach(b RANGE 4999)
    set(last ${b})
  endforeach()
endforeach()
cuda_add_library(kernels kernel.cu)
";
    fs::write(folder.path().join("CMakeLists.txt"), lists).expect("it is written");
    fs::write(folder.path().join("kernel.cu"), "__global__ void f() {}\n").expect("it is written");
    let check = Command::new(env!("CARGO_BIN_EXE_torchada"))
        .args(["check", "--format", "github"])
        .arg(folder.path())
        .output()
        .expect("it runs");
    let shown = String::from_utf8_lossy(&check.stdout);
    let said = "the build was not followed beyond this command";
    let of_loop = |line: &str| line.contains(said) && line.contains("line=4");
    assert!(shown.lines().any(of_loop), "{shown}");
}
