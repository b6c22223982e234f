"""Tests of the code of kernels: hearth trace annotate, and that the other commands keep and check it.

usage: code_test.py HEARTH SOURCE_ROOT [TEST]...
"""
import gzip
import lzma
import os
import re
import resource
import shutil
import unittest

import case

H100 = os.path.join(case.ROOT, 'tests', 'tools', 'h100')
VECADD = os.path.join(H100, 'vecadd.packed')
LISTING = os.path.join(H100, 'vecadd.sass')
CUBIN = os.path.join(H100, 'vecadd.cubin')
FIRST = '000fe2000000080000000a00ff017b82'    # the first instruction of vecadd
HEADER = ('-kernel name = %s\n-kernel id = %d\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 16\n'
          '-binary version = 90\n-cuda stream id = 0\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\n'
          '#traces format = prose\n\n\n')
BLOCK = '\n#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 2\n%s\n#END_TB\n'
FADD = '0000 ffffffff 1 R1 FADD 2 R2 R3 0 0 \n0010 ffffffff 0 EXIT 0 0 0 \n'
FMUL = FADD.replace('FADD', 'FMUL')
INST = '        /*%04x*/    %s ;    /* 0x%016x */\n                    /* 0x%016x */\n'


def listing(name, opcode, low, stall=4):
    """A function of two instructions."""
    return ('\t\tFunction : %s\n\t.headerflags @"EF_CUDA_SM90"\n' % name +
            INST % (0, opcode + ' R1, R2, R3', low | 1 << 16, stall << 41) + INST % (16, 'EXIT', 0x94d, 5 << 41))


class Case(case.Case):
    COMMAND = ('trace',)

    def plain(self, name='plain'):
        """The workload vecadd as text, without code."""
        self.trace('convert', VECADD, '-o', name)
        os.remove(self.path(name, 'functions.code'))
        return name

    def two(self, bodies=(FADD, FMUL), names=('k', 'k')):
        """A workload of two launches."""
        for number, (body, name) in enumerate(zip(bodies, names), 1):
            self.write('w/kernel-%d.traceg' % number, HEADER % (name, number) + BLOCK % body)
        self.write('w/kernelslist.g', 'kernel-1.traceg\nkernel-2.traceg\n')
        return 'w'

    def output(self, *arguments, code=0):
        return self.trace(*arguments, code=code).stdout.decode()

    def same(self, a, b):
        self.assertEqual(sorted(os.listdir(self.path(a))), sorted(os.listdir(self.path(b))))
        for name in os.listdir(self.path(a)):
            self.assertEqual(self.text(a, name), self.text(b, name), name)


class Annotate(Case):
    def test_listing(self):
        out = self.output('annotate', self.plain(), '--code', LISTING, '-o', 'new')
        self.assertEqual(out, '_Z3addPKfS0_Pfi: 1 of 1 launches, 20 instructions\n'
                         'plain: code for 1 of 1 launches, 1 of 1 kernels, 20 traced instructions\n')
        code = self.text('new', 'functions.code').splitlines()
        self.assertEqual(code[:4], ['!functions 1', 'function _Z3addPKfS0_Pfi', 'code 32', FIRST])
        self.assertEqual(len(code), 3 + 32)
        self.assertIn(': 0 errors', self.output('verify', 'new'))

    def test_cubin_has_the_same_code_and_more(self):
        plain = self.plain()
        self.trace('annotate', plain, '--code', LISTING, '-o', 'a')
        self.trace('annotate', plain, '--code', CUBIN, '-o', 'b')
        a, b = (self.text(name, 'functions.code').splitlines() for name in 'ab')
        self.assertEqual(b[2:5], ['registers 12', 'barriers 0', 'constants 556'])
        self.assertEqual(a, b[:2] + b[5:])

    def test_compressed_listing(self):
        with open(LISTING, 'rb') as f:
            self.write('l.sass.xz', lzma.compress(f.read()))
        self.trace('annotate', self.plain(), '--code', 'l.sass.xz', '-o', 'a')
        self.trace('annotate', 'plain', '--code', LISTING, '-o', 'b')
        self.same('a', 'b')

    def test_packed(self):
        self.plain()
        self.trace('convert', 'plain', '-o', 'plain.packed')
        self.assertIn('1, 0 with code', self.output('info', 'plain.packed'))
        self.trace('annotate', 'plain.packed', '--code', CUBIN, '-o', 'new.packed')
        self.assertIn('1, 1 with code (32 instructions)', self.output('info', 'new.packed'))
        with open(VECADD, 'rb') as a, open(self.path('new.packed'), 'rb') as b:
            self.assertEqual(a.read(), b.read())

    def test_two_functions_of_one_name(self):
        self.write('l.sass', listing('k', 'FADD', 0x221, 1) + listing('k', 'FMUL', 0x220, 2))
        out = self.output('annotate', self.two(), '--code', 'l.sass', '-o', 'new')
        self.assertIn('k: 2 of 2 launches, 4 instructions of 2 functions\n', out)
        self.assertTrue(self.text('new', 'functions.code').endswith('launch 2 kernel-2.traceg\n'))
        self.trace('verify', 'new')
        self.trace('convert', 'new', '-o', 'packed')
        self.trace('verify', 'packed')
        self.trace('convert', 'packed', '-o', 'again')
        self.same('new', 'again')
        self.trace('cut', 'packed', '--launches', '2', '-o', 'cut', '--to', 'text')
        self.assertEqual(self.text('cut', 'functions.code'),
                         '!functions 1\nfunction k\ncode 2\n%016x%016x\n%016x%016x\n' % (
                             2 << 41, 0x10220, 5 << 41, 0x94d))
        self.trace('verify', 'cut')

    def test_other_gpus(self):
        self.write('l.sass', listing('k', 'FADD', 0x221, 1).replace('SM90', 'SM80') + listing('k', 'FADD', 0x221, 2))
        self.trace('annotate', self.two((FADD, FADD)), '--code', 'l.sass', '-o', 'new')
        self.assertIn('%016x%016x\n' % (2 << 41, 0x10221), self.text('new', 'functions.code'))
        self.write('l.sass', listing('k', 'FADD', 0x221).replace('SM90', 'SM80'))
        self.assertIn('the files have this function for other GPUs only',
                      self.output('annotate', 'w', '--code', 'l.sass', '-o', 'other', code=3))

    def test_what_does_not_fit(self):
        self.write('l.sass', listing('k', 'FADD', 0x221))
        out = self.output('annotate', self.two(), '--code', 'l.sass', '-o', 'new', '-q', code=3)
        self.assertEqual(out, 'k: 1 of 2 launches, 2 instructions; kernel-2.traceg: PC 0x0 is FMUL in the trace, '
                         'FADD in l.sass\n')
        self.assertIn('function k', self.text('new', 'functions.code'))
        self.two((FADD, FADD.replace('R1', 'R9')))
        self.assertIn('kernel-2.traceg: PC 0x0, FADD, writes R9 in the trace, R1 in l.sass',
                      self.output('annotate', 'w', '--code', 'l.sass', '-o', 'b', code=3))
        self.two((FADD, FADD.replace('0010', '0020')))
        self.assertIn('kernel-2.traceg: PC 0x20 is EXIT in the trace, beyond the code in l.sass',
                      self.output('annotate', 'w', '--code', 'l.sass', '-o', 'c', code=3))
        self.two(names=('k', 'other'))
        self.assertIn('other: 0 of 1 launches, 0 instructions; no file has a function of this name',
                      self.output('annotate', 'w', '--code', 'l.sass', '-o', 'd', code=3))

    def test_nothing_fits(self):
        self.write('l.sass', listing('other', 'FADD', 0x221))
        done = self.trace('annotate', self.two(), '--code', 'l.sass', '-o', 'new', code=3)
        self.assertEqual(done.stderr, b'hearth: w: no file has code that fits one of its launches\n')
        self.assertFalse(os.path.exists(self.path('new')))

    def test_code_of_other_launches_stays(self):
        self.write('a.sass', listing('a', 'FADD', 0x221))
        self.write('b.sass', listing('b', 'FMUL', 0x220))
        self.two(names=('a', 'b'))
        self.trace('annotate', 'w', '--code', 'a.sass', '-o', 'one', code=3)
        self.trace('annotate', 'one', '--code', 'b.sass', '-o', 'both', code=3)
        self.trace('annotate', 'w', '--code', 'a.sass', '--code', 'b.sass', '-o', 'at-once')
        self.same('both', 'at-once')

    def test_files_that_are_no_code(self):
        self.plain()
        expected = 'a listing of cuobjdump -sass or nvdisasm -hex or a cubin is expected'
        self.write('empty', '')
        for name, data in (('binary', b'\1\2\3'), ('cubin.gz', gzip.compress(b'\177ELF\1\2')), ('empty.gz', gzip.compress(b''))):
            with open(self.path(name), 'wb') as f:
                f.write(data)
        for name, message in ((self.write('text', 'no listing\n'), 'text: the file has no function: ' + expected),
                              (VECADD, 'vecadd.packed: the file has no function: ' + expected),
                              ('empty', 'empty: the file is empty: ' + expected),
                              ('empty.gz', 'empty.gz: the file is empty: ' + expected),
                              ('binary', 'binary: ' + expected + ': the file has other binary data'),
                              ('cubin.gz', 'cubin.gz: ' + expected + ': the file has other binary data'),
                              (shutil.copy('/proc/self/exe', self.path('program')), 'an ELF file, but no cubin'),
                              (self.path('absent'), 'cannot open')):
            self.fails(3, message, 'annotate', 'plain', '--code', name, '-o', 'new')

    def test_damaged_cubins(self):
        with open(CUBIN, 'rb') as f:
            cubin = f.read()
        self.plain()
        for size in (63, 64, 1000, len(cubin) - 400):
            self.write('cut.cubin', cubin[:size])
            done = self.trace('annotate', 'plain', '--code', 'cut.cubin', '-o', 'new', code=3)
            self.assertRegex(done.stderr, rb'\Ahearth: [^\n]*\n\Z')

    def test_usage(self):
        self.fails(2, '--code FILE is missing', 'annotate', VECADD, '-o', 'new')
        self.fails(2, '-o PATH is missing', 'annotate', VECADD, '--code', LISTING)


class Keep(Case):
    def test_both_ways(self):
        self.trace('convert', VECADD, '-o', 'text')
        self.trace('convert', 'text', '-o', 'packed')
        with open(VECADD, 'rb') as a, open(self.path('packed'), 'rb') as b:
            self.assertEqual(a.read(), b.read())

    def test_each_launch_in_a_group_of_its_own(self):
        fft = os.path.join(H100, 'fft.packed')
        self.trace('convert', fft, '-o', 'packed', '--to', 'packed', '--each-launch')
        self.assertIn('2, 2 with code (272 instructions)', self.output('info', 'packed'))
        self.trace('convert', fft, '-o', 'a')
        self.trace('convert', 'packed', '-o', 'b')
        self.same('a', 'b')

    def test_pipes(self):
        with open(VECADD, 'rb') as f:
            packed = f.read()
        self.trace('convert', '-', '-o', 'text', stdin=packed)
        self.trace('convert', VECADD, '-o', 'other')
        self.same('text', 'other')
        self.assertEqual(self.trace('convert', '-', '--to', 'packed', '-o', '-', stdin=packed).stdout, packed)

    def test_memonly_and_group(self):
        for command in ('memonly', 'group'):
            self.trace(command, VECADD, '-o', command)
            self.assertIn('code 32', self.text(command, 'functions.code'))
            self.trace('verify', command)

    def test_one_trace(self):
        self.trace('convert', VECADD, '-o', 'text')
        self.trace('convert', 'text/kernel-1.traceg', '-o', 'packed')
        self.assertIn('1, 1 with code', self.output('info', 'packed'))

    def test_a_workload_that_is_replaced_leaves_no_code(self):
        self.trace('convert', VECADD, '-o', 'text')
        self.trace('convert', case.demo('reduction'), '-o', 'text', '-f')
        self.assertFalse(os.path.exists(self.path('text', 'functions.code')))

    def test_cut_off(self):
        """A file without its end: the code comes after its group."""
        with open(VECADD, 'rb') as f:
            packed = f.read()
        self.write('cut', packed[:-12])
        self.trace('convert', 'cut', '-o', 'text')
        self.assertIn('code 32', self.text('text', 'functions.code'))

    def test_many_launches(self):
        """Each launch with code looks up its line in the list: not by reading the list."""
        self.two()
        self.write('w/kernelslist.g', 40000 * 'kernel-1.traceg\n')
        self.trace('convert', 'w', '-o', 'without.packed')
        self.write('w/functions.code', '!functions 1\nfunction k\ncode 2\n' + 2 * (FIRST + '\n'))
        self.trace('convert', 'w', '-o', 'with.packed')
        seconds = []
        for name in ('without.packed', 'with.packed'):
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            self.trace('info', name)
            seconds.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
        self.assertLess(seconds[1], 5 * seconds[0] + 0.1)

    def test_results_of_the_legacy_core_do_not_change(self):
        self.plain()
        for name in (VECADD, 'plain'):
            self.hearth('run', name, '-c', 'rtx3070', '-q', '-o', os.path.basename(name) + '.out')
        self.assertEqual(self.text('vecadd.packed.out', 'kernels.csv'), self.text('plain.out', 'kernels.csv'))


class Check(Case):
    def change(self, pattern, replacement):
        """Changes the code of the workload."""
        shutil.rmtree(self.path('w'), ignore_errors=True)
        self.trace('convert', VECADD, '-o', 'w')
        text, count = re.subn(pattern, replacement, self.text('w', 'functions.code'))
        self.assertEqual(count, 1)
        self.write('w/functions.code', text)

    def test_verify(self):
        for pattern, replacement, message in (
                (FIRST, '000fe20000000800000000000000794d',
                 'the code has EXIT at 0x0, the trace LDC'),
                (FIRST, FIRST.replace('017b82', '027b82'),
                 'LDC at 0x0 writes R2 in the code, not R1'),
                (r'(?s)code 32\n(.{33})(.{33})*', r'code 1\n\1',
                 'the code of _Z3addPKfS0_Pfi has no instruction at 0x10')):
            self.change(pattern, replacement)
            for name in ('w', 'packed'):
                shutil.rmtree(self.path('packed'), ignore_errors=True)
                if name == 'packed':
                    self.trace('convert', 'w', '-o', name, '-f')
                out = self.output('verify', name, code=3)
                self.assertRegex(out, r'kernel-1[^\n]*:\d+:1: ' + message)

    def test_damaged_code(self):
        self.change('code 32', 'code 33')
        for command in (('info', 'w'), ('convert', 'w', '-o', 'x'), ('memonly', 'w', '-o', 'x')):
            done = self.trace(*command, code=3)
            self.assertIn(b'hearth: w/functions.code:39: the text ends after 32 of 33 instructions', done.stderr)
        out = self.output('verify', 'w', code=3)
        self.assertIn('w/functions.code:39: the text ends', out)
        self.assertIn('1 launches', out)
        self.run_ok('w', '-c', 'rtx3070')   # which does not need the code, as h100 does for its caches
        done = self.hearth('run', 'w', '-c', 'h100', '-o', 'r', code=3)
        self.assertIn('w/functions.code:39: the text ends after 32 of 33 instructions', done.stderr)


if __name__ == '__main__':
    unittest.main(argv=[case.sys.argv[0], *case.sys.argv[3:]])
