//! Libraries that a tree carries along, which are left whole.

use torchada_classify::FileKind;
use torchada_mapping::knowledge::{Knowledge, VendoredLibrary};
use torchada_mapping::starts_with_one;

use crate::tree::paths;
use crate::tree::source::Input;

/// A library found in a tree.
#[derive(Debug)]
pub struct CarriedLibrary<'k> {
    /// The library.
    pub library: &'k VendoredLibrary,
    /// The folders that it fills, each ending in `/`.
    pub folders: Vec<String>,
}

impl CarriedLibrary<'_> {
    /// Whether a file belongs to the library.
    pub fn holds(&self, path: &str) -> bool {
        starts_with_one(path, &self.folders)
    }
}

/// The number of folders above it with which a library is a part of something else, however little C++ that has.
const DEEP: usize = 3;

/// The libraries that a tree carries along. A library that is nearly all of the tree is the
/// project itself, unless it lies deep in it.
pub fn carried<'i, 'k>(
    files: &(impl Iterator<Item = &'i Input> + Clone),
    knowledge: &'k Knowledge,
) -> Vec<CarriedLibrary<'k>> {
    let mut found = Vec::new();
    for library in &knowledge.vendored {
        let marked = files
            .clone()
            .filter(|file| paths::ends_with(&file.path, &library.marker));
        let roots = marked.filter_map(|file| file.path.strip_suffix(library.marker.as_str()));
        let roots: Vec<&str> = roots.collect();
        let is_deep = roots.iter().all(|root| root.matches('/').count() >= DEEP);
        let mut folders: Vec<String> = roots.iter().flat_map(|root| fills(root, library)).collect();
        folders.sort();
        folders.dedup();
        if folders.is_empty() {
            continue;
        }
        let one = CarriedLibrary { library, folders };
        let is_counted =
            |kind: FileKind| library.modules || kind.is_cpp() || kind == FileKind::Musa;
        let all = files.clone().filter(|file| is_counted(file.class.kind));
        let all: Vec<&str> = all.map(|file| &*file.path).collect();
        let copied = all.iter().filter(|path| one.holds(path)).count();
        if copied > 0 && (is_deep || copied * 5 < all.len() * 4) {
            found.push(one);
        }
    }
    found
}

/// The folders of a library whose include root is `root`: the whole distribution where it has a
/// folder of its own, else the folders of its headers.
fn fills(root: &str, library: &VendoredLibrary) -> Vec<String> {
    // `cudnn-frontend/` is the folder of `cuDNN frontend`.
    let plain = |text: &str| -> String {
        let letters = text.chars().filter(|one| one.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect()
    };
    let own = root.strip_suffix("include/").filter(|above| {
        let folder = paths::file_name(above.trim_end_matches('/'));
        plain(folder).contains(&plain(&library.name))
    });
    match own {
        Some(above) if !above.is_empty() => vec![above.to_owned()],
        _ => library
            .prefix
            .iter()
            .map(|prefix| format!("{root}{prefix}"))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::left_whole::listing;

    #[test]
    fn a_carried_library_is_found_by_its_marker() {
        let files = listing(&[
            "src/a.cu",
            "src/b.cu",
            "third_party/cutlass/include/cutlass/cutlass.h",
            "third_party/cutlass/examples/x.cu",
        ]);
        let knowledge = Knowledge::builtin();
        let found = carried(&files.iter(), knowledge);
        assert_eq!(found.len(), 1);
        assert!(found[0].holds("third_party/cutlass/examples/x.cu"));
        assert!(!found[0].holds("src/a.cu"));
    }

    #[test]
    fn a_library_deep_in_a_tree_is_carried_whatever_its_share() {
        let carries = |root: &str| {
            let paths: Vec<String> = ["cutlass.h", "a.h", "b.h", "c.h"]
                .iter()
                .map(|name| format!("{root}cutlass/{name}"))
                .chain(["ops.cu".to_owned()])
                .collect();
            let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
            !carried(&listing(&paths).iter(), Knowledge::builtin()).is_empty()
        };
        assert!(carries("csrc/attention/cutlass/include/"));
        assert!(!carries("include/"));
    }

    #[test]
    fn a_folder_with_a_librarys_name_belongs_to_it_as_a_whole() {
        let files = listing(&[
            "a.cu",
            "b.cu",
            "external/cudnn-frontend/include/cudnn_backend_base.h",
            "external/cudnn-frontend/include/cudnn_frontend.h",
            "external/cudnn-frontend/samples/x.cpp",
        ]);
        let found = carried(&files.iter(), Knowledge::builtin());
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].folders, ["external/cudnn-frontend/"]);
    }
}
