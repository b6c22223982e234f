"""Usage: sweep_test.py HEARTH ROOT: hearth sweep as users call it."""
import csv
import filecmp
import glob
import math
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import time
import unittest
from xml.etree import ElementTree

from case import HEARTH, ROOT, Case, demo, kernel_text

TABLES = ['launches.csv', 'jobs.csv', 'kernels.csv', 'configurations.csv']


class SweepCase(Case):
    def spec(self, text, name='spec'):
        return self.write(name, text)

    def sweep(self, text, *options, out='out', code=0):
        return self.hearth('sweep', self.spec(text), '-o', self.path(out), *options, code=code)

    def table(self, name, out='out'):
        with open(self.path(out, name + '.csv'), newline='') as f:
            return list(csv.DictReader(f))

    def folders(self, kind, out='out'):
        """Folders of the jobs of a kind."""
        found = []
        for path in sorted(glob.glob(self.path(out, 'store', '*', 'job'))):
            with open(path) as f:
                if 'kind %s\n' % kind in f.read():
                    found.append(os.path.dirname(path))
        return found

    def events(self, what, out='out'):
        """How often each job did that, by its log."""
        return [len(re.findall('(?m)^%s ' % what, self.text(path)))
                for path in sorted(glob.glob(self.path(out, 'store', '*', 'log')))]

    def whole(self, out='out'):
        """How many jobs are no segments of others."""
        return len(glob.glob(self.path(out, 'store', '*', 'job'))) - len(self.folders('segment', out))

    def processes(self, kind, out='out'):
        """The processes that executed jobs of a kind."""
        logs = [self.text(folder, 'log') for folder in self.folders(kind, out)]
        return {pid for log in logs for pid in re.findall(r'(?m)^done 0 \S+ (\d+) ', log)}

    def same_tables(self, a, b):
        for name in TABLES:
            self.assertTrue(filecmp.cmp(self.path(a, name), self.path(b, name), shallow=False), name)


class Specification(SweepCase):
    def refuses(self, text, *message):
        """The last line of TEXT is wrong."""
        done = self.sweep(text, code=2)
        self.assertRegex(done.stderr, r'\Ahearth: [^\n]*\n\Z')
        self.assertIn(message[0], done.stderr)
        self.assertIn(message[-1], done.stderr)

    def test_errors_have_line_and_column(self):
        start = 'workload %s\ncard rtx3070\n' % demo('bfs')
        for line, where, message in [
                ('workloads x', '3:1', '"workloads" is not a keyword; did you mean workload?'),
                ('option gpgpu_n_mem', '3:1', 'expected option OPTION VALUE...'),
                ('option gpgpu_n_men 4', '3:8', 'did you mean gpgpu_n_mem?'),
                ('option gpgpu_n_mem 4 many', '3:22', 'expected a whole number'),
                ('option gpgpu_n_mem 8..4', '3:20', 'a range is'),
                ('option gpgpu_n_mem 1..8*1', '3:20', 'a range is'),
                ('option gpgpu_n_mem 4 4', '3:22', 'has the value 4 already'),
                ('point cycles a gpgpu_n_mem=4', '3:7', 'already a column'),
                ('point l2 a gpgpu_n_mem', '3:12', 'expected OPTION=VALUE'),
                ('define a-b gpgpu_n_mem=4', '3:8', 'without "-"'),
                ('card rtx3070', '3:6', 'there already'),
                ('card nothing', '3:6', 'not a file or a bundled configuration; hearth config list'),
                ('card rtx3O70', '3:6', 'not a file or a bundled configuration; did you mean rtx3070?'),
                ('card QV10O-SASS', '3:6', 'not a file or a bundled configuration; did you mean qv100?'),
                ('card QV100-PTX', '3:6', '"PTX" is not SASS'),
                ('method sieev', '3:8', 'did you mean sieve?'),
                ('method sieve count=3', '3:14', 'sieve has no option count'),
                ('method sieve theta=x', '3:14', 'theta'),
                ('method full theta=1', '3:13', 'full has no options'),
                ('warm cold', '3:6', 'cold'),
                ('baseline card=a100', '3:10', 'no line of the specification has card=a100'),
                ('pareto speed', '3:8', 'not seconds, an axis or a total'),
                ('workload %s' % demo('bfs'), '3:10', 'a second workload is called bfs'),
                ('workload "a', '3:10', 'the quote is not closed')]:
            self.refuses(start + line + '\n', 'spec:%s: ' % where, message)
        self.refuses('card rtx3070\n', 'no line "workload"')
        self.refuses('workload %s\n' % demo('bfs'), 'no line "card"')
        self.fails(2, 'No such file', 'sweep', self.path('none'), '-o', self.path('out'))
        self.fails(2, 'expected one specification', 'sweep', '-o', self.path('out'))
        self.fails(2, '-o DIR is missing; see hearth sweep --help', 'sweep', self.path('none'))
        self.fails(2, 'no sweep is there', 'sweep', '--status', self.place)
        self.fails(2, 'not the folder of a job', 'sweep', '--job', self.place)

    def test_lists_ranges_and_points_are_combined(self):
        self.sweep('workload b=%s   # a comment\ncard rtx3070 qv100\n' % demo('gemm') +
                   'option gpgpu_kernel_launch_latency 1..8*2 10..30+10 5\n'
                   'point l2 small "gpgpu_cache:dl2=S:32:128:16,L:B:m:L:P,A:192:4,32:0,32"\n'
                   'point l2 normal gpgpu_n_mem=16\n', '--engine', 'list', '-q')
        rows = self.table('jobs')
        self.assertEqual(len(rows), 2 * 8 * 2)
        self.assertEqual([row['gpgpu_kernel_launch_latency'] for row in rows[0:16:2]],
                         ['1', '2', '4', '8', '10', '20', '30', '5'])
        self.assertEqual({row['l2'] for row in rows}, {'small', 'normal'})
        self.assertEqual({(row['workload'], row['status']) for row in rows}, {('b', 'waiting')})

    def test_compositions(self):
        self.write('own.config', '-gpgpu_n_mem 8\n')
        self.sweep('workload %s\ndefine L1OFF gpgpu_gmem_skip_L1D=1\n' % demo('gemm') +
                   'card QV100-SASS-64SM QV100-L1OFF rtx3070+own.config\n', '-q')
        self.assertEqual([row['card'] for row in self.table('jobs')],
                         ['QV100-SASS-64SM', 'QV100-L1OFF', 'rtx3070+own.config'])
        configs = [self.text(folder, 'results', 'config.out') for folder in
                   [self.path('out', 'store', row['job']) for row in self.table('jobs')]]
        self.assertIn('-gpgpu_n_clusters 64 ', configs[0])
        self.assertIn('-gpgpu_gmem_skip_L1D 1 ', configs[1])
        self.assertIn('-gpgpu_n_mem 8 ', configs[2])

    def test_names_of_the_launcher(self):
        found = {}
        parts = ['CONCURRENT', 'multi_kernel', 'L1OFF', 'L1ON', 'FLUSHL1', 'NCOPYK', 'COPYK', 'LOCALXBAR', 'LINEAR', 'XOR',
                 'IPOLY', 'RR', 'GTO', 'FCFS', 'FRFCFS', '32B', '128B', '256B', '1455MHZ', '2B_INSN', '100M_INSN']
        self.sweep('workload %s\ncard QV100-SASS %s\n' % (
            demo('gemm'), ' '.join('QV100-SASS-' + part for part in parts)), '-q', '--engine', 'list')
        self.assertEqual({row['status'] for row in self.table('jobs')}, {'waiting'})
        for row in self.table('jobs'):
            job = self.text('out', 'store', row['job'], 'job')
            found[row['card'].rpartition('-')[2]] = re.findall('argument --set\nargument (.*)', job)
        self.assertEqual(found['CONCURRENT'], ['gpgpu_concurrent_kernel_sm=1'])
        self.assertEqual(found['1455MHZ'], ['gpgpu_clock_domains=1455:1455:1455:850'])
        self.assertEqual(found['2B_INSN'], ['gpgpu_max_insn=2000000000'])
        self.assertEqual(found['100M_INSN'], ['gpgpu_max_insn=100000000'])
        self.assertEqual(len(found), 22)


class Results(SweepCase):
    SPEC = ('workload %s %s\ncard rtx3070 a100\noption gpgpu_kernel_launch_latency 1000 5000\n'
            'baseline card=rtx3070 gpgpu_kernel_launch_latency=5000\npareto seconds gpgpu_kernel_launch_latency\n')

    def test_rows_are_those_of_runs(self):
        self.sweep(self.SPEC % (demo('spmv'), demo('gemm')), '-q')
        rows = self.table('launches')
        own = self.run_ok(demo('gemm'), '-c', 'a100', '--set', 'gpgpu_kernel_launch_latency=1000', out='run')
        cell = [row for row in rows if (row['workload'], row['card'], row['gpgpu_kernel_launch_latency']) ==
                ('gemm', 'a100', '1000')]
        self.assertEqual([{name: row[name] for name in own[0]} for row in cell], own)
        job = [row for row in self.table('jobs') if row['job'] == cell[0]['job']][0]
        cycles = sum(int(row['cycles']) for row in own)
        self.assertEqual(int(job['cycles']), cycles)
        self.assertAlmostEqual(float(job['seconds']) / (cycles / 1410e6), 1, places=5)

    def test_speed_ups(self):
        self.sweep(self.SPEC % (demo('spmv'), demo('gemm')), '-q')
        jobs, kernels = self.table('jobs'), self.table('kernels')
        configurations = self.table('configurations')
        base = {row['workload']: float(row['seconds']) for row in jobs
                if row['card'] == 'rtx3070' and row['gpgpu_kernel_launch_latency'] == '5000'}
        for row in jobs:
            self.assertAlmostEqual(float(row['speedup']), base[row['workload']] / float(row['seconds']), delta=1e-4)
        for row in configurations:
            def mean(table):
                own = [math.log(float(r['speedup'])) for r in table if r['card'] == row['card'] and
                       r['gpgpu_kernel_launch_latency'] == row['gpgpu_kernel_launch_latency']]
                return math.exp(sum(own) / len(own))
            self.assertAlmostEqual(float(row['geometric_speedup']), mean(jobs), delta=1e-4)
            self.assertAlmostEqual(float(row['kernel_speedup']), mean(kernels), delta=1e-4)
        goals = [(float(r['seconds']), int(r['gpgpu_kernel_launch_latency'])) for r in configurations]
        for row, own in zip(configurations, goals):
            beaten = any(a <= own[0] and b <= own[1] and (a, b) != own for a, b in goals)
            self.assertEqual(row['pareto'], '0' if beaten else '1')

    def test_database_has_the_same_rows(self):
        done = self.sweep(self.SPEC % (demo('spmv'), demo('gemm')))
        if 'sweep.sqlite' not in done.stdout:
            self.skipTest('built without SQLite')
        base = sqlite3.connect(self.path('out', 'sweep.sqlite'))
        base.row_factory = sqlite3.Row
        for name in ('launches', 'jobs', 'kernels', 'configurations'):
            rows, stored = self.table(name), list(base.execute('SELECT * FROM ' + name))
            self.assertEqual(len(rows), len(stored))
            for row, other in zip(rows, stored):
                self.assertEqual(list(row), other.keys())
                for key, text in row.items():
                    value = other[key]
                    if text == '':
                        self.assertIsNone(value)
                    elif isinstance(value, str):
                        self.assertEqual(text, value)
                    else:
                        self.assertEqual(float(text), value)
        self.assertEqual(base.execute('SELECT typeof(cycles) FROM launches').fetchone()[0], 'integer')

    def test_failures_are_rows(self):
        """A card that cannot be built, a workload that is not there, a trace that is damaged, and one that is fine."""
        bad = self.workload('bad')
        with open(os.path.join(bad, 'kernel-2.traceg'), 'a') as f:
            f.write('rubbish\n')
        text = ('workload %s none.packed bad\ncard rtx3070\npoint l2 good gpgpu_n_mem=16\n'
                'point l2 bad gpgpu_cache:dl2=nonsense\n' % demo('gemm'))
        self.assertIn('5 of 6 runs failed; the column "message" of %s says why' % self.path('out', 'jobs.csv'),
                      self.sweep(text, '-q', code=1).stderr)
        found = {(row['workload'], row['l2']): row for row in self.table('jobs')}
        self.assertEqual({key: row['status'] for key, row in found.items()},
                         {('gemm', 'good'): 'done', ('gemm', 'bad'): 'failed', ('none', 'good'): 'failed',
                          ('none', 'bad'): 'failed', ('bad', 'good'): 'failed', ('bad', 'bad'): 'failed'})
        self.assertIn('\nwithout a job  4 of 6 runs, which failed; the column "message" of %s says why\n' %
                      self.path('out', 'jobs.csv'), self.hearth('sweep', '--status', self.path('out')).stdout)
        self.assertIn('nonsense', found['gemm', 'bad']['message'])
        self.assertIn('none.packed', found['none', 'good']['message'])
        self.assertIn('kernel-2.traceg', found['bad', 'good']['message'])
        starts = self.events('start')
        self.sweep(text, '-q', code=1)
        self.assertEqual(self.events('start'), starts)    # failed jobs are not executed again
        self.sweep(text, '-q', '--retry', code=1)
        self.assertEqual(sum(self.events('start')), sum(starts) + 1)
        self.workload('bad')
        self.sweep('workload bad\ncard rtx3070\n', '-q')
        status = self.hearth('sweep', '--status', self.path('out')).stdout
        self.assertIn('failed         0', status)
        self.assertNotIn('without a job', status)

    def test_a_crash_is_a_row(self):
        """A job whose process is killed three times fails, with the signal in its message."""
        self.spec('workload %s\ncard rtx3070\n' % demo('solver'))
        process = subprocess.Popen([HEARTH, 'sweep', self.path('spec'), '-o', self.path('out'), '-q'])
        killed = set()
        while process.poll() is None:
            for path in glob.glob(self.path('out', 'store', '*', 'log')):
                for pid in set(re.findall(r'(?m)^start 0 \S+ (\d+) ', self.text(path))) - killed:
                    killed.add(pid)
                    os.kill(int(pid), signal.SIGKILL)
        self.assertEqual(process.returncode, 1)
        self.assertEqual(len(killed), 3)
        row, = self.table('jobs')
        self.assertEqual((row['status'], row['message']), ('failed', 'ended by signal 9 (Killed), 3 times'))
        self.sweep('workload %s\ncard rtx3070\n' % demo('solver'), '--retry', '-q')
        self.assertEqual(self.events('done'), [1])


class Jobs(SweepCase):
    SPEC = 'workload %s %s\ncard rtx3070 qv100\nmethod full\nmethod sieve\nwarm checkpoint\n' % (
        demo('dct8x8'), demo('bfs'))

    def test_finished_jobs_are_shared(self):
        self.sweep(self.SPEC, '-q')
        self.assertEqual(len(self.folders('sample')), 2)    # for both cards
        self.assertEqual(len(self.folders('warm')), 4)
        self.assertEqual(len(self.folders('run')), 8)
        self.assertEqual(set(self.events('done')), {1})
        self.sweep(self.SPEC, '-q')
        self.assertEqual(set(self.events('start')), {1})
        more = self.SPEC.replace('rtx3070 qv100', 'a100 rtx3070')
        self.sweep(more, '-q', '--store', self.path('out', 'store'), out='other')
        self.assertEqual(set(self.events('start')), {1})
        self.assertEqual(len(self.folders('run')), 12)
        rows = [row for row in self.table('jobs', out='other') if row['card'] == 'rtx3070']
        self.assertEqual(rows, [row for row in self.table('jobs') if row['card'] == 'rtx3070'])

    def test_only_what_depends_on_a_change_runs_again(self):
        workload = os.path.join(self.place, 'w[1]*')    # letters with a meaning in patterns of names
        os.rename(self.workload(), workload)
        text = 'workload w[1]* %s\ncard rtx3070\nmethod full\nmethod sieve\n' % demo('gemm')
        self.sweep(text, '-q')
        before = sum(self.events('start'))
        with open(os.path.join(workload, 'kernel-2.traceg')) as f:
            trace = f.read()
        os.utime(os.path.join(workload, 'kernel-2.traceg'))    # the same bytes
        self.sweep(text, '-q')
        self.assertEqual(sum(self.events('start')), before)
        self.write('w[1]*/kernel-2.traceg', trace.replace('0x7f0000000000', '0x7f0000000040'))    # of the same size
        self.sweep(text, '-q')
        self.assertEqual(sum(self.events('start')), before + 4)    # pack, sample, two runs

    def test_another_build_runs_again(self):
        """A copy of the program is the same build; one with another build ID, as a changed model has, is not."""
        text = 'workload %s\ncard rtx3070\n' % self.workload()
        self.sweep(text, '-q')
        before = sum(self.events('start'))
        with open(HEARTH, 'rb') as f:
            program = f.read()
        at = re.search(rb'\x04\0\0\0....\x03\0\0\0GNU\0', program, re.S).end()
        for name, change, runs in (('copy', 0, 0), ('other', 1, 2)):    # pack, run
            self.write(name, program[:at] + bytes([program[at] ^ change]) + program[at + 1:])
            os.chmod(self.path(name), 0o755)
            subprocess.run([self.path(name), 'sweep', self.path('spec'), '-o', self.path('out'), '-q'], check=True)
            self.assertEqual(sum(self.events('start')), before + runs, name)

    def test_text_is_packed_once(self):
        self.workload()
        self.sweep('workload w\ncard rtx3070 qv100 a100\n', '-q')
        self.assertEqual(len(self.folders('pack')), 1)
        own = self.run_ok(self.path('w'), out='run')
        rows = [row for row in self.table('launches') if row['card'] == 'rtx3070']
        self.assertEqual([{name: row[name] for name in own[0]} for row in rows], own)

    def test_states_depend_on_times_of_memory_only(self):
        """One job makes those of configurations that differ in DRAM and clocks; those that differ in latencies of units and
        launches share them."""
        text = ('workload %s\ncard rtx3070\nmethod sieve\nwarm checkpoint\n' % demo('spmv') +
                'point m fast gpgpu_clock_domains=1132:1132:1132:7000\npoint m slow gpgpu_kernel_launch_latency=100\n'
                'point m queue gpgpu_frfcfs_dram_sched_queue_size=8\npoint m few gpgpu_n_clusters=20\n')
        self.sweep(text, '-q')
        self.assertEqual(len(self.folders('run')), 4)
        self.assertEqual(len(self.folders('warm')), 2)
        one = sorted(glob.glob(os.path.join(self.folders('warm')[0], '*.states', '*')))
        self.assertTrue(one)
        plan, = glob.glob(os.path.join(self.folders('sample')[0], 'sample.plan'))
        for number, change in enumerate(('gpgpu_clock_domains=1132:1132:1132:7000', 'gpgpu_kernel_launch_latency=100',
                                         'gpgpu_frfcfs_dram_sched_queue_size=8', 'ptx_opcode_latency_fp=9,9,9,9,39',
                                         'trace_opcode_latency_initiation_sp=8,8')):
            out = self.path('plan%d' % number)
            self.hearth('warm', plan, '--warm', 'checkpoint', '--now', '-q', '-o', out, '--set', change)
            for path in sorted(glob.glob(out + '.states/*')):
                same = [state for state in one + sorted(glob.glob(os.path.join(
                    self.folders('warm')[1], '*.states', '*'))) if filecmp.cmp(path, state, shallow=False)]
                self.assertTrue(same, change)

    SIZES = ''.join('point l2 %d gpgpu_cache:dl2=S:%d:128:16,L:B:m:L:P,A:192:4,32:0,32\n' % (n, n) for n in (8, 16, 64))

    def test_one_pass_makes_the_states_of_several_l2s(self):
        """Runs do not depend on which pass made their states: one for all L2s, or one for each."""
        text = ('workload %s\ncard rtx3070 qv100\nmethod sieve\nwarm checkpoint nsl\n' % demo('dct8x8') +
                'option gpgpu_kernel_launch_latency 1000 5000\n')
        self.sweep(text + self.SIZES, '-q')
        self.assertEqual(len(self.folders('warm')), 4)    # two cards, two policies
        runs = {os.path.basename(folder) for folder in self.folders('run')}
        self.assertEqual(len(runs), 24)
        for size in self.SIZES.splitlines(True):
            self.sweep(text + size, '-q', out='single')
        self.assertEqual(len(self.folders('warm', 'single')), 12)
        self.assertEqual({os.path.basename(folder) for folder in self.folders('run', 'single')}, runs)
        self.sweep(text + self.SIZES, '-q', out='single')
        self.same_tables('out', 'single')
        self.assertEqual(set(self.events('start')), {1})

    def test_seventeen_l2s_need_two_passes(self):
        self.sweep('workload %s\ncard rtx3070\noption gpgpu_kernel_launch_latency 1000 5000\nmethod sieve\nwarm nsl\n' % demo('gemm') + ''.join(
            'point l2 %d gpgpu_cache:dl2=S:32:128:%d,L:B:m:L:P,A:192:4,32:0,32\n' % (n, n) for n in range(1, 18)), '-q')
        self.assertEqual(len(self.folders('warm')), 2)
        self.assertEqual({row['status'] for row in self.table('jobs')}, {'done'})

    def test_states_of_a_detailed_run(self):
        """The run makes the states of checkpoint:detailed, which depend on times: each configuration has its own."""
        self.sweep('workload %s\ncard rtx3070\nmethod sieve\nwarm checkpoint:detailed\n' % demo('bfs') +
                   'option gpgpu_l2_rop_latency 85 300\n', '-q')
        self.assertEqual(len(self.folders('warm')), 2)
        self.assertEqual([row['status'] for row in self.table('jobs')], ['done', 'done'])

    def test_now_makes_states_at_once(self):
        self.hearth('sample', demo('bfs'), '--method', 'sieve', '-o', self.path('s'), '-q')
        for name, more in (('now', ['--now']), ('later', [])):
            self.hearth('warm', self.path('s'), '--warm', 'checkpoint', '-q', '-o', self.path(name), *more)
            self.run_ok(self.path(name), out=name + '.out')
        self.assertNotIn('!save', self.text('now'))
        self.assertIn('!save', self.text('later'))
        measured = [[row for row in self.rows(name + '.out') if row['role'] == 'measure'] for name in ('now', 'later')]
        self.assertEqual([row['cycles'] for row in measured[0]], [row['cycles'] for row in measured[1]])
        self.fails(2, 'no states of L2', 'warm', self.path('s'), '--warm', 'memory:1', '--now', '-o', self.path('x'))

    def test_list(self):
        self.sweep(self.SPEC, '--engine', 'list', '-q', out='listed')
        lines = self.text('listed', 'commands').splitlines()
        self.assertEqual(len(lines), 14)
        random.Random(1).shuffle(lines)    # any order: what a job needs is executed before it
        subprocess.run(['xargs', '-P', '3', '-I', '{}', 'sh', '-c', '{}'], input='\n'.join(
            line.replace("'", '"') for line in lines), text=True, check=True, timeout=100)
        self.assertEqual(set(self.events('start', out='listed')), {1})
        self.sweep(self.SPEC, '--engine', 'list', '-q', out='listed')
        self.sweep(self.SPEC, '-q')
        self.same_tables('out', 'listed')


class Segments(SweepCase):
    SPEC = 'workload %s\ncard rtx3070\nmethod random count=100\nwarm checkpoint\n' % demo('dct8x8')

    def test_rows_are_those_of_the_whole_plan(self):
        self.sweep(self.SPEC.replace('count=100', 'count=20') + 'option gpgpu_kernel_launch_latency 1000 5000\n', '-q')
        self.assertEqual(len(self.folders('segment')), 40)
        self.assertEqual(set(self.events('done')), {1})
        plan = os.path.join(self.folders('warm')[0], 'warm.plan')
        for folder, row in zip([self.path('out', 'store', row['job']) for row in self.table('jobs')], self.table('jobs')):
            self.run_ok(plan, '--set', 'gpgpu_kernel_launch_latency=' + row['gpgpu_kernel_launch_latency'], out='run')
            for name in ('kernels.csv', 'stats.json'):
                self.assertTrue(filecmp.cmp(self.path('run', name), os.path.join(folder, 'results', name), shallow=False))
        segments = sum(float(re.search('seconds (.*)', self.text(folder, 'done'))[1]) for folder in self.folders('segment'))
        runs = sum(float(re.search('seconds (.*)', self.text(folder, 'done'))[1]) for folder in self.folders('run'))
        self.assertGreaterEqual(runs, segments)

    def test_samples_share_segments(self):
        """Another sample simulates only what it has and the first one has not; all that both have is taken."""
        self.sweep(self.SPEC.replace('random count=100', 'first-n count=30'), '-q')
        self.assertEqual(len(self.folders('segment')), 30)
        self.sweep(self.SPEC.replace('random count=100', 'first-n count=40'), '-q')
        self.assertEqual(len(self.folders('segment')), 40)
        self.sweep(self.SPEC.replace('random count=100', 'first-n count=35'), '-q')
        self.assertEqual(len(self.folders('segment')), 40)
        self.assertEqual(set(self.events('start')), {1})

    def test_processes_share_segments(self):
        self.sweep(self.SPEC, '-q', '--jobs', '2')
        self.assertEqual(len(self.folders('segment')), 100)
        self.assertEqual(len(self.processes('segment')), 2)
        self.sweep(self.SPEC, '-q', '--engine', 'list', '--workers', '3', out='listed')
        lines = [line.replace("'", '') for line in self.text('listed', 'commands').splitlines()]
        self.assertEqual([line.count('--share') for line in lines], [0, 0, 0, 1, 1])
        for line in lines[:2]:
            subprocess.run(line.split(), check=True)
        for process in [subprocess.Popen(line.split()) for line in lines[2:]]:
            self.assertEqual(process.wait(100), 0)
        self.assertGreater(len(self.processes('segment', 'listed')), 1)
        self.assertEqual(set(self.events('start', 'listed')), {1})
        self.sweep(self.SPEC, '-q', out='listed')
        self.same_tables('out', 'listed')
        self.fails(2, 'local shares segments by itself', 'sweep', self.path('spec'), '-o', self.path('o'), '--workers', '2')

    def test_a_segment_that_fails(self):
        """The run has its message, whoever executed it; the segments before it are not repeated."""
        self.workload()
        text = 'workload w\ncard rtx3070\nmethod first-n count=5\nwarm none\n'
        self.sweep(text, '--engine', 'list', '-q')
        lines = [line.replace("'", '').split() for line in self.text('out', 'commands').splitlines()]
        for line in lines[:3]:
            subprocess.run(line, check=True)
        pack, = self.folders('pack')
        os.rename(os.path.join(pack, 'workload.packed'), self.path('kept'))
        failed = subprocess.run(lines[3], check=False, capture_output=True, text=True)
        self.assertEqual(failed.returncode, 3)
        self.sweep(text, '-q', code=1)
        row, = self.table('jobs')
        self.assertEqual(row['status'], 'failed')
        self.assertIn('workload.packed', row['message'])
        self.assertIn(row['message'], failed.stderr)
        os.rename(self.path('kept'), os.path.join(pack, 'workload.packed'))
        self.sweep(text, '-q', code=1)
        self.sweep(text, '-q', '--retry')
        self.assertEqual({row['status'] for row in self.table('jobs')}, {'done'})

    def test_status(self):
        self.spec(self.SPEC)
        process = subprocess.Popen([HEARTH, 'sweep', self.path('spec'), '-o', self.path('out'), '-q', '--jobs', '1'])
        while len(self.folders('segment')) < 10:
            time.sleep(0.01)
        process.terminate()
        self.assertEqual(process.wait(60), 143)
        said = self.hearth('sweep', '--status', self.path('out')).stdout
        done = int(re.search(r'segments +(\d+) of 100 done', said)[1])
        self.assertGreater(done, 0)
        self.assertLess(done, 100)
        for path in glob.glob(self.path('out', 'store', '*', 'done')):
            if os.path.dirname(path) in self.folders('segment'):
                with open(path, 'w') as f:
                    f.write('seconds 100.000\nmebibytes 30.0\n')
        said = self.hearth('sweep', '--status', self.path('out')).stdout
        left = 100 * (100 - done)
        self.assertIn('time left      %d:%02d:%02d' % (left // 3600, left // 60 % 60, left % 60), said)
        self.sweep(self.SPEC, '-q')
        self.assertEqual(set(self.events('done')), {1})
        self.assertNotIn('segments', self.hearth('sweep', '--status', self.path('out')).stdout)


class SilentSlurm(SweepCase):
    def test_a_wait_ends(self):
        """Slurm takes the jobs and does not answer any more: waiting ends after a while."""
        os.mkdir(self.path('bin'))
        for name, text in (('scontrol', 'echo MaxArraySize = 100'), ('sbatch', 'echo 7'), ('squeue', 'exit 1')):
            os.chmod(self.write('bin/' + name, '#!/bin/sh\n%s\n' % text), 0o755)
        spec = self.spec('workload %s\ncard rtx3070\n' % demo('dct8x8'))
        environment = dict(os.environ, PATH=self.path('bin') + ':' + os.environ['PATH'])
        for options, code in ((['-q'], 0), (['-q'], 1), (['-q', '--wait'], 1)):
            done = subprocess.run([HEARTH, 'sweep', spec, '-o', self.path('out'), '--engine', 'slurm', *options],
                                  capture_output=True, text=True, env=environment, timeout=200)
            self.assertEqual(done.returncode, code, done.stderr)
            if code:
                self.assertIn('Slurm does not answer (squeue); the same command continues', done.stderr)


class Stops(SweepCase):
    SPEC = ('workload %s %s %s\ncard rtx3070 qv100\nmethod full\nmethod sieve\nwarm checkpoint\n' % (
        demo('dct8x8'), demo('bfs'), demo('solver')))

    def start(self, *options):
        return subprocess.Popen([HEARTH, 'sweep', self.path('spec'), '-o', self.path('out'), '-q', *options],
                                stderr=subprocess.PIPE, text=True)

    def test_ctrl_c_and_resume(self):
        self.spec(self.SPEC)
        process = self.start('--jobs', '1')
        while not self.folders('run') or not self.events('done'):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 130)
        self.assertIn('stopped by SIGINT', said)
        self.assertFalse(os.path.exists(self.path('out', 'jobs.csv')))
        status = self.hearth('sweep', '--status', self.path('out')).stdout
        self.assertIn('running        0', status)
        self.assertNotIn('time left      0:00:00', status.replace('unknown', '-'))
        self.sweep(self.SPEC, '-q')
        self.assertEqual(set(self.events('done')), {1})
        self.assertIn('waiting        0', self.hearth('sweep', '--status', self.path('out')).stdout)

    def test_ten_kills(self):
        """Nothing is lost, no finished job is repeated, and the tables are those of a sweep that was left alone."""
        draw = random.Random(33)
        self.spec(self.SPEC)
        for _ in range(10):
            process = self.start()
            time.sleep(draw.uniform(0.02, 0.35))
            process.send_signal(draw.choice([signal.SIGKILL, signal.SIGTERM]))
            process.communicate(timeout=60)
        self.sweep(self.SPEC, '-q')
        self.assertEqual(set(self.events('done')), {1})
        self.assertEqual(self.whole(), 21)    # 3 samples, 6 of states, 12 runs
        shutil.move(self.path('out'), self.path('killed'))
        self.sweep(self.SPEC, '-q')
        self.same_tables('out', 'killed')

    def test_two_at_a_time(self):
        """Two sweeps with one store share the work."""
        self.spec(self.SPEC)
        first, second = self.start(), self.start()
        self.assertEqual([p.communicate(timeout=100)[1] for p in (first, second)], ['', ''])
        self.assertEqual((first.returncode, second.returncode), (0, 0))
        self.assertEqual(set(self.events('start')), {1})


class Example(SweepCase):
    """docs/examples: the specification is valid, and the script draws what is in the table."""
    def test_example(self):
        folder = os.path.join(ROOT, 'docs', 'examples')
        with open(os.path.join(folder, 'l2-dram.sweep')) as f:
            text = f.read().replace('chain micro_dct8x8 micro_fft unet3d writeback', demo('spmv'))
        self.sweep(text, '-q')
        rows = self.table('configurations')
        self.assertEqual(len(rows), 12)
        drawn = subprocess.run([os.path.join(folder, 'plot-sweep'), self.path('out', 'configurations.csv'), 'l2_mib',
                                'dram_gbs'], check=True, capture_output=True, text=True).stdout
        picture = ElementTree.fromstring(drawn)
        found = [len(picture.findall('{http://www.w3.org/2000/svg}' + name)) for name in ('polyline', 'circle')]
        self.assertEqual(found, [3, 12])


class Scale(SweepCase):
    def test_ten_thousand_jobs(self):
        workloads = ' '.join(demo(name) for name in ('bfs', 'spmv', 'dct8x8', 'gemm'))
        text = 'workload %s\ncard rtx3070\noption gpgpu_n_clusters 1..50\n' % workloads + \
               'option gpgpu_kernel_launch_latency 1000..%d+1000\n'
        peaks = []
        for last in (1000, 50000):
            began = time.monotonic()
            process = subprocess.Popen([HEARTH, 'sweep', self.spec(text % last), '-o', self.path('out'),
                                        '--engine', 'list', '-q'])
            peaks.append(os.wait4(process.pid, 0)[2].ru_maxrss / 1024)
        self.assertEqual(len(self.text('out', 'commands').splitlines()), 10000)
        self.assertLess(time.monotonic() - began, 30)    # 3 s on an idle machine
        self.assertLess(peaks[1] - peaks[0], 16)         # MiB, for 9,800 more jobs


if __name__ == '__main__':
    import sys
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
