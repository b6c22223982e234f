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

    def test_other_modes(self):
        for mode in ('memory', 'profile'):
            self.assertEqual(self.run_app('barriers', TRACE_MODE=mode)[1], '')


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
