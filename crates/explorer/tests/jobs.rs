//! Jobs: what they tell, and that they live no longer than somebody listens.

mod common;

use std::time::{Duration, Instant};

use common::{PATIENCE, Running};
use quod_solver::{Algorithm, Request, games};
use serde_json::{Value, json};

/// Far from being solved in the time of a test.
fn endless() -> Value {
    json!({ "kind": "search", "game": "connect4:7x6", "algorithm": "pn2", "memory": 268_435_456 })
}

#[test]
fn a_search_tells_its_answer_and_gives_its_certificate() {
    let server = Running::new(4);
    for (game, verdict) in [("tictactoe", "draw"), ("connect4:4x4", "draw"), ("connect4:4x4,row=3", "win")] {
        for algorithm in ["auto", "pn", "pn-graph", "gpn", "mtdf"] {
            let id = server.begin(&json!({ "kind": "search", "game": game, "algorithm": algorithm }));
            let mut listening = server.listen(&id);
            let end = listening.end();
            assert_eq!(end["answer"], verdict, "{game} {algorithm}: {end}");
            assert_eq!(end["report"]["verdict"], "proven");
            let file = server.get(&format!("/api/jobs/{id}/certificate"));
            assert_eq!(end["certificate"]["bytes"], file.body.len());
            assert!(file.body.starts_with(b"quodcert"));
            let name =
                Algorithm::ALL.into_iter().find(|known| known.name() == algorithm).expect("it is known");
            let tree = server.get(&format!("/api/jobs/{id}/tree?kind=search"));
            assert_eq!(tree.status, if name.holds_a_tree() { 200 } else { 404 }, "{algorithm}");
            assert_eq!(end["tree"].is_u64(), name.holds_a_tree());
            // Somebody who comes late hears the answer too.
            assert_eq!(server.listen(&id).end(), end);
        }
    }
}

#[test]
fn a_search_rests_goes_on_and_stops() {
    let server = Running::new(4);
    let id = server.begin(&endless());
    let mut listening = server.listen(&id);
    listening.find(|_, data| data["nodes"].as_u64() > Some(10_000));
    assert_eq!(server.post(&format!("/api/jobs/{id}/pause"), b"").status, 204);
    let nodes = listening.find(|_, data| data["state"] == "paused")["nodes"].clone();
    let again = listening.find(|_, data| data["state"] == "paused");
    assert_eq!(again["nodes"], nodes);
    // While it rests it can be looked into, and nothing changes.
    let list = || server.get(&format!("/api/jobs/{id}/tree?depth=3&rows=100")).json();
    let tree = list();
    assert_eq!(tree["rows"].as_array().map(Vec::len), Some(100));
    assert_eq!((&tree, tree["nodes"].as_u64().is_some()), (&list(), true));
    let deep = server.get(&format!("/api/jobs/{id}/tree?path=4%204%204")).json();
    assert_eq!(deep["node"]["move"], "4");
    assert_eq!(server.get(&format!("/api/jobs/{id}/tree?path=9")).status, 400);
    assert_eq!(
        server.get(&format!("/api/jobs/{id}/tree?path=1%201%201%201%201%201%202%202%202")).status,
        410
    );
    server.post(&format!("/api/jobs/{id}/resume"), b"");
    listening.find(|_, data| data["nodes"].as_u64() > nodes.as_u64());
    let begun = Instant::now();
    server.post(&format!("/api/jobs/{id}/stop"), b"");
    let end = listening.end();
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    assert_eq!((end["report"]["stop"].as_str(), end["certificate"].is_null()), (Some("interrupted"), true));
    // What it held stays.
    assert_eq!(server.get(&format!("/api/jobs/{id}/tree")).status, 200);
    assert_eq!(server.post(&format!("/api/jobs/{id}/dance"), b"").status, 404);
}

#[test]
fn more_jobs_than_allowed_are_refused_until_one_ends() {
    let server = Running::new(2);
    let (first, second) = (server.begin(&endless()), server.begin(&endless()));
    let _listening = (server.listen(&first), server.listen(&second));
    let refused = server.post("/api/jobs", endless().to_string().as_bytes());
    assert_eq!(refused.status, 429, "{}", refused.text());
    assert!(refused.json()["error"].as_str().is_some_and(|error| error.contains("too many")));
    assert_eq!(server.post("/api/certificates", b"x").status, 429);
    assert_eq!(server.delete(&format!("/api/jobs/{first}")).status, 204);
    begins_again(&server);
}

/// Waits until another job can begin, and returns how long that took.
fn begins_again(server: &Running) -> Duration {
    let begun = Instant::now();
    loop {
        let answer = server.post("/api/jobs", endless().to_string().as_bytes());
        if answer.status == 201 {
            return begun.elapsed();
        }
        assert!(answer.status == 429 && begun.elapsed() < PATIENCE, "{}", answer.text());
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn no_search_outlives_its_owner_by_more_than_a_few_seconds() {
    for paused in [false, true] {
        let server = Running::new(1);
        let id = server.begin(&endless());
        let mut listening = server.listen(&id);
        listening.find(|_, data| data["nodes"].as_u64() > Some(10_000));
        if paused {
            server.post(&format!("/api/jobs/{id}/pause"), b"");
            listening.find(|_, data| data["state"] == "paused");
        }
        // A second page that listens too, and leaves later.
        let second = server.listen(&id);
        drop(listening);
        std::thread::sleep(Duration::from_secs(4));
        assert_eq!(server.get(&format!("/api/jobs/{id}/tree")).status, 200, "the second still listens");
        drop(second);
        let took = begins_again(&server);
        assert!(took < Duration::from_secs(6), "{took:?}");
        assert_eq!(server.get(&format!("/api/jobs/{id}/tree")).status, 404);
    }
}

#[test]
fn who_never_listens_gets_no_work_done() {
    let server = Running::new(1);
    let id = server.begin(&endless());
    let took = begins_again(&server);
    assert!(took < Duration::from_secs(6), "{took:?}");
    assert_eq!(server.get(&format!("/api/jobs/{id}/tree")).status, 404);
}

#[test]
fn moves_are_valued() {
    let server = Running::new(4);
    let id = server.begin(&json!({ "kind": "values", "game": "tictactoe", "moves": "b2 a2" }));
    let mut listening = server.listen(&id);
    let mut values = std::collections::BTreeMap::new();
    let end = loop {
        match listening.next() {
            (name, data) if name == "value" => {
                values.insert(data["move"].as_str().expect("a move").to_owned(), data);
            }
            (_, data) => break data,
        }
    };
    assert_eq!(end["stop"], "solved");
    assert_eq!(values.len(), 7);
    // In the corner wins; opposite to it only draws.
    assert_eq!(values["a1"]["rank"], "win");
    assert_eq!((&values["a1"]["best"], &values["a1"]["text"]), (&json!(true), &json!("win")));
    assert!(end["best"].as_array().is_some_and(|best| best.contains(&json!("a1"))));
    let bad = server.post(
        "/api/jobs",
        json!({ "kind": "values", "game": "tictactoe", "moves": "q" }).to_string().as_bytes(),
    );
    assert_eq!(bad.status, 400);
}

fn certificate(game: &str) -> Vec<u8> {
    let door = games().open(game).expect("a game");
    let request = Request { certificate: true, ..Request::default() };
    let solution = door.solve(&Default::default(), &request, &mut ()).expect("a right request");
    solution.certificate.expect("it is solved").encode()
}

fn upload(server: &Running, file: &[u8]) -> String {
    let answer = server.post("/api/certificates", file);
    assert_eq!(answer.status, 201, "{}", answer.text());
    answer.json()["id"].as_str().expect("a name").to_owned()
}

#[test]
fn a_certificate_is_checked_and_then_gone_through() {
    let server = Running::new(4);
    let file = certificate("connect4:4x4,row=3");
    let id = upload(&server, &file);
    let mut listening = server.listen(&id);
    let claims = listening.find(|name, _| name == "claims");
    assert_eq!(claims["game"], "connect4:4x4,row=3");
    assert_eq!(claims["claims"][0]["claim"], ">= 1");
    assert_eq!(claims["claims"][0]["sentence"], "x, to move, gets at least a win");
    let end = listening.end();
    assert_eq!((&end["accepted"], &end["exact"]["text"]), (&json!(true), &json!("win")), "{end}");
    // Play a game against it: always the first defence.
    let mut path = String::new();
    let mut plies = 0;
    loop {
        let escaped = path.trim().replace(' ', "%20");
        let tree = server.get(&format!("/api/jobs/{id}/tree?kind=certificate&part=0&path={escaped}")).json();
        let rows = tree["rows"].as_array().expect("rows").clone();
        if rows.is_empty() {
            assert_eq!(tree["node"]["state"], "end");
            break;
        }
        assert_eq!(rows.len() == 1, tree["node"]["or"] == true || rows.len() == 1);
        path = format!("{path} {}", rows[0]["move"].as_str().expect("a move"));
        plies += 1;
        assert!(plies <= 16);
    }
    let escaped = path.trim().replace(' ', "%20");
    let last = server.get(&format!("/api/position?game=connect4:4x4,row=3&moves={escaped}")).json();
    assert_eq!((&last["over"]["text"], &last["over"]["for"]), (&json!("win"), &json!("first")));
    assert_eq!(server.get(&format!("/api/jobs/{id}/tree?kind=certificate&part=1")).status, 404);
}

#[test]
fn the_proof_of_a_search_is_opened_like_a_file() {
    let server = Running::new(4);
    let search = server.begin(&json!({ "kind": "search", "game": "tictactoe" }));
    let mut listening = server.listen(&search);
    assert_eq!(
        server.post("/api/jobs", json!({ "kind": "proof", "of": "?" }).to_string().as_bytes()).status,
        404
    );
    listening.end();
    let proof = server.begin(&json!({ "kind": "proof", "of": search }));
    let end = server.listen(&proof).end();
    assert_eq!((&end["accepted"], &end["exact"]["value"]), (&json!(true), &json!(0)), "{end}");
    for part in 0..2 {
        let tree = server.get(&format!("/api/jobs/{proof}/tree?kind=certificate&part={part}")).json();
        let children = tree["rows"].as_array().map(Vec::len);
        assert_eq!(children, Some(if part == 0 { 1 } else { 9 }));
    }
}

#[test]
fn bad_certificates_are_told_from_refused_ones() {
    let server = Running::new(4);
    let mut file = certificate("tictactoe");
    for (bytes, refused) in [(&b""[..], false), (b"nonsense", false), (&file[..file.len() / 2], false)] {
        let failed = server.listen(&upload(&server, bytes)).end();
        assert_eq!(failed["refused"], refused, "{failed}");
        assert!(failed["error"].as_str().is_some_and(|error| !error.is_empty()));
    }
    let middle = file.len() / 2;
    file[middle] ^= 1;
    assert_eq!(server.listen(&upload(&server, &file)).end()["refused"], false);
    // Sealed again, but with a move that loses.
    let door = games().open("tictactoe").expect("a game");
    let request = Request { certificate: true, ..Request::default() };
    let solution = door.solve(&Default::default(), &request, &mut ()).expect("a right request");
    let mut certificate = solution.certificate.expect("it is solved");
    certificate.parts[0].moves.pop();
    let failed = server.listen(&upload(&server, &certificate.encode())).end();
    assert_eq!(failed["refused"], true, "{failed}");
}

#[test]
fn one_stream_tells_of_several_jobs_and_goes_on_where_another_ended() {
    let server = Running::new(4);
    let jobs: Vec<String> = ["a1", "b2"]
        .iter()
        .map(|mv| server.begin(&json!({ "kind": "values", "game": "tictactoe", "moves": mv })))
        .collect();
    let head = |jobs: &str| format!("GET /api/events?jobs={jobs} HTTP/1.1\r\nHost: {}", server.address);
    let mut ends = std::collections::BTreeMap::new();
    let mut stream = server.stream(&head(&format!("{},nothing,{}:0", jobs[0], jobs[1])));
    let mut gone = false;
    while ends.len() < 2 {
        let (name, told) = stream.told();
        gone |= name == "gone" && told["job"] == "nothing";
        if name == "end" {
            ends.insert(
                told["job"].as_str().expect("a job").to_owned(),
                told["number"].as_u64().expect("a number"),
            );
        }
    }
    assert!(gone);
    // Who has heard everything hears nothing again; who has heard less hears the rest.
    let (first, second) = (ends[&jobs[0]], ends[&jobs[1]]);
    let mut stream = server.stream(&head(&format!("{}:{first},{}:{}", jobs[0], jobs[1], second - 1)));
    let (name, told) = stream.told();
    assert_eq!((name.as_str(), told["job"].as_str()), ("end", Some(jobs[1].as_str())));
    assert_eq!(server.get("/api/events?jobs=x:y").status, 400);
}

#[test]
fn what_was_found_is_kept_without_a_listener() {
    let server = Running::new(1);
    let id = server.begin(&json!({ "kind": "search", "game": "tictactoe", "algorithm": "pn" }));
    server.listen(&id).end();
    std::thread::sleep(Duration::from_secs(4));
    assert_eq!(server.get(&format!("/api/jobs/{id}/tree")).status, 200);
    let kept = server.post("/api/keep", json!({ "jobs": [id, "nothing"] }).to_string().as_bytes());
    assert_eq!(kept.json(), json!({ "gone": ["nothing"] }));
}

#[test]
fn a_certificate_of_many_claims_is_refused_before_they_are_told() {
    let server = Running::new(4);
    let door = games().open("tictactoe").expect("a game");
    let request = Request { certificate: true, ..Request::default() };
    let solution = door.solve(&Default::default(), &request, &mut ()).expect("a right request");
    let mut certificate = solution.certificate.expect("it is solved");
    let part = certificate.parts[0].clone();
    certificate.parts = vec![part; 1000];
    let mut listening = server.listen(&upload(&server, &certificate.encode()));
    let (name, failed) = listening.next();
    assert_eq!((name.as_str(), &failed["refused"]), ("failed", &json!(false)), "{failed}");
}
