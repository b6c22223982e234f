#!/usr/bin/env python3
"""hearth run with launches of two streams, which overlap when asked to: rows, order, copies between them,
totals of each stream, and equal bytes for any number of threads. With a corpus, its traces of two streams too.

usage: streams_test.py HEARTH SOURCE_ROOT CORPUS [TEST]...     CORPUS: may be empty
"""
import csv
import filecmp
import os
import random
import shutil
import subprocess
import sys
import tarfile
import time
import unittest

from case import Case, HEARTH, ROOT, SAME

CORPUS = sys.argv[3]
sys.path.insert(0, os.path.join(ROOT, 'tests', 'bench'))
import patterns

OVERLAP = ('--set', 'gpgpu_concurrent_kernel_sm=1')
HEAD = ('-kernel name = k%(id)d\n-kernel id = %(id)d\n-grid dim = (%(blocks)d,1,1)\n-block dim = (64,1,1)\n'
        '-shmem = 0\n-nregs = 32\n-binary version = 86\n-cuda stream id = %(stream)d\n'
        '-accelsim tracer version = 5\n-enable lineinfo = 0\n\n#traces\n')


def write_launch(path, number, stream, blocks, base, step=128):
    """Warps load and store 128 bytes each, STEP bytes apart."""
    with open(path, 'w') as out:
        out.write(HEAD % {'id': number, 'stream': stream, 'blocks': blocks})
        for block in range(blocks):
            out.write('#BEGIN_TB\nthread block = %d,0,0\n' % block)
            for warp in range(2):
                at = base + (2 * block + warp) * step
                lines = [patterns.load(at)] + [patterns.alu('FFMA', 8, 8, 9, 10) for _ in range(40)]
                lines += [patterns.store(at + (1 << 20)), '0 EXIT 0 0 0']
                out.write('warp = %d\ninsts = %d\n' % (warp, len(lines)))
                out.write('\n'.join(patterns.inst(16 * i, line) for i, line in enumerate(lines)) + '\n')
            out.write('#END_TB\n')


def write_workload(folder, launches, copies_behind=()):
    """LAUNCHES: streams in order. Copies stand behind so many launches."""
    lines = []
    for i, stream in enumerate(launches):
        name = 'kernel-%d.traceg' % (i + 1)
        write_launch(os.path.join(folder, name), i + 1, stream, 60 + 20 * i, patterns.BASE + (i << 22))
        lines.append(name)
        if i + 1 in copies_behind:
            lines.append('MemcpyHtoD,0x%x,65536' % patterns.BASE)
    with open(os.path.join(folder, 'kernelslist.g'), 'w') as out:
        out.write('\n'.join(lines) + '\n')


FACTS = '# launch %d dynamic=0 cluster=1,1,1 cooperative=0 carveout=-1 programmatic=%d'
FOLLOW = ('--set', 'hearth_core=modern', '--set', 'gpgpu_scheduler=cggty', '--set', 'hearth_programmatic=1', '--set',
          'gpgpu_kernel_launch_latency=0', '--set', 'gpgpu_perf_sim_memcpy=0')


def write_followers(folder, launches):
    """LAUNCHES: number, stream and whether it is programmatic. Each lets the next one begin, then waits."""
    lines = []
    for number, stream, programmatic in launches:
        name = 'kernel-%d.traceg' % number
        with open(os.path.join(folder, name), 'w') as out:
            out.write(HEAD % {'id': number, 'stream': stream, 'blocks': 40})
            for block in range(40):
                code = ['0 PREEXIT 0 0 0', '0 ACQBULK 0 0 0']
                code += [patterns.alu('FFMA', 8, 8, 9, 10) for _ in range(200)] + ['0 EXIT 0 0 0']
                out.write('#BEGIN_TB\nthread block = %d,0,0\n' % block)
                for warp in range(2):
                    out.write('warp = %d\ninsts = %d\n' % (warp, len(code)))
                    out.write('\n'.join(patterns.inst(16 * i, line) for i, line in enumerate(code)) + '\n')
                out.write('#END_TB\n')
        lines += [FACTS % (number, programmatic), name]
    with open(os.path.join(folder, 'kernelslist.g'), 'w') as out:
        out.write('\n'.join(lines) + '\n')


def numbers(rows):
    return [{name: int(text) if text.isdigit() else text for name, text in row.items()} for row in rows]


class Streams(Case):
    def simulate(self, *options, workload=None, out='out'):
        """The rows of a run."""
        return numbers(self.run_ok(workload or self.place, *options, out=out))

    def same(self, one, other, names=SAME):
        self.assertEqual(filecmp.cmpfiles(self.path(one), self.path(other), names, shallow=False), (names, [], []))

    def stats(self):
        return self.json('stats.json')

    def check_sums(self, rows):
        """Totals of streams are sums of rows, and add up to the totals."""
        stats = self.stats()
        streams = stats['streams']
        self.assertEqual(set(streams), {str(row['stream']) for row in rows})
        for name in ('launches', 'cycles', 'warp_insts', 'thread_insts', 'l1d_accesses', 'l2_reads', 'dram_reads',
                     'dram_writes', 'dram_activates', 'sm_active_cycles', 'l0i_accesses', 'l1i_misses',
                     'l1c_accesses'):
            self.assertEqual(sum(s[name] for s in streams.values()), stats['totals'][name]['value'], name)
            if name != 'launches':
                for stream, totals in streams.items():
                    self.assertEqual(sum(r[name] for r in rows if str(r['stream']) == stream), totals[name], name)
        lines = [line.split() for line in self.text('out', 'stats.txt').splitlines() if line.startswith('stream')]
        self.assertEqual({name: float(value) for name, value in lines},
                         {'stream%s.%s' % (stream, name): value
                          for stream, totals in streams.items() for name, value in totals.items() if value != 0})
        elapsed = max(r['end_cycle'] for r in rows) - min(r['start_cycle'] for r in rows)
        self.assertEqual(stats['totals']['elapsed_cycles']['value'], elapsed)

    def test_one_after_the_other_by_default(self):
        write_workload(self.place, (1, 2, 1))
        rows = self.simulate()
        for before, row in zip(rows, rows[1:]):
            self.assertEqual(row['start_cycle'], before['end_cycle'])
        self.check_sums(rows)

    def test_overlap(self):
        write_workload(self.place, (1, 2, 1, 2))
        serial = self.simulate()
        rows = self.simulate(*OVERLAP)
        self.assertEqual([r['launch'] for r in rows], [1, 2, 3, 4])
        self.assertLess(rows[1]['start_cycle'], rows[0]['end_cycle'])
        self.assertEqual(rows[2]['start_cycle'], rows[0]['end_cycle'])
        self.assertEqual(rows[3]['start_cycle'], rows[1]['end_cycle'])
        for name in ('warp_insts', 'thread_insts', 'blocks', 'l1d_accesses', 'l2_writes', 'dram_reads'):
            self.assertEqual([r[name] for r in rows], [r[name] for r in serial], name)
        self.check_sums(rows)
        self.assertLess(max(r['end_cycle'] for r in rows), serial[-1]['end_cycle'])

    def test_programmatic(self):
        """Beside the one before: only the second, the third and the last launch."""
        write_followers(self.place, ((1, 1, 0), (2, 1, 1), (3, 1, 1), (4, 1, 0), (5, 2, 1), (7, 2, 1), (8, 2, 1)))
        turns = self.simulate(*FOLLOW, '--set', 'hearth_programmatic=0')
        rows = self.simulate(*FOLLOW)
        self.assertEqual([r['launch'] for r in rows], [r['launch'] for r in turns])
        for before, row in zip(turns, turns[1:]):
            self.assertGreaterEqual(row['start_cycle'], before['end_cycle'])
        for i in range(1, len(rows)):
            begins = rows[i]['start_cycle'] < rows[i - 1]['end_cycle']
            self.assertEqual(begins, i in (1, 2, 6), i)
            self.assertGreater(rows[i]['end_cycle'], rows[i - 1]['end_cycle'])
        self.assertEqual([r['warp_insts'] for r in rows], [r['warp_insts'] for r in turns])
        self.check_sums(rows)
        self.simulate(*FOLLOW, '--threads', '3', out='threads')
        self.same('out', 'threads')
        for option, says in (('1', False), ('0', True)):
            done = self.hearth('run', self.place, *FOLLOW, '--set', 'hearth_programmatic=' + option, '-o',
                               self.path('notes' + option))
            self.assertEqual('ACQBULK is not simulated in full' in done.stderr, says)

    def test_programmatic_refused(self):
        write_followers(self.place, ((1, 1, 0), (2, 1, 1)))
        for options, message in ((('--intervals', '1000'), '--intervals: launches that overlap (hearth_programmatic)'),
                                 (('--flush', 'all'), 'that overlap (hearth_programmatic) cannot have L2 flushed'),
                                 (('--intra', 'blocks'), 'hearth_programmatic) are simulated in full')):
            self.fails(2, message, 'run', self.place, '-q', '-o', self.path('bad'), *FOLLOW, *options)
        rows = self.simulate(*FOLLOW, '--set', 'hearth_programmatic=0', '--intervals', '1000')
        self.assertEqual(rows[1]['start_cycle'], rows[0]['end_cycle'])

    def test_copies_wait_for_all(self):
        write_workload(self.place, (1, 2, 3), (2,))
        rows = self.simulate(*OVERLAP, '--set', 'gpgpu_perf_sim_memcpy=1')
        last = max(rows[0]['end_cycle'], rows[1]['end_cycle'])
        self.assertLess(rows[1]['start_cycle'], rows[0]['end_cycle'])
        self.assertGreaterEqual(rows[2]['start_cycle'], last)
        self.assertEqual(rows[2]['start_cycle'], last + rows[2]['gap_cycles'])
        self.check_sums(rows)

    def test_warm_up(self):
        """Launches for warm-up overlap as others do; a functional one waits for all, and all wait for it."""
        write_workload(self.place, (1, 2, 3, 1, 2))
        names = ['kernel-%d.traceg' % n for n in range(1, 6)]
        plan = self.write('a.plan', '\n'.join(['!plan 1', '!step role=warm kind=memory', *names[:2],
                                               '!step role=warm kind=functional', names[2],
                                               '!save file=a.l2', *names[3:]]) + '\n')
        rows = self.simulate(*OVERLAP, workload=plan)
        self.assertEqual([r['mode'] for r in rows], ['memory', 'detailed', 'functional', 'detailed', 'detailed'])
        self.assertLess(rows[1]['start_cycle'], rows[0]['end_cycle'])
        self.assertEqual(rows[2]['cycles'], 0)
        self.assertEqual(rows[2]['l2_reads'] + rows[2]['l2_writes'], 2 * 2 * 4 * 100)
        self.assertLessEqual(max(r['end_cycle'] for r in rows[:2]), rows[2]['start_cycle'])
        self.assertLessEqual(rows[2]['end_cycle'], rows[3]['start_cycle'])
        self.assertLess(rows[4]['start_cycle'], rows[3]['end_cycle'])
        run = self.json('run.json')
        self.assertGreater(run['measure_seconds'], 0)
        self.assertGreater(run['warm_seconds'], 0)
        self.equal_bytes(plan, *OVERLAP)
        for policy in ('none', 'memory:1', 'functional:auto', 'checkpoint'):
            self.fails(2, 'measures each launch alone', 'run', self.place, '--warm', policy, *OVERLAP, '-q', '-o', self.path('bad'))
        plain, full = ([dict(row, segment=1) for row in self.simulate(*OVERLAP, *options)]
                       for options in ((), ('--warm', 'full')))
        self.assertEqual(plain, full)
        plan = self.write('b.plan', '!plan 1\n!step role=measure prime=5\n%s\n' % names[0])
        self.fails(2, 'b.plan:3: prime=: launches that overlap', 'run', plan, *OVERLAP, '-q', '-o', self.path('bad'))

    def test_equal_bytes(self):
        write_workload(self.place, (1, 2, 3, 1, 2, 3, 1))
        for options in ((), ('--set', 'gpgpu_kernel_launch_latency=0', '--set', 'gpgpu_max_concurrent_kernel=3')):
            self.equal_bytes(self.place, *OVERLAP, *options)

    def equal_bytes(self, workload, *options, names=SAME):
        self.simulate(*options, '--threads', '1', workload=workload)
        for threads in (2, 3, 5, 8):
            self.simulate(*options, '--threads', str(threads), workload=workload, out='more')
            with self.subTest(threads=threads):
                self.same('out', 'more', names)

    def test_instruction_caches_and_scoreboards(self):
        """Launches look up their own code, whatever runs beside them."""
        write_workload(self.place, (1, 2, 1, 2, 3))
        options = [word for option in ('hearth_icache=1', 'hearth_const_cache=1', 'hearth_war_scoreboard=2')
                   for word in ('--set', option)]
        serial = self.simulate(*options)
        self.assertGreater(serial[0]['l0i_accesses'], 0)
        self.equal_bytes(self.place, *OVERLAP, '--cpi-stack', *options, names=SAME + ['schedulers.csv'])
        rows = numbers(self.rows())
        self.assertEqual([r['l0i_accesses'] for r in rows], [r['l0i_accesses'] for r in serial])
        self.check_sums(rows)

    def test_l1_flushed(self):
        """A launch does not find in L1 what others left there: as configured, and with --flush l1."""
        for i, (stream, blocks) in enumerate(((1, 184), (2, 1), (1, 184)), 1):
            write_launch(self.path('kernel-%d.traceg' % i), i, stream, blocks, patterns.BASE, step=0)
        self.write('kernelslist.g', ''.join('kernel-%d.traceg\n' % i for i in (1, 2, 3)))
        kept = self.simulate(*OVERLAP, '--flush', 'none', out='kept')
        self.assertEqual(kept[2]['start_cycle'], kept[0]['end_cycle'])
        self.assertEqual(kept[2]['l1d_global_load_misses'], 0)
        flushed = self.simulate(*OVERLAP, '--flush', 'l1')
        self.assertGreater(flushed[2]['l1d_global_load_misses'], 0)
        self.simulate(*OVERLAP, out='default')
        self.same('out', 'default')

    def test_chosen_launches(self):
        """Those that are left out hold up none: as with a plan of the others."""
        write_workload(self.place, (1, 2, 2, 1, 2))
        rows = self.simulate(*OVERLAP, '--launches', '1-2,5')
        self.assertEqual([row['launch'] for row in rows], [1, 2, 5])
        self.assertLess(rows[1]['start_cycle'], rows[0]['end_cycle'])
        self.assertEqual(rows[2]['start_cycle'], rows[1]['end_cycle'])
        plan = self.write('some.plan', '!plan 1\nkernel-1.traceg\nkernel-2.traceg\nkernel-5.traceg\n')
        planned = self.simulate(*OVERLAP, workload=plan, out='planned')
        for row in rows + planned:
            del row['step'], row['launch']
        self.assertEqual(rows, planned)

    def test_cpi_stacks(self):
        """Over all launches they add up to the time in which any ran."""
        write_workload(self.place, (1, 2, 1, 2))

        def cpi(rows):
            return sum(v for row in rows for n, v in row.items() if n.startswith('cpi_') and not n.endswith('_share'))

        serial = self.simulate('--cpi-stack')
        schedulers = cpi(serial) // sum(row['cycles'] for row in serial)
        rows = self.simulate('--cpi-stack', *OVERLAP)
        totals = self.stats()['totals']
        self.assertEqual(cpi(rows), schedulers * totals['elapsed_cycles']['value'])
        self.assertEqual([row['cpi_issued'] for row in rows], [row['warp_insts'] for row in rows])
        self.assertAlmostEqual(sum(v['value'] for n, v in totals.items() if n.endswith('_share')), 1, 4)
        with open(self.path('out', 'schedulers.csv'), newline='') as file:
            stacks = list(csv.DictReader(file))
        self.assertEqual(sum(int(v) for row in stacks for n, v in row.items() if n.startswith('cpi_')), cpi(rows))
        plain = self.simulate(*OVERLAP)
        for row, other in zip(rows, plain):
            self.assertEqual({n: v for n, v in row.items() if not n.startswith('cpi_')},
                             {n: v for n, v in other.items() if not n.startswith('cpi_')})

    def test_parts(self):
        """Over all launches, the parts add up to the counters."""
        write_workload(self.place, (1, 2, 1, 2))
        self.equal_bytes(self.place, *OVERLAP, '--parts', names=SAME + ['parts.csv'])
        rows = self.rows()
        with open(self.path('out', 'parts.csv'), newline='') as file:
            parts = list(csv.DictReader(file))
        for name in list(parts[0])[4:]:
            self.assertEqual(sum(int(p[name]) for p in parts if p[name]), sum(int(r[name]) for r in rows), name)
        self.assertGreater(sum(int(p['warp_insts']) for p in parts if p['warp_insts']), 0)

    def start(self, *options):
        """A run; tests end it."""
        process = subprocess.Popen([HEARTH, 'run', self.place, '-q', '-o', self.path('out'), *OVERLAP, *options],
                                   stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def test_resumed(self):
        """Killed again and again, at any moment, nothing is lost, repeated or different."""
        write_workload(self.place, (1, 2, 3, 1, 2, 3, 1, 1, 2), (2, 5, 6))
        begin = time.monotonic()
        self.simulate(*OVERLAP, '--cpi-stack', out='whole')
        length = time.monotonic() - begin
        seed = random.randrange(1 << 30)
        chance = random.Random(seed)
        with self.subTest(seed=seed):
            for _ in range(8):
                process = self.start('--cpi-stack', '--threads', '2', '--resume', '--checkpoint', '0')
                time.sleep(chance.uniform(0, 1.2 * length))
                process.kill()
                process.wait()
            self.simulate(*OVERLAP, '--cpi-stack', '--threads', '2', '--resume')
            self.same('whole', 'out', SAME + ['schedulers.csv'])

    def test_half_a_journal(self):
        """Launches are written down together, but the process may die in between."""
        write_workload(self.place, (1, 2, 3) + 6 * (1, 2, 3), (3,))
        self.simulate(*OVERLAP, out='whole')
        for kept in (1, 2, 3):
            process = self.start('--checkpoint', '0')
            journal = self.path('out.part-%d' % process.pid, 'journal')
            lines = []
            while sum(line.startswith('row ') for line in lines) < 3 and process.poll() is None:
                time.sleep(0.001)
                if os.path.exists(journal):
                    with open(journal) as file:
                        lines = file.readlines()
            process.kill()
            process.wait()
            rows = [i for i, line in enumerate(lines) if line.startswith('row ')]
            self.assertGreaterEqual(len(rows), 3)
            with open(journal, 'w') as file:
                file.writelines(lines[:rows[kept - 1] + 1])
            self.simulate(*OVERLAP, '--resume')
            self.same('whole', 'out')
            shutil.rmtree(self.path('out'))

    def test_segments_side_by_side(self):
        write_workload(self.place, (1, 2, 3, 1, 2, 3))
        plan = self.write('some.plan', (
            '!plan 1\nkernel-1.traceg\nkernel-2.traceg\n!segment name=b\nkernel-2.traceg\nkernel-3.traceg\n'
            '!flush level=all dirty=write\nkernel-4.traceg\nkernel-5.traceg\n!segment name=c\n'
            '!step role=warm kind=detailed\nkernel-6.traceg\nkernel-1.traceg\n'))
        rows = self.simulate(*OVERLAP, workload=plan)
        self.assertLess(rows[1]['start_cycle'], rows[0]['end_cycle'])
        self.assertGreaterEqual(rows[4]['start_cycle'], max(rows[2]['end_cycle'], rows[3]['end_cycle']))
        self.assertLess(rows[5]['start_cycle'], rows[4]['end_cycle'])
        self.simulate(*OVERLAP, '--jobs', '3', workload=plan, out='jobs')
        self.same('out', 'jobs')

    def test_what_cannot_overlap(self):
        write_workload(self.place, (1, 2))
        for option in (('--flush', 'l2'), ('--flush', 'all'), ('--intervals', '1000')):
            self.fails(2, 'gpgpu_concurrent_kernel_sm', 'run', self.place, '-q', '-o', self.path('out'), *OVERLAP,
                       *option)

    def test_missing_trace_is_named(self):
        write_workload(self.place, (1, 2, 2))
        os.remove(self.path('kernel-3.traceg'))
        self.fails(3, 'kernel-3.traceg', 'run', self.place, '-q', '-o', self.path('out'), *OVERLAP, '--set',
                   'gpgpu_max_concurrent_kernel=2')

    def test_printed_in_order(self):
        write_workload(self.place, (1, 2, 1))
        lines = self.hearth('run', self.place, '-o', self.path('out'), '--print', 'accel-sim',
                            *OVERLAP).stdout.splitlines()
        names = [line.split()[-1] for line in lines if line.startswith('kernel_name')]
        self.assertEqual(names, ['k1', 'k2', 'k3'])
        cycles = [int(line.split()[-1]) for line in lines if line.startswith('gpu_tot_sim_cycle =')]
        self.assertEqual(cycles[-1], self.stats()['totals']['elapsed_cycles']['value'])

    @unittest.skipUnless(CORPUS, 'no corpus')
    def test_corpus(self):
        with tarfile.open(os.path.join(CORPUS, 'traces', 'real', 'sm75_two_streams.tar.xz')) as tar:
            tar.extractall(self.place)
        workload = self.path('sm75_two_streams')
        serial = self.simulate(workload=workload)
        rows = self.simulate(*OVERLAP, workload=workload)
        self.assertLess(rows[1]['start_cycle'], rows[0]['end_cycle'])
        for name in ('warp_insts', 'thread_insts', 'blocks', 'l1d_accesses'):
            self.assertEqual([r[name] for r in rows], [r[name] for r in serial], name)
        self.check_sums(rows)
        self.assertLess(max(r['end_cycle'] for r in rows), serial[-1]['end_cycle'])


if __name__ == '__main__':
    unittest.main(argv=[sys.argv[0]] + sys.argv[4:], verbosity=2)
