//! Makes the project of the files that were scanned: what they say to each other, found in one pass.

use std::sync::{Arc, OnceLock};

use torchada_classify::{FileClass, FileKind};
use torchada_mapping::Vendored;
use torchada_parallel as parallel;

use super::cmake::files::CmakeFiles;
use super::includes::headers::Headers;
use super::includes::resolve::Resolver;
use super::left_whole::{disposition, libraries, vendored};
use super::mentions::find;
use super::platforms::left_for_vendors;
use super::platforms::vendor_folders::vendor_folders;
use super::python_inputs::PythonInputs;
use super::renames::outputs;
use super::renames::outputs::NamedFiles;
use super::{
    Built, Context, FileFacts, Include, Input, PathIndex, Project, ProjectOptions, Scanned, Source,
    built, devices, musa_build, python,
};

impl Project {
    /// Read what the files say to each other.
    pub fn new(files: Vec<Scanned>, options: &ProjectOptions, context: Context<'_>) -> Self {
        let (inputs, facts): (Vec<Input>, Vec<FileFacts>) = files
            .into_iter()
            .map(|file| (file.input, file.facts))
            .unzip();
        let listing: Vec<(Arc<str>, FileClass)> = inputs
            .iter()
            .map(|input| (input.path.clone(), input.class))
            .collect();
        let mut findings = Vec::new();
        let carried = match options.vendored {
            Vendored::Port => Vec::new(),
            Vendored::Keep | Vendored::Swap => vendored::carried(&listing, context.knowledge),
        };
        let mut dispositions =
            disposition::dispositions(&inputs, &listing, &carried, options, context, &mut findings);
        let places = PathIndex::new(listing.iter().map(|(path, _)| Arc::clone(path)));
        let resolver = Resolver {
            places: &places,
            roots: &options.include_roots,
            tables: context.tables,
        };
        let scanned = facts.iter().zip(&listing);
        let mut targets: Vec<Vec<Option<usize>>> = parallel::map(scanned, |(facts, (path, _))| {
            let resolve = |include: &Include| resolver.resolve(path, include);
            facts.includes.iter().map(resolve).collect()
        });
        if options.vendored == Vendored::Swap {
            libraries::swap(
                &carried,
                &facts,
                &mut targets,
                &listing,
                context,
                &mut findings,
            );
        }
        let left = libraries::left_libraries(
            &facts,
            &targets,
            &dispositions,
            &listing,
            context,
            &mut findings,
        );
        left_for_vendors::leave_other_platforms(
            &inputs,
            &places,
            &facts,
            &targets,
            context,
            &mut dispositions,
            &mut findings,
        );
        let tree = musa_build::Tree {
            inputs: &inputs,
            facts: &facts,
            resolved: &targets,
            context,
        };
        let named = musa_build::leave_built(tree, options, &mut dispositions, &mut findings);
        let (macros_off, lost) = musa_build::left_out(tree, &dispositions);
        findings.extend(lost);
        let name_files = || {
            let cmake = CmakeFiles::of(&inputs, &dispositions, &places, context);
            let mentioning = find::mentioning(&inputs, &dispositions, &cmake, context);
            let outputs = outputs::outputs(
                NamedFiles {
                    inputs: &inputs,
                    dispositions: &dispositions,
                    resolved: &targets,
                    stay: &named,
                    texts: &cmake.texts(context),
                },
                &mentioning,
                options,
                context,
                &mut findings,
            );
            (cmake, outputs)
        };
        let ((mut cmake, outputs), python) =
            rayon::join(name_files, || PythonInputs::read(&inputs, &places, context));
        let handed = cmake.handed.take();
        let python_packages = python::own_packages(&inputs, &options.folder);
        let entry_words = &context.knowledge.python_values.entry_words;
        let python_entry_words = Arc::new(entry_words.beside(&python_packages));
        let headers = Headers::new(facts.iter());
        // Most files of a tree of Python say nothing.
        let nothing = Arc::new(FileFacts::default());
        let mut files: Vec<Source> = Vec::with_capacity(inputs.len());
        let parts = inputs
            .into_iter()
            .zip(dispositions)
            .zip(facts)
            .zip(targets)
            .zip(outputs.paths)
            .zip(python.codes);
        for (((((input, disposition), facts), resolved), output), python) in parts {
            // Most files keep their path.
            let output = if *output == *input.path {
                Arc::clone(&input.path)
            } else {
                output.into()
            };
            files.push(Source {
                carried: carried.iter().any(|library| library.holds(&input.path)),
                path: input.path,
                output,
                class: input.class,
                python,
                text: input.text,
                disposition,
                facts: match input.class.kind {
                    FileKind::Python | FileKind::Text | FileKind::Other => Arc::clone(&nothing),
                    _ => Arc::new(facts),
                },
                resolved,
                words: Arc::default(),
            });
        }
        let mut project = Self {
            files,
            findings,
            python_packages,
            python_entry_words,
            folder: options.folder.clone(),
            left,
            macros_off,
            headers: Arc::new(headers),
            places: Arc::new(places),
            cmake: Arc::new(cmake),
            links: Arc::new(outputs.links),
            alike: outputs.alike,
            most_includes: context.knowledge.files.limits.includes,
            endings: context.knowledge.files.rename.clone(),
            ..Self::default()
        };
        let outline_words = std::iter::repeat_with(OnceLock::new).take(project.files.len());
        project.outline_words = outline_words.collect();
        project.python_words = Arc::new(python.words);
        project.python_builds = Arc::new(python.builds);
        project.gather();
        project.musa_support = python::musa_support(&project.files, context);
        let torch = &context.knowledge.python_values.torch_folders;
        project.vendor_folders = Arc::new(vendor_folders(&project.files, context));
        project.device_folders = devices::DeviceFolders::new(&project.files, torch);
        let tree = built::Tree {
            files: &project.files,
            python: &project.python_builds,
            words: &project.python_words,
            places: &project.places,
        };
        project.built = Built::new(tree, handed.as_ref(), &options.include_roots, context);
        project
    }
}
