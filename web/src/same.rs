//! A shared value that is equal only to itself: cheap to compare when components decide whether to draw again.

use std::ops::Deref;
use std::rc::Rc;

/// A shared value, compared by identity.
#[derive(Debug)]
pub struct Same<T>(Rc<T>);

impl<T> Same<T> {
    /// Shares a value.
    pub fn new(value: T) -> Self {
        Self(Rc::new(value))
    }

    /// The value as whoever shares it otherwise wants it.
    pub fn rc(&self) -> &Rc<T> {
        &self.0
    }
}

impl<T> Clone for Same<T> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl<T> PartialEq for Same<T> {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> Deref for Same<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}
