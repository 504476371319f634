//! The decision about each guard of a file.

use crate::diagnostic::Severity;
use crate::hazards::Hit;
use crate::mapping::knowledge::Vendor;
use crate::mapping::{Relation, Section};
use crate::project::regions::Region;
use crate::project::{Lore, Parsed};
use crate::syntax::{Conditional, DirectiveKind, Macro, TokenKind, Truth, evaluate};
use crate::text::TextRange;

use super::comparison::{Comparison, Operator, comparisons};
use super::{Taints, features};

/// What becomes of one comparison.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decision {
    /// MUSA's number stands in place of CUDA's; the feature that asks for it.
    Threshold {
        /// A value of `__MUSA_ARCH__`.
        number: u32,
        /// The feature's name in the table of architectures.
        feature: String,
    },
    /// It is the same on every MUSA GPU.
    Constant(bool),
    /// It stays: the branches around it know MUSA.
    KnowsMusa,
    /// It can't be decided here.
    Open,
}

/// A conditional whose newer branches MUSA can't take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Closed {
    /// The comparison that closes them.
    pub at: TextRange,
    /// What the newest of them holds that MUSA lacks, as the code has it.
    pub holds: Vec<String>,
    /// Macros of the project's own that only those branches define, where they hold nothing else:
    /// the fallback stands where the macros are tested.
    pub switches: Vec<String>,
    /// How much that weighs: what only a note speaks of may be left out.
    pub severity: Severity,
    /// The directive of the branch that is taken instead, if there is one.
    pub fallback: Option<TextRange>,
    /// The directive of a branch for another vendor without such code.
    pub other_vendor: Option<TextRange>,
}

/// The guards of one file.
#[derive(Clone, Default, Debug)]
pub struct Guards {
    /// Each comparison with its decision, by place.
    pub decisions: Vec<(Comparison, Decision)>,
    /// Conditionals that MUSA takes the fallback of.
    pub closed: Vec<Closed>,
    /// Token indices of the macro where it is compared with nothing.
    pub values: Vec<usize>,
    /// Macros of the project's own that stand for a newer architecture, and for nothing else.
    pub switches: Vec<String>,
    /// Bodies of branches that no MUSA GPU takes, by place.
    shut: Vec<TextRange>,
}

impl Guards {
    /// Whether the byte at `offset` is in a branch that a guard closes on every MUSA GPU.
    pub fn is_closed(&self, offset: usize) -> bool {
        self.shut.iter().any(|range| range.contains(offset))
    }
}

/// Whether a hit is something that MUSA can't compile or run at all.
pub(super) fn blocks(lore: Lore<'_>, hit: &Hit) -> bool {
    let row = lore.hazards.rows().get(hit.row);
    row.is_some_and(|row| {
        row.severity == "error" || row.find.iter().any(|find| find.starts_with("asm:"))
    })
}

/// Decide about the guards of a file, whose hazards are `hits`.
pub fn decide(
    source: &[u8],
    parsed: &Parsed,
    lore: Lore<'_>,
    hits: &[Hit],
    taints: &Taints,
) -> Guards {
    let (comparisons, values) = comparisons(source, parsed, lore, taints);
    let mut decider = Decider {
        source,
        parsed,
        lore,
        hits,
        taints,
        decisions: vec![Decision::Open; comparisons.len()],
        comparisons,
        guards: Guards {
            values,
            ..Guards::default()
        },
    };
    if !decider.comparisons.is_empty() || taints.any_shut() {
        // An inner conditional stands behind the one around it: what it closes counts no more.
        for conditional in parsed.conditionals.all().iter().rev() {
            decider.conditional(conditional);
        }
        decider.outside_conditions();
    }
    let mut guards = decider.guards;
    guards.closed.sort_by_key(|closed| closed.at.start);
    guards.decisions = decider
        .comparisons
        .into_iter()
        .zip(decider.decisions)
        .collect();
    guards
}

struct Decider<'a> {
    source: &'a [u8],
    parsed: &'a Parsed,
    lore: Lore<'a>,
    hits: &'a [Hit],
    taints: &'a Taints,
    comparisons: Vec<Comparison>,
    decisions: Vec<Decision>,
    guards: Guards,
}

/// A value of the macro that lies above every number of CUDA's up to `number`, and equals none.
fn class(number: i64) -> i64 {
    number + 1
}

impl Decider<'_> {
    /// The comparisons in the directive of a branch.
    fn of_branch(&self, conditional: &Conditional, branch: usize) -> Vec<usize> {
        let directive = conditional
            .branches
            .get(branch)
            .and_then(|branch| self.parsed.tokens.directives.get(branch.directive));
        let Some(directive) = directive else {
            return Vec::new();
        };
        (0..self.comparisons.len())
            .filter(|&at| {
                self.comparisons
                    .get(at)
                    .is_some_and(|one| directive.tokens.contains(&one.index))
            })
            .collect()
    }

    fn conditional(&mut self, conditional: &Conditional) {
        let inside: Vec<usize> = (0..conditional.branches.len())
            .flat_map(|branch| self.of_branch(conditional, branch))
            .collect();
        if inside.is_empty() {
            self.by_switches(conditional);
            return;
        }
        if self.knows_target(conditional) {
            for at in inside {
                self.set(at, Decision::KnowsMusa);
            }
            return;
        }
        let mut numbers: Vec<i64> = inside
            .iter()
            .filter_map(|&at| self.comparisons.get(at)?.number)
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        let base = self.taken(conditional, 1);
        let mut chosen = 1;
        let mut denied: Option<(Vec<usize>, Vec<&Hit>, Vec<String>)> = None;
        for &number in numbers.iter().rev() {
            let taken = self.taken(conditional, class(number));
            if taken == base {
                continue;
            }
            let newer: Vec<usize> = taken
                .iter()
                .copied()
                .filter(|branch| !base.contains(branch))
                .collect();
            let (direct, mut behind) = self.blocking(conditional, &newer);
            // Where CUDA's own fallback does the work, it goes before names that nobody knows.
            if base.iter().any(|&branch| self.is_way(conditional, branch)) {
                behind.extend(self.unknown_names(conditional, &newer));
            }
            if direct.is_empty() && behind.is_empty() {
                chosen = class(number);
                break;
            }
            if denied.is_none() {
                denied = Some((newer, direct, behind));
            }
        }
        let taken = self.taken(conditional, chosen);
        let closed = denied.map(|(newer, direct, behind)| {
            let asking = newer
                .iter()
                .flat_map(|&branch| self.of_branch(conditional, branch))
                .next();
            let asking = asking.or_else(|| inside.first().copied());
            self.closed(conditional, asking, &newer, &taken, &direct, behind)
        });
        self.guards.closed.extend(closed);
        // What other classes take and this one does not is shut on MUSA.
        for (at, branch) in conditional.branches.iter().enumerate() {
            let elsewhere = || {
                numbers
                    .iter()
                    .any(|&number| self.taken(conditional, class(number)).contains(&at))
            };
            if !taken.contains(&at) && !base.contains(&at) && elsewhere() {
                self.guards.shut.push(branch.body);
            }
        }
        let touched: Vec<TextRange> = conditional
            .branches
            .iter()
            .enumerate()
            .filter(|(at, _)| taken.contains(at) != base.contains(at))
            .map(|(_, branch)| branch.body)
            .collect();
        let feature = features::needed(self.source, self.parsed, self.lore, &touched);
        for branch in 0..conditional.branches.len() {
            // A branch that no MUSA GPU takes says so in itself.
            let passed = !taken.contains(&branch) && !base.contains(&branch);
            let chosen = if passed { 1 } else { chosen };
            for at in self.of_branch(conditional, branch) {
                let decision = self.comparisons.get(at).map(|one| match one.number {
                    None => Decision::Open,
                    Some(number) => settle(one.operator, number, chosen, feature),
                });
                self.set(at, decision.unwrap_or(Decision::Open));
            }
        }
        let newer: Vec<usize> = (0..conditional.branches.len())
            .filter(|branch| !base.contains(branch))
            .collect();
        let switches = self.switches(conditional, &newer);
        self.guards.switches.extend(switches);
    }

    /// Shut the branches of a conditional that asks for macros which no MUSA GPU has.
    fn by_switches(&mut self, conditional: &Conditional) {
        for branch in &conditional.branches {
            let Some(directive) = self.parsed.tokens.directives.get(branch.directive) else {
                continue;
            };
            let mut asks = false;
            let truth = evaluate(self.source, &self.parsed.tokens, directive, &|name| {
                if self.taints.is_shut(name) {
                    Macro::Undefined
                } else {
                    Macro::Unknown
                }
            });
            for index in directive.tokens.clone() {
                let token = self.parsed.tokens.get(index);
                asks |= token.is_some_and(|token| self.taints.is_shut(token.text(self.source)));
            }
            if asks && truth == Truth::False {
                self.guards.shut.push(branch.body);
            }
        }
    }

    fn set(&mut self, at: usize, decision: Decision) {
        if let Some(slot) = self.decisions.get_mut(at) {
            *slot = decision;
        }
    }

    /// Whether a branch of the conditional tests a macro of the target's.
    fn knows_target(&self, conditional: &Conditional) -> bool {
        conditional.branches.iter().any(|branch| {
            let directive = self.parsed.tokens.directives.get(branch.directive);
            directive.is_some_and(|directive| {
                directive.tokens.clone().any(|index| {
                    let name = self
                        .parsed
                        .tokens
                        .get(index)
                        .map_or(&b""[..], |token| token.text(self.source));
                    let name = String::from_utf8_lossy(name);
                    let vendor = self.lore.knowledge.vendor_of_macro(&name);
                    vendor.is_some_and(Vendor::is_target)
                })
            })
        })
    }

    /// The branches that may be taken where the macro has this value.
    fn taken(&self, conditional: &Conditional, value: i64) -> Vec<usize> {
        let names = &self.lore.knowledge.shapes.guards;
        let known = |name: &[u8]| {
            let text = String::from_utf8_lossy(name);
            if name == names.architecture.as_bytes() {
                Macro::Value(value)
            } else if names.defined.iter().any(|one| *one == text) {
                Macro::Value(1)
            } else if let Some(number) = self.taints.number(name) {
                Macro::Value(number)
            } else {
                match self.lore.knowledge.vendor_of_macro(&text) {
                    Some(vendor) if !vendor.is_target() => Macro::Undefined,
                    _ => Macro::Unknown,
                }
            }
        };
        let mut taken = Vec::new();
        for (at, branch) in conditional.branches.iter().enumerate() {
            let Some(directive) = self.parsed.tokens.directives.get(branch.directive) else {
                continue;
            };
            match evaluate(self.source, &self.parsed.tokens, directive, &known) {
                Truth::True => {
                    taken.push(at);
                    break;
                }
                Truth::Unknown => taken.push(at),
                Truth::False => {}
            }
        }
        taken
    }

    /// What the branches hold that MUSA can't do: in themselves, and behind names that they use.
    fn blocking(&self, conditional: &Conditional, branches: &[usize]) -> (Vec<&Hit>, Vec<String>) {
        let bodies: Vec<TextRange> = branches
            .iter()
            .filter_map(|&at| conditional.branches.get(at))
            .map(|branch| branch.body)
            .collect();
        self.blocking_in(&bodies)
    }

    fn blocking_in(&self, bodies: &[TextRange]) -> (Vec<&Hit>, Vec<String>) {
        let counts = |offset: usize| {
            bodies.iter().any(|body| body.contains(offset))
                && !self.guards.is_closed(offset)
                && self.parsed.regions.at(offset) == Region::Plain
        };
        let direct = self
            .hits
            .iter()
            .filter(|hit| blocks(self.lore, hit) && counts(hit.range.start))
            .collect();
        let mut behind: Vec<String> = Vec::new();
        for (index, token) in self.parsed.tokens.tokens.iter().enumerate() {
            if token.kind != TokenKind::Identifier || !counts(token.range().start) {
                continue;
            }
            let name = token.text(self.source);
            let shown = || String::from_utf8_lossy(name).into_owned();
            let said = if let Some(what) = self.taints.behind(name)
                && self.uses(index)
            {
                // What a macro opens speaks for itself.
                let opens = self.parsed.tokens.directive_of(index).is_some();
                Some(if opens {
                    what.to_owned()
                } else {
                    format!("`{}` (which holds `{what}`)", shown())
                })
            } else {
                let row = self.lore.tables.get(Section::Names, name);
                row.filter(|row| row.stem && row.relation == Relation::Absent)
                    .map(|_| shown())
            };
            if let Some(said) = said.filter(|said| !behind.contains(said)) {
                behind.push(said);
            }
        }
        (direct, behind)
    }

    /// CUDA's names in the branches without a known counterpart.
    fn unknown_names(&self, conditional: &Conditional, branches: &[usize]) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for branch in branches
            .iter()
            .filter_map(|&at| conditional.branches.get(at))
        {
            for token in branch
                .tokens
                .clone()
                .filter_map(|at| self.parsed.tokens.get(at))
            {
                let name = token.text(self.source);
                let row = self.lore.tables.get(Section::Names, name);
                let unknown = row.is_some_and(|row| {
                    row.relation == Relation::Unknown && (row.stem || name.starts_with(b"__"))
                });
                let shown = String::from_utf8_lossy(name).into_owned();
                if unknown && !found.contains(&shown) {
                    found.push(shown);
                }
            }
        }
        found
    }

    /// Whether the tainted name at `index` is called, or defined as a macro.
    fn uses(&self, index: usize) -> bool {
        let tokens = &self.parsed.tokens;
        let member = [".", "->"]
            .iter()
            .any(|mark| index > 0 && tokens.is(index - 1, self.source, mark));
        match tokens.directive_of(index) {
            Some(one) if one.kind == DirectiveKind::Define => one.tokens.start == index,
            Some(_) => false,
            None => {
                !member
                    && (tokens.is(index + 1, self.source, "(")
                        || tokens.is(index + 1, self.source, "<"))
            }
        }
    }

    fn closed(
        &self,
        conditional: &Conditional,
        asking: Option<usize>,
        newer: &[usize],
        taken: &[usize],
        direct: &[&Hit],
        behind: Vec<String>,
    ) -> Closed {
        let at = asking
            .and_then(|at| self.comparisons.get(at))
            .map_or(TextRange::new(0, 0), |one| one.range);
        let weight = |hit: &&&Hit| {
            let row = self.lore.hazards.rows().get(hit.row);
            row.map_or(Severity::Error, |row| match row.severity.as_ref() {
                "note" => Severity::Note,
                "warning" => Severity::Warning,
                _ => Severity::Error,
            })
        };
        let mut severity = direct.iter().map(|hit| weight(&hit)).max();
        if !behind.is_empty() {
            severity = Some(Severity::Error);
        }
        let mut holds: Vec<String> = Vec::new();
        for hit in direct {
            if !holds.contains(&hit.what) {
                holds.push(hit.what.clone());
            }
        }
        holds.extend(behind);
        let directive = |branch: usize| {
            let branch = conditional.branches.get(branch)?;
            let directive = self.parsed.tokens.directives.get(branch.directive)?;
            Some(directive.range)
        };
        let fallback = taken
            .iter()
            .copied()
            .find(|&branch| self.is_way(conditional, branch))
            .and_then(directive);
        let other_vendor = conditional
            .branches
            .iter()
            .position(|branch| self.parsed.regions.at(branch.body.start) == Region::OtherVendor)
            .and_then(directive);
        let switches = self.switches(conditional, newer);
        Closed {
            at,
            switches,
            holds,
            severity: severity.unwrap_or(Severity::Error),
            fallback,
            other_vendor,
        }
    }

    /// The macros that the branches define, if they do nothing else.
    fn switches(&self, conditional: &Conditional, branches: &[usize]) -> Vec<String> {
        let mut found = Vec::new();
        for branch in branches
            .iter()
            .filter_map(|&at| conditional.branches.get(at))
        {
            for index in branch.tokens.clone() {
                let directive = self.parsed.tokens.directive_of(index);
                let Some(define) = directive.filter(|one| one.kind == DirectiveKind::Define) else {
                    return Vec::new();
                };
                if define.tokens.start == index
                    && let Some(name) = self.parsed.tokens.get(index)
                {
                    found.push(String::from_utf8_lossy(name.text(self.source)).into_owned());
                }
            }
        }
        found
    }

    /// Whether a branch is a way to do the work: it holds code, and not only a way to give up.
    fn is_way(&self, conditional: &Conditional, branch: usize) -> bool {
        let Some(branch) = conditional.branches.get(branch) else {
            return false;
        };
        let gives_up = &self.lore.knowledge.shapes.guards.gives_up;
        let mut words = branch
            .tokens
            .clone()
            .filter_map(|index| self.parsed.tokens.get(index))
            .filter(|token| token.kind != TokenKind::Punct)
            .map(|token| token.text(self.source));
        let errors = self.parsed.tokens.directives.iter().any(|one| {
            branch.body.contains(one.range.start)
                && one.range.of(self.source).starts_with(b"#error")
        });
        let mut any = false;
        let only_gives_up = words
            .by_ref()
            .inspect(|_| any = true)
            .next()
            .is_some_and(|first| gives_up.iter().any(|one| one.as_bytes() == first));
        let (direct, _) = self.blocking_in(&[branch.body]);
        any && !errors && !only_gives_up && direct.is_empty()
    }

    /// Comparisons outside conditionals: `if constexpr (…)`, and bodies of macros.
    fn outside_conditions(&mut self) {
        for at in 0..self.comparisons.len() {
            if self.decisions.get(at) != Some(&Decision::Open) {
                continue;
            }
            let Some(comparison) = self.comparisons.get(at).cloned() else {
                continue;
            };
            let in_condition = self
                .parsed
                .tokens
                .directive_of(comparison.index)
                .is_some_and(|one| one.kind != DirectiveKind::Define);
            let Some(number) = comparison.number.filter(|_| !in_condition) else {
                continue;
            };
            if let Some(decision) = self.outside(&comparison, number) {
                self.set(at, decision);
            }
        }
    }

    fn outside(&mut self, comparison: &Comparison, number: i64) -> Option<Decision> {
        let newer = matches!(comparison.operator, Operator::AtLeast | Operator::Above);
        let tokens = &self.parsed.tokens;
        if let Some(define) = tokens.directive_of(comparison.index) {
            // What the macro opens, the conditionals that test it say.
            let name = tokens.get(define.tokens.start)?.text(self.source);
            if matches!(comparison.operator, Operator::Equal | Operator::Unequal) {
                return Some(settle(comparison.operator, number, 1, None));
            }
            if !newer {
                return None;
            }
            self.guards
                .switches
                .push(String::from_utf8_lossy(name).into_owned());
            let holds = self.taints.behind(name)?.to_owned();
            self.guards.closed.push(Closed {
                at: comparison.range,
                holds: vec![holds],
                switches: vec![String::from_utf8_lossy(name).into_owned()],
                severity: Severity::Error,
                fallback: None,
                other_vendor: None,
            });
            return Some(Decision::Constant(false));
        }
        let (then, otherwise) = self.branches_of_if(comparison.index)?;
        let (opened, fallback) = if newer {
            (Some(then), otherwise)
        } else {
            (otherwise, Some(then))
        };
        let opened = opened?;
        let (direct, behind) = self.blocking_in(&[opened]);
        if direct.is_empty() && behind.is_empty() {
            let feature = features::needed(self.source, self.parsed, self.lore, &[opened]);
            return Some(settle(comparison.operator, number, class(number), feature));
        }
        let mut holds: Vec<String> = direct.iter().map(|hit| hit.what.clone()).collect();
        holds.dedup();
        holds.extend(behind);
        self.guards.closed.push(Closed {
            at: comparison.range,
            holds,
            switches: Vec::new(),
            severity: Severity::Error,
            fallback,
            other_vendor: None,
        });
        self.guards.shut.push(opened);
        Some(settle(comparison.operator, number, 1, None))
    }

    /// The bodies of the `if` whose condition is nothing but the comparison at `index`.
    fn branches_of_if(&self, index: usize) -> Option<(TextRange, Option<TextRange>)> {
        let tokens = &self.parsed.tokens;
        let is = |at: usize, text: &str| tokens.is(at, self.source, text);
        let open = (index.saturating_sub(4)..index)
            .rev()
            .find(|&at| is(at, "("))?;
        if !is(open.checked_sub(1)?, "if") && !is(open - 1, "constexpr") {
            return None;
        }
        let close = self.parsed.outline.partner(open)?;
        if close > open + 5 {
            return None;
        }
        let block = |at: usize| {
            let end = self.parsed.outline.partner(at).filter(|_| is(at, "{"))?;
            let range = TextRange::new(tokens.get(at)?.range().start, tokens.get(end)?.range().end);
            Some((range, end))
        };
        let (then, end) = block(close + 1)?;
        let otherwise = if is(end + 1, "else") {
            block(end + 2).map(|(range, _)| range)
        } else {
            None
        };
        Some((then, otherwise))
    }
}

/// What becomes of a comparison where MUSA counts as the architecture `chosen`.
fn settle(
    operator: Operator,
    number: i64,
    chosen: i64,
    feature: Option<&crate::mapping::Architecture>,
) -> Decision {
    let newer = chosen > number;
    let threshold = || match feature {
        Some(row) => Decision::Threshold {
            number: row.mp.unwrap_or_default(),
            feature: row.feature.to_string(),
        },
        None => Decision::Open,
    };
    match operator {
        Operator::Equal => Decision::Constant(false),
        Operator::Unequal => Decision::Constant(true),
        _ if newer => threshold(),
        Operator::AtLeast | Operator::Above => Decision::Constant(false),
        Operator::Below | Operator::AtMost => Decision::Constant(true),
    }
}
