//! A source that keeps CUDA's ending, in the list of a builder that knows MUSA's alone.

use super::Ported;
use torchada_classify::FileKind;
use torchada_diagnostic::Finding;
use torchada_diagnostic::codes::build::UNKNOWN_ENDING;
use torchada_text::contains;

pub(super) fn check(ported: &Ported<'_>, found: &mut Vec<(usize, Finding)>) {
    let builders = &ported.context.knowledge.builds.words.lints.builders;
    for (index, file, _) in ported.files() {
        if file.class.kind != FileKind::Python {
            continue;
        }
        let kept = ported.project.kept_mentions(index);
        if kept.is_empty() {
            continue;
        }
        let text = ported.new_text(index);
        let is_named = |name: &&String| contains(&text, name);
        let Some(builder) = builders.iter().find(is_named) else {
            continue;
        };
        for (range, name) in kept {
            found.extend(
                ported.finding(
                    index,
                    UNKNOWN_ENDING,
                    range,
                    format!("`{name}` keeps its ending, and `{builder}` builds it as host code"),
                    "port with `--rename auto`, or build the source by other means, with `-x musa`"
                        .to_owned(),
                ),
            );
        }
    }
}
