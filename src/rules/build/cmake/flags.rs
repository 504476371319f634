//! Words of flags, as `CMake` writes them in strings and lists, and what mcc takes in their place.

use super::pass::Pass;
use crate::build::codes::sentence;
use crate::flags::{FlagAction, Loss, Obstacle, Receiver, Translation, Translator};
use torchada_diagnostic::codes::build::{
    ARCHITECTURE_LOGIC, FLAG_LEFT_OUT, FLAGS_TOO_LATE, OPTION, OPTION_LEFT_OUT, OUTPUT, TOO_WEAK,
};
use torchada_syntax::cmake_references::referenced;
use torchada_text::TextRange;

/// The translator of options.
pub(super) fn translator<'a>(pass: &Pass<'a>) -> Translator<'a> {
    Translator::new(pass.unit.context, pass.unit.settings)
}

/// Whether an option takes the next word as its value.
pub(super) fn takes_value(pass: &Pass<'_>, option: &str) -> bool {
    pass.unit.context.knowledge.builds.flags.takes_value(option)
}

/// Whether mcc takes an option of nvcc's otherwise, or not at all.
pub(super) fn differs(pass: &Pass<'_>, option: &str) -> bool {
    translator(pass).translate(&[option]).action != FlagAction::Stays
}

/// Whether an option is nvcc's alone, and no other compiler's.
pub(super) fn is_nvccs(pass: &Pass<'_>, option: &str) -> bool {
    let found = translator(pass).translate(&[option]);
    found.action != FlagAction::Stays && !found.is_shared
}

/// Whether an option is nvcc's and other programs', too.
pub(super) fn is_shared(pass: &Pass<'_>, option: &str) -> bool {
    translator(pass).translate(&[option]).is_shared
}

/// Report what is left out of the options at a place, and what of them has to be looked at.
pub(super) fn say(pass: &mut Pass<'_>, range: TextRange, found: &Translation) {
    for one in &found.left_out {
        let (code, message) = match one.loss {
            Loss::Unknown => (OPTION_LEFT_OUT, "no counterpart is known"),
            _ => (FLAG_LEFT_OUT, "mcc does without"),
        };
        let help = one.advice.clone();
        let help = help.unwrap_or_else(|| "nothing has to be done".to_owned());
        pass.report(
            code,
            range,
            format!("`{}` was left out: {message}", one.shown),
            help,
        );
    }
    if let FlagAction::Becomes(to) = &found.action
        && found.receiver == Receiver::Host
    {
        for variable in to.iter().filter_map(|one| referenced(one)) {
            with_commas(pass, range, variable);
        }
    }
    let shown = format!("`{}`", found.shown);
    let advice = || found.advice.clone().unwrap_or_default();
    match found.action {
        FlagAction::Remains(Obstacle::WithoutValue) if found.is_for_gpus => {
            let message = format!("{shown} gets its GPU, a number of CUDA's, from elsewhere");
            let option = pass.gpu_option("31");
            let help = format!("write the whole option where the two come together: `{option}`");
            pass.report(ARCHITECTURE_LOGIC, range, message, help);
        }
        FlagAction::Remains(Obstacle::TooWeak(_)) => {
            pass.report(TOO_WEAK, range, sentence(TOO_WEAK, &shown, false), advice());
        }
        FlagAction::Remains(Obstacle::ChoosesOutput) => {
            pass.report(OUTPUT, range, sentence(OUTPUT, &shown, false), advice());
        }
        FlagAction::Remains(_) => {
            pass.report(OPTION, range, sentence(OPTION, &shown, false), advice());
        }
        _ => {}
    }
}

/// Report a variable whose options a file joins with commas: nvcc parts them behind `-Xcompiler`, and mcc does not.
fn with_commas(pass: &mut Pass<'_>, range: TextRange, variable: &str) {
    // `string(REPLACE " " "," OUT …)`, `list(JOIN IN "," OUT)`, `string(JOIN "," OUT …)`
    let is_joined = pass.files().any(|(text, file)| {
        file.commands.iter().any(|one| {
            let words = one.arguments.iter().map(|argument| argument.inner.of(text));
            let words: Vec<&[u8]> = words.take(4).collect();
            let (("string", [b"REPLACE", _, b",", out] | [b"JOIN", b",", out, ..])
            | ("list", [b"JOIN", _, b",", out])) = (one.lower_name(), words.as_slice())
            else {
                return false;
            };
            *out == variable.as_bytes()
        })
    });
    if is_joined {
        let message = format!(
            "`${{{variable}}}` has commas between its options, which nvcc parts and mcc takes for one option"
        );
        let help =
            format!("join them with blanks, or in a list with `;`, where `{variable}` is made");
        pass.report(FLAGS_TOO_LATE, range, message, help);
    }
}

/// The words of a text with flags, each with its start. Marks hold a word together: `-Xcompiler \"-Wall -fPIC\"`. A blank
/// behind a backslash, which is one of the argument's, ends a word as others do.
pub(super) fn split(text: &str) -> Vec<(usize, &str)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut start = None;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if byte == b'\\' && bytes.get(at + 1) == Some(&b' ') {
            found.extend(start.take().map(|from| (from, at)));
            at += 2;
            continue;
        }
        if byte.is_ascii_whitespace() || byte == b';' {
            found.extend(start.take().map(|from| (from, at)));
            at += 1;
            continue;
        }
        let opens = start.is_none() || bytes.get(at.wrapping_sub(1)) == Some(&b'=');
        let from = *start.get_or_insert(at);
        let mark = mark_at(bytes, at).filter(|mark| opens || mark.len() > 1 || from == at);
        let behind = at + mark.map_or(1, <[u8]>::len);
        let rest = bytes.get(behind..).unwrap_or_default();
        let len =
            mark.and_then(|mark| memchr::memmem::find(rest, mark).map(|len| len + mark.len()));
        at = behind + len.unwrap_or(0);
    }
    found.extend(start.map(|from| (from, bytes.len())));
    let words = found.into_iter();
    words
        .filter_map(|(from, to)| Some((from, text.get(from..to)?)))
        .collect()
}

/// The mark of a quote at a place: `'`, or `"` with any backslashes before it.
fn mark_at(bytes: &[u8], at: usize) -> Option<&[u8]> {
    let rest = bytes.get(at..)?;
    let slashes = rest.iter().take_while(|&&byte| byte == b'\\').count();
    match rest.get(slashes) {
        Some(b'"') => rest.get(..=slashes),
        Some(b'\'') if slashes == 0 => rest.get(..1),
        _ => None,
    }
}
