//! Which files mention sources, and what they mention.

use super::deep_globs;
use super::embedded_symbols::embedded_symbols;
use super::file_mentions::Mentioning;
use super::in_build_files::mentions;
use super::in_notebooks::in_notebook;
use super::in_strings::in_strings;
use super::in_templates::in_templates;
use super::makefile_parts::see_from_makefiles;
use crate::cmake::files::CmakeFiles;
use crate::{Context, Disposition, Input};
use torchada_classify::FileKind;
use torchada_mapping::files::BuildLanguage;
use torchada_parallel as parallel;

/// The files that mention sources, with what they mention.
pub(crate) fn mentioning(
    inputs: &[Input],
    dispositions: &[Disposition],
    cmake: &CmakeFiles,
    context: Context<'_>,
) -> Vec<Mentioning> {
    let table = &context.knowledge.files;
    let endings: Vec<&str> = table.rename.keys().map(String::as_str).collect();
    let files = inputs.iter().zip(dispositions).enumerate();
    let mut found: Vec<Mentioning> = parallel::flat_map(files, |(file, (input, disposition))| {
        let kind = input.class.kind;
        let names_some = kind.is_cpp() || input.names_sources();
        let Some(text) = input.text.as_ref().filter(|_| names_some) else {
            return Vec::new();
        };
        let text: &[u8] = &text.once();
        let is_cmake = input.class.language == Some(BuildLanguage::CMake);
        // A notebook's Python is not the file's text.
        let is_notebook =
            kind == FileKind::Python && context.knowledge.embedded.notebook.has(&input.path);
        let mut symbols = Vec::new();
        let mut found = if kind.is_cpp() {
            symbols = embedded_symbols(text, &endings, &table.embedding);
            let mut found = in_templates(text, &endings, &table.templates.naming);
            found.extend(in_strings(text, input.class, &endings));
            found
        } else if is_notebook {
            in_notebook(&input.path, input.class, text, &endings, context.knowledge)
        } else {
            mentions(&input.path, input.class, text, &endings, context.knowledge)
        };
        let is_read = is_cmake && !found.is_empty();
        if let Some(commands) = is_read.then(|| cmake.read(file, text)).flatten() {
            deep_globs::look_below(text, commands, &mut found);
        }
        let follows = *disposition == Disposition::Ported && !is_notebook;
        let both = [(found, follows), (symbols, false)];
        let both = both.into_iter().filter(|(found, _)| !found.is_empty());
        let both = both.map(|(mentions, follows)| Mentioning {
            file,
            path: input.path.to_string(),
            is_cmake,
            is_python: kind == FileKind::Python,
            follows,
            mentions,
        });
        both.collect()
    });
    see_from_makefiles(inputs, &mut found, table.limits.includes);
    found
}
