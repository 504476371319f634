//! One file of the patch, back in CUDA's names, and how its port compares with what the patch makes.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use anyhow::Result;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::apply::{self, Patched};
use super::pieces::{self, Piece};
use super::words::{self, Words};
use crate::classify::{Class, FileKind, classify};
use crate::commands::analysis::Tree;
use crate::mapping::files::BuildLanguage;
use crate::project::Standing;
use crate::syntax::cmake::Cmake;
use crate::syntax::{
    LexOptions, TokenKind, hash_comments, is_identifier_part, lex, python_strings,
};
use crate::text::{LineIndex, Places, TextRange};

/// A piece of the text with CUDA's names.
enum Part {
    /// As it is.
    Fixed(Vec<u8>),
    /// A word that may have been several.
    Word {
        /// The likeliest first.
        options: Vec<Vec<u8>>,
        /// Which of them it is.
        taken: usize,
        /// The 1-based line in the patched port.
        line: usize,
        /// Whether nothing but the tables tells which.
        is_open: bool,
        /// What stands in the port.
        musa: Vec<u8>,
        /// Where, in the port after the patch.
        place: TextRange,
    },
}

/// A file with CUDA's names.
pub(super) struct Back {
    /// Its path in the tree; `None` for a new one.
    pub(super) old_path: Option<String>,
    /// Its path after the patch; `None` for one that goes.
    pub(super) new_path: Option<String>,
    /// Its text in the tree.
    pub(super) old: Vec<u8>,
    parts: Vec<Part>,
    is_copy: bool,
    /// Words of MUSA's in what is new: where, in which line, and whether in a text.
    musas: Vec<(TextRange, usize, bool, Vec<u8>)>,
}

impl Back {
    /// Bring a file back.
    pub(super) fn new(one: &Patched, before: &Tree, words: &Words<'_>) -> Result<Self> {
        let source = one.source.and_then(|at| before.project.files.get(at));
        let old = one
            .source
            .map_or(Ok(Vec::new()), |at| apply::original(before, at))?;
        let old_path = source.map(|file| file.path.clone());
        let is_renamed = source.is_none_or(|file| file.output != one.path);
        let new_path = one.new.as_ref().map(|_| match &old_path {
            Some(path) if !is_renamed => path.clone(),
            _ => words::old_name(&one.path, words),
        });
        let mut parts = Vec::new();
        let mut musas = Vec::new();
        if let Some(new) = &one.new {
            let done = one.source.and_then(|at| before.translated.get(at));
            let edits = done
                .filter(|done| done.text.is_some())
                .map_or(&[][..], |done| &done.edits);
            let translated = source.is_none_or(|file| file.standing == Standing::Ported);
            let class = source.map_or_else(|| class_of(&one.path, new, words), |file| file.class);
            let quiet = quiet(class, new);
            let lines = LineIndex::new(new);
            let mut near = 0;
            let build = class.language.is_some();
            for piece in pieces::pieces(&one.old, new, edits) {
                match piece {
                    Piece::Old(range) => {
                        near = range.end;
                        parts.push(Part::Fixed(range.of(&old).to_vec()));
                    }
                    Piece::New(range) if translated => {
                        let near = one.source.map(|file| (file, near));
                        for place in runs(new, range) {
                            let says = quiet.says(place);
                            if says != Says::Comment && words.is_musas(place.of(new), before) {
                                let line = lines.position(new, place.start).line;
                                let word = place.of(new).to_vec();
                                musas.push((place, line, says == Says::Text, word));
                            }
                        }
                        let look = Look {
                            new,
                            near,
                            words,
                            quiet: &quiet,
                            lines: &lines,
                            build,
                        };
                        look.parts(range, &mut parts);
                    }
                    Piece::New(range) => parts.push(Part::Fixed(range.of(new).to_vec())),
                }
            }
        }
        Ok(Self {
            old_path: old_path.filter(|_| !one.is_copy),
            new_path,
            old: if one.is_copy { Vec::new() } else { old },
            parts,
            is_copy: one.is_copy,
            musas,
        })
    }

    /// Its text with CUDA's names.
    pub(super) fn text(&self) -> Vec<u8> {
        let mut text = Vec::new();
        for part in &self.parts {
            match part {
                Part::Fixed(bytes) => text.extend_from_slice(bytes),
                Part::Word { options, taken, .. } => {
                    text.extend_from_slice(options.get(*taken).map_or(&[][..], Vec::as_slice));
                }
            }
        }
        text
    }

    /// The path that is no longer there.
    pub(super) fn gone(&self) -> Option<&String> {
        let old = self.old_path.as_ref().filter(|_| !self.is_copy)?;
        (self.new_path.as_ref() != Some(old)).then_some(old)
    }

    /// Take other names where the port differs. Returns whether there were any.
    pub(super) fn try_others(&mut self, unlike: &[Unlike], path: &str) -> bool {
        let mut tried = false;
        for part in &mut self.parts {
            if let Part::Word {
                options,
                taken,
                line,
                ..
            } = part
                && *taken + 1 < options.len()
                && unlike
                    .iter()
                    .any(|one| one.path == path && one.line == *line)
            {
                *taken += 1;
                tried = true;
            }
        }
        tried
    }

    /// The words of MUSA's that are still there, with their lines: those in code, and those in texts.
    pub(super) fn left(&self, path: &str) -> (Vec<String>, Vec<String>) {
        let mut gone = Places::default();
        for part in &self.parts {
            if let Part::Word {
                options,
                taken,
                musa,
                place,
                ..
            } = part
                && options.get(*taken) != Some(musa)
            {
                gone.insert(*place);
            }
        }
        let mut found = (Vec::new(), Vec::new());
        for (place, line, in_text, word) in &self.musas {
            if !gone.touch(*place) {
                let word = String::from_utf8_lossy(word);
                let said =
                    format!("{path}:{line}: `{word}` stays: no name of CUDA's is known for it");
                let list = if *in_text { &mut found.1 } else { &mut found.0 };
                list.push(said);
            }
        }
        found
    }

    /// What was taken for want of better knowledge.
    pub(super) fn notes(&self, path: &str) -> Vec<String> {
        let mut found = Vec::new();
        for part in &self.parts {
            if let Part::Word {
                options,
                taken,
                line,
                is_open: true,
                musa,
                ..
            } = part
                && let Some(name) = options.get(*taken)
                && name != musa
            {
                let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                let others = options.iter().filter(|one| *one != name && *one != musa);
                let others: Vec<String> = others
                    .take(3)
                    .map(|one| format!("`{}`", shown(one)))
                    .collect();
                found.push(format!(
                    "{path}:{line}: `{}` became `{}`; {} could be meant, too",
                    shown(musa),
                    shown(name),
                    others.join(" or ")
                ));
            }
        }
        found
    }
}

/// The words of a stretch.
fn runs(text: &[u8], range: TextRange) -> Vec<TextRange> {
    let mut found = Vec::new();
    let mut start = range.start;
    for word in range.of(text).split(|byte| !is_identifier_part(*byte)) {
        if !word.is_empty() {
            found.push(TextRange::new(start, start + word.len()));
        }
        start += word.len() + 1;
    }
    found
}

/// What is known around a stretch that is new.
struct Look<'a> {
    new: &'a [u8],
    near: Option<(usize, usize)>,
    words: &'a Words<'a>,
    quiet: &'a Quiet,
    lines: &'a LineIndex,
    build: bool,
}

impl Look<'_> {
    /// The parts of a stretch that is new.
    fn parts(&self, range: TextRange, parts: &mut Vec<Part>) {
        let (new, lines) = (self.new, self.lines);
        let text = range.of(new);
        let mut at = 0;
        for found in self.words.find(text, self.near) {
            let place = TextRange::new(range.start + found.start, range.start + found.end);
            let musa = place.of(new).to_vec();
            let says = self.quiet.says(place);
            let mut options = found.options;
            let stays = says == Says::Comment
                || (says == Says::Text && !found.is_seen)
                || (found.is_ending && says == Says::Code && !self.build);
            if stays {
                // Both would come back the same: what is no name is none.
                continue;
            }
            if !options.contains(&musa) {
                options.push(musa.clone());
            }
            parts.push(Part::Fixed(
                text.get(at..found.start).unwrap_or_default().to_vec(),
            ));
            parts.push(Part::Word {
                options,
                taken: 0,
                line: lines.position(new, place.start).line,
                is_open: found.is_open,
                musa,
                place,
            });
            at = found.end;
        }
        parts.push(Part::Fixed(text.get(at..).unwrap_or_default().to_vec()));
    }
}

/// What a place is for whoever reads the file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Says {
    Code,
    Text,
    Comment,
}

/// What is no code in a text.
#[derive(Default)]
struct Quiet {
    comments: Places,
    texts: Places,
}

impl Quiet {
    fn says(&self, place: TextRange) -> Says {
        if self.comments.touch(place) {
            Says::Comment
        } else if self.texts.touch(place) {
            Says::Text
        } else {
            Says::Code
        }
    }
}

fn class_of(path: &str, text: &[u8], words: &Words<'_>) -> Class {
    classify(Path::new(path), text, words.files)
}

fn quiet(class: Class, text: &[u8]) -> Quiet {
    let mut found = Quiet::default();
    match (class.kind, class.language) {
        (_, Some(BuildLanguage::CMake)) => found.comments.extend(Cmake::read(text).comments),
        (FileKind::Python, _) | (_, Some(_)) => {
            if class.kind == FileKind::Python {
                found.texts.extend(python_strings(text).unwrap_or_default());
            }
            let strings = found.texts.clone();
            let comments = hash_comments(text).into_iter();
            found
                .comments
                .extend(comments.filter(|one| !strings.touch(*one)));
        }
        (kind, None) if kind.is_cpp() || kind == FileKind::Musa => {
            let template = class.template;
            let mut end = 0;
            for token in lex(text, LexOptions { template }).tokens {
                let range = token.range();
                if end < range.start {
                    found.comments.insert(TextRange::new(end, range.start));
                }
                if matches!(token.kind, TokenKind::String | TokenKind::RawString) {
                    found.texts.insert(range);
                }
                end = range.end;
            }
            if end < text.len() {
                found.comments.insert(TextRange::new(end, text.len()));
            }
        }
        _ => {}
    }
    found
}

/// A line whose port is not what the patch makes of it.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Unlike {
    /// The file, in the port.
    path: String,
    /// Its 1-based line there, after the patch.
    line: usize,
    /// What stands in its place in the port of the result; `None` for nothing.
    other: Option<String>,
    /// What is to stand there; `None` for nothing.
    wanted: Option<String>,
}

impl fmt::Display for Unlike {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (path, line) = (&self.path, self.line);
        match (&self.wanted, &self.other) {
            (Some(wanted), Some(other)) => write!(
                f,
                "{path}:{line}: `{wanted}` has no counterpart that a port brings back: it would be `{other}`"
            ),
            (Some(wanted), None) => write!(f, "{path}:{line}: `{wanted}` would not be in the port"),
            (None, Some(other)) => write!(f, "{path}:{line}: the port would have `{other}` here"),
            (None, None) => write!(f, "{path}:{line}: the file would not be there in the port"),
        }
    }
}

/// The lines in which the port of the result is not what the patch makes of the port.
pub(super) fn compare(patched: &[Patched], before: &Tree, after: &Tree) -> Vec<Unlike> {
    let mut wanted: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for (file, done) in before.project.files.iter().zip(&before.translated) {
        if let Some(text) = done.text.as_ref().or(file.text.as_ref()) {
            wanted.insert(file.output.clone(), text.clone());
        }
    }
    for one in patched {
        if let Some(at) = one.source.filter(|_| !one.is_copy)
            && let Some(file) = before.project.files.get(at)
        {
            wanted.remove(&file.output);
        }
    }
    for one in patched {
        if let Some(new) = &one.new {
            wanted.insert(one.path.clone(), new.clone());
        }
    }
    let there: BTreeMap<&str, usize> = after
        .project
        .files
        .iter()
        .enumerate()
        .map(|(at, file)| (file.output.as_str(), at))
        .collect();
    let mut found = Vec::new();
    for (path, text) in &wanted {
        let Some(at) = there.get(path.as_str()) else {
            found.push(Unlike {
                path: path.clone(),
                line: 1,
                other: None,
                wanted: None,
            });
            continue;
        };
        let done = after
            .translated
            .get(*at)
            .and_then(|done| done.text.as_ref());
        let source = after.project.files.get(*at);
        // What nobody reads is copied.
        let Some(new) = done.or(source.and_then(|file| file.text.as_ref())) else {
            continue;
        };
        if new != text {
            differences(path, text, new, &mut found);
        }
    }
    found
}

fn differences(path: &str, wanted: &[u8], got: &[u8], found: &mut Vec<Unlike>) {
    let lines = |text: &'_ [u8]| -> Vec<Vec<u8>> {
        text.split(|&byte| byte == b'\n')
            .map(<[u8]>::to_vec)
            .collect()
    };
    let (want, have) = (lines(wanted), lines(got));
    let shown = |lines: &[Vec<u8>], at: usize| {
        let line = lines.get(at)?;
        Some(String::from_utf8_lossy(line.trim_ascii()).into_owned())
    };
    for op in capture_diff_slices(Algorithm::Patience, &want, &have) {
        if let DiffOp::Equal { .. } = op {
            continue;
        }
        let (old, new) = (op.old_range(), op.new_range());
        for at in 0..old.len().max(new.len()) {
            let (old_at, new_at) = (old.start + at, new.start + at);
            found.push(Unlike {
                path: path.to_owned(),
                line: old_at.min(old.end.saturating_sub(usize::from(!old.is_empty()))) + 1,
                other: (new_at < new.end).then(|| shown(&have, new_at)).flatten(),
                wanted: (old_at < old.end).then(|| shown(&want, old_at)).flatten(),
            });
        }
    }
}
