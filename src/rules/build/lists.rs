//! Lists of packages: requirements, conda's environments, `pyproject.toml`, `setup.cfg`. What is made for NVIDIA's GPUs
//! is reported, because what takes its place is for a person to choose.

use super::grouped_findings::GroupedFindings;
use super::script::is_other_vendors;
use super::{BuildUnit, arch};
use super::{wheel_options, wheel_pipelines};
use crate::Outcome;
use torchada_diagnostic::KeptReason;
use torchada_diagnostic::codes::build::{DOWNLOAD, TORCH_RELEASE, VARIABLE};
use torchada_mapping::files::BuildLanguage;
use torchada_mapping::python::packages::{PackageRelation, Packages};
use torchada_mapping::{Section, contains_one};
use torchada_syntax::keyed::{Keyed, Notation, keyed};
use torchada_syntax::yaml::{Form, nodes};
use torchada_text::TextRange;

/// Lists of packages.
pub fn check(unit: &BuildUnit<'_>, out: &mut Outcome) {
    let is_list = matches!(
        unit.language,
        BuildLanguage::Requirements
            | BuildLanguage::Conda
            | BuildLanguage::Pyproject
            | BuildLanguage::SetupCfg
            | BuildLanguage::Manifest
    );
    if !is_list {
        return;
    }
    let mut findings = GroupedFindings::new(unit, out);
    let all = TextRange::new(0, unit.text.len());
    if is_other_vendors(unit) {
        findings.keep_words(all, KeptReason::VendorBranch);
        return;
    }
    for (entry, lists) in entries(unit) {
        look(unit, entry, lists, &mut findings);
    }
    if is_toml(unit) {
        pins(unit, &mut findings);
        arch_lists(unit, &mut findings);
    }
    if unit.language == BuildLanguage::Pyproject {
        wheel_pipelines::report(unit, &mut findings);
        wheel_options::report(unit, &mut findings);
    }
    findings.keep_words(all, KeptReason::ProjectDeclared);
    findings.finish();
}

/// The texts that may be packages, each with whether it stands where packages are listed.
fn entries(unit: &BuildUnit<'_>) -> Vec<(TextRange, bool)> {
    if is_toml(unit) {
        let found = keyed(unit.text, Notation::Toml);
        let not = &unit.context.knowledge.builds.scripts.not_packages;
        let is_list = |key: TextRange| !not.contains(&unit.shown(key));
        let patterns = &unit.context.knowledge.files.patterns;
        // `all = ["demo[test]"]` asks for the project itself.
        let names = found.iter().filter(|one| unit.shown(one.key) == "name");
        let own: Vec<String> = names
            .map(|one| package_name(&unit.shown(one.value)))
            .collect();
        let versioned = versioned(unit, &found);
        let lists = found.into_iter().filter(|one| is_list(one.key));
        let is_own = |name: TextRange| own.contains(&package_name(&unit.shown(name)));
        let value = |one: Keyed| {
            let table = unit.shown(one.table);
            // What a pipeline runs is no package.
            let lists = !patterns.is_check_table(&table) && !wheel_pipelines::is_one(unit, &table);
            (one.value, lists && !is_own(one.value))
        };
        let named = versioned.into_iter().map(|(name, _)| (name, !is_own(name)));
        return lists.map(value).chain(named).collect();
    }
    if unit.language == BuildLanguage::Conda {
        return conda(unit);
    }
    let all = TextRange::new(0, unit.text.len());
    let lines = lines(unit.text, all);
    if unit.language == BuildLanguage::SetupCfg {
        return lines.map(|one| (set_value(unit, one), true)).collect();
    }
    lines.map(|one| (one, true)).collect()
}

/// The packages that are keys of their versions, as Poetry and Pixi have them, each with its version: `cupy-cuda12x = ">=13"`,
/// `cuda = { version = "12.*" }`.
fn versioned(unit: &BuildUnit<'_>, found: &[Keyed]) -> Vec<(TextRange, TextRange)> {
    let version = &unit.context.knowledge.builds.scripts.version_key;
    let pair = |one: &Keyed| {
        let first = one.value.of(unit.text).first();
        let is_version =
            first.is_some_and(|byte| byte.is_ascii_digit() || b"^~<>=!*".contains(byte));
        let is_inside = !one.outer.is_empty() && unit.shown(one.key) == *version;
        let name = if is_inside { one.outer } else { one.key };
        is_version.then_some((name, one.value))
    };
    found.iter().filter_map(pair).collect()
}

/// Whether a list is written in TOML: `pyproject.toml`, `pixi.toml`.
fn is_toml(unit: &BuildUnit<'_>) -> bool {
    unit.language == BuildLanguage::Pyproject || unit.file.path.ends_with(".toml")
}

/// Requirements of a version of torch that does not fit, which is a key: `torch = "==2.4.1"`.
fn pins(unit: &BuildUnit<'_>, findings: &mut GroupedFindings<'_>) {
    let torch = &Packages::builtin().torch;
    for (name, version) in versioned(unit, &keyed(unit.text, Notation::Toml)) {
        let requirement = unit.shown(name) + &unit.shown(version);
        if torch.are_unfit(&requirement) {
            let range = TextRange::new(name.start, version.end);
            let shown = format!("`{requirement}`");
            findings.report_as(TORCH_RELEASE, range, shown, &torch.advice);
        }
    }
}

/// Lists of CUDA's GPUs that variables of a build get, which become MUSA's: `TORCH_CUDA_ARCH_LIST = "9.0"`.
fn arch_lists(unit: &BuildUnit<'_>, findings: &mut GroupedFindings<'_>) {
    let lists = &unit.context.knowledge.builds.words.lints.arch_lists;
    for (name, value) in versioned(unit, &keyed(unit.text, Notation::Toml)) {
        let row = unit.context.row(Section::Environment, name.of(unit.text));
        let to = row.and_then(|row| row.to.as_ref());
        let old = unit.shown(value);
        if to.is_some_and(|to| lists.iter().any(|one| **one == **to)) && arch::is_cudas_list(&old) {
            let shown = format!("`{old}` in `{}`", unit.shown(name));
            let list = arch::list(unit.context, unit.settings);
            arch::replace(findings, unit, value, &list, shown);
        }
    }
}

/// What a line of `setup.cfg` gives a key that may list packages, `gpu = cupy-cuda12x`; else the line.
fn set_value(unit: &BuildUnit<'_>, line: TextRange) -> TextRange {
    let text = line.of(unit.text);
    let not = &unit.context.knowledge.builds.scripts.not_packages;
    let cut = memchr::memmem::find(text, b" = ");
    let is_list = |cut: &usize| {
        let key = TextRange::new(line.start, line.start + cut);
        !not.contains(&unit.shown(key))
    };
    let start = cut.filter(is_list).map_or(0, |cut| cut + b" = ".len());
    TextRange::new(line.start + start, line.end)
}

/// The requirements in conda's lists of packages and recipes: an item, a text with its key, or a line of a block.
fn conda(unit: &BuildUnit<'_>) -> Vec<(TextRange, bool)> {
    let scripts = &unit.context.knowledge.builds.scripts;
    let not = &scripts.not_conda;
    let is_about = |key: TextRange| scripts.conda_about.contains(&unit.shown(key));
    let mut found = Vec::new();
    let nodes = nodes(unit.text, TextRange::new(0, unit.text.len()));
    for node in nodes
        .into_iter()
        .filter(|one| !one.key.is_some_and(is_about))
    {
        let lists = node.key.is_none_or(|key| !not.contains(&unit.shown(key)));
        match node.form {
            Form::Open | Form::Tag => {}
            Form::Block => found.extend(lines(unit.text, node.value).map(|one| (one, lists))),
            Form::Plain | Form::Quoted => {
                let key = node.key.filter(|_| !node.is_item);
                let start = key.map_or(node.value.start, |key| key.start);
                found.push((TextRange::new(start, node.value.end), lists));
            }
        }
    }
    found
}

/// The lines of a stretch that hold more than a comment, without their dashes and comments.
fn lines(text: &[u8], range: TextRange) -> impl Iterator<Item = TextRange> {
    let mut start = range.start;
    range
        .of(text)
        .split(|&byte| byte == b'\n')
        .filter_map(move |line| {
            let bare = line.trim_ascii_start();
            let at = start + line.len() - bare.len();
            start += line.len() + 1;
            let rest = bare.strip_prefix(b"- ").unwrap_or(bare);
            let at = at + bare.len() - rest.len();
            let comment = memchr::memmem::find(rest, b" #").unwrap_or(rest.len());
            let shown = rest.get(..comment).unwrap_or_default().trim_ascii();
            let holds = !shown.is_empty() && !shown.starts_with(b"#");
            holds.then(|| TextRange::new(at, at + shown.len()))
        })
}

/// A package's name as it is compared: `Demo_Lib[test]>=1` is `demo-lib`.
fn package_name(requirement: &str) -> String {
    let requirement = requirement.trim_matches(['"', '\'']);
    let part = |one: char| one.is_ascii_alphanumeric() || matches!(one, '-' | '_' | '.');
    let end = requirement
        .find(|one| !part(one))
        .unwrap_or(requirement.len());
    let name = requirement.get(..end).unwrap_or_default();
    name.to_ascii_lowercase().replace(['_', '.'], "-")
}

fn look(unit: &BuildUnit<'_>, entry: TextRange, lists: bool, findings: &mut GroupedFindings<'_>) {
    let shown = unit.shown(entry);
    let scripts = &unit.context.knowledge.builds.scripts;
    let text = shown.trim_matches(|one| matches!(one, '"' | '\'' | ','));
    // Without the condition, and without what goes on in the next line about the package's file.
    let text = text.split(';').next().unwrap_or(text);
    let text = text.trim_end_matches('\\').trim();
    // `pytorch::pytorch-cuda=12.4`: the channel that conda takes the package from.
    let channel = text
        .split_once("::")
        .filter(|_| unit.language == BuildLanguage::Conda);
    let text = channel.map_or(text, |(_, name)| name);
    let fetched = Packages::builtin().fetched(text);
    let fetched = fetched.filter(|one| one.relation != PackageRelation::Triton);
    if let Some(package) = fetched
        && lists
        && text.contains("git+")
        && !unit.is_original(&shown)
    {
        findings.require(entry, Some(package), "");
        return;
    }
    if shown.contains("://") || text.starts_with("--") {
        let requires = unit.language != BuildLanguage::Pyproject || text.contains("git+");
        address(unit, entry, requires, findings);
        return;
    }
    let start = entry.start + shown.find(text).unwrap_or(0);
    let range = TextRange::new(start, start + text.len());
    if let Some(row) = unit.context.row(Section::Environment, text.as_bytes()) {
        findings.apply_row(range, row, VARIABLE);
        return;
    }
    if !lists {
        return;
    }
    if unit.language == BuildLanguage::Conda && scripts.downloads.is_channel(text) {
        let shown = format!("the channel `{text}`");
        findings.report_as(DOWNLOAD, entry, shown, &scripts.downloads.advice);
        return;
    }
    if unit.language == BuildLanguage::Conda && contains_one(text, &scripts.conda_compilers) {
        findings.require(entry, None, &scripts.packages.advice);
        return;
    }
    let torch = &Packages::builtin().torch;
    if torch.are_unfit(shown.trim_matches(['"', '\''])) && !findings.is_cudas(entry) {
        findings.report(TORCH_RELEASE, range, &torch.advice);
        return;
    }
    // In other lists than those of Python's packages only a name of theirs tells that one is meant.
    let known = Packages::builtin().required(text);
    let known = known.filter(|(package, _)| package.relation != PackageRelation::Triton);
    let is_cudas = findings.is_cudas(entry) && lists_packages(unit.language);
    // `torchvision=0.12.0=py38_cu113`, `mxnet-cu112`
    let is_build = scripts.releases.are_in_version(text)
        || unit.language == BuildLanguage::Conda && scripts.releases.are_in_address(text)
        || lists_packages(unit.language) && scripts.releases.are_in_address(&package_name(text));
    let is_meant = is_requirement(text) && (known.is_some() || is_cudas || is_build);
    if !is_meant {
        if text.contains(' ') && !is_requirement(text) {
            findings.keep_words(entry, KeptReason::Prose);
        }
        return;
    }
    // What has a build for MUSA under its own name needs no word where nothing of CUDA's is in the name.
    let package = known.map(|(package, _)| package);
    findings.require(range, package, &scripts.packages.advice);
}

fn lists_packages(language: BuildLanguage) -> bool {
    matches!(language, BuildLanguage::Requirements | BuildLanguage::Conda)
}

/// `name[extra]>=1 ; marker`, `name (>=1)`
fn is_requirement(text: &str) -> bool {
    let name = |one: char| one.is_ascii_alphanumeric() || matches!(one, '-' | '_' | '.' | '/');
    let rest = text.trim_start_matches(name);
    let named = rest.len() < text.len() && !text.ends_with('/') && !text.contains("**");
    let rest = match rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((_, behind)) => behind,
        None => rest,
    };
    let rest = rest.trim_start();
    let in_parentheses = rest.strip_prefix('(').map(str::trim_start);
    let rest = in_parentheses
        .filter(|rest| !rest.is_empty())
        .unwrap_or(rest);
    named
        && (rest.is_empty()
            || rest.starts_with(['=', '<', '>', '!', '~', ';', '@', ','])
                && !rest.starts_with("= "))
        || named && rest.starts_with(|one: char| one.is_ascii_digit())
}

/// Look at an entry with an address; `requires` says that what is there is installed.
fn address(
    unit: &BuildUnit<'_>,
    entry: TextRange,
    requires: bool,
    findings: &mut GroupedFindings<'_>,
) {
    let shown = unit.shown(entry);
    let scripts = &unit.context.knowledge.builds.scripts;
    let is_nvidias = scripts.downloads.is_place(&shown);
    let is_build = scripts.releases.are_in_address(&shown);
    if !(is_build || is_nvidias && requires && findings.is_cudas(entry)) {
        findings.keep_words(entry, KeptReason::Prose);
    } else if unit.is_original(&shown) {
        let shown = format!("the original of this port (`{}`)", shown.trim());
        findings.report_as(DOWNLOAD, entry, shown, &scripts.downloads.original);
    } else {
        findings.report(DOWNLOAD, entry, &scripts.downloads.advice);
    }
}
