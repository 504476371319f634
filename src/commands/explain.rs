//! `torchada explain` and `torchada rules`: what the codes of findings mean, and those of the doctor's checks.

use anyhow::Result;

use super::{Streams, codes, columns};
use crate::cli::{Exit, ExplainArgs, RulesArgs};
use crate::mapping::codes::Explanations;
use crate::mapping::doctor::DoctorTable;
use crate::report;

/// Explain the codes that `args` name.
///
/// Ends with [`Exit::Found`] where a code is none; the others are explained.
///
/// # Errors
/// When the output can't be written to.
pub fn explain(args: &ExplainArgs, streams: &mut Streams<'_>) -> Result<Exit> {
    let texts = Explanations::builtin();
    let all = codes::all();
    let width = columns(streams.environment).unwrap_or(usize::MAX);
    let mut exit = Exit::Done;
    for (number, name) in args.codes.iter().enumerate() {
        if number > 0 {
            writeln!(streams.out)?;
        }
        let code = all.iter().find(|code| code.id.eq_ignore_ascii_case(name));
        let text = code.and_then(|code| Some((code, texts.get(code.id)?)));
        if let Some((code, text)) = text {
            report::explain::one(code, text, texts.printed(code.id), width, streams.out)?;
        } else if let Some(check) = DoctorTable::builtin().by_code(name) {
            report::doctor::explained(check, width, streams.out)?;
        } else {
            let is_front = texts.has(&name.to_uppercase()) || DoctorTable::builtin().has(name);
            let what = if is_front {
                "the front of several codes; `torchada rules` and `torchada doctor` show them whole"
                    .to_owned()
            } else {
                format!("no code of a finding; {}", texts.suggestion(name))
            };
            writeln!(streams.out, "{}: {what}", report::one_line(name))?;
            exit = Exit::Found;
        }
    }
    Ok(exit)
}

/// List all codes.
///
/// # Errors
/// When the output can't be written to.
pub fn rules(args: &RulesArgs, streams: &mut Streams<'_>) -> Result<Exit> {
    let all = codes::all();
    if args.json {
        streams.out.write_all(&report::explain::list_json(&all))?;
    } else {
        report::explain::list(&all, streams.out)?;
    }
    Ok(Exit::Done)
}
