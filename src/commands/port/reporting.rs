//! Makes the report of a port.

use std::path::Path;

use crate::cli::PortArgs;
use crate::commands::analysis::TranslatedTree;
use crate::commands::{facts, ignores};
use crate::config::{Settings, Write, display_path};
use crate::emit::Plan;
use crate::report::Report;

/// The report of everything up to the writing; findings move over from `done`.
pub(super) fn report(
    args: &PortArgs,
    settings: &Settings,
    done: &mut TranslatedTree,
    plan: &Plan,
) -> Report {
    let mut report = Report {
        input: display_path(&args.path),
        output: matches!(settings.write, Write::Files).then(|| as_typed(args, &plan.output)),
        ..Report::default()
    };
    for file in &plan.files {
        if let Some(source) = &file.source {
            report
                .outputs
                .insert(display_path(source), display_path(&file.path));
        }
    }
    done.account(&mut report);
    facts::note(&mut report, settings);
    ignores::apply(&mut report, settings);
    report
}

/// The output as the user named it, or by its place beside the input: a report must not tell
/// machines apart.
fn as_typed(args: &PortArgs, output: &Path) -> String {
    let name = output.file_name().map(Path::new);
    match (&args.output, name) {
        (Some(typed), _) => display_path(typed),
        (None, Some(name)) if args.in_place || !args.layout.is_empty() => display_path(name),
        (None, Some(name)) => display_path(&args.path.with_file_name(name)),
        (None, None) => String::new(),
    }
}
