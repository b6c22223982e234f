"""libhearth: what it exports, and a program built against an installed one."""
import os
import re
import subprocess
import sys
import unittest

from case import Case, ROOT, demo

BUILD, CC = sys.argv[3], sys.argv[4:]


class Library(Case):
    def install(self):
        prefix = self.path('root')
        subprocess.run(['meson', 'install', '-C', BUILD, '--no-rebuild', '--quiet', '--destdir', prefix], check=True)
        for folder, _, names in os.walk(prefix):
            if 'hearth.pc' in names:
                self.pc = os.path.join(folder, 'hearth.pc')
            if 'libhearth.so' in names:
                self.library = os.path.join(folder, 'libhearth.so')
        return prefix

    def build(self, source, prefix, name):
        env = dict(os.environ, PKG_CONFIG_PATH=os.path.dirname(self.pc), PKG_CONFIG_SYSROOT_DIR=prefix)
        flags = subprocess.run(['pkg-config', '--cflags', '--libs', 'hearth'], env=env, check=True,
                               capture_output=True, text=True).stdout.split()
        subprocess.run(CC + ['-std=c11', '-Wall', '-Wextra', '-Werror', source, *flags, '-o', self.path(name)],
                       check=True)

    def call(self, name, *arguments):
        env = dict(os.environ, LD_LIBRARY_PATH=os.path.dirname(self.library))
        return subprocess.run([self.path(name), *arguments], env=env, cwd=self.place, capture_output=True, text=True)

    def test_exports_only_its_own_names(self):
        self.install()
        lines = subprocess.run(['nm', '-D', '--defined-only', self.library], check=True, capture_output=True,
                               text=True).stdout.splitlines()
        names = [line.split()[-1] for line in lines]
        with open(os.path.join(ROOT, 'tools/library/hearth.h')) as f:
            declared = re.findall(r'HEARTH_API[^;]*?\b(hearth_\w+)\(', f.read())
        self.assertEqual(sorted(names), sorted(declared))
        self.assertIn('SONAME', subprocess.run(['readelf', '-d', self.library], check=True, capture_output=True,
                                               text=True).stdout)
        self.assertTrue(os.path.exists(self.library + '.0'))

    def test_example_gives_what_the_program_gives(self):
        prefix = self.install()
        self.build(os.path.join(ROOT, 'docs/examples/cycles.c'), prefix, 'cycles')
        rows = self.run_ok(demo('reduction'), '-c', 'h100')
        expected = [(row['kernel'], row['cycles']) for row in rows]
        done = self.call('cycles', demo('reduction'), 'h100')
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        self.assertEqual([tuple(line.rsplit(None, 1)) for line in done.stdout.splitlines()], expected)
        done = self.call('cycles', demo('reduction'), 'rtx3070')
        with open(os.path.join(ROOT, 'docs/library.md'), encoding='utf-8') as f:
            self.assertIn(re.sub('^', '    ', done.stdout.rstrip(), flags=re.M), f.read())

    def test_example_with_launches(self):
        prefix = self.install()
        self.build(os.path.join(ROOT, 'docs/examples/launches.c'), prefix, 'launches')
        done = self.call('launches', demo('oceanfft'), '5')
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        cold, warm = (int(n) for n in re.findall(r'^(?:cold|warm): (\d+) cycles$', done.stdout, re.M))
        for name, cycles in (('none', cold), ('checkpoint', warm)):
            row = self.run_ok(demo('oceanfft'), '--launches', '5', '--warm', name, out=name)[-1]
            self.assertEqual((row['launch'], row['role'], int(row['cycles'])), ('5', 'measure', cycles))
        with open(os.path.join(ROOT, 'docs/library.md'), encoding='utf-8') as f:
            self.assertIn(re.sub('^', '    ', done.stdout.rstrip(), flags=re.M), f.read())
        self.assertEqual(self.call('launches', demo('oceanfft'), '99').returncode, 2)

    def test_errors_are_those_of_the_program(self):
        prefix = self.install()
        self.build(os.path.join(ROOT, 'docs/examples/cycles.c'), prefix, 'cycles')
        for arguments, code, text in ((('nowhere', 'h100'), 3, 'nowhere'), ((demo('reduction'), 'gtx9'), 2, 'gtx9')):
            done = self.call('cycles', *arguments)
            self.assertEqual((done.returncode, done.stdout), (code, ''))
            self.assertIn(text, done.stderr)
            self.assertEqual(done.stderr.count('\n'), 1)


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
