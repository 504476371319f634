//! README.md tells the truth: its examples are run, and its commands are those of `.ci/run`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::followed::follow;
use crate::common::markdown::code_of;
use crate::common::trees::without_own_git;
use tempfile::TempDir;

/// The folder in which the README shows its examples.
const SHOWN: &str = "/home/you/torchada";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn readme() -> String {
    fs::read_to_string(root().join("README.md")).expect("README.md is there")
}

/// A folder with the fixtures, where the examples run.
fn place() -> TempDir {
    let place = TempDir::new().expect("a temporary folder");
    let fixtures = root().join("fixtures");
    let status = Command::new("cp")
        .arg("-R")
        .arg(fixtures)
        .arg(place.path())
        .status();
    assert!(status.expect("cp runs").success());
    place
}

#[test]
fn the_examples_show_what_happens() {
    let place = place();
    let done = follow(&root().join("README.md"), place.path(), SHOWN);
    assert_eq!((done.files, done.commands), (0, 2));
}

/// What the commands of "Check" come to in the project of [`project`]: the exit code, and the
/// messages. Each stands in README.md as it is run here, without its comment.
const USES: [(&str, i32, &str); 4] = [
    (
        "torchada port ./project",
        0,
        "ported ./project to ./project_musa",
    ),
    (
        "torchada check file.py",
        0,
        "checked file.py: 1 file, nothing written",
    ),
    (
        "torchada port ./project -o ./project_musa --check",
        0,
        "./project_musa is in step with ./project",
    ),
    (
        "torchada check . --since main --format github",
        1,
        "::error file=project/k.cu,line=2",
    ),
];

/// A repository as the commands expect it: a project, a file, and a change on a branch from `main`.
fn project() -> TempDir {
    let place = TempDir::new().expect("a temporary folder");
    let kernel = "void f() { cudaFree(nullptr); }\n";
    let put = |path: &str, text: &str| fs::write(place.path().join(path), text).expect("written");
    fs::create_dir(place.path().join("project")).expect("made");
    put("project/k.cu", kernel);
    put(
        "file.py",
        "import torch\nx = torch.zeros(1, device=\"cuda\")\n",
    );
    let script = "git init -q -b main . && git add . && \
        git -c user.name=a -c user.email=a@b commit -q -m all && git checkout -q -b change";
    let status = without_own_git(&mut Command::new("sh"))
        .args(["-c", script])
        .current_dir(place.path())
        .status();
    assert!(status.expect("sh runs").success());
    put(
        "project/k.cu",
        &format!("{kernel}int v = CUDART_VERSION;\n"),
    );
    place
}

#[test]
fn the_uses_are_run_as_they_stand() {
    let readme = readme();
    let section = readme.split("\n## Check\n").nth(1).expect("a section");
    let section = section.split("\n## ").next().expect("its end");
    let blocks = code_of(section, "sh");
    let lines = blocks.iter().flat_map(|block| block.lines());
    let commands: Vec<&str> = lines
        .filter_map(|line| line.split(" # ").next())
        .map(str::trim)
        .filter(|line| line.starts_with("torchada "))
        .collect();
    let expected: Vec<&str> = USES.iter().map(|(command, ..)| *command).collect();
    assert_eq!(
        commands, expected,
        "README.md gives other commands than are tried"
    );
    let place = project();
    let program = Path::new(env!("CARGO_BIN_EXE_torchada"));
    let programs = program.parent().expect("a folder").display().to_string();
    let path = std::env::var("PATH").unwrap_or_default();
    for (command, code, printed) in USES {
        let output = Command::new("sh")
            .args(["-c", &format!("{command} 2>&1")])
            .current_dir(place.path())
            .env("PATH", format!("{programs}:{path}"))
            .output()
            .expect("sh runs");
        let shown = String::from_utf8_lossy(&output.stdout);
        assert_eq!(
            output.status.code(),
            Some(code),
            "`{command}` says\n{shown}"
        );
        assert!(shown.contains(printed), "`{command}` says\n{shown}");
    }
}

#[test]
fn the_configuration_is_sound() {
    let page = fs::read_to_string(root().join("docs/configuration.md")).expect("readable");
    let [sample] = code_of(&page, "toml").try_into().expect("one sample");
    let place = TempDir::new().expect("a temporary folder");
    fs::create_dir(place.path().join("p")).expect("made");
    fs::write(place.path().join("p/torchada.toml"), sample).expect("written");
    fs::write(
        place.path().join("p/k.cu"),
        "void f() { cudaProfilerStart(); cudaFree(0); }\n",
    )
    .expect("written");
    let output = Command::new(env!("CARGO_BIN_EXE_torchada"))
        .args(["port", "p"])
        .current_dir(place.path())
        .output()
        .expect("it runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let ported = fs::read_to_string(place.path().join("p_musa/k.mu")).expect("written");
    assert_eq!(ported, "void f() { cudaProfilerStart(); musaFree(0); }\n");
}

#[test]
fn two_commands_do_all_the_set_up_and_ci_runs_the_second() {
    let readme = readme();
    let blocks = code_of(&readme, "sh").into_iter();
    let commands: Vec<&str> = blocks
        .filter(|block| block.starts_with("cargo "))
        .map(str::trim)
        .collect();
    let [port, test] = commands.as_slice() else {
        panic!(
            "README.md gives {} commands for a fresh machine: {commands:?}",
            commands.len()
        )
    };
    assert!(
        port.starts_with("cargo run --release -- port fixtures/"),
        "{port}"
    );
    let script = fs::read_to_string(root().join(".ci/run")).expect(".ci/run is there");
    let runs: Vec<&str> = script
        .lines()
        .filter(|line| {
            !line.starts_with('#') && !line.starts_with("set ") && !line.starts_with("cd ")
        })
        .filter(|line| !line.is_empty())
        .collect();
    assert_eq!(
        runs,
        [*test],
        ".ci/run and README.md give different commands"
    );
}

/// The headings of a page as their levels, and its code between backticks.
fn outline(page: &str) -> (Vec<usize>, BTreeSet<String>, BTreeSet<String>, usize) {
    let text = fs::read_to_string(root().join(page)).expect("readable");
    let mut prose = String::new();
    let mut fenced = false;
    for line in text.lines() {
        fenced ^= line.starts_with("```");
        if !fenced && !line.starts_with("```") {
            prose.push_str(line);
            prose.push('\n');
        }
    }
    let hashes = |line: &str| line.bytes().take_while(|byte| *byte == b'#').count();
    let levels = prose.lines().map(hashes).filter(|level| *level > 0);
    let links = prose.split("](").skip(1);
    let links = links.filter_map(|rest| rest.split(')').next());
    // Headings of the page itself are called otherwise, and each page links to the other.
    let links = links.filter(|link| !link.starts_with(['#', 'R']));
    let code = prose.split('`').skip(1).step_by(2);
    let rows = prose.lines().filter(|line| line.starts_with('|')).count();
    (
        levels.collect(),
        code.map(|code| code.replace('\n', " ")).collect(),
        links.map(str::to_owned).collect(),
        rows,
    )
}

#[test]
fn both_languages_say_the_same() {
    let page = |name: &str| fs::read_to_string(root().join(name)).expect("readable");
    let fenced = |name: &str| -> Vec<String> {
        let text = page(name);
        text.split("```")
            .skip(1)
            .step_by(2)
            .map(str::to_owned)
            .collect()
    };
    let (english, chinese) = ("README.md", "README_CN.md");
    assert_eq!(
        fenced(english),
        fenced(chinese),
        "the blocks of code differ"
    );
    let (here, there) = (outline(english), outline(chinese));
    assert_eq!(here.0, there.0, "the headings differ");
    let code = here.1.symmetric_difference(&there.1);
    assert_eq!(
        code.collect::<Vec<_>>(),
        Vec::<&String>::new(),
        "code in one of them only"
    );
    let links = here.2.symmetric_difference(&there.2);
    assert_eq!(
        links.collect::<Vec<_>>(),
        Vec::<&String>::new(),
        "links in one of them only"
    );
    assert_eq!(here.3, there.3, "the rows of tables differ");
    assert!(page(english).contains("(README_CN.md)") && page(chinese).contains("(README.md)"));
}
