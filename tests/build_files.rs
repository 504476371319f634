//! Ported build files do what they did: what they name is there, and MUSA's compiler is run.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use toml::Value;

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
fn a_build_that_is_too_long_to_be_followed_is_reported() {
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
    let messages = "the build was not followed beyond this command";
    let of_loop = |line: &str| line.contains(messages) && line.contains("line=3");
    assert!(shown.lines().any(of_loop), "{shown}");
}

/// The names of sources of CUDA's and MUSA's that a compiler gets, without their endings.
fn compiled(shown: &str, compiler: &str, ending: &str) -> Vec<String> {
    let lines = shown.lines().filter(|line| line.starts_with(compiler));
    let words = lines.flat_map(|line| line.split(' '));
    let mut found: Vec<String> = words
        .filter_map(|word| word.strip_suffix(ending))
        .map(str::to_owned)
        .collect();
    found.sort();
    found
}

fn fixture(name: &str, part: &str) -> PathBuf {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    fixtures.join(name).join(part)
}

/// What the lint says of the fixture is what make does.
#[test]
fn rules_of_a_port_hand_mcc_what_nvcc_got() {
    let folder = tempfile::tempdir().expect("a folder");
    let make = make(folder.path());
    let run = |part: &str, target: &str| {
        let dry = Command::new(&make)
            .args(["-n", target])
            .current_dir(fixture("build-make-lists", part))
            .output()
            .expect("make runs");
        let shown = String::from_utf8_lossy(&dry.stdout).into_owned();
        (dry.status.success(), shown)
    };
    for target in ["app", "tool"] {
        let (_, before) = run("input", target);
        let (is_done, after) = run("expected", target);
        let wanted = compiled(&before, "nvcc ", ".cu");
        assert!(is_done && !wanted.is_empty(), "{after}");
        assert_eq!(wanted, compiled(&after, "mcc ", ".mu"), "{target}");
    }
    assert!(run("input", "old").0);
    assert!(!run("expected", "old").0, "BLD051 names this rule");
}

/// What the lint says of the fixture is what `setup.py` hands on.
#[test]
fn lists_of_a_port_hand_mcc_what_nvcc_got() {
    let folder = tempfile::tempdir().expect("a folder");
    let builder = |package: &str, module: &str, name: &str| {
        let package = folder.path().join(package).join("utils");
        fs::create_dir_all(&package).expect("it is made");
        for start in [package.join("../__init__.py"), package.join("__init__.py")] {
            fs::write(start, "").expect("written");
        }
        let text = format!(
            "BuildExtension = None\ndef {name}(name, sources, **more):\n    for one in sources:\n        print(name, one)\n"
        );
        fs::write(package.join(module), text).expect("written");
    };
    builder("torch", "cpp_extension.py", "CUDAExtension");
    builder("torch_musa", "musa_extension.py", "MUSAExtension");
    let setup = "def setup(**more):\n    pass\n";
    fs::write(folder.path().join("setuptools.py"), setup).expect("written");
    let run = |part: &str, ending: &str| {
        let tree = fixture("build-setup-lists", part);
        let done = Command::new("python3")
            .args(["-B", "setup.py"])
            .env("PYTHONPATH", folder.path())
            .env("DEMO_SETS", "1")
            .current_dir(&tree)
            .output()
            .expect("python3 runs");
        let shown = String::from_utf8_lossy(&done.stdout).into_owned();
        let tree = tree.to_string_lossy().into_owned();
        let mut found: Vec<String> = shown
            .lines()
            .filter_map(|line| line.strip_suffix(ending))
            .map(|line| line.replace(&format!("{tree}/"), ""))
            .collect();
        found.sort();
        assert!(
            done.status.success() && !found.is_empty(),
            "{shown}{}",
            String::from_utf8_lossy(&done.stderr)
        );
        found
    };
    let mut wanted = run("input", ".cu");
    let given = run("expected", ".mu");
    wanted.retain(|line| !line.ends_with("extra/last"));
    assert_eq!(wanted, given, "BLD051 names `extra/last.cu` alone");
}

/// The words of a table, without the texts of messages for people.
fn words(value: &Value, into: &mut BTreeSet<String>) {
    let mut add = |text: &str| into.extend(text.split_whitespace().map(str::to_owned));
    match value {
        Value::String(text) => add(text),
        Value::Array(all) => all.iter().for_each(|one| words(one, into)),
        Value::Table(all) => {
            for (key, one) in all {
                into.extend(key.split_whitespace().map(str::to_owned));
                if !matches!(key.as_str(), "advice" | "note" | "source" | "sources") {
                    words(one, into);
                }
            }
        }
        Value::Integer(number) => add(&number.to_string()),
        _ => {}
    }
}

/// A script without a telling word is not read. Where such a script has something for the rules after all, a build with
/// assertions fails on it.
#[test]
fn each_word_that_the_rules_for_scripts_know_is_a_telling_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let tables = Path::new(env!("CARGO_MANIFEST_DIR")).join("mappings");
    let mut known = BTreeSet::new();
    for table in [
        "build/cmake.toml",
        "build/scripts.toml",
        "build/words.toml",
        "commands.toml",
        "environment.toml",
        "flags.toml",
        "libraries.toml",
    ] {
        let text = fs::read_to_string(tables.join(table)).expect("a table");
        words(&text.parse().map(Value::Table).expect("TOML"), &mut known);
    }
    known.retain(|word| !word.contains(['\'', '"', '`']));
    assert!(known.len() > 500, "{} words", known.len());
    for (at, word) in known.iter().enumerate() {
        let places = format!(
            "export {word}=/x\n{word} -x a.c\ncc {word} a.c -o a\ncc -arch={word}80 a.c\ncc -l{word}\ncp /x/{word} /y\n\
             ./run --with={word}\ncmake -D{word}=1 .\ndocker run {word}=all x\ndocker run {word} all x\necho ${word}\n\
             [ \"$x\" = \"{word}\" ]\nx=torch==2.1{word}118\ny=https://example.com/a{word}118\n"
        );
        // What fetches packages is known without their names.
        let fetched = format!(
            "{word} install flash-attn\ngit {word} https://github.com/Dao-AILab/flash-attention\n"
        );
        for (kind, text) in [("places", places), ("fetched", fetched)] {
            fs::write(folder.path().join(format!("{kind}{at}.sh")), text).expect("written");
        }
    }
    let check = Command::new(env!("CARGO_BIN_EXE_torchada"))
        .args(["check", "--format", "json", "--no-ignore"])
        .arg(folder.path())
        .output()
        .expect("it runs");
    let messages = String::from_utf8_lossy(&check.stderr);
    assert!(!messages.contains("telling word"), "{messages}");
    let report = String::from_utf8_lossy(&check.stdout);
    assert!(!report.contains("PRJ009"), "{messages}");
    assert!(report.contains("BLD"), "{report}");
}
