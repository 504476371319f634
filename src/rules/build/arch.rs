//! MUSA's architectures, as options and variables name them.

use super::BuildUnit;
use super::codes::OTHER_GPUS;
use super::grouped_findings::GroupedFindings;
use crate::RuleSettings;
use torchada_diagnostic::codes::build::ARCHITECTURES;
use torchada_mapping::{architecture_number, gpu_number};
use torchada_project::Context;
use torchada_text::TextRange;

/// The numbers of the GPUs that the port is for: those that the user named, or all that public builds name.
pub fn gpus<'u>(context: Context<'u>, settings: &'u RuleSettings) -> Vec<&'u str> {
    let named: Vec<&str> = settings.gpus().collect();
    if named.is_empty() {
        let all = &context.knowledge.builds.flags.gpus;
        return all.iter().map(String::as_str).collect();
    }
    named
}

/// `22;31`, as the variable takes them.
pub fn list(context: Context<'_>, settings: &RuleSettings) -> String {
    gpus(context, settings).join(";")
}

/// `--offload-arch=mp_22 --offload-arch=mp_31`, as mcc takes them.
pub fn options(unit: &BuildUnit<'_>) -> String {
    let flags = &unit.context.knowledge.builds.flags;
    let gpus = gpus(unit.context, unit.settings);
    let options: Vec<String> = gpus.iter().map(|one| flags.for_gpu(one)).collect();
    options.join(" ")
}

/// Put MUSA's GPUs in the place of CUDA's, and report that unless the user named them. `shown` is the finding's message.
pub fn replace(
    findings: &mut GroupedFindings<'_>,
    unit: &BuildUnit<'_>,
    range: TextRange,
    to: &str,
    shown: String,
) {
    findings.replace(range, to, None);
    if unit.settings.gpus().next().is_none() {
        findings.report_as(ARCHITECTURES, range, shown, OTHER_GPUS);
    }
}

/// The message where MUSA's GPUs took the place of CUDA's.
pub fn became(old: &str, new: &str) -> String {
    // A list may stand on several lines.
    let old = old.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("`{old}` became `{new}`: no GPU of MUSA's has a number of CUDA's")
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

/// Whether a text is a list of CUDA's numbers as `TORCH_CUDA_ARCH_LIST` has them: `7.5;8.0+PTX`.
pub fn is_cudas_list(text: &str) -> bool {
    let parts = text.split([';', ',', ' ']).filter(|part| !part.is_empty());
    let mut numbers = parts.map(|part| part.strip_suffix("+PTX").unwrap_or(part));
    !text.is_empty() && numbers.all(|one| one.contains('.') && architecture_number(one).is_some())
}

/// Whether a list names MUSA's architectures only.
pub fn are_musas(unit: &BuildUnit<'_>, list: &[u8]) -> bool {
    let known = unit.context.tables.targets();
    list.split(|&byte| byte == b';').all(|number| {
        let mut names = known.iter().filter_map(|one| gpu_number(&one.name));
        names.any(|one| one.as_bytes() == number)
    })
}
