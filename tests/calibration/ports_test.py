#!/usr/bin/env python3
"""usage: ports_test.py HEARTH SOURCE

Stores and loads of one and of eight SMs of an H100, simulated and measured, and the tables of their folder.
"""
import csv
import os
import subprocess
import sys
import tempfile
import unittest

# Launches that are long enough for what precedes their stores and loads not to matter.
ROWS = ('st4_s32_g1_w8', 'st4_s64_g1_w8', 'st4_s128_g1_w8', 'st16_s16_g1_w8', 'st4_s32_g8_w8', 'st4_s128_g8_w8',
        'ld4_s32_g1_w16', 'ld4_s128_g1_w16', 'ld4_s32_g8_w16')
# Of a sector, of a line of whose sectors not all bytes are written, and of an instruction, 512 times.
UNITS = {'st4_s8': 11, 'st4_s16': 21, 'st4_s32': 41, 'st4_s64': 49, 'st4_s128': 65, 'st8_s8': 9, 'st8_s16': 21,
         'st8_s32': 41, 'st16_s16': 17}


def table(name):
    with open(os.path.join(FOLDER, name), newline='') as f:
        return list(csv.DictReader(f))


class Ports(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.measured = {row['label']: row for row in table('ports.csv')}

    def test_cycles(self):
        with tempfile.TemporaryDirectory() as folder:
            launches = ','.join(str(FIRST + int(self.measured[label]['launch'])) for label in ('touch_16M',) + ROWS)
            subprocess.run([HEARTH, 'run', os.path.join(FOLDER, 'ports.packed'), '-c', 'h100', '-q', '-o', folder,
                            '--launches', launches, '--set', 'gpgpu_kernel_launch_latency=0'], check=True)
            with open(os.path.join(folder, 'kernels.csv'), newline='') as f:
                simulated = {int(row['launch']): int(row['cycles']) for row in csv.DictReader(f)}
        for label in ROWS:
            ratio = (simulated[FIRST + int(self.measured[label]['launch'])] / int(self.measured[label]['sm_cycles']))
            self.assertTrue(0.9 < ratio < 1.1, (label, ratio))

    def test_units_of_stores(self):
        """README.md's count of what an SM sends leaves the same rest in all rows of one SM."""
        for label, units in UNITS.items():
            rest = int(self.measured[label + '_g1_w8']['sm_cycles']) - 512 * units
            self.assertTrue(700 < rest < 1100, (label, rest))

    def test_places_of_parameters(self):
        """Eight launches read eight sectors of DRAM each, with 204 bytes of parameters and with 268; the first wait."""
        rows = {}
        for row in table('parameters.csv'):
            rows.setdefault(row['label'], []).append(row)
        for label in ('after_read_64', 'after_read_128', 'after_read_512'):
            self.assertEqual(['8'] * 8 + ['0'] * 12, [row['dram_sectors_read'] for row in rows[label]], label)
            cycles = [int(row['sm_cycles_max']) for row in rows[label]]
            self.assertLess(max(cycles[8:]) + 100, min(cycles[:8]), label)
        for label, waits in (('last_48', True), ('last_64', False)):
            cycles = [int(row['sm_cycles_max']) for row in rows[label]]
            self.assertEqual(waits, min(cycles[1:8]) > max(cycles[8:]) + 10, label)


if __name__ == '__main__':
    HEARTH, FOLDER = os.path.abspath(sys.argv[1]), os.path.join(os.path.abspath(sys.argv[2]), 'tracer/calibration/ports')
    FIRST = 133  # the trace is of a run whose launch 134 is the first row
    del sys.argv[1:]
    unittest.main()
