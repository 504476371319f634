//! What a run made, as bytes: so that another run can take it over.
//!
//! Architecture invariant: what comes back is exactly what was stored, or nothing. Whatever names a
//! code or a rule that this program does not have, or does not fit the text that it was made of, is
//! as good as absent, and the work is done again.

mod envelope;
mod finding;
mod identity;
mod report;
mod translation;
mod words;

pub(super) use envelope::{Envelope, Unusable};
pub(super) use identity::Identity;
pub(super) use report::StoredReport;
pub(super) use translation::StoredTranslation;
pub(super) use words::Words;

#[cfg(test)]
mod tests {
    use std::path::Path;

    use clap::Parser;

    use super::{Envelope, StoredTranslation, Unusable, Words};
    use crate::cli::{Cli, Command};
    use crate::commands::analysis::{self, Translated};
    use crate::config::Settings;
    use crate::progress::Silent;

    const KIND: Envelope = Envelope {
        kind: "a test",
        program: "this",
    };

    /// What becomes of every file of every fixture, with its text.
    fn translations() -> Vec<(String, Vec<u8>, Translated)> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
        let mut found = Vec::new();
        for folder in std::fs::read_dir(root).expect("fixtures") {
            let folder = folder.expect("readable").path();
            if !folder.is_dir() {
                continue;
            }
            let arguments = std::fs::read_to_string(folder.join("args")).unwrap_or_default();
            let input = folder.join("input");
            let mut line = vec!["torchada", "port", input.to_str().expect("UTF-8")];
            line.extend(arguments.split_whitespace());
            let Command::Port(args) = Cli::try_parse_from(line).expect("sound").command else {
                unreachable!("the line says port");
            };
            let settings = Settings::port(&args).expect("sound");
            let tree = analysis::with_lore(&settings, |lore, rules| {
                analysis::tree(&settings, lore, rules, &Silent)
            });
            let tree = tree.expect("translated");
            for (source, done) in tree.project.files.into_iter().zip(tree.translated) {
                found.push((source.path, source.text.unwrap_or_default(), done));
            }
        }
        found
    }

    #[test]
    fn every_translation_comes_back_as_it_was() {
        let words = Words::new();
        let all = translations();
        assert!(all.iter().any(|(_, _, done)| !done.edits.is_empty()));
        for (path, text, done) in all {
            for edit in done.edits.iter() {
                let known = words.rule(edit.rule).is_some();
                assert!(known, "`{}` is in no list of names", edit.rule);
            }
            for finding in done.findings.iter().chain(&done.suppressed) {
                let known = words.code(&finding.code.into()).is_some();
                assert!(known, "{:?} is in no list of codes", finding.code);
            }
            let stored = StoredTranslation::of(&done);
            let bytes = KIND.bytes(&stored).expect("bytes");
            let read: StoredTranslation = KIND.read(&bytes).expect("sound");
            assert_eq!(read.revive(&text, &words), Some(done), "{path}");
        }
    }

    #[test]
    fn a_translation_of_another_text_does_not_come_back() {
        let words = Words::new();
        let all = translations();
        let edited = |done: &Translated| done.edits.iter().any(|edit| edit.range.end > 4);
        let (.., done) = all.iter().find(|(_, _, done)| edited(done)).expect("one");
        let stored = StoredTranslation::of(done);
        assert_eq!(stored.revive(b"int", &words), None);
    }

    #[test]
    fn bytes_that_are_not_as_they_were_written_are_refused() {
        let bytes = KIND.bytes(&vec![1_u32, 2, 3]).expect("bytes");
        let read = |bytes: &[u8]| KIND.read::<Vec<u32>>(bytes);
        assert_eq!(read(&bytes), Ok(vec![1, 2, 3]));
        let mut flipped = bytes.clone();
        *flipped.last_mut().expect("some") ^= 1;
        assert_eq!(read(&flipped), Err(Unusable::Damaged));
        assert_eq!(read(&bytes[..bytes.len() - 1]), Err(Unusable::Damaged));
        assert_eq!(read(b"words"), Err(Unusable::Foreign));
        let other = Envelope {
            program: "that",
            ..KIND
        };
        let refused = other.read::<Vec<u32>>(&bytes);
        assert_eq!(refused, Err(Unusable::Program("this".to_owned())));
    }
}
