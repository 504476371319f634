//! Architecture numbers that code carries along: constants, and arguments of templates.

use super::matcher::folded;
use super::named::angled;
use super::word_roles::{Role, Roles};
use super::{Hit, Place, Search};
use torchada_text::TextRange;

/// The constructs' names in the rows.
pub(super) const CONSTANT: &str = "capability-constant";
const ARGUMENT: &str = "capability-argument";

/// How many bytes of a template's arguments a finding shows.
const SHOWN: usize = 40;

impl Search<'_> {
    /// Find architecture numbers outside comparisons.
    pub(super) fn find_numbers(self, roles: &Roles, hits: &mut Vec<Hit>) {
        let hazards = self.hazards;
        let (of_constants, of_arguments) =
            (hazards.construct(CONSTANT), hazards.construct(ARGUMENT));
        for index in roles.all(Role::Carrier) {
            hits.extend(of_constants.and_then(|row| self.constant(index, row)));
        }
        for index in roles.all(Role::Template) {
            hits.extend(of_arguments.and_then(|row| self.argument(index, row)));
        }
    }

    /// `constexpr int kSm = 90;`, `arch = 80;`, `#define SM_ARCH 80`
    fn constant(self, index: usize, row: usize) -> Option<Hit> {
        let Self { hazards, view } = self;
        let words = &hazards.shapes().capability;
        let defined = view.is_defined_as_one(index);
        let at = match (defined, view.word(index + 1)) {
            (true, _) => index + 1,
            (false, b"=" | b"{") => index + 2,
            _ => return None,
        };
        let number = view.number(at).filter(|number| words.lists(*number))?;
        // One number, not the first of a sum.
        let whole =
            defined || matches!(view.word(at + 1), b";" | b"," | b"}" | b")" | b">" | b"\\");
        let name = folded(view.word(index));
        let carries = words
            .number_in(&name)
            .is_some_and(|own| own == number || own * 10 == number);
        // Set for an editor's sake; asking for it is the business of guards.
        let tests_architecture =
            view.word(index) == hazards.shapes().guards.architecture.as_bytes();
        if !whole || tests_architecture || !(carries || words.variables.contains(&name)) {
            return None;
        }
        view.hit(row, index, at)
    }

    /// `run<90, half>(…)`, `is_major_v<10>`, where the template calls that parameter an architecture.
    fn argument(self, index: usize, row: usize) -> Option<Hit> {
        let Self { hazards, view } = self;
        if view.word(index + 1) != b"<" {
            return None;
        }
        let places = view.named.places(view.word(index))?;
        let words = &hazards.shapes().capability;
        let (arguments, close) = angled(view, index + 1)?;
        let literal = places.iter().find_map(|place| {
            let argument = arguments.get(*place).filter(|one| !one.is_empty())?;
            let last = argument.end - 1;
            // `kernels::kSm` is a name; of anything longer a literal is only a part.
            let number = if argument.len() == 1 {
                view.value(last)
            } else {
                view.named.number(view.word(last))
            }?;
            words.lists_part(number).then_some(last)
        })?;
        let start = view.token(index)?.range().start;
        let whole = TextRange::new(start, view.token(close)?.range().end);
        let what = if whole.len() <= SHOWN {
            String::from_utf8_lossy(whole.of(view.source)).into_owned()
        } else {
            let word = |at: usize| String::from_utf8_lossy(view.word(at)).into_owned();
            format!("{}<… {} …>", word(index), word(literal))
        };
        Some(Hit {
            row,
            range: TextRange::new(start, view.token(literal)?.range().end),
            what,
            place: Place::Code,
        })
    }
}
