//! Rules for Python: each value is judged by its position, not by its spelling.

mod alternatives;
mod attribute_access;
mod attributes;
mod availability;
mod backend_arms;
mod backends;
mod branches;
mod build_flags;
mod builds;
mod caught;
mod commands;
mod compared_devices;
mod cuda_conditions;
mod declared_alternatives;
mod device_comparisons;
mod device_patterns;
mod devices;
mod dispatch;
mod embedded;
mod entry;
mod environment;
mod expected_words;
mod extensions;
mod gpus;
mod host_taken;
mod imports;
mod inference;
mod joined_devices;
mod joined_findings;
mod keywords;
mod libraries;
mod members;
mod memo;
mod messages;
mod module_view;
mod musa_arms;
mod musa_branches;
mod musa_counterparts;
mod musa_twins;
mod name_fragments;
mod names;
mod native;
mod operators;
mod other_vendors;
mod own_device_objects;
mod own_devices;
mod owner;
mod packages;
mod patched;
mod platform;
mod platform_conditions;
mod platform_object;
mod platform_tables;
mod profiler;
mod quoted;
pub mod reach;
pub mod reserved;
mod reserved_code;
mod scripted;
pub mod split_decisions;
mod standins;
mod startup;
mod tool_strings;
mod toolkit;
mod triton;
mod truth;
mod unit;
mod users_words;
mod vendor_files;
mod vendors;

pub use entry::may_start_program;
pub use inference::Summaries;
pub use memo::Memo;
pub use module_view::ModuleView;
pub use unit::PythonUnit;

use super::renamed_sources::RenamedSources;
use super::{Outcome, Rule, run};

/// Let all rules look at a module.
pub fn check(unit: &PythonUnit<'_>, out: &mut Outcome) {
    let reserved = unit.settings.timed(reserved::NAME, || reserved::find(unit));
    run(RULES, unit.settings, unit, out);
    startup::mark(unit, out);
    reserved_code::keep(reserved, out);
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
    &platform::Platform,
    &platform_object::PlatformObject,
    &platform_tables::PlatformTables,
    &packages::Packages,
    &triton::Triton,
    &operators::Operators,
    &builds::BuilderNames,
    &builds::Flags,
    &builds::BuilderArguments,
    &builds::Hosts,
    &builds::Gates,
    &extensions::Extensions,
    &imports::Imports,
    &attributes::Attributes,
    &keywords::Keywords,
    &libraries::Libraries,
    &standins::StandIns,
    &own_devices::OwnDeviceStrings,
    &members::Members,
    &environment::Environment,
    &native::Native,
    &toolkit::Toolkit,
    &commands::CommandNames,
    &profiler::Profilers,
    &messages::Messages,
    &tool_strings::Tools,
    &quoted::Quoted,
    &dispatch::Dispatch,
    &backends::Backends,
    &joined_devices::JoinedDevices,
    &device_patterns::DevicePatterns,
    &devices::Devices,
    &device_comparisons::DeviceComparisons,
    &musa_arms::MusaArms,
    &builds::LeftOptions,
    &embedded::SourceNames,
    &RenamedSources("python-renamed-sources"),
    &build_flags::BuildFlags,
];

/// Rules that look at the edits of the rules before.
pub const CLOSING: &[&dyn for<'a> Rule<PythonUnit<'a>>] = &[&entry::EntryPoints];
