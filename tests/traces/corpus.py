#!/usr/bin/env python3
"""Reads real traces and compares instruction counts with those of a reference
simulator. Usage: corpus.py COUNT FOLDER; FOLDER (or $HEARTH_CORPUS) holds
traces/ with archives and reference/ with their counts. Skips without one."""

import collections
import csv
import os
import subprocess
import sys
import tarfile
import tempfile

SKIP = 77


def read_reference(folder):
    """{set: {position: (warp instructions, thread instructions)}}"""
    counts = collections.defaultdict(dict)
    with open(os.path.join(folder, 'reference', 'accel-sim.csv'), newline='') as file:
        for row in csv.DictReader(file):
            if row['status'] == 'ok' and row['mode'] == 'sequence':
                counts[row['set']][int(row['kernel_index'])] = (
                    int(row['warp_insts']), int(row['thread_insts']))
    return counts


def count(program, arguments):
    """{position: (warp, thread)}, LDGSTS twice as the reference counts them."""
    run = subprocess.run([program, *arguments], capture_output=True, text=True)
    if run.returncode != 0:
        raise RuntimeError(run.stderr.strip())
    counts = {}
    for line in run.stdout.splitlines():
        if line.startswith('  unknown'):
            raise RuntimeError(line.strip())
        if not line.startswith(' '):
            f = line.split(',')
            counts[int(f[0])] = int(f[2]) + int(f[4]), int(f[3]) + int(f[5])
    return counts


def extract(folder, archive, target):
    path = os.path.join(folder, 'traces', archive)
    with tarfile.open(path) as tar:
        tar.extractall(target)


def check_set(program, row, folder, reference):
    with tempfile.TemporaryDirectory() as target:
        extract(folder, row['archive'], target)
        listed = os.path.join(target, row['list'])
        in_memory = count(program, [listed])
        spilled = count(program, ['-b', '1', listed])
    bad = [f'{row["set"]} kernel {k}: {in_memory.get(k)}, expected {v}'
           for k, v in reference.items() if in_memory.get(k) != v]
    if in_memory != spilled:
        bad.append(f'{row["set"]}: other counts with a small memory budget')
    return bad


# Raw traces, which the reference refuses: their instruction counts.
RAW = {'real/sm61_raw_vecadd.tar.xz': 71974, 'real/sm75_raw_lineinfo_vecadd.tar.xz': 46941}


def check_raw(program, archive, expected, folder):
    name = os.path.basename(archive).removesuffix('.tar.xz')
    with tempfile.TemporaryDirectory() as target:
        extract(folder, archive, target)
        got = count(program, [os.path.join(target, name, 'kernelslist')])[1][0]
    return [] if got == expected else [f'{name}: {got} instructions, expected {expected}']


def main():
    program = sys.argv[1]
    folder = sys.argv[2] or os.environ.get('HEARTH_CORPUS', '')
    if not os.path.isdir(os.path.join(folder, 'traces')) or not folder:
        print('skipped: no corpus (meson option "corpus" or $HEARTH_CORPUS)')
        return SKIP
    reference = read_reference(folder)
    bad, kernels = [], 0
    with open(os.path.join(folder, 'reference', 'sets.csv'), newline='') as file:
        for row in csv.DictReader(file):
            bad += check_set(program, row, folder, reference[row['set']])
            kernels += len(reference[row['set']])
    for archive, expected in RAW.items():
        bad += check_raw(program, archive, expected, folder)
    for line in bad:
        print(line)
    print(f'{kernels} kernels compared, {len(bad)} differ')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
