//! Targets of assignments.

use ruff_python_ast::Expr;

use super::{Lowering, Reader, Unsupported, end_of, start_of};
use crate::python::kind::{Field, Kind};

impl Reader<'_> {
    /// Add the target of an assignment; no parenthesis around it opens before `low`.
    pub(super) fn target(&mut self, one: &Expr, field: Field, low: usize) -> Lowering {
        let (start, end) = (start_of(one), end_of(one));
        let around = self.parentheses(low, start, end);
        let mut field = field;
        for &(start, end) in &around {
            // The grammar takes these parentheses for those of a tuple.
            self.open(Kind::TuplePattern, field, start, end);
            field = Field::Other;
        }
        match one {
            Expr::Tuple(tuple) => {
                let kind = if tuple.parenthesized {
                    Kind::TuplePattern
                } else {
                    Kind::PatternList
                };
                self.open(kind, field, start, end);
                let low = start + usize::from(tuple.parenthesized);
                self.targets(&tuple.elts, low)?;
                self.close();
            }
            Expr::List(list) => {
                self.open(Kind::ListPattern, field, start, end);
                self.targets(&list.elts, start + 1)?;
                self.close();
            }
            Expr::Starred(one) => {
                self.open(Kind::ListSplatPattern, field, start, end);
                match &*one.value {
                    Expr::Name(_) | Expr::Attribute(_) | Expr::Subscript(_) => {
                        self.expression(&one.value, Field::Other, start + 1)?;
                    }
                    _ => return Err(Unsupported),
                }
                self.close();
            }
            Expr::Name(_) | Expr::Attribute(_) | Expr::Subscript(_) => {
                self.expression(one, field, start)?;
            }
            _ => return Err(Unsupported),
        }
        for _ in around {
            self.close();
        }
        Ok(())
    }

    fn targets(&mut self, all: &[Expr], low: usize) -> Lowering {
        let mut low = low;
        for one in all {
            self.target(one, Field::Other, low)?;
            low = end_of(one);
        }
        Ok(())
    }
}
