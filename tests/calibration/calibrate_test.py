"""hearth calibrate: finds what was changed, says what it cannot see, refuses what it cannot read."""
import csv
import os
import random
import re
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../tools'))
from case import Case, HEARTH, ROOT       # noqa: E402
from cards import Cards, PARAMETERS, random_card, wrong     # noqa: E402

CALIBRATION = os.path.join(ROOT, 'tracer/calibration')
TRACE = os.path.join(CALIBRATION, 'launches.packed')
SHORT = '1-14'                  # launches that take no time: blocks, chains
QUICK = [entry for entry in PARAMETERS if entry[0].startswith('hearth_block') or
         entry[:2] in (('trace_opcode_latency_initiation_sp', 0), ('trace_opcode_latency_initiation_sfu', 0),
                       ('trace_opcode_latency_initiation_dp', 0), ('gpgpu_kernel_launch_latency', None))]


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
        rows = cards.rows('rows.csv', card, {'gpgpu_kernel_launch_latency': '4000'}, '5,9-10')
        text, found = cards.calibrate(rows, 'found.config', card)
        self.assertEqual(self.result(text, 'trace_opcode_latency_initiation_sfu'), ['as before', 'not measured'])
        self.assertEqual(found['trace_opcode_latency_initiation_sfu'], base['trace_opcode_latency_initiation_sfu'])

    def test_no_effect_and_limit(self):
        """Dependent FFMA are faster than the model can be; backward branches cost it nothing."""
        rows = [row for row in self.h100() if row['label'].startswith('chain_ffma')]
        text = self.hearth('calibrate', self.write_rows(rows), '--trace', TRACE, '--from', self.cards().legacy('h100'),
                           '-o', self.path('o')).stdout
        self.assertEqual(self.result(text, 'trace_opcode_latency_initiation_sp'), ['at its limit', 'not measured'])
        self.assertEqual(self.result(text, 'trace_opcode_latency_initiation_spec_op_1'), ['no effect'])

    def test_modern_core(self):
        """Its latencies are others: the options of the legacy core change nothing there, and are left alone."""
        rows = [row for row in self.h100() if row['label'].startswith('chain_ffma')]
        text = self.hearth('calibrate', self.write_rows(rows), '--trace', TRACE, '--from', 'h100',
                           '-o', self.path('o')).stdout
        self.assertEqual(self.result(text, 'trace_opcode_latency_initiation_sp'), ['no effect', 'not measured'])

    def test_the_modern_card(self):
        """The rows of the card that it was calibrated with leave it nearly as it is."""
        rows = [row for row in self.h100() if row['label'].startswith(('empty', 'l1_chase', 'lds_chain'))]
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
        rows = self.h100()[:2]
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
        self.hearth('study', 'correlate', TRACE, '--launches', '1-2', '--hardware', results, '--calibration', '-c',
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
        self.fails(3, 'there are no rows', 'calibrate', self.write('a.csv', 'launch,label,work,sm_cycles\n'), *out)
        self.fails(2, 'nocard', 'calibrate', good, *out, '--from', 'nocard')
        rows = self.h100()[:2]
        self.fails(2, 'the trace is of another program', 'calibrate',
                   self.write_rows([rows[0], dict(rows[1], grid='3x1x1')]), *out)
        self.fails(2, '99', 'calibrate', self.write_rows([rows[0], dict(rows[1], launch='99')]), *out)
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
