"""Tests of hearth trace footprint: numbers, forms of traces, messages, signals.

usage: footprint_test.py HEARTH SOURCE_ROOT [TEST]...
"""
import csv
import io
import os
import pty
import re
import signal
import subprocess
import sys
import time
import unittest

import case
from case import HEARTH

HEADER = ('-kernel name = k%d\n-kernel id = %d\n-grid dim = (2,1,1)\n-block dim = (64,1,1)\n-shmem = 0\n-nregs = 16\n'
          '-binary version = 86\n-cuda stream id = 0\n-shmem base_addr = 0x00007f0002000000\n'
          '-local mem base_addr = 0x00007f0000000000\n-accelsim tracer version = %s\n-enable lineinfo = %d\n\n'
          '#traces format = prose\n\n\n')
A, B, C = 0x7f1000000000, 0x7f1000100000, 0x7f1000200000


def spread(base, stride):
    return [base + stride * lane for lane in range(32)]


def records(number, warp):
    """What a warp (0 to 3) of a launch executes: (pc, opcode, width, lanes, addresses). Addresses of a record that
    can be written in every mode."""
    own = 128 * warp
    kinds = {
        1: [('LDG.E', 4, spread(A + own, 4)), ('STG.E', 4, spread(B + own, 4))],
        2: [('LDG.E', 4, spread(B + own, 4)), ('STG.E.64', 8, spread(C + 2 * own, 8)), ('LDS', 4, spread(0, 4))],
        3: [('LDG.E', 4, spread(A + 4096 * warp, 128)), ('RED.E.ADD', 4, spread(C, 0)), ('STL', 4, spread(64, 0))],
        7: [('LD.E', 4, spread(C + own, 4)), ('LD.E', 4, spread(0x7f0002000000, 4)), ('LDG.E.U8', 1, spread(A, -3))],
    }[number]
    return [(16 * i, *kind) for i, kind in enumerate(kinds)]


def addresses(mode, listed):
    if mode == 0:
        return '0 ' + ' '.join('0x%x' % at for at in listed)
    if mode == 1:
        return '1 0x%x %d' % (listed[0], listed[1] - listed[0])
    return '2 0x%x ' % listed[0] + ' '.join(str(b - a) for a, b in zip(listed, listed[1:]))


def lines(number, warp, mode, version, lineinfo):
    for pc, opcode, width, listed in records(number, warp):
        yield '%s%04x ffffffff 0 %s 1 R2 %d %s%s\n' % (
            '77 ' if lineinfo else '', pc, opcode, width, addresses(mode, listed), ' 0' if version == '5' else '')
    yield '%s%04x ffffffff 0 EXIT 0 0%s\n' % ('77 ' if lineinfo else '', 0x100, ' 0' if version == '5' else '')


def launch(number, mode, version, lineinfo=False, raw=False):
    text = HEADER % (number, number, version, lineinfo)
    for block in range(2):
        text += '' if raw else '#BEGIN_TB\n\nthread block = %d,0,0\n\n' % block
        for warp in range(2):
            listed = list(lines(number, 2 * block + warp, mode, version, lineinfo))
            ids = '%d 0 0 %d ' % (block, warp) if raw or version == '1.2' else ''
            text += '' if raw else 'warp = %d\ninsts = %d\n' % (warp, len(listed))
            text += ''.join(ids + line for line in listed)
        text += '' if raw else '#END_TB\n\n'
    return text


class Case(case.Case):
    COMMAND = ('trace', 'footprint')

    def workload(self, name='w', mode=1, version='5', lineinfo=False, raw=False):
        os.makedirs(self.path(name))
        listed = 'MemcpyHtoD,0x%x,1024\n' % A
        for number in (1, 2, 3, 7):
            file = 'kernel-%d.trace%s' % (number, '' if raw else 'g')
            with open(self.path(name, file), 'w') as f:
                f.write(launch(number, mode, version, lineinfo, raw))
            listed += 'MemcpyHtoD,0x%x,96\n' % C * (number == 7) + file + '\n'
        with open(self.path(name, 'kernelslist' + ('' if raw else '.g')), 'w') as f:
            f.write(listed)

    def rows(self, name):
        with open(self.path(name), newline='') as f:
            return list(csv.DictReader(f))


class Numbers(Case):
    """Launch 1 reads 4 lines of A, writes 4 of B. 2 reads these 4 of B, writes 8 of C. 3 reads 32 x 4 lines of A a
    sector each, adds to one word of C, writes 4 lines of local memory. 7 reads 4 lines of C, and of A the 93 bytes
    below its first word, and that one."""

    def setUp(self):
        super().setUp()
        self.workload()
        self.trace('footprint', 'w', '-o', 'f.csv', '-q')
        self.launches = {row['launch']: row for row in self.rows('f.csv')}

    def values(self, launch, *names):
        return [self.launches[launch][name] for name in names]

    def test_footprints(self):
        names = ('memory_insts', 'accesses', 'lines', 'lines_read', 'lines_written', 'sectors', 'sectors_read',
                 'sectors_written', 'addresses')
        expected = {
            '1': [8, 32, 8, 4, 4, 32, 16, 16, 256],
            '2': [8, 48, 12, 4, 8, 48, 16, 32, 256],
            # 128 sectors of A, one of C, 4 lines of local memory
            '3': [12, 4 * (32 + 1 + 4), 133, 129, 5, 145, 129, 17, 128 + 1 + 128],
            # 16 sectors of C; bytes A - 93 to A: 3 sectors in front of A, and A's
            '7': [8, 4 * (4 + 4), 6, 6, 0, 20, 20, 0, 128 + 32],
        }
        self.assertEqual(list(self.launches), list(expected))
        for number, values in expected.items():
            self.assertEqual(self.values(number, *names), [str(value) for value in values], number)

    def test_thesis(self):
        """|M1 and M2| = 128 words of B, |M2 and M3| = 1 of C, |M3 and M7| = 1 of C and 1 of A."""
        def share(a, b):
            return '%.6g' % (a / b)
        self.assertEqual(self.values('1', 'forward_addresses', 'backward_addresses'), ['0.5', ''])
        self.assertEqual(self.values('2', 'forward_addresses', 'backward_addresses'), [share(1, 256), share(128, 256)])
        self.assertEqual(self.values('3', 'forward_addresses', 'backward_addresses'), [share(2, 257), share(1, 257)])
        self.assertEqual(self.values('7', 'forward_addresses', 'backward_addresses'), ['', share(2, 160)])
        self.assertEqual(self.values('1', 'forward_sectors', 'forward_lines'), [share(16, 32), share(4, 8)])
        self.assertEqual(self.values('3', 'backward_sectors', 'backward_lines'), [share(1, 145), share(1, 133)])

    def test_sources(self):
        self.assertEqual(self.text('f.sources.csv').split('\n')[1:-1], [
            '1,copy,0,16,0,0',      # of A
            '1,none,,16,,',
            '2,launch,1,16,0,0',    # B
            '2,none,,32,,',
            '3,launch,1,1,0,0',     # C
            '3,launch,2,4,12,0',    # one sector each of 4 lines of A; launch 2's 12 are newer
            '3,copy,2,4,16,0',      # of the other 4 KiB that was copied: 1024 bytes are 8 lines
            '3,none,,136,,',
            '7,copy,0,3,0,0',       # of C
            '7,launch,1,1,0,1',     # A; that of C was copied again
            '7,launch,2,13,133,1',
            '7,none,,3,,',
        ])
        self.assertEqual(self.values('7', 'reused_sectors', 'copied_sectors', 'back'), ['14', '3', '2'])

    def test_back(self):
        def back(*arguments):
            self.trace('footprint', 'w', '-o', 'b.csv', '-q', '-f', *arguments)
            return [row['back'] for row in self.rows('b.csv')]
        self.assertEqual(back(), ['0', '1', '2', '2'])
        # 1 of launch 3's 5 reused sectors, and of launch 7's 14
        self.assertEqual(back('--percentile', '7'), ['0', '1', '1', '1'])
        self.assertEqual(back('--percentile', '20'), ['0', '1', '1', '2'])
        self.assertEqual(back('--percentile', '20.1'), ['0', '1', '2', '2'])
        # 133 lines of 128 bytes and one that was copied
        self.assertEqual(back('--l2', str(134 * 128 / 2**20)), ['0', '1', '2', '1'])
        self.assertEqual(back('--l2', str(135 * 128 / 2**20)), ['0', '1', '2', '2'])
        self.assertEqual(back('--l2', '0'), ['0', '1', '2', '2'])

    def test_table(self):
        text = self.trace('footprint', 'w').stdout.decode()
        self.assertRegex(text, r'(?m)^ +2 +48 +12 +1\.5 +33\.33% +66\.67% +0\.39% +50\.00% .*  k2$')
        self.assertIn('\nlaunches      4\n', text)
        self.assertIn('\naccesses      260 sectors', text)
        # A: 16 sectors, 124 more, 3 in front; B, C; local memory
        self.assertIn('footprint     0.02 MiB of lines, 0.01 MiB of sectors, of 4 launches', text)
        shares = re.findall(r'(?m)^  (\S.*?) +([\d.]+) %  (\d+)$', text)
        self.assertEqual([(name, count) for name, _, count in shares],
                         [('the launch before', '18'), ('2 launches before', '17'), ('copies', '23'),
                          ('nobody before', '187')])
        self.assertAlmostEqual(sum(float(share) for _, share, _ in shares), 100, delta=0.1)

    def test_local_memory(self):
        self.trace('footprint', 'w', '-o', 'l.csv', '-q', '--resident', '1')
        self.assertEqual([row['lines'] for row in self.rows('l.csv')], ['8', '12', '131', '6'])

    def test_some_launches(self):
        self.trace('footprint', 'w', '-o', 's.csv', '-q', '--launches', '2-3')
        every, some = (self.text(name).split('\n') for name in ('f.csv', 's.csv'))
        self.assertEqual(some, [every[i] for i in (0, 2, 3, 5)])
        self.assertIn('of 2 launches', self.trace('footprint', 'w', '--launches', '1').stdout.decode())


class Forms(Case):
    def output(self, source):
        name = source.replace('/', '-')
        self.trace('footprint', source, '-o', name + '.csv', '-q')
        return self.text(name + '.csv'), self.text(name + '.sources.csv')

    def test_address_modes_versions_and_packed(self):
        self.workload()
        expected = self.output('w')
        self.assertEqual(expected[0].count('\n'), 5)
        forms = [dict(mode=mode, version=version) for mode in (0, 1, 2) for version in ('1.2', '3', '4', '5')]
        forms += [dict(mode=2, version='4', lineinfo=True), dict(mode=0, version='5', raw=True),
                  dict(mode=1, version='3', raw=True)]
        for i, form in enumerate(forms):
            self.workload('text%d' % i, **form)
            self.assertEqual(self.output('text%d' % i), expected, form)
            self.trace('convert', 'text%d' % i, '-o', 'packed%d' % i, '--level', '1')
            self.assertEqual(self.output('packed%d' % i), expected, form)

    def test_memory_only_traces(self):
        self.workload()
        self.trace('memonly', 'w', '-o', 'mem')
        self.assertEqual(self.output('mem'), self.output('w'))

    def test_one_trace(self):
        self.workload()
        rows = list(csv.DictReader(io.StringIO(self.output('w/kernel-2.traceg')[0])))
        self.assertEqual([(row['launch'], row['forward_addresses'], row['backward_addresses']) for row in rows],
                         [('2', '', '')])


class Errors(Case):
    def test_usage(self):
        self.workload()
        self.fails(2, 'expected one workload, got 2', 'w', 'w')
        self.fails(2, '-o -: the table has a companion', 'w', '-o', '-')
        self.fails(2, 'w has no launch from 4 to 6', 'w', '--launches', '1,4-6')
        self.fails(2, '--l2 "x": expected a number from 0 to 1048576', 'w', '--l2', 'x')
        self.fails(2, '--l2 "-1": expected', 'w', '--l2=-1')
        self.fails(2, '--percentile "101": expected a number from 0 to 100', 'w', '--percentile', '101')
        self.fails(2, '--percentile "0": expected a number above 0', 'w', '--percentile', '0')
        self.fails(2, '--resident "1.5": expected a whole number', 'w', '--resident', '1.5')

    def test_output(self):
        self.workload()
        self.fails(4, 'no/f.csv: cannot write: No such file', 'w', '-o', 'no/f.csv', '-q')
        self.trace('footprint', 'w', '-o', 'f.csv', '-q')
        before = self.text('f.csv')
        self.fails(4, 'f.csv: it exists already', 'w', '-o', 'f.csv', '-q', '--l2', '0')
        self.trace('footprint', 'w', '-o', 'f.csv', '-q', '-f')
        self.assertEqual(self.text('f.csv'), before)
        os.remove(self.path('f.csv'))
        self.fails(4, 'f.sources.csv: it exists already', 'w', '-o', 'f.csv', '-q')
        self.assertEqual(sorted(os.listdir(self.place)), ['f.sources.csv', 'w'])

    def test_bad_traces_leave_nothing(self):
        self.workload()
        with open(self.path('w', 'kernel-3.traceg'), 'a') as f:
            f.write('#BEGIN_TB\n')
        self.fails(3, 'w/kernel-3.traceg:', 'w', '-o', 'f.csv', '-q')
        os.remove(self.path('w', 'kernel-3.traceg'))
        self.fails(3, 'kernel-3.traceg: cannot open: No such file', 'w', '-o', 'f.csv', '-q')
        self.assertEqual(os.listdir(self.place), ['w'])

    def test_copies_of_nonsense(self):
        self.workload()
        with open(self.path('w', 'kernelslist.g'), 'w') as f:
            f.write('MemcpyHtoD,0x0,18446744073709551615\nMemcpyHtoD,0xffffffffffffff00,255\n'
                    'kernel-1.traceg\nMemcpyHtoD,0x0,18446744073709551615\nkernel-1.traceg\n')
        self.trace('footprint', 'w', '-o', 'f.csv', '-q')
        self.assertEqual([row['copied_sectors'] for row in self.rows('f.csv')], ['32', '32'])


class Signals(Case):
    def start(self, **options):
        self.workload()
        with open(self.path('w', 'kernelslist.g'), 'w') as f:
            f.write('kernel-1.traceg\n' * 200000)
        return subprocess.Popen([HEARTH, 'trace', 'footprint', 'w', '-o', 'f.csv', '-q'], cwd=self.place, **options)

    def test_interrupted(self):
        run = self.start(stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while not os.path.exists(self.path('f.csv.part')) and run.poll() is None:
            time.sleep(0.01)
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 128 + signal.SIGINT, err)
        self.assertRegex(err.decode(), r'\Ahearth: stopped by SIGINT after \d+ of 200000 launches\n\Z')
        self.assertEqual(os.listdir(self.place), ['w'])

    def test_progress(self):
        master, slave = pty.openpty()
        run = self.start(stdout=subprocess.DEVNULL, stderr=slave)
        os.close(slave)
        line = os.read(master, 200)
        run.terminate()
        self.assertEqual(run.wait(timeout=60), 128 + signal.SIGTERM)
        os.close(master)
        self.assertRegex(line, rb'\d+ of 200000 launches, \d+% of all warps')


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
