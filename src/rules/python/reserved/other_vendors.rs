//! Modules and branches that only other vendors' platforms reach: they stay as they are.

use super::code::{ReserveTrigger, Reserved};
use crate::python::PythonUnit;
use crate::python::reach;
use crate::python::reach::Reach;
use torchada_diagnostic::KeptReason;
use torchada_diagnostic::codes::project::OTHER_PLATFORM;
use torchada_diagnostic::codes::python::{HOST_TAKEN, TELLS_PLATFORM};
use torchada_project::replay::Cause;
use torchada_text::TextRange;

/// The whole module, if only another vendor's platform reaches it.
pub fn module(unit: &PythonUnit<'_>) -> Option<Reserved> {
    let whole = TextRange::new(0, unit.text.len());
    let Reach::OtherVendor(reason) = reach::of_module(unit, unit.index) else {
        return None;
    };
    if reason.cause == Cause::BesideMusa {
        return Some(Reserved {
            with_builders: true,
            ..Reserved::silent(whole, KeptReason::MusaTwin)
        });
    }
    let path = unit.path;
    let message = format!("`{path}` was left: {}", reason.why);
    let finding = unit.finding(OTHER_PLATFORM, TextRange::new(0, 0), message);
    Some(Reserved {
        when: ReserveTrigger::IfTouched,
        with_builders: true,
        finding: Some(finding.help("nothing to do where MUSA does not load it")),
        ..Reserved::silent(whole, KeptReason::VendorBranch)
    })
}

/// The branches that only other vendors' platforms take.
pub fn branches(unit: &PythonUnit<'_>) -> Vec<Reserved> {
    let all = reach::unreached(unit);
    let reserved = all.iter().filter_map(|one| {
        match one.reason.cause {
            // Whatever a question gives there, it decides nothing on MUSA.
            Cause::Vendor(_) => Some(Reserved::silent(one.range, KeptReason::VendorBranch)),
            Cause::BesideMusa => Some(Reserved {
                except: &[TELLS_PLATFORM, HOST_TAKEN],
                ..Reserved::silent(one.range, KeptReason::MusaBranch)
            }),
            _ => None,
        }
    });
    reserved.collect()
}
