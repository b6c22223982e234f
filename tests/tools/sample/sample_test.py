"""Tests of hearth sample: plans, tables, messages.

usage: sample_test.py HEARTH SOURCE_ROOT [TEST]...
"""
import csv
import io
import os
import re
import sys
import unittest

from case import Case, demo

PROFILE = ('launch,kernel,block_x,block_y,block_z,warp_insts,cycles\n'
           '1,a,32,1,1,100,50\n2,a,32,1,1,100,60\n3,b,64,1,1,10,30\n5,a,32,1,1,100,40\n6,"c,d",32,1,1,7,20\n')


class Plans(Case):
    def test_of_a_workload(self):
        self.workload('w', ids=(1, 2, 5))
        done = self.hearth('sample', 'w', '--method', 'periodic', '--period', '2', '-o', 'p.plan')
        self.assertIn('representatives  2\n', done.stdout)
        self.assertEqual(done.stderr, '')
        lines = self.text('p.plan').splitlines()
        self.assertEqual(lines[0], '!plan 1')
        self.assertRegex(lines[1], r'^!workload path=%s digest=[0-9a-f]{16}$' % re.escape(os.path.realpath(self.path('w'))))
        self.assertEqual(lines[2:], [
            '!total launches=3 warp_insts=24 thread_insts=768',
            '!method name=periodic period=2 seed=0 scale=launches draw=rule insts="warp instructions"',
            'MemcpyHtoD,0x00007f0000000000,256',
            '!step role=measure scale=1.5 stratum=1 stands=1-2',
            'kernel-1.traceg',
            'MemcpyHtoD,0x00007f0000000000,256',
            'MemcpyHtoD,0x00007f0000000000,256',
            '!step role=measure scale=1.5 stratum=1 stands=5',
            'kernel-3.traceg'])

    def test_of_a_profile(self):
        self.write('p.csv', PROFILE)
        done = self.hearth('sample', 'p.csv', '--method', 'sieve', '-o', '-')
        self.assertIn('no --workload', done.stderr)
        self.assertEqual(done.stdout.splitlines(), [
            '!plan 1', '!total launches=5 warp_insts=317',
            '!method name=sieve theta=0.4 density=log representative=own draws=1 seed=0 scale=insts draw=rule insts="warp instructions"',
            '!step role=measure scale=3 stratum=1 stands=1-2,5', 'kernel-1.traceg',
            '!step role=measure scale=1 stratum=2 stands=3', 'kernel-3.traceg',
            '!step role=measure scale=1 stratum=3 stands=6', 'kernel-6.traceg'])

    def test_strata_and_trace_list(self):
        self.write('p.csv', PROFILE)
        self.hearth('sample', 'p.csv', '--method', 'first-n', '--count', '4', '-o', 'p.plan', '--trace-list', 'list',
                    '--strata', 's.csv', '-q')
        self.assertEqual(self.text('list'), '1-3 5\n')
        self.hearth('sample', 'p.csv', '--method', 'sieve', '-o', 'p.plan', '--trace-list', 'list', '-f', '-q')
        self.assertEqual(self.text('list'), '1 3 6\n')
        for warm, expected in (('memory:1', '1 3 6\nmemory 2 5\n'), ('memory:9', '1 3 6\nmemory 2 5\n'),
                               ('detailed:1', '1-3 5-6\n'), ('detailed:0', '1 3 6\n')):
            self.hearth('sample', 'p.csv', '--method', 'sieve', '-o', 'p.plan', '--trace-list', 'list', '--trace-warm', warm,
                        '-f', '-q')
            self.assertEqual(self.text('list'), expected, warm)
        for warm in ('memory', 'memory:x', 'memory:-1', 'full:1', 'memory:1x'):
            self.fails(2, f'--trace-warm "{warm}": expected detailed:K or memory:K', 'sample', 'p.csv', '--method',
                       'sieve', '-o', 'q.plan', '--trace-list', 'q', '--trace-warm', warm)
        self.fails(2, '--trace-warm goes with --trace-list', 'sample', 'p.csv', '--method', 'sieve', '-o', 'q.plan',
                   '--trace-warm', 'memory:1')
        self.hearth('sample', 'p.csv', '--method', 'sieve', '-o', 'p.plan', '--strata', 's.csv', '-f', '-q')
        rows = list(csv.DictReader(io.StringIO(self.text('s.csv'))))
        self.assertEqual(rows[0], {
            'stratum': '1', 'tier': '1', 'kernel': 'a', 'kernels': '1', 'launches': '3', 'insts': '300', 'weight': '0.946372',
            'insts_cov': '0', 'cycles_cov': '0.163299', 'launch': '1', 'scale': '3', 'launch_insts': '100',
            'launch_cycles': '50'})
        self.assertEqual([row['kernel'] for row in rows], ['a', 'b', 'c,d'])

    def test_profile_with_its_workload(self):
        self.workload('w', ids=(1, 2, 5))
        self.hearth('trace', 'profile', 'w', '-o', 'p.csv')
        self.hearth('sample', 'w', '--method', 'random', '--count', '2', '-o', 'a.plan')
        self.hearth('sample', 'p.csv', '--workload', 'w', '--method', 'random', '--count', '2', '-o', 'b.plan')
        self.assertEqual(self.text('a.plan'), self.text('b.plan'))
        self.write('q.csv', 'launch,kernel\n1,k1\n9,k1\n')
        self.fails(2, 'the workload has no launch 9, which first-n chose from q.csv', 'sample', 'q.csv', '--workload', 'w',
                   '--method', 'first-n', '-o', 'c.plan')
        self.assertFalse(os.path.exists(self.path('c.plan')))

    def test_of_a_packed_workload(self):
        self.workload('w')
        self.hearth('trace', 'convert', 'w', '-o', 'w.hearth')
        self.hearth('sample', 'w.hearth', '--method', 'first-n', '--count', '1', '-o', 'p.plan')
        rows = self.run_ok('p.plan')
        self.assertEqual([row['launch'] for row in rows], ['1'])

    def test_counts_only(self):
        """Of a packed workload, headers are enough for methods that choose by instruction counts."""
        self.workload('w')
        self.hearth('trace', 'convert', 'w', '-o', 'w.hearth', '-q')
        for method in ('sieve', 'optimal', 'first-n'):
            self.hearth('sample', 'w.hearth', '--method', method, '-o', 'a.plan', '-f', '-q')
            self.hearth('sample', 'w.hearth', '--method', method, '--counts', '-o', 'b.plan', '-f', '-q')
            whole, counts = (self.text(name).splitlines() for name in ('a.plan', 'b.plan'))
            total = next(line for line in whole if line.startswith('!total'))
            self.assertEqual([line if line != total else line[:line.index(' thread_insts')] for line in whole], counts)
        self.fails(2, 'tbpoint needs', 'sample', 'w.hearth', '--method', 'tbpoint', '--counts', '-o', 'c.plan')
        self.fails(2, 'a trace that is text does not say how many instructions it has', 'sample', 'w', '--method', 'sieve',
                   '--counts', '-o', 'c.plan')

    def test_greatest_counts(self):
        self.write('p.csv', 'launch,kernel,warp_insts\n1,a,18446744073709551615\n2,a,18446744073709551615\n')
        lines = self.hearth('sample', 'p.csv', '--method', 'sieve', '-o', '-', '-q').stdout.splitlines()
        self.assertIn('!total launches=2 warp_insts=18446744073709551615', lines)
        self.assertIn('!step role=measure scale=2 stratum=1 stands=1-2', lines)

    def test_the_seed_decides(self):
        self.write('p.csv', 'launch,kernel\n' + ''.join('%d,a\n' % n for n in range(1, 101)))
        plans = []
        for seed in ('1', '1', '2'):
            plans.append(self.hearth('sample', 'p.csv', '--method', 'random', '--seed', seed, '-o', '-', '-q').stdout)
        strip = [re.sub('seed=.', '', plan) for plan in plans]
        self.assertEqual(plans[0], plans[1])
        self.assertNotEqual(strip[0], strip[2])

    def test_many_launches_stand_behind_one(self):
        """Lines beyond 64 KiB are read back."""
        self.workload('w', ids=(1, 3))
        numbers = [1] + list(range(2, 40000, 2))
        self.write('p.csv', 'launch,kernel\n' + ''.join('%d,k1\n' % n for n in numbers))
        self.hearth('sample', 'p.csv', '--method', 'first-n', '--count', '1', '-o', 'w/p.plan', '-q')
        self.assertGreater(max(map(len, self.text('w', 'p.plan').splitlines())), 65536)
        rows = self.run_ok('w/p.plan')
        self.assertEqual([row['launch'] for row in rows], ['1'])

    def test_extrapolates_to_the_full_run(self):
        """dct8x8 launches each kernel on the same image: tier 1. What is left is the state of the caches."""
        self.hearth('trace', 'synth', 'dct8x8', '--scale', '0.05', '-o', 'w', '-q')
        self.run_ok('w', out='full')
        self.hearth('sample', 'w', '--method', 'sieve', '-o', 'p.plan')
        rows = self.run_ok('p.plan', out='sampled')
        full, about = self.json('stats.json', 'full')['totals'], self.json('stats.json', 'sampled')['extrapolated']
        sampled = about['statistics']
        self.assertNotIn('extrapolated', self.json('stats.json', 'full'))
        self.assertLess(len(rows), 20)
        self.assertEqual((about['launches'], about['measured'], about['no_error_bar']),
                         (118, len(rows), 'the launches were not drawn at random'))
        for name in ('warp_insts', 'thread_insts', 'blocks', 'l1d_accesses', 'l2_writes'): # the same in every launch
            self.assertAlmostEqual(sampled[name]['value'], full[name]['value'], delta=1)
        for name in ('cycles', 'ipc', 'warp_ipc', 'sm_active'):
            self.assertLess(abs(sampled[name]['value'] / full[name]['value'] - 1), 0.1)
        known = {n: s['error'] for n, s in sampled.items() if s['error'] is not None} # what the plan says itself
        self.assertEqual(known, {'warp_insts': 0, 'thread_insts': 0, 'threads_per_inst': 0})
        self.hearth('trace', 'profile', 'w', '-o', 'w.csv', '--cycles', 'full', '--no-blocks', '--no-bbv')
        done = self.hearth('sample', 'w.csv', '--method', 'sieve', '--evaluate', '-o', '-')
        row = next(csv.DictReader(io.StringIO(done.stdout)))
        self.assertEqual(int(row['cycles']), full['cycles']['value'] - 118 * 5000) # without launch latency
        self.assertEqual(int(row['representatives']), len(rows))

    def test_instructions_are_the_plans(self):
        """Of the first launch for all, cycles are an estimate; instructions are known; IPC is of both."""
        self.run_ok(demo('solver'), out='full')
        insts = self.json('stats.json', 'full')['totals']['thread_insts']['value']
        self.hearth('sample', demo('solver'), '--method', 'first-n', '--count', '2', '-o', 'p.plan', '-q')
        rows = self.run_ok('p.plan')
        said = self.json('stats.json')['extrapolated']
        statistics, scale = said['statistics'], said['launches'] / 2
        cycles = scale * sum(int(r['cycles']) for r in rows)
        self.assertNotEqual(scale * sum(int(r['thread_insts']) for r in rows), insts)
        self.assertEqual((statistics['thread_insts']['value'], statistics['thread_insts']['error']), (insts, 0))
        self.assertAlmostEqual(statistics['cycles']['value'], cycles, delta=1)
        self.assertAlmostEqual(statistics['ipc']['value'], insts / cycles, delta=1e-4)
        first, = self.run_ok('p.plan', '--launches', '1', out='some') # not all that the plan stands for
        said = self.json('stats.json', out='some')['extrapolated']['statistics']
        self.assertEqual(said['thread_insts']['value'], scale * int(first['thread_insts']))

    def test_some_launches_of_a_sample(self):
        """They stand for no more than some; behind --warm, and when their plan.out is run, too. Warmed all are all."""
        self.workload('w', ids=(1, 2, 3, 4))
        self.hearth('sample', 'w', '--method', 'random', '--count', '2', '-o', 'p.plan', '-q')
        first, second = (r['launch'] for r in self.run_ok('p.plan'))
        for n, (plan, arguments) in enumerate((('p.plan', ('--launches', first)),
                                               ('p.plan', ('--launches', first, '--warm', 'memory:1')),
                                               ('out1/plan.out', ()), ('out0/plan.out', ('--warm', 'full')))):
            out = 'out%d' % n
            done = self.hearth('run', plan, *arguments, '-o', out)
            self.assertIn('(some or all have no error bar: not all launches of the sample were simulated)', done.stdout)
            about = self.json('stats.json', out)['extrapolated']
            self.assertEqual({s['error'] for s in about['statistics'].values()}, {None})
        self.run_ok('p.plan', '--launches', '%s,%s' % (first, second), '--warm', 'memory:1', out='all')
        self.assertEqual(self.json('stats.json', 'all')['extrapolated']['no_error_bar'], '')

    def test_parts_of_plans_without_totals(self):
        self.workload('w', ids=(1, 2, 3, 4))
        step = '!step role=measure scale=2 stratum=1\nkernel-%d.traceg\n'
        self.write('w/p.plan', '!plan 1\n!method name=mine draw=random scale=launches\n' + step % 1 + step % 3)
        self.run_ok('w/p.plan', '--warm', 'none')
        self.assertEqual(self.json('stats.json')['extrapolated']['no_error_bar'], '')
        self.run_ok('w/p.plan', '--warm', 'none', '--launches', '3')
        self.assertEqual(self.json('stats.json')['extrapolated']['no_error_bar'],
                         'not all launches of the sample were simulated')

    def test_error_bars(self):
        """Of drawn launches: in stats.json, stats.txt and the table. Equal launches leave nothing to chance but caches."""
        self.hearth('trace', 'synth', 'dct8x8', '--scale', '0.05', '-o', 'w', '-q')
        self.run_ok('w', out='full')
        full = self.json('stats.json', 'full')['totals']
        self.hearth('sample', 'w', '--method', 'sieve', '--representative', 'random', '--draws', '3', '-o', 'p.plan')
        done = self.hearth('run', 'p.plan', '-o', self.path('out'))
        about = self.json('stats.json', 'out')['extrapolated']
        self.assertEqual((about['strata'], about['measured'], about['confidence'], about['no_error_bar']),
                         (8, 24, 0.95, ''))
        cycles, text = about['statistics']['cycles'], self.text('out', 'stats.txt')
        self.assertGreater(cycles['error'], 0)
        self.assertLess(cycles['error'], 0.05 * cycles['value'])
        self.assertEqual(about['statistics']['warp_insts'],
                         {'value': full['warp_insts']['value'], 'error': 0, 'kind': 'additive', 'unit': 'instructions'})
        self.assertIn('\nextrapolated.cycles.error %g\n' % cycles['error'], text)
        self.assertRegex(done.stdout, r'with 95 %% intervals of the draw:\n +cycles +%d \+- %.0f\n' %
                         (cycles['value'], cycles['error']))
        self.fails(2, '--draws 2: sieve chooses one', 'sample', 'w', '--method', 'sieve', '--draws', '2', '-o', 'q.plan')

    def test_estimates_as_control_variate(self):
        """Scales follow estimates of all launches, which the plan keeps; the results are those of the plan's scales."""
        self.hearth('sample', demo('solver'), '--method', 'random', '--count', '12', '--estimate', 'rtx3070',
                    '--strata', 'p.csv', '-o', 'p.plan', '-q')
        plan = self.text('p.plan')
        self.assertIn(' scale=times ', plan)
        steps = re.findall(r'^!step .* scale=(\S+) .* size=(\S+)$', plan, re.M)
        self.assertEqual(len(steps), 12)
        self.assertGreater(len({scale for scale, _ in steps}), 1)
        with open(self.path('p.csv'), newline='') as f:
            for row, (scale, _) in zip(csv.DictReader(f), steps):
                self.assertAlmostEqual(float(row['scale']), float(scale), delta=1e-3)
        rows = self.run_ok('p.plan')
        cycles = self.json('stats.json')['extrapolated']['statistics']['cycles']
        total = sum(float(scale) * int(row['cycles']) for row, (scale, _) in zip(rows, steps))
        self.assertAlmostEqual(cycles['value'], total, delta=1)
        self.assertGreater(cycles['error'], 0)
        self.write('q.csv', 'launch,kernel\n1,k\n2,k\n')
        self.fails(2, 'q.csv:2: --estimate needs grid, block and instructions of launch 1', 'sample', 'q.csv', '--method',
                   'random', '--estimate', 'h100', '-o', 'q.plan')
        self.fails(2, 'none', 'sample', demo('solver'), '--method', 'random', '--estimate', 'none', '-o', 'r.plan')

    def test_error_bar_of_the_profile(self):
        """STEM with one launch of a stratum: the profile's spread is in the plan, and serves for times alone."""
        self.write('p.csv', 'launch,kernel,cycles\n1,k1,1000\n2,k1,1002\n3,k1,1004\n')
        self.workload('w', ids=(1, 2, 3))
        self.hearth('sample', 'p.csv', '--workload', 'w', '--method', 'stem', '-o', 'p.plan', '-q')
        spread = re.search(r'^!step .* stands=1-3 spread=(\S+)$', self.text('p.plan'), re.M).group(1)
        self.assertAlmostEqual(float(spread), 2 / 1000, delta=1e-8)  # launch 1 was drawn
        row = self.run_ok('p.plan')[0]
        about = self.json('stats.json')['extrapolated']
        cycles = 3 * int(row['cycles'])
        self.assertEqual(about['no_error_bar'], 'strata with one measured launch of several')
        self.assertEqual(about['statistics']['cycles']['value'], cycles)
        self.assertAlmostEqual(about['statistics']['cycles']['error'], 1.959964 * cycles * float(spread) * (2 / 3) ** 0.5,
                               delta=1e-3)
        self.assertIsNone(about['statistics']['l2_reads']['error'])


    def check_bar(self, *given):
        """Chosen by another card's times, the run of the plan p.plan has the bar that an evaluation finds."""
        latency = '--set', 'gpgpu_kernel_launch_latency=0'
        self.run_ok(demo('solver'), *latency, out='full')
        self.run_ok(demo('solver'), *latency, '-c', 'qv100', out='other')
        self.hearth('trace', 'profile', demo('solver'), '-o', 'w.csv', '--cycles', 'other', '--no-blocks', '--no-bbv')
        given = ('sample', 'w.csv', '--workload', demo('solver'), '--method') + given
        self.hearth(*given, '-o', 'p.plan', '-q')
        row = next(csv.DictReader(io.StringIO(self.hearth(*given, '--evaluate', '--judge', 'full', '-o', '-').stdout)))
        self.hearth('run', 'p.plan', *latency, '--warm', 'full', '-q', '-o', 'sampled')
        cycles = self.json('stats.json', 'sampled')['extrapolated']['statistics']['cycles']
        self.assertGreater(cycles['error'], 0)
        self.assertAlmostEqual(cycles['value'], float(row['predicted']), delta=5e-6 * cycles['value'])
        self.assertAlmostEqual(cycles['error'], float(row['bar']) * float(row['cycles']), delta=1e-5 * cycles['error'])

    def test_bar_by_times(self):
        """two-phase: the plan has times."""
        self.check_bar('two-phase', '--budget', '8')
        self.assertRegex(self.text('p.plan'), r'(?m)^!method name=two-phase budget=8 .* scale=times draw=random')
        self.assertRegex(self.text('p.plan'), r'(?m)^!step .* group=1 size=\d')
        self.assertRegex(self.text('p.plan'), r'(?m)^!step .* scale=[2-9][.0-9]* .* group=\d+ size=\d')

    def test_bar_of_few_launches(self):
        """random: the plan has the spread of the profile's times."""
        self.check_bar('random', '--count', '5', '--seed', '3')
        self.assertRegex(self.text('p.plan'), r'(?m)^!step .* spread=\d')

    def test_wrong_groups(self):
        self.workload('w')
        for keys, message in (('group=0 size=1', 'group=0: expected a whole number from 1 to 4294967295'),
                              ('group=x size=1', 'group=x: expected'), ('group=1', 'size='),
                              ('group=1 size=0', 'expected a number above 0'), ('size=3', 'expected a number above 0')):
            self.write('w/bad.plan', '!plan 1\n!step role=measure stratum=1 %s\nkernel-1.traceg\n' % keys)
            self.fails(2, message, 'run', 'w/bad.plan', '-o', 'x')


class Evaluation(Case):
    def evaluate(self, *arguments):
        text = self.hearth('sample', *arguments, '--evaluate', '-o', '-').stdout
        return list(csv.DictReader(io.StringIO(text)))

    def test_one(self):
        self.write('p.csv', PROFILE)
        rows = self.evaluate('p.csv', '--method', 'sieve')
        self.assertEqual(len(rows), 1)
        row = rows[0]
        self.assertEqual((row['cycles'], row['predicted'], row['error'], row['speedup_cycles']), ('200', '200', '0', '2'))
        self.assertEqual((row['tier1'], row['tier2'], row['tier3'], row['representatives']), ('5', '0', '0', '3'))

    def test_ranges(self):
        self.write('p.csv', PROFILE)
        rows = self.evaluate('p.csv', '--method', 'optimal,random', '--theta', '0.1,0.4', '--seed', '1,2', '--count', '3')
        self.assertEqual([(row['method'], row['theta'], row['count'], row['seed']) for row in rows],
                         [('optimal', '0.1', '', '1'), ('optimal', '0.1', '', '2'), ('optimal', '0.4', '', '1'),
                          ('optimal', '0.4', '', '2'), ('random', '', '3', '1'), ('random', '', '3', '2')])

    def test_all_says_what_cannot_be_done(self):
        self.write('p.csv', PROFILE)
        self.write('q.csv', PROFILE)
        rows = self.evaluate('p.csv', 'q.csv', '--method', 'all')
        listed = [line.split()[0] for line in self.hearth('sample', '--list').stdout.splitlines()]
        self.assertEqual([row['method'] for row in rows], 2 * listed)
        artifact = [row for row in rows if row['method'] == 'sieve-artifact'][0]
        self.assertIn('sieve-artifact needs grid_x', artifact['note'])
        self.assertEqual(artifact['error'], '')

    def test_goes_on_after_a_method_without_its_columns(self):
        self.write('p.csv', PROFILE)
        rows = self.evaluate('p.csv', '--method', 'sieve-artifact,sieve')
        self.assertEqual([(row['method'], row['error']) for row in rows], [('sieve-artifact', ''), ('sieve', '0')])
        self.assertIn('sieve-artifact needs grid_x', rows[0]['note'])
        self.fails(2, 'sieve-artifact needs grid_x', 'sample', 'p.csv', '--method', 'sieve-artifact', '--evaluate', '-o', 'x.csv')

    def test_cycles_of_a_run(self):
        self.workload('w')
        self.run_ok('w')
        rows = self.evaluate('w', '--method', 'first-n', '--count', '3', '--cycles', 'out')
        self.assertEqual(rows[0]['error'], '0')


    def test_judged_by_another_card(self):
        """Chosen with a card's cycles, judged by another's: the profile keeps its own."""
        self.workload('w')
        self.run_ok('w', out='here')
        self.run_ok('w', '-c', 'qv100', out='there')
        self.hearth('trace', 'profile', 'w', '-o', 'w.csv', '--cycles', 'here', '--no-blocks', '--no-bbv')
        mine, = self.evaluate('w.csv', '--method', 'stem')
        other, = self.evaluate('w.csv', '--method', 'stem', '--judge', 'there')
        there = self.json('stats.json', 'there')['totals']['cycles']['value'] - 5000 * int(other['launches'])
        self.assertEqual((int(other['cycles']), other['representatives']), (there, mine['representatives']))
        self.assertNotEqual(mine['cycles'], other['cycles'])
        self.assertNotEqual(mine['bar'], '')
        self.fails(2, '--judge goes with --evaluate of one profile', 'sample', 'w.csv', '--method', 'stem', '-o', 'x',
                   '--judge', 'there')
        self.fails(3, 'nowhere', 'sample', 'w.csv', '--method', 'stem', '--evaluate', '-o', 'x', '--judge', 'nowhere')
        self.run_ok('w', '--launches', '1', out='part')
        self.fails(2, 'part: --judge: no cycles of launch 2', 'sample', 'w.csv', '--method', 'stem', '--evaluate', '-o',
                   'x', '--judge', 'part')

    def test_times_of_no_launch_are_refused(self):
        """Their squares would make spreads and scales that are not finite."""
        self.write('t.csv', 'launch,kernel,grid_x,grid_y,grid_z,block_x,block_y,block_z,warp_insts,time_ns\n'
                   + ''.join('%d,k,8,1,1,256,1,1,900,%s\n' % (i, '1e308' if i % 2 else '1e-300') for i in range(1, 9)))
        self.fails(2, "not a launch's time", 'sample', 't.csv', '--method', 'stem', '-o', 'x.plan')


class Messages(Case):
    def test_command_line(self):
        self.write('p.csv', PROFILE)
        given = ('sample', 'p.csv', '-o', 'x')
        self.fails(2, '--method "siev": expected one of sieve, ', *given, '--method', 'siev')
        for wrong, meant in (('siev', 'sieve'), ('PKS', 'pks'), ('tb-point', 'tbpoint'), ('seive-artifact', 'sieve-artifact')):
            self.fails(2, 'first-n; did you mean %s?\n' % meant, *given, '--method', wrong)
        for wrong in ('', 'x', 'simpoint-with-a-name-longer-than-any'):
            self.fails(2, 'periodic, first-n\n', *given, '--method', wrong)
        self.fails(2, '--method METHOD is missing', *given)
        self.fails(2, 'no output', 'sample', 'p.csv', '--method', 'sieve')
        self.fails(2, 'one workload or one profile', 'sample', 'p.csv', 'p.csv', '--method', 'sieve', '-o', 'x')
        self.fails(2, '--theta "x": expected a number', *given, '--method', 'sieve', '--theta', 'x')
        self.fails(2, '--theta is no option of random', *given, '--method', 'random', '--theta', '1')
        self.fails(2, '--seed "-1"', *given, '--method', 'random', '--seed', '-1')
        for output in ('--strata', '--trace-list'):
            self.fails(2, '-o, --strata and --trace-list need a file each', *given, '--method', 'sieve', output, 'x')
        self.write('x', '')
        self.fails(4, 'exists already', 'sample', 'p.csv', '--method', 'sieve', '-o', 'x')
        self.assertEqual(sorted(os.listdir(self.place)), ['p.csv', 'x'])

    def test_lists(self):
        """Nothing is tried where one of a list is wrong."""
        self.write('p.csv', PROFILE)
        given = ('sample', 'p.csv', '--evaluate')
        self.fails(2, '--method "siev"', *given, '--method', 'sieve,siev')
        self.fails(2, '--method "": ', *given, '--method', 'sieve,')
        self.fails(2, '--theta "x"', *given, '--method', 'sieve', '--theta', '0.1,x')
        self.fails(2, '--seed "x"', *given, '--method', 'random', '--seed', '1,x')
        self.fails(2, '--count is no option of sieve,optimal', *given, '--method', 'sieve,optimal', '--count', '3')
        self.write('q.csv', 'launch,kernel,warp_insts\n1,a,5\n')
        self.fails(2, 'q.csv: an evaluation needs cycles', 'sample', 'q.csv', '--evaluate', '--method', 'sieve', '-o', '-')

    def test_profiles(self):
        def refuse(code, message, text, method='sieve'):
            self.write('p.csv', text)
            self.fails(code, message, 'sample', 'p.csv', '--method', method, '-o', 'x')
            self.assertEqual(os.listdir(self.place), ['p.csv'])
        refuse(2, 'p.csv:2: sieve needs warp_insts or thread_insts of every launch; launch 1 has none', 'launch,kernel\n1,a\n')
        refuse(2, 'stem needs time_ns or cycles', 'launch,kernel,warp_insts\n1,a,5\n', 'stem')
        refuse(2, 'sieve-artifact needs grid_x', 'launch,kernel,warp_insts\n1,a,5\n', 'sieve-artifact')
        refuse(3, 'p.csv:2:', 'launch,kernel,warp_insts\n1,a,many\n')
        refuse(3, 'p.csv:3: launch 2 has 0 warp instructions; sieve needs more', 'launch,kernel,warp_insts\n1,a,5\n2,a,0\n')
        refuse(3, 'launch 1', 'launch,kernel,warp_insts\n1,a,5\n1,a,5\n')
        refuse(3, 'p.csv', 'launch,kernel,warp_insts\n')
        refuse(3, 'p.csv', '')

    def test_missing(self):
        self.fails(3, 'no.csv', 'sample', 'no.csv', '--method', 'sieve', '-o', 'x')
        self.fails(3, 'nothing', 'sample', 'nothing', '--method', 'sieve', '-o', 'x')


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
