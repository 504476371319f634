//! Both trees, file by file.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use anyhow::Result;
use rayon::prelude::*;
use torchada::mapping::Tables;

use crate::align::Scanned;
use crate::architectures::stand_ins;
use crate::compare::compare;
use crate::compiles::broken;
use crate::declared::declared;
use crate::includes::{Folder, Graph, includes};
use crate::measure::{Measure, Tally};
use crate::names::old_names;
use crate::python_file::{audit_python, is_python};
use crate::second::read;
use crate::syntax;
use crate::trees::{Pair, Report, Trees};
use crate::vocabulary::Vocabulary;
use crate::world::World;

/// The code of a finding that says that edits were taken back.
const WITHDRAWN: &str = "CPP040";

/// Audit two trees. `parse` says whether syntax errors are counted, which takes longest.
pub(crate) fn audit(trees: &Trees, parse: bool) -> Result<Tally> {
    let report = Report::read(&trees.output)?;
    let mut tally = Tally::default();
    let codes = report.codes.get(WITHDRAWN).copied().unwrap_or(0);
    for _ in 0..codes.max(report.withdrawn) {
        tally.count_file(Measure::Withdrawn, "", WITHDRAWN);
    }
    for path in &trees.missing {
        tally.count_file(Measure::MissingFiles, path, "not in the output");
    }
    for path in &trees.unported {
        if is_code(&trees.input.join(path), path) && report.whole(path).is_none() {
            tally.count_file(Measure::NotPorted, path, "not in the output");
        }
    }
    let (code, other): (Vec<&Pair>, Vec<&Pair>) = trees
        .pairs
        .par_iter()
        .partition(|pair| is_code(&trees.input.join(&pair.source), &pair.source));
    let (scripts, other): (Vec<&Pair>, Vec<&Pair>) =
        other.into_iter().partition(|pair| is_python(&pair.source));
    let world = world(trees, &code, report);
    if trees.keeps_names() {
        tally.not_made.extend(Measure::OF_NATIVE_CODE);
    }
    let tallies: Vec<Tally> = code
        .into_par_iter()
        .map(|pair| {
            if trees.keeps_names() {
                untouched(trees, pair)
            } else {
                one(trees, &world, pair, parse)
            }
        })
        .chain(
            scripts
                .into_par_iter()
                .map(|pair| script(trees, &world.report, pair)),
        )
        .chain(other.into_par_iter().map(|pair| copied(trees, pair)))
        .collect();
    for one in tallies {
        tally.absorb(one);
    }
    tally.absorb(old_names(trees));
    tally.absorb(broken(trees));
    Ok(tally)
}

/// Gather what is known of the trees as a whole.
fn world<'w>(trees: &Trees, code: &[&Pair], report: Report) -> World<'w> {
    let sources = trees.pairs.iter().map(|pair| pair.source.clone());
    let inputs = Folder::new(sources.chain(trees.unported.iter().cloned()));
    let vocabulary = Vocabulary::new(Tables::builtin());
    let facts: Vec<_> = code
        .par_iter()
        .filter_map(|pair| {
            let file = Scanned::new(read(&trees.input.join(&pair.source))?);
            let declared = declared(&file, &|name| vocabulary.shields(name));
            Some((
                (pair.source.clone(), includes(&file)),
                (declared, stand_ins(&file)),
            ))
        })
        .collect();
    let declared = facts
        .iter()
        .map(|((path, _), (declared, _))| (path.clone(), declared.clone()))
        .collect();
    let numbers = facts
        .iter()
        .flat_map(|(_, (_, numbers))| numbers.clone())
        .collect();
    let includes: Vec<_> = facts.into_iter().map(|(includes, _)| includes).collect();
    World {
        vocabulary,
        declared,
        numbers,
        report,
        graph: Graph::new(&inputs, &includes),
        inputs,
        outputs: Folder::new(trees.pairs.iter().map(|pair| pair.output.clone())),
        sources: trees
            .pairs
            .iter()
            .map(|pair| (pair.output.clone(), pair.source.clone()))
            .collect::<BTreeMap<_, _>>(),
    }
}

/// One file of code.
fn one(trees: &Trees, world: &World<'_>, pair: &Pair, parse: bool) -> Tally {
    let (input, output) = paths(trees, pair);
    let (Some(before), Some(after)) = (read(&input), read(&output)) else {
        let mut tally = Tally::default();
        tally.count_file(Measure::MissingFiles, &pair.source, "can't be read");
        return tally;
    };
    let before = Scanned::new(before);
    let after = Scanned::new(after);
    let mut tally = compare(world, pair, &before, &after);
    tally.absorb(kept_as_it_was(trees, pair));
    if parse && before.text != after.text {
        let errors = (syntax::errors(&before.text), syntax::errors(&after.text));
        if errors.1 > errors.0 || errors.1.is_none() {
            let counts = [errors.0, errors.1].map(Option::unwrap_or_default);
            let text = format!("{} -> {}", counts[0], counts[1]);
            tally.count_file(Measure::SyntaxErrors, &pair.source, &text);
        }
    }
    tally
}

/// One file of code in a port that keeps CUDA's names.
fn untouched(trees: &Trees, pair: &Pair) -> Tally {
    let mut tally = kept_as_it_was(trees, pair);
    let (input, output) = paths(trees, pair);
    if pair.source != pair.output || !input.is_symlink() && read(&input) != read(&output) {
        tally.count_file(Measure::Outside, &pair.source, "differs in this dialect");
    }
    tally.files += 1;
    tally
}

/// One file of Python.
fn script(trees: &Trees, report: &Report, pair: &Pair) -> Tally {
    let mut tally = kept_as_it_was(trees, pair);
    let (input, output) = paths(trees, pair);
    if let (Some(before), Some(after)) = (read(&input), read(&output)) {
        tally.absorb(audit_python(report, pair, &before, &after));
    }
    tally
}

/// One file that is no code.
fn copied(trees: &Trees, pair: &Pair) -> Tally {
    let mut tally = kept_as_it_was(trees, pair);
    let (input, output) = paths(trees, pair);
    if !input.is_symlink() && read(&input) != read(&output) {
        tally.count_file(Measure::OtherFiles, &pair.source, "differs");
    }
    tally
}

/// Whether mode and kind of a file are what they were.
fn kept_as_it_was(trees: &Trees, pair: &Pair) -> Tally {
    let mut tally = Tally::default();
    let (input, output) = paths(trees, pair);
    let mode = |path: &Path| {
        let data = path.symlink_metadata().ok()?;
        Some((data.is_symlink(), data.permissions().mode()))
    };
    if mode(&input) != mode(&output) {
        tally.count_file(
            Measure::Outside,
            &pair.source,
            "another mode or kind of file",
        );
    }
    tally
}

fn paths(trees: &Trees, pair: &Pair) -> (std::path::PathBuf, std::path::PathBuf) {
    (
        trees.input.join(&pair.source),
        trees.output.join(&pair.output),
    )
}

/// Whether a file holds C, C++ or CUDA: by its ending, or by its content where templates and
/// fragments have endings of their own.
fn is_code(file: &Path, path: &str) -> bool {
    const CODE: [&str; 15] = [
        "cu", "cuh", "c", "cc", "cpp", "cxx", "h", "hh", "hpp", "hxx", "inl", "ipp", "tpp", "mu",
        "muh",
    ];
    const PERHAPS: [&str; 5] = ["in", "inc", "jinja", "jinja2", "j2"];
    if file.is_symlink() {
        return false;
    }
    let name = path.rsplit('/').next().unwrap_or_default();
    let Some((stem, ending)) = name.rsplit_once('.') else {
        return false;
    };
    if CODE.contains(&ending) {
        return true;
    }
    if !PERHAPS.contains(&ending) || name == "MANIFEST.in" {
        return false;
    }
    if let Some((_, inner)) = stem.rsplit_once('.') {
        return CODE.contains(&inner);
    }
    let signs: [&[u8]; 4] = [b"#include", b"__global__", b"__device__", b"#define"];
    let text = read(file).unwrap_or_default();
    let has = |sign: &&[u8]| text.windows(sign.len()).any(|window| window == *sign);
    signs.iter().any(has)
}
