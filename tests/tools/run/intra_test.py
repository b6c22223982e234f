"""Tests of sampling inside launches, on the command line and in plans.

usage: intra_test.py HEARTH SOURCE_ROOT [TEST]...
"""
import os
import sys
import unittest

from case import Case, SAME

COLUMNS = ['intra', 'intra_check', 'simulated_warp_insts', 'simulated_blocks', 'simulated_cycles', 'intra_bar',
           'intra_stability']
# Few SMs: 15 waves and more of the launches' blocks.
SMALL = ('--set', 'gpgpu_n_clusters=2', '--set', 'gpgpu_kernel_launch_latency=0')


class Intra(Case):
    def setUp(self):
        super().setUp()
        self.app = self.path('app.packed')
        self.hearth('trace', 'synth', 'saxpy', '--scale', '0.5', '-o', self.app, '--to', 'packed', '-q')

    def run_small(self, *arguments, out='out'):
        return self.run_ok(self.app, '--launches', '1-3', *SMALL, *arguments, out=out)

    def test_rows(self):
        """Every launch says how it was made; without a method there are no such columns."""
        full = self.run_small(out='full')
        rows = self.run_small('--intra', 'blocks')
        self.assertEqual(list(rows[0])[-len(COLUMNS):], COLUMNS)
        self.assertFalse(set(COLUMNS) & set(full[0]))
        for row, whole in zip(rows, full):
            self.assertEqual((row['intra'], row['intra_check']), ('blocks', ''))
            self.assertLess(int(row['simulated_blocks']), int(row['blocks']))
            self.assertLess(int(row['simulated_warp_insts']), int(row['warp_insts']))
            self.assertLess(int(row['simulated_cycles']), int(row['cycles']))
            for column in ('blocks', 'warp_insts'):
                self.assertEqual(row[column], whole[column])
            self.assertLess(abs(int(row['thread_insts']) / int(whole['thread_insts']) - 1), 0.001)
            self.assertLess(abs(int(row['cycles']) / int(whole['cycles']) - 1), 0.05)
            self.assertEqual(int(row['end_cycle']) - int(row['start_cycle']), int(row['cycles']))
        for row, following in zip(rows, rows[1:]):
            self.assertEqual(int(row['end_cycle']) + int(following['gap_cycles']), int(following['start_cycle']))
        self.assertEqual(self.json('stats.json')['launches'][0]['intra'], 'blocks')
        self.assertIn('step1.intra blocks', self.text('out', 'stats.txt'))

    def test_threads_and_warm(self):
        """Results do not depend on threads; blocks that were left out can warm the caches for the next launch."""
        for threads in ('1', '3'):
            self.run_small('--intra', 'blocks', '--threads', threads, out=threads)
        for name in SAME:
            self.assertEqual(self.text('1', name), self.text('3', name), name)
        cold, warm = (self.run_small('--intra', 'blocks:warm=%d' % i, out='warm%d' % i) for i in range(2))
        self.assertEqual(cold[0]['cycles'], warm[0]['cycles'])
        self.assertNotEqual(cold[1]['l2_read_hits'], warm[1]['l2_read_hits'])

    def test_warm_within(self):
        """Blocks that are left out pass through L2 there: what a launch leaves is close to what it leaves in full, for
        every method that leaves blocks out or lets them take their place."""
        full = self.run_small(out='full')
        for method in ('random', 'pkp-artifact', 'photon-warp:warps=64', 'tbpoint-intra'):
            hits = [int(self.run_small('--intra', '%s%swarm=%d' % (method, ':', i), out='w')[1]['l2_read_hits'])
                    for i in (0, 2)]
            whole = int(full[1]['l2_read_hits'])
            self.assertLess(abs(hits[1] - whole), abs(hits[0] - whole), (method, hits, whole))

    def test_refusal(self):
        """A launch of too few waves is simulated in full, and says which check failed."""
        full = self.run_ok(self.app, '--launches', '1', out='full')
        rows = self.run_ok(self.app, '--launches', '1', '--intra', 'blocks')
        self.assertEqual((rows[0]['intra'], rows[0]['intra_check'], rows[0]['intra_bar']), ('blocks', 'waves', '0'))
        for column in full[0]:
            self.assertEqual(rows[0][column], full[0][column])

    def test_plans(self):
        """A plan's launches may have methods of their own; plan.out has them all and runs alike."""
        plan = self.write('a.plan', '!plan 1\n!workload path=%s\n!step role=measure intra=pkp-artifact\nkernel-1\n'
                          'kernel-2\n' % self.app)
        rows = self.run_ok(plan, *SMALL)
        self.assertEqual([row['intra'] for row in rows], ['pkp-artifact', ''])
        self.assertEqual(rows[1]['simulated_warp_insts'], rows[1]['warp_insts'])
        rows = self.run_ok(plan, *SMALL, '--intra', 'blocks', out='both')
        self.assertEqual([row['intra'] for row in rows], ['pkp-artifact', 'blocks'])
        self.assertIn('intra=blocks', self.text('both', 'plan.out'))
        self.assertEqual(self.run_ok(self.path('both', 'plan.out'), *SMALL, out='again'), rows)

    def test_resume(self):
        """Other options of a method are another plan."""
        self.run_small('--intra', 'blocks', out='a')
        done = self.hearth('run', self.app, '--launches', '1-3', *SMALL, '--intra', 'blocks', '-o', self.path('a'),
                           '--resume')
        self.assertIn('are complete', done.stderr)
        self.fails(2, 'the results have another plan', 'run', self.app, '--launches', '1-3', *SMALL, '--intra',
                   'blocks:bound=0.02', '-o', self.path('a'), '--resume', '-q')

    def test_online(self):
        """Launches like an earlier one of the run are not simulated."""
        method = ('--intra', 'photon-online')
        rows = self.run_small(*method)
        self.assertEqual([int(row['simulated_blocks']) > 0 for row in rows], [True, False, False])
        self.assertEqual([row['warp_insts'] for row in rows], 3 * [rows[0]['warp_insts']])
        self.assertEqual({row['cycles'] for row in rows[1:]}, {rows[1]['cycles']})
        self.assertLess(abs(int(rows[1]['cycles']) / int(rows[0]['cycles']) - 1), 0.001)

    def test_profile(self):
        """A profile of the blocks, made once, replaces the look at launches before they run: the same results on any GPU,
        which has regions of its own."""
        self.hearth('trace', 'profile', self.app, '-o', self.path('p.csv'), '--no-bbv', '-q')
        method = ('--intra', 'tbpoint-intra')
        simulated = set()
        for sms in '2', '3', '4':
            occupancy = ('--set', 'gpgpu_n_clusters=' + sms)
            read = self.run_small(*occupancy, *method, out='read' + sms)
            taken = self.run_small(*occupancy, *method, '--intra-profile', self.path('p.blocks.csv'), out='taken' + sms)
            self.assertEqual(read, taken)
            self.assertEqual({row['intra_check'] for row in taken}, {''})
            simulated.add(taken[0]['simulated_blocks'])
        self.assertEqual(len(simulated), 3)
        rows = self.text('p.blocks.csv').splitlines(True)
        for text, message in ((rows[:-1], 'blocks and'), (rows[:1] + rows[1:2] * 2, 'launch 1 has 2 blocks and'),
                              (rows[:1], 'there is no launch 1'), (['launch,block\n'], 'there is no column warp_insts')):
            self.write('bad.csv', ''.join(text))
            self.fails(3, message, 'run', self.app, *SMALL, *method, '--intra-profile', self.path('bad.csv'), '-q', '-o',
                       self.path('bad'))

    def test_combinations(self):
        """With warm-up and a sample of launches; what cannot be combined is an error."""
        rows = self.run_small('--intra', 'blocks', '--warm', 'functional:1')
        self.assertEqual([row['intra'] for row in rows if row['role'] == 'measure'], ['blocks'] * 3)
        self.assertEqual({row['intra'] for row in rows if row['role'] == 'warm'}, {''})
        self.hearth('sample', self.app, '--method', 'first-n', '--count', '1', '-o', self.path('s.plan'), '-q')
        self.run_ok(self.path('s.plan'), *SMALL, '--intra', 'blocks', out='s')
        whole = self.run_ok(self.path('s.plan'), *SMALL, out='w')
        cycles = [float(line.split()[1]) for out in ('s', 'w') for line in self.text(out, 'stats.txt').splitlines()
                  if line.startswith('extrapolated.cycles ')]
        self.assertLess(abs(cycles[0] / cycles[1] - 1), 0.05)
        self.assertEqual(len(whole), 1)
        for message, *arguments in (
                ('not together with --intervals', '--intervals', '100'),
                ('not together with prime=', '--warm', 'prime:5'),
                ('a correction applies to', '--warm', 'correction:thesis'),
                ('launches that overlap', '--set', 'gpgpu_concurrent_kernel_sm=1')):
            self.fails(2, message, 'run', self.app, '--launches', '1', '--intra', 'blocks', *arguments, '-q', '-o',
                       self.path('bad'))
        self.fails(2, 'intra "block": expected one of blocks, pkp, pkp-artifact, pkp-photon, photon-warp, photon-bb, photon, photon-online, tbpoint-intra, random, ideal-simpoint; did you mean blocks?', 'run',
                   self.app, '--intra', 'block', '-q', '-o', self.path('bad'))
        self.assertFalse(os.path.exists(self.path('bad')))


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
