//! Conditions and lists that decide by a number of a GPU of CUDA's, through whatever variable the number comes.

use std::collections::BTreeSet;

use super::pass::Pass;
use torchada_diagnostic::codes::build::ARCHITECTURE_LOGIC;
use torchada_syntax::cmake::Command;

/// What compares numbers by their order.
const ORDERS: [&str; 10] = [
    "LESS",
    "GREATER",
    "EQUAL",
    "LESS_EQUAL",
    "GREATER_EQUAL",
    "VERSION_LESS",
    "VERSION_GREATER",
    "VERSION_EQUAL",
    "VERSION_LESS_EQUAL",
    "VERSION_GREATER_EQUAL",
];

/// What compares texts.
const TEXTS: [&str; 3] = ["MATCHES", "STREQUAL", "IN_LIST"];

/// What a group of a pattern that matched is called.
const MATCHED: &str = "CMAKE_MATCH_";

/// Report each decision once, with what it comes to on MUSA.
pub(super) fn check(pass: &mut Pass<'_>) {
    let numbers = variables(pass);
    let mut heads = BTreeSet::new();
    let to = pass.gpus().join(", ");
    for command in pass.commands() {
        let found = match command.lower_name() {
            "if" | "elseif" | "while" => compared(pass, command, &numbers),
            "list" => chosen(pass, command, &numbers),
            _ => None,
        };
        let Some(shown) = found else {
            continue;
        };
        // One finding for all branches of an `if`.
        if !heads.insert(command.head.unwrap_or(command.at)) {
            continue;
        }
        let end = if pass.ends_build(command.at) {
            ", and stops the build"
        } else if takes_none(pass, command.at, &numbers) {
            ", and none of its branches is for one of MUSA's"
        } else {
            ""
        };
        let message = format!("`{shown}` decides by CUDA's numbers of GPUs{end}: MUSA's are {to}");
        let help = "decide what holds for each of MUSA's GPUs, or leave the decision out";
        pass.report(ARCHITECTURE_LOGIC, command.name, message, help);
    }
}

/// The variables that hold numbers of GPUs, or what was made of them.
fn variables(pass: &Pass<'_>) -> BTreeSet<String> {
    let mut found = BTreeSet::from([pass.table.architectures.variable.clone()]);
    let commands = pass.commands();
    loop {
        let before = found.len();
        for command in &commands {
            let words = pass.words(command);
            let word = |at: usize| words.get(at).copied().unwrap_or_default();
            let from = |first: usize| {
                let mut rest = words.iter().skip(first);
                rest.any(|word| holds(word, &found))
            };
            let lists = || {
                let behind = words.iter().skip_while(|word| **word != "LISTS").skip(1);
                let mut behind = behind.take_while(|word| **word != "ITEMS");
                behind.any(|word| found.contains(*word))
            };
            let made = match (command.lower_name(), word(0)) {
                ("foreach", variable) if from(1) || lists() => Some(variable),
                ("set", variable) if from(1) => Some(variable),
                ("list", "APPEND" | "PREPEND") | ("math", _) if from(2) => Some(word(1)),
                ("list", "GET" | "SUBLIST" | "JOIN") if found.contains(word(1)) => {
                    words.last().copied()
                }
                ("string", "REGEX") if word(1) == "REPLACE" && from(5) => Some(word(4)),
                ("string", "REGEX" | "REPLACE") if from(4) => Some(word(3)),
                ("string", "SUBSTRING" | "STRIP" | "TOLOWER" | "TOUPPER") if from(1) => {
                    words.last().copied()
                }
                _ => None,
            };
            let made = made.map(str::to_owned);
            let matches = matches!(command.lower_name(), "if" | "elseif")
                && words.windows(2).any(|two| {
                    two.first().is_some_and(|one| is_one(one, &found))
                        && two.last() == Some(&"MATCHES")
                });
            found.extend(made.filter(|one| !one.is_empty() && !one.contains('$')));
            if matches {
                found.extend((0..=9).map(|group| format!("{MATCHED}{group}")));
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Whether a text refers to one of some variables.
fn holds(word: &str, variables: &BTreeSet<String>) -> bool {
    let mut references = word.split("${").skip(1);
    references.any(|rest| {
        rest.split('}')
            .next()
            .is_some_and(|name| variables.contains(name))
    })
}

/// Whether a word of a condition is one of some variables.
fn is_one(word: &str, variables: &BTreeSet<String>) -> bool {
    variables.contains(word) || holds(word, variables)
}

/// The comparison with a number in a condition.
fn compared(pass: &Pass<'_>, command: &Command, numbers: &BTreeSet<String>) -> Option<String> {
    let words = pass.words(command);
    let at = words.windows(3).position(|three| {
        let [one, sign, other] = three else {
            return false;
        };
        let is_number = is_one(one, numbers) || is_one(other, numbers);
        let has_number = names_number(one) || names_number(other);
        is_number && (ORDERS.contains(sign) || TEXTS.contains(sign) && has_number)
    })?;
    Some(words.get(at..at + 3)?.join(" "))
}

/// A number of CUDA's by which elements of a list are chosen.
fn chosen(pass: &Pass<'_>, command: &Command, numbers: &BTreeSet<String>) -> Option<String> {
    let words = pass.words(command);
    let [
        action @ ("FILTER" | "FIND" | "REMOVE_ITEM"),
        list,
        rest @ ..,
    ] = words.as_slice()
    else {
        return None;
    };
    let has_number = rest.iter().any(|word| names_number(word));
    (numbers.contains(*list) && has_number)
        .then(|| format!("list({action} {list} {})", rest.join(" ")))
}

/// Whether a text or a pattern has a number of two digits or more, outside of classes of letters.
fn names_number(word: &str) -> bool {
    let mut is_class = false;
    let mut digits = 0;
    for letter in word.chars() {
        match letter {
            '[' => is_class = true,
            ']' => is_class = false,
            _ => {}
        }
        digits = if letter.is_ascii_digit() && !is_class {
            digits + 1
        } else {
            0
        };
        if digits == 2 {
            return !word.contains("${");
        }
    }
    false
}

/// Whether all branches of an `if` compare numbers by their order, and none is taken for a GPU of MUSA's.
fn takes_none(pass: &Pass<'_>, head: usize, numbers: &BTreeSet<String>) -> bool {
    let commands = pass.file.commands.iter();
    let branches = commands.filter(|one| one.is_branch_of(head));
    let gpus: Vec<u32> = pass
        .gpus()
        .iter()
        .filter_map(|one| one.parse().ok())
        .collect();
    let mut known = !gpus.is_empty();
    for branch in branches {
        let words = pass.words(branch);
        let takes = |gpu: u32| {
            let mut parts = words.split(|word| *word == "AND");
            parts.try_fold(true, |all, part| Some(all && compare(part, gpu, numbers)?))
        };
        // The last branch of an `if` may be for all others: it has no words.
        let is_else = branch.lower_name() == "else";
        known &= !is_else && gpus.iter().all(|&gpu| takes(gpu) == Some(false));
    }
    known
}

/// Whether a comparison is true for a GPU; `None` where it is no comparison of its number.
fn compare(part: &[&str], gpu: u32, numbers: &BTreeSet<String>) -> Option<bool> {
    let [one, sign, other] = part else {
        return None;
    };
    let other: u32 = other.parse().ok().filter(|_| is_one(one, numbers))?;
    Some(match *sign {
        "LESS" => gpu < other,
        "GREATER" => gpu > other,
        "EQUAL" => gpu == other,
        "LESS_EQUAL" => gpu <= other,
        "GREATER_EQUAL" => gpu >= other,
        _ => return None,
    })
}
