"""Tests of passes over a workload in front of and behind the simulation: they say how far they are on a terminal, and
the first SIGINT or SIGTERM ends them.

usage: stop_test.py HEARTH SOURCE_ROOT [TEST]...
"""
import filecmp
import os
import pty
import shutil
import signal
import subprocess
import sys
import time
import unittest

from case import Case, demo, HEARTH, SAME, kernel_text

LAUNCHES = 20000    # the same small one: passes over them take a second or more, what runs is the one behind them
LAST = str(LAUNCHES + 1)


class Stop(Case):
    def setUp(self):
        super().setUp()
        for n in (1, 2):
            self.write('w/kernel-%d.traceg' % n, kernel_text('k%d' % n, n))
        self.write('w/kernelslist.g', 'kernel-1.traceg\n' * LAUNCHES + 'kernel-2.traceg\n')

    def stopped(self, what, *arguments, number=signal.SIGINT):
        """Sends NUMBER when the line on the terminal begins with WHAT. Returns all that stood there."""
        master, slave = pty.openpty()
        self.addCleanup(os.close, master)
        process = subprocess.Popen([HEARTH, *arguments], cwd=self.place, stdout=subprocess.DEVNULL, stderr=slave)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        os.close(slave)
        text = b''
        try:
            while True:
                text += os.read(master, 4096)
                if b'\033[K%s: ' % what in text and number is not None:
                    process.send_signal(number)
                    number = None
        except OSError:     # nobody has the other end
            pass
        self.assertIsNone(number, text)
        self.assertRegex(text, rb'%s: \d+ of \d+ launches, \d+%% of all warps' % what)
        self.assertEqual(process.wait(), 128 + signal.SIGINT, text)
        return text.decode()

    def plan(self):
        """Measures the last launch."""
        return self.write('w/a.plan', '!plan 1\n!workload path=kernelslist.g\nkernel-2.traceg\n')

    def test_corrections(self):
        """Everything is simulated: the results say so, and --resume simulates nothing again."""
        arguments = ('run', 'w', '--warm', 'correction:artifact', '--launches', LAST, '-o', 'out')
        text = self.stopped(b'corrections', *arguments)
        self.assertIn('stopped by SIGINT after 1 of 1 launches, before they were corrected', text)
        self.assertEqual(self.json('run.json')['stop_reason'], 'SIGINT')
        self.assertEqual(self.json('stats.json')['partial'], True)
        self.assertEqual([row['cycles_corrected'] for row in self.rows()], [''])
        self.assertGreater(int(self.rows()[0]['cycles']), 0)
        self.assertEqual(len(self.text('out', 'correction.csv').splitlines()), 1)
        self.assertEqual(len(self.leftovers()), 1)
        self.hearth(*arguments, '--resume', '-q')
        self.assertEqual(self.json('run.json')['resumed_launches'], 1)
        self.assertEqual(self.leftovers(), [])
        self.hearth(*arguments[:-1], 'whole', '-q')
        names = SAME + ['correction.csv']
        self.assertEqual(filecmp.cmpfiles(self.path('whole'), self.path('out'), names, shallow=False), (names, [], []))

    def test_reach(self):
        """Nothing is simulated, and nothing is there that was not."""
        arguments = ('--warm', 'functional:auto', '--launches', LAST, '-o', 'out')
        text = self.stopped(b'reach', 'run', 'w', *arguments)
        self.assertIn('hearth: stopped by SIGINT before the plan was made', text)
        self.assertEqual(os.listdir(self.place), ['w'])
        self.stopped(b'reach', 'warm', self.plan(), '--warm', 'functional:auto', '-o', 'p')
        self.assertEqual(os.listdir(self.place), ['w'])

    def test_states(self):
        """States of a plan that is not made are not kept."""
        self.stopped(b'states', 'run', 'w', '--warm', 'nsl', '--launches', '1-50,' + LAST, '-o', 'out')
        self.assertEqual(os.listdir(self.place), ['w'])
        for arguments in (('--warm', 'nsl'), ('--warm', 'checkpoint', '--variant', 'gpgpu_n_mem=4')):
            self.stopped(b'states', 'warm', 'w', *arguments, '-o', 'p')
            self.assertEqual(os.listdir(self.place), ['w'])

    def test_states_again(self):
        """Those of an earlier plan stay until the new ones are all there."""
        for arguments, folder in ((('run', 'w', '--warm', 'nsl', '--launches', '1-50,' + LAST, '-o', 'out'), 'out.states'),
                                  (('warm', self.plan(), '--warm', 'nsl', '-o', 'p', '-f'), 'p.states')):
            self.hearth(*arguments, '-q')
            before = self.files(folder)
            self.assertGreater(len(before), 0)
            for name in before:     # as another configuration would have made them
                with open(self.path(folder, name), 'ab') as state:
                    state.write(b'older')
            older = self.files(folder)
            self.stopped(b'states', *arguments)
            self.assertEqual(self.files(folder), older)
            self.hearth(*arguments, '-q')
            self.assertEqual(self.files(folder), before)
            self.assertEqual([name for name in os.listdir(self.place) if '.part' in name], [])

    def files(self, folder):
        """What is in the files of FOLDER."""
        contents = {}
        for name in os.listdir(self.path(folder)):
            with open(self.path(folder, name), 'rb') as file:
                contents[name] = file.read()
        return contents

    def quietly(self, number, part, *arguments):
        """Sends NUMBER when PART of the output is there. Returns what stood on standard error."""
        process = subprocess.Popen([HEARTH, *arguments, '-q'], cwd=self.place, stderr=subprocess.PIPE, text=True)
        while not os.path.exists(self.path(part)) and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(number)
        errors = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 128 + number, errors)
        self.assertEqual(os.listdir(self.place), ['w'])
        return errors

    def test_quiet(self):
        """Without a terminal's line as with it."""
        errors = self.quietly(signal.SIGTERM, 'p.part', 'warm', self.plan(), '--warm', 'functional:auto', '-o', 'p')
        self.assertEqual(errors, 'hearth: stopped by SIGTERM before the plan was made\n')

    def test_profile(self):
        errors = self.quietly(signal.SIGINT, 'p.csv.part', 'trace', 'profile', 'w', '-o', 'p.csv')
        self.assertRegex(errors, r'\Ahearth: stopped by SIGINT after profiles of \d+ launches\n\Z')

    def test_studies(self):
        """A signal that comes while a run of a study makes its plan ends the study."""
        for policy in ('functional:auto', 'nsl'):
            process = subprocess.Popen([HEARTH, 'study', 'cold-start', demo('dct8x8'), '-o', 's', '--warm', policy,
                                        '--reach', '0'], cwd=self.place, stderr=subprocess.PIPE, text=True)
            errors = ''
            while ': ' + policy not in errors:
                errors += process.stderr.readline()
            process.send_signal(signal.SIGINT)
            errors += process.communicate(timeout=60)[1]
            self.assertEqual(process.returncode, 128 + signal.SIGINT, errors)
            self.assertIn('stopped', errors.splitlines()[-1])
            shutil.rmtree(self.path('s'))


if __name__ == '__main__':
    unittest.main(argv=[sys.argv[0]] + sys.argv[3:], verbosity=2)
