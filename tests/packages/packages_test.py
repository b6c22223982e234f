"""Usage: packages_test.py ROOT FOLDER: the Containerfile in clean systems, and a newcomer's hour with its packages.

Takes half an hour, needs root, debootstrap and its mirror; exits with 77 where one of these is missing. FOLDER keeps the
base system, the packages and the log for the next time. What a newcomer does: installs the packages with apt-get,
follows README, the tutorial and the page about Python, makes a report, and uses the library from Python and C.
"""
import glob
import os
import shutil
import subprocess
import sys
import time

from clean_root import CleanRoot, Unavailable, make_base
from containerfile import Build

ROOT, FOLDER = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
DOC = '/usr/share/doc/hearth'
PAGES = ('README.md', 'docs/tutorial.md', 'docs/python.md')
SHOWN = 'hearth run %s/demo/dct8x8.packed -c h100 --cpi-stack --parts --intervals 2000 -o /tmp/out && ' \
        'hearth report /tmp/out -o /tmp/report.html' % DOC


PYTHON = 'from hearth.library import Gpu, Workload\n' \
         'with Workload("%s/demo/oceanfft.packed") as workload, Gpu() as gpu:\n' \
         '    print(gpu.execute(workload.launch(5))["cycles"])\n' % DOC
C = 'apt-get install -qy --no-install-recommends gcc libc6-dev pkg-config /tmp/packages/*hearth-dev_*.deb && cd /tmp && ' \
    'gcc %s/docs/examples/cycles.c $(pkg-config --cflags --libs hearth) -o cycles && ' \
    './cycles %s/demo/reduction.packed h100' % (DOC, DOC)


def step(name, action, *arguments):
    began = time.monotonic()
    result = action(*arguments)
    print('%-60s %6.1f s' % (name, time.monotonic() - began), flush=True)
    return result


def build_image(base, log):
    """Executes the Containerfile, runs its entry, and keeps the packages."""
    packages = os.path.join(FOLDER, 'packages')
    build = Build(ROOT, base, os.path.join(FOLDER, 'stages'), log)
    try:
        shutil.rmtree(packages, ignore_errors=True)
        os.makedirs(packages)
        for name in glob.glob(build.stages['build'].path('/build/*.deb')):
            shutil.copy(name, packages)
        version = build.last.run(' '.join(build.entry) + ' --version')
        if not version.startswith('hearth '):
            raise RuntimeError('the image answers "%s"' % version)
    finally:
        build.close()
    return packages


def check_packages(packages):
    names = sorted(os.path.basename(name).split('_')[0] for name in glob.glob(packages + '/*.deb') if '-dbgsym' not in name)
    if names != ['hearth', 'libhearth-dev', 'libhearth0', 'python3-hearth']:
        raise RuntimeError('packages: %s' % names)
    if shutil.which('lintian'):
        done = subprocess.run(['lintian', '--fail-on', 'error', *glob.glob(packages + '/*.deb')], check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if done.returncode != 0:
            raise RuntimeError('lintian:\n' + done.stdout)


def newcomer(base, packages, log):
    root = CleanRoot(base, os.path.join(FOLDER, 'newcomer'))
    try:
        shutil.copytree(packages, root.path('/tmp/packages'))
        shutil.copy(os.path.join(ROOT, 'tests/tools/examples_test.py'), root.path('/tmp'))
        step('apt-get update', root.run, 'apt-get update -q', log)
        step('apt-get install', root.run,
             'apt-get install -qy /tmp/packages/hearth_*.deb /tmp/packages/*hearth0_*.deb /tmp/packages/python3-hearth_*.deb',
             log)
        for page in PAGES:
            step('all commands of ' + page, root.run, 'python3 /tmp/examples_test.py /usr/bin/hearth %s %s' % (DOC, page), log)
        step('a report', root.run, SHOWN, log)
        with open(root.path('/tmp/report.html'), encoding='utf-8') as f:
            if '</html>' not in f.read():
                raise RuntimeError('the report is not complete')
        shutil.copy(root.path('/tmp/report.html'), FOLDER)
        with open(root.path('/tmp/launch.py'), 'w', encoding='utf-8') as f:
            f.write(PYTHON)
        step('a launch from Python', root.run, 'python3 /tmp/launch.py', log)
        step('a program with the library', root.run, C, log)
        step('manual page', root.run, 'test -s /usr/share/man/man1/hearth-run.1.gz', log)
    finally:
        root.close()


def main():
    base = os.path.join(FOLDER, 'base')
    os.makedirs(FOLDER, exist_ok=True)
    os.makedirs(os.path.join(FOLDER, 'stages'), exist_ok=True)
    try:
        step('clean system by debootstrap', make_base, base)
    except Unavailable as why:
        print('skipped:', why)
        sys.exit(77)
    with open(os.path.join(FOLDER, 'log'), 'w', encoding='utf-8') as log:
        packages = step('Containerfile', build_image, base, log)
        step('packages, lintian', check_packages, packages)
        newcomer(base, packages, log)


if __name__ == '__main__':
    main()
