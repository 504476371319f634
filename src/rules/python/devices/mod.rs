//! Devices: the strings that name one, and whose device that is.

pub mod both_names;
pub mod change;
pub mod compared;
pub mod comparisons;
pub mod declared_alternatives;
mod device_string;
pub mod expected_words;
mod implementations;
pub mod joined;
pub mod made_members;
mod name_fragments;
pub mod own_device_objects;
mod own_device_parameters;
pub mod own_devices;
pub mod patterns;
mod releases;
pub mod strings;
mod subcommands;
pub mod text_with_device;
pub mod users_words;
