//! Which platform a stretch of a file is compiled for.

use std::cell::Cell;

use torchada_mapping::knowledge::Knowledge;
use torchada_mapping::{Vendor, has};
use torchada_syntax::{Conditionals, Directive, Macro, Tokens, Truth, evaluate};
use torchada_text::{Spans, TextRange};

/// The platform that a stretch of code is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Region {
    /// Compiled where CUDA is the platform; no condition mentions another platform.
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
    /// Branches that no build takes.
    dead: Spans,
    /// For each special range the one around it, plus one; 0 for none.
    outer: Vec<usize>,
}

impl Regions {
    /// Find the regions of a file.
    pub fn new(
        source: &[u8],
        tokens: &Tokens,
        conditionals: &Conditionals,
        knowledge: &Knowledge,
    ) -> Self {
        let mut special = Vec::new();
        let mut dead = Spans::default();
        let mut found: Vec<Vec<Region>> = Vec::new();
        for conditional in conditionals.all() {
            let around = conditional
                .outer
                .and_then(|(outer, branch)| found.get(outer)?.get(branch).copied());
            let outer = around.unwrap_or(Region::Plain);
            let mut untaken = [Truth::True; 4];
            let mut regions = Vec::new();
            for branch in &conditional.branches {
                let directive = tokens.directives.get(branch.directive);
                // The name of an include guard decides nothing.
                let guard = conditional.is_include_guard && regions.is_empty();
                let truths = directive
                    .filter(|_| !guard)
                    .map_or([Truth::Unknown; 4], |directive| {
                        truths(source, tokens, directive, knowledge)
                    });
                if untaken[3].and(truths[3]) == Truth::False {
                    dead.push(branch.body);
                }
                let region = region(outer, truths, &mut untaken);
                if region != outer {
                    special.push((branch.body, region));
                }
                regions.push(region);
            }
            found.push(regions);
        }
        special.sort_by_key(|(range, _)| (range.start, usize::MAX - range.end));
        let outer = outer(&special);
        Self {
            special,
            dead,
            outer,
        }
    }

    /// Whether no build takes the byte at `offset`: it stands behind `#if 0`.
    pub fn is_dead(&self, offset: usize) -> bool {
        self.dead.contains(offset)
    }

    /// Whether the whole file is for CUDA.
    pub fn is_plain(&self) -> bool {
        self.special.is_empty()
    }

    /// The region of the byte at `offset`.
    pub fn at(&self, offset: usize) -> Region {
        let mut behind = self
            .special
            .partition_point(|(range, _)| range.start <= offset);
        while let Some(at) = behind.checked_sub(1) {
            match self.special.get(at) {
                Some((range, region)) if range.contains(offset) => return *region,
                _ => behind = self.outer.get(at).copied().unwrap_or(0),
            }
        }
        Region::Plain
    }
}

/// For each range, the last range before it that ends at or behind its end, plus one. A place that the range does not
/// contain can only be contained by that one.
fn outer(special: &[(TextRange, Region)]) -> Vec<usize> {
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut found = Vec::with_capacity(special.len());
    for (at, (range, _)) in special.iter().enumerate() {
        while open.pop_if(|(_, end)| *end < range.end).is_some() {}
        found.push(open.last().map_or(0, |(outer, _)| outer + 1));
        open.push((at, range.end));
    }
    found
}

/// The condition of a branch: with other vendors' macros undefined, with the target's undefined,
/// with the target's project macros defined, with nothing known.
fn truths(
    source: &[u8],
    tokens: &Tokens,
    directive: &Directive,
    knowledge: &Knowledge,
) -> [Truth; 4] {
    // For CUDA, in whose place MUSA stands, a switch has its value.
    let value = |name: &str| {
        let switch = knowledge.switches.iter().find(|one| one.r#macro == name);
        switch.map(|one| Macro::Value(one.cuda))
    };
    // Most conditions ask for nothing that any of this says something of.
    let is_open = Cell::new(true);
    let nothing = evaluate(source, tokens, directive, &|name| {
        let name = String::from_utf8_lossy(name);
        if value(&name).is_some() || knowledge.vendor_of_macro(&name).is_some() {
            is_open.set(false);
        }
        Macro::Unknown
    });
    if is_open.get() {
        return [nothing; 4];
    }
    let truth = |known: &dyn Fn(&Vendor, &str) -> Option<bool>, is_cuda: bool| {
        evaluate(source, tokens, directive, &|name| {
            let name = String::from_utf8_lossy(name);
            if let Some(value) = value(&name).filter(|_| is_cuda) {
                return value;
            }
            let known = knowledge
                .vendor_of_macro(&name)
                .and_then(|vendor| known(vendor, &name));
            Macro::from(known)
        })
    };
    [
        truth(&|vendor, _| (!vendor.is_target()).then_some(false), true),
        truth(&|vendor, _| vendor.is_target().then_some(false), false),
        truth(
            &|vendor, name| {
                if !vendor.is_target() {
                    Some(false)
                } else if has(&vendor.device_pass, name) {
                    None
                } else {
                    Some(true)
                }
            },
            true,
        ),
        nothing,
    ]
}

/// The region of the next branch of a conditional, whose condition is `here`. `untaken` says
/// that no branch before it was taken, and is carried on to the one behind it.
fn region(outer: Region, here: [Truth; 4], untaken: &mut [Truth; 4]) -> Region {
    let mut taken = [Truth::Unknown; 4];
    for ((taken, untaken), here) in taken.iter_mut().zip(untaken).zip(here) {
        *taken = untaken.and(here);
        *untaken = untaken.and(here.inverse());
    }
    let [no_vendor, no_musa, musa, nothing] = taken;
    if outer != Region::Plain {
        outer
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
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use torchada_syntax::{LexOptions, lex};

    fn region_of(source: &str) -> Region {
        let tokens = lex(source.as_bytes(), LexOptions::default());
        let knowledge = Knowledge::builtin();
        let conditionals = Conditionals::new(source.as_bytes(), &tokens);
        let regions = Regions::new(source.as_bytes(), &tokens, &conditionals, knowledge);
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
        assert_eq!(
            region_of("#if (VKFFT_BACKEND==0)\nHERE\n#elif (VKFFT_BACKEND==1)\n#endif"),
            Region::OtherVendor
        );
        assert_eq!(
            region_of("#if (VKFFT_BACKEND==0)\n#elif (VKFFT_BACKEND==1)\nHERE\n#endif"),
            Region::Plain
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
