//! Commands behind a pipe that write what the command before them prints: `tee`.

use super::scanner::Scanner;
use super::shell::DEVICES;
use super::statement::Word;
use torchada_text::TextRange;

/// What writes into a file what it reads, and prints it.
const COPIER: &[u8] = b"tee";

impl Scanner<'_> {
    /// Whether a pipe stands here, and not `||`.
    pub(super) fn is_pipe(&self) -> bool {
        let around = self
            .text
            .get(self.at.saturating_sub(1)..)
            .unwrap_or_default();
        let around = around.get(..3.min(around.len())).unwrap_or_default();
        self.peek() == Some(b'|') && !around.windows(2).any(|two| two == b"||")
    }

    /// A command is complete, behind the pipe of one whose statements begin at `piped`: what `tee` writes is what that
    /// one prints, `echo "A=1" | tee -a "$GITHUB_ENV"`.
    pub(super) fn finish_behind(&mut self, piped: &mut Option<usize>, words: &mut Vec<Word>) {
        let first = self.found.len();
        let into = piped.and_then(|_| self.copied_into(words));
        self.finish(words);
        let from = piped.take().unwrap_or(first);
        for one in self.found.iter_mut().take(first).skip(from) {
            one.into = one.into.or(into);
        }
    }

    /// The file that `tee` writes.
    fn copied_into(&self, words: &[Word]) -> Option<TextRange> {
        let is_copier = |word: &Word| word.range.of(self.text) == COPIER;
        let behind = words.iter().skip_while(|word| !is_copier(word)).skip(1);
        let mut files = behind.map(|word| {
            let bytes = word.range.of(self.text);
            let quote = usize::from(matches!(bytes.first(), Some(b'"' | b'\'')));
            let end = word.range.end - usize::from(matches!(bytes.last(), Some(b'"' | b'\'')));
            TextRange::new(word.range.start + quote, end.max(word.range.start + quote))
        });
        let file = files.find(|file| !file.of(self.text).starts_with(b"-"))?;
        let name = file.of(self.text);
        (!name.is_empty() && !name.starts_with(DEVICES)).then_some(file)
    }
}
