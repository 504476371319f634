//! What tests install, where it is kept, and what was said on the way.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Output;

/// Where environments are kept: below cargo's target folder, unless somebody says otherwise.
pub(crate) fn cache() -> PathBuf {
    env::var_os("TORCHADA_RUNTIME_CACHE").map_or_else(
        || {
            let temporary = Path::new(env!("CARGO_TARGET_TMPDIR"));
            let target = temporary.parent().expect("cargo's target folder");
            target.join("runtime")
        },
        PathBuf::from,
    )
}

/// All that a program said.
pub(crate) fn printed_by(output: &Output) -> String {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&text).into_owned()
}
