//! The audit's own scan against the program's own report, on trees that nobody wrote.

use std::path::Path;

use torchada::mapping::{Section, Tables};

use crate::fixtures::{Node, Port, port};
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
    let port: Port = port(&case.tree, &case.arguments, &["--no-config"]);
    let [input, output] = ["input", "output"].map(|name| port.place.path().join(name));
    let trees = Trees::read(&input, &output).expect("both are there");
    let mut tally = audit(&trees, false).expect("it is made");
    tally.sort();
    for measure in AGREED {
        let places = tally.places.get(measure).map_or(&[][..], Vec::as_slice);
        // What counts behind headers of a library alone is looked for in different ways by the two.
        let is_meant = |one: &&Example| match measure {
            Measure::Left => {
                let row = Tables::builtin().get(Section::Names, one.text.as_bytes());
                row.is_some_and(|row| row.needs.is_empty())
            }
            Measure::DispatchLeft => {
                let file = case.tree.get(Path::new(&one.path));
                file.is_some_and(includes_torch)
            }
            _ => true,
        };
        if let Some(one) = places.iter().find(is_meant) {
            let place = format!("{}:{}:{}: {}", one.path, one.line, one.column, one.text);
            return fault(measure.title(), place);
        }
    }
    Ok(())
}

/// Whether a file has an include of `PyTorch`'s itself.
fn includes_torch(file: &Node) -> bool {
    let Node::File { bytes, .. } = file else {
        return false;
    };
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.lines().filter(|line| line.contains("include"));
    lines.any(|line| {
        ["torch/", "ATen/", "c10/"]
            .iter()
            .any(|folder| line.contains(folder))
    })
}

#[test]
fn what_was_found_once_stays_mended() {
    found_cases(&SOUPS, agrees);
}

#[test]
fn the_audit_and_the_report_agree_on_any_tree() {
    new_cases(&SOUPS, 20, agrees);
}
