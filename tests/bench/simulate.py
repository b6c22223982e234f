#!/usr/bin/env python3
"""Measures `hearth run`: thousand warp instructions and thousand L2 sectors a second of CPU time on one thread,
wall-clock speed-up on more, peak memory. Traces are made in FOLDER and kept there.

usage: simulate.py HEARTH FOLDER [--threads N] [--scale F] [KIND ...]
"""
import argparse
import csv
import json
import os
import subprocess
import sys

import patterns

# So that each takes two seconds or more on one thread of a fast machine.
BLOCKS = {'fma': 8000, 'mixed': 7000, 'tiles': 5000, 'stream': 7500, 'stride2': 11000, 'stride8': 10000, 'stride32': 10000,
          'gather': 2000, 'random': 1500, 'writeback': 12000}


def simulate(args, name, threads):
    folder = os.path.join(args.folder, '%s-%g' % (name, args.scale))
    if not os.path.exists(os.path.join(folder, 'kernelslist.g')):
        patterns.write(name, folder, int(BLOCKS[name] * args.scale))
    out = os.path.join(args.folder, 'out')
    subprocess.run([args.hearth, 'run', folder, '-q', '-o', out, '--threads', str(threads), '--set',
                    'gpgpu_kernel_launch_latency=0'], check=True, stdout=subprocess.DEVNULL)
    with open(os.path.join(out, 'run.json')) as file:
        run = json.load(file)
    with open(os.path.join(out, 'kernels.csv'), newline='') as file:
        rows = list(csv.DictReader(file))
    with open(os.path.join(out, 'kernels.csv'), 'rb') as file:
        return run, {key: sum(int(row[key]) for row in rows) for key in ('warp_insts', 'l2_reads', 'l2_writes')}, file.read()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('hearth')
    parser.add_argument('folder')
    parser.add_argument('--threads', type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument('--scale', type=float, default=1)
    parser.add_argument('kinds', nargs='*', default=list(BLOCKS))
    args = parser.parse_intermixed_args()
    print('%-10s %10s %8s %10s %8s %9s' % ('pattern', 'insts', 'kwips', 'ksectors/s', 'MiB', '%d threads' % args.threads))
    for name in args.kinds:
        run, sums, rows = simulate(args, name, 1)
        cpu = max(run['cpu_seconds'], 0.001)
        more, _, same = simulate(args, name, args.threads)
        print('%-10s %10d %8.0f %10.0f %8.1f %8.2fx' % (
            name, sums['warp_insts'], sums['warp_insts'] / cpu / 1000, (sums['l2_reads'] + sums['l2_writes']) / cpu / 1000,
            run['peak_rss_mib'], run['wall_seconds'] / more['wall_seconds']), flush=True)
        if same != rows:
            sys.exit('%s: %d threads give other results' % (name, args.threads))


if __name__ == '__main__':
    main()
