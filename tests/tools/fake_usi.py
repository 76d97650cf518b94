#!/usr/bin/env python3
"""A USI engine that misbehaves on request, for the tests of the match runner.

usage: fake_usi.py MODE
It shuffles a rook (Black 2h-3h and back, White 8b-7b and back), so that an honest game is a draw by repetition.
Modes: shuffle, resign, win, illegal, crash, hang, late, garbage, flood, chatter, deaf, child, nousiok, noready.
"""
import os
import subprocess
import sys
import time

MODE = sys.argv[1]
MOVES = {0: ("2h3h", "3h2h"), 1: ("8b7b", "7b8b")}


def say(text):
    print(text, flush=True)


def best_move(position):
    """The shuffling move for a position that was reached by shuffling moves only."""
    words = position.split()
    played = words[words.index("moves") + 1:] if "moves" in words else []
    side = len(played) % 2
    return MOVES[side][(len(played) // 2) % 2], len(played)


def go(position):
    move, ply = best_move(position)
    say(f"info depth 3 seldepth 4 score cp {31 if ply % 2 == 0 else -31} nodes 1000 nps 5 time 1 pv {move}")
    if ply < 2 or MODE == "shuffle":  # one honest move each, then the trick
        say(f"bestmove {move}")
    elif MODE in ("resign", "win"):
        say(f"bestmove {MODE}")
    elif MODE == "illegal":
        say("bestmove 5i5a+")
    elif MODE == "crash":
        os._exit(3)
    elif MODE == "hang":
        time.sleep(3600)
    elif MODE == "late":
        time.sleep(0.6)
        say(f"bestmove {move}")
    elif MODE == "garbage":
        say("\x01\x02 bestmove is what I will not say")
        say("bestmove")
    elif MODE == "flood":
        while True:
            sys.stdout.write("x" * 65536)
    elif MODE == "chatter":
        while True:
            say("info string thinking")
            time.sleep(0.002)
    else:
        say(f"bestmove {move}")


def main():
    position = "startpos"
    if MODE == "child":  # something that would outlive the engine
        child = subprocess.Popen(["sleep", "3600"])
        with open(sys.argv[2], "a", encoding="ascii") as out:
            out.write(f"{child.pid}\n")
    for line in sys.stdin:
        line = line.strip()
        if line == "usi":
            say("id name fake")
            if MODE == "nousiok":
                sys.exit(5)
            say("usiok")
        elif line == "isready":
            if MODE != "noready":
                say("readyok")
        elif line.startswith("position "):
            position = line[len("position "):]
        elif line.startswith("go"):
            go(position)
        elif line == "quit":
            if MODE in ("deaf", "child"):
                time.sleep(3600)
            return


main()
