"""Tests of hearth diff on the command line.

usage: diff_test.py HEARTH SOURCE_ROOT [TEST]...
"""
import csv
import io
import json
import sys
import unittest

from case import Case, demo


class Check(Case):
    COMMAND = ('diff', '--check')

    def results(self, name, *rows):
        self.write(name + '/kernels.csv', 'step,launch,kernel,role,cycles,ipc\n' + ''.join(r + '\n' for r in rows))
        return self.path(name)

    def test_differences(self):
        a = self.results('a', '1,1,"f(int, int)",measure,1000,2.5', '2,2,g,measure,200,1')
        b = self.results('b', '1,1,"f(int, int)",measure,1010,2.5', '2,2,g,measure,150,1')
        self.assertEqual(self.hearth('diff', '--check', a, a).stdout, '')
        lines = self.hearth('diff', '--check', a, b, code=1).stdout.splitlines()
        self.assertEqual(lines[1].split(), ['cycles', '2', '25.000', '2', '200', '150'])
        self.assertEqual(len(lines), 2)
        self.hearth('diff', '--check', a, b, '--tolerance', '25')
        self.hearth('diff', '--check', a, b, '--tolerance', '24.9', code=1)
        self.hearth('diff', '--check', a, b, '--tolerance', 'cycles=30')
        self.hearth('diff', '--check', a, b, '--tolerance', 'ipc=30', code=1)
        self.hearth('diff', '--check', a, b, '--ignore', 'cycles')
        self.assertEqual(self.hearth('diff', '--check', a, b, '-q', code=1).stdout, '')

    def test_rows_and_columns(self):
        a = self.results('a', '1,1,f,measure,1000,2.5', '2,2,g,measure,200,1')
        b = self.results('b', '1,1,f,measure,1000,2.5')
        self.assertIn('rows: 2 and 1', self.hearth('diff', '--check', a, b, code=1).stdout)
        self.write('c/kernels.csv', 'step,launch,kernel,role,cycles\n1,1,f,measure,1000\n')
        self.assertRegex(self.hearth('diff', '--check', b, self.path('c'), code=1).stdout, r'ipc +1 +there +absent')
        self.hearth('diff', '--check', b, self.path('c'), '--ignore', 'ipc')

    def test_odd_numbers(self):
        """What is no number differs from one by more than any tolerance; no rows differ from some."""
        a = self.results('a', '1,1,f,measure,1000,2.5', '2,2,g,measure,200,1')
        for odd in ('nan', 'inf', '', 'x'):
            b = self.results('b', '1,1,f,measure,1000,2.5', '2,2,g,measure,%s,1' % odd)
            self.assertEqual(self.hearth('diff', '--check', b, b).stdout, '')
            line = self.hearth('diff', '--check', a, b, '--tolerance', '100', code=1).stdout.splitlines()[1]
            self.assertEqual(line.split(), ['cycles', '1', '2', '200'] + odd.split())
        same = self.results('same', '1,1,f,measure,1e3,2.50', '2,2,g,measure,200.0,1')
        self.assertEqual(self.hearth('diff', '--check', a, same).stdout, '')
        self.assertEqual(self.hearth('diff', '--check', a, self.results('none'), code=1).stdout, 'rows: 2 and 0\n')

    def test_measured(self):
        a = self.results('a', '1,1,f,measure,10,1', '2,2,g,measure,20,1', '3,3,h,measure,30,1')
        b = self.results('b', '1,2,g,warm,0,0', '2,3,h,measure,30,1')
        self.assertEqual(self.hearth('diff', '--check', a, b, '--measured').stdout, '')
        c = self.results('c', '1,3,h,measure,33,1')
        self.assertRegex(self.hearth('diff', '--check', a, c, '--measured', code=1).stdout, r'cycles +1 +9.091 +3 +30 +33')
        self.fails(3, 'no row of it is in', a, self.results('d', '1,9,h,measure,33,1'), '--measured')

    def test_bad_input(self):
        a = self.results('a', '1,1,f,measure,1000,2.5')
        self.fails(2, '--check: expected two folders of results, got 1', a)
        self.fails(2, '--check: expected two folders of results, got 3', a, a, a)
        self.fails(3, 'cannot open', a, self.path('nothing'))
        wide = ','.join('c%d' % n for n in range(600)) + '\n'
        self.write('wide/kernels.csv', wide)
        self.fails(3, 'more than 512 columns', a, self.path('wide'))
        self.fails(2, '--tolerance "x=y"', a, a, '--tolerance', 'x=y')
        self.fails(2, '--tolerance "=5": expected a column', a, a, '--tolerance', '=5')
        self.fails(2, '--ignore "": expected a column', a, a, '--ignore', '')
        for option in ('--tolerance', '--ignore'): # a name that is misspelt would do nothing
            self.fails(2, option + ': neither of the two results has a column "cycle"', a, a, option,
                       'cycle=5' if option == '--tolerance' else 'cycle')
        self.write('twice/kernels.csv', 'step,cycles,cycles\n1,2,3\n')
        self.fails(3, 'two columns are called "cycles"', self.path('twice'), a)
        self.write('empty/kernels.csv', '')
        self.fails(3, 'there are no columns', a, self.path('empty'))
        self.fails(2, '--tolerance "-1"', a, a, '--tolerance=-1')


class Compare(Case):
    COMMAND = ('diff',)
    CORE_HZ = 1132e6    # of rtx3070
    more = {}           # further counters of each launch of the next results()

    def results(self, name, *rows, **settings):
        """A folder of results; a row is launch, mangled kernel, role, cycles, l2_reads, l2_read_hits."""
        lines = [','.join(('step,launch,kernel,stream,role,cycles,start_cycle,warp_insts,thread_insts,l2_reads,l2_read_hits',
                          *self.more))]
        start = 0
        for step, (launch, kernel, role, cycles, reads, hits) in enumerate(rows, 1):
            lines.append('%d,%d,%s,0,%s,%d,%d,100,3200,%d,%d' % (step, launch, kernel, role, cycles, start, reads, hits) +
                         ''.join(',%d' % count for count in self.more.values()))
            start += cycles
        self.write(name + '/kernels.csv', ''.join(line + '\n' for line in lines))
        sets = [word for key, value in settings.items() for word in ('--set', '%s=%s' % (key, value))]
        self.write(name + '/config.out', self.hearth('config', 'show', *sets).stdout)
        return self.path(name)

    def tidy(self, *folders):
        """The values of --format csv by run, kind and name."""
        text = self.hearth('diff', *folders, '--format', 'csv').stdout
        return {(r['run'], r['kind'], r['name']): r for r in csv.DictReader(io.StringIO(text))}

    BASE = ((1, '_Z1fIfEvPT_', 'measure', 1000, 80, 40), (2, '_Z1gv', 'measure', 3000, 20, 10),
            (3, '_Z1gv', 'warm', 500, 7, 7), (4, '_Z1gv', 'measure', 1000, 0, 0))

    def test_speedups(self):
        """By hand: f 2.0; g 4000 / 3200 = 1.25; total 5000 / 3700; means of kernels and of launches."""
        a = self.results('a', *self.BASE)
        b = self.results('b', (1, '_Z1fIfEvPT_', 'measure', 500, 80, 40), (2, '_Z1gv', 'measure', 2400, 40, 20),
                         (4, '_Z1gv', 'measure', 800, 0, 0))
        rows = self.tidy(a, b)
        self.assertAlmostEqual(float(rows[b, 'total', 'time']['base']), 5000 / self.CORE_HZ)
        self.assertAlmostEqual(float(rows[b, 'total', 'time']['speedup']), 5000 / 3700, 6)
        self.assertAlmostEqual(float(rows[b, 'kernel', '_Z1fIfEvPT_']['speedup']), 2)
        self.assertAlmostEqual(float(rows[b, 'kernel', '_Z1gv']['speedup']), 1.25)
        self.assertEqual(rows[b, 'kernel', '_Z1gv']['launches'], '2')
        self.assertAlmostEqual(float(rows[b, 'mean', 'kernels']['speedup']), (2 * 1.25) ** .5, 6)
        self.assertAlmostEqual(float(rows[b, 'mean', 'launches']['speedup']), (2 * 1.25 * 1.25) ** (1 / 3), 6)
        self.assertEqual(rows[b, 'counter', 'l2_reads']['change'], '20')
        self.assertNotIn((b, 'counter', 'warp_insts'), rows)
        self.assertNotIn((b, 'ratio', 'l2_read_hit_rate'), rows)
        text = self.hearth('diff', a, b).stdout
        self.assertRegex(text, r'\bb +3 +3 +0\.0044 +0\.0033 +1\.351 +1\.581 +1\.462')
        self.assertRegex(text, r'g +2 +0\.0035 +1\.250\nf<float> +1 +0\.0009 +2\.000')
        self.assertRegex(text, r'l2_read_hits +50 +\+20\.00')

    def test_only_what_both_have(self):
        """Launches of another number or kernel do not count, warm ones never."""
        a = self.results('a', *self.BASE)
        b = self.results('b', (2, '_Z1gv', 'measure', 1500, 10, 10), (4, '_Z1hv', 'measure', 10, 0, 0),
                         (9, '_Z1gv', 'measure', 10, 500, 0))
        rows = self.tidy(a, b)
        self.assertEqual(rows[b, 'total', 'time']['launches'], '1')
        self.assertEqual(rows[b, 'total', 'time']['speedup'], '2')
        self.assertEqual(rows[b, 'counter', 'l2_reads']['base'], '20')
        self.assertEqual(rows[b, 'counter', 'l2_reads']['change'], '-50')
        self.assertEqual(rows[b, 'ratio', 'l2_read_hit_rate']['change'], '50')
        self.fails(3, 'no launch of it is in', a, self.results('c', (1, '_Z1gv', 'measure', 1, 0, 0)))

    def test_partial_runs_and_other_workloads(self):
        """They are compared, and it is said; not if nothing is common."""
        a, b = self.results('a', *self.BASE), self.results('b', *self.BASE)
        head = 'version 0.2.0 # of hearth\nworkload_digest %s # of names and sizes of the traces\npartial %d\n'
        self.write('a/stats.txt', head % ('0123456789abcdef', 0))
        self.write('b/stats.txt', head % ('0123456789abcdef', 1))
        self.write('b/run.json', '{\n  "stop_reason": "SIGINT"\n}\n')
        text = self.hearth('diff', a, b).stdout
        self.assertTrue(text.startswith('PARTIAL: b stopped before its end (SIGINT).\n'), text)
        self.assertNotIn('workload', text)
        found = json.loads(self.hearth('diff', a, b, '--format', 'json').stdout)
        self.assertEqual((found['base']['partial'], found['runs'][0]['partial'], found['runs'][0]['same_workload']),
                         (False, True, True))
        done = self.hearth('diff', a, b, '--format', 'csv')
        self.assertIn('note: PARTIAL: b stopped', done.stderr)
        self.assertNotIn('PARTIAL', done.stdout)
        self.write('b/stats.txt', head % ('0000000000000000', 0))
        self.write('b/run.json', '{\n  "workload": "other"\n}\n')
        self.assertIn('b is of another workload, other, than a, : compared are', self.hearth('diff', a, b).stdout)
        c = self.results('c', (1, '_Z1gv', 'measure', 1, 0, 0))
        self.write('c/stats.txt', head % ('0000000000000000', 0))
        self.fails(3, 'c: no launch of it is in %s: they are of different workloads' % a, a, c)

    def test_several_runs(self):
        """The counters of all runs are in one table, by their largest change in any of them."""
        a = self.results('a', *self.BASE)
        b = self.results('b', *self.BASE, dram_latency=300)
        c = self.results('c', (1, '_Z1fIfEvPT_', 'measure', 4000, 160, 0), gpgpu_l1_latency=20)
        text = self.hearth('diff', a, b, c).stdout
        self.assertRegex(text, r'option +a +b +c\n')
        self.assertRegex(text, r'dram_latency +254 +300 +254\n')
        self.assertRegex(text, r'gpgpu_l1_latency +39 +39 +20\n')
        self.assertRegex(text, r'f<float> +1 +0\.0009 +1\.000 +0\.250\n')
        self.assertRegex(text, r'g +2 +0\.0035 +1\.000 *\n')
        self.assertRegex(text, r'l2_reads +80 +\+100\.00\n')
        found = json.loads(self.hearth('diff', a, b, c, '--format', 'json').stdout)
        self.assertEqual([run['folder'] for run in found['runs']], [b, c])
        self.assertEqual(found['runs'][0]['options'], [{'name': 'dram_latency', 'base': '254', 'value': '300'}])
        self.assertEqual(found['runs'][1]['kernels'][0]['title'], 'f<float>')
        self.assertEqual(found['runs'][1]['compared'], 1)

    def test_counters_of_one_model(self):
        """What only one run counted comes after the changes, however large these are."""
        l0i = ['l0i_accesses', 'l0i_hits', 'l0i_misses', 'l0i_stream_hits', 'l1i_accesses', 'l1i_hits', 'l1i_misses']
        self.more = dict(dict.fromkeys(l0i, 0), l2_writes=10, dram_reads=5)
        a = self.results('a', *self.BASE)
        self.more = dict(dict.fromkeys(l0i, 9), l2_writes=11, dram_reads=0)
        b = self.results('b', *self.BASE)
        text = self.hearth('diff', a, b).stdout
        self.assertRegex(text, r'percent\ncounter +base +b\nl2_writes +30 +\+10\.00\nOnly in b: l0i_accesses, l0i_hits, l0i_misses, '
                               r'l0i_stream_hits, l1i_accesses, l1i_hits and 1 other\. Only in a: dram_reads\n')
        self.assertIn('l1i_hits, l1i_misses. Only', self.hearth('diff', a, b, '--counters', '0').stdout)
        names = [key[2] for key in self.tidy(a, b) if key[1] == 'counter']
        self.assertEqual(names, ['l2_writes', *l0i, 'dram_reads'])
        self.more.update(l0i_hits=0, l2_writes=15)
        c = self.results('c', *self.BASE)
        text = self.hearth('diff', a, b, c, '--counters', '1').stdout
        self.assertRegex(text, r'l2_writes +30 +\+10\.00 +\+50\.00\nNot in a: l0i_accesses, l0i_hits, .* and 1 other\. Only in a: ')
        text = self.hearth('diff', c, a, b, '--counters', '1').stdout
        self.assertRegex(text, r'\nl0i_accesses +27 +-100\.00 *\n\d+ more: --counters 0\. Not in c: dram_reads, l0i_hits\n')

    def test_clocks(self):
        """Times are compared, not cycles."""
        a = self.results('a', *self.BASE)
        b = self.results('b', *self.BASE, gpgpu_clock_domains='566:566:566:3500.5')
        self.assertEqual(self.tidy(a, b)[b, 'total', 'time']['speedup'], '0.5')

    def test_long_values(self):
        """Of a long value the part is shown that differs."""
        a = self.results('a', *self.BASE)
        mapping = 'dramid@8;00000000.00000000.00000000.00000000.0000RRRR.RRRRRRRR.RBBBCCCC.'
        b = self.results('b', *self.BASE, gpgpu_mem_addr_mapping=mapping + 'CSSSSSSS')
        self.assertRegex(self.hearth('diff', a, b).stdout, r'mem_addr_mapping +\.\.\.BCCCC\.BCCSSSSS +\.\.\.BCCCC\.CSSSSSSS\n')

    def test_limits(self):
        a = self.results('a', *self.BASE)
        b = self.results('b', *self.BASE, dram_latency=300, gpgpu_l1_latency=20)
        text = self.hearth('diff', a, b, '--kernels', '1', '--options', '1').stdout
        self.assertIn('1 more kernels: --kernels 0', text)
        self.assertIn('1 more options: --options 0', text)
        self.assertNotIn('f<float>', text)

    def test_real_runs(self):
        """A run is as fast as itself, and the ratio of totals is that of stats.json."""
        for name, latency in (('a', '187'), ('b', '900')):
            self.hearth('run', demo('spmv'), '-q', '-o', self.path(name), '--set', 'gpgpu_l2_rop_latency=' + latency)
        a, b = self.path('a'), self.path('b')
        same = self.tidy(a, a)
        self.assertEqual([key for key in same if key[1] in ('counter', 'ratio')], [])
        self.assertEqual(same[a, 'total', 'time']['speedup'], '1')
        cycles = [sum(int(row['cycles']) for row in self.rows(name)) for name in ('a', 'b')]
        self.assertLess(cycles[0], cycles[1])
        self.assertAlmostEqual(float(self.tidy(a, b)[b, 'total', 'time']['speedup']), cycles[0] / cycles[1], 6)

    def test_what_only_one_counted_is_no_change(self):
        """Of counters that a run must be asked for."""
        a, b = self.path('a'), self.path('b')
        self.hearth('run', demo('spmv'), '-q', '-o', a)
        self.hearth('run', demo('spmv'), '-q', '-o', b, '--activity', '--cpi-stack')
        self.assertEqual([key for key in self.tidy(a, b) if key[1] in ('counter', 'ratio')], [])

    def test_bad_input(self):
        a = self.results('a', *self.BASE)
        self.fails(2, 'expected 2 to 17 folders of results, got 1', a)
        self.fails(2, 'belong to --check', a, a, '--measured')
        self.fails(3, 'nothing/config.out: No such file or directory: not a results folder of hearth run', a, self.path('nothing'))
        self.write('d/config.out', '')
        self.fails(3, 'd/kernels.csv', a, self.path('d'))
        self.write('d/kernels.csv', 'launch,kernel\n1,f\n')
        self.fails(3, 'no column cycles', a, self.path('d'))
        self.write('d/kernels.csv', 'launch,cycles,start_cycle,kernel\n1,x,0,f\n')
        self.fails(3, 'cycles="x": expected a whole number', a, self.path('d'))


if __name__ == '__main__':
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
