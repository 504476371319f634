//! The meaning of variables across the makefiles of a tree: the compiler, its options, names of libraries.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::homes::homes;
use super::languages_of_sources::naming_language;
use super::runtime_names::naming_runtime;
use super::telling_words::TellingWords;
use torchada_mapping::files::BuildLanguage;
use torchada_mapping::knowledge::Knowledge;
use torchada_mapping::{has, starts_with_one};
use torchada_project::{Context, Project};
use torchada_syntax::script::{Notation, Statement, StatementKind, Word, WordPart, statements};

/// Names of variables by what they hold.
#[derive(Clone, Default)]
pub struct VariableFacts {
    /// The compiler.
    pub compilers: BTreeSet<Vec<u8>>,
    /// Names of the compiler's program, CUDA's and MUSA's.
    programs: BTreeSet<Vec<u8>>,
    /// Variables that hold another vendor's compiler.
    others: BTreeSet<Vec<u8>>,
    /// Variables whose values are options of the compiler.
    pub device: BTreeSet<Vec<u8>>,
    /// Variables whose values say the language of sources.
    pub(super) language: BTreeSet<Vec<u8>>,
    /// Names of libraries, without `-l`.
    pub libraries: BTreeSet<Vec<u8>>,
    /// Variables that get a value.
    pub assigned: BTreeSet<Vec<u8>>,
    /// Variables that get an architecture of CUDA's: `TARGET_ARCH = sm_80`.
    pub(super) gpus: BTreeSet<Vec<u8>>,
    /// Variables of the tree's own that hold the toolkit's folder, whatever gives them a value.
    pub homes: BTreeSet<Vec<u8>>,
    /// Variables that stand in names of CUDA's packages: `cuda-${package}-12-4`.
    pub(super) package_parts: BTreeSet<Vec<u8>>,
    /// Variables whose values name the runtime's library.
    pub(super) runtime: BTreeSet<Vec<u8>>,
}

/// What all scripts of a tree share, computed when the first of them asks.
#[derive(Default)]
pub struct TreeScripts {
    makefiles: OnceLock<VariableFacts>,
    words: OnceLock<TellingWords>,
}

impl TreeScripts {
    /// The words without one of which a script has nothing for the rules.
    pub(super) fn words(&self, context: Context<'_>) -> &TellingWords {
        self.words.get_or_init(|| TellingWords::of(context))
    }

    /// The combined facts of all makefiles.
    pub(super) fn facts(&self, project: &Project, known: &Knowledge) -> &VariableFacts {
        self.makefiles.get_or_init(|| {
            let files = project.files.iter();
            let files = files.filter(|file| file.class.language == Some(BuildLanguage::Make));
            let texts = files.filter_map(|file| file.text.as_deref());
            let read: Vec<(&[u8], Vec<Statement>)> = texts
                .map(|text| (text, statements(text, Notation::Make)))
                .collect();
            let all = read.iter();
            let all = all.flat_map(|(text, found)| found.iter().map(|one| (*text, one)));
            let mut facts = VariableFacts::known(known);
            facts.add(&all.collect::<Vec<_>>(), known);
            facts
        })
    }
}

impl VariableFacts {
    /// The facts that hold for every tree.
    pub(super) fn known(known: &Knowledge) -> Self {
        let compilers = known.builds.scripts.compilers.iter();
        let programs = known.commands.known.iter().filter(|one| one.compiler);
        let programs = programs.flat_map(|one| std::iter::once(&one.name).chain(&one.to));
        Self {
            programs: programs.map(|one| one.as_bytes().to_vec()).collect(),
            compilers: compilers.map(|one| one.as_bytes().to_vec()).collect(),
            ..Self::default()
        }
    }

    /// Add what statements say, each with the text that has it.
    pub(super) fn add(&mut self, all: &[(&[u8], &Statement)], known: &Knowledge) {
        // What a compiler is called decides which commands run one, whatever stands first: `CXX = $(NVCC)`.
        let mut before = None;
        while before != Some(self.compilers.len()) {
            before = Some(self.compilers.len());
            for &(text, one) in all {
                self.note_compiler(text, one);
            }
        }
        for &(text, one) in all {
            self.note_other(text, one, &known.builds.scripts.other_compilers);
        }
        let options = &known.builds.flags.for_files_behind;
        self.language.extend(naming_language(all, options));
        for &(text, one) in all {
            self.look(text, one);
            self.note_gpu(text, one, &known.shapes.architecture.fronts);
            for word in &one.words {
                let fronts = &known.builds.scripts.toolkit.versioned_fronts;
                self.package_parts.extend(package_part(text, word, fronts));
            }
        }
        self.follow(all);
        let (homes, others) = homes(all, &known.builds.scripts);
        self.homes.extend(homes);
        self.homes.retain(|name| !others.contains(name));
        self.runtime.extend(naming_runtime(
            all,
            std::iter::empty(),
            &known.builds.scripts.runtimes,
        ));
    }

    /// Follow options and libraries from variable to variable.
    fn follow(&mut self, all: &[(&[u8], &Statement)]) {
        let mut assigned: FxHashMap<&[u8], Vec<(&[u8], &Statement)>> = FxHashMap::default();
        for &(text, one) in all {
            if one.kind == StatementKind::Assignment {
                assigned
                    .entry(one.head.of(text))
                    .or_default()
                    .push((text, one));
            }
        }
        for names in [&mut self.device, &mut self.libraries] {
            let mut waiting: Vec<Vec<u8>> = names.iter().cloned().collect();
            while let Some(name) = waiting.pop() {
                for (text, one) in assigned.get(name.as_slice()).into_iter().flatten() {
                    for variable in variables(text, &one.words) {
                        if names.insert(variable.clone()) {
                            waiting.push(variable);
                        }
                    }
                }
            }
        }
    }

    /// `CC = nvcc`, `CC = nvcc -O3`
    fn note_compiler(&mut self, text: &[u8], one: &Statement) {
        let is_path = matches!(one.words.as_slice(), [word] if self.runs(text, word));
        let has_options = self.is_command(text, &one.words);
        if one.kind == StatementKind::Assignment && (is_path || has_options) {
            let name = one.head.of(text).to_vec();
            if has_options {
                self.device.insert(name.clone());
            }
            self.compilers.insert(name);
        }
    }

    /// `HIPCXX = /opt/rocm/bin/hipcc`
    fn note_other(&mut self, text: &[u8], one: &Statement, names: &[String]) {
        let last = match one.words.as_slice() {
            [word] => word.parts.last(),
            _ => None,
        };
        if let Some(WordPart::Text(last)) = last
            && one.kind == StatementKind::Assignment
        {
            let path = last.of(text);
            let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or(path);
            if has(names, name) {
                self.others.insert(one.head.of(text).to_vec());
            }
        }
    }

    fn note_gpu(&mut self, text: &[u8], one: &Statement, fronts: &[String]) {
        let mut values = one.words.iter().filter_map(Word::front);
        if one.kind == StatementKind::Assignment
            && values.any(|value| starts_with_one(value.of(text), fronts))
        {
            self.gpus.insert(one.head.of(text).to_vec());
        }
    }

    /// Whether a variable holds another vendor's compiler, wherever it gets a compiler.
    pub(super) fn is_other_compiler(&self, name: &[u8]) -> bool {
        self.others.contains(name) && !self.compilers.contains(name)
    }

    /// Whether words are the compiler with options of its behind it.
    pub fn is_command(&self, text: &[u8], words: &[Word]) -> bool {
        let [first, second, ..] = words else {
            return false;
        };
        self.is_compiler(text, first)
            && match second.parts.first() {
                Some(WordPart::Text(front)) => front.of(text).starts_with(b"-"),
                Some(WordPart::Variable { .. }) => true,
                _ => false,
            }
    }

    fn look(&mut self, text: &[u8], one: &Statement) {
        let head = one.head.of(text).to_vec();
        match one.kind {
            StatementKind::Assignment => {
                self.assigned.insert(head);
                for word in &one.words {
                    self.linked(text, word);
                }
            }
            StatementKind::Command => {
                if self.runs_compiler(text, one) {
                    let arguments = one.words.get(1..).unwrap_or_default();
                    self.device.extend(variables(text, arguments));
                }
                for word in &one.words {
                    self.linked(text, word);
                }
            }
            // `$(LIBRARIES:%=-l%)`
            StatementKind::Call => {
                let links = |word: &Word| {
                    word.front().is_some_and(|front| {
                        let front = front.of(text);
                        front == b"%=-l%" || front == b"-l"
                    })
                };
                if one.words.iter().any(links) {
                    let rest = one.words.iter().filter(|word| !links(word));
                    let rest: Vec<Word> = rest.cloned().collect();
                    self.libraries.extend(variables(text, &rest));
                    if head.first().is_some_and(u8::is_ascii_uppercase) {
                        self.libraries.insert(head);
                    }
                }
            }
            _ => {}
        }
    }

    /// `-l$(NAME)`
    fn linked(&mut self, text: &[u8], word: &Word) {
        for pair in word.parts.windows(2) {
            if let [WordPart::Text(front), WordPart::Variable { name, .. }] = pair
                && front.of(text) == b"-l"
            {
                self.libraries.insert(name.of(text).to_vec());
            }
        }
    }

    /// Whether a command runs the compiler, alone or behind a variable with what is printed or run before it: `$(V) $(NVCC) -c`.
    pub fn runs_compiler(&self, text: &[u8], one: &Statement) -> bool {
        match one.words.as_slice() {
            [first, ..] if self.runs(text, first) => true,
            [first, second, ..] => first.variable().is_some() && self.runs(text, second),
            _ => false,
        }
    }

    /// Whether a word runs the compiler: its path, or a variable that holds it.
    pub(super) fn runs(&self, text: &[u8], word: &Word) -> bool {
        match word.variable() {
            Some(name) => self.compilers.contains(name.of(text)),
            None => self.is_compiler(text, word),
        }
    }

    /// Whether a word is the compiler's path: nvcc, or mcc where it was ported.
    pub(super) fn is_compiler(&self, text: &[u8], word: &Word) -> bool {
        let Some(WordPart::Text(last)) = word.parts.last() else {
            return false;
        };
        let bytes = last.of(text);
        let name = bytes
            .rsplit(|&byte| matches!(byte, b'/' | b'\\'))
            .next()
            .unwrap_or(bytes);
        self.programs
            .contains(name.strip_suffix(b".exe").unwrap_or(name))
    }
}

/// The variable behind what names of CUDA's packages begin with.
fn package_part(text: &[u8], word: &Word, fronts: &[String]) -> Option<Vec<u8>> {
    let mut pairs = word.parts.windows(2);
    pairs.find_map(|pair| match pair {
        [WordPart::Text(front), WordPart::Variable { name, .. }]
            if has(fronts, front.of(text).trim_ascii_start()) =>
        {
            Some(name.of(text).to_vec())
        }
        _ => None,
    })
}

/// The variables in words.
fn variables(text: &[u8], words: &[Word]) -> Vec<Vec<u8>> {
    let names = words.iter().flat_map(Word::variables);
    names.map(|name| name.of(text).to_vec()).collect()
}
