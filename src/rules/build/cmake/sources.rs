//! Which sources of CUDA's a command names, through variables, functions and the other files of the tree.

use super::pass::Pass;
use torchada_project::Source;
use torchada_project::replay::{NamedSource, Site, SourceKey};
use torchada_syntax::cmake::Command;

/// The sources of CUDA's that something names.
#[derive(Default, Debug)]
pub(super) struct Sources {
    /// Some that have MUSA's ending once the file is translated.
    pub(super) renamed: Vec<String>,
    /// Sources that keep CUDA's ending.
    pub(super) kept: Vec<String>,
    /// Whether there are others: headers do not count.
    pub(super) others: bool,
    /// Whether there are headers, which are sources where somebody gives them a language.
    pub(super) headers: bool,
    /// Whether some among `renamed` may keep CUDA's ending.
    pub(super) unsure: bool,
}

impl Sources {
    /// Whether none is CUDA's.
    pub(super) fn is_empty(&self) -> bool {
        self.renamed.is_empty() && self.kept.is_empty()
    }
}

/// What is known of a command that names sources.
pub(super) fn site<'a>(pass: &Pass<'a>, command: &Command) -> Option<&'a Site> {
    let unit = pass.unit;
    unit.project.replay().sites.get(&(unit.index, command.at))
}

/// The sources that the arguments of a command name, from one on.
pub(super) fn named(pass: &Pass<'_>, command: &Command, first: usize) -> Sources {
    named_between(pass, command, first, command.arguments.len())
}

/// The sources that the arguments of a command name, from one up to another.
pub(super) fn named_between(
    pass: &Pass<'_>,
    command: &Command,
    first: usize,
    end: usize,
) -> Sources {
    let mut found = Sources::default();
    let Some(site) = site(pass, command) else {
        return found;
    };
    for (_, argument) in site.arguments.range(first..end.max(first)) {
        found.others |= argument.others;
        found.headers |= argument.headers;
        for source in argument.sources.values() {
            let renamed = is_renamed(pass, source);
            found.unsure |= renamed.is_none();
            if renamed == Some(false) {
                found.kept.push(source.text.to_string());
            } else {
                found.renamed.push(source.text.to_string());
            }
        }
    }
    found
}

/// Whether some of CUDA's sources among the arguments from one up to another stand in generator's expressions.
pub(super) fn are_wrapped(pass: &Pass<'_>, command: &Command, first: usize, end: usize) -> bool {
    let arguments = site(pass, command).map(|site| site.arguments.range(first..end.max(first)));
    arguments
        .into_iter()
        .flatten()
        .any(|(_, argument)| argument.wrapped)
}

/// Whether a source has MUSA's ending once all files are translated; `None` if the rule can't know.
fn is_renamed(pass: &Pass<'_>, source: &NamedSource) -> Option<bool> {
    let project = pass.unit.project;
    let endings = &pass.unit.context.knowledge.files.rename;
    if endings
        .values()
        .any(|new| source.text.ends_with(new.as_str()))
    {
        return Some(true);
    }
    match (&source.key, source.origin) {
        (SourceKey::File(file), _) => {
            Some(project.files.get(*file).is_some_and(Source::is_renamed))
        }
        (SourceKey::Text(_), Some(origin)) if origin.file == pass.unit.index => {
            let mut edits = pass.out.edits.iter();
            Some(edits.any(|edit| edit.range.end == origin.end))
        }
        (SourceKey::Text(_), Some(origin)) => project.has_new_ending(origin.file, origin.end),
        (SourceKey::Text(_), None) => None,
    }
}
