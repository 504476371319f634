//! What a port leaves behind to know its own files by.

/// The folder of an output that belongs to this program.
pub const STATE_DIR: &str = ".torchada";
/// The manifest's path in an output.
pub const MANIFEST: &str = ".torchada/manifest.json";
/// The report's path in an output.
pub const REPORT: &str = ".torchada/report.json";

/// What the last port wrote.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Manifest {}
