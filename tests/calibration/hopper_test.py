#!/usr/bin/env python3
"""usage: hopper_test.py HEARTH SOURCE

Rows of an H100 for what only Hopper has, simulated and measured.
"""
import csv
import os
import subprocess
import sys
import tempfile
import unittest

# Rows, and how many percent the model may be off. The first ones touch what the copies read and write.
WARM = ('warm_16M', 'warm_written')
WITHIN = {
    'wgmma_f16_n64': 5, 'wgmma_f16_n256': 5, 'wgmma_e4m3_n256': 5, 'wgmma_f16_n64_rs': 5, 'wgmma_f16_n128_g2': 5,
    'wgmma_f16_n8_wait': 5, 'wgmma_f16_n64_wait': 5, 'wgmma_f16_n256_wait': 5, 'wgmma_issue_n256': 5,
    'bulk_128_depths': 5, 'bulk_16K_depths': 10, 'tensor_64x64_depths': 5, 'tensor_64x1_depths': 5,
    'tensor_64x64_ring8': 5, 'store_bulk': 5, 'store_tensor': 5, 'store_bulk_132': 7, 'multicast_c4': 10,
    'dsmem_chase_c8': 6, 'dsmem_st_async': 10, 'cluster_bar_c2': 5, 'cluster_bar_c4': 6,
    'mbar_blocks_c8': 6, 'empty_c2_g1056': 10, 'empty_c4_g1056': 10, 'where_c2': 10,
    'ldsm_w16': 5, 'ldsm_chain': 5, 'elect': 5, 'named_bar': 6,
    'async_fence': 9,   # -4 % if its line is near
}


def table(*path):
    with open(os.path.join(*path), newline='') as f:
        return list(csv.DictReader(f))


class Hopper(unittest.TestCase):
    def test_rows(self):
        folder = os.path.join(SOURCE, 'tracer/calibration/hopper')
        rows = {row['label']: row for row in table(folder, 'hopper.csv')}
        with tempfile.TemporaryDirectory() as temporary:
            out = os.path.join(temporary, 'out')
            launches = sorted(int(rows[label]['launch']) for label in [*WARM, *WITHIN])
            subprocess.run([HEARTH, 'run', os.path.join(folder, 'hopper.packed'), '-c', 'h100', '-q', '-o', out,
                            '--launches', ','.join(map(str, launches)), '--set', 'gpgpu_kernel_launch_latency=0'],
                           check=True)
            simulated = {row['launch']: int(row['cycles']) for row in table(out, 'kernels.csv')}
        for label, percent in WITHIN.items():
            error = 100 * (simulated[rows[label]['launch']] / int(rows[label]['sm_cycles']) - 1)
            self.assertLess(abs(error), percent, label)


if __name__ == '__main__':
    HEARTH, SOURCE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    del sys.argv[1:]
    unittest.main()
