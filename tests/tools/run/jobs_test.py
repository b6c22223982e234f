"""Tests of segments that run side by side: results do not depend on --jobs and --threads.

usage: jobs_test.py HEARTH SOURCE_ROOT [TEST]...
"""
import filecmp
import os
import signal
import subprocess
import sys
import time
import unittest

from case import Case, HEARTH, SAME, application


def cpu_seconds(pid):
    with open('/proc/%d/stat' % pid) as f:
        fields = f.read().rpartition(')')[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')


class Jobs(Case):
    def plan(self, *lines):
        return self.write('w/test.plan', '\n'.join(('!plan 1',) + lines) + '\n')

    def long_plan(self, segments):
        """A plan that no test runs to its end."""
        self.workload(copies=False)
        return self.plan(*(line for n in range(segments)
                           for line in ['!segment name=s%d' % n] + ['kernel-1.traceg', 'kernel-2.traceg'] * 100000))

    def start(self, *arguments, **options):
        """A run, once it has simulated for a second."""
        process = subprocess.Popen([HEARTH, 'run', *arguments, '-o', self.path('out')],
                                   stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, **options)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        folder = self.path('out.part-%d' % process.pid)
        self.wait(lambda: os.path.isdir(folder) and os.listdir(folder))
        before = cpu_seconds(process.pid)
        self.wait(lambda: cpu_seconds(process.pid) > before + 1)
        return process

    def wait(self, condition):
        deadline = time.monotonic() + 60
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)

    def seven_segments(self):
        lines = application(self.path('w'))
        kernels = [line for line in lines if line.startswith('kernel')]
        return self.plan(*lines[:4], '!segment name=middle', kernels[3], '!flush level=all dirty=write', kernels[1],
                         kernels[3], '!segment name=empty', '!segment name=warm', '!step role=warm kind=detailed', kernels[0],
                         '!step role=measure scale=2.5', kernels[2], '!segment name=copies', *lines[-3:],
                         '!segment name=short', kernels[1], '!segment name=last', *kernels[2:4])

    def test_equal_bytes(self):
        plan = self.seven_segments()
        for jobs in (1, 2, 3, 8):
            for threads in (1, 2):
                out = 'out%dx%d' % (jobs, threads)
                rows = self.run_ok(plan, '--jobs', str(jobs), '--threads', str(threads), out=out)
                self.assertEqual([r['step'] for r in rows], [str(n + 1) for n in range(len(rows))])
                self.assertEqual(filecmp.cmpfiles(self.path('out1x1'), self.path(out), SAME, shallow=False),
                                 (SAME, [], []))
                run = self.json('run.json', out)
                self.assertEqual((run['jobs'], run['threads']), (min(jobs, 7), threads))
        self.assertEqual(sorted({r['segment'] for r in rows}), ['1', 'copies', 'last', 'middle', 'short', 'warm'])

    def test_segments_are_joined(self):
        """Rows of segments that were simulated one by one, of another plan, or not at all, give the results of one run."""
        plan, more = self.seven_segments(), ['--intervals', '500', '--cpi-stack', '--parts', '--threads', '1']
        files = SAME + ['intervals.csv', 'schedulers.csv', 'parts.csv']
        self.run_ok(plan, *more, out='whole')
        with open(plan) as f:
            lines = f.read().splitlines()
        cut = lines.index('!segment name=warm')
        tail = self.write('w/tail.plan', '\n'.join(['!plan 1', '!segment name=copy', *lines[-2:]] + [
            line.replace('2.5', '7') for line in lines[cut:]]) + '\n')
        for folder, of, segments in (('a', plan, '3,1'), ('b', plan, '5'), ('c', tail, '1-2,5')):
            self.hearth('run', of, '--segments', segments, '-q', '-o', self.path(folder), *more)
            self.assertEqual(os.listdir(self.path(folder)), ['segments.rows'])
        self.hearth('run', plan, '--segments', '3,1', '-q', '-o', self.path('a'), *more)    # replaces its own
        self.write('list', ''.join(self.path(name) + '\n' for name in 'acb'))
        self.run_ok(plan, '--join', self.path('list'), *more, out='joined')
        self.assertEqual(filecmp.cmpfiles(self.path('whole'), self.path('joined'), files, shallow=False), (files, [], []))
        self.assertEqual(self.json('run.json', 'joined')['resumed_launches'], 9)    # not of "middle" and "short"

    def test_segments_that_cannot_be_joined(self):
        plan = self.seven_segments()
        self.hearth('run', plan, '--segments', '2', '-q', '-o', self.path('a'))
        self.write('list', self.path('a') + '\n')
        join = ('run', plan, '-o', self.path('out'), '--join')
        self.fails(2, 'another version, workload or configuration', *join, self.path('list'), '-c', 'qv100')
        with open(self.path('a', 'segments.rows'), 'r+') as f:
            f.truncate(300)
        self.fails(2, 'is damaged', *join, self.path('list'))
        self.write('list', self.path('none') + '\n')
        self.fails(2, 'none: segments.rows: No such file', *join, self.path('list'))
        self.fails(2, 'nowhere: No such file', *join, self.path('nowhere'))
        segments = ('run', plan, '-o', self.path('out'), '--segments')
        self.fails(2, '--segments 9-12: the plan has 7', *segments, '9-12')
        self.fails(2, 'not with --launches', *segments, '1', '--launches', '1')
        self.fails(2, 'limits count over the plan', *segments, '1', '--set', 'gpgpu_max_cycle=100')
        saving = self.plan('kernel-1.traceg', '!save file=state', '!segment name=b', 'kernel-2.traceg')
        self.fails(2, 'saves states that other segments need', 'run', saving, '-o', self.path('out'), '--segments', '2')

    def test_segments_are_resumed(self):
        plan = self.long_plan(2)
        process = self.start(plan, '--segments', '2', '--checkpoint', '0')
        process.send_signal(signal.SIGTERM)
        self.assertIn('stopped by SIGTERM', process.communicate()[1])
        self.assertFalse(os.path.exists(self.path('out', 'segments.rows')))
        process = self.start(plan, '--segments', '2', '--resume')
        process.send_signal(signal.SIGTERM)
        self.assertNotIn('nothing is left', process.communicate()[1])

    def test_errors(self):
        """The earliest in the plan is reported; what is finished before it is there."""
        self.workload()
        corrupt = self.text('w', 'kernel-2.traceg').replace('FADD 2 R8', 'FADD x R8')
        self.write('w/kernel-bad.traceg', corrupt)
        plan = self.plan(*['kernel-1.traceg'] * 60, '!segment name=b', 'kernel-3.traceg', 'kernel-bad.traceg',
                         'kernel-1.traceg', '!segment name=c', 'kernel-none.traceg', '!segment name=d', 'kernel-1.traceg')
        for jobs in (1, 2, 3, 8):
            done = self.hearth('run', plan, '-q', '-o', self.path('out'), '--jobs', str(jobs), code=3)
            self.assertRegex(done.stderr, r'\Ahearth: [^\n]*kernel-bad\.traceg:\d+:\d+: [^\n]*\n\Z')
            rows = self.rows()
            self.assertEqual([(r['segment'], r['kernel']) for r in rows[:61]], [('1', 'k1')] * 60 + [('b', 'k3')])
            self.assertIn([(r['segment'], r['kernel']) for r in rows[61:]], ([], [('d', 'k1')]))
            self.assertEqual(self.json('stats.json')['partial'], True)
            self.assertEqual(self.json('run.json')['stop_reason'], 'error')
            self.assertEqual(self.run_ok(self.path('out', 'plan.out'), out='again'), rows)

    def test_signals_keep_what_is_finished(self):
        process = self.start(self.long_plan(3), '--jobs', '3', '--threads', '1')
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, errors)
        rows = self.rows()
        self.assertIn('stopped by SIGINT after %d of 600000 launches' % len(rows), errors)
        self.assertEqual([r['segment'] for r in rows], sorted(r['segment'] for r in rows))
        self.assertEqual({r['segment'] for r in rows}, {'s0', 's1', 's2'})
        self.assertEqual([r['step'] for r in rows], [str(n + 1) for n in range(len(rows))])
        for name in ('s0', 's1', 's2'):         # a segment's launches from its first on
            kernels = [r['kernel'] for r in rows if r['segment'] == name]
            self.assertEqual(kernels, (['k1', 'k2'] * len(kernels))[:len(kernels)])
        self.assertEqual(self.json('stats.json')['partial'], True)
        # on one thread: what two do to thousands of tiny launches takes long where other processes have the cores
        self.assertEqual(self.run_ok(self.path('out', 'plan.out'), '--threads', '1', out='again'), rows)

    def test_limits_count_in_order(self):
        self.workload()
        plan = self.plan('kernel-1.traceg', '!segment name=b', 'kernel-2.traceg', 'kernel-3.traceg', '!segment name=c',
                         'kernel-1.traceg', '!segment name=d', 'kernel-1.traceg')
        for limit in ('gpgpu_max_insn=%d' % (3 * 256), 'gpgpu_max_cycle=12000', 'gpgpu_max_cta=4'):
            one = self.run_ok(plan, '--set', limit, out='one')
            self.assertTrue(0 < len(one) < 5)
            done = self.hearth('run', plan, '--set', limit, '--jobs', '8', '-o', self.path('many'))
            self.assertIn('--jobs 8: 1 at a time', done.stderr)
            self.assertEqual(filecmp.cmpfiles(self.path('one'), self.path('many'), SAME, shallow=False), (SAME, [], []))

    def test_threads_by_default(self):
        cores = len(os.sched_getaffinity(0))
        plan = self.plan('kernel-1.traceg', '!segment name=b', 'kernel-1.traceg')
        self.workload()
        self.run_ok(plan)
        self.assertEqual(self.json('run.json')['threads'], min(cores, 46))
        self.run_ok(plan, '--jobs', '2')
        self.assertEqual(self.json('run.json')['threads'], max(1, min(cores // 2, 46)))
        one = {min(os.sched_getaffinity(0))}
        subprocess.run([HEARTH, 'run', plan, '-q', '-o', self.path('out')], check=True,
                       preexec_fn=lambda: os.sched_setaffinity(0, one))
        self.assertEqual(self.json('run.json')['threads'], 1)
        done = self.hearth('run', plan, '--jobs', '3', '-o', self.path('out'))
        self.assertIn('note: --jobs 3: 2 at a time, the plan has no more segments\n', done.stderr)

    def test_how_many_threads_there_are(self):
        for arguments, threads in ((('--threads', '1'), 1), (('--threads', '3'), 3),
                                   (('--jobs', '2', '--threads', '2'), 4)):
            process = self.start(self.long_plan(2), *arguments)
            with open('/proc/%d/status' % process.pid) as f:
                self.assertIn('\nThreads:\t%d\n' % threads, f.read())
            process.kill()
            process.communicate()

    def test_usage(self):
        self.fails(2, '--jobs "0": expected a whole number from 1 to 1024', 'run', 'a', '--jobs', '0')
        self.fails(2, '--jobs "2x"', 'run', 'a', '--jobs', '2x')


if __name__ == '__main__':
    unittest.main(argv=[sys.argv[0]] + sys.argv[3:], verbosity=2)
