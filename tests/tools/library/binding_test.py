"""Usage: binding_test.py HEARTH ROOT LIBRARY: the library from Python, the wheel, and the notebook of the documentation.

With --write as a further argument, only writes the outputs into the notebook.
"""
import ast
import contextlib
import glob
import io
import json
import os
import shutil
import subprocess
import sys
import unittest
import zipfile

from case import Case, HEARTH, ROOT, demo

os.environ['HEARTH'], os.environ['HEARTH_LIBRARY'] = HEARTH, os.path.abspath(sys.argv[3])
sys.path.insert(0, os.path.join(ROOT, 'tools', 'python'))
NOTEBOOK = os.path.join(ROOT, 'docs', 'launches.ipynb')
try:
    from hearth import library
except ImportError as why:
    if why.name != 'cffi':
        raise
    print('skipped: python3-cffi is not installed')
    sys.exit(77)


def execute(source, names):
    """What a cell prints, and the repr of the expression at its end."""
    tree, printed = ast.parse(source), io.StringIO()
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, 'cell', 'exec'), names)
        if last is not None:
            result = eval(compile(ast.Expression(last.value), 'cell', 'eval'), names)
            if result is not None:
                print(repr(result))
    return printed.getvalue()


def shown(cell):
    return ''.join(text for output in cell['outputs'] for text in output['text'])


class Notebook(Case):
    def test_cells(self):
        with open(NOTEBOOK, encoding='utf-8') as f:
            cells = [cell for cell in json.load(f)['cells'] if cell['cell_type'] == 'code']
        self.assertGreater(len(cells), 4)
        os.symlink(os.path.join(ROOT, 'demo'), self.path('demo'))
        names = {'__name__': '__main__'}
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.place)
        for number, cell in enumerate(cells, 1):
            with self.subTest(cell=number):
                self.assertEqual(execute(''.join(cell['source']), names), shown(cell))


class Binding(Case):
    def test_rows_are_those_of_the_program(self):
        rows = self.run_ok(demo('reduction'), '-c', 'qv100', '--set', 'dram_latency=300')
        shares = []
        found = library.simulate(demo('reduction'), 'qv100', {'dram_latency': 300}, progress=shares.append)
        self.assertEqual([(row['kernel'], row['grid'], str(row['cycles'])) for row in found],
                         [(row['kernel'], row['grid'], row['cycles']) for row in rows])
        self.assertTrue(all(0 <= share <= 1 for share in shares))

    def test_launch_by_launch(self):
        rows = self.run_ok(demo('oceanfft'), '--launches', '1-6')
        with library.Workload(demo('oceanfft')) as workload, library.Gpu(threads=1) as gpu:
            for item in workload.until(7):
                gpu.execute(item)
            self.assertEqual([str(row['cycles']) for row in gpu.rows()], [row['cycles'] for row in rows])
            self.assertEqual(gpu.rows(-1), gpu.rows(5))
            with self.assertRaises(KeyError):
                workload.launch(99)

    def test_what_the_device_wrote(self):
        self.workload('w')
        kernels = ['kernel-%d.traceg' % n for n in (1, 2, 3)]
        self.write('w/kernelslist.g', '\n'.join(['# set 0x7f0000000000 256', *kernels]) + '\n')
        rows = [self.run_ok(self.path('w'), '--set', 'hearth_device_copies=%d' % n) for n in (0, 1)]
        self.assertNotEqual(rows[0], rows[1])
        with library.Workload(self.path('w')) as workload:
            first = next(iter(workload.until(2)))
            self.assertEqual((first.kind, first.address, first.bytes), (library.DEVICE_COPY, 0x7f0000000000, 256))
            for n in (0, 1):
                with library.Gpu(options={'hearth_device_copies': n}, threads=1) as gpu:
                    for item in [*workload.until(5), workload.launch(5)]:
                        gpu.execute(item)
                    self.assertEqual([str(row['cycles']) for row in gpu.rows()], [row['cycles'] for row in rows[n]])

    def test_states(self):
        with library.Workload(demo('oceanfft')) as workload, library.Gpu() as gpu, library.Gpu(flush='all') as other:
            for item in workload.until(5):
                gpu.execute(item, 'functional')
            gpu.save(self.path('state'))
            launch = workload.launch(5)
            cold = other.execute(launch)
            gpu.reset()
            gpu.restore(self.path('state'))
            warm = gpu.execute(launch)
            self.assertLess(warm['cycles'], cold['cycles'])
            gpu.flush()
            self.assertLess(gpu.execute(launch)['l2_read_hits'], warm['l2_read_hits'])

    def test_hooks(self):
        begun, ended, intervals = [], [], []

        def choose(block):
            begun.append(block['order'])
            return (library.TIMED, 50) if block['order'] % 2 else library.RUN

        with library.Workload(demo('oceanfft')) as workload, library.Gpu() as gpu:
            launch = workload.launch(5)
            full = gpu.execute(launch, interval_ended=intervals.append, interval=500)
            half = gpu.execute(launch, block_begins=choose, block_ended=ended.append)
        self.assertEqual(sum(interval['warp_insts'] for interval in intervals), full['warp_insts'])
        self.assertEqual(begun, list(range(16)))
        self.assertEqual({block['order'] for block in ended}, set(begun))
        self.assertEqual(half['warp_insts'], full['warp_insts'] / 2)

    def test_hooks_of_warps(self):
        warps, issued = [], []
        with library.Workload(demo('oceanfft')) as workload, library.Gpu(options={'gpgpu_n_clusters': 1}) as gpu:
            row = gpu.execute(workload.launch(5), warp_ended=warps.append, issued=issued.append)
            with self.assertRaisesRegex(library.HearthError, 'no SM 1'):
                gpu.execute(workload.launch(5), issued=issued.append, issued_sm=1)
        self.assertEqual(len(issued), row['warp_insts'])
        threads = [int(number) for number in row['block'].split('x')]
        self.assertEqual(len(warps), row['blocks'] * (threads[0] * threads[1] * threads[2] // 32))
        self.assertEqual({warp['order'] for warp in warps}, {issue['block'] for issue in issued})
        self.assertIn('EXIT', {issue['opcode'] for issue in issued})
        self.assertEqual([issue['cycle'] for issue in issued], sorted(issue['cycle'] for issue in issued))

    def test_stops(self):
        with library.Workload(demo('reduction')) as workload, library.Gpu() as gpu:
            launch = workload.launch(1)
            self.assertIsNone(gpu.execute(launch, progress=lambda now: False))
            self.assertEqual(gpu.rows(), [])
            with self.assertRaises(ZeroDivisionError):
                gpu.execute(launch, block_begins=lambda block: 1 // 0)

    def test_errors(self):
        with self.assertRaisesRegex(library.HearthError, 'gtx9') as caught:
            library.Gpu('gtx9')
        self.assertEqual(caught.exception.code, 2)
        with self.assertRaises(library.HearthError) as caught:
            library.simulate(self.path('nothing'))
        self.assertEqual(caught.exception.code, 3)
        with library.Workload(demo('reduction')) as workload, library.Gpu() as gpu:
            with self.assertRaises(ValueError):
                gpu.execute(workload.launch(1), 'fast')

    def test_wheel(self):
        have = subprocess.run([sys.executable, '-c', 'import mesonpy'], capture_output=True, check=False).returncode == 0
        if not have:
            self.skipTest('python3-mesonpy is not installed')
        tools = self.path('tools')
        shutil.copytree(os.path.join(ROOT, 'tools', 'python'), os.path.join(tools, 'python'))
        os.makedirs(os.path.join(tools, 'library'))
        shutil.copy(os.path.join(ROOT, 'tools', 'library', 'hearth.h'), os.path.join(tools, 'library'))
        subprocess.run([sys.executable, '-c', 'import mesonpy; mesonpy.build_wheel(%r)' % self.place],
                       cwd=os.path.join(tools, 'python'), capture_output=True, check=True)
        with zipfile.ZipFile(glob.glob(self.path('*.whl'))[0]) as wheel:
            wheel.extractall(self.path('site'))
        script = 'from hearth.library import simulate; print(len(simulate(%r)))' % demo('reduction')
        done = subprocess.run([sys.executable, '-c', script], env=dict(os.environ, PYTHONPATH=self.path('site')), cwd=self.place,
                              capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, '4\n')


def write_outputs():
    with open(NOTEBOOK, encoding='utf-8') as f:
        notebook = json.load(f)
    names, count = {'__name__': '__main__'}, 0
    for cell in notebook['cells']:
        if cell['cell_type'] == 'code':
            count += 1
            text = execute(''.join(cell['source']), names)
            cell['execution_count'] = count
            cell['outputs'] = [{'name': 'stdout', 'output_type': 'stream', 'text': text.splitlines(True)}] if text else []
    with open(NOTEBOOK, 'w', encoding='utf-8') as f:
        json.dump(notebook, f, indent=1)
        f.write('\n')


if __name__ == '__main__':
    if sys.argv[4:] == ['--write']:
        write_outputs()
    else:
        unittest.main(argv=sys.argv[:1])
