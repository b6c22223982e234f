#!/usr/bin/env python3
"""Compares the core model's distances between dependent instructions with the stalls in machine code.

usage: control_bits.py HEARTH CONTROL_BITS [CORPUS]
  CORPUS  silicon/CARD/traces/*.packed and silicon/CARD/code/*.sass.xz, listings of their kernels;
          skipped without
"""
import glob
import os
import subprocess
import sys
import tempfile

SKIPPED = 77


def main():
    hearth, control_bits, corpus = sys.argv[1], sys.argv[2], ''.join(sys.argv[3:4])
    listings = sorted(glob.glob(os.path.join(corpus, 'silicon', '*', 'code', '*.sass.xz'))) if corpus else []
    if not listings:
        print('no corpus with machine code (-Dcorpus)')
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, 'annotated.packed')
        for listing in listings:
            name = os.path.basename(listing).replace('.sass.xz', '.packed')
            trace = os.path.join(os.path.dirname(listing), '..', 'traces', name)
            subprocess.run([hearth, 'trace', 'annotate', trace, '--code', listing, '-o', out], check=True,
                           stdout=subprocess.DEVNULL)
            print(name, flush=True)
            if subprocess.run([control_bits, out]).returncode != 0:
                return 1
            os.remove(out)
    return 0


if __name__ == '__main__':
    sys.exit(main())
