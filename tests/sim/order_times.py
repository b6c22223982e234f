#!/usr/bin/env python3
"""The times by which functional launches order accesses follow from options (sim/functional/order_times.c). This compares
them with what the timing model of four cards takes for patterns of the calibration program: a chain of dependent loads by
one warp, of which each hits L1, hits L2 or comes from DRAM; a store, after which its warp ends; an array that all SMs copy.

usage: order_times.py HEARTH

Fails if a latency is more than a fifth off, or the share of DRAM's pins that the copy uses, in the mean of the cards, is
more than 0.05 off.
"""
import csv
import os
import re
import subprocess
import sys
import tempfile

CARDS = ('rtx3070', 'qv100', 'a100', 'h100')
BASE = 0x7f0000000000
DEEP = 64    # loads of a chain
FAR = 1 << 21    # bytes to another row of DRAM, and no reuse


def write(folder, name, blocks, warps, program):
    """A launch; PROGRAM(block, warp) gives instructions as (registers and opcode, address or None, lanes' stride)."""
    path = os.path.join(folder, 'kernel-%s.traceg' % name)
    with open(path, 'w') as out:
        out.write('-kernel name = %s\n-kernel id = 1\n-grid dim = (%d,1,1)\n-block dim = (%d,1,1)\n-shmem = 0\n-nregs = 32\n'
                  '-binary version = 86\n-cuda stream id = 0\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\n#traces\n'
                  % (name, blocks, 32 * warps))
        for block in range(blocks):
            out.write('#BEGIN_TB\nthread block = %d,0,0\n' % block)
            for warp in range(warps):
                lines = program(block, warp) + ['ffffffff 0 EXIT 0 0 0']
                out.write('warp = %d\ninsts = %d\n' % (warp, len(lines)))
                out.write(''.join('%04x %s\n' % (16 * i, line) for i, line in enumerate(lines)))
            out.write('#END_TB\n')
    return path


def load(address):
    return 'ffffffff 1 R2 LDG.E 1 R2 4 1 0x%x 0 0' % address


def store(address):
    return 'ffffffff 0 STG.E 2 R2 R3 4 1 0x%x 4 0' % address


def cycles(hearth, card, trace, folder, copied=0, sets=()):
    """Cycles, and sectors that DRAM moves, after a copy that brings so many bytes to L2."""
    out = tempfile.mkdtemp(dir=folder)
    if copied:
        with open(os.path.join(folder, 'kernelslist.g'), 'w') as text:
            text.write('MemcpyHtoD,0x%x,%d\n%s\n' % (BASE, copied, os.path.basename(trace)))
        trace = folder
    subprocess.run([hearth, 'run', trace, '-c', card, '--set', 'gpgpu_kernel_launch_latency=0', '--set',
                    'hearth_scatter_turns=0', '--threads', '1', '-q', '-o', os.path.join(out, 'run'), *sets], check=True)
    with open(os.path.join(out, 'run', 'kernels.csv'), newline='') as table:
        row, = csv.DictReader(table)
    return int(row['cycles']), int(row['dram_reads']) + int(row['dram_writes'])


def chain(hearth, card, folder, address, copied=0):
    """Cycles of each load of a chain, whose number I has address(I)."""
    ends = [cycles(hearth, card, write(folder, 'chain', 1, 1, lambda b, w: [load(address(i)) for i in range(n)]),
                   folder, copied)[0] for n in (8, 8 + DEEP)]
    return (ends[1] - ends[0]) / DEEP


def stored(hearth, card, folder):
    """Cycles by which a store makes a warp end later that has nothing else to do."""
    ends = [cycles(hearth, card, write(folder, 'store', 1, 1, lambda b, w: text), folder)[0] for text in ([], [store(BASE)])]
    return ends[1] - ends[0]


def pins_used(hearth, card, folder):
    """The share of what DRAM's pins could transfer while all SMs copy an array, two lines a warp: of 8 MiB after the first
    4. L2 is small, so that DRAM writes as much as it reads."""
    def program(block, warp):
        at = BASE + 256 * (8 * block + warp)
        return (['ffffffff 1 R%d LDG.E 1 R30 4 1 0x%x 4 0' % (4 + i, at + 128 * i) for i in range(2)] +
                ['ffffffff 0 STG.E 2 R31 R%d 4 1 0x%x 4 0' % (4 + i, at + (1 << 30) + 128 * i) for i in range(2)])
    short, long = (cycles(hearth, card, write(folder, 'copy', blocks, 8, program), folder,
                          sets=('--set', 'gpgpu_cache:dl2=S:8:128:16,L:B:m:L:P,A:192:4,32:0,32')) for blocks in (2048, 6144))
    return 32 * (long[1] - short[1]) / (long[0] - short[0]) / options(hearth, card)['pins']


def options(hearth, card):
    """Of a card: what times follow from, with bytes of DRAM's pins a core cycle."""
    done = subprocess.run([hearth, 'config', 'show', '-c', card], check=True, capture_output=True, text=True)
    of = dict(re.findall(r'^-(\S+) +(\S+)', done.stdout, re.M))
    core, _, _, dram = (float(clock) for clock in of['gpgpu_clock_domains'].split(':'))
    timing = dict(part.split('=') for part in of['gpgpu_dram_timing_opt'].split(':'))
    number = {name: int(of[name]) for name in (
        'gpgpu_l1_latency', 'gpgpu_l2_rop_latency', 'hearth_l2_far_latency', 'dram_latency', 'gpgpu_n_mem',
        'gpgpu_n_mem_per_ctrlr', 'gpgpu_dram_buswidth', 'gpgpu_dram_burst_length', 'dram_data_command_freq_ratio')}
    width = number['gpgpu_n_mem'] * number['gpgpu_n_mem_per_ctrlr'] * number['gpgpu_dram_buswidth']
    number['pins'] = width * number['dram_data_command_freq_ratio'] * dram / core
    number['row'] = (int(timing['RCD']) + int(timing['CL']) + number['gpgpu_dram_burst_length'] //
                     number['dram_data_command_freq_ratio']) * core / dram
    number['waits'] = of['hearth_core'] != 'modern'
    return number


def follows(of, around):
    """Times as sim/functional/order_times.c has them, in the order of measure()."""
    l2 = of['gpgpu_l1_latency'] + of['gpgpu_l2_rop_latency'] + of['hearth_l2_far_latency'] // 2 + around['AROUND_L2']
    return {'L1': of['gpgpu_l1_latency'] + around['AROUND_L1'], 'L2': l2,
            'DRAM': l2 + of['dram_latency'] + around['AROUND_DRAM'] + of['row'], 'store': l2 if of['waits'] else 0}


def measure(hearth, card, folder):
    """The latencies; a warp of the modern core does not wait for its store."""
    return {'L1': chain(hearth, card, folder, lambda i: BASE), 'L2': chain(hearth, card, folder, lambda i: BASE + 128 * i, 1 << 16),
            'DRAM': chain(hearth, card, folder, lambda i: BASE + FAR * i),
            'store': stored(hearth, card, folder) if options(hearth, card)['waits'] else 0}


def main():
    hearth, = sys.argv[1:]
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'sim', 'functional', 'order_times.c')
    with open(source) as text:
        constants = {name: float(value) for name, value in re.findall(r'^#define (\w+) +([\d.]+)', text.read(), re.M)}
    failed, used = 0, []
    with tempfile.TemporaryDirectory() as folder:
        for card in CARDS:
            took, here = measure(hearth, card, folder), follows(options(hearth, card), constants)
            used.append(pins_used(hearth, card, folder))
            print('%-8s' % card + ''.join('  %s %.1f, here %.1f' % (name, took[name], here[name]) for name in took) +
                  '  pins %.3f' % used[-1])
            failed += sum(abs(here[name] - took[name]) > 0.2 * took[name] for name in took)
    mean = sum(used) / len(used)
    print('pins in the mean %.3f, here %.2f' % (mean, constants['PINS']))
    return failed != 0 or abs(mean - constants['PINS']) > 0.05


if __name__ == '__main__':
    sys.exit(main())
