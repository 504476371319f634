//! Flags of `FindMUSA`'s variable, which it reads where a target is made: those that targets get by their language go there.

use rustc_hash::FxHashMap;

use super::expressions::{expression_end, for_cuda, part};
use super::flags::{say, split, translator};
use super::pass::Pass;
use super::source_languages::makes_cudas;
use super::target_makers::{TargetCommand, Targets, made, reaches};
use crate::flags::FlagAction;
use torchada_diagnostic::codes::build::FLAGS_TOO_LATE;
use torchada_syntax::cmake::Command;
use torchada_syntax::cmake_references::reference;
use torchada_text::TextRange;

/// Flags that a target gets where the language is CUDA's.
pub(super) fn by_language(pass: &mut Pass<'_>, command: &Command, first: usize, targets: &Targets) {
    let ForCuda {
        flags: mut moved,
        places: gone,
    } = translated(pass, command);
    if gone.is_empty() {
        return;
    }
    take_out(pass, command, first, &gone);
    let flags = &pass.table.flags.variable;
    // FindMUSA gives these to every source by itself.
    let names = std::iter::once(flags.as_str()).chain(pass.table.variables_of(flags));
    let own: Vec<String> = names.map(reference).collect();
    moved.retain(|one| !one.is_empty() && !own.contains(one));
    if !moved.is_empty() {
        hand_on(pass, command, targets, &moved);
    }
}

/// What a command gives to targets where the language is CUDA's.
#[derive(Default)]
struct ForCuda {
    /// The flags, as MUSA's compiler takes them.
    flags: Vec<String>,
    /// The first and the last argument of each expression that holds them.
    places: Vec<(usize, usize)>,
}

/// Translate the flags of a command that are for the language of CUDA's.
fn translated(pass: &mut Pass<'_>, command: &Command) -> ForCuda {
    let mut all = ForCuda::default();
    let mut place = 0;
    while place < command.arguments.len() {
        let (begins, ends) = (place, expression_end(pass, command, place));
        place = ends + 1;
        let Some((list, inner)) = for_cuda(pass, command, begins, ends) else {
            continue;
        };
        let pieces = split(list);
        let texts: Vec<&str> = pieces.iter().map(|(_, one)| part(one).1).collect();
        let mut from = 0;
        let mut notes = Vec::new();
        while from < texts.len() {
            let found = translator(pass).translate(texts.get(from..).unwrap_or_default());
            let start = inner.start + pieces.get(from).map_or(0, |(start, _)| *start);
            from += found.words;
            match &found.action {
                FlagAction::Becomes(to) => all.flags.extend(to.iter().cloned()),
                FlagAction::NamesGpus => {}
                // What marks hold together stays one argument.
                _ if found.words == 1 && found.shown.contains(' ') => {
                    all.flags.push(format!("\"{}\"", found.shown));
                }
                _ => all.flags.push(found.shown.clone()),
            }
            notes.push((start, found));
        }
        for (start, found) in notes {
            say(
                pass,
                TextRange::new(start, start + found.shown.len()),
                &found,
            );
        }
        all.places.push((begins, ends));
    }
    all
}

/// Take arguments out of a command, and the command where it gives nothing else.
fn take_out(pass: &mut Pass<'_>, command: &Command, first: usize, gone: &[(usize, usize)]) {
    let taken: usize = gone.iter().map(|(begins, ends)| ends - begins + 1).sum();
    let rest = command.arguments.len() - taken;
    if rest <= first.min(command.arguments.len()) {
        pass.remove(command.at);
    } else {
        for &(begins, ends) in gone.iter().rev() {
            pass.remove_arguments(command, begins, ends);
        }
    }
}

/// Give flags to `FindMUSA`'s variable before the target of a command is made, or say that this comes too late.
fn hand_on(pass: &mut Pass<'_>, command: &Command, targets: &Targets, moved: &[String]) {
    let flags = pass.table.flags.variable.clone();
    let line = format!("list(APPEND {flags} {})", moved.join(" "));
    let target = pass.first_word(command).unwrap_or_default();
    let names = [target];
    let earlier = made(targets, &names).map(|made| made.at);
    let earlier: Vec<usize> = earlier.filter(|made| *made < command.at).collect();
    let is_known = moved.iter().all(|one| !one.contains("${"));
    match earlier.is_empty() {
        // What is put in before the target must be known there, and no condition of its own may decide about it.
        false if is_known && earlier.iter().all(|&made| reaches(pass, made, command.at)) => {
            for made in earlier {
                pass.insert_before(made, std::slice::from_ref(&line));
            }
        }
        false => {
            pass.insert_before(command.at, std::slice::from_ref(&line));
            let message =
                format!("`{target}` was made before `{line}`, and gets none of these flags");
            let help = format!(
                "move what makes `{target}` behind that line: FindMUSA reads the flags where the target is made"
            );
            pass.report(FLAGS_TOO_LATE, command.name, message, help);
        }
        true if let Some(file) = made_in(pass, target) => {
            let message = format!(
                "`{target}` is made in {file}, before `{line}`, and gets none of these flags"
            );
            let help = format!("give {flags} the flags there, before what makes `{target}`");
            pass.report(FLAGS_TOO_LATE, command.name, message, help);
        }
        true if let Some(made) = made_cudas(pass, command.at) => {
            if is_known && reaches(pass, made, command.at) {
                pass.insert_before(made, &[line]);
                return;
            }
            let message =
                format!("the sources become MUSA's before `{line}`, and get none of these flags");
            let help = format!("give {flags} the flags before that");
            pass.report(FLAGS_TOO_LATE, command.name, message, help);
            pass.insert_before(command.at, &[line]);
        }
        true => {
            if function_around(pass, command.at).is_some() {
                let message = format!(
                    "`{line}` holds in this function alone, which does not make `{target}`"
                );
                let help =
                    "hand the flags out with PARENT_SCOPE, or set them where the target is made";
                pass.report(FLAGS_TOO_LATE, command.name, message, help);
            }
            pass.insert_before(command.at, &[line]);
        }
    }
}

/// The command in front of another, in the same function or in none, that makes sources CUDA's whatever their endings: what
/// follows it reads the flags.
fn made_cudas(pass: &Pass<'_>, at: usize) -> Option<usize> {
    let makers = pass.facts.makers_of_cudas.get_or_init(|| {
        let mut makers: FxHashMap<Option<usize>, Vec<usize>> = FxHashMap::default();
        let commands = pass.file.commands.iter();
        for maker in commands.filter(|one| makes_cudas(pass, one)) {
            let function = function_around(pass, maker.at);
            makers.entry(function).or_default().push(maker.at);
        }
        makers
    });
    let here = makers.get(&function_around(pass, at))?;
    let before = here.partition_point(|&maker| maker < at);
    here.get(before.checked_sub(1)?).copied()
}

/// The function that a command stands in, whose variables are its own, as those of a macro are not.
fn function_around(pass: &Pass<'_>, at: usize) -> Option<usize> {
    pass.file.block_of(at, &["function"])
}

/// The other file that makes a target of sources of CUDA's.
fn made_in<'a>(pass: &Pass<'a>, target: &str) -> Option<&'a str> {
    let unit = pass.unit;
    let mut lists = unit.project.replay().lists_of(target);
    let list = lists.find(|one| {
        let files = &unit.context.knowledge.files;
        one.from.0 != unit.index && one.sources.iter().any(|source| files.is_cuda(&source.text))
    })?;
    Some(&unit.project.files.get(list.from.0)?.path)
}

/// Flags that a variable gets behind the targets which read it, of which `first_made` is the first.
pub(super) fn too_late(
    pass: &mut Pass<'_>,
    command: &Command,
    first_made: Option<(&str, TargetCommand)>,
) {
    let words = pass.words(command);
    let flags = pass.table.flags.variable.as_str();
    let named = |word: &str| word == flags || pass.table.variables_of(flags).any(|one| one == word);
    if !words.iter().take(2).any(|word| named(word)) {
        return;
    }
    let earlier = first_made.filter(|(_, made)| made.at < command.at);
    let (message, help) = if let Some((target, _)) = earlier {
        (
            format!("`{target}` was made before these flags, and gets none of them"),
            format!(
                "move this in front of what makes `{target}`: FindMUSA reads the flags where the target is made"
            ),
        )
    } else if made_cudas(pass, command.at).is_some() {
        (
            "the sources become MUSA's before these flags, and get none of them".to_owned(),
            "move this in front of what gives the sources their language".to_owned(),
        )
    } else {
        return;
    };
    pass.report(FLAGS_TOO_LATE, command.name, message, help);
}
