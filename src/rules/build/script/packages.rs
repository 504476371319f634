//! Images, packages and addresses: reported, because what takes their place is for a person to choose.

use super::own::keep_arguments;
use super::pass::ScriptPass;
use super::telling_words::CLONE;
use super::view::ScriptView;
use torchada_diagnostic::KeptReason;
use torchada_diagnostic::codes::build::{DOWNLOAD, IMAGE, TORCH_RELEASE};
use torchada_mapping::python::packages::{Package, PackageRelation, Packages};
use torchada_mapping::{ends_with_one, has_part};
use torchada_project::paths;
use torchada_syntax::script::{Statement, StatementKind, Word, WordPart};
use torchada_text::TextRange;

/// The packages and the like in a statement.
pub(super) fn packages(pass: &mut ScriptPass<'_>, one: &Statement) {
    let split = |word: &Word| word.split(pass.view.unit.text);
    let fetches = fetches(pass.view, one);
    for word in one.words.iter().flat_map(split) {
        if fetches {
            repository(pass, &word);
        }
        address(pass, &word);
    }
    images(pass, one);
    listed(pass, one);
}

/// The images in a statement.
fn images(pass: &mut ScriptPass<'_>, one: &Statement) {
    let view = pass.view;
    let releases = &view.knowledge.releases;
    let may_be_image = may_be_image(view, one);
    for word in &one.words {
        for text in word.texts() {
            let is_cudas = pass.findings.is_cudas(text)
                || may_be_image && releases.are_in_address(&view.unit.shown(word.range));
            if !is_cudas || pass.findings.is_handled(text) {
                continue;
            }
            // A name with a version that is put in is one name: `pytorch/pytorch:${V}-cuda${CUDA}`.
            let is_whole = word.plain().is_none() && one.kind == StatementKind::Instruction;
            let place = if is_whole { word.range } else { text };
            if is_image(view, one, &view.unit.shown(place)) {
                // What is put in has names of its own.
                for name in word.variables() {
                    pass.findings.keep_words(name, KeptReason::ProjectDeclared);
                }
                pass.findings
                    .report(IMAGE, place, &view.knowledge.images.advice);
            }
        }
    }
}

/// The packages in a statement that lists some.
fn listed(pass: &mut ScriptPass<'_>, one: &Statement) {
    let view = pass.view;
    if !lists_packages(view, one) {
        return;
    }
    let of_python = is_of_python(view, one);
    let removes = removes(view, one);
    // `pip uninstall` takes away what is there, and what is not there it lets be.
    if removes && of_python {
        keep_arguments(one, KeptReason::TakenAway, &mut pass.findings);
    }
    let installs = (!removes).then_some(of_python);
    let is_value = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| one.words.get(at)?.plain());
        before.is_some_and(|option| view.is(option, &view.knowledge.valued))
    };
    let words = one.words.iter().enumerate();
    for (_, word) in words.filter(|&(at, _)| !is_value(at)) {
        package(pass, word, one.kind, installs);
    }
}

/// Whether a statement lists packages: a command that installs some, or a variable that is called so or names a release.
fn lists_packages(view: &ScriptView<'_>, one: &Statement) -> bool {
    let known = view.knowledge;
    let is_build = |word: &Word| {
        let shown = view.unit.shown(word.range);
        known.releases.are_in_version(&shown)
    };
    match one.kind {
        StatementKind::Command => installs(view, one),
        StatementKind::Assignment => {
            has_part(&known.package_names, view.of(one.head)) || one.words.iter().any(is_build)
        }
        _ => false,
    }
}

/// The address that a function of a script's gives: `echo "https://download.pytorch.org/whl/cu121"`.
pub(super) fn address_of_function(pass: &mut ScriptPass<'_>, one: &Statement) {
    if let [_, only] = one.words.as_slice()
        && let [WordPart::Text(text), ..] = only.parts.as_slice()
        && !pass.view.of(*text).contains(&b' ')
    {
        address(pass, only);
    }
}

/// Whether a command copies a repository, or installs what is in one.
fn fetches(view: &ScriptView<'_>, one: &Statement) -> bool {
    let clones = |word: &Word| {
        word.plain()
            .is_some_and(|text| view.of(text) == CLONE.as_bytes())
    };
    one.kind == StatementKind::Command
        && (installs(view, one)
            || one.words.iter().any(clones)
                && view.begins_with_one_of(one, &view.knowledge.fetchers))
}

/// The address of a repository whose package is made for NVIDIA's GPUs.
fn repository(pass: &mut ScriptPass<'_>, word: &Word) {
    let view = pass.view;
    let Some(place) = word
        .texts()
        .find(|text| view.unit.shown(*text).contains("://"))
    else {
        return;
    };
    let shown = view.unit.shown(place);
    let package = Packages::builtin().fetched(&shown);
    let package = package.filter(|one| one.relation != PackageRelation::Triton);
    if let Some(package) = package
        && !pass.findings.is_handled(place)
        && !view.unit.is_original(&shown)
    {
        pass.findings.require(place, Some(package), "");
    }
}

/// An address of a download, shown with the values of its variables: `https://…/cu${{ matrix.cuda }}`.
fn address(pass: &mut ScriptPass<'_>, word: &Word) {
    let view = pass.view;
    let known = &view.knowledge.downloads;
    let is_place = |text: &TextRange| {
        let shown = view.unit.shown(*text);
        // The variable behind the text may tell: `…/whl/${CUDA_TAG}`.
        let whole = TextRange::new(text.start, word.range.end.max(text.end));
        let is_nvidias = known.is_place(&shown) && pass.findings.is_cudas(whole);
        // `…/v${VERSION}/demo-${VERSION}+cu130.whl`
        let whole = view.unit.shown(whole);
        shown.contains("://") && (is_nvidias || view.knowledge.releases.are_in_address(&whole))
    };
    let Some(place) = word.texts().find(is_place) else {
        return;
    };
    if pass.findings.is_handled(place) {
        return;
    }
    // `[CUDA](https://developer.nvidia.com/cuda)`: a link in a text for people.
    if view.unit.shown(place).contains("](") {
        pass.findings.keep_words(place, KeptReason::Prose);
        return;
    }
    let whole = TextRange::new(place.start, word.range.end.max(place.end));
    let shown = view.unit.shown(whole);
    let shown = format!("`{}`", shown.trim_end_matches(['"', '\'']));
    if view.unit.is_original(&view.unit.shown(place)) {
        let shown = format!("the original of this port ({shown})");
        pass.findings
            .report_as(DOWNLOAD, place, shown, &known.original);
    } else {
        pass.findings
            .report_as(DOWNLOAD, place, shown, &known.advice);
    }
    for text in word.texts().filter(|text| text.start > place.end) {
        pass.findings.keep_words(text, KeptReason::NamedBeside);
    }
}

/// Whether a statement is one for images' names: `FROM`, `ARG BASE_IMAGE=`.
fn may_be_image(view: &ScriptView<'_>, one: &Statement) -> bool {
    match one.kind {
        StatementKind::Instruction => true,
        StatementKind::Assignment => {
            let head = view.unit.shown(one.head);
            view.knowledge.images.keys.contains(&head)
        }
        _ => false,
    }
}

/// Whether what stands there is an image's name.
fn is_image(view: &ScriptView<'_>, one: &Statement, shown: &str) -> bool {
    let known = &view.knowledge.images;
    // Of a text with several words one has to be an image.
    let releases = &view.knowledge.releases;
    let words = shown.split_whitespace();
    let images: Vec<&str> = words
        .filter(|text| known.are_cudas(text, releases))
        .collect();
    let has_version = || images.iter().any(|image| image.contains(':'));
    let head = view.unit.shown(one.head);
    !images.is_empty()
        && match one.kind {
            StatementKind::Instruction => head.eq_ignore_ascii_case("from"),
            // A name with its version, or under a key for images.
            StatementKind::Entry | StatementKind::Assignment | StatementKind::Default => {
                has_version() || known.keys.contains(&head)
            }
            StatementKind::Command => has_version() || ends_with_one(head, &known.runners),
            _ => false,
        }
}

/// Whether a command fetches packages.
fn installs(view: &ScriptView<'_>, one: &Statement) -> bool {
    let mut words = one.words.iter().filter_map(Word::plain);
    view.begins_with_one_of(one, &view.knowledge.installers)
        && words.any(|word| view.is(word, &view.knowledge.installing))
}

/// Whether a command takes packages away.
fn removes(view: &ScriptView<'_>, one: &Statement) -> bool {
    let mut words = one.words.iter().filter_map(Word::plain);
    words.any(|word| view.is(word, &view.knowledge.removing))
}

/// Whether a command installs packages of Python's alone.
fn is_of_python(view: &ScriptView<'_>, one: &Statement) -> bool {
    view.begins_with_one_of(one, &view.knowledge.python_installers)
}

/// A package in a list, which a statement of a kind has. `installs` says whether those that are installed are packages of
/// Python's alone, so that the name tells; it is `None` where none is installed.
fn package(pass: &mut ScriptPass<'_>, word: &Word, kind: StatementKind, installs: Option<bool>) {
    let view = pass.view;
    for text in word.texts() {
        let bytes = view.of(text);
        let shown = view.unit.shown(text);
        let tells = installs.is_some_and(|of_python| of_python || pass.findings.is_cudas(text));
        let torch = &Packages::builtin().torch;
        if installs.is_some() && torch.are_unfit(&shown) && !pass.findings.is_handled(text) {
            pass.findings.report(TORCH_RELEASE, text, &torch.advice);
            continue;
        }
        let named = required(&shown).filter(|_| tells);
        let is_build = shown.starts_with(|one: char| one.is_ascii_alphanumeric())
            && view.knowledge.releases.are_in_version(&shown);
        if !pass.findings.is_cudas(text) && named.is_none() && !is_build
            || bytes.starts_with(b"-")
            || bytes.starts_with(b"/")
            || pass.findings.is_handled(text)
        {
            continue;
        }
        let downloads = &view.knowledge.downloads;
        if downloads.is_channel(&shown) {
            let shown = format!("the channel `{shown}`");
            pass.findings
                .report_as(DOWNLOAD, text, shown, &downloads.advice);
            continue;
        }
        if shown.contains("://") {
            pass.findings.report(DOWNLOAD, text, &downloads.advice);
            continue;
        }
        let beside = paths::join(paths::folder(&view.unit.file.path), &shown);
        // `pip install cuda_kernels/`
        let is_folder = installs == Some(true) && shown.ends_with('/');
        // `DEPS = src/cuda_kernels.o`
        let is_linked = installs != Some(true) && ends_with_one(&shown, &view.knowledge.linked);
        // `PACKAGE_PATH = dist/solver-cuda.tar`
        let is_path = kind == StatementKind::Assignment && is_path(view, &shown);
        if is_folder
            || is_linked
            || is_path
            || beside.is_some_and(|path| view.unit.project.places.file_at(&path).is_some())
        {
            pass.findings.keep_words(text, KeptReason::ProjectDeclared);
            continue;
        }
        if !ends_with_one(shown, &view.knowledge.list_endings) {
            // A name in which a variable stands is one name: `cuda-toolkit-$VERSION`.
            let mut whole = word.split(view.unit.text).into_iter();
            let whole = whole.find(|one| one.range.covers(text));
            let place = whole.map_or(text, |one| one.range);
            pass.findings
                .require(place, named, &view.knowledge.packages.advice);
        }
    }
}

/// Whether a text is the path of a file, by its ending, or of a folder. What else has a slash may be a package from a
/// release: `nvidia-cuda-toolkit/jammy-backports`.
fn is_path(view: &ScriptView<'_>, shown: &str) -> bool {
    let contents = &view.unit.context.knowledge.files.contents;
    let is_file = || contents.is_data(shown) || ends_with_one(shown, &view.knowledge.list_endings);
    shown.ends_with('/') || shown.contains('/') && is_file()
}

/// The package of Python's that a requirement names, where something is to be done about it.
fn required(requirement: &str) -> Option<&'static Package> {
    let (package, _) = Packages::builtin().required(requirement)?;
    (package.relation != PackageRelation::Triton).then_some(package)
}
