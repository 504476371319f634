//! Macros without which a header of aliases is not included: a port that nothing defines them in has CUDA's names only.

use std::collections::BTreeMap;

use super::marks::MusaPart;
use super::musa_names::MusaNames;
use crate::Parsed;
use crate::facts::Include;
use crate::platforms::regions::Region;
use crate::tree::paths;
use crate::tree::scanned_tree::ScannedTree;
use crate::tree::source::{Disposition, Input};
use torchada_classify::FileKind;
use torchada_diagnostic::Finding;
use torchada_diagnostic::codes::project::ALIASES_NEED_MACRO;
use torchada_mapping::files::BuildLanguage;
use torchada_syntax::has_word;
use torchada_text::LineIndex;

/// The findings about such macros in the files that are ported. `parts` are the project's own builds for MUSA, whose
/// macros the ported build has not.
pub(super) fn missing_macros(
    tree: ScannedTree<'_>,
    parts: &[MusaPart],
    names: &MusaNames,
    dispositions: &[Disposition],
) -> Vec<Finding> {
    let mut found: BTreeMap<String, Finding> = BTreeMap::new();
    if !tree.inputs.iter().any(builds) {
        return Vec::new();
    }
    let files = tree.inputs.iter().zip(tree.facts).zip(tree.resolved);
    for (((input, facts), targets), disposition) in files.zip(dispositions) {
        let mut switched = facts.includes.iter().zip(targets).filter(|(one, target)| {
            let is_alias = target.is_some_and(|target| names.headers.contains(&target));
            one.region == Region::Musa && is_alias
        });
        let include = switched
            .next()
            .filter(|_| *disposition == Disposition::Ported);
        let Some((include, name)) =
            include.and_then(|(one, _)| Some((one, guarding_macro(input, one, tree)?)))
        else {
            continue;
        };
        if !is_defined(tree, parts, &name) {
            let finding = finding_of(tree, input, include, &name);
            if let Some(finding) = finding {
                found.entry(name).or_insert(finding);
            }
        }
    }
    found.into_values().collect()
}

/// Whether a file says what a compiler is given.
fn builds(input: &Input) -> bool {
    input.class.language.is_some_and(BuildLanguage::compiles)
}

/// The macro of MUSA's that the conditional around an include asks for.
fn guarding_macro(input: &Input, include: &Include, tree: ScannedTree<'_>) -> Option<String> {
    let text = input.text.as_deref()?;
    let knowledge = tree.context.knowledge;
    let parsed = Parsed::new(text, input.class.template, knowledge);
    let around = parsed.conditionals.around(include.range.start);
    let directives = around.filter_map(|(conditional, branch)| {
        let branch = conditional.branches.get(branch)?;
        parsed.tokens.directives.get(branch.directive)
    });
    let words = directives.flat_map(|directive| directive.tokens.clone());
    let mut names = words.filter_map(|at| Some(parsed.tokens.get(at)?.text(text)));
    let name = names.find(|name| knowledge.is_target_macro(name))?;
    // What the compiler defines needs no definition.
    let compiler = knowledge.target_compiler();
    let name = std::str::from_utf8(name).ok()?;
    (!name.starts_with("__") && compiler != Some(name)).then(|| name.to_owned())
}

/// Whether a file that builds something else than the project's own way for MUSA speaks of the macro, or a source
/// defines it.
fn is_defined(tree: ScannedTree<'_>, parts: &[MusaPart], name: &str) -> bool {
    let is_own = |file: usize| {
        parts
            .iter()
            .any(|part| part.file == file && part.mark.is_some())
    };
    let define = format!("#define {name}");
    tree.inputs.iter().enumerate().any(|(file, input)| {
        let Some(text) = &input.text else {
            return false;
        };
        let text = text.once();
        let is_build = input.class.language.is_some() || input.class.kind == FileKind::Python;
        if input.class.kind.is_cpp() {
            return has_word(&text, define.as_bytes());
        }
        is_build && !is_own(file) && has_word(&text, name.as_bytes())
    })
}

fn finding_of(
    tree: ScannedTree<'_>,
    input: &Input,
    include: &Include,
    name: &str,
) -> Option<Finding> {
    let text = input.text.as_deref()?;
    let folders = paths::folders(&input.path);
    let near = folders.filter_map(|folder| {
        tree.inputs
            .iter()
            .find(|one| builds(one) && paths::folder(&one.path) == folder)
    });
    let near = near.map(|one| format!(" in `{}`", one.path)).next();
    let message = format!(
        "`{}` gives CUDA's names their MUSA meaning only where `{name}` is defined, and the ported build does not define it",
        include.path
    );
    let help = format!(
        "define `{name}` for all targets with this code{}",
        near.unwrap_or_default()
    );
    let lines = LineIndex::new(text);
    let finding = Finding::at(
        ALIASES_NEED_MACRO,
        &input.path,
        text,
        &lines,
        include.range,
        message,
    );
    Some(finding.help(help))
}
