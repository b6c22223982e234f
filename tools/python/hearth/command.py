"""Calls of the program."""
import os
import subprocess


class HearthError(RuntimeError):
    """A command failed. `code` is its exit code (see the manual page), `message` what it said."""

    def __init__(self, words, code, message):
        super().__init__('hearth %s: exit code %d: %s' % (words[0], code, message))
        self.code = code
        self.message = message


def as_options(arguments):
    """{'flush': 'all', 'resume': True, 'threads': None} as ['--flush', 'all', '--resume']."""
    words = []
    for name, value in arguments.items():
        option = '--' + name.replace('_', '-')
        if value is True:
            words.append(option)
        elif value is not None and value is not False:
            words += [option, ','.join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)]
    return words


def call(words, arguments=None):
    """`hearth WORDS...` with options; returns its standard output, raises HearthError if it fails."""
    words = [os.fspath(word) for word in words] + as_options(arguments or {})
    program = os.environ.get('HEARTH', 'hearth')
    done = subprocess.run([program, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, errors='replace', check=False)
    if done.returncode != 0:
        raise HearthError(words, done.returncode, done.stderr.strip())
    return done.stdout
