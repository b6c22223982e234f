"""Tests of what lists say was written on the device: # copy, # set, and the lines # written of hearth trace annotate.

usage: written_test.py HEARTH SOURCE_ROOT [TEST]...
"""
import csv
import io
import os
import re
import shutil
import unittest

import case
from case import demo

H100 = os.path.join(case.ROOT, 'tests', 'tools', 'h100')
CUBIN = os.path.join(H100, 'vecadd.cubin')
A, B, BYTES = 0x7f03c1e00000, 0x7f03c1e61c00, 400000    # what vecadd reads
WRITTEN = '# written 0x%016x %d'
LINES = [WRITTEN % (A, BYTES), WRITTEN % (B, BYTES)]


def without(row, *names):
    return {key: value for key, value in row.items() if key not in names}


class Annotate(case.Case):
    """Of the workload vecadd, once or several times, with other copies."""
    COMMAND = ('trace', 'annotate')

    def setUp(self):
        super().setUp()
        self.trace('convert', os.path.join(H100, 'vecadd.packed'), '-o', 'plain')
        os.remove(self.path('plain', 'functions.code'))
        self.kernel = self.text('plain', 'kernel-1.traceg')

    def made(self, *lines, ids=(1,)):
        """A workload with LINES before its launches, which have these ids."""
        shutil.rmtree(self.path('w'), ignore_errors=True)
        for number in ids:
            self.write('w/kernel-%d.traceg' % number, self.kernel.replace('-kernel id = 1\n', '-kernel id = %d\n' % number, 1))
        self.write('w/kernelslist.g', ''.join(line + '\n' for line in [*lines, *('kernel-%d.traceg' % n for n in ids)]))
        return 'w'

    def annotated(self, workload, *options, name='new'):
        """The list, and what was said of it."""
        done = self.trace('annotate', workload, '--code', CUBIN, '-o', name, '-f', *options)
        said = [line for line in done.stdout.decode().splitlines() if 'nothing in the list' in line]
        return self.text(name, 'kernelslist.g').splitlines(), said

    def test_what_no_line_wrote(self):
        lines, said = self.annotated(self.made())
        self.assertEqual(lines, [*LINES, 'kernel-1.traceg'])
        self.assertEqual(sum(int(line.split()[-1]) for line in LINES), 25000 * 32)
        self.assertEqual(said, ['w: 1 launches read 25000 sectors that nothing in the list had written; now lines "# written" do'])
        self.assertIn('\nother memory  copies on the device 0, memsets 0, managed allocations 0, other writes 2\n',
                      self.trace('info', 'new').stdout.decode())
        self.assertIn(': 0 errors', self.trace('verify', 'new').stdout.decode())
        self.assertEqual(self.annotated(self.made(), '-q'), (lines, []))

    def test_once_for_all_launches(self):
        """The second launch reads what the first one has read."""
        self.assertEqual(self.annotated(self.made(ids=(1, 2)))[0], [*LINES, 'kernel-1.traceg', 'kernel-2.traceg'])

    def test_twice_is_once(self):
        first, _ = self.annotated(self.made())
        again, said = self.annotated('new', name='again')
        self.assertEqual((again, said), (first, []))
        self.assertEqual(self.text('new', 'functions.code'), self.text('again', 'functions.code'))

    def test_what_lines_say_was_written(self):
        """In part, and by each kind of line; other lines write nothing."""
        half = 200000
        for line in ('MemcpyHtoD,0x%016x,%d' % (A, half), '# copy to 0x%016x from 0x%016x %d' % (A, B, half),
                     '# set 0x%016x %d' % (A, half), WRITTEN % (A, half)):
            lines, said = self.annotated(self.made(line))
            self.assertEqual(lines, [line, WRITTEN % (A + half, half), LINES[1], 'kernel-1.traceg'])
            self.assertIn(' 18750 sectors ', said[0])
        for line in ('MemcpyDtoH,0x%016x,%d' % (A, half), '# managed 0x%016x %d' % (A, half),
                     '# set 0x%016x %d row=100 rows=2000 pitch=200' % (A, half), '# copy to array from 0x%016x %d' % (A, half)):
            self.assertEqual(self.annotated(self.made(line))[0], [line, *LINES, 'kernel-1.traceg'])
        both = ['MemcpyHtoD,0x%016x,%d' % (A, BYTES), '# set 0x%016x %d' % (B, BYTES)]
        self.assertEqual(self.annotated(self.made(*both)), ([*both, 'kernel-1.traceg'], []))

    def test_ranges(self):
        """Sectors of 32 bytes, and a range for each gap between what was written."""
        set_line = '# set 0x%016x 33' % (A + 4096)
        lines, _ = self.annotated(self.made(set_line, 'MemcpyHtoD,0x%016x,%d' % (B, BYTES)))
        self.assertEqual(lines[2:], [WRITTEN % (A, 4096), WRITTEN % (A + 4096 + 64, BYTES - 4096 - 64), 'kernel-1.traceg'])

    def test_not_wanted(self):
        self.assertEqual(self.annotated(self.made(), '--no-written'), (['kernel-1.traceg'], []))

    def test_not_from_the_first_launch_on(self):
        self.assertEqual(self.annotated(self.made(ids=(2, 3))), (['kernel-2.traceg', 'kernel-3.traceg'], []))
        self.assertEqual(self.annotated(self.made(ids=(2, 1)))[0], ['kernel-2.traceg', 'kernel-1.traceg'])
        self.kernel = self.kernel.replace('-kernel id = 1\n', '', 1)
        self.assertEqual(self.annotated(self.made())[0], ['kernel-1.traceg'])

    def test_not_after_a_gap(self):
        """Another launch that reads memory of its own, right after the first one and not."""
        for second, lines in ((2, [line.replace('7f03', '7f04') for line in LINES]), (3, [])):
            self.made(ids=(1, second))
            name = 'w/kernel-%d.traceg' % second
            self.write(name, self.text(name).replace('0x7f03', '0x7f04'))
            self.assertEqual(self.annotated('w')[0], [*LINES, 'kernel-1.traceg', *lines, 'kernel-%d.traceg' % second])

    def test_packed_to_standard_output(self):
        """Nothing but the workload goes there."""
        self.trace('convert', self.made(), '-o', 'w.packed')
        done = self.trace('annotate', 'w.packed', '--code', CUBIN, '-o', '-')
        self.assertIn(b'w.packed: 1 launches read 25000 sectors', done.stderr)
        self.write('piped.packed', done.stdout)
        self.assertIn(': 0 errors', self.trace('verify', 'piped.packed').stdout.decode())
        self.trace('convert', 'piped.packed', '-o', 'text')
        self.assertEqual(self.text('text', 'kernelslist.g').splitlines(), [*LINES, 'kernel-1.traceg'])
        quiet = self.trace('annotate', 'w.packed', '--code', CUBIN, '-o', '-', '-q')
        self.assertEqual((quiet.stdout, quiet.stderr), (done.stdout, b''))


class Runs(case.Case):
    """A list whose second launch reads what lines before it say was written."""
    COPIED = 0x7f0000000000

    def setUp(self):
        super().setUp()
        self.workload()

    def listed(self, *lines, name='w', after=2):
        """The workload with LINES before its second launch."""
        kernels = ['kernel-%d.traceg' % n for n in (1, 2, 3)]
        self.write(name + '/kernelslist.g', '\n'.join(kernels[:after - 1] + list(lines) + kernels[after - 1:]) + '\n')
        return self.path(name)

    def forms(self):
        return ('# copy to 0x%x from 0x1000 256' % self.COPIED, '# set 0x%x 256' % self.COPIED, '# written 0x%x 256' % self.COPIED)

    def run_with(self, *arguments, out='out'):
        return self.run_ok(self.path('w'), '-c', 'h100', '--flush', 'none', *arguments, out=out)

    def test_as_a_copy_from_the_host(self):
        """Whatever the line: of the same times and counters, with the option only."""
        for after in (1, 2):
            self.listed(after=after)
            nothing = self.run_with()
            self.listed('MemcpyHtoD,0x%x,256' % self.COPIED, after=after)
            copied = self.run_with()
            if after == 1:
                self.assertNotEqual(copied, nothing)
            for line in self.forms():
                self.listed(line, after=after)
                self.assertEqual(self.run_with(), copied, line)
                self.assertEqual(self.run_with('--set', 'hearth_device_copies=0'), nothing, line)
                self.assertEqual(self.run_with('--set', 'gpgpu_perf_sim_memcpy=0'), copied, line)
        self.listed('# copy to array from 0x1000 256', '# set 0x%x 256 row=64 rows=4 pitch=64' % self.COPIED)
        self.listed(after=1)
        self.assertEqual(self.run_with(), self.run_with('--set', 'hearth_device_copies=0'))

    def test_off_unless_a_card_says_so(self):
        self.listed(self.forms()[1], after=1)
        for card, on in (('rtx3070', False), ('qv100', False), ('h100', True)):
            rows = [self.run_ok(self.path('w'), '-c', card, '--flush', 'none', *more, out='out')
                    for more in ((), ('--set', 'hearth_device_copies=0'))]
            self.assertEqual(rows[0] != rows[1], on, card)

    def test_summary(self):
        self.listed(*self.forms(), 'MemcpyHtoD,0x%x,512' % self.COPIED)
        text = self.hearth('run', self.path('w'), '-c', 'h100', '-o', self.path('s')).stdout
        self.assertRegex(text, r'(?m)^copies +1 to the device, 0\.001 MB, which fill L2$')
        self.assertRegex(text, r'(?m)^other writes +3 on the device, 0\.001 MB, which fill L2$')
        text = self.hearth('run', self.path('w'), '-o', self.path('t')).stdout
        self.assertRegex(text, r'(?m)^other writes +3 on the device, 0\.001 MB$')

    def test_plan_that_is_read_again(self):
        self.listed(*self.forms())
        rows = self.run_with()
        plan = self.text('out', 'plan.out').splitlines()
        self.assertEqual([line for line in plan if line.startswith('#')], ['# written 0x%016x 256' % self.COPIED] * 3)
        again = self.run_ok(self.path('out', 'plan.out'), '-c', 'h100', '--flush', 'none', out='again')
        self.assertEqual([without(row, 'step') for row in again], [without(row, 'step') for row in rows])
        self.assertEqual(self.text('again', 'plan.out').splitlines()[2:], plan[2:])

    def test_sample(self):
        """A plan of a method has these lines, too."""
        self.listed(self.forms()[1])
        self.hearth('trace', 'profile', self.path('w'), '-o', self.path('p.csv'), '-q')
        self.hearth('sample', self.path('p.csv'), '--workload', self.path('w'), '--method', 'periodic', '--period', '1',
                    '-o', self.path('plan'), '-q')
        self.assertIn('# written 0x%016x 256\n' % self.COPIED, self.text('plan'))

    def test_resumed(self):
        """Results of a list with other writes are not those of this one."""
        self.listed(self.forms()[1])
        self.run_with()
        self.run_with('--resume')
        self.listed(self.forms()[1].replace('256', '512'))
        self.fails(2, 'out', 'run', self.path('w'), '-c', 'h100', '--flush', 'none', '-q', '-o', self.path('out'), '--resume')


class Warm(case.Case):
    """Launches of a demo, the memory of whose copies something on the device writes instead."""
    POLICIES = ('none', 'full', 'functional:all', 'memory:all', 'memory:auto', 'functional:1', 'checkpoint', 'nsl', 'wood', 'mrrl',
                'stitch')

    def setUp(self):
        super().setUp()
        self.trace('cut', demo('solver'), '--launches', '1-4', '--to', 'text', '-o', 'w')
        self.lines = self.text('w', 'kernelslist.g').splitlines()
        copies = [line for line in self.lines if line.startswith('MemcpyHtoD')]
        self.assertGreater(len(copies), 0)
        # some before the first launch, some between launches
        at = self.lines.index('kernel-2.traceg')
        self.lines.insert(at, copies[0])
        self.kernels = [line for line in self.lines if line.startswith('kernel')]

    def listed(self, device):
        lines = self.lines
        if device:
            lines = [re.sub('^MemcpyHtoD,(.*),(.*)', r'# set \1 \2', line) for line in lines]
        self.write('w/kernelslist.g', '\n'.join(lines) + '\n')

    def rows_of(self, policy, *options):
        return self.run_ok(self.path('w'), '-c', 'h100', '--launches', '2-4', '--warm', policy, '--threads', '1', *options)

    def test_policies(self):
        """Each takes what the device wrote for what the host copied."""
        host = {}
        self.listed(False)
        for policy in self.POLICIES:
            host[policy] = self.rows_of(policy)
        absent = self.rows_of('functional:all', '--set', 'gpgpu_perf_sim_memcpy=0')
        self.assertNotEqual(host['functional:all'], absent)
        self.listed(True)
        for policy in self.POLICIES:
            self.assertEqual(self.rows_of(policy), host[policy], policy)
            self.assertEqual(self.rows_of(policy, '--set', 'gpgpu_perf_sim_memcpy=0'), host[policy], policy)
        self.assertEqual(self.rows_of('functional:all', '--set', 'hearth_device_copies=0'), absent)

    def test_reach_without_the_option(self):
        """What does not fill L2 is not there, however often the device writes it."""
        self.write('w/kernelslist.g', '\n'.join(self.kernels) + '\n')
        expected = self.rows_of('memory:auto')
        self.listed(True)
        self.assertEqual(self.rows_of('memory:auto', '--set', 'hearth_device_copies=0'), expected)

    def test_estimate(self):
        """Hits of a functional simulation, and no time for a copy."""
        def kernels(*options):
            shutil.rmtree(self.path('e'), ignore_errors=True)
            text = self.hearth('estimate', self.path('w'), '-c', 'h100', '--hits', 'functional', '--format', 'csv', '-q', *options).stdout
            self.copies = text.count('MemcpyHtoD')
            rows = csv.DictReader(io.StringIO(text))
            return [without(row, 'start_us') for row in rows if 'Memcpy' not in row['kernel']]
        self.listed(False)
        host = kernels()
        self.assertGreater(len(host), 2)
        self.assertGreater(self.copies, 0)
        absent = kernels('--set', 'gpgpu_perf_sim_memcpy=0')
        self.listed(True)
        device = kernels()
        self.assertEqual(self.copies, 0)
        self.assertNotEqual(host, absent)
        self.assertEqual(device, host)
        self.assertEqual(kernels('--set', 'hearth_device_copies=0'), absent)


class Inferred(case.Case):
    """Lines # written say nothing that a launch's reads do not say."""

    def footprint(self, *options):
        self.trace('footprint', 'w', '-o', 'f.csv', '-q', '-f', *options)
        return [int(row['copied_sectors']) for row in self.rows('.', 'f.csv')]

    def test_footprint(self):
        self.workload(copies=False)
        self.write('w/kernelslist.g', '# set 0x7f0000000000 64\n# written 0x7f0000000040 64\nkernel-1.traceg\n')
        self.assertEqual(self.footprint(), [4])
        self.assertEqual(self.footprint('--no-written'), [2])


if __name__ == '__main__':
    unittest.main(argv=[case.sys.argv[0], *case.sys.argv[3:]])
