"""What tests of the NVBit tool share: an application on a stub driver, and what its traces say.

arguments of such a test: APP HEARTH REPLAY
"""
import collections
import os
import re
import subprocess
import sys
import tempfile
import unittest

APP, HEARTH, REPLAY = sys.argv[1:4]
SHARED, LOCAL, WINDOW = 0x7f0002000000, 0x7f0000000000, 1 << 24


def read_expected(path):
    """{context: {launch: {(block, warp): [(pc, mask, opcode, [addresses])]}}}, contexts in order of appearance"""
    contexts = collections.OrderedDict()
    with open(path) as file:
        for line in file:
            context, launch, block, warp, pc, mask, opcode, *addresses = line.split()
            launches = contexts.setdefault(context, collections.OrderedDict())
            warps = launches.setdefault(int(launch), {})
            warps.setdefault((int(block), int(warp)), []).append(
                (int(pc, 16), int(mask, 16), opcode, [int(a, 16) for a in addresses]))
    return list(contexts.values())


def lanes(mask):
    return bin(mask).count('1')


def expand(mask, words):
    """Addresses behind a line's width."""
    mode, *rest = words
    if mode == '0':
        return [int(w, 16) for w in rest[:lanes(mask)]]
    base = int(rest[0], 16)
    if mode == '1':
        return [base + i * int(rest[1]) for i in range(lanes(mask))]
    addresses = [base] if mask else []
    for delta in rest[1:lanes(mask)]:
        addresses.append(addresses[-1] + int(delta))
    return addresses


def read_line(line):
    words = [word for word in line.split() if word[0] != '@']
    pc, mask, destinations = int(words[0], 16), int(words[1], 16), int(words[2])
    at = 3 + destinations
    opcode, sources = words[at], int(words[at + 1])
    at += 2 + sources
    width, rest = int(words[at]), words[at + 1:]
    return pc, mask, opcode, expand(mask, rest) if width else []


def read_active(line):
    """Active lanes, and those that execute."""
    words = line.split()
    mask = int(words[1], 16)
    return int(words[-1][1:], 16) if words[-1][0] == '@' else mask, mask


def read_trace(path):
    """Header, and records as in read_expected()."""
    header, warps, grid = {}, {}, None
    with open(path) as file:
        for line in file.read().split('\n'):
            if line.startswith('-'):
                key, _, value = line[1:].partition(' = ')
                header[key] = value
            elif line.startswith('thread block'):
                grid = [int(n) for n in header['grid dim'].strip('()').split(',')]
                x, y, z = (int(n) for n in line.split('=')[1].split(','))
                block = x + grid[0] * (y + grid[1] * z)
            elif line.startswith('warp'):
                warp = int(line.split('=')[1])
            elif re.match('[0-9a-f]{4,} [0-9a-f]{8} ', line):
                warps.setdefault((block, warp), []).append(read_line(line))
    return header, warps


class ToolCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def run_app(self, scenario, code=0, **settings):
        """Returns what ran, and standard error."""
        environment = {**os.environ, 'USER_DEFINED_FOLDERS': '1', 'TRACES_FOLDER': self.path('traces'),
                       'TRACE_FILE_COMPRESS': '0', 'TRACE_QUIET': '1', **settings}
        done = subprocess.run([APP, scenario, self.path('expected')], env=environment, capture_output=True,
                              text=True, timeout=120)
        self.assertEqual(done.returncode, code, done.stderr)
        # Sanitizers say that they do not know coroutines well.
        errors = [line for line in done.stderr.splitlines() if not line.startswith('==')]
        return read_expected(self.path('expected')), '\n'.join(errors)

    def check(self, expected, infix=''):
        """The launches of one context are all there."""
        for launch, warps in expected.items():
            header, traced = read_trace(self.path(f'traces/kernel-{launch}{infix}.traceg'))
            self.assertEqual(traced, warps, f'launch {launch}{infix}')
            self.assertEqual(header['kernel id'], str(launch))
        self.assertGreater(len(expected), 1)

    def lines(self, name):
        with open(self.path('traces/' + name)) as file:
            return file.read().splitlines()

    def hearth(self, *arguments, code=0):
        """Standard output and error."""
        done = subprocess.run([HEARTH, *arguments], capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout, done.stderr

    def replay(self, stream, folder, **settings):
        subprocess.run([REPLAY, self.path(stream)], check=True, env={
            **os.environ, 'USER_DEFINED_FOLDERS': '1', 'TRACES_FOLDER': self.path(folder), 'TRACE_FILE_COMPRESS': '0',
            **settings})
