#!/usr/bin/env python3
"""usage: sharing_test.py HEARTH SOURCE

What SMs of an H100 share, simulated and measured: reads of the same lines, and homes of atomics.
"""
import csv
import os
import subprocess
import sys
import tempfile
import unittest

# Rows of sharing.csv whose data are in L2 after the first two, which touch them.
STORES = ('wstage1_r66', 'stores_s16_b8_o8_t2')
LINES = ('l1_s128_n1024', 'l1_s4096_n1024', 'l1_s16384_n1664')
PRODUCTS = ('matvec2_512', 'rank2k_96', 'product_128', 'stencil9_512')
TOUCH, TOGETHER, HOME = '1-2', ('together_a0', 'together_a512', 'together_a4096'), ('home_sm0', 'home_sm2')


def table(*path):
    with open(os.path.join(*path), newline='') as f:
        return list(csv.DictReader(f))


class Sharing(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = os.path.join(SOURCE, 'tracer/calibration/sharing')
        cls.numbers = {row['label']: row['launch'] for row in table(folder, 'sharing.csv')}
        cls.temporary = tempfile.TemporaryDirectory()
        out = os.path.join(cls.temporary.name, 'out')
        launches = ','.join([TOUCH] + [cls.numbers[label] for label in TOGETHER + HOME + STORES])
        subprocess.run([HEARTH, 'run', os.path.join(folder, 'sharing.packed'), '-c', 'h100', '-q', '-o', out,
                        '--launches', launches, '--set', 'gpgpu_kernel_launch_latency=0'], check=True)
        cls.simulated = {row['launch']: row for row in table(out, 'kernels.csv')}
        cls.sectors = {row['launch']: int(row['lts__t_sectors_srcunit_tex.sum']) for row in table(folder, 'sectors.csv')}
        cls.cycles = {row['launch']: int(row['sm_cycles']) for row in table(folder, 'sharing.csv')}

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_merged_reads(self):
        """Of 1,081,344 sectors that SMs ask for, L2 sees those of the card within a tenth."""
        for label in TOGETHER:
            launch = self.numbers[label]
            ratio = int(self.simulated[launch]['l2_reads']) / self.sectors[launch]
            self.assertTrue(0.9 < ratio < 1.1, (label, ratio))

    def test_merged_stores(self):
        """Stores to halves of sectors that follow each other are one request, those that are further apart two."""
        for label in STORES:
            row = self.simulated[self.numbers[label]]
            ratio = (int(row['l2_reads']) + int(row['l2_writes'])) / self.sectors[self.numbers[label]]
            self.assertTrue(0.98 < ratio < 1.02, (label, ratio))

    def test_bounds_of_merged_stores(self):
        """Where L2 takes a sector in 32 cycles, the launch takes less than all of its stores would if none were merged."""
        done = subprocess.run([HEARTH, 'run', os.path.join(SOURCE, 'tracer/calibration/sharing/sharing.packed'), '-c',
                               'h100', '-q', '-o', os.path.join(self.temporary.name, 'bounds'), '--bounds',
                               '--launches', self.numbers['wstage1_r264'], '--set', 'gpgpu_kernel_launch_latency=0',
                               '--set', 'hearth_l2_write_port=1'], stdout=subprocess.PIPE, text=True, check=True)
        cycles, bound = (float(cell) for cell in done.stdout.splitlines()[1].split()[2:4])
        self.assertLessEqual(bound, cycles)

    def test_counters(self):
        """Lines far apart stay in L1 as others do, and what misses it comes to L2 as often as on the card."""
        folder = os.path.join(SOURCE, 'tracer/calibration/sharing')
        measured = {row['label']: row for row in table(folder, 'counters.csv')}
        out = os.path.join(self.temporary.name, 'counters')
        subprocess.run([HEARTH, 'run', os.path.join(folder, 'counters.packed'), '-c', 'h100', '-q', '-o', out,
                        '--launches', ','.join(measured[label]['launch'] for label in LINES + PRODUCTS)], check=True)
        simulated = {row['launch']: row for row in table(out, 'kernels.csv')}
        for label in LINES:
            row = simulated[measured[label]['launch']]
            self.assertEqual(row['l1d_global_load_hits'], measured[label]['l1_hits'], label)
        for label in PRODUCTS:
            row = simulated[measured[label]['launch']]
            card = [int(number) for number in measured[label]['l2_sectors'].split()]
            ratio = (int(row['l2_reads']) + int(row['l2_writes'])) * len(card) / sum(card)
            self.assertTrue(0.97 < ratio < 1.03, (label, ratio))

    def test_homes_of_atomics(self):
        for label in HOME:
            launch = self.numbers[label]
            ratio = int(self.simulated[launch]['cycles']) / self.cycles[launch]
            self.assertTrue(0.9 < ratio < 1.1, (label, ratio))


if __name__ == '__main__':
    HEARTH, SOURCE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    del sys.argv[1:]
    unittest.main()
