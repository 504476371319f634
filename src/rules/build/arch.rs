//! MUSA's architectures, as options and variables name them.

use super::BuildUnit;

/// The variable that lists them.
pub const LIST: &str = "TORCH_MUSA_ARCH_LIST";

/// Advice if the user names no GPUs.
pub const ADVICE: &str = "name the GPUs with `--target mp_31`, and the port writes them; by hand it is `--offload-arch=mp_31` for mcc, and TORCH_MUSA_ARCH_LIST=\"31\" for torch_musa";

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

/// Whether a list names MUSA's architectures only.
pub fn are_musas(unit: &BuildUnit<'_>, list: &[u8]) -> bool {
    let known = unit.context.tables.targets();
    list.split(|&byte| byte == b';').all(|number| {
        known
            .iter()
            .any(|one| one.name.strip_prefix("mp_").map(str::as_bytes) == Some(number))
    })
}
