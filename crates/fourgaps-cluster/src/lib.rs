//! A small cluster: its nodes, the control host, and what is asked of them, under one clock.

mod world;

pub use world::{CONTROL, Control, EPOCH_MS, Fact, NodeSpec, RuntimeClass, World};
