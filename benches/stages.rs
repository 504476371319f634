//! How long each stage of a run takes over a tree: `TORCHADA_BENCH=TREE cargo bench`, or over the fixtures without one.
//!
//! The stages are called as the commands call them, each over all files that it is asked of; the last ones are whole
//! commands, on one thread and on all. `docs/performance.md` has results.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::Parser;
use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use rayon::prelude::*;
use tempfile::TempDir;
use torchada::classify::{FileKind, classify};
use torchada::cli::Cli;
use torchada::commands::{self, Streams};
use torchada::edit::{Edit, EditKind, EditSet, GroupId};
use torchada::hazards::Hazards;
use torchada::machine::Environment;
use torchada::mapping::files::BuildLanguage;
use torchada::mapping::knowledge::Knowledge;
use torchada::mapping::{Evidence, Rename, Section, Tables, Vendored};
use torchada::progress::{Phase, Progress};
use torchada::project::{Context, Input, Project, ProjectOptions, Scanned};
use torchada::ptx::{Platform, Translator};
use torchada::syntax::python::Module;
use torchada::syntax::{LexOptions, TokenKind, cmake_errors, lex};
use torchada::verify::withdraw_broken;
use torchada::walk::{EntryKind, Walk, WalkOptions, walk};

fn main() {
    divan::main();
}

/// The tree that is measured.
static ROOT: LazyLock<PathBuf> = LazyLock::new(|| {
    let fixtures = || Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    std::env::var_os("TORCHADA_BENCH").map_or_else(fixtures, PathBuf::from)
});

/// Its files with their texts, as a run takes them.
static FILES: LazyLock<Vec<Input>> = LazyLock::new(|| {
    let knowledge = Knowledge::builtin();
    let listed = list();
    let files = listed
        .files
        .par_iter()
        .filter(|entry| entry.kind == EntryKind::File);
    files
        .filter_map(|entry| {
            let text = fs::read(listed.root.join(&entry.path)).ok()?;
            let path = entry.path.to_string_lossy().into_owned();
            let class = classify(&entry.path, &text, &knowledge.files);
            Some(Input {
                text: Some(text.into()),
                ..Input::new(path, class)
            })
        })
        .collect()
});

static HAZARDS: LazyLock<Hazards> = LazyLock::new(|| {
    let knowledge = Knowledge::builtin();
    Hazards::new(Tables::builtin(), &knowledge.shapes, &[])
});

fn context() -> Context<'static> {
    Context {
        ptx: Some(Translator {
            weakest: Evidence::Contested,
            emulates: false,
            writes_header: true,
            platform: Platform::default(),
        }),
        ..Context::new(Tables::builtin(), Knowledge::builtin(), &HAZARDS)
    }
}

fn list() -> Walk {
    let options = WalkOptions {
        root: &ROOT,
        output: None,
        exclude: &[],
        exclude_base: &ROOT,
        no_ignore: true,
    };
    walk(&options).expect("it is listed")
}

/// The texts of a kind.
fn texts(is: impl Fn(&Input) -> bool) -> Vec<&'static [u8]> {
    let files = FILES.iter().filter(|file| is(file));
    files.filter_map(|file| file.text.as_deref()).collect()
}

fn cpp() -> Vec<&'static [u8]> {
    texts(|file| file.class.kind.is_cpp())
}

fn python() -> Vec<&'static [u8]> {
    texts(|file| file.class.kind == FileKind::Python)
}

/// Do something with each of some texts, one after the other.
fn each<T>(bencher: Bencher<'_, '_>, texts: &[&'static [u8]], work: impl Fn(&'static [u8]) -> T) {
    let bytes: usize = texts.iter().map(|text| text.len()).sum();
    bencher.counter(BytesCount::new(bytes)).bench_local(|| {
        for text in texts {
            black_box(work(text));
        }
    });
}

#[divan::bench]
fn a_walk(bencher: Bencher<'_, '_>) {
    bencher.bench_local(list);
}

#[divan::bench]
fn b_classify(bencher: Bencher<'_, '_>) {
    let table = &context().knowledge.files;
    bencher.bench_local(|| {
        for file in FILES.iter() {
            let text = file.text.as_deref().unwrap_or_default();
            black_box(classify(Path::new(&*file.path), text, table));
        }
    });
}

#[divan::bench]
fn c_lex_cpp(bencher: Bencher<'_, '_>) {
    each(bencher, &cpp(), |text| {
        lex(text, LexOptions { template: false }).tokens.len()
    });
}

#[divan::bench]
fn d_scan_cpp(bencher: Bencher<'_, '_>) {
    let context = context();
    let files: Vec<&Input> = FILES
        .iter()
        .filter(|file| file.class.kind.is_cpp())
        .collect();
    bencher
        .with_inputs(|| files.iter().map(|&file| copy(file)).collect::<Vec<_>>())
        .bench_local_values(|files| {
            let files = files.into_iter();
            files
                .map(|file| Scanned::new(file, context))
                .collect::<Vec<_>>()
        });
}

fn copy(file: &Input) -> Input {
    Input {
        text: file.text.clone(),
        ..Input::new(file.path.clone(), file.class)
    }
}

#[divan::bench]
fn e_project(bencher: Bencher<'_, '_>) {
    let context = context();
    let options = ProjectOptions {
        folder: String::new(),
        rename: Rename::Auto,
        include_roots: Vec::new(),
        vendored: Vendored::Keep,
        ports_musa_builds: false,
        translate_cpp: true,
    };
    bencher
        .with_inputs(|| {
            let files = FILES.par_iter();
            files
                .map(|file| Scanned::new(copy(file), context))
                .collect::<Vec<_>>()
        })
        .bench_local_values(|files| Project::new(files, &options, context));
}

#[divan::bench]
fn f_python_quick(bencher: Bencher<'_, '_>) {
    each(bencher, &python(), Module::new);
}

#[divan::bench]
fn g_python_by_grammar(bencher: Bencher<'_, '_>) {
    each(bencher, &python(), Module::by_grammar);
}

#[divan::bench]
fn h_read_cmake(bencher: Bencher<'_, '_>) {
    let lists = texts(|file| file.class.language == Some(BuildLanguage::CMake));
    each(bencher, &lists, cmake_errors);
}

/// Renames of all names that the tables rename, in each text.
fn renames() -> Vec<(&'static [u8], EditSet)> {
    let of = |text: &'static [u8]| {
        let mut edits = EditSet::default();
        let tokens = lex(text, LexOptions { template: false }).tokens;
        for (token, group) in tokens.into_iter().zip(0..) {
            let row = Tables::builtin().get(Section::Names, token.text(text));
            let to = row.and_then(|row| row.to.as_deref());
            if let Some(to) = to.filter(|_| token.kind == TokenKind::Identifier) {
                let edit = Edit {
                    kind: EditKind::Rename,
                    ..Edit::rewrite(token.range(), to, "bench", None, GroupId(group))
                };
                edits.insert(edit).expect("tokens are disjoint");
            }
        }
        (text, edits)
    };
    let all = cpp().into_iter().map(of);
    all.filter(|(_, edits)| !edits.is_empty()).collect()
}

#[divan::bench]
fn i_apply_and_verify(bencher: Bencher<'_, '_>) {
    let renames = renames();
    bencher
        .with_inputs(|| renames.clone())
        .bench_local_values(|renames| {
            for (text, mut edits) in renames {
                let before = lex(text, LexOptions::default()).tokens;
                black_box(withdraw_broken(text, &before, &mut edits, false, false));
                black_box(edits.apply(text));
            }
        });
}

/// Run a command; what it says is not looked at.
fn command(line: &[&str]) {
    watched(line, &torchada::progress::Silent);
}

/// The same, with somebody who wants to know how far it is.
fn watched(line: &[&str], progress: &dyn Progress) {
    let cli = Cli::try_parse_from(line).expect("a sound command line");
    let (mut out, mut err, mut input) = (Vec::new(), Vec::new(), &b""[..]);
    let mut streams = Streams {
        out: &mut out,
        err: &mut err,
        input: &mut input,
        out_columns: None,
        err_columns: None,
        progress,
        environment: &Environment::none(),
    };
    commands::run(cli, &mut streams).expect("it can be done");
}

/// A tree with the files of one kind only.
fn only(is: impl Fn(&Input) -> bool) -> TempDir {
    let place = memory();
    for file in FILES.iter().filter(|file| is(file)) {
        let path = place.path().join("in").join(&*file.path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(path, file.text.as_deref().unwrap_or_default()).expect("written");
    }
    place
}

/// A folder in memory, where the system has such a place.
fn memory() -> TempDir {
    let place = TempDir::new_in("/dev/shm").or_else(|_| TempDir::new());
    place.expect("a temporary folder")
}

/// Read and translate the files of one kind, on one thread.
fn translate(bencher: Bencher<'_, '_>, is: impl Fn(&Input) -> bool) {
    let place = only(is);
    let tree = place.path().join("in").display().to_string();
    bencher.bench_local(|| {
        command(&[
            "torchada",
            "check",
            &tree,
            "--quiet",
            "--no-config",
            "--no-ignore",
            "--jobs=1",
        ]);
    });
}

#[divan::bench]
fn j_check_cpp_alone(bencher: Bencher<'_, '_>) {
    translate(bencher, |file| file.class.kind.is_cpp());
}

#[divan::bench]
fn k_check_python_alone(bencher: Bencher<'_, '_>) {
    translate(bencher, |file| file.class.kind == FileKind::Python);
}

/// How often the rules may go through each node of a module, on the average of the fixtures. A rule that looks at all
/// nodes of all modules makes it one more.
const MOST_PASSES: usize = 9;

/// What a run says of its passes over the nodes of Python's trees.
#[derive(Default)]
struct Passes {
    nodes: AtomicUsize,
    visits: AtomicUsize,
}

impl Progress for Passes {
    fn begin(&self, _: Phase, _: Option<usize>) {}

    fn step(&self) {}

    fn end(&self) {}

    fn passed(&self, nodes: usize, visits: usize) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
        self.visits.fetch_add(visits, Ordering::Relaxed);
    }
}

#[divan::bench(sample_count = 1)]
fn k_passes_over_python(bencher: Bencher<'_, '_>) {
    let passes = Passes::default();
    let tree = ROOT.display().to_string();
    let line = [
        "torchada",
        "check",
        &tree,
        "--quiet",
        "--timings",
        "--no-config",
        "--no-ignore",
    ];
    bencher.bench_local(|| watched(&line, &passes));
    let (nodes, visits) = (passes.nodes.into_inner(), passes.visits.into_inner());
    let is_own = std::env::var_os("TORCHADA_BENCH").is_none();
    assert!(
        !is_own || visits <= nodes * MOST_PASSES,
        "more than {MOST_PASSES} times each"
    );
}

#[divan::bench]
fn l_check_build_files_alone(bencher: Bencher<'_, '_>) {
    translate(bencher, |file| file.class.language.is_some());
}

#[divan::bench(args = ["check", "port"])]
fn m_whole_command(bencher: Bencher<'_, '_>, name: &str) {
    let tree = ROOT.display().to_string();
    bencher.with_inputs(memory).bench_local_refs(|place| {
        let out = place.path().join("out").display().to_string();
        let mut line = vec![
            "torchada",
            name,
            &tree,
            "--quiet",
            "--no-config",
            "--no-ignore",
        ];
        if name == "port" {
            line.extend(["-o", &out]);
        }
        command(&line);
    });
}
