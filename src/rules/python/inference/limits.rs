//! How far values are followed. A limit bounds the work on code that nobody writes by hand; each says what holds beyond it.

/// How many rounds a group of slots that depend on each other may take for each of its slots. Beyond: nothing is known of
/// the group.
pub const ROUNDS_PER_SLOT: usize = 4;

/// How often a word may stand in a file as a name. Beyond: nothing is known of the variables that have this name there.
pub const USES_IN_FILE: usize = 1000;

/// The number of other files in which the uses of a module's names are looked for. Beyond: the first ones in the order of their paths
/// are looked at.
pub const IMPORTERS: usize = 200;

/// The number of other files in which the uses of attributes are looked for. Beyond: the first ones in the order of their paths are
/// looked at.
pub const IMPORTERS_OF_ATTRIBUTES: usize = 32;

/// How many methods of one name may be meant by a call whose object is not known. Beyond: the call calls none of them.
pub const METHODS_OF_ONE_NAME: usize = 16;

/// How many values of a name are looked at, and how many items of each list of values. Beyond: the first ones in the order
/// of the text are looked at.
pub const VALUES_OF_NAME: usize = 64;

/// How many nodes of a function's or a class's body are looked through. Beyond: what stands further on is not seen.
pub const BODY: usize = 4096;

/// How many calls and attributes lead from an object to what made it. Beyond: nothing is known of the object.
pub const OBJECT_STEPS: usize = 16;

/// How deep an expression is looked into for what it says of a GPU. Beyond: it says nothing.
pub const EXPRESSION_DEPTH: usize = 16;

/// How deep a value is looked into that an attribute gets of an object of which nobody knows the class. Beyond: it comes from
/// nowhere.
pub const VALUE_DEPTH: usize = 2;

/// How many functions or attributes of one name may give what an expression says of a GPU. Beyond: the first ones in the
/// order of the text are looked at.
pub const MEANINGS_OF_NAME: usize = 8;

/// How many names and lists within lists lead to a number that is written. Beyond: no number is known.
pub const NUMBER_STEPS: usize = 4;

/// How many names and expressions lead to an environment of variables. Beyond: the expression is none.
pub const ENVIRONMENT_STEPS: usize = 6;

/// How many files may have classes that set an attribute, where nobody knows the class of the object. Beyond: the attribute
/// is none of theirs.
pub const OWNERS_OF_ATTRIBUTE: usize = 12;

/// How many functions a call may mean for what they do with an argument to say something of it. Beyond: the call says
/// nothing.
pub const METHODS_THAT_JOIN: usize = 4;

/// How many slots the names of a project's platforms may go through; in most projects they go through fewer than ten.
/// Beyond: what is further away is not one.
pub const SLOTS_OF_PLATFORMS: usize = 1024;

/// How many slots the search goes through for MUSA's name that a name meets which stays. Beyond: it meets none.
pub const SLOTS_APART: usize = 24;

/// How many slots lead from one to the other. Beyond: it meets none.
pub const STEPS_APART: usize = 5;

/// How many nodes lead from a name that a loop sets to the loop. Beyond: another one sets it.
pub const LOOP_TARGET: usize = 3;
