//! Tests over all rooms.
