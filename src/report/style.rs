//! The few colours of messages.
