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

    def test_equal_bytes(self):
        lines = application(self.path('w'))
        kernels = [line for line in lines if line.startswith('kernel')]
        plan = self.plan(*lines[:4], '!segment name=middle', kernels[3], '!flush level=all dirty=write', kernels[1],
                         kernels[3], '!segment name=empty', '!segment name=warm', '!step role=warm kind=detailed', kernels[0],
                         '!step role=measure scale=2.5', kernels[2], '!segment name=copies', *lines[-3:],
                         '!segment name=short', kernels[1], '!segment name=last', *kernels[2:4])
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
