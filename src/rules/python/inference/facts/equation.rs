//! Equations: the fact about one slot, in terms of the facts about others.

use super::slot::Slot;

/// Something that can be known of a slot. Its default value says nothing.
pub trait Fact: Copy + Eq + Default {
    /// What two facts about one slot say together.
    fn join(self, other: Self) -> Self;

    /// Whether the fact says anything, so that no second-best answer is looked for.
    fn is_known(self) -> bool {
        self != Self::default()
    }
}

impl Fact for bool {
    fn join(self, other: Self) -> Self {
        self || other
    }
}

/// A fact that follows from other facts.
pub enum Term<F, S = Slot> {
    /// A fact that depends on no slot.
    Fact(F),
    /// The fact about a slot.
    Of(S),
    /// The first of several that says anything.
    First(Vec<Self>),
    /// What several say together.
    Join(Vec<Self>),
    /// What several say, if all of them say the same.
    Agree(Vec<Self>),
    /// What a function makes of a fact.
    Map(Box<Self>, Box<dyn Fn(F) -> F + Send + Sync>),
    /// What a function makes of two facts.
    Both(Box<[Self; 2]>, Box<dyn Fn(F, F) -> F + Send + Sync>),
}

impl<F: Fact, S> Term<F, S> {
    /// A term without any fact.
    pub fn nothing() -> Self {
        Self::Fact(F::default())
    }

    /// What a function makes of the fact.
    pub fn map(self, change: impl Fn(F) -> F + Send + Sync + 'static) -> Self {
        match self {
            Self::Fact(fact) => Self::Fact(change(fact)),
            other => Self::Map(Box::new(other), Box::new(change)),
        }
    }

    /// This fact, or the other one where this says nothing.
    pub fn or_else(self, other: impl FnOnce() -> Self) -> Self {
        match self {
            Self::Fact(fact) if fact.is_known() => Self::Fact(fact),
            Self::Fact(_) => other(),
            first => Self::First(vec![first, other()]),
        }
    }

    /// The fact, where `fact_of` tells what is known of a slot.
    pub fn value(&self, fact_of: &dyn Fn(&S) -> F) -> F {
        match self {
            Self::Fact(fact) => *fact,
            Self::Of(slot) => fact_of(slot),
            Self::First(terms) => {
                let mut facts = terms.iter().map(|term| term.value(fact_of));
                facts.find(|fact| fact.is_known()).unwrap_or_default()
            }
            Self::Join(terms) => terms
                .iter()
                .fold(F::default(), |found, term| found.join(term.value(fact_of))),
            Self::Agree(terms) => {
                let mut facts = terms.iter().map(|term| term.value(fact_of));
                let first = facts.next().unwrap_or_default();
                if facts.all(|fact| fact == first) {
                    first
                } else {
                    F::default()
                }
            }
            Self::Map(term, change) => change(term.value(fact_of)),
            Self::Both(terms, make) => {
                let [one, other] = terms.each_ref().map(|term| term.value(fact_of));
                make(one, other)
            }
        }
    }

    /// Call `each` with every slot that the fact depends on.
    pub fn each_slot(&self, each: &mut dyn FnMut(&S)) {
        match self {
            Self::Fact(_) => {}
            Self::Of(slot) => each(slot),
            Self::First(terms) | Self::Join(terms) | Self::Agree(terms) => {
                for term in terms {
                    term.each_slot(each);
                }
            }
            Self::Map(term, _) => term.each_slot(each),
            Self::Both(terms, _) => {
                for term in &**terms {
                    term.each_slot(each);
                }
            }
        }
    }
}
