//! What the index of the tree's words says of a module before its text is searched.

/// Which of the words for which modules are looked at a text may have.
#[derive(Clone, Copy, Debug)]
pub struct EntryHints<'f> {
    /// Whether it may have a word that names no package.
    pub(crate) plain: bool,
    /// The words for packages that the text may have, by their places in the list; `None` where that is not known.
    pub(crate) packages: Option<&'f [u32]>,
    /// Whether the text may call a function whose operator is missing.
    pub(crate) functions: bool,
}

impl EntryHints<'_> {
    /// Nothing is known of the text.
    pub(crate) const ALL: Self = Self {
        plain: true,
        packages: None,
        functions: true,
    };
}
