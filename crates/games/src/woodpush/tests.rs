use super::*;
use quod_model::testkit::{Laws, Truth, perft};

#[test]
fn explore() {
    for (length, pieces) in [
        (2, 1),
        (3, 1),
        (4, 1),
        (5, 1),
        (6, 1),
        (7, 1),
        (8, 1),
        (9, 1),
        (10, 1),
        (12, 1),
        (14, 1),
        (6, 2),
        (7, 2),
        (8, 2),
    ] {
        let game = Woodpush::new(length, pieces).unwrap();
        let t = std::time::Instant::now();
        let truth = Truth::new(&game, &game.start());
        let mut stuck = 0;
        let mut longest = 0;
        for (p, _) in truth.iter() {
            let (l, r) = p.board.pieces();
            longest = longest.max(p.earlier.len());
            if l > 0 && r > 0 && game.legal(p).next().is_none() {
                stuck += 1;
                if stuck < 5 {
                    println!("{p:?}");
                }
            }
        }
        println!(
            "{length} {pieces}: {} positions, value {:?}, stuck {stuck} longest {longest} {:?}",
            truth.len(),
            truth.value(&game.start()),
            t.elapsed()
        );
    }
}

#[test]
fn keeps_the_laws() {
    for (length, pieces) in [(2, 1), (6, 1), (6, 2), (11, 2), (20, 4), (128, 32), (128, 1)] {
        Laws::default().check(&Woodpush::new(length, pieces).unwrap());
    }
}
