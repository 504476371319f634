//! Forms by which `PyTorch` and its neighbours choose CUDA.

use crate::align::Scanned;
use crate::compare::Comparison;
use crate::literals::enclosing_call;
use crate::measure::Measure;
use crate::nearby::chain;
use crate::scan::{Kind, spelling};
use crate::vocabulary::SeenFrom;

/// Names that are such a form by themselves.
const NAMES: [&[u8]; 16] = [
    b"kCUDA",
    b"kDLCUDA",
    b"kDLCUDAHost",
    b"kDLCUDAManaged",
    b"getCurrentCUDAStream",
    b"getDefaultCUDAStream",
    b"setCurrentCUDAStream",
    b"lazyInitCUDA",
    b"C10_CUDA_CHECK",
    b"C10_CUDA_KERNEL_LAUNCH_CHECK",
    b"AT_CUDA_CHECK",
    b"TORCH_CUDA_CHECK",
    b"REGISTER_CUDA_DISPATCH",
    b"OptionalCUDAGuard",
    b"CUDAStreamGuard",
    b"CUDAGuard",
];

/// Enumerations with CUDA among their members.
const ENUMERATIONS: [&[u8]; 4] = [
    b"DispatchKey",
    b"Backend",
    b"DeviceType",
    b"BackendComponent",
];

/// Macros that register operators, the key being the second argument.
const REGISTRATIONS: [&[u8]; 5] = [
    b"TORCH_LIBRARY_IMPL",
    b"TORCH_LIBRARY_IMPL_EXPAND",
    b"STABLE_TORCH_LIBRARY_IMPL",
    b"STABLE_TORCH_LIBRARY_IMPL_EXPAND",
    b"TORCH_LIBRARY_FRAGMENT_IMPL",
];

impl Comparison<'_> {
    /// Count forms that are in the output, by whether the port's report mentions them.
    pub(crate) fn all_dispatch(&mut self, around: &dyn SeenFrom) {
        for at in 0..self.after.tokens.len() {
            let form = match self.after.kind(at) {
                Some(Kind::Identifier) => is_form(self.after, at),
                Some(Kind::String) => is_device(self.after, at),
                _ => false,
            };
            if !form {
                continue;
            }
            let Some(before) = self.origin[at] else {
                self.count_new(Measure::DispatchLeft, at);
                continue;
            };
            let name = spelling(self.before.bytes(before)).into_owned();
            if around.declares(&name) {
                continue;
            }
            let measure = if self.is_reported_near(before, before + 1) {
                Measure::DispatchReported
            } else {
                Measure::DispatchLeft
            };
            self.count(measure, before, before + 1);
        }
    }
}

/// Whether the identifier at `at` chooses CUDA.
fn is_form(file: &Scanned, at: usize) -> bool {
    let name = spelling(file.bytes(at));
    if NAMES.contains(&&*name) {
        return true;
    }
    let word = |at: Option<usize>| at.map_or(&b""[..], |at| file.bytes(at));
    if matches!(&*name, b"is_cuda" | b"isCUDA") {
        let is_member = matches!(word(file.previous(at)), b"." | b">" | b":");
        return is_member && word(file.next(at)) == b"(";
    }
    // The member of an enumeration is counted with its qualifier.
    if ENUMERATIONS.contains(&&*name) {
        return false;
    }
    if !name.windows(4).any(|part| part == b"CUDA") {
        return false;
    }
    if let Some(colon) = file.previous(at).filter(|at| file.bytes(*at) == b":")
        && let Some(other) = file.previous(colon)
        && let Some(owner) = file.previous(other)
        && ENUMERATIONS.contains(&&*spelling(file.bytes(owner)))
    {
        return chain(file, owner).contains(&at);
    }
    let Some(call) = enclosing_call(file, at) else {
        return false;
    };
    REGISTRATIONS.contains(&&*spelling(file.bytes(call))) && argument(file, call, at) == 1
}

/// Which argument of the call at `call` the token is part of, 0-based.
fn argument(file: &Scanned, call: usize, at: usize) -> usize {
    (call..at).filter(|at| file.bytes(*at) == b",").count()
}

/// Whether the string at `at` names CUDA's device where a device is made.
fn is_device(file: &Scanned, at: usize) -> bool {
    let text = file.bytes(at);
    if text != b"\"cuda\"" && !text.starts_with(b"\"cuda:") {
        return false;
    }
    let Some(open) = file
        .previous(at)
        .filter(|at| matches!(file.bytes(*at), b"(" | b"{"))
    else {
        return false;
    };
    let called = file.previous(open);
    let earlier = called.and_then(|called| file.previous(called));
    let is =
        |at: Option<usize>| at.is_some_and(|at| matches!(file.bytes(at), b"Device" | b"device"));
    is(called) || is(earlier)
}
