//! What the tests share.

pub(crate) mod browser;
pub(crate) mod editor;
pub(crate) mod environments;
pub(crate) mod fixtures;
pub(crate) mod followed;
pub(crate) mod fuzz;
pub(crate) mod markdown;
pub(crate) mod nobody;
pub(crate) mod passed;
pub(crate) mod program;
pub(crate) mod recorded;
pub(crate) mod script;
pub(crate) mod side_by_side;
pub(crate) mod soups;
pub(crate) mod trees;
