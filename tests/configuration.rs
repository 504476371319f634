//! The configuration file: what holds, what it suppresses, and the schema that editors read.

use std::fs;
use std::path::Path;

use crate::common::markdown::code_of;
use crate::common::passed::Suite;
use crate::common::program::{text, torchada};
use crate::common::trees::{write_into, write_tree};
use crate::documents::is_fresh;
use serde_json::Value;
use torchada::mapping::configuration::ConfigurationKeys;

const KERNEL: &str = "int version = CUDART_VERSION;\n";

fn json(folder: &Path, arguments: &[&str]) -> Value {
    let output = torchada(folder, arguments);
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", text(&output.stderr)))
}

#[test]
fn each_setting_says_where_it_comes_from() {
    let place = write_tree(&[
        (
            "p/pyproject.toml",
            "[tool.torchada]\nrename = \"never\"\nsdk = \"4.1.0\"\nexclude = [\"build/\"]\n\n\
             [tool.torchada.per-file-ignores]\n\"tests/\" = [\"PY\"]\n\n\
             [tool.torchada.names]\ncudaX = \"musaX\"\n",
        ),
        ("p/csrc/k.cu", KERNEL),
    ]);
    let place = place.path();
    let output = torchada(place, &["config", "p/csrc", "--sdk", "4.2.0", "--unsafe"]);
    let shown = text(&output.stdout);
    let here = place.canonicalize().expect("there").display().to_string();
    insta::assert_snapshot!(shown.replace(&here, "HERE"), @r##"
    # HERE/p/pyproject.toml
    all-code = false                          # default
    cache = true                              # default
    # cuda-version is not set                 # default
    dialect = "musa"                          # default
    even-so = false                           # default
    exclude = ["build/"]                      # HERE/p/pyproject.toml:4
    # facts is not set                        # default
    ignore = []                               # default
    include-roots = []                        # default
    layout = {}                               # default
    mapping = []                              # default
    min-evidence = "contested"                # default
    on-conflict = "mark"                      # default
    own-names = []                            # default
    paths = []                                # default
    per-file-ignores = { "tests/" = ["PY"] }  # HERE/p/pyproject.toml:6
    ptx = "translate"                         # default
    rename = "never"                          # HERE/p/pyproject.toml:2
    sdk = "4.2.0"                             # command line
    select = []                               # default
    stub = true                               # default
    target = []                               # default
    # torch-musa is not set                   # default
    vendored = "keep"                         # default
    # --no-ignore: false                      # default
    # --unsafe: true                          # command line
    # [names]: 1 entry                        # HERE/p/pyproject.toml:9
    "##);
    // Without its comments it is a configuration file with the same settings.
    write_into(place, &[("q/torchada.toml", &shown), ("q/k.cu", "")]);
    let again = json(&place.join("q"), &["config", "--format", "json"]);
    let settings = again["settings"].as_array().expect("a list");
    let of = |name: &str| settings.iter().find(|row| row["name"] == name).expect(name);
    assert_eq!(of("rename")["value"], "never");
    assert_eq!(of("per-file-ignores")["value"]["tests/"][0], "PY");
    let none = torchada(place, &["config", "p", "--no-config"]);
    assert!(
        text(&none.stdout).contains("rename = \"auto\""),
        "{}",
        text(&none.stdout)
    );
    assert!(!text(&none.stdout).contains("pyproject.toml:"));
}

#[test]
fn every_key_is_among_the_settings_that_are_shown() {
    let place = write_tree(&[]);
    let shown = json(place.path(), &["config", "--format", "json"]);
    let settings = shown["settings"].as_array().expect("a list");
    let keys = settings.iter().filter(|row| row["is_key"] == true);
    let keys: Vec<&str> = keys
        .map(|row| row["name"].as_str().expect("a name"))
        .collect();
    let listed = ConfigurationKeys::builtin().settings.iter();
    let known: Vec<&str> = listed.map(|key| &*key.name).collect();
    assert_eq!(keys, known);
    assert!(settings.iter().all(|row| row["origin"] == "default"));
}

#[test]
fn findings_are_suppressed_file_by_file() {
    let place = write_tree(&[
        (
            "p/torchada.toml",
            "[per-file-ignores]\n\"old/\" = [\"CPP05\"]\n\"*.py\" = [\"PY\"]\n",
        ),
        ("p/old/k.cu", KERNEL),
        ("p/new.cu", KERNEL),
        ("p/tool.py", ""),
    ]);
    let place = place.path();
    let output = torchada(place, &["check", "p", "--format", "concise"]);
    assert_eq!(
        text(&output.stdout).lines().collect::<Vec<_>>(),
        [
            "p/new.cu:1:15: error[CPP056]: `CUDART_VERSION` is a number of CUDA's, and MUSA has none that means the same"
        ]
    );
    let printed = text(&output.stderr);
    assert!(
        printed.contains("suppressed  1 finding, by per-file-ignores"),
        "{printed}"
    );
    for path in ["p/old", "p/old/k.cu"] {
        let output = torchada(place, &["check", path]);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{path}: {}",
            text(&output.stdout)
        );
    }
    let report = json(place, &["check", "p", "--format", "json"]);
    assert_eq!(report["suppressed"][0]["suppressed_by"], "configuration");
    assert_eq!(report["suppressed"][0]["path"], "p/old/k.cu");
    let log = json(place, &["check", "p", "--format", "sarif"]);
    let results = log["runs"][0]["results"].as_array().expect("a list");
    assert_eq!(results[1]["suppressions"][0]["kind"], "external");
    let output = torchada(place, &["port", "p"]);
    let printed = text(&output.stderr);
    assert!(
        printed.contains("suppressed  1 finding, by per-file-ignores"),
        "{printed}"
    );
    let output = torchada(place, &["port", "p/old/k.cu", "-o", "-"]);
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn globs_that_match_nothing_are_noted() {
    let settings = "exclude = [\"gone/\", \"left/\", \"*.log\", \"!kept.log\", \"[\"]\n\
                    per-file-ignores = { \"src\" = [\"CPP\"], \"scr/\" = [\"CPP\"] }\n";
    let place = write_tree(&[
        ("p/torchada.toml", settings),
        ("p/src/k.cu", KERNEL),
        ("p/left/k.cu", KERNEL),
        // What something else leaves out as well does not make a glob wrong.
        ("p/.gitignore", "*.log\n"),
        ("p/a.log", ""),
    ]);
    let notes = |line: &[&str]| {
        let line = [&["check", "--select", "PRJ058", "--format", "json"], line].concat();
        let report = json(place.path(), &line);
        let findings = report["findings"].as_array().expect("a list").clone();
        let of = |one: &Value| format!("{} {}", one["path"], one["message"]).replace('"', "");
        findings.iter().map(of).collect::<Vec<_>>()
    };
    let nothing = |key: &str, glob: &str| {
        format!("p/torchada.toml `{key}` has `{glob}`, which nothing in the tree matches")
    };
    assert_eq!(
        notes(&["p"]),
        [
            nothing("exclude", "["),
            nothing("exclude", "gone/"),
            nothing("per-file-ignores", "scr/")
        ]
    );
    // Of a part of what the configuration is for, nobody knows.
    for line in [&["p/src"][..], &["p/src/k.cu", "--root", "p"]] {
        assert_eq!(notes(line), Vec::<String>::new(), "{line:?}");
    }
}

#[test]
fn a_check_without_a_path_looks_at_the_paths_of_the_configuration() {
    let place = write_tree(&[
        ("torchada.toml", "paths = [\"a\", \"b\"]\n"),
        ("a/k.cu", KERNEL),
        ("b/k.cu", KERNEL),
        ("c/k.cu", KERNEL),
    ]);
    let checked = |folder: &str, arguments: &[&str]| {
        let line = [&["check", "--format", "json"], arguments].concat();
        let report = json(&place.path().join(folder), &line);
        let findings = report["findings"].as_array().expect("a list").clone();
        let paths = findings
            .iter()
            .map(|one| one["path"].as_str().expect("a path").to_owned());
        paths.collect::<Vec<_>>()
    };
    assert_eq!(checked("", &[]), ["a/k.cu", "b/k.cu"]);
    assert_eq!(checked("", &["c"]), ["c/k.cu"]);
    assert_eq!(checked("", &["--no-config"]).len(), 3);
    let whole = place.path().canonicalize().expect("there");
    // From another folder, what lies in it is named as seen from there.
    let whole = whole.join("b/k.cu").display().to_string();
    assert_eq!(checked("a", &[]), [whole, "k.cu".to_owned()]);
}

#[test]
fn a_layout_of_no_folder_is_an_error_that_names_the_line() {
    let place = write_tree(&[
        ("torchada.toml", "[layout]\ncuda = \"musa\"\n"),
        ("k.cu", ""),
    ]);
    let output = torchada(place.path(), &["check", "."]);
    let printed = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{printed}");
    assert!(printed.contains("torchada.toml:"), "{printed}");
    assert!(printed.contains("seen from that file"), "{printed}");
}

#[test]
fn several_files_of_a_tree_are_known_as_each_of_them_is() {
    let place = write_tree(&[
        ("own.cuh", "int cudaMalloc(int);\n"),
        (
            "a.cu",
            "#include \"own.cuh\"\nint a = cudaMalloc(1) + CUDART_VERSION;\n",
        ),
        ("b.cu", KERNEL),
        ("c.cu", KERNEL),
    ]);
    let place = place.path();
    let check = |files: &[&str]| {
        let line = [&["check", "--root", ".", "--format", "concise"], files].concat();
        text(&torchada(place, &line).stdout)
    };
    assert_eq!(
        check(&["a.cu", "./b.cu"]),
        check(&["./b.cu"]) + &check(&["a.cu"])
    );
    assert_eq!(check(&["a.cu", "b.cu"]).lines().count(), 2);
}

fn schema() -> Value {
    let output = torchada(
        Path::new(env!("CARGO_MANIFEST_DIR")),
        &["generate", "schema"],
    );
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// What a document of TOML is to the schema.
fn is_valid(document: &str) -> bool {
    let value: toml::Table = document
        .parse()
        .unwrap_or_else(|error| panic!("{error}\n{document}"));
    let value = serde_json::to_value(value).expect("JSON");
    let schema = jsonschema::validator_for(&schema()).expect("a schema");
    schema.is_valid(&value)
}

/// Whether the program takes it.
fn is_taken(document: &str) -> Result<(), String> {
    let place = write_tree(&[
        ("torchada.toml", document),
        ("csrc/cuda/k.cu", ""),
        ("musa-names.toml", ""),
        (
            "musa-facts.toml",
            "[table]\nid = \"facts\"\n[facts]\nformat = 1\n",
        ),
    ]);
    let output = torchada(place.path(), &["config"]);
    match output.status.code() {
        Some(0) => Ok(()),
        _ => Err(text(&output.stderr)),
    }
}

#[test]
fn the_schema_that_is_kept_is_the_programs() {
    let output = torchada(
        Path::new(env!("CARGO_MANIFEST_DIR")),
        &["generate", "schema"],
    );
    let schema = text(&output.stdout);
    is_fresh("docs/torchada.schema.json", &schema, "configuration::");
}

#[test]
fn the_schema_and_the_program_take_the_same() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/configuration.md");
    let suite = Suite::without_rules("configuration-schema", "configuration.rs");
    suite.with_files(&page).run(|| {
        let page = fs::read_to_string(page).expect("readable");
        let samples = code_of(&page, "toml");
        assert!(is_valid(samples.first().expect("a sample")));
        for key in ConfigurationKeys::builtin().all() {
            let document = format!("{} = {}\n", key.name, key.example);
            assert!(is_valid(&document), "the schema refuses {document}");
            assert_eq!(
                is_taken(&document),
                Ok(()),
                "the program refuses {document}"
            );
        }
    });
}

#[test]
fn what_is_misspelt_is_refused_with_a_suggestion() {
    for (document, suggestion) in [
        ("renmae = \"auto\"\n", "did you mean `rename`?"),
        ("rename = \"atuo\"\n", "did you mean `auto`?"),
        ("[name]\ncudaX = \"musaX\"\n", "did you mean `names`?"),
        (
            "[names]\ncudaX = { too = \"musaX\" }\n",
            "did you mean `to`?",
        ),
        (
            "[names]\ncudaX = { to = \"musaX\", evidence = \"tabel\" }\n",
            "did you mean `table`?",
        ),
        (
            "[[targets]]\nname = \"mp_41\"\narc = 410\nsource = \"x\"\n",
            "did you mean `arch`?",
        ),
        (
            "[[hazards]]\nid = \"x\"\ntitel = \"x\"\n",
            "did you mean `title`?",
        ),
        (
            "[per-file-ignores]\n\"a.cu\" = [\"CPP999\"]\n",
            "torchada rules",
        ),
        (
            "[per-file-ignores]\n\"a.cu\" = \"CPP056\"\n",
            "is a list of strings",
        ),
        ("paths = \"csrc\"\n", "`paths` is a list of strings"),
        (
            "own-names = [\"cudaPool*\"]\n",
            "write each name out, without its namespace",
        ),
        (
            "[tool.torchada]\nrename = \"auto\"\n",
            "belongs into a pyproject.toml",
        ),
    ] {
        let printed = is_taken(document).expect_err(document);
        assert!(printed.contains(suggestion), "{document}\n{printed}");
        // Which codes there are is nothing that a schema repeats.
        assert!(
            document.contains("CPP999") || !is_valid(document),
            "the schema takes {document}"
        );
    }
}
