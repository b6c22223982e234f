"""hearth estimate: the paper's worked example, tables, and what is refused."""
import csv
import io
import json
import os
import sys
import unittest

from case import Case, ROOT

DEMO = os.path.join(ROOT, 'demo/spmv.packed')
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
        self.assertEqual(self.rows('--device', 'GTX1070'), self.rows('--device', 'gtx1070'))
        self.fails(2, 'neither a bundled device nor a file: No such file or directory; did you mean gtx1070?',
                   '--sass', SAXPY2, '--device', 'gtx1080')
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
        self.fails(2, 'expected a whole number from 1 to 1000000000000000', '--sass', SAXPY2, '--in', '1e6')
        self.fails(2, 'need --block', '--sass', SAXPY2, '--grid', '3')
        self.fails(2, 'does not fit', '--sass', SAXPY2, '--block', '1024', '--regs', '255')
        self.fails(2, 'neither a bundled device nor a file', '--sass', SAXPY2, '--device', 'none')
        self.fails(2, 'nothing else', 'a', '--sass', SAXPY2)

    def test_curves(self):
        text = self.hearth('estimate', '--sass', SAXPY2, '--block', '256', '--regs', '8', '--grid', '1000', '--curve',
                           'intensity', '--curve', 'occupancy', '--curve', 'size', '--format', 'json').stdout
        points = json.loads(text)['curves']
        limits = [p['limit'] for p in points if p['curve'] == 'intensity']
        self.assertEqual(limits, 5 * ['memory'] + 8 * ['CUDA cores'])
        times = [float(p['time_us']) for p in points if p['curve'] == 'occupancy']
        self.assertEqual(len(times), 32)
        self.assertEqual(times, sorted(times, reverse=True))
        self.assertEqual([p['limit'] for p in points if p['curve'] == 'occupancy'][:2], ['latency', 'latency'])
        self.fails(2, 'expected intensity, occupancy or size', '--sass', SAXPY2, '--block', '32', '--curve', 'x')

    def test_options_without_effect_are_refused(self):
        self.fails(2, '--sass takes --device', '--sass', SAXPY2, '-c', 'h100')
        self.fails(2, '--sass takes --device', '--sass', SAXPY2, '--set', 'gpgpu_n_mem=4')
        self.fails(2, '--sass takes no options of workloads', '--sass', SAXPY2, '--by', 'device')
        self.fails(2, '--sass takes no options of workloads', '--sass', SAXPY2, '--column', 'cycles')
        self.fails(2, '--device stands instead of --config', DEMO, '--device', 'gtx970', '-c', 'h100')
        self.fails(2, '--device stands instead of --config', DEMO, '--device', 'gtx970', '--set', 'gpgpu_n_mem=4')
        self.fails(2, '--trip', DEMO, '--trip', '3')
        self.fails(2, 'need --calibrate', DEMO, '--by', 'device')
        self.fails(2, '--traces is for a profile', DEMO, '--traces', DEMO)
        self.hearth('trace', 'profile', DEMO, '-o', self.path('p.csv'))
        self.fails(2, 'needs a workload', self.path('p.csv'), '--bounds')
        self.fails(2, 'needs a workload', self.path('p.csv'), '--hits', 'functional')
        self.assertIn('one of gtx970, titanx_maxwell, gtx1070 (default', ' '.join(
            self.hearth('estimate', '--help').stdout.split()))


class Workload(Case):
    COMMAND = ('estimate',)

    def rows(self, *arguments):
        return list(csv.DictReader(io.StringIO(self.hearth('estimate', '--format', 'csv', *arguments).stdout)))

    def test_by_hand(self):
        """Two blocks of a warp: a load, an addition that waits for it, a store, EXIT."""
        path = self.workload(copies=False)
        row = [r for r in self.rows(path, '--set', 'gpgpu_kernel_launch_latency=0', '--bounds') if r['launch']][0]
        self.assertEqual((row['blocks'], row['block_threads']), ('2', '32'))
        # The device's latencies: load, addition, store, and the store's step: L + 7 + 1 (EXIT 1).
        memory = 187 + 43 + 254 + 60 + (24 + 24) * 1132 / 3500.5
        self.assertAlmostEqual(float(row['latency_bound']), memory + 7 + 2, delta=0.1)
        self.assertAlmostEqual(float(row['cycles']), float(row['latency_bound']), delta=0.1)
        self.assertEqual(row['limit'], 'latency')

    def test_total_is_by_streams(self):
        data = json.loads(self.hearth('estimate', DEMO, '--format', 'json').stdout)
        totals = {row['quantity']: float(row['value'] or 0) for row in data['totals']}
        times = [float(row['time_us']) for row in data['estimate']]
        self.assertAlmostEqual(totals['application, by streams'], sum(times), delta=0.01)
        last = data['estimate'][-1]
        self.assertAlmostEqual(float(last['start_us']) + float(last['time_us']), sum(times), delta=0.01)
        self.assertEqual(int(totals['launches']), sum(row['launch'] is not None for row in data['estimate']))

    def test_a_functional_pass_finds_hits(self):
        cold = self.rows(DEMO, '--launches', '1')
        warm = self.rows(DEMO, '--launches', '1', '--hits', 'functional')
        self.assertLess(float(warm[-1]['latency_bound']), float(cold[-1]['latency_bound']))
        self.assertGreater(float(warm[-1]['intensity'] or 1e9), float(cold[-1]['intensity']))

    def test_profile_alone_and_with_traces(self):
        self.hearth('trace', 'profile', DEMO, '-o', self.path('p.csv'))
        alone = self.rows(self.path('p.csv'))
        traced = [row for row in self.rows(DEMO) if row['launch']]
        self.assertEqual([row['launch'] for row in alone], [row['launch'] for row in traced])
        like = self.rows(self.path('p.csv'), '--traces', DEMO)
        for a, b in zip(like, traced):
            self.assertAlmostEqual(float(a['cycles']), float(b['cycles']), delta=1)
        with open(self.path('p.csv')) as f:
            rows = list(csv.DictReader(f))
        with open(self.path('q.csv'), 'w', newline='') as f:
            writer = csv.DictWriter(f, ['launch', 'kernel', 'grid_x', 'grid_y', 'grid_z', 'block_x', 'block_y', 'block_z'],
                                    extrasaction='ignore')
            writer.writeheader()
            writer.writerows(rows)
        self.fails(2, 'no launch can be estimated: each needs a grid and a block, and instructions', self.path('q.csv'))
        self.hearth('trace', 'cut', DEMO, '--launches', '1-3', '--to', 'packed', '-o', self.path('few.packed'))
        some = self.rows(self.path('q.csv'), '--traces', self.path('few.packed'))
        kernels = {row['kernel'] for row in traced[:3]}
        self.assertEqual({row['kernel'] for row in some if row['cycles']}, kernels)

    def test_measurements_of_something_else_are_refused(self):
        launch = 'launch,kernel,cycles\n'
        first = [row for row in self.rows(DEMO) if row['launch']][0]['kernel']
        for text, message in ((launch + '1,other,5\n', 'other here'),
                              (launch + '1,%s,5\n1,%s,6\n' % (first, first), 'm.csv:3: launch 1 was measured before'),
                              (launch + '1,%s,inf\n' % first, 'm.csv:2: cycles: expected a number above 0'),
                              (launch + '1,%s,-1\n' % first, 'expected a number above 0')):
            self.write('m.csv', text)
            self.fails(3, message, DEMO, '--calibrate', self.path('m.csv'))

    def test_what_if_of_a_calibrated_workload_keeps_lambda(self):
        """The same card as what-if changes nothing."""
        rows = [row for row in self.rows(DEMO) if row['launch']]
        self.write('m.csv', 'launch,cycles\n' + ''.join('%s,%g\n' % (row['launch'], 3 * float(row['cycles']))
                                                       for row in rows))
        text = self.hearth('estimate', DEMO, '--calibrate', self.path('m.csv'), '--what-if', 'device=rtx3070',
                           '--format', 'json').stdout
        self.assertAlmostEqual(float(json.loads(text)['what-if'][0]['speedup']), 1, places=3)

    def test_an_application_from_nsight_systems_and_few_traces(self):
        """Its table has grids, blocks and streams; instructions are those of traced launches."""
        self.hearth('trace', 'synth', 'kmeans', '--scale', '0.05', '--to', 'packed', '-o', self.path('all.packed'))
        self.hearth('trace', 'cut', self.path('all.packed'), '--launches', '1-10', '--to', 'packed',
                    '-o', self.path('ten.packed'))
        traced = [row for row in self.rows(self.path('all.packed')) if row['launch']]
        self.assertGreaterEqual(len(traced), 50)
        names = ('Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (MB),DymSMem (MB),'
                 'Bytes (MB),Throughput (MBps),SrcMemKd,DstMemKd,Device,Ctx,Strm,Name\n')
        line = '%d,900,%d,%s,1,1,%s,1,1,24,0.000,0.000,,,,,GPU (0),1,7,%s\n'
        self.write('app.csv', names + ''.join(line % (1000 * i, i, row['blocks'], row['block_threads'], row['kernel'])
                                              for i, row in enumerate(50 * traced, 1)))
        rows = self.rows(self.path('app.csv'), '--traces', self.path('ten.packed'))
        self.assertEqual(len(rows), 50 * len(traced))
        for row, own in zip(rows, 50 * traced):
            self.assertEqual(row['kernel'], own['kernel'])
        total = sum(float(row['time_us']) for row in rows)
        self.assertAlmostEqual(total, 50 * sum(float(row['time_us']) for row in traced), delta=total / 100)

    def test_traces_of_other_kernels(self):
        shape = 'launch,kernel,regs,shmem,grid_x,grid_y,grid_z,block_x,block_y,block_z,warp_insts\n'
        kernel = [row for row in self.rows(DEMO) if row['launch']][0]['kernel']
        line = '%d,%s,%d,%d,8,1,1,256,1,1,900\n'
        self.write('p.csv', shape + line % (1, 'other', 0, 0))
        self.fails(2, 'no launch of ' + self.path('p.csv'), self.path('p.csv'), '--traces', DEMO)
        self.write('q.csv', shape + line % (1, 'other', 0, 0) + line % (2, kernel, 0, 0) + line % (3, kernel, 255, 0)
                   + line % (4, kernel, 0, 90000))
        done = self.hearth('estimate', self.path('q.csv'), '--traces', DEMO, '--format', 'csv')
        self.assertIn('1 launches are of no traced kernel', done.stderr)
        rows = {row['launch']: float(row['occupancy']) for row in csv.DictReader(io.StringIO(done.stdout))}
        self.assertLess(rows['3'], rows['2'])   # the profile's registers and shared memory count
        self.assertLess(rows['4'], rows['2'])

    def test_a_hundred_thousand_launches(self):
        self.write('big.csv', 'launch,kernel,stream,grid_x,grid_y,grid_z,block_x,block_y,block_z,warp_insts,gld_sectors\n'
                   + ''.join('%d,k%d,%d,%d,1,1,256,1,1,%d,%d\n' % (i, i % 40, i % 3, i % 997 + 1, i * 10, i * 3)
                             for i in range(1, 100001)))
        before = os.times().children_user
        rows = self.rows(self.path('big.csv'))
        self.assertEqual(len(rows), 100000)
        self.assertLess(os.times().children_user - before, 5)

    def test_calibration(self):
        """Times that are the estimates times a factor for each kernel give lambdas of one over it."""
        rows = [row for row in self.rows(DEMO, '--device', 'titanx_maxwell') if row['launch']]
        kernels = sorted({row['kernel'] for row in rows})
        self.write('m.csv', 'launch,time_ns\n' + ''.join('%s,%f\n' % (
            row['launch'], 1e3 * float(row['time_us']) * (2 + kernels.index(row['kernel']))) for row in rows))
        data = json.loads(self.hearth('estimate', DEMO, '--device', 'titanx_maxwell', '--calibrate', self.path('m.csv'),
                                      '--format', 'json').stdout)
        for fit in data['lambda'][1:]:
            self.assertAlmostEqual(float(fit['lambda']), 1 / (2 + kernels.index(fit['kernel'])), places=3)
            self.assertLess(float(fit['error_held_out']), 0.2)
        one = json.loads(self.hearth('estimate', DEMO, '--device', 'titanx_maxwell', '--calibrate', self.path('m.csv'),
                                     '--by', 'device', '--format', 'json').stdout)
        self.assertEqual(len(one['lambda']), 1)
        self.hearth('run', DEMO, '-o', self.path('out'), '-q')
        self.assertIn('all kernels', self.hearth('estimate', DEMO, '--calibrate', self.path('out')).stdout)
        self.write('bad.csv', 'launch,x\n1,2\n')
        self.fails(3, 'expected the columns launch and cycles or time_ns', DEMO, '--calibrate', self.path('bad.csv'))
        self.write('none.csv', 'launch,cycles\n9999,2\n')
        self.fails(2, 'no launch of the workload is measured', DEMO, '--calibrate', self.path('none.csv'))
        for number in ('99999999999999999999999999', '1.5', '-1', 'inf', 'nan', 'x'):
            self.write('none.csv', 'launch,cycles\n0,1\n%s,2\n' % number)
            self.fails(3, 'none.csv:3: launch: expected a number, got "%s"' % number, DEMO, '--calibrate', self.path('none.csv'))

    def test_calibration_of_copies(self):
        self.write('c.csv', 'direction,bytes,time_ns\n' + ''.join(
            'in,%d,%f\nout,%d,%f\n' % (n, 4000 + n / (15.8 * .7), n, 5000 + n / (15.8 * .6)) for n in (0, 1000, 1 << 20)))
        data = json.loads(self.hearth('estimate', DEMO, '--calibrate-copies', self.path('c.csv'), '--format', 'json').stdout)
        fits = {row['direction']: row for row in data['copies']}
        self.assertEqual((fits['in']['lambda'], fits['out']['lambda']), (0.7, 0.6))
        self.assertAlmostEqual(float(fits['in']['startup_s']), 4e-6, places=8)
        self.write('bad.csv', 'bytes\n1\n')
        self.fails(3, 'expected the columns direction', DEMO, '--calibrate-copies', self.path('bad.csv'))
        for row, wrong in (('up,1,1', 'direction: expected in or out, got "up"'), ('in,-1,1', 'bytes: expected a number from 0'),
                           ('in,inf,1', 'bytes: expected'), ('in,1,0', 'time_ns: expected a number above 0, got "0"'),
                           ('in,1,1e-320', 'time_ns: expected'), ('in,1,', 'time_ns: expected a number above 0, got ""')):
            self.write('bad.csv', 'direction,bytes,time_ns\nin,1,1\nin,1000,2\n%s\n' % row)
            self.fails(3, 'bad.csv:4: ' + wrong, DEMO, '--calibrate-copies', self.path('bad.csv'))

    def test_what_if_and_curves(self):
        data = json.loads(self.hearth('estimate', DEMO, '--what-if', 'block=64', '--what-if', 'device=h100', '--what-if',
                                      'device=gtx970', '--curve', 'occupancy', '--curve', 'size', '--format', 'json').stdout)
        self.assertEqual([row['change'] for row in data['what-if']], ['block=64', 'device=h100', 'device=gtx970'])
        other = json.loads(self.hearth('estimate', DEMO, '-c', 'h100', '--format', 'json').stdout)
        total = [row['value'] for row in other['totals'] if row['quantity'] == 'application, by streams'][0]
        self.assertEqual(data['what-if'][1]['time_us'], total)
        sizes = [float(row['time_us']) for row in data['curves'] if row['curve'] == 'size']
        self.assertEqual(sizes, sorted(sizes))
        self.fails(2, 'expected block=N', DEMO, '--what-if', 'clock=1')
        self.fails(2, 'expected occupancy or size', DEMO, '--curve', 'intensity')

    def test_folder(self):
        self.hearth('estimate', DEMO, '-o', self.path('out'), '--what-if', 'block=64')
        self.assertEqual(sorted(os.listdir(self.path('out'))),
                         ['estimate.csv', 'estimate.json', 'roofline.svg', 'totals.csv', 'what-if.csv'])
        with open(self.path('out', 'roofline.svg')) as f:
            text = f.read()
        self.assertTrue(text.startswith('<svg') and text.endswith('</svg>\n'))
        with open(self.path('out', 'estimate.csv')) as f:
            known = [row for row in csv.DictReader(f) if row['launch'] and row['intensity']]
        self.assertEqual(text.count('<circle'), len(known))

    def test_what_is_refused(self):
        self.fails(2, 'expected a workload, a profile or --sass')
        self.fails(2, 'expected one workload', DEMO, DEMO)
        self.fails(2, 'need --sass', DEMO, '--block', '32')
        self.fails(2, 'need a card', DEMO, '--device', 'gtx970', '--hits', 'functional')
        self.fails(2, 'need --calibrate', DEMO, '--column', 'x')
        self.fails(2, '--sass takes no options of workloads', '--sass', SAXPY2, '--bounds')
        self.fails(3, 'none', self.path('none'))
        self.fails(2, 'launch 1, _Z15sgemm_128x128x8iPKfS0_Pf: a block of 256 threads', os.path.join(ROOT, 'demo/gemm.packed'),
                   '--set', 'gpgpu_shader_registers=1024')


class Bounds(Case):
    def test_by_hand(self):
        """The load comes from memory, as nothing touched it before: 187 + 8 cycles to L2, 254 to memory, CL 24 DRAM
        cycles, and 5000 of the launch; the addition takes 2 + 5; four sectors of the store leave, and L2 answers."""
        out = self.hearth('run', self.workload(copies=False), '--bounds', '-q', '-o', self.path('out')).stdout
        first = out.splitlines()[1].split()
        self.assertEqual(first[3], str(5000 + 187 + 8 + 254 + int(24 * 1132 / 3500.5) + 7 + 4 + 187))
        self.assertEqual(first[-1], 'port')
        with open(self.path('out', 'kernels.csv')) as f:
            self.assertEqual(first[2], next(csv.DictReader(f))['cycles'])
        self.assertLess(float(first[2]) - float(first[3]), 150)

    def write_launch(self, number, lines):
        """One warp, in a stream of its own."""
        text = ('-kernel name = k%d\n-kernel id = %d\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n'
                '-nregs = 32\n-binary version = 86\n-cuda stream id = %d\n-accelsim tracer version = 5\n'
                '-enable lineinfo = 0\n\n#traces\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = %d\n%s\n'
                '#END_TB\n')
        lines = ['%04x ffffffff %s' % (16 * i, line) for i, line in enumerate(lines + ['0 EXIT 0 0 0'])]
        self.write('s/kernel-%d.traceg' % number, text % (number, number, number, len(lines), '\n'.join(lines)))
        self.write('s/kernelslist.g', 'kernel-1.traceg\nkernel-2.traceg\n')

    def test_streams(self):
        """The first launch loads last what the second one loads first: from L2, which neither filled alone."""
        load, add = '1 R8 LDG.E 1 R4 4 1 0x7f0000000000 4 0', '1 R9 FADD 2 R9 R9 0 0'
        self.write_launch(1, 200 * [add] + [load])
        self.write_launch(2, [load] + 400 * [add])
        for concurrent in ('0', '1'):
            out = self.hearth('run', self.path('s'), '--bounds', '-q', '-o', self.path('out' + concurrent), '--set',
                              'gpgpu_concurrent_kernel_sm=' + concurrent).stdout
            rows = [line.split() for line in out.splitlines()[1:]]
            self.assertEqual(sorted(row[0] for row in rows), ['1', '2'])
            for row in rows:
                self.assertLessEqual(float(row[3]), float(row[2]), row)

    def test_only_measured_launches_have_a_bound(self):
        self.hearth('warm', DEMO, '--warm', 'functional:1', '-o', self.path('p.plan'))
        out = self.hearth('run', self.path('p.plan'), '--bounds', '-q', '-o', self.path('out')).stdout
        plain = self.hearth('run', DEMO, '-q', '-o', self.path('out2')).stdout
        self.assertEqual(plain, '')
        with open(self.path('out', 'kernels.csv')) as f:
            measured = [row['launch'] for row in csv.DictReader(f) if row['role'] == 'measure']
        self.assertEqual([line.split()[0] for line in out.splitlines()[1:]], measured)


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
