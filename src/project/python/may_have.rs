//! What a text may have, for which modules are looked at.

/// What a text may have.
#[derive(Clone, Copy, Debug)]
pub struct MayHave<'f> {
    /// A word by itself, or as a part of another one.
    pub(crate) plain: bool,
    /// These names of packages, where that is known.
    pub(crate) packages: Option<&'f [u32]>,
    /// A call of a function whose operator is missing.
    pub(crate) functions: bool,
}

impl MayHave<'_> {
    /// Nothing is known of the text.
    pub(crate) const ALL: Self = Self {
        plain: true,
        packages: None,
        functions: true,
    };
}
