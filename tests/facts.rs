//! Facts files: what a run makes of what is known of the user's own SDK.

use std::ffi::OsString;
use std::fs;

use crate::common::fixtures::run_on;
use crate::common::program::{text, torchada};
use crate::common::trees::{write_into, write_tree};
use serde_json::Value;
use tempfile::TempDir;
use torchada::files::OwnState;
use torchada::machine::{Environment, sdk};
use torchada::mapping::{
    Evidence, FactTable, Overlay, Relation, Row, Runtime, Section, Tables, Versions,
};
use torchada::stub;

const HEAD: &str =
    "[table]\nid = \"facts\"\n[facts]\nformat = 1\nsdk = \"4.3.0\"\ntorch-musa = \"2.7.1\"\n";

fn table(rows: &str) -> FactTable {
    let image = FactTable::image("facts.toml", &format!("{HEAD}{rows}")).expect("a sound file");
    FactTable::open(image).expect("an image")
}

fn fault(text: &str) -> String {
    let error = FactTable::image("facts.toml", text).expect_err("a faulty file");
    error.to_string()
}

#[test]
fn faults_of_a_facts_file_name_file_line_and_fault() {
    let row = |row: &str| fault(&format!("{HEAD}[names]\n{row}\n"));
    insta::assert_snapshot!(fault("[names]\ncudaA = \"musaA\"\n"), @"facts.toml:1: this is no facts file: it has no [facts]; `torchada learn` writes one, and --mapping takes a table");
    insta::assert_snapshot!(fault("[facts]\nformat = 1\n"), @"facts.toml:1: the table has no head: write [table] with its `id`");
    insta::assert_snapshot!(fault("[table]\nid = \"facts\"\n[facts]\nformat = 2\nmore = 1\n"), @"facts.toml:4: the file has the format 2, and this torchada reads 1: make it again with `torchada learn`");
    insta::assert_snapshot!(fault("[facts]\nsdk = \"4.3.0\"\n"), @"facts.toml:1: `facts`: missing field `format`");
    insta::assert_snapshot!(fault("[facts]\nformat = 1\nsdks = \"4.3.0\"\n"), @"facts.toml:3: `facts`: unknown field `sdks`, expected one of `format`, `tables`, `sdk`, `torch-musa`, `torch`, `mcc`, `architectures`, `options`, `listing`, `operators`, `operators-beside`, `operators-missing`, `unread`; did you mean `sdk`?");
    insta::assert_snapshot!(fault("forbid = []\n[facts]\nformat = 1\n"), @"facts.toml:1: `forbid` is no part of a facts file");
    insta::assert_snapshot!(row("cudaA = \"musaA\""), @"facts.toml:8: `cudaA` is a string: expected { to = \"…\", … }");
    insta::assert_snapshot!(row("cudaA = { to = \"musaA\", source = \"declared: a.h:1\" }"), @"facts.toml:8: `cudaA` is no fact: a row of a facts file has evidence = \"sdk\"");
    insta::assert_snapshot!(row("cudaA = { to = \"musaA\", evidence = \"table\", source = \"declared: a.h:1\" }"), @"facts.toml:8: `cudaA` is no fact: a row of a facts file has evidence = \"sdk\"");
    insta::assert_snapshot!(row("cudaA = { to = \"musaA\", evidence = \"sdk\" }"), @"facts.toml:8: `cudaA` has no `source`");
    insta::assert_snapshot!(row("cudaA = { relation = \"absent\", evidence = \"sdk\", source = \"not there: x\", differs = \"x\" }"), @"facts.toml:8: `cudaA` has `differs`, and no counterpart that can differ");
}

#[test]
fn facts_lie_between_the_built_in_tables_and_the_users() {
    let facts = table(
        "[names]\n\
         cudaFree = { relation = \"absent\", evidence = \"sdk\", source = \"not there: musaFree is in no header\" }\n\
         cudaMalloc = { to = \"musaOther\", evidence = \"sdk\", source = \"declared: a.h:1\" }\n\
         half = { relation = \"same\", evidence = \"sdk\", source = \"declared: a.h:2\" }\n",
    );
    let own = Overlay {
        file: "my.toml".to_owned(),
        text: "[names]\ncudaMalloc = \"pool_malloc\"\n".to_owned(),
    };
    let row = |tables: &Tables, name: &str| {
        let row = tables
            .get(Section::Names, name.as_bytes())
            .expect("a row")
            .clone();
        (row.to.unwrap_or_default().into_owned(), row.evidence)
    };
    let tables = Tables::for_run(Some(facts), &[], &Versions::default()).expect("sound");
    assert_eq!(
        row(&tables, "cudaMalloc"),
        ("musaOther".to_owned(), Some(Evidence::Sdk))
    );
    let tables = Tables::for_run(Some(facts), &[own], &Versions::default()).expect("sound");
    assert_eq!(
        row(&tables, "cudaMalloc"),
        ("pool_malloc".to_owned(), Some(Evidence::Table))
    );
    let free = tables.get(Section::Names, b"cudaFree").expect("a row");
    assert_eq!(free.relation, Relation::Absent);
    let (known, half) = (
        Tables::builtin().get(Section::Names, b"half"),
        tables.get(Section::Names, b"half").expect("a row"),
    );
    let known = known.expect("a row");
    assert!(
        half.evidence == Some(Evidence::Sdk)
            && (&half.needs, half.std, &half.library) == (&known.needs, known.std, &known.library),
        "a fact says nothing of where a name counts"
    );
    let all = Tables::builtin().rows(Section::Names).count();
    assert_eq!(tables.rows(Section::Names).count(), all);
}

#[test]
fn a_fact_is_there_whatever_release_is_named() {
    let later = Tables::builtin()
        .rows(Section::Names)
        .find(|row| row.relation == Relation::Renamed && row.since.is_some())
        .expect("a row that came with a release");
    let (name, to) = (&*later.cuda, later.to.as_deref().expect("renamed"));
    let facts = table(&format!(
        "[names]\n{name} = {{ to = \"{to}\", evidence = \"sdk\", source = \"declared: a.h:1\" }}\n"
    ));
    let versions = Versions {
        sdk: Some("0.1".parse().expect("a version")),
        torch_musa: Some("0.1".parse().expect("a version")),
    };
    let relation = |facts| {
        let tables = Tables::for_run(facts, &[], &versions).expect("sound");
        let row = tables.get(Section::Names, name.as_bytes()).expect("a row");
        row.relation
    };
    assert_eq!(relation(None), Relation::Absent);
    assert_eq!(relation(Some(facts)), Relation::Renamed);
}

/// A name that the built-in tables say something of, and that is not matched somewhere only.
fn name_of(fits: impl Fn(&Row) -> bool) -> &'static str {
    let mut rows = Tables::builtin().rows(Section::Names);
    let anywhere = |row: &Row| row.cuda.starts_with("cu") && row.needs.is_empty() && !row.std;
    let row = rows.find(|row| fits(row) && anywhere(row));
    &row.expect("such a row").cuda
}

#[test]
fn a_port_with_facts_says_which_and_is_made_anew_when_they_change() {
    let unknown = name_of(|row| row.relation == Relation::Unknown);
    let code = format!("void f() {{ {unknown}(); cudaMalloc(0, 0); }}\n");
    let place = write_tree(&[("p/k.cu", &code)]);
    let place = place.path();
    let facts = |to: &str| {
        let row = format!("{{ to = \"{to}\", evidence = \"sdk\", source = \"declared: a.h:1\" }}");
        fs::write(
            place.join("facts.toml"),
            format!("{HEAD}[names]\n{unknown} = {row}\n"),
        )
        .expect("written");
    };
    let port = |arguments: &[&str]| {
        let output = torchada(place, &[&["port", "p", "-o", "out"], arguments].concat());
        let printed = text(&output.stderr) + &text(&output.stdout);
        let ported = fs::read_to_string(place.join("out/k.mu")).unwrap_or_default();
        let manifest = fs::read_to_string(place.join("out/.torchada/manifest.json"));
        let manifest: Value =
            serde_json::from_str(&manifest.unwrap_or_default()).expect("a manifest");
        (printed, ported, manifest["settings"]["facts"].clone())
    };
    let (_, ported, stamp) = port(&[]);
    assert!(ported.contains(unknown), "{ported}");
    assert_eq!(stamp, Value::Null);

    facts("musaFirst");
    let (printed, ported, first) = port(&["--facts", "facts.toml"]);
    assert!(ported.contains("musaFirst"), "{printed}{ported}");
    assert!(printed.contains("1 by the SDK"), "{printed}");
    let first = first.as_str().expect("a text").to_owned();
    assert!(
        first.starts_with("MUSA SDK 4.3.0, torch_musa 2.7.1, "),
        "{first}"
    );
    let (printed, ..) = port(&["--facts", "facts.toml"]);
    assert!(printed.contains("nothing since the last port"), "{printed}");

    facts("musaSecond");
    let (_, ported, second) = port(&["--facts", "facts.toml"]);
    assert!(ported.contains("musaSecond"), "{ported}");
    assert_ne!(second.as_str(), Some(&*first));
    let (_, ported, _) = port(&["--facts", "facts.toml", "--no-cache"]);
    assert!(ported.contains("musaSecond"), "{ported}");
}

#[test]
fn the_configuration_of_a_tree_names_facts_in_its_folder_alone() {
    let rows = "[names]\ncudaMalloc = { to = \"musaOther\", evidence = \"sdk\", source = \"declared: a.h:1\" }\n";
    let facts = format!("{HEAD}{rows}");
    let place = write_tree(&[
        ("p/k.cu", "void f() { cudaMalloc(0, 0); }\n"),
        ("p/facts.toml", &facts),
        ("outside.toml", &facts),
        ("p/torchada.toml", "facts = \"facts.toml\"\n"),
    ]);
    let place = place.path();
    let run = |arguments: &[&str]| {
        let output = torchada(place, &[&["port", "p/k.cu", "-o", "-"], arguments].concat());
        (text(&output.stdout), text(&output.stderr))
    };
    assert!(run(&[]).0.contains("musaOther"));
    assert!(run(&["--no-facts"]).0.contains("musaMalloc"));
    let config = torchada(place, &["config", "p"]);
    let listed = text(&config.stdout);
    assert!(
        listed
            .lines()
            .any(|line| line.starts_with("facts = ") && line.contains("torchada.toml:1")),
        "{listed}"
    );

    fs::write(place.join("p/torchada.toml"), "facts = false\n").expect("written");
    assert!(run(&[]).0.contains("musaMalloc"));
    assert!(
        run(&["--facts", "outside.toml"]).0.contains("musaOther"),
        "what the user names lies anywhere"
    );

    fs::write(
        place.join("p/torchada.toml"),
        "facts = \"../outside.toml\"\n",
    )
    .expect("written");
    let (_, refused) = run(&[]);
    assert!(
        refused.contains("lies outside of the folder of the file"),
        "{refused}"
    );
    fs::remove_file(place.join("p/facts.toml")).expect("removed");
    std::os::unix::fs::symlink("../outside.toml", place.join("p/facts.toml")).expect("a link");
    fs::write(place.join("p/torchada.toml"), "facts = \"facts.toml\"\n").expect("written");
    let (_, refused) = run(&[]);
    assert!(
        refused.contains("lies outside of the folder of the file"),
        "{refused}"
    );

    fs::write(place.join("p/torchada.toml"), "facts = true\n").expect("written");
    let (_, refused) = run(&[]);
    assert!(
        refused.contains("`facts` is the path of a facts file, or false"),
        "{refused}"
    );
    let (_, refused) = run(&["--no-config", "--mapping", "outside.toml"]);
    assert!(
        refused.contains("outside.toml:3: this is a facts file: name it with --facts"),
        "{refused}"
    );
}

/// A tree with one file, and a facts file beside it.
fn with_facts(code: &str, rows: &str) -> TempDir {
    write_tree(&[
        ("k.cu", code),
        (
            "facts.toml",
            &format!("{HEAD}architectures = [\"mp_21\", \"mp_31\"]\n{rows}"),
        ),
    ])
}

/// What a check with the facts says, a line for each finding.
fn checked(place: &TempDir, arguments: &[&str]) -> String {
    let fixed = [
        "check",
        "k.cu",
        "--format",
        "concise",
        "--facts",
        "facts.toml",
    ];
    let output = torchada(place.path(), &[&fixed, arguments].concat());
    let printed = text(&output.stdout);
    let findings = printed.lines().filter(|line| line.starts_with("k.cu:"));
    findings.collect::<Vec<_>>().join("\n")
}

#[test]
fn with_facts_a_name_is_there_or_not() {
    let unknown = name_of(|row| row.relation == Relation::Unknown);
    let rule = name_of(|row| row.evidence == Some(Evidence::Rule));
    let code = format!(
        "#include <cuda_runtime.h>\nvoid f() {{\n  {unknown}();\n  {rule}();\n  cudaMalloc(0, 0);\n  cudaMemset(0, 0, 0);\n  cuNewNameOfNobody();\n}}\n"
    );
    let place = with_facts(
        &code,
        &format!(
            "[names]\n\
             {unknown} = {{ to = \"musaThere\", evidence = \"sdk\", source = \"declared: a.h:1\" }}\n\
             {rule} = {{ to = \"musaAlso\", evidence = \"sdk\", source = \"exported: libmusa.so\" }}\n\
             cudaMalloc = {{ relation = \"absent\", evidence = \"sdk\", source = \"not there: musaMalloc is in no header of the SDK\", advice = \"`musaMallocAsync` of musa_runtime_api.h is near\" }}\n\
             cudaMemset = {{ to = \"musaMemset\", evidence = \"sdk\", source = \"declared: a.h:3\", differs = \"CUDA: int f(void *); MUSA: int f(int)\" }}\n"
        ),
    );
    insta::assert_snapshot!(checked(&place, &[]), @r"
    k.cu:5:3: error[CPP002]: MUSA SDK 4.3.0 has no `cudaMalloc`: musaMalloc is in no header of the SDK
    k.cu:6:3: warning[CPP019]: `musaMemset` is not declared as CUDA declares `cudaMemset`: CUDA: int f(void *); MUSA: int f(int)
    k.cu:7:3: warning[CPP008]: `cuNewNameOfNobody` is written as a CUDA name, but no table lists it and nothing in the tree declares it, and MUSA SDK 4.3.0 has no counterpart of it
    ");
    let output = torchada(place.path(), &["check", "k.cu", "--facts", "facts.toml"]);
    let (printed, messages) = (text(&output.stdout), text(&output.stderr));
    assert!(
        printed.contains("`musaMallocAsync` of musa_runtime_api.h is near"),
        "{printed}"
    );
    let facts = "facts       MUSA SDK 4.3.0, torch_musa 2.7.1, facts.toml: 3 names rest on it";
    assert!((printed + &messages).contains(facts), "{messages}");
}

#[test]
fn a_namespace_of_the_sdk_has_a_name_or_not_and_a_missing_library_is_named() {
    let code = "#include <cuda/std/array>\nvoid f() {\n  cuda::std::array<int, 3> a;\n  cuda::std::foo b;\n}\n";
    let row =
        |to: &str| format!("{{ to = \"{to}\", evidence = \"sdk\", source = \"declared: a.h:1\" }}");
    let listed = format!(
        "[namespaces]\n\"cuda::std\" = {}\n[qualified]\n\"cuda::std::array\" = {}\n",
        row("musa::std"),
        row("musa::std::array")
    );
    insta::assert_snapshot!(checked(&with_facts(code, &listed), &[]), @"k.cu:4:3: error[CPP002]: MUSA SDK 4.3.0 has no `cuda::std::foo`: no header of the SDK declares it in musa::std");
    let silent = format!("[names]\ncudaFree = {}\n", row("musaFree"));
    insta::assert_snapshot!(checked(&with_facts(code, &silent), &[]), @r"
    k.cu:3:3: note[CPP003]: `cuda::std::array` was renamed to `musa::std::array` by rule alone: the namespace is known, the name in it is not, and MUSA SDK 4.3.0 has nothing of CCCL: Thrust, CUB, libcu++
    k.cu:4:3: note[CPP003]: `cuda::std::foo` was renamed to `musa::std::foo` by rule alone: the namespace is known, the name in it is not, and MUSA SDK 4.3.0 has nothing of CCCL: Thrust, CUB, libcu++
    ");
}

#[test]
fn facts_of_another_sdk_warn_once() {
    let rows = "[names]\ncudaFree = { to = \"musaFree\", evidence = \"sdk\", source = \"declared: a.h:1\" }\n";
    let place = with_facts("void f() { cudaFree(0); }\n", rows);
    let messages = |arguments: &[&str]| {
        let fixed = ["port", "k.cu", "-o", "-", "--facts", "facts.toml"];
        text(&torchada(place.path(), &[&fixed, arguments].concat()).stderr)
    };
    assert_eq!(messages(&[]), "");
    assert_eq!(messages(&["--sdk", "4.3", "--target", "mp_31"]), "");
    insta::assert_snapshot!(messages(&["--sdk", "4.2.0", "--torch-musa", "2.0.0", "--target", "mp_22"]), @"
    warning: facts.toml has the facts of MUSA SDK 4.3.0, and the port is for 4.2.0
    warning: facts.toml has the facts of torch_musa 2.7.1, and the port is for 2.0.0
    warning: the port is for mp_22, and the compiler that facts.toml speaks of knows mp_21, mp_31 only
    ");

    // A machine with another SDK than the facts are of, and with the same.
    let machine = TempDir::new().expect("a machine");
    let line = |arguments: &[&str]| -> Vec<OsString> {
        let path = |name: &str| place.path().join(name).into_os_string();
        let fixed = [
            "torchada".into(),
            "port".into(),
            path("k.cu"),
            "-o".into(),
            "-".into(),
        ];
        let facts = ["--facts".into(), path("facts.toml")];
        let more = arguments.iter().map(OsString::from);
        fixed.into_iter().chain(facts).chain(more).collect()
    };
    let on = |version: &str, arguments: &[&str]| {
        write_into(
            machine.path(),
            &[(
                "usr/local/musa/version.json",
                &format!("{{\"musa_toolkits\": {{\"version\": \"{version}\"}}}}"),
            )],
        );
        let environment = Environment::made(&[], machine.path());
        let (_, _, messages) = run_on(&environment, &line(arguments), b"");
        text(&messages)
    };
    assert!(on("5.1.0", &[]).contains("facts of MUSA SDK 4.3.0, and "));
    assert!(on("5.1.0", &[]).contains("usr/local/musa is 5.1.0"));
    assert_eq!(on("5.1.0", &["--sdk", "4.3.0"]), "");
    assert_eq!(on("4.3.0", &[]), "");
}

#[test]
fn the_facts_of_this_machine_are_found_while_they_are_fresh() {
    let machine = write_tree(&[("usr/local/musa/include/musa.h", "int musa;\n")]);
    let place = write_tree(&[("k.cu", "void f() { cudaFree(0); }\n")]);
    let environment = Environment::made(&[], machine.path());
    let ported = |arguments: &[&str]| {
        let path = place.path().join("k.cu").into_os_string();
        let fixed: [OsString; 5] = [
            "torchada".into(),
            "port".into(),
            path,
            "-o".into(),
            "-".into(),
        ];
        let line: Vec<OsString> = fixed
            .into_iter()
            .chain(arguments.iter().map(OsString::from))
            .collect();
        text(&run_on(&environment, &line, b"").1)
    };
    let sdk = sdk::find(None, &environment).expect("an SDK");
    let listing = sdk::listing_digest(&sdk).expect("listed");
    let state = OwnState::open().expect("a folder");
    let name = format!("facts-{}.toml", &listing[..16]);
    let row =
        "cudaFree = { to = \"musaLearned\", evidence = \"sdk\", source = \"declared: a.h:1\" }";
    let facts = format!("{HEAD}listing = \"{listing}\"\n[names]\n{row}\n");
    assert!(ported(&[]).contains("musaFree"));
    state.write(&name, facts.as_bytes()).expect("written");
    assert!(ported(&[]).contains("musaLearned"));
    assert!(ported(&["--no-facts"]).contains("musaFree"));
    let header = "int musaFree(void *p);\n";
    write_into(machine.path(), &[("usr/local/musa/include/new.h", header)]);
    let messages = || {
        let path = place.path().join("k.cu").into_os_string();
        let line = ["torchada".into(), "check".into(), path];
        let (_, out, messages) = run_on(&environment, &line, b"");
        text(&out) + &text(&messages)
    };
    assert!(ported(&[]).contains("musaFree"), "the SDK is another now");
    assert!(messages().contains("no facts are known of the SDK in "));
    state.remove(&name).expect("removed");

    let learned = run_on(&environment, &["torchada".into(), "learn".into()], b"");
    let learned = text(&learned.1) + &text(&learned.2);
    assert!(
        learned.contains("`torchada map --conflicts` lists all"),
        "{learned}"
    );
    let messages = messages();
    assert!(messages.contains("1 by the SDK"), "{messages}");
    assert!(!messages.contains("no facts are known"), "{messages}");
    let listing = sdk::listing_digest(&sdk).expect("listed");
    state
        .remove(&format!("facts-{}.toml", &listing[..16]))
        .expect("removed");
}

#[test]
fn facts_of_pythons_names_decide_what_the_port_and_its_package_do() {
    let found = |to: &str, more: &str| {
        format!(
            "{{ to = \"{to}\", evidence = \"sdk\", source = \"there: torch_musa 2.7.1\"{more} }}"
        )
    };
    let lacks = "{ relation = \"absent\", evidence = \"sdk\", source = \"not there: torch_musa 2.7.1 has none\" }";
    let rows = [
        (
            "torch.cuda.utilization",
            found("torch.musa.utilization", ""),
        ),
        ("torch.cuda.nvtx.mark", found("torch.musa.mark", "")),
        (
            "torch.cuda.synchronize",
            found(
                "torch.musa.synchronize",
                ", differs = \"CUDA: f(a=…); MUSA: f(b)\"",
            ),
        ),
        ("torch.cuda.empty_cache", lacks.to_owned()),
        ("torch.cuda.Event.query", lacks.to_owned()),
        ("torch.cuda.nvtx.range_end", lacks.to_owned()),
        ("torch.backends.cudnn.benchmark", lacks.to_owned()),
    ];
    let rows = rows.map(|(name, row)| format!("\"{name}\" = {row}\n"));
    let rows = format!("[python]\n{}", rows.concat());
    let code = "import torch\n\
                from torch.cuda import synchronize\n\
                torch.cuda.utilization()\n\
                torch.cuda.synchronize()\n\
                torch.cuda.empty_cache()\n\
                torch.backends.cudnn.benchmark = True\n";
    let place = write_tree(&[("k.py", code), ("facts.toml", &format!("{HEAD}{rows}"))]);
    let run = |arguments: &[&str]| {
        let output = torchada(
            place.path(),
            &[arguments, &["--facts", "facts.toml"]].concat(),
        );
        text(&output.stdout)
    };
    insta::assert_snapshot!(run(&["port", "k.py", "-o", "-"]), @r"
    import torch
    from torch_musa import synchronize
    torch.musa.utilization()
    torch.musa.synchronize()
    torch.cuda.empty_cache()
    torch.backends.cudnn.benchmark = True
    ");
    let messages = run(&["check", "k.py", "--format", "concise"]);
    let messages: Vec<&str> = messages
        .lines()
        .filter(|line| line.starts_with("k.py:"))
        .collect();
    insta::assert_snapshot!(messages.join("\n"), @r"
    k.py:2:24: warning[PY017]: `torch.musa.synchronize` does not take what `torch.cuda.synchronize` takes: CUDA: f(a=…); MUSA: f(b)
    k.py:4:1: warning[PY017]: `torch.musa.synchronize` does not take what `torch.cuda.synchronize` takes: CUDA: f(a=…); MUSA: f(b)
    k.py:5:1: error[PY011]: `torch.cuda.empty_cache` has no counterpart in torch_musa 2.7.1
    k.py:6:1: note[PY012]: `torch.backends.cudnn.benchmark` stays: torch_musa has no counterpart, the runtime package stands in for it
    ");

    let tables = Tables::for_run(Some(table(&rows)), &[], &Versions::default()).expect("sound");
    let runtime = |name: &str| {
        let row = tables.get(Section::Python, name.as_bytes());
        row.and_then(|row| row.runtime)
            .map_or("none", Runtime::as_str)
    };
    for (name, expected) in [
        ("torch.cuda.utilization", "forward"),
        ("torch.cuda.nvtx.mark", "forward"),
        ("torch.cuda.synchronize", "forward"),
        ("torch.cuda.empty_cache", "missing"),
        ("torch.cuda.Event.query", "missing"),
        ("torch.cuda.nvtx.range_end", "silent"),
        ("torch.backends.cudnn.benchmark", "keep"),
    ] {
        assert_eq!(runtime(name), expected, "{name}");
    }
    let silent = tables.get(Section::Python, b"torch.cuda.nvtx.range_end");
    assert!(silent.is_some_and(|row| row.note.is_some()));
    let package = stub::files(&tables);
    let names = package
        .iter()
        .find(|file| file.path.ends_with("/_tables.py"));
    let names = text(&names.expect("the tables").bytes);
    let (forwarded, rest) = names.split_once("KEPT").expect("names that stay");
    assert!(forwarded.contains("\"torch.cuda.utilization\": \"torch.musa.utilization\""));
    assert!(!forwarded.contains("\"torch.cuda.empty_cache\""));
    assert!(rest.contains("\"torch.cuda.empty_cache\""));
}

#[test]
fn the_map_shows_what_tables_and_facts_say() {
    let place = with_facts(
        "",
        "[names]\n\
         cudaMalloc = { relation = \"absent\", evidence = \"sdk\", source = \"not there: musaMalloc is in no header of the SDK\" }\n\
         cudaMemset = { to = \"musaMemset\", evidence = \"sdk\", source = \"declared: a.h:3\", differs = \"CUDA: f(int); MUSA: f(long)\" }\n\
         cudaFree = { to = \"musaRelease\", evidence = \"sdk\", source = \"declared: a.h:4\" }\n",
    );
    let map = |arguments: &[&str]| {
        let output = torchada(
            place.path(),
            &[&["map", "--facts", "facts.toml"], arguments].concat(),
        );
        text(&output.stdout) + &text(&output.stderr)
    };
    insta::assert_snapshot!(map(&["cudaMalloc", "cudaMemset"]), @r"
    cudaMalloc
      absent, sdk (cudart, names)
      source:  not there: musaMalloc is in no header of the SDK
      tables:  renamed to musaMalloc, confirmed (declared or bound: ZhaoShanBiounite/musapy:rust/musapy-core/src/musa_ffi.rs)
      conflict: the tables have a counterpart, and the SDK lacks it

    cudaMemset -> musaMemset
      renamed, sdk (cudart, names)
      source:  declared: a.h:3
      differs: CUDA: f(int); MUSA: f(long)
      tables:  renamed to musaMemset, confirmed (declared or bound: tile-ai/tilelang-musa:src/backend/musa/stubs/musart.cc:107)
    ");
    insta::assert_snapshot!(map(&["--conflicts"]).replace('\t', " | "), @r"
    MUSA SDK 4.3.0, torch_musa 2.7.1: 2 names

    the tables have a counterpart, and the SDK lacks it (1):
      cudaMalloc | renamed to musaMalloc, confirmed | absent, sdk | not there: musaMalloc is in no header of the SDK

    the SDK has it under another name than the tables say (1):
      cudaFree | renamed to musaFree, confirmed | renamed to musaRelease, sdk | declared: a.h:4
    ");
    let listed: Value = serde_json::from_str(&map(&["--conflicts", "--json"])).expect("JSON");
    assert_eq!(listed["conflicts"]["names"][0]["kind"], "other");
    assert_eq!(listed["conflicts"]["facts"]["sdk"], "4.3.0");
    let nothing = torchada(place.path(), &["map", "--conflicts"]);
    assert_eq!(nothing.status.code(), Some(2));
    assert!(text(&nothing.stderr).contains("there are no facts to compare the tables with"));
}
