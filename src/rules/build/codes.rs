//! The codes of findings in scripts and lists of packages, and the message of each.

use torchada_diagnostic::Code;
use torchada_mapping::python::packages::PackageRelation;

/// Images.
pub const IMAGE: Code = Code::warning("BLD010", "image that is made for CUDA");

/// Packages.
pub const PACKAGE: Code = Code::warning(
    "BLD011",
    "package that is made for NVIDIA's GPUs, or has kernels for them, is required",
);

/// Options that are left out.
pub const DROPPED: Code = Code::note(
    "BLD012",
    "option of nvcc's left out, which mcc does without",
);

/// Options that stay.
pub const OPTION: Code = Code::warning(
    "BLD013",
    "option of nvcc's stays, because its value stands elsewhere",
);

/// Options of which nobody knows.
pub const OPTION_LEFT_OUT: Code = Code::warning(
    "BLD031",
    "option of nvcc's left out, of which no counterpart is known",
);

/// Options that say what is made.
pub const OUTPUT: Code = Code::error(
    "BLD032",
    "option of nvcc's stays that asks for device code alone",
);

/// Architectures.
pub const ARCHITECTURE: Code = Code::warning("BLD014", "CUDA's numbers of GPUs stay");

/// CUDA's numbers of GPUs became MUSA's.
pub const ARCHITECTURES: Code = Code::note(
    "BLD041",
    "CUDA's numbers of GPUs became MUSA's in the build",
);

/// What to do then.
pub const OTHER_GPUS: &str = "name the GPUs that the port is for, and leave the others out";

/// Variables.
pub const VARIABLE: Code = Code::note(
    "BLD015",
    "variable of NVIDIA's software without a counterpart",
);

/// Programs.
pub const PROGRAM: Code = Code::warning(
    "BLD016",
    "program of NVIDIA's is run, or NVIDIA's GPUs are asked for",
);

/// Arguments.
pub const ARGUMENT: Code = Code::note(
    "BLD017",
    "argument that names CUDA's device or backend stays",
);

/// Pipelines.
pub const PIPELINE: Code = Code::note("BLD018", "pipeline is set up for CUDA");

/// Libraries.
pub const LIBRARY: Code = Code::warning("BLD019", "library without a known counterpart is linked");

/// Paths.
pub const PATH: Code = Code::warning("BLD020", "place of NVIDIA's software stays");

/// Addresses.
pub const DOWNLOAD: Code = Code::warning("BLD021", "software for NVIDIA's GPUs is fetched");

/// Sources that keep their ending.
pub const LANGUAGE: Code = Code::warning("BLD022", "source keeps an ending that mcc does not know");

/// Code of Python in a script.
pub const PYTHON: Code = Code::note("BLD023", "Python inside a script speaks of CUDA and stays");

/// Weak evidence.
pub const WEAK_EVIDENCE: Code =
    Code::note("BLD024", "name changed in a build file on weak evidence");

/// Evidence too weak to act upon.
pub const TOO_WEAK: Code = Code::note(
    "BLD025",
    "name left in a build file, because the evidence is too weak",
);

/// A script reads the compiler's output.
pub const PRINTED: Code = Code::note("BLD026", "what the compiler prints of its version is read");

/// Options of `CMake`'s.
pub const CMAKE_OPTION: Code = Code::note("BLD027", "script hands CMake an option about CUDA");

/// What to do about such an option.
pub const CMAKE_OPTION_ADVICE: &str =
    "see what the ported CMakeLists.txt takes in its place: MUSA has no language of CMake's own";

/// A script looks for an option or a name of CUDA's.
pub const SOUGHT: Code =
    Code::warning("BLD029", "script looks for something of CUDA's by its name");

/// Bazel.
pub const BAZEL: Code = Code::warning("BLD028", "rule of Bazel's for CUDA");

/// A runtime that nvcc links by itself.
pub const RUNTIME: Code = Code::note("BLD030", "runtime's library added to what mcc links");

/// A script compares with a name of CUDA's.
pub const COMPARED: Code = Code::warning("BLD033", "script compares with CUDA's name");

/// A version of torch.
pub const TORCH_RELEASE: Code = Code::warning(
    "BLD034",
    "version of torch is required that no `torch_musa` is built for",
);

/// All codes of scripts.
pub const CODES: &[Code] = &[
    IMAGE,
    PACKAGE,
    TORCH_RELEASE,
    DROPPED,
    OPTION,
    OPTION_LEFT_OUT,
    OUTPUT,
    ARCHITECTURE,
    ARCHITECTURES,
    VARIABLE,
    PROGRAM,
    ARGUMENT,
    PIPELINE,
    LIBRARY,
    PATH,
    DOWNLOAD,
    LANGUAGE,
    PYTHON,
    WEAK_EVIDENCE,
    TOO_WEAK,
    PRINTED,
    CMAKE_OPTION,
    BAZEL,
    SOUGHT,
    RUNTIME,
    COMPARED,
];

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
        "BLD024" => format!("the evidence is weak for {list}"),
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
