//! One of several parts of a run.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

/// The `K` and the `N` of `--shard K/N`: `K` is not larger than `N`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Shard {
    number: NonZeroU32,
    of: NonZeroU32,
}

impl Shard {
    /// Which part it is, counted from 1.
    pub fn number(self) -> u32 {
        self.number.get()
    }

    /// How many parts there are.
    pub fn of(self) -> u32 {
        self.of.get()
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let numbers = text.split_once('/').and_then(|(number, of)| {
            let read = |text: &str| text.parse::<u32>().ok();
            Some((read(number)?, read(of)?))
        });
        let Some((number, of)) = numbers else {
            return Err("expected K/N, such as 2/3 for the second of three".to_owned());
        };
        match (NonZeroU32::new(number), NonZeroU32::new(of)) {
            (_, None) => Err("there must be one shard at least".to_owned()),
            (None, Some(of)) => Err(format!("shards are counted from 1, so the first is 1/{of}")),
            (Some(number), Some(of)) if number > of => {
                Err(format!("the last of {of} shards is {of}/{of}"))
            }
            (Some(number), Some(of)) => Ok(Self { number, of }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_is_one_of_those_that_there_are() {
        let shard: Shard = "2/3".parse().expect("sound");
        assert_eq!((shard.number(), shard.of()), (2, 3));
        for wrong in ["0/3", "4/3", "1/0", "1", "a/b", "-1/3", "1/3/3", ""] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
