//! The spelling of names that each section allows.

use super::schema::Section;

/// Why `name` can't stand in `section`, in words that end "…expected"; `None` when it can.
pub(super) fn fault(section: Section, name: &str) -> Option<String> {
    let (fits, expected) = match section {
        Section::Names | Section::Members | Section::Environment => {
            (is_identifier(name), "an identifier")
        }
        Section::Namespaces => (is_path(name), "a namespace such as `c10::cuda`"),
        Section::Qualified => {
            let fits = name.contains("::") && is_path(name);
            (fits, "a qualified name such as `c10::cuda::CUDAStream`")
        }
        Section::Headers => (
            is_header(name),
            "a header's path, or a folder's that ends in `/`",
        ),
        Section::Libraries => (
            is_library(name),
            "a library such as `cudart` or `CUDA::cudart`",
        ),
        Section::LibraryFiles => {
            let fits = name.contains('.') && is_library(name);
            (fits, "a library's file name such as `libcudart.so`")
        }
        Section::Python => {
            let fits = name.contains('.') && name.split('.').all(is_identifier);
            (fits, "a name with its modules such as `torch.cuda.Event`")
        }
        Section::Flags => {
            let fits = name.starts_with('-') && !name.contains('\n');
            (fits, "a compiler option that starts with `-`")
        }
    };
    (!fits).then(|| {
        format!(
            "`{name}` is no name for `{}`: expected {expected}",
            section.as_str()
        )
    })
}

fn is_identifier(name: &str) -> bool {
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    starts
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn is_path(name: &str) -> bool {
    name.split("::").all(is_identifier)
}

fn is_header(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-+./".contains(&byte);
    !name.is_empty() && !name.starts_with('/') && name.bytes().all(plain)
}

fn is_library(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-+.:".contains(&byte);
    !name.is_empty() && name.bytes().all(plain)
}

/// Whether `name` carries `stem` as a piece of its own: at its start or after `_`, and for stems
/// that are long enough to be no accident, where the case of letters shows a new word.
pub(super) fn has_stem(name: &str, stem: &str) -> bool {
    name.match_indices(stem).any(|(at, _)| {
        let before = name[..at].bytes().next_back();
        let after = name[at + stem.len()..].bytes().next();
        let upper = stem.bytes().all(|byte| !byte.is_ascii_lowercase());
        let starts = match before {
            None | Some(b'_' | b':') => true,
            // `getCurrentCUDAStream`, `make_cudaExtent`; but `cu` inside a word says nothing.
            Some(byte) => stem.len() > 2 && upper && !byte.is_ascii_uppercase(),
        };
        // `CUstream` and `CU_STREAM` for `CU`, `cuInit` for `cu`: never `cubic`, `CUSTOM`.
        let ends = stem.len() > 2
            || match after {
                Some(byte) if upper => byte == b'_' || byte.is_ascii_lowercase(),
                Some(byte) => byte.is_ascii_uppercase(),
                None => true,
            };
        starts && ends
    })
}
