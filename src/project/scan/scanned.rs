//! A file that was read for a project, and what it says by itself.

use std::collections::BTreeSet;

use crate::context::Context;
use crate::declarations::lookalikes;
use crate::facts::FileFacts;
use crate::includes::resolve::Resolver;
use crate::options::ProjectOptions;
use crate::platforms::vendor_of_file;
use crate::scan;
use crate::tree::path_index::PathIndex;
use crate::tree::paths;
use crate::tree::source::Input;
use torchada_classify::FileKind;
use torchada_parallel as parallel;

/// A file that a project may be made of, and what it says by itself.
#[derive(Debug)]
pub struct Scanned {
    /// The file.
    pub input: Input,
    /// The facts that the file contributes by itself.
    pub(crate) facts: FileFacts,
}

impl Scanned {
    /// Take a file apart.
    pub fn new(mut input: Input, context: Context<'_>) -> Self {
        let tokens = input.tokens.take();
        let facts = match &input.text {
            Some(text) if input.class.kind.is_cpp() || input.class.kind == FileKind::Musa => {
                let knowledge = context.knowledge;
                let parsed = match tokens {
                    Some(tokens) => scan::Parsed::of(tokens, text, knowledge),
                    None => scan::Parsed::new(text, input.class.template, knowledge),
                };
                let parsed = parsed.at(&input.path, text, knowledge);
                let mut facts = scan::scan(text, &parsed, context);
                let by_name = || vendor_of_file::ending(&input.path, context);
                facts.foreign = facts.foreign.or_else(by_name);
                facts
            }
            Some(text) if input.class.kind == FileKind::Build => FileFacts {
                lookalikes: lookalikes::defined_by_build(context, text),
                ..FileFacts::default()
            },
            _ => FileFacts::default(),
        };
        Self { input, facts }
    }

    /// Forget the text of the file, if it can be read again.
    pub fn forget_text(&mut self) {
        if let Some(text) = &mut self.input.text {
            text.forget();
        }
    }

    /// A file that says nothing to the others.
    pub fn silent(input: Input) -> Self {
        let facts = FileFacts::default();
        Self { input, facts }
    }
}

/// The includes that lead to no file of the tree: the folder of the file, and the path in the include.
pub fn unresolved(
    files: &[&Scanned],
    options: &ProjectOptions,
    context: Context<'_>,
) -> BTreeSet<(String, String)> {
    let resolver = Resolver {
        places: &PathIndex::new(files.iter().map(|file| file.input.path.clone())),
        roots: &options.include_roots,
        tables: context.tables,
        wraps: &|file| {
            let file = files.get(file);
            file.is_some_and(|file| file.facts.wraps_namesake(&file.input.path))
        },
    };
    let missing: Vec<(&str, &str)> = parallel::flat_map(files, |file| {
        let path = &file.input.path;
        let includes = file.facts.includes.iter();
        let missing = includes.filter(|include| resolver.resolve(path, include).is_none());
        missing.map(|include| (paths::folder(path), include.path.as_str()))
    });
    let missing: BTreeSet<(&str, &str)> = missing.into_iter().collect();
    let owned = |(folder, path): (&str, &str)| (folder.to_owned(), path.to_owned());
    missing.into_iter().map(owned).collect()
}
