//! What a module's findings say of the packages that it asks for: one finding for each package.

use std::collections::BTreeMap;

use super::need::Need;
use crate::Outcome;
use crate::build::sentence;
use crate::python::joined_findings::Places;
use crate::python::{PythonUnit, reach};
use torchada_diagnostic::codes::build::TORCH_RELEASE;
use torchada_diagnostic::codes::python::{
    CUDA_PACKAGE, GUARDED, HAS_KERNELS, OTHER_BUILD, START_NEEDS_BUILD, STOPS_START, TRITON_KERNELS,
};
use torchada_diagnostic::{Code, Finding, KeptReason, PackageNeed, PackageUse as Noted};
use torchada_mapping::has;
use torchada_mapping::python::packages::{Eager, Package, PackageRelation};
use torchada_mapping::python::torch_pins::TorchPins;
use torchada_syntax::python::{Kind, NodeId};
use torchada_text::TextRange;

/// How many modules that can't be loaded are named.
const NAMED: usize = 3;

/// How many steps of a long chain of imports are shown at its start and at its end.
const STEPS: usize = 4;

/// A place where a module asks for a package.
pub struct PackageUse<'t> {
    /// The place.
    pub range: TextRange,
    /// The package.
    pub package: &'t Package,
    /// The name of the table by which it is known here.
    pub known: &'t str,
    /// How it is asked for.
    pub need: Need,
}

/// Report the packages that a module asks for.
pub fn report(unit: &PythonUnit<'_>, mut uses: Vec<PackageUse<'_>>, out: &mut Outcome) {
    // What only another vendor's platform runs asks MUSA for nothing.
    let is_theirs = |one: &mut PackageUse<'_>| {
        !reach::of_module(unit, unit.index).is_other_vendors()
            && reach::of_range(unit, one.range).is_other_vendors()
    };
    for one in uses.extract_if(.., is_theirs) {
        unit.keep(out, one.range, KeptReason::VendorBranch);
    }
    let mut packages: BTreeMap<&str, Vec<PackageUse<'_>>> = BTreeMap::new();
    for one in uses {
        packages.entry(one.package.name()).or_default().push(one);
    }
    for mut uses in packages.into_values() {
        out.packages.extend(uses.iter().map(|one| {
            let at = unit.finding(OTHER_BUILD, one.range, "");
            noted(one, at)
        }));
        uses.sort_by_key(|one| (one.range.start, one.range.end));
        let Some(worst) = uses.iter().map(|one| one.need).max() else {
            continue;
        };
        let Some(first) = uses.iter().find(|one| one.need == worst) else {
            continue;
        };
        let mut finding = finding(unit, first);
        let places: Vec<Finding> = uses
            .iter()
            .map(|one| unit.finding(OTHER_BUILD, one.range, ""))
            .collect();
        finding.message += &Places::of(unit, &places).uses();
        out.report(finding);
        for other in &uses {
            if other.range != first.range && !out.edits.touches(unit.in_file(other.range)) {
                unit.keep(out, other.range, KeptReason::NamedBeside);
                // A name in a text is the package's there, and no device.
                out.claim_at(other.range.start);
            }
        }
    }
}

/// Report requirements of a version of torch that no release of `torch_musa` is built for.
pub fn report_pins(
    unit: &PythonUnit<'_>,
    torch: &TorchPins,
    pins: Vec<(TextRange, String)>,
    out: &mut Outcome,
) {
    for (range, text) in pins {
        let requirement = text.split(';').next().unwrap_or(&text).trim_end();
        let message = sentence(TORCH_RELEASE, &format!("`{requirement}`"), false);
        unit.report(out, TORCH_RELEASE, range, message, torch.advice.clone());
    }
}

/// A use as the report counts it.
fn noted(one: &PackageUse<'_>, at: Finding) -> Noted {
    Noted {
        package: one.package.name().to_owned(),
        path: at.path,
        line: at.start.line,
        need: match one.need {
            Need::Auxiliary => PackageNeed::Auxiliary,
            Need::Typing | Need::Probed | Need::Caught | Need::Checked => PackageNeed::Guarded,
            Need::Function => PackageNeed::Lazy,
            Need::Required => PackageNeed::Required,
            Need::Branch | Need::Needed | Need::Start => PackageNeed::Unguarded,
        },
    }
}

/// The finding about a package at one of its places.
fn finding(unit: &PythonUnit<'_>, one: &PackageUse<'_>) -> Finding {
    let PackageUse {
        range,
        package,
        known,
        need,
    } = one;
    let name = package.name();
    let alias = if *known == name || has(&package.requires, known) {
        String::new()
    } else {
        format!(" (as `{known}`)")
    };
    let is_absent = matches!(
        package.relation,
        PackageRelation::None | PackageRelation::Kernels
    );
    let what = match package.relation {
        PackageRelation::None => "is made for CUDA".to_owned(),
        PackageRelation::Renamed => format!(
            "is made for CUDA; `{}` has its work on MUSA",
            package.to.as_deref().unwrap_or_default()
        ),
        PackageRelation::Twin => "has to be MUSA's build of it".to_owned(),
        PackageRelation::Kernels => "has CUDA kernels of its own".to_owned(),
        PackageRelation::Triton => "has kernels in Triton".to_owned(),
    };
    let code = match (package.relation, need) {
        (PackageRelation::Triton, _) => TRITON_KERNELS,
        (_, Need::Start) if is_absent && !package.anywhere => STOPS_START,
        (_, Need::Start) if !is_absent => START_NEEDS_BUILD,
        (PackageRelation::Twin, _) => OTHER_BUILD,
        (_, need) if *need < Need::Required => GUARDED,
        (PackageRelation::Kernels, _) => HAS_KERNELS,
        _ => CUDA_PACKAGE,
    };
    let eager = compiled_at_load(unit, package).filter(|_| *need >= Need::Branch);
    let how = match eager {
        Some((at, _)) => {
            let line = unit.finding(code, at, "").start.line;
            let module = unit.modules.module_name(unit.index);
            format!(
                "; `{module}` compiles with it as it is loaded (line {line}), which takes NVIDIA's driver"
            )
        }
        None => how(unit, package, *need, code),
    };
    let message = format!("`{name}`{alias} {what}{how}");
    let finding = unit.finding(code, *range, message);
    let more = match eager {
        Some((_, eager)) => format!(" {}", eager.advice),
        None => lost_modules(unit, package),
    };
    finding.help(package.advice.clone() + &more)
}

/// The first function that a package compiles as the module is loaded: `@cuda.jit("(float32[:],)")`.
fn compiled_at_load<'p>(
    unit: &PythonUnit<'_>,
    package: &'p Package,
) -> Option<(TextRange, &'p Eager)> {
    let eager = package.eager.as_ref()?;
    let tree = &unit.module.tree;
    let is_at_top = |one: &NodeId| {
        let mut up = tree.ancestors(*one);
        up.all(|up| tree.kind(up) != Kind::Function)
    };
    let compiles = |one: &NodeId| {
        let types = tree.argument(*one, 0);
        types.is_some_and(|first| tree.kind(first) != Kind::KeywordArgument)
            && (unit.module.callee_name(*one))
                .is_some_and(|name| eager.decorators.contains(&name.name))
    };
    let decorated = tree.of(Kind::Decorated).filter(is_at_top);
    let mut decorators = decorated.flat_map(|one| tree.decorators(one));
    Some((tree.range(decorators.find(compiles)?), eager))
}

/// What follows from the way in which a package is asked for.
fn how(unit: &PythonUnit<'_>, package: &Package, need: Need, code: Code) -> String {
    let module = || unit.modules.module_name(unit.index);
    match need {
        _ if code == OTHER_BUILD => String::new(),
        // The counterpart has the name that is imported.
        Need::Needed if package.relation == PackageRelation::Renamed => String::new(),
        Need::Auxiliary => "; a test, a benchmark or an example imports it".to_owned(),
        Need::Typing => "; only type checkers import it".to_owned(),
        Need::Probed => "; the code asks whether it is there".to_owned(),
        Need::Caught => "; its absence is caught".to_owned(),
        Need::Checked => "; the code asks first whether it is there".to_owned(),
        Need::Function => "; a function imports it, and fails without it".to_owned(),
        Need::Required => "; requirements list it".to_owned(),
        Need::Branch | Need::Needed | Need::Start
            if package.anywhere && package.relation == PackageRelation::None =>
        {
            "; it can be imported without NVIDIA's driver".to_owned()
        }
        Need::Branch => format!("; a branch of `{}` needs it", module()),
        Need::Needed => format!("; `{}` can't be loaded without it", module()),
        Need::Start => format!(", and the start loads it: {}", chain(unit, package)),
    }
}

/// The chain of imports that leads from a start to a package: `a/__init__.py:3 → a/b.py:2`.
fn chain(unit: &PythonUnit<'_>, package: &Package) -> String {
    let need = unit.modules.need(package.name());
    let chain = need.map_or(&[][..], |need| &need.chain);
    let steps = chain.iter().map(|&place| unit.modules.place(place));
    let mut steps: Vec<String> = steps.collect();
    if steps.len() > 2 * STEPS {
        let rest = steps.len() - 2 * STEPS;
        steps.splice(STEPS..STEPS + rest, [format!("… {rest} more …")]);
    }
    steps.join(" → ")
}

/// The modules that can't be loaded without a package.
fn lost_modules(unit: &PythonUnit<'_>, package: &Package) -> String {
    let need = unit.modules.need(package.name());
    let need = need.filter(|_| !package.anywhere);
    let lost = need.map_or(&[][..], |need| &need.lost);
    let names = lost.iter().take(NAMED);
    let names: Vec<String> = names
        .map(|&at| format!("`{}`", unit.modules.module_name(at)))
        .collect();
    match lost.len() {
        0 => String::new(),
        count if count > NAMED => format!(
            " Without it {count} modules can't be loaded: {} and {} more.",
            names.join(", "),
            count - NAMED
        ),
        1 => format!(" Without it {} can't be loaded.", names.join(", ")),
        _ => format!(" Without it {} can't be loaded.", names.join(" and ")),
    }
}
