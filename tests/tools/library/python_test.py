"""Usage: python_test.py HEARTH ROOT: the Python package, with pandas if it is there and without."""
import os
import sys
import tempfile
import unittest
from unittest import mock

HEARTH, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
sys.path.insert(0, os.path.join(ROOT, 'tools', 'python'))
os.environ['HEARTH'] = HEARTH

import hearth  # noqa: E402
from hearth import command, results  # noqa: E402

BFS = os.path.join(ROOT, 'demo', 'bfs.packed')


class Package(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def test_options(self):
        self.assertEqual(command.as_options({'flush': 'all', 'resume': True, 'threads': None, 'quiet': False,
                                             'launch_list': [1, 2]}), ['--flush', 'all', '--resume', '--launch-list', '1,2'])

    def test_run(self):
        run = hearth.run(BFS, self.path('out'), config='qv100', options={'gpgpu_kernel_launch_latency': 0},
                         launches='1-4', threads=1)
        self.assertFalse(run.partial)
        with mock.patch.object(results, 'pandas', None):
            kernels = run.kernels
        self.assertEqual([row['launch'] for row in kernels], [1, 2, 3, 4])
        self.assertEqual(run.total('cycles'), sum(row['cycles'] for row in kernels))
        self.assertIsNone(kernels[0]['cycles_corrected'])
        self.assertIn('4 launches', repr(run))
        with open(os.path.join(run.path, 'config.out'), encoding='utf-8') as f:
            self.assertIn('-gpgpu_n_clusters 80', ' '.join(f.read().split()))

    @unittest.skipUnless(results.pandas, 'python3-pandas is not there')
    def test_data_frame(self):
        run = hearth.run(BFS, self.path('out'), launches='1-4')
        self.assertEqual(run.kernels['cycles'].sum(), run.total('cycles'))
        self.assertEqual(hearth.compare(run, run).set_index('kernel').loc['total', 'speedup'], 1)

    def test_sample(self):
        plan = hearth.sample(BFS, self.path('plan'), 'sieve')
        run = hearth.run(hearth.warm(plan, self.path('warm'), 'checkpoint'), self.path('out'))
        value, bar = run.extrapolated('cycles')
        self.assertGreater(value, run.total('cycles'))
        self.assertIsNone(bar)

    def test_compare(self):
        runs = [hearth.run(BFS, self.path(str(latency)), options={'gpgpu_kernel_launch_latency': latency}, launches='1-2')
                for latency in (0, 1000)]
        with mock.patch.object(results, 'pandas', None):
            rows = {row['kernel']: row for row in hearth.compare(*runs)}
            self.assertEqual(hearth.compare(self.path('0'), self.path('1000')), list(rows.values()))
        self.assertEqual(len(rows), 4)
        self.assertEqual(rows['total']['other'] - rows['total']['base'], 2000)
        kernels = [row['speedup'] for name, row in rows.items() if name.startswith('_Z')]
        self.assertAlmostEqual(rows['geometric mean']['speedup'], (kernels[0] * kernels[1]) ** 0.5)
        self.assertLess(max(kernels), 1)

    def test_speedups_are_of_times(self):
        """As hearth diff has them: the same cycles take half as long at twice the clock."""
        runs = [hearth.run(BFS, self.path(str(mhz)), options={'gpgpu_clock_domains': '%d:%d:%d:%d' % (mhz, mhz, mhz, mhz)},
                           launches='1-2') for mhz in (1000, 2000)]
        with mock.patch.object(results, 'pandas', None):
            rows = {row['kernel']: row for row in hearth.compare(*runs)}
        self.assertEqual(rows['total']['base'], rows['total']['other'])
        for row in rows.values():
            self.assertAlmostEqual(row['speedup'], 2)

    def test_sweep(self):
        with open(self.path('spec'), 'w', encoding='utf-8') as f:
            f.write('workload %s\ncard rtx3070\noption gpgpu_kernel_launch_latency 0 1000\n' % BFS)
        with mock.patch.object(results, 'pandas', None):
            tables = hearth.sweep(self.path('spec'), self.path('sweep'))
        self.assertEqual([row['gpgpu_kernel_launch_latency'] for row in tables['jobs']], [0, 1000])
        self.assertEqual(len(tables['launches']), 112)

    def test_error(self):
        with self.assertRaises(hearth.HearthError) as caught:
            hearth.run(self.path('nothing'), self.path('out'))
        self.assertEqual(caught.exception.code, 3)
        self.assertIn('nothing: cannot open', caught.exception.message)
        self.assertRaisesRegex(hearth.HearthError, 'nowhere: no results of hearth run: ', hearth.Run, 'nowhere')
        run = hearth.run(BFS, self.path('out'), launches='1')
        self.assertRaisesRegex(hearth.HearthError, 'has no cylces; did you mean cycles', run.total, 'cylces')
        self.assertRaisesRegex(hearth.HearthError, 'nothing is extrapolated', run.extrapolated, 'cycles')
        other = hearth.run(os.path.join(ROOT, 'demo', 'gemm.packed'), self.path('gemm'), launches='1')
        self.assertRaisesRegex(hearth.HearthError, 'no kernel in common', hearth.compare, run, other)
        with mock.patch.dict(os.environ, HEARTH='/nowhere/hearth'):
            self.assertRaisesRegex(hearth.HearthError, 'cannot start the program /nowhere/hearth', hearth.call, ['--version'])
        with self.assertRaisesRegex(hearth.HearthError, 'exit code 2: .*--nonsense'):
            hearth.run(BFS, self.path('out'), nonsense=1)


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
