//! Choices of the user's that several rooms act upon.

/// Whether source files get MUSA's endings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rename {
    /// Where the build recognises MUSA's endings only, and where no file that is not translated names the file.
    #[default]
    Auto,
    /// Wherever every file that names it can be edited.
    Always,
    /// Nowhere.
    Never,
}

/// The names that the result is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dialect {
    /// MUSA's throughout.
    #[default]
    Musa,
    /// CUDA's, which the package for run time translates: only what it can't mend changes, and C++ is left to the build.
    Portable,
}

/// What happens to a library that the tree carries along.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Vendored {
    /// The library stays whole, with one finding.
    #[default]
    Keep,
    /// The library stays whole, and the code uses MUSA's counterpart where that has every header that is used.
    Swap,
    /// The library is translated like the rest. No user has this choice: a file that is ported alone belongs to none.
    Port,
}
