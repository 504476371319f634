//! Files that are written for another vendor from beginning to end: no conditional says so, but the files use what only
//! that vendor's compiler has.

use super::regions::Region;
use crate::context::Context;
use crate::facts::{Include, PlatformHeaders, VendorMark};
use crate::scan::parsed::Parsed;
use torchada_mapping::{Relation, Vendor, has};

/// The mark by which a file is another vendor's, if it is. A file that always includes a header of CUDA's is not.
pub(crate) fn detect_foreign_vendor(
    source: &[u8],
    parsed: &Parsed,
    includes: &[Include],
    context: Context<'_>,
) -> Option<VendorMark> {
    let vendors = &context.knowledge.vendors;
    let is_certain = |word: &[u8]| vendors.iter().any(|vendor| vendor.is_certain(word));
    let certain = parsed.tokens.identifiers_where(source, is_certain);
    let certain: Vec<usize> = certain.collect();
    vendors.iter().find_map(|vendor| {
        if vendor.is_target() {
            return None;
        }
        let certain = certain_name(source, parsed, vendor, &certain);
        if certain.is_some() {
            return certain;
        }
        let found = header(parsed, includes, vendor)
            .or_else(|| namespace(source, parsed, vendor))
            .or_else(|| qualifier(source, parsed, vendor, context))?;
        // HIP on NVIDIA's GPUs has a header of CUDA's behind a condition, in a file that is HIP's all the same.
        let is_cudas = |include: &Include| {
            is_cudas(include, context)
                && is_unconditional(parsed, include.range.start)
                && !lists(&vendor.shared_headers, &include.path)
        };
        (!includes.iter().any(is_cudas)).then_some(found)
    })
}

/// The mark by which a file's name says that it is another vendor's.
pub(crate) fn ending(path: &str, context: Context<'_>) -> Option<VendorMark> {
    let vendors = context.knowledge.vendors.iter();
    let mut endings = vendors.flat_map(|vendor| &vendor.endings);
    let ending = endings.find(|ending| path.ends_with(ending.as_str()))?;
    Some(VendorMark::Ending(ending.clone()))
}

fn header(parsed: &Parsed, includes: &[Include], vendor: &Vendor) -> Option<VendorMark> {
    let mut always = includes
        .iter()
        .filter(|include| is_unconditional(parsed, include.range.start));
    always
        .find(|include| lists(&vendor.headers, &include.path))
        .map(|include| VendorMark::Header(include.path.clone()))
}

fn namespace(source: &[u8], parsed: &Parsed, vendor: &Vendor) -> Option<VendorMark> {
    let tokens = &parsed.tokens;
    let names = &vendor.namespaces;
    let is_there = |name: &String| tokens.has_word(source, name.as_bytes());
    if !names.iter().any(is_there) {
        return None;
    }
    let is_one = |word: &[u8]| has(names, word);
    let mut places = tokens.identifiers_where(source, is_one);
    places.find_map(|index| {
        let token = tokens.get(index)?;
        let text = token.text(source);
        let name = names.iter().find(|name| name.as_bytes() == text)?;
        let qualifies = !token.in_directive
            && tokens.is(index + 1, source, "::")
            && is_unconditional(parsed, token.range().start);
        qualifies.then(|| VendorMark::Namespace(name.clone()))
    })
}

/// A keyword of the vendor's language for kernels, which no qualifier of CUDA's stands beside.
fn qualifier(
    source: &[u8],
    parsed: &Parsed,
    vendor: &Vendor,
    context: Context<'_>,
) -> Option<VendorMark> {
    let tokens = &parsed.tokens;
    let has_word = |word: &String| tokens.has_word(source, word.as_bytes());
    let mut cudas = context.knowledge.qualifiers.iter();
    if !vendor.qualifiers.iter().any(has_word) || cudas.any(has_word) {
        return None;
    }
    let is_one = |word: &[u8]| has(&vendor.qualifiers, word);
    let mut places = tokens.identifiers_where(source, is_one);
    places.find_map(|index| {
        let token = tokens.get(index)?;
        let counts = !token.in_directive && is_unconditional(parsed, token.range().start);
        let name = String::from_utf8_lossy(token.text(source)).into_owned();
        counts.then_some(VendorMark::Name(name))
    })
}

/// A name among those at `places` that nobody but the vendor has, where no conditional decides about it.
fn certain_name(
    source: &[u8],
    parsed: &Parsed,
    vendor: &Vendor,
    places: &[usize],
) -> Option<VendorMark> {
    places.iter().find_map(|&index| {
        let token = parsed.tokens.get(index)?;
        let counts = vendor.is_certain(token.text(source))
            && !token.in_directive
            && is_unconditional(parsed, token.range().start);
        let name = String::from_utf8_lossy(token.text(source)).into_owned();
        counts.then_some(VendorMark::Name(name))
    })
}

/// Whether an include is of a header of CUDA's, where CUDA may be the platform.
fn is_cudas(include: &Include, context: Context<'_>) -> bool {
    let row = context.tables.header(&include.path);
    include.region == Region::Plain && row.is_some_and(|row| row.relation != Relation::Same)
}

/// The platforms whose headers a file includes.
pub(crate) fn platforms(
    parsed: &Parsed,
    includes: &[Include],
    context: Context<'_>,
) -> PlatformHeaders {
    let is_musas = |include: &Include| {
        context.tables.name_parts().is_musa_header(&include.path)
            && is_unconditional(parsed, include.range.start)
    };
    PlatformHeaders {
        cuda: includes.iter().any(|include| is_cudas(include, context)),
        musa: includes.iter().any(is_musas),
    }
}

/// Whether a path is one of these, or lies in a folder among them (`hip/`).
fn lists(headers: &[String], path: &str) -> bool {
    headers
        .iter()
        .any(|header| path == header || (header.ends_with('/') && path.starts_with(header)))
}

/// Whether no conditional but the file's include guard holds the byte at `offset`.
pub(crate) fn is_unconditional(parsed: &Parsed, offset: usize) -> bool {
    let mut conditionals = parsed.conditionals.all().iter().enumerate();
    !conditionals.any(|(at, one)| {
        let guard = at == 0 && one.is_include_guard && !one.has_else;
        !guard && one.inside().contains(offset)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use torchada_hazards::Hazards;
    use torchada_mapping::Tables;
    use torchada_mapping::knowledge::Knowledge;

    fn detected_vendor(source: &str) -> Option<VendorMark> {
        let tables = Tables::builtin();
        let knowledge = Knowledge::builtin();
        let hazards = Hazards::new(tables, &knowledge.shapes, &[]);
        let context = Context::new(tables, knowledge, &hazards);
        crate::scan::scan_text(source.as_bytes(), false, context).foreign
    }

    #[test]
    fn a_vendors_header_tells_where_it_is_always_included_and_cudas_is_not() {
        let header = |path: &str| Some(VendorMark::Header(path.to_owned()));
        assert_eq!(
            detected_vendor("#ifndef H\n#define H\n#include <sycl/sycl.hpp>\n#endif\n"),
            header("sycl/sycl.hpp")
        );
        assert_eq!(
            detected_vendor("#ifdef X\n#include <sycl/sycl.hpp>\n#endif\n"),
            None
        );
        assert_eq!(
            detected_vendor("#include <hip/hip_runtime.h>\n#include <cuda_runtime.h>\n"),
            None
        );
        assert_eq!(
            detected_vendor(
                "#include <hip/hip_runtime.h>\n#ifdef __CUDACC__\n#include <cuda_fp16.h>\n#endif\n"
            ),
            header("hip/hip_runtime.h")
        );
        // PyTorch for ROCm has these under CUDA's names.
        assert_eq!(
            detected_vendor("#include <c10/hip/HIPStream.h>\n#include <ATen/cuda/CUDAContext.h>\n"),
            header("c10/hip/HIPStream.h")
        );
    }

    #[test]
    fn a_vendors_namespace_tells_too() {
        let ck = Some(VendorMark::Namespace("ck_tile".to_owned()));
        assert_eq!(detected_vendor("ck_tile::index_t stride(int n);\n"), ck);
        assert_eq!(
            detected_vendor("#if X\nck_tile::index_t n;\n#endif\n"),
            None
        );
        assert_eq!(detected_vendor("int ck_tile = 0;\n"), None);
    }

    #[test]
    fn a_qualifier_of_another_language_tells_where_none_of_cudas_stands() {
        let name = VendorMark::Name("__global".to_owned());
        let copy = "void copy(__global const unsigned *from);\n";
        assert_eq!(detected_vendor(copy), Some(name));
        let shared = format!("__device__ int one();\n{copy}");
        assert_eq!(detected_vendor(&shared), None);
        let either = format!("#ifdef OPENCL\n{copy}#endif\n");
        assert_eq!(detected_vendor(&either), None);
    }

    #[test]
    fn a_name_that_nobody_else_has_tells_beside_cudas_headers_too() {
        let source = "#include <cuda_fp16.h>\nfloat f(__hip_bfloat16 x);\n";
        let name = VendorMark::Name("__hip_bfloat16".to_owned());
        assert_eq!(detected_vendor(source), Some(name));
        assert_eq!(
            detected_vendor("#ifdef USE_ROCM\nfloat f(__hip_bfloat16 x);\n#endif\n"),
            None
        );
    }
}
