//! The result of translating one file.

use std::borrow::Cow;

use crate::diagnostic::{Applicability, Finding, Kept, PackageUse};
use crate::edit::{Edit, EditSet, Edits};
use crate::project::NotBuilt;
use crate::ptx::FileOutcome;
use crate::rules::suppression::{self, Commented};
use crate::rules::{Outcome, Unit};
use crate::text::TextRange;
use crate::verify::{WITHDRAWN, Withdrawn};

/// The result of translating one file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Translated {
    /// The edits that are made. The new text is not kept: they make it of the old one.
    pub edits: Edits,
    /// The findings.
    pub findings: Vec<Finding>,
    /// Findings that a marker in a comment hides.
    pub suppressed: Vec<Finding>,
    /// References that stay for a reason that is no fault.
    pub kept: Vec<Kept>,
    /// Where packages that are made for CUDA are asked for.
    pub packages: Vec<PackageUse>,
    /// What became of inline PTX.
    pub ptx: FileOutcome,
    /// The places of edits that were withdrawn.
    pub withdrawn: Vec<TextRange>,
    /// Why no build for MUSA compiles the file, where its findings are counted apart for that.
    pub not_built: Option<NotBuilt>,
    /// Branches that no build for MUSA compiles, in a file that one may.
    pub branches_not_built: Vec<(TextRange, NotBuilt)>,
    /// The top package that the file belongs to, where the start of a package or a program loads the file.
    pub loaded_package: Option<String>,
    /// Whether the file could not be done.
    pub failed: bool,
}

impl Translated {
    /// Whether the file does not stay byte for byte.
    pub fn is_changed(&self) -> bool {
        !self.edits.is_empty()
    }

    /// Whether the file has something to do with CUDA.
    pub fn involves_cuda(&self) -> bool {
        self.is_changed() || !self.findings.is_empty() || !self.packages.is_empty()
    }

    /// The file's text after the edits.
    pub fn text<'t>(&self, old: &'t [u8]) -> Cow<'t, [u8]> {
        if self.is_changed() {
            Cow::Owned(self.edits.apply(old).text)
        } else {
            Cow::Borrowed(old)
        }
    }

    /// Give back what lists and texts have room for and do not use: there are tens of thousands of them until the run ends.
    pub(super) fn shrink(&mut self) {
        for finding in self.findings.iter_mut().chain(&mut self.suppressed) {
            finding.message.shrink_to_fit();
            if let Some(help) = &mut finding.help {
                help.shrink_to_fit();
            }
        }
        self.findings.shrink_to_fit();
        self.suppressed.shrink_to_fit();
        self.kept.shrink_to_fit();
        self.packages.shrink_to_fit();
        self.branches_not_built.shrink_to_fit();
    }

    /// Whether nothing is left of the translation: every edit was taken back.
    pub fn is_undone(&self) -> bool {
        !self.is_changed() && !self.withdrawn.is_empty()
    }
}

/// Decide on what the rules want of a whole file, without what comments hide and what `withdraw` takes out as broken.
pub(super) fn finish<C: Commented>(
    unit: &Unit<'_, C>,
    mut out: Outcome,
    withdraw: impl FnOnce(&mut EditSet) -> Vec<Withdrawn>,
) -> Translated {
    let settings = unit.settings;
    let suppressed = suppression::apply(unit, &mut out);
    out.edits.retain(|edit| match edit.applicability {
        Applicability::Safe => true,
        Applicability::Unsafe => settings.unsafe_edits,
        Applicability::DisplayOnly => false,
    });
    let withdrawn = settings.timed("verification", || withdraw(&mut out.edits));
    let mut findings = out.findings;
    findings.extend(withdrawn.iter().flat_map(|group| taken_back(unit, group)));
    Translated {
        edits: out.edits.into(),
        findings,
        suppressed,
        kept: out.kept,
        packages: out.packages,
        ptx: out.ptx,
        withdrawn: withdrawn
            .iter()
            .flat_map(|group| group.edits.iter().map(|edit| edit.range))
            .collect(),
        not_built: None,
        branches_not_built: Vec::new(),
        loaded_package: None,
        failed: false,
    }
}

/// The findings about edits that were taken back.
fn taken_back<C>(unit: &Unit<'_, C>, group: &Withdrawn) -> Vec<Finding> {
    let text = unit.file_text;
    let about = |edit: &Edit| {
        let shown = String::from_utf8_lossy(edit.range.of(text)).into_owned();
        let to = String::from_utf8_lossy(&edit.replacement).into_owned();
        let message = format!(
            "`{shown}` stays: `{to}` in its place was taken back, because {}",
            group.why
        );
        let (path, lines) = (&unit.file.path, unit.lines);
        Finding::at(WITHDRAWN, path, text, lines, edit.range, message)
            .help("translate this place by hand, and please report it")
    };
    group.edits.iter().map(about).collect()
}
