"""hearth calibrate: finds what was changed, says what it cannot see, refuses what it cannot read."""
import csv
import os
import random
import re
import subprocess
import sys
import unittest

from case import Case, HEARTH, ROOT
from cards import Cards, LAUNCHES, LEGACY, MODERN, random_card, wrong

CALIBRATION = os.path.join(ROOT, 'tracer/calibration')
TRACE = os.path.join(CALIBRATION, 'launches.packed')
SHORT = '1-18'                  # launches that take no time: blocks, chains
QUICK = LAUNCHES + tuple(entry for entry in LEGACY if entry[:2] in (
    ('trace_opcode_latency_initiation_sp', 0), ('trace_opcode_latency_initiation_sfu', 0),
    ('trace_opcode_latency_initiation_dp', 0)))
QUICK_MODERN = LAUNCHES + tuple(entry for entry in MODERN if entry[0] in (
    'hearth_special_latency', 'hearth_shuffle_latency', 'hearth_wide_latency', 'hearth_branch_latency',
    'hearth_icache_near_latency'))


class Calibrate(Case):
    def cards(self):
        return Cards(HEARTH, CALIBRATION, self.place)

    def write_rows(self, rows, name='rows.csv'):
        with open(self.path(name), 'w', newline='') as f:
            writer = csv.DictWriter(f, list(rows[0]), lineterminator='\n')
            writer.writeheader()
            writer.writerows(rows)
        return self.path(name)

    def h100(self):
        with open(os.path.join(CALIBRATION, 'h100.csv'), newline='') as f:
            return list(csv.DictReader(f))

    def result(self, text, option):
        """The results of the lines about an option, in order."""
        return [line[line.rindex('  ') + 2:].strip() for line in text.splitlines() if line.split(' ')[0] == option]

    def test_finds_what_was_changed(self):
        cards = self.cards()
        card = cards.legacy('h100')
        base = cards.values(card)
        chosen, sets = random_card(base, random.Random(1), 6, QUICK)
        text, found = cards.calibrate(cards.rows('rows.csv', card, sets, SHORT), 'found.config', card)
        self.assertEqual(wrong(chosen, found), [])
        changed = {name for name, _, _ in chosen}
        self.assertEqual({k: v for k, v in found.items() if k not in changed},
                         {k: v for k, v in base.items() if k not in changed})
        self.assertEqual(self.result(text, 'dram_latency'), ['not measured'])
        self.assertIn('not measured', self.text('found.config'))

    def test_finds_what_was_changed_modern(self):
        """Of the modern core, whatever the number of jobs: the same bytes."""
        cards = self.cards()
        base = cards.card('h100')
        chosen, sets = random_card(base, random.Random(2), 6, QUICK_MODERN)
        rows = cards.rows('rows.csv', 'h100', sets, SHORT)
        text, found = cards.calibrate(rows, 'found.config', 'h100')
        self.assertEqual(wrong(chosen, found), [])
        self.assertEqual(self.result(text, 'hearth_wide_latency')[0] == 'as before',
                         found['hearth_wide_latency'] == base['hearth_wide_latency'])
        self.assertEqual(self.result(text, 'trace_opcode_latency_initiation_sp'), [])     # of the other core
        self.hearth('calibrate', rows, '--from', 'h100', '-o', self.path('one.config'), '--jobs', '1', '-q')
        self.assertEqual(self.text('one.config'), self.text('found.config'))

    def test_other_cards(self):
        """Rows of a card's own simulation give that card, whatever it starts from."""
        cards = self.cards()
        base = cards.card('rtx3070')
        rows = cards.rows('rows.csv', 'rtx3070', {'gpgpu_kernel_launch_latency': '4000'}, SHORT)
        _, found = cards.calibrate(rows, 'found.config', 'rtx3070')
        for option in ('trace_opcode_latency_initiation_sp', 'trace_opcode_latency_initiation_dp',
                       'hearth_block_turnaround'):
            self.assertEqual(found[option], base[option], option)
        self.assertEqual(found['gpgpu_kernel_launch_latency'], '4000')

    def test_page_walks(self):
        """Only the first launch that touches memory pays for page walks, not those that are simulated apart."""
        cards = self.cards()
        card = cards.legacy('h100')
        with open(card) as f:
            text = f.read()
        with open(card, 'w') as f:
            f.write(re.sub(r'-hearth_page_walk +0', '-hearth_page_walk 1500', text))
        base = cards.values(card)
        self.assertEqual(base['hearth_page_walk'], '1500')
        rows = cards.rows('rows.csv', card, {'gpgpu_kernel_launch_latency': '4000'}, '7,13-14')
        text, found = cards.calibrate(rows, 'found.config', card)
        self.assertEqual(self.result(text, 'trace_opcode_latency_initiation_sfu'), ['as before', 'not measured'])
        self.assertEqual(found['trace_opcode_latency_initiation_sfu'], base['trace_opcode_latency_initiation_sfu'])

    def test_no_effect_and_limit(self):
        """Dependent FFMA are faster than the model can be; backward branches cost it nothing."""
        rows = [row for row in self.h100() if row['label'].startswith('chain_ffma')]
        text = self.hearth('calibrate', self.write_rows(rows), '--from', self.cards().legacy('h100'),
                           '-o', self.path('o')).stdout
        self.assertEqual(self.result(text, 'trace_opcode_latency_initiation_sp'), ['at its limit', 'not measured'])
        self.assertEqual(self.result(text, 'trace_opcode_latency_initiation_spec_op_1'), ['no effect'])

    def test_program(self):
        """The program has the launches of the table, in their order."""
        with open(os.path.join(CALIBRATION, 'calibration.cu')) as f:
            text = f.read()
        text = text[text.index('static void launch_blocks'):text.index('static int attribute')]
        labels = re.findall(r'"([a-z]\w*),\w+,[^"]*"', text)
        self.assertEqual(labels, [row['label'] for row in self.h100()])

    def test_between_two_runs(self):
        """A value whose cycles lie between the card's two runs is right; one beside them is not."""
        cards = self.cards()
        base = cards.card('h100')
        rows = cards.rows('rows.csv', 'h100', {'gpgpu_kernel_launch_latency': '4000'}, SHORT)
        with open(rows, newline='') as f:
            measured = list(csv.DictReader(f))
        for row in measured:
            row['sm_cycles_2'] = str(int(row['sm_cycles']) + (1100 if row['label'] == 'chain_ex2_2048' else 0))
        _, found = cards.calibrate(self.write_rows(measured), 'found.config', 'h100')
        self.assertEqual(found['hearth_special_latency'], base['hearth_special_latency'])
        for row in measured:
            if row['label'] == 'chain_ex2_2048':
                row['sm_cycles'] = str(int(row['sm_cycles']) + 1000)
        _, found = cards.calibrate(self.write_rows(measured), 'found.config', 'h100')
        self.assertEqual(int(found['hearth_special_latency']), int(base['hearth_special_latency']) + 1)

    def test_memory_as_launches_find_it(self):
        """Powers of two; launches whose data others have replaced."""
        cards = self.cards()
        base = cards.card('h100')
        sets = {'gpgpu_kernel_launch_latency': '4000', 'hearth_l2_fetch': '32',
                'hearth_membar_cta_latency': '50'}
        rows = cards.rows('rows.csv', 'h100', sets, '55-56,62,66-67,71')
        _, found = cards.calibrate(rows, 'found.config', 'h100')
        self.assertEqual(wrong([(name, None, int(value)) for name, value in sets.items()], found), [])
        self.assertEqual(found['hearth_l2_fetch'], '32')
        self.assertEqual(found['hearth_special_latency'], base['hearth_special_latency'])

    def test_rows_of_the_table(self):
        """Each label of a rule, whose launch may count several times ("8*"), is a row of the table."""
        labels = {row['label'] for row in self.h100()}
        with open(os.path.join(ROOT, 'tools/calibrate/rules.def')) as f:
            rules = re.findall(r'^FIT\(.*$', f.read(), re.M)
        self.assertGreater(len(rules), 40)
        for rule in rules:
            for words in re.findall(r'"([^"]*)"', rule):
                self.assertLessEqual({re.sub(r'^[1-9]\*', '', word) for word in words.split()}, labels, rule)

    def test_all_of_the_card(self):
        """Each parameter of the bundled H100 that comes from calibration rows has a rule, or a reason why not."""
        with open(os.path.join(ROOT, 'sim/config/cards/h100.config')) as f:
            measured = re.findall(r'^-(\S+) .*\[C\]', f.read(), re.M)
        with open(os.path.join(ROOT, 'tools/calibrate/rules.def')) as f:
            known = re.findall(r'^(?:FIT\(\d+, \w+, |SPAN\(\d+, |UNSEEN\()([\w:]+)', f.read(), re.M)
        self.assertGreater(len(measured), 60)
        self.assertEqual(set(measured) - set(known), set())

    def test_unseen(self):
        """Parameters that no row sets are named, in the table and in the file."""
        text = self.hearth('calibrate', self.write_rows(self.h100()[:1]), '-o', self.path('o')).stdout
        self.assertRegex(text, r'\nhearth_l2_spread +52 +single hops show it')
        self.assertIn('hearth_l2_spread 52 single hops show it', self.text('o'))

    def test_the_modern_card(self):
        """The rows of the card that it was calibrated with leave it nearly as it is."""
        rows = [row for row in self.h100() if row['label'].startswith(('empty', 'hum_hits', 'l1_chase', 'lds_chain'))]
        base = self.cards().card('h100')
        self.hearth('calibrate', self.write_rows(rows), '--trace', TRACE, '--from', 'h100', '-o', self.path('o'))
        found = self.cards().values(self.path('o'))
        for option, tolerance in (('gpgpu_l1_latency', 1), ('gpgpu_smem_latency', 1), ('hearth_block_start_latency', 7),
                                  ('hearth_block_interval', 2), ('hearth_block_turnaround', 1)):
            self.assertLessEqual(abs(int(found[option]) - int(base[option])), tolerance, option)

    def add_cycles(self, profile, code=0):
        done = subprocess.run([os.path.join(CALIBRATION, 'add-cycles'), self.path('program.csv'),
                               self.write('profile.csv', profile)], capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout if code == 0 else done.stderr

    def test_results_with_cycles_of_the_profiler(self):
        """What the program and Nsight Compute print becomes rows for `calibrate` and `study correlate`."""
        rows = self.h100()[:4]
        program = 'launch,label,mechanism,parameters,work,grid,block,clock_cycles'.split(',')
        with open(self.path('program.csv'), 'w', newline='') as f:
            writer = csv.DictWriter(f, program, extrasaction='ignore', lineterminator='\n')
            writer.writeheader()
            writer.writerow({'launch': '0', 'label': 'device_sms', 'mechanism': 'device', 'work': '132'})
            writer.writerows(rows)
        head = '==PROF== Connected\n"ID","Kernel Name","sm__cycles_active.max","gpc__cycles_elapsed.max"\n'
        lines = ['"%d","k_empty()","%s","%s"\n' % (i, format(int(row['sm_cycles']), ',d'), row['gpc_cycles'])
                 for i, row in enumerate(rows)]
        results = self.write('results.csv', self.add_cycles(head + '"","","cycle","cycle"\n' + ''.join(lines)))
        text = self.hearth('calibrate', results, '--trace', TRACE, '--from', 'h100', '-o', self.path('o')).stdout
        for option in ('gpgpu_n_clusters', 'hearth_block_start_latency', 'gpgpu_kernel_launch_latency'):
            self.assertNotIn('not measured', self.result(text, option))
        self.hearth('study', 'correlate', TRACE, '--launches', '1-4', '--hardware', results, '--calibration', '-c',
                    self.path('o'), '-q', '-o', self.path('check'))
        with open(self.path('check/rows.csv'), newline='') as f:
            self.assertEqual([row['label'] for row in csv.DictReader(f)], [row['label'] for row in rows])
        self.assertIn('has 1 launches, but', self.add_cycles(head + lines[0], 1))
        self.assertIn('there is no column gpc__cycles_elapsed.max',
                      self.add_cycles('"ID","Kernel Name","sm__cycles_active.max"\n"0","k","1"\n', 1))
        self.assertIn('is not a raw page', self.add_cycles('ncu: no permission\n', 1))

    def test_properties(self):
        """What the card says of itself."""
        rows = [{'launch': '0', 'label': label, 'mechanism': 'device', 'work': work, 'sm_cycles': ''}
                for label, work in (('device_sms', '78'), ('device_threads', '1536'), ('device_registers', '32768'),
                                    ('device_core_mhz', '1755'), ('device_dram_gbs', '2048'))]
        rows.append({'launch': '7', 'label': 'other', 'mechanism': 'strange', 'work': '1', 'sm_cycles': '5'})
        text = self.hearth('calibrate', self.write_rows(rows), '--trace', TRACE, '-o', self.path('o')).stdout
        found = self.cards().values(self.path('o'))
        self.assertEqual((found['gpgpu_n_clusters'], found['gpgpu_shader_registers']), ('78', '32768'))
        self.assertEqual(found['gpgpu_shader_core_pipeline'], '1536:32')
        self.assertEqual(found['gpgpu_clock_domains'], '1755:1755:1755:800')     # 80 channels x 8 bytes x 4
        self.assertRegex(text, r'strange +1')       # a mechanism that sets nothing
        self.hearth('config', 'check', self.path('o'))

    def test_errors(self):
        good = self.write_rows(self.h100()[:1])
        out = ('--trace', TRACE, '-o', self.path('o'))
        self.fails(2, 'expected one table of measured rows', 'calibrate', *out)
        self.fails(3, 'missing.csv', 'calibrate', self.path('missing.csv'), *out)
        self.fails(3, 'there is no column work', 'calibrate', self.write('a.csv', 'launch,label\n1,x\n'), *out)
        self.fails(3, 'no column sm_cycles or clock_cycles', 'calibrate',
                   self.write('a.csv', 'launch,label,work\n1,x,1\n'), *out)
        self.fails(3, 'a.csv:3: launch: expected a number', 'calibrate',
                   self.write('a.csv', 'launch,label,work,sm_cycles\n1,x,1,1\nx,y,1,1\n'), *out)
        for cells, column in (('x,1,inf,1', 'sm_cycles'), ('x,1,-1,1', 'sm_cycles'), ('x,1,1,9e18', 'gpc_cycles'), ('x,1,1,nan', 'gpc_cycles'),
                              ('x,1,1,z', 'gpc_cycles'), ('x,inf,1,1', 'work')):
            self.fails(3, 'a.csv:3: %s: expected a number from 0 to 1000000000000, got "' % column, 'calibrate',
                       self.write('a.csv', 'launch,label,work,sm_cycles,gpc_cycles\n0,y,,,\n1,%s\n' % cells), *out)
        self.fails(3, 'there are no rows', 'calibrate', self.write('a.csv', 'launch,label,work,sm_cycles\n'), *out)
        self.fails(2, 'nocard', 'calibrate', good, *out, '--from', 'nocard')
        rows = self.h100()[:2]
        other = self.write_rows([dict(rows[0], grid='3x1x1'), rows[1]])
        self.fails(2, 'the trace is of another version of the program; --trace names another', 'calibrate', other, *out)
        self.fails(2, 'launch 1 of the bundled launches has another grid', 'calibrate', other, '-o', self.path('o'), '-q')
        self.fails(2, '99', 'calibrate', self.write_rows([dict(rows[0], launch='99'), rows[1]]), *out)
        self.assertFalse(os.path.exists(self.path('o')))
        self.write('o', 'mine')
        self.fails(4, 'exists', 'calibrate', good, *out)
        self.assertEqual(self.text('o'), 'mine')
        before = self.text('a.csv')
        self.fails(2, 'this file is also read', 'calibrate', self.path('a.csv'), '--trace', TRACE, '-f', '-o',
                   self.path('a.csv'))
        self.assertEqual(self.text('a.csv'), before)


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
