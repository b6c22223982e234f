"""Tests of hearth trace synth: options, files, and that what it makes runs.

usage: synth_test.py HEARTH SOURCE_ROOT [TEST]...
"""
import filecmp
import os
import re
import shutil
import subprocess
import sys
import unittest

from case import Case, HEARTH, ROOT, demo


class Synth(Case):
    def names(self):
        lines = self.hearth('trace', 'synth', '--list').stdout.splitlines()
        return [line.split()[0] for line in lines if not line.startswith(' ')]

    def card(self, name):
        """Options of a run: a card that NAME fits on, on which no turns of loops that wait are left out."""
        hopper = re.search(r'^%s .*\(sm_90\)$' % name, self.hearth('trace', 'synth', '--list').stdout, re.M)
        return ['-c', 'h100', '--set', 'hearth_mbarrier_latency=0'] if hopper else []

    def test_usage_errors(self):
        self.fails(2, 'hearth trace synth --help', 'trace', 'synth')
        self.fails(2, '-o PATH or --dry-run', 'trace', 'synth', 'vecadd')
        self.fails(2, 'one workload at a time', 'trace', 'synth', 'vecadd', 'saxpy', '-o', 'x')
        self.fails(2, 'no synthetic workload "fly"', 'trace', 'synth', 'fly', '-o', 'x')
        self.fails(2, 'no synthetic workload "gemn"; did you mean gemm?', 'trace', 'synth', 'gemn', '-o', 'x')
        self.fails(2, '--scale "big"', 'trace', 'synth', 'vecadd', '-o', 'x', '--scale', 'big')
        self.fails(2, '--scale "nan"', 'trace', 'synth', 'vecadd', '-o', 'x', '--scale', 'nan')
        self.fails(2, '--scale "0": expected a number from 0.001 to 1000', 'trace', 'synth', 'vecadd', '-o', 'x', '--scale', '0')
        self.fails(2, '--seed "-1"', 'trace', 'synth', 'vecadd', '-o', 'x', '--seed', '-1')
        self.fails(2, 'architecture "sm_1"', 'trace', 'synth', 'vecadd', '-o', 'x', '--arch', 'sm_1')
        self.assertFalse(os.path.exists(self.path('x')))

    def test_help_and_manual_agree(self):
        shown = set(re.findall(r'(?<![\w-])--[a-z-]+', self.hearth('trace', 'synth', '--help').stdout))
        with open(os.path.join(ROOT, 'docs', 'man', 'hearth-trace-synth.1')) as f:
            options = set(re.findall(r'^\.It .*?Fl -([a-z-]+)', f.read(), re.M))
        self.assertEqual(shown, {'--' + name for name in options})

    def test_unwritable(self):
        self.write('file', '')
        self.fails(4, 'file', 'trace', 'synth', 'vecadd', '-o', 'file/x')

    def test_same_bytes(self):
        for place in 'ab':
            self.hearth('trace', 'synth', 'bfs', '--scale', '0.005', '-o', self.path(place))
        names = sorted(os.listdir(self.path('a')))
        self.assertIn('kernelslist.g', names)
        self.assertEqual(names, sorted(os.listdir(self.path('b'))))
        self.assertEqual(filecmp.cmpfiles(self.path('a'), self.path('b'), names, shallow=False)[1:], ([], []))

    def test_says_synthetic(self):
        self.hearth('trace', 'synth', 'vecadd', '--scale', '0.001', '--seed', '9', '-q', '-o', self.path('w'))
        self.assertIn('-synthetic = vecadd --scale 0.001', self.text('w', 'kernel-1.traceg'))
        self.assertIn('# synthetic: vecadd --scale 0.001', self.text('w', 'kernelslist.g'))

    def test_every_workload_runs(self):
        """Counts of the generator and of the simulation agree."""
        for name in self.names():
            with self.subTest(name):
                shutil.rmtree(self.path('w'), ignore_errors=True)
                made = self.hearth('trace', 'synth', name, '--scale', '0.001', '--zstd', '-o', self.path('w')).stdout
                counts = dict(re.findall(r'^(launches|warp insts|thread insts) +(\d+)', made, re.M))
                rows = self.run_ok(self.path('w'), *self.card(name))
                self.assertEqual(len(rows), int(counts['launches']))
                self.assertEqual(sum(int(row['warp_insts']) for row in rows), int(counts['warp insts']))
                self.assertEqual(sum(int(row['thread_insts']) for row in rows), int(counts['thread insts']))

    def test_packed_and_back(self):
        """The packed store keeps all that the generator wrote."""
        self.hearth('trace', 'synth', 'unet3d', '--scale', '0.001', '-q', '-o', self.path('w'))
        self.hearth('trace', 'convert', 'w', '--level', '3', '-o', 'w.packed')
        self.hearth('trace', 'convert', 'w.packed', '-o', 'again')
        names = sorted(os.listdir(self.path('w')))
        self.assertEqual(filecmp.cmpfiles(self.path('w'), self.path('again'), names, shallow=False)[1:], ([], []))

    def test_packed_as_text_would_be(self):
        """Packing without the text gives the same bytes."""
        for name in self.names():
            with self.subTest(name):
                shutil.rmtree(self.path('w'), ignore_errors=True)
                self.hearth('trace', 'synth', name, '--scale', '0.001', '--arch', 'sm_90', '-q', '-o', 'w')
                self.hearth('trace', 'convert', 'w', '--level', '1', '-f', '-o', 'text.packed')
                self.hearth('trace', 'synth', name, '--scale', '0.001', '--arch', 'sm_90', '--to', 'packed', '--level', '1',
                            '-q', '-f', '-o', 'w.packed')
                self.assertTrue(filecmp.cmp(self.path('text.packed'), self.path('w.packed'), shallow=False))

    def test_packed_output(self):
        arguments = ['trace', 'synth', 'saxpy', '--scale', '0.001', '--to', 'packed', '-o']
        counts = self.hearth(*arguments, 'a.packed').stdout
        self.assertIn('launches       4 of', counts)
        self.assertEqual(os.listdir(self.place), ['a.packed'])
        self.fails(4, 'a.packed: it exists already; --force replaces it', *arguments, 'a.packed')
        done = subprocess.run([HEARTH, *arguments, '-'], capture_output=True, check=True)
        with open(self.path('a.packed'), 'rb') as f:
            self.assertEqual(done.stdout, f.read())
        self.assertEqual(done.stderr.decode(), counts)
        self.fails(2, '--to "zip": expected packed or text', 'trace', 'synth', 'saxpy', '--to', 'zip', '-o', 'x')
        self.fails(2, '--level "23": expected', 'trace', 'synth', 'saxpy', '--to', 'packed', '--level', '23', '-o', 'x')
        self.fails(2, '--zstd is for folders', *arguments, 'x', '--zstd')

    def test_verify_finds_nothing(self):
        for name in ('bfs', 'micro_divergence', 'gemm', 'gemm_wgmma', 'attention_fa3'):
            self.hearth('trace', 'synth', name, '--scale', '0.01', '-q', '-o', self.path(name))
            self.hearth('trace', 'verify', name)

    def test_parameters(self):
        arguments = ['trace', 'synth', 'gemm_wgmma', '--scale', '0.001', '-q', '-o', 'w']
        self.fails(2, 'parameter "stages=1": expected 2 to 8', *arguments, '--parameter', 'stages=1')
        self.hearth(*arguments, '--parameter', 'stages=2', '--parameter', 'k=128')
        self.assertIn('gemm_wgmma --scale 0.001 --seed 1 --arch sm_90 --parameter stages=2 --parameter k=128', self.text('w', 'kernelslist.g'))
        self.assertIn('    stages ', self.hearth('trace', 'synth', '--list').stdout)

    def test_hopper_on_its_card(self):
        """Copies send requests, and turns of loops that wait are left out."""
        for name in ('gemm_wgmma', 'attention_fa3'):
            with self.subTest(name):
                self.hearth('trace', 'synth', name, '--scale', '0.001', '-q', '--to', 'packed', '-f', '-o', 'w')
                row = self.run_ok('w', '-c', 'h100')[0]
                self.assertGreater(int(row['waited_insts']), 0)
                self.assertGreater(int(row['l2_reads']), 1000)

    def test_demo_set(self):
        """The bundled workloads are what their table says, and nothing else."""
        with open(os.path.join(ROOT, 'demo', 'README.md')) as f:
            table = re.findall(r'^\| `(\w+)\.packed` \| ([\d.]+) \| (\d+) \| (\d+) ', f.read(), re.M)
        self.assertEqual(sorted(row[0] + '.packed' for row in table),
                         sorted(set(os.listdir(os.path.join(ROOT, 'demo'))) - {'README.md'}))
        for name, scale, launches, warp_insts in table:
            made = self.hearth('trace', 'synth', name, '--scale', scale, '-o', self.path(name)).stdout
            self.assertRegex(made, r'\Alaunches +%s of .*\nwarp insts +%s\n' % (launches, warp_insts))
            self.hearth('trace', 'convert', demo(name), '-o', self.path(name + '-demo'))
            files = os.listdir(self.path(name))
            same = filecmp.cmpfiles(self.path(name), self.path(name + '-demo'), files, shallow=False)
            self.assertEqual((same[1:], len(files)), (([], []), int(launches) + 1))

    def test_nothing_unknown_on_hopper(self):
        """Traces say all of their barriers and copies: no wait is given up, and all copies send requests."""
        for name, parameters in (('attention_fa3', 'batch=1 length=512 heads=4 depth=128 causal=1 blocks=4'),
                                 ('attention_fa3', 'batch=1 length=256 heads=2 depth=64 cluster=2 blocks=2'),
                                 ('gemm_wgmma', 'm=256 n=256 k=256')):
            options = [word for parameter in parameters.split() for word in ('--parameter', parameter)]
            self.hearth('trace', 'synth', name, *options, '-q', '-f', '-o', self.path('w'))
            row, = self.run_ok(self.path('w'), '-c', 'h100', '--set', 'gpgpu_perf_sim_memcpy=0')
            self.assertEqual((row['unknown_waits'], row['unseen_copies']), ('0', '0'), name)

    def test_document_lists_every_workload(self):
        with open(os.path.join(ROOT, 'docs', 'studies', 'synthetic-workloads.md')) as f:
            listed = re.findall(r'^\| `([\w]+)` \|', f.read(), re.M)
        self.assertEqual(listed, self.names())


if __name__ == '__main__':
    unittest.main(argv=[sys.argv[0], '-v', *sys.argv[3:]])
