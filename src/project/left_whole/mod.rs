//! Files that are left as they are, and why: libraries that the tree carries along or that MUSA has no counterpart of.

pub mod disposition;
pub mod libraries;
mod twins;
pub mod vendored;

/// The files of a tree with these paths, which are empty.
#[cfg(test)]
fn listing(paths: &[&str]) -> Vec<crate::Input> {
    let table = &torchada_mapping::knowledge::Knowledge::builtin().files;
    let inputs = paths.iter().map(|path| {
        let class = torchada_classify::classify(std::path::Path::new(path), b"", table);
        crate::Input::new((*path).to_owned(), class)
    });
    inputs.collect()
}
