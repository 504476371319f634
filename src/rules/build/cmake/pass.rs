//! The state of one `CMake` file while its rules run: the parsed file, its edits and its findings.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;

use super::facts::Facts;
use super::inherited_files::{above, declared_in};
use crate::build::{BuildUnit, arch, leftovers};
use crate::{Change, Outcome};
use torchada_diagnostic::{Code, KeptReason};
use torchada_edit::GroupId;
use torchada_mapping::builds::CMakeTable;
use torchada_mapping::{ArchitectureWords, Evidence, Row, Section, has};
use torchada_syntax::cmake::{Argument, Cmake, Command, Quoting};
use torchada_text::TextRange;

/// A file of `CMake`'s while its rules look at it.
pub(super) struct Pass<'a> {
    pub(super) unit: &'a BuildUnit<'a>,
    pub(super) file: &'a Cmake,
    pub(super) table: &'a CMakeTable,
    pub(super) out: &'a mut Outcome,
    /// The files of `CMake`'s in the folders above, the nearest first, with their texts.
    pub(super) above: Vec<(&'a [u8], &'a Cmake)>,
    /// Commands in branches that MUSA does not take, or that are its own.
    pub(super) skipped: BTreeSet<usize>,
    /// Commands that are gone.
    pub(super) removed: BTreeSet<usize>,
    /// The reported findings: no finding is repeated in a file.
    reported: BTreeSet<(&'static str, String)>,
    /// Lines to put in, by the place where they go.
    pub(super) lines: BTreeMap<usize, Vec<String>>,
    /// The lines of `lines`, without their indents, with the blocks that they stand in.
    pub(super) added: BTreeMap<String, BTreeSet<Option<usize>>>,
    /// What rules ask of the whole file again and again.
    pub(super) facts: Facts<'a>,
}

impl<'a> Pass<'a> {
    pub(super) fn new(unit: &'a BuildUnit<'a>, file: &'a Cmake, out: &'a mut Outcome) -> Self {
        Self {
            file,
            table: &unit.context.knowledge.builds.cmake,
            above: above(unit),
            unit,
            out,
            skipped: BTreeSet::new(),
            removed: BTreeSet::new(),
            reported: BTreeSet::new(),
            lines: BTreeMap::new(),
            added: BTreeMap::new(),
            facts: Facts::default(),
        }
    }

    /// The file and those above it, the nearest first, with their texts.
    pub(super) fn files(&self) -> impl Iterator<Item = (&'a [u8], &Cmake)> {
        let above = self.above.iter().map(|&(text, file)| (text, file));
        std::iter::once((self.unit.text, self.file)).chain(above)
    }

    /// Whether the branch that a command opens ends the build.
    pub(super) fn ends_build(&self, opener: usize) -> bool {
        let mut inside = self.file.inside(opener);
        inside.any(|one| self.words(one).contains(&"FATAL_ERROR"))
    }

    /// Whether a build that goes on took the branch that a command opens: all others of the `if` end it.
    pub(super) fn is_only_way(&self, opener: usize) -> bool {
        let commands = &self.file.commands;
        let Some(one) = commands.get(opener) else {
            return false;
        };
        let head = one.head.unwrap_or(opener);
        let mut branches = commands.iter().filter(|one| one.is_branch_of(head));
        let mut others = branches.clone().filter(|one| one.at != opener);
        branches.any(|one| one.lower_name() == "else") && others.all(|one| self.ends_build(one.at))
    }

    /// The names that these files declare.
    pub(super) fn declared(&self) -> &FxHashSet<&'a [u8]> {
        self.facts.declared.get_or_init(|| {
            let above = self.above.iter().copied();
            let files = std::iter::once((self.unit.text, self.file)).chain(above);
            let mut found = declared_in(&self.table.declaring, files.clone());
            for (text, file) in files {
                found.extend(self.handed_to_own(text, file));
            }
            found
        })
    }

    /// The names that a file hands to functions of the tree's, which give them a value: `make_flags(CUDA_own_flags 80)`.
    fn handed_to_own(&self, text: &'a [u8], file: &'a Cmake) -> impl Iterator<Item = &'a [u8]> {
        let (table, project, context) = (self.table, self.unit.project, self.unit.context);
        // What CUDA itself has stays CUDA's, whoever gets it: `add_demo(app cudart_static)`.
        let sections = [Section::Libraries, Section::Names, Section::Headers];
        let calls = file.commands.iter().filter(move |one| {
            let name = one.lower_name();
            !table.is_plain(name) && project.cmake_defining(name).is_some()
        });
        let bare = calls.flat_map(|one| one.arguments.iter());
        let bare = bare.filter(|one| one.quoting == Quoting::Bare);
        let names = bare.map(move |one| one.inner.of(text));
        names.filter(move |name| {
            let name = std::str::from_utf8(name).unwrap_or_default();
            // A package's own name, `use_packages(CUDA)`, leads to its variables.
            name.contains('_')
                && !table.variables.contains_key(name)
                && !has(&table.versions, name)
                && !sections
                    .iter()
                    .any(|&section| context.row(section, name.as_bytes()).is_some())
        })
    }

    /// The commands that are looked at.
    pub(super) fn commands(&self) -> Vec<&'a Command> {
        let all = self.file.commands.iter();
        let is_gone = |at: usize| self.skipped.contains(&at) || self.removed.contains(&at);
        all.filter(|one| !is_gone(one.at)).collect()
    }

    /// The numbers of the GPUs that the port is for: [`arch::gpus`].
    pub(super) fn gpus(&self) -> Vec<String> {
        let gpus = arch::gpus(self.unit.context, self.unit.settings).into_iter();
        gpus.map(str::to_owned).collect()
    }

    /// How CUDA's numbers of GPUs are written.
    pub(super) fn numbers(&self) -> &'a ArchitectureWords {
        &self.unit.context.knowledge.shapes.architecture
    }

    /// The options of mcc's that name these GPUs.
    pub(super) fn gpu_options(&self) -> Vec<String> {
        let gpus = self.gpus().into_iter();
        gpus.map(|one| self.gpu_option(&one)).collect()
    }

    /// The option that names a GPU by its number.
    pub(super) fn gpu_option(&self, number: &str) -> String {
        self.unit.context.knowledge.builds.flags.for_gpu(number)
    }

    pub(super) fn text_of(&self, range: TextRange) -> &'a str {
        std::str::from_utf8(range.of(self.unit.text)).unwrap_or_default()
    }

    /// The row of the tables for a library.
    pub(super) fn library(&self, name: &str) -> Option<&'a Row> {
        let context = self.unit.context;
        context.row(Section::Libraries, name.as_bytes())
    }

    /// Whether the tree has a module of its own that finds a package.
    pub(super) fn has_module(&self, package: &str) -> bool {
        !has(&self.table.compiler_packages, package) && self.unit.project.has_cmake_module(package)
    }

    /// Whether a name is a package's that the tree's own module finds, or one that the module gives: `NCCL_FOUND`.
    pub(super) fn is_of_own_module(&self, name: &str) -> bool {
        let of_table = self.table.packages.keys().any(|package| {
            let rest = name.strip_prefix(package.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['_', ':']))
                && self.has_module(package)
        });
        let ends = name.match_indices(['_', ':']).map(|(at, _)| at);
        let mut packages = ends.chain([name.len()]).filter_map(|end| name.get(..end));
        of_table || packages.any(|package| self.is_found_by_tree(package))
    }

    /// Whether the tree has a module that finds a package of exactly this name, which is none for the compiler.
    fn is_found_by_tree(&self, package: &str) -> bool {
        let module = format!("Find{package}.cmake");
        !has(&self.table.compiler_packages, package) && self.unit.project.places.have(&module)
    }

    /// The text of a range once the edits in it are made.
    pub(super) fn edited(&self, range: TextRange) -> String {
        let text = self.unit.text;
        let mut out: Vec<u8> = Vec::new();
        let mut from = range.start;
        for edit in self.out.edits.within(range) {
            out.extend_from_slice(text.get(from..edit.range.start).unwrap_or_default());
            out.extend_from_slice(&edit.replacement);
            from = edit.range.end;
        }
        out.extend_from_slice(text.get(from..range.end).unwrap_or_default());
        String::from_utf8_lossy(&out).into_owned()
    }

    /// The text of an argument.
    pub(super) fn word(&self, argument: &Argument) -> &'a str {
        self.text_of(argument.inner)
    }

    /// The first word of a command: the target that it is about, or the variable.
    pub(super) fn first_word(&self, command: &Command) -> Option<&'a str> {
        command.arguments.first().map(|one| self.word(one))
    }

    pub(super) fn words(&self, command: &Command) -> Vec<&'a str> {
        command.arguments.iter().map(|one| self.word(one)).collect()
    }

    /// The words of CUDA's in a stretch of the text.
    pub(super) fn words_of_cuda(&self, stretch: TextRange) -> Vec<TextRange> {
        leftovers::words_in(self.unit, stretch)
    }

    /// Put other text in place of a range.
    pub(super) fn edit(&mut self, range: TextRange, to: &str) -> bool {
        let group = self.out.group();
        self.edit_in(range, to, group)
    }

    pub(super) fn edit_in(&mut self, range: TextRange, to: &str, group: GroupId) -> bool {
        self.edit_with(range, to, Evidence::Confirmed, group)
    }

    /// Put other text in place of a range, for which there is this evidence.
    pub(super) fn edit_with(
        &mut self,
        range: TextRange,
        to: &str,
        evidence: Evidence,
        group: GroupId,
    ) -> bool {
        // Comments stay, whatever happens around them.
        let comments = self.unit.comments;
        let first = comments.partition_point(|comment| comment.start < range.start);
        if comments
            .get(first)
            .is_some_and(|&comment| range.covers(comment))
        {
            return false;
        }
        let change = Change::new(range, to).evidence(evidence).group(group);
        self.unit.apply(self.out, change)
    }

    pub(super) fn report(
        &mut self,
        code: Code,
        range: TextRange,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let message = message.into();
        let about = message.clone();
        self.report_of(code, range, about, message, help);
    }

    /// Report a place, unless a place before it in the file was reported that is about the same.
    pub(super) fn report_of(
        &mut self,
        code: Code,
        range: TextRange,
        about: String,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        if !self.reported.insert((code.id, about)) {
            self.keep(range, KeptReason::NamedBeside);
            return;
        }
        let finding = self.unit.finding(code, range, message).help(help);
        self.out.report(finding);
    }

    pub(super) fn keep(&mut self, range: TextRange, reason: KeptReason) {
        self.unit.keep(self.out, range, reason);
    }
}
