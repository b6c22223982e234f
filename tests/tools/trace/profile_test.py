"""Tests of hearth trace profile: files, exit codes, messages.

usage: profile_test.py HEARTH SOURCE_ROOT [TEST]...
"""
import csv
import os
import re
import sys
import unittest

import case
from case import ROOT

HEADER = ('-kernel name = %s\n-kernel id = %d\n-grid dim = (2,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 16\n'
          '-binary version = 86\n-cuda stream id = 0\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\n'
          '#traces format = prose\n\n\n')
BLOCK = ('\n#BEGIN_TB\n\nthread block = %d,0,0\n\nwarp = 0\ninsts = 3\n0000 ffffffff 1 R8 LDG.E 1 R4 4 1 0x7f0000000000 4 0 \n'
         '0010 0000ffff 1 R9 FADD 2 R8 R8 0 0 \n0020 ffffffff 0 EXIT 0 0 0 \n\n#END_TB\n')
COLUMNS = ('launch,kernel,stream,grid_x,grid_y,grid_z,block_x,block_y,block_z,regs,shmem,warp_insts,thread_insts,'
           'gld_sectors,gst_sectors,lld_sectors,gld_insts,gst_insts,lld_insts,sld_insts,sst_insts,gatom_insts,divergence,'
           'mem_requests,cta_insts_cov,cycles,time_ns,gld_insts_on,gst_insts_on')
ROW = ',0,2,1,1,32,1,1,16,0,6,160,8,0,0,2,0,0,0,0,0,26.666666666666668,8,0,,,2,0\n'


class Case(case.Case):
    COMMAND = ('trace', 'profile')

    def workload(self, ids=(1, 2, 5), name='w'):
        for number in ids:
            self.write('%s/kernel-%d.traceg' % (name, number),
                       HEADER % ('k%d' % (number % 2), number) + BLOCK % 0 + BLOCK % 1)
        self.write(name + '/kernelslist.g', ''.join('kernel-%d.traceg\n' % number for number in ids))
        return name

    def profile(self, *arguments, code=0):
        return self.hearth('trace', 'profile', *arguments, code=code)



class Traces(Case):
    def test_files(self):
        done = self.profile(self.workload(), '-o', 'p.csv')
        self.assertEqual((done.stdout, done.stderr), ('', ''))
        self.assertEqual(self.text('p.csv'), COLUMNS + '\n1,k1' + ROW + '2,k0' + ROW + '5,k1' + ROW)
        self.assertEqual(self.text('p.blocks.csv'), 'launch,block,warp_insts,thread_insts,mem_requests\n' + ''.join(
            '%d,%d,3,80,4\n' % (launch, block) for launch in (1, 2, 5) for block in (0, 1)))
        self.assertEqual(self.text('p.bbv.csv'), 'launch,warp_type,warps,pc,insts,count\n' + ''.join(
            '%d,1,2,0,3,1\n' % launch for launch in (1, 2, 5)))
        self.assertEqual(sorted(os.listdir(self.place)), ['p.bbv.csv', 'p.blocks.csv', 'p.csv', 'w'])

    def test_without_companions(self):
        self.profile(self.workload(), '-o', 'p', '--no-blocks', '--no-bbv')
        self.assertEqual(sorted(os.listdir(self.place)), ['p', 'w'])
        self.profile('w', '-o', 'q', '--no-bbv')
        self.assertEqual(sorted(os.listdir(self.place)), ['p', 'q', 'q.blocks.csv', 'w'])
        self.assertEqual(self.profile('w', '-o', '-').stdout, self.text('p'))
        self.assertEqual(len(os.listdir(self.place)), 4)

    def test_packed_and_single_files(self):
        self.hearth('trace', 'convert', self.workload(), '-o', 'packed')
        self.profile('w', '-o', 'a.csv')
        self.profile('packed', '-o', 'b.csv')
        for end in ('.csv', '.blocks.csv', '.bbv.csv'):
            self.assertEqual(self.text('a' + end), self.text('b' + end))
        self.assertEqual(self.profile('w/kernel-5.traceg', '-o', '-').stdout, COLUMNS + '\n5,k1' + ROW)

    def test_launches(self):
        self.assertEqual(self.profile(self.workload(), '-o', '-', '--launches', '2,5-9').stdout,
                         COLUMNS + '\n2,k0' + ROW + '5,k1' + ROW)
        self.fails(3, 'no launch to profile', 'w', '-o', '-', '--launches', '3')

    def test_sampled_warps(self):
        self.profile(self.workload((1,)), '-o', 'p.csv', '--bbv-every', '2')
        self.assertEqual(self.text('p.bbv.csv'), 'launch,warp_type,warps,pc,insts,count\n1,1,1,0,3,1\n')

    def test_repeated_ids(self):
        self.workload((1,))
        self.write('w/kernelslist.g', 'kernel-1.traceg\nkernel-1.traceg\n')
        done = self.profile('w', '-o', 'p.csv')
        self.assertIn('launches go by their position', done.stderr)
        self.assertEqual(self.text('p.csv'), COLUMNS + '\n1,k1' + ROW + '2,k1' + ROW)
        self.assertEqual(self.profile('w', '-o', '-', '-q').stderr, '')

    def test_damage_leaves_nothing(self):
        self.workload()
        self.write('w/kernel-5.traceg', self.text('w/kernel-5.traceg')[:-200])
        self.fails(3, 'kernel-5.traceg', 'w', '-o', 'p.csv')
        self.assertEqual(os.listdir(self.place), ['w'])

    def test_outputs_are_kept(self):
        self.profile(self.workload(), '-o', 'p.csv')
        os.remove(os.path.join(self.place, 'p.csv'))
        self.fails(4, 'p.blocks.csv: it exists already; --force replaces it', 'w', '-o', 'p.csv')
        self.assertNotIn('p.csv', os.listdir(self.place))
        self.profile('w', '-o', 'p.csv', '-f')
        self.fails(4, 'nowhere/p.csv: cannot write: No such file', 'w', '-o', 'nowhere/p.csv')


class Cycles(Case):
    def test_run(self):
        self.hearth('run', self.workload(), '-o', 'out', '-q')
        done = self.profile('w', '-o', 'p.csv', '--cycles', 'out')
        self.assertIn('out/kernels.csv: without launch latency, 5000 cycles a launch and 0 a thread block', done.stderr)
        with open(os.path.join(self.place, 'out', 'kernels.csv'), newline='') as f:
            ran = list(csv.DictReader(f))
        with open(os.path.join(self.place, 'p.csv'), newline='') as f:
            rows = list(csv.DictReader(f))
        self.assertEqual(len(rows), 3)
        for row, mine in zip(rows, ran):
            for name in ('launch', 'kernel', 'warp_insts', 'thread_insts'):
                self.assertEqual(row[name], mine[name])
            self.assertEqual(int(row['cycles']), int(mine['cycles']) - 5000)
        self.profile('p.csv', '-o', 'q.csv', '--cycles', 'out/kernels.csv')
        self.assertEqual(self.text('q.csv'), self.text('p.csv'))

    def test_latency(self):
        """Cycles without latency are those of a run without it; a run that has none is not noted."""
        latency = '--set=gpgpu_TB_launch_latency=7', '--set=gpgpu_kernel_launch_latency=900'
        self.hearth('run', self.workload(), '-o', 'late', '-q', *latency)
        self.hearth('run', 'w', '-o', 'none', '-q', '--set=gpgpu_kernel_launch_latency=0')
        self.profile('w', '-o', 'p.csv', '--cycles', 'late')
        done = self.profile('w', '-o', 'q.csv', '--cycles', 'none')
        self.assertEqual((done.stderr, self.text('q.csv')), ('', self.text('p.csv')))
        os.remove(os.path.join(self.place, 'none', 'config.out'))
        self.profile('w', '-o', 'r.csv', '--cycles', 'none/kernels.csv')
        self.assertEqual(self.text('r.csv'), self.text('p.csv'))
        self.write('late/config.out', '-no_such_option 1\n')
        self.fails(2, 'late/config.out:1', 'w', '-o', '-', '--cycles', 'late')

    def test_part(self):
        self.hearth('run', self.workload(), '-o', 'out', '-q', '--launches', '2')
        done = self.profile('w', '-o', 'p.csv', '--cycles', 'out')
        self.assertIn('out/kernels.csv has cycles of 1 of 3 launches', done.stderr)
        self.fails(3, 'nowhere: cannot read', 'w', '-o', '-', '--cycles', 'nowhere')


class Tables(Case):
    def test_nsight(self):
        self.write('n.csv', '\ufeffID,Kernel Name,smsp__inst_executed.sum,launch__grid_size\n,,inst,\n'
                            '0,"f<int, 2>(T1 *)","1,200",7\n1,g,5,1\n')
        self.profile('n.csv', '-o', 'p.csv')
        with open(os.path.join(self.place, 'p.csv'), newline='') as f:
            rows = list(csv.DictReader(f))
        self.assertEqual([{name: value for name, value in row.items() if value} for row in rows],
                         [{'launch': '1', 'kernel': 'f<int, 2>(T1 *)', 'warp_insts': '1200', 'grid_x': '7',
                           'grid_y': '1', 'grid_z': '1'},
                          {'launch': '2', 'kernel': 'g', 'warp_insts': '5', 'grid_x': '1', 'grid_y': '1',
                           'grid_z': '1'}])
        self.assertEqual(sorted(os.listdir(self.place)), ['n.csv', 'p.csv'])

    def test_tracer_stats(self):
        self.write('w/stats.csv', 'kernel id, kernel mangled name, grid_dimX, grid_dimY, grid_dimZ, #blocks, '
                   'block_dimX, block_dimY, block_dimZ, #threads, total_insts, total_reported_insts\n'
                   'kernel-3.trace, _Z1kv, 2, 1, 1, 2, 32, 1, 1, 64, 70,70\n')
        self.assertEqual(self.profile('w/stats.csv', '-o', '-').stdout.split('\n')[1],
                         '3,_Z1kv,,2,1,1,32,1,1,,,70' + 17 * ',')

    def test_notes(self):
        self.write('n.csv', 'launch,kernel,mood\n1,a,good\n')
        self.assertEqual(self.profile('n.csv', '-o', '-').stderr,
                         'hearth: note: n.csv: columns that are passed over: mood\n')
        self.assertEqual(self.profile('n.csv', '-o', '-', '-q').stderr, '')

    def test_messages(self):
        for text, message in (('launch,kernel,regs\n1,a,x\n', 'n.csv:2:5: regs "x": a whole number from 0 is expected'),
                              ('launch,kernel\n1,a\n1,b\n', 'n.csv:3: launch 1 is already in line 2'),
                              ('launch,kernel\n', 'n.csv: it holds no launch'),
                              ('what\n', 'n.csv:1:1: not the header of a profile')):
            self.write('n.csv', text)
            self.fails(3, message, 'n.csv', '-o', 'p.csv')
            self.assertEqual(os.listdir(self.place), ['n.csv'])
        self.fails(3, 'none.csv: cannot read', 'none.csv', '-o', 'p.csv')


class Usage(Case):
    def test_messages(self):
        self.fails(2, 'expected one workload or one CSV, got 0')
        self.fails(2, 'expected one workload or one CSV, got 2', 'a', 'b', '-o', 'c')
        self.fails(2, '-o FILE.csv is missing', 'w')
        self.fails(2, '--bbv-every "0": expected a whole number, 1 or more', 'w', '-o', 'p', '--bbv-every', '0')
        self.fails(2, '--launches', 'w', '-o', 'p', '--launches', '3-1')

    def test_documented_columns(self):
        with open(os.path.join(ROOT, 'docs', 'profiles.md')) as f:
            documented = re.findall(r'^\| `(\w+)` \|', f.read(), re.M)
        self.assertEqual(documented[:len(COLUMNS.split(','))], COLUMNS.split(','))


if __name__ == '__main__':
    unittest.main(argv=[sys.argv[0]] + sys.argv[3:])
