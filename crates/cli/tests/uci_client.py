"""Drives `quod uci` as graphical interfaces do, through python-chess. Usage: uci_client.py QUOD"""

import sys
import time

import chess
import chess.engine

LADDER = "7k/8/8/8/R7/1R6/8/7K w - - 0 1"


def check(condition, what):
    if not condition:
        sys.exit(f"uci_client.py: {what}")


def main():
    engine = chess.engine.SimpleEngine.popen_uci([sys.argv[1], "uci"], timeout=20)
    check(engine.id["name"].startswith("Quod"), f"its name is {engine.id}")
    check({"Hash", "Threads"} <= set(engine.options), f"its options are {list(engine.options)}")
    engine.configure({"Hash": 16, "Threads": 2})
    engine.ping()

    ladder = chess.Board(LADDER)
    info = engine.analyse(ladder, chess.engine.Limit(mate=3))
    check(info["score"] == chess.engine.PovScore(chess.engine.Mate(2), chess.WHITE), f"the ladder is {info}")
    board = ladder.copy()
    for move in info["pv"]:
        board.push(move)
    check(board.is_checkmate() and len(info["pv"]) == 3, f"the line is {info['pv']}")

    # Played to the end, with a limit of each kind.
    board = ladder.copy()
    limits = [
        chess.engine.Limit(nodes=200_000),
        chess.engine.Limit(time=0.2),
        chess.engine.Limit(white_clock=5, black_clock=5, white_inc=0.1, black_inc=0.1),
    ]
    for limit in limits:
        if not board.is_game_over():
            board.push(engine.play(board, limit, ponder=True).move)
    check(board.is_checkmate(), f"the game ends with {board.fen()}")

    start = chess.Board()
    info = engine.analyse(start, chess.engine.Limit(nodes=20_000))
    check(info["score"].relative == chess.engine.Cp(0), f"the start is {info}")
    check(engine.play(start, chess.engine.Limit(nodes=100)).move in start.legal_moves, "its move is not legal")
    check(engine.play(start, chess.engine.Limit(depth=3)).move in start.legal_moves, "its move is not legal")
    begun = time.monotonic()
    engine.play(start, chess.engine.Limit(time=0.3))
    check(0.2 < time.monotonic() - begun < 2, "a time limit is not kept")

    # A mate is told while an endless analysis goes on, and the rest waits for the stop.
    with engine.analysis(ladder) as analysis:
        for info in analysis:
            if "score" in info:
                check(info["score"].relative == chess.engine.Mate(2), f"the analysis says {info}")
                break
        begun = time.monotonic()
        analysis.stop()
        best = analysis.wait()
    check(best.move in ladder.legal_moves and time.monotonic() - begun < 1, "a stop takes long")
    with engine.analysis(start) as analysis:
        time.sleep(0.2)
        begun = time.monotonic()
        analysis.stop()
        best = analysis.wait()
    check(best.move in start.legal_moves and time.monotonic() - begun < 1, "a stop takes long")

    mated = chess.Board("6Qk/5K2/8/8/8/8/8/8 b - - 0 1")
    check(engine.play(mated, chess.engine.Limit(time=0.1)).move is None, "a mated side has a move")
    check(engine.analyse(mated, chess.engine.Limit(nodes=10))["score"].is_mate(), "a mated side is not mated")

    # Castling and promotion go both ways.
    castled = chess.Board("4k3/P7/8/8/8/8/8/4K2R w K - 0 1")
    for move in ["e1g1", "e8d7", "a7a8n"]:
        castled.push_uci(move)
    check(engine.play(castled, chess.engine.Limit(nodes=100)).move in castled.legal_moves, "its move is not legal")

    engine.quit()
    print("python-chess", chess.__version__, "is content")


main()
