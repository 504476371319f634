//! The releases of CUDA's that conditions of the preprocessor's, and assertions, ask for.

use torchada_mapping::{GuardWords, VersionForm};
use torchada_syntax::{DirectiveKind, TokenKind, Tokens, integer};
use torchada_text::TextRange;

/// A release, major and minor.
pub(super) type Release = (u32, u32);

/// Stops the build where what it is given does not hold.
const ASSERTION: &[u8] = b"static_assert";

/// The releases that the conditions and assertions of a file compare versions of CUDA's with, each with the place of the
/// macro.
pub(super) fn compared_releases(
    tokens: &Tokens,
    source: &[u8],
    words: &GuardWords,
) -> Vec<(Release, TextRange)> {
    let comparisons = Comparisons {
        tokens,
        source,
        words,
    };
    let mut found = Vec::new();
    // The code refuses the release that `#if CUDART_VERSION == 11000` and `#error` name.
    let all = tokens.directives.iter();
    let refuses = all
        .clone()
        .skip(1)
        .map(|one| one.kind == DirectiveKind::Message);
    for (directive, refuses) in all.zip(refuses.chain([false])) {
        let places = directive.tokens.clone();
        found.extend(places.filter_map(|at| comparisons.at(at, refuses)));
    }
    let all = 0..tokens.tokens.len();
    for start in all.filter(|&at| comparisons.text(at) == ASSERTION) {
        // Its message ends what it asks for.
        let places = start..tokens.tokens.len();
        let places = places.take_while(|&at| !matches!(comparisons.text(at), b"," | b";"));
        found.extend(places.filter_map(|at| comparisons.at(at, false)));
    }
    found
}

/// The tokens of a file, as far as versions are compared there.
struct Comparisons<'f> {
    tokens: &'f Tokens,
    source: &'f [u8],
    words: &'f GuardWords,
}

impl<'f> Comparisons<'f> {
    fn text(&self, at: usize) -> &'f [u8] {
        self.tokens.word(at, self.source)
    }

    fn number(&self, at: usize) -> Option<u32> {
        let token = self.tokens.get(at)?;
        let number = (token.kind == TokenKind::Number).then(|| integer(token.text(self.source)));
        u32::try_from(number.flatten()?).ok()
    }

    /// The release that the macro at a place is compared with.
    fn at(&self, at: usize, refuses: bool) -> Option<(Release, TextRange)> {
        let form = self.words.version(self.text(at))?;
        let release = match self.text(at + 1) {
            b"==" if refuses => return None,
            b"*" if form == VersionForm::Major => self.of_sum(at)?,
            b"==" if form == VersionForm::Major => self.of_pair(at)?,
            b"==" | b">=" | b">" | b"<" | b"<=" => form.release(self.number(at + 2)?)?,
            _ => return None,
        };
        Some((release, self.tokens.get(at)?.range()))
    }

    /// `(MAJOR * 100 + MINOR) >= 1106`
    fn of_sum(&self, at: usize) -> Option<Release> {
        let of_major = self.number(at + 2).filter(|&factor| factor > 0)?;
        let is_minor = self.words.version(self.text(at + 4)) == Some(VersionForm::Minor);
        if self.text(at + 3) != b"+" || !is_minor {
            return None;
        }
        let (of_minor, behind) = match self.text(at + 5) {
            b"*" => (self.number(at + 6).filter(|&factor| factor > 0)?, at + 7),
            _ => (1, at + 5),
        };
        let mut places = behind..self.tokens.tokens.len();
        let sign = places.find(|&place| self.text(place) != b")")?;
        let value = matches!(self.text(sign), b"==" | b">=" | b">" | b"<" | b"<=")
            .then(|| self.number(sign + 1));
        let value = value.flatten()?;
        Some((value / of_major, value % of_major / of_minor))
    }

    /// `MAJOR == 11 && MINOR >= 6`
    fn of_pair(&self, at: usize) -> Option<Release> {
        let major = self.number(at + 2)?;
        let is_minor = self.words.version(self.text(at + 4)) == Some(VersionForm::Minor);
        let asks = self.text(at + 3) == b"&&" && is_minor && self.text(at + 5) == b">=";
        let minor = asks.then(|| self.number(at + 6)).flatten();
        Some((major, minor.unwrap_or(0)))
    }
}
