#!/usr/bin/env python3
"""Writes a synthetic workload: the trace of an application that never ran on a GPU.

usage: synth.py OUTDIR [--scale N]

The application smooths a grid: a stencil in shared memory goes back and forth between two arrays, now and then a
reduction sums one of them, samples of it are gathered through an index table, and a histogram of the samples is made
with atomics. Its launches use each other's data, so what is left in L2 matters to most of them. It uses what a trace
can contain: the three ways to write addresses, partial and empty masks, shared memory, barriers, atomics, local
memory, two versions of the format, copies and a second stream.

The output depends on --scale (of the blocks and the data, 1 to 16) alone: no randomness, no date.
"""
import argparse
import os
import sys

FULL = 0xffffffff
SIDE = 256                  # of the grid at scale 1, in floats
TILE = 32                   # a block smooths TILE x TILE floats
WARPS = 8
BINS = 1024
SAMPLES = 16384             # at scale 1
SHARED_WINDOW = 0x7f8000000000
LOCAL_WINDOW = SHARED_WINDOW + 0x1000000


def mixed(number):
    """A scattered 32-bit number: multiplication and shifts, the same everywhere."""
    number = (number * 2654435761 + 12345) & FULL
    number ^= number >> 15
    number = (number * 2246822519) & FULL
    return number ^ number >> 13


def lanes_of(mask):
    return [lane for lane in range(32) if mask >> lane & 1]


class Warp:
    """The instruction lines of one warp, at growing program counters."""

    def __init__(self, immediate):
        self.lines, self.pc, self.tail = [], 0, ' 0 ' if immediate else ' '

    def op(self, opcode, dst=None, src=(), mask=FULL, memory='0'):
        registers = ''.join(' R%d' % r for r in src)
        self.lines.append('%04x %08x %s %s %d%s %s%s' % (
            self.pc, mask, '0' if dst is None else '1 R%d' % dst, opcode, len(src), registers, memory, self.tail))
        self.pc += 16

    def straight(self, opcode, dst, src, base, stride, mask=FULL):
        """Base and stride: the active lanes are one run."""
        lanes = lanes_of(mask)
        memory = '4 1 0x%x %d' % (base + lanes[0] * stride, stride) if lanes else '0'
        self.op(opcode, dst, src, mask, memory)

    def scattered(self, opcode, dst, src, addresses, mask=FULL, deltas=True):
        """One address an active lane: as base and deltas, or listed."""
        if deltas:
            steps = (' %d' % (b - a) for a, b in zip(addresses, addresses[1:]))
            memory = '4 2 0x%x' % addresses[0] + ''.join(steps)
        else:
            memory = '4 0' + ''.join(' 0x%x' % a for a in addresses)
        self.op(opcode, dst, src, mask, memory)

    def loop(self, rounds):
        """The body keeps its program counters from round to round."""
        top = self.pc
        for i in range(rounds):
            self.pc = top
            yield i
            self.op('IADD3', 20, (20, 255, 255))
            self.op('ISETP.NE.AND', None, (20, 255))
            self.op('BRA')

    def prologue(self):
        self.op('IMAD.MOV.U32', 1, (255, 255))
        self.op('S2R', 0)
        self.op('S2R', 3)
        self.op('IMAD', 0, (3, 0))
        self.op('ULDC.64')
        self.op('IMAD.WIDE', 4, (0, 2))


class Workload:
    """The list and the trace files of one application."""

    def __init__(self, folder):
        self.folder, self.list, self.launches = folder, [], 0
        self.free = 0x7f4000000000
        os.makedirs(folder, exist_ok=True)

    def allocate(self, size):
        """Device memory, 2 MB aligned as drivers do."""
        base, self.free = self.free, self.free + (size + 0x1fffff & ~0x1fffff)
        return base

    def copy(self, base, size):
        self.list.append('MemcpyHtoD,0x%016x,%d' % (base, size))

    def launch(self, name, grid, body, shmem=0, regs=32, version=5, stream=0):
        """body(warp, block, index) fills a warp; its EXIT is added here."""
        self.launches += 1
        file = 'kernel-%d.traceg' % self.launches
        self.list.append(file)
        with open(os.path.join(self.folder, file), 'w') as out:
            out.write('-kernel name = %s\n-kernel id = %d\n-grid dim = (%d,%d,1)\n-block dim = (%d,1,1)\n'
                      '-shmem = %d\n-nregs = %d\n-binary version = 86\n-cuda stream id = %d\n'
                      '-shmem base_addr = 0x%016x\n-local mem base_addr = 0x%016x\n-nvbit version = 1.5.5\n'
                      '-accelsim tracer version = %d\n%s\n#traces format = synthetic, no GPU made this\n'
                      % (name, self.launches, grid[0], grid[1], 32 * WARPS, shmem, regs, stream, SHARED_WINDOW,
                         LOCAL_WINDOW, version, '-enable lineinfo = 0\n' if version >= 5 else ''))
            for block in range(grid[0] * grid[1]):
                out.write('\n#BEGIN_TB\n\nthread block = %d,%d,0\n' % (block % grid[0], block // grid[0]))
                for index in range(WARPS):
                    warp = Warp(version >= 5)
                    warp.prologue()
                    body(warp, block, index)
                    warp.op('EXIT')
                    out.write('\nwarp = %d\ninsts = %d\n' % (index, len(warp.lines)))
                    out.write('\n'.join(warp.lines) + '\n')
                out.write('\n#END_TB\n')

    def close(self):
        with open(os.path.join(self.folder, 'kernelslist.g'), 'w') as out:
            out.write('\n'.join(self.list) + '\n')


def stencil(side, source, target):
    """Each block brings a tile and its rim to shared memory, waits, and writes the mean of five values."""
    tiles, pitch = side // TILE, (TILE + 2) * 4

    def body(warp, block, index):
        left, top = block % tiles * TILE, block // tiles * TILE
        for k in warp.loop(TILE // WARPS):
            row = index * (TILE // WARPS) + k
            line = source + ((top + row) * side + left) * 4
            warp.straight('LDG.E.CONSTANT', 8, (4,), line, 4)
            warp.straight('STS', None, (6, 8), (row + 1) * pitch + 4, 4)
            # The rim left and right: the first and the last lane, where there is a neighbour.
            rim = (1 if left > 0 else 0) | (1 << 31 if left + TILE < side else 0)
            ends = [line - 4 if lane == 0 else line + 4 * TILE for lane in lanes_of(rim)]
            warp.scattered('LDG.E.CONSTANT', 9, (4,), ends, rim)
            warp.scattered('STS', None, (6, 9), [(row + 1) * pitch + (0 if lane == 0 else pitch - 4)
                                                 for lane in lanes_of(rim)], rim)
        for edge, row in ((0, -1), (WARPS - 1, TILE)):
            inside = index == edge and 0 <= top + row < side
            line = source + ((top + row) * side + left) * 4
            warp.straight('LDG.E.CONSTANT', 10, (4,), line, 4, FULL if inside else 0)
            warp.straight('STS', None, (6, 10), (row + 1) * pitch + 4, 4, FULL if inside else 0)
        warp.op('BAR.SYNC.DEFER_BLOCKING')
        for k in warp.loop(TILE // WARPS):
            row = index * (TILE // WARPS) + k
            centre = (row + 1) * pitch + 4
            for register, offset in enumerate((0, -4, 4, -pitch, pitch), 8):
                warp.straight('LDS', register, (6,), centre + offset, 4)
            for register in range(9, 13):
                warp.op('FADD', 8, (8, register))
            warp.op('FMUL', 8, (8, 14))
            warp.straight('STG.E', None, (4, 8), target + ((top + row) * side + left) * 4, 4)
    return body


def fill(side, target):
    """Initial values, computed: square roots, and a spill to local memory."""
    def body(warp, block, index):
        for k in warp.loop(TILE // WARPS):
            element = (block * TILE * TILE + (index * (TILE // WARPS) + k) * TILE) * 4
            warp.op('I2F', 8, (0,))
            warp.op('MUFU.RSQ', 9, (8,))
            warp.straight('STL', None, (1, 9), LOCAL_WINDOW + 0x100 + (block * WARPS + index) * 128, 4)
            warp.straight('LDL', 10, (1,), LOCAL_WINDOW + 0x100 + (block * WARPS + index) * 128, 4)
            warp.op('FFMA', 11, (10, 8, 11))
            warp.straight('STG.E', None, (4, 11), target + element, 4)
    return body


def reduction(source, total):
    """A sum: registers, a tree in shared memory whose masks halve, one atomic a block."""
    def body(warp, block, index):
        for k in warp.loop(4):
            element = (block * TILE * TILE + (k * WARPS + index) * 32) * 4
            warp.straight('LDG.E', 8, (4,), source + element, 4)
            warp.op('FADD', 12, (12, 8))
        warp.straight('STS', None, (6, 12), index * 128, 4)
        warp.op('BAR.SYNC.DEFER_BLOCKING')
        for active in (4, 2, 1):
            mask = FULL if index < active else 0
            warp.straight('LDS', 13, (6,), (index + active) * 128, 4, mask)
            warp.op('FADD', 12, (12, 13), mask)
            warp.straight('STS', None, (6, 12), index * 128, 4, mask)
            warp.op('BAR.SYNC.DEFER_BLOCKING')
        for active in (16, 8, 4, 2, 1):
            mask = (1 << active) - 1 if index == 0 else 0
            warp.op('SHFL.DOWN', 13, (12,), mask)
            warp.op('FADD', 12, (12, 13), mask)
        if index == 0:
            warp.scattered('RED.E.ADD.F32.FTZ.RN.STRONG.GPU', None, (4, 12), [total], 1)
    return body


def gather(table, source, target, cells):
    """target[i] = source[table[i]] for two thirds of the samples."""
    def body(warp, block, index):
        for k in warp.loop(4):
            first = ((block * WARPS + index) * 4 + k) * 32
            warp.straight('LDG.E.CONSTANT', 8, (4,), table + first * 4, 4)
            mask = sum(1 << lane for lane in range(32) if mixed(first + lane) % 3)
            warp.op('ISETP.GE.AND', None, (8, 255))
            warp.op('IMAD.WIDE', 10, (8, 2), mask)
            where = [source + mixed(7 * (first + lane)) % cells * 4 for lane in lanes_of(mask)]
            warp.scattered('LDG.E', 12, (10,), where, mask, deltas=k % 2 == 0)
            warp.op('FMUL', 12, (12, 9), mask)
            warp.straight('STG.E', None, (4, 12), target + first * 4, 4)
    return body


def histogram(source, bins):
    """Counts samples by value in L2; low values are the more frequent."""
    def body(warp, block, index):
        for k in warp.loop(4):
            first = ((block * WARPS + index) * 4 + k) * 32
            warp.straight('LDG.E', 8, (4,), source + first * 4, 4)
            warp.op('F2I.TRUNC.NTZ', 9, (8,))
            warp.op('LOP3.LUT', 9, (9, 255, 255))
            where = [bins + 4 * min(mixed(first + lane) % BINS, mixed(3 * first + lane) % BINS)
                     for lane in range(32)]
            warp.scattered('RED.E.ADD.STRONG.GPU', None, (4, 9), where)
    return body


def write(folder, scale):
    workload = Workload(folder)
    side = SIDE * scale
    tiles = side // TILE
    cells, samples = side * side, SAMPLES * scale * scale
    a, b = workload.allocate(cells * 4), workload.allocate(cells * 4)
    table, picked = workload.allocate(samples * 4), workload.allocate(samples * 4)
    bins, total = workload.allocate(BINS * 4), workload.allocate(256)
    grid, flat = (tiles, tiles), (tiles * tiles, 1)
    few = (samples // (WARPS * 4 * 32), 1)
    shmem = (TILE + 2) * (TILE + 2) * 4

    workload.copy(table, samples * 4)
    workload.launch('_Z4fillPfi', flat, fill(side, a))
    for _ in range(2):
        workload.launch('_Z7stencilPKfPfi', grid, stencil(side, a, b), shmem)
        workload.launch('_Z7stencilPKfPfi', grid, stencil(side, b, a), shmem)
        workload.launch('_Z6reducePKfPf', flat, reduction(a, total), WARPS * 128, version=4)
    workload.copy(bins, BINS * 4)
    workload.launch('_Z6gatherPKiPKfPfi', few, gather(table, a, picked, cells), regs=40)
    workload.launch('_Z9histogramPKfPii', few, histogram(picked, bins), stream=7)
    workload.launch('_Z7stencilPKfPfi', grid, stencil(side, a, b), shmem)
    workload.launch('_Z7stencilPKfPfi', grid, stencil(side, b, a), shmem)
    workload.launch('_Z6reducePKfPf', flat, reduction(a, total), WARPS * 128, version=4)
    workload.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folder', metavar='OUTDIR')
    parser.add_argument('--scale', type=int, default=1, choices=range(1, 17), metavar='N')
    args = parser.parse_args()
    try:
        write(args.folder, args.scale)
    except OSError as error:
        print('synth.py: %s: %s' % (error.filename, error.strerror), file=sys.stderr)
        return 4
    return 0


if __name__ == '__main__':
    sys.exit(main())
