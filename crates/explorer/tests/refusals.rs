//! What the server refuses: pages from elsewhere, other names, other files, too much of anything.

mod common;

use common::Running;
use serde_json::json;

/// A request that asks for nothing special, with other lines in its head.
fn status(server: &Running, method: &str, path: &str, lines: &str) -> u16 {
    let body: &[u8] = if method == "POST" { br#"{"kind":"values","game":"tictactoe"}"# } else { b"" };
    server.raw(&format!("{method} {path} HTTP/1.1\r\nContent-Type: application/json\r\n{lines}"), body).status
}

#[test]
fn other_host_names_are_refused() {
    let server = Running::new(4);
    let port = server.address.port();
    for host in [format!("127.0.0.1:{port}"), format!("localhost:{port}"), format!("solver.example:{port}")] {
        assert_eq!(status(&server, "GET", "/api/about", &format!("Host: {host}")), 200, "{host}");
        assert_eq!(status(&server, "GET", "/", &format!("Host: {host}")), 200, "{host}");
    }
    let foreign = [
        format!("evil.example:{port}"),
        "evil.example".to_owned(),
        "127.0.0.1".to_owned(),
        "127.0.0.1:1".to_owned(),
        format!("127.0.0.1.evil.example:{port}"),
        format!("192.168.1.1:{port}"),
    ];
    for host in foreign {
        for path in ["/", "/api/about", "/api/position?game=tictactoe", "/nothing"] {
            assert_eq!(status(&server, "GET", path, &format!("Host: {host}")), 403, "{host} {path}");
        }
        assert_eq!(status(&server, "POST", "/api/jobs", &format!("Host: {host}")), 403, "{host}");
    }
}

#[test]
fn pages_from_elsewhere_are_refused() {
    let server = Running::new(4);
    let address = server.address;
    let own = format!("Host: {address}\r\nOrigin: http://{address}\r\nSec-Fetch-Site: same-origin");
    assert_eq!(status(&server, "POST", "/api/jobs", &own), 201);
    for origin in ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1"] {
        let lines = format!("Host: {address}\r\nOrigin: {origin}");
        assert_eq!(status(&server, "POST", "/api/jobs", &lines), 403, "{origin}");
        assert_eq!(status(&server, "GET", "/api/about", &lines), 403, "{origin}");
    }
    for site in ["cross-site", "same-site"] {
        let lines = format!("Host: {address}\r\nSec-Fetch-Site: {site}");
        assert_eq!(status(&server, "GET", "/api/about", &lines), 403, "{site}");
        assert_eq!(status(&server, "POST", "/api/jobs", &lines), 403, "{site}");
        // A link from elsewhere may lead to a position.
        assert_eq!(status(&server, "GET", "/?game=tictactoe", &lines), 200, "{site}");
    }
    let answer = server.get("/");
    for line in ["default-src 'none'", "frame-ancestors 'none'", "nosniff"] {
        assert!(answer.head.contains(line), "{}", answer.head);
    }
    assert!(!answer.head.to_ascii_lowercase().contains("access-control"), "{}", answer.head);
}

#[test]
fn nothing_but_the_page_is_served() {
    let server = Running::new(4);
    for path in [
        "/../Cargo.toml",
        "/..%2fCargo.toml",
        "/%2e%2e/Cargo.toml",
        "/assets/../../../Cargo.toml",
        "/assets/..%5c..%5cCargo.toml",
        "//etc/passwd",
        "/etc/passwd",
        "/assets/",
        "/assets",
        "/.",
        "/index.html/",
        "/src/main.ts",
        "/api",
        "/api/",
        "/api/nothing",
        "/api/jobs/00000000000000000000000000000000/tree",
        "/api/jobs/..%2f..%2f/tree",
    ] {
        let answer = server.get(path);
        assert!(matches!(answer.status, 400 | 404), "{path}: {}", answer.status);
        assert!(!answer.text().contains("[package]") && !answer.text().contains("root:"), "{path}");
    }
    assert_eq!(server.get("/index.html").status, 200);
    assert_eq!(server.raw(&format!("PUT / HTTP/1.1\r\nHost: {}", server.address), b"").status, 405);
}

#[test]
fn bodies_over_their_limit_are_refused() {
    let server = Running::new(4);
    let long = "x".repeat(70 << 10);
    let fields = json!({ "kind": "values", "game": "tictactoe", "moves": long }).to_string();
    let answer = server.post("/api/jobs", fields.as_bytes());
    assert_eq!(answer.status, 413, "{}", answer.text());
    assert!(answer.json()["error"].is_string());
    assert_eq!(server.post("/api/boards", fields.as_bytes()).status, 413);
    // The length alone is enough; nobody waits for the bytes.
    let most = 64 << 20;
    let head = format!(
        "POST /api/certificates HTTP/1.1\r\nHost: {}\r\nContent-Length: {}",
        server.address,
        most + 1
    );
    assert_eq!(server.raw(&head, b"").status, 413);
    // Without a length, the bytes are counted.
    let mut body = Vec::new();
    for _ in 0..5 {
        body.extend_from_slice(b"8000\r\n");
        body.extend(std::iter::repeat_n(b'x', 0x8000));
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"0\r\n\r\n");
    let head = format!(
        "POST /api/jobs HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked",
        server.address
    );
    assert_eq!(server.chunked(&head, &body).status, 413);
}

#[test]
fn absurd_games_and_positions_are_refused() {
    let server = Running::new(4);
    let refused = |path: &str, expected: &[u16]| {
        let answer = server.get(path);
        assert!(expected.contains(&answer.status), "{path:.60}: {} {}", answer.status, answer.text());
        answer
    };
    for game in
        ["connect4:1000x1000", "connect4:99999999999999999999x1", "connect4:0x0", "morris:99", "nonsense", ""]
    {
        let answer = refused(&format!("/api/position?game={game}"), &[400]);
        assert!(answer.json()["error"].as_str().is_some_and(|error| !error.is_empty()));
    }
    refused(&format!("/api/position?game=tictactoe&position={}", "x".repeat(20_000)), &[413, 414, 431]);
    refused(&format!("/api/position?game=connect4&moves={}", "1".repeat(200_000)), &[413, 414, 431]);
    refused("/api/position?game=tictactoe&moves=z9", &[400]);
    refused("/api/position?game=tictactoe&position=%00%ff", &[400]);
    refused("/api/position", &[400]);
    let lines: Vec<String> = vec![String::new(); 1000];
    let fields = json!({ "game": "tictactoe", "lines": lines }).to_string();
    assert_eq!(server.post("/api/boards", fields.as_bytes()).status, 413);
    for fields in [
        json!({ "kind": "nothing" }),
        json!({ "kind": "search", "game": "tictactoe", "algorithm": "magic" }),
        json!({ "kind": "search", "game": "tictactoe", "goal": "world peace" }),
        json!({ "kind": "search", "game": "tictactoe", "seconds": -1 }),
        json!({ "kind": "search", "game": "tictactoe", "seconds": 1e300 }),
        json!({ "kind": "search", "game": "tictactoe", "memory": 1 }),
        json!({ "kind": "search", "game": "tictactoe", "position": "nonsense" }),
        json!({ "kind": "proof", "of": "nothing" }),
        json!([1, 2]),
    ] {
        let answer = server.post("/api/jobs", fields.to_string().as_bytes());
        assert!((400..500).contains(&answer.status), "{fields}: {}", answer.status);
        assert!(answer.json()["error"].is_string(), "{fields}");
    }
    assert!((400..500).contains(&server.post("/api/jobs", b"{").status));
}
