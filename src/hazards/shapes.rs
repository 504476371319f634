//! Constructs that no name gives away: arithmetic with the warp's size, exchanges between
//! threads, large arrays in shared memory, device code of other files, launches by device code.

use super::device_launch::DeviceLaunches;
use super::matcher::folded;
use super::word_roles::{Role, Roles};
use super::{Hazards, Hit, Search};
use torchada_mapping::has;
use torchada_syntax::{ScopeKind, TokenKind, arguments};

/// Whether a name is that of an exchange between the threads of a warp.
pub(super) fn is_exchange(hazards: &Hazards<'_>, name: &[u8]) -> bool {
    let shapes = hazards.shapes();
    let masked = &shapes.warp.masked;
    name.starts_with(b"__")
        && std::str::from_utf8(name)
            .is_ok_and(|name| shapes.shuffles.contains_key(name) || has(masked, name))
}

impl Search<'_> {
    /// Find the constructs whose rows concern the run's targets.
    pub(super) fn find_shapes(self, roles: &Roles, hits: &mut Vec<Hit>) {
        let view = self.view;
        for index in roles.all(Role::Shape) {
            hits.extend(self.exchange(index));
            hits.extend(self.named_size(index));
            hits.extend(self.shared_array(index));
            hits.extend(self.foreign_device_code(index));
        }
        let mut launches = DeviceLaunches::default();
        // `<<<`, and operators with a number behind them.
        let punctuation = view.tokens.tokens.iter().enumerate();
        for (index, token) in punctuation.filter(|(_, token)| token.kind == TokenKind::Punct) {
            let range = token.range();
            match view.source.get(range.start) {
                Some(b'<') if range.len() == 3 => hits.extend(launches.at(self, index)),
                Some(b'>' | b'&' | b'%' | b'/') if view.is(index + 1, TokenKind::Number) => {
                    hits.extend(self.lane_arithmetic(index));
                }
                _ => {}
            }
        }
    }

    fn hit(self, shape: &str, from: usize, to: usize) -> Option<Hit> {
        self.view.hit(self.hazards.construct(shape)?, from, to)
    }

    /// An exchange between the threads of a warp that begins at `index`: `__shfl_xor_sync(mask, value, 4, 16)`,
    /// `__syncwarp(0xffffffff)`.
    pub(super) fn exchange(self, index: usize) -> Option<Hit> {
        let (view, shapes) = (self.view, self.hazards.shapes());
        let name = view.word(index);
        if !name.starts_with(b"__") || view.word(index + 1) != b"(" {
            return None;
        }
        let name = std::str::from_utf8(name).ok()?;
        let arguments = arguments(view.source, view.tokens, index + 1)?;
        if let Some(place) = shapes.shuffles.get(name) {
            return match arguments.get(*place) {
                Some(width) => {
                    let small = width.len() == 1
                        && view
                            .number(width.start)
                            .is_some_and(|width| width <= shapes.warp.threads);
                    let shape = if small {
                        "shuffle-width-32"
                    } else {
                        return None;
                    };
                    self.hit(shape, index, index)
                }
                // The width is the whole warp.
                None => self.hit("warp-wide-exchange", index, index),
            };
        }
        let masked = has(&shapes.warp.masked, name);
        let full = arguments.first().is_some_and(|mask| {
            mask.len() == 1 && view.number(mask.start) == Some(u64::from(u32::MAX))
        });
        (masked && full)
            .then(|| self.hit("warp-wide-exchange", index, index))
            .flatten()
    }

    /// `#define WARP_SIZE 32`, `constexpr int kWarpSize = 32;`
    fn named_size(self, index: usize) -> Option<Hit> {
        let view = self.view;
        let number = if view.is_defined_as_one(index) {
            index + 1
        } else if matches!(view.word(index + 1), b"=" | b"{") {
            index + 2
        } else {
            return None;
        };
        let warp = &self.hazards.shapes().warp;
        (view.number(number) == Some(warp.threads) && warp.size.contains(&folded(view.word(index))))
            .then(|| self.hit("warp-size-32", index, number))
            .flatten()
    }

    /// `threadIdx.x >> 5`, `tid & 31`, `lane = n % 32`
    fn lane_arithmetic(self, index: usize) -> Option<Hit> {
        let view = self.view;
        let warp = &self.hazards.shapes().warp;
        let wanted = match view.word(index) {
            b">>" => u64::from(warp.threads.trailing_zeros()),
            b"&" => warp.threads - 1,
            b"%" | b"/" => warp.threads,
            _ => return None,
        };
        if view.number(index + 1) != Some(wanted) {
            return None;
        }
        // `threadIdx.x / 32`
        let mut left = index.checked_sub(1)?;
        if view.before(left, 1) == b"." && matches!(view.word(left), b"x" | b"y" | b"z") {
            left = left.checked_sub(2)?;
        }
        let is_thread =
            view.is(left, TokenKind::Identifier) && warp.thread.contains(&folded(view.word(left)));
        // `int warp_id = n / 32`: the first words of the statement say what it is.
        let names_result = || {
            (1..10)
                .map_while(|back| index.checked_sub(back))
                .take_while(|&at| !matches!(view.word(at), b";" | b"{" | b"}" | b","))
                .any(|at| {
                    view.word(at) == b"="
                        && at
                            .checked_sub(1)
                            .is_some_and(|name| warp.result.contains(&folded(view.word(name))))
                })
        };
        (is_thread || names_result())
            .then(|| self.hit("warp-size-32", left, index + 1))
            .flatten()
    }

    /// `__shared__ float tile[128][128];`
    fn shared_array(self, index: usize) -> Option<Hit> {
        let view = self.view;
        if view.word(index) != b"__shared__" || view.before(index, 1) == b"extern" {
            return None;
        }
        let shared = &self.hazards.shapes().shared;
        let element = std::str::from_utf8(view.word(index + 1)).unwrap_or_default();
        let mut bytes = shared.sizes.get(element).copied().unwrap_or(1);
        let mut at = index + 3;
        if view.word(at) != b"[" {
            return None;
        }
        while view.word(at) == b"[" && view.word(at + 2) == b"]" {
            bytes = bytes.saturating_mul(view.number(at + 1)?);
            at += 3;
        }
        (bytes > shared.limit)
            .then(|| self.hit("large-shared-array", index + 2, at - 1))
            .flatten()
    }

    /// `extern __device__ int counter;`
    fn foreign_device_code(self, index: usize) -> Option<Hit> {
        let view = self.view;
        if !matches!(
            view.word(index),
            b"extern" | b"__device__" | b"__constant__"
        ) {
            return None;
        }
        let device = |at: usize| matches!(view.word(at), b"__device__" | b"__constant__");
        let external = |at: usize| view.word(at) == b"extern";
        let both = (external(index) && device(index + 1)) || (device(index) && external(index + 1));
        // In a function it makes the linker fail where a template has no specialisation.
        let local = || {
            let mut scopes = view.outline.enclosing(index);
            scopes.any(|at| {
                let scope = view.outline.scopes.get(at);
                scope.is_some_and(|scope| scope.kind == ScopeKind::Function)
            })
        };
        if !both || local() {
            return None;
        }
        self.hit("relocatable-device-code", index, index + 1)
    }
}
