//! Addresses in files of `CMake`'s and Bazel's, from which a build fetches what is built for a release of CUDA's, or what is
//! NVIDIA's: `https://download.pytorch.org/libtorch/cu118/…`, `GIT_REPOSITORY https://github.com/NVIDIA/cccl.git`.

use super::BuildUnit;
use super::grouped_findings::GroupedFindings;
use crate::Outcome;
use memchr::memmem;
use torchada_diagnostic::codes::build::DOWNLOAD;
use torchada_mapping::ends_with_one;
use torchada_mapping::files::BuildLanguage;
use torchada_text::TextRange;

/// What parts the scheme of an address from the rest.
const SCHEME: &[u8] = b"://";

/// Addresses of builds for a release of CUDA's, and of NVIDIA's software.
pub fn check(unit: &BuildUnit<'_>, out: &mut Outcome) {
    if !matches!(unit.language, BuildLanguage::CMake | BuildLanguage::Bazel) {
        return;
    }
    let mut findings = GroupedFindings::new(unit, out);
    let known = &unit.context.knowledge.builds.scripts;
    for at in memmem::find_iter(unit.text, SCHEME) {
        let address = address_around(unit.text, at);
        let shown = unit.shown(address);
        let is_archive = |ending: &String| shown.ends_with(ending.as_str());
        let is_fetched = || {
            known.downloads.archives.iter().any(is_archive)
                || is_behind(unit.text, address.start, &known.downloads.keywords)
        };
        if (known.releases.are_in_address(&shown)
            || known.downloads.is_place(&shown) && is_fetched())
            && !unit.is_comment(address.start)
            && !findings.is_handled(address)
        {
            findings.report(DOWNLOAD, address, &known.downloads.advice);
        }
    }
    findings.finish();
}

/// Whether the word before a place is one of some keywords.
fn is_behind(text: &[u8], at: usize, keywords: &[String]) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let before = before
        .strip_suffix(b"\"")
        .unwrap_or(before)
        .trim_ascii_end();
    ends_with_one(before, keywords)
}

/// The address around the mark behind its scheme.
fn address_around(text: &[u8], mark: usize) -> TextRange {
    let before = text.get(..mark).unwrap_or_default();
    let scheme = before.iter().rev();
    let scheme = scheme.take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'+');
    let behind = text.get(mark..).unwrap_or_default();
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`,;()<>".contains(byte);
    let rest = behind.iter().position(ends).unwrap_or(behind.len());
    TextRange::new(mark - scheme.count(), mark + rest)
}
