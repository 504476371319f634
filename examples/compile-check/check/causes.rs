//! Whether the port's report answers for a difference, at the very place of its cause.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use torchada::syntax::{Token, TokenKind, is_identifier_start};

use super::World;
use super::compare::{Difference, Word};
use super::lines::Lines;
use super::owned::{Owned, Spot};
use super::report::Mark;
use super::source::Source;
use super::views::Side;

/// The code of findings about thresholds that got another number.
const RENUMBERED: &str = "CPP051";

/// How deep macros of macros are looked into.
const DEPTH: usize = 6;

/// What is asked for one file in one pass.
pub struct Excuses<'a> {
    world: &'a World<'a>,
    /// Files of the original that the pass read.
    read: &'a [String],
    /// What the preprocessor printed for each line of the original.
    printed: BTreeMap<Spot, BTreeSet<Vec<u8>>>,
    /// Lines of which the preprocessor printed something for the port, in the original.
    ported: BTreeSet<Spot>,
    /// Whether C++ may stand in place of inline PTX: it has to compile, but is other code.
    is_code: bool,
}

/// What differs on one line of the original.
#[derive(Default)]
struct OnLine {
    original: BTreeSet<Vec<u8>>,
    port: BTreeSet<Vec<u8>>,
}

impl<'a> Excuses<'a> {
    /// Get ready to ask for the original `owned`, whose tokens are `words`.
    pub fn new(world: &'a World<'a>, owned: &'a Owned, words: &[Word]) -> Self {
        let mut printed: BTreeMap<Spot, BTreeSet<Vec<u8>>> = BTreeMap::new();
        for word in words {
            if let Some(spot) = owned.spot(word.offset) {
                printed.entry(spot).or_default().insert(word.text.clone());
            }
        }
        Self {
            world,
            read: &owned.files,
            printed,
            ported: BTreeSet::new(),
            is_code: false,
        }
    }

    /// The same for the differences of code, where the port's is there, too.
    pub fn with_port(mut self, port: &Owned, words: &[Word]) -> Self {
        let spots = words.iter().filter_map(|word| port.spot(word.offset));
        let spots: BTreeSet<Spot> = spots.collect();
        self.ported = spots.iter().map(|spot| self.world.back(spot)).collect();
        self.is_code = true;
        self
    }

    /// The codes that answer for a difference; empty where one of its lines has none.
    pub fn difference(&self, difference: &Difference) -> Vec<String> {
        let mut lines: BTreeMap<Spot, OnLine> = BTreeMap::new();
        for (text, spot) in &difference.original {
            let line = lines.entry(spot.clone()).or_default();
            line.original.insert(text.clone());
        }
        for (text, spot) in &difference.port {
            let line = lines.entry(self.world.back(spot)).or_default();
            line.port.insert(text.clone());
        }
        all(lines.iter().map(|(spot, differs)| self.line(spot, differs)))
    }

    /// The codes that answer for a place of the port or the original as a whole: an include, an
    /// error.
    pub fn place(&self, side: Side, spot: &Spot) -> Vec<String> {
        let spot = match side {
            Side::Original => spot.clone(),
            Side::Port => self.world.back(spot),
        };
        let Some(source) = self.source(&spot.file) else {
            return Vec::new();
        };
        let mut codes = self.marks(&spot, &source, &|_, _| true);
        codes.extend(self.guards(&spot, &source, DEPTH));
        codes.extend(self.macros(&spot, &source, DEPTH));
        tidy(codes)
    }

    fn source(&self, file: &str) -> Option<Arc<Source>> {
        let path = self.world.trees.original.join(file);
        self.world.sources.get(&path)
    }

    fn lines(&self, file: &str) -> Arc<Lines> {
        self.world.lines.of(self.world, file)
    }

    fn line(&self, spot: &Spot, differs: &OnLine) -> Vec<String> {
        let Some(source) = self.source(&spot.file) else {
            return Vec::new();
        };
        let printed = self.printed.get(spot);
        let is_cause = |kind: TokenKind, text: &[u8]| {
            let spelled = self.world.tools.canon.token(text);
            differs.original.contains(&*spelled)
                || kind == TokenKind::Identifier
                    && printed.is_none_or(|printed| !printed.contains(&*spelled))
        };
        let mut codes = self.marks(spot, &source, &is_cause);
        codes.extend(self.written_version(spot, &source, differs));
        let lines = self.lines(&spot.file);
        codes.extend(
            lines
                .answers(spot.line, &differs.original, &differs.port)
                .then(translated),
        );
        // A guard keeps whole lines out; it changes none that both sides have.
        if !(self.ported.contains(spot) && printed.is_some()) {
            codes.extend(self.guards(spot, &source, DEPTH));
        }
        if !self.is_spelled_out(spot, &source, differs) {
            codes.extend(self.macros(spot, &source, DEPTH));
        }
        tidy(codes)
    }

    /// The setting that had a version of CUDA's written out, where that is all that differs.
    fn written_version(&self, spot: &Spot, source: &Source, differs: &OnLine) -> Option<String> {
        let number = |text: &Vec<u8>| text.iter().all(u8::is_ascii_digit);
        let are_numbers = differs.original.iter().chain(&differs.port).all(number);
        let mut words = source.words_on_line(spot.line).into_iter();
        let has_version = words.any(|word| self.world.tools.names.is_version(word));
        let is_written = self.world.report.writes_versions && are_numbers && has_version;
        is_written.then(|| "cuda-version".to_owned())
    }

    /// Codes of findings on a line that stand at a token which `is_cause`.
    fn marks(
        &self,
        spot: &Spot,
        source: &Source,
        is_cause: &dyn Fn(TokenKind, &[u8]) -> bool,
    ) -> Vec<String> {
        let marks = self.world.report.on_line(&spot.file, spot.line);
        marks
            .filter(|mark| mark.may_differ())
            .filter(|mark| mark.word != RENUMBERED || self.is_renumbered(mark, spot, source))
            .filter(|mark| {
                (mark.start.line..=mark.end.line).any(|line| {
                    source.on_line(line).iter().any(|token| {
                        is_at(mark, source, *token)
                            && is_cause(token.kind, token.text(&source.text))
                    })
                })
            })
            .map(|mark| mark.word.clone())
            .collect()
    }

    /// Whether a line of the port is the original's but for numbers, and those at the mark are
    /// architectures of MUSA's: a comparison that was turned round is no such line.
    fn is_renumbered(&self, mark: &Mark, spot: &Spot, source: &Source) -> bool {
        let trees = &self.world.trees;
        let port = trees.port.join(trees.ported(&spot.file));
        let Some(port) = self.world.sources.get(&port) else {
            return false;
        };
        let line = self.lines(&spot.file).forth(spot.line);
        let (old, new) = (source.on_line(spot.line), port.on_line(line));
        let canon = &self.world.tools.canon;
        old.len() == new.len()
            && old.iter().zip(new).all(|(old, new)| {
                let (a, b) = (old.text(&source.text), new.text(&port.text));
                let is_number = new.kind == TokenKind::Number && is_at(mark, source, *old);
                if is_number {
                    self.world.tools.names.is_architecture(b)
                } else {
                    canon.token(a) == canon.token(b)
                }
            })
    }

    /// Whether a name that differs is written on the line itself: then no macro brought it.
    fn is_spelled_out(&self, spot: &Spot, source: &Source, differs: &OnLine) -> bool {
        let spelled = |source: &Source, line: usize, differing: &BTreeSet<Vec<u8>>| {
            source.words_on_line(line).into_iter().any(|word| {
                word.first().is_some_and(|&byte| is_identifier_start(byte))
                    && differing.contains(&*self.world.tools.canon.token(word))
            })
        };
        let trees = &self.world.trees;
        let port = trees.port.join(trees.ported(&spot.file));
        let port = self.world.sources.get(&port);
        let line = self.lines(&spot.file).forth(spot.line);
        spelled(source, spot.line, &differs.original)
            || port.is_some_and(|port| spelled(&port, line, &differs.port))
    }

    /// Codes at the guards that open or shut what stands on a line: those of each conditional
    /// around it, up to the branch that holds the line, and of the macros that they ask for.
    fn guards(&self, spot: &Spot, source: &Source, depth: usize) -> Vec<String> {
        let Some(offset) = source.line_start(spot.line).filter(|_| depth > 0) else {
            return Vec::new();
        };
        let mut codes = Vec::new();
        for (conditional, branch) in source.conditionals.around(offset) {
            for opener in conditional.branches.iter().take(branch + 1) {
                for line in source.directive_lines(opener.directive) {
                    let at = Spot {
                        file: spot.file.clone(),
                        line,
                    };
                    codes.extend(self.marks(&at, source, &|_, _| true));
                    if !conditional.is_include_guard {
                        codes.extend(self.macros(&at, source, depth - 1));
                    }
                }
            }
        }
        codes
    }

    /// Codes at the definitions of macros that a line uses, or at the guards around those.
    fn macros(&self, spot: &Spot, source: &Source, depth: usize) -> Vec<String> {
        if depth == 0 {
            return Vec::new();
        }
        let mut codes = Vec::new();
        for token in source.on_line(spot.line) {
            if token.kind != TokenKind::Identifier {
                continue;
            }
            let name = token.text(&source.text);
            for file in self.read {
                let Some(there) = self.source(file) else {
                    continue;
                };
                for lines in there.definitions(name) {
                    if *file == spot.file && lines.contains(&spot.line) {
                        continue;
                    }
                    for line in lines {
                        let at = Spot {
                            file: file.clone(),
                            line,
                        };
                        codes.extend(self.marks(&at, &there, &|_, _| true));
                        let lines = self.lines(file);
                        let is_translated =
                            self.is_code && lines.is_translated(Side::Original, line);
                        codes.extend(is_translated.then(translated));
                        codes.extend(self.guards(&at, &there, depth - 1));
                        codes.extend(self.macros(&at, &there, depth - 1));
                    }
                }
            }
        }
        codes
    }
}

/// What answers for C++ in place of inline PTX.
fn translated() -> String {
    "inline-ptx".to_owned()
}

/// Whether a mark covers a token, or a part of it.
fn is_at(mark: &Mark, source: &Source, token: Token) -> bool {
    let range = token.range();
    mark.start < source.position(range.end) && source.position(range.start) < mark.end
}

/// All codes, where each part has one; none otherwise.
fn all(parts: impl Iterator<Item = Vec<String>>) -> Vec<String> {
    let mut codes = Vec::new();
    for part in parts {
        if part.is_empty() {
            return Vec::new();
        }
        codes.extend(part);
    }
    tidy(codes)
}

fn tidy(mut codes: Vec<String>) -> Vec<String> {
    codes.sort();
    codes.dedup();
    codes
}
