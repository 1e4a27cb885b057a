//! The cluster: its machines under one clock, the objects of the API, and the controllers that act on them in virtual time.
//! Has no clock, no randomness but a seed, and no text for humans but what the API itself says.
//!
//! Two halves: the [`store`] folds changes into objects and decides nothing; the controllers read it, plan, and hand
//! their changes to the one place that applies them ([`Cluster::commit`]). Who only shows a cluster needs the first half.

pub mod admission;
pub mod api;
pub mod change;
mod cluster;
pub mod daemon;
pub mod daemonset;
pub mod disruption;
pub mod event;
pub mod kubelet;
pub mod large;
pub mod lifecycle;
mod machines;
pub mod manifest;
pub mod meta;
pub mod node;
pub mod object;
pub mod pod;
mod prints;
pub mod quantity;
mod queue;
pub mod read;
mod recorder;
pub mod rollout;
pub mod scheduler;
pub mod selector;
pub mod short;
pub mod spec;
pub mod stall;
pub mod store;
pub mod taint;
pub mod trace;
pub mod workload;
mod world;

pub use change::Change;
pub use cluster::Cluster;
pub use machines::{CONTROL, Control, EPOCH_MS, Fact, Machines, NodeSpec, PodEntry, RuntimeClass, Verdict};
pub use store::Store;
pub use world::{Content, GPU, Image, LightNode, World, mounts_of};
