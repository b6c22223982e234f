#!/usr/bin/env python3
"""Simulates the calibration launches, all in their order, on cards with ten parameters changed at random, hands the
rows to `hearth calibrate`, and compares what it finds: each of the ten must be within 5 %. The other parameters are
compared with those of the card, too: that they stay is shown, and not asked for.

usage: recovery.py HEARTH SOURCE [CARDS] [SEED] [FIRST]
  SOURCE  the root of the source tree
  FIRST   number of the first card (default: 1), so that cards can be tried in parts
"""
import os
import random
import sys
import tempfile
import time

from cards import Cards, PARAMETERS, field, random_card, wrong


def moved(base, found, chosen):
    """Parameters that were not changed, and whose value is another now: [(option, before, after)]."""
    names = {(name, place) for name, place, _ in chosen}
    return [(name, field(base[name], place), field(found[name], place)) for name, place, _ in PARAMETERS
            if (name, place) not in names and field(base[name], place) != field(found[name], place)]


def try_card(cards, base, chance):
    """Prints what became of a card; returns how many of the ten are wrong and how many others moved."""
    began = time.monotonic()
    chosen, sets = random_card(base, chance, 10)
    _, found = cards.calibrate(cards.rows('rows.csv', 'h100', sets), 'found.config', 'h100')
    bad, others = wrong(chosen, found), moved(base, found, chosen)
    print('%d of 10 within 5 %%, %d others moved, %.0f s' % (10 - len(bad), len(others), time.monotonic() - began))
    for name, place, value in chosen:
        print('    %-32s %6s changed to %6s, found %6s%s'
              % (name, field(base[name], place), value, field(found[name], place),
                 '  WRONG' if any(name == other[0] for other in bad) else ''))
    for name, before, after in others:
        print('    %-32s %6s not changed,      found %6s' % (name, before, after))
    sys.stdout.flush()
    return len(bad), len(others)


def main():
    hearth, source = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 20
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 27
    first = int(sys.argv[5]) if len(sys.argv) > 5 else 1
    failed = changed = 0
    with tempfile.TemporaryDirectory() as place:
        cards = Cards(hearth, os.path.join(source, 'tracer/calibration'), place)
        base = cards.card('h100')
        for number in range(first, first + count):
            print('card %d: ' % number, end='')
            bad, others = try_card(cards, base, random.Random(seed * 1000 + number))
            failed += bad
            changed += others
    print('%d of %d parameters within 5 %%, %d others moved' % (10 * count - failed, 10 * count, changed))
    sys.exit(failed > 0)


if __name__ == '__main__':
    main()
