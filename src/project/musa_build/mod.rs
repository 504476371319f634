//! Parts of a tree that build for MUSA already, in a way of the project's own.
//!
//! A build file shows the way: it looks for MUSA's toolkit, names MUSA's language or gives options of mcc's. That alone
//! decides nothing. A component is left only where most of its CUDA sources reach MUSA's names as well, through a header
//! of aliases, or where the build translates them itself. Sources that are written in MUSA's names already are translated
//! like others, because some of CUDA's may be left in them, and keep their own names where the build takes them by those.

mod component;
mod defined_names;
mod definitions;
mod lost_definitions;
mod marks;
mod musa_names;
mod switch;
mod undefined_macros;

use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;

use super::ProjectOptions;
use super::tree::paths;
use super::tree::scanned_tree::ScannedTree;
use super::tree::source::{Disposition, Input};
use component::Component;
use marks::{BuildWay, MusaPart, musa_part};
use musa_names::MusaNames;
use torchada_classify::FileKind;
use torchada_diagnostic::codes::project::{BUILDS_FOR_MUSA, OUTSIDE_MUSA_BUILD};
use torchada_diagnostic::{Finding, KeptReason};
use torchada_parallel as parallel;
use torchada_text::LineIndex;
use undefined_macros::BuiltFile;

pub use undefined_macros::MacrosOff;

/// Leave the parts of the tree that build for MUSA already, and say which way. The result are the files that are written
/// in MUSA's names and that such a build takes by their present endings.
pub(super) fn leave_built(
    tree: ScannedTree<'_>,
    options: &ProjectOptions,
    dispositions: &mut [Disposition],
    findings: &mut Vec<Finding>,
) -> FixedBitSet {
    let mut named = FixedBitSet::with_capacity(tree.inputs.len());
    if !options.translate_cpp {
        return named;
    }
    let inputs = tree.inputs.iter().enumerate();
    let selected = inputs.filter(|(_, input)| input.selected && input.moved.is_none());
    let parts: Vec<MusaPart> = parallel::flat_map(selected, |(file, input)| {
        musa_part(file, input, tree.context)
    });
    let least = tree.context.knowledge.alias_header_minimum;
    let names = MusaNames::new(tree.facts, tree.resolved, least);
    if options.ports_musa_builds || parts.iter().all(|part| part.mark.is_none()) {
        findings.extend(switch::missing_macros(tree, &parts, &names, dispositions));
        return named;
    }
    let mut left_any = false;
    for component in component::components(tree.inputs, &parts) {
        let left = leave(tree, &component, &names, dispositions, findings);
        left_any |= left;
        if !left {
            keep_names(tree, &component, &names, dispositions, &mut named);
        }
    }
    if left_any {
        leave_rest(tree, dispositions);
    }
    findings.extend(switch::missing_macros(tree, &parts, &names, dispositions));
    named
}

/// Leave one component that builds for CUDA and for MUSA from the same sources. Returns whether any of its sources was
/// left.
fn leave(
    tree: ScannedTree<'_>,
    component: &Component<'_>,
    names: &MusaNames,
    dispositions: &mut [Disposition],
    findings: &mut Vec<Finding>,
) -> bool {
    let ports = component.way() == BuildWay::PortingPython;
    let mut by_folder: BTreeMap<&str, Sources> = BTreeMap::new();
    for (file, input) in tree.inputs.iter().enumerate() {
        if component.holds(&input.path) && is_source(tree, file) && is_open(dispositions, file) {
            let sources = by_folder.entry(paths::folder(&input.path)).or_default();
            if ports || names.are_aliased(file) {
                sources.built += 1;
            } else {
                sources.others.push(file);
            }
        }
    }
    let built: usize = by_folder.values().map(|sources| sources.built).sum();
    let others = by_folder.values().flat_map(|sources| &sources.others);
    let others: Vec<usize> = others.copied().collect();
    let share = tree.context.knowledge.builds.musa.least_share;
    let is_whole = built > 0 && built * 100 >= share * (built + others.len());
    // Where most of it is not built for MUSA, folders that are stay with their sources.
    let is_left_folder = |path: &str| {
        let sources = by_folder.get(paths::folder(path));
        is_whole || sources.is_some_and(|one| one.built > 0 && one.others.is_empty())
    };
    let mut left = 0;
    for (file, input) in tree.inputs.iter().enumerate() {
        let is_build = input.class.language.is_some() || component.is_script(file);
        let belongs =
            input.class.kind.is_cpp() && is_left_folder(&input.path) || is_whole && is_build;
        let stays = component.holds(&input.path) && belongs && input.moved.is_none();
        if let Some(slot) = dispositions.get_mut(file)
            && stays
            && *slot == Disposition::Ported
        {
            *slot = Disposition::Left(KeptReason::MusaBuild);
            left += usize::from(is_source(tree, file));
        }
    }
    if left == 0 {
        return false;
    }
    findings.extend(summary(tree, component, left));
    if is_whole {
        findings.extend(outside(tree, component, names, &others));
    }
    true
}

/// The macros that no build for MUSA has in the files that it compiles as they are, and findings about what such a build
/// uses without its definition.
pub(super) fn left_out(
    tree: ScannedTree<'_>,
    dispositions: &[Disposition],
) -> (MacrosOff, Vec<Finding>) {
    let files = BuiltFile::all(tree.inputs, dispositions, tree.context);
    let off = MacrosOff::find(&files, tree.inputs, tree.facts, tree.context);
    let findings = lost_definitions::used(&files, &off, tree, dispositions);
    (off, findings)
}

/// The sources of CUDA's in one folder.
#[derive(Default)]
struct Sources {
    /// How many get MUSA's names.
    built: usize,
    /// The others.
    others: Vec<usize>,
}

/// Add the sources of a component that are written in MUSA's names and that its build takes by CUDA's endings: those of
/// MUSA's endings are fewer.
fn keep_names(
    tree: ScannedTree<'_>,
    component: &Component<'_>,
    names: &MusaNames,
    dispositions: &[Disposition],
    named: &mut FixedBitSet,
) {
    let inside = || {
        let all = tree.inputs.iter().enumerate();
        all.filter(|(_, input)| component.holds(&input.path))
    };
    let is_own = |(file, input): &(usize, &Input)| {
        matches!(input.class.kind, FileKind::Cuda | FileKind::CudaHeader)
            && is_open(dispositions, *file)
            && names.are_own(*file)
    };
    let musas = inside().filter(|(_, input)| input.class.kind == FileKind::Musa);
    if inside().filter(is_own).count() > musas.count() {
        named.extend(inside().filter(is_own).map(|(file, _)| file));
    }
}

/// Leave what else speaks of CUDA, where all of the tree's CUDA sources are built for MUSA: its build files, and the
/// Python of a project that has less of it.
fn leave_rest(tree: ScannedTree<'_>, dispositions: &mut [Disposition]) {
    let built = Disposition::Left(KeptReason::MusaBuild);
    let all = || 0..tree.inputs.len();
    if all().any(|file| is_source(tree, file) && is_open(dispositions, file)) {
        return;
    }
    let is_built = |file: &usize| dispositions.get(*file) == Some(&built);
    let sources = all()
        .filter(|&file| is_source(tree, file))
        .filter(is_built)
        .count();
    let values = &tree.context.knowledge.python_values;
    let is_python = |input: &&Input| {
        let python = input.text.as_ref();
        let python = python.filter(|_| input.class.kind == FileKind::Python);
        python.is_some_and(|text| values.may_matter(&text.once()))
    };
    let takes_python = tree.inputs.iter().filter(is_python).count() < sources;
    for (input, disposition) in tree.inputs.iter().zip(dispositions) {
        let takes = input.class.kind != FileKind::Python || takes_python;
        if *disposition == Disposition::Ported && takes && input.moved.is_none() {
            *disposition = built;
        }
    }
}

/// Whether a file is a source of CUDA's, or includes a header of CUDA's.
fn is_source(tree: ScannedTree<'_>, file: usize) -> bool {
    let (Some(input), Some(facts)) = (tree.inputs.get(file), tree.facts.get(file)) else {
        return false;
    };
    match input.class.kind {
        FileKind::Cuda | FileKind::CudaHeader => input.text.is_some(),
        FileKind::Cpp => facts.platforms.cuda,
        _ => false,
    }
}

/// Whether nothing else has decided about a file.
fn is_open(dispositions: &[Disposition], file: usize) -> bool {
    dispositions.get(file) == Some(&Disposition::Ported)
}

/// The finding that says which way a component is built for MUSA.
fn summary(tree: ScannedTree<'_>, component: &Component<'_>, left: usize) -> Option<Finding> {
    let (input, range) = (tree.inputs.get(component.mark.0)?, component.mark.1);
    let text = input.text.as_deref()?;
    let what = match component.folder.as_str() {
        "" => "this tree".to_owned(),
        folder => format!("`{folder}`"),
    };
    let sources = match left {
        1 => "1 source with names of CUDA's was left as it is".to_owned(),
        count => format!("{count} sources with names of CUDA's were left as they are"),
    };
    let message =
        format!("{what} builds for MUSA in a way of its own, which starts here: {sources}");
    let command = component.command(tree.context);
    Some(
        Finding::at(
            BUILDS_FOR_MUSA,
            &input.path,
            text,
            &LineIndex::new(text),
            range,
            message,
        )
        .help(format!(
            "build it with `{command}`; `--even-so` ports it all the same"
        )),
    )
}

/// The finding about sources of a component that don't reach MUSA's names.
fn outside(
    tree: ScannedTree<'_>,
    component: &Component<'_>,
    names: &MusaNames,
    others: &[usize],
) -> Option<Finding> {
    let first = tree.inputs.get(*others.first()?)?;
    let place = match component.folder.as_str() {
        "" => ".",
        folder => folder,
    };
    let header = names.headers.first().and_then(|&at| tree.inputs.get(at));
    let header = header.map_or_else(
        || "a header of aliases".to_owned(),
        |input| format!("`{}`", input.path),
    );
    let message = match others.len() {
        1 => format!(
            "`{}` uses CUDA and gets none of MUSA's names where the project builds for MUSA",
            first.path
        ),
        count => format!(
            "{count} sources use CUDA and get none of MUSA's names where the project builds for MUSA, such as `{}`",
            first.path
        ),
    };
    let help = format!(
        "nothing to do for what that build leaves out; include {header} in the others, or port them with `--even-so`"
    );
    Some(Finding::whole(OUTSIDE_MUSA_BUILD, place, message).help(help))
}
