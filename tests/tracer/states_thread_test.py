#!/usr/bin/env python3
"""The tracer makes states of L2 in a thread of its own: small enough to run under the thread sanitizer."""
import os
import subprocess
import sys
import tempfile
import unittest

FEED = os.path.abspath(sys.argv[1])
STATES = 'rtx3070 gpgpu_cache:dl2=S:32:128:8,L:B:m:L:P,A:192:4,32:0,32'


class StatesThreadTest(unittest.TestCase):
    def feed(self, folder, *more):
        """Traces two contexts in turn. Returns the states by their names."""
        environment = {**os.environ, 'USER_DEFINED_FOLDERS': '1', 'TRACES_FOLDER': folder, 'TRACE_STATES': STATES,
                       'TRACE_FORMAT': 'packed', 'DYNAMIC_KERNEL_RANGE': '2-9'}
        done = subprocess.run([FEED, 'dct8x8', '0.003', *more], env=environment, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, '')) # the sanitizer reports to standard error
        found = {}
        for place, _, names in os.walk(folder):
            for name in names:
                if name.endswith('.l2'):
                    with open(os.path.join(place, name), 'rb') as file:
                        found[os.path.relpath(os.path.join(place, name), folder)] = file.read()
        return found

    def test_states_do_not_depend_on_when_threads_run(self):
        with tempfile.TemporaryDirectory() as folder:
            first = self.feed(os.path.join(folder, 'first'), '1', '8', '2')
            second = self.feed(os.path.join(folder, 'second'), '2', '3', '2')
        self.assertEqual(len(first), 2 * 2 * 8) # contexts, configurations, launches
        self.assertEqual(set(first), set(second))
        for name, state in first.items():
            self.assertEqual(state, second[name], name)


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
