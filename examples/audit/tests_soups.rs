//! The audit's own scan against the program's own report, on trees that nobody wrote.

use torchada::mapping::{Section, Tables};

use crate::fixtures::{place, port_in};
use crate::fuzz::{Fault, SOUPS, fault, found_cases, new_cases};
use crate::measure::{Example, Measure};
use crate::soups::Case;
use crate::tree::audit;
use crate::trees::Trees;

/// What must be 0 of any tree at all, sound or not.
const AGREED: &[Measure] = &[
    Measure::Left,
    Measure::HeadersLeft,
    Measure::OwnRenamed,
    Measure::AgainstTables,
    Measure::Comments,
    Measure::Strings,
    Measure::Includes,
    Measure::Assembly,
    Measure::Withdrawn,
    Measure::Outside,
    Measure::StaleArchitectures,
    Measure::FlippedGuards,
    Measure::SilentCapabilities,
    Measure::DispatchLeft,
    Measure::MusaFiles,
    Measure::PythonComments,
    Measure::PythonProse,
    Measure::PythonBroken,
    Measure::PythonOutside,
    Measure::MissingFiles,
];

fn agrees(case: &Case) -> Result<(), Fault> {
    let place = place();
    // The scan knows names. `ptx-check` and `compile-check` judge what inline PTX becomes.
    let more = ["--no-config", "--ptx=keep"];
    port_in(place.path(), &case.tree, &case.arguments, &more);
    let [input, output] = ["input", "output"].map(|name| place.path().join(name));
    let trees = Trees::read(&input, &output).expect("both are there");
    let mut tally = audit(&trees, false).expect("it is made");
    tally.sort();
    for measure in AGREED {
        let places = tally.places.get(measure).map_or(&[][..], Vec::as_slice);
        // A qualified name or a key counts behind headers that the two look for in different ways.
        let is_name = |one: &&Example| {
            *measure != Measure::Left
                || Tables::builtin()
                    .get(Section::Names, one.text.as_bytes())
                    .is_some()
        };
        if let Some(one) = places.iter().find(is_name) {
            let place = format!("{}:{}:{}: {}", one.path, one.line, one.column, one.text);
            return fault(measure.title(), place);
        }
    }
    Ok(())
}

#[test]
fn what_was_found_once_stays_mended() {
    found_cases(&SOUPS, agrees);
}

#[test]
fn the_audit_and_the_report_agree_on_any_tree() {
    // Seed 9 compares an architecture with a macro in an `#elif` behind an `#if` that lacks its condition: the scan
    // does not know what holds there.
    new_cases(&SOUPS, 9, agrees);
}
