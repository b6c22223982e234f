"""Tests of hearth trace: exit codes, messages, files.

usage: trace_test.py HEARTH SOURCE_ROOT [TEST]...
"""
import csv
import io
import lzma
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
import unittest

import case
from case import HEARTH, ROOT, demo

SUBCOMMANDS = ['annotate', 'convert', 'cut', 'footprint', 'group', 'info', 'memonly', 'opcodes', 'profile', 'synth', 'verify']
HEADER = ('-kernel name = %s\n-kernel id = %d\n-grid dim = (2,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 16\n'
          '-binary version = 86\n-cuda stream id = %d\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\n'
          '#traces format = prose\n\n\n')
LINES = ['0000 ffffffff 1 R8 LDG.E 1 R4 4 1 0x%x 4 0 \n', '0010 ffffffff 1 R9 FADD 2 R8 R8 0 0 \n',
         '0020 ffffffff 1 R9 LDC 1 R8 0 0 \n', '0030 ffffffff 0 EXIT 0 0 0 \n']


def lines(block, base):
    return [LINES[0] % (base + 128 * block), *LINES[1:]]


def grouped(name, number, base=0x7f0000000000, keep=(0, 1, 2, 3), stream=0):
    text = HEADER % (name, number, stream)
    for block in range(2):
        kept = [lines(block, base)[i] for i in keep]
        text += '\n#BEGIN_TB\n\nthread block = %d,0,0\n\nwarp = 0\ninsts = %d\n%s\n#END_TB\n' % (
            block, len(kept), ''.join(kept))
    return text


def raw(name, number, base=0x7f0000000000):
    pairs = zip(lines(0, base), lines(1, base))
    return (HEADER % (name, number, 0))[:-1] + ''.join('%d 0 0 0 %s' % (b, line) for pair in pairs
                                                        for b, line in enumerate(pair))


class Case(case.Case):
    COMMAND = ('trace',)

    def workload(self, ids=(1, 2, 5)):
        listed = []
        for number in ids:
            self.write('w/kernel-%d.traceg' % number, grouped('k%d' % number, number))
            listed += ['MemcpyHtoD,0x00007f0000000000,256', 'kernel-%d.traceg' % number]
        self.write('w/kernelslist.g', '\n'.join(listed) + '\n\n# the end \n')
        return self.path('w')

    def same(self, a, b):
        self.assertEqual(sorted(os.listdir(self.path(a))), sorted(os.listdir(self.path(b))))
        for name in os.listdir(self.path(a)):
            self.assertEqual(self.text(a, name), self.text(b, name), name)


class Help(Case):
    def test_help(self):
        self.assertEqual(re.findall(r'^  (\w+) ', self.trace('--help').stdout.decode(), re.M), SUBCOMMANDS)

    def test_each_subcommand(self):
        for name in SUBCOMMANDS:
            self.assertIn('usage: hearth trace ' + name, self.trace(name, '--help').stdout.decode())
            self.fails(2, 'hearth trace %s --help' % name, name)
            self.fails(2, '--nonsense is not an option', name, 'w', '--nonsense')

    def test_manual_has_all_options(self):
        with open(os.path.join(ROOT, 'docs', 'man', 'hearth-trace.1')) as f:
            manual = f.read()
        for name in SUBCOMMANDS:
            self.assertIn('.It Cm ' + name, manual)
            if name == 'synth':   # has a page of its own
                continue
            for option in re.findall(r'--([a-z-]+)', self.trace(name, '--help').stdout.decode()):
                self.assertIn('Fl -' + option, manual)

    def test_usage(self):
        self.fails(2, 'no subcommand')
        self.fails(2, '"what" is not a subcommand', 'what')
        self.fails(2, 'expected one workload, got 2', 'convert', 'a', 'b', '-o', 'c')
        self.fails(2, '-o PATH is missing', 'convert', self.workload())
        self.fails(2, '--level "23": expected a whole number from 1 to 22', 'convert', 'w', '-o', 'x', '--level', '23')
        self.fails(2, '--to "tar": expected packed or text', 'convert', 'w', '-o', 'x', '--to', 'tar')


class Convert(Case):
    def test_both_ways(self):
        self.workload()
        self.trace('convert', 'w', '-o', 'packed')
        self.trace('convert', 'packed', '-o', 'again')
        self.same('w', 'again')

    def test_one_trace(self):
        self.workload()
        self.trace('convert', 'w/kernel-2.traceg', '-o', 'packed')
        self.trace('convert', 'packed', '-o', 'again')
        self.assertEqual(self.text('again', 'kernelslist.g'), 'kernel-2.traceg\n')
        self.assertEqual(self.text('again', 'kernel-2.traceg'), self.text('w', 'kernel-2.traceg'))

    def test_pipes(self):
        self.workload()
        packed = self.trace('convert', 'w', '-o', '-').stdout
        self.trace('convert', '-', '-o', 'again', stdin=packed)
        self.same('w', 'again')

    def test_recompress(self):
        self.workload()
        self.trace('convert', 'w', '-o', 'packed', '--level', '1', '--each-launch')
        self.trace('convert', 'packed', '-o', 'smaller', '--to', 'packed')
        self.assertLess(os.path.getsize(self.path('smaller')), os.path.getsize(self.path('packed')))
        self.trace('convert', 'smaller', '-o', 'again')
        self.same('w', 'again')

    def test_compressed_names(self):
        self.write('w/kernel-1.traceg.xz', lzma.compress(grouped('k', 1).encode()))
        self.write('w/kernelslist.g', 'kernel-1.traceg.xz\n')
        self.trace('convert', 'w', '-o', 'packed')
        self.trace('convert', 'packed', '-o', 'again')
        self.assertEqual(self.text('again', 'kernelslist.g'), 'kernel-1.traceg.xz\n')
        with lzma.open(self.path('again', 'kernel-1.traceg.xz'), 'rt') as f:
            self.assertEqual(f.read(), grouped('k', 1))

    def test_the_same_bytes_each_time(self):
        self.workload()
        self.trace('convert', 'w', '-o', 'a')
        self.trace('convert', 'w', '-o', 'b')
        with open(self.path('a'), 'rb') as a, open(self.path('b'), 'rb') as b:
            self.assertEqual(a.read(), b.read())

    def test_outputs_are_not_overwritten(self):
        self.workload()
        self.trace('convert', 'w', '-o', 'packed')
        self.fails(4, 'it exists already; --force replaces it', 'convert', 'w', '-o', 'packed')
        self.trace('convert', 'w', '-o', 'packed', '-f')
        self.fails(4, 'it exists already; --force replaces it', 'convert', 'packed', '-o', 'w')

    def test_links_are_not_written_through(self):
        self.workload()
        self.write('victim', 'kept')
        os.makedirs(self.path('again'))
        for link in ('packed.part', 'packed.part.redo', 'again/kernel-1.traceg', 'again/kernel-2.traceg.part',
                     'again/kernelslist.g', 'again/kernelslist.g.part'):
            os.symlink(self.path('victim'), self.path(link))
        self.trace('convert', 'w', '-o', 'packed')
        self.trace('convert', 'packed', '--to', 'text', '-f', '-o', 'again')
        self.same('w', 'again')
        self.assertEqual(self.text('victim'), 'kept')
        self.assertEqual([name for name in os.listdir(self.path('again')) if os.path.islink(self.path('again', name))], [])

    def test_failure_leaves_the_old_files(self):
        whole = lzma.compress(grouped('k', 1).encode())
        self.write('w/kernelslist.g', 'kernel-1.traceg.xz\n')
        self.write('w/kernel-1.traceg.xz', whole)
        for to, output in (('packed', 'packed'), ('text', 'again/kernel-1.traceg.xz')):
            self.trace('convert', 'w', '--to', to, '-o', output.split('/')[0])
            with open(self.path(output), 'rb') as f:
                old = f.read()
            self.write('w/kernel-1.traceg.xz', whole[:-20])
            self.fails(3, 'kernel-1.traceg.xz', 'convert', 'w', '--to', to, '-f', '-o', output.split('/')[0])
            with open(self.path(output), 'rb') as f:
                self.assertEqual(f.read(), old)
            self.write('w/kernel-1.traceg.xz', whole)
        self.assertEqual([name for name in os.listdir(self.path('again')) + os.listdir(self.place) if '.part' in name], [])

    def test_bad_input_leaves_nothing(self):
        self.workload()
        self.write('w/kernel-5.traceg', grouped('k5', 5).replace('insts = 4', 'insts = 5', 1))
        self.fails(3, 'w/kernel-5.traceg:27: warp 0 has 4 instructions', 'convert', 'w', '-o', 'packed')
        os.remove(self.path('w/kernel-5.traceg'))
        self.fails(3, 'kernel-5.traceg: cannot open: No such file', 'convert', 'w', '-o', 'packed')
        self.assertEqual(os.listdir(self.place), ['w'])

    def test_names_outside_of_the_folder(self):
        self.write('kernel-1.traceg', grouped('k', 1))
        self.write('w/kernelslist.g', 'kernels/../../kernel-1.traceg\n')
        os.mkdir(self.path('w/kernels'))
        self.trace('convert', 'w', '-o', 'packed')
        self.fails(4, 'would be written outside of the folder', 'convert', 'packed', '-o', 'again')

    def test_truncated(self):
        self.workload()
        self.trace('convert', 'w', '-o', 'packed', '--each-launch')
        with open(self.path('packed'), 'rb') as f:
            data = f.read()
        data = data[:len(data) * 3 // 4]
        cut = self.write('cut', data)
        done = self.trace('convert', 'cut', '-o', 'again')
        self.assertIn(b'note: cut was not written to its end', done.stderr)
        self.assertEqual(sorted(os.listdir(self.path('again'))),
                         ['kernel-1.traceg', 'kernel-2.traceg', 'kernelslist.g'])
        done = self.trace('info', cut, code=3)
        self.assertIn(b'cut was not written to its end: its first 2 launches are whole', done.stderr)
        self.assertRegex(done.stdout, rb'\nlaunches +2\n')
        done = self.trace('convert', '-', '-o', 'piped', stdin=data)
        self.assertIn(b'it has 2 whole launches', done.stderr)
        for source in ('cut', '-'):
            done = self.trace('convert', source, '-q', '-f', '-o', 'piped', stdin=data)
            self.assertEqual((done.stdout, done.stderr), (b'', b''))
        self.assertIn('was not written to its end', self.trace('verify', cut, code=3).stdout.decode())


class Killed(Case):
    def check(self, part):
        """What is left of packing the bundled solver is read up to its last whole launch. Returns how many there are."""
        done = self.trace('info', part, '--csv', code=3)
        launches = len(list(csv.DictReader(io.StringIO(done.stdout.decode()))))
        whole = r'its first %d launches are whole[^\n]*' % launches if launches != 0 else 'no launch in it is whole'
        self.assertRegex(done.stderr.decode(),
                         r'\Ahearth: note: %s was not written to its end: %s\n\Z' % (part, whole))
        again = self.trace('convert', part, '-f', '-o', 'again')
        self.assertEqual(again.stderr, done.stderr)
        kernels = [name for name in os.listdir(self.path('again')) if name.startswith('kernel-')]
        self.assertEqual(len(kernels), launches)
        for name in kernels:
            self.assertEqual(self.text('again', name), self.text('w', name), name)
        shutil.rmtree(self.path('again'))
        return launches

    def test_at_any_byte(self):
        """The limit of a file's size kills the writer as it reaches it."""
        self.trace('convert', demo('solver'), '-o', 'w')
        counts = []
        for limit in (8, 9, 1000, 2000, 5000, 12345, 20000, 40000, 1 << 20):
            done = subprocess.run([HEARTH, 'trace', 'convert', 'w', '-f', '-o', 'x'], cwd=self.place,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
            if done.returncode == 0:
                self.assertEqual(os.listdir(self.place).count('x.part.redo'), 0)
                break
            self.assertEqual(done.returncode, -signal.SIGXFSZ)
            counts.append(self.check('x.part'))
        self.assertEqual((counts[:2], counts), ([0, 0], sorted(counts)))
        self.assertGreater(counts[-1], 100)

    def test_at_any_time(self):
        self.trace('convert', demo('solver'), '-o', 'w')
        seed = random.randrange(1 << 30)
        chance, counts = random.Random(seed), []
        with self.subTest(seed=seed):
            for _ in range(5):
                process = subprocess.Popen([HEARTH, 'trace', 'convert', 'w', '-f', '-o', 'y'], cwd=self.place)
                time.sleep(chance.uniform(0.01, 0.15))
                process.kill()
                if process.wait() == 0 or not os.path.exists(self.path('y.part')) \
                        or os.path.getsize(self.path('y.part')) < 8:
                    continue
                counts.append(self.check('y.part'))
        self.assertTrue(all(count <= 256 for count in counts))

    def test_run(self):
        self.trace('convert', demo('solver'), '-o', 'w')
        subprocess.run([HEARTH, 'trace', 'convert', 'w', '-o', 'x'], cwd=self.place,
                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000)))
        count = self.check('x.part')
        done = subprocess.run([HEARTH, 'run', 'x.part', '-o', 'out'], cwd=self.place, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0)
        self.assertIn('its first %d launches are whole' % count, done.stderr)
        self.assertEqual(len(self.rows()), count)
        self.assertIn('was not written to its end', self.trace('verify', 'x.part', code=3).stdout.decode())

    def test_run_without_a_whole_launch(self):
        with open(demo('solver'), 'rb') as whole:
            self.write('cut', whole.read(1000))
        done = subprocess.run([HEARTH, 'run', 'cut', '-o', 'out'], cwd=self.place, capture_output=True, text=True)
        self.assertEqual((done.returncode, os.path.exists(self.path('out'))), (3, False))
        self.assertIn('no launch in it is whole', done.stderr)


class Run(Case):
    def run_workload(self, name, out):
        subprocess.run([HEARTH, 'run', name, '-q', '-o', out], cwd=self.place, check=True, timeout=120)

    def test_packed_results_are_those_of_the_text(self):
        self.workload()
        self.trace('convert', 'w', '-o', 'packed')
        self.run_workload('w', 'text')
        self.run_workload('packed', 'binary')
        self.assertEqual(self.text('text', 'kernels.csv'), self.text('binary', 'kernels.csv'))
        counters = [[line for line in self.text(out, 'stats.txt').split('\n') if 'digest' not in line]
                    for out in ('text', 'binary')]
        self.assertEqual(*counters)

    def test_plan_of_a_packed_workload(self):
        self.workload()
        self.trace('convert', 'w', '-o', 'packed')
        self.run_workload('packed', 'out')
        self.run_workload('out/plan.out', 'again')
        self.assertEqual(self.text('out', 'kernels.csv'), self.text('again', 'kernels.csv'))


    def test_segments_side_by_side(self):
        self.workload()
        self.trace('convert', 'w', '-o', 'packed', '--each-launch')
        plan = '!plan 1\n!workload path=packed\n' + ''.join(
            '!segment name=s%d\nkernel-%d\n' % (i, (1, 2, 5)[i % 3]) for i in range(9))
        self.write('plan', plan)
        for jobs in '14':
            subprocess.run([HEARTH, 'run', 'plan', '-q', '-o', 'jobs' + jobs, '--jobs', jobs], cwd=self.place,
                           check=True, timeout=120)
        self.assertEqual(self.text('jobs1', 'kernels.csv'), self.text('jobs4', 'kernels.csv'))


class Others(Case):
    def test_cut(self):
        self.workload()
        self.trace('cut', 'w', '--launches', '2-5', '-o', 'some')
        self.assertEqual(sorted(os.listdir(self.path('some'))), ['kernel-2.traceg', 'kernel-5.traceg', 'kernelslist.g'])
        self.assertEqual(self.text('some', 'kernelslist.g'),
                         self.text('w', 'kernelslist.g').replace('kernel-1.traceg\n', ''))
        self.trace('convert', 'w', '-o', 'packed')
        self.trace('cut', 'packed', '--launches', '2-5', '-o', 'smaller')
        self.trace('convert', 'smaller', '-o', 'again')
        self.same('some', 'again')
        self.fails(2, 'no launch from 7 to 9', 'cut', 'packed', '--launches', '7-9', '-o', 'x')
        self.fails(2, '--launches LIST is missing', 'cut', 'packed', '-o', 'x')

    def test_group(self):
        self.write('w/kernel-1.trace', raw('k', 1))
        self.write('w/kernelslist', 'MemcpyHtoD,0x7f0000000000,256\nkernel-1.trace\n')
        self.trace('group', 'w', '-o', 'text')
        self.assertEqual(self.text('text', 'kernelslist.g'), 'MemcpyHtoD,0x7f0000000000,256\nkernel-1.traceg\n')
        self.assertEqual(self.text('text', 'kernel-1.traceg'), grouped('k', 1))
        self.trace('convert', 'w', '-o', 'packed')
        self.trace('convert', 'packed', '-o', 'again')
        self.same('text', 'again')

    def test_memonly(self):
        self.workload()
        self.trace('convert', 'w', '-o', 'packed')
        for source in ('w', 'packed'):
            out = 'mem-' + source
            self.trace('memonly', source, '-o', out)
            self.assertEqual(self.text(out, 'kernelslist.g').count('kernel-mem-'), 3)
            for number in (1, 2, 5):
                expected = grouped('k%d' % number, number, keep=(0, 3))
                self.assertEqual(self.text(out, 'kernel-mem-%d.traceg' % number),
                                 expected.replace('lineinfo = 0\n', 'lineinfo = 0\n-code between = none\n'))
        text = grouped('k', 1).replace('1 R9 LDC 1 R8 0 0', '0 STG.E 2 R4 R8 4 1 0x0 4 0')
        self.write('stores/kernel-1.traceg', text)
        self.trace('memonly', 'stores/kernel-1.traceg', '-o', 'mem-stores')
        self.assertIn('-code between = 0020:R8\n\n#traces', self.text('mem-stores', 'kernel-mem-1.traceg'))

    def test_opcodes(self):
        """Each of three launches of two warps has each instruction once a warp; the most frequent ones come first."""
        self.workload()
        self.trace('convert', 'w', '-o', 'packed')
        for source in ('w', 'packed'):
            rows = self.trace('opcodes', source, '--csv').stdout.decode().splitlines()
            self.assertEqual(rows, ['opcode,warp_insts,insts', 'EXIT,6,3', 'FADD,6,3', 'LDC,6,3', 'LDG.E,6,3'])
        self.write('k', grouped('k', 1).replace('FADD', 'LDG.E', 1))
        lines = self.trace('opcodes', 'k').stdout.decode().splitlines()
        self.assertEqual([line.split() for line in lines[1:3]], [['LDG.E', '3', '37.500', '2'], ['EXIT', '2', '25.000', '1']])
        os.remove(self.path('w', 'kernel-2.traceg'))
        self.fails(3, 'kernel-2.traceg', 'opcodes', 'w')

    def test_info(self):
        self.workload()
        self.trace('convert', 'w', '-o', 'packed')
        rows = {}
        for source in ('w', 'packed'):
            table = self.trace('info', source, '--csv').stdout.decode()
            rows[source] = list(csv.DictReader(io.StringIO(table)))
            self.assertEqual([row['launch'] for row in rows[source]], ['1', '2', '5'])
            self.assertEqual({row['warp_insts'] for row in rows[source]}, {'8'})
            self.assertEqual({row['memory_insts'] for row in rows[source]}, {'4'})
            whole = self.trace('info', source).stdout.decode()
            self.assertIn('copies        3, 768 bytes', whole)
            self.assertTrue(whole.endswith('\n\n' + self.trace('info', source, '-q').stdout.decode()))
        for a, b in zip(*rows.values()):
            self.assertEqual({k: v for k, v in a.items() if k != 'bytes'},
                             {k: v for k, v in b.items() if k != 'bytes'})

    def test_verify(self):
        self.workload()
        self.assertIn('0 errors, 0 notes', self.trace('verify', 'w').stdout.decode())
        text = grouped('k', 1)
        findings = [
            (text.replace('insts = 4', 'insts = 3', 1), "w/kernel-1.traceg:25: warp 0 has more instructions than 'insts = 3'"),
            (text.replace('insts = 4', 'insts = 5', 1), "w/kernel-1.traceg:27: warp 0 has 4 instructions, 'insts = 5' was announced"),
            (text.replace('#END_TB\n', '', 1), 'w/kernel-1.traceg:28:1: #END_TB is expected before the next #BEGIN_TB'),
            (text.replace('thread block = 1', 'thread block = 0'), 'thread block 0,0,0 is listed twice'),
            (text.replace('thread block = 1', 'thread block = 2'), '2,0,0 is not in the grid of (2,1,1)'),
            (text.replace('FADD 2 R8', 'FADD 2 X8', 1), "a register R0 to R255 is expected, not 'X8'"),
            (text[:text.rindex('\n#BEGIN_TB')], "1 of the grid's 2 thread blocks"),
            (text.replace('-grid dim = (2,1,1)\n', ''), "the header has no '-grid dim = (x,y,z)'"),
            (text.replace('warp = 0', 'warp = 1', 1), 'warp 1; blocks have 1 warps'),
        ]
        for damaged, message in findings:
            self.write('w/kernel-1.traceg', damaged)
            self.assertIn(message, self.trace('verify', 'w', code=3).stdout.decode())
        notes = [
            (text.replace('FADD', 'FNEW'), 'note: opcode FNEW is not known'),
            (text.replace('-kernel id = 1', '-kernel id = 2'), 'note: kernel id 2 is that of line 2 too'),
            (text.replace('0010 ffffffff 1 R9 FADD 2 R8 R8', '0010 ffffffff 0 EXIT 0'),
             'warps go on after an EXIT took all their lanes'),
        ]
        for odd, message in notes:
            self.write('w/kernel-1.traceg', odd)
            self.assertIn(message, self.trace('verify', 'w').stdout.decode())
        os.remove(self.path('w/kernel-1.traceg'))
        self.assertIn('w/kernelslist.g:2: ', self.trace('verify', 'w', code=3).stdout.decode())

    def test_verify_what_was_written(self):
        """Lines that should say so, and to which a run is blind: text and packed."""
        listed = ['# written 0x7f0000000000', '# set 0x7f0000000000 row=32', '# written by hand', '# copy of 3 arrays',
                  '# set 0x7f0000000000 400 row=100 rows=4 pitch=512', '# copy to array from 0x1000 256', '# written 0 32',
                  '# written 0 18446744073709551616']
        found = ["2:25: '# written <address> <bytes>' is expected", "3:22: '# set <address> <bytes>' is expected",
                 "5:7: '# copy to <address> from <address> <bytes>' is expected", "9:13: '# written <address> <bytes>' is expected"]
        self.write('w/kernel-1.traceg', grouped('k', 1))
        self.write('w/kernelslist.g', '\n'.join(['kernel-1.traceg', *listed]) + '\n')
        self.trace('convert', 'w', '-o', 'w.packed')
        for name, file in (('w', 'w/kernelslist.g'), ('w.packed', 'w.packed')):
            self.assertEqual(self.trace('verify', name, '-q', code=3).stdout.decode().splitlines(),
                             ['%s:%s' % (file, line) for line in found])
        self.write('w/kernelslist.g', 'kernel-1.traceg\n' + '# set 0\n' * 25)
        out = self.trace('verify', 'w', '-q', code=3).stdout.decode().splitlines()
        self.assertEqual((len(out), out[0][-33:], out[-1]),
                         (21, "'# set <address> <bytes>' is expected"[-33:], 'w/kernelslist.g: 5 more errors'))

    def test_verify_raw(self):
        """With memory that is filled before it is used, as allocators may."""
        self.write('w/kernel-1.trace', raw('k', 1))
        self.write('w/kernelslist', 'kernel-1.trace\n')
        run = subprocess.run([HEARTH, 'trace', 'verify', self.path('w')], capture_output=True, text=True,
                             env={**os.environ, 'MALLOC_PERTURB_': '165'})
        self.assertEqual((run.returncode, run.stdout.split(': ', 1)[1]),
                         (0, '1 launches, 2 thread blocks, 8 warp instructions: 0 errors, 0 notes\n'))
        for wrong, message in [('7 0 0 0 ', '16:1: thread block 7,0,0 is not in the grid of (2,1,1)'),
                               ('1 0 0 7 ', '16:1: warp 7; blocks have 1 warps')]:
            self.write('w/kernel-1.trace', raw('k', 1).replace('0 0 0 0 0010', wrong + '0010'))
            self.assertIn(message, self.trace('verify', 'w', code=3).stdout.decode())

    def test_verify_huge_grid(self):
        self.write('w/kernel-1.traceg', grouped('k', 1).replace('(2,1,1)', '(2147483647,65535,65535)'))
        self.write('w/kernelslist.g', 'kernel-1.traceg\n')
        self.assertIn("after 2 of the grid's 9223090559730712575 thread blocks",
                      self.trace('verify', 'w', code=3).stdout.decode())

    def test_verify_many_unknown_opcodes(self):
        """The time is proportional to their number."""
        count = 80000
        text = HEADER.replace('(2,1,1)', '(1,1,1)') % ('k', 1, 0)
        text += '#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = %d\n' % count
        text += ''.join('%04x ffffffff 0 Q%X 0 0 0\n' % (16 * i, i) for i in range(count)) + '#END_TB\n'
        self.write('kernel-1.traceg', text)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        out = self.trace('verify', 'kernel-1.traceg').stdout.decode()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertIn('0 errors, %d notes' % count, out)
        self.assertLess(after.ru_utime - before.ru_utime, 3)

    def test_group_long_line(self):
        """A line longer than the room that is left in memory is written nowhere else."""
        line = '0 0 0 0 0010 ffffffff 1 R9 FADD 2 R8 R8 0 0 '
        text = (HEADER.replace('(2,1,1)', '(1,1,1)') % ('k', 1, 0) + (line.ljust(1007) + '\n') * 11743 +
                line.ljust(250000) + '\n')
        self.write('w/kernel-1.trace', text)
        self.write('w/kernelslist', 'kernel-1.trace\n')
        self.fails(3, 'a line is longer than 65536 bytes', 'group', 'w', '--memory', '16', '-o', 'text')

    def test_lines_without_end(self):
        """More blank lines than any trace has are refused instead of kept."""
        head, blocks = grouped('k', 1).split('\n\n\n', 1)
        blank = '\n' * (17 << 20)
        for name, text in [('before', head + blank + blocks), ('between', grouped('k', 1) + blank),
                           ('within', grouped('k', 1).replace('\n0010', blank + '0010', 1))]:
            self.write('kernel-1.traceg', text)
            self.fails(3, 'more than 16 MiB of lines without an instruction',
                       'convert', 'kernel-1.traceg', '-o', name)

    def test_verify_names_what_is_damaged(self):
        self.workload()
        self.trace('convert', 'w', '-o', 'packed', '--each-launch')
        with open(self.path('packed'), 'rb') as f:
            data = bytearray(f.read())
        data[len(data) * 2 // 3] ^= 4
        self.write('packed', bytes(data))
        self.assertRegex(self.trace('verify', 'packed', '-q', code=3).stdout.decode(),
                         r'\Apacked: group \d.*: its \w+ is damaged: the checksum differs\n\Z')


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
