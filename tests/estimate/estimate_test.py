"""hearth estimate: the paper's worked example, tables, and what is refused."""
import csv
import io
import json
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../tools'))
from case import Case, ROOT       # noqa: E402

SAXPY2 = os.path.join(ROOT, 'tests/estimate/saxpy2.sass')


class Listing(Case):
    COMMAND = ('estimate',)

    def rows(self, *arguments):
        text = self.hearth('estimate', '--sass', SAXPY2, '--format', 'csv', *arguments).stdout
        return {row['quantity'].strip(): row for row in csv.DictReader(io.StringIO(text))}

    def test_the_worked_example_to_the_printed_digits(self):
        rows = self.rows('--trip', '32')
        self.assertEqual(rows['latency bound']['formula'], '942 + 24a')
        self.assertEqual(rows['instructions, memory, next block']['formula'], '92 + 700 + 150 + loop')
        self.assertEqual(rows['INS_CUDA']['formula'], '23 + 4a')
        self.assertEqual(rows['GMem_bytes']['value'], '384')
        self.assertEqual('%.2f' % float(rows['GMem_bw']['value']), '13.78')
        self.assertEqual(rows['T_c, host to device']['formula'], '3.9687e-06 + n / (15.8e9 x 0.689)')
        self.assertEqual(rows['T_c, device to host']['formula'], '5.1569e-06 + n / (15.8e9 x 0.653)')

    def test_where_the_paper_contradicts_itself_both_are_shown(self):
        rows = self.rows('--trip', '1')
        self.assertEqual(rows['INS_issued']['formula'], '24 + 3a')
        self.assertEqual(rows["all pairs taken off once, as in the paper's text"]['formula'], '23 + 4a')
        self.assertEqual(rows["pairs not taken off, as in the paper's listing 5"]['formula'], '26 + 4a')
        self.assertEqual('%.1f' % float(rows['term of memory']['value']), '27.9')
        self.assertEqual('%.2f' % float(rows['the same as the paper prints it: GMem_bw itself']['value']), '13.78')

    def test_the_limit_changes_at_32_iterations(self):
        """As section 6.3 says of this kernel: memory's throughput below, CUDA cores' from there on."""
        limits = [self.rows('--trip', str(a))['Th_bound']['formula'] for a in (1, 16, 32, 4096)]
        self.assertEqual(limits, ['memory', 'memory', 'CUDA cores', 'CUDA cores'])

    def test_kernel_and_copies(self):
        rows = self.rows('--trip', '1', '--block', '256', '--regs', '8', '--grid', '39063', '--in', '40000000')
        self.assertEqual(rows['occupancy']['value'], '64')
        self.assertEqual(rows['W_Th']['formula'], 'throughput')
        # 39063 x 8 warps of 27.876 cycles, on 13 SMs at 1253 MHz, lambda 0.703787
        seconds = 39063 * 8 * 384 / 13.7752 / (13 * 1253e6 * 0.703787)
        self.assertAlmostEqual(float(rows['T_k']['value']), seconds, delta=seconds * 1e-4)
        self.assertAlmostEqual(float(rows['T_c, host to device']['value']), 3.9687e-6 + 4e7 / (15.8e9 * .689), places=8)
        few = self.rows('--trip', '4096', '--block', '32', '--occupancy', '2')
        self.assertEqual(few['W_Th']['formula'], 'latency')

    def test_devices(self):
        self.assertEqual('%.2f' % float(self.rows('--device', 'gtx1070')['GMem_bw']['value']), '8.88')
        with open(os.path.join(ROOT, 'estimate/devices/gtx970.device')) as f:
            self.write('my.device', f.read() + 'latency_global 360\n')
        self.assertEqual(self.rows('--device', self.path('my.device'))['latency bound']['formula'], '962 + 24a')
        self.write('bad.device', 'latency_global 360\n')
        self.fails(2, 'bad.device: sms is missing', '--sass', SAXPY2, '--device', self.path('bad.device'))

    def test_formats(self):
        text = self.hearth('estimate', '--sass', SAXPY2, '--format', 'json').stdout
        self.assertEqual(json.loads(text)['listing'][0]['formula'], '942 + 24a')
        self.assertIn('942 + 24a', self.hearth('estimate', '--sass', SAXPY2).stdout)

    def test_what_is_refused(self):
        self.write('empty.sass', '')
        self.fails(3, 'none.sass', '--sass', self.path('none.sass'))
        self.fails(3, 'no instructions', '--sass', self.path('empty.sass'))
        self.fails(2, 'no function "f"', '--sass', SAXPY2, '--function', 'f')
        self.fails(2, '--trip', '--sass', SAXPY2, '--trip', 'x')
        self.fails(2, 'need --block', '--sass', SAXPY2, '--grid', '3')
        self.fails(2, 'does not fit', '--sass', SAXPY2, '--block', '1024', '--regs', '255')
        self.fails(2, 'neither a bundled device nor a file', '--sass', SAXPY2, '--device', 'none')
        self.fails(2, 'nothing else', 'a', '--sass', SAXPY2)


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
