//! `TORCH_MUSA_ARCH_LIST="8.0"`: numbers of CUDA's where MUSA's are meant.

use super::ported::is_text_in_use;
use super::{Ported, places, text_in_use};
use torchada_diagnostic::Finding;
use torchada_diagnostic::codes::build::CUDA_NUMBERS;
use torchada_mapping::gpu_number;
use torchada_parallel as parallel;
use torchada_text::{TextRange, contains};

pub(super) fn check(ported: &Ported<'_>, found: &mut Vec<(usize, Finding)>) {
    let words = &ported.context.knowledge.builds.words.lints;
    let targets = ported.context.tables.targets().iter();
    let known: Vec<&str> = targets.filter_map(|one| gpu_number(&one.name)).collect();
    let files = ported.files().filter(|(_, file, _)| is_text_in_use(file));
    found.extend(parallel::flat_map(files, |(index, file, text)| {
        let may_have = |name: &&String| ported.project.may_have(index, name.as_bytes());
        let names: Vec<&String> = words.arch_lists.iter().filter(may_have).collect();
        let mut found = Vec::new();
        if names.is_empty() {
            return found;
        }
        let text: &[u8] = &text.once();
        let is_named = |name: &&String| contains(text, name);
        for name in names.into_iter().filter(is_named) {
            for place in text_in_use(file, text)
                .into_iter()
                .flat_map(|stretch| places(text, stretch, name))
            {
                let Some(value) = value(text, place.end) else {
                    continue;
                };
                let shown = String::from_utf8_lossy(value.of(text)).into_owned();
                let numbers = shown.split(|one: char| !one.is_ascii_digit() && one != '.');
                let mut numbers = numbers.filter(|one| !one.is_empty());
                if numbers.all(|one| known.contains(&one)) {
                    continue;
                }
                found.extend(ported.finding(
                    index,
                    CUDA_NUMBERS,
                    value,
                    format!("`{name}` gets `{shown}`, and MUSA has no such GPU"),
                    format!(
                        "MUSA's numbers are {}: write `22;31`, say",
                        known.join(", ")
                    ),
                ));
            }
        }
        found
    }));
}

/// The list that stands behind a variable, on the same line.
fn value(text: &[u8], end: usize) -> Option<TextRange> {
    let rest = text.get(end..)?;
    let line = rest.split(|&byte| byte == b'\n').next()?;
    let skipped = line
        .iter()
        .take_while(|byte| b" \t\"'])(:=,?-+{}".contains(byte))
        .count();
    let list = line.get(skipped..)?;
    let length = list
        .iter()
        .take_while(|byte| byte.is_ascii_digit() || b".;,+PTXa ".contains(byte))
        .count();
    let list = list.get(..length)?.trim_ascii_end();
    let start = end + skipped;
    let is_list = skipped > 0 && list.first().is_some_and(u8::is_ascii_digit);
    is_list.then(|| TextRange::new(start, start + list.len()))
}
