#!/usr/bin/env python3
"""The NVBit tool on a stub driver: values of registers in traces."""
import sys
import unittest

from tool_case import ToolCase


class ValuesTest(ToolCase):
    def barriers(self, folder):
        with open(self.path(folder + '/kernel-1.traceg')) as file:
            return [line.rstrip('\n') for line in file if ' BAR.' in line]

    def test_barriers(self):
        (expected,), errors = self.run_app('barriers', TRACE_RECORD=self.path('stream'))
        self.assertEqual(errors, '')
        self.check(expected)
        wanted = [line for warp in (1, 2) for line in (
            f'0000 ffffffff 1 R1 BAR.SYNC.DEFER_BLOCKING 1 R2 0 0 ={warp} =64 ',
            '0010 000000ff 0 BAR.ARV 1 R3 0 5 =96 @ffffffff',
            '0020 ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0 0 ')]
        self.assertEqual(self.barriers('traces'), 2 * wanted)
        self.assertEqual(self.hearth('trace', 'verify', self.path('traces'))[1], '')
        self.hearth('trace', 'convert', self.path('traces'), '-o', self.path('converted.packed'))
        self.replay('stream', 'again')
        self.assertEqual(self.barriers('again'), 2 * wanted)
        self.run_app('barriers', TRACE_FORMAT='packed')
        for packed, folder in (('traces/traces.packed', 'a'), ('converted.packed', 'b')):
            self.assertEqual(self.hearth('trace', 'verify', self.path(packed))[1], '')
            self.hearth('trace', 'convert', self.path(packed), '-o', self.path(folder))
            self.assertEqual(self.barriers(folder), 2 * wanted)
        self.hearth('run', self.path('traces/traces.packed'), '-o', self.path('out'))

    def info(self, path, *columns):
        """What `trace info` says of the second addresses, constants, SYNCS and tensors of the first launch."""
        text, _ = self.hearth('trace', 'info', self.path(path))
        self.assertIn('registers     of launches: barriers (BAR) 0, shared addresses (LDGSTS) 1, constants (LDC, ULDC) 1, '
                      'barriers in memory (SYNCS) 1, tensor copies (UTMA*) 1, block copies (UBLK*) 0\n', text)
        names, row = self.hearth('trace', 'info', '--csv', self.path(path))[0].splitlines()
        seen = dict(zip(names.split(','), row.split(',')))
        self.assertEqual([seen[name] for name in ('shared_addresses', 'constant_addresses', 'mbarrier_values',
                                                  'tensor_values')], [str(column) for column in columns])

    def lines(self, folder, name='kernel-1'):
        with open(self.path(f'{folder}/{name}.traceg'), encoding='ascii') as file:
            return [line.rstrip('\n') for line in file if line[:4].isalnum() and ' 0x' in line]

    def test_copies_and_constants(self):
        (expected,), errors = self.run_app('copies', TRACE_RECORD=self.path('stream'))
        self.assertEqual(errors, '')
        same = ['0010 ffffffff 1 R12 LDC.64 0 8 1 0x2d8 8 0 ',
                '0020 ffffffff 1 R13 LDC 0 4 1 0x3ec 0 0 ',
                '0030 ffffffff 0 ULDC 0 4 1 0x40d 0 0 ',
                '0050 ffffffff 1 R255 SYNCS.ARRIVE.TRANS64.RED 2 R0 R7 4 1 0x30480 0 0 =700 ',
                '0060 ffffffff 0 SYNCS.EXCH.64 1 R0 8 1 0x30480 0 0 =1008 =1009 ',
                '0070 ffffffff 0 UTMALDG.3D 2 R0 R0 4 1 0x7f4000000000 16 0 '
                '=1008 =1009 =1010 =1011 =1012 =1004 =1005 ']
        copy = '0000 00000007 0 LDGSTS.E.128 2 R6 R8 16 1 0x7f4000000000 16 0 %s @ffffffff'
        wanted = [copy % '=1024 =16', *same, copy % '=1024 =1040 =1088', *same]
        self.assertEqual(self.lines('traces'), wanted)
        self.assertEqual(self.hearth('trace', 'verify', self.path('traces'))[1], '')
        self.hearth('trace', 'convert', self.path('traces'), '-o', self.path('converted.packed'))
        self.replay('stream', 'again')
        self.assertEqual(self.lines('again'), wanted)
        self.info('traces', 1, 1, 1, 1)
        self.run_app('copies', TRACE_FORMAT='packed')
        self.info('traces/traces.packed', 1, 1, 1, 1)
        for packed, folder in (('traces/traces.packed', 'a'), ('converted.packed', 'b')):
            self.assertEqual(self.hearth('trace', 'verify', self.path(packed))[1], '')
            self.hearth('trace', 'convert', self.path(packed), '-o', self.path(folder))
            self.assertEqual(self.lines(folder), wanted)
        # A memory-only view has no constants.
        self.hearth('trace', 'memonly', self.path('again'), '-o', self.path('memory'))
        few = [line for line in wanted if 'LDC' not in line]
        self.assertEqual(self.lines('memory', 'kernel-mem-1'), few)
        self.run_app('copies', TRACE_MODE='memory')
        self.assertEqual(self.lines('traces', 'kernel-mem-1'), few)

    def test_verify_finds_what_is_wrong(self):
        self.run_app('copies')
        with open(self.path('traces/kernel-1.traceg'), encoding='ascii') as file:
            text = file.read()
        for old, new, says in (
                ('=700 ', '=4294967296 ', 'a number of 32 bits is expected'),
                ('=700 ', '=7x ', 'a number of 32 bits is expected'),
                ('=700 ', '=1 ' * 33, 'at most 32 numbers are expected'),
                ('EXIT 0 0 ', 'EXIT 0 0 0 =1 =2 =3 ', 'at most 2 numbers are expected'),
                ('00000007 0 LDGSTS', '00000000 0 LDGSTS', 'numbers, although no lane executes it'),
                ('00000007 0 LDGSTS', '00000007 0 LDGSTS', None)):
            self.assertIn(old, text)
            with open(self.path('traces/kernel-1.traceg'), 'w', encoding='ascii') as file:
                file.write(text.replace(old, new, 1))
            out, errors = self.hearth('trace', 'verify', self.path('traces'), code=0 if says is None else 3)
            self.assertIn(says or ': 0 errors', out + errors)

    def test_other_modes(self):
        for mode in ('memory', 'profile'):
            for name in ('barriers', 'copies'):
                self.assertEqual(self.run_app(name, TRACE_MODE=mode)[1], '')


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
