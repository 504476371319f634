//! Python files before and after a port, token by token. Several examples share it; it knows the
//! grammar and no rule of the translator's.

pub(crate) mod changes;
pub(crate) mod lines;
pub(crate) mod source;
pub(crate) mod token;
pub(crate) mod words;
