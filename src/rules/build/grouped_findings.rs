//! The findings of a build file: one for each class of places, which lists the lines. Each package is a class of its own.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::codes::{required, sentence};
use super::{BuildUnit, leftovers};
use crate::{Change, Outcome};
use torchada_diagnostic::codes::build::{PACKAGE, TOO_WEAK, WEAK_EVIDENCE};
use torchada_diagnostic::{Code, KeptReason, PackageNeed, PackageUse};
use torchada_mapping::effort::Effort;
use torchada_mapping::python::packages::{Package, PackageRelation, repository};
use torchada_mapping::{Evidence, Relation, Row, has};
use torchada_text::{CoveredBytes, TextRange};

/// Places of one class.
#[derive(Default)]
struct PlaceClass {
    code: Option<Code>,
    /// The texts of the places, in the order of the file, each with its lines.
    things: Vec<(String, Vec<usize>)>,
    /// The index of each text in `things`.
    known: FxHashMap<String, usize>,
    places: Vec<TextRange>,
    /// The same places as in `places`, for lookups.
    taken: FxHashSet<TextRange>,
    reach: CoveredBytes,
    /// The way in which MUSA has the package, where the class is one of packages.
    relation: Option<PackageRelation>,
    advice: Vec<String>,
}

impl PlaceClass {
    /// Add a place on a line, unless the class has it.
    fn add(&mut self, range: TextRange, line: usize, shown: String, advice: &str) {
        if !self.taken.insert(range) {
            return;
        }
        self.places.push(range);
        self.reach.insert(range);
        let at = self.known.get(&shown).copied();
        match at.and_then(|at| self.things.get_mut(at)) {
            Some((_, lines)) if lines.last() != Some(&line) => lines.push(line),
            Some(_) => {}
            None => {
                self.known.insert(shown.clone(), self.things.len());
                self.things.push((shown, vec![line]));
            }
        }
        if !advice.is_empty() && !has(&self.advice, advice) {
            self.advice.push(advice.to_owned());
        }
    }
}

/// Pieces of advice, one after the other: sentences as sentences, others as parts of one.
fn joined(advice: &[String]) -> String {
    let mut text = String::new();
    for one in advice {
        match text.chars().next_back() {
            None => {}
            Some('.' | '!' | '?') => text.push(' '),
            Some(_) => text.push_str("; "),
        }
        text.push_str(one);
    }
    text
}

/// Collects the findings of a file by their codes, and makes one finding of each class at the end.
pub struct GroupedFindings<'a> {
    unit: &'a BuildUnit<'a>,
    out: &'a mut Outcome,
    /// The classes by their codes, and those of packages by their names.
    classes: BTreeMap<(&'static str, String), PlaceClass>,
}

/// The most texts that are listed, and the most lines of each.
const NAMED: usize = 6;

impl<'a> GroupedFindings<'a> {
    /// The findings of a unit, none so far.
    pub fn new(unit: &'a BuildUnit<'a>, out: &'a mut Outcome) -> Self {
        Self {
            unit,
            out,
            classes: BTreeMap::new(),
        }
    }

    /// Whether a place has an edit, a finding or a reason already.
    pub fn is_handled(&self, range: TextRange) -> bool {
        leftovers::is_handled(self.out, range)
            || self.classes.values().any(|class| class.reach.touch(range))
    }

    /// Whether a text has a word of CUDA's in it.
    pub fn is_cudas(&self, range: TextRange) -> bool {
        self.unit
            .context
            .knowledge
            .builds
            .words
            .is_cudas(range.of(self.unit.text))
    }

    /// Whether a stretch holds something that is reported under a code.
    pub fn has(&self, code: Code, range: TextRange) -> bool {
        let mut classes = self.classes.iter().filter(|((id, _), _)| *id == code.id);
        classes.any(|(_, class)| class.reach.touch(range))
    }

    /// Replace the text of a place.
    pub fn replace(&mut self, range: TextRange, to: &str, evidence: Option<Evidence>) {
        if range.of(self.unit.text) != to.as_bytes() {
            let change = Change::new(range, to).evidence(evidence);
            self.unit.apply(self.out, change);
        }
    }

    /// Add a place to the finding of a code; its text is shown as it stands in the file.
    pub fn report(&mut self, code: Code, range: TextRange, advice: &str) {
        let shown = format!("`{}`", self.unit.shown(range).trim());
        self.report_as(code, range, shown, advice);
    }

    /// Add a place that requires a package. `advice` is for what no table has.
    pub fn require(&mut self, range: TextRange, package: Option<&Package>, advice: &str) {
        let shown = self.unit.shown(range);
        let shown = shown.trim();
        let line = self.line(range);
        let Some(package) = package else {
            let shown = format!("`{}`", repository(shown).unwrap_or(shown));
            let class = self.class(PACKAGE, advice);
            class.add(range, line, shown, advice);
            return;
        };
        // `'jax[cuda12]'==0.4.30`: a quote may end within a word.
        let shown = shown.replace(['\'', '"'], "");
        let shown = format!("`{}`", repository(&shown).unwrap_or(&shown));
        let class = self.class(PACKAGE, package.name());
        class.relation = Some(package.relation);
        class.add(range, line, shown, package.advice.trim_end_matches('.'));
        let path = &self.unit.file.path;
        self.out.packages.push(PackageUse {
            package: package.name().to_owned(),
            path: path.to_string(),
            line,
            need: if Effort::builtin().is_auxiliary(path) {
                PackageNeed::Auxiliary
            } else {
                PackageNeed::Required
            },
        });
    }

    /// Add a place to the finding of a code, shown as `shown`.
    pub fn report_as(&mut self, code: Code, range: TextRange, shown: String, advice: &str) {
        let line = self.line(range);
        self.class(code, "").add(range, line, shown, advice);
    }

    /// The class of a code that is called `name`.
    fn class(&mut self, code: Code, name: &str) -> &mut PlaceClass {
        let class = self.classes.entry((code.id, name.to_owned())).or_default();
        class.code = Some(code);
        class
    }

    /// The line of a place, from 1.
    fn line(&self, range: TextRange) -> usize {
        let start = self.unit.in_file(range).start;
        self.unit.lines.position(self.unit.file_text, start).line
    }

    /// Keep a place for a reason.
    pub fn keep(&mut self, range: TextRange, reason: KeptReason) {
        self.unit.keep(self.out, range, reason);
    }

    /// Keep the words of CUDA's in a stretch that have no edit, finding or reason yet.
    pub fn keep_words(&mut self, range: TextRange, reason: KeptReason) {
        for word in leftovers::words_in(self.unit, range) {
            if !self.is_handled(word) {
                self.keep(word, reason);
            }
        }
    }

    /// Apply a row of the tables to a name: edit it, or report it under `code`.
    pub fn apply_row(&mut self, range: TextRange, row: &Row, code: Code) {
        let advice = row.advice.as_deref().unwrap_or_default();
        let evidence = row.evidence.unwrap_or(Evidence::Rule);
        match (row.relation, row.to.as_deref()) {
            (Relation::Same, _) => {}
            (Relation::Renamed, Some(to)) if evidence <= self.unit.settings.min_evidence => {
                self.replace(range, to, Some(evidence));
                if evidence > Evidence::Table {
                    let why = match evidence {
                        Evidence::Contested => "public sources disagree",
                        _ => "a rule alone gives it",
                    };
                    let shown = format!("`{to}` in place of `{}`: {why}", row.cuda);
                    self.report_as(WEAK_EVIDENCE, range, shown, advice);
                }
            }
            (Relation::Renamed, _) => self.report(TOO_WEAK, range, advice),
            _ => self.report(code, range, advice),
        }
    }

    /// Add the findings to the outcome.
    pub fn finish(self) {
        for class in self.classes.into_values() {
            let (Some(code), Some(&first)) = (class.code, class.places.iter().min()) else {
                continue;
            };
            let line = |lines: &[usize]| -> String {
                let shown: Vec<String> = lines.iter().take(NAMED).map(usize::to_string).collect();
                let more = if lines.len() > NAMED { ", …" } else { "" };
                let word = if lines.len() > 1 { "lines" } else { "line" };
                format!("{word} {}{more}", shown.join(", "))
            };
            // A command in a string is as good as one line of its file.
            let single = self.unit.fragment.is_some()
                || class.things.len() == 1
                    && class.things.iter().all(|(_, lines)| lines.len() == 1);
            let mut shown: Vec<String> = Vec::new();
            for (thing, lines) in class.things.iter().take(NAMED) {
                shown.push(if single {
                    thing.clone()
                } else {
                    format!("{thing} ({})", line(lines))
                });
            }
            if class.things.len() > NAMED {
                shown.push(format!("{} more", class.things.len() - NAMED));
            }
            let list = match shown.split_last() {
                Some((last, [])) => last.clone(),
                Some((last, front)) => format!("{} and {last}", front.join(", ")),
                None => continue,
            };
            let many = class.things.len() > 1;
            let message = class.relation.map_or_else(
                || sentence(code, &list, many),
                |relation| required(relation, &list, many),
            );
            let finding = self.unit.finding(code, first, message);
            let advice = Some(joined(&class.advice)).filter(|advice| !advice.is_empty());
            self.out.report(finding.help_if_any(advice));
            for place in class.places {
                // What an edit covers speaks for itself.
                let edited = self.out.edits.touches(place);
                if place != first && !edited {
                    self.unit.keep(self.out, place, KeptReason::NamedBeside);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_in_sentences_stays_in_sentences() {
        let joined = |advice: [&str; 2]| joined(&advice.map(str::to_owned));
        assert_eq!(
            joined(["Leave it out.", "Or not."]),
            "Leave it out. Or not."
        );
        assert_eq!(joined(["leave it out", "or not"]), "leave it out; or not");
    }
}
