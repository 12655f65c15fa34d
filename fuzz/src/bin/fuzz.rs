//! A target with coverage guidance: `cargo xtask fuzz` builds it with the flags that it needs, names the target and sets the limits.
//! Without a target it lists them, each with its share.

#![no_main]

use std::sync::OnceLock;

use quod_fuzz::{Check, TARGETS, target};

/// Names the target.
const TARGET: &str = "QUOD_FUZZ_TARGET";

static CHECK: OnceLock<Check> = OnceLock::new();

fn choose() {
    let Ok(name) = std::env::var(TARGET) else {
        TARGETS.iter().for_each(|target| println!("{} {}", target.name, target.share));
        std::process::exit(0);
    };
    let target = target(&name).unwrap_or_else(|| panic!("{TARGET}: there is no target \"{name}\""));
    CHECK.get_or_init(|| target.check);
}

libfuzzer_sys::fuzz_target!(init: choose(), |data: &[u8]| {
    if let Some(check) = CHECK.get() {
        check(data);
    }
});
