#!/usr/bin/env python3
"""The NVBit tool on a stub driver: the machine code of kernels in traces."""
import os
import re
import sys
import unittest

from tool_case import ToolCase

FACTS = ['address 0x7f1200000000', 'registers 24', 'barriers 3', 'max_threads 256 1 1', 'constants 552', 'code 12']


class CodeTest(ToolCase):
    def functions(self, folder='traces'):
        with open(self.path(folder + '/functions.code')) as file:
            return file.read()

    def with_code(self, path):
        return re.search(r'functions .*, (\d+) with code', self.hearth('trace', 'info', self.path(path))[0]).group(1)

    def test_code_is_beside_the_list(self):
        (expected,), errors = self.run_app('code', TRACE_RECORD=self.path('stream'))
        self.assertEqual(errors, '')
        self.check(expected)
        text = self.functions().splitlines()
        self.assertEqual(text[:8], ['!functions 1', 'function _Z4walkPf'] + FACTS)
        self.assertEqual(text[8:10], ['%032x' % (1 << 16 | 0x202), '%032x' % (1 << 105 | 0x20c)])
        self.assertEqual([line for line in text if line.startswith('function')],
                         ['function _Z4walkPf', 'function _Z6strollPf'])
        self.assertEqual(self.with_code('traces'), '2')
        self.assertEqual(self.hearth('trace', 'verify', self.path('traces'))[1], '')
        self.replay('stream', 'again')
        self.assertEqual(self.functions('again'), self.functions())

    def test_packed(self):
        self.run_app('code')
        text = self.functions()
        _, errors = self.run_app('code', TRACE_FORMAT='packed', TRACE_RECORD=self.path('stream'))
        self.assertEqual(errors, '')
        packed = self.path('traces/traces.packed')
        self.assertEqual(self.with_code('traces/traces.packed'), '2')
        self.assertEqual(self.hearth('trace', 'verify', packed)[1], '')
        self.hearth('trace', 'convert', packed, '-o', self.path('text'))
        self.assertEqual(self.functions('text'), text)
        self.replay('stream', 'again', TRACE_FORMAT='packed')
        self.hearth('trace', 'convert', self.path('again/traces.packed'), '-o', self.path('text2'))
        self.assertEqual(self.functions('text2'), text)

    def test_contexts_share_the_file(self):
        """Two contexts have kernels of one name and different code."""
        _, errors = self.run_app('codes')
        self.assertEqual(errors, '')
        text = self.functions().splitlines()
        self.assertEqual(sum(line == 'function _Z4walkPf' for line in text), 2)
        uses = [line for line in text if line.startswith('launch')]
        self.assertEqual(len(uses), 1)
        self.assertRegex(uses[0], '^launch 2 kernel-1_ctx_0x[0-9a-f]+.traceg$')
        for name in os.listdir(self.path('traces')):
            if name.startswith('kernelslist'):
                self.assertEqual(self.hearth('trace', 'verify', self.path('traces/' + name))[1], '')

    def test_only_of_launches_that_are_traced(self):
        self.run_app('code', DYNAMIC_KERNEL_RANGE='2')
        self.assertEqual([line for line in self.functions().splitlines() if line.startswith('function')],
                         ['function _Z6strollPf'])

    def test_both_kinds_of_files(self):
        _, errors = self.run_app('codes', TRACE_MODE='both')
        self.assertEqual(errors, '')
        self.assertEqual(sum(line.startswith('function') for line in self.functions().splitlines()), 2)

    def test_without_code(self):
        (expected,), errors = self.run_app('code')
        self.assertTrue(os.path.exists(self.path('traces/functions.code')))
        (expected,), errors = self.run_app('code', TRACE_CODE='0')
        self.assertEqual(errors, '')
        self.check(expected)
        self.assertFalse(os.path.exists(self.path('traces/functions.code')), 'that of an earlier run is gone')

    def test_cubins_that_fail(self):
        (expected,), errors = self.run_app('no_cubin')
        self.check(expected)
        self.assertEqual(errors, 'hearth tracer: _Z4walkPf: NVBit cannot write its cubin: its code is missing in the '
                         'traces, and that of others may be')
        self.assertEqual(self.with_code('traces'), '1')
        (expected,), errors = self.run_app('other_code')
        self.check(expected)
        self.assertEqual(errors, 'hearth tracer: _Z4walkPf: the cubin has another instruction than LDC at PC 0xa0: its '
                         'code is missing in the traces, and that of others may be')
        (expected,), errors = self.run_app('shifted_code')
        self.check(expected)
        self.assertIn('hearth tracer: _Z4walkPf: 6 of 6 instructions write other registers in the cubin: ', errors)

    def test_graphs(self):
        (expected,), errors = self.run_app('graph')
        self.assertEqual(errors, '')
        self.check(expected)
        self.assertEqual(self.with_code('traces'), '2')

    def test_modules_come_and_go(self):
        (expected,), errors = self.run_app('modules')
        self.assertEqual(errors, '')
        self.check(expected)
        self.assertEqual(self.hearth('trace', 'verify', self.path('traces'))[1], '')
        with open(self.path('traces/functions.code'), encoding='ascii') as file:
            names = [line.split()[1] for line in file if line.startswith('function ')]
        self.assertEqual(names[1:], ['_Z5firstv', '_Z5otherv', '_Z6secondv', '_Z6secondv'])
        (expected,), errors = self.run_app('modules', TRACE_MODE='profile')
        self.assertEqual(errors, '')


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
