//! Fingerprints of findings that stay the same when lines above them come and go.

use std::collections::BTreeMap;

use super::TextOf;
use crate::diagnostic::Finding;

/// How many letters a fingerprint has: 128 bits.
const LETTERS: usize = 32;

/// A fingerprint for each finding, in their order: from the code, the file's path, what the finding
/// is about and the line around it, and a count where several have all that in common. Neither the
/// line's number nor its indent counts, nor the wording of the message.
pub fn fingerprints(findings: &[Finding], text_of: TextOf<'_, '_>) -> Vec<String> {
    let mut seen: BTreeMap<[u8; 32], u32> = BTreeMap::new();
    findings
        .iter()
        .map(|finding| {
            let key = key(finding, text_of);
            let nth = seen.entry(key).or_default();
            let mut hasher = blake3::Hasher::new();
            hasher.update(&key);
            hasher.update(&nth.to_le_bytes());
            *nth += 1;
            let mut letters = hasher.finalize().to_hex().to_string();
            letters.truncate(LETTERS);
            letters
        })
        .collect()
}

/// What a finding is about, whatever stands around it.
fn key(finding: &Finding, text_of: TextOf<'_, '_>) -> [u8; 32] {
    let (text, range) = match &finding.cell {
        Some(cell) => (Some(&*cell.source), cell.range),
        None => (text_of(&finding.path), finding.range),
    };
    let mut hasher = blake3::Hasher::new();
    let mut part = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    part(finding.code.id.as_bytes());
    part(finding.path.as_bytes());
    if let Some(text) = text.filter(|_| !finding.is_whole()) {
        part(range.of(text));
        let start = text.get(..range.start).unwrap_or_default();
        let line = start.iter().rposition(|byte| *byte == b'\n');
        let line = line.map_or(0, |at| at + 1);
        let rest = text.get(line..).unwrap_or_default();
        let end = rest.iter().position(|byte| *byte == b'\n');
        part(
            rest.get(..end.unwrap_or(rest.len()))
                .unwrap_or_default()
                .trim_ascii(),
        );
    }
    hasher.finalize().into()
}
