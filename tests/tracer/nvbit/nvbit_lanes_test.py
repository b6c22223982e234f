#!/usr/bin/env python3
"""The NVBit tool on a stub driver: which lanes were active, and which executed."""
import re
import sys
import unittest

from tool_case import ToolCase, read_active

FULL = 0xffffffff


class LanesTest(ToolCase):
    def text(self, name):
        """What is in the file, but the number of a stream: an address, another one in each process."""
        with open(self.path(name)) as file:
            return re.sub(r'\b9\d{13}\b', 'stream', file.read())

    def active(self, name):
        """{opcode: [(active, mask)]} in the order of the file"""
        found = {}
        for line in self.text(name).splitlines():
            if re.match('[0-9a-f]{4,} [0-9a-f]{8} ', line):
                opcode = re.search(' ([A-Z][A-Z0-9]*[A-Z][.A-Z0-9]*) ', line).group(1)
                found.setdefault(opcode, []).append(read_active(line))
        return found

    def test_lanes_whose_guard_does_not_hold(self):
        (expected,), errors = self.run_app('plain', TRACE_RECORD=self.path('stream'))
        self.assertEqual(errors, '')
        self.check(expected)
        found = self.active('traces/kernel-2.traceg')
        even, odd = 0x55555555, 0xaaaaaaaa
        self.assertEqual(found['MOV'], [(FULL, FULL)] * 4)
        self.assertEqual(found['EXIT'], [(FULL, 0), (FULL, FULL)] * 2 + [(FULL, odd), (even, even)] * 2)
        self.assertEqual(found['STG.E'], [(FULL, 0x0f0f0f0f)] * 2 + [(FULL, 0)] * 2
                         + [(even, 0x05050505)] * 2 + [(even, 0)] * 2)
        self.replay('stream', 'again')
        self.assertEqual(self.active('again/kernel-2.traceg'), found)
        self.replay('stream', 'without', TRACE_ACTIVE='0')
        self.assertEqual(self.active('without/kernel-2.traceg'),
                         {opcode: [(mask, mask) for _, mask in lanes] for opcode, lanes in found.items()})

    def test_packed_is_the_same(self):
        self.run_app('plain')
        texts = [self.text(f'traces/kernel-{n}.traceg') for n in (1, 2, 3, 4)]
        says = 'active masks  of 4 of 4 launches\n'
        self.assertEqual(self.hearth('trace', 'verify', self.path('traces'))[1], '')
        self.assertIn(says, self.hearth('trace', 'info', self.path('traces'))[0])
        self.hearth('trace', 'convert', self.path('traces'), '-o', self.path('converted.packed'))
        self.run_app('plain', TRACE_FORMAT='packed')
        for packed, folder in (('traces/traces.packed', 'a'), ('converted.packed', 'b')):
            self.assertEqual(self.hearth('trace', 'verify', self.path(packed))[1], '')
            self.assertIn(says, self.hearth('trace', 'info', self.path(packed))[0])
            self.hearth('trace', 'convert', self.path(packed), '-o', self.path(folder))
            self.assertEqual([self.text(f'{folder}/kernel-{n}.traceg') for n in (1, 2, 3, 4)], texts)
        self.run_app('plain', TRACE_ACTIVE='0')
        self.assertIn('active masks  of 0 of 4 launches\n', self.hearth('trace', 'info', self.path('traces'))[0])

    def test_results_do_not_depend_on_it(self):
        results = []
        for active in '01':
            self.run_app('plain', TRACE_ACTIVE=active)
            self.hearth('run', self.path('traces'), '-o', self.path('out' + active))
            results.append(self.text(f'out{active}/kernels.csv'))
        self.assertEqual(*results)

    def test_verify_finds_wrong_masks(self):
        self.run_app('plain')
        path = self.path('traces/kernel-1.traceg')
        text = self.text(path)
        for old, new, message in (
                (' @ffffffff\n', ' @00000000\n', 'lanes that were not active execute the instruction'),
                (' @ffffffff\n', ' @fffffff\n', 'an active mask of 8 digits is expected'),
                ('-active masks = 1\n', '', "an active mask, although the header has no '-active masks = 1'")):
            with open(path, 'w') as file:
                file.write(text.replace(old, new))
            self.assertIn(message, ''.join(self.hearth('trace', 'verify', self.path('traces'), code=3)))


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
