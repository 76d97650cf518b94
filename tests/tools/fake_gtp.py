#!/usr/bin/env python3
"""A program that plays the first legal move by GTP, or misbehaves: honest, illegal, crash, chatty, proud."""
import sys

MODE = sys.argv[1] if len(sys.argv) > 1 else "honest"
STEPS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
board = {}


def clear():
    board.clear()
    board.update({(3, 3): "w", (4, 4): "w", (4, 3): "b", (3, 4): "b"})


def turned(side, x, y):
    if (x, y) in board:
        return []
    discs = []
    for dx, dy in STEPS:
        run, at = [], (x + dx, y + dy)
        while board.get(at, side) != side:
            run.append(at)
            at = (at[0] + dx, at[1] + dy)
        if at in board and run:
            discs += run
    return discs


def play(side, word):
    if word == "pass":
        return
    x, y = ord(word[0]) - ord("a"), int(word[1]) - 1
    discs = turned(side, x, y)
    for at in discs + [(x, y)]:
        board[at] = side


def choose(side):
    for y in range(8):
        for x in range(8):
            if turned(side, x, y):
                return "abcdefgh"[x] + str(y + 1)
    return "pass"


def answer(text="", good=True):
    if MODE == "chatty":
        print("thinking about it")
    print(("= " if good else "? ") + text + "\n", flush=True)


moves = 0
clear()
for line in sys.stdin:
    words = line.lower().split()
    if words[0] == "clear_board":
        clear()
        moves = 0
        answer()
    elif words[0] == "play":
        if words[2] == "pass" and MODE == "proud":
            answer("I pass by myself", False)
        else:
            play(words[1][0], words[2])
            answer()
    elif words[0] == "genmove":
        moves += 1
        if MODE == "crash" and moves == 3:
            sys.exit(3)
        move = choose(words[1][0])
        if MODE == "illegal" and moves == 2:
            answer("a1")
            continue
        play(words[1][0], move)
        answer(move.upper() if MODE == "chatty" else move)
    else:
        answer()
