//! Macros that no build for MUSA has, in files that it compiles as they are, and the branches behind them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::defined_names::{Definition, definitions};
use super::definitions::Definitions;
use crate::context::Context;
use crate::facts::FileFacts;
use crate::platforms::regions::Region;
use crate::scan::parsed::Parsed;
use crate::tree::source::{Disposition, Input};
use torchada_diagnostic::KeptReason;
use torchada_mapping::Section;
use torchada_parallel as parallel;
use torchada_syntax::{Directive, DirectiveKind, Macro, Outline, Truth, evaluate};
use torchada_text::{Spans, TextRange};

/// A file of C++ beside or in a part of the tree that builds for MUSA already.
pub(super) struct BuiltFile {
    /// Its place in the list of files.
    pub(super) file: usize,
    /// The texts of its directives' tokens. There are hundreds of such files, so no more of their texts is kept.
    pub(super) words: Vec<u8>,
    /// The file taken apart, of whose tokens only those of directives are kept, and no scopes.
    pub(super) parsed: Parsed,
    /// What it defines.
    pub(super) definitions: Vec<Definition>,
    /// Whether no build for MUSA compiles it.
    pub(super) is_away: bool,
}

impl BuiltFile {
    /// All such files of a tree; none where no part of it builds for MUSA.
    pub(super) fn all(
        inputs: &[Input],
        dispositions: &[Disposition],
        context: Context<'_>,
    ) -> Vec<Self> {
        use KeptReason::{MusaBranch, MusaBuild, MusaTwin, VendorBranch};
        if !dispositions.contains(&Disposition::Left(MusaBuild)) {
            return Vec::new();
        }
        let files = inputs.iter().zip(dispositions).enumerate();
        parallel::flat_map(files, |(file, (input, disposition))| {
            // What is there for another platform only defines nothing for MUSA.
            let is_away = match disposition {
                Disposition::Left(MusaBuild) => false,
                Disposition::Left(MusaBranch | MusaTwin | VendorBranch) => true,
                _ => return None,
            };
            let text = input.text.as_ref();
            let text = &*text.filter(|_| input.class.kind.is_cpp())?.once();
            let mut parsed = Parsed::new(text, input.class.template, context.knowledge);
            let definitions = definitions(text, &parsed);
            let (tokens, words) = parsed.tokens.of_directives(text);
            (parsed.tokens, parsed.outline) = (tokens, Outline::default());
            Some(Self {
                file,
                words,
                parsed,
                definitions,
                is_away,
            })
        })
    }

    /// Whether no build for MUSA compiles the byte at `offset`; `left_out` are the branches that none takes.
    pub(super) fn is_left_out(&self, left_out: &Spans, offset: usize) -> bool {
        let regions = &self.parsed.regions;
        self.is_away
            || left_out.contains(offset)
            || regions.is_dead(offset)
            || matches!(regions.at(offset), Region::NotMusa | Region::OtherVendor)
    }
}

/// How often macros are looked for that stand behind other such macros.
const ROUNDS: usize = 4;

/// The macros that no build for MUSA has in the files that it compiles as they are.
#[derive(Clone, Default, Debug)]
pub struct MacrosOff(FxHashSet<Vec<u8>>);

impl MacrosOff {
    /// Find them in the files that were left because they build for MUSA already.
    pub(super) fn find(
        files: &[BuiltFile],
        inputs: &[Input],
        facts: &[FileFacts],
        context: Context<'_>,
    ) -> Self {
        let mut off = Self::default();
        if files.is_empty() {
            return off;
        }
        let definitions = Definitions::of(inputs, context);
        off.0.extend(definitions.only_others());
        let names = &context.knowledge.shapes.guards;
        // A project may give CUDA's macro a value on MUSA.
        if facts.iter().all(|facts| facts.architecture.is_none()) {
            off.0.insert(names.architecture.clone().into_bytes());
        }
        let is_given = |name: &String| {
            let mut all = files.iter();
            all.any(|file| defines(file, name.as_bytes()))
        };
        let compilers = names.defined.iter().filter(|name| !is_given(name));
        off.0
            .extend(compilers.map(|name| name.clone().into_bytes()));
        for _ in 0..ROUNDS {
            let counts: Vec<FxHashMap<&[u8], [usize; 2]>> =
                parallel::map(files, |file| off.defined(file, context));
            let mut all: FxHashMap<&[u8], [usize; 2]> = FxHashMap::default();
            for (name, [here, away]) in counts.into_iter().flatten() {
                let known = all.entry(name).or_default();
                known[0] += here;
                known[1] += away;
            }
            let before = off.0.len();
            let found = all.into_iter().filter(|(name, [here, away])| {
                *here == 0 && *away > 0 && !definitions.are_for_musa(name)
            });
            off.0.extend(found.map(|(name, _)| name.to_vec()));
            if off.0.len() == before {
                break;
            }
        }
        off
    }

    /// For each name how often a file defines it where a build for MUSA compiles, and where none does.
    fn defined<'t>(
        &self,
        file: &'t BuiltFile,
        context: Context<'_>,
    ) -> FxHashMap<&'t [u8], [usize; 2]> {
        let (text, parsed) = (file.words.as_slice(), &file.parsed);
        let left_out = self.left_out(text, parsed, context);
        let mut found: FxHashMap<&[u8], [usize; 2]> = FxHashMap::default();
        for define in parsed.tokens.defines() {
            if let Some(name) = parsed.tokens.get(define.tokens.start) {
                let is_away = file.is_left_out(&left_out, define.range.start);
                let known = found.entry(name.text(text)).or_default();
                known[usize::from(is_away)] += 1;
            }
        }
        found
    }

    /// The branches of a file that no build for MUSA takes.
    pub fn left_out(&self, text: &[u8], parsed: &Parsed, context: Context<'_>) -> Spans {
        let mut found: Vec<TextRange> = Vec::new();
        for conditional in parsed.conditionals.all() {
            let never = conditional.never_taken(&parsed.tokens, |at, directive| {
                // The name of an include guard decides nothing.
                if conditional.is_include_guard && at == 0 {
                    Truth::Unknown
                } else {
                    self.truth(text, parsed, directive, context)
                }
            });
            found.extend(conditional.bodies(&never));
        }
        let mut spans = Spans::default();
        spans.extend(found);
        spans
    }

    fn truth(
        &self,
        text: &[u8],
        parsed: &Parsed,
        directive: &Directive,
        context: Context<'_>,
    ) -> Truth {
        let knowledge = context.knowledge;
        let guards = &knowledge.shapes.guards;
        let row = context.row(Section::Names, guards.architecture.as_bytes());
        let architecture = row.and_then(|row| row.to.as_deref());
        evaluate(text, &parsed.tokens, directive, &|name| {
            if self.0.contains(name) || guards.version(name).is_some() {
                return Macro::Undefined;
            }
            let shown = String::from_utf8_lossy(name);
            match knowledge.vendor_of_macro(&shown) {
                Some(vendor) if !vendor.is_target() => Macro::Undefined,
                Some(_) if architecture != Some(&*shown) => Macro::Value(1),
                _ => Macro::Unknown,
            }
        })
    }
}

/// Whether a file defines a macro.
fn defines(file: &BuiltFile, name: &[u8]) -> bool {
    let mut directives = file.parsed.tokens.directives.iter();
    directives.any(|one| {
        let defined = file.parsed.tokens.get(one.tokens.start);
        one.kind == DirectiveKind::Define
            && defined.is_some_and(|token| token.text(&file.words) == name)
    })
}
