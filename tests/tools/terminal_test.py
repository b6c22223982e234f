"""Tests of what is different on a terminal: colours, and the progress of studies.

usage: terminal_test.py HEARTH SOURCE_ROOT [TEST]...
"""
import os
import pty
import re
import sys
import unittest

from case import Case, HEARTH, demo

BOLD, YELLOW, RED = '\x1b[1m', '\x1b[1;33m', '\x1b[1;31m'


class Terminal(Case):
    def on_terminal(self, *arguments, **environment):
        """What a terminal shows, and the exit code."""
        process, terminal = pty.fork()
        if process == 0:
            os.chdir(self.place)
            kept = {name: value for name, value in os.environ.items() if name not in ('NO_COLOR', 'CLICOLOR_FORCE')}
            os.execve(HEARTH, [HEARTH, *arguments], {**kept, 'TERM': 'xterm', **environment})
        text = b''
        while True:
            try:
                more = os.read(terminal, 65536)
            except OSError:     # Linux, when the other end is closed
                break
            if not more:
                break
            text += more
        os.close(terminal)
        return text.decode().replace('\r\n', '\n'), os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])

    def test_errors(self):
        for environment, begin, end in (({}, RED, '\x1b[0m'), ({'NO_COLOR': '1'}, '', ''), ({'TERM': 'dumb'}, '', ''),
                                        ({'NO_COLOR': ''}, RED, '\x1b[0m'), ({'CLICOLOR_FORCE': '0'}, RED, '\x1b[0m')):
            self.assertEqual(self.on_terminal('rnu', **environment),
                             (begin + 'hearth:' + end + ' "rnu" is not a command; did you mean run?\n', 2))

    def test_notes_and_headings(self):
        for name in ('a', 'b'):
            self.hearth('run', demo('dct8x8'), '--launches', '1', '-q', '-o', self.path(name))
        text, _ = self.on_terminal('run', demo('dct8x8'), '--launches', '1', '--resume', '-o', 'a')
        self.assertEqual(text, YELLOW + 'hearth: note:\x1b[0m --resume: the results in a are complete\n')
        text, _ = self.on_terminal('diff', 'a', 'b')
        self.assertRegex(text, r'\A\x1b\[1mSpeed-up.*\x1b\[0m\n\x1b\[1mrun ')
        self.assertIn(BOLD + 'usage:\x1b[0m hearth run ', self.on_terminal('run', '--help')[0])
        self.assertIn(BOLD + 'usage:\x1b[0m hearth COMMAND', self.on_terminal('--help')[0])

    def test_elsewhere(self):
        """Files and pipes have no colours, unless they are forced."""
        self.assertNotIn('\x1b', self.hearth('run', '--help').stdout)
        self.assertNotIn('\x1b', self.hearth('rnu', code=2).stderr)
        os.environ['CLICOLOR_FORCE'] = '1'
        self.addCleanup(os.environ.pop, 'CLICOLOR_FORCE')
        self.assertNotIn('\x1b', self.hearth('rnu', code=2).stderr)
        del os.environ['NO_COLOR']
        self.addCleanup(os.environ.__setitem__, 'NO_COLOR', '1')
        self.assertIn(RED, self.hearth('rnu', code=2).stderr)

    def test_study(self):
        """The time left of the run, and of all runs."""
        self.hearth('trace', 'synth', 'dct8x8', '--scale', '0.3', '--level', '1', '--to', 'packed', '-o', self.path('w.packed'))
        text, code = self.on_terminal('study', 'cold-start', 'w.packed', '--warm', 'none', '--reach', '0', '--noise', '0',
                                      '--no-flush-modes', '--no-in-phase', '--threads', '1', '-o', 'out')
        self.assertEqual(code, 0, text)
        lines = re.findall(r'\r\x1b\[K(\d+ of \d+ launches, \d+% of all warps)([^\r\n]*)', text)
        self.assertTrue(any(more for _, more in lines), text)
        for _, more in lines:
            self.assertRegex(more, r'\A(, \d+:\d\d:\d\d left, about \d+:\d\d:\d\d for all runs)?\Z')
        self.assertIn('\r\x1b[Khearth: run 2 of ', text)


if __name__ == '__main__':
    unittest.main(argv=[sys.argv[0]] + sys.argv[3:], verbosity=2)
