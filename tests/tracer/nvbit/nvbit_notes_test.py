#!/usr/bin/env python3
"""The NVBit tool on a stub driver: comments of the list about memory."""
import sys
import unittest

from tool_case import ToolCase


class NotesTest(ToolCase):
    def listed(self):
        return self.lines('kernelslist.g')[1:]

    def test_managed_memory(self):
        """It is traced as any other, and one line says what is missing."""
        (expected,), errors = self.run_app('managed', TRACE_QUIET='0')
        self.check(expected)
        self.assertEqual(errors.splitlines()[1:], [
            'hearth tracer: managed memory: accesses of the host to it, and what they move, are not in the traces'])
        self.assertEqual(self.listed(), ['# managed 0x00007f6000000000 4096', 'kernel-1.traceg',
                                         '# managed 0x00007f6000001000 64', 'kernel-2.traceg'])
        self.assertEqual(self.run_app('managed')[1], '')
        self.hearth('run', self.path('traces'), '-o', self.path('out'))
        self.assertIn('managed allocations 2, other writes 0\n', self.hearth('trace', 'info', self.path('traces'))[0])

    def test_copies_of_rows(self):
        """In one piece they are ordinary ones; what the tool cannot see is named once."""
        (expected,), errors = self.run_app('shaped', TRACE_QUIET='0', TRACE_RECORD=self.path('stream'))
        self.check(expected)
        self.assertEqual(errors.splitlines()[1:], ['hearth tracer: cuCall: such copies are not in the traces',
                                                   'hearth tracer: cuCall: such launches are not in the traces'])
        listed = self.listed()
        self.assertEqual(listed, [
            'MemcpyHtoD,0x00007f4000000200,2048',
            '# copy to 0x00007f4000000400 from 0x0000000000010010 2048 row=256 rows=8,1 pitch=512,256 plane=0,0',
            'MemcpyDtoH,0x00007f4000000010,256', 'kernel-1.traceg',
            '# copy to 0x00007f4000000288 from array 384 row=64 rows=2,3 pitch=128,0 plane=512,0',
            '# copy to 0x00007f4000000000 from 0x00007f4000001000 32',
            '# copy to 0x00007f4000000000 from 0x00007f4000000080 16',
            '# copy to 0x00007f4000000040 from 0x00007f4000000100 32',
            '# set 0x00007f4000000000 400 row=100 rows=4 pitch=512', '# set 0x00007f4000000000 200', 'kernel-2.traceg'])
        self.assertIn('\nother memory  copies on the device 5, memsets 2,',
                      self.hearth('trace', 'info', self.path('traces'))[0])
        self.replay('stream', 'again')
        with open(self.path('again/kernelslist.g')) as file:
            self.assertEqual(file.read().splitlines()[1:], listed)

    def test_unified_addresses(self):
        """What the driver says of them gives the direction; managed memory, and in graphs what it does not know, is anywhere."""
        (expected,), errors = self.run_app('unified', TRACE_RECORD=self.path('stream'))
        self.check(expected)
        self.assertEqual(errors, '')
        listed = self.listed()
        self.assertEqual(listed, [
            # to the host: from the device, from managed memory
            'MemcpyDtoH,0x00007f4000001000,96', 'MemcpyDtoH,0x00007f6000001000,128',
            'MemcpyDtoH,0x00007f4000001000,224', 'MemcpyDtoH,0x00007f6000001000,256',
            # to the device
            'MemcpyHtoD,0x00007f4000000000,288', 'MemcpyHtoD,0x00007f4000000000,320',
            '# copy to 0x00007f4000000000 from 0x00007f4000001000 352',
            '# copy to 0x00007f4000000000 from 0x00007f6000001000 384',
            # to managed memory
            '# copy to 0x00007f6000000000 from 0x0000000000011000 416',
            '# copy to 0x00007f6000000000 from 0x00007f5000001000 448',
            '# copy to 0x00007f6000000000 from 0x00007f4000001000 480',
            '# copy to 0x00007f6000000000 from 0x00007f6000001000 512', 'kernel-1.traceg',
            'MemcpyDtoH,0x00007f4000000000,16', 'MemcpyHtoD,0x00007f4000000000,32',
            'MemcpyDtoH,0x00007f4000000000,512', 'kernel-2.traceg',
            'MemcpyDtoH,0x00007f4000000000,64', '# copy to 0x0000000000010000 from 0x00007f4000000000 64', 'kernel-3.traceg'])
        self.replay('stream', 'again')
        self.assertEqual(self.lines('../again/kernelslist.g')[1:], listed)

    def test_tensor_maps(self):
        (expected,), errors = self.run_app('tensor_maps')
        self.check(expected)
        self.assertEqual(errors, '')
        start = '# tensormap efcdab8967452301' + '00' * 8 + '02' + '00' * 7
        self.assertEqual(self.listed(), [
            start + '00' * 104 + ' tiled type=6 address=0x00007f4000000000 dims=128,64,3 strides=256,16384 steps=1,1,2 '
            'box=64,8,1 interleave=0 swizzle=3 promotion=2 fill=0', 'kernel-1.traceg',
            start + '00' * 96 + 'ff' + '00' * 7 + ' im2col type=7 address=0x00007f4000000000 dims=128,64,3,2 '
            'strides=256,16384,49152 steps=1,1,2,1 lower=-1,-2 upper=0,1 channels=64 pixels=32 interleave=1 swizzle=0 '
            'promotion=1 fill=1', '# launch 2 dynamic=0 cluster=1,1,1 cooperative=0 carveout=-1 maps=48:2,304:1',
            'kernel-2.traceg'])
        info = self.hearth('trace', 'info', self.path('traces'))[0]
        self.assertIn('\ntensor maps   1 tiled, 1 im2col, in the parameters of 1 launches\n', info)
        self.hearth('run', self.path('traces'), '-o', self.path('out'))
        listed = self.listed()
        self.run_app('tensor_maps', TRACE_FORMAT='packed')
        self.hearth('trace', 'convert', self.path('traces/traces.packed'), '-o', self.path('text'))
        with open(self.path('text/kernelslist.g')) as file:
            self.assertEqual([line for line in file.read().splitlines()[1:] if not line.startswith('# predicates')],
                             listed)

    def test_tensor_maps_that_no_call_made(self):
        """Those in buffers and in parameters are listed before the first launch that has them."""
        (expected,), errors = self.run_app('own_maps', TRACE_RECORD=self.path('stream'))
        self.check(expected)
        self.assertEqual(errors, '')
        brief = ('# tensormap 0000e29dca7f00002263%s002000000000000000000000100000000000000000ff000000ff000000'
                 '0000000000000000000000000000003f0f00000000000000' + '00' * 64 +
                 ' tiled type=6 address=0x00007fca9de20000 dims=256,256,1 strides=512,0 steps=1,1,1 box=64,16,1 '
                 'interleave=0 swizzle=3 promotion=%d fill=0')
        full = ('# tensormap 00000000007000002003000080000000000002000000000000000000' + '00' * 4 +
                'e7030000830300001f0300000000000000000000' + '0000001f0f07000000000000' + '00200000' + '00' * 4 +
                '10000000' + '00' * 52 + ' tiled type=6 address=0x0000700000000000 dims=1000,900,800 '
                'strides=2048,2097152 steps=1,1,1 box=32,16,8 interleave=0 swizzle=0 promotion=0 fill=0')
        facts = '# launch %d dynamic=0 cluster=1,1,1 cooperative=0 carveout=-1 maps=%s'
        listed = self.listed()
        self.assertEqual(listed, [
            brief % ('04', 2), full, facts % (1, '48:1,240:2,560:1'), 'kernel-1.traceg',
            brief % ('06', 3), facts % (2, '48:3,240:2,560:1'), 'kernel-2.traceg', 'kernel-3.traceg',
            facts % (4, '48:2'), 'kernel-4.traceg'])
        info = self.hearth('trace', 'info', self.path('traces'))[0]
        self.assertIn('\ntensor maps   3 tiled, 0 im2col, in the parameters of 3 launches\n', info)
        self.hearth('run', self.path('traces'), '-o', self.path('out'))
        self.replay('stream', 'again')
        self.assertEqual(self.lines('../again/kernelslist.g')[1:], listed)
        self.run_app('own_maps', TRACE_FORMAT='packed')
        self.assertIn('\ntensor maps   3 tiled, 0 im2col, in the parameters of 3 launches\n',
                      self.hearth('trace', 'info', self.path('traces'))[0])
        self.hearth('trace', 'convert', self.path('traces/traces.packed'), '-o', self.path('text'))
        self.assertEqual([line for line in self.lines('../text/kernelslist.g')[1:]
                          if not line.startswith('# predicates')], listed)

    def test_programmatic_launches(self):
        """By their attribute, or in graphs by edges from the kernel before, and only from that."""
        (expected,), errors = self.run_app('programmatic', TRACE_RECORD=self.path('stream'))
        self.assertEqual(errors, '')
        self.check(expected)
        facts = '# launch %d dynamic=%d cluster=1,1,1 cooperative=0 carveout=-1 programmatic=%d'
        listed = self.lines('kernelslist.g')
        self.assertEqual(listed[1:], [
            'kernel-1.traceg', facts % (2, 512, 1), 'kernel-2.traceg', facts % (3, 512, 0), 'kernel-3.traceg',
            'kernel-4.traceg', facts % (5, 0, 1), 'kernel-5.traceg', 'kernel-6.traceg', facts % (7, 0, 0),
            'kernel-7.traceg'])
        info, _ = self.hearth('trace', 'info', self.path('traces'))
        self.assertIn('L2 window 0, programmatic 2\n', info)

    def test_windows_of_l2(self):
        """The launch's own, or else its stream's."""
        (expected,), errors = self.run_app('windows', TRACE_RECORD=self.path('stream'))
        self.check(expected)
        self.assertEqual(errors, '')
        listed = self.listed()
        self.assertEqual(listed, [
            '# launch 1 dynamic=512 cluster=1,1,1 cooperative=0 carveout=-1 '
            'window=0x00007f4000000000,65536,0.750,2,1 persisting=1048576', 'kernel-1.traceg',
            '# launch 2 dynamic=0 cluster=1,1,1 cooperative=0 carveout=-1 '
            'window=0x00007f4000100000,4096,1.000,1,0 persisting=1048576', 'kernel-2.traceg', 'kernel-3.traceg'])
        self.replay('stream', 'again')
        with open(self.path('again/kernelslist.g')) as file:
            self.assertEqual(file.read().splitlines()[1:], listed)
        self.hearth('run', self.path('traces'), '-o', self.path('out'))
        self.assertIn('L2 window 2, programmatic 0\n', self.hearth('trace', 'info', self.path('traces'))[0])
        rows = self.hearth('trace', 'info', '--csv', self.path('traces'))[0].splitlines()
        column = rows[0].split(',').index('l2_window')
        self.assertEqual([row.split(',')[column] for row in rows[1:]], ['65536', '4096', ''])


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
