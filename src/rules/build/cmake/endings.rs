//! Endings that are handed on without their dot: `foreach(ext cu cpp)` with `file(GLOB found "*.${ext}")`.

use super::pass::Pass;
use crate::syntax::cmake::{Argument, Command};

/// What compares a variable with a text.
const COMPARES: &str = "STREQUAL";

/// Let endings follow the files that have them, where nothing but names of files is made of them.
pub(super) fn check(pass: &mut Pass<'_, '_>) {
    let endings = pass.unit.lore.knowledge.files.rename.clone();
    for (old, new) in &endings {
        let (Some(bare), Some(to)) = (old.strip_prefix('.'), new.strip_prefix('.')) else {
            continue;
        };
        let found = given(pass, bare);
        if found.is_empty() || !all_follow(pass, old) {
            continue;
        }
        for (variable, places) in found {
            if is_ending(pass, &variable) {
                let compared = compared(pass, &variable, bare);
                for argument in places.into_iter().chain(compared) {
                    pass.edit(argument.inner, to);
                }
            }
        }
    }
}

/// The variables that get an ending as a value, each with the places of it.
fn given(pass: &Pass<'_, '_>, ending: &str) -> Vec<(String, Vec<Argument>)> {
    let mut found: Vec<(String, Vec<Argument>)> = Vec::new();
    for (_, command, name) in pass.commands() {
        let Some(variable) = command.arguments.first() else {
            continue;
        };
        let values = command.arguments.iter().skip(1);
        let places: Vec<Argument> = values
            .filter(|one| pass.word(one) == ending)
            .copied()
            .collect();
        if !matches!(name.as_str(), "set" | "foreach") || places.is_empty() {
            continue;
        }
        let variable = pass.word(variable);
        match found.iter_mut().find(|(one, _)| one == variable) {
            Some((_, all)) => all.extend(places),
            None => found.push((variable.to_owned(), places)),
        }
    }
    found
}

/// Whether a file of the tree has an ending, and all that have it get the new one.
fn all_follow(pass: &Pass<'_, '_>, ending: &str) -> bool {
    let files = pass.unit.project.files.iter();
    let mut with = files.filter(|one| one.path.ends_with(ending)).peekable();
    with.peek().is_some() && with.all(crate::project::Source::is_renamed)
}

/// Whether the values of a variable are used behind dots, and nowhere else.
fn is_ending(pass: &Pass<'_, '_>, variable: &str) -> bool {
    let used = format!("${{{variable}}}");
    let mut any = false;
    for (_, command, name) in pass.commands() {
        for argument in command.arguments.iter().filter(|_| name != "message") {
            let word = pass.word(argument);
            for (at, _) in word.match_indices(&used) {
                any = true;
                if !word.get(..at).is_some_and(|front| front.ends_with('.')) {
                    return false;
                }
            }
        }
    }
    any
}

/// Where a variable is compared with an ending.
fn compared(pass: &Pass<'_, '_>, variable: &str, ending: &str) -> Vec<Argument> {
    let asks = |command: &Command| {
        let mut found = Vec::new();
        for three in command.arguments.windows(3) {
            if let [one, sign, other] = three
                && pass.word(sign) == COMPARES
                && pass.word(one) == variable
                && pass.word(other) == ending
            {
                found.push(*other);
            }
        }
        found
    };
    let commands = pass.commands();
    let questions = commands
        .iter()
        .filter(|(_, _, name)| matches!(name.as_str(), "if" | "elseif"));
    questions
        .flat_map(|(_, command, _)| asks(command))
        .collect()
}
