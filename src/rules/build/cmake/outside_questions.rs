//! Places behind the conditions that only ask about CUDA: what comes of them is there for both answers.

use super::pass::Pass;
use torchada_syntax::cmake::Command;

/// The last command of the outermost `if` that has several arms, or only asks for CUDA's versions and numbers; or the
/// command itself.
pub(super) fn outside_questions(pass: &Pass<'_>, at: usize) -> usize {
    let mut here = at;
    while let Some((head, end)) = block_around(pass, here) {
        // Both arms are followed by what is put in behind them, where nothing in them reads it.
        if !has_plain_arms(pass, head, end) && !only_asks(pass, head, end, here) {
            break;
        }
        here = end;
    }
    here
}

/// The commands that open and close the `if` or the loop around a command.
fn block_around(pass: &Pass<'_>, at: usize) -> Option<(usize, usize)> {
    let commands = &pass.file.commands;
    let block = commands.get(at)?.block?;
    let opener = commands.get(block)?;
    let closing = match opener.lower_name() {
        "if" | "elseif" | "else" => "endif",
        "foreach" => "endforeach",
        _ => return None,
    };
    let head = opener.head.unwrap_or(block);
    let outer = commands.get(head)?.block;
    let mut behind = commands.iter().skip(block + 1);
    let end = behind.find(|one| one.block == outer && one.lower_name() == closing)?;
    Some((head, end.at))
}

/// Whether a block has several arms, and in all of them commands that read no numbers of GPUs.
fn has_plain_arms(pass: &Pass<'_>, head: usize, end: usize) -> bool {
    let inside = pass.file.commands.get(head..end).unwrap_or_default();
    let is_plain = |one: &Command| pass.table.is_plain(one.lower_name());
    inside.iter().any(|one| one.head == Some(head)) && inside.iter().all(is_plain)
}

/// Whether a block only gives values to variables, and a condition of its asks for CUDA. Where the condition asks for the
/// numbers of GPUs themselves, what stands before the command at `at` may do anything: it never reads what that leaves.
fn only_asks(pass: &Pass<'_>, head: usize, end: usize, at: usize) -> bool {
    let inside = pass.file.commands.get(head..end).unwrap_or_default();
    let commands = &pass.table.value_commands;
    let branch = pass.file.commands.get(at).and_then(|one| one.block);
    let numbers = pass.table.architectures.variable.as_str();
    let branch = branch.filter(|_| {
        let opener = inside.first();
        opener.is_some_and(|opener| pass.words(opener).contains(&numbers))
    });
    let is_before = |one: usize| branch.is_some_and(|opener| (opener + 1..=at).contains(&one));
    let sets_values = |one: &Command| commands.iter().any(|name| name == one.lower_name());
    let words = &pass.unit.context.knowledge.builds.words;
    let asks = |one: &Command| {
        let mut arguments = one.arguments.iter();
        arguments.any(|argument| words.is_cudas(argument.inner.of(pass.unit.text)))
    };
    let mut all = inside.iter();
    let mut conditions = inside.iter().filter(|one| one.is_branch_of(head));
    all.all(|one| is_before(one.at) || sets_values(one)) && conditions.any(asks)
}
