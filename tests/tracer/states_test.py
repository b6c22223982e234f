#!/usr/bin/env python3
"""States of L2 that the tracer makes while it traces are those that `hearth warm` makes of the whole trace."""
import os
import subprocess
import sys
import tempfile
import unittest

HEARTH, FEED, REPLAY = map(os.path.abspath, sys.argv[1:4])
SCALE = '0.01'
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
        return self.run_tool(FEED, name, SCALE, *more, TRACES_FOLDER=self.path(folder), **settings)

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

    def expect(self, folder, made, first=2):
        """All states of the folders that `hearth warm` made are those in FOLDER; returns how many there are."""
        count = 0
        for expected, traced in ((made + '.states', 'states'), (made + '.1.states', 'states.1')):
            names = sorted(os.listdir(self.path(f'{folder}/{traced}')))
            count += len(names)
            for name in names:
                if name != 'launch-1.l2': # before the first launch, hearth warm has no state
                    self.assertEqual(self.read(f'{folder}/{traced}/{name}'), self.read(f'{expected}/{name}'), name)
        return count

    def warm(self, folder):
        self.run_tool(HEARTH, 'warm', self.path(folder), '--policy', 'nsl', '-c', CONFIG, '--variant', VARIANT,
                      '-o', self.path(folder + '.plan'), '-q')
        return folder + '.plan'

    def test_are_those_of_the_whole_trace(self):
        for name in ('dct8x8', 'bfs'):
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


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
