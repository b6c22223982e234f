#!/usr/bin/env python3
"""From a synthetic workload, sent as a GPU would, to simulated cycles."""
import csv
import filecmp
import os
import subprocess
import sys
import tempfile
import unittest

HEARTH, FEED, REPLAY = map(os.path.abspath, sys.argv[1:4])
SCALE = '0.01'


class ReplayTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def run_tool(self, *command, code=0, **settings):
        """The process, with SETTINGS in its environment; its traces go to settings['TRACES_FOLDER']."""
        environment = {**os.environ, 'USER_DEFINED_FOLDERS': '1', 'TRACE_ACTIVE': '0', **settings}
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, code, f'{command}: {done.stderr}')
        return done

    def feed(self, folder, name, *more, **settings):
        return self.run_tool(FEED, name, SCALE, *more, TRACES_FOLDER=self.path(folder), **settings)

    def rows(self, folder, *options):
        """kernels.csv of a run, without the columns that the order of a list decides."""
        self.run_tool(HEARTH, 'run', self.path(folder), '-o', self.path('out'), '-q', *options)
        with open(self.path('out/kernels.csv'), newline='') as file:
            return [row for row in csv.DictReader(file)]

    def test_simulates_as_the_workload_does(self):
        for name in ('dct8x8', 'bfs'):
            self.run_tool(HEARTH, 'trace', 'synth', name, '--scale', SCALE, '-o', self.path(name), '-q')
            expected = self.rows(name)
            self.feed(name + '.text', name, '3', '24')
            self.assertEqual(self.rows(name + '.text'), expected)
            self.feed(name + '.dir', name, '4', '5', TRACE_FORMAT='packed')
            self.assertEqual(self.rows(name + '.dir/traces.packed'), expected)
            verify = self.run_tool(HEARTH, 'trace', 'verify', self.path(name + '.text'))
            self.assertIn(': 0 errors', verify.stdout)

    def test_profiles_as_the_workload_does(self):
        self.run_tool(HEARTH, 'trace', 'synth', 'bfs', '--scale', SCALE, '-o', self.path('bfs'), '-q')
        self.feed('traced', 'bfs')
        texts = [self.run_tool(HEARTH, 'trace', 'profile', self.path(name), '-o', '-').stdout
                 for name in ('bfs', 'traced')]
        self.assertEqual(*texts)
        stats = self.run_tool(HEARTH, 'sample', self.path('traced/stats.csv'), '--method', 'first-n', '--count', '3', '-o', '-')
        self.assertIn('!step role=measure', stats.stdout)

    def test_replays_what_was_recorded(self):
        for settings in ({}, {'TRACE_FORMAT': 'packed'}, {'TRACE_MODE': 'both'}):
            self.feed('first', 'dct8x8', '7', '9', '2', TRACE_RECORD=self.path('stream'), **settings)
            self.run_tool(REPLAY, self.path('stream'), TRACES_FOLDER=self.path('second'), **settings)
            first = sorted(os.listdir(self.path('first')))
            self.assertEqual(first, sorted(os.listdir(self.path('second'))))
            self.assertGreater(len(first), 2)
            for name in first:
                a, b = self.path('first/' + name), self.path('second/' + name)
                if name.startswith(('stats', 'kernelslist')):
                    self.assertTrue(filecmp.cmp(a, b, shallow=False), name)
            self.assertEqual(self.rows('first' + ('/traces.packed' if settings.get('TRACE_FORMAT') else '')),
                             self.rows('second' + ('/traces.packed' if settings.get('TRACE_FORMAT') else '')))
            for folder in ('first', 'second'):
                subprocess.run(['rm', '-r', self.path(folder)], check=True)

    def test_replays_a_part_with_other_options(self):
        self.feed('all', 'dct8x8', TRACE_RECORD=self.path('stream'))
        self.run_tool(REPLAY, self.path('stream'), TRACES_FOLDER=self.path('some'), DYNAMIC_KERNEL_RANGE='2 5-6',
                      TRACE_FILE_COMPRESS='0')
        names = sorted(name for name in os.listdir(self.path('some')) if name.startswith('kernel-'))
        self.assertEqual(names, ['kernel-2.traceg', 'kernel-5.traceg', 'kernel-6.traceg'])

    def test_traces_a_list_and_what_warms_it(self):
        with open(self.path('list'), 'w') as file:
            file.write('7\nmemory 5-6\n')
        for settings, where in (({}, 'few'), ({'TRACE_FORMAT': 'packed'}, 'few/traces.packed')):
            self.feed('few', 'dct8x8', TRACE_LIST=self.path('list'), **settings)
            rows = self.rows(where)
            self.assertEqual([(row['launch'], row['role'], row['mode']) for row in rows],
                             [('5', 'warm', 'memory'), ('6', 'warm', 'memory'), ('7', 'measure', 'detailed')])

    def test_weighs_and_warms(self):
        self.run_tool(HEARTH, 'trace', 'synth', 'dct8x8', '--scale', SCALE, '-o', self.path('all'), '-q')
        self.run_tool(HEARTH, 'trace', 'profile', self.path('all'), '-o', self.path('all.csv'), '-q')
        self.run_tool(HEARTH, 'sample', self.path('all.csv'), '--method', 'sieve', '-q', '-o', self.path('plan'),
                      '--trace-list', self.path('list'), '--trace-warm', 'memory:1')
        found = []
        for compress in ('0', '2'):
            self.feed('few' + compress, 'dct8x8', TRACE_LIST=self.path('list'), TRACE_FILE_COMPRESS=compress)
            plan = f'few{compress}/plan'
            with open(self.path('plan'), encoding='ascii') as file, open(self.path(plan), 'w', encoding='ascii') as copy:
                copy.write(file.read())
            found.append(self.rows(plan, '--warm', 'memory:1'))
        self.assertEqual(*found)
        roles = [(row['role'], row['mode']) for row in found[0]]
        self.assertEqual(roles[:3], [('measure', 'detailed'), ('warm', 'memory'), ('measure', 'detailed')])
        with open(self.path('list'), encoding='ascii') as file:
            self.assertIn('memory', file.read())

    def test_folders(self):
        for n in (0, 1):
            self.feed('many', 'saxpy', TRACE_MULTI_PROCESS='1')
            self.assertTrue(os.path.exists(self.path(f'many/run{n}/kernelslist.g')))
        self.feed('given', 'saxpy', USER_DEFINED_FOLDERS='0')
        self.assertTrue(os.path.exists(self.path('given/traces/kernelslist.g')))
        environment = {key: value for key, value in os.environ.items() if key != 'TRACES_FOLDER'}
        subprocess.run([FEED, 'saxpy', SCALE], env=environment, cwd=self.folder, check=True)
        self.assertTrue(os.path.exists(self.path('traces/kernelslist.g')))

    def test_damaged_streams(self):
        self.feed('all', 'saxpy', TRACE_RECORD=self.path('stream'))
        with open(self.path('stream'), 'rb') as file:
            stream = file.read()
        with open(self.path('cut'), 'wb') as file:
            file.write(stream[:-9])
        done = self.run_tool(REPLAY, self.path('cut'), code=3, TRACES_FOLDER=self.path('some'))
        self.assertIn('ends within an entry', done.stderr)
        with open(self.path('junk'), 'wb') as file:
            file.write(b'junk' * 10)
        done = self.run_tool(REPLAY, self.path('junk'), code=3, TRACES_FOLDER=self.path('none'))
        self.assertEqual(done.stderr, 'hearth-replay: the stream has an invalid entry\n')
        self.run_tool(REPLAY, self.path('stream'), code=2, TRACE_RECORD=self.path('stream'))
        with open(self.path('stream'), 'rb') as file:
            self.assertEqual(file.read(), stream)
        self.run_tool(REPLAY, code=2)
        self.run_tool(REPLAY, '-x', code=2)
        self.run_tool(REPLAY, self.path('none'), 'x', code=2)
        done = self.run_tool(REPLAY, self.path('stream'), code=2, TRACE_MODE='x')
        self.assertEqual(done.stderr, 'hearth-replay: TRACE_MODE: "x" is not one of: trace memory both profile\n')
        self.assertIn('DYNAMIC_KERNEL_LIMIT_END', self.run_tool(REPLAY, '--help').stdout)
        version = self.run_tool(HEARTH, '--version').stdout
        self.assertEqual(self.run_tool(REPLAY, '--version').stdout, version.replace('hearth', 'hearth-replay'))


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
