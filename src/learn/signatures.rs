//! Compares a function's parameters, or a name's value, with CUDA's.

use super::api::{Api, parameters};
use crate::syntax::{Base, Function, Type};

/// Both sides, and what becomes of a CUDA name.
pub(super) struct Comparison<'a> {
    pub(super) cuda: &'a Api,
    pub(super) musa: &'a Api,
    pub(super) renamed: &'a dyn Fn(&str) -> String,
}

/// Names that the C library gives to integers of a size.
const SIZED: [(&str, &str); 12] = [
    ("size_t", "unsigned long"),
    ("ssize_t", "long"),
    ("ptrdiff_t", "long"),
    ("intptr_t", "long"),
    ("uintptr_t", "unsigned long"),
    ("int8_t", "char"),
    ("uint8_t", "unsigned char"),
    ("int16_t", "short"),
    ("uint16_t", "unsigned short"),
    ("int32_t", "int"),
    ("uint32_t", "unsigned int"),
    ("int64_t", "long"),
];

impl Comparison<'_> {
    /// Both declarations, where code that calls `cuda` can't call `musa` in its place.
    pub(super) fn differs(&self, cuda: &str, musa: &str) -> Option<String> {
        let (theirs, ours) = (self.cuda.functions(cuda), self.musa.functions(musa));
        let lost = theirs.first()?;
        // C++ has overloads of some of C's functions, which come and go: one that is the same is enough.
        let mut both = theirs
            .iter()
            .flat_map(|one| ours.iter().map(move |other| (one, other)));
        if both.any(|(one, other)| self.takes_same(one, other)) {
            return None;
        }
        let nearest = ours
            .iter()
            .min_by_key(|other| other.parameters.len().abs_diff(lost.parameters.len()))?;
        Some(format!(
            "CUDA: {cuda}({}); MUSA: {musa}({})",
            parameters(lost),
            parameters(nearest)
        ))
    }

    /// Both values, where they are known and not the same.
    pub(super) fn value_differs(&self, cuda: &str, musa: &str) -> Option<String> {
        let (theirs, ours) = (self.cuda.value(cuda)?, self.musa.value(musa)?);
        (theirs != ours).then(|| format!("CUDA: {cuda} = {theirs}; MUSA: {musa} = {ours}"))
    }

    fn takes_same(&self, cuda: &Function, musa: &Function) -> bool {
        let both = cuda.parameters.iter().zip(&musa.parameters);
        cuda.parameters.len() == musa.parameters.len()
            && cuda.is_variadic == musa.is_variadic
            && both
                .into_iter()
                .all(|(cuda, musa)| self.is_same(cuda, musa))
    }

    /// Whether two types are the same as far as the headers tell: what they don't tell counts as the same.
    fn is_same(&self, cuda: &Type, musa: &Type) -> bool {
        if cuda.base == Base::Unclear || musa.base == Base::Unclear {
            return true;
        }
        let theirs = self.cuda.resolve(cuda);
        let ours = self.musa.resolve(musa);
        // A name on the way may have a counterpart that MUSA declares: that one decides.
        let mut is_known = false;
        for (name, depth) in &theirs.names {
            let name = (self.renamed)(name);
            if ours
                .names
                .iter()
                .any(|(own, at)| *own == name && at == depth)
            {
                return true;
            }
            is_known |= self.musa.has_type(&name);
        }
        if *theirs.base == Base::Unclear || *ours.base == Base::Unclear {
            return true;
        }
        if theirs.depth != ours.depth {
            return !is_declared(self.cuda, theirs.base) || !is_declared(self.musa, ours.base);
        }
        match (theirs.base, ours.base) {
            (Base::Function, Base::Function) => true,
            (Base::Named(_), Base::Named(_)) => {
                let both = [integer(theirs.base), integer(ours.base)];
                match both {
                    [Some(theirs), Some(ours)] => is_same_builtin(theirs, ours, cuda.depth),
                    _ => !is_known,
                }
            }
            (one, other) => match (integer(one), integer(other)) {
                (Some(one), Some(other)) => is_same_builtin(one, other, theirs.depth),
                // A struct or an enumeration that is declared is no number.
                _ => !is_declared(self.cuda, one) || !is_declared(self.musa, other),
            },
        }
    }
}

/// Whether a side says what this is: a type of the language, or one that it declares.
fn is_declared(api: &Api, base: &Base) -> bool {
    match base {
        Base::Named(name) => integer(base).is_some() || api.has_type(name),
        _ => true,
    }
}

/// The type of the language that this is.
fn integer(base: &Base) -> Option<&str> {
    match base {
        Base::Builtin(name) => Some(name),
        Base::Named(name) => SIZED
            .iter()
            .find(|(sized, _)| **sized == **name)
            .map(|(_, builtin)| *builtin)
            .or((&**name == "uint64_t").then_some("unsigned long")),
        _ => None,
    }
}

/// Whether two types of the language are of one kind; behind a pointer, their sizes count, too.
fn is_same_builtin(one: &str, other: &str, depth: u8) -> bool {
    let kind = |name: &str| match name.trim_start_matches("unsigned ") {
        "void" => (0, 0),
        "bool" => (1, 8),
        "float" => (2, 32),
        "double" => (3, 64),
        "char" => (4, 8),
        "short" => (4, 16),
        "int" => (4, 32),
        _ => (4, 64),
    };
    let (one, other) = (kind(one), kind(other));
    // Any pointer is taken for one to `void`.
    (depth > 0 && (one.0 == 0 || other.0 == 0)) || one.0 == other.0 && (depth == 0 || one == other)
}
