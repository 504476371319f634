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
pub mod split_decisions;
mod start;
mod toolkit;
mod torch;
mod triton;
mod truth;
mod unit;

pub use inference::Summaries;
pub use memo::Memo;
pub use module_view::ModuleView;
pub use start::entry::may_start_program;
pub use unit::PythonUnit;

use super::renamed_sources::RenamedSources;
use super::{Outcome, Rule, run};

/// Let all rules look at a module.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let reserved = unit
        .settings
        .timed(reserved::find::NAME, || reserved::find::find(unit));
    run(RULES, unit.settings, unit, out);
    start::errors::mark(unit, out);
    reserved::code::keep(reserved, out);
    if reach::of_module(unit, unit.index).is_other_vendors() {
        return;
    }
    run(CLOSING, unit.settings, unit, out);
}

/// The rules in the order in which they look at a file: of two rules that may claim the same node, the more specific one
/// comes first.
pub const RULES: &[&dyn for<'a> Rule<PythonUnit<'a>>] = &[
    &availability::Availability,
    &gpus::Gpus,
    &embedded::Embedded,
    &platforms::names::Platform,
    &platforms::object::PlatformObject,
    &platforms::tables::PlatformTables,
    &packages::Packages,
    &triton::Triton,
    &torch::operators::Operators,
    &builds::BuilderNames,
    &builds::Flags,
    &builds::BuilderArguments,
    &builds::Hosts,
    &builds::Gates,
    &builds::extensions::Extensions,
    &torch::imports::Imports,
    &torch::attributes::Attributes,
    &torch::keywords::Keywords,
    &torch::libraries::Libraries,
    &torch::stand_ins::StandIns,
    &devices::own_devices::OwnDeviceStrings,
    &torch::members::Members,
    &environment::Environment,
    &opened_libraries::Native,
    &toolkit::places::Toolkit,
    &toolkit::commands::CommandNames,
    &torch::profiler::Profilers,
    &torch::messages::Messages,
    &toolkit::tool_strings::Tools,
    &quoted::Quoted,
    &torch::dispatch::Dispatch,
    &backends::strings::Backends,
    &devices::joined::JoinedDevices,
    &devices::patterns::DevicePatterns,
    &devices::strings::Devices,
    &devices::comparisons::DeviceComparisons,
    &platforms::musa_arms::MusaArms,
    &builds::LeftOptions,
    &embedded::SourceNames,
    &RenamedSources("python-renamed-sources"),
    &builds::unchanged_flags::BuildFlags,
];

/// Rules that look at the edits of the rules before.
pub const CLOSING: &[&dyn for<'a> Rule<PythonUnit<'a>>] = &[&start::entry::EntryPoints];
