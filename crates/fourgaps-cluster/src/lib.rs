//! A small cluster: its nodes, the control host, and what is asked of them, under one clock.

mod world;

pub use world::{CONTROL, Control, Fact, NodeSpec, RuntimeClass, World};
