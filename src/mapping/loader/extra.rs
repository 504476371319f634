//! Rows that are no names: architectures, targets, hazards.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::schema::Evidence;

/// What a CUDA architecture number answers to, for one feature: the same number means different
/// things to different guards.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Architecture {
    /// What the guard is about: `bf16`, `fp16-matrix`, …
    pub feature: Cow<'static, str>,
    /// The value of `__CUDA_ARCH__` from which CUDA has it.
    pub sm: u32,
    /// The value of `__MUSA_ARCH__` from which MUSA has it; `None` where no number does.
    pub mp: Option<u32>,
    /// What the names start with by which code shows that it needs the feature.
    #[serde(default)]
    pub find: Vec<Cow<'static, str>>,
    /// Parts of a macro's name, as they are joined with underscores, by which code shows it as well.
    #[serde(default)]
    pub words: Vec<Cow<'static, str>>,
    /// What stands behind the row.
    pub evidence: Evidence,
    /// Where that comes from.
    pub source: Cow<'static, str>,
    /// What else is worth knowing.
    pub note: Option<Cow<'static, str>>,
}

/// A GPU generation that a port can be for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// `mp_22`, as `--offload-arch` takes it.
    pub name: Cow<'static, str>,
    /// The value of `__MUSA_ARCH__` there.
    pub arch: u32,
    /// Threads in a warp, where known.
    pub warp_size: Option<u32>,
    /// Where that comes from.
    pub source: Cow<'static, str>,
}

/// Something in code that a port can't mend: what to look for, and what to do about it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hazard {
    /// A short name in kebab-case, the same in every release.
    pub id: Cow<'static, str>,
    /// The code of its findings: `CPP1nn`. Rows of a user's own table have none.
    #[serde(default)]
    pub code: Option<Cow<'static, str>>,
    /// The hazard in a few words.
    pub title: Cow<'static, str>,
    /// `note`, `warning` or `error`.
    pub severity: Cow<'static, str>,
    /// What to look for: each entry is a kind and a text, as in `name:cudaGraphLaunch`.
    pub find: Vec<Cow<'static, str>>,
    /// The targets that it concerns; empty for all.
    #[serde(default)]
    pub targets: Vec<Cow<'static, str>>,
    /// Whether one finding speaks for all its places in a file, as for the calls of a library.
    #[serde(default)]
    pub once: bool,
    /// Why it is a hazard.
    pub why: Cow<'static, str>,
    /// What to do about it.
    pub advice: Cow<'static, str>,
    /// What stands behind it.
    pub evidence: Evidence,
    /// Where that comes from.
    pub source: Cow<'static, str>,
}

/// The kinds of thing that a hazard may look for.
///
/// `name` is a whole identifier, `prefix` the front of one, `glob` one with a `*` in it,
/// `template` an identifier before `<`, `header` an included path or its front, `text` a part of a
/// string, `asm` an instruction in inline assembly (by its front, up to a dot), `namespace` a
/// qualified name's front, `shape` a construct that the engine knows by name.
const KINDS: [&str; 9] = [
    "name",
    "prefix",
    "glob",
    "template",
    "header",
    "text",
    "asm",
    "namespace",
    "shape",
];

/// The constructs that a `shape` can name.
pub const SHAPES: [&str; 11] = [
    "capability-argument",
    "capability-comparison",
    "capability-constant",
    "grid-sync",
    "inline-asm",
    "large-shared-array",
    "launch-on-device",
    "relocatable-device-code",
    "shuffle-width-32",
    "warp-size-32",
    "warp-wide-exchange",
];

pub(super) fn check_architecture(row: &Architecture) -> Result<(), String> {
    if row.source.is_empty() {
        return Err(format!("`{} {}` has no source", row.feature, row.sm));
    }
    match row.mp {
        Some(mp) if !(100..1000).contains(&mp) => Err(format!(
            "`{}`: {mp} is no value of __MUSA_ARCH__",
            row.feature
        )),
        _ => Ok(()),
    }
}

/// The number in the name of a GPU of MUSA's: `22` of `mp_22`.
pub fn gpu_number(name: &str) -> Option<&str> {
    name.strip_prefix("mp_")
}

pub(super) fn check_target(target: &Target) -> Result<(), String> {
    let number = gpu_number(&target.name).and_then(|number| number.parse::<u32>().ok());
    match number {
        Some(number) if number * 10 == target.arch => Ok(()),
        _ => Err(format!(
            "`{}` does not go with __MUSA_ARCH__ {}",
            target.name, target.arch
        )),
    }
}

pub(super) fn check_hazard(hazard: &Hazard) -> Result<(), String> {
    let id = &hazard.id;
    if !["note", "warning", "error"].contains(&&*hazard.severity) {
        return Err(format!("`{id}`: `{}` is no severity", hazard.severity));
    }
    if hazard.find.is_empty() {
        return Err(format!("`{id}` looks for nothing"));
    }
    if let Some(code) = &hazard.code {
        let number = code.strip_prefix("CPP1").filter(|rest| rest.len() == 2);
        if number.is_none_or(|rest| rest.parse::<u32>().is_err()) {
            return Err(format!("`{id}`: `{code}` is not CPP1 and two digits"));
        }
    }
    for find in &hazard.find {
        let known = find.split_once(':').is_some_and(|(kind, text)| match kind {
            "shape" => SHAPES.contains(&text),
            "glob" => text.matches('*').count() == 1,
            _ => KINDS.contains(&kind) && !text.is_empty(),
        });
        if !known {
            let kinds = KINDS.join(", ");
            return Err(format!(
                "`{id}`: `{find}` is not KIND:TEXT with one of {kinds}"
            ));
        }
    }
    Ok(())
}
