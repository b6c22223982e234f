"""Tests of hearth sample by the methods that look at more than instructions: pks, tbpoint, photon and artifacts.

usage: sample_features_test.py HEARTH SOURCE_ROOT [TEST]...
"""
import csv
import io
import os
import shutil
import subprocess
import sys
import unittest
import xml.etree.ElementTree

from case import HEARTH, ROOT, Case

COLUMNS = ('launch,kernel,grid_x,grid_y,grid_z,block_x,block_y,block_z,warp_insts,thread_insts,gld_sectors,gst_sectors,'
           'lld_sectors,gld_insts,gst_insts,lld_insts,sld_insts,sst_insts,gatom_insts,divergence,mem_requests,'
           'cta_insts_cov,cycles,gld_insts_on,gst_insts_on').split(',')
# Two kinds of launches of two kernels; one of kernel b is a little apart.
LAUNCHES = ((1, 'a', 100, 8, 1000), (2, 'b', 100, 8, 1010), (3, 'a', 9000, 80, 50000), (5, 'b', 104, 8, 990),
            (6, 'a', 9000, 80, 50100))
FEATURES = ('gld_sectors', 'gst_sectors', 'lld_sectors', 'gld_insts', 'gst_insts', 'lld_insts', 'sld_insts',
            'sst_insts', 'gatom_insts', 'divergence', 'warp_insts', 'grid_x', 'grid_y', 'grid_z')
# What each method cannot do without.
NEEDS = {
    'pks': FEATURES,
    'pks-artifact': tuple(sorted(set(FEATURES) - {'lld_sectors', 'lld_insts', 'gatom_insts'})) +
    ('gld_insts_on', 'gst_insts_on', 'cycles'),
    'tbpoint': ('thread_insts', 'warp_insts', 'mem_requests', 'cta_insts_cov'),
    'photon': (),
    'photon-artifact': (),
}
BBV = 'launch,warp_type,warps,pc,insts,count\n'


def rows(launches=LAUNCHES):
    for launch, kernel, insts, grid, cycles in launches:
        row = dict.fromkeys(COLUMNS, 0)
        row.update(launch=launch, kernel=kernel, grid_x=grid, grid_y=1, grid_z=1, block_x=64, block_y=1, block_z=1,
                   warp_insts=insts, thread_insts=32 * insts, gld_sectors=insts, gst_sectors=insts, gld_insts=insts,
                   gst_insts=insts, divergence=32, mem_requests=2 * insts, cycles=cycles, gld_insts_on=insts,
                   gst_insts_on=insts)
        yield row


def profile(without=(), changes=(), launches=LAUNCHES):
    """A CSV; CHANGES are (index of the row, column, value)."""
    table = list(rows(launches))
    for index, column, value in changes:
        table[index][column] = value
    kept = [column for column in COLUMNS if column not in without]
    return ''.join(','.join(map(str, line)) + '\n' for line in [kept] + [[row[c] for c in kept] for row in table])


def blocks(launches=LAUNCHES):
    """Basic blocks: one each, small launches at 0, large ones at 64."""
    return BBV + ''.join('%d,0,%d,%d,4,3\n' % (launch, 2 * grid, 64 if insts > 1000 else 0)
                         for launch, _, insts, grid, _ in launches)


class Features(Case):
    def put(self, text=None, bbv=None):
        self.write('p.csv', text or profile())
        self.write('p.bbv.csv', bbv or blocks())

    def plan(self, method, *arguments):
        return self.hearth('sample', 'p.csv', '--method', method, '-q', '-f', '-o', '-', *arguments).stdout.splitlines()

    def table(self, *arguments):
        text = self.hearth('sample', 'p.csv', '--evaluate', '-q', '-o', '-', *arguments).stdout
        return list(csv.DictReader(io.StringIO(text)))


class Outputs(Features):
    # Of each method: representative, scale, stratum, what it stands for.
    STEPS = {
        'pks': [(1, '3', 1, '1-2,5'), (3, '2', 2, '3,6')],
        'pks-artifact': [(1, '3', 1, '1-2,5'), (3, '2', 2, '3,6')],
        'tbpoint': [(1, '1', 1, '1'), (2, '2.04', 3, '2,5'), (3, '2', 2, '3,6')],
        'photon': [(1, '1', 1, '1'), (2, '2.04', 2, '2,5'), (3, '2', 3, '3,6')],
        'photon-artifact': [(1, '3.04', 1, '1-2,5'), (3, '2', 2, '3,6')],
    }

    def test_plans(self):
        self.put()
        for method, steps in self.STEPS.items():
            lines = self.plan(method, '--trace-list', self.path('list'), '--strata', self.path('s.csv'))
            self.assertEqual(lines[:2], ['!plan 1', '!total launches=5 warp_insts=18304 thread_insts=585728'])
            self.assertRegex(lines[2], '^!method name=%s .*seed=0 scale=(insts|launches) draw=rule insts="warp instructions"$' % method)
            expected = []
            for launch, scale, stratum, stands in steps:
                expected += ['!step role=measure scale=%s stratum=%d stands=%s' % (scale, stratum, stands),
                             'kernel-%d.traceg' % launch]
            self.assertEqual(lines[3:], expected, method)
            self.assertEqual(self.text('list'), {2: '1 3\n', 3: '1-3\n'}[len(steps)])

    def test_strata(self):
        self.put()
        self.plan('pks', '--strata', self.path('s.csv'))
        table = list(csv.DictReader(io.StringIO(self.text('s.csv'))))
        self.assertEqual(table[0], {
            'stratum': '1', 'tier': '', 'kernel': 'a', 'kernels': '2', 'launches': '3', 'insts': '304', 'weight': '0.0166084',
            'insts_cov': '0.0186081', 'cycles_cov': '0.00816497', 'launch': '1', 'scale': '3', 'launch_insts': '100',
            'launch_cycles': '1000'})

    def test_evaluation(self):
        """Predicted: 3 x 1000 + 2 x 50000 by launches; by instructions 1000, 2.04 x 1010, 2 x 50000; of 103100."""
        self.put()
        for method, predicted in (('pks', 103000), ('pks-artifact', 103000), ('tbpoint', 103060.4), ('photon', 103060.4),
                                  ('photon-artifact', 103040)):
            row, = self.table('--method', method)
            self.assertEqual(float(row['cycles']), 103100)
            self.assertAlmostEqual(float(row['predicted']), predicted, places=6, msg=method)
            self.assertAlmostEqual(float(row['error']), abs(predicted - 103100) / 103100, places=9)

    def test_k(self):
        """Three launches differ: three clusters fit without rest, but 2 x 1000 + 990 is farther from the cycles."""
        self.put()
        found = self.table('--method', 'pks', '--k', '1,2,3,99,bic,silhouette,error')
        self.assertEqual([(row['k'], row['strata']) for row in found],
                         [('1', '1'), ('2', '2'), ('3', '3'), ('99', '3'), ('bic', '3'), ('silhouette', '2'), ('error', '2')])

    def test_thresholds(self):
        """Launches 2 and 5 are 4 of 102 apart in three features: the root of 3 of it, 0.068."""
        self.put()
        found = self.table('--method', 'tbpoint', '--threshold', '0,0.067,0.069,2')
        self.assertEqual([row['strata'] for row in found], ['4', '4', '3', '3'])
        found = self.table('--method', 'photon', '--distance', '0,0.05,2')
        self.assertEqual([row['strata'] for row in found], ['5', '3', '2'])

    def test_cores_of_the_card(self):
        """Launches of 16 and 18 warps match only if neither has fewer than the card has SMs."""
        self.put(profile(changes=[(3, 'grid_x', 9)]))
        for arguments, cores, strata in (((), '46', '4'), (('-c', 'h100'), '132', '4'), (('--cores', '16'), '16', '3'),
                                         (('-c', 'h100', '--cores', '16'), '16', '3')):
            row, = self.table('--method', 'photon', *arguments)
            self.assertEqual((row['cores'], row['strata']), (cores, strata))
            self.assertIn('cores=%s' % cores, self.plan('photon', *arguments)[2])
        self.fails(2, 'nocard: No such file', 'sample', 'p.csv', '--method', 'photon', '-c', 'nocard', '-o', 'x')

    def test_representatives(self):
        self.put()
        for method in ('pks', 'tbpoint'):
            found = self.table('--method', method, '--representative', 'own,first,random,centroid', '--seed', '1,1,2')
            self.assertEqual(len(found), 12)
            for a, b in zip(found[::3], found[1::3]):
                self.assertEqual(a, b)

    def test_classified(self):
        """Launches behind the second go where their kernel and grid are known, whatever the classifier."""
        self.put()
        for classifier in ('bayes', 'sgd', 'mlp'):
            lines = self.plan('pks', '--k', '2', '--classifier', classifier, '--detailed', '3')
            self.assertIn('!step role=measure scale=2 stratum=2 stands=3,6', lines)
            self.assertEqual(lines, self.plan('pks', '--k', '2', '--classifier', classifier, '--detailed', '3'))


class Messages(Features):
    def refuse(self, code, message, method, *arguments):
        self.fails(code, message, 'sample', 'p.csv', '--method', method, '-o', 'x', *arguments)
        self.assertFalse(os.path.exists(self.path('x')))

    def test_missing_columns(self):
        for method, needs in NEEDS.items():
            for column in COLUMNS[2:]:
                self.put(profile(without=(column,)))
                if column in needs:
                    self.refuse(2, 'p.csv: %s needs %s, which the profile does not have for every launch '
                                '(first not for launch 1)' % (method, column), method)
                elif (method, column) == ('pks', 'cycles'):
                    self.refuse(2, 'needs cycles or time_ns of every launch (--cycles takes them from a run); '
                                '--k bic, silhouette or a number do without',
                                method)
                else:
                    self.plan(method)

    def test_missing_values(self):
        self.put(profile(changes=[(2, 'divergence', ''), (3, 'mem_requests', '')]))
        for method, column, launch in (('pks', 'divergence', 3), ('pks-artifact', 'divergence', 3),
                                       ('tbpoint', 'mem_requests', 5)):
            self.refuse(2, '%s needs %s, which the profile does not have for every launch (first not for launch %d)'
                        % (method, column, launch), method)
        self.put(profile(without=('warp_insts', 'thread_insts')))
        self.refuse(2, 'photon needs warp_insts or thread_insts of every launch; launch 1 has none', 'photon')

    def test_bad_values(self):
        for method in NEEDS:
            self.put(profile(changes=[(1, 'warp_insts', 0)]))
            self.refuse(3, 'p.csv:3: launch 2 has 0 warp instructions; %s needs more' % method, method)
            self.put(profile(changes=[(1, 'gld_sectors', 'many')]))
            self.refuse(3, 'p.csv:3:27: gld_sectors "many"', method)
            self.put(profile(launches=LAUNCHES + LAUNCHES[:1]))
            self.refuse(3, 'p.csv:7: launch 1 is already in line 2', method)
            self.put(profile(launches=()))
            self.refuse(3, 'p.csv: it holds no launch', method)
        self.put(profile(changes=[(i, 'cycles', 0) for i in range(len(LAUNCHES))]))
        for method in ('pks', 'pks-artifact'):
            self.refuse(3, 'all launches have 0 cycles; %s needs more' % method, method)

    def test_basic_blocks(self):
        def refuse(code, message, text):
            self.put(bbv=text)
            self.refuse(code, message, 'photon')
        self.write('p.csv', profile())
        self.refuse(2, 'photon needs the basic blocks of the launches; give their file with --bbv', 'photon')
        self.refuse(3, 'none.csv: No such file', 'photon', '--bbv', 'none.csv')
        refuse(3, 'p.bbv.csv: there are no basic blocks of launch 1', BBV)
        refuse(3, 'p.bbv.csv: there are no basic blocks of launch 2', blocks(LAUNCHES[:1]))
        refuse(3, 'basic blocks of launch 9 where those of launch 1 should be', BBV + '9,0,16,0,4,2\n')
        refuse(3, 'after those of the last launch', blocks(LAUNCHES + LAUNCHES[:1]))
        refuse(3, 'p.bbv.csv:2:5: warps "x"', BBV + '1,0,x,0,4,2\n')
        refuse(3, 'p.bbv.csv:1: there is no column insts', 'launch,warp_type,warps,pc\n1,0,16,0\n')

    def test_options(self):
        self.put()
        self.refuse(2, '--k "0": expected error|bic|silhouette|N', 'pks', '--k', '0')
        self.refuse(2, '--threshold "-1"', 'tbpoint', '--threshold', '-1')
        self.refuse(2, '--distance "nan"', 'photon', '--distance', 'nan')
        self.refuse(2, '--variance "1.5"', 'pks', '--variance', '1.5')
        self.refuse(2, '--k is no option of tbpoint', 'tbpoint', '--k', '2')
        self.refuse(2, 'say with --classifier', 'pks', '--detailed', '2')


class Plots(Features):
    FIGURES = ('fig2-tiers', 'fig3-error', 'fig4-cov', 'fig5-representatives', 'fig6-speedup', 'fig8-simple',
               'fig10-ranges')

    def plot(self, *arguments, path=None, code=0):
        script = os.path.join(ROOT, 'docs', 'studies', 'plot-sampling')
        environment = dict(os.environ, PATH=path if path is not None else os.environ['PATH'])
        done = subprocess.run([sys.executable, '-B', script, HEARTH, 'plots', *arguments], capture_output=True, text=True,
                              cwd=self.place, env=environment)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stderr

    def figure(self, name):
        return list(csv.DictReader(io.StringIO(self.text('plots', name + '.csv'))))

    def test_tables_without_gnuplot(self):
        self.put()
        note = self.plot('one_a=p.csv', '--simple', 'two=p.csv', path='')
        self.assertEqual(note, 'plot-sampling: note: no gnuplot: tables only, no pictures\n')
        self.assertEqual(sorted(os.listdir(self.path('plots'))), sorted(name + '.csv' for name in self.FIGURES))
        row, = self.figure('fig3-error')
        self.assertEqual((row['profile'], row['pks'], row['tbpoint']), ('one_a', '0.0969932', '0.0384093'))
        self.assertEqual(dict(row, profile='two'), self.figure('fig8-simple')[0])
        tiers = [(row['theta'], row['tier 1 %'], row['tier 2 %'], row['tier 3 %']) for row in self.figure('fig2-tiers')]
        self.assertEqual(tiers, [('0.1', '0.0000', '40.0000', '60.0000'), ('0.5', '0.0000', '40.0000', '60.0000'),
                                 ('1', '0.0000', '100.0000', '0.0000')])
        ranges = self.figure('fig10-ranges')
        self.assertEqual([row['method'] for row in ranges],
                         ['sieve'] * 10 + ['pks'] * 13 + ['tbpoint'] * 7 + ['photon'] * 7)

    def test_pictures(self):
        if shutil.which('gnuplot') is None:
            self.skipTest('no gnuplot')
        self.put()
        self.write('few.csv', 'launch,kernel,warp_insts,cycles\n1,a,5,10\n2,b,7,20\n')
        self.assertEqual(self.plot('one_a=p.csv', 'few=few.csv', '--simple', 'two=p.csv'), '')
        for name in self.FIGURES:
            xml.etree.ElementTree.parse(self.path('plots', name + '.svg'))
        text = self.text('plots', 'fig3-error.svg')
        for word in ('one_a', 'few', 'sieve', 'photon'):
            self.assertIn(word, text)
        self.assertEqual([row['pks'] == '' for row in self.figure('fig3-error')], [False, True])

    def test_bad(self):
        self.assertIn('usage: ', self.plot('p.csv', code=1))
        for wrong in (('a`b=p.csv',), ('=p.csv',), ('a=p.csv', 'a=p.csv')):
            self.assertIn('names are letters', self.plot(*wrong, code=1))
        self.assertRegex(self.plot('a=none.csv', code=1), r'none.csv: .*No such file.*\nplot-sampling: .* failed\n')


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
