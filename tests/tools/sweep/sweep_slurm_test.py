"""Usage: sweep_slurm_test.py HEARTH ROOT: sweeps on a real Slurm of one node, which the test starts. Exits with 77, a
skip, if Slurm is not installed."""
import glob
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import slurm_cluster
from case import HEARTH, demo
from sweep_test import SweepCase

SIX = ('workload %s\ncard rtx3070 QV100-SASS-64SM a100\nmethod full\nmethod sieve\nwarm checkpoint\n'
       'baseline card=rtx3070\n' % ' '.join(map(demo, ('bfs', 'spmv', 'dct8x8', 'gemm', 'solver', 'reduction'))))
FEW = 'workload %s\ncard rtx3070 qv100\nmethod full\nmethod sieve\nwarm checkpoint\n' % demo('dct8x8')


class Slurm(SweepCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix='hearth-slurm-')
        cls.cluster = slurm_cluster.Cluster(cls.folder)
        try:
            cls.cluster.start()
        except BaseException:
            cls.tearDownClass()
            raise

    @classmethod
    def tearDownClass(cls):
        cls.cluster.stop()
        shutil.rmtree(cls.folder)

    def setUp(self):
        super().setUp()
        os.chmod(self.place, 0o755)

    def begin(self, text, *options, out='out'):
        return subprocess.Popen([HEARTH, 'sweep', self.spec(text), '-o', self.path(out), '--engine', 'slurm', '-q', *options],
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                env=self.cluster.environment)

    def slurm(self, text, *options, out='out', code=0):
        process = self.begin(text, *options, out=out)
        said = process.communicate(timeout=200)[0]
        self.assertEqual(process.returncode, code, said)
        return said

    def running(self):
        """Processes of jobs that have begun and not ended, by their logs."""
        found = []
        for path in glob.glob(self.path('out', 'store', '*', 'log')):
            lines = self.text(path).split('\n')[:-1]
            if lines and lines[-1].startswith('start '):
                found.append(int(lines[-1].split()[3]))
        return found

    def wait_for(self, done, what):
        self.cluster.wait(done, what)

    def test_an_array_that_succeeds(self):
        """More jobs than an array may have; the tables are those of the engine local."""
        self.slurm(SIX, '--wait')
        self.assertEqual(self.whole(), 60)
        self.assertEqual(set(self.events('start')), {1})
        self.assertGreater(len(self.text('out', 'slurm', 'arrays').split()), 3)
        self.sweep(SIX, '-q', out='local')
        self.same_tables('out', 'local')

    def test_a_job_that_fails(self):
        bad = self.workload('bad')
        with open(os.path.join(bad, 'kernel-2.traceg'), 'a') as f:
            f.write('rubbish\n')
        text = 'workload bad %s\ncard rtx3070\n' % demo('gemm')
        self.slurm(text, '--wait', code=1)
        found = {row['workload']: row for row in self.table('jobs')}
        self.assertEqual((found['bad']['status'], found['gemm']['status']), ('failed', 'done'))
        self.assertIn('kernel-2.traceg', found['bad']['message'])
        starts = self.events('start')
        self.slurm(text, '--wait', code=1)
        self.assertEqual(self.events('start'), starts)

    def test_a_job_that_is_killed(self):
        """Its process dies without a message: it is submitted again, and continues."""
        process, killed = self.begin(FEW, '--wait'), None
        while killed is None and process.poll() is None:
            for pid in self.running()[:1]:
                killed = pid
                os.kill(pid, signal.SIGKILL)
        self.assertEqual((process.communicate(timeout=100)[0], process.returncode), ('', 0))
        self.assertIsNotNone(killed)
        self.assertEqual(set(self.events('done')), {1})
        self.assertEqual(sum(self.events('start')), len(self.events('done')) + 1)

    def test_a_job_that_is_cancelled(self):
        """scancel stops a job as a time limit does: it saves its state."""
        process, numbers = self.begin(FEW, '--wait'), []
        self.wait_for(self.running, 'a job')
        numbers = self.text('out', 'slurm', 'arrays').split()
        self.cluster.call('scancel', '--batch', '--signal=TERM', numbers[-1])
        self.cluster.call('scancel', numbers[0])
        self.assertEqual((process.communicate(timeout=100)[0], process.returncode), ('', 0))
        self.assertEqual(set(self.events('done')), {1})

    def test_a_node_that_goes_and_comes_back(self):
        process = self.begin(FEW.replace('workload ', 'workload %s %s ' % (demo('bfs'), demo('solver'))), '--wait')
        self.wait_for(self.running, 'a job')
        lost = self.running()
        self.cluster.lose_node(lost)
        self.wait_for(lambda: self.cluster.node().startswith('down'), 'the loss of the node')
        self.assertTrue(set(self.running()) & set(lost))
        self.cluster.start_node()
        self.assertEqual((process.communicate(timeout=200)[0], process.returncode), ('', 0))
        self.assertEqual(self.whole(), 21)
        self.assertEqual(set(self.events('done')), {1})
        self.assertGreater(max(self.events('start')), 1)

    def test_come_back_later(self):
        """Without --wait, and with a sweep that is stopped while it waits."""
        said = self.hearth_in(FEW)
        self.assertIn('submitted 7 jobs', said)
        self.hearth_in(FEW)    # they are in the queue: not submitted again
        status = self.hearth('sweep', '--status', self.path('out')).stdout
        self.assertRegex(status, r'jobs +7\n')
        process = self.begin(FEW, '--wait')
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertIn(process.returncode, (130, 0))
        self.slurm(FEW, '--wait')
        self.assertEqual(set(self.events('start')), {1})
        self.assertEqual({row['status'] for row in self.table('jobs')}, {'done'})
        self.assertIn('waiting        0', self.hearth('sweep', '--status', self.path('out')).stdout)

    def hearth_in(self, text):
        return subprocess.run([HEARTH, 'sweep', self.spec(text), '-o', self.path('out'), '--engine', 'slurm'],
                              env=self.cluster.environment, check=True, capture_output=True, text=True).stdout

    def test_workers_share_segments(self):
        text = 'workload %s\ncard rtx3070\nmethod random count=100\nwarm checkpoint\n' % demo('dct8x8')
        self.slurm(text, '--wait', '--workers', '2')
        self.assertEqual(len(self.text('out', 'slurm', 'arrays').split()), 4)    # sample, states, run, its second worker
        self.assertEqual(len(self.folders('segment')), 100)
        self.assertEqual(len(self.processes('segment')), 2)
        self.assertEqual(set(self.events('start')), {1})
        self.sweep(text, '-q', out='local')
        self.same_tables('out', 'local')

    def test_options_of_sbatch(self):
        said = self.slurm(FEW, '--wait', '--sbatch', '--partition=none', '--time', '5', code=1)
        self.assertIn('sbatch', said)
        self.slurm(FEW, '--wait', '--sbatch', '--partition=main', '--time', '5', '--jobs', '1')
        script = self.text('out', 'slurm', '0.sh')
        for line in ('--partition=main', '--time=5', '--signal=B:TERM@60', '--requeue', r'--array=0-\d+%1'):
            self.assertRegex(script, '(?m)^#SBATCH ' + line + '$')

    def test_no_slurm(self):
        nowhere = dict(self.cluster.environment, SLURM_CONF=self.path('none'))
        done = subprocess.run([HEARTH, 'sweep', self.spec(FEW), '-o', self.path('out'), '--engine', 'slurm'],
                              env=nowhere, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn('Slurm does not answer', done.stderr)


if __name__ == '__main__':
    absent = slurm_cluster.missing()
    if absent:
        print('skipped: not installed: ' + ', '.join(absent))
        sys.exit(77)
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
