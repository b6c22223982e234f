"""Usage: completion_test.py HEARTH ROOT: what shells complete, by the program and typed into each shell that is there."""
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
import unittest

from case import Case, HEARTH

END = 'readynow'


def candidates(*words):
    done = subprocess.run([HEARTH, '--completion', *words], capture_output=True, text=True, check=True)
    return [line.split('\t')[0] for line in done.stdout.splitlines()]


class Candidates(Case):
    def test_commands(self):
        self.assertEqual(candidates('re'), ['report'])
        self.assertEqual(candidates('trace', 'me'), ['memonly'])
        self.assertEqual(candidates('help', 'study', 'cold'), ['cold-start'])
        self.assertIn('help', candidates(''))
        self.assertEqual(candidates('nonsense', ''), [])

    def test_every_command_has_its_options(self):
        for command in candidates('')[:-3]:
            if candidates(command, '') and command in ('trace', 'study'):
                for part in candidates(command, '')[:-3]:
                    self.assertIn('--help', candidates(command, part, '--'), (command, part))
            elif command != 'accel-sim':
                self.assertIn('--help', candidates(command, '--'), command)
        self.assertEqual(candidates('accel-sim', '-conf')[0], '-config')

    def test_options_are_those_of_the_help(self):
        shown = subprocess.run([HEARTH, 'run', '--help'], capture_output=True, text=True, check=True).stdout
        self.assertEqual(candidates('run', '-'), re.findall(r'^  (?:-., |    )(--[\w-]+)', shown, re.M))

    def test_values(self):
        self.assertEqual(candidates('run', '-c', 'h'), ['h100', 'h200'])
        self.assertEqual(candidates('run', '-qc', 'h'), ['h100', 'h200'])
        self.assertEqual(candidates('run', '--conf', 'h'), ['h100', 'h200'])
        self.assertEqual(candidates('run', '--config=h'), ['--config=h100', '--config=h200'])
        self.assertEqual(candidates('estimate', '--device', 'gtx'), ['gtx970', 'gtx1070'])
        self.assertEqual(candidates('run', '--flush', ''), ['none', 'l1', 'l2', 'all'])
        self.assertEqual(candidates('run', '--set', 'gpgpu_kernel_l'), ['gpgpu_kernel_launch_latency='])
        self.assertEqual(candidates('run', '--warm', 'm'), ['memory:', 'mrrl', 'mse'])
        self.assertIn('correction:thesis', candidates('run', '--warm', 'c'))
        self.assertEqual(candidates('run', '--intra', 'photon-'), ['photon-warp', 'photon-bb', 'photon-online'])
        self.assertIn('sieve', candidates('sample', '--method', 's'))
        self.assertEqual(candidates('study', 'sampled', '--warm', 'none,st'), ['none,stitch'])
        self.assertEqual(candidates('trace', 'synth', 'spm'), ['spmv'])
        self.assertEqual(candidates('trace', 'synth', 'gemm_wgmma', '--parameter', 'sta'), ['stages='])

    def test_later_operands(self):
        """Names of options where only these may come, and cards besides files."""
        name = ['gpgpu_kernel_launch_latency']
        for words in (('config', 'help'), ('config', 'help', 'gpgpu_n_mem'), ('config', '--help-config'),
                      ('run', '--help-config'), ('--help-config',)):
            self.assertEqual(candidates(*words, 'gpgpu_kernel_l'), name, words)
        self.assertEqual(candidates('config', 'check', 'mine.config', 'h'), ['h100', 'h200'])
        self.assertEqual(candidates('config', 'show', ''), [])

    def test_files_are_left_to_the_shell(self):
        self.assertEqual(candidates('run', ''), [])
        self.assertEqual(candidates('run', '-c', 'h100', ''), [])
        self.assertEqual(candidates('run', '-o', ''), [])
        self.assertEqual(candidates('run', '--', '--he'), [])
        self.assertEqual(candidates('trace', 'synth', 'spmv', ''), [])

    def test_unknown_shell(self):
        self.fails(2, 'not bash, zsh or fish', 'completion', 'tcsh')

    def test_shells_parse_their_scripts(self):
        for shell, option in (('bash', '-n'), ('zsh', '-n'), ('fish', '--no-execute')):
            with self.subTest(shell):
                if not shutil.which(shell):
                    self.skipTest(shell + ' is not installed')
                script = self.write('hearth.' + shell, self.hearth('completion', shell).stdout)
                done = subprocess.run([shell, option, script], capture_output=True, text=True, check=False)
                self.assertEqual((done.returncode, done.stderr), (0, ''))


class Shell:
    """An interactive shell on a terminal of its own."""

    def __init__(self, *command):
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.environ.update(TERM='dumb', PS1='', PATH=os.path.dirname(HEARTH) + ':' + os.environ['PATH'])
            os.execvp(command[0], command)

    def type(self, keys, seconds=20):
        """Types KEYS and returns what appears until a line with END."""
        os.write(self.terminal, keys.encode())
        text, until = '', time.monotonic() + seconds
        while not re.search('^' + END, text, re.M) and time.monotonic() < until:
            if select.select([self.terminal], [], [], 0.2)[0]:
                text += os.read(self.terminal, 4096).decode(errors='replace').replace('\r', '')
        return text

    def close(self):
        os.close(self.terminal)
        os.waitpid(self.process, 0)


class Bash(Case):
    def setUp(self):
        super().setUp()
        self.shell = Shell('bash', '--norc', '--noprofile', '-i')
        self.addCleanup(self.shell.close)
        self.shell.type('source <(hearth completion bash); cd %s; echo ready""now\n' % self.place)

    def complete(self, line, key='\t'):
        """The line that the keys make of LINE."""
        text = self.shell.type('%s%s\x01echo "<\x05>"; echo ready""now\n' % (line, key))
        return re.search(r'^<(.*)>$', text, re.M).group(1)

    def test_one(self):
        for line, expected in (('hearth rep', 'hearth report '), ('hearth run --inter', 'hearth run --intervals '),
                               ('hearth run --warm mem', 'hearth run --warm memory:'),
                               ('hearth run --warm correction:a', 'hearth run --warm correction:artifact '),
                               ('hearth run --config=rtx307', 'hearth run --config=rtx3070 '),
                               ('hearth run --set gpgpu_kernel_l', 'hearth run --set gpgpu_kernel_launch_latency=')):
            self.assertEqual(self.complete(line), expected)

    def test_all(self):
        self.assertEqual(self.complete('hearth run -c h', '\x1b*'), 'hearth run -c h100 h200 ')

    def test_files(self):
        self.write('some.packed', '')
        self.assertEqual(self.complete('hearth run so'), 'hearth run some.packed ')
        self.assertEqual(self.complete('hearth run -c so'), 'hearth run -c some.packed ')


@unittest.skipUnless(shutil.which('zsh'), 'zsh is not installed')
class Zsh(Case):
    def test_typed(self):
        shell = Shell('zsh', '-f', '-i')
        self.addCleanup(shell.close)
        self.write('some.packed', '')
        shell.type('autoload -U compinit; compinit -u -D; source <(hearth completion zsh); cd %s; echo ready""now\n' %
                   self.place)
        for keys, expected in (('hearth rep\tx', 'hearth report x'), ('hearth run --warm mem\t3', 'hearth run --warm memory:3'),
                               ('hearth run --config=rtx307\tx', 'hearth run --config=rtx3070 x'),
                               ('hearth run -c so\tx', 'hearth run -c some.packed x'),
                               ('hearth run --config=so\tx', 'hearth run --config=some.packed x'),
                               ('hearth config help gpgpu_kernel_l\tx', 'hearth config help gpgpu_kernel_launch_latency x'),
                               ('hearth run --set gpgpu_kernel_l\t5', 'hearth run --set gpgpu_kernel_launch_latency=5')):
            text = shell.type('%s\x01echo "<\x05>"; echo ready""now\n' % keys)
            self.assertIn('\n<%s>' % expected, text)


@unittest.skipUnless(shutil.which('fish'), 'fish is not installed')
class Fish(Case):
    def test_candidates(self):
        self.write('some.packed', '')
        script = self.write('hearth.fish', self.hearth('completion', 'fish').stdout)
        for line, expected in (('hearth rep', ['report']), ('hearth run -c h1', ['h100']),
                               ('hearth run --warm mem', ['memory:']),
                               ('hearth run -c some', ['some.packed']),
                               ('hearth config help gpgpu_kernel_l', ['gpgpu_kernel_launch_latency'])):
            env = dict(os.environ, HOME=self.place, PATH=os.path.dirname(HEARTH) + ':' + os.environ['PATH'])
            done = subprocess.run(['fish', '--no-config', '-c', 'source %s; complete -C "%s"' % (script, line)],
                                  env=env, cwd=self.place, capture_output=True, text=True, check=True)
            self.assertEqual([line.split('\t')[0] for line in done.stdout.splitlines()], expected)


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
