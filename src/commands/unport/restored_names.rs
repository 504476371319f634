//! Gives the words of one file of the patch their CUDA names back.

use std::path::Path;

use super::apply::{self, Patched};
use super::compare::Unlike;
use super::new_stretch::{NewStretch, TextPart};
use super::pieces::{self, PatchPiece};
use super::prose::{TextRole, quiet};
use super::words::{self, OldNames, words_of};
use crate::classify::{FileClass, FileKind, classify};
use crate::commands::analysis::TranslatedTree;
use crate::project::Disposition;
use crate::text::{CoveredBytes, LineIndex, TextRange};
use anyhow::Result;

/// What names of the header of translations begin with, and what follows that in code and in an `#include`.
const OF_HEADER: (&[u8], [&[u8]; 2]) = (b"torchada", [b"::ptx::", b"/ptx.muh"]);

/// A file with CUDA's names.
pub(super) struct Back {
    /// Its path in the tree; `None` for a new one.
    pub(super) old_path: Option<String>,
    /// Its path after the patch; `None` for one that goes.
    pub(super) new_path: Option<String>,
    /// Its text in the tree.
    pub(super) old: Vec<u8>,
    parts: Vec<TextPart>,
    is_copy: bool,
    /// MUSA's words in the new text.
    musas: Vec<MusasWord>,
    /// Parts of what assembly became that the patch leaves or adds: the place and the line.
    torn: Vec<(TextRange, usize)>,
}

/// A word of MUSA's.
struct MusasWord {
    place: TextRange,
    line: usize,
    is_prose: bool,
    word: Vec<u8>,
}

impl Back {
    /// Bring a file back.
    pub(super) fn new(
        one: &Patched,
        before: &TranslatedTree,
        words: &OldNames<'_>,
    ) -> Result<Self> {
        let source = one.source.and_then(|at| before.project.files.get(at));
        let old = one
            .source
            .map_or(Ok(Vec::new()), |at| apply::original(before, at))?;
        let old_path = source.map(|file| file.path.to_string());
        let is_renamed = source.is_none_or(|file| *file.output != *one.path);
        let new_path = one.new.as_ref().map(|_| match &old_path {
            Some(path) if !is_renamed => path.clone(),
            _ => words::old_name(&one.path, words),
        });
        let mut back = Self {
            old_path,
            new_path,
            old,
            parts: Vec::new(),
            is_copy: one.is_copy,
            musas: Vec::new(),
            torn: Vec::new(),
        };
        if let Some(new) = &one.new {
            back.restore(one, new, before, words);
        }
        if one.is_copy {
            back.old_path = None;
            back.old = Vec::new();
        }
        Ok(back)
    }

    /// Give the words of the new text their names back.
    fn restore(
        &mut self,
        one: &Patched,
        new: &[u8],
        before: &TranslatedTree,
        words: &OldNames<'_>,
    ) {
        let source = one.source.and_then(|at| before.project.files.get(at));
        let done = one.source.and_then(|at| before.translated.get(at));
        let edits = done.map_or(&[][..], |done| &done.edits);
        let translated = source.is_none_or(|file| file.disposition == Disposition::Ported);
        let class = source.map_or_else(|| class_of(&one.path, new, words), |file| file.class);
        let quiet = quiet(class, new);
        let lines = LineIndex::new(new);
        let is_assembly = |range: TextRange| {
            let statements = done.map_or(&[][..], |done| &done.ptx.translated);
            statements.iter().any(|(statement, _)| *statement == range)
        };
        let taken = pieces::pieces(&one.old, new, edits);
        for (place, edit) in taken.torn {
            if is_assembly(edit) && !words_of(new, place).is_empty() {
                let line = lines.position(new, place.start).line;
                self.torn.push((place, line));
            }
        }
        let mut near = 0;
        for piece in taken.all {
            match piece {
                PatchPiece::Old(range) => {
                    near = range.end;
                    let text = range.of(&self.old).to_vec();
                    self.parts.push(TextPart::Fixed(text));
                }
                PatchPiece::New(range) if translated => {
                    let stretch = NewStretch {
                        new,
                        near: one.source.map(|file| (file, near)),
                        words,
                        quiet: &quiet,
                        lines: &lines,
                        build: class.language.is_some(),
                        is_cpp: class.kind.is_cpp() || class.kind == FileKind::Musa,
                    };
                    self.note_musas(&stretch, before, range);
                    stretch.parts(range, &mut self.parts);
                }
                PatchPiece::New(range) => {
                    self.parts.push(TextPart::Fixed(range.of(new).to_vec()));
                }
            }
        }
    }

    /// Note MUSA's words in a range of the new text.
    fn note_musas(&mut self, stretch: &NewStretch<'_>, before: &TranslatedTree, range: TextRange) {
        let new = stretch.new;
        for place in words_of(new, range) {
            let role = stretch.quiet.role_of(place);
            let word = place.of(new);
            let behind = new.get(place.end..).unwrap_or_default();
            let is_of_header =
                word == OF_HEADER.0 && OF_HEADER.1.iter().any(|rest| behind.starts_with(rest));
            if role != TextRole::Comment && (is_of_header || stretch.words.is_musas(word, before)) {
                self.musas.push(MusasWord {
                    place,
                    line: stretch.lines.position(new, place.start).line,
                    is_prose: role == TextRole::Text,
                    word: word.to_vec(),
                });
            }
        }
    }

    /// Its text with CUDA's names.
    pub(super) fn text(&self) -> Vec<u8> {
        let mut text = Vec::new();
        for part in &self.parts {
            match part {
                TextPart::Fixed(bytes) => text.extend_from_slice(bytes),
                TextPart::Word { options, taken, .. } => {
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
        let next = |taken: usize, options: usize| (taken + 1 < options).then_some(taken + 1);
        self.take(unlike, path, next)
    }

    /// Take the likeliest names again where the port differs with all of them: a name of MUSA's helps nobody there.
    /// Returns whether there were any.
    pub(super) fn take_likeliest(&mut self, unlike: &[Unlike], path: &str) -> bool {
        self.take(unlike, path, |taken, _| (taken > 0).then_some(0))
    }

    /// Take other names where the port differs. `which` chooses one by the number of the name that is taken now and how
    /// many there are. Returns whether it chose any.
    fn take(
        &mut self,
        unlike: &[Unlike],
        path: &str,
        which: impl Fn(usize, usize) -> Option<usize>,
    ) -> bool {
        let mut is_any = false;
        for part in &mut self.parts {
            if let TextPart::Word {
                options,
                taken,
                line,
                last,
                numbers,
                ..
            } = part
                && let Some(other) = which(*taken, options.len())
                && unlike.iter().any(|one| {
                    one.path == path
                        && (*line..=*last).contains(&one.line)
                        && (line != last || one.is_in(numbers))
                })
            {
                *taken = other;
                is_any = true;
            }
        }
        is_any
    }

    /// What is still there of MUSA's, with its lines: words in code and C++ in place of assembly, and words in texts.
    pub(super) fn left(&self, path: &str) -> (Vec<String>, Vec<String>) {
        let mut gone = CoveredBytes::default();
        let mut found = (Vec::new(), Vec::new());
        let of_assembly = |line: usize| {
            format!(
                "{path}:{line}: this C++ stands in place of assembly, which does not come back: it stays C++"
            )
        };
        for part in &self.parts {
            if let TextPart::Word {
                options,
                taken,
                musa,
                place,
                line,
                is_assembly,
                ..
            } = part
            {
                let stays = options.get(*taken) == Some(musa);
                let is_code = *is_assembly && !musa.starts_with(b"#");
                if stays && is_code {
                    found.0.push(of_assembly(*line));
                }
                if !stays || is_code {
                    gone.insert(*place);
                }
            }
        }
        for (place, line) in &self.torn {
            if !gone.touch(*place) {
                found.0.push(of_assembly(*line));
                gone.insert(*place);
            }
        }
        for one in &self.musas {
            if !gone.touch(one.place) {
                let (line, word) = (one.line, String::from_utf8_lossy(&one.word));
                let (list, why) = if one.is_prose {
                    (&mut found.1, "no port would write it into this text")
                } else {
                    (&mut found.0, "no name of CUDA's is known for it")
                };
                list.push(format!("{path}:{line}: `{word}` stays: {why}"));
            }
        }
        found
    }

    /// Notes about words for which a name was taken that only the tables suggest.
    pub(super) fn notes(&self, path: &str) -> Vec<String> {
        let mut found = Vec::new();
        for part in &self.parts {
            if let TextPart::Word {
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

fn class_of(path: &str, text: &[u8], words: &OldNames<'_>) -> FileClass {
    classify(Path::new(path), text, words.files)
}
