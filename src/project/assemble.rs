//! Makes the project of the files that were scanned: what they say to each other, found in one pass.

use std::sync::{Arc, OnceLock};

use fixedbitset::FixedBitSet;
use torchada_classify::FileKind;
use torchada_diagnostic::Finding;
use torchada_mapping::Vendored;
use torchada_parallel as parallel;

use super::cmake::files::CmakeFiles;
use super::cmake::replay::HandedFiles;
use super::includes::headers::Headers;
use super::includes::resolve::Resolver;
use super::left_whole::libraries::LeftLibraries;
use super::left_whole::vendored::CarriedLibrary;
use super::left_whole::{disposition, libraries, vendored};
use super::mentions::find;
use super::musa_build::MacrosOff;
use super::platforms::left_for_vendors;
use super::platforms::vendor_folders::vendor_folders;
use super::python_inputs::{PythonInputs, PythonTexts};
use super::renames::outputs;
use super::renames::outputs::NamedFiles;
use super::tree::scanned_tree::ScannedTree;
use super::{
    Built, Context, Disposition, FileFacts, Include, Input, PathIndex, Project, ProjectOptions,
    Scanned, Source, built, devices, musa_build, python,
};

/// Which files are translated and which are left, found before it is decided what they are called.
struct Decisions<'k> {
    dispositions: Vec<Disposition>,
    /// For each include of a file, the file of the tree that it means.
    resolved: Vec<Vec<Option<usize>>>,
    /// The libraries that the tree carries along.
    carried: Vec<CarriedLibrary<'k>>,
    left: LeftLibraries,
    /// The files that are written in MUSA's names and that a build takes by their present endings.
    musa_sources: FixedBitSet,
    macros_off: MacrosOff,
    findings: Vec<Finding>,
}

impl<'k> Decisions<'k> {
    fn new(
        inputs: &[Input],
        facts: &[FileFacts],
        places: &PathIndex,
        options: &ProjectOptions,
        context: Context<'k>,
    ) -> Self {
        let carried = match options.vendored {
            Vendored::Port => Vec::new(),
            Vendored::Keep | Vendored::Swap => vendored::carried(&inputs.iter(), context.knowledge),
        };
        let (mut dispositions, mut findings) =
            disposition::dispositions(inputs, &carried, options, context);
        let resolver = Resolver {
            places,
            roots: &options.include_roots,
            tables: context.tables,
            wraps: &|file| {
                let (input, facts) = (inputs.get(file), facts.get(file));
                let mut files = input.zip(facts).into_iter();
                files.any(|(input, facts)| facts.wraps_namesake(&input.path))
            },
        };
        let scanned = facts.iter().zip(inputs);
        let mut resolved: Vec<Vec<Option<usize>>> = parallel::map(scanned, |(facts, input)| {
            let resolve = |include: &Include| resolver.resolve(&input.path, include);
            facts.includes.iter().map(resolve).collect()
        });
        if options.vendored == Vendored::Swap {
            findings.extend(libraries::swap(
                &carried,
                inputs,
                facts,
                &mut resolved,
                context,
            ));
        }
        let tree = ScannedTree {
            inputs,
            places,
            facts,
            resolved: &resolved,
            context,
        };
        let left = libraries::left_libraries(tree, &dispositions, &mut findings);
        left_for_vendors::leave_other_platforms(tree, &mut dispositions, &mut findings);
        let musa_sources = musa_build::leave_built(tree, options, &mut dispositions, &mut findings);
        let (macros_off, lost) = musa_build::left_out(tree, &dispositions);
        findings.extend(lost);
        Self {
            dispositions,
            resolved,
            carried,
            left,
            musa_sources,
            macros_off,
            findings,
        }
    }
}

impl Project {
    /// Read what the files say to each other.
    pub fn new(files: Vec<Scanned>, options: &ProjectOptions, context: Context<'_>) -> Self {
        let (inputs, facts): (Vec<Input>, Vec<FileFacts>) = files
            .into_iter()
            .map(|file| (file.input, file.facts))
            .unzip();
        let places = PathIndex::new(inputs.iter().map(|input| Arc::clone(&input.path)));
        let mut decisions = Decisions::new(&inputs, &facts, &places, options, context);
        let mut findings = std::mem::take(&mut decisions.findings);
        let name_files = || {
            let cmake = CmakeFiles::of(&inputs, &decisions.dispositions, &places, context);
            let mentioning = find::mentioning(&inputs, &decisions.dispositions, &cmake, context);
            let named = NamedFiles {
                inputs: &inputs,
                dispositions: &decisions.dispositions,
                resolved: &decisions.resolved,
                stay: &decisions.musa_sources,
                texts: &cmake.texts(context),
            };
            let outputs = outputs::outputs(named, &mentioning, options, context, &mut findings);
            (cmake, outputs)
        };
        // All threads read texts: what follows keeps one thread busy, beside which the files get their names.
        let texts = PythonTexts::read(&inputs, context);
        let ((mut cmake, outputs), python) = rayon::join(name_files, || {
            PythonInputs::of(texts, &inputs, &places, context)
        });
        let handed = cmake.handed.take();
        let python_packages = python::own_packages(&inputs, &options.folder);
        let entry_words = &context.knowledge.python_values.entry_words;
        let python_entry_words = Arc::new(entry_words.beside(&python_packages));
        let headers = Headers::new(facts.iter());
        let mut project = Self {
            left: decisions.left,
            macros_off: decisions.macros_off,
            findings,
            python_packages,
            python_entry_words,
            folder: options.folder.clone(),
            headers: Arc::new(headers),
            places: Arc::new(places),
            cmake: Arc::new(cmake),
            links: Arc::new(outputs.links),
            alike: outputs.alike,
            most_includes: context.knowledge.files.limits.includes,
            endings: context.knowledge.files.rename.clone(),
            ..Self::default()
        };
        let parts = inputs
            .into_iter()
            .zip(decisions.dispositions)
            .zip(facts)
            .zip(decisions.resolved)
            .zip(outputs.paths)
            .zip(python.codes);
        // Most files of a tree of Python say nothing.
        let nothing = Arc::new(FileFacts::default());
        let sources = parts.map(
            |(((((input, disposition), facts), resolved), output), python)| Source {
                carried: decisions.carried.iter().any(|one| one.holds(&input.path)),
                // Most files keep their path.
                output: if *output == *input.path {
                    Arc::clone(&input.path)
                } else {
                    output.into()
                },
                path: input.path,
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
            },
        );
        project.files = sources.collect();
        let outline_words = std::iter::repeat_with(OnceLock::new).take(project.files.len());
        project.outline_words = outline_words.collect();
        project.python_words = Arc::new(python.words);
        project.python_builds = Arc::new(python.builds);
        project.gather(context);
        project.read_whole_tree(handed.as_ref(), options, context);
        project
    }

    /// Read what all files together say.
    fn read_whole_tree(
        &mut self,
        handed: Option<&HandedFiles>,
        options: &ProjectOptions,
        context: Context<'_>,
    ) {
        let may_have = |file: usize, text: &[u8]| self.may_have(file, text);
        self.musa_support = python::musa_support(&self.files, may_have, context);
        let torch = &context.knowledge.python_values.torch_folders;
        self.vendor_folders = Arc::new(vendor_folders(&self.files, context));
        self.device_folders = devices::DeviceFolders::new(&self.files, torch);
        let tree = built::Tree {
            files: &self.files,
            python: &self.python_builds,
            words: &self.python_words,
            places: &self.places,
        };
        self.built = Built::new(tree, handed, &options.include_roots, context);
    }
}
