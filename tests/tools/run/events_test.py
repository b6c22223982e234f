"""Tests of hearth run --trace-events on the command line.

usage: events_test.py HEARTH SOURCE_ROOT [TEST]...
"""
import collections
import json
import os
import re
import sys
import unittest

from case import Case, ROOT, demo, kernel_text

CARDS = ('rtx3070', 'h100')     # the legacy core, and the modern one


def cpi_classes():
    with open(os.path.join(ROOT, 'sim', 'stats', 'cpi.def')) as f:
        return set(re.findall(r'^CPI\((\w+),', f.read(), re.M))


class Events(Case):
    COMMAND = ('run',)

    def trace(self, workload, events, *arguments, out='out'):
        self.hearth('run', workload, '-q', '-o', self.path(out), '--trace-events', events, *arguments)
        with open(self.path(out, 'events.json')) as f:
            return json.load(f)['traceEvents']

    def of(self, events, category, phase='X'):
        return [e for e in events if e['ph'] == phase and e.get('cat') == category]

    def test_events_are_what_is_counted(self):
        """One SM: its events are all that the launch counts, on both cores."""
        for card in CARDS:
            events = self.trace(demo('gemm'), '1', '-c', card, '--set', 'gpgpu_n_clusters=1', '--launches', '1')
            row = self.rows('out')[0]
            issues = self.of(events, 'issue')
            self.assertEqual(len(issues), int(row['warp_insts']))
            self.assertEqual(sum(e['args']['lanes'] for e in issues), int(row['thread_insts']))
            self.assertEqual(len(self.of(events, 'block')), int(row['blocks']))
            requests = collections.Counter(e['name'].split()[-1] for e in self.of(events, 'memory', 'b'))
            self.assertEqual(requests, {'read': int(row['l2_reads']), 'write': int(row['l2_writes'])})
            names = collections.Counter(e['name'].split('.')[0] for e in issues)
            self.assertGreater(names['FFMA'], names['LDG'])
            self.assertGreater(names['LDG'], 0)

    def test_warps_issue_or_stall(self):
        """In each cycle a resident warp issues or stalls, and never both; reasons are those of CPI stacks."""
        for card in CARDS:
            events = self.trace(demo('gemm'), '1', '-c', card, '--set', 'gpgpu_n_clusters=1', '--launches', '1')
            rows = collections.defaultdict(list)
            for e in self.of(events, 'issue') + self.of(events, 'stall'):
                rows[e['tid']].append((e['ts'], e['ts'] + e['dur']))
            self.assertEqual(len(rows), 8)
            total = 0
            for spans in rows.values():
                spans.sort()
                self.assertTrue(all(a[1] == b[0] for a, b in zip(spans, spans[1:])), card)
                total += spans[-1][1] - spans[0][0]
            self.assertAlmostEqual(total, int(self.rows('out')[0]['warp_cycles']), delta=2 * len(rows))
            reasons = {e['name'] for e in self.of(events, 'stall')}
            self.assertLessEqual(reasons, cpi_classes() - {'issued', 'no_warp', 'launch'} | {'not_selected'})
            self.assertLessEqual({'scoreboard_memory', 'barrier', 'not_selected'}, reasons)

    def test_stalls_agree_with_cpi_stacks(self):
        """One warp in the SM: its reasons are the classes of its scheduler."""
        self.write('w/kernelslist.g', 'kernel-1.traceg\n')
        self.write('w/kernel-1.traceg', kernel_text('k', 1).replace('grid dim = (2,', 'grid dim = (1,').split('#BEGIN_TB')[0] +
                   '#BEGIN_TB' + kernel_text('k', 1).split('#BEGIN_TB')[1])
        for card in CARDS:
            events = self.trace(self.path('w'), '1', '-c', card, '--set', 'gpgpu_n_clusters=1')
            spent = collections.Counter()
            for e in self.of(events, 'stall'):
                spent[e['name']] += e['dur']
            row = self.rows('out')[0]
            for name in ('scoreboard_memory', 'scoreboard_compute', 'barrier', 'fetch'):
                self.assertEqual(spent[name], int(row['cpi_' + name]), (card, name))

    def test_range(self):
        whole = self.trace(demo('spmv'), '1')
        first = sorted(e['ts'] for e in self.of(whole, 'issue'))[50]
        last = first + 100
        part = self.trace(demo('spmv'), '1:0:%d-%d' % (first, last))
        expected = [e for e in self.of(whole, 'issue') if first <= e['ts'] <= last]
        self.assertGreater(len(expected), 0)
        self.assertLess(len(expected), len(self.of(whole, 'issue')))
        self.assertEqual(self.of(part, 'issue'), expected)
        self.assertTrue(all(e['ts'] <= last and e['ts'] + e['dur'] > first for e in part if e['ph'] == 'X'))

    def test_format(self):
        """What the "Trace Event Format" asks for: fields of each phase, rows whose events nest, ends for beginnings."""
        for core in ('legacy', 'modern'):
            self.hearth('run', demo('reduction'), '--launches', '1', '--trace-events', '1', '-q', '-o', self.path(core), '--set',
                        'hearth_core=' + core)
            found = self.json('events.json', core)['traceEvents']
            rows, open_events = {}, {}
            for event in found:
                self.assertIn(event['ph'], 'MXbe')
                for key, kind in (('pid', int), ('tid', int), ('name', str)):
                    self.assertIsInstance(event[key], kind)
                if event['ph'] == 'M':
                    self.assertIn(event['name'], ('process_name', 'thread_name'))
                    self.assertIsInstance(event['args']['name'], str)
                    continue
                self.assertGreaterEqual(event['ts'], 0)
                key = (event['cat'], event.get('id'), event['name'])
                if event['ph'] == 'X':
                    self.assertGreaterEqual(event['dur'], 0)
                    rows.setdefault((event['pid'], event['tid']), []).append((event['ts'], event['ts'] + event['dur']))
                elif event['ph'] == 'b':
                    self.assertNotIn(key, open_events)
                    open_events[key] = event['ts']
                else:
                    self.assertLessEqual(open_events.pop(key), event['ts'])
            self.assertEqual(open_events, {})
            for spans in rows.values():
                ends = []
                for begin, end in sorted(spans, key=lambda span: (span[0], -span[1])):
                    while ends and ends[-1] <= begin:
                        ends.pop()
                    self.assertTrue(not ends or end <= ends[-1])
                    ends.append(end)

    def test_where_nothing_happens(self):
        note = self.hearth('run', self.workload(), '--trace-events', '1:0:900000-900001', '-o', 'none').stderr
        self.assertRegex(note, r'note: --trace-events: SM 0 did nothing in launch 1 in these cycles; the launch took \d+\n')

    def test_nothing_else_changes(self):
        """Results are those of the same run without events, and events do not depend on threads."""
        files = []
        for threads in ('1', '3'):
            self.trace(demo('spmv'), '2:1', '--threads', threads)
            files.append(self.text('out', 'events.json'))
        self.assertEqual(files[0], files[1])
        self.hearth('run', demo('spmv'), '-q', '-o', self.path('plain'), '--cpi-stack')
        self.assertEqual(self.text('plain', 'kernels.csv'), self.text('out', 'kernels.csv'))
        self.hearth('run', demo('spmv'), '-q', '-o', self.path('out'))
        self.assertFalse(os.path.exists(self.path('out/events.json')), 'an old file stays')

    def test_warps(self):
        """A row for each warp, within its launch; cycles do not change, nor what a method inside the launch sees."""
        sets = ('--set', 'gpgpu_n_clusters=2', '--launches', '1-2', '-q')
        for card in CARDS:
            self.hearth('run', demo('gemm'), '-c', card, *sets, '-o', self.path('plain'))
            self.hearth('run', demo('gemm'), '-c', card, *sets, '-o', self.path('w'), '--warps')
            self.assertEqual(self.text('w', 'kernels.csv'), self.text('plain', 'kernels.csv'))
            lines = [line.split(',') for line in self.text('w', 'warps.csv').splitlines()]
            self.assertEqual(lines[0], ['launch', 'block', 'sm', 'issue', 'retire'])
            warps = [tuple(map(int, line)) for line in lines[1:]]
            for row in self.rows('w'):
                here = [w for w in warps if w[0] == int(row['launch'])]
                x, y, z = map(int, row['block'].split('x'))
                self.assertEqual(len(here), int(row['blocks']) * ((x * y * z + 31) // 32))
                self.assertEqual({w[1] for w in here}, set(range(int(row['blocks']))))
                self.assertTrue(all(w[3] < w[4] <= int(row['cycles']) for w in here))
                self.assertEqual(sum(w[4] - w[3] for w in here), int(row['warp_cycles']))
        method = ('--intra', 'photon-warp:warps=2:delta=1')
        self.hearth('run', demo('gemm'), *sets, *method, '-o', self.path('plain'))
        self.hearth('run', demo('gemm'), *sets, *method, '-o', self.path('w'), '--warps')
        self.assertEqual(self.text('w', 'kernels.csv'), self.text('plain', 'kernels.csv'))
        self.fails(2, '--warps: not with --resume', demo('gemm'), '-o', self.path('w'), '--warps', '--resume')
        self.fails(2, '--warps: not of launches that overlap', demo('gemm'), '-o', self.path('w'), '--warps', '--set',
                   'gpgpu_concurrent_kernel_sm=1')

    def test_bad_input(self):
        work = demo('spmv')
        for text in ('x', '1:', '1:0:', '1:0:5', '1:0:5-', '1:0:5-4', '1,2', '1:0:5-6:7', ''):
            self.fails(2, '--trace-events "%s": expected LAUNCH' % text, work, '--trace-events', text, '-o', self.path('o'))
        self.fails(2, 'the last SM is 45', work, '--trace-events', '1:46', '-o', self.path('o'))
        self.fails(2, 'not with --resume', work, '--trace-events', '1', '--resume', '-o', self.path('o'))
        self.fails(2, 'launches that overlap', work, '--trace-events', '1', '--set', 'gpgpu_concurrent_kernel_sm=1',
                   '-o', self.path('o'))
        self.assertIn('no launch 99 was measured in detail',
                      self.hearth('run', work, '--trace-events', '99', '-q', '-o', self.path('o'), code=2).stderr)


if __name__ == '__main__':
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
