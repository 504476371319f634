//! Names that edits bear, by which other code finds them: those of rules, and those of what a rule edits beside that.

/// A string that a callee takes: a name of CUDA's.
pub const ARGUMENT: &str = "argument";
/// A string that names a device.
pub const DEVICE: &str = "device-string";
/// A guard on the architecture.
pub const GUARD: &str = "guard";
/// A header.
pub const HEADER: &str = "header";
/// Inline PTX, and a call of a function that stands for an instruction.
pub const INLINE_PTX: &str = "inline-ptx";
/// A member of a class.
pub const MEMBER: &str = "member";
/// A name.
pub const NAME: &str = "name";
/// A name that a macro puts together.
pub const PASTING: &str = "pasted-name";
/// A name behind a namespace or a class.
pub const QUALIFIED: &str = "qualified-name";
/// A question for the version of CUDA.
pub const VERSION: &str = "version";
