//! Notes in a report which facts a run rests on.

use std::path::Path;

use crate::config::{Settings, display_path};
use crate::report::{FactsUsed, Report};

/// Note the facts of a run. The report tells no machines apart, so the file is named without its folders.
pub(super) fn note(report: &mut Report, settings: &Settings) {
    report.facts = settings.facts.value.as_ref().map(|facts| {
        let head = facts.table.head();
        let name = facts.path.file_name().map_or(&*facts.path, Path::new);
        FactsUsed {
            file: display_path(name),
            blake3: facts.hash.to_hex().to_string(),
            sdk: head.sdk.clone(),
            torch_musa: head.torch_musa.clone(),
            releases: head.releases(),
        }
    });
}
