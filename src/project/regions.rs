//! Which platform a stretch of a file is compiled for.

use crate::mapping::knowledge::{Knowledge, Vendor};
use crate::syntax::{Directive, DirectiveKind, Tokens, Truth, evaluate};
use crate::text::TextRange;

/// Which platform a stretch of code is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Region {
    /// Compiled where CUDA is the platform; no other platform is told apart.
    Plain,
    /// Compiled for another vendor only.
    OtherVendor,
    /// Compiled for MUSA only: done already.
    Musa,
    /// Left out where MUSA is the platform, because the project knows MUSA.
    NotMusa,
}

/// The regions of one file.
#[derive(Clone, Default, Debug)]
pub struct Regions {
    /// Ranges that are not plain, by place; an inner one stands behind the one around it.
    special: Vec<(TextRange, Region)>,
}

/// One `#if` whose `#endif` is still to come.
struct Frame {
    outer: Region,
    /// That no branch so far was taken: with other vendors' macros undefined, with the target's
    /// undefined, with the target's project macros defined, with nothing known.
    open: [Truth; 4],
    current: Region,
    start: usize,
}

impl Regions {
    /// Find the regions of a file.
    pub fn new(source: &[u8], tokens: &Tokens, knowledge: &Knowledge) -> Self {
        let mut regions = Self::default();
        let mut stack: Vec<Frame> = Vec::new();
        for (index, directive) in tokens.directives.iter().enumerate() {
            match directive.kind {
                DirectiveKind::If | DirectiveKind::Ifdef | DirectiveKind::Ifndef => {
                    let outer = stack.last().map_or(Region::Plain, |frame| frame.current);
                    let mut frame = Frame {
                        outer,
                        open: [Truth::True; 4],
                        current: outer,
                        start: directive.range.end,
                    };
                    let guard = is_include_guard(source, tokens, index);
                    frame.enter(source, tokens, directive, knowledge, guard);
                    stack.push(frame);
                }
                DirectiveKind::Elif
                | DirectiveKind::Elifdef
                | DirectiveKind::Elifndef
                | DirectiveKind::Else => {
                    if let Some(frame) = stack.last_mut() {
                        regions.close(frame, directive.range.start);
                        frame.start = directive.range.end;
                        frame.enter(source, tokens, directive, knowledge, false);
                    }
                }
                DirectiveKind::Endif => {
                    if let Some(frame) = stack.pop() {
                        regions.close(&frame, directive.range.start);
                    }
                }
                _ => {}
            }
        }
        for frame in stack.iter().rev() {
            regions.close(frame, source.len());
        }
        regions
            .special
            .sort_by_key(|(range, _)| (range.start, usize::MAX - range.end));
        regions
    }

    fn close(&mut self, frame: &Frame, end: usize) {
        if frame.current != frame.outer && frame.start <= end {
            self.special
                .push((TextRange::new(frame.start, end), frame.current));
        }
    }

    /// The region of the byte at `offset`.
    pub fn at(&self, offset: usize) -> Region {
        let behind = self
            .special
            .partition_point(|(range, _)| range.start <= offset);
        self.special
            .get(..behind)
            .unwrap_or_default()
            .iter()
            .rev()
            .find(|(range, _)| range.contains(offset))
            .map_or(Region::Plain, |(_, region)| *region)
    }
}

impl Frame {
    fn enter(
        &mut self,
        source: &[u8],
        tokens: &Tokens,
        directive: &Directive,
        knowledge: &Knowledge,
        guard: bool,
    ) {
        let truth = |known: &dyn Fn(&Vendor, &str) -> Option<bool>| {
            if guard {
                return Truth::Unknown;
            }
            evaluate(source, tokens, directive, &|name| {
                let name = String::from_utf8_lossy(name);
                knowledge
                    .vendor_of_macro(&name)
                    .and_then(|vendor| known(vendor, &name))
            })
        };
        let here = [
            truth(&|vendor, _| (!vendor.is_target()).then_some(false)),
            truth(&|vendor, _| vendor.is_target().then_some(false)),
            truth(&|vendor, name| {
                if !vendor.is_target() {
                    Some(false)
                } else if vendor.device_pass.iter().any(|pass| pass == name) {
                    None
                } else {
                    Some(true)
                }
            }),
            truth(&|_, _| None),
        ];
        let mut taken = [Truth::Unknown; 4];
        for ((taken, open), here) in taken.iter_mut().zip(&mut self.open).zip(here) {
            *taken = open.and(here);
            *open = open.and(here.inverse());
        }
        let [no_vendor, no_musa, musa, nothing] = taken;
        self.current = if self.outer != Region::Plain {
            self.outer
        } else if nothing == Truth::False {
            Region::Plain
        } else if no_vendor == Truth::False {
            Region::OtherVendor
        } else if no_musa == Truth::False {
            Region::Musa
        } else if musa == Truth::False {
            Region::NotMusa
        } else {
            Region::Plain
        };
    }
}

/// Whether the directive at `index` is the `#ifndef X` of an include guard: `#define X` follows.
fn is_include_guard(source: &[u8], tokens: &Tokens, index: usize) -> bool {
    let name = |at: usize, kind: DirectiveKind| {
        let directive = tokens.directives.get(at)?;
        if directive.kind != kind {
            return None;
        }
        tokens
            .get(directive.tokens.start)
            .map(|token| token.text(source))
    };
    let guard = name(index, DirectiveKind::Ifndef);
    guard.is_some() && guard == name(index + 1, DirectiveKind::Define)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{LexOptions, lex};

    fn region_of(source: &str) -> Region {
        let tokens = lex(source.as_bytes(), LexOptions::default());
        let knowledge = Knowledge::builtin().expect("the tables load");
        let regions = Regions::new(source.as_bytes(), &tokens, knowledge);
        regions.at(source.find("HERE").expect("the mark is there"))
    }

    #[test]
    fn branches_of_other_vendors_are_told_from_cudas() {
        assert_eq!(
            region_of("#ifdef USE_ROCM\nHERE\n#else\n#endif"),
            Region::OtherVendor
        );
        assert_eq!(
            region_of("#ifdef USE_ROCM\n#else\nHERE\n#endif"),
            Region::Plain
        );
        assert_eq!(region_of("#ifndef USE_ROCM\nHERE\n#endif"), Region::Plain);
        assert_eq!(
            region_of("#if !defined(USE_ROCM)\n#else\nHERE\n#endif"),
            Region::OtherVendor
        );
        assert_eq!(
            region_of("#if defined(__HIPCC__) || defined(X)\nHERE\n#endif"),
            Region::Plain
        );
        assert_eq!(
            region_of("#ifdef USE_ROCM\n#if X\nHERE\n#endif\n#endif"),
            Region::OtherVendor
        );
    }

    #[test]
    fn branches_for_musa_and_their_siblings_are_done_already() {
        assert_eq!(
            region_of("#if defined(GGML_USE_MUSA)\nHERE\n#endif"),
            Region::Musa
        );
        assert_eq!(
            region_of("#if defined(USE_HIP)\n#elif USE_MUSA\n#else\nHERE\n#endif"),
            Region::NotMusa
        );
        // The host pass of a MUSA build takes this branch.
        assert_eq!(
            region_of("#ifdef __MUSA_ARCH__\n#else\nHERE\n#endif"),
            Region::Plain
        );
    }

    #[test]
    fn an_include_guard_with_a_vendors_name_decides_nothing() {
        assert_eq!(
            region_of("#ifndef OPS_MUSA_H\n#define OPS_MUSA_H\nHERE\n#endif"),
            Region::Plain
        );
        assert_eq!(region_of("#if 0\nHERE\n#endif"), Region::Plain);
    }
}
