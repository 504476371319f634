//! Conditions on CUDA's version, and expressions for CUDA's language that no other rule translated.

use rustc_hash::FxHashSet;

use super::pass::Pass;
use torchada_diagnostic::KeptReason;
use torchada_diagnostic::codes::build::{FLAGS_TOO_LATE, VERSION_REQUIRED};
use torchada_mapping::contains_one;
use torchada_syntax::cmake::Command;
use torchada_syntax::cmake_references::{read_variable, reference};
use torchada_text::TextRange;

/// Decide conditions on the version, and report the expressions.
pub(super) fn check(pass: &mut Pass<'_>) {
    for command in pass.commands() {
        match command.lower_name() {
            "if" | "elseif" | "else" | "endif" => version(pass, command),
            _ => expression(pass, command),
        }
    }
}

fn version(pass: &mut Pass<'_>, command: &Command) {
    let words = pass.words(command);
    let compares = words.iter().any(|word| pass.table.compares(word));
    let is_version = |shown: &String| pass.table.versions.contains(shown);
    let all = command.arguments.iter().filter(|_| compares);
    let all = all.map(|argument| {
        (
            argument.range,
            read_variable(pass.word(argument)).to_owned(),
        )
    });
    let mut questions: Vec<(TextRange, String)> =
        all.filter(|(_, shown)| is_version(shown)).collect();
    if let Some((major, minor)) = pass.unit.context.cuda_version {
        let parts = &pass.table.version_parts;
        // `DEFINED CUDAToolkit_VERSION`: a number is no variable, and the release is known.
        for pair in command.arguments.windows(2) {
            if let [asks, asked] = pair
                && pass.word(asks) == "DEFINED"
                && questions.iter().any(|(range, _)| *range == asked.range)
            {
                pass.edit(TextRange::new(asks.range.start, asked.range.end), "TRUE");
                questions.retain(|(range, _)| *range != asked.range);
            }
        }
        for (range, shown) in questions {
            let text = if shown.ends_with(&parts.major) {
                major.to_string()
            } else if shown.ends_with(&parts.minor) {
                minor.to_string()
            } else {
                format!("{major}.{minor}")
            };
            pass.edit(range, &text);
        }
        return;
    }
    // What stands at the end of a branch is a label, which decides nothing.
    if matches!(command.lower_name(), "else" | "endif") {
        for (range, _) in questions {
            pass.keep(range, KeptReason::NamedBeside);
        }
        return;
    }
    let stops = pass.ends_build(command.at);
    let less = words.iter().any(|word| word.contains("LESS"));
    for (range, shown) in questions {
        let message = if stops && less {
            format!("`{shown}` is not set on MUSA, so that this stops the build")
        } else {
            format!("`{shown}` is not set on MUSA: it counts as 0 here")
        };
        let help =
            "decide by hand what holds for MUSA, or name a CUDA release with `--cuda-version`";
        pass.report(VERSION_REQUIRED, range, message, help);
    }
}

fn expression(pass: &mut Pass<'_>, command: &Command) {
    for argument in &command.arguments {
        let word = pass.word(argument);
        let asks = contains_one(word, &pass.table.expressions.asks);
        if asks && !pass.out.edits.touches(argument.range) {
            let message =
                "no source is of CUDA's language in the port, so that nothing gets what this gives";
            let help = "put the flags into MUSA_MCC_FLAGS before the targets are made, and give the other sources theirs by themselves";
            pass.report(FLAGS_TOO_LATE, argument.range, message, help);
        }
    }
}

/// Why a variable that only CUDA's language reads needs no finding at a place: the project gives it a value that its own
/// conditions read, or a condition asks whether it has the value that the port left out, and the build goes on.
pub(super) fn left_beside(
    pass: &Pass<'_>,
    command: &Command,
    variable: &str,
) -> Option<KeptReason> {
    let name = command.lower_name();
    let sets = pass.file.commands.iter();
    let mut sets =
        sets.filter(|one| one.lower_name() == "set" && pass.words(one).first() == Some(&variable));
    if decides(pass, variable) {
        return sets.next().map(|_| KeptReason::ProjectDeclared);
    }
    let asks = matches!(name, "if" | "elseif") && !pass.ends_build(command.at);
    (asks && sets.any(|one| pass.removed.contains(&one.at))).then_some(KeptReason::NamedBeside)
}

/// Whether a condition compares a variable's value, and does not only ask whether there is one.
pub(super) fn decides(pass: &Pass<'_>, variable: &str) -> bool {
    let compared = pass.facts.compared.get_or_init(|| compared(pass));
    compared.contains(variable) || compared.contains(&*reference(variable))
}

fn compared<'a>(pass: &Pass<'a>) -> FxHashSet<&'a str> {
    let commands = pass.file.commands.iter();
    let conditions = commands.filter(|one| matches!(one.lower_name(), "if" | "elseif"));
    let words = conditions.flat_map(|one| {
        let words = pass.words(one);
        let behind = words.clone().into_iter().skip(1);
        words.into_iter().zip(behind)
    });
    let compared = words.filter(|(_, next)| pass.table.compares(next));
    compared.map(|(word, _)| word).collect()
}
