//! Writes the text of the shim's files.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::{Aliases, FOLDER, ShimFile, WrapperHeader};
use crate::mapping::MappingError;
use crate::mapping::shim::{Compiler, CompilerFunction, CompilerMacro, compiler};

/// Names a guard after a file of the shim.
const GUARD: &str = "TORCHADA_SHIM";

/// The first line of every file.
const ORIGIN: &str = "// Written by `torchada shim` from the mapping tables.\n";

/// The files that hold the aliases.
///
/// # Errors
/// A fault of the table of definitions.
pub(super) fn aliases(aliases: &Aliases) -> Result<Vec<ShimFile>, MappingError> {
    let compiler = compiler()?;
    let file = |name: &str, text: String| ShimFile {
        path: format!("{FOLDER}/{name}"),
        text,
    };
    Ok(vec![
        file("before.h", switches(&aliases.switches)),
        file("names.h", names(&aliases.declared, compiler)),
        file("after.h", macros(&aliases.macros, &compiler.macros)),
    ])
}

/// A header under MUSA's name. It has no guard: each time, `after.h` finds macros that are new.
pub(super) fn wrapper(wrapper: &WrapperHeader) -> ShimFile {
    let mut text = format!("{ORIGIN}#include \"{FOLDER}/before.h\"\n");
    match wrapper.cuda.as_slice() {
        [only] => line(&mut text, &format!("#include <{only}>")),
        several => {
            for (at, header) in several.iter().enumerate() {
                let word = if at == 0 { "if" } else { "elif" };
                line(&mut text, &format!("#{word} __has_include(<{header}>)"));
                line(&mut text, &format!("#include <{header}>"));
            }
            line(&mut text, "#else");
            let all = several.join(", ");
            line(&mut text, &format!("#error \"none of {all} is there\""));
            line(&mut text, "#endif");
        }
    }
    line(&mut text, &format!("#include \"{FOLDER}/after.h\""));
    ShimFile {
        path: wrapper.musa.clone(),
        text,
    }
}

/// Macros that code or the build defines: CUDA's headers are to see what MUSA's would have seen.
fn switches(switches: &BTreeMap<String, String>) -> String {
    let mut text = format!(
        "{ORIGIN}\
         // Read before each of CUDA's headers: what is set under MUSA's name is set under CUDA's.\n\
         #ifndef {GUARD}_BEFORE_H\n#define {GUARD}_BEFORE_H\n\
         // The command line sets them for both.\n"
    );
    for (musa, cuda) in switches {
        let lines = format!("#if defined({cuda}) && !defined({musa})\n#define {musa} 1\n#endif");
        line(&mut text, &lines);
    }
    line(&mut text, "#endif\n");
    for (musa, cuda) in switches {
        let set = format!("#ifndef {cuda}\n#define {cuda} 1\n#endif");
        line(
            &mut text,
            &format!("#ifdef {musa}\n{set}\n#else\n#undef {cuda}\n#endif"),
        );
    }
    text
}

/// Everything that a declaration brings, and what the compiler knows.
fn names(names: &BTreeMap<String, String>, compiler: &Compiler) -> String {
    let mut text = format!("{ORIGIN}#ifndef {GUARD}_NAMES_H\n#define {GUARD}_NAMES_H\n\n");
    for definition in &compiler.macros {
        let CompilerMacro {
            name,
            value,
            beside,
            ..
        } = definition;
        let beside = beside.as_ref();
        let beside = beside.map_or(String::new(), |macro_| format!("defined({macro_}) && "));
        let lines = format!("#if {beside}!defined({name})\n#define {name} {value}\n#endif");
        line(&mut text, &lines);
    }
    text.push('\n');
    for (musa, cuda) in names {
        line(&mut text, &format!("#define {musa} {cuda}"));
    }
    line(&mut text, "\n#ifdef __CUDACC__");
    for CompilerFunction { code, .. } in &compiler.functions {
        line(
            &mut text,
            &format!("static __device__ __forceinline__ {code}"),
        );
    }
    line(&mut text, "#endif\n\n#endif");
    text
}

/// Macros of headers: each is there only where CUDA's is.
fn macros(macros: &BTreeMap<String, String>, defined: &[CompilerMacro]) -> String {
    let mut text = format!(
        "{ORIGIN}\
         // Read after each of CUDA's headers, and so without a guard: it may have defined more.\n\
         #include \"{FOLDER}/names.h\"\n\n"
    );
    for (musa, cuda) in macros {
        if !defined.iter().any(|definition| definition.name == *musa) {
            let lines =
                format!("#if defined({cuda}) && !defined({musa})\n#define {musa} {cuda}\n#endif");
            line(&mut text, &lines);
        }
    }
    text
}

fn line(text: &mut String, line: &str) {
    // A `String` takes what is written to it.
    let _ = writeln!(text, "{line}");
}
