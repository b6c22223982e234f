"""Clean Debian systems in folders: made by debootstrap, entered by chroot. Needs root."""
import os
import shutil
import subprocess

SUITE, MIRROR = 'bookworm', 'http://deb.debian.org/debian'
ENVIRONMENT = {'PATH': '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'HOME': '/root', 'LC_ALL': 'C.UTF-8',
               'DEBIAN_FRONTEND': 'noninteractive'}


class Unavailable(Exception):
    """No clean system can be made here."""


def make_base(folder):
    """Makes a minimal system in FOLDER, unless it is there."""
    if os.path.exists(os.path.join(folder, '.complete')):
        return
    if os.geteuid() != 0:
        raise Unavailable('a clean system needs root, for chroot')
    if not shutil.which('debootstrap', path='/usr/sbin:/sbin:' + os.environ['PATH']):
        raise Unavailable('debootstrap is not installed')
    shutil.rmtree(folder, ignore_errors=True)
    done = subprocess.run(['debootstrap', '--variant=minbase', SUITE, folder, MIRROR], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        raise Unavailable('debootstrap from %s: %s' % (MIRROR, done.stdout.strip().split('\n')[-1]))
    with open(os.path.join(folder, '.complete'), 'w', encoding='utf-8'):
        pass


class CleanRoot:
    """A copy of a base system."""

    def __init__(self, base, folder):
        self.folder, self.where = folder, '/'
        subprocess.run(['cp', '-a', base, folder], check=True)
        shutil.copy('/etc/resolv.conf', self.path('/etc/resolv.conf'))
        self.mounted = subprocess.run(['mount', '-t', 'proc', 'proc', self.path('/proc')], check=False,
                                      stderr=subprocess.DEVNULL).returncode == 0

    def path(self, inside):
        return os.path.join(self.folder, inside.lstrip('/'))

    def run(self, command, log=None):
        """Executes a shell command inside; returns its standard output. With LOG its output goes to that file."""
        script = 'cd "$0" && ' + command
        done = subprocess.run(['chroot', self.folder, '/bin/sh', '-c', script, self.where], env=ENVIRONMENT,
                              stdin=subprocess.DEVNULL, stdout=log or subprocess.PIPE, stderr=log or subprocess.PIPE,
                              text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError('%s: exit code %d\n%s' % (command, done.returncode, (done.stderr or '')[-4000:]))
        return done.stdout

    def close(self):
        if self.mounted:
            subprocess.run(['umount', self.path('/proc')], check=True)
        shutil.rmtree(self.folder)
