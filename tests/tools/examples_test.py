"""Usage: examples_test.py HEARTH ROOT PAGE: the commands that a page shows work, and print what it says.

A command begins with "    $ "; it goes on while a quote or a here-document is open. Indented lines after it are its
output: all that goes to standard output, but for a line of three dots, which stands for any lines, and for what differs from run to run (speed,
seconds, memory). A command without such lines may print anything. Commands run in a new folder, in which demo/,
docs/examples/ and tests/ are those of the project.
"""
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

HEARTH, ROOT, PAGE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3]
INDENT = '    '
# What a run takes: it differs from machine to machine.
VARIES = [(re.compile(r'^(speed +).*'), r'\1'), (re.compile(r'\b\d+(\.\d+)? (s|seconds|MiB|KiB)\b'), r'N \2')]


def is_open(command):
    """Whether the next line belongs to it."""
    end = re.search(r"<<'?(\w+)'?", command)
    if end:
        return end.group(1) not in command.split('\n')[1:]
    try:
        shlex.split(command)
    except ValueError:
        return True
    return command.endswith('\\')


def commands(page):
    """The commands with their lines and with the output that follows each, as lists of lines."""
    with open(page, encoding='utf-8') as f:
        lines = f.read().split('\n')
    found, shown = [], False
    for number, line in enumerate(lines, 1):
        text = line[len(INDENT):]
        goes_on = shown and not found[-1][2] and is_open(found[-1][1])
        if goes_on and (line.startswith(INDENT) or not line):
            found[-1][1] += '\n' + text
        elif not line.startswith(INDENT):
            shown = False
        elif text.startswith('$ '):
            found.append([number, text[2:], []])
            shown = True
        elif shown:
            found[-1][2].append(text)
    return found


def stable(line):
    for pattern, replacement in VARIES:
        line = pattern.sub(replacement, line)
    return line.rstrip()


def agrees(shown, printed):
    """Whether the lines match; three dots stand for any number of lines."""
    if not shown:
        return not printed
    if shown[0].strip() == '...':
        return any(agrees(shown[1:], printed[n:]) for n in range(len(printed) + 1))
    return bool(printed) and stable(shown[0]) == stable(printed[0]) and agrees(shown[1:], printed[1:])


class Examples(unittest.TestCase):
    maxDiff = None

    def test_page(self):
        found = commands(os.path.join(ROOT, PAGE))
        self.assertTrue(found, '%s has no command' % PAGE)
        with tempfile.TemporaryDirectory() as folder:
            for name in ('demo', 'tests'):
                os.symlink(os.path.join(ROOT, name), os.path.join(folder, name))
            shutil.copytree(os.path.join(ROOT, 'docs', 'examples'), os.path.join(folder, 'docs', 'examples'))
            env = dict(os.environ, PATH=os.path.dirname(HEARTH) + ':' + os.environ['PATH'],
                       PYTHONPATH=os.path.join(ROOT, 'tools', 'python'))
            for number, command, shown in found:
                done = subprocess.run(['bash', '-c', command], cwd=folder, env=env, stdin=subprocess.DEVNULL,
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300)
                where = '%s:%d: %s' % (PAGE, number, command)
                self.assertEqual(done.returncode, 0, '%s\n%s' % (where, done.stderr))
                printed = done.stdout.rstrip('\n').split('\n')
                if shown:
                    self.assertTrue(agrees(shown, printed), where + '\nprints\n' + done.stdout[:4000])


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
