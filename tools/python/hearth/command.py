"""Calls of the program."""
import os
import subprocess


class HearthError(RuntimeError):
    """Something failed: `message` says what. `code` is the exit code of a command (see the manual page), else None."""

    def __init__(self, message, code=None, command=None):
        super().__init__('hearth %s: exit code %d: %s' % (command, code, message) if command else message)
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
    try:
        done = subprocess.run([program, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, errors='replace', check=False)
    except OSError as error:
        raise HearthError('cannot start the program %s, which HEARTH names, or the path has: %s'
                          % (program, error.strerror)) from error
    if done.returncode != 0:
        raise HearthError(done.stderr.strip(), done.returncode, words[0])
    return done.stdout
