//! The rows of a summary about references and files that stay.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::next::LEFT_TO_BUILD;
use crate::diagnostic::KeptReason;
use crate::report::Report;
use crate::report::format::row::row;
use crate::text::counted;

/// The row that counts the references that stay for a reason, where there are any.
pub(super) fn kept(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let mut reasons: BTreeMap<KeptReason, usize> = BTreeMap::new();
    for reference in &report.kept {
        *reasons.entry(reference.reason).or_default() += 1;
    }
    if reasons.is_empty() {
        return Ok(());
    }
    let parts: Vec<String> = reasons
        .iter()
        .map(|(reason, count)| format!("{count} {}", kept_words(*reason)))
        .collect();
    row(out, "kept", &parts.join(", "))
}

/// The row that counts C++ that is not translated in this dialect, where there is any.
pub(in crate::report) fn left_to_build(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let kept = report.kept_paths.iter();
    match kept.filter(|kept| kept.reason == LEFT_TO_BUILD).count() {
        0 => Ok(()),
        left => {
            let files = counted(left, "file");
            let text = format!("{files} of C++, which the port of the build translates");
            row(out, "left", &text)
        }
    }
}

fn kept_words(reason: KeptReason) -> &'static str {
    match reason {
        KeptReason::ProjectDeclared => "declared by the project",
        KeptReason::AliasHeader => "through an alias header",
        KeptReason::VendorBranch => "in another vendor's branch",
        KeptReason::MusaBranch => "in a branch that MUSA decides",
        KeptReason::Vendored => "in a library that is left whole",
        KeptReason::MusaTwin => "beside a MUSA twin",
        KeptReason::MusaBuild => "in what builds for MUSA already",
        KeptReason::Forbidden => "forbidden by the configuration",
        KeptReason::Marker => "on lines that a marker excludes",
        KeptReason::NotADevice => "no device by position",
        KeptReason::Prose => "text for people",
        KeptReason::Scripted => "in functions that TorchScript compiles",
        KeptReason::LeftToBuild => "left to the port of the build",
        KeptReason::NamedBeside => "named by the finding of another place",
        KeptReason::AtRunTime => "translated at run time",
        KeptReason::BesideMusas => "read beside MUSA's name",
        KeptReason::TakenAway => "taken away where they are there",
    }
}
