"""Activity: what the parts of the GPU did, and its energy."""
import csv
import json
import sys
import unittest

from case import Case


class Activity(Case):
    def events(self, path='out/activity.csv'):
        with open(self.path(path), newline='') as file:
            return list(csv.DictReader(file))

    def test_events_by_hand(self):
        """Two warps of LDG, FADD, STG and EXIT: an operand each of LDG and FADD, two of STG; a result of the first two."""
        row = self.run_ok(self.workload(), '--launches', '1', '--activity')[0]
        events = {event['event']: event for event in self.events() if event['step'] == '1'}
        expected = {'warp_insts': 8, 'register_reads': 64 * 4, 'register_writes': 64 * 2, 'fp32_ops': 64, 'memory_insts': 4,
                    'control_insts': 2, 'l1d_loads': 8, 'l1d_stores': 8, 'cycles': int(row['cycles'])}
        self.assertEqual({name: int(events[name]['count']) for name in expected}, expected)
        self.assertEqual(events['fp32_ops']['picojoules'], '57.6')
        self.assertEqual(events['cycles']['picojoules'], '')
        self.assertEqual({e['event'] for e in self.events() if e['step'] == 'all'}, set(events))

    def test_sums_and_nothing_else_changes(self):
        """Line `all` is the sum of the measured launches; timing and other counters stay; threads do not matter."""
        plain = self.run_ok(self.workload(), out='plain')
        rows = self.run_ok(self.workload(), '--activity', '--threads', '3')
        for before, after in zip(plain, rows):
            changed = {name for name in before if before[name] != after[name]}
            self.assertEqual(changed, {'fp32_ops', 'register_reads', 'register_writes', 'memory_insts', 'control_insts'})
        sums = {}
        for event in self.events():
            if event['step'] != 'all':
                sums[event['event']] = sums.get(event['event'], 0) + int(event['count'])
        self.assertEqual(sums, {e['event']: int(e['count']) for e in self.events() if e['step'] == 'all'})
        self.run_ok(self.workload(), out='out')     # without: an old file does not stay
        self.assertRaises(FileNotFoundError, self.events)

    def test_energies(self):
        """A table of one's own; the command writes what the run writes."""
        self.run_ok(self.workload(), '--activity')
        self.hearth('activity', self.path('out'), '-q', '-o', self.path('again.csv'))
        self.assertEqual(self.text('again.csv'), self.text('out/activity.csv'))
        table = self.write('e.csv', 'event,picojoules,source\nfp32_ops,2,mine\ncycles,1e6,mine\n')
        out = self.hearth('activity', self.path('out'), '--energies', table, '-o', self.path('mine.csv')).stdout
        mine = {e['event']: e for e in self.events('mine.csv') if e['step'] == 'all'}
        self.assertEqual(float(mine['fp32_ops']['picojoules']), 2 * int(mine['fp32_ops']['count']))
        self.assertEqual({name for name in mine if mine[name]['picojoules']}, {'fp32_ops', 'cycles'})
        self.assertRegex(out, r'(?m)^GPU +%.3f ' % int(mine['cycles']['count']))
        self.assertRegex(out, r'(?m)^L2 +\d+$')     # without an energy
        bundled = self.hearth('activity', '--print-energies').stdout
        self.assertEqual(bundled.splitlines()[0], 'event,picojoules,source')
        self.hearth('activity', self.path('out'), '--energies', self.write('b.csv', bundled), '-q', '-o',
                    self.path('bundled.csv'))
        self.assertEqual(self.text('bundled.csv'), self.text('out/activity.csv'))

    def test_formats(self):
        """The same table as text, CSV and JSON, with its unit in all of them."""
        self.run_ok(self.workload(), '--activity')
        text, table, found = [self.hearth('activity', self.path('out'), *words).stdout
                              for words in ((), ('--format', 'csv'), ('--format', 'json'))]
        lines = list(csv.DictReader(table.splitlines()))
        self.assertEqual(text.split()[:4], ['component', 'energy_uJ', 'share_percent', 'without'])
        self.assertEqual(list(lines[0]), ['component', 'energy_uJ', 'share_percent', 'without'])
        for line, item in zip(lines, json.loads(found)['activity']):
            self.assertEqual(line['component'], item['component'])
            self.assertEqual(float(line['energy_uJ'] or -1), item['energy_uJ'] if item['energy_uJ'] is not None else -1)
        self.assertEqual(lines[-1]['component'], 'all')

    def test_what_is_wrong_with_a_table(self):
        self.run_ok(self.workload(), '--activity')
        head = 'event,picojoules,source\n'
        for code, text, message in ((3, head + 'fp32_opz,1,x\n', "e.csv:2:1: activity.csv has no event 'fp32_opz'; did you mean fp32_ops?"),
                              (3, head + 'fp32_ops,-1,x\n', 'e.csv:2:10: expected picojoules, a number from 0 to 1e15'),
                              (3, head + 'fp32_ops,1,x\nfp32_ops,2,x\n', 'e.csv:3:1: fp32_ops may stand once in a table'),
                              (3, head + 'fp32_ops\n', 'e.csv:2:1: the line has no event or no picojoules'),
                              (3, 'name,energy\n', 'e.csv:1: an energy table has the columns event and picojoules')):
            table = self.write('e.csv', text)
            self.fails(code, message, 'activity', self.path('out'), '--energies', table)
        self.fails(3, 'none.csv', 'activity', self.path('out'), '--energies', 'none.csv')
        self.run_ok(self.workload(), out='plain')
        self.fails(2, 'did not count what SMs issue; repeat it with --activity', 'activity', self.path('plain'))


if __name__ == '__main__':
    unittest.main(argv=[sys.argv[0]] + sys.argv[3:], verbosity=2)
