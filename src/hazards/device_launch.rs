//! Kernels that code on the device launches: `kernel<<<1, 32>>>(data)` in a kernel.

use rustc_hash::FxHashMap;

use super::{CodeView, Hit, Search};
use torchada_mapping::has;
use torchada_syntax::ScopeKind;

/// The construct's name in the rows.
const SHAPE: &str = "launch-on-device";

/// How many tokens of a function's head are looked at, from its body back, and of a kernel's template arguments.
const HEAD: usize = 512;

/// Launches in functions that the host does not run.
#[derive(Default)]
pub(super) struct DeviceLaunches {
    /// Whether a function runs on the device alone, by its scope.
    on_device: FxHashMap<usize, bool>,
}

impl DeviceLaunches {
    /// The launch whose configuration begins at the token at `index`.
    pub(super) fn at(&mut self, search: Search<'_>, index: usize) -> Option<Hit> {
        let view = search.view;
        if index == 0 || view.word(index) != b"<<<" {
            return None;
        }
        let row = search.hazards.construct(SHAPE)?;
        let function = view.outline.enclosing(index).filter(|&at| {
            let scope = view.outline.scopes.get(at);
            scope.is_some_and(|scope| scope.kind == ScopeKind::Function)
        });
        // A lambda or a local class lies in the function that is declared.
        let function = function.last()?;
        let is_on_device = *self
            .on_device
            .entry(function)
            .or_insert_with(|| is_on_device(search, function));
        is_on_device.then(|| view.hit(row, kernel(view, index), index - 1))?
    }
}

/// Where the kernel's name begins that the launch at `index` starts: `split` in `split<int, 2><<<`.
fn kernel(view: &CodeView<'_>, index: usize) -> usize {
    let mut open = 0_usize;
    let name = (index.saturating_sub(HEAD)..index).rev().find(|&at| {
        open = match view.word(at) {
            b">" => open + 1,
            b"<" => open.saturating_sub(1),
            _ => return open == 0,
        };
        false
    });
    name.unwrap_or(index - 1)
}

/// Whether a function is declared for the device alone.
fn is_on_device(Search { hazards, view }: Search<'_>, function: usize) -> bool {
    let Some(scope) = view.outline.scopes.get(function) else {
        return false;
    };
    let body = scope.tokens.start;
    let head = (body.saturating_sub(HEAD)..body)
        .rev()
        .map(|at| view.word(at))
        .take_while(|word| !matches!(*word, b";" | b"{" | b"}"));
    let words = hazards.shapes();
    let (mut device, mut host) = (false, false);
    for word in head {
        device |= has(&words.device_marks, word);
        host |= has(&words.host_marks, word);
    }
    device && !host
}
