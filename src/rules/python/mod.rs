//! Rules for Python: each value is judged by its position, not by its spelling.

mod availability;
mod backends;
mod builds;
pub mod cython;
mod devices;
mod embedded;
mod environment;
mod exceptions;
mod gpus;
mod inference;
mod joined_findings;
mod leaving;
mod memo;
mod module_view;
mod opened_libraries;
mod packages;
mod platforms;
mod quoted;
pub mod reach;
pub mod reserved;
mod run_texts;
pub mod split_decisions;
mod start;
mod toolkit;
mod torch;
mod triton;
mod truth;
mod unit;

pub use inference::Summaries;
pub use joined_findings::join_settings;
pub use memo::{AboutNode, Memo};
pub use module_view::ModuleView;
pub use start::entry::may_start_program;
pub use unit::{PythonRule, PythonUnit};

use super::{Outcome, Rule, renamed_sources, run};

/// Run all rules over a module.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let reserved = unit
        .settings
        .timed(reserved::find::NAME, || reserved::find::find(unit));
    run(RULES, unit.settings, unit, out);
    start::errors::mark(unit, out);
    reserved::code::keep(reserved, out);
    joined_findings::join_alike(unit, out);
    if reach::of_module(unit, unit.index).is_other_vendors() {
        return;
    }
    run(CLOSING, unit.settings, unit, out);
}

/// The rules in the order in which they look at a file: of two rules that may claim the same node, the more specific one
/// comes first.
pub const RULES: &[PythonRule] = &[
    Rule::new("python-availability", availability::check),
    Rule::new("python-gpus", gpus::check),
    // In the portable dialect the source stays CUDA's, and is ported when the program builds it.
    Rule::for_musa("python-code-in-string", embedded::check),
    Rule::new("python-platform", platforms::names::check),
    Rule::new("python-platform-object", platforms::object::check),
    Rule::new("python-platform-tables", platforms::tables::check),
    Rule::new("python-packages", packages::check),
    Rule::new("python-triton", triton::check),
    Rule::new("python-operators", torch::operators::check),
    Rule::for_musa(builds::BUILDER_NAMES, builds::names::check),
    Rule::for_musa("python-builder-flags", builds::flags::check),
    Rule::for_musa("python-builder-arguments", builds::arguments::check),
    Rule::for_musa("python-builder-hosts", builds::hosts::check),
    Rule::for_musa("python-builder-gates", builds::gates::check),
    Rule::new("python-extensions", builds::extensions::check),
    Rule::for_musa("python-imports", torch::imports::check),
    Rule::for_musa("python-attributes", torch::attributes::check),
    Rule::for_musa("python-keywords", torch::keywords::check),
    Rule::for_musa("python-libraries", torch::libraries::check),
    Rule::for_musa("python-stand-ins", torch::stand_ins::check),
    Rule::new("python-own-devices", devices::own_devices::check),
    Rule::for_musa("python-members", torch::members::check),
    Rule::new("python-environment", environment::check),
    Rule::new("python-native", opened_libraries::check),
    // The portable dialect keeps CUDA's own paths: it runs there, too.
    Rule::for_musa("python-toolkit", toolkit::places::check),
    Rule::new("python-commands", toolkit::commands::check),
    Rule::new("python-profiler", torch::profiler::check),
    Rule::new("python-messages", torch::messages::check),
    Rule::new("python-installs", packages::installing_commands::check),
    Rule::new("python-tool-strings", toolkit::tool_strings::check),
    Rule::new("python-quoted", quoted::check),
    Rule::new("python-dispatch", torch::dispatch::check),
    Rule::for_musa("python-backends", backends::strings::check),
    Rule::for_musa("python-joined-devices", devices::joined::check),
    Rule::for_musa("python-device-patterns", devices::patterns::check),
    Rule::new(devices::change::DEVICES, devices::strings::check),
    Rule::for_portable("python-compared", devices::comparisons::check),
    Rule::new("python-musa-arms", platforms::musa_arms::check),
    Rule::for_musa("python-left-options", builds::unconnected_options::check),
    Rule::for_musa("python-names-for-source", embedded::source_names::check),
    Rule::new("python-renamed-sources", |unit, out| {
        renamed_sources::check(unit, out);
    }),
    Rule::new("python-build-flags", builds::unchanged_flags::check),
];

/// Rules that look at the edits of the rules before.
pub const CLOSING: &[PythonRule] = &[Rule::new("python-entry", start::entry::check)];
