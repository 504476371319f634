//! From translated files to the plan that is written or shown, and to the report.

use std::io;
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use anyhow::Result;

use super::shown::{self, EXAMPLES};
use super::written::Written;
use super::{checking, planning, ptx_header, reporting, runtime};
use crate::cli::{Exit, PortArgs};
use crate::commands::Streams;
use crate::commands::analysis::{self, Run, TranslatedTree};
use crate::commands::cache::{Cache, Inputs};
use crate::config::{Mode, Settings, Write, display_path};
use crate::diagnostic::codes::project::CASE_TWINS;
use crate::emit::{self, Content, Emitted, Plan, Stamp};
use crate::mapping::Tables;
use crate::mapping::effort::Effort;
use crate::progress::Progress;
use crate::report::{self, Closing, Report};

/// Write, or show, and report.
///
/// # Errors
/// When the output can't be written at all, or the name of the package for run time is taken.
pub fn write(
    args: &PortArgs,
    run: Run<'_>,
    mut done: TranslatedTree,
    cache: Option<&Cache>,
    streams: &mut Streams<'_>,
) -> Result<Written> {
    let settings = run.settings;
    let mut plan = planning::plan(settings, &done);
    let stub = runtime::add(settings, &done, run.context.tables, &mut plan)?;
    ptx_header::add(settings, &done, &mut plan)?;
    let has_output = matches!(settings.write, Write::Files | Write::Check);
    if has_output && settings.mode.output_folder().is_some() && !settings.force {
        emit::refuse_other_input(&plan, &display_path(&args.path))?;
    }
    if settings.write == Write::Check {
        return Ok(checking::run(args, settings, &done, &plan, streams)?.into());
    }
    let mut report = reporting::report(args, settings, &mut done, &plan);
    report.stub = stub;
    match settings.write {
        Write::Diff { by_rule } => {
            if by_rule {
                emit::by_rule(&shown::edit_lines(&done), EXAMPLES, streams.out)?;
            } else {
                shown::diff(&done, &plan, streams)?;
            }
            streams.out.flush()?;
            reporting::failures(&report, streams.err)?;
            if !by_rule && stub > 0 && !settings.quiet && runtime::is_named(&done) {
                report::package_not_in_diff(stub, streams.err)?;
            }
            Ok(exit(&report).into())
        }
        Write::Check | Write::Nothing => {
            report.grade(Effort::builtin());
            let closing = Closing {
                dry_run: true,
                ..Closing::default()
            };
            Ok(conclude(settings, &report, &closing, streams)?.into())
        }
        Write::Files => {
            let inputs = cache.map(|cache| (cache, Inputs::of(&done)));
            let map = emit::map_bytes(&planning::map(settings, &done));
            done.texts.check()?;
            // Writing reads each source again; nothing else of what was read is needed.
            drop(done);
            let (report, closing, may_cache) =
                emit_plan(settings, &plan, report, &map, streams.progress)?;
            drop((plan, map));
            if let Some((cache, inputs)) = inputs.filter(|_| may_cache) {
                cache.keep(&inputs, &report);
            }
            let exit = conclude(settings, &report, &closing, streams)?;
            Ok(Written {
                exit: match closing.edits.conflicts {
                    0 => exit,
                    _ => Exit::Partial,
                },
                report: Some(report),
            })
        }
    }
}

fn exit(report: &Report) -> Exit {
    if report.withdrawn > 0 || report.files.failed > 0 {
        Exit::Partial
    } else {
        Exit::Done
    }
}

/// End a run as the report says.
///
/// # Errors
/// When the report can't be written where it is to go.
pub(super) fn conclude(
    settings: &Settings,
    report: &Report,
    closing: &Closing,
    streams: &mut Streams<'_>,
) -> Result<Exit> {
    let mut closing = closing.clone();
    reporting::write_again(settings, report)?;
    if let Some(path) = &settings.report {
        closing.report = Some(path.display().to_string());
    }
    if settings.quiet {
        reporting::failures(report, streams.err)?;
    } else {
        report::fitted(streams.err, streams.err_columns, |err| {
            report::ported(report, &closing, err)
        })?;
    }
    Ok(exit(report))
}

/// Write, and say what came of it, and whether the same again would come to the same.
fn emit_plan(
    settings: &Settings,
    plan: &Plan,
    report: Report,
    map: &[u8],
    progress: &dyn Progress,
) -> Result<(Report, Closing, bool)> {
    let settings_stamp = settings.stamp();
    let scale = Effort::builtin();
    let report = Mutex::new(report);
    let with = |emitted: &Emitted| {
        let mut full = std::mem::take(&mut *report.lock().unwrap_or_else(PoisonError::into_inner));
        count_failed(&mut full, emitted, plan);
        full.findings.extend(emitted.findings.iter().cloned());
        full.sort();
        full.grade(scale);
        full
    };
    // The report that is written into the output is the one that is printed.
    let full = OnceLock::new();
    let write = |emitted: &Emitted, out: &mut dyn io::Write| {
        report::json(full.get_or_init(|| with(emitted)), out)
    };
    let stamp = Stamp {
        tables: Tables::version(),
        settings: &settings_stamp,
        report: Some(&write),
        map: Some(map),
        progress,
    };
    let emitted = match settings.mode {
        Mode::Layout { .. } => emit::beside(plan, &stamp, settings.force)?,
        Mode::InPlace { .. } => emit::in_place(plan, settings.force, progress)?,
        _ => emit::tree(plan, &stamp)?,
    };
    progress.end();
    let own = match settings.mode {
        Mode::InPlace { .. } => Closing::default(),
        _ => written(&plan.output),
    };
    let removed = match settings.mode {
        // There the old names of renamed files go.
        Mode::InPlace { .. } => 0,
        _ => emitted.removed.len(),
    };
    let closing = Closing {
        edits: checking::edits(emitted.edits),
        removed,
        restored: emitted.edits.restored,
        ..own
    };
    let report = full.into_inner().unwrap_or_else(|| with(&emitted));
    // What a person did to the output may look otherwise to the next run.
    let mut findings = emitted.findings.iter();
    let may_cache = emitted.edits.all() == 0
        && report.files.failed == 0
        && findings.all(|one| one.code == CASE_TWINS);
    Ok((report, closing, may_cache))
}

/// Report the files that could not be written, and count each as failed in place of what was planned for it.
fn count_failed(report: &mut Report, emitted: &Emitted, plan: &Plan) {
    for failed in &emitted.failed {
        let path = display_path(failed.source.as_ref().unwrap_or(&failed.path));
        let finding = analysis::failed(&path, &failed.message);
        report.findings.push(finding);
        report.files.failed += 1;
        let mut planned = plan.files.iter();
        let planned = planned.find(|file| file.path == failed.path);
        let count = planned.and_then(|file| match (&file.content, &file.source) {
            (Content::Copy, Some(_)) => Some(&mut report.files.copied),
            (Content::Edited(_), Some(_)) => Some(&mut report.files.ported),
            (Content::Link(_), Some(_)) => Some(&mut report.files.links),
            _ => None,
        });
        if let Some(count) = count {
            *count = count.saturating_sub(1);
        }
    }
}

/// The places of a port's own files.
pub(super) fn written(output: &Path) -> Closing {
    let at = |name: &str| Some(output.join(name).display().to_string());
    Closing {
        report: at(emit::REPORT),
        manifest: at(emit::MANIFEST),
        ..Closing::default()
    }
}
