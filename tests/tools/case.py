"""What the tests of the command line share: a folder for each, the program, its results. Tests in other folders find this
file because meson test sets PYTHONPATH=tests/tools, which one that is started by hand needs, too."""
import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HEARTH, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
os.environ['NO_COLOR'] = '1'     # whatever the terminal is; terminal_test.py has tests of colours
SAME = ['kernels.csv', 'stats.json', 'stats.txt', 'config.out', 'plan.out']   # equal from run to run
FILES = sorted(SAME + ['run.json'])
HEADER = ('-kernel name = %s\n%s-grid dim = (2,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 16\n'
          '-binary version = 86\n-cuda stream id = 0\n-accelsim tracer version = 5\n\n')


def kernel_text(name, number, base=0x7f0000000000):
    """A kernel of two blocks of one warp: a load, an addition, a store."""
    text = HEADER % (name, '' if number is None else '-kernel id = %d\n' % number)
    for block in range(2):
        text += ('#BEGIN_TB\nthread block = %d,0,0\nwarp = 0\ninsts = 4\n'
                 '0000 ffffffff 1 R8 LDG.E 1 R4 4 1 0x%x 4 0\n'
                 '0010 ffffffff 1 R9 FADD 2 R8 R8 0 0\n'
                 '0020 ffffffff 0 STG.E 2 R6 R9 4 1 0x%x 4 0\n'
                 '0030 ffffffff 0 EXIT 0 0 0\n#END_TB\n') % (block, base + block * 128, base + 4096 + block * 128)
    return text


# What application() is made of: bundled workloads and how many of their first launches.
APPLICATION = (('dct8x8', 4), ('gemm', 2), ('spmv', 2), ('reduction', 2), ('histogram', 2))


def demo(name):
    """A bundled workload."""
    return os.path.join(ROOT, 'demo', name + '.packed')


def application(folder):
    """Writes 12 synthetic launches, two streams and some copies as text; returns the lines of the list."""
    lines, number = [], 0
    os.makedirs(folder)
    for name, count in APPLICATION:
        part = os.path.join(folder, name)
        subprocess.run([HEARTH, 'trace', 'cut', demo(name), '--launches', '1-%d' % count, '--to', 'text', '-o', part],
                       check=True)
        with open(os.path.join(part, 'kernelslist.g')) as f:
            listed = f.read().splitlines()
        last = max(n for n, line in enumerate(listed) if line.startswith('kernel'))
        for line in listed[1:last + 1]:
            if line.startswith('kernel'):
                number += 1
                with open(os.path.join(part, line)) as f:
                    text = re.sub('(?m)^-kernel id = .*', '-kernel id = %d' % number, f.read(), count=1)
                if name == 'spmv':
                    text = text.replace('-cuda stream id = 0', '-cuda stream id = 7', 1)
                line = 'kernel-%d.traceg' % number
                with open(os.path.join(folder, line), 'w') as f:
                    f.write(text)
            lines.append(line)
        shutil.rmtree(part)
    with open(os.path.join(folder, 'kernelslist.g'), 'w') as f:
        f.write('\n'.join(lines) + '\n')
    return lines


class Case(unittest.TestCase):
    COMMAND = ()    # what fails() puts in front

    def setUp(self):
        self.place = tempfile.mkdtemp(prefix='hearth-cli-')
        self.addCleanup(shutil.rmtree, self.place)

    def path(self, *names):
        return os.path.join(self.place, *names)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), 'wb') as f:
            f.write(text if isinstance(text, bytes) else text.encode())
        return self.path(name)

    def workload(self, name='w', ids=(1, 2, 5), copies=True):
        lines = []
        for n, number in enumerate(ids, 1):
            self.write('%s/kernel-%d.traceg' % (name, n), kernel_text('k%d' % n, number))
            if copies:
                lines.append('MemcpyHtoD,0x7f0000000000,256')
            lines.append('kernel-%d.traceg' % n)
        self.write(name + '/kernelslist.g', '\n'.join(lines) + '\n')
        return self.path(name)

    def hearth(self, *arguments, code=0, cwd=None):
        done = subprocess.run([HEARTH, *arguments], capture_output=True, text=True, cwd=cwd or self.place, timeout=120)
        self.assertEqual(done.returncode, code, done.stderr + done.stdout)
        return done

    def trace(self, *arguments, code=0, stdin=None):
        """hearth trace, whose input and outputs are bytes."""
        done = subprocess.run([HEARTH, 'trace', *arguments], input=stdin, capture_output=True, cwd=self.place, timeout=120)
        self.assertEqual(done.returncode, code, done.stderr + done.stdout)
        return done

    def fails(self, code, message, *arguments):
        """The command ends with CODE and exactly one line on stderr, which holds MESSAGE."""
        done = self.hearth(*self.COMMAND, *arguments, code=code)
        self.assertEqual(done.stdout, '')
        self.assertRegex(done.stderr, r'\Ahearth: [^\n]*\n\Z')
        self.assertIn(message, done.stderr)

    def run_ok(self, *arguments, out='out'):
        self.hearth('run', *arguments, '-q', '-o', self.path(out))
        return self.rows(out)

    def rows(self, out='out', name='kernels.csv'):
        with open(self.path(out, name), newline='') as f:
            return list(csv.DictReader(f))

    def json(self, name, out='out'):
        with open(self.path(out, name)) as f:
            return json.load(f)

    def text(self, *names):
        with open(self.path(*names)) as f:
            return f.read()

    def leftovers(self):
        return [name for name in os.listdir(self.place) if '.part-' in name]
