"""hearth study correlate: tables from measured rows that are known."""
import csv
import os
import re
import shutil
import sys
import unittest

from case import Case, demo


class Correlate(Case):
    COMMAND = ('study', 'correlate')

    def simulate(self, name='reduction', *arguments):
        """The rows of a bundled workload without launch latency."""
        return self.run_ok(demo(name), '-c', 'h100', '--set', 'gpgpu_kernel_launch_latency=0', *arguments,
                           out='rows-' + name + '-'.join(arguments))

    def measured(self, rows, factor, columns=(), name='hw.csv', app=None):
        """Rows as if hardware had taken FACTOR(i) times the simulated cycles of launch i."""
        lines = ['app,launch,kernel,grid,sm_cycles' + ''.join(',' + column for column, _ in columns)]
        for i, row in enumerate(rows):
            lines.append('%s,%d,%s,%s,%r%s' % (app or 'reduction', i + 1, row['kernel'], row['grid'],
                                               float(row['cycles']) * factor(i),
                                               ''.join(',%s' % value(i, row) for _, value in columns)))
        return self.write(name, '\n'.join(lines) + '\n')

    def correlate(self, *arguments, out='study'):
        done = self.hearth('study', 'correlate', *arguments, '-c', 'h100', '-o', self.path(out))
        return done.stdout

    def table(self, name, out='study'):
        with open(self.path(out, name + '.csv'), newline='') as f:
            return list(csv.DictReader(f))

    def figure(self, name, out='study'):
        return float(next(row['value'] for row in self.table('summary', out) if row['figure'] == name))

    def test_errors_that_are_known(self):
        rows = self.simulate()
        self.assertGreaterEqual(len(rows), 2)
        hardware = self.measured(rows, lambda i: 1 / 1.25 if i == 0 else 2)     # +25 %, then -50 %
        self.correlate(demo('reduction'), '--hardware', hardware, '-q')
        launches = self.table('launches')
        self.assertEqual([row['error'] for row in launches], ['25.00'] + ['-50.00'] * (len(rows) - 1))
        program, = self.table('programs')
        n = len(rows)
        self.assertAlmostEqual(float(program['error']), (25 + 50 * (n - 1)) / n, places=2)
        self.assertAlmostEqual(float(program['bias']), (25 - 50 * (n - 1)) / n, places=2)
        self.assertEqual((program['launches'], program['missing'], program['varies']), (str(n), '0', '0'))
        self.assertAlmostEqual(self.figure('error, mean of programs'), float(program['error']), places=2)
        self.assertEqual(self.table('unmatched'), [])
        kernel, = self.table('kernels')                     # the program has one: it has the same errors
        for name in 'error bias sum median p90 worst pearson rank'.split():
            self.assertEqual(kernel[name], program[name], name)
        self.assertEqual((kernel['median'], kernel['worst']), ('50.00', '50.00'))

    def test_missing_launches_count_in_full(self):
        rows = self.simulate()
        extra = dict(rows[0], kernel='another', cycles='100')
        hardware = self.measured(rows + [extra], lambda i: 1)
        self.correlate(demo('reduction'), '--hardware', hardware, '-q')
        program, = self.table('programs')
        self.assertEqual(program['missing'], '1')
        self.assertAlmostEqual(float(program['error']), 100 / (len(rows) + 1), places=2)
        self.assertEqual([(row['side'], row['kernel']) for row in self.table('unmatched')], [('measured', 'another')])

    def test_only_chosen_launches(self):
        rows = self.simulate()
        hardware = self.measured(rows, lambda i: 2 if i == 0 else 1)
        self.correlate(demo('reduction'), '--hardware', hardware, '--launches', '1', '-q')
        program, = self.table('programs')
        self.assertEqual((program['launches'], program['missing'], program['error']), ('1', '0', '50.00'))
        self.assertEqual(self.table('unmatched'), [])

    def test_rows_that_vary_stand_apart(self):
        rows = self.simulate()
        hardware = self.measured(rows, lambda i: 2 if i == 0 else 1, [('varies', lambda i, row: int(i == 0))])
        self.correlate(demo('reduction'), '--hardware', hardware, '-q')
        program, = self.table('programs')
        self.assertEqual((program['error'], program['varies'], program['varies_error']), ('0.00', '1', '50.00'))

    def test_cold_caches(self):
        rows, cold = self.simulate('dct8x8', '--launches', '1-8'), self.simulate('dct8x8', '--launches', '1-8', '--flush', 'all')
        hardware = self.measured(rows, lambda i: 1, [('cold_sm_cycles', lambda i, row: cold[i]['cycles'])], app='dct8x8')
        self.correlate(demo('dct8x8'), '--launches', '1-8', '--hardware', hardware, '-q')
        program, = self.table('cold')
        self.assertEqual(program['difference'], '0.0')
        self.assertGreater(float(program['measured_penalty']), 5)
        self.assertAlmostEqual(self.figure('cold over warm, rank correlation of launches that lose 5 % or more'), 1)
        self.correlate(demo('dct8x8'), '--launches', '1-8', '--hardware', hardware, '-q', '--no-cold', out='warm')
        with self.assertRaises(FileNotFoundError):
            self.table('cold', 'warm')

    def test_placements(self):
        draws = [('--set', 'hearth_l2_half_seed=%d' % n, '--set', 'hearth_gpc_turn=%d' % n) for n in range(1, 5)]
        rows = [self.simulate('dct8x8', '--launches', '1-8', *(draws[n] if n else ())) for n in range(4)]
        cycles = [[int(row['cycles']) for row in run] for run in rows]
        self.assertGreater(len({tuple(each) for each in cycles}), 1)
        hardware = self.measured(rows[0], lambda i: 1, app='dct8x8')
        self.correlate(demo('dct8x8'), '--launches', '1-8', '--hardware', hardware, '--placements', '4', '-q')
        self.assertEqual([int(row['simulated']) for row in self.table('launches')],
                         [(sum(each) + 2) // 4 for each in zip(*cycles)])
        self.assertIn('"placements": 4', self.text('study', 'study.json'))
        self.assertEqual(sorted(os.listdir(self.path('study', 'runs'))),
                         ['dct8x8', 'dct8x8.placement-1', 'dct8x8.placement-2', 'dct8x8.placement-3'])
        cold = self.simulate('dct8x8', '--launches', '1-8', '--flush', 'all')
        hardware = self.measured(rows[0], lambda i: 1, [('cold_sm_cycles', lambda i, row: cold[i]['cycles'])], app='dct8x8')
        self.hearth('study', 'cold-start', demo('dct8x8'), '--launches', '1-8', '--hardware', hardware, '-c', 'h100',
                    '--placements', '4', '-q', '-o', self.path('cold'))
        means = [(sum(each) + 2) // 4 for each in zip(*cycles)]
        self.assertEqual([int(row['simulated_warm']) for row in self.table('launches', 'cold')], means)

    def test_placements_refused(self):
        hardware = self.measured(self.simulate(), lambda i: 1)
        self.fails(2, 'no address tells a half of L2', demo('reduction'), '--hardware', hardware, '-c', 'rtx3070',
                   '--placements', '2', '-q', '-o', self.path('bad'))
        self.assertEqual(os.listdir(self.path('bad', 'runs')), [])    # before a run
        self.fails(2, '--placements', demo('reduction'), '--hardware', hardware, '--placements', '0', '-o', self.path('bad'))
        self.fails(2, 'folder of results', self.path('rows-reduction'), '--hardware', hardware, '--placements', '2', '-o', self.path('bad'))

    def test_counters(self):
        rows = self.simulate()
        columns = [('lts__t_sectors_srcunit_tex.sum', lambda i, row: 2 * (int(row['l2_reads']) + int(row['l2_writes']))),
                   ('smsp__inst_executed.sum', lambda i, row: row['warp_insts'])]
        self.correlate(demo('reduction'), '--hardware', self.measured(rows, lambda i: 1, columns), '-q')
        counters = {row['counter']: row for row in self.table('counters')}
        self.assertEqual(counters['lts__t_sectors_srcunit_tex.sum']['sum_error'], '-50.00')
        self.assertEqual(counters['smsp__inst_executed.sum']['sum_error'], '0.00')
        self.assertEqual(counters['lts__t_sectors_srcunit_tex.sum']['simulated_as'], 'l2_reads + l2_writes')
        self.assertEqual(len(counters), 2)
        other = self.measured(rows, lambda i: 1, columns, name='counters.csv')
        self.correlate(demo('reduction'), '--hardware', self.measured(rows, lambda i: 1), '--counters', other, '-q', out='b')
        self.assertEqual(self.table('counters', 'b'), self.table('counters'))

    def test_results_with_a_launch_latency(self):
        rows = self.simulate()
        hardware = self.measured(rows, lambda i: 1)
        self.run_ok(demo('reduction'), '-c', 'h100', '--set', 'gpgpu_kernel_launch_latency=4000', out='reduction')
        self.correlate(self.path('reduction'), '--hardware', hardware, '-q')
        self.assertLess(float(self.table('programs')[0]['error']), 2)     # turns differ by the phase of the clocks
        with open(hardware) as f:
            text = f.read().replace('sm_cycles', 'gpc_cycles')
        self.correlate(self.path('reduction'), '--hardware', self.write('gpc.csv', text), '--with-launch', '-q', out='b')
        self.assertGreater(float(self.table('programs', 'b')[0]['bias']), 10)

    def test_nsight_compute(self):
        rows = self.simulate()
        lines = ['"ID","Kernel Name","Grid Size","sm__cycles_active.max"', '"","","","cycle"']
        for i, row in enumerate(rows):
            name = re.sub(r'^_Z\d+(reduce\d?).*', r'void \1<float>(const float *)', row['kernel'])
            grid = '(%s)' % row['grid'].replace('x', ', ')
            lines.append('"%d","%s","%s","%s"' % (i, name, grid, format(int(row['cycles']), ',')))
        self.correlate(demo('reduction'), '--hardware', self.write('ncu.csv', '\n'.join(lines) + '\n'), '-q')
        program, = self.table('programs')
        self.assertEqual((program['launches'], program['error'], program['missing']), (str(len(rows)), '0.00', '0'))

    def test_calibration(self):
        rows = self.simulate()
        n = len(rows)
        columns = [('label', lambda i, row: 'r%d' % i), ('mechanism', lambda i, row: 'warm' if i == n - 1 else 'turns'),
                   ('parameters', lambda i, row: 'warps=8;it=%d' % (2 ** i)), ('work', lambda i, row: 2 ** i),
                   ('sm_cycles_2', lambda i, row: 2 * int(row['cycles']))]
        # Launch 0 lies between the two runs, the others are half of the nearer.
        hardware = self.measured(rows, lambda i: 0.5 if i == 0 else 3, columns)
        self.correlate(demo('reduction'), '--hardware', hardware, '--calibration', '-q')
        self.assertEqual([row['error'] for row in self.table('rows')], ['0.00'] + ['-50.00'] * (n - 1))
        mechanisms = {row['mechanism']: row for row in self.table('mechanisms')}
        self.assertEqual(sorted(mechanisms), ['all but app and warm', 'turns', 'warm'])
        self.assertEqual(mechanisms['all but app and warm']['rows'], str(n - 1))
        slope = self.table('slopes')[0]
        self.assertEqual((slope['from'], slope['to']), ('r0', 'r1'))
        cycles = [int(row['cycles']) for row in rows]
        self.assertAlmostEqual(float(slope['simulated']), cycles[1] - cycles[0], places=3)
        self.assertAlmostEqual(float(slope['measured']), 3 * cycles[1] - 0.5 * cycles[0], places=3)

    def test_page(self):
        rows = self.simulate()
        out = self.correlate(demo('reduction'), '--hardware', self.measured(rows, lambda i: 1 + i / 10))
        self.assertIn('error, mean of programs', out)
        page = self.text('study', 'index.html')
        self.assertEqual(page.count('<figure'), 2)
        self.assertRegex(page, r'<p>The simulated cycles of %d launches of 1 program are [0-9.]+ %% from the measured' % len(rows))
        self.assertIn('<dd>h100</dd>', page)
        self.assertIn('<dd>132 SMs at 1980 MHz', page)
        self.assertEqual(page.count('<circle '), len(rows))
        self.assertNotIn('http://', page.replace('http://www.w3.org/2000/svg', ''))
        self.assertEqual(self.json('study.json', 'study')['study'], 'correlate')

    def test_odd_cells(self):
        """Cycles that are none make no launch; two programs that match the same rows need room for both."""
        rows = self.simulate()
        lines = ['app,launch,kernel,sm_cycles,cold_sm_cycles']
        for i, row in enumerate(rows):
            lines.append(',1e30,%s,%s,%s' % (row['kernel'], row['cycles'], 2 * int(row['cycles'])))
        for cycles in ('', '0', '-1', 'nan', 'inf', 'x'):
            lines.append(',7,%s,%s,1' % (rows[0]['kernel'], cycles))
        hardware = self.write('odd.csv', '\n'.join(lines) + '\n')
        for name in ('a', 'a-cold'):
            shutil.copy(demo('reduction'), self.path(name + '.packed'))
        done = self.hearth('study', 'correlate', self.path('a.packed'), self.path('a-cold.packed'), '-c', 'h100',
                           '--hardware', hardware, '-o', self.path('study'), '-q')
        self.assertIn('6 launches without a number of cycles are left out', done.stderr)
        self.assertEqual([(row['program'], row['error'], row['missing']) for row in self.table('programs')],
                         [('a', '0.00', '0'), ('a-cold', '0.00', '0')])
        self.assertEqual([row['launch'] for row in self.table('launches')], [str(i + 1) for i in range(len(rows))] * 2)
        self.assertEqual(len(self.table('cold')), 2)

    def test_messages(self):
        rows = self.simulate()
        hardware = self.measured(rows, lambda i: 1)
        def bad(code, text, *arguments):
            self.fails(code, text, *arguments, '-o', self.path('bad'))
        bad(2, 'expected a workload', '--hardware', hardware)
        bad(2, '--hardware', demo('reduction'))
        bad(3, 'nowhere.csv', demo('reduction'), '--hardware', 'nowhere.csv')
        bad(3, 'no column kernel', demo('reduction'), '--hardware', self.write('a.csv', 'launch,sm_cycles\n1,2\n'))
        bad(3, 'no column sm_cycles', demo('reduction'), '--hardware', self.write('b.csv', 'launch,kernel\n1,k\n'))
        bad(3, 'no column energy', demo('reduction'), '--hardware', hardware, '--metric', 'energy')
        bad(3, 'there is no launch', demo('reduction'), '--hardware', self.write('c.csv', 'kernel,sm_cycles\n'))
        bad(3, 'no column label', demo('reduction'), '--hardware', hardware, '--calibration', '-q')
        bad(2, 'no launch of reduction matches', demo('reduction'), '-q', '--hardware',
            self.write('d.csv', 'app,kernel,sm_cycles\nother,k,1\n'))
        bad(2, 'no column app', demo('reduction'), demo('gemm'), '--hardware',
            self.write('e.csv', 'kernel,sm_cycles\nk,1\n'))
        bad(2, 'have the same name', demo('reduction'), demo('reduction'), '--hardware', hardware)


if __name__ == '__main__':
    unittest.main(argv=[sys.argv[0]] + sys.argv[3:], verbosity=2)
