//! Which translations of the last port hold still, and which are new.

use std::path::{Path, PathBuf};

use anyhow::Result;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::kept::{Kept, KeptFile, KeptMade};
use crate::commands::analysis::{Ground, Results, Translated};
use crate::commands::stored::{StoredTranslation, Words};
use crate::project::Project;
use crate::project::digest::Digest;
use crate::project::python::{Asked, Question};

/// The translations of an output.
pub(in crate::commands) struct Translations {
    output: PathBuf,
    identity: [u8; 32],
    /// For each file of the tree, what holds of the last port, with its questions and answers.
    kept: Vec<Option<KeptMade>>,
    questions: Questions,
    /// The hash of each text, in the order of the files.
    hashes: Vec<Option<[u8; 32]>>,
    /// What is to be left for the next run, where that is another.
    new: Option<Kept>,
    counts: Counts,
}

/// How many files were translated.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(in crate::commands) struct Counts {
    /// In this run.
    pub(in crate::commands) anew: usize,
    /// In an earlier one, so that this one took that over.
    pub(in crate::commands) taken: usize,
}

/// Questions, each once, with their places and their answers.
#[derive(Default)]
struct Questions {
    places: FxHashMap<Question<usize>, u32>,
    all: Vec<(Question<usize>, Option<Digest>)>,
}

impl Questions {
    /// The place of a question, whose answer may be known.
    fn place(&mut self, question: &Question<usize>, answer: Option<Digest>) -> Option<u32> {
        if let Some(place) = self.places.get(question) {
            return Some(*place);
        }
        let place = u32::try_from(self.all.len()).ok()?;
        self.all.push((question.clone(), answer));
        self.places.insert(question.clone(), place);
        Some(place)
    }
}

impl Translations {
    pub(super) fn new(output: &Path, identity: [u8; 32]) -> Self {
        Self {
            output: output.to_owned(),
            identity,
            kept: Vec::new(),
            questions: Questions::default(),
            hashes: Vec::new(),
            new: None,
            counts: Counts::default(),
        }
    }

    /// How many files were translated; `None` where nothing of an earlier port was of use.
    pub(in crate::commands) fn counts(&self) -> Option<Counts> {
        Some(self.counts).filter(|counts| counts.taken > 0)
    }

    /// The hash of each text that was read, in the order of the files.
    pub(super) fn hashes(&self) -> &[Option<[u8; 32]>] {
        &self.hashes
    }

    /// Leave them for the next run. Where the output takes no cache, that does everything anew.
    pub(in crate::commands) fn write(&self) {
        if let Some(new) = &self.new {
            let _ = new.write(&self.output);
        }
    }
}

/// Where the files of the last port are in this tree. Names that are not UTF-8 may be shown alike: these
/// are nowhere.
fn places(project: &Project, files: &[KeptFile]) -> Vec<Option<usize>> {
    let mut now: FxHashMap<&str, Option<usize>> = FxHashMap::default();
    for (place, file) in project.files.iter().enumerate() {
        let known = now.entry(&file.path);
        known.and_modify(|one| *one = None).or_insert(Some(place));
    }
    let mut then: FxHashMap<&str, usize> = FxHashMap::default();
    for file in files {
        *then.entry(&file.path).or_default() += 1;
    }
    let is_one = |path: &str| then.get(path) == Some(&1);
    let place = |file: &KeptFile| {
        now.get(&*file.path)
            .copied()
            .flatten()
            .filter(|_| is_one(&file.path))
    };
    files.iter().map(place).collect()
}

/// Whether something becomes of a file, as far as its text goes.
fn counts(project: &Project, index: usize) -> bool {
    let file = project.files.get(index);
    file.is_some_and(|file| file.text.is_some())
}

impl Results for Translations {
    fn known(&mut self, ground: &Ground<'_>) -> Result<Vec<Option<Translated>>> {
        let project = ground.project;
        self.kept = vec![None; project.files.len()];
        let Some(kept) = Kept::read(&self.output).filter(|kept| kept.identity == self.identity)
        else {
            return Ok(Vec::new());
        };
        let places = places(project, &kept.files);
        let to = |old: &usize| places.get(*old).copied().flatten();
        let sight = ground.sight();
        let are_same = kept.modules == sight.modules();
        // What is asked in this tree, where the answer is the same.
        let same: Vec<Option<(Question<usize>, Digest)>> = kept
            .questions
            .par_iter()
            .map(|(question, known)| {
                let question = question.map(to)?;
                let answer = match sight.answer(&question) {
                    None if are_same => Some(*known),
                    None => ground.answer(&question),
                    answer => answer,
                };
                (answer? == *known).then_some((question, *known))
            })
            .collect();
        let words = Words::new();
        let revive = |(file, place): (KeptFile, Option<usize>)| {
            let (place, made) = (place?, file.made?);
            let mut asked = made.asked.iter();
            let holds = asked.all(|&one| same.get(one as usize).is_some_and(Option::is_some))
                && made.key == sight.key(place);
            if !holds {
                return None;
            }
            let text = project.files.get(place)?.text.as_deref();
            let done = match made.stored().ok()? {
                Some(stored) => stored.revive(text.unwrap_or_default(), &words)?,
                None => Translated::default(),
            };
            Some((place, made, done))
        };
        let files: Vec<_> = kept.files.into_iter().zip(places.iter().copied()).collect();
        let held: Vec<_> = files.into_par_iter().filter_map(revive).collect();
        let mut known = vec![None; project.files.len()];
        for (place, mut made, done) in held {
            let asked = made.asked.iter().map(|&one| {
                let (question, answer) = same.get(one as usize)?.as_ref()?;
                self.questions.place(question, Some(*answer))
            });
            let Some(asked) = asked.collect::<Option<_>>() else {
                continue;
            };
            made.asked = asked;
            self.counts.taken += usize::from(counts(project, place));
            if let (Some(slot), Some(kept)) = (known.get_mut(place), self.kept.get_mut(place)) {
                *slot = Some(done);
                *kept = Some(made);
            }
        }
        Ok(known)
    }

    fn made(&mut self, ground: &Ground<'_>, made: &[(usize, Translated, Asked)]) {
        let project = ground.project;
        let sight = ground.sight();
        let stored = |(index, done, _): &(usize, Translated, Asked)| {
            let key = sight.key(*index);
            if *done == Translated::default() {
                return KeptMade::new(key, Vec::new(), None);
            }
            // What failed may do so for reasons that nobody knows.
            if done.failed {
                return None;
            }
            let stored = StoredTranslation::of(done);
            KeptMade::new(key, Vec::new(), Some(&stored))
        };
        self.hashes = sight.texts().to_vec();
        let stored: Vec<Option<KeptMade>> = made.par_iter().map(stored).collect();
        for ((index, _, asked), stored) in made.iter().zip(stored) {
            self.counts.anew += usize::from(counts(project, *index));
            let Some(mut stored) = stored else { continue };
            let questions = asked.questions().map(|one| self.questions.place(one, None));
            let Some(asked) = questions.collect::<Option<_>>() else {
                continue;
            };
            stored.asked = asked;
            if let Some(kept) = self.kept.get_mut(*index) {
                *kept = Some(stored);
            }
        }
        let questions = std::mem::take(&mut self.questions).all;
        let answered = |(question, answer): (Question<usize>, Option<Digest>)| {
            let answer = answer.or_else(|| ground.answer(&question))?;
            Some((question, answer))
        };
        let questions: Option<Vec<_>> = questions.into_par_iter().map(answered).collect();
        let files = project.files.iter().zip(std::mem::take(&mut self.kept));
        self.new = questions.map(|questions| Kept {
            identity: self.identity,
            modules: sight.modules(),
            questions,
            files: files
                .map(|(file, made)| KeptFile {
                    path: file.path.clone(),
                    made,
                })
                .collect(),
        });
    }
}
