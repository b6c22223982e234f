#!/usr/bin/env python3
"""Ten million records in random order: whole, and in bounded memory."""
import csv
import os
import subprocess
import sys
import tempfile
import unittest

HEARTH, FEED = sys.argv[1:3]
LEAST = 10_000_000


class LongTest(unittest.TestCase):
    def trace(self, name, scale, resident, most, **settings):
        """Traces NAME with at most MOST MiB of memory."""
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, 'USER_DEFINED_FOLDERS': '1', 'TRACES_FOLDER': folder, **settings}
            environment.pop('MALLOC_PERTURB_', None)    # it touches what zstd allocates and does not use
            process = subprocess.Popen([FEED, name, str(scale), '1', str(resident)], env=environment)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual(process.returncode, 0)
            with open(os.path.join(folder, 'stats.csv'), newline='') as file:
                records = sum(int(row[10]) for row in list(csv.reader(file))[1:])
            print(f'{name}: {records} records, {usage.ru_utime:.1f} s, {usage.ru_maxrss >> 10} MiB', flush=True)
            self.assertGreater(records, LEAST)
            self.assertLess(usage.ru_maxrss >> 10, most)
            where = os.path.join(folder, 'traces.packed') if settings['TRACE_FORMAT'] == 'packed' else folder
            done = subprocess.run([HEARTH, 'trace', 'verify', where], capture_output=True, text=True)
            self.assertIn(': 0 errors', done.stdout + done.stderr)

    def test_many_launches(self):
        self.trace('stencil', 0.95, 300, 64, TRACE_FORMAT='text', TRACE_BUDGET='16')
        self.trace('stencil', 0.95, 300, 64, TRACE_FORMAT='packed', TRACE_BUDGET='16')

    # Records that wait in the feeding side count, too.
    def test_one_launch(self):
        self.trace('micro_gather', 500, 800, 128, TRACE_FORMAT='text', TRACE_BUDGET='4')


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
