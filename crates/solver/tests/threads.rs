//! Threads on boards large enough that they meet: the values are known, and certificates are accepted.

use quod_solver::{Algorithm, CertificateFile, Limits, Place, Request, games};

#[test]
fn several_threads_find_the_value() {
    for (name, value) in [("connect4:5x4", 0), ("connect4:6x4", -1), ("connect4:5x5", 0), ("woodpush:11", -1)]
    {
        let game = games().open(name).expect("a game");
        for algorithm in [Algorithm::Dfpn, Algorithm::PnDfpn] {
            for threads in [2, 4] {
                let request = Request {
                    algorithm,
                    threads: Some(threads),
                    limits: Limits { memory: Some(256 << 20), ..Limits::default() },
                    certificate: true,
                    ..Request::default()
                };
                let solution = game.solve(&Place::default(), &request, &mut ()).expect("a right request");
                let told = format!("{name} {algorithm:?} {threads} threads");
                assert_eq!(solution.report.value, Some(value), "{told}");
                let file = solution.certificate.unwrap_or_else(|| panic!("no certificate: {told}")).encode();
                let file = CertificateFile::open(&file).expect("a good file");
                let checked =
                    game.check(&file, &mut |_| true).unwrap_or_else(|error| panic!("{error}: {told}"));
                assert_eq!(checked.exact.map(|(exact, _)| exact.0), Some(value), "{told}");
                println!("{told}: {} nodes, accepted", solution.report.nodes);
            }
        }
    }
}
