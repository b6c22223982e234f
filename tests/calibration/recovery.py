#!/usr/bin/env python3
"""Simulates the calibration launches on cards with ten parameters changed at random, hands the rows to
`hearth calibrate`, and compares what it finds: each parameter must be within 5 %, and the others as before.

usage: recovery.py HEARTH SOURCE [CARDS] [SEED]     SOURCE: the root of the source tree
"""
import os
import random
import sys
import tempfile

from cards import Cards, PARAMETERS, field, random_card, wrong


def main():
    hearth, source = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 20
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 27
    failed = changed = 0
    with tempfile.TemporaryDirectory() as place:
        cards = Cards(hearth, os.path.join(source, 'tracer/calibration'), place)
        card = cards.legacy('h100')
        base = cards.values(card)
        for number in range(count):
            chosen, sets = random_card(base, random.Random(seed * 1000 + number), 10)
            rows = cards.rows('rows.csv', card, sets)
            _, found = cards.calibrate(rows, 'found.config', card)
            bad = wrong(chosen, found)
            names = {(name, place) for name, place, _ in chosen}
            moved = [(name, place, field(base[name], place), field(found[name], place))
                     for name, place, _ in PARAMETERS
                     if (name, place) not in names and field(base[name], place) != field(found[name], place)]
            print('card %d: %d of 10 found, %d others moved %s %s' % (number + 1, 10 - len(bad), len(moved), bad, moved),
                  flush=True)
            failed += len(bad)
            changed += len(moved)
    print('%d of %d parameters within 5 %%, %d others moved' % (10 * count - failed, 10 * count, changed))
    sys.exit(failed > 0)


if __name__ == '__main__':
    main()
