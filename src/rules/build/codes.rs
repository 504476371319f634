//! The codes of findings in scripts and lists of packages, and the message of each.

use torchada_diagnostic::Code;
use torchada_diagnostic::codes::build::PACKAGE;
use torchada_mapping::python::packages::PackageRelation;

/// What to do then.
pub const OTHER_GPUS: &str = "name the GPUs that the port is for, and leave the others out";

/// What to do about such an option.
pub const CMAKE_OPTION_ADVICE: &str =
    "see what the ported CMakeLists.txt takes in its place: MUSA has no language of CMake's own";

/// The message about a package that `list` requires.
pub fn required(relation: PackageRelation, list: &str, many: bool) -> String {
    let are = if many { "are" } else { "is" };
    match relation {
        PackageRelation::Kernels => {
            format!("{list} {are} required, a package with CUDA kernels of its own")
        }
        PackageRelation::Twin => {
            format!("{list} {are} required, a package that has to be MUSA's build of it")
        }
        _ => sentence(PACKAGE, list, many),
    }
}

/// The message about several things of one class, with `list` in it.
pub fn sentence(code: Code, list: &str, many: bool) -> String {
    let (are, they) = if many {
        ("are", "they stay")
    } else {
        ("is", "it stays")
    };
    match code.id {
        "BLD010" => format!(
            "{list} {are} made for CUDA, and {}",
            if many { "stay" } else { "stays" }
        ),
        "BLD011" => format!("{list} {are} required, and made for NVIDIA's GPUs"),
        "BLD012" => format!("{list} {are} left out: mcc does without"),
        "BLD014" => format!("{list} {are} CUDA's: {they}"),
        "BLD041" => format!("{list} became MUSA's: no GPU of MUSA's has a number of CUDA's"),
        "BLD015" => format!(
            "{list} {are} read for CUDA alone, and {}",
            if many { "stay" } else { "stays" }
        ),
        "BLD016" => format!("{list} {are} for NVIDIA's GPUs"),
        "BLD017" => format!(
            "{list} {are} for the program that gets {}: {they}",
            if many { "them" } else { "it" }
        ),
        "BLD018" => format!("this pipeline is set up for CUDA: {list}"),
        "BLD013" if many => format!("{list} stay: their values stand elsewhere"),
        "BLD013" => format!("{list} stays: its value stands elsewhere"),
        "BLD019" => format!("no counterpart of {list} is known: {they}"),
        "BLD031" => format!("{list} {are} left out: no counterpart is known"),
        "BLD032" => format!(
            "{list} {} what nvcc makes: {they}, and mcc has no option of this name",
            if many { "choose" } else { "chooses" }
        ),
        "BLD020" => format!("{list} {are} part of NVIDIA's software: {they}"),
        "BLD021" => format!("{list} {are} fetched for NVIDIA's GPUs"),
        "BLD022" => format!(
            "{list} {} `.cu`, which mcc takes for no language",
            if many { "keep" } else { "keeps" }
        ),
        "BLD023" => format!("Python in this script speaks of CUDA: {list}"),
        "BLD024" => format!("only a rule gives {list}"),
        "BLD025" => format!(
            "{list} {}: the evidence is weaker than `min-evidence` asks for",
            if many { "stay" } else { "stays" }
        ),
        "BLD026" => format!("{list} {are} read from what the compiler prints, which differs"),
        "BLD027" => format!("{list} {are} handed to CMake: {they}"),
        "BLD029" => format!("{list} {are} looked for, and not there on MUSA"),
        "BLD034" => format!(
            "{list} {are} required, and no release of `torch_musa` is built for {}",
            if many { "them" } else { "it" }
        ),
        "BLD033" => format!("{list} {are} asked for by name, and MUSA's name is another"),
        "BLD030" => {
            let link = if many { "link" } else { "links" };
            format!("{list} {link} the runtime's library by itself, and mcc does not: it is added")
        }
        "BLD028" => format!("{list} {are} for CUDA, and no rules of Bazel's know mcc"),
        _ => list.to_owned(),
    }
}
