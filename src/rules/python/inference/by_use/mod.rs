//! The role of a string by its use: by its position, else by the places that its value flows to.

pub(super) mod arguments;
pub(super) mod by_position;
pub(super) mod definitions;
pub(super) mod dictionaries;
pub(super) mod enums;
pub(super) mod expressions;
pub(super) mod flow;
pub(super) mod look_ups;
pub(super) mod own_keys;
pub(super) mod parameters;
pub(super) mod registry_keys;
pub(super) mod tensor_uses;
pub(super) mod test_cases;
pub(super) mod torch_objects;
