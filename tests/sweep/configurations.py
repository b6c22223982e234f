#!/usr/bin/env python3
"""Runs Hearth on configurations drawn at random and checks what must hold for all of them.

Each configuration changes the caches (geometry, policies, MSHRs, queues), banks, schedulers, SM counts, the core model,
the memory partitions and DRAM of a bundled card. It runs six small workloads. A configuration that `hearth config check`
accepts must run to the end, and its counters must obey the conservation laws of check_row(), check_dram() and
check_schedulers().

usage: configurations.py HEARTH FOLDER [--count N] [--seed N] [--jobs N] [--most-refused PERCENT] [--keep]

Workloads and results lie in FOLDER. Prints each failure with the command that repeats it. Exit code 1: something failed,
or more than PERCENT of the configurations were refused.
"""
import argparse
import collections
import concurrent.futures
import csv
import os
import random
import shlex
import shutil
import subprocess
import sys

# Name of `hearth trace synth`, scale: barriers and shared memory, atomics, tiles, dirty lines, divergence, random loads.
WORKLOADS = [('reduction', 0.002), ('micro_atomics', 0.01), ('gemm', 0.001), ('micro_writeback', 0.001),
             ('bfs_uniform', 0.001), ('micro_gather', 0.02)]
CARDS = {'rtx3070': 46, 'qv100': 80, 'rtx2080ti': 68}     # clusters; one SM each
TIMEOUT = 300
REFUSED = 2     # exit code of an invalid configuration

Outcome = collections.namedtuple('Outcome', 'number refused problems')


def cache_string(draw, level):
    """A cache that GPGPU-Sim's syntax allows."""
    sets = draw.choice([1, 2, 4, 8, 16, 32, 64, 128])
    ways = draw.choice([1, 2, 3, 4, 8, 16, 64])
    kind = draw.choice('SSSN')
    write = draw.choice('TBL' if level == 1 else 'BBT')
    on_write = draw.choice('LLNWF')
    index = draw.choice('LXP') if sets > 1 else 'L'
    mshr = '%d:%d' % (draw.choice([1, 2, 4, 8, 48, 256]), draw.choice([1, 2, 4, 8, 48]))
    queue = draw.choice([3, 4, 8, 32])
    port = draw.choice([0, 32, 64, 128])
    return '%s:%d:128:%d,%s:%s:m:%s:%s,A:%s,%d:0,%d' % (kind, sets, ways, draw.choice('LF'), write, on_write, index, mshr,
                                                         queue, port)


def configuration(draw):
    """Card and options. What is drawn together is what has to fit together."""
    options = {
        'gpgpu_kernel_launch_latency': 0,
        'gpgpu_cache:dl1': cache_string(draw, 1),
        'gpgpu_cache:dl2': cache_string(draw, 2),
        'gpgpu_adaptive_cache_config': 0,
        'gpgpu_l1_latency': draw.choice([1, 2, 20, 39]),
        'gpgpu_l1_banks': draw.choice([1, 2, 4]),
        'gpgpu_l1_banks_hashing_function': draw.choice([0, 1, 2]),
        'gpgpu_l1_cache_write_ratio': draw.choice([0, 25, 50, 100]),
        'gpgpu_gmem_skip_L1D': draw.choice([0, 0, 0, 1]),
        'gpgpu_n_clusters': draw.choice([1, 2, 3, 7, 16, 46]),
        'gpgpu_n_cores_per_cluster': draw.choice([1, 1, 2]),
        'gpgpu_scheduler': draw.choice(['lrr', 'gto', 'oldest']),
        'gpgpu_max_insn_issue_per_warp': draw.choice([1, 2]),
        'gpgpu_n_mem': draw.choice([1, 2, 4, 8, 16]),
        'gpgpu_n_sub_partition_per_mchannel': draw.choice([1, 2]),
        'gpgpu_memory_partition_indexing': draw.choice([0, 2]),
        'gpgpu_dram_partition_queues': ':'.join(str(draw.choice([1, 2, 8, 64])) for _ in range(4)),
        'gpgpu_dram_scheduler': draw.choice([0, 1]),
        'gpgpu_frfcfs_dram_sched_queue_size': draw.choice([0, 1, 4, 64]),
        'gpgpu_dram_return_queue_size': draw.choice([0, 1, 4, 192]),
        'gpgpu_l2_rop_latency': draw.choice([0, 1, 85, 190]),
        'gpgpu_n_ldst_response_buffer_size': draw.choice([1, 2, 38]),
        'icnt_in_buffer_limit': draw.choice([1, 4, 512]),
        'icnt_out_buffer_limit': draw.choice([1, 4, 512]),
        'icnt_arbiter_algo': draw.choice([0, 1]),
        'icnt_grant_cycles': draw.choice([1, 3]),
        'gpgpu_flush_l1_cache': draw.choice([0, 1]),
        'gpgpu_flush_l2_cache': draw.choice([0, 1]),
    }
    if draw.random() < 0.3:     # one pool of schedulers and units instead of sub-cores
        options.update({'gpgpu_sub_core_model': 0, 'gpgpu_num_sched_per_core': draw.choice([1, 2, 4])})
    # Few of the rest at a time, so that a failure can be told from another.
    for name in draw.sample(sorted(options), draw.randrange(len(options) // 2)):
        if not name.startswith('gpgpu_cache') and name not in ('gpgpu_kernel_launch_latency', 'gpgpu_adaptive_cache_config'):
            del options[name]
    card = draw.choice(sorted(CARDS))
    if 'gpgpu_sub_core_model' not in options and draw.random() < 0.3:     # the modern core has sub-cores
        options.update({'hearth_core': 'modern', 'gpgpu_scheduler': 'cggty'})
    return card, options


def arguments(card, options):
    return ['-c', card] + [word for name, value in options.items() for word in ('--set', '%s=%s' % (name, value))]


def read_rows(path):
    with open(path, newline='') as file:
        return list(csv.DictReader(file))


def numbers(row, names):
    return sum(int(row[name]) for name in names.split())


def policies(options, level):
    """Write policy and write allocation of a cache."""
    fields = options['gpgpu_cache:dl%d' % level].split(',')[1].split(':')
    return fields[1], fields[3]


def check_row(row, expected, options):
    """The laws that a launch's counters obey; yields those that it breaks."""
    def law(name, left, right):
        if left != right:
            yield 'launch %s: %s: %d and %d' % (row['launch'], name, left, right)

    for name in ('warp_insts', 'thread_insts', 'blocks'):
        yield from law('%s as on another card' % name, int(row[name]), int(expected[name]))
    yield from law('cycles = end - start', int(row['cycles']), int(row['end_cycle']) - int(row['start_cycle']))
    for prefix, write in (('l1d_', 'accesses'), ('l2_', 'reads'), ('l2_', 'writes')):
        parts = '{0}hits {0}misses {0}pending_hits'.format(prefix + {'accesses': '', 'reads': 'read_', 'writes': 'write_'}[write])
        yield from law('%s%s = hits + misses + pending hits' % (prefix, write), int(row[prefix + write]), numbers(row, parts))
    # Between launches memory goes on: what one launch asked for is counted for it, wherever the others are by then.
    fetches = policies(options, 1)[1] in 'WF'
    if not fetches and not int(options.get('gpgpu_gmem_skip_L1D', 0)):
        asked = sum(numbers(row, 'l1d_%s_load_misses l1d_%s_load_pending_hits' % (space, space)) -
                    int(row['l1d_%s_load_mshr_hits' % space]) for space in ('global', 'local'))
        # A line that is not sectored is asked for by one packet, of which a sectored L2 makes four.
        parts = 4 if options['gpgpu_cache:dl1'][0] == 'N' and options['gpgpu_cache:dl2'][0] == 'S' else 1
        yield from law('what L1 asks for reaches L2', asked * parts, numbers(row, 'l2_global_reads l2_local_reads'))
    if policies(options, 1)[0] == 'T' and not int(options.get('gpgpu_gmem_skip_L1D', 0)):
        yield from law('stores reach L2 through L1', numbers(row, 'l1d_global_stores l1d_local_stores'),
                       numbers(row, 'l2_global_writes l2_local_writes'))


def read_from_dram(row, options):
    """Sectors that L2 asks for in a launch, and those that DRAM is read for in it."""
    asked = sum(numbers(row, 'l2_%ss l2_%s_pending_hits' % (kind, kind)) - numbers(row, 'l2_%ss' % kind) +
                int(row['l2_%s_misses' % kind]) - int(row['l2_%s_mshr_hits' % kind])
                for kind in ('global_read', 'local_read', 'atomic'))
    lines = 1 if options['gpgpu_cache:dl2'][0] == 'S' else 4
    return asked * lines, int(row['dram_reads'])


def check_dram(rows, options):
    """What L2 asks for is read in the same launch. Launches of the modern core end before their stores: there it is read in
    all launches together, but for what the stores of the last one still ask for."""
    if policies(options, 2)[1] in 'WF':
        return
    counts = [read_from_dram(row, options) for row in rows]
    late = 0
    if options.get('hearth_core') == 'modern':
        counts = [tuple(map(sum, zip(*counts)))]
        late = 4 * numbers(rows[-1], 'l1d_global_stores l1d_local_stores l2_writes')
    for number, (asked, read) in enumerate(counts):
        if not 0 <= asked - read <= late:
            yield 'launch %d of %d: sectors that L2 asks for are read from DRAM: %d and %d' % (
                number + 1, len(counts), asked, read)


def check_schedulers(folder, rows, sms):
    """Each cycle of each scheduler, summed over the SMs, is in exactly one class of its CPI stack."""
    cycles = {row['step']: int(row['cycles']) * sms for row in rows}
    for stack in read_rows(os.path.join(folder, 'schedulers.csv')):
        total = sum(int(value) for name, value in stack.items() if name.startswith('cpi_'))
        if total != cycles[stack['step']]:
            yield 'step %s, scheduler %s: its classes have %d cycles, %d were simulated' % (
                stack['step'], stack['scheduler'], total, cycles[stack['step']])
            return


def run(args, options, workload, out):
    command = [args.hearth, 'run', os.path.join(args.folder, workload), '--threads', '1', '--cpi-stack', '-q', '-o', out]
    try:
        done = subprocess.run(command + options, capture_output=True, text=True, timeout=TIMEOUT, errors='replace')
        return done.returncode, done.stderr.strip().split('\n')[-1], command + options
    except subprocess.TimeoutExpired:
        return 124, 'ran longer than %d s' % TIMEOUT, command + options


def try_configuration(args, expected, number):
    card, options = configuration(random.Random(args.seed * 1000003 + number))
    words = arguments(card, options)
    check = subprocess.run([args.hearth, 'config', 'show'] + words, capture_output=True, text=True)
    if check.returncode == REFUSED:
        return Outcome(number, check.stderr.strip().split('\n')[-1], [])
    problems = []
    for workload, _ in WORKLOADS:
        out = os.path.join(args.folder, 'out-%d-%s' % (number, workload))
        code, message, command = run(args, words, workload, out)
        if code != 0:
            found = ['exit code %d: %s' % (code, message)]
        else:
            rows = read_rows(os.path.join(out, 'kernels.csv'))
            found = [text for row, other in zip(rows, expected[workload]) for text in check_row(row, other, options)]
            sms = options.get('gpgpu_n_clusters', CARDS[card]) * options.get('gpgpu_n_cores_per_cluster', 1)
            found += check_dram(rows, options)
            found += check_schedulers(out, rows, sms)
        if found:
            problems.append('%s\n    %s' % ('; '.join(found[:3]), shlex.join(command)))
        if not args.keep:
            shutil.rmtree(out, ignore_errors=True)
    return Outcome(number, None, problems)


def prepare(args):
    """Makes the workloads; returns the rows of each on the default card."""
    expected = {}
    os.makedirs(args.folder, exist_ok=True)
    for name, scale in WORKLOADS:
        folder = os.path.join(args.folder, name)
        if not os.path.exists(os.path.join(folder, 'kernelslist.g')):
            subprocess.run([args.hearth, 'trace', 'synth', name, '--scale', str(scale), '-o', folder, '-q'], check=True)
        out = os.path.join(args.folder, 'expected-' + name)
        code, message, _ = run(args, [], name, out)
        if code != 0:
            sys.exit('%s: %s' % (name, message))
        expected[name] = read_rows(os.path.join(out, 'kernels.csv'))
    return expected


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('hearth')
    parser.add_argument('folder')
    parser.add_argument('--count', type=int, default=1000)
    parser.add_argument('--first', type=int, default=0, help='number of the first configuration')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--jobs', type=int, default=os.cpu_count() or 1)
    parser.add_argument('--most-refused', type=float, default=5)
    parser.add_argument('--keep', action='store_true', help='keep the results')
    args = parser.parse_args()
    expected = prepare(args)
    failed, reasons = 0, collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        numbers_of = range(args.first, args.first + args.count)
        for outcome in pool.map(lambda number: try_configuration(args, expected, number), numbers_of):
            failed += bool(outcome.problems)
            reasons[outcome.refused] += outcome.refused is not None
            for problem in outcome.problems:
                print('configuration %d: %s' % (outcome.number, problem), flush=True)
    refused = sum(reasons.values())
    for reason, count in reasons.most_common():
        if count:
            print('refused %d times: %s' % (count, reason))
    print('%d configurations, %d workloads each: %d failed, %d refused' % (args.count, len(WORKLOADS), failed, refused))
    sys.exit(1 if failed or refused * 100 > args.most_refused * args.count else 0)


if __name__ == '__main__':
    main()
