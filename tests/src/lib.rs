//! Tests over all rooms: what they share.
//! The judge of conformance is here, because the test suite and the `conformance` program both ask it.

pub mod answer;
pub mod conformance;
pub mod house;
pub mod live;
pub mod rollouts;
pub mod story;
pub mod toolkit;
