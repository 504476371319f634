//! Names behind a namespace of CUDA's that no table knows.

use crate::Outcome;
use crate::cpp::CppUnit;
use crate::cpp::verdict::keep_if;
use torchada_diagnostic::codes::cpp::{ABSENT_NAME, UNKNOWN_NAME};
use torchada_mapping::Section;

use super::chain::QualifiedName;

impl QualifiedName {
    /// `cuda::X` that no table knows and no namespace of the project explains is libcu++'s.
    pub(super) fn unresolved(&self, unit: &CppUnit<'_>, out: &mut Outcome) {
        let root = self.parts.first().map(|part| part.text(unit.text));
        let outside = |name: &[u8]| {
            std::str::from_utf8(name).is_ok_and(|name| {
                unit.project.outside_folders.contains(name)
                    && !unit
                        .project
                        .namespaces
                        .iter()
                        .any(|path| path == name || path.ends_with(&format!("::{name}")))
            })
        };
        let range = self.range();
        // Only a root with CUDA's own name: `torch::` has far more that is not CUDA's.
        let library =
            root.is_some_and(|root| unit.context.tables.stem(root).is_some() && outside(root));
        let same = root.is_some_and(|root| unit.context.row(Section::Namespaces, root).is_some());
        if !library
            || same
            || self.parts.len() < 2
            || keep_if(unit, out, range, unit.foreign(range))
        {
            return;
        }
        for &part in &self.parts {
            out.claim(part);
        }
        let shown = String::from_utf8_lossy(range.of(unit.text)).into_owned();
        let root = root.map(String::from_utf8_lossy).unwrap_or_default();
        let tables = unit.context.tables;
        let facts = tables.facts().filter(|_| tables.facts_list(&root));
        let finding = if let Some(facts) = facts {
            let sdk = facts.sdk_name();
            let message = format!("{sdk} has no `{shown}`: no header of the SDK declares it");
            unit.finding(ABSENT_NAME, range, message)
        } else {
            let front = format!("{root}::");
            let mut inside = tables.rows(Section::Namespaces);
            let inside = inside.find(|row| row.cuda.starts_with(&front));
            let silence = inside.and_then(|row| tables.why_facts_are_silent(&row.library));
            let silence = silence.map_or_else(String::new, |why| format!(": {why}"));
            let message = format!("`{shown}` has no known MUSA counterpart{silence}");
            unit.finding(UNKNOWN_NAME, range, message)
        };
        out.report(
            finding.help(
                "look for it in the SDK's headers, or write it with the C++ standard library",
            ),
        );
    }
}
