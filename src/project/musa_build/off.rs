//! Macros that no build for MUSA has, in files that it compiles as they are, and the branches behind them.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::definitions::Definitions;
use crate::diagnostic::KeptReason;
use crate::mapping::Section;
use crate::project::context::Context;
use crate::project::facts::FileFacts;
use crate::project::parsed::Parsed;
use crate::project::regions::Region;
use crate::project::source::{Disposition, Input};
use crate::syntax::{Directive, DirectiveKind, Macro, Truth, evaluate};
use crate::text::{Spans, TextRange};

/// A file whose macros are looked at.
struct BuiltFile<'t> {
    text: &'t [u8],
    parsed: Parsed,
    /// Whether no build for MUSA compiles it.
    is_away: bool,
}

/// How often macros are looked for that stand behind other such macros.
const ROUNDS: usize = 4;

/// The macros that no build for MUSA has in the files that it compiles as they are.
#[derive(Clone, Default, Debug)]
pub struct MacrosOff(FxHashSet<Vec<u8>>);

impl MacrosOff {
    /// Find them in the files that were left because they build for MUSA already.
    pub(in crate::project) fn find(
        inputs: &[Input],
        facts: &[FileFacts],
        dispositions: &[Disposition],
        context: Context<'_>,
    ) -> Self {
        use KeptReason::{MusaBranch, MusaBuild, MusaTwin, VendorBranch};
        let mut off = Self::default();
        if !dispositions.contains(&Disposition::Left(MusaBuild)) {
            return off;
        }
        let files = inputs.par_iter().zip(dispositions);
        let files: Vec<BuiltFile<'_>> = files
            .filter_map(|(input, disposition)| {
                // What is there for another platform only defines nothing for MUSA.
                let is_away = match disposition {
                    Disposition::Left(MusaBuild) => false,
                    Disposition::Left(MusaBranch | MusaTwin | VendorBranch) => true,
                    _ => return None,
                };
                let text = input
                    .text
                    .as_deref()
                    .filter(|_| input.class.kind.is_cpp())?;
                Some(BuiltFile {
                    text,
                    parsed: Parsed::new(text, input.class.template, context.knowledge),
                    is_away,
                })
            })
            .collect();
        let definitions = Definitions::of(inputs, context);
        off.0.extend(definitions.only_others());
        let names = &context.knowledge.shapes.guards;
        // A project may give CUDA's macro a value on MUSA.
        if facts.iter().all(|facts| facts.architecture.is_none()) {
            off.0.insert(names.architecture.clone().into_bytes());
        }
        for _ in 0..ROUNDS {
            let counts: Vec<FxHashMap<&[u8], [usize; 2]>> = files
                .par_iter()
                .map(|file| off.defined(file, context))
                .collect();
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
        file: &BuiltFile<'t>,
        context: Context<'_>,
    ) -> FxHashMap<&'t [u8], [usize; 2]> {
        let BuiltFile {
            text, ref parsed, ..
        } = *file;
        let left_out = self.left_out(text, parsed, context);
        let mut found: FxHashMap<&[u8], [usize; 2]> = FxHashMap::default();
        let directives = parsed.tokens.directives.iter();
        for define in directives.filter(|one| one.kind == DirectiveKind::Define) {
            if let Some(name) = parsed.tokens.get(define.tokens.start) {
                let at = define.range.start;
                let is_away = file.is_away
                    || left_out.contains(at)
                    || parsed.regions.is_dead(at)
                    || matches!(parsed.regions.at(at), Region::NotMusa | Region::OtherVendor);
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
            let mut untaken = Truth::True;
            for (at, branch) in conditional.branches.iter().enumerate() {
                let Some(directive) = parsed.tokens.directives.get(branch.directive) else {
                    continue;
                };
                // The name of an include guard decides nothing.
                let truth = if conditional.is_include_guard && at == 0 {
                    Truth::Unknown
                } else {
                    self.truth(text, parsed, directive, context)
                };
                if untaken.and(truth) == Truth::False {
                    found.push(branch.body);
                }
                untaken = untaken.and(truth.inverse());
            }
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
        let row = context
            .tables
            .get(Section::Names, guards.architecture.as_bytes());
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
