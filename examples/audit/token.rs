//! What a scan makes.

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Blanks, line ends and continued line ends.
    Space,
    /// `// …` or `/* … */`.
    Comment,
    /// An identifier or keyword; one that is continued on the next line is one token.
    Identifier,
    /// A preprocessing number, with digit separators and suffixes.
    Number,
    /// A string literal with its prefix, plain or raw.
    String,
    /// A character literal with its prefix.
    Character,
    /// What an include names, with its quotes or brackets.
    Header,
    /// The text of `#error` and `#warning`.
    Prose,
    /// One byte of anything else.
    Punctuation,
}

/// A piece of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    /// What it is.
    pub(crate) kind: Kind,
    /// Offset of its first byte.
    pub(crate) start: usize,
    /// Offset one past its last byte.
    pub(crate) end: usize,
    /// Whether it lies in a preprocessor line.
    pub(crate) directive: bool,
}

impl Token {
    /// The token's bytes.
    pub(crate) fn of<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        text.get(self.start..self.end).unwrap_or_default()
    }

    /// Whether the token means something to a compiler.
    pub(crate) fn is_significant(&self) -> bool {
        !matches!(self.kind, Kind::Space | Kind::Comment)
    }
}

/// An identifier as the compiler sees it: without line continuations.
pub(crate) fn spelling(raw: &[u8]) -> std::borrow::Cow<'_, [u8]> {
    if raw.contains(&b'\\') {
        let bytes = raw.iter().copied();
        bytes
            .filter(|byte| is_word(*byte))
            .collect::<Vec<u8>>()
            .into()
    } else {
        raw.into()
    }
}

/// Whether a byte can be part of an identifier. Bytes beyond ASCII can: compilers take them.
pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}
