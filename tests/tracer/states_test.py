#!/usr/bin/env python3
"""States of L2 that the tracer makes while it traces are those that `hearth warm` makes of the whole trace."""
import csv
import os
import subprocess
import sys
import tempfile
import unittest

HEARTH, FEED, REPLAY = map(os.path.abspath, sys.argv[1:4])
SCALE = '0.01'
SCALES = {'spmv': '0.05'} # where its states depend on the code between loads
CONFIG = 'rtx3070'
VARIANT = 'gpgpu_cache:dl2=S:32:128:8,L:B:m:L:P,A:192:4,32:0,32'


class StatesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def run_tool(self, *command, code=0, **settings):
        environment = {**os.environ, 'USER_DEFINED_FOLDERS': '1', **settings}
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, code, f'{command}: {done.stderr}')
        return done

    def feed(self, folder, name, *more, **settings):
        return self.run_tool(FEED, name, SCALES.get(name, SCALE), *more, TRACES_FOLDER=self.path(folder), **settings)

    def write(self, name, text):
        with open(self.path(name), 'w', encoding='ascii') as file:
            file.write(text)
        return self.path(name)

    def read(self, name):
        with open(self.path(name), 'rb') as file:
            return file.read()

    def listed(self, folder):
        """How many launches a text workload has."""
        with open(self.path(folder + '/kernelslist.g'), encoding='ascii') as file:
            return sum(line.startswith('kernel') for line in file)

    def rows(self, plan, *options):
        """The rows of measured launches, with what a launch does and takes."""
        self.run_tool(HEARTH, 'run', self.path(plan), '-o', self.path('out'), '-q', '-c', CONFIG, *options)
        with open(self.path('out/kernels.csv'), newline='', encoding='ascii') as file:
            return [{key: value for key, value in row.items() if key not in ('step', 'segment')}
                    for row in csv.DictReader(file) if row['role'] == 'measure']

    def expect(self, folder, made):
        """All states of FOLDER are those that `hearth warm` made; returns how many there are."""
        count = 0
        for expected, traced in ((made + '.states', 'states'), (made + '.1.states', 'states.1')):
            names = sorted(os.listdir(self.path(f'{folder}/{traced}')))
            count += len(names)
            for name in names:
                if name != 'launch-1.l2': # before the first launch, hearth warm has no state
                    self.assertEqual(self.read(f'{folder}/{traced}/{name}'), self.read(f'{expected}/{name}'), name)
        return count

    def warm(self, folder, variant=VARIANT):
        self.run_tool(HEARTH, 'warm', self.path(folder), '--warm', 'nsl', '-c', CONFIG, '--variant', variant,
                      '-o', self.path(folder + '.plan'), '-q')
        return folder + '.plan'

    def test_are_those_of_the_whole_trace(self):
        for name in ('dct8x8', 'bfs', 'spmv'):
            self.feed(name, name, '3', '24', TRACE_RECORD=self.path('stream'))
            made, count = self.warm(name), self.listed(name)
            self.assertGreater(count, 3)
            states = {'TRACE_STATES': f'{CONFIG} {VARIANT}'}
            self.run_tool(REPLAY, self.path('stream'), TRACES_FOLDER=self.path(name + '.all'), **states)
            self.assertEqual(self.expect(name + '.all', made), 2 * count)
            some = self.write('list', f'3\nmemory 2\n{count - 1}\n')
            for number, more in enumerate(({'TRACE_FORMAT': 'packed'}, {'TRACE_MODE': 'both'}, {'TRACE_MODE': 'memory'})):
                # With a list, the launches that are not in it come from the GPU, too, but only accesses.
                folder = f'{name}.{number}'
                self.feed(folder, name, '3', '24', TRACE_LIST=some, **states, **more)
                measured = {'launch-3.l2', f'launch-{count - 1}.l2'}
                found = set(os.listdir(self.path(folder + '/states')))
                self.assertEqual(found, measured | {'launch-2.l2'} if 'memory' in more.values() else measured)
                self.expect(folder, made)

    def test_with_what_the_device_wrote(self):
        """Memsets instead of copies from the host: they fill L2 in the second configuration only."""
        variant = 'hearth_device_copies=1'
        states = {'TRACE_STATES': f'{CONFIG} {variant}'}
        self.feed('bfs', 'bfs', '3', '24', FEED_SETS='1', TRACE_RECORD=self.path('stream'), **states)
        self.feed('bfs.host', 'bfs', '3', '24', **states)
        with open(self.path('bfs/kernelslist.g'), encoding='ascii') as file:
            self.assertIn('# set 0x', file.read())
        made, count = self.warm('bfs', variant), self.listed('bfs')
        self.assertEqual(self.expect('bfs', made), 2 * count)
        self.run_tool(REPLAY, self.path('stream'), TRACES_FOLDER=self.path('bfs.again'), **states)
        self.assertEqual(self.expect('bfs.again', made), 2 * count)
        some = self.write('list', '2\n%d\n' % count) # the list lacks lines that the states need
        for number, more in enumerate(({'FEED_OPEN': '1'}, {'TRACE_LIST': some}, {'FEED_OPEN': '1', 'TRACE_LIST': some})):
            folder = f'bfs.{number}'
            self.feed(folder, 'bfs', '3', '24', FEED_SETS='1', **states, **more)
            self.assertEqual(self.expect(folder, made), 2 * (2 if 'TRACE_LIST' in more else count))
        # Before the first launch, which hearth warm leaves out, and whatever launches do later.
        held = {folder: self.size(f'bfs/{folder}', 'launch-1.l2') for folder in ('states', 'states.1')}
        self.assertGreater(held['states.1'], held['states'])
        self.assertEqual(self.size('bfs.host/states', 'launch-1.l2'), held['states.1'])

    def test_variants_with_other_sms(self):
        variant = 'gpgpu_n_clusters=3'
        self.feed('some', 'dct8x8', '3', '24', TRACE_STATES=f'{CONFIG} {variant}')
        self.assertEqual(self.expect('some', self.warm('some', variant)), 2 * self.listed('some'))

    def test_start_the_launches_of_a_sample(self):
        self.feed('all', 'bfs', '3', '24', TRACE_RECORD=self.path('stream'))
        count = self.listed('all')
        expected = {row['launch']: row for row in self.rows(self.warm('all'))}
        some = self.write('list', f'1\n4\n{count}\n')
        self.run_tool(REPLAY, self.path('stream'), TRACES_FOLDER=self.path('few'), TRACE_LIST=some,
                      TRACE_STATES=f'{CONFIG} {VARIANT}')
        self.assertEqual(self.listed('few'), 3)
        os.mkdir(self.path('plans'))
        for variant, options in (([], []), (['--variant', VARIANT], ['--set', VARIANT])):
            self.run_tool(HEARTH, 'warm', self.path('few'), '--warm', 'nsl', '--states', self.path('few/states'), '-c', CONFIG,
                          *variant, '-o', self.path('plans/plan'), '-q', '-f')
            plan = 'plans/plan' + ('.1' if variant else '')
            with open(self.path(plan), encoding='ascii') as file:
                self.assertIn('!restore file=../few/states%s/launch-4.l2\n' % ('.1' if variant else ''), file.read())
            if variant:
                self.run_tool(HEARTH, 'warm', self.path('all'), '--warm', 'nsl', '-c', CONFIG, '--set', VARIANT,
                              '-o', self.path('set.plan'), '-q')
                expected = {row['launch']: row for row in self.rows('set.plan', *options)}
            found = self.rows(plan, '--allow-outside', *options)
            folder = self.path('few/states' + ('.1' if variant else ''))
            self.assertEqual(self.rows('few', '--warm', 'nsl', '--states', folder, *options), found)
            self.assertEqual([row['launch'] for row in found], ['1', '4', str(count)])
            for row in found:
                self.assertEqual(row, expected[row['launch']])

    def table(self, name):
        """A table of a study, without what machines and times decide."""
        with open(self.path(name), newline='', encoding='ascii') as file:
            return [{key: value for key, value in row.items() if 'seconds' not in key and key not in ('faster', 'share_of_full')}
                    for row in csv.DictReader(file)]

    def test_serve_studies(self):
        """Studies with the tracer's states have the results of those that make them; the pass is left out."""
        self.feed('all', 'bfs', '3', '24', TRACE_STATES=f'{CONFIG} {VARIANT}')
        states, variant = self.path('all/states'), self.write('card', '-' + VARIANT.replace('=', ' ', 1) + '\n')
        common = ['-c', CONFIG, '--threads', '1', '-q']
        cold = ['study', 'cold-start', self.path('all'), '--launches', '3-9', '--warm', 'memory:1,nsl', '--reach', '0', '--noise',
                '0', '--no-flush-modes', *common]
        sampled = ['study', 'sampled', self.path('all'), '--methods', 'periodic', '--warm', 'memory:1,nsl', '--tracing',
                   '--against', variant, *common]
        for command, tables in ((cold, ('policies', 'accuracy')), (sampled, ('results', 'speedups', 'tracing'))):
            name = command[1]
            for out, more in ((name, []), (name + '.given', ['--states', states])):
                self.run_tool(HEARTH, *command, '-o', self.path(out), *more)
            for table in tables:
                self.assertEqual(self.table(f'{name}/{table}.csv'), self.table(f'{name}.given/{table}.csv'))
            runs = {out: os.listdir(self.path(out + '/runs')) for out in (name, name + '.given')}
            self.assertTrue(any(run.endswith('.states') for run in runs[name]))
            self.assertFalse(any(run.endswith('.states') for run in runs[name + '.given']))
        none = ['--warm', 'memory:1', '--states', states, '-o', self.path('none')]
        for command in (cold, sampled):
            done = self.run_tool(HEARTH, *[a for a in command if a not in ('--warm', 'memory:1,nsl')], *none, code=2)
            self.assertIn('--states needs nsl among --warm', done.stderr)
        done = self.run_tool(HEARTH, *cold[:3], '--hardware', 'x.csv', '-o', self.path('none'), '--states', states, code=2)
        self.assertIn('--states is for comparing policies', done.stderr)
        os.remove(self.path('all/states.1/launch-5.l2'))
        os.remove(self.path('all/states/launch-5.l2'))
        done = self.run_tool(HEARTH, *cold, '-o', self.path('none'), '--states', states, code=3)
        self.assertIn('launch-5.l2: a measured launch has no state', done.stderr)

    def test_need_a_hundredth_of_a_long_trace(self):
        """3,024 launches, of which twelve are measured: what the tracer writes for them instead of all accesses."""
        self.feed('all', 'bfs', '3', '24', '1', '54', TRACE_RECORD=self.path('stream'))
        self.assertEqual(self.listed('all'), 3024)
        chosen = [250 * i + 19 * (i % 5) + 3 for i in range(12)]
        some = self.write('list', ''.join('%d\n' % launch for launch in chosen))
        self.run_tool(REPLAY, self.path('stream'), TRACES_FOLDER=self.path('memory'), TRACE_MODE='memory')
        self.run_tool(REPLAY, self.path('stream'), TRACES_FOLDER=self.path('few'), TRACE_LIST=some, TRACE_STATES=CONFIG)
        self.run_tool(HEARTH, 'warm', self.path('few'), '--warm', 'nsl', '--states', self.path('few/states'), '-c', CONFIG,
                      '-o', self.path('few.plan'), '-q')
        found = self.rows('few.plan')
        self.assertEqual(self.rows('few', '--warm', 'nsl', '--states', self.path('few/states')), found)
        whole = self.rows('all', '--warm', 'nsl', '--launches', ','.join(map(str, chosen)))
        self.assertEqual([int(row['launch']) for row in found], chosen)
        self.assertEqual(found, whole)
        memory = sum(self.size('memory', name) for name in os.listdir(self.path('memory')) if name.startswith('kernel-'))
        states = sum(self.size('few/states', name) for name in os.listdir(self.path('few/states')))
        print(f'states of {len(chosen)} launches: {states} bytes; memory trace of all: {memory}', flush=True)
        self.assertLess(states, memory / 100)

    def size(self, folder, name):
        return os.path.getsize(self.path(os.path.join(folder, name)))

    def test_refuses_states_that_are_not_there(self):
        self.feed('few', 'dct8x8', TRACE_STATES=CONFIG, DYNAMIC_KERNEL_RANGE='2-4')
        command = [HEARTH, 'warm', self.path('few'), '-c', CONFIG, '-q', '-o', self.path('plan'), '--states']
        states = self.path('few/states')
        done = self.run_tool(*command, states, '--warm', 'checkpoint', code=2)
        self.assertIn('policy nsl, not checkpoint', done.stderr)
        with open(self.path('few/states/launch-3.l2'), 'w', encoding='ascii') as file:
            file.write('none')
        done = self.run_tool(*command, states, '--warm', 'nsl', code=3)
        self.assertIn('launch-3.l2: the file is not a state of L2', done.stderr)
        run = [HEARTH, 'run', self.path('few'), '-c', CONFIG, '-q', '-o', self.path('out'), '--states', states]
        self.assertIn('policy nsl, not checkpoint', self.run_tool(*run, '--warm', 'checkpoint', code=2).stderr)
        self.assertIn('--states needs --warm nsl', self.run_tool(*run, code=2).stderr)
        self.assertIn('launch-3.l2: the file is not a state of L2', self.run_tool(*run, '--warm', 'nsl', code=3).stderr)
        self.assertFalse(os.path.exists(self.path('out')))
        os.remove(self.path('few/states/launch-2.l2'))
        done = self.run_tool(*command, states, '--warm', 'nsl', code=3)
        self.assertIn('launch-2.l2: a measured launch has no state', done.stderr)
        self.assertFalse(os.path.exists(self.path('plan')))

    def test_each_context_has_its_own(self):
        self.feed('two', 'dct8x8', '1', '8', '2', TRACE_STATES=CONFIG)
        folders = sorted(name for name in os.listdir(self.path('two')) if name.startswith('states'))
        self.assertEqual(len(folders), 2)
        self.assertTrue(folders[1].startswith('states_ctx_0x'))
        second = 'kernelslist' + folders[1][len('states'):] + '.g'
        for folder, name in zip(folders, ('kernelslist.g', second)):
            self.run_tool(HEARTH, 'warm', self.path('two/' + name), '--warm', 'nsl', '-c', CONFIG, '-f',
                          '-o', self.path('plan'), '-q')
            names = set(os.listdir(self.path('two/' + folder)))
            self.assertEqual(names, {'launch-1.l2'} | set(os.listdir(self.path('plan.states'))))
            for state in names - {'launch-1.l2'}:
                self.assertEqual(self.read(f'two/{folder}/{state}'), self.read('plan.states/' + state), state)

    def test_options_that_cannot_be(self):
        for states, more, text in (
                ('none-such', {}, 'TRACE_STATES: none-such'),
                (' ', {}, 'TRACE_STATES: no configuration'),
                (CONFIG + ' gpgpu_n_mem=none', {}, 'TRACE_STATES: '),
                (' '.join([CONFIG] + [VARIANT] * 16), {}, 'TRACE_STATES: at most 15 variants'),
                (CONFIG, {'TRACE_MODE': 'profile'}, 'TRACE_STATES needs all memory accesses'),
                (CONFIG, {'INSTR_BEGIN': '1'}, 'TRACE_STATES needs all memory accesses')):
            done = self.feed('bad', 'saxpy', code=2, TRACE_STATES=states, **more)
            self.assertIn(text, done.stderr)

    def test_trouble_costs_the_states_only(self):
        self.feed('whole', 'dct8x8', TRACE_RECORD=self.path('stream'))
        os.makedirs(self.path('few/states/launch-3.l2'))
        done = self.run_tool(REPLAY, self.path('stream'), code=3, TRACES_FOLDER=self.path('few'), TRACE_STATES=CONFIG)
        self.assertIn('there are no further states: ', done.stderr)
        self.assertIn('launch-3.l2', done.stderr)
        self.assertEqual(done.stderr.count('\n'), 1)
        self.assertEqual(self.listed('few'), self.listed('whole'))
        self.assertEqual(self.read('few/stats.csv'), self.read('whole/stats.csv'))
        self.assertEqual(sorted(os.listdir(self.path('few/states'))), ['launch-1.l2', 'launch-2.l2', 'launch-3.l2'])


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
