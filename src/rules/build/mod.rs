//! Rules for files that say how a tree is built, shipped or set up.

mod addresses;
pub mod arch;
mod bazel;
mod cmake;
mod code_words;
mod codes;
mod grouped_findings;
mod leftovers;
mod lists;
mod script;
pub mod toolkit;
mod unit;
mod wheel_options;
mod wheel_pipelines;

pub use codes::{CMAKE_OPTION_ADVICE, OTHER_GPUS, sentence};
pub use script::{TreeScripts, check_installs};
pub use unit::{BuildCode, BuildRule, BuildUnit};

use super::{Outcome, Rule, renamed_sources, run};

/// The rules in the order in which they look at a file: the one that knows most of a place comes first and claims
/// it.
pub const RULES: &[BuildRule] = &[
    Rule::new("build-renamed-sources", |unit, out| {
        renamed_sources::check(unit, out);
    }),
    Rule::new("build-cmake", cmake::check),
    Rule::new("build-scripts", script::check),
    Rule::new("build-lists", lists::check),
    Rule::new("build-bazel", bazel::check),
    Rule::new("build-addresses", addresses::check),
    Rule::new("build-leftovers", leftovers::check),
];

/// Run all rules over a file.
pub fn check(unit: &BuildUnit<'_>, out: &mut Outcome) {
    run(RULES, unit.settings, unit, out);
}
