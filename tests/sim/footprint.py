#!/usr/bin/env python3
"""Memory must not grow with the trace: 46 SMs in 128 MiB for a launch of very many blocks, and for blocks with very
many instructions in each warp, far more than would fit if it was held.

usage: footprint.py HEARTH BENCH [--insts N]     BENCH: the folder of patterns.py; N: instructions of each of the 8 warps
of 46 blocks, 50,000 unless told
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

LIMIT = 128
HEADER = ('-kernel name = k\n-kernel id = 1\n-grid dim = (%d,1,1)\n-block dim = (%d,1,1)\n-shmem = 0\n-nregs = 32\n'
          '-binary version = 86\n-cuda stream id = 0\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\n#traces\n')
EXIT = '0 EXIT 0 0 0'


def open_packed(path):
    """A file that gzip writes, by a process of its own."""
    out = open(path, 'wb')
    return subprocess.Popen(['gzip', '-1', '-c'], stdin=subprocess.PIPE, stdout=out)


def many_blocks(patterns, folder, blocks=200000):
    packer = open_packed(os.path.join(folder, 'kernel-1.traceg.gz'))
    packer.stdin.write((HEADER % (blocks, 32)).encode())
    for block in range(blocks):
        lines = (patterns.load(patterns.BASE + block % 4096 * 128), patterns.alu('FADD', 9, 8), EXIT)
        packer.stdin.write(('#BEGIN_TB\nthread block = %d,0,0\nwarp = 0\ninsts = 3\n%s\n#END_TB\n' % (
            block, '\n'.join(patterns.inst(16 * i, line) for i, line in enumerate(lines)))).encode())
    packer.stdin.close()
    return packer.wait(), 3 * blocks


def long_warps(patterns, folder, insts):
    loop = 100
    body = ''.join(patterns.inst(16 * i, patterns.alu('FFMA', 8 + i % 8, 8 + i % 8, 18, 19)) + '\n' for i in range(loop))
    piece = (body * 500).encode()
    packer = open_packed(os.path.join(folder, 'kernel-1.traceg.gz'))
    packer.stdin.write((HEADER % (46, 256)).encode())
    for block in range(46):
        packer.stdin.write(('#BEGIN_TB\nthread block = %d,0,0\n' % block).encode())
        for warp in range(8):
            packer.stdin.write(('warp = %d\ninsts = %d\n' % (warp, insts + 1)).encode())
            for _ in range(insts // (500 * loop)):
                packer.stdin.write(piece)
            packer.stdin.write((patterns.inst(16 * loop, EXIT) + '\n').encode())
        packer.stdin.write(b'#END_TB\n')
    packer.stdin.close()
    return packer.wait(), 46 * 8 * (insts + 1)


def check(hearth, name, made, folder):
    failed, insts = made
    if failed:
        sys.exit('gzip failed')
    with open(os.path.join(folder, 'kernelslist.g'), 'w') as out:
        out.write('kernel-1.traceg.gz\n')
    subprocess.run([hearth, 'run', folder, '-q', '-o', os.path.join(folder, 'out')], check=True)
    with open(os.path.join(folder, 'out', 'run.json')) as file:
        peak = json.load(file)['peak_rss_mib']
    with open(os.path.join(folder, 'out', 'stats.json')) as file:
        counted = json.load(file)['totals']['warp_insts']
    counted = counted['value'] if isinstance(counted, dict) else counted
    print('%s: %d warp instructions, peak %.1f MiB' % (name, insts, peak), flush=True)
    if counted != insts or peak >= LIMIT:
        sys.exit('%s: expected %d warp instructions in less than %d MiB' % (name, insts, LIMIT))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('hearth')
    parser.add_argument('bench')
    parser.add_argument('--insts', type=int, default=50000)
    args = parser.parse_args()
    sys.path.insert(0, args.bench)
    import patterns
    folder = tempfile.mkdtemp()
    try:
        check(args.hearth, 'many blocks', many_blocks(patterns, folder), folder)
        check(args.hearth, 'long warps', long_warps(patterns, folder, args.insts), folder)
    finally:
        shutil.rmtree(folder)


if __name__ == '__main__':
    main()
