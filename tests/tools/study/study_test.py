"""Tests of hearth study on the command line.

usage: study_test.py HEARTH SOURCE_ROOT [TEST]...
"""
import csv
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

from case import Case, HEARTH, ROOT, demo

COLD = ('study', 'cold-start')
QUICK = ('--reach', '0-1', '--noise', '2', '--threads', '1')
TABLES = ('launches', 'by_kernel', 'thresholds', 'reach', 'policies', 'policies_5000', 'flushes', 'accuracy', 'bias')


class Study(Case):
    COMMAND = COLD

    def table(self, name, out='s'):
        with open(self.path(out, name + '.csv'), newline='') as f:
            return list(csv.DictReader(f))

    def measured(self, run, out='s'):
        return [r for r in self.rows(os.path.join(out, 'runs', run)) if r['role'] == 'measure']

    def study(self, *arguments, out='s', code=0):
        return self.hearth(*COLD, demo('oceanfft'), '-o', self.path(out), '--launches', '1-7', *arguments, code=code)

    def contents(self, out='s'):
        """What every file of the study holds, but those of the runs; without the time at which a page was written."""
        found = {}
        for name in os.listdir(self.path(out)):
            if name.endswith(('.csv', '.json', '.html')):
                found[name] = re.sub(r'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ', '', self.text(out, name))
        return found


class ColdStart(Study):
    def test_tables(self):
        self.study(*QUICK, '--warm', 'functional:auto,memory:1')
        full, none, warm = (self.measured(n) for n in ('full', 'none', 'functional-auto'))
        ipc = [[int(r['thread_insts']) / int(r['cycles']) for r in rows] for rows in (full, none, warm)]
        self.assertEqual(len(full), 7)
        for i, row in enumerate(self.table('launches')):
            self.assertEqual(row['cycles_cold'], none[i]['cycles'])
            self.assertEqual(row['cycles_warm'], full[i]['cycles'])
            self.assertAlmostEqual(float(row['difference']), 100 * (ipc[1][i] / ipc[0][i] - 1), delta=0.006)
        table = {r['policy']: r for r in self.table('policies')}
        self.assertEqual(list(table), ['none', 'functional:auto', 'memory:1'])
        for policy, values in (('none', ipc[1]), ('functional:auto', ipc[2])):
            accuracy = sorted(100 * (1 - abs(a - b) / a) for a, b in zip(ipc[0], values))
            for column, expected in (('min', accuracy[0]), ('first_quartile', (accuracy[1] + accuracy[2]) / 2),
                                     ('median', accuracy[3]), ('max', accuracy[6]), ('mean', sum(accuracy) / 7)):
                self.assertAlmostEqual(float(table[policy][column]), expected, delta=0.006, msg=policy + column)
        self.assertEqual(table['none']['warm_sectors'], '0')
        sectors = sum(int(r[c]) for r in self.rows('s/runs/functional-auto') if r['role'] == 'warm'
                      for c in ('l1d_accesses', 'l2_reads', 'l2_writes'))
        self.assertEqual(table['functional:auto']['warm_sectors'], str(sectors))
        self.assertGreater(float(table['functional:auto']['median']), float(table['none']['median']) + 10)

    def test_corrections(self):
        """Of the kinds of correction, the accuracy of what they make of the cold cycles."""
        self.study('--reach', '0', '--noise', '0', '--threads', '1', '--no-flush-modes', '--launches', '1-3', '--warm',
                   'correction:thesis,correction:artifact')
        table = {r['policy']: r for r in self.table('policies')}
        full, none = self.measured('full'), self.measured('none')
        for kind in ('thesis', 'artifact'):
            policy = 'correction:' + kind
            rows = self.measured(policy.replace(':', '-'))
            self.assertEqual([r['cycles'] for r in rows], [r['cycles'] for r in none])
            accuracy = [100 * (1 - abs(int(b['cycles']) / int(r['cycles_corrected']) - 1)) for b, r in zip(full, rows)]
            self.assertAlmostEqual(float(table[policy]['mean']), sum(accuracy) / 3, delta=0.006)
            shown = [float(r['accuracy']) for r in self.table('accuracy') if r['policy'] == policy]
            for one, other in zip(shown, accuracy):
                self.assertAlmostEqual(one, other, delta=0.006)
            self.assertEqual(table[policy]['warm_sectors'], '0')

    def test_default_policies(self):
        """They apply to every bundled card."""
        for card in ('rtx3070', 'h100'):
            self.hearth(*COLD, demo('reduction'), '-o', self.path(card), '-c', card, '--reach', '0', '--noise', '0',
                        '--no-flush-modes', '--no-in-phase', '-q')
            self.assertEqual([r['policy'] for r in self.table('policies', card)],
                             ['none', 'memory:1', 'functional:1', 'functional:auto', 'checkpoint', 'nsl', 'stitch', 'prime:10',
                              'correction:thesis', 'correction:artifact'])

    def test_thresholds(self):
        self.study(*QUICK, '--warm', 'stitch', '--no-flush-modes')
        launches = self.table('launches')
        insts = sum(int(r['thread_insts']) for r in launches)
        for row in self.table('thresholds'):
            over = [r for r in launches if abs(float(r['difference'])) >= int(row['threshold'])]
            self.assertEqual(int(row['launches']), len(over))
            self.assertEqual(int(row['slower']) + int(row['faster']), len(over))
            weight = 100 * sum(int(r['thread_insts']) for r in over) / insts
            self.assertAlmostEqual(float(row['weight']), weight, delta=0.006)
        self.assertGreater(int(self.table('thresholds')[0]['launches']), 0)
        self.assertEqual(self.table('flushes'), [])
        self.assertFalse(os.path.exists(self.path('s', 'runs', 'flush-l2-copies-0')))

    def test_flushes(self):
        self.study(*QUICK, '--warm', 'stitch')
        table = {r['mode']: r for r in self.table('flushes')}
        self.assertEqual(len(table), 8)
        self.assertEqual(table['none']['change'], '0.00')
        self.assertLess(float(table['l2']['l2_hits']), float(table['none']['l2_hits']))
        self.assertGreater(int(table['all']['dram_writes']), int(table['l1']['dram_writes']))
        self.assertGreater(float(table['none + copies']['l2_hits']), float(table['none']['l2_hits']))

    def test_noise(self):
        self.study('--reach', '0', '--noise', '3', '--no-flush-modes', '--warm', 'stitch')
        runs = [self.measured(r) for r in ('phase-0', 'in-phase-checkpoint', 'phase-2')]
        for i, row in enumerate(self.table('launches')):
            ipc = [int(r[i]['thread_insts']) / int(r[i]['cycles']) for r in runs]
            self.assertAlmostEqual(float(row['noise']), 100 * (max(ipc) / min(ipc) - 1), delta=0.006)
        self.assertGreater(max(float(r['noise']) for r in self.table('launches')), 0)
        self.study('--reach', '0', '--noise', '0', '--no-flush-modes', '--warm', 'stitch', out='t')
        self.assertEqual({r['noise'] for r in self.table('launches', 't')}, {''})

    def test_in_phase(self):
        """Behind the same caches, launches that start in one phase take the same time; cold ones do not."""
        arguments = ('--reach', '0', '--noise', '0', '--no-flush-modes', '--warm')
        self.study(*arguments, 'checkpoint,stitch')
        full, warm, none = (self.measured('in-phase-' + n) for n in ('full', 'checkpoint', 'none'))
        table = {r['policy']: r for r in self.table('policies')}
        self.assertEqual([r['cycles'] for r in full], [r['cycles'] for r in warm])
        accuracy = [100 * (1 - abs(int(f['cycles']) / int(n['cycles']) - 1)) for f, n in zip(full, none)]
        self.assertAlmostEqual(float(table['none']['in_phase_mean']), sum(accuracy) / 7, delta=0.006)
        self.assertAlmostEqual(float(table['none']['in_phase_min']), min(accuracy), delta=0.006)
        self.assertEqual(table['none']['in_phase_exact'],
                         str(sum(f['cycles'] == n['cycles'] for f, n in zip(full, none))))
        shown = [float(r['in_phase']) for r in self.table('accuracy') if r['policy'] == 'none']
        for one, other in zip(shown, accuracy):
            self.assertAlmostEqual(one, other, delta=0.006)
        for policy in ('checkpoint', 'stitch'):
            self.assertEqual([table[policy]['in_phase_' + c] for c in ('min', 'median', 'error', 'exact')],
                             ['100.00', '100.00', '0.00', '7'])
        self.study(*arguments, 'checkpoint', '--no-in-phase', out='t')
        self.assertEqual({r['in_phase'] for r in self.table('accuracy', 't')}, {''})
        self.assertEqual({r['in_phase_median'] for r in self.table('policies', 't')}, {''})
        self.assertFalse([r for r in os.listdir(self.path('t', 'runs')) if r.startswith('in-phase')])
        self.study(*arguments, 'checkpoint', '--set', 'hearth_start_phase=1', out='u')
        self.assertEqual(set(os.listdir(self.path('u', 'runs'))),
                         {'full', 'none', 'checkpoint', 'checkpoint.states'})

    def test_bias(self):
        """Mean errors with their sign and standard error, of each kernel and of all launches."""
        self.study('--reach', '0', '--noise', '0', '--no-flush-modes', '--warm', 'memory:1', '--launches', '1-20')
        for policy, column in (('none', 'none'), ('memory:1', 'memory-1')):
            errors, exact = {}, {}
            for prefix in ('', 'in-phase-'):
                runs = self.measured(prefix + 'full'), self.measured(prefix + column)
                for f, r in zip(*runs):
                    error = 100 * (int(r['cycles']) / int(f['cycles']) - 1)
                    for kernel in (f['kernel'], 'all'):
                        errors.setdefault((prefix, kernel), []).append(error)
                        exact[prefix, kernel] = exact.get((prefix, kernel), 0) + (r['cycles'] == f['cycles'])
            row = next(r for r in self.table('policies') if r['policy'] == policy)
            self.agrees(errors['', 'all'], row['mean_error'], row['standard_error'])
            self.agrees(errors['in-phase-', 'all'], row['in_phase_error'], row['in_phase_standard_error'])
            rows = [r for r in self.table('bias') if r['policy'] == policy]
            self.assertEqual([r['kernel'] for r in rows],
                             list(dict.fromkeys(f['kernel'] for f in self.measured('full'))))
            for row in rows:
                values = errors['', row['kernel']]
                self.assertEqual(row['launches'], str(len(values)))
                self.agrees(values, row['error'], row['standard_error'])
                self.agrees(errors['in-phase-', row['kernel']], row['in_phase_error'], row['in_phase_standard_error'])
                self.assertEqual(row['in_phase_exact'], str(exact['in-phase-', row['kernel']]))
                self.assertAlmostEqual(float(row['deviations']) * float(row['standard_error']), float(row['error']),
                                       delta=0.006 * abs(float(row['deviations'])) + 0.006 * float(row['standard_error']) + 0.006)
                for prefix in ('', 'in_phase_'):
                    deviations, p = row[prefix + 'deviations'], row[prefix + 'p']
                    self.assertEqual(deviations == '', p == '')
                    if p and abs(float(deviations)) != 2:
                        self.assertTrue(0 <= float(p) <= 1)
                        self.assertEqual(float(p) <= float(row['p_of_2']), abs(float(deviations)) > 2)
            shown = [r for r in self.table('accuracy') if r['policy'] == policy]
            for r, error in zip(shown, errors['', 'all']):
                self.assertAlmostEqual(float(r['error']), error, delta=0.006)
        self.study('--reach', '0', '--noise', '0', '--no-flush-modes', '--warm', 'stitch', '--no-in-phase',
                   '--launches', '3', out='t')
        for row in self.table('bias', 't'):     # one launch has no standard error
            self.assertEqual((row['launches'], row['standard_error'], row['in_phase_error'], row['in_phase_exact']),
                             ('1', '', '', ''))

    def test_floors(self):
        """The table of errors that states leave, with probabilities, of one study and of two in several phases."""
        policies = ('checkpoint', 'checkpoint+detailed:auto')
        for phase in (1, 2):
            self.study('--reach', '0', '--noise', '0', '--no-flush-modes', '--warm', ','.join(policies), '--launches', '1-15',
                       '--set', 'gpgpu_cache:dl2=S:2:128:16,L:B:m:L:P,A:192:4,32:0,32', '--set',
                       'hearth_start_phase=%d' % phase, out='phase-%d' % phase)
        folders = [self.path('phase-%d' % phase) for phase in (1, 2)]

        def table(folders):
            document = self.write('d.md', ''.join('<!-- %s -->\n<!-- end -->\n' % mark for mark in ('floors', 'results')))
            subprocess.run([sys.executable, os.path.join(ROOT, 'docs', 'studies', 'document-cold-start'), document, '--floors',
                            'card | ocean | 1, 2=' + folders], check=True)
            text = self.text('d.md')
            return [[cell.strip() for cell in line.split('|')[5:-1]] for line in text.splitlines() if '` | ' in line and '(' in line], text
        bias = {phase: {p: [r for r in self.table('bias', 'phase-%d' % phase) if r['policy'] == p] for p in policies}
                for phase in (1, 2)}
        shown = [pair for pair in zip(*bias[1].values()) if any(r['in_phase_exact'] != r['launches'] for r in pair)]
        self.assertTrue(shown)
        rows, text = table(folders[0])
        self.assertEqual(len(rows), len(shown))
        for row, pair in zip(rows, shown):
            self.assertEqual(row, [pair[0]['launches']] + [cell for r in pair for cell in (
                r['in_phase_exact'], '%+.2f (%s)' % (float(r['in_phase_error']), r['in_phase_standard_error']),
                '%.3f' % float(r['in_phase_p']) if r['in_phase_p'] else '')])
        joined = ' '.join(text.split())
        for policy, of in zip(policies, zip(*shown)):
            tested = [r for r in of if r['in_phase_p']]
            beyond = sum(abs(float(r['in_phase_deviations'])) > 2 for r in tested)
            self.assertIn('Of these %d kernels, `%s` leaves %d exact, %d within two standard errors and %d beyond; without any '
                          'bias, %.1f would' % (len(of), policy, len(of) - len(tested), len(tested) - beyond, beyond,
                                                sum(float(r['p_of_2']) for r in tested)), joined)
        rows, _ = table(','.join(folders))
        kernels = [sum(of, ()) for of in zip(*(zip(*bias[phase].values()) for phase in (1, 2)))]
        kernels = [of for of in kernels if any(float(r['standard_error']) > 0 for r in of)]
        self.assertEqual(len(rows), len(kernels))
        for row, of in zip(rows, kernels):     # the two policies of each of two phases
            self.assertEqual(int(row[0]), 2 * int(of[0]['launches']))
            for i in (0, 1):
                self.assertAlmostEqual(float(row[2 + 3 * i].split()[0]), (float(of[i]['error']) + float(of[2 + i]['error'])) / 2,
                                       delta=0.011)     # with a phase of its own, all runs of a study are in phase

    def agrees(self, errors, mean, standard_error):
        n = len(errors)
        expected = sum(errors) / n
        self.assertAlmostEqual(float(mean), expected, delta=0.006)
        squares = sum((e - expected) ** 2 for e in errors)
        self.assertAlmostEqual(float(standard_error), (squares / (n - 1) / n) ** 0.5, delta=0.006)

    def test_runs_once(self):
        """What two questions ask is simulated once: noise and flushes take what policies gave, if it is the same."""
        self.study('--reach', '0', '--noise', '2', '--warm', 'checkpoint', '--launches', '1-3')
        self.study('--reach', '0', '--noise', '2', '--warm', 'stitch', '--launches', '1-3', '--flush', 'none', out='t')
        runs, others = (set(os.listdir(self.path(out, 'runs'))) for out in 'st')
        self.assertFalse({'phase-0', 'flush-l1-copies-1'} & runs)
        self.assertLess({'in-phase-checkpoint', 'flush-none-copies-1', 'flush-l1-copies-0'}, runs)
        self.assertLess({'phase-0', 'in-phase-checkpoint', 'flush-l1-copies-1', 'stitch'}, others)
        self.assertNotIn('flush-none-copies-1', others)
        # Where L1 survives, states hold it and noise differs, so noise is compared where both studies flush L1.
        self.study('--reach', '0', '--noise', '2', '--warm', 'stitch', '--launches', '1-3', '--no-flush-modes', out='u')
        self.assertEqual([r['noise'] for r in self.table('launches')], [r['noise'] for r in self.table('launches', 'u')])
        for mode in ('l1 + copies', 'none + copies', 'all'):
            rows = [next(r for r in self.table('flushes', out) if r['mode'] == mode) for out in 'st']
            self.assertEqual(rows[0], rows[1])

    def test_progress(self):
        """Each line says what it is for, and which run that is."""
        done = self.hearth(*COLD, demo('spmv'), '-o', self.path('s'), '--reach', '0-1', '--noise', '2', '--warm',
                           'stitch,checkpoint,memory:1', '--threads', '1')
        said = re.findall(r'(?m)^hearth: run \d+ of 24: (.*)', done.stderr)
        self.assertEqual(said, ['full', 'none', 'stitch, the same as full', 'checkpoint', 'memory:1',
                                'memory:0, the same as none', 'functional:0, the same as none', 'memory:1', 'functional:1',
                                'in-phase-full', 'in-phase-none', 'in-phase-stitch, the same as in-phase-full',
                                'in-phase-checkpoint', 'in-phase-memory:1', 'phase-0, the same as checkpoint',
                                'phase-1, the same as in-phase-checkpoint',
                                'flush-none-copies-0', 'flush-l1-copies-0', 'flush-l2-copies-0', 'flush-all-copies-0',
                                'flush-none-copies-1', 'flush-l1-copies-1, the same as full', 'flush-l2-copies-1',
                                'flush-all-copies-1'])

    def test_files(self):
        done = self.study(*QUICK, '--warm', 'functional:1')
        for name in TABLES:
            self.assertTrue(os.path.exists(self.path('s', name + '.csv')), name)
            self.assertIn(name, self.json('study.json', 's'))
        self.assertEqual(self.json('study.json', 's')['launches'][0]['launch'], 1)
        page = self.text('s', 'index.html')
        self.assertNotRegex(page, r'<(script|link|img)[^>]*(src|href)=')
        self.assertEqual(set(re.findall(r'https?://[^"\'\s]*', page)) -
                         {'http://www.w3.org/2000/svg', 'http://www.w3.org/1999/xlink'}, set())
        self.assertEqual(page.count('<tr>'), page.count('</tr>'))
        self.assertTrue(page.rstrip().endswith('</html>'))
        self.assertRegex(page, r'<dt>command</dt>\n<dd>hearth study cold-start %s .*--warm functional:1' % re.escape(demo('oceanfft')))
        for words in ('slower when cold', 'functional, median', 'Cold-Start Problem in GPU Simulation'):
            self.assertIn(words, page)
        reach = page[page.index('Accuracy by launches replayed'):]
        ticks = re.findall(r'>([\d.]+)</text>', reach[:reach.index('launches back')])
        self.assertEqual([tick for tick in ticks if '.' in tick], [])    # there are no halves of launches
        self.assertIn('functional:1', done.stdout)
        cycles = {run: sum(int(r['cycles']) for r in self.measured(run)) for run in ('full', 'none')}
        self.assertRegex(page, r'<h1>Cold start</h1>\n<p>Cold caches change the total of 7 launches by %s %%: .* '
                         r'Of the warm-up policies, functional:1 comes nearest' % re.escape(
                             '%+.2f' % (100 * (cycles['none'] / cycles['full'] - 1))))
        self.assertRegex(page, r'<dt>configuration</dt>\n<dd>rtx3070</dd>')
        self.assertRegex(page, r'<dt>version</dt>\n<dd>Hearth [0-9.]+</dd>\n<dt>date</dt>\n<dd>20')
        self.assertIn('<td class=k title="void regular_fft&lt;1024u&gt;(kernel_parameters, float2*)">regular_fft&lt;1024u&gt;</td>', page)
        self.assertNotIn('<td>_Z', page)
        self.assertFalse([n for n in os.listdir(self.path('s')) if n.endswith('.part')])

    def test_goes_on(self):
        """Nothing that is there is run again; a study that was stopped ends as one that was not."""
        arguments = QUICK + ('--warm', 'functional:1', '--no-flush-modes')
        self.study(*arguments)
        before = self.contents()
        stamps = {n: os.stat(self.path('s', 'runs', n, 'run.json')).st_mtime_ns
                  for n in os.listdir(self.path('s', 'runs')) if not n.endswith('.states')}
        self.study(*arguments)
        self.assertEqual(self.contents(), before)
        for name, stamp in stamps.items():
            self.assertEqual(os.stat(self.path('s', 'runs', name, 'run.json')).st_mtime_ns, stamp, name)
        self.fails(2, 'other configuration', demo('oceanfft'), '-o', self.path('s'), '--launches', '1-7', '-q',
                   '--set', 'gpgpu_n_clusters=4', *arguments)

    def test_stopped(self):
        arguments = (demo('dct8x8'), '-o', self.path('s'), '--reach', '0', '--noise', '0', '--no-flush-modes',
                     '--warm', 'memory:1', '--threads', '1')
        process = subprocess.Popen([HEARTH, *COLD, *arguments], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                   text=True, cwd=self.place)
        self.assertIn('run 1 of', process.stderr.readline())
        time.sleep(0.2)
        process.send_signal(signal.SIGTERM)
        errors = process.communicate(timeout=120)[1]
        self.assertEqual(process.returncode, 128 + signal.SIGTERM, errors)
        self.assertIn('stopped by SIGTERM', errors)
        self.assertFalse(os.path.exists(self.path('s', 'index.html')))
        self.hearth(*COLD, *arguments)
        self.hearth(*COLD, *arguments[:1], '-o', self.path('t'), *arguments[3:])
        self.assertEqual(self.text('s', 'launches.csv'), self.text('t', 'launches.csv'))
        self.assertEqual(self.text('s', 'accuracy.csv'), self.text('t', 'accuracy.csv'))

    def test_killed_in_a_corrected_run(self):
        arguments = ('--reach', '0', '--noise', '0', '--no-flush-modes', '--warm',
                     'correction:thesis,correction:artifact', '--threads', '1')
        self.study(*arguments, out='whole')
        line = [HEARTH, *COLD, demo('oceanfft'), '-o', self.path('s'), '--launches', '1-7', *arguments]
        for policy in ('thesis', 'artifact', 'artifact'):
            process = subprocess.Popen(line, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
            while 'correction:' + policy not in process.stderr.readline():
                self.assertIsNone(process.poll())
            time.sleep(0.03)
            process.kill()
            process.communicate()
            self.assertFalse(os.path.exists(self.path('s', 'index.html')) and process.returncode != 0)
        self.study(*arguments)
        for name in ('launches.csv', 'accuracy.csv', 'runs/correction-thesis/correction.csv',
                     'runs/correction-artifact/correction.csv'):
            self.assertEqual(self.text('s', name), self.text('whole', name))
        self.assertFalse([n for n in os.listdir(self.path('s', 'runs')) if '.part-' in n])

    def test_charts_need_no_program(self):
        self.hearth('--version')    # with the path as it is
        done = subprocess.run([HEARTH, *COLD, demo('oceanfft'), '-o', self.path('s'), '--launches', '1-3', *QUICK,
                               '--no-flush-modes', '--warm', 'stitch'], capture_output=True, text=True,
                              env=dict(os.environ, PATH='/nowhere'), timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn('note:', done.stderr)
        page = self.text('s', 'index.html')
        for name in ('launches.svg', 'policies.svg', 'thresholds.svg'):
            self.assertIn('</svg>', self.text('s', name))
        self.assertGreaterEqual(page.count('<figure>'), 3)

    def test_bad_input(self):
        place = self.path('s')
        self.fails(2, 'expected one workload, got 0', '-o', place)
        self.fails(2, '-o DIR is missing', demo('oceanfft'))
        self.fails(2, 'memry:1', demo('oceanfft'), '-o', place, '--warm', 'memry:1')
        for policies, message in (('', 'the list is empty'), ('nsl,', 'a name of the list is empty'),
                                  ('nsl,stitch,nsl', 'nsl is listed twice')):
            self.fails(2, '--warm: ' + message, demo('oceanfft'), '-o', place, '--warm', policies)
        self.fails(2, '-o -: a study writes a folder', demo('oceanfft'), '-o', '-')
        self.fails(2, 'p.plan:1: this is a plan', self.write('p.plan', '!plan 1\n'), '-o', place)
        self.fails(2, '--noise "9": expected a whole number from 0 to 8', demo('oceanfft'), '-o', place, '--noise', '9')
        self.fails(2, '--reach', demo('oceanfft'), '-o', place, '--reach', '3-1')
        self.fails(2, '--reach "5-64": at most 63 launches', demo('oceanfft'), '-o', place, '--reach', '5-64')
        self.fails(3, 'nothing.packed', self.path('nothing.packed'), '-o', place, '-q')
        self.write('file', 'x')
        self.fails(4, 'cannot make the folder', demo('oceanfft'), '-o', self.path('file', 's'))
        self.hearth('study', 'cold', code=2)
        self.hearth('study', code=2)
        self.assertIn('cold-start', self.hearth('study', '--help').stdout)


class Profiles(Study):
    COLUMNS = 'launch,kernel,grid_x,grid_y,grid_z,warp_insts,cycles\n'

    def profiles(self, flush, noflush, *arguments, code=0):
        a = self.write('flush.csv', self.COLUMNS + ''.join(flush))
        b = self.write('noflush.csv', self.COLUMNS + ''.join(noflush))
        return self.hearth(*COLD, '--profiles', a, b, '-o', self.path('s'), *arguments, code=code)

    def test_matches(self):
        """By kernel, grid and order: ids differ, and each has a launch that the other lacks."""
        done = self.profiles(
            ['1,a,8,1,1,1000,400\n', '2,b,4,1,1,500,100\n', '3,a,8,1,1,1000,300\n', '9,c,1,1,1,10,10\n'],
            ['11,a,8,1,1,1000,200\n', '12,a,9,1,1,7,7\n', '13,b,4,1,1,500,110\n', '14,a,8,1,1,1000,297\n'])
        rows = self.table('launches')
        self.assertEqual([(r['launch_flush'], r['launch_noflush'], r['difference']) for r in rows],
                         [('1', '11', '-50.00'), ('2', '13', '10.00'), ('3', '14', '-1.00')])
        alone = self.table('unmatched')
        self.assertEqual([(os.path.basename(r['profile']), r['launch'], r['kernel']) for r in alone],
                         [('flush.csv', '9', 'c'), ('noflush.csv', '12', 'a')])
        thresholds = {r['threshold']: r for r in self.table('thresholds')}
        self.assertEqual((thresholds['5']['launches'], thresholds['5']['weight']), ('2', '60.00'))
        self.assertEqual((thresholds['5']['slower_weight'], thresholds['5']['faster_weight']), ('40.00', '20.00'))
        self.assertEqual((thresholds['20']['launches'], thresholds['20']['weight']), ('1', '40.00'))
        self.assertIn('only in one profile', done.stdout)
        self.assertIn('Not flushed', self.text('s', 'index.html'))

    def test_bad_profiles(self):
        self.fails(2, 'expected two profiles, got 1', '--profiles', self.write('a.csv', 'x\n'), '-o', self.path('s'))
        error = self.profiles(['1,a,1,1,1,10,\n'], ['1,a,1,1,1,10,5\n'], code=2).stderr
        self.assertRegex(error, r'cold-start --profiles.*cycles')
        error = self.profiles(['1,a,1,1,1,10,5\n'], ['1,b,1,1,1,10,5\n'], code=3).stderr
        self.assertIn('no launch is one of', error)


class Hardware(Study):
    """Cold penalties against measured rows that are made up from simulated ones."""
    WORK = ('-c', 'h100', '--launches', '1-8')

    def simulate(self, name, *arguments):
        return self.run_ok(demo(name), *self.WORK, '--set', 'gpgpu_kernel_launch_latency=0', *arguments,
                           out='rows-' + name + '-'.join(arguments))

    def measured(self, apps, name='hw.csv'):
        """APPS: pairs of a name and rows (kernel, warm cycles, cold cycles, varies)."""
        lines = ['app,launch,kernel,sm_cycles,cold_sm_cycles,varies']
        for app, rows in apps:
            lines += ['%s,%d,%s,%r,%r,%d' % (app, i + 1, *row) for i, row in enumerate(rows)]
        return self.write(name, '\n'.join(lines) + '\n')

    def compare(self, workloads, hardware, *arguments, code=0):
        return self.hearth(*COLD, *workloads, '--hardware', hardware, '-o', self.path('s'), *self.WORK, *arguments, code=code)

    def test_tables(self):
        warm, cold = self.simulate('dct8x8'), self.simulate('dct8x8', '--flush', 'all')
        penalty = [100 * (int(c['cycles']) / int(w['cycles']) - 1) for w, c in zip(warm, cold)]
        given = [3, 40, 4, 9, -6, 30, 8, 55]    # measured, in percent
        rows = [(w['kernel'], 1000, 1000 + 10 * p, 0) for w, p in zip(warm, given)]
        rows[6] = rows[6][:3] + (1,)
        done = self.compare([demo('dct8x8')], self.measured([('dct8x8', rows)]))
        launches = self.table('launches')
        kept = [i for i in range(8) if i != 6]
        self.assertEqual([r['launch'] for r in launches], [str(i + 1) for i in kept])
        for row, i in zip(launches, kept):
            self.assertEqual((row['simulated_warm'], row['simulated_cold']), (warm[i]['cycles'], cold[i]['cycles']))
            self.assertAlmostEqual(float(row['measured_penalty']), given[i], delta=0.006)
            self.assertAlmostEqual(float(row['difference']), penalty[i] - given[i], delta=0.006)
        unknown = {int(row['launch']) - 1: int(row['unknown_sectors']) for row in launches}
        every, clear, known = self.table('correlation')
        over = [i for i in kept if given[i] >= 5]
        for row, chosen in ((every, kept), (clear, over), (known, [i for i in over if unknown[i] == 0])):
            x, y = [given[i] for i in chosen], [penalty[i] for i in chosen]
            n = len(chosen)
            mx, my = sum(x) / n, sum(y) / n
            pearson = (sum((a - mx) * (b - my) for a, b in zip(x, y)) /
                       (sum((a - mx) ** 2 for a in x) * sum((b - my) ** 2 for b in y)) ** 0.5)
            self.assertEqual(row['launches'], str(n))
            self.assertAlmostEqual(float(row['pearson']), pearson, delta=0.0006)
            self.assertAlmostEqual(float(row['absolute_difference']), sum(abs(a - b) for a, b in zip(x, y)) / n, delta=0.006)
        insts = [int(w['thread_insts']) for w in warm]
        for row in self.table('thresholds'):
            least = int(row['threshold'])
            for side, values in (('measured', given), ('simulated', penalty)):
                over = [i for i in kept if abs(100 / (1 + values[i] / 100) - 100) >= least]
                self.assertEqual(row[side + '_launches'], str(len(over)))
                self.assertEqual(row[side + '_faster'], str(sum(values[i] < 0 for i in over)))
                self.assertAlmostEqual(float(row[side + '_weight']),
                                       100 * sum(insts[i] for i in over) / sum(insts[i] for i in kept), delta=0.006)
        self.assertIn('penalty of 5 % or more', done.stdout)
        self.assertIn('Cold over warm cycles of each launch', self.text('s', 'index.html'))
        self.assertEqual(self.json('study.json', 's')['correlation'][0]['rank'], float(every['rank']))

    def test_perfect(self):
        """Rows that are the simulated ones correlate fully, over two programs."""
        apps = []
        for name in ('dct8x8', 'oceanfft'):
            warm, cold = self.simulate(name), self.simulate(name, '--flush', 'all')
            apps.append((name, [(w['kernel'], int(w['cycles']), int(c['cycles']), 0) for w, c in zip(warm, cold)]))
        self.compare([demo('dct8x8'), demo('oceanfft')], self.measured(apps), '-q')
        for row in self.table('correlation'):
            self.assertEqual((row['pearson'], row['rank'], row['absolute_difference']), ('1.000', '1.000', '0.00'))
        self.assertEqual([(r['program'], r['launches'], r['difference']) for r in self.table('programs')],
                         [('dct8x8', '8', '0.00'), ('oceanfft', '8', '0.00')])
        for row in self.table('thresholds'):
            self.assertEqual(row['both'], row['measured_launches'])
            self.assertEqual(row['measured_weight'], row['simulated_weight'])

    def test_unknown(self):
        """The first launch of solver reads 1,147 sectors: 1,075 were copied from the host, and 72 written by nothing in
        the trace; the second one reads one more that nothing has touched."""
        warm, cold = self.simulate('solver'), self.simulate('solver', '--flush', 'all')
        rows = [(w['kernel'], int(w['cycles']), int(c['cycles']), 0) for w, c in zip(warm, cold)]
        self.compare([demo('solver')], self.measured([('solver', rows)]), '-q')
        self.assertEqual([r['unknown_sectors'] for r in self.table('launches')], ['72', '1'] + ['0'] * 6)
        _, clear, known = self.table('correlation')
        self.assertEqual(int(known['launches']), int(clear['launches']) - sum(100 * r[2] >= 105 * r[1] for r in rows[:2]))

    def test_unknown_though_a_line_infers_it(self):
        """A line # written says no more than that a launch reads it; a memset was seen."""
        self.hearth('trace', 'cut', demo('solver'), '--launches', '1-2', '--to', 'text', '-o', self.path('solver'))
        plain = self.text('solver', 'kernelslist.g')
        rows = [(row['kernel'], 1000, 1200, 0) for row in self.run_ok(self.path('solver'), '-c', 'h100', out='rows')]
        hardware = self.measured([('solver', rows)])
        for line, expected in (('', ['72', '1']), ('# written', ['72', '1']), ('# set', ['0', '0'])):
            shutil.rmtree(self.path('s'), ignore_errors=True)
            self.write('solver/kernelslist.g', (line and line + ' 0x7f2000000000 %d\n' % (1 << 32)) + plain)
            self.hearth(*COLD, self.path('solver'), '--hardware', hardware, '-o', self.path('s'), '-c', 'h100', '-q')
            self.assertEqual([row['unknown_sectors'] for row in self.table('launches')], expected, line)

    def test_unknown_in_any_order(self):
        """A list that begins with its third launch, which reads what none before it has touched."""
        self.hearth('trace', 'cut', demo('solver'), '--launches', '1-3', '--to', 'text', '-o', self.path('turned'))
        lines = self.text('turned', 'kernelslist.g').splitlines()
        kernels = [line for line in lines if line.startswith('kernel')]
        self.write('turned/kernelslist.g', '\n'.join([line for line in lines if line not in kernels] + kernels[::-1]) + '\n')
        name = self.run_ok(self.path('turned'), '-c', 'h100', out='rows')[0]['kernel']
        hardware = self.write('hw.csv', 'app,launch,kernel,sm_cycles,cold_sm_cycles\nturned,3,%s,1000,1200\n' % name)
        self.hearth(*COLD, self.path('turned'), '--hardware', hardware, '-o', self.path('s'), '-c', 'h100', '-q')
        row, = self.table('launches')
        self.assertEqual(row['launch'], '3')
        self.assertGreater(int(row['unknown_sectors']), 0)

    def test_many_programs(self):
        """A page names all programs, however many there are."""
        names, apps = ['p%d' % i for i in range(6)], []
        warm, cold = self.simulate('reduction'), self.simulate('reduction', '--flush', 'all')
        for name in names:
            os.symlink(demo('reduction'), self.path(name + '.packed'))
            apps.append((name, [(w['kernel'], int(w['cycles']), int(c['cycles']), 0) for w, c in zip(warm, cold)]))
        self.compare([self.path(name + '.packed') for name in names], self.measured(apps), '-q')
        self.assertEqual([r['program'] for r in self.table('programs')], names)
        self.assertIn(' '.join(self.path(name + '.packed') for name in names), self.text('s', 'index.html'))

    def test_bad_tables(self):
        good = self.measured([('dct8x8', [('k', 10, 20, 0)])])
        self.compare([demo('dct8x8')], self.write('c.csv', 'kernel,sm_cycles\nk,10\n'), '-q', code=3)
        error = self.compare([demo('dct8x8')], good, '--launches', '1', '-q', code=2).stderr
        self.assertIn('no launch of dct8x8 matches', error)
        error = self.compare([demo('dct8x8')] * 2, good, code=2).stderr
        self.assertIn('have the same name', error)
        error = self.compare([demo('dct8x8')], good, '--profiles', code=2).stderr
        self.assertIn('either --hardware or --profiles', error)
        self.fails(2, '--metric needs --hardware', demo('dct8x8'), '-o', self.path('s'), '--metric', 'x')
        kernel = self.simulate('dct8x8')[0]['kernel']
        own = self.measured([('dct8x8', [(kernel, 10, 20, 0)])], name='launches.csv')
        text = self.text('launches.csv')
        self.hearth(*COLD, demo('dct8x8'), '--hardware', own, '-o', self.place, *self.WORK, '-q', code=2)
        self.assertEqual(self.text('launches.csv'), text)


class Sampled(Case):
    COMMAND = ('study', 'sampled')
    QUICK = ('--threads', '1', '--methods', 'sieve,first-n', '--warm', 'none,functional:auto')

    def table(self, name, out='s'):
        with open(self.path(out, name + '.csv'), newline='') as f:
            return list(csv.DictReader(f))

    def study(self, *arguments, out='s', workload='solver', code=0):
        return self.hearth(*self.COMMAND, demo(workload), '-o', self.path(out), *arguments, code=code)

    def scales(self, method):
        """Scale of each measured launch, by its number."""
        lines = self.text('s', 'plans', method + '.plan').splitlines()
        return {lines[i + 1].rpartition('-')[2]: float(re.search(r'scale=(\S+)', line).group(1))
                for i, line in enumerate(lines) if line.startswith('!step role=measure')}

    def test_all_launches_or_none(self):
        self.assertNotIn('--launches', self.hearth(*self.COMMAND, '--help').stdout)
        self.assertIn('--launches', self.study('--launches', '1', code=2).stderr)

    def test_results(self):
        """Sums, errors and their parts as by hand."""
        self.study(*self.QUICK)
        full = self.rows('s/runs/full')
        cycles = {r['launch']: int(r['cycles']) for r in full}
        golden = sum(cycles.values())
        insts = sum(int(r['warp_insts']) for r in full)
        rows = self.table('results')
        self.assertEqual([(r['method'], r['warm']) for r in rows],
                         [(m, w) for m in ('sieve', 'first-n') for w in ('none', 'functional:auto')])
        for row in rows:
            scales = self.scales(row['method'])
            run = self.rows('s/runs/%s-%s' % (row['method'], row['warm'].replace(':', '-')))
            measured = {r['launch']: r for r in run if r['role'] == 'measure'}
            self.assertEqual(set(measured), set(scales))
            total = sum(scales[n] * int(r['cycles']) for n, r in measured.items())
            self.assertAlmostEqual(float(row['cycles']), total, delta=1)
            error = 100 * (total / golden - 1)
            sampling = 100 * (sum(scales[n] * cycles[n] for n in scales) / golden - 1)
            self.assertAlmostEqual(float(row['error']), error, delta=0.006)
            self.assertAlmostEqual(float(row['sampling_error']), sampling, delta=0.006)
            self.assertAlmostEqual(float(row['cold_error']), error - sampling, delta=0.006)
            self.assertAlmostEqual(float(row['seconds']), total / 1132e6, delta=1e-9)
            threads = sum(int(r['thread_insts']) for r in full) # which the plan knows
            self.assertAlmostEqual(float(row['ipc']), threads / total, delta=0.0001)
            self.assertEqual((row['error_bar'], row['inside']), ('', '')) # no launch was drawn
            fewer = insts / sum(int(r['warp_insts']) for r in measured.values())
            self.assertAlmostEqual(float(row['fewer_insts']), fewer, delta=0.06)
        cold = {(r['method'], r['warm']): abs(float(r['cold_error'])) for r in rows}
        self.assertGreater(cold['sieve', 'none'], 10 * cold['sieve', 'functional:auto'])
        page = self.text('s', 'index.html')
        self.assertIn('functional:auto', page)
        least = min(rows, key=lambda r: abs(float(r['error'])))
        self.assertIn('%s with warm-up %s comes nearest: %+.2f %%' % (least['method'], least['warm'], float(least['error'])), page)
        self.assertNotRegex(page, r'<(script|link|img)[^>]*(src|href)=')

    def test_tracing(self):
        """What is recorded for each policy: the measured launches, what is replayed, and states instead of it."""
        self.study('--threads', '1', '--methods', 'periodic', '--warm', 'none,memory:1,checkpoint,nsl', '--tracing', '-q',
                   workload='bfs')
        self.assertFalse(os.path.exists(self.path('s', 'tracing.packed')))
        measured = [int(n) for n in self.scales('periodic')]
        last = max(measured)
        table = {r['warm']: r for r in self.table('tracing')}
        self.assertEqual({r['recorded'] for r in table.values()}, {str(len(measured))})
        before = {n - 1 for n in measured} - set(measured) - {0}
        self.assertEqual({warm: int(r['memory']) for warm, r in table.items()},
                         {'none': 0, 'memory:1': len(before), 'checkpoint': last - len(measured), 'nsl': 0})
        states = os.listdir(self.path('s', 'runs', 'periodic-nsl.states'))
        self.assertEqual(table['nsl']['states'], str(len(states)))
        self.assertEqual(int(table['nsl']['state_bytes']),
                         sum(os.path.getsize(self.path('s', 'runs', 'periodic-nsl.states', n)) for n in states))
        # written by themselves, they take what is said, but for the end of the file
        for name, command, chosen in (('trace', 'cut', measured), ('memory', 'memonly', before)):
            self.hearth('trace', command, demo('bfs'), '--to', 'packed', '--launches', ','.join(map(str, sorted(chosen))), '-o',
                        self.path('t.packed'), '-q', '-f', '--level', '3', '--each-launch')
            size, said = os.path.getsize(self.path('t.packed')), int(table['memory:1'][name + '_bytes'])
            self.assertTrue(0.9 * size - 1000 <= said <= size, (name, size, said))
        insts = {int(r['launch']): int(r['warp_insts']) for r in self.rows('s/runs/full')}
        self.assertEqual(int(table['none']['sent_records']), sum(insts[n] for n in measured))
        self.assertEqual(table['checkpoint']['sent_records'], table['nsl']['sent_records'])
        for row in table.values():
            self.assertEqual(int(row['bytes']), sum(int(row[n + '_bytes']) for n in ('trace', 'memory', 'state')))
        self.assertLess(int(table['none']['sent_records']), int(table['nsl']['sent_records']))
        self.study('--methods', 'periodic', '--warm', 'none', out='t', workload='bfs')
        self.assertFalse(os.path.exists(self.path('t', 'tracing.csv')))

    def test_statistics(self):
        """Every counter by the same scales; ratios of what is extrapolated."""
        self.study('--threads', '1', '--methods', 'first-n', '--warm', 'none')
        full, scales = self.rows('s/runs/full'), self.scales('first-n')
        measured = {r['launch']: r for r in self.rows('s/runs/first-n-none') if r['role'] == 'measure'}
        table = {r['statistic']: r for r in self.table('statistics')}
        known = ('warp_insts', 'thread_insts', 'threads_per_inst') # to the plan
        counters = [n for n, r in table.items() if r['kind'] == 'additive' and n in full[0] and n not in known]
        self.assertGreater(len(counters), 40)

        def sums(name):
            return (sum(int(r[name]) for r in full), sum(scales[n] * int(r[name]) for n, r in measured.items()))
        for name in counters:
            golden, total = sums(name)
            self.assertEqual(float(table[name]['full']), golden, name)
            self.assertAlmostEqual(float(table[name]['extrapolated']), total, delta=1e-5 * total + 1, msg=name)
            if golden > 0:
                self.assertAlmostEqual(float(table[name]['error']), 100 * (total / golden - 1), delta=0.006, msg=name)
        (golden_hits, hits), (golden_reads, reads) = sums('l2_read_hits'), sums('l2_reads')
        self.assertAlmostEqual(float(table['l2_read_hit_rate']['full']), golden_hits / golden_reads, delta=1e-5)
        self.assertAlmostEqual(float(table['l2_read_hit_rate']['extrapolated']), hits / reads, delta=1e-5)
        self.assertEqual({r['error_bar'] for n, r in table.items() if n not in known}, {''})
        for row in (table[name] for name in known):
            self.assertEqual(row['extrapolated'], row['full'])
            self.assertEqual((row['error_bar'], row['inside'], float(row['sampling_error'])), ('0', 'yes', 0))

    def test_error_bars(self):
        """As the runs say; the truth is inside or not by the very numbers."""
        spec = 'sieve:representative=random:draws=3'
        self.study('--threads', '1', '--methods', 'random,stem,' + spec, '--warm', 'functional:auto', '--seed', '3')
        golden = sum(int(r['cycles']) for r in self.rows('s/runs/full'))
        for row in self.table('results'):
            folder = '%s-functional-auto' % row['method'].replace(':', '-')
            statistics = self.json('stats.json', os.path.join('s', 'runs', folder))['extrapolated']['statistics']
            cycles = statistics['cycles']
            self.assertAlmostEqual(float(row['cycles']), cycles['value'], delta=1)
            self.assertAlmostEqual(float(row['error_bar']), 100 * cycles['error'] / golden, delta=0.006)
            self.assertEqual(row['inside'], 'yes' if abs(cycles['value'] - golden) <= cycles['error'] else 'no')
            for other in self.table('statistics'):
                if other['method'] == row['method']:
                    known = statistics[other['statistic']]['error']
                    self.assertEqual(other['error_bar'], '' if known is None else '%g' % known, other['statistic'])
        self.assertIn('draw=random', self.text('s', 'plans', spec + '.plan'))

    def test_inside(self):
        """Methods inside launches: with a choice of launches and warm-up, in columns of their own and launch by launch."""
        self.hearth('trace', 'synth', 'saxpy', '--scale', '0.3', '-o', self.path('app.packed'), '--to', 'packed', '-q')

        def study(code=0):
            return self.hearth('study', 'sampled', self.path('app.packed'), '-o', self.path('s'), '--threads', '1', '-q',
                               '--methods', 'first-n:count=2', '--warm', 'none,functional:1', '--intra',
                               'blocks,pkp:threshold=0', '--set', 'gpgpu_n_clusters=2', code=code)
        study()
        full = {r['launch']: int(r['cycles']) for r in self.rows('s/runs/full')}
        golden = sum(full.values())
        inside = ['', 'blocks', 'pkp:threshold=0']
        rows = self.table('results')
        self.assertEqual([(r['warm'], r['intra']) for r in rows],
                         [(w, i) for w in ('none', 'functional:1') for i in inside])
        launches = self.table('launches')
        for row in rows:
            whole = next(r for r in rows if r['warm'] == row['warm'] and r['intra'] == '')
            self.assertAlmostEqual(float(row['intra_error']), float(row['error']) - float(whole['error']), delta=0.011)
            self.assertEqual(row['cold_error'], whole['cold_error'])
            here = [r for r in launches if (r['warm'], r['intra']) == (row['warm'], row['intra'])]
            self.assertEqual([r['launch'] for r in here], [] if row is whole else ['1', '2'])
            for launch in here:
                self.assertEqual(int(launch['full']), full[launch['launch']])
                error = 100 * (int(launch['cycles']) / int(launch['whole']) - 1)
                self.assertAlmostEqual(float(launch['error']), error, delta=0.006)
                self.assertEqual(launch['check'], '' if row['intra'] == 'blocks' else 'stable')
            if row['intra'] == 'blocks':
                self.assertGreater(float(row['fewer_insts']), 1.2 * float(whole['fewer_insts']))
                run = self.rows('s/runs/first-n-count=2-%s-blocks' % row['warm'].replace(':', '-'))
                runs = {r['launch']: r for r in run if r['role'] == 'measure'}
                scale = self.scales('first-n:count=2')
                total = sum(scale[n] * int(r['cycles']) for n, r in runs.items())
                self.assertAlmostEqual(float(row['error']), 100 * (total / golden - 1), delta=0.006)
                for launch in here:
                    run = runs[launch['launch']]
                    self.assertEqual(launch['simulated_insts'], run['simulated_warp_insts'])
                    self.assertAlmostEqual(float(launch['bar']), 100 * float(run['intra_bar']), delta=0.006)
                    self.assertAlmostEqual(float(launch['stability']), float(run['intra_stability']), delta=0.0001)
            elif row['intra']:
                self.assertEqual(float(row['intra_error']), 0)
        self.assertEqual({r['intra'] for r in self.table('statistics')}, set(inside))
        self.hearth('report', self.path('s', 'runs', 'first-n-count=2-none-blocks'), '-o', self.path('page.html'))
        self.assertIn('sampled inside 2 launches; 0 refused', self.text('page.html'))
        before = self.text('s', 'launches.csv') # the runs are read now
        study()
        self.assertEqual(self.text('s', 'launches.csv'), before)
        run = self.path('s', 'runs', 'first-n-count=2-none-blocks', 'kernels.csv')
        text = self.text(run)
        self.write(run, text.replace(',blocks,,', ',bricks,,'))
        self.assertIn('kernels.csv:2: intra="bricks": not what a run writes', study(3).stderr)

    def test_launch_latency(self):
        """Of launches of which a part is measured, too: what the run says."""
        self.study('--threads', '1', '--methods', 'first-n', '--warm', 'none,none+prime:20', '--set',
                   'gpgpu_kernel_launch_latency=5000', '--set', 'gpgpu_TB_launch_latency=3')
        for row, folder in zip(self.table('results'), ('first-n-none', 'first-n-none-prime-20')):
            run = self.json('stats.json', os.path.join('s', 'runs', folder))
            self.assertAlmostEqual(float(row['cycles']), run['extrapolated']['statistics']['cycles']['value'], delta=1)
        rows = self.rows('s/runs/first-n-none-prime-20')
        self.assertGreater(sum(int(r['primed_warp_insts']) for r in rows), 0)

    def test_cards(self):
        """A card with half the clock and the same cycles takes twice as long, and the sample says so."""
        half = self.write('half.config', '-gpgpu_clock_domains 566:566:566:1750.25\n')
        self.study('-c', 'rtx3070', '--threads', '1', '--methods', 'sieve', '--warm', 'full', '--against', half)
        row = self.table('speedups')[0]
        self.assertAlmostEqual(float(row['speedup']), 0.5, delta=0.0001)
        self.assertAlmostEqual(float(row['predicted']), 0.5, delta=0.0001)
        self.assertEqual(row['error'], '0.00')

    def test_goes_on(self):
        self.study(*self.QUICK)
        before = self.text('s', 'results.csv').splitlines()
        stamps = {n: os.stat(self.path('s', 'runs', n, 'run.json')).st_mtime_ns
                  for n in os.listdir(self.path('s', 'runs')) if not n.endswith('.states')}
        self.study(*self.QUICK)
        for name, stamp in stamps.items():
            self.assertEqual(os.stat(self.path('s', 'runs', name, 'run.json')).st_mtime_ns, stamp, name)
        # All but the time that choosing took.
        self.assertEqual([r.rpartition(',')[0] for r in self.text('s', 'results.csv').splitlines()],
                         [r.rpartition(',')[0] for r in before])

    def test_goes_on_when_moved(self):
        """Alone, and with its workload; not with another workload in its place."""
        def study(workload, out, code=0):
            return self.hearth(*self.COMMAND, workload, '-o', out, '-q', '--threads', '1', '--methods', 'sieve',
                               '--warm', 'none,checkpoint', code=code)

        def stamps(folder):
            return [os.stat(self.path(folder, 'runs', n, 'kernels.csv')).st_mtime_ns
                    for n in ('full', 'sieve-none', 'sieve-checkpoint')]
        os.mkdir(self.path('a'))
        shutil.copy(demo('oceanfft'), self.path('a', 'w.packed'))
        study('a/w.packed', 'a/s')
        made = stamps('a/s')
        os.rename(self.path('a', 's'), self.path('s'))
        study('a/w.packed', 's')
        self.assertEqual(stamps('s'), made)
        os.mkdir(self.path('x')) # one move and then another of the other kind
        os.rename(self.path('s'), self.path('x', 's'))
        os.rename(self.path('a'), self.path('x', 'a'))
        study('x/a/w.packed', 'x/s')
        self.assertEqual(stamps('x/s'), made)
        os.rename(self.path('x', 's'), self.path('x', 'a', 's'))
        study('x/a/w.packed', 'x/a/s')
        os.rename(self.path('x', 'a'), self.path('b'))
        study('b/w.packed', 'b/s')
        self.assertEqual(stamps('b/s'), made)
        shutil.copy(demo('oceanfft'), self.path('b', 'v.packed'))
        self.assertIn('have another plan', study('b/v.packed', 'b/s', code=2).stderr)
        run = self.text('b', 's', 'runs', 'full', 'run.json')
        self.assertIn('"moved"', run) # former versions wrote none: it goes on where it is
        os.rename(self.path('b'), self.path('a'))
        self.write('a/s/runs/full/run.json', re.sub(r' *"moved".*\n', '', run))
        made = stamps('a/s')
        study('a/w.packed', 'a/s')
        self.assertEqual(stamps('a/s'), made)

    def test_bad_input(self):
        place = self.path('s')
        self.fails(2, 'expected one workload, got 0', '-o', place)
        self.fails(2, '-o DIR is missing', demo('solver'))
        self.fails(2, '-o DIR is missing', demo('solver'), '-o', '')
        self.fails(2, '--launches', demo('solver'), '-o', place, '--launches', '1-3')
        self.fails(2, '--methods: stem is listed twice', demo('solver'), '-o', place, '--methods', 'stem,sieve,stem')
        self.fails(2, '--warm: none is listed twice', demo('solver'), '-o', place, '--warm', 'none,none')
        for methods, message in (('', 'the list is empty'), (',', 'a name of the list is empty'),
                                 ('sieve,,stem', 'a name of the list is empty')):
            self.fails(2, '--methods: ' + message, demo('solver'), '-o', place, '--methods', methods)
        self.fails(2, 'intra "no": expected one of blocks', demo('solver'), '-o', place, '--intra', 'blocks,no')
        self.fails(2, '--intra: blocks is listed twice', demo('solver'), '-o', place, '--intra', 'blocks,blocks')
        self.fails(2, '--warm and --intra: 24 combinations; at most 22', demo('solver'), '-o', place, '--intra',
                   'blocks,pkp,photon,photon-warp,photon-bb', '--warm', 'none,full,memory:1,functional:1')
        self.fails(2, 'lukewarm', demo('solver'), '-o', place, '--warm', 'lukewarm')
        self.fails(2, '-o -: a study writes a folder', demo('solver'), '-o', '-')

    def test_what_is_no_workload(self):
        """A plan, a profile: said at once, and nothing is written."""
        self.hearth('sample', demo('solver'), '--method', 'sieve', '-o', 'p.plan', '-q')
        self.fails(2, 'p.plan:1: this is a plan', 'p.plan', '-o', 's')
        self.fails(3, 'p.csv:1: no line of the file is a copy or a launch',
                   self.write('p.csv', 'launch,kernel,cycles\n1,k,5\n'), '-o', 's')
        self.fails(3, 'nothing: cannot open', 'nothing', '-o', 's')
        self.assertFalse(os.path.exists(self.path('s')))

    def test_sample_of_all_launches(self):
        """Nothing is left to chance: it is exact but for the state of the caches."""
        self.hearth('trace', 'cut', demo('solver'), '--launches', '1-6', '-o', 'cut')
        self.hearth(*self.COMMAND, 'cut', '-o', 's', '--threads', '1', '--methods', 'random', '--warm', 'none,full')
        cold, warm = self.table('results')
        self.assertEqual((warm['launches'], warm['error'], warm['error_bar'], warm['inside']), ('6', '0.00', '0.00', 'yes'))
        self.assertNotEqual(float(cold['error']), 0)
        self.assertEqual((cold['error_bar'], cold['inside'], cold['sampling_error']), ('0.00', '', '0.00'))
        for row in self.table('statistics'):
            self.assertIn((row['warm'], row['inside']), (('full', 'yes'), ('none', 'yes'), ('none', '')), row['statistic'])

    def test_method_that_cannot_be_used(self):
        """A launch without instructions has no place among Sieve's: a note. What is no method is an error at once."""
        self.workload('w', ids=(1, 2, 3))
        empty = re.sub(r'insts = 4\n(?:0.*\n)+', 'insts = 0\n', self.text('w', 'kernel-2.traceg'))
        self.write('w/kernel-2.traceg', empty)
        quick = (self.path('w'), '-o', self.path('s'), '--threads', '1', '--warm', 'none')
        done = self.hearth(*self.COMMAND, *quick, '--methods', 'sieve,stem')
        self.assertIn('sieve is left out', done.stderr)
        self.assertEqual([r['method'] for r in self.table('left_out')], ['sieve'])
        self.assertEqual({r['method'] for r in self.table('results')}, {'stem'})
        self.fails(3, 'sieve needs more', *quick, '-q', '--methods', 'sieve')
        for methods, message in (('sieve,nonsense', 'expected one of sieve, sieve-grids, sieve-artifact, optimal, photon, photon-artifact, stem, two-phase, pks'),
                                 ('sieve:count=1', '"count" is no option of sieve'),
                                 ('sieve:theta', 'expected OPTION=VALUE'),
                                 ('sieve:', 'expected OPTION=VALUE'),
                                 ('sieve::theta=0.2', 'expected OPTION=VALUE'),
                                 ('stem:confidence=7', '--confidence "7": expected a number from 0.01 to 0.999999'),
                                 ('sieve:theta=x', '--theta "x"'),
                                 ('sieve:draws=2', '--representative random'),
                                 ('sieve:' + 'x' * 300, 'too long')):
            self.fails(2, message, demo('solver'), '-o', self.path('t'), '--methods', methods)
        self.fails(2, '--seed', demo('solver'), '-o', self.path('t'), '--seed', 'x')
        self.assertFalse(os.path.exists(self.path('t')))

    def test_another_seed(self):
        """The full run stays; what was drawn otherwise is simulated again, in the same folder."""
        quick = ('--threads', '1', '--methods', 'random', '--warm', 'none')
        self.study(*quick, '--seed', '1')
        stamp = os.stat(self.path('s', 'runs', 'full', 'run.json')).st_mtime_ns
        first = self.table('results')[0]
        self.study(*quick, '--seed', '2')
        self.assertEqual(os.stat(self.path('s', 'runs', 'full', 'run.json')).st_mtime_ns, stamp)
        self.assertNotEqual(self.table('results')[0]['cycles'], first['cycles'])
        self.fails(2, 'have another configuration', demo('solver'), '-o', self.path('s'), '-q', *quick, '-c', 'qv100')

    def test_interrupted(self):
        """SIGINT and a kill: the same command goes on, and the end is the same."""
        quick = (*self.QUICK, '-q')
        self.study(*quick, out='whole')
        line = [HEARTH, *self.COMMAND, demo('solver'), '-o', self.path('s'), *quick]
        for number, code in ((signal.SIGINT, 130), (signal.SIGKILL, -9)):
            child = subprocess.Popen(line, stderr=subprocess.PIPE, text=True)
            time.sleep(0.4)
            child.send_signal(number)
            text = child.communicate()[1]
            self.assertIn(child.returncode, (code, 0), text)
            self.assertFalse(os.path.exists(self.path('s', 'index.html')) and child.returncode != 0)
        self.study(*quick)
        for name in ('statistics.csv', 'errors.csv'):
            self.assertEqual(self.text('s', name), self.text('whole', name))

    def test_names(self):
        """Blanks, quotes and what HTML takes for its own, in every place of a name."""
        name = 'a b\'c"d<i>&amp;$(x)%s'
        shutil.copy(demo('solver'), self.path(name + '.packed'))
        card = self.write(name + '/' + name + '.config', '-gpgpu_clock_domains 566:566:566:1750.25\n')
        other = self.write('other/' + name + '.config', '-gpgpu_clock_domains 283:566:566:1750.25\n')
        self.hearth(*self.COMMAND, self.path(name + '.packed'), '-o', self.path('out ' + name), '--threads', '1', '--methods',
                    'first-n', '--warm', 'none', '--against', card, '--against', other)
        page = self.text('out ' + name, 'index.html')
        self.assertIn('a b&#39;c&quot;d&lt;i&gt;&amp;amp;$(x)%s', page.replace("'", '&#39;'))
        self.assertNotIn('d<i>', page)
        self.assertEqual(self.json('study.json', 'out ' + name)['workload'], self.path(name + '.packed'))
        rows = self.table('speedups', 'out ' + name)
        self.assertEqual([r['card'] for r in rows], [card, other])
        self.assertAlmostEqual(float(rows[0]['speedup']), 0.5, delta=0.25)
        self.assertLess(float(rows[1]['speedup']), float(rows[0]['speedup']))

    def test_places(self):
        """Folders that cannot be written, results that were spoilt."""
        quick = ('--threads', '1', '--methods', 'first-n', '--warm', 'none')
        self.write('file', '')
        self.fails(4, 'file', demo('solver'), '-o', self.path('file'), *quick)
        self.fails(4, 'file', demo('solver'), '-o', self.path('file', 'below'), *quick)
        self.fails(3, 'nothing', self.path('nothing'), '-o', self.path('s'), '-q', *quick)
        self.study(*quick)
        golden = self.text('s', 'statistics.csv')
        for spoil in ('', 'step,launch\n', 'step,role,launch,cycles\n1,measure,1,nan\n', 'a"b"c\n'):
            self.write('s/runs/full/kernels.csv', spoil)
            self.fails(3, 'kernels.csv', demo('solver'), '-o', self.path('s'), '-q', *quick)
        shutil.rmtree(self.path('s', 'runs', 'full'))
        self.study(*quick)
        self.assertEqual(self.text('s', 'statistics.csv'), golden)


class Script(Case):
    """docs/studies/study-sampled."""
    QUICK = ('--variants', '1:0.02', '--methods', 'sieve,stem', '--warm', 'none,checkpoint')

    def script(self, *arguments, code=0):
        line = [sys.executable, os.path.join(ROOT, 'docs', 'studies', 'study-sampled'), HEARTH, self.path('d'), *arguments]
        done = subprocess.run(line, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def summary(self, name='summary.csv'):
        with open(self.path('d', name), newline='') as f:
            return list(csv.DictReader(f))

    def test_tables(self):
        """Two workloads, one of them a path; the document's tables are the studies' numbers."""
        doc = self.write('doc.md', 'before\n<!-- results -->\nearlier tables\n<!-- end -->\nafter\n')
        self.script('--workloads', 'kmeans,' + demo('solver'), *self.QUICK, '--doc', doc, '--jobs', '2')
        rows = self.summary()
        self.assertEqual(len(rows), 2 * 2 * 2)
        some = [abs(float(r['error'])) for r in rows if (r['method'], r['warm']) == ('sieve', 'checkpoint')]
        text = self.text('doc.md')
        self.assertTrue(text.startswith('before\n<!-- results -->\n') and text.endswith('\n<!-- end -->\nafter\n'))
        self.assertNotIn('earlier tables', text)
        self.assertIn('| sieve | checkpoint | %.2f | %.2f |' % (sum(some) / 2, max(some)), text)
        held = [r['inside'] for r in rows if (r['method'], r['warm']) == ('stem', 'checkpoint')].count('yes')
        self.assertRegex(text, r'\| stem \| checkpoint \|.*\| %d of 2, \+- [0-9.]+ \|' % held)
        errors = [100 * float(r['error']) for r in self.summary('sieve.csv')
                  if (r['method'], r['theta'], r['representative']) == ('sieve', '0.01', 'centroid')]
        self.assertIn('| sieve | 0.01 | centroid | 1 | %.2f | %.2f |' % (sum(errors) / 2, max(errors)), text)

    def test_done_once(self):
        self.script('--workloads', 'kmeans', *self.QUICK)
        page = self.path('d', 'kmeans-1-0.02', 'study', 'index.html')
        stamp, rows = os.stat(page).st_mtime_ns, self.summary()
        self.script('--workloads', 'kmeans', *self.QUICK)
        self.assertEqual(os.stat(page).st_mtime_ns, stamp)
        self.assertEqual(self.summary(), rows)
        done = self.script('--workloads', 'kmeans', '--variants', '1:0.02,2:0.02', '--only-done')
        self.assertEqual(done.stderr.splitlines(), ['kmeans 1 0.02: done', 'kmeans 2 0.02: not done'])
        self.assertEqual(self.summary(), rows)
        self.assertFalse(os.path.exists(self.path('d', 'kmeans-2-0.02')))
        os.remove(self.path('d', 'kmeans-1-0.02', 'done')) # as a stop before the end leaves it
        self.script('--workloads', 'kmeans', *self.QUICK)
        self.assertGreater(os.stat(page).st_mtime_ns, stamp)

    def test_bad_input(self):
        for arguments, message in ((('--jobs', '0'), 'expected a number from 1'),
                                   (('--variants', '1'), 'expected SEED:SCALE'), (('--workloads', 'a,,b'), 'an empty name')):
            self.assertIn(message, self.script(*arguments, code=2).stderr)
        done = self.script('--workloads', 'nonsense,kmeans', *self.QUICK, code=1)
        self.assertIn('nonsense 1 0.02: hearth: there is no synthetic workload', done.stderr)
        self.assertEqual({r['workload'] for r in self.summary()}, {'kmeans'})
        self.assertIn('expected the marks', self.script('--workloads', 'kmeans', *self.QUICK, '--doc',
                                                        self.write('doc.md', 'x'), code=4).stderr)


if __name__ == '__main__':
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
