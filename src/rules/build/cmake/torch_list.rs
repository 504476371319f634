//! The list of GPUs that builds against `PyTorch` read from a variable, be it `CMake`'s or the environment's.

use super::pass::Pass;
use crate::build::arch;
use crate::build::codes::OTHER_GPUS;
use torchada_diagnostic::codes::build::{ARCHITECTURE_LOGIC, ARCHITECTURES};
use torchada_mapping::Section;
use torchada_syntax::cmake::Command;
use torchada_text::TextRange;

/// Translate the values that the variable gets.
pub(super) fn check(pass: &mut Pass<'_>) {
    for command in pass.commands() {
        let words = pass.words(command);
        let is_list = words.first().is_some_and(|word| is_list(pass, word));
        if command.lower_name() == "set" && is_list {
            value(pass, command);
        }
    }
}

/// Whether a name is the list's, as CUDA's builds call it.
fn is_list(pass: &Pass<'_>, word: &str) -> bool {
    let in_environment = word.strip_prefix("ENV{");
    let name = in_environment.and_then(|rest| rest.strip_suffix('}'));
    let name = name.unwrap_or(word).as_bytes();
    let row = pass.unit.context.row(Section::Environment, name);
    let flags = &pass.unit.context.knowledge.builds.flags;
    row.is_some_and(|row| row.to.as_deref() == Some(&*flags.gpu_list))
}

fn value(pass: &mut Pass<'_>, command: &Command) {
    let ends = |word: &str| matches!(word, "CACHE" | "PARENT_SCOPE");
    let values = command.arguments.iter().skip(1);
    let values: Vec<_> = values.take_while(|one| !ends(pass.word(one))).collect();
    let (Some(first), Some(last)) = (values.first(), values.last()) else {
        return;
    };
    let range = TextRange::new(first.range.start, last.range.end);
    let old = pass.text_of(range);
    let musas = pass.gpus().join(";");
    if !old.bytes().any(|byte| byte.is_ascii_alphanumeric()) {
        return;
    }
    if old.contains('$') {
        let others = pass.table.architectures.variable.as_str();
        if arch::has_cudas_number(old.as_bytes()) || !old.contains(others) {
            let list = &pass.unit.context.knowledge.builds.flags.gpu_list;
            let message = format!("`{list}` gets CUDA's numbers of GPUs from elsewhere");
            let help = format!("let it hold MUSA's numbers alone: \"{musas}\"");
            pass.report(ARCHITECTURE_LOGIC, command.name, message, help);
        }
        return;
    }
    let new = format!("\"{musas}\"");
    let is_musas = arch::are_musas(pass.unit, old.trim_matches('"').as_bytes());
    if !is_musas && pass.edit(range, &new) {
        let message = arch::became(old, &new);
        pass.report(ARCHITECTURES, range, message, OTHER_GPUS);
    }
}
