//! The words of a piece of code that the engine looks at, found in one pass over all of them.

use super::{Hazards, Search};
use torchada_mapping::has;

/// What a word may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// A name that a row looks for, or the keyword of assembly.
    Name = 1,
    /// A word that a shape begins with.
    Shape = 2,
    /// What makes a grid, or a type of one.
    Grid = 4,
    /// A wait of a grid.
    Wait = 8,
    /// A constant or a variable that may be a capability.
    Carrier = 16,
    /// A template of the project's own that takes a capability.
    Template = 32,
}

/// The places of the words that may be something, in order of place.
pub(super) struct Roles(Vec<(usize, u8)>);

impl Roles {
    /// The roles of the words of a piece of code.
    pub(super) fn of(search: Search<'_>) -> Self {
        let view = search.view;
        let of_word = |word: &[u8]| {
            let roles = roles(search, word);
            (roles != 0).then_some(roles)
        };
        Self(view.tokens.identifiers(view.source, of_word))
    }

    /// The indices of the tokens that may be this.
    pub(super) fn all(&self, role: Role) -> impl Iterator<Item = usize> {
        let all = self.0.iter();
        all.filter(move |(_, roles)| roles & role as u8 != 0)
            .map(|(at, _)| *at)
    }
}

fn roles(Search { hazards, view }: Search<'_>, word: &[u8]) -> u8 {
    let grid = &hazards.shapes().grid;
    let lists = |list: &[String]| has(list, word);
    let is_grids = hazards.grids.fit(word);
    let all = [
        (
            Role::Name,
            torchada_syntax::ptx::is_asm_keyword(word) || hazards.is_name(word),
        ),
        (Role::Shape, may_begin_shape(hazards, word)),
        (
            Role::Grid,
            is_grids && (lists(&grid.makers) || lists(&grid.types)),
        ),
        (Role::Wait, is_grids && lists(&grid.waits)),
        (Role::Carrier, hazards.may_carry_capability(word)),
        (Role::Template, view.named.is_template(word)),
    ];
    let all = all.into_iter().filter(|(_, is_it)| *is_it);
    all.fold(0, |roles, (role, _)| roles | role as u8)
}

/// Whether a construct that no name gives away may begin with a word.
fn may_begin_shape(hazards: &Hazards<'_>, word: &[u8]) -> bool {
    word.starts_with(b"__") || word == b"extern" || hazards.sizes.fit(word)
}
