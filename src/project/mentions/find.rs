//! Which files mention sources, and what they mention.

use super::file_mentions::Mentioning;
use super::in_build_files::mentions;
use super::in_strings::in_strings;
use super::makefile_parts::see_from_makefiles;
use crate::{Context, Disposition, Input};
use torchada_classify::FileKind;
use torchada_mapping::files::BuildLanguage;
use torchada_parallel as parallel;

/// The files that mention sources, with what they mention.
pub(crate) fn mentioning(
    inputs: &[Input],
    dispositions: &[Disposition],
    context: Context<'_>,
) -> Vec<Mentioning> {
    let table = &context.knowledge.files;
    let endings: Vec<&str> = table.rename.keys().map(String::as_str).collect();
    let files = inputs.iter().zip(dispositions).enumerate();
    let mut found: Vec<Mentioning> = parallel::flat_map(files, |(file, (input, disposition))| {
        let kind = input.class.kind;
        let text: &[u8] = &input.text.as_ref()?.once();
        let found = if kind.is_cpp() {
            in_strings(text, input.class, &endings)
        } else if kind.names_sources() {
            mentions(&input.path, input.class, text, &endings, context.knowledge)
        } else {
            Vec::new()
        };
        // A notebook's Python is not the file's text.
        let notebook = &context.knowledge.embedded.notebook;
        let is_text = kind != FileKind::Python || !notebook.has(&input.path);
        (!found.is_empty()).then(|| Mentioning {
            file,
            path: input.path.clone(),
            is_cmake: input.class.language == Some(BuildLanguage::CMake),
            follows: *disposition == Disposition::Ported && is_text,
            mentions: found,
        })
    });
    see_from_makefiles(inputs, &mut found, table.limits.includes);
    found
}
