//! What has to hold for the mapping tables, each with a message for whoever broke it.
//!
//! The loader itself refuses tables with duplicates, unsorted rows, unsourced rows and the like, so
//! a build with such tables fails already; here the same is asked of what a run looks up.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use torchada::mapping::loader::{self, Table};
use torchada::mapping::names::{query, stems::by_rule};
use torchada::mapping::ptx::Ptx;
use torchada::mapping::{
    Evidence, MappingError, Overlay, Relation, Row, Section, Tables, Version, Versions,
};

use crate::documents::{self, is_fresh};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every table file, read by the loader that the build uses.
fn files() -> Vec<Table> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(root().join("mappings"))
        .expect("mappings/ is there")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "toml")
        })
        .collect();
    paths.sort();
    paths
        .into_iter()
        .filter_map(|path| {
            let text = std::fs::read_to_string(&path).expect("a readable table");
            let name = path
                .file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            // Knowledge of other kinds stands there too; it has no `[table]`.
            let table = text.lines().any(|line| line == "[table]");
            table.then(|| loader::parse_builtin(&name, &text).unwrap_or_else(|e| panic!("{e}")))
        })
        .collect()
}

fn rows() -> impl Iterator<Item = (Section, &'static Row)> {
    let tables = Tables::builtin();
    Section::ALL
        .into_iter()
        .flat_map(|section| tables.rows(section).map(move |row| (section, row)))
}

fn overlay(text: &str) -> Result<Cow<'static, Tables>, MappingError> {
    let overlay = Overlay {
        file: "my.toml".to_owned(),
        text: text.to_owned(),
    };
    Tables::for_run(None, &[overlay], &Versions::default())
}

fn fault(text: &str) -> String {
    overlay(text).expect_err("a faulty table").to_string()
}

#[test]
fn every_row_of_the_files_is_found_by_its_name() {
    let tables = Tables::builtin();
    let mut count = 0;
    for table in files() {
        for placed in &table.rows {
            let found = tables.get(placed.section, placed.row.cuda.as_bytes());
            assert_eq!(
                found,
                Some(&placed.row),
                "{}:{}: what a run finds for `{}` is not what the file says",
                table.file,
                placed.line,
                placed.row.cuda
            );
            count += 1;
        }
    }
    assert_eq!(count, rows().count(), "a run has rows that no file has");
}

#[test]
fn no_name_has_two_rows_and_no_counterpart_is_translated_again() {
    loader::check_together(&files()).unwrap_or_else(|fault| panic!("{fault}"));
}

#[test]
fn porting_a_port_changes_nothing() {
    let tables = Tables::builtin();
    for (section, row) in rows() {
        let Some(to) = &row.to else { continue };
        let next = match section {
            Section::Headers => tables.header(to),
            _ => tables.get(section, to.as_bytes()),
        };
        assert!(
            next.is_none_or(|next| next.relation == Relation::Same
                || section == Section::Headers
                    && next.relation == Relation::Unknown
                    && next.cuda.ends_with('/')),
            "`{}` goes to `{to}`, which a second port would change or report: {next:?}",
            row.cuda
        );
    }
}

#[test]
fn libraries_of_a_cmake_file_keep_their_namespace() {
    for (section, row) in rows() {
        if section == Section::Libraries
            && let Some(to) = &row.to
        {
            assert_eq!(
                row.cuda.contains("::"),
                to.contains("::"),
                "`{}` is a CMake target and `{to}` none, or the other way round",
                row.cuda
            );
        }
    }
}

#[test]
fn every_row_says_where_it_comes_from() {
    for (_, row) in rows() {
        assert!(!row.source.is_empty(), "`{}` has no source", row.cuda);
        assert!(
            !row.source.contains("/work/") && !row.source.contains("../"),
            "`{}`: `{}` is no public place",
            row.cuda,
            row.source
        );
    }
}

#[test]
fn a_row_claims_no_more_than_its_evidence() {
    let proven: BTreeMap<&str, bool> = Tables::builtin()
        .libraries()
        .iter()
        .map(|library| (&*library.id, library.proven))
        .collect();
    for (_, row) in rows() {
        let name = &row.cuda;
        match (row.relation, row.evidence) {
            (Relation::Unknown, evidence) => {
                assert_eq!(
                    evidence, None,
                    "`{name}` is unknown: there is no evidence of that"
                );
            }
            (_, None) => panic!("`{name}` is {} without evidence", row.relation.as_str()),
            (_, Some(Evidence::Rule)) => {
                assert_eq!(
                    row.relation,
                    Relation::Renamed,
                    "`{name}`: a rule only renames"
                );
                assert!(
                    proven[&*row.library],
                    "`{name}`: the rule of {} is unproven",
                    row.library
                );
            }
            (_, Some(Evidence::Confirmed)) => assert!(
                !row.source.starts_with("name table"),
                "`{name}` is confirmed by a table only: {}",
                row.source
            ),
            _ => {}
        }
    }
}

#[test]
fn every_absent_or_doubtful_row_says_what_to_do() {
    for (_, row) in rows() {
        let doubtful = matches!(row.relation, Relation::Absent | Relation::Unknown)
            || matches!(row.evidence, Some(Evidence::Rule | Evidence::Contested));
        assert!(
            !doubtful || row.advice.is_some(),
            "`{}` has no advice",
            row.cuda
        );
    }
}

#[test]
fn names_without_a_stem_are_fenced_in() {
    for row in Tables::builtin().rows(Section::Names) {
        // What is never edited needs no fence; what code of another kind can't contain needs none.
        let harmless = row.relation == Relation::Same || row.cuda.starts_with("__");
        let fenced = row.stem || row.std || !row.needs.is_empty();
        let builtin = row.library == "device" || row.library == "cudart";
        assert!(
            harmless || fenced || builtin,
            "`{}` ({}) would match in any project: give it `needs`, or `std`",
            row.cuda,
            row.library
        );
    }
}

#[test]
fn common_words_match_nowhere_by_themselves() {
    let tables = Tables::builtin();
    for word in [
        "max", "min", "abs", "assert", "type", "half", "size_t", "printf", "global", "mark",
    ] {
        let row = tables.get(Section::Names, word.as_bytes());
        assert!(
            row.is_none_or(|row| row.std && !row.stem),
            "`{word}` is a common word: its row needs `std = true`"
        );
    }
}

#[test]
fn names_of_projects_are_in_no_table() {
    let tables = Tables::builtin();
    for name in [
        "CHECK_CUDA",
        "CUDA_CHECK",
        "CudaStream",
        "cudaCheck",
        "half_cuda",
        "my_cuda_func",
        "CUDA",
        "cuda",
        "cublas_handle",
        "cuda_bfloat16",
        "cudaSafeCall",
        "nccl",
        "cublas",
        "loadMat",
        "USE_CUDA",
        "WITH_CUDA",
        "empty_cuda",
        "cudev",
        "cudaHostFree",
    ] {
        let row = tables.get(Section::Names, name.as_bytes());
        assert_eq!(row, None, "`{name}` belongs to projects, not to CUDA");
    }
    for header in [
        "math.cuh",
        "CUDAConfig.h",
        "nccl_utils.h",
        "cuda_dispatch.h",
    ] {
        assert_eq!(
            tables.header(header),
            None,
            "`{header}` belongs to projects, not to CUDA"
        );
    }
}

#[test]
fn versions_of_cuda_are_never_renamed() {
    let tables = Tables::builtin();
    for name in [
        "CUDA_VERSION",
        "CUDART_VERSION",
        "CUDNN_VERSION",
        "CUDNN_MAJOR",
        "NCCL_VERSION_CODE",
        "NCCL_MAJOR",
        "CUBLAS_VERSION",
        "CUBLAS_VER_MAJOR",
        "CUSPARSE_VERSION",
        "CUFFT_VERSION",
        "__CUDACC_VER_MAJOR__",
        "__CUDACC_VER_MINOR__",
        "__CUDACC_VER_BUILD__",
        "CUTLASS_VERSION",
    ] {
        let row = tables.get(Section::Names, name.as_bytes());
        assert_eq!(
            row.map(|row| row.relation),
            Some(Relation::Absent),
            "`{name}`: no comparison of a CUDA version says anything about MUSA's"
        );
    }
}

#[test]
fn the_device_type_of_pytorch_is_private_use_1() {
    let tables = Tables::builtin();
    for (section, name, to) in [
        (Section::Names, "kCUDA", "kPrivateUse1"),
        (Section::Names, "AutogradCUDA", "AutogradPrivateUse1"),
        (
            Section::Qualified,
            "c10::DeviceType::CUDA",
            "c10::DeviceType::PrivateUse1",
        ),
        (
            Section::Qualified,
            "DispatchKey::CUDA",
            "DispatchKey::PrivateUse1",
        ),
        (Section::Members, "is_cuda", "is_privateuseone"),
        (Section::Names, "kDLCUDA", "kDLExtDev"),
    ] {
        let row = tables.get(section, name.as_bytes());
        assert_eq!(row.and_then(|row| row.to.as_deref()), Some(to), "`{name}`");
    }
}

#[test]
fn names_that_pytorch_shares_with_projects_need_its_headers() {
    let tables = Tables::builtin();
    for name in [
        "CUDAStream",
        "CUDAGuard",
        "getCurrentCUDAStream",
        "C10_CUDA_CHECK",
        "kCUDA",
    ] {
        let row = tables.get(Section::Names, name.as_bytes());
        let needs = row.map(|row| row.needs.to_vec()).unwrap_or_default();
        assert!(
            needs.contains(&"ATen/".into()),
            "`{name}` needs PyTorch's headers: {needs:?}"
        );
    }
}

#[test]
fn a_header_takes_its_own_row_before_its_folders() {
    let tables = Tables::builtin();
    let target = |path| tables.header(path).and_then(|row| row.header_target(path));
    assert_eq!(target("cuda_runtime.h").as_deref(), Some("musa_runtime.h"));
    assert_eq!(
        target("c10/cuda/CUDAStream.h").as_deref(),
        Some("torch_musa/csrc/core/MUSAStream.h")
    );
    assert_eq!(
        target("cuda/std/not_listed_anywhere").as_deref(),
        Some("musa/std/not_listed_anywhere")
    );
    assert_eq!(target("c10/cuda/NotListedAnywhere.h"), None);
}

#[test]
fn stems_stand_longest_first() {
    let stems = Tables::builtin().stems();
    assert!(
        stems.is_sorted_by_key(|stem| std::cmp::Reverse(stem.cuda.len())),
        "the first stem that fits would not be the longest"
    );
    let known: BTreeSet<&str> = stems.iter().map(|stem| &*stem.cuda).collect();
    for stem in [
        "cuda", "CUDA", "cu", "CU", "cublas", "CUBLAS", "nccl", "NCCL", "curand", "CURAND",
    ] {
        assert!(
            known.contains(stem),
            "no stem `{stem}` for names that are pasted together"
        );
    }
}

#[test]
fn architectures_and_hazards_say_where_they_come_from() {
    let tables = Tables::builtin();
    for row in tables.architectures() {
        assert!(!row.source.is_empty(), "{} {}", row.feature, row.sm);
    }
    let targets: Vec<&str> = tables
        .targets()
        .iter()
        .map(|target| &*target.name)
        .collect();
    for hazard in tables.hazards() {
        assert!(!hazard.source.is_empty(), "`{}` has no source", hazard.id);
        for target in &hazard.targets {
            assert!(
                targets.contains(&&**target),
                "`{}`: `{target}` is no target",
                hazard.id
            );
        }
    }
}

#[test]
fn a_users_table_adds_overrides_and_forbids() {
    let tables = overlay(
        "forbid = [\"cudaFree\"]\n[names]\nmyCudaThing = \"myMusaThing\"\n\
         cudaMalloc = { to = \"pool_malloc\", note = \"ours\" }\n[headers]\n\"v/cuda/\" = \"v/musa/\"\n",
    )
    .expect("a sound table");
    let added = tables
        .get(Section::Names, b"myCudaThing")
        .expect("the added row");
    assert_eq!(added.to.as_deref(), Some("myMusaThing"));
    assert_eq!(
        (added.evidence, &*added.source),
        (Some(Evidence::Table), "my.toml")
    );
    let own = tables
        .get(Section::Names, b"cudaMalloc")
        .expect("the overriding row");
    assert_eq!(own.to.as_deref(), Some("pool_malloc"));
    assert!(tables.is_forbidden(b"cudaFree"));
    assert!(!tables.is_forbidden(b"cudaMalloc"));
    assert!(
        tables.get(Section::Names, b"cudaFree").is_some(),
        "a forbidden name keeps its row"
    );
    let below = tables
        .header("v/cuda/x.h")
        .and_then(|row| row.header_target("v/cuda/x.h"));
    assert_eq!(below.as_deref(), Some("v/musa/x.h"));
    let names: Vec<&str> = tables.rows(Section::Names).map(|row| &*row.cuda).collect();
    assert!(names.is_sorted(), "rows of a section come sorted by name");
    assert_eq!(
        names.len(),
        Tables::builtin().rows(Section::Names).count() + 1
    );
}

#[test]
fn a_later_table_wins() {
    let file = |file: &str, to: &str| Overlay {
        file: file.to_owned(),
        text: format!("[names]\ncudaMalloc = \"{to}\"\n"),
    };
    let overlays = [file("a.toml", "first"), file("b.toml", "second")];
    let tables = Tables::for_run(None, &overlays, &Versions::default()).expect("sound tables");
    let row = tables.get(Section::Names, b"cudaMalloc").expect("a row");
    assert_eq!(
        (row.to.as_deref(), &*row.source),
        (Some("second"), "b.toml")
    );
}

#[test]
fn faults_of_a_users_table_name_file_line_and_fault() {
    insta::assert_snapshot!(fault("[names]\n\ncuda-x = \"musaX\"\n"), @"my.toml:3: `cuda-x` is no name for `names`: expected an identifier");
    insta::assert_snapshot!(fault("[names]\ncudaX = \"\"\n"), @"my.toml:2: `cudaX`: `to`: `` is no name for `names`: expected an identifier");
    insta::assert_snapshot!(fault("[names]\ncudaX = { too = \"musaX\" }\n"), @"my.toml:2: `cudaX`: unknown field `too`, expected one of `to`, `relation`, `evidence`, `source`, `differs`, `note`, `advice`, `family`, `since`, `needs`, `std`, `primary`, `runtime`; did you mean `to`?");
    insta::assert_snapshot!(fault("[names]\ncudaX = { evidence = \"sure\", to = \"musaX\" }\n"), @"my.toml:2: `cudaX`: unknown variant `sure`, expected one of `sdk`, `confirmed`, `table`, `rule`, `contested`");
    insta::assert_snapshot!(fault("[names]\ncudaX = 3\n"), @"my.toml:2: `cudaX` is an integer: expected { to = \"…\", … }");
    insta::assert_snapshot!(fault("[names]\ncudaX = {}\n"), @"my.toml:2: `cudaX` has neither `to` nor `relation`");
    insta::assert_snapshot!(fault("[names]\ncudaX = { relation = \"same\", to = \"musaX\" }\n"), @"my.toml:2: `cudaX` has `to`, but its relation is same");
    insta::assert_snapshot!(fault("[names]\ncudaX = \"cudaX\"\n"), @"my.toml:2: `cudaX` goes to itself: write relation = \"same\" for a name that MUSA keeps");
    insta::assert_snapshot!(fault("[names]\ncudaX = \"a\"\ncudaX = \"b\"\n"), @"my.toml:3: duplicate key");
    insta::assert_snapshot!(fault("[names]\ncudaX = \"cudaMalloc\"\n"), @"my.toml:2: `cudaX` goes to `cudaMalloc`, which is a CUDA name itself: porting a port would change it again");
    insta::assert_snapshot!(fault("forbid = [\n  \"cudaFree\",\n  \"cudaMaloc\",\n]\n"), @"my.toml:3: `forbid` names `cudaMaloc`, which no table has: it has no effect");
    insta::assert_snapshot!(fault("names = 3\n"), @"my.toml:1: `names` is no table: write [names] on a line");
    insta::assert_snapshot!(fault("[names]\ncudaX = { to = \"musaX\", family = \"none\" }\n"), @"my.toml:2: `cudaX`: no family `none` under [advice]");
    insta::assert_snapshot!(fault("[names]\ncudaX = { to = \"musaX\", needs = \"none\" }\n"), @"my.toml:2: `cudaX`: no list `none` under [needs]");
    insta::assert_snapshot!(fault("[headers]\n\"a/\" = \"b\"\n"), @"my.toml:2: `a/`: a folder of headers goes to a folder: both end in `/`, or neither");
    insta::assert_snapshot!(fault("[names\n"), @"my.toml:1: unclosed table, expected `]`");
}

#[test]
fn faults_of_a_built_in_table_name_file_line_and_fault() {
    let head = "[table]\nid = \"x\"\n[names]\n";
    let fault = |rows: &str| {
        let text = format!("{head}{rows}");
        loader::parse_builtin("x.toml", &text)
            .expect_err("a faulty table")
            .to_string()
    };
    insta::assert_snapshot!(fault("cudaB = { relation = \"same\", evidence = \"table\", source = \"a: b\" }\ncudaA = { relation = \"same\", evidence = \"table\", source = \"a: b\" }\n"), @"x.toml:4: rows are sorted by name: `cudaB` goes after `cudaA`");
    insta::assert_snapshot!(fault("cudaA = \"musaA\"\n"), @"x.toml:4: `cudaA` is a string: expected { to = \"…\", … }");
    insta::assert_snapshot!(fault("cudaA = { to = \"musaA\", evidence = \"table\" }\n"), @"x.toml:4: `cudaA` has no `source`");
    insta::assert_snapshot!(fault("cudaA = { to = \"musaA\", source = \"a: b\" }\n"), @"x.toml:4: `cudaA` has no `evidence`: confirmed, table, rule or contested");
    insta::assert_snapshot!(fault("cudaA = { to = \"musaA\", evidence = \"rule\", source = \"a: b\" }\n"), @"x.toml:4: `cudaA` rests on the prefix rule, which is unproven for this table");
    insta::assert_snapshot!(fault("cudaA = { to = \"musaA\", evidence = \"table\", source = \"general\" }\n"), @"x.toml:4: `cudaA`: no source `general` under [sources]: one word is a key of that table, a place or a sentence stands as it is");
    insta::assert_snapshot!(fault("cudaA = { relation = \"absent\", evidence = \"confirmed\", source = \"a: b\" }\n"), @"x.toml:4: `cudaA` has no advice: give it one, a `family`, or `absent` under [advice]");
    insta::assert_snapshot!(fault("cudaA = { to = \"musaA\", evidence = \"sdk\", source = \"a: b\" }\n"), @"x.toml:4: `cudaA` has the evidence of an SDK, which no table has that comes with the program");
    insta::assert_snapshot!(fault("cudaA = { relation = \"unknown\", evidence = \"table\", source = \"a: b\" }\n"), @"x.toml:4: `cudaA` is unknown: nothing can be evidence of that");
}

#[test]
fn near_misses_are_suggested() {
    let tables = Tables::builtin();
    let answer = query::ask(tables, "cudaMaloc");
    assert!(answer.rows.is_empty());
    assert_eq!(answer.near.first(), Some(&"cudaMalloc".to_owned()));
    let answer = query::ask(tables, "musaMalloc");
    assert_eq!(
        answer.sources,
        ["cudaMalloc"],
        "a MUSA name leads back to its CUDA name"
    );
    assert_eq!(
        query::ask(tables, "-lcudart").rows.len(),
        1,
        "a link option is its library"
    );
}

#[test]
fn the_rule_gives_what_most_rows_have() {
    let stems = Tables::builtin().stems();
    for (name, made) in [
        ("cudaMalloc", "musaMalloc"),
        ("CU_STREAM_LEGACY", "MU_STREAM_LEGACY"),
        ("CUstream", "MUstream"),
        ("cuInit", "muInit"),
        ("getCurrentCUDAStream", "getCurrentMUSAStream"),
        ("CUSTOM", "CUSTOM"),
        ("custom", "custom"),
        ("c10::cuda::CUDAStream", "c10::musa::MUSAStream"),
    ] {
        assert_eq!(by_rule(stems, name), made);
    }
}

#[test]
fn the_document_is_not_stale() {
    let fresh = documents::mappings::markdown(Tables::builtin()).expect("a document");
    is_fresh("docs/mappings.md", &fresh, "tables::");
}

/// The names of CUDA's in C++ for which the tables know no counterpart, but for those that count only beside a header.
fn without_counterpart(code: &str, relation: Relation) -> Vec<&str> {
    let words = code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let row = |word: &&str| {
        let row = Tables::builtin().get(Section::Names, word.as_bytes());
        row.is_some_and(|row| row.relation == relation && row.needs.is_empty())
    };
    words.filter(row).collect()
}

#[test]
fn alternatives_are_for_targets_and_releases_that_are_known() {
    for one in Ptx::builtin().alternatives() {
        let forms = one.forms.join(" ");
        assert!(one.sdk.parse::<Version>().is_ok(), "{forms}: {}", one.sdk);
        for target in &one.targets {
            let mut known = Tables::builtin().targets().iter();
            assert!(
                known.any(|known| known.name == *target),
                "{forms}: {target}"
            );
        }
    }
}

#[test]
fn what_assembly_becomes_has_no_name_without_a_counterpart() {
    let table = Ptx::builtin();
    let rows = table
        .rows()
        .iter()
        .filter_map(|row| Some((row.forms.join(" "), row.cpp.as_deref()?, row.evidence)));
    let specials = table.specials().iter();
    let specials = specials.map(|(name, one)| (name.clone(), one.cpp.as_str(), one.evidence));
    for (name, code, evidence) in rows.chain(specials) {
        let absent = without_counterpart(code, Relation::Absent);
        assert!(absent.is_empty(), "{name}: MUSA has no {absent:?}");
        if evidence < Evidence::Rule {
            let unknown = without_counterpart(code, Relation::Unknown);
            assert!(unknown.is_empty(), "{name}: no evidence of {unknown:?}");
        }
    }
    for (name, helper) in table.helpers() {
        // What only CUDA's compiler sees is CUDA's.
        let (mut code, mut is_cudas) = (String::new(), false);
        for line in helper.code.lines() {
            if line.starts_with('#') {
                is_cudas = line.contains("defined(__CUDA_ARCH__)");
            } else if !is_cudas {
                code.extend([line, "\n"]);
            }
        }
        for relation in [Relation::Absent, Relation::Unknown] {
            let names = without_counterpart(&code, relation);
            assert!(names.is_empty(), "{name}: {names:?} is {relation:?}");
        }
    }
}

#[test]
fn the_document_of_ptx_is_not_stale_and_shows_each_family() {
    let table = Ptx::builtin();
    let text = documents::ptx::markdown(table).expect("a document");
    for row in table.rows() {
        let Some(family) = row.by else { continue };
        assert!(
            text.contains(&format!("\n### {family:?}\n")),
            "tests/documents/ptx_examples.cu has nothing of {family:?}"
        );
    }
    let examples = text
        .split("\n## By their parts\n")
        .nth(1)
        .expect("examples");
    let kept = examples.lines().find(|line| line.starts_with("asm"));
    assert_eq!(kept, None, "an example is not translated");
    is_fresh("docs/ptx.md", &text, "tables::");
}
