#!/usr/bin/env python3
"""Results must be equal byte for byte for any number of threads: own traces, among them many blocks
of 20 to 500 cycles, and the micro traces of a corpus where one is given.

usage: threads.py HEARTH BENCH [CORPUS]     BENCH: the folder of patterns.py
"""
import filecmp
import os
import random
import subprocess
import sys
import tarfile
import tempfile

THREADS = (1, 2, 3, 5, 8)
SETS = ('--set', 'gpgpu_kernel_launch_latency=0')
# One block an SM, so that many wait, and queues in front of the crossbar that fill up: SMs stop within windows.
FULL = SETS + ('--set', 'gpgpu_shader_cta=1', '--set', 'icnt_in_buffer_limit=8')
QUEUES = (FULL + ('--set', 'gpgpu_n_clusters=8'),
          FULL + ('--set', 'gpgpu_n_clusters=8', '--intervals', '33', '--cpi-stack'),
          FULL + ('--set', 'gpgpu_n_clusters=3', '--set', 'gpgpu_n_cores_per_cluster=2'),
          FULL + ('--set', 'gpgpu_n_clusters=5', '--set', 'gpgpu_l2_rop_latency=200'))
SHORT = (SETS, SETS + ('--cpi-stack',), SETS + ('--flush', 'all', '--set', 'gpgpu_perf_sim_memcpy=1'),
         # The shortest delay in front of L2 with which partitions run ahead, and shorter.
         SETS + ('--set', 'gpgpu_l2_rop_latency=2'), SETS + ('--set', 'gpgpu_l2_rop_latency=0'),
         SETS + ('--set', 'gpgpu_n_clusters=3', '--set', 'gpgpu_n_cores_per_cluster=4'))


# The memory system of a real card: page walks, merged requests, two halves of L2, dirty lines, refresh.
CARD = SETS + ('-c', 'h100')
# Clusters in GPCs of three SMs and two, one of which has no partner.
PAIRS = CARD + ('--set', 'gpgpu_n_clusters=5', '--set', 'hearth_gpcs=2')
ATTENTION = 'batch=1 length=512 heads=4 depth=64 cluster=2'.split()


def write_short(patterns, folder, launches=3, blocks=700):
    """Blocks of one or two warps whose lengths differ from a few to some hundred cycles, so that places are
    free all the time on many SMs at once."""
    rng = random.Random(1)
    os.makedirs(folder)
    for launch in range(1, launches + 1):
        with open(os.path.join(folder, 'kernel-%d.traceg' % launch), 'w') as out:
            out.write('-kernel name = short\n-kernel id = %d\n-grid dim = (%d,1,1)\n-block dim = (64,1,1)\n-shmem = 0\n'
                      '-nregs = 32\n-binary version = 86\n-cuda stream id = 0\n-accelsim tracer version = 5\n'
                      '-enable lineinfo = 0\n\n#traces\n' % (launch, blocks))
            for block in range(blocks):
                out.write('#BEGIN_TB\nthread block = %d,0,0\n' % block)
                for warp in range(2):
                    lines = [patterns.alu('FFMA', 8, 8, 9, 10) for _ in range(rng.randrange(100))]
                    if rng.random() < 0.3:
                        lines.append(patterns.load(patterns.BASE + rng.randrange(1 << 12) * 128))
                    if rng.random() < 0.3:
                        lines.append(patterns.store(patterns.BASE + rng.randrange(1 << 12) * 128))
                    lines.append('0 EXIT 0 0 0')
                    out.write('warp = %d\ninsts = %d\n' % (warp, len(lines)))
                    out.write('\n'.join(patterns.inst(16 * i, line) for i, line in enumerate(lines)) + '\n')
                out.write('#END_TB\n')
    with open(os.path.join(folder, 'kernelslist.g'), 'w') as out:
        out.write('MemcpyHtoD,0x%x,65536\n' % patterns.BASE)
        out.write(''.join('kernel-%d.traceg\n' % launch for launch in range(1, launches + 1)))


def run(hearth, workload, out, threads, options):
    done = subprocess.run([hearth, 'run', workload, '-q', '-o', out, '--threads', str(threads), *options],
                          capture_output=True, text=True)
    if done.returncode != 0 or done.stderr:
        sys.exit('%s with %d threads: exit %d, %s' % (workload, threads, done.returncode, done.stderr))


def check(hearth, workload, scratch, options):
    name = ' '.join((os.path.basename(os.path.dirname(workload)) or workload, *options[2:]))
    first = None
    for threads in THREADS:
        out = os.path.join(scratch, 'out%d' % threads)
        run(hearth, workload, out, threads, options)
        files = sorted(set(os.listdir(out)) - {'run.json'})
        if first is None:
            first = out, files
        same = files == first[1] and not any(filecmp.cmpfiles(first[0], out, files, shallow=False)[1:])
        print('%s  %s, %d threads' % ('equal' if same else 'DIFFERENT', name, threads), flush=True)
        if not same:
            sys.exit(1)


def main():
    hearth, bench = sys.argv[1:3]
    corpus = sys.argv[3] if len(sys.argv) > 3 else ''
    sys.path.insert(0, bench)
    import patterns
    with tempfile.TemporaryDirectory() as scratch:
        short = os.path.join(scratch, 'short', '')
        write_short(patterns, short)
        for options in SHORT + (CARD,):
            check(hearth, short, scratch, options)
        attention = os.path.join(scratch, 'attention', '')
        subprocess.run([hearth, 'trace', 'synth', 'attention_fa3', '-q', '-o', attention]
                       + [word for value in ATTENTION for word in ('--parameter', value)], check=True)
        check(hearth, attention, scratch, CARD)
        check(hearth, attention, scratch, PAIRS)
        for kind in patterns.KINDS:
            folder = os.path.join(scratch, kind, '')
            patterns.write(kind, folder, 120)
            check(hearth, folder, scratch, SETS)
            if kind in ('stream', 'writeback'):
                check(hearth, folder, scratch, CARD)
            for options in QUEUES if kind in ('stream', 'stride32', 'writeback') else ():
                check(hearth, folder, scratch, options)
        micro = os.path.join(corpus, 'traces', 'micro')
        if not corpus or not os.path.isdir(micro):
            print('no corpus: only own traces were tried')
            return
        for archive in sorted(os.listdir(micro)):
            if not archive.endswith('.tar.xz'):
                continue
            folder = os.path.join(scratch, 'micro')
            with tarfile.open(os.path.join(micro, archive)) as tar:
                tar.extractall(folder)
            for place, _, files in os.walk(folder):
                if 'kernelslist.g' in files:
                    check(hearth, os.path.join(place, ''), scratch, SETS)
            subprocess.run(['rm', '-r', folder], check=True)


if __name__ == '__main__':
    main()
