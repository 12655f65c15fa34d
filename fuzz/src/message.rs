//! What people are told of bad input.

use quod_solver::InputError;

/// The longest message: legal moves may be listed in it, the input must not.
const LETTERS_MAX: usize = 3_000;

/// A message is short and printable, whatever the input was.
pub(crate) fn check_error(error: &InputError) {
    check(&error.to_string());
}

pub(crate) fn check(message: &str) {
    assert!(!message.is_empty(), "a message says nothing");
    assert!(message.chars().count() <= LETTERS_MAX, "a message has {} letters", message.chars().count());
    let odd = message.chars().find(|letter| letter.is_control() && *letter != '\n');
    assert_eq!(odd, None, "a message cannot be printed: {message:?}");
}
