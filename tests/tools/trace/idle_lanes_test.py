"""Tests of hearth trace annotate on lanes of LDGSTS that copy nothing, and that older traces have all the same.

usage: idle_lanes_test.py HEARTH SOURCE_ROOT [TEST]...
"""
import unittest

import case

HEADER = ('-kernel name = k\n-kernel id = %d\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 16\n'
          '-binary version = 90\n-cuda stream id = 0\n-accelsim tracer version = 5\n-enable lineinfo = 0\n%s\n'
          '#traces format = prose\n\n\n')
BLOCK = '\n#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = %d\n%s\n#END_TB\n'
INST = '        /*%04x*/    %s ;    /* 0x%016x */\n                    /* 0x%016x */\n'
COPY_IF, COPY, LOAD, TENSOR_STORE, EXIT = range(5)    # at PC 0, 16 ...
CODE = (('LDGSTS.E.128 [R2], desc[UR4][R4.64], P3', 0xfae, 3 << 23),
        ('@P0 LDGSTS.E.128 [R2], desc[UR4][R4.64]', 0xfae, 7 << 23), ('LDG.E R1, desc[UR4][R4.64]', 0x10981, 0),
        ('UTMASTG.2D [UR4], [UR6]', 0x13b5, 0), ('EXIT', 0x94d, 0))
INPUT = 'MemcpyHtoD,0x00007f0000000000,512'


def copies(address, inst=COPY_IF, mask='ffffffff', rest='0 '):
    """A copy of 16 bytes a lane, to addresses as the trace has them."""
    return '%04x %s 0 LDGSTS.E.128 2 R2 R4 16 %s %s' % (16 * inst, mask, address, rest)


class IdleLanes(case.Case):
    COMMAND = ('trace',)

    def workload(self, *launches, first=1, before=(INPUT,), header=''):
        """Text launches of a warp each, after the lines BEFORE."""
        listing = '\t\tFunction : k\n\t.headerflags @"EF_CUDA_SM90"\n'
        for number, inst in enumerate(CODE):
            listing += INST % (16 * number, *inst)
        self.write('k.sass', listing)
        names = []
        for number, lines in enumerate(launches, first):
            lines = [*lines, '0040 ffffffff 0 EXIT 0 0 0 ']
            names.append('kernel-%d.traceg' % number)
            self.write('w/' + names[-1], HEADER % (number, header) + BLOCK % (len(lines), '\n'.join(lines)))
        self.write('w/kernelslist.g', '\n'.join([*before, *names]) + '\n')

    def annotate(self, *options, source='w', to='new'):
        return self.trace('annotate', source, '--code', 'k.sass', '-o', to, *options).stdout.decode()

    def lines(self, launch=1):
        """The instructions of a launch that was written, but EXIT."""
        text = self.text('new', 'kernel-%d.traceg' % launch)
        return text.split('insts = ')[1].split('\n')[1:-3]

    def check(self, traced, written, said=None, **workload):
        """Launch 1 of TRACED becomes WRITTEN; SAID lanes are reported."""
        self.workload(traced, **workload)
        out = self.annotate()
        self.assertEqual(self.lines(), written)
        self.assertIn(': 0 errors', self.trace('verify', 'new').stdout.decode())
        if said is None:
            self.assertNotIn('LDGSTS', out)
        else:
            self.assertIn('w: in 1 launches %d lanes of LDGSTS copied nothing' % said, out)

    def test_lanes_beyond_what_was_written(self):
        self.check([copies('1 0x7f0000000100 16')], [copies('1 0x7f0000000100 16', mask='0000ffff')], 16)
        self.assertNotIn('# written', self.text('new', 'kernelslist.g'))

    def test_all_lanes(self):
        self.check([copies('1 0x7f0000002000 16')], [copies('1 0x0 0', mask='00000000')], 32)

    def test_not_after_a_gap(self):
        """The launch that is missing may have written what the one after it copies."""
        beyond = copies('1 0x7f0000002000 16')
        self.workload([beyond], [copies('1 0x7f0000004000 16')])
        name = 'w/kernel-2.traceg'
        self.write(name, self.text(name).replace('-kernel id = 2\n', '-kernel id = 3\n'))
        self.assertIn('w: in 1 launches 32 lanes of LDGSTS', self.annotate())
        self.assertEqual(self.lines(2), [copies('1 0x7f0000004000 16')])

    def test_lanes_between_others(self):
        self.check([copies('2 0x7f0000000000 16384 -16368 16384', mask='0000000f'),
                    copies('2 0x7f0000000000 16 16384 -16352 16', mask='0000d003'),
                    copies('0 0x7f0000000010 0x7f0000004000', mask='80000001')],
                   [copies('2 0x7f0000000000 16', mask='00000005'),
                    copies('2 0x7f0000000000 16 32 16', mask='0000c003'),
                    copies('2 0x7f0000000010', mask='00000001')], 4)

    def test_numbers_and_active_lanes(self):
        self.check([copies('1 0x7f00000001e0 16', mask='0000000f', rest='0 =1024 =16 @000000ff'),
                    copies('1 0x7f00000001e0 16', mask='0000000f', rest='0 =8 =32 =16 =64 '),
                    copies('2 0x7f0000000000 32 16352 -16320', mask='0000000f', rest='0 =1 =2 =4 =9 '),
                    copies('1 0x7f0000004000 16', mask='0000000f', rest='0 =1024 =16 ')],
                   [copies('1 0x7f00000001e0 16', mask='00000003', rest='0 =1024 =16 @000000ff'),
                    copies('1 0x7f00000001e0 16', mask='00000003', rest='0 =8 =24 @0000000f'),
                    copies('2 0x7f0000000000 32 32', mask='0000000b', rest='0 =1 =2 =9 @0000000f'),
                    copies('1 0x0 0', mask='00000000', rest='0 @0000000f')], 9, header='-active masks = 1\n')

    def test_sources_of_lines(self):
        line = '27 ' + copies('1 0x7f0000000100 16')
        self.workload([line])
        text = self.text('w', 'kernel-1.traceg').replace('lineinfo = 0', 'lineinfo = 1').replace('\n0040', '\n28 0040')
        self.write('w/kernel-1.traceg', text)
        self.annotate()
        self.assertEqual(self.lines(), ['27 ' + copies('1 0x7f0000000100 16', mask='0000ffff')])

    def test_without_the_operand(self):
        line = copies('1 0x7f0000000100 16', COPY)
        self.check([line], [line])
        self.assertIn('# written 0x00007f0000000200 256\n', self.text('new', 'kernelslist.g'))

    def test_what_other_instructions_read_is_there(self):
        line = copies('1 0x7f0000000100 16')
        load = '0020 ffffffff 1 R1 LDG.E 1 R4 4 1 0x7f0000000200 4 0 '
        after = copies('1 0x7f0000000100 16', mask='00ffffff')
        for lines in ([line, load], [load, line]):
            self.workload(lines)
            self.annotate('-f')
            self.assertIn(after, self.lines())
            self.assertIn('# written 0x00007f0000000200 128\n', self.text('new', 'kernelslist.g'))

    def test_later_launches(self):
        """What copies nothing has touched nothing; a load has."""
        line = copies('1 0x7f0000000100 16')
        load = '0020 ffffffff 1 R1 LDG.E 1 R4 4 1 0x7f0000000200 8 0 '
        self.workload([line], [line], [load], [line])
        out = self.annotate()
        self.assertIn('in 2 launches 32 lanes', out)
        self.assertEqual(self.lines(2), [copies('1 0x7f0000000100 16', mask='0000ffff')])
        self.assertEqual(self.lines(4), [line])

    def test_after_stores_that_the_trace_does_not_show(self):
        line = copies('1 0x7f0000000100 16')
        self.workload([line, '0030 00000001 0 UTMASTG.2D 0 0 0 '], [line])
        self.assertIn('in 1 launches 16 lanes', self.annotate())
        self.assertEqual(self.lines(2), [line])

    def test_writes_without_a_place(self):
        line = copies('1 0x7f0000000100 16')
        for note in ('# managed 0x00007f0000000000 4096', '# set 0x00007f0000000200 256 row=8 pitch=16'):
            self.workload([line], before=(INPUT, note))
            self.assertNotIn('LDGSTS', self.annotate('-f'))
            self.assertEqual(self.lines(), [line])

    def test_part_of_an_application(self):
        self.workload([copies('1 0x7f0000000100 16')], first=2)
        self.annotate()
        self.assertEqual(self.lines(2), [copies('1 0x7f0000000100 16')])

    def test_options(self):
        line = copies('1 0x7f0000000100 16')
        self.workload([line])
        self.annotate('--all-lanes')
        self.assertEqual(self.lines(), [line])
        self.assertIn('# written 0x00007f0000000200 256\n', self.text('new', 'kernelslist.g'))
        self.annotate('--no-written', '-f')
        self.assertEqual(self.lines(), [copies('1 0x7f0000000100 16', mask='0000ffff')])
        self.annotate('--no-written', '--all-lanes', '-f')
        self.assertEqual(self.text('new', 'kernel-1.traceg'), self.text('w', 'kernel-1.traceg'))

    def test_packed(self):
        self.workload([copies('1 0x7f0000000100 16'), copies('1 0x7f0000002000 16')], [copies('1 0x7f0000000180 16')])
        self.annotate(to='text')
        self.trace('convert', 'w', '-o', 'w.packed')
        self.annotate(source='w.packed', to='new.packed')
        self.trace('convert', 'new.packed', '-o', 'new')
        for launch in (1, 2):
            name = 'kernel-%d.traceg' % launch
            self.assertEqual(self.text('new', name), self.text('text', name))


if __name__ == '__main__':
    unittest.main(argv=[__file__, *case.sys.argv[3:]])
