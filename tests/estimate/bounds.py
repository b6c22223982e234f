"""Lower bounds: no simulated launch, and no measured one, takes fewer cycles; and they are near.

usage: bounds.py HEARTH ROOT [--card CARD]... [--traces FOLDER]... [--measured LAUNCHES.csv]

Without --traces, the workloads in demo/ and small synthetic ones are simulated; else the packed files, and the folders
with kernelslist.g, in archives (tar) too, below each FOLDER. --measured names a table with the columns app, launch,
sm_cycles and varies (1: the traced instructions are not those that were measured); the packed file APP.packed has the
launches of APP.
"""
import argparse
import collections
import csv
import glob
import io
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile

SMALL = ['saxpy', 'stencil', 'bfs', 'spmv', 'kmeans', 'micro_stream', 'micro_chase', 'micro_fma', 'micro_tensor',
         'micro_smem_conflict', 'micro_atomics', 'micro_divergence', 'micro_tail', 'micro_lowocc', 'micro_writeback']
TIGHT = 10000       # cycles from which bounds must be tight,
NEAR = 0.5          # in the median at least this part of what is simulated


def bounds_of(arguments, workload, card, place):
    """Rows (launch, kernel, cycles, bound) of a run."""
    done = subprocess.run([arguments.hearth, 'run', workload, '-c', card, '--bounds', '-q', '-o', place,
                           '--set', 'gpgpu_kernel_launch_latency=0'], stdout=subprocess.PIPE, text=True, check=True)
    for line in done.stdout.splitlines()[1:]:
        launch, kernel, cycles, bound = line.split()[:4]
        yield int(launch), kernel, float(cycles), float(bound)


def below(folder):
    for pattern in ('*.packed', 'kernelslist.g', '*.tar', '*.tar.*'):
        for path in glob.glob(os.path.join(folder, '**', pattern), recursive=True):
            if pattern == '*.packed':
                yield path
            elif pattern == 'kernelslist.g':
                yield os.path.dirname(path)
            else:
                with tarfile.open(path) as archive:
                    lists = [name for name in archive.getnames() if os.path.basename(name) == 'kernelslist.g']
                yield from (os.path.join(path, os.path.dirname(name)) for name in lists)


def workloads(arguments, place):
    if not arguments.traces:
        yield from sorted(glob.glob(os.path.join(arguments.root, 'demo/*.packed')))
        for name in SMALL:
            path = os.path.join(place, name + '.packed')
            subprocess.run([arguments.hearth, 'trace', 'synth', name, '--scale', '0.05', '--to', 'packed', '-q', '-o',
                            path], check=True)
            yield path
    for folder in arguments.traces:
        found = list(below(folder))
        if not found:
            sys.exit('%s: no packed file, kernelslist.g or archive below it' % folder)
        yield from sorted(found)


def check_simulated(arguments, place):
    too_high, ratios = [], collections.defaultdict(list)
    for workload in workloads(arguments, place):
        for card in arguments.card:
            for launch, kernel, cycles, bound in bounds_of(arguments, workload, card, os.path.join(place, 'out')):
                if bound > cycles:
                    too_high.append('%s, %s, launch %d, %s: %g cycles, bound %g' % (workload, card, launch, kernel,
                                                                                    cycles, bound))
                if cycles > TIGHT:
                    ratios[card].append(bound / cycles)
    for card, values in ratios.items():
        print('%s: %d launches of more than %d cycles, median of bound / cycles %.3f' % (
            card, len(values), TIGHT, statistics.median(values)))
        if statistics.median(values) < NEAR:
            too_high.append('%s: the median is below %g' % (card, NEAR))
    return too_high


def check_measured(arguments):
    too_high, ratios = [], []
    with open(arguments.measured, newline='') as file:
        rows = {(row['app'], row['launch']): row for row in csv.DictReader(file)}
    found = {os.path.basename(path)[:-len('.packed')]: path for folder in arguments.traces
             for path in glob.glob(os.path.join(folder, '**/*.packed'), recursive=True)}
    for app in sorted({app for app, _ in rows} & set(found)):
        done = subprocess.run([arguments.hearth, 'estimate', found[app], '-c', arguments.card[0], '--bounds', '-q',
                               '--set', 'gpgpu_kernel_launch_latency=0', '--format', 'csv'], stdout=subprocess.PIPE,
                              text=True, check=True)
        for estimate in csv.DictReader(io.StringIO(done.stdout)):
            row = rows.get((app, estimate['launch']))
            if row is None or not row['sm_cycles'] or row['varies'] == '1':
                continue
            bound, cycles = float(estimate['bound']), float(row['sm_cycles'])
            ratios.append(bound / cycles)
            if bound > cycles:
                too_high.append('%s, launch %s: %g cycles measured, bound %g' % (app, estimate['launch'], cycles, bound))
    print('%d measured launches, median of bound / cycles %.3f' % (len(ratios), statistics.median(ratios)))
    return too_high


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('hearth')
    parser.add_argument('root')
    parser.add_argument('--card', action='append')
    parser.add_argument('--traces', action='append', default=[])
    parser.add_argument('--measured')
    arguments = parser.parse_args()
    arguments.card = arguments.card or ['rtx3070', 'h100']
    with tempfile.TemporaryDirectory(prefix='hearth-bounds-') as place:
        wrong = check_measured(arguments) if arguments.measured else check_simulated(arguments, place)
    print('\n'.join(wrong))
    sys.exit(1 if wrong else 0)


if __name__ == '__main__':
    main()
