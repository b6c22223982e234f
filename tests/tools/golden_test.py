"""Files that Hearth 0.1 wrote stay readable: packed workloads, plans, states of L2, configurations; and its names.

golden-0.1/ was made by version 0.1.0: `trace synth reduction --scale 0.01 --to packed`, the same of bfs at 0.004,
`sample --method sieve`, `run` of a plan of `warm --policy checkpoint` (the state before launch 2, and config.out)."""
import hashlib
import os
import shutil
import sys
import unittest

import case

GOLDEN = os.path.join(case.ROOT, 'tests', 'tools', 'golden-0.1')
# The text that each packed workload gave: its files in order of their names, one after the other.
TEXT = {'bfs.packed': '97490412fe6c7fd96e279336b3ab3f7f2e7744def055e2f8ecadca6cc81b6681',
        'reduction.packed': 'db2af4b65f71880b2d87740d2328494d416c07b8d959833d99960bba26b2340d'}
POLICIES = ['none', 'full', 'detailed:1', 'memory:1', 'memory:all', 'functional:1', 'functional:auto', 'checkpoint', 'nsl',
            'stitch', 'prime:0.1', 'checkpoint+memory:1', 'checkpoint+detailed:1', 'memory:1+prime:0.1',
            'correction:thesis', 'correction:artifact']


class Golden(case.Case):
    def setUp(self):
        super().setUp()
        for name in os.listdir(GOLDEN):
            shutil.copy(os.path.join(GOLDEN, name), self.place)

    def digest(self, folder):
        digest = hashlib.sha256()
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name), 'rb') as file:
                digest.update(file.read())
        return digest.hexdigest()

    def rows_of(self, *command):
        return self.run_ok(*command)

    def test_packed_workloads_give_the_same_text(self):
        for name, expected in TEXT.items():
            folder = self.path('text of ' + name)
            self.hearth('trace', 'convert', self.path(name), '-o', folder)
            self.assertEqual(self.digest(folder), expected, name)

    def test_packed_workloads_are_packed_the_same(self):
        for name in TEXT:
            self.hearth('trace', 'convert', self.path(name), '-o', self.path('text'))
            self.hearth('trace', 'convert', self.path('text'), '-o', self.path('again.packed'))
            self.hearth('trace', 'verify', self.path('again.packed'))
            self.hearth('trace', 'convert', self.path('again.packed'), '-o', self.path('text again'))
            self.assertEqual(self.digest(self.path('text again')), TEXT[name], name)
            shutil.rmtree(self.path('text'))
            shutil.rmtree(self.path('text again'))
            os.remove(self.path('again.packed'))

    def test_a_plan_of_a_sample_runs(self):
        rows = self.rows_of(self.path('sample.plan'))
        self.assertEqual([(row['launch'], row['role'], row['warp_insts']) for row in rows],
                         [('1', 'measure', '18872'), ('2', 'measure', '266')])

    def test_a_state_of_l2_is_restored(self):
        rows = self.rows_of(self.path('restore.plan'))
        self.assertEqual([(row['launch'], row['restored_sectors'], row['warp_insts']) for row in rows],
                         [('2', '10003', '266')])
        cold = self.rows_of(self.path('reduction.packed'), '--launches', '2')
        self.assertLess(int(cold[0]['l2_read_hits']), int(rows[0]['l2_read_hits']))

    def test_a_configuration_that_a_run_wrote_is_read(self):
        self.hearth('config', 'check', self.path('config.out'))
        card = self.rows_of(self.path('reduction.packed'))
        self.assertEqual(self.rows_of(self.path('reduction.packed'), '-c', self.path('config.out')), card)

    def test_policies_keep_their_names(self):
        for policy in POLICIES:
            self.rows_of(self.path('reduction.packed'), '--warm', policy)


if __name__ == '__main__':
    unittest.main(argv=[sys.argv[0]] + sys.argv[3:], verbosity=2)
