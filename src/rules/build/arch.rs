//! MUSA's architectures, as options and variables name them.

use super::BuildUnit;
use torchada_mapping::{architecture_number, gpu_number};

/// `22;31`, as the variable takes the user's targets.
pub fn list(unit: &BuildUnit<'_>) -> Option<String> {
    let numbers: Vec<&str> = unit.settings.gpus().collect();
    (!numbers.is_empty()).then(|| numbers.join(";"))
}

/// `--offload-arch=mp_22 --offload-arch=mp_31`, as mcc takes them.
pub fn options(unit: &BuildUnit<'_>) -> Option<String> {
    let flags = &unit.context.knowledge.builds.flags;
    let options: Vec<String> = unit.settings.gpus().map(|one| flags.for_gpu(one)).collect();
    (!options.is_empty()).then(|| options.join(" "))
}

/// Whether a text has a number as CUDA's lists have them: `8.0`.
pub fn has_cudas_number(text: &[u8]) -> bool {
    let mut words = text.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'.');
    words.any(|word| {
        let word = std::str::from_utf8(word).ok();
        let number = word
            .filter(|word| word.contains('.'))
            .and_then(architecture_number);
        number.is_some()
    })
}

/// Whether a list names MUSA's architectures only.
pub fn are_musas(unit: &BuildUnit<'_>, list: &[u8]) -> bool {
    let known = unit.context.tables.targets();
    list.split(|&byte| byte == b';').all(|number| {
        let mut names = known.iter().filter_map(|one| gpu_number(&one.name));
        names.any(|one| one.as_bytes() == number)
    })
}
