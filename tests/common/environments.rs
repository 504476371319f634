//! What tests install, where they install it, and the output of the programs that do.

// Each test binary takes what it needs.
#![allow(dead_code)]

use std::env;
use std::path::PathBuf;
use std::process::Output;

/// Where environments are kept: below cargo's target folder, unless somebody says otherwise.
pub(crate) fn cache() -> PathBuf {
    let own = env::current_exe().unwrap_or_default();
    env::var_os("TORCHADA_RUNTIME_CACHE").map_or_else(
        || {
            let mut folders = own.ancestors();
            let target = folders.find(|folder| folder.join("CACHEDIR.TAG").is_file());
            target.expect("cargo's target folder").join("runtime")
        },
        PathBuf::from,
    )
}

/// All that a program printed.
pub(crate) fn printed_by(output: &Output) -> String {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&text).into_owned()
}
