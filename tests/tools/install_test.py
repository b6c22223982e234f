"""Usage: install_test.py HEARTH ROOT BUILD: what meson install installs, used from there."""
import glob
import os
import re
import subprocess
import sys
import unittest

from case import Case, ROOT

BUILD = sys.argv[3]


class Install(Case):
    def setUp(self):
        super().setUp()
        subprocess.run(['meson', 'install', '-C', BUILD, '--no-rebuild', '--quiet', '--destdir', self.path('root')], check=True)
        self.program = self.find('bin/hearth')
        self.prefix = os.path.dirname(os.path.dirname(self.program))

    def find(self, pattern):
        found = glob.glob(self.path('root', '**', pattern), recursive=True)
        self.assertEqual(len(found), 1, (pattern, found))
        return found[0]

    def share(self, *names):
        return os.path.join(self.prefix, 'share', *names)

    def call(self, *words, **environment):
        done = subprocess.run(words, cwd=self.place, env=dict(os.environ, **environment), capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_program_runs_installed_workloads(self):
        for name in ('dct8x8', 'reduction'):
            self.call(self.program, 'run', self.share('doc', 'hearth', 'demo', name + '.packed'), '-q', '-o', self.path(name))
        self.call(self.program, 'report', self.path('reduction'), '-o', self.path('report.html'))
        self.assertEqual(self.call(os.path.join(self.prefix, 'bin', 'accel-sim.out'), '--version'),
                         self.call(self.program, '--version'))

    def test_manual_pages_of_all_commands(self):
        pages = {os.path.basename(page) for page in glob.glob(self.share('man', 'man1', '*'))}
        self.assertEqual(pages, set(os.listdir(os.path.join(ROOT, 'docs', 'man'))))
        commands = re.findall(r'^  ([\w-]+) ', self.call(self.program, '--help'), re.M)
        self.assertGreater(len(commands), 10)
        for command in commands:
            self.assertIn('hearth-%s.1' % command, pages)

    def test_completion_of_all_shells(self):
        for place, shell in (('bash-completion/completions/hearth.bash', 'bash'), ('zsh/site-functions/_hearth', 'zsh'),
                             ('fish/vendor_completions.d/hearth.fish', 'fish')):
            with open(self.share(place), encoding='utf-8') as f:
                self.assertEqual(f.read(), self.call(self.program, 'completion', shell))

    def test_documents(self):
        for name in ('README.md', 'LICENSE', 'docs/README.md', 'docs/studies/cold-start.md', 'docs/examples/cycles.c'):
            self.assertTrue(os.path.exists(self.share('doc', 'hearth', name)), name)

    def test_python(self):
        packages = os.path.dirname(os.path.dirname(self.find('hearth/__init__.py')))
        script = 'import hearth; print(hearth.run(%r, "out").total("launches"))' % self.share('doc/hearth/demo/reduction.packed')
        self.assertEqual(self.call(sys.executable, '-c', script, PYTHONPATH=packages, HEARTH=self.program), '4\n')


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
